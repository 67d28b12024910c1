// SPDX-License-Identifier: BSD-3-Clause
/* A relay between a TCP client and a server of this machine, which writes down what it passes on.
 */
#ifndef HARNESS_RELAY_H
#define HARNESS_RELAY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct relay {
    uint16_t port, target; /* of 127.0.0.1: where it listens, and whom it calls */
    size_t step;           /* octets passed on at once */
    FILE *capture;         /* pcap, or NULL: as if the target had port 20049 */
    int listens;
    pthread_t thread;
    atomic_bool stops;
    uint16_t clients;     /* so far */
    uint32_t sequence[2]; /* of the connection at hand */
};

/* port, target, step and capture are set. One connection after the other. */
void relay_start(struct relay *relay);
/* The connection at hand is brought to its end first. */
void relay_stop(struct relay *relay);

#endif
