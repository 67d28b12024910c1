// SPDX-License-Identifier: BSD-3-Clause
/*
 * What a wire and its hardware do wrong, by chance: packets of ours that are lost, come twice,
 * later than the next ones, or damaged. By a seed, so that a run can be repeated. And who looks on.
 */
#ifndef HARNESS_USER_WIRE_H
#define HARNESS_USER_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of each packet that is sent; in parts of a million. */
struct wire_faults {
    uint32_t loss, duplicate, reorder, damage;
    uint64_t seed;
};

enum wire_fault { WIRE_NONE, WIRE_LOSS, WIRE_DUPLICATE, WIRE_REORDER, WIRE_DAMAGE };

/* For all hosts of the process, before the first is made; NULL: none. */
void wire_set(const struct wire_faults *faults);
/* What happens to the next packet. */
enum wire_fault wire_next(void);

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
