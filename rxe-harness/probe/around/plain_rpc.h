// SPDX-License-Identifier: BSD-3-Clause
/*
 * RPC over TCP or UDP (RFC 5531; record marking: section 11): one Call on a socket of its own, and
 * its Reply. Nothing of what comes is trusted.
 */
#ifndef HARNESS_PLAIN_RPC_H
#define HARNESS_PLAIN_RPC_H

#include <rpcrdma/rpc_header.h>

#include <sys/socket.h>

#define PLAIN_ARGS 1028 /* octets */

struct plain_address {
    struct sockaddr_storage socket; /* its port is not used */
    socklen_t length;
};

struct plain_call {
    const struct plain_address *peer;
    uint16_t port;
    bool udp;
    uint32_t program, version, procedure;
    const uint8_t *args; /* or NULL: none */
    size_t args_length;  /* up to PLAIN_ARGS */
    uint32_t flavor;     /* of the credential, which is empty */
    unsigned timeout;    /* milliseconds, for all of it */
};

enum plain_outcome {
    PLAIN_ANSWERED,  /* by a Reply with its XID */
    PLAIN_SILENT,    /* a connection, and no Reply */
    PLAIN_REFUSED,   /* nobody listens there */
    PLAIN_UNREACHED, /* neither: a firewall looks like that, too */
};

struct plain_reply {
    enum plain_outcome outcome;
    char text[80]; /* of it, in words */
    struct rpcrdma_rpc_header header;
    bool starts_tls; /* its verifier says STARTTLS (RFC 9289 section 4.1) */
    uint8_t *octets; /* or NULL; to be freed */
    const uint8_t *results;
    size_t results_length;
};

void plain_exchange(const struct plain_call *call, struct plain_reply *reply);
/* Whether the program is there: a Reply says so, in whatever version. */
bool plain_has_program(const struct plain_reply *reply);

/* What a Reply says, from its RPC header on: "SUCCESS". */
const char *plain_says(const struct rpcrdma_rpc_header *header);
/* Whether a Reply's verifier says STARTTLS. */
bool plain_starts_tls(const uint8_t *octets, size_t length);

#endif
