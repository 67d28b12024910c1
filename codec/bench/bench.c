// SPDX-License-Identifier: BSD-3-Clause
/*
 * Our codec beside one written by hand for this header, beside rpcgen's on libtirpc and beside
 * memcpy: the same octets, one process, interleaved rounds, the best of them. Times are of this
 * machine in this run; only their ratios mean anything.
 */
#include "codec/bench/hand.h"
#include "codec/bench/made.h"
#include "codec/bench/receive2.h"

#include <string.h>

#define ROUNDS 301
#define ROUND_NS 40000.0 /* aimed at, for each measure in each round */

static struct subject subjects[] = {
    {.name = "no-chunks", .octets = 28},
    {.name = "nfs-write-call", .octets = 52, .reads = 1},
    {.name = "nfs-read-call", .octets = 52, .chunks = 1, .segments = 1},
    {.name = "busy", .octets = 1024, .reads = 16, .chunks = 4, .segments = 8, .reply = 4},
    {.name = "huge", .octets = 5952, .reads = 64, .chunks = 4, .segments = 64, .reply = 16},
};
#define SUBJECTS (sizeof subjects / sizeof subjects[0])

enum measure {
    DECODE,
    RECEIVE,
    RECEIVE2,
    PIECES,
    ITERATE,
    COPY,
    ENCODE,
    MAKE_REPLY,
    MAKE_CALL,
    MEASURES
};
static const char *const measure_names[] = {"decode", "receive", "receive2", "pieces", "iterate",
                                            "copy",   "encode",  "reply",    "call"};
enum contestant { OURS, HAND, MEMCPY, RPCGEN, CONTESTANTS };

/* ---- ours ---- */

static void own_decode(struct subject *subject, unsigned count)
{
    struct rpcrdma1_header header;
    const uint8_t *octets = subject->wire;
    size_t length = subject->octets;
    while (count-- > 0) {
        HIDE(octets);
        HIDE(length);
        ptrdiff_t n = rpcrdma1_header_decode(&header, octets, length, NULL, NULL);
        USE(n);
        USE(&header);
    }
}

static uint64_t sum_array(const struct rpcrdma1_segment_array *segments)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(segments);
    struct rpcrdma1_segment segment;
    uint64_t sum = 0;
    while (rpcrdma1_segment_array_next(&iter, &segment))
        sum += segment.handle + (uint64_t)segment.length + segment.offset;
    return sum;
}

static uint64_t own_sum(const struct rpcrdma1_chunk_lists *lists)
{
    uint64_t sum = 0;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    struct rpcrdma1_read_segment read;
    while (rpcrdma1_read_list_next(&iter, &read))
        sum +=
            read.position + (uint64_t)read.target.handle + read.target.length + read.target.offset;
    iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        sum += sum_array(&chunk.target);
    return lists->rdma_reply.present ? sum + sum_array(&lists->rdma_reply.value.target) : sum;
}

static void own_iterate(struct subject *subject, unsigned count)
{
    struct rpcrdma1_header header;
    const uint8_t *octets = subject->wire;
    size_t length = subject->octets;
    while (count-- > 0) {
        HIDE(octets);
        HIDE(length);
        if (rpcrdma1_header_decode(&header, octets, length, NULL, NULL) < 0)
            fail("does not decode", subject);
        uint64_t sum = own_sum(rpcrdma1_chunks(&header));
        USE(sum);
    }
}

/* All segments into arrays of values. */
static _Alignas(64) struct rpcrdma1_segment segments[512];
static _Alignas(64) struct rpcrdma1_read_segment reads[64];

static void own_copy_lists(const struct rpcrdma1_chunk_lists *lists)
{
    uint32_t n = rpcrdma1_read_list_copy(&lists->rdma_reads, reads, 64);
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    while (rpcrdma1_write_list_next(&iter, &chunk))
        n += rpcrdma1_segment_array_copy(&chunk.target, segments + n, 512 - n);
    if (lists->rdma_reply.present)
        n += rpcrdma1_segment_array_copy(&lists->rdma_reply.value.target, segments + n, 512 - n);
    USE(n);
    USE(segments);
    USE(reads);
}

/* Of a decoded header. */
static void own_copy(struct subject *subject, unsigned count)
{
    struct rpcrdma1_header header;
    if (rpcrdma1_header_decode(&header, subject->wire, subject->octets, NULL, NULL) < 0)
        fail("does not decode", subject);
    const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
    while (count-- > 0) {
        HIDE(lists);
        own_copy_lists(lists);
    }
}

static void own_encode(struct subject *subject, unsigned count)
{
    const struct rpcrdma1_header *header = &subject->own;
    while (count-- > 0) {
        HIDE(header);
        ptrdiff_t n = rpcrdma1_header_encode(room, sizeof room, header, NULL);
        USE(n);
    }
}

/* With a Payload stream of an XID after it. */
static void own_receive(struct subject *subject, unsigned count)
{
    struct rpcrdma1_header header;
    const uint8_t *octets = subject->wire;
    size_t length = subject->octets + 4;
    while (count-- > 0) {
        HIDE(octets);
        HIDE(length);
        ptrdiff_t n = rpcrdma1_receive(&header, octets, length, RPCRDMA_RESPONDER, NULL, NULL);
        if (n < 0)
            fail("is refused", subject);
        USE(n);
        USE(&header);
    }
}

/* ---- by hand ---- */

/* Our decoder within the lines of a receiver that calls it. */
static ptrdiff_t receive_by_hand(struct rpcrdma1_header *header, const void *send, size_t length,
                                 enum rpcrdma_role role)
{
    struct rpcrdma_prefix prefix;
    if (!rpcrdma_prefix_load(&prefix, send, length))
        return RPCRDMA1_DISCARD;
    if (role == RPCRDMA_RESPONDER) {
        if (length < RPCRDMA1_HEADER_MIN || prefix.procedure == RPCRDMA1_ERROR)
            return RPCRDMA1_DISCARD;
        if (prefix.version != RPCRDMA_VERSION_1)
            return RPCRDMA1_SEND_ERR_VERS;
        if (prefix.procedure == RPCRDMA1_DONE)
            return RPCRDMA1_DISCARD;
    }
    ptrdiff_t octets = rpcrdma1_header_decode(header, send, length, NULL, NULL);
    if (octets >= 0 && rpcrdma1_is_message(header, role, length - (size_t)octets))
        return octets;
    return role == RPCRDMA_RESPONDER ? RPCRDMA1_SEND_ERR_CHUNK : RPCRDMA1_DISCARD;
}

static void hand_receive(struct subject *subject, unsigned count)
{
    struct rpcrdma1_header header;
    const uint8_t *octets = subject->wire;
    size_t length = subject->octets + 4;
    while (count-- > 0) {
        HIDE(octets);
        HIDE(length);
        ptrdiff_t n = receive_by_hand(&header, octets, length, RPCRDMA_RESPONDER);
        if (n < 0)
            fail("is refused by hand", subject);
        USE(n);
        USE(&header);
    }
}

/* ---- in pieces ---- */

/* A header and a payload, in buffers that a list links. */
enum { PIECE = 128, STRIDE = PIECE + 64, PAYLOAD = 1024 };
static _Alignas(64) uint8_t pieces[sizeof room / PIECE][STRIDE];

static void lay_in_pieces(const struct subject *subject)
{
    for (size_t i = 0; i < sizeof room / PIECE; i++)
        memcpy(pieces[i], subject->wire + i * PIECE, PIECE);
}

/* All pieces until `wanted` octets lie together, of which `have` do. */
static size_t pull_up(size_t have, size_t wanted, size_t length)
{
    while (have < wanted) {
        size_t octets = length - have < PIECE ? length - have : PIECE;
        memcpy(room + have, pieces[have / PIECE], octets);
        have += octets;
    }
    return have;
}

static void own_pieces(struct subject *subject, unsigned count)
{
    struct rpcrdma1_header header;
    size_t length = subject->octets + PAYLOAD;
    lay_in_pieces(subject);
    while (count-- > 0) {
        HIDE(length);
        const uint8_t *octets = pieces[0];
        size_t have = PIECE, needs;
        while ((needs = rpcrdma1_header_needs(octets, have, length, NULL)) > have) {
            have = pull_up(octets == room ? have : 0, needs, length);
            octets = room;
        }
        ptrdiff_t n = rpcrdma1_header_decode(&header, octets, have, NULL, NULL);
        if (n != (ptrdiff_t)subject->octets)
            fail("does not decode in pieces", subject);
        USE(&header);
    }
}

/* Where nothing says how much: all of the Send. */
static void hand_pieces(struct subject *subject, unsigned count)
{
    struct rpcrdma1_header header;
    size_t length = subject->octets + PAYLOAD;
    lay_in_pieces(subject);
    while (count-- > 0) {
        HIDE(length);
        size_t have = pull_up(0, length, length);
        if (rpcrdma1_header_decode(&header, room, have, NULL, NULL) != (ptrdiff_t)subject->octets)
            fail("does not decode when copied", subject);
        USE(&header);
    }
}

static void hand_only_decode(struct subject *subject, unsigned count)
{
    struct hand_view view;
    const uint8_t *octets = subject->wire;
    size_t length = subject->octets;
    while (count-- > 0) {
        HIDE(octets);
        HIDE(length);
        ptrdiff_t n = hand_decode(&view, octets, length);
        USE(n);
        USE(&view);
    }
}

static void hand_iterate(struct subject *subject, unsigned count)
{
    struct hand_view view;
    const uint8_t *octets = subject->wire;
    size_t length = subject->octets;
    while (count-- > 0) {
        HIDE(octets);
        HIDE(length);
        if (hand_decode(&view, octets, length) < 0)
            fail("does not decode by hand", subject);
        uint64_t sum = hand_sum(&view);
        USE(sum);
    }
}

static void hand_only_encode(struct subject *subject, unsigned count)
{
    const struct rpcrdma1_header *header = &subject->own;
    while (count-- > 0) {
        HIDE(header);
        ptrdiff_t n = hand_encode(room, sizeof room, header);
        USE(n);
    }
}

/* ---- rpcgen ---- */

static XDR decoder, encoder;

/* Each handle is made once and set back, which is the least work. */
static void reference_begin(struct subject *subject, rdma_msg *message)
{
    memset(message, 0, sizeof *message);
    if (!xdr_setpos(&decoder, 0) || !xdr_rdma_msg(&decoder, message))
        fail("rpcgen does not decode it", subject);
}

static void reference_decode(struct subject *subject, unsigned count)
{
    rdma_msg message;
    xdrmem_create(&decoder, (char *)subject->wire, (u_int)subject->octets, XDR_DECODE);
    while (count-- > 0) {
        reference_begin(subject, &message);
        USE(&message);
        xdr_free((xdrproc_t)xdr_rdma_msg, &message);
    }
}

static uint64_t reference_sum_chunk(const xdr_write_chunk *chunk)
{
    uint64_t sum = 0;
    for (u_int i = 0; i < chunk->target.target_len; i++) {
        const xdr_rdma_segment *segment = &chunk->target.target_val[i];
        sum += segment->handle + (uint64_t)segment->length + segment->offset;
    }
    return sum;
}

static uint64_t reference_sum(const rpc_rdma_header *lists)
{
    uint64_t sum = 0;
    for (const xdr_read_list *read = lists->rdma_reads; read; read = read->next)
        sum += read->entry.position + (uint64_t)read->entry.target.handle +
               read->entry.target.length + read->entry.target.offset;
    for (const xdr_write_list *write = lists->rdma_writes; write; write = write->next)
        sum += reference_sum_chunk(&write->entry);
    return lists->rdma_reply ? sum + reference_sum_chunk(lists->rdma_reply) : sum;
}

static void reference_iterate(struct subject *subject, unsigned count)
{
    rdma_msg message;
    xdrmem_create(&decoder, (char *)subject->wire, (u_int)subject->octets, XDR_DECODE);
    while (count-- > 0) {
        reference_begin(subject, &message);
        uint64_t sum = reference_sum(&message.rdma_body.rdma_body_u.rdma_msg);
        USE(sum);
        xdr_free((xdrproc_t)xdr_rdma_msg, &message);
    }
}

static void reference_encode(struct subject *subject, unsigned count)
{
    xdrmem_create(&encoder, (char *)room, sizeof room, XDR_ENCODE);
    while (count-- > 0) {
        if (!xdr_setpos(&encoder, 0) || !xdr_rdma_msg(&encoder, &subject->reference))
            fail("rpcgen does not encode it", subject);
        USE(room);
    }
}

/* ---- memcpy ---- */

static void copy(struct subject *subject, unsigned count)
{
    const uint8_t *octets = subject->wire;
    size_t length = subject->octets;
    while (count-- > 0) {
        HIDE(octets);
        HIDE(length);
        memcpy(room, octets, length);
        USE(room);
    }
}

/* The same runs that own_copy() copies, a call each. */
static void copy_runs(struct subject *subject, unsigned count)
{
    const struct shape *shape = &subject->shape;
    const uint8_t *octets = subject->wire;
    while (count-- > 0) {
        HIDE(octets);
        const uint8_t *p = octets + 16;
        size_t n = 0, size = 24 * (size_t)shape->read_count;
        memcpy(reads, p, size);
        p += size + 4;
        for (uint32_t i = 0; i < shape->write_count; i++, p += size, n += shape->writes[i].count) {
            size = 16 * (size_t)shape->writes[i].count;
            memcpy(segments + n, p += 8, size);
        }
        memcpy(segments + n, p + 12, 16 * (size_t)shape->reply.count);
        USE(segments);
        USE(reads);
    }
}

static void (*const contests[MEASURES][CONTESTANTS])(struct subject *, unsigned) = {
    [DECODE] = {own_decode, hand_only_decode, copy, reference_decode},
    [RECEIVE] = {own_receive, hand_receive, copy, reference_decode},
    [RECEIVE2] = {own_receive2, hand_receive2, decode2, reference_decode},
    [PIECES] = {own_pieces, hand_pieces, copy, reference_decode},
    [ITERATE] = {own_iterate, hand_iterate, copy, reference_iterate},
    [COPY] = {own_copy, hand_iterate, copy_runs, reference_iterate},
    [ENCODE] = {own_encode, hand_only_encode, copy, reference_encode},
    [MAKE_REPLY] = {own_reply, values_reply, copy, reference_encode},
    [MAKE_CALL] = {own_call, values_call, copy, reference_encode},
};

/* ---- preparation ---- */

static void prepare(struct subject *subject)
{
    uint64_t seed = 0x8166;
    struct shape *shape = &subject->shape;
    shape->xid = 0x12345678;
    shape->version = 1;
    shape->credit = 32;
    shape->procedure = RPCRDMA1_MSG;
    shape->read_count = subject->reads;
    shape->write_count = subject->chunks;
    for (uint32_t i = 0; i < subject->chunks; i++)
        shape->writes[i].count = subject->segments;
    shape->has_reply = subject->reply > 0;
    shape->reply.count = subject->reply;
    shape_fill(shape, &seed);
    for (uint32_t i = 0; i < shape->read_count; i++) /* a Call, to its receiver */
        shape->reads[i].position = 40 + 4 * i;
    shape_own(shape, &subject->own);
    shape_reference(shape, &subject->reference);
    if (rpcrdma1_header_encode(subject->wire, sizeof subject->wire, &subject->own, NULL) !=
        (ptrdiff_t)subject->octets)
        fail("has another length", subject);
    struct hand_view view;
    if (hand_decode(&view, subject->wire, subject->octets) != (ptrdiff_t)subject->octets ||
        hand_sum(&view) != reference_sum(&subject->reference.rdma_body.rdma_body_u.rdma_msg) ||
        hand_encode(room, sizeof room, &subject->own) != (ptrdiff_t)subject->octets ||
        memcmp(room, subject->wire, subject->octets) != 0)
        fail("is another header by hand", subject);
    xdrmem_create(&encoder, (char *)room, sizeof room, XDR_ENCODE);
    if (!xdr_rdma_msg(&encoder, &subject->reference) || xdr_getpos(&encoder) != subject->octets ||
        memcmp(room, subject->wire, subject->octets) != 0)
        fail("rpcgen encodes it otherwise", subject);
}

/* ---- measuring ---- */

static double run(void (*call)(struct subject *, unsigned), struct subject *subject, unsigned count)
{
    double start = now();
    call(subject, count);
    return (now() - start) / count;
}

static void measure(enum measure measure, struct subject *subject, double result[CONTESTANTS])
{
    static double times[CONTESTANTS][ROUNDS];
    unsigned counts[CONTESTANTS];
    for (int i = 0; i < CONTESTANTS; i++) {
        double once = run(contests[measure][i], subject, 200); /* also warms up */
        counts[i] = 1 + (unsigned)(ROUND_NS / once);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < CONTESTANTS; i++)
            times[i][round] = run(contests[measure][i], subject, counts[i]);
    for (int i = 0; i < CONTESTANTS; i++)
        result[i] = least(times[i], ROUNDS);
}

/* ---- report ---- */

/* Decoding beside memcpy, the rest beside what is written by hand; large headers beside rpcgen. */
static const char *goal(enum measure measure, const struct subject *subject,
                        const double ns[CONTESTANTS])
{
    bool busy = strcmp(subject->name, "busy") == 0;
    if (measure == DECODE && ns[OURS] > (busy ? 3 : 2) * ns[MEMCPY])
        return "MISSED: memcpy";
    if (measure == COPY && (busy || subject->octets > 1024) && ns[OURS] > 2.5 * ns[MEMCPY])
        return "MISSED: memcpy";
    if ((measure == RECEIVE || measure == RECEIVE2) && ns[OURS] > 1.05 * ns[HAND])
        return "MISSED: by hand";
    if (measure == PIECES && ns[OURS] > (subject->octets <= PIECE ? 0.5 : 1.5) * ns[HAND])
        return "MISSED: copying";
    if ((measure == MAKE_REPLY && ns[OURS] > ns[HAND]) ||
        (measure == MAKE_CALL && ns[OURS] > 3 * ns[HAND]))
        return "MISSED: arrays";
    if ((measure == ITERATE || measure == ENCODE) && ns[OURS] > 1.2 * ns[HAND])
        return "MISSED: by hand";
    if (measure != COPY && measure != PIECES && measure != MAKE_REPLY && measure != MAKE_CALL &&
        subject->octets >= 1024 && ns[RPCGEN] < 20 * ns[OURS])
        return "MISSED: rpcgen";
    return "met";
}

static void print_json(FILE *out, double results[MEASURES][SUBJECTS][CONTESTANTS])
{
    fputc('{', out);
    for (int m = 0; m < MEASURES; m++) {
        fprintf(out, "%s\"%s\":[", m ? "," : "", measure_names[m]);
        for (size_t s = 0; s < SUBJECTS; s++)
            fprintf(out,
                    "%s{\"case\":\"%s\",\"bytes\":%zu,\"ns\":%.2f,\"hand_ns\":%.2f,"
                    "\"memcpy_ns\":%.2f,\"rpcgen_ns\":%.2f}",
                    s ? "," : "", subjects[s].name, subjects[s].octets, results[m][s][OURS],
                    results[m][s][HAND], results[m][s][MEMCPY], results[m][s][RPCGEN]);
        fputc(']', out);
    }
    fputs("}\n", out);
}

int main(int argc, char **argv)
{
    static double results[MEASURES][SUBJECTS][CONTESTANTS];
    const char *json = argc == 3 && strcmp(argv[1], "--json") == 0 ? argv[2] : NULL;
    if (argc != 1 && json == NULL) {
        fputs("Usage: bench [--json FILE]\n", stderr);
        return 2;
    }
    printf("%-8s %-15s %6s %9s %9s %9s %10s %8s %8s %9s  %s\n", "measure", "header", "octets",
           "ours ns", "hand ns", "memcpy ns", "rpcgen ns", "x hand", "x memcpy", "x faster",
           "goal");
    for (int m = 0; m < MEASURES; m++) {
        for (size_t s = 0; s < SUBJECTS; s++) {
            double *ns = results[m][s];
            if (m == 0)
                prepare(&subjects[s]);
            measure((enum measure)m, &subjects[s], ns);
            printf("%-8s %-15s %6zu %9.2f %9.2f %9.2f %10.1f %8.2f %8.2f %9.1f  %s\n",
                   measure_names[m], subjects[s].name, subjects[s].octets, ns[OURS], ns[HAND],
                   ns[MEMCPY], ns[RPCGEN], ns[OURS] / ns[HAND], ns[OURS] / ns[MEMCPY],
                   ns[RPCGEN] / ns[OURS], goal((enum measure)m, &subjects[s], ns));
        }
    }
    puts("Goals: decode at most 2 x memcpy (busy 3), receive and receive2 (of version 2, with the\n"
         "decoder alone in place of memcpy) at most 1.05 x our decoder within the lines of a\n"
         "receiver, iterate and encode at most 1.2 x by hand; decode, receive, iterate and encode\n"
         "20 x faster than rpcgen for busy and huge. Pieces: a Send with 1,024 octets of payload\n"
         "in buffers of 128, at most half of what copying all of it takes (by hand), 1.5 x for\n"
         "busy and huge. Copy: all segments of a decoded header into arrays, at most 2.5 x memcpy\n"
         "of the same runs for busy and huge; by hand and rpcgen decode and walk instead. Reply: "
         "at\n"
         "most what it takes to make arrays of values and encode those (by hand); call: 3 x that,\n"
         "a function call for each segment. Beside them memcpy and rpcgen's encoder, of the Call.");
    if (json == NULL)
        return 0;
    FILE *out = fopen(json, "w");
    if (out == NULL || (print_json(out, results), fclose(out)) != 0) {
        perror(json);
        return 1;
    }
    return 0;
}
