// SPDX-License-Identifier: BSD-3-Clause
/*
 * One RDMA connection as RPC-over-RDMA needs it: Sends into Receives that were posted before,
 * memory that is registered for the peer, RDMA Read and Write of the peer's memory, private data.
 * Providers: loopback.c inside the process, verbs.c on any RDMA device, roce/ on any UDP socket,
 * iwarp/ on any TCP socket.
 *
 * A link is used by one thread. Nothing of the peer's is trusted: what it sends is octets of any
 * kind, up to the size of a Receive.
 */
#ifndef HARNESS_TRANSPORT_H
#define HARNESS_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINK_PRIVATE_DATA_MAX 256

/* What the peer may do with registered memory. */
enum link_access { LINK_PEER_READS = 1, LINK_PEER_WRITES = 2 };

/* Memory that the peer may use by its handle, from `offset` on. The octets are the caller's and
 * stay until link_hide(). */
struct link_memory {
    uint8_t *octets;
    size_t length;
    uint32_t handle;
    uint64_t offset;
    void *own; /* the provider's */
};

enum link_event_type {
    LINK_NOTHING,  /* the time is over */
    LINK_RECEIVED, /* a Send */
    LINK_CLOSED,   /* the connection is gone; link->why says how */
};

struct link_event {
    enum link_event_type type;
    const uint8_t *octets; /* of the Send, until the next call with this link */
    size_t length;
    bool invalidated; /* the Send invalidated our memory of this handle */
    uint32_t handle;
};

struct link_options {
    size_t receive_size; /* octets of each Receive; a longer Send ends the connection */
    unsigned receives;   /* how many are posted; a Send without one ends the connection */
    const uint8_t *private_data;
    size_t private_length; /* up to LINK_PRIVATE_DATA_MAX; 0: none */
    unsigned timeout;      /* milliseconds to connect in, and for an RDMA operation to complete */
};

struct link;

struct link_ops {
    /* False once the connection is gone. `invalidate`: a handle of the peer's, or NULL. */
    bool (*send)(struct link *link, const void *octets, size_t length, const uint32_t *invalidate);
    /* The next event; waits at most `timeout` milliseconds. Afterwards the Receive is posted anew.
     */
    void (*wait)(struct link *link, unsigned timeout, struct link_event *event);
    /* Register memory->octets; sets handle and offset. False: no resources. */
    bool (*expose)(struct link *link, struct link_memory *memory, unsigned access);
    void (*hide)(struct link *link, struct link_memory *memory);
    /* RDMA Read from, and Write to, the peer's memory; done when it returns. False: the operation
     * failed, which ends the connection. */
    bool (*read)(struct link *link, uint32_t handle, uint64_t offset, void *octets, size_t length);
    bool (*write)(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                  size_t length);
    /* Disconnect, if that is still to be done, and free the link. */
    void (*close)(struct link *link);
};

/* What providers share; each has its own after it. */
#define LINK_LEFT "the peer disconnected" /* in good order, whatever may have waited */

struct link {
    const struct link_ops *ops;
    /* Called where the provider can see it (loopback can) when the peer has read or written our
     * memory; or NULL. */
    void (*observe)(void *arg, bool is_write, uint32_t handle, uint64_t offset,
                    const uint8_t *octets, size_t length);
    void *observe_arg;
    uint8_t private_data[LINK_PRIVATE_DATA_MAX]; /* the peer's */
    size_t private_length;
    char why[128]; /* how the connection ended, in words, or LINK_LEFT; empty while it lives */
    bool starved;  /* it ended because a Send of ours found no Receive of the peer's */
    /* Verbs over iWARP say the same where the peer refused an RDMA operation of ours. */
    bool unexplained;
};

/* Called with the peer's private data known, before the peer that connects is answered; it may
 * change what it is answered with. False: the peer is rejected. */
typedef bool transport_meeting(void *arg, const struct link *peer, struct link_options *answer);

/* Where to listen or to connect: made by a provider's own function. */
struct transport_ops;
struct transport {
    const struct transport_ops *ops;
    transport_meeting *meet; /* of one that listens; or NULL */
    void *meet_arg;
    /* Memory that is exposed on its links can be invalidated by a Send of the peer's. */
    bool invalidates;
    bool in_turn;    /* a peer does something only while we wait for events: a loopback */
    char error[256]; /* why the last call failed */
};

struct transport_ops {
    /* NULL after setting transport->error. */
    struct link *(*connect)(struct transport *transport, const struct link_options *options);
    /* The next connection that a peer opens, within `timeout` milliseconds; NULL with an empty
     * error: none came. */
    struct link *(*accept)(struct transport *transport, const struct link_options *options,
                           unsigned timeout);
    void (*close)(struct transport *transport);
};

/* "HOST" or "HOST:PORT"; of IPv6 "[HOST]:PORT"; before it may be a scheme: "verbs://" (also without
 * one), or "roce://" or "iwarp://", which are in user space. The port is 20049 unless given. NULL
 * after writing why into `error`. With `listen` the transport accepts, else it connects. */
struct transport *transport_open(const char *address, bool listen, char *error, size_t error_size);

/* Why it does not take this for an address, whatever the machine has; NULL: it does. */
const char *transport_misread(const char *address, bool listen);

/* Whether what goes over the wire by this address can be seen here: in user space it can. */
bool transport_shows_packets(const char *address);

/* The same for one provider, without a scheme. */
struct transport *transport_verbs(const char *address, bool listen, char *error, size_t error_size);

#endif
