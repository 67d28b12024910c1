// SPDX-License-Identifier: BSD-3-Clause
/*
 * What came out of running vectors: one result an event, on two axes, the level of the rule that is
 * at stake and the way it ended; and how that is reported.
 */
#ifndef CONFORMANCE_RESULTS_H
#define CONFORMANCE_RESULTS_H

#include "conformance/report/results/ending.h"
#include "conformance/report/results/known.h"
#include "conformance/base/terminal.h"

#include <rpcrdma/rules.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Failures after these have no ladder. */
enum { RESULT_LADDERS = 100 };

enum result_level { RESULT_MUST, RESULT_SHOULD, RESULT_ADVISORY, RESULT_LEVELS };

/* What an ending says of the peer, and with the level how grave that is. */
enum grade { GRADE_GOOD, GRADE_NONE, GRADE_REMARK, GRADE_WARNING, GRADE_BAD, GRADE_BROKEN, GRADES };

/* Of a testee. */
struct result_testee {
    char *question; /* the line that was put to it, or NULL */
    char *log;      /* the last that it wrote to its standard error, or NULL */
    char *answer;   /* in a word, as a list of expected failures names it: "fail"; or NULL */
    bool legal;     /* the Send breaks no rule and has to be taken */
    bool refused;   /* it was not */
};

/* General words, the same for what fails alike; or NULL. */
struct result_words {
    char *wanted, *got, *cause;
};

/* All of it belongs to the result. */
struct result {
    char *file, *test, *comment;
    unsigned event;
    char *from, *type; /* "client" or "server"; "send" and the like */
    char *rule;        /* the id of what it breaks, or nearly breaks; NULL: neither */
    char *way;         /* of several in which that rule can be broken: "XDR_E_COUNT"; or NULL */
    bool breaks;
    bool accused; /* neither, but our checker says that it breaks `rule` */
    char *role;   /* as what the peer was asked: "Responder", "Requester", "codec"; or NULL */
    struct result_testee testee;
    struct result_words alike;
    bool unseen; /* the header alone does not show what the rule is about */
    uint64_t microseconds;
    bool opening; /* the opening vector of a testee: never expected to fail */
    enum result_level level;
    enum ending ending;
    bool known; /* an expected failure */
    char *expected, *actual;
    uint8_t *octets;
    size_t length;
    bool left_out;     /* the octets and the answer: the file would be too long */
    bool tells_octets; /* in the text as well */
    unsigned deaths;   /* live: connections that the wire had ended before it was added */
    uint8_t *answer;   /* live: what came back, or what it came back to; or NULL */
    size_t answer_length;
    int64_t offset;      /* of the field at fault, or -1 */
    char *field;         /* its path, or NULL */
    struct scene *scene; /* live: what went before and after (report/ladder/scene.h), or NULL */
};

/* What a result file says that is kept among others; each a text, or NULL. */
struct results_about {
    char *peer;      /* the implementation: "Linux 6.1" */
    char *release;   /* of it, exactly: "6.1.192-2 (Debian)" */
    char *side;      /* "server", "client" or "codec" */
    char *transport; /* "soft-RoCE, by verbs" */
    char *date;      /* "2026-11-25" */
    char *version;   /* of the kit */
    char *kit;       /* a sum over what the kit asks */
};

struct results {
    char *subject; /* who was tested */
    struct results_about about;
    uint32_t seed;          /* of the opening vector; 0: there is none */
    char *wire;             /* what the wire did wrong, with its seed, or NULL */
    const char *incomplete; /* why not all was run, or NULL; one of few texts that live for ever */
    const char *brief;      /* the same for text that stderr stands beside, or NULL: the same */
    struct result *list;
    size_t count, room;
    const struct known *known; /* the list of expected failures, or NULL */
    unsigned scenes;           /* that results have */
    /* Draws a test that failed, for the page; or NULL. */
    void (*draw)(FILE *out, const struct result *result, const void *arg);
    const void *draw_arg;
};

extern const char *const level_names[RESULT_LEVELS];
extern const char *const grade_names[GRADES];
extern const char *const grade_titles[GRADES];

struct result *results_add(struct results *results);
void results_drop_last(struct results *results);
void results_free(struct results *results);

enum result_level level_of_rule(const struct rpcrdma_requirement *rule);
enum grade grade_of(enum ending ending, enum result_level level);

/* Results that failed, expected failures left out. */
size_t results_failed(const struct results *results);

/* Expected failures that occurred. */
size_t results_known(const struct results *results);

/* Lines of the list that did not occur. */
size_t results_stale(const struct results *results);

/* How many were judged: a run without any is a failure. */
size_t results_judged(const struct results *results);

/*
 * The status of a run: STATUS_VIOLATED after a complaint where nothing was judged, where a failure
 * is not expected or where the list has gone stale.
 */
int results_status(const struct results *results);
size_t results_count(const struct results *results, enum ending ending, enum result_level level);

/* Mark what the list names, and remember in it what failed. */
void results_apply_known(struct results *results, struct known *known);

/* Whether the opening vector did: then no other failure says anything. */
bool results_opening_failed(const struct results *results);

/* "read-list-count", or with its event where that is not the first: "read-list-count:event 2" */
void result_print_name(FILE *out, const struct result *result);

/* Legal Sends that the peer was asked to take, those of them that it refused, and those that it
 * took for something else. */
size_t results_legal(const struct results *results, size_t *refused, size_t *misread);

/* Failures are printed, the first three of a kind unless `all`; expected ones only then. */
void results_text(FILE *out, const struct style *style, unsigned width,
                  const struct results *results, bool all);
/* Version 13 is for readers that refuse 14; it differs in its first line only. */
#define TAP_VERSIONS "14 13"
extern const int tap_versions[];
void results_tap(FILE *out, const struct results *runs, size_t count, unsigned version);
void results_junit(FILE *out, const struct results *results);
void results_json(FILE *out, const struct results *results);
/* The same, but what ended well by its name alone. */
void results_json_small(FILE *out, const struct results *results);
void results_html(FILE *out, const struct results *runs, size_t count);

/* Read what results_json() wrote. Complains and returns false if it is not. */
bool results_read(struct results *results, const char *file);

#endif
