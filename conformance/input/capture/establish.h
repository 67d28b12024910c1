// SPDX-License-Identifier: BSD-3-Clause
/* Connections that begin and end by connection management. */
#ifndef CONFORMANCE_CAPTURE_ESTABLISH_H
#define CONFORMANCE_CAPTURE_ESTABLISH_H

#include "conformance/input/capture/connections.h"
#include "conformance/input/frame/cm.h"

/* What connection requests asked for, those sent again left out. */
struct asked_service {
    uint64_t service, count;
};
#define ASKED_MAX 6

/* A reply without a request, which may have been recorded behind it. */
struct early_reply {
    struct cm_message message;
    uint64_t frame;
    struct address client;
    uint8_t data[CM_PRIVATE_MAX];
};
#define EARLY_MAX 4

/* Connection requests that wait for their reply. */
struct request_table {
    struct connection_request *entries;
    struct asked_service asked[ASKED_MAX]; /* the first that differ */
    unsigned asked_count;
    uint64_t ages;
    struct early_reply early[EARLY_MAX]; /* the latest */
    unsigned early_count;
};

bool request_table_init(struct request_table *requests);
void request_table_done(struct request_table *requests);

/* A datagram, which may be one of connection management. */
void establish_datagram(struct request_table *requests, struct connection_table *table,
                        const struct packet *packet);

#endif
