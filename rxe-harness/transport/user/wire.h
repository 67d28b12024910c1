// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a wire and its hardware do wrong, by chance: packets of ours that are lost, come twice,
 * later than the next ones, or damaged; and what an adapter is allowed to do, and hardly does. By a
 * seed, so that a run can be repeated. And who looks on.
 */
#ifndef HARNESS_USER_WIRE_H
#define HARNESS_USER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wire_fault {
    /* a packet of ours */
    WIRE_LOSS,
    WIRE_DUPLICATE,
    WIRE_REORDER,
    WIRE_DAMAGE,
    WIRE_PACKET_FAULTS,
    /* what it happens to is said in wire_words.c */
    WIRE_NO_ACK = WIRE_PACKET_FAULTS,
    WIRE_CUT_READ,
    WIRE_NOT_READY,
    WIRE_SHUFFLE,
    WIRE_DEATH,
    WIRE_FAULTS,
    WIRE_NONE = WIRE_FAULTS
};

struct wire_faults {
    uint32_t rate[WIRE_FAULTS]; /* parts of a million of all that it may happen to */
    uint32_t delay;             /* microseconds that each packet takes longer */
    uint32_t mtu;               /* of the path, octets; 0: what the route takes */
    uint64_t seed;
};

/* For all connections of the process, before the first is made; NULL: none. */
void wire_set(const struct wire_faults *faults);
bool wire_is_set(void);
/* Of what is set, or 0. */
uint32_t wire_delay(void);
uint32_t wire_mtu(void);

/* A sequence of chances. Who acts in an order of its own has one of its own, so that what is drawn
 * does not depend on what others do meanwhile. */
struct wire_chance {
    uint64_t state;
};

/* The next sequence of the process. */
void wire_begin(struct wire_chance *chance);
/* What happens to the next packet. */
enum wire_fault wire_next(struct wire_chance *chance);
/* Whether this, which is no fault of a packet, happens now. */
bool wire_happens(struct wire_chance *chance, enum wire_fault fault);
/* A number below `limit`, which is not 0. */
uint32_t wire_below(struct wire_chance *chance, uint32_t limit);

/* A connection ended by WIRE_DEATH; and how many have. */
void wire_died(void);
unsigned wire_deaths(void);

/* A packet of IP that went over the wire, or came. */
typedef void wire_watcher(void *arg, const uint8_t *packet, size_t length);
/* Told of every packet of the process from now on, by one thread at a time; or NULL. */
void wire_watch(wire_watcher *watcher, void *arg);
bool wire_is_watched(void);
/* Tell of one. */
void wire_seen(const uint8_t *packet, size_t length);

/* Octets by chance: of the seed if there is one. */
void wire_random(void *octets, size_t length);

#endif
