// SPDX-License-Identifier: BSD-3-Clause
/* Probing a live Responder: one case a connection, each with a sanity NULL before and after. */
#ifndef HARNESS_PROBE_H
#define HARNESS_PROBE_H

#include "rxe-harness/probe/memory.h"
#include "rxe-harness/report/peer_log.h"
#include "rxe-harness/requester/nfs4_calls.h"
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/transport/announcement.h"

#include "conformance/describe/json.h"
#include "conformance/base/terminal.h"
#include "conformance/run/corpus.h"
#include "conformance/run/record.h"
#include "conformance/run/story.h"
#include "conformance/report/results/results.h"

/* What a client can send of a vector, as text (made by vector_tables). */
struct probe_row {
    const char *id, *comment;
    const char *rule; /* that it breaks, or nearly breaks; or NULL */
    bool breaks;
    unsigned reactions; /* to the last Send */
    enum rpcrdma_protocol protocol;
    bool first;         /* nothing is sent before it */
    const char *octets; /* hexadecimal, a blank between two Sends; of version 1 there is one */
};
/* Up to a row without an id. */
extern const struct probe_row probe_table[];

/* Its Sends: the octets of each are those from its place on to that of the next. */
struct probe_sends {
    uint8_t octets[8192];
    size_t at[STORY_SENDS + 1];
    size_t count;
};

/* A connection that is looked at once more after its case (late_close.c). */
#define PROBE_WATCHED 32
struct probe_watched {
    struct requester *peer;
    struct probe_memory memory;
    size_t result;       /* its place among the results */
    unsigned connection; /* its number in the recording */
    int64_t until;       /* milliseconds */
};

/* What is wanted. */
struct probe_options {
    unsigned timeout;             /* milliseconds to wait at most */
    uint32_t program, version;    /* for NULL */
    enum rpcrdma_protocol draft;  /* of version 2, by which to probe; else RPCRDMA_PROTOCOL_AUTO */
    const char *nfs_file;         /* a path there, which cases may write and read; or NULL */
    struct chosen hazards;        /* classes of hazardous cases that run, too */
    struct chosen cases;          /* only these; none: all */
    struct chosen skipped, rules; /* not these; only those about one of these */
    const char *from;             /* none of the cases before this one; or NULL */
    const char *restart;          /* a command that brings back a peer that died, or NULL */
    unsigned wait;                /* milliseconds for a peer that died to come back */
};

/* Of NFS version 3, where there is no version 4. */
struct nfs3_handle_of {
    uint32_t length;
    uint8_t octets[64];
};
struct probe_nfs3 {
    bool usable;
    struct nfs3_handle_of folder; /* of the file that was named, or the root */
    char why[128];                /* it is not usable; empty: nobody tried */
};

/* Who is probed, and what was found out about him. */
struct probe_peer {
    struct transport *transport;
    bool invalidates;      /* the transport can */
    bool infers;           /* the transport does not show RDMA operations (observe_by_reply.h) */
    unsigned patience;     /* milliseconds after which silence is believed */
    unsigned late;         /* and where silence would be a failure */
    bool has_test_program; /* the peer executes spec/testprog.x */
    bool has_nfs;          /* the peer executes COMPOUNDs of NFS version 4 */
    uint32_t minor;        /* its lowest minor version; from 1 on they take a session */
    struct probe_nfs3 nfs3;
    char no_file[384]; /* why it has none of the name that was given; empty: nobody found that */
    bool dead;         /* the peer is gone for good */
    bool forgets;      /* it remembers no Call of an earlier run: XIDs may be the same again */
};

/* Which cases are run, or listed, or counted. */
struct probe_selection {
    enum { PROBE_RUN, PROBE_LIST, PROBE_COUNT } mode;
    struct json *listing;    /* as JSON; NULL: as text on stdout */
    struct nearest *nearest; /* the case of a name like this one is looked for, or NULL */
    const char *subject;     /* of the case listed last */
    bool begun;              /* the case to begin from was met */
    unsigned wanted, total;  /* cases that were selected; of all, where counted */
};

/* What is sent and received, to be kept. */
struct probe_recording {
    struct recorder *recorder; /* or NULL */
    size_t left;               /* octets that may still be recorded */
    size_t connection_left;    /* and of this connection */
    unsigned connections;
};

/* Connections that are looked at once more (late_close.c), the oldest first. */
struct probe_watch {
    struct probe_watched list[PROBE_WATCHED];
    unsigned count;
};

/* Cases in which the peer is said to have died, though it is there again (death.c): what their
 * results were before. */
struct probe_doubts {
    struct probe_doubt {
        size_t result;
        enum ending ending;
        char *actual;
    } * list;
    size_t count, room;
    bool again; /* they are being run again: since then, and of before */
    size_t from;
    unsigned not_run;
    struct recorder *recorder;
};

/* The case at hand: findings are about it. */
struct probe_current {
    const char *id, *comment;
    unsigned place;    /* among all, whether they are selected or not */
    bool xids_differ;  /* in the Send: then they may in the Reply, too */
    bool error_open;   /* the Send may be answered by an RDMA_ERROR, Call or not */
    bool offers_2;     /* the Send has version 2: the case judges what answers it */
    bool inapplicable; /* what the case returned is why it cannot be judged */
    bool tolerated;    /* what the case returned is not forbidden */
    bool observed;     /* what the case returned is as good as anything else */
    bool refused;      /* what answered its last Call of NFS is ERR_CHUNK or GARBAGE_ARGS */
    uint32_t status;   /* of its last Call of NFS that has one */
    unsigned nothing;  /* what came was DISCARD, silence, or CLOSE, the end; 0: neither (enum
                          rpcrdma_reaction) */
    bool in_session;   /* of NFS, where all its minor versions have them (exchange.h) */
    bool slot_unsure;  /* of it: whether the server took its last Call is not known */
    struct nfs_session session;
    struct probe_held *held;  /* of NFS: a Call of the server's that waits, or NULL (exchange.h) */
    unsigned linger;          /* run once more, to see what is written after a Reply (run.c) */
    const void *private_data; /* to connect with, instead of the Requester's; or NULL */
    size_t private_length;
};

/* How far the run has come. */
struct probe_run {
    struct results results;
    const char *file; /* of the case, for reports */
    struct progress progress;
    struct probe_selection selection;
    struct probe_recording recording;
    struct probe_watch watch;
    struct probe_doubts doubts;
    struct probe_current current;
    struct peer_log log;
    char comments[2][384]; /* made for the case at hand and for the one before, which logs name */
    unsigned comment;
    unsigned not_run;           /* cases, because the peer died */
    unsigned fileless;          /* cases that were left out since the peer has not the file */
    const char *survived;       /* version 2: the last case after which the peer lived, or NULL */
    char *stopped;              /* the case after which the peer did not come back */
    unsigned unanswering;       /* messages that came there, and were no Reply to its NULL */
    int64_t until;              /* milliseconds: nothing new is begun then; 0: no such time */
    char unmet[256];            /* why the last probe_connect() was in vain; empty: no answer */
    bool has_last;              /* a case ran, and the peer has not been looked at since */
    size_t last;                /* its result */
    uint32_t xid;               /* of the last Call on connections before this one */
    uint32_t first_xid;         /* the XIDs of a case follow from it and from the case's place */
    requester_finding *finding; /* in place of results: called with findings; or NULL */
    void *finding_arg;
};

struct around;
struct probe {
    struct probe_options options;
    struct probe_peer peer;
    struct probe_run run;
    struct probe *against;       /* of random conversations: held with this one too; or NULL */
    struct around *around;       /* of cases around the endpoint (around/around.h), or NULL */
    struct requester *requester; /* on the connection at hand, or NULL */
};

/* Returns NULL if all is as required, or what came instead (which may be written into text). */
#define PROBE_TEXT 256
struct probe_case;
typedef const char *probe_runner(struct probe *probe, const struct probe_case *test_case,
                                 char text[PROBE_TEXT]);

/* The end of a case's comment: "1 segment." or "3 segments." */
#define PROBE_SEGMENTS(before, segments)                                                           \
    ((segments) == 1 ? before #segments " segment." : before #segments " segments.")

/* A case in which more happens than one Send. */
struct probe_case {
    const char *id, *comment, *rule;
    probe_runner *run;
    probe_runner *run3;      /* of NFS: by version 3; NULL: no Call of it can be that */
    enum ending ending;      /* if it is not */
    bool needs_test_program; /* or NFS in its place (nfs_in_place.c) */
    const char *not_by_nfs;  /* why that will not do, or NULL */
    bool needs_nfs, needs_file;
    const char *hazard; /* its class, or NULL */
    /* A Call of the test program or an operation of NFS, and how it is cut; 0 segments: no such
     * chunk. */
    uint32_t procedure;
    size_t size; /* octets of the item */
    unsigned read_segments, write_segments, reply_segments, long_segments;
    bool one_handle;                      /* of all segments of a chunk */
    unsigned reads;                       /* of NFS, in one COMPOUND; 0: one */
    bool nothing_first;                   /* the first of these is beyond the end of the file */
    unsigned write_chunks;                /* another number of them than of results; 0: as many */
    unsigned empty_chunks;                /* by bits, from the first on: without segments */
    const struct announcement *announced; /* to connect with */
    const struct probe_offer *offer;      /* of another version (offer.h) */
    const struct probe_series *series;    /* of Sends at fault (series.c) */
    size_t room;      /* octets of the Write chunk, or of the Reply chunk; 0: as it takes */
    unsigned outcome; /* enum rpcrdma_reaction; 0: the Reply with the right item */
    enum {
        PROBE_ONCE,
        PROBE_AGAIN,
        PROBE_AGAIN_ELSEWHERE
    } again; /* the Call is made twice, by one XID */
};
/* Up to one without an id: of the test program and of any; of series; of connecting; of versions;
 * of NFS, several READs of one COMPOUND apart. */
extern const struct probe_case probe_cases[], probe_series_cases[], probe_connection_cases[],
    probe_version_cases[], probe_nfs_cases[], probe_nfs_reads_cases[], probe_nfs_session_cases[];
/* As many NULLs at once as are granted. NULL if each is answered once, or what came instead. */
const char *probe_calls_at_once(struct probe *probe, char text[PROBE_TEXT]);
/* A connection for who announces what the case says. */
bool probe_connect_announced(struct probe *probe, const struct probe_case *test_case);
/* Arguments of procedure 1 that do not decode, of the program that the Requester has: NULL, or what
 * came in place of GARBAGE_ARGS. */
const char *probe_garbage(struct probe *probe, bool as_root, struct requester_reply *reply,
                          char text[PROBE_TEXT]);
/* Whether the peer executes COMPOUNDs. */
bool probe_find_nfs(struct probe *probe);
/* Whether the peer has the file that was named: if not peer.no_file says so, and the cases that
 * need it are left out. */
void probe_find_file(struct probe *probe);

/* The first XID of a run; the least time to wait for what may not come, in milliseconds. */
uint32_t probe_first_xid(const struct probe *probe);
unsigned probe_patience_min(void);

/* Connect, measure. False: the peer cannot be reached; transport->error says why. */
bool probe_begin(struct probe *probe);

void probe_run_table(struct probe *probe);
void probe_run_cases(struct probe *probe);
/* Those of one list, about one subject. */
void probe_run_list(struct probe *probe, const char *subject, const struct probe_case *cases);
void probe_run_corpus(struct probe *probe, const struct corpus *corpus);

/* Calls that are in flight at most. */
#define PROBE_PARALLEL_MAX 64

/* Octets that are recorded of all connections. */
#define PROBE_RECORD_MAX (6u << 20)

/* A connection begins; what was judged on it goes into the recording, which there has to be. */
void probe_begin_recording(struct probe *probe);
requester_witness probe_record;
/* How a connection of this number ended that was watched. */
void probe_record_end(struct probe *probe, const struct requester *peer, unsigned connection);

/* For cases: a connection of their own, which has answered a NULL. */
struct requester *probe_connect(struct probe *probe);
/* The time for the run is over. */
bool probe_is_over(const struct probe *probe);
/* A connection on which nothing was sent. */
struct requester *probe_open(struct probe *probe);
void probe_disconnect(struct probe *probe);
/* Whether the connection has ended, where a NULL was not answered: a Send that failed says less
 * than the event after it. */
bool probe_is_gone(struct probe *probe);
/* The connection and its memory are not the case's any more, whose result was the last one: if it
 * ends yet, that is added. There is room for it after probe_ready(). */
void probe_watch(struct probe *probe, const struct probe_memory *memory);
/* What becomes of a case whose Send was answered by this, when the connection ends then though
 * nothing is said of its end. RFC 8166 asks for the error and does not forbid to close after it. */
enum ending probe_closed_after(enum ending ending, unsigned outcome);
/* Look at those whose time has come, while the probe has a connection; with `all` wait for each. */
void probe_settle(struct probe *probe, bool all);
/* Close them all, and say nothing. */
void probe_drop_watched(struct probe *probe);
/* A set of reactions, with the end of the connection where an answer and silence are both open:
 * what asks for neither of them does not ask for a connection that goes on. */
unsigned probe_with_close(unsigned reactions);

/* ---- items of the test program, spec/testprog.x (cases.c) ---- */

/* Arguments of a procedure with an item of this size, to be freed; it begins at octet 4. NULL: no
 * memory. */
uint8_t *probe_item_arguments(uint32_t procedure, size_t size, size_t *length);
/* What is wrong with the results, or NULL. */
const char *probe_item_compare(const struct requester_pending *pending,
                               const struct requester_reply *reply, uint32_t procedure, size_t size,
                               char text[PROBE_TEXT]);

/* ---- which cases (select.c) ---- */

/* What is known of a case before it runs. */
struct probe_about {
    const char *subject, *id, *comment, *rule, *hazard; /* rule and hazard may be NULL */
    bool breaks;                                        /* the rule */
};
/* Whether this case is to be run now; lists it where that is wanted. Called once for each case. */
bool probe_wants(struct probe *probe, const struct probe_about *about);
/* The first name for which there was no case, or NULL. */
const char *probe_names_missing(const struct probe_options *options, const struct probe_run *run);
void probe_options_free(struct probe_options *options);

/* ---- peers that die (death.c) ---- */

/* A connection for the next case, which has answered a NULL. If there is none the peer died in the
 * case that ran last: that is charged to it, and the peer has its time to come back. NULL: it did
 * not. */
struct requester *probe_ready(struct probe *probe);
/* The result of a case that ran, which was the last one that was added. */
void probe_ran(struct probe *probe);
/* Whether the peer lives, after a connection of this result's case was closed: if it does not it
 * died of that, and has its time to come back. False: it did not. */
bool probe_outlived(struct probe *probe, size_t result);
/* The peer died in the case of this result, if it does so again; called before the result says so.
 */
void probe_doubt(struct probe *probe, size_t which);
bool probe_is_doubted(const struct probe *probe, const char *id);
/* After all cases. True: then those in doubt alone are wanted, have to be run again, and their
 * results are not added. */
bool probe_doubts_begin(struct probe *probe);
void probe_doubts_end(struct probe *probe);
/* Look at the peer once more after the last case, and at the connections that outlived theirs. Has
 * to be called after cases of one Send. */
void probe_end(struct probe *probe);
/* After a case: where it was interrupted nothing of it counts, that is what came since there were
 * `before` results; it is one that was not run. */
void probe_cut(struct probe *probe, size_t before, const struct probe_about *about);
/* A case that is not run since the peer is gone, or the run is interrupted: its result. */
void probe_not_run(struct probe *probe, const struct probe_about *about);

/* What a failure is charged to: the rule on Receives where a Send found none, for no case keeps
 * more Sends under way than are granted; else this rule, which may be NULL. */
const char *probe_charged(const struct requester *peer, const char *rule);

/* The class of a Send that may do worse to a peer than make it end the connection; else NULL. */
const char *probe_hazard(enum rpcrdma_protocol protocol, const uint8_t *octets, size_t length);
/* One of these that is no such class, or NULL. */
const char *probe_hazard_missing(struct chosen *names);
struct result *probe_result(struct probe *probe, const char *rule, bool breaks);
/* The rule that tells the Responder what to do with a Send for which these reactions are open, and
 * that it breaks if it does something else; or NULL: only a rule for the Send itself is known. */
const char *probe_receiver_rule(const uint8_t *octets, size_t length, unsigned reactions);
/* Begin a case, which findings are put down to. */
void probe_name(struct probe *probe, const char *id, const char *comment);

/* One Send: memory for its chunks, a fresh XID. `set` receives what was sent. */
struct probe_send {
    const char *subject, *id, *comment, *rule;
    bool breaks;
    unsigned reactions;
    const uint8_t *octets;
    size_t length;
    bool needs_nfs; /* what is right depends on NFS's binding */
};
void probe_run_send(struct probe *probe, const struct probe_send *send);

/* Give the header another XID, and the RPC message after it, if its XID was the same: the first
 * word that is equal begins it, whether the header decodes or not. At least 4 octets. Returns where
 * the RPC message begins; 0: there is none. */
size_t probe_freshen(enum rpcrdma_protocol protocol, uint8_t *octets, size_t length, uint32_t xid);
/* The same of all of them: what had one XID has one, and they count up from the first. */
void probe_sends_freshen(struct probe_sends *sends, enum rpcrdma_protocol protocol, uint32_t first);
/* False: there is no room. */
bool probe_sends_add(struct probe_sends *sends, const uint8_t *octets, size_t length);

/* The rows of a protocol, but for those that send what one before did. */
typedef void probe_row_runner(struct probe *probe, const struct probe_row *row,
                              const struct probe_sends *sends);
void probe_each_row(struct probe *probe, enum rpcrdma_protocol protocol, probe_row_runner *run);

/* A Call inline is one of NULL, of an unknown program, or of this one, which is probed: another one
 * might do something. */
bool probe_is_harmless(uint32_t program, enum rpcrdma_protocol protocol, const uint8_t *octets,
                       size_t length);

/* Whether the receiver of a Send may take it for a Reply: a broken Reply is dropped (RFC
 * 8166 section 4.5): its RPC message is one; or it has none, no Read list, which only Calls have,
 * and another list. An RDMA_NOMSG without any list has to be answered (4.5.2). */
bool probe_reads_as_reply(const uint8_t *octets, size_t length);

/* A recorded conversation, sent again. */
void probe_run_replay(struct probe *probe, const struct vector_test *test);

#endif
