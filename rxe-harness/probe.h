// SPDX-License-Identifier: BSD-3-Clause
/* Probing a live Responder: one case a connection, each with a sanity NULL before and after. */
#ifndef HARNESS_PROBE_H
#define HARNESS_PROBE_H

#include "requester.h"

#include <corpus.h>
#include <results.h>

#define NFS_PROGRAM 100003u

/* A Send of the vectors, as text (probe_table.awk). */
struct probe_row {
    const char *id, *comment;
    const char *rule; /* that it breaks, or nearly breaks; or NULL */
    bool breaks;
    unsigned reactions;
    const char *octets; /* hexadecimal */
};
/* Up to a row without an id. */
extern const struct probe_row probe_table[];

struct probe {
    struct transport *transport;
    struct results results;
    const char *file;          /* of the case, for reports */
    unsigned timeout;          /* milliseconds to wait at most */
    unsigned patience;         /* milliseconds after which silence is believed */
    uint32_t program, version; /* for NULL */
    bool invalidates;          /* the transport can */
    bool has_test_program;     /* the peer executes spec/testprog.x */
    bool hazardous;            /* these cases, too */
    const char *only;          /* the id of the one case to run, or NULL */
    bool list;                 /* say which cases there are, run none */
    unsigned shown;            /* of which --only found so many */
    bool dead;                 /* the peer is gone for good */
    struct requester *peer;
    bool xids_differ; /* in the Send: then they may in the Reply, too */
    /* Findings about the case at hand. */
    const char *case_id, *case_comment;
};

/* A case in which more happens than one Send. */
struct probe_case {
    const char *id, *comment, *rule;
    /* Returns NULL if all is as required, or what came instead (which may be written into text). */
    const char *(*run)(struct probe *probe, const struct probe_case *each, char text[256]);
    enum ending ending; /* if it is not */
    bool needs_test_program;
    bool hazardous;
    /* A Call of the test program, and how it is cut; 0 segments: no such chunk. */
    uint32_t procedure;
    size_t size; /* octets of the item */
    unsigned read_segments, write_segments, reply_segments, long_segments;
    size_t room;      /* octets of the Write chunk, or of the Reply chunk; 0: as it takes */
    unsigned outcome; /* enum rpcrdma_reaction; 0: the Reply with the right item */
};
extern const struct probe_case probe_cases[];

/* Connect, measure. False: the peer cannot be reached; transport->error says why. */
bool probe_begin(struct probe *probe);

void probe_run_table(struct probe *probe);
void probe_run_cases(struct probe *probe);
void probe_run_corpus(struct probe *probe, const struct corpus *corpus);

/* For cases: a connection of their own, which has answered a NULL. */
struct requester *probe_connect(struct probe *probe);
void probe_disconnect(struct probe *probe);
/* Whether this case is to be run now; lists it where that is wanted. */
bool probe_wants(struct probe *probe, const char *id, const char *comment, bool hazardous);
struct result *probe_result(struct probe *probe, const char *rule, bool breaks);
/* Begin a case, which findings are put down to. */
void probe_name(struct probe *probe, const char *id, const char *comment);

/* One Send: memory behind its chunks, a fresh XID. `set` receives what was sent. */
struct probe_send {
    const char *id, *comment, *rule;
    bool breaks;
    unsigned reactions;
    const uint8_t *octets;
    size_t length;
    bool needs_nfs; /* what is right depends on NFS's binding */
};
void probe_run_send(struct probe *probe, const struct probe_send *send);

#endif
