// SPDX-License-Identifier: BSD-3-Clause
/*
 * What an NFS server gave a name of its own: clients, sessions, files, states. The names that a
 * recorded server gave stand in the Calls of the recording; today's are put in their place.
 */
#ifndef HARNESS_NAMES_H
#define HARNESS_NAMES_H

#include "rxe-harness/requester/requester.h"

#include <stddef.h>

#define NAME_OCTETS 128 /* NFS4_FHSIZE, and no other is longer */
#define NAMES_GIVEN 16  /* by one Reply; of more nothing is known */
#define NAMES_MAX 4096

enum name_kind {
    NAME_CLIENT,
    NAME_FIRST_SESSION, /* a client with the number that its first session has to have */
    NAME_VERIFIER,
    NAME_SESSION,
    NAME_FILE,
    NAME_STATE,
    NAME_DELEGATION,
};

/* In the order of the results. */
struct names_given {
    unsigned results; /* so far */
    unsigned count;
    struct {
        unsigned result;
        enum name_kind kind;
        size_t length;
        uint8_t octets[NAME_OCTETS];
    } list[NAMES_GIVEN];
};

struct name {
    size_t old_length, fresh_length; /* another one: only after a count word, as files have it */
    uint8_t old[NAME_OCTETS], fresh[NAME_OCTETS];
};
struct names {
    struct name *list;
    size_t count, room;
};

/* The names in a COMPOUND's results, to be freed; NULL: there are none. */
struct names_given *names_read(const struct requester_reply *reply);
/* Two Replies to the same Call: what the one called so the other calls otherwise. */
void names_learn(struct names *names, const struct names_given *old,
                 const struct names_given *fresh);
/* Where a Call became longer, or shorter. */
#define NAMES_SHIFTS 16
struct names_shifts {
    unsigned count;
    struct {
        size_t at; /* in the Call as it was */
        ptrdiff_t by;
    } list[NAMES_SHIFTS];
};
/* Replace in a Call, from the start of the RPC message on, in a buffer of `room` octets. Returns
 * how long it is then. Without `shifts` only what keeps the length. */
size_t names_apply(const struct names *names, uint8_t *octets, size_t length, size_t room,
                   struct names_shifts *shifts);
void names_free(struct names *names);

#endif
