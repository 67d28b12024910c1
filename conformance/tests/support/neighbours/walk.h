// SPDX-License-Identifier: BSD-3-Clause
/* What the parts of neighbours.h have in common. */
#ifndef CONFORMANCE_TESTS_NEIGHBOURS_WALK_H
#define CONFORMANCE_TESTS_NEIGHBOURS_WALK_H

#include "conformance/tests/support/neighbours/neighbours.h"

#define NEIGHBOURS_LISTS_AT 16 /* where chunk lists can begin */

struct neighbours_walk {
    struct story *story;
    visit_story *visit;
    void *arg;
    const struct story *original;
};

/* Hand the story as it is to the visitor. `first` and what the format makes are for `struct story`.
 */
__attribute__((format(printf, 3, 4))) void neighbours_judge(const struct neighbours_walk *walk,
                                                            unsigned first, const char *format,
                                                            ...);

/* A block of exactly this many octets, that a read beyond them is seen; to be freed. */
uint8_t *neighbours_room(size_t length);

/* Judge with these octets, which are freed, in the place of those of the event. */
void neighbours_replace(const struct neighbours_walk *walk, unsigned at, uint8_t *octets,
                        size_t length, const char *what, size_t place);

/* Lists of the Send with more entries, up to each limit of the checker and beyond. */
void neighbours_lists(const struct neighbours_walk *walk, unsigned at);

/* The story many times, with grants that fall; and all its Calls before their Replies. */
void neighbours_rounds(const struct neighbours_walk *walk);

/* One event more, before this one; then all of them once again. */
void neighbours_insert(const struct neighbours_walk *walk, unsigned at,
                       const struct rpcrdma_event *event, const char *what, uint64_t value);

/* Before this event a Send more, of each kind and of each side. */
void neighbours_messages(const struct neighbours_walk *walk, unsigned at);

#endif
