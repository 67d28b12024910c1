// SPDX-License-Identifier: BSD-3-Clause
/*
 * An iWARP connection after MPA has begun: a socket, a thread, both halves of RDMAP. requester.c
 * sends what we ask, responder.c takes and serves what the peer asks. All of it is used with its
 * lock held; the halves know neither thread nor socket.
 */
#ifndef HARNESS_IWARP_SOCKET_H
#define HARNESS_IWARP_SOCKET_H

#include "rxe-harness/transport/iwarp/seen.h"
#include "rxe-harness/transport/iwarp/terminate.h"
#include "rxe-harness/transport/user/end.h"

#include "conformance/input/iwarp/ddp.h"
#include "conformance/input/iwarp/mpa.h"

#include <pthread.h>

enum {
    READS_SERVED = 16,    /* RDMA Reads of the peer's at once */
    READS_ISSUED = 4,     /* of ours, unless the peer serves fewer */
    READ_PART = 1 << 14,  /* octets that one of ours asks for */
    TERMINATE_ROOM = 256, /* octets left in each FPDU buffer for the last message */
};

/* What both sides have agreed on. */
struct iwarp_terms {
    bool crc, markers_in, markers_out;
    bool active;    /* it is we who asked */
    unsigned reads; /* RDMA Reads of ours that may be under way */
    /* The message without content by which who asked begins (RFC 6581, 9). */
    enum { GREETING_NONE, GREETING_SEND, GREETING_WRITE, GREETING_READ } greeting;
};

/* An RDMA Read of the peer's that is due. */
struct iwarp_read {
    uint32_t sink_handle, handle, length;
    uint64_t sink_offset, offset;
    uint32_t sent;
};

/* What an RDMA Write of the peer's has written from one place on. */
struct iwarp_write {
    bool under_way;
    uint32_t handle;
    uint64_t offset;
    size_t length;
};

/* What we ask of the peer: requester.c. */
struct iwarp_requester {
    uint32_t sends, reads; /* the next message numbers */
    size_t sent;           /* octets of end.work */
    uint32_t sink;         /* handle of what an RDMA Read brings */
    unsigned asked, came;  /* parts of it that were asked for, that are whole */
    size_t filled;         /* octets of it */
};

/* What the peer asks of us: responder.c. */
struct iwarp_responder {
    uint32_t sends, reads;      /* the message numbers that are expected */
    struct happening *building; /* the Send that is not over */
    uint8_t building_opcode;
    struct iwarp_read due[READS_SERVED];
    unsigned due_first, due_count;
    struct iwarp_write write;
};

/* Why we end it, and the ULPDU that is wrong. */
struct iwarp_refusal {
    bool due; /* the message is not out yet */
    enum reason reason;
    uint8_t culprit[UNTAGGED_SIZE + READ_REQUEST_SIZE];
    size_t recorded, length;
};

struct iwarp_socket {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    int socket, wake[2];
    struct iwarp_terms terms;
    struct iwarp_seen seen;
    struct user_end end;
    struct iwarp_requester requester;
    struct iwarp_responder responder;

    /* in */
    struct memory memory;
    struct mpa_stream stream;
    bool begun; /* the peer has: a side that was asked waits for it (RFC 5044, 7.1.2) */
    uint8_t *taken;

    /* out */
    size_t ulpdu_max;
    bool more;          /* can be sent at once */
    bool dies;          /* in the midst of the next FPDU (wire.h) */
    int64_t not_before; /* microseconds: what waits is on its way until then; 0: nothing waits */
    struct fpdu_out out;

    /* its end */
    struct iwarp_refusal refusal;
    bool shut, ended; /* we, the peer, will send nothing more */
    int64_t until;    /* then it is cut off */
};

/* The socket is the connection's from now on. `first`: the first handle of what Reads bring;
 * `seen`: of it, up to here. NULL: no memory; the socket is still the caller's. */
struct iwarp_socket *iwarp_socket_start(int socket, const struct iwarp_terms *terms,
                                        const struct iwarp_seen *seen, size_t receive_size,
                                        unsigned receives, uint32_t first);
/* Send what can be sent. */
void iwarp_socket_push(struct iwarp_socket *own);
/* Say that it ends, wait a moment for the peer, and free it. */
void iwarp_socket_close(struct iwarp_socket *own);
/* The peer did what it must not: this ULPDU (NULL: none). The connection ends by a Terminate. */
void iwarp_socket_refuse(struct iwarp_socket *own, enum reason reason, const uint8_t *ulpdu,
                         size_t length);

/* ---- requester.c ---- */

/* The next FPDU of what we ask; false: there is none, or no room. */
bool iwarp_requester_put(struct iwarp_socket *own);
/* A part of a response to a Read of ours. */
void iwarp_requester_take(struct iwarp_socket *own, const struct ddp_segment *segment,
                          const uint8_t *ulpdu, size_t length);

/* ---- responder.c ---- */

/* A ULPDU of the peer's. */
void iwarp_responder_take(struct iwarp_socket *own, const uint8_t *ulpdu, size_t length);
/* The next FPDU of a response; false: there is none, or no room. */
bool iwarp_responder_put(struct iwarp_socket *own);

/* ---- headers ---- */

void iwarp_put_tagged(struct fpdu_out *out, enum rdmap_opcode opcode, bool last, uint32_t handle,
                      uint64_t offset, const uint8_t *payload, size_t length);
void iwarp_put_untagged(struct fpdu_out *out, enum rdmap_opcode opcode, bool last,
                        uint32_t invalidate, uint32_t queue, uint32_t number, size_t at,
                        const uint8_t *payload, size_t length);

#endif
