// SPDX-License-Identifier: BSD-3-Clause
/* What probe, serve and proxy have in common on the command line: reports, known departures. */
#ifndef HARNESS_LIVE_H
#define HARNESS_LIVE_H

#include "rxe-harness/transport/transport.h"

#include "conformance/base/status.h"
#include "conformance/base/options.h"
#include "conformance/report/results.h"

#include <rpcrdma/check.h>

enum { STATUS_UNREACHABLE = 4 };

enum {
    LIVE_KNOWN = OPTION_OWN + 100,
    LIVE_WRITE_KNOWN,
    LIVE_TAP,
    LIVE_JUNIT,
    LIVE_JSON,
    LIVE_HTML,
    LIVE_NAME,
    LIVE_TIMEOUT
};

/* clang-format off */
#define LIVE_OPTIONS                                                                               \
    {"help", no_argument, NULL, OPTION_HELP},                                                      \
    {"color", required_argument, NULL, OPTION_COLOR},                                              \
    {"known", required_argument, NULL, LIVE_KNOWN},                                                \
    {"write-known", required_argument, NULL, LIVE_WRITE_KNOWN},                                    \
    {"tap", no_argument, NULL, LIVE_TAP},                                                          \
    {"junit", required_argument, NULL, LIVE_JUNIT},                                                \
    {"json", required_argument, NULL, LIVE_JSON},                                                  \
    {"html", required_argument, NULL, LIVE_HTML},                                                  \
    {"name", required_argument, NULL, LIVE_NAME},                                                  \
    {"timeout", required_argument, NULL, LIVE_TIMEOUT}
/* clang-format on */

struct live {
    struct options options; /* of which only the colour is used */
    unsigned timeout;       /* milliseconds */
    bool tap;
    const char *name;                /* of the peer, or NULL */
    const char *junit, *json, *html; /* files to write, or NULL */
    const char *known_file, *write_known;
    struct known known;
};
#define LIVE_DEFAULT                                                                               \
    ((struct live){.options = OPTIONS_DEFAULT, .timeout = 5000, .known.write_tests = true})

/* Take one of LIVE_OPTIONS. False after a complaint. */
bool live_option(struct live *live, const char *command, int option);

/* Read what the options name. Returns STATUS_GOOD, or the status to exit with. */
int live_prepare(struct live *live);

/* A number of a program, a version, and the like. False after a complaint. */
bool live_number(const char *command, const char *option, const char *text, uint32_t *number);

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

/* What the peer sent breaks a rule: a result beside that of the case, one a rule. NULL where it was
 * told before. */
struct result *live_finding(struct results *results, const struct live_case *about,
                            const struct rpcrdma_event *event,
                            const struct rpcrdma_finding *finding);

/* Write all reports; frees the results. `who` was tested, unless --name says otherwise. Returns the
 * status. */
int live_report(struct live *live, const char *who, struct results *results);

/* NULL, "loopback:" */
bool live_is_loopback(const char *address);

/* A transport for an address of the verbs. NULL after a complaint. */
struct transport *live_verbs(const char *address, bool listen);

#endif
