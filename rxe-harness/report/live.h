// SPDX-License-Identifier: BSD-3-Clause
/* What probe, serve and proxy have in common on the command line: reports, expected failures. */
#ifndef HARNESS_LIVE_H
#define HARNESS_LIVE_H

#include "rxe-harness/transport/transport.h"

#include "conformance/base/status.h"
#include "conformance/options/options.h"
#include "conformance/report/results/reports.h"

#include <rpcrdma/check.h>

enum { STATUS_UNREACHABLE = 4 };

/* The settings of the live commands begin with these. */
struct live {
    struct reports reports;
    unsigned timeout; /* milliseconds */
};
#define LIVE_DEFAULT ((struct live){.reports = {.options = OPTIONS_DEFAULT}, .timeout = 5000})

/* The row of --timeout, with what it is unless given. */
#define OPTION_ROW_TIMEOUT(text)                                                                   \
    {                                                                                              \
        "timeout", "SECONDS", text, SETS(SECONDS, struct live, timeout)                            \
    }

/* A draft of version 2; the values are those of option_drafts from the second on. */
#define LIVE_DRAFTS "04 07"

#define LIVE_EXIT_STATUS                                                                           \
    "0 all as required, 1 something failed, 2 wrong usage, 3 a file is unreadable or cannot be "   \
    "written, 4 no peer could be reached, 130 interrupted."

/* What a result is about. */
struct live_case {
    const char *file, *id, *comment;
};

/* A result that has no ending yet. `from`: "client" or "server", who sent what it is about. */
struct result *live_result(struct results *results, const struct live_case *about, const char *rule,
                           bool breaks, const char *from);

/* The octets that a result is about, and those that came back; NULL: none did. */
void live_exchange(struct result *result, const void *octets, size_t length, const void *answer,
                   size_t answer_length);

/* The connection that was looked at last is what the result tells of. live_result() does it. */
void live_scene(struct results *results, struct result *result);

/* What the peer sent breaks a rule: a result beside that of the case, one a rule. NULL where it was
 * told before. */
struct result *live_finding(struct results *results, const struct live_case *about,
                            const struct rpcrdma_event *event,
                            const struct rpcrdma_finding *finding);

/* The findings of an event between a Requester under test and us: in what it sent, and in what was
 * read from it, for it is the author of that. Notes are left out. */
void live_requester_findings(struct results *results, const struct live_case *about,
                             const struct rpcrdma_event *event,
                             const struct rpcrdma_judgement *judgement);

/* An option, and the file that is written because of it; NULL: it is not given. */
struct live_file {
    const char *option, *file;
};

/* For --list, which makes no results: whether nothing but that list was asked for, as text or where
 * it `has_json` into the FILE of --json; else after a complaint about the command line. `files`: of
 * options of the command's own, up to one without a name. */
bool live_list_fits(const char *command, const struct reports *reports, bool has_json,
                    const struct live_file *files);

/* reports_prepare(), and keep what the reports that are asked for want. */
int live_prepare(struct live *live);

/* Write all reports; frees the results. `who` was tested, unless --name says otherwise. Returns the
 * status. */
int live_report(struct live *live, const char *who, struct results *results);

/* NULL, "loopback", "loopback:" */
bool live_is_loopback(const char *address);

/* Whether this can be an address; else after a complaint about the command line. */
bool live_address_fits(const char *command, const char *address, bool listen);

/* The draft of version 2 that this names: "04" or "07". False: none. */
bool live_draft(const char *name, enum rpcrdma_protocol *draft);

/* A transport for an address of the verbs. NULL after a complaint. */
struct transport *live_verbs(const char *address, bool listen);

#endif
