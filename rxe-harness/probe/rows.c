// SPDX-License-Identifier: BSD-3-Clause
/* What a client can send of the vectors, out of the table that vector_tables made of them. */
#include "rxe-harness/probe/probe.h"

#include "conformance/base/alloc.h"

#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>
#include <string.h>

/* ---- XIDs ---- */

size_t probe_freshen(enum rpcrdma_protocol protocol, uint8_t *octets, size_t length, uint32_t xid)
{
    uint32_t old = rpcrdma_xdr_load32(octets);
    struct rpcrdma_message message;
    ptrdiff_t end = rpcrdma_message_decode(&message, protocol, octets, length, NULL);
    bool is_version1 = protocol == RPCRDMA_PROTOCOL_1;
    size_t least = is_version1 ? (size_t)RPCRDMA1_HEADER_MIN : (size_t)RPCRDMA_PREFIX_LENGTH;
    size_t rpc = is_version1 ? 8 : 4; /* of which a piece may have the first word alone */
    size_t at = rpcrdma_xdr_failed(end) ? least : (size_t)end;
    rpcrdma_xdr_store32(octets, xid);
    while (rpcrdma_xdr_failed(end) && length - 4 >= at && rpcrdma_xdr_load32(octets + at) != old)
        at += 4;
    if (length < rpc || at > length - rpc)
        return 0;
    if (rpcrdma_xdr_load32(octets + at) == old)
        rpcrdma_xdr_store32(octets + at, xid);
    return at;
}

void probe_sends_freshen(struct probe_sends *sends, enum rpcrdma_protocol protocol, uint32_t first)
{
    uint32_t old[STORY_SENDS];
    size_t known = 0;
    for (size_t i = 0; i < sends->count; i++) {
        uint8_t *octets = sends->octets + sends->at[i];
        size_t length = sends->at[i + 1] - sends->at[i], which = 0;
        uint32_t xid = length < 4 ? 0 : rpcrdma_xdr_load32(octets);
        if (length < 4 || (xid == 0 && protocol != RPCRDMA_PROTOCOL_1))
            continue; /* a GRANT has no XID */
        while (which < known && old[which] != xid)
            which++;
        if (which == known)
            old[known++] = xid;
        probe_freshen(protocol, octets, length, first + (uint32_t)which);
    }
}

/* ---- rules ---- */

const char *probe_receiver_rule(const uint8_t *octets, size_t length, unsigned reactions)
{
    bool dropped = (reactions & ~(unsigned)RPCRDMA_CLOSE) == RPCRDMA_DISCARD;
    bool has_form = length >= RPCRDMA_PREFIX_LENGTH;
    uint32_t version =
        length >= 8 ? rpcrdma_xdr_load32(octets + RPCRDMA_AT_VERSION) : RPCRDMA_VERSION_1;
    uint32_t procedure =
        has_form && version == RPCRDMA_VERSION_1 ? rpcrdma_xdr_load32(octets + 12) : RPCRDMA1_MSG;
    if (dropped && procedure == RPCRDMA1_ERROR)
        return "rfc8166/4.2.4/responder-drops-error";
    if (dropped && procedure == RPCRDMA1_DONE)
        return "rfc8166/4.6.2/done-discarded";
    if (dropped && length < RPCRDMA1_HEADER_MIN)
        return "rfc8166/4.5/short-message-discarded";
    if (version != RPCRDMA_VERSION_1 && (reactions & RPCRDMA_ERR_VERS))
        return "rfc8166/4.5.1/unsupported-version-answered";
    if (procedure == RPCRDMA1_MSGP && (reactions & RPCRDMA_ERR_CHUNK))
        return "rfc8166/4.6.1/msgp-refused";
    bool only_error = (reactions & ~(unsigned)RPCRDMA_CLOSE) == RPCRDMA_ERR_CHUNK;
    return only_error ? "rfc8166/4.5.2/xdr-error-answered" : NULL;
}

/* ---- rows ---- */

static unsigned digit(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

bool probe_sends_add(struct probe_sends *sends, const uint8_t *octets, size_t length)
{
    size_t at = sends->at[sends->count];
    if (sends->count == STORY_SENDS || length > sizeof sends->octets - at)
        return false;
    memcpy(sends->octets + at, octets, length);
    sends->at[++sends->count] = at + length;
    return true;
}

static void read_row(const struct probe_row *row, struct probe_sends *sends)
{
    const char *p = row->octets;
    size_t at = 0;
    sends->count = sends->at[0] = 0;
    do {
        for (; *p != ' ' && *p != '\0' && at < sizeof sends->octets; p += 2)
            sends->octets[at++] = (uint8_t)(digit(p[0]) << 4 | digit(p[1]));
        sends->at[++sends->count] = at;
    } while (*p++ == ' ' && sends->count < STORY_SENDS);
}

static bool are_same(const struct probe_sends *a, const struct probe_sends *b)
{
    size_t ends = (a->count + 1) * sizeof a->at[0];
    return a->count == b->count && memcmp(a->at, b->at, ends) == 0 &&
           memcmp(a->octets, b->octets, a->at[a->count]) == 0;
}

/* What differs only in its XIDs, or in names of memory, is the same once it is sent. */
static bool is_sent_before(struct probe_sends *shapes, size_t row, const struct probe_sends *sends)
{
    enum rpcrdma_protocol protocol = probe_table[row].protocol;
    struct probe_sends *own = &shapes[row];
    *own = *sends;
    probe_sends_freshen(own, protocol, protocol != RPCRDMA_PROTOCOL_1);
    for (size_t i = 0; i < own->count; i++)
        probe_memory_number(protocol, own->octets + own->at[i], own->at[i + 1] - own->at[i]);
    for (size_t i = 0; i < row; i++)
        if (probe_table[i].protocol == protocol && probe_table[i].first == probe_table[row].first &&
            are_same(&shapes[i], own))
            return true;
    return false;
}

void probe_each_row(struct probe *probe, enum rpcrdma_protocol protocol, probe_row_runner *run)
{
    struct probe_sends *sends = alloc_zeroed(1, sizeof *sends);
    size_t rows = 0;
    while (probe_table[rows].id)
        rows++;
    struct probe_sends *shapes = alloc_zeroed(rows, sizeof *shapes);
    probe->run.file = "vectors";
    for (size_t i = 0; i < rows; i++) {
        if (probe_table[i].protocol != protocol)
            continue;
        read_row(&probe_table[i], sends);
        if (!is_sent_before(shapes, i, sends))
            run(probe, &probe_table[i], sends);
    }
    free(shapes);
    free(sends);
}
