// SPDX-License-Identifier: BSD-3-Clause
/* Two links of one process to each other, over a transport in user space. */
#ifndef HARNESS_LINK_STAGE_H
#define HARNESS_LINK_STAGE_H

#include "rxe-harness/transport/transport.h"

#define LINK_SIZE 300000 /* octets of memory: hundreds of packets */
#define LINK_RECEIVE 9000
#define LINK_RECEIVES 4

typedef struct transport *link_stage_open(const char *address, bool listen, char *error,
                                          size_t error_size);
extern link_stage_open *link_stage_opens;

extern const uint8_t hello[6]; /* private data of who connects; of the other side "ello" */
extern struct transport *listener, *caller;
extern struct link *client, *server;

struct link_options link_stage_options(const uint8_t *private_data, size_t length);
void pattern(uint8_t *octets, size_t length, unsigned seed);

void open_transports(const char *address);
/* The same, and the links. */
void open_links(const char *address);
void close_all(void);
/* A thread of its own: the server's link, or NULL. */
void *accept_one(void *arg);

struct link_event next_event(struct link *link, unsigned timeout);
/* A Send of this many octets comes as it went. */
void send_and_compare(size_t length);

/* What the server did to the client's memory. */
struct link_seen {
    unsigned reads, writes;
    uint64_t octets;
    bool same;
};
extern struct link_seen link_seen;
/* It writes at most so often: once, or in parts where a wire has it so. */
extern unsigned link_stage_writes;
/* It reads and writes LINK_SIZE octets of it. */
void move_and_compare(void);

/* ---- how connections end, over any transport: on open links, which are closed afterwards ---- */

/* The client disconnects: the server sees it, and can send no more. */
void disconnect_and_compare(void);
/* A Send invalidates memory of the client's; the server's Read of it then fails for this reason. */
void invalidate_and_compare(const char *why);
/* Of three memories of the client's this one is hidden, or invalidated by a Send: the others stay,
 * and a Read of it fails. */
void hide_and_compare(unsigned which, bool invalidates);
/* The listener at this address rejects the client, whose transport says so. */
void reject_and_compare(const char *address, const char *error);

/* Offsets and lengths at, and beyond, the ends of memory of eight octets. */
struct link_access_case {
    int64_t offset;
    size_t length;
    unsigned access;
    bool write;
    enum { ACCESS_GOOD, ACCESS_BEYOND, ACCESS_FORBIDDEN } ending;
};
#define LINK_ACCESSES 11
extern const struct link_access_case link_accesses[LINK_ACCESSES];
/* `done`: a Write is done before the peer has seen it. The links stay open. */
void access_and_compare(const struct link_access_case *access, bool done);

#endif
