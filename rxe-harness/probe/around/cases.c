// SPDX-License-Identifier: BSD-3-Clause
/*
 * Cases of what stands beside the endpoint. Three statements bind a server there: RFC 8166 8.2.2.1,
 * RFC 8267 5.1 and 6.3. Everything else is said as it was found, and fails nobody.
 */
#include "rxe-harness/probe/around/around.h"
#include "rxe-harness/probe/exchange.h"

#include "conformance/base/count.h"

#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>

#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NFS_PORT 2049
#define NFS_RDMA_PORT 20049
#define LEGACY 3   /* versions of NFS up to it are called so (RFC 8267 section 1) */
#define VERSIONS 4 /* of NFS; the first is 2 */

static const struct program {
    uint32_t number;
    const char *name;
} programs[] = {{NFS_PROGRAM, "NFS"}, {100005, "MOUNT"}, {100021, "NLM"}, {100024, "NSM"}};

static const char *name_of(uint32_t program)
{
    for (size_t i = 0; i < COUNT(programs); i++)
        if (programs[i].number == program)
            return programs[i].name;
    return "?";
}

/* What was found is said, and as good as anything else. */
static const char *observed(struct probe *probe, const char *text)
{
    probe->run.current.observed = true;
    return text;
}

/* It is unusual, and nothing forbids it. */
static const char *tolerated(struct probe *probe, const char *text)
{
    probe->run.current.tolerated = true;
    return text;
}

static const char *inapplicable(struct probe *probe, const char *text)
{
    probe->run.current.inapplicable = true;
    return text;
}

/* ---- over RDMA ---- */

/* Whether a NULL of this version of NFS is executed on the connection at hand. */
static bool executes(struct probe *probe, uint32_t version)
{
    const struct requester_call call = {.procedure = 0};
    struct requester_pending pending;
    struct requester_reply reply = {.outcome = 0};
    probe->requester->program = NFS_PROGRAM;
    probe->requester->version = version;
    if (requester_begin(probe->requester, &call, &pending))
        requester_finish(probe->requester, &pending, probe->options.timeout, &reply);
    requester_forget(probe->requester, &pending);
    return reply.outcome == RPCRDMA_PROCESS && reply.accepted && reply.stat == 0;
}

/* Which of versions from `first` to `last` the peer executes, the highest; 0: none. */
static uint32_t highest(struct probe *probe, uint32_t first, uint32_t last)
{
    uint32_t version = last;
    while (version >= first && !executes(probe, version))
        version--;
    return version >= first ? version : 0;
}

/* The same at another address of the peer's. NULL, or why it is not so. */
static const char *elsewhere(struct probe *probe, const char *host, uint16_t port, uint32_t version,
                             char text[PROBE_TEXT])
{
    char address[320], error[128] = "";
    bool is_v6 = strchr(host, ':') != NULL;
    struct transport *own = probe->peer.transport;
    snprintf(address, sizeof address, "%s%s%s%s:%u", probe->around->scheme, is_v6 ? "[" : "", host,
             is_v6 ? "]" : "", port);
    probe_disconnect(probe);
    struct transport *other = transport_open(address, false, error, sizeof error);
    bool connected = false, good = false;
    if (other) {
        probe->peer.transport = other;
        connected = probe_open(probe) != NULL;
        good = connected && executes(probe, version);
        probe_disconnect(probe);
        snprintf(error, sizeof error, "%.127s", other->error);
        other->ops->close(other);
        probe->peer.transport = own;
    }
    if (good)
        return NULL;
    snprintf(text, PROBE_TEXT, "%.100s: %s%.100s", address,
             connected ? "NULL is not executed" : "no connection: ", connected ? "" : error);
    return text;
}

static const char *private_data(struct probe *probe, const struct probe_case *test_case,
                                char text[PROBE_TEXT])
{
    (void)test_case;
    const struct link *link = probe->requester->link;
    struct rpcrdma_private_data data;
    int error = rpcrdma_private_data_find(&data, link->private_data, link->private_length);
    size_t used = link->private_length;
    while (used > 0 && link->private_data[used - 1] == 0)
        used--; /* filled up by the connection manager */
    if (error == 0)
        snprintf(text, PROBE_TEXT, "RFC 8797: Sends of %u, Receives of %u octets%s", data.send_size,
                 data.receive_size, data.remote_invalidation ? ", takes Send With Invalidate" : "");
    else if (used == 0)
        snprintf(text, PROBE_TEXT, "none");
    else
        snprintf(text, PROBE_TEXT, "%zu octets of another format, from %02x%02x%02x%02x on", used,
                 link->private_data[0], link->private_data[1], link->private_data[2],
                 link->private_data[3]);
    return observed(probe, text);
}

static const char *other_family(struct probe *probe, const struct probe_case *test_case,
                                char text[PROBE_TEXT])
{
    (void)test_case;
    const struct around *around = probe->around;
    char host[128];
    uint32_t version = highest(probe, 2, VERSIONS);
    if (around->other.length == 0)
        return inapplicable(probe, "the address has one family alone");
    if (version == 0)
        return inapplicable(probe, "the peer executes no NULL of NFS");
    getnameinfo((const struct sockaddr *)&around->other.socket, around->other.length, host,
                sizeof host, NULL, 0, NI_NUMERICHOST);
    const char *wrong = elsewhere(probe, host, around->port, version, text);
    if (wrong)
        return tolerated(probe, wrong);
    snprintf(text, PROBE_TEXT, "%s: NULL of NFS version %u is executed", host, version);
    return observed(probe, text);
}

static const char *assigned_port(struct probe *probe, const struct probe_case *test_case,
                                 char text[PROBE_TEXT])
{
    (void)test_case;
    const struct around *around = probe->around;
    if (!executes(probe, NFS_VERSION))
        return inapplicable(probe, "the peer executes no NULL of NFS version 4");
    if (around->port == NFS_RDMA_PORT)
        return NULL;
    return elsewhere(probe, around->host, NFS_RDMA_PORT, NFS_VERSION, text);
}

/* ---- rpcbind ---- */

/* It, or NULL after saying why. */
static const struct rpcbind *ask(struct probe *probe, char text[PROBE_TEXT])
{
    struct around *around = probe->around;
    if (!around->asked)
        rpcbind_ask(&around->rpcbind, &around->peer, around->rpcbind_port, probe->options.timeout);
    around->asked = true;
    if (around->rpcbind.list)
        return &around->rpcbind;
    snprintf(text, PROBE_TEXT, "no rpcbind at port %u: %s", around->rpcbind_port,
             around->rpcbind.text);
    return NULL;
}

static bool is_rdma(const struct rpcbind_entry *entry)
{
    return entry->program == NFS_PROGRAM &&
           (strcmp(entry->netid, "rdma") == 0 || strcmp(entry->netid, "rdma6") == 0);
}

__attribute__((format(printf, 2, 3))) static void add(char text[PROBE_TEXT], const char *format,
                                                      ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, PROBE_TEXT - length, format, arguments);
    va_end(arguments);
}

static const char *registered(struct probe *probe, const struct probe_case *test_case,
                              char text[PROBE_TEXT])
{
    (void)test_case;
    const struct rpcbind *rpcbind = ask(probe, text);
    if (rpcbind == NULL)
        return tolerated(probe, text);
    snprintf(text, PROBE_TEXT, "%zu entries, by version %u over %s", rpcbind->count,
             rpcbind->version, rpcbind->udp ? "UDP" : "TCP");
    for (size_t i = 0; i < COUNT(programs); i++) {
        add(text, "; %s:", programs[i].name);
        for (size_t j = 0; j < rpcbind->count; j++)
            if (rpcbind->list[j].program == programs[i].number)
                add(text, " %u %s %u", rpcbind->list[j].version, rpcbind->list[j].netid,
                    rpcbind->list[j].port);
    }
    return observed(probe, text);
}

static const char *netids(struct probe *probe, const struct probe_case *test_case,
                          char text[PROBE_TEXT])
{
    (void)test_case;
    const struct rpcbind *rpcbind = ask(probe, text);
    bool bad = false, some = false;
    if (rpcbind == NULL)
        return inapplicable(probe, text);
    for (size_t i = 0; i < rpcbind->count; i++) {
        const struct rpcbind_entry *entry = &rpcbind->list[i];
        if (!is_rdma(entry))
            continue;
        add(text, "%sversion %u %s %s%s", some ? "; " : "", entry->version, entry->netid,
            entry->address, entry->is_address ? "" : ", which is no address of that netid");
        some = true;
        bad = bad || !entry->is_address;
    }
    if (bad)
        return tolerated(probe, text);
    if (some)
        return observed(probe, text);
    bool is_legacy = highest(probe, 2, LEGACY) > 0;
    snprintf(text, PROBE_TEXT, "no entry of NFS by rdma or rdma6%s",
             is_legacy ? "" : "; version 4 needs none");
    return is_legacy ? tolerated(probe, text) : observed(probe, text);
}

static const char *registered_port(struct probe *probe, const struct probe_case *test_case,
                                   char text[PROBE_TEXT])
{
    (void)test_case;
    const struct rpcbind *rpcbind = ask(probe, text);
    bool is_v6 = probe->around->peer.socket.ss_family == AF_INET6, some = false;
    if (rpcbind == NULL)
        return inapplicable(probe, text);
    for (size_t i = 0; i < rpcbind->count; i++) {
        const struct rpcbind_entry *entry = &rpcbind->list[i];
        if (!is_rdma(entry) || !entry->is_address || (strcmp(entry->netid, "rdma6") == 0) != is_v6)
            continue;
        some = true;
        if (elsewhere(probe, probe->around->host, entry->port, entry->version, text))
            return tolerated(probe, text);
    }
    return some ? observed(probe, "NFS is where rpcbind says")
                : inapplicable(probe, "rpcbind names no port by the netid of the address");
}

/* ---- over TCP ---- */

static enum plain_outcome over_tcp(struct probe *probe, uint16_t port, uint32_t program,
                                   uint32_t version, uint32_t flavor, struct plain_reply *reply)
{
    const struct plain_call call = {.peer = &probe->around->peer,
                                    .port = port,
                                    .program = program,
                                    .version = version,
                                    .flavor = flavor,
                                    .timeout = probe->options.timeout};
    plain_exchange(&call, reply);
    free(reply->octets);
    reply->octets = NULL;
    return reply->outcome;
}

/* A server of RPCSEC_GSS has to be at TCP port 2049 as well: its root says whether it is one. */
static const char *nfs_over_tcp(struct probe *probe, const struct probe_case *test_case,
                                char text[PROBE_TEXT])
{
    (void)test_case;
    struct plain_reply reply;
    uint32_t version = highest(probe, 2, VERSIONS);
    if (version == 0)
        return inapplicable(probe, "the peer executes no NULL of NFS");
    enum plain_outcome outcome =
        over_tcp(probe, NFS_PORT, NFS_PROGRAM, version, RPCRDMA_RPC_AUTH_NONE, &reply);
    if (plain_has_program(&reply))
        return NULL;
    bool has_gss = version == NFS_VERSION && probe_offers_gss(probe);
    snprintf(text, PROBE_TEXT, "TCP port %u: %s%s", NFS_PORT, reply.text,
             has_gss ? ", and the root takes RPCSEC_GSS"
                     : "; whether NFS there takes RPCSEC_GSS was not seen");
    if (!has_gss)
        return tolerated(probe, text);
    return outcome == PLAIN_UNREACHED ? inapplicable(probe, text) : text;
}

static const struct rpcbind_entry *find(const struct rpcbind *rpcbind, uint32_t program,
                                        const char *netid)
{
    for (size_t i = 0; i < rpcbind->count; i++)
        if (rpcbind->list[i].program == program && strcmp(rpcbind->list[i].netid, netid) == 0)
            return &rpcbind->list[i];
    return NULL;
}

static bool has_legacy(const struct rpcbind *rpcbind)
{
    for (size_t i = 0; i < rpcbind->count; i++)
        if (rpcbind->list[i].program == NFS_PROGRAM && rpcbind->list[i].version <= LEGACY)
            return true;
    return false;
}

/* MOUNT, NLM, NSM: rpcbind alone says where they are. One that does not know the server itself does
 * not know them either. */
static const char *auxiliary(struct probe *probe, const struct probe_case *test_case,
                             char text[PROBE_TEXT])
{
    struct plain_reply reply;
    bool is_v6 = probe->around->peer.socket.ss_family == AF_INET6;
    if (highest(probe, 2, LEGACY) == 0)
        return inapplicable(probe, "the peer executes no NULL of NFS versions 2 and 3");
    const struct rpcbind *rpcbind = ask(probe, text);
    if (rpcbind == NULL)
        return inapplicable(probe, text);
    const char *name = name_of(test_case->procedure);
    const struct rpcbind_entry *other = find(rpcbind, test_case->procedure, is_v6 ? "tcp" : "tcp6");
    const struct rpcbind_entry *entry = find(rpcbind, test_case->procedure, is_v6 ? "tcp6" : "tcp");
    if (entry == NULL) {
        bool is_by_udp = find(rpcbind, test_case->procedure, "udp") != NULL;
        snprintf(text, PROBE_TEXT, "rpcbind knows no %s over TCP%s", name,
                 other       ? " of this family"
                 : is_by_udp ? ", but over UDP"
                             : "");
        return other || !has_legacy(rpcbind) ? inapplicable(probe, text) : text;
    }
    enum plain_outcome outcome =
        over_tcp(probe, entry->port, entry->program, entry->version, RPCRDMA_RPC_AUTH_NONE, &reply);
    snprintf(text, PROBE_TEXT, "%s version %u at TCP port %u: %s", name, entry->version,
             entry->port, reply.text);
    if (plain_has_program(&reply))
        return observed(probe, text);
    return outcome == PLAIN_UNREACHED ? inapplicable(probe, text) : text;
}

/* A NULL with AUTH_TLS (RFC 9289), which leaves RPC-over-RDMA aside. */
static const char *tls(struct probe *probe, const struct probe_case *test_case,
                       char text[PROBE_TEXT])
{
    (void)test_case;
    struct plain_reply reply;
    uint32_t version = highest(probe, 2, VERSIONS);
    uint8_t octets[REQUESTER_NULL];
    struct requester *peer = probe->requester;
    struct requester_pending pending = {.xid = ++peer->xid};
    struct requester_reply came;
    struct rpcrdma_rpc_header header;
    if (version == 0)
        return inapplicable(probe, "the peer executes no NULL of NFS");
    over_tcp(probe, NFS_PORT, NFS_PROGRAM, version, RPCRDMA_RPC_AUTH_TLS, &reply);
    requester_null_call(peer, pending.xid, octets);
    rpcrdma_xdr_store32(octets + RPCRDMA1_HEADER_MIN + RPCRDMA_RPC_CALL_AT_CRED_FLAVOR,
                        RPCRDMA_RPC_AUTH_TLS);
    requester_send(peer, octets, sizeof octets); /* where that fails, the end is what comes */
    requester_finish(peer, &pending, probe->options.timeout, &came);
    const uint8_t *rpc = peer->came + RPCRDMA1_HEADER_MIN;
    bool is_reply = came.outcome == RPCRDMA_PROCESS && peer->came_length > RPCRDMA1_HEADER_MIN;
    size_t length = is_reply ? peer->came_length - RPCRDMA1_HEADER_MIN : 0;
    is_reply =
        is_reply && !rpcrdma_xdr_failed(rpcrdma_rpc_header_decode(&header, rpc, length, NULL));
    bool starts = is_reply && plain_starts_tls(rpc, length);
    snprintf(text, PROBE_TEXT, "over TCP: %s; over RDMA: %.120s",
             reply.starts_tls ? "STARTTLS" : reply.text,
             starts     ? "STARTTLS, for which there is no specification"
             : is_reply ? plain_says(&header)
                        : came.text);
    return starts ? tolerated(probe, text) : observed(probe, text);
}

#define AUXILIARY(name, number)                                                                    \
    {                                                                                              \
        .id = "around-" name "-over-tcp",                                                          \
        .comment = "A server of NFS versions 2 and 3 has this protocol over TCP.",                 \
        .rule = "rfc8267/5.1/auxiliary-over-tcp", .run = auxiliary, .procedure = number,           \
        .ending = ENDING_WRONG                                                                     \
    }

/* clang-format off */
static const struct probe_case cases[] = {
    {.id = "around-private-data", .comment = "Which private data the server sends.",
     .rule = "rfc8797/6/other-formats", .run = private_data},
    {.id = "around-other-family", .comment = "The server is there by IPv4 and IPv6.",
     .rule = "rfc8166/9/netids", .run = other_family},
    {.id = "around-rpcbind", .comment = "What rpcbind knows of NFS, MOUNT, NLM and NSM.",
     .rule = "rfc8166/5/rpcbind-registration", .run = registered},
    {.id = "around-netids", .comment = "NFS is registered by the netids rdma and rdma6.",
     .rule = "rfc8166/9/netids", .run = netids},
    {.id = "around-registered-port", .comment = "NFS over RDMA is where rpcbind says.",
     .rule = "rfc8267/4.2/port-registered", .run = registered_port},
    {.id = "around-port-20049", .comment = "NFS version 4 is at port 20049.",
     .rule = "rfc8267/6.3/assigned-port", .run = assigned_port, .ending = ENDING_WRONG},
    {.id = "around-port-2049",
     .comment = "A server whose clients may use RPCSEC_GSS is at TCP port 2049 as well.",
     .rule = "rfc8166/8.2.2.1/tcp-beside-rdma", .run = nfs_over_tcp, .ending = ENDING_WRONG},
    AUXILIARY("mount", 100005),
    AUXILIARY("nlm", 100021),
    AUXILIARY("nsm", 100024),
    {.id = "around-auth-tls", .comment = "Whether NULL with AUTH_TLS (RFC 9289) is answered.",
     .rule = "rfc8166/8.1.1/endpoints-authenticated", .run = tls},
    {.id = NULL},
};
/* clang-format on */

void around_run(struct probe *probe)
{
    probe->run.file = "probe";
    probe_run_list(probe, "around the endpoint", cases);
}
