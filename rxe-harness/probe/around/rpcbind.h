// SPDX-License-Identifier: BSD-3-Clause
/* What a portmapper or rpcbind knows (RFC 1833): all of its entries, by versions 4, 3 or 2. */
#ifndef HARNESS_RPCBIND_H
#define HARNESS_RPCBIND_H

#include "rxe-harness/probe/around/plain_rpc.h"

#define RPCBIND_PORT 111

struct rpcbind_entry {
    uint32_t program, version;
    char netid[16], address[72]; /* what does not fit is cut off; octets that do not print are ? */
    bool is_address;             /* a universal address of the netid's family (RFC 5665 5.2.3) */
    uint16_t port;               /* where it is */
};

struct rpcbind {
    struct rpcbind_entry *list; /* NULL: none answered */
    size_t count;
    uint32_t version; /* that it was asked by */
    bool udp;
    char text[112]; /* why none answered */
};

/* Ask at this port. False: none answered so that its list can be read. */
bool rpcbind_ask(struct rpcbind *rpcbind, const struct plain_address *peer, uint16_t port,
                 unsigned timeout);
void rpcbind_free(struct rpcbind *rpcbind);

#endif
