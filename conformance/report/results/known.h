// SPDX-License-Identifier: BSD-3-Clause
/*
 * Lists of expected failures, one a line, with an optional # and a reason. Of a run of tests:
 *
 *   TEST ENDING           this test, ended so; an event other than the first as TEST:EVENT
 *   RULE ENDING           a class: every test about this rule that ended so
 *   RULE#WAY ENDING       a smaller class, where a rule has several ways to break: XDR_E_COUNT
 *
 * ENDING may be several, with commas; wrong-answer:fail is that answer of a testee alone, so that a
 * refusal that is expected does not cover it if the testee begins to accept. wrong-answer is any.
 * A class never covers stalled, crashed, garbled or early. Of a run of the fuzz kit, whose inputs
 * have no names, only classes, and as smaller ones
 *
 *   RULE:ANSWER ENDING    what breaks the rule got this answer, which is not open; RULE#WAY:ANSWER
 *   kit/FORM ENDING       no rule explains it; FORM is what the kit's table calls it
 *
 * Of recorded traffic:
 *
 *   RULE SIDE PEER        what this peer broke as "client" or "server"; PEER may be *
 *
 * Every line has to apply: one that does not occur is an error, so that no list goes stale.
 */
#ifndef CONFORMANCE_KNOWN_H
#define CONFORMANCE_KNOWN_H

#include "conformance/base/nearest.h"
#include "conformance/describe/json.h"
#include "conformance/report/results/ending.h"

#include <stddef.h>
#include <stdint.h>

enum known_kind { KNOWN_TESTS, KNOWN_TRAFFIC, KNOWN_KIT };

struct known_entry; /* a line of the list, or what --write-known would write */

struct known {
    const char *file; /* NULL: there is no list */
    bool partial;     /* not everything is run: what was not judged need not occur */
    enum known_kind kind;
    char *remarks; /* lines without an entry after the last one, or NULL */
    struct known_entry *entries;
    size_t count, room;
    char **stale; /* lines that did not occur, once known_settle() has looked for them */
    size_t stale_count;
};

/* A test that failed. */
struct known_failure {
    const char *test;
    unsigned event;
    enum ending ending;
    const char *rule, *way; /* or NULL */
    const char *answer;     /* a wrong one of a testee in a word: "fail"; or NULL */
};

/* Read a list. Complains and returns false where it cannot be read, or a line cannot be right. */
bool known_read(struct known *known, const char *file);

/* Whether the list has this failure; it is remembered for known_write(). */
bool known_failure(struct known *known, const struct known_failure *failure);

/* A test was judged, whatever came of it: where only a part is run, its entry has to apply. */
void known_judged(struct known *known, const char *test, unsigned event);

/* Ask of each entry, by the name of its test or its rule, whether it is of what is not run: then it
 * need not occur. */
void known_elsewhere(struct known *known, bool (*is_elsewhere)(void *arg, const char *name),
                     void *arg);

/* Look up each entry that names a test: `each_name` tries the name of every test that there is,
 * whether it is run or not. Where none is meant that is what the complaint says of the entry. */
void known_names(struct known *known, void (*each_name)(void *arg, struct nearest *nearest),
                 void *arg);

/* Whether the list has a failure of the kit by this name, written as in a list. Nothing is
 * remembered, so this can be asked any number of times. */
bool known_has(const struct known *known, const char *name, enum ending ending);

/* Remember such a failure for known_write(), with its reason. */
void known_add(struct known *known, const char *name, enum ending ending, const char *reason);

/* The same for a finding in recorded traffic. `side`: "client" or "server". */
bool known_finding(struct known *known, const char *rule, const char *side, const char *peer);

/* Write what was found, for --write-known: the list that was read, its reasons kept, without the
 * lines that did not occur; and then, as tests or findings, what no line of it says. Complains and
 * returns false if it cannot. */
bool known_write(const struct known *known, const char *file);

/* At the end of a run: find the lines that did not occur, as text that any report may have. Returns
 * how many. */
size_t known_settle(struct known *known);

/* Say on stderr which these are; and in a summary as JSON, if there are any. */
void known_complain(const struct known *known);
void known_json(struct json *json, const struct known *known);

void known_free(struct known *known);

#endif
