// SPDX-License-Identifier: BSD-3-Clause
/*
 * What was there instead of RPC-over-RDMA.
 *
 * Who gets no findings at all has recorded something else: a mount that forgot proto=rdma, another
 * storage protocol, what is encrypted, or the beginnings of frames only. Ports tell which.
 */
#include "conformance/input/capture/kinds.h"
#include "conformance/base/count.h"
#include "conformance/input/iwarp/tcp.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define PORT_NFS 2049

static const struct {
    uint16_t port;
    const char *name;
} others[] = {{4420, "NVMe over RDMA"}, {3260, "iSER"}, {445, "SMB Direct"}};

/* ---- counting ---- */

/* A record of TLS (RFC 8446, section 5.1), of whatever version. */
static bool begins_tls(const struct tcp_segment *segment)
{
    const uint8_t *p = segment->payload;
    return segment->recorded >= 3 && p[0] >= 20 && p[0] <= 23 && p[1] == 3 && p[2] <= 4;
}

static bool has_port(const struct packet *packet, uint16_t port)
{
    return packet->recorded >= 4 &&
           (load_be16(packet->payload) == port || load_be16(packet->payload + 2) == port);
}

static void count_nfs(struct kinds *kinds, const struct packet *packet)
{
    struct tcp_segment segment;
    kinds->nfs++;
    if (tcp_parse(packet->payload, packet->recorded, packet->total, &segment))
        kinds->tls += begins_tls(&segment);
}

static struct kinds_request *find_request(struct kinds *kinds, const struct kinds_request *wanted)
{
    for (unsigned i = 0; i < kinds->request_count; i++) {
        struct kinds_request *request = &kinds->requests[i];
        if (request->sequence == wanted->sequence && request->client_port == wanted->client_port &&
            address_equal(&request->client, &wanted->client) &&
            address_equal(&request->server, &wanted->server))
            return request;
    }
    return NULL;
}

/* The request with this sequence number whose client or server a segment comes from. */
static struct kinds_request request_of(const struct packet *packet,
                                       const struct tcp_segment *segment, bool by_client,
                                       uint32_t sequence)
{
    return (struct kinds_request){.client = by_client ? packet->source : packet->destination,
                                  .server = by_client ? packet->destination : packet->source,
                                  .client_port =
                                      by_client ? segment->source_port : segment->destination_port,
                                  .sequence = sequence};
}

static void count_request(struct kinds *kinds, const struct packet *packet,
                          const struct tcp_segment *segment)
{
    struct kinds_request request = request_of(packet, segment, true, segment->sequence);
    if (find_request(kinds, &request))
        return;
    if (kinds->request_count < KINDS_REQUESTS)
        kinds->requests[kinds->request_count++] = request;
    else
        kinds->more_requests = true;
}

/* What acknowledges a request and nothing more answers it. */
static void count_answer(struct kinds *kinds, const struct packet *packet,
                         const struct tcp_segment *segment)
{
    struct kinds_request wanted = request_of(packet, segment, false, segment->acknowledged - 1);
    struct kinds_request *request = find_request(kinds, &wanted);
    if (request == NULL)
        return;
    request->agreed |= segment->syn;
    request->refused |= segment->reset;
}

/* A client that acknowledges something has seen that its request was agreed to. */
static void count_reply(struct kinds *kinds, const struct packet *packet,
                        const struct tcp_segment *segment)
{
    struct kinds_request wanted = request_of(packet, segment, true, segment->sequence - 1);
    struct kinds_request *request = find_request(kinds, &wanted);
    if (request)
        request->agreed = true;
}

/* A segment at the port, which is iWARP or should be. */
static void count_wanted(struct kinds *kinds, const struct packet *packet, uint16_t port)
{
    struct tcp_segment segment;
    if (!tcp_parse(packet->payload, packet->recorded, packet->total, &segment))
        return;
    if (segment.syn && !segment.ack && segment.destination_port == port)
        count_request(kinds, packet, &segment);
    else if (segment.ack && segment.source_port == port)
        count_answer(kinds, packet, &segment);
    else if (segment.ack && !segment.reset)
        count_reply(kinds, packet, &segment);
    kinds->carrying += segment.total > 0;
}

static void count_cut(struct kinds *kinds, const struct captured_frame *frame)
{
    kinds->differ |= kinds->cut > 0 && kinds->recorded != frame->recorded;
    kinds->recorded = frame->recorded;
    kinds->cut++;
}

void kinds_count(struct kinds *kinds, const struct captured_frame *frame, enum packet_kind kind,
                 const struct packet *packet, uint16_t port)
{
    bool rdma = kind == PACKET_ROCE || kind == PACKET_BAD;
    bool wanted = rdma || kind == PACKET_CUT || (kind == PACKET_TCP && has_port(packet, port));
    kinds->rdma += rdma;
    kinds->esp += kind == PACKET_ESP;
    kinds->macsec += kind == PACKET_MACSEC;
    if (wanted && frame->recorded < frame->total)
        count_cut(kinds, frame);
    if (kind == PACKET_TCP && has_port(packet, PORT_NFS))
        count_nfs(kinds, packet);
    if (kind == PACKET_TCP && has_port(packet, port))
        count_wanted(kinds, packet, port);
}

/* ---- describing ---- */

struct kinds_text {
    char *text;
    size_t length;
};

static void add(struct kinds_text *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct kinds_text *words, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(words->text + words->length, KINDS_TEXT - words->length, format, args);
    va_end(args);
    words->length += length > 0 ? (size_t)length : 0;
    if (words->length >= KINDS_TEXT)
        words->length = KINDS_TEXT - 1;
}

static void add_frames(struct kinds_text *words, uint64_t count, const char *what)
{
    if (count > 0)
        add(words, "; %" PRIu64 " %s %s", count, count == 1 ? "frame is" : "frames are", what);
}

static void add_cut(struct kinds_text *words, const struct kinds *kinds)
{
    if (kinds->differ)
        add(words, "; %" PRIu64 " of them are cut: record anew with tcpdump -s 0", kinds->cut);
    else
        add(words, "; recorded with a snap length of %zu: record anew with tcpdump -s 0",
            kinds->recorded);
}

static const char *other_name(uint64_t service)
{
    for (size_t i = 0; i < COUNT(others); i++)
        if (cm_service_is_port(service, others[i].port))
            return others[i].name;
    return NULL;
}

static void add_service(struct kinds_text *words, const struct asked_service *asked, uint16_t port)
{
    const char *name = other_name(asked->service), *plural = asked->count == 1 ? "" : "s";
    unsigned to = asked->service & 0xffff;
    add(words, "; %" PRIu64 " connection request%s to ", asked->count, plural);
    if (!cm_service_is_port(asked->service, (uint16_t)to))
        add(words, "service 0x%016" PRIx64, asked->service);
    else if (to == port)
        add(words, "port %u without a connection", to);
    else if (name)
        add(words, "port %u (%s)", to, name);
    else
        add(words, "port %u: if RPC-over-RDMA uses it, say --port %u", to, to);
}

static void add_rdma(struct kinds_text *words, const struct kinds *kinds,
                     const struct request_table *requests, uint16_t port)
{
    for (unsigned i = 0; i < requests->asked_count; i++)
        if (kinds->others == 0 || !cm_service_is_port(requests->asked[i].service, port))
            add_service(words, &requests->asked[i], port);
    if (kinds->others > 0)
        add(words,
            "; %" PRIu64
            " connection%s to port %u %s of another protocol: no Send has a version of "
            "RPC-over-RDMA",
            kinds->others, kinds->others == 1 ? "" : "s", port, kinds->others == 1 ? "is" : "are");
    else if (requests->asked_count == 0)
        add(words, "; there is RDMA: see --port and --all-qp");
}

static const char *s(unsigned count)
{
    return count == 1 ? "" : "s";
}

static void add_requests(struct kinds_text *words, const struct kinds *kinds, uint16_t port)
{
    unsigned agreed = 0, refused = 0;
    for (unsigned i = 0; i < kinds->request_count; i++) {
        agreed += kinds->requests[i].agreed;
        refused += kinds->requests[i].refused && !kinds->requests[i].agreed;
    }
    unsigned pending = kinds->request_count - agreed;
    const char *more = kinds->more_requests ? "at least " : "";
    if (agreed > 0)
        add(words, "; %s%u TCP connection%s to port %u %s nothing", more, agreed, s(agreed), port,
            agreed == 1 ? "carries" : "carry");
    if (pending > 0)
        add(words, "; %s%u connection request%s to TCP port %u without a connection", more, pending,
            s(pending), port);
    if (kinds->more_requests || refused == 0)
        return;
    add(words, ": the server refuses ");
    if (refused < pending)
        add(words, "%u of them", refused);
    else
        add(words, pending == 1 ? "it" : "them");
}

static void add_tcp(struct kinds_text *words, const struct kinds *kinds, uint16_t port)
{
    if (kinds->carrying > 0)
        add(words, "; TCP at port %u, but no iWARP that is recorded from its beginning", port);
    else
        add_requests(words, kinds, port);
}

void kinds_describe(const struct kinds *kinds, const struct request_table *requests, uint16_t port,
                    char text[KINDS_TEXT])
{
    struct kinds_text words = {.text = text};
    text[0] = '\0';
    if (kinds->cut > 0) {
        add_cut(&words, kinds);
        return;
    }
    if (kinds->rdma > 0)
        add_rdma(&words, kinds, requests, port);
    add_tcp(&words, kinds, port);
    add_frames(&words, kinds->nfs,
               kinds->tls > 0 ? "NFS over TCP with TLS (port 2049), not RDMA"
                              : "NFS over TCP (port 2049), not RDMA");
    add_frames(&words, kinds->esp, "IPsec ESP: encrypted");
    add_frames(&words, kinds->macsec, "MACsec: may be encrypted");
    if (words.length == 0) /* as on a host with RDMA hardware */
        add(&words, "; a device that moves the data by itself shows none of it here: see 'rpcrdma "
                    "trace'");
}
