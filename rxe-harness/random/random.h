// SPDX-License-Identifier: BSD-3-Clause
/*
 * Random conversations with a live Responder: Calls of all shapes that conform, some of them with
 * one thing changed in their Send. Which reactions are open to the peer the checker says, of the
 * octets that are sent; nothing is written down here about what is right.
 */
#ifndef HARNESS_RANDOM_H
#define HARNESS_RANDOM_H

#include "rxe-harness/probe/probe.h"

#define RANDOM_STEPS 24

/* What is changed in a Send. */
enum random_change {
    RANDOM_NONE,
    RANDOM_VERSION,
    RANDOM_PROCEDURE,
    RANDOM_CREDIT,
    RANDOM_WORD,     /* one of the chunk lists */
    RANDOM_POSITION, /* of a read segment */
    RANDOM_LENGTH,   /* of a segment */
    RANDOM_HANDLE,   /* of a segment: no memory has it */
    RANDOM_XID,      /* of the RPC message */
    RANDOM_TYPE,     /* of the RPC message */
    RANDOM_CUT,      /* octets are missing at the end */
    RANDOM_RUNT,     /* too few are left for a header */
    RANDOM_MORE,     /* octets after the end */
    RANDOM_ARGUMENT, /* the length of an item that is stored */
    RANDOM_CHANGES
};

/* One Call. */
struct random_step {
    uint32_t procedure; /* of the test program, or what stands for it in NFS (nfs.c); TEST_NULL:
                           NULL of the probed program */
    uint32_t size;      /* octets of its item */
    uint32_t read_segments, long_segments, write_segments, reply_segments;
    uint32_t write_room, reply_room;
    bool together; /* the next one is sent before this one is answered */
    enum random_change change;
    uint32_t at, value; /* of the change */
};

struct random_conversation {
    bool announces; /* with private data of its own */
    struct announcement announced;
    bool by_nfs; /* its steps are COMPOUNDs */
    unsigned count;
    struct random_step steps[RANDOM_STEPS];
};

/* Numbers that depend on the seed alone. */
struct random_source {
    uint64_t state;
};
struct random_source random_begin(uint64_t seed);
uint32_t random_below(struct random_source *source, uint32_t limit);

/* A conversation; `offers`: the peer executes the test program. */
void random_make(struct random_conversation *conversation, uint64_t seed, bool offers);
/* A step of one; and another shape of it. */
void random_make_step(struct random_source *source, struct random_step *step, bool offers);
void random_reshape(struct random_source *source, struct random_step *step);
/* As the peer is sent it, changed as the step says; returns its length. */
size_t random_change_octets(const struct random_step *step, uint8_t octets[REQUESTER_INLINE],
                            size_t length);
/* The same where a segment is what is changed, if there is one. */
void random_change_segment(const struct random_step *step, uint8_t *octets,
                           const struct rpcrdma_message *message);
/* Whether this changes where memory is, or how much. */
bool random_changes_segments(enum random_change change);
extern const char *const random_change_names[RANDOM_CHANGES];
void random_print(FILE *out, const struct random_conversation *conversation);

/* ---- what a conversation comes from (mutate.c) ---- */

/* Seeds, in postfix order: one makes a conversation, one changes that before it, one puts the two
 * before it together. As text: 7+19,4x23. */
enum { RANDOM_NEW = ',', RANDOM_MUTATED = '+', RANDOM_SPLICED = 'x' };
#define RANDOM_LINE 32
struct random_line {
    unsigned count;
    struct {
        char how;
        uint64_t seed;
    } words[RANDOM_LINE];
};
#define RANDOM_SEED(number)                                                                        \
    {                                                                                              \
        .count = 1, .words = { {.how = RANDOM_NEW, .seed = (number)} }                             \
    }
/* False: it is not such a text. */
bool random_line_read(struct random_line *line, const char *text);
void random_line_print(FILE *out, const struct random_line *line);
/* Add `other`, if it is not NULL, and a seed. False: it would be too long, and stays as it was. */
bool random_line_add(struct random_line *line, const struct random_line *other, char how,
                     uint64_t seed);
/* The same line always makes the same conversation. */
void random_line_make(struct random_conversation *conversation, const struct random_line *line,
                      bool offers);

/* ---- counters of the peer's code (counters.c) ---- */

struct random_counters;

/* A file that the peer maps (fuzz/kit/counters.c), or a folder with those of gcov (*.gcda), as a
 * kernel has below /sys/kernel/debug/gcov. `path` stays the caller's. NULL: it cannot be used, as
 * was said. */
struct random_counters *random_counters_open(const char *path);
void random_counters_close(struct random_counters *counters);
size_t random_counters_size(const struct random_counters *counters);
/* From here on. False: they cannot be read, or written, as was said. */
bool random_counters_clear(struct random_counters *counters);
/* Which moved since, or, before the first clear, at all: as many as the size says, until the next
 * call. None where they cannot be read, as was said. */
const bool *random_counters_look(struct random_counters *counters);

/* ---- what guides them (guide.c) ---- */

/* NULL: the file cannot be used, as was said. */
struct random_guide *random_guide_open(const char *path);
void random_guide_close(struct random_guide *guide);
/* The next one; without a guide, or by chance, that of the seed. */
void random_guide_next(struct random_guide *guide, struct random_line *line, uint64_t seed);
/* Before a conversation; and after it, which is kept if it reached something new; `fine`: it was
 * as required. */
void random_guide_clear(struct random_guide *guide);
void random_guide_look(struct random_guide *guide, const struct random_line *line, unsigned steps,
                       bool fine);
/* The one that was looked at last is not to be kept. */
void random_guide_forget(struct random_guide *guide);
/* Whether a conversation moved no counter, as was said. */
bool random_guide_is_blind(const struct random_guide *guide);
void random_guide_tell(const struct random_guide *guide);

/* What a Call was answered by. */
struct random_reaction {
    unsigned outcome, allowed; /* enum rpcrdma_reaction; 0: none of them, or nothing is known */
    char text[120];            /* which does not depend on where memory is; empty: not judged */
};

/* How a conversation went, and how it failed. */
struct random_failure {
    enum ending ending; /* ENDING_REQUIRED: it did not */
    unsigned step;
    enum random_change change; /* of the Send that is to blame */
    int rule;                  /* that this Send breaks, or that the peer does; -1: none */
    bool by_peer;              /* the rule is about what the peer sent */
    bool connecting;           /* it does not take the private data */
    unsigned allowed;
    char text[256];
    uint8_t sent[REQUESTER_INLINE], came[REQUESTER_INLINE];
    size_t sent_length, came_length;
    struct random_reaction reactions[RANDOM_STEPS];
    /* With two peers (version2/against.c): what each of them did where they part; else 0. */
    unsigned parted[2];
    bool by_other; /* it is the second one that failed */
};

/* ---- steps in any version (step.c) ---- */

/* Nothing that counts is changed: the Call has to be executed. */
bool random_conforms(enum random_change change);

/* The Call of a step, of whose program the Requester is then, and its arguments, to be freed; NULL:
 * of NFS there are none. */
uint8_t *random_call(struct probe *probe, const struct random_step *step, bool by_nfs,
                     struct requester_call *call);

/* An answer is worth this: ENDING_REQUIRED, or a failure that `text` tells. */
#define RANDOM_TEXT 256
struct random_answer {
    const struct random_step *step;
    const struct requester_pending *pending;
    const struct requester_reply *reply;
    unsigned outcome, allowed; /* outcome: what its own is taken for */
    bool by_nfs;
};
enum ending random_judge(struct probe *probe, const struct random_answer *answer,
                         char text[RANDOM_TEXT]);

/* This came when it failed; `octets` may be NULL. */
void random_came(struct random_failure *failure, const uint8_t *octets, size_t length);

/* Whether these are the same way to fail. */
bool random_is_same(const struct random_failure *a, const struct random_failure *b);

/* This is what the Call of a step was answered by. Results of NFS say a status, and are of a length
 * that depends on its version. */
void random_react(struct random_failure *failure, unsigned step, unsigned allowed,
                  const struct requester_reply *reply, bool by_nfs);

/* ---- NFS (nfs.c) ---- */

/* Write the file that was named. False: the peer has none, or does not let us. */
bool random_nfs_begin(struct probe *probe);
/* Arguments of a step, to be freed, and the Call's shape; in a session, for which no Call may be
 * under way. NULL: there are none. */
uint8_t *random_nfs_call(struct probe *probe, const struct random_step *step,
                         struct requester_call *call);
/* What is wrong with its results, or NULL. */
const char *random_nfs_compare(struct probe *probe, const struct random_step *step,
                               const struct requester_pending *pending,
                               const struct requester_reply *reply, char text[256]);

/* Hold it. False: there was no connection. `calls` counts what was sent. This is for version 1;
 * random2_play() is the other one. */
typedef bool random_player(struct probe *probe, const struct random_conversation *conversation,
                           struct random_failure *failure, uint64_t *calls);
random_player random_play;
/* With probe->against as well: it fails where the two part. What is open to both is tolerated. */
random_player random_play_both;
/* The shortest that still fails in the same way. */
void random_shrink(struct probe *probe, random_player *play,
                   struct random_conversation *conversation, struct random_failure *failure);

/* One conversation after the other, until the time is over. Results are those of the probe. */
struct random_options {
    random_player *play;
    bool announces;          /* some conversations have private data of their own */
    struct random_line line; /* the first one's; if it is more than a seed, there are no others */
    struct random_guide *guide; /* or NULL */
    unsigned time;              /* milliseconds */
    uint32_t conversations;     /* at most; 0: as many as there is time for */
};
void random_run(struct probe *probe, const struct random_options *options);

#endif
