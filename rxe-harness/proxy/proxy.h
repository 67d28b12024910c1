// SPDX-License-Identifier: BSD-3-Clause
/*
 * Standing between two live peers: Sends are relayed, chunks moved through memory of the proxy's
 * own, and every event is checked by the rules, as if the client's memory were the server's to
 * reach.
 */
#ifndef HARNESS_PROXY_H
#define HARNESS_PROXY_H

#include "rxe-harness/proxy/capture.h"
#include "rxe-harness/proxy/chunks.h"

#include "conformance/decode/items.h"
#include "conformance/run/record.h"
#include "conformance/report/results/results.h"

#include <rpcrdma/check.h>

#define PROXY_RECEIVE 16384 /* octets of a Receive */
#define PROXY_RECEIVES 256
/* That a side is granted at most, so that its Calls and its Replies find a Receive. */
#define PROXY_CREDITS (PROXY_RECEIVES / 2 - 8)

/* What can be done to the message of this number, from 1, of those that `from` sends. */
enum proxy_fault_action {
    FAULT_NONE,
    FAULT_DROP,
    FAULT_TWICE,
    FAULT_CUT,   /* to 20 octets */
    FAULT_WORD,  /* another word in its place */
    FAULT_ERROR, /* RDMA_ERROR with ERR_CHUNK in its place */
    FAULT_CLOSE, /* both connections end in its place */
};
struct proxy_fault {
    const char *name, *text;
    enum proxy_fault_action action;
    enum rpcrdma_endpoint from;
    uint32_t word, value; /* FAULT_WORD: the number of the word; `value` replaces it */
    unsigned long number;
};
/* Up to one without a name. */
extern const struct proxy_fault proxy_faults[];
/* "NAME:N". False: it is no fault. */
bool proxy_fault_read(struct proxy_fault *fault, const char *text);
/* Do it to a copy of the message, PROXY_RECEIVE octets long. Returns its length afterwards. */
size_t proxy_fault_apply(const struct proxy_fault *fault, uint8_t *octets, size_t length);

struct proxy {
    struct results results;
    struct transport *target;
    const char *target_name;      /* its address, as it was given; or NULL */
    struct recorder *recorder;    /* or NULL */
    size_t record_left;           /* octets that may still be recorded */
    struct capture_file *capture; /* or NULL */
    bool capture_is_read;         /* while it is written: a FIFO */
    unsigned timeout;             /* milliseconds */
    enum rpcrdma_protocol draft;  /* that Sends of version 2 follow */
    struct proxy_fault fault;
    unsigned long seen[2]; /* messages of each side, for the fault */
    bool committed;        /* it was */
    struct items items;    /* of the messages seen, for the fault; and the latest: */
    struct items_view view;
    unsigned connections; /* so far */
    bool said_limit;      /* that one was recorded or captured in part */
};

struct proxy_session;

/* A client wants to connect, and this is what it said: connect to the target. NULL: that failed;
 * target->error says why. */
struct link *proxy_reach(struct proxy *proxy, const struct link *client);
/* What to say to the client then. Returns its length. */
size_t proxy_answer(const struct link *server, uint8_t octets[LINK_PRIVATE_DATA_MAX]);

/* Both links belong to the session. NULL: no memory, and nothing was closed. */
struct proxy_session *proxy_begin(struct proxy *proxy, struct link *client, struct link *server);
/* Relay what has come, waiting for it at most so long. False: there was nothing. */
bool proxy_step(struct proxy_session *session, unsigned timeout);
bool proxy_gone(const struct proxy_session *session);
/* Close both links, and add the result. */
void proxy_end(struct proxy_session *session);

/* All connections have ended: a fault that was asked for and could not be committed is a result.
 * Returns whether there is one. */
bool proxy_fault_missed(struct proxy *proxy);

#endif
