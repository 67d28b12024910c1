// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/probe/around/rpcbind.h"

#include "conformance/base/alloc.h"

#include <rpcrdma/xdr.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM 100000
#define DUMP 4 /* in each version */
#define ENTRIES_MAX 4096

/* ---- universal addresses ---- */

/* "HOST.P1.P2": RFC 5665 sections 5.2.3.3 and 5.2.3.4. */
static bool read_address(struct rpcbind_entry *entry)
{
    char host[sizeof entry->address];
    uint8_t octets[16];
    unsigned high, low;
    int end = 0;
    snprintf(host, sizeof host, "%s", entry->address);
    for (int dots = 0; dots < 2; dots++) {
        char *dot = strrchr(host, '.');
        if (dot == NULL)
            return false;
        *dot = '\0';
    }
    const char *port = entry->address + strlen(host);
    if (sscanf(port, ".%3u.%3u%n", &high, &low, &end) != 2 || port[end] != '\0' || high > 255 ||
        low > 255)
        return false;
    entry->port = (uint16_t)(high << 8 | low);
    bool is_v6 = entry->netid[0] != '\0' && entry->netid[strlen(entry->netid) - 1] == '6';
    return inet_pton(is_v6 ? AF_INET6 : AF_INET, host, octets) == 1;
}

/* ---- lists ---- */

struct reading {
    const uint8_t *octets;
    size_t left;
    bool failed;
};

static uint32_t word(struct reading *reading)
{
    if (reading->left < 4) {
        reading->failed = true;
        return 0;
    }
    uint32_t value = rpcrdma_xdr_load32(reading->octets);
    reading->octets += 4;
    reading->left -= 4;
    return value;
}

static void string(struct reading *reading, char *text, size_t size)
{
    uint32_t length = word(reading);
    if (length > reading->left || ((length + 3) & ~3u) > reading->left) {
        reading->failed = true;
        length = 0;
    }
    size_t kept = length < size - 1 ? length : size - 1;
    for (size_t i = 0; i < kept; i++)
        text[i] =
            reading->octets[i] > ' ' && reading->octets[i] < 0x7f ? (char)reading->octets[i] : '?';
    text[kept] = '\0';
    reading->octets += (length + 3) & ~3u;
    reading->left -= (length + 3) & ~3u;
}

static void read_entry(struct reading *reading, bool is_portmapper, struct rpcbind_entry *entry)
{
    char owner[2];
    *entry = (struct rpcbind_entry){.program = word(reading), .version = 0};
    entry->version = word(reading);
    if (!is_portmapper) {
        string(reading, entry->netid, sizeof entry->netid);
        string(reading, entry->address, sizeof entry->address);
        string(reading, owner, sizeof owner);
        entry->is_address = read_address(entry);
        return;
    }
    uint32_t protocol = word(reading), port = word(reading);
    snprintf(entry->netid, sizeof entry->netid, "%s",
             protocol == IPPROTO_TCP   ? "tcp"
             : protocol == IPPROTO_UDP ? "udp"
                                       : "?");
    snprintf(entry->address, sizeof entry->address, "port %u", port);
    entry->is_address = port > 0 && port <= UINT16_MAX;
    entry->port = entry->is_address ? (uint16_t)port : 0;
}

static bool read_list(struct rpcbind *rpcbind, const struct plain_reply *reply)
{
    struct reading reading = {.octets = reply->results, .left = reply->results_length};
    rpcbind->list = alloc_zeroed(ENTRIES_MAX, sizeof *rpcbind->list);
    while (word(&reading) == 1 && !reading.failed && rpcbind->count < ENTRIES_MAX)
        read_entry(&reading, rpcbind->version == 2, &rpcbind->list[rpcbind->count++]);
    if (!reading.failed && rpcbind->count < ENTRIES_MAX)
        return true;
    rpcbind_free(rpcbind);
    snprintf(rpcbind->text, sizeof rpcbind->text, "a list of entries that cannot be read");
    return false;
}

void rpcbind_free(struct rpcbind *rpcbind)
{
    free(rpcbind->list);
    rpcbind->list = NULL;
    rpcbind->count = 0;
}

/* False: neither a list, nor is it a matter of the version. */
static bool ask(struct rpcbind *rpcbind, const struct plain_call *call, bool *is_older)
{
    struct plain_reply reply;
    plain_exchange(call, &reply);
    bool good = reply.outcome == PLAIN_ANSWERED && reply.header.accepted &&
                reply.header.accept_stat == RPCRDMA_RPC_SUCCESS;
    *is_older = !good && reply.outcome == PLAIN_ANSWERED;
    rpcbind->version = call->version;
    rpcbind->udp = call->udp;
    snprintf(rpcbind->text, sizeof rpcbind->text, "version %u over %s: %s", call->version,
             call->udp ? "UDP" : "TCP", reply.text);
    good = good && read_list(rpcbind, &reply);
    free(reply.octets);
    return good;
}

bool rpcbind_ask(struct rpcbind *rpcbind, const struct plain_address *peer, uint16_t port,
                 unsigned timeout)
{
    struct plain_call call = {
        .peer = peer, .port = port, .program = PROGRAM, .procedure = DUMP, .timeout = timeout};
    *rpcbind = (struct rpcbind){.list = NULL};
    for (int transport = 0; transport < 2; transport++) {
        bool is_older = true;
        call.udp = transport == 1;
        for (call.version = 4; call.version >= 2 && is_older; call.version--)
            if (ask(rpcbind, &call, &is_older))
                return true;
    }
    return false;
}
