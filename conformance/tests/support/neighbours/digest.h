// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the checker says of stories and of their neighbours, word by word, as numbers in a list: a
 * line has a name, how many Sends and other events were judged, how many findings there were, and
 * the digest of the judgements. A change of the checker names here the stories beside which it
 * judges otherwise. Then, from the top of the tree,
 *
 *     NEIGHBOURS_SHOW=NAME the_test
 *
 * prints all that is said of the neighbours of that story, to be compared with what the test prints
 * before the change; and if that is meant, NEIGHBOURS_WRITE=1 writes the list anew.
 * NEIGHBOURS_NAMED is how many are named before the test ends. With SUMS=no nothing fails that
 * differs from the list, for `make mutation` to see what is noticed without it.
 */
#ifndef CONFORMANCE_TESTS_NEIGHBOURS_DIGEST_H
#define CONFORMANCE_TESTS_NEIGHBOURS_DIGEST_H

#include "conformance/tests/support/neighbours/neighbours.h"

struct digest {
    char id[96];
    unsigned judged, findings;
    uint64_t value;
};

extern bool digest_shown; /* print all that is judged */

/* A visit_story: adds what is said of this one. The argument is the struct digest. */
void digest_story(void *digest, const struct story *story);

/* A list, or those lines of it whose names begin with this word. */
void digests_begin(const char *path, const char *scope);
/* A story and its neighbours; `what` is printed where it is judged otherwise, or NULL. */
void digests_add(struct story *story, const char *what);
/* Fails if one was judged otherwise, or is not in the list; returns how many there are. */
size_t digests_end(void);

#endif
