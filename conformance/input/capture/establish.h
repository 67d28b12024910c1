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

/* Connection requests that wait for their reply. */
struct request_table {
    struct connection_request *entries;
    struct asked_service asked[ASKED_MAX]; /* the first that differ */
    unsigned asked_count;
    uint64_t ages;
    /* The latest reply without a request. */
    struct cm_message early_reply;
    uint64_t early_frame;
    struct address early_client;
    uint8_t early_data[CM_PRIVATE_MAX];
};

bool request_table_init(struct request_table *requests);
void request_table_done(struct request_table *requests);

/* A datagram, which may be one of connection management. */
void establish_datagram(struct request_table *requests, struct connection_table *table,
                        const struct packet *packet);

#endif
