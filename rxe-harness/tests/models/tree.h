// SPDX-License-Identifier: BSD-3-Clause
/*
 * The runs of a model (spec/models) as a tree, through which one of our peers is driven. A run is a
 * list of tokens, what an observer has seen one after the other; runs that begin alike share these
 * nodes. Each walk begins with a new peer at the root.
 */
#ifndef HARNESS_TEST_TREE_H
#define HARNESS_TEST_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* As the models have them (spec/models/observer.pml, version2.pml). */
enum { LOST, CALL, REPLY, ERROR, READ, DATA, WRITE };
enum { CALL_PIECE = 7, REPLY_PIECE, REFRESH, MIDDLE, FINAL, ERR_VERS };
enum { NO_CHUNK, READ_CHUNK, WRITE_CHUNK, REPLY_CHUNK };
enum { INVALIDATES = 1, RETURNS = 2, STRAY = 4 };
enum { CALLS = 4, STEPS = 64, CHOICES = 32 };
enum { TOKEN = 9 }; /* " ", then four octets as hexadecimal digits */

struct seen {
    unsigned side, what, n, xid, credits, flags;
};

/* The runs from `low` to before `high` share this many tokens. */
struct node {
    unsigned low, high, depth;
};

/* What is done: the other side sends, the program above ours acts, or ours takes what has come. */
enum act { COMES, APPLIES, GOES_ON };
struct step {
    enum act act;
    unsigned way; /* in which of several, where the token leaves it open */
    bool is_due;  /* the model goes on by what this makes our side send */
    struct seen seen;
};

/* One walk from the root. */
extern struct walk {
    struct node node;
    unsigned outputs; /* of ours, by the last step */
    bool left;        /* it went where the tree has no runs, beyond the bounds of the model */
    char wrong[240];  /* or empty */
} walk;

extern unsigned own;       /* side: 0 is the client's */
extern bool invalidation;  /* of the runs at hand: both sides take remote invalidation */
extern unsigned grant_max; /* credits that are granted in them at most */

/* A peer that is driven. */
struct follower {
    /* Told every token of the runs before the first walk. */
    void (*read)(const struct seen *seen, bool is_first);
    void (*begin)(void);
    void (*take)(const struct step *step);
    /* What can be done next, after this step or none. It says what is wrong as things stand. */
    unsigned (*choose)(struct step choices[CHOICES], const struct step *last);
    void (*end)(void);
};
extern const struct follower session_follower, requester_follower, responder_follower;

struct seen tree_token(const char *at);
const char *tree_at(const struct node *node, unsigned run);
/* A run ends here; others may go on. */
bool tree_is_leaf(const struct node *node);
/* The child that begins with this run. */
struct node tree_child(const struct node *node, unsigned run);
/* Where the walk can go from here: the tokens, each once. Returns how many. */
unsigned tree_next(struct seen next[CHOICES]);
/* Follow what was seen; our side has sent it or taken it. False: the tree has no such run. */
bool tree_descend(const struct seen *seen);
__attribute__((format(printf, 1, 2))) void wrong(const char *format, ...);

/* Drive it through all runs of the file, and say how far it came. Returns how often it was wrong.
 */
unsigned tree_follow(FILE *file, const struct follower *follower, const char *name);

#endif
