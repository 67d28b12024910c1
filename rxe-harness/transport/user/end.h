// SPDX-License-Identifier: BSD-3-Clause
/*
 * One end of a connection in user space, as the link's owner and the thread that speaks to the peer
 * share it: memory that the peer may use, what the peer did, and what is asked of it. A lock of the
 * provider's is held whenever it is used.
 */
#ifndef HARNESS_USER_END_H
#define HARNESS_USER_END_H

#include "rxe-harness/transport/transport.h"
#include "rxe-harness/transport/user/wire.h"

/* Octets of what happened that wait for the owner to look; beyond, the peer has to wait. */
#define WAITING_MAX (64u << 20)

/* ---- what we ask: one at a time, for who asks waits for its end anyway ---- */

enum work_kind { WORK_SEND, WORK_WRITE, WORK_READ };
enum work_state { WORK_UNDER_WAY, WORK_DONE, WORK_FAILED };

struct work {
    enum work_kind kind;
    enum work_state state;
    const uint8_t *from; /* of a Send or a Write */
    uint8_t *to;         /* of a Read */
    size_t length;
    uint32_t handle; /* Write, Read */
    uint64_t offset;
    const uint32_t *invalidate; /* Send */
};

/* ---- what the peer asks ---- */

struct exposed {
    struct exposed *next;
    uint8_t *octets;
    uint64_t offset, length;
    uint32_t handle;
    unsigned access; /* enum link_access */
};

/* What happened here, in order, for the owner to look at. */
struct happening {
    struct happening *next;
    bool is_send, is_write, invalidated;
    uint32_t handle; /* of the RDMA operation; that was invalidated */
    uint64_t offset;
    size_t length;
    uint8_t octets[];
};

/* RDMA Writes of the peer's that have come and are not placed yet: they are not ordered among
 * themselves, but are before the next Send (RFC 8166, 2.3.2). */
struct held_write {
    struct held_write *next;
    bool is_whole;          /* not a part of one, but the word that it is over */
    struct exposed *memory; /* or NULL, of one without octets */
    uint32_t handle;
    uint64_t offset;
    size_t length;
    uint8_t octets[];
};

struct user_end {
    bool open;
    const char *why; /* it is not open any more; NULL: by its owner */
    bool starved;    /* since the peer had no Receive */
    struct work *work;
    struct exposed *memory;
    struct exposed *written; /* by an RDMA Write that is not over; NULL once it is hidden */
    size_t receive_size;
    unsigned receives, taken; /* posted; with a Send that the owner has not given back */
    bool observed;            /* the owner looks at RDMA operations */
    struct happening *first, **last;
    size_t waiting; /* octets of them */
    struct wire_chance chance;
    enum {
        WRITES_UNDECIDED,
        WRITES_IN_ORDER,
        WRITES_IN_ANY_ORDER
    } writes; /* up to the next Send */
    struct held_write *held, **held_last;
    size_t held_octets;
};

/* The connection is over, and what is under way has failed; the first reason counts. */
void end_fail(struct user_end *end, const char *why);
/* The same where the wire has it that our side dies in the midst of a message. */
void end_die(struct user_end *end);
/* What is under way is done. */
void end_done(struct user_end *end);

/* What is wrong with an access of the peer's. */
enum fault { FAULT_NONE, FAULT_HANDLE, FAULT_BOUNDS, FAULT_ACCESS };

/* The memory of this handle, if the peer may use this range of it so; else NULL, and *fault. */
struct exposed *end_find(const struct user_end *end, uint32_t handle, uint64_t offset,
                         uint64_t length, unsigned access, enum fault *fault);
/* The memory is not the peer's any more. */
void end_forget(struct user_end *end, struct exposed *memory);
/* The same by its handle; false: there is none. */
bool end_invalidate(struct user_end *end, uint32_t handle);

/* Octets of an RDMA Write that may write there. */
void end_write(struct user_end *end, struct exposed *memory, uint64_t offset, const uint8_t *octets,
               size_t length);
/* A Write is whole; `memory` is NULL where it had no octets. */
void end_written(struct user_end *end, struct exposed *memory, uint32_t handle, uint64_t offset,
                 size_t length);
/* Place all that has come. Called before a Send or an RDMA Read of the peer's is taken. */
void end_place(struct user_end *end);

/* With room for that many octets, or NULL. */
struct happening *happening_new(size_t room);
void end_tell(struct user_end *end, struct happening *happening);
/* An RDMA operation of the peer's, if the owner looks; the octets are copied. */
void end_tell_access(struct user_end *end, bool is_write, uint32_t handle, uint64_t offset,
                     const uint8_t *octets, size_t length);
/* The first thing that happened, which the caller frees; NULL: nothing. */
struct happening *end_next(struct user_end *end);
/* Free what happened. */
void end_free(struct user_end *end);

#endif
