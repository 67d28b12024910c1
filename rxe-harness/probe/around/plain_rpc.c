// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/probe/around/plain_rpc.h"

#include "rxe-harness/requester/requester.h"

#include "conformance/base/clock.h"
#include "conformance/base/count.h"

#include <rpcrdma/xdr.h>

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPLY_MAX (1u << 20) /* octets */
#define MARK 4               /* octets before each fragment of a record */
#define LAST 0x80000000u     /* in them: it is the last one */

/* ---- what a Reply says ---- */

const char *plain_says(const struct rpcrdma_rpc_header *header)
{
    static const char *const accepted[] = {"SUCCESS",      "PROG_UNAVAIL", "PROG_MISMATCH",
                                           "PROC_UNAVAIL", "GARBAGE_ARGS", "SYSTEM_ERR"};
    if (!header->accepted)
        return header->reject_stat == RPCRDMA_RPC_AUTH_ERROR ? "AUTH_ERROR" : "RPC_MISMATCH";
    return header->accept_stat < COUNT(accepted) ? accepted[header->accept_stat] : "no RPC Reply";
}

bool plain_starts_tls(const uint8_t *octets, size_t length)
{
    static const char word[] = "STARTTLS";
    struct rpcrdma_rpc_msg message;
    ptrdiff_t end = rpcrdma_rpc_msg_decode(&message, octets, length, NULL, NULL);
    if (rpcrdma_xdr_failed(end) || message.body.mtype != RPCRDMA_RPC_REPLY ||
        message.body.rbody.stat != RPCRDMA_RPC_MSG_ACCEPTED)
        return false;
    const struct rpcrdma_rpc_opaque_auth *verifier = &message.body.rbody.areply.verf;
    return verifier->flavor == RPCRDMA_RPC_AUTH_NONE && verifier->body.length == sizeof word - 1 &&
           memcmp(verifier->body.data, word, sizeof word - 1) == 0;
}

bool plain_has_program(const struct plain_reply *reply)
{
    return reply->outcome == PLAIN_ANSWERED && reply->header.accepted &&
           (reply->header.accept_stat == RPCRDMA_RPC_SUCCESS ||
            reply->header.accept_stat == RPCRDMA_RPC_PROG_MISMATCH);
}

static void read_reply(struct plain_reply *reply, uint32_t xid, size_t length)
{
    ptrdiff_t end = rpcrdma_rpc_header_decode(&reply->header, reply->octets, length, NULL);
    bool good = !rpcrdma_xdr_failed(end) && reply->header.is_reply && reply->header.xid == xid;
    reply->outcome = good ? PLAIN_ANSWERED : PLAIN_SILENT;
    snprintf(reply->text, sizeof reply->text, "%s",
             good ? plain_says(&reply->header) : "what came is no Reply to the Call");
    if (!good)
        return;
    reply->starts_tls = plain_starts_tls(reply->octets, length);
    reply->results = reply->octets + end;
    reply->results_length = length - (size_t)end;
}

/* ---- the socket ---- */

struct plain_conversation {
    int socket;
    int64_t until; /* milliseconds */
};

/* False: the time is over. */
static bool await(const struct plain_conversation *own, short events)
{
    struct pollfd poll_for = {.fd = own->socket, .events = events};
    for (;;) {
        int64_t left = own->until - clock_milliseconds();
        if (left <= 0)
            return false;
        if (poll(&poll_for, 1, (int)left) > 0)
            return true;
    }
}

static bool put(const struct plain_conversation *own, const uint8_t *octets, size_t length)
{
    while (length > 0 && await(own, POLLOUT)) {
        ssize_t sent = send(own->socket, octets, length, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        octets += sent > 0 ? sent : 0;
        length -= sent > 0 ? (size_t)sent : 0;
    }
    return length == 0;
}

static bool get(const struct plain_conversation *own, uint8_t *octets, size_t length)
{
    while (length > 0 && await(own, POLLIN)) {
        ssize_t came = recv(own->socket, octets, length, 0);
        if (came == 0 || (came < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        octets += came > 0 ? came : 0;
        length -= came > 0 ? (size_t)came : 0;
    }
    return length == 0;
}

/* The octets of a record, joined. Returns how many; 0: none. */
static size_t get_record(const struct plain_conversation *own, uint8_t *octets)
{
    uint8_t mark[MARK] = {0};
    size_t length = 0;
    while (!(rpcrdma_xdr_load32(mark) & LAST)) {
        if (!get(own, mark, sizeof mark))
            return 0;
        uint32_t fragment = rpcrdma_xdr_load32(mark) & ~LAST;
        if (fragment > REPLY_MAX - length || !get(own, octets + length, fragment))
            return 0;
        length += fragment;
    }
    return length;
}

static size_t get_datagram(const struct plain_conversation *own, uint8_t *octets)
{
    ssize_t came = await(own, POLLIN) ? recv(own->socket, octets, REPLY_MAX, 0) : 0;
    return came > 0 ? (size_t)came : 0;
}

/* What the error of a socket says of who is asked. */
static void tell_error(struct plain_reply *reply, int error)
{
    reply->outcome = error == ECONNREFUSED ? PLAIN_REFUSED : PLAIN_UNREACHED;
    snprintf(reply->text, sizeof reply->text, "%s", strerror(error));
}

static bool reach(const struct plain_conversation *own, const struct plain_call *call,
                  struct plain_reply *reply)
{
    struct sockaddr_storage to = call->peer->socket;
    int error = 0;
    socklen_t size = sizeof error;
    if (to.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)&to)->sin6_port = htons(call->port);
    else
        ((struct sockaddr_in *)&to)->sin_port = htons(call->port);
    if (connect(own->socket, (struct sockaddr *)&to, call->peer->length) != 0) {
        error = errno;
        if (error == EINPROGRESS && !await(own, POLLOUT))
            error = ETIMEDOUT;
        else if (error == EINPROGRESS)
            getsockopt(own->socket, SOL_SOCKET, SO_ERROR, &error, &size);
    }
    if (error != 0)
        tell_error(reply, error);
    return error == 0;
}

static void converse(const struct plain_conversation *own, const struct plain_call *call,
                     struct plain_reply *reply)
{
    uint8_t octets[MARK + REQUESTER_RPC + PLAIN_ARGS];
    size_t all = REQUESTER_RPC + call->args_length;
    uint32_t xid = requester_fresh_xid();
    if (!reach(own, call, reply))
        return;
    rpcrdma_xdr_store32(octets, LAST | (uint32_t)all);
    requester_rpc(octets + MARK, xid, call->program, call->version, call->procedure);
    rpcrdma_xdr_store32(octets + MARK + RPCRDMA_RPC_CALL_AT_CRED_FLAVOR, call->flavor);
    if (call->args_length > 0)
        memcpy(octets + MARK + REQUESTER_RPC, call->args, call->args_length);
    size_t from = call->udp ? MARK : 0, length = 0;
    errno = 0;
    if (put(own, octets + from, MARK + all - from))
        length = call->udp ? get_datagram(own, reply->octets) : get_record(own, reply->octets);
    if (length > 0)
        read_reply(reply, xid, length);
    else if (call->udp) /* nobody says that the port is closed where a firewall drops it */
        tell_error(reply, errno == ECONNREFUSED ? errno : ETIMEDOUT);
    else
        snprintf(reply->text, sizeof reply->text, "a connection, and no Reply");
}

void plain_exchange(const struct plain_call *call, struct plain_reply *reply)
{
    *reply = (struct plain_reply){.outcome = PLAIN_SILENT, .octets = malloc(REPLY_MAX)};
    const struct plain_conversation own = {
        .socket = socket(call->peer->socket.ss_family,
                         (call->udp ? SOCK_DGRAM : SOCK_STREAM) | SOCK_NONBLOCK | SOCK_CLOEXEC, 0),
        .until = clock_milliseconds() + call->timeout};
    if (reply->octets == NULL || own.socket < 0)
        tell_error(reply, reply->octets ? errno : ENOMEM);
    else
        converse(&own, call, reply);
    if (own.socket >= 0)
        close(own.socket);
}
