// SPDX-License-Identifier: BSD-3-Clause
/* One frame: every value of what a header says comes next, and the bounds of every length. */
#include "conformance/tests/support/captures/guarded.h"
#include "conformance/tests/support/captures/seen.h"
#include "conformance/base/count.h"

#include <pcap/dlt.h>

#define PAYLOAD 40
#define BASE 12u
#define CHECK_SUM 4u

/* Where the layers of a Send begin in a frame of Ethernet, IPv4 and UDP. */
enum { AT_ETHERNET = 0, AT_IP = 14, AT_UDP = 34, AT_BASE = 42 };

static uint8_t plain[FRAME_MAX], whole[FRAME_MAX];
static size_t plain_length, length;
static struct packet parsed;

static void begin(void)
{
    setup();
    request(CLIENT, OP_SEND_ONLY, 1000, octets, PAYLOAD);
    plain_length = latest_frame(plain);
    memcpy(whole, plain, plain_length);
    length = plain_length;
}

/* The frame: these octets, then the layers of the Send from there on. */
static void put_before(const uint8_t *before, size_t count, size_t from)
{
    length = count + plain_length - from;
    ck_assert_uint_le(length, sizeof whole);
    if (count > 0)
        memcpy(whole, before, count);
    memcpy(whole + count, plain + from, plain_length - from);
}

/* The same behind an Ethernet header with this type. */
static void put_type(unsigned type, const uint8_t *before, size_t count, size_t from)
{
    uint8_t headers[FRAME_MAX] = {0};
    put16(headers + 12, type);
    memcpy(headers + 14, before, count);
    put_before(headers, 14 + count, from);
}

static enum packet_kind parse_cut(int link, size_t kept)
{
    return packet_parse(link, guarded(whole, kept), kept, length, &parsed);
}

static enum packet_kind parse(int link)
{
    return parse_cut(link, length);
}

/* This runs many thousand times, and ck_assert writes each one to disk, even where it holds. */
static void expect_kind(enum packet_kind kind, enum packet_kind expected, unsigned value)
{
    if (kind != expected)
        ck_abort_msg("%u (0x%x): %d in place of %d", value, value, (int)kind, (int)expected);
}

/* It is that Send, with nothing of it missing. */
static void expect_send(int link, unsigned value)
{
    expect_kind(parse(link), PACKET_ROCE, value);
    if (parsed.total != PAYLOAD || parsed.recorded != PAYLOAD ||
        memcmp(parsed.payload, octets, PAYLOAD) != 0)
        ck_abort_msg("%u: %zu octets", value, parsed.total);
}

/* ---- links ---- */

START_TEST(link_types)
{
    unsigned known = 0; /* each of them is read in packet_test.c */
    for (int type = 0; type < 400; type++)
        if (packet_link_known(type))
            known++;
        else
            expect_kind(parse(type), PACKET_OTHER, (unsigned)type);
    ck_assert_uint_ge(known, 10);
}
END_TEST

/* The types that Ethernet and both forms of Linux's own header name, where each has its place. */
START_TEST(ether_types)
{
    static const struct {
        int link;
        size_t header, type_at;
    } links[] = {{DLT_EN10MB, 14, 12}, {DLT_LINUX_SLL, 16, 14}, {DLT_LINUX_SLL2, 20, 0}};
    static const uint8_t none[20];
    put_before(none, links[_i].header, AT_IP);
    for (unsigned type = 0; type < 0x10000; type++) {
        put16(whole + links[_i].type_at, type);
        switch (type) {
        case 0x0800: /* the version in the IP header counts */
        case 0x86dd:
            expect_send(links[_i].link, type);
            break;
        case 0x8847: /* an IP header taken for labels: their end may not be found */
        case 0x8848:
            ck_assert_int_ne(parse(links[_i].link), PACKET_ROCE);
            break;
        default:
            expect_kind(parse(links[_i].link), type == 0x88e5 ? PACKET_MACSEC : PACKET_OTHER, type);
        }
    }
}
END_TEST

/* Records of Endace cards: of Ethernet behind two octets, of IP, of InfiniBand, of all else. */
START_TEST(records)
{
    static const uint8_t local[8] = {0, 2, 0, 9, 0, (8 + BASE + PAYLOAD + CHECK_SUM) / 4, 0, 7};
    for (unsigned type = 0; type < 128; type++) {
        uint8_t header[16 + 8] = {[8] = (uint8_t)type};
        bool ethernet = type == 2 || type == 11 || type == 16 || type == 20;
        bool ip = type == 22 || type == 23;
        put_before(header, 16 + 2, AT_ETHERNET);
        expect_kind(parse(DLT_ERF), ethernet ? PACKET_ROCE : PACKET_OTHER, type);
        put_before(header, 16, AT_IP);
        expect_kind(parse(DLT_ERF), ip ? PACKET_ROCE : PACKET_OTHER, type);
        memcpy(header + 16, local, sizeof local);
        put_before(header, sizeof header, AT_BASE);
        expect_kind(parse(DLT_ERF), type == 21 ? PACKET_ROCE : PACKET_OTHER, type);
    }
}
END_TEST

/* Up to 16 extension headers, wherever the frame is cut. */
START_TEST(extended_records)
{
    for (unsigned count = 0; count <= 17; count++) {
        uint8_t header[16 + 17 * 8 + 2] = {[8] = 2};
        size_t size = 16 + 8 * count + 2;
        for (unsigned i = 0; i < count; i++)
            header[i == 0 ? 8 : 16 + 8 * (i - 1)] |= 0x80;
        put_before(header, size, AT_ETHERNET);
        for (size_t kept = 0; kept < size; kept++) {
            bool too_many = count > 16 && kept >= 16 + 16 * 8;
            expect_kind(parse_cut(DLT_ERF, kept), too_many ? PACKET_OTHER : PACKET_CUT,
                        (unsigned)kept);
        }
        expect_kind(parse(DLT_ERF), count > 16 ? PACKET_OTHER : PACKET_ROCE, count);
    }
}
END_TEST

/* InfiniBand without a global route: what comes next, the length in words, the identifiers. */
START_TEST(local_routes)
{
    uint8_t header[8] = {0xff, 0xfc, 0x12, 0x34, 0, 0, 0x56, 0x78};
    static const uint8_t lid = 0xfe;
    for (unsigned words = 0; words < 0x800; words++) {
        header[1] = 0xfe; /* the transport comes next */
        put16(header + 4, 0xf800 | words);
        put_before(header, sizeof header, AT_BASE);
        enum packet_kind kind = parse(DLT_INFINIBAND);
        expect_kind(kind, 4 * words < 8 + BASE + CHECK_SUM ? PACKET_BAD : PACKET_ROCE, words);
        if (kind != PACKET_ROCE)
            continue;
        size_t total = 4 * words - (8 + BASE + CHECK_SUM), most = PAYLOAD + CHECK_SUM;
        ck_assert_uint_eq(parsed.total, total);
        ck_assert_uint_eq(parsed.recorded, total < most ? total : most);
    }
    for (size_t i = 0; i < 16; i++) {
        ck_assert_uint_eq(parsed.destination.octets[i], i == 10 || i == 11 ? lid
                                                        : i >= 14          ? header[2 + i - 14]
                                                                           : 0);
        ck_assert_uint_eq(parsed.source.octets[i], i == 10 || i == 11 ? lid
                                                   : i >= 14          ? header[6 + i - 14]
                                                                      : 0);
    }
    for (uint8_t next = 0xfc; next < 0xfe; next++) { /* raw packets */
        whole[1] = next;
        expect_kind(parse(DLT_INFINIBAND), PACKET_OTHER, next);
    }
    whole[1] = 3;
    for (unsigned words = 0; words < 4; words++) { /* the eight octets tell whether it is bad */
        put16(whole + 4, words);
        for (size_t kept = 0; kept <= 8; kept++)
            expect_kind(parse_cut(DLT_INFINIBAND, kept),
                        kept == 8 && words < 2 ? PACKET_BAD : PACKET_CUT, words);
    }
}
END_TEST

/* RoCEv1: a global route names the transport by one value, and tells how long the packet is. */
START_TEST(global_routes)
{
    uint8_t route[40] = {0x60};
    for (uint8_t i = 8; i < 40; i++)
        route[i] = (uint8_t)(3 * i);
    put16(route + 4, BASE + PAYLOAD + CHECK_SUM);
    put_type(0x8915, route, sizeof route, AT_BASE);
    length += 9; /* Ethernet's own padding */
    for (unsigned next = 0; next < 256; next++) {
        whole[14 + 6] = (uint8_t)next;
        expect_kind(parse(DLT_EN10MB), next == 0x1b ? PACKET_ROCE : PACKET_OTHER, next);
    }
    whole[14 + 6] = 0x1b;
    expect_send(DLT_EN10MB, 0);
    ck_assert_mem_eq(parsed.source.octets, route + 8, 16);
    ck_assert_mem_eq(parsed.destination.octets, route + 24, 16);
}
END_TEST

static enum packet_kind kind_after_ip(unsigned protocol)
{
    return protocol == 6 ? PACKET_TCP : protocol == 50 ? PACKET_ESP : PACKET_OTHER;
}

/* ---- IP ---- */

START_TEST(protocols)
{
    for (unsigned protocol = 0; protocol < 256; protocol++) {
        whole[AT_IP + 9] = (uint8_t)protocol;
        expect_kind(parse(DLT_EN10MB), protocol == 17 ? PACKET_ROCE : kind_after_ip(protocol),
                    protocol);
    }
}
END_TEST

/* Versions and header lengths of IPv4; options count to the header. */
START_TEST(ip4_headers)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    for (unsigned first = 0; first < 256; first++) {
        uint8_t headers[AT_UDP + 40] = {0};
        unsigned words = first & 15;
        size_t header = words < 5 ? 20 : 4 * words;
        memcpy(headers, plain, AT_UDP);
        put16(headers + AT_IP + 2, (unsigned)(header + plain_length - AT_UDP));
        headers[AT_IP] = (uint8_t)first;
        headers[AT_IP + 6] = 0xc0; /* not to be fragmented, and a bit without meaning */
        put_before(headers, AT_IP + header, AT_UDP);
        if (first >> 4 == 4 && words >= 5)
            expect_send(DLT_EN10MB, first);
        else if (first >> 4 != 6)
            expect_kind(parse(DLT_EN10MB), PACKET_OTHER, first);
        else
            ck_assert_int_ne(parse(DLT_EN10MB), PACKET_ROCE);
    }
    put_before(NULL, 0, AT_IP);
    expect_send(DLT_RAW, 0);
    ck_assert_mem_eq(parsed.source.octets, mapped, 12);
    ck_assert_mem_eq(parsed.source.octets + 12, plain + AT_IP + 12, 4);
    ck_assert_mem_eq(parsed.destination.octets, mapped, 12);
    ck_assert_mem_eq(parsed.destination.octets + 12, plain + AT_IP + 16, 4);
}
END_TEST

START_TEST(ip4_fragments)
{
    for (unsigned bit = 0; bit < 16; bit++) {
        put16(whole + AT_IP + 6, 1u << bit);
        expect_kind(parse(DLT_EN10MB), bit < 14 ? PACKET_OTHER : PACKET_ROCE, bit);
    }
}
END_TEST

/* An IP packet is as long as it says; without any octet after its header it is still one. */
START_TEST(ip4_lengths)
{
    whole[AT_IP + 9] = 6;
    for (unsigned total = 0; total < 100; total++) {
        put16(whole + AT_IP + 2, total);
        expect_kind(parse(DLT_EN10MB), total < 20 ? PACKET_OTHER : PACKET_TCP, total);
        if (total < 20)
            continue;
        size_t recorded = length - AT_UDP;
        ck_assert_uint_eq(parsed.total, total - 20);
        ck_assert_uint_eq(parsed.recorded, total - 20 < recorded ? total - 20 : recorded);
        ck_assert_mem_eq(parsed.payload, plain + AT_UDP, parsed.recorded);
    }
}
END_TEST

/* The headers of IPv6, `count` extensions of `size` octets each; `next`: what the last names. */
static size_t put_ip6(uint8_t *to, const uint8_t *kinds, unsigned count, size_t size, uint8_t next)
{
    memset(to, 0, 40 + count * size);
    to[0] = 0x60;
    put16(to + 4, (unsigned)(count * size + plain_length - AT_UDP));
    to[6] = count > 0 ? kinds[0] : next;
    for (uint8_t i = 8; i < 40; i++)
        to[i] = (uint8_t)(5 * i);
    for (unsigned i = 0; i < count; i++) {
        to[40 + i * size] = i + 1 < count ? kinds[i + 1] : next;
        to[41 + i * size] = (uint8_t)(size / 8 - 1);
    }
    return 40 + count * size;
}

/* Hop-by-hop options, a routing header and destination options are passed over, and nothing else.
 */
START_TEST(ip6_next_headers)
{
    for (unsigned next = 0; next < 256; next++) {
        uint8_t header[40 + 8], kind = (uint8_t)next;
        bool passed = next == 0 || next == 43 || next == 60;
        put_before(header, put_ip6(header, &kind, 1, 8, 17), AT_UDP);
        expect_kind(parse(DLT_RAW), passed ? PACKET_ROCE : kind_after_ip(next), next);
    }
}
END_TEST

/* Up to eight of any length, wherever the frame is cut; the packet's length counts them. */
START_TEST(ip6_extensions)
{
    static const uint8_t kinds[9] = {0, 60, 43, 60, 0, 43, 60, 0, 60};
    size_t size = 8u << _i % 3;
    for (unsigned count = 0; count <= 9; count++) {
        uint8_t header[40 + 9 * 32];
        size_t headers = put_ip6(header, kinds, count, size, 17);
        put_before(header, headers, AT_UDP);
        for (size_t kept = 0; kept < headers; kept++) {
            bool too_many = count > 8 && kept >= 40 + 8 * size;
            expect_kind(parse_cut(DLT_RAW, kept), too_many ? PACKET_OTHER : PACKET_CUT,
                        (unsigned)kept);
        }
        length += 7; /* padding of the layer below */
        if (count > 8)
            expect_kind(parse(DLT_RAW), PACKET_OTHER, count);
        else
            expect_send(DLT_RAW, count);
        ck_assert_mem_eq(parsed.source.octets, header + 8, 16);
        ck_assert_mem_eq(parsed.destination.octets, header + 24, 16);
    }
}
END_TEST

/* ---- UDP, and the InfiniBand headers in it ---- */

START_TEST(ports)
{
    for (unsigned to = 0; to < 0x10000; to++) {
        put16(whole + AT_UDP + 2, to);
        /* VXLAN: a Send's opcode has not the bit of a valid network. */
        expect_kind(parse(DLT_EN10MB), to == 4791 ? PACKET_ROCE : PACKET_OTHER, to);
    }
}
END_TEST

/* The least is the base transport header, padding and check sum; the most is what IP carries.
 * Where it is cut, less than the least is bad all the same. */
START_TEST(udp_lengths)
{
    for (unsigned pad = 0; pad < 4; pad++)
        for (unsigned udp = 0; udp <= plain_length - AT_UDP + 1; udp++) {
            size_t least = 8 + BASE + pad + CHECK_SUM;
            bool bad = udp < least || udp > plain_length - AT_UDP;
            put16(whole + AT_UDP + 4, udp);
            whole[AT_BASE + 1] = (uint8_t)(0xc0 | pad << 4);
            whole[AT_BASE + 1] &= (uint8_t)(pad << 4 | 0xcf);
            expect_kind(parse(DLT_EN10MB), bad ? PACKET_BAD : PACKET_ROCE, udp);
            if (!bad) {
                ck_assert_uint_eq(parsed.total, udp - least);
                ck_assert_uint_eq(parsed.recorded, udp - least);
            }
            for (size_t kept = AT_BASE; kept < AT_BASE + BASE && udp >= 8; kept++) {
                bad = udp < 8 + BASE + CHECK_SUM || udp > plain_length - AT_UDP;
                expect_kind(parse_cut(DLT_EN10MB, kept), bad ? PACKET_BAD : PACKET_CUT, udp);
            }
        }
}
END_TEST

/* ---- tunnels ---- */

/* As many layers as there may be after the link: each tag is one, as are the last EtherType, IP,
 * UDP and the transport. */
START_TEST(tags)
{
    for (unsigned count = 0; count < 14; count++) {
        uint8_t headers[14 * 4] = {0};
        for (unsigned i = 0; i < count; i++)
            put16(headers + 4 * i + 2, i + 1 < count ? 0x8100 : 0x0800);
        put_type(count > 0 ? 0x8100 : 0x0800, headers, 4 * count, AT_IP);
        expect_kind(parse(DLT_EN10MB), count + 4 <= 16 ? PACKET_ROCE : PACKET_OTHER, count);
    }
}
END_TEST

/* After the last label the first octet tells: IP, a control word before Ethernet, or Ethernet. */
START_TEST(labels)
{
    for (unsigned first = 0; first < 256; first++) {
        uint8_t headers[4 + 40 + 14] = {0, 1, 1, 9};
        size_t size = 4;
        if (first >> 4 == 4 || first >> 4 == 6) {
            size += first >> 4 == 6 ? put_ip6(headers + 4, NULL, 0, 0, 17) : 0;
            put_type(0x8847, headers, size, first >> 4 == 6 ? AT_UDP : AT_IP);
            if (first == 0x45 || first >> 4 == 6) {
                whole[14 + 4] = (uint8_t)first;
                expect_send(DLT_EN10MB, first);
            }
            continue;
        }
        size += first >> 4 == 0 ? 4 : 0;
        put_type(0x8847, headers, size, AT_ETHERNET);
        whole[14 + 4] = (uint8_t)first;
        expect_send(DLT_EN10MB, first);
    }
}
END_TEST

/* PPP carries IP under two numbers, and tells how long it is. */
START_TEST(ppp_protocols)
{
    uint8_t header[8] = {0x11};
    put16(header + 4, (unsigned)(2 + plain_length - AT_IP));
    put_type(0x8864, header, sizeof header, AT_IP);
    length += 5;
    for (unsigned protocol = 0; protocol < 0x10000; protocol++) {
        put16(whole + 14 + 6, protocol);
        if (protocol == 0x21 || protocol == 0x57)
            expect_send(DLT_EN10MB, protocol);
        else
            expect_kind(parse(DLT_EN10MB), PACKET_OTHER, protocol);
    }
    put16(whole + 14 + 6, 0x21);
    put16(whole + 14 + 4, (unsigned)(1 + plain_length - AT_IP - CHECK_SUM)); /* less than IP's */
    expect_kind(parse(DLT_EN10MB), PACKET_ROCE, 0);
    ck_assert_uint_eq(parsed.total, PAYLOAD);
    ck_assert_uint_eq(parsed.recorded, PAYLOAD - 1);
    put16(whole + 14 + 4, 2 + 20); /* the IP header, and nothing of what it carries */
    expect_kind(parse(DLT_EN10MB), PACKET_CUT, 0);
}
END_TEST

/* Three of the flags of GRE stand for four octets each; routing and other versions are not known.
 */
START_TEST(gre_flags)
{
    for (unsigned flags = 0; flags < 0x10000; flags++) {
        uint8_t headers[AT_UDP + 4 + 12] = {0};
        size_t fields = 4 * ((flags >> 15) + (flags >> 13 & 1) + (flags >> 12 & 1));
        memcpy(headers, plain, AT_UDP);
        headers[AT_IP + 9] = 47;
        put16(put16(headers + AT_UDP, flags), 0x0800);
        put_before(headers, AT_UDP + 4 + fields, AT_IP);
        put16(whole + AT_IP + 2, (unsigned)(length - AT_IP));
        if (flags & 0x4007)
            expect_kind(parse(DLT_EN10MB), PACKET_OTHER, flags);
        else
            expect_send(DLT_EN10MB, flags);
    }
}
END_TEST

/* ERSPAN of type III: what it carries, whatever else its header says; an optional part. */
START_TEST(erspan3)
{
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        uint8_t headers[AT_UDP + 8 + 12 + 8] = {0};
        unsigned carried = bits >> 10 & 31;
        memcpy(headers, plain, AT_UDP);
        headers[AT_IP + 9] = 47;
        put16(put16(headers + AT_UDP, 0x1000), 0x22eb);
        put16(headers + AT_UDP + 8 + 10, bits);
        put_before(headers, AT_UDP + 8 + (bits & 1 ? 20 : 12), carried == 2 ? AT_IP : AT_ETHERNET);
        put16(whole + AT_IP + 2, (unsigned)(length - AT_IP));
        if (carried == 0 || carried == 2)
            expect_send(DLT_EN10MB, bits);
        else
            expect_kind(parse(DLT_EN10MB), PACKET_OTHER, bits);
    }
}
END_TEST

/* VXLAN: one flag says that there is a network. */
START_TEST(vxlan_flags)
{
    uint8_t headers[AT_BASE + 8] = {0};
    memcpy(headers, plain, AT_BASE);
    put16(headers + AT_UDP + 2, 4789);
    put_before(headers, sizeof headers, AT_ETHERNET);
    put16(whole + AT_IP + 2, (unsigned)(length - AT_IP));
    put16(whole + AT_UDP + 4, (unsigned)(length - AT_UDP));
    for (unsigned flags = 0; flags < 256; flags++) {
        whole[AT_BASE] = (uint8_t)flags;
        expect_kind(parse(DLT_EN10MB), flags & 8 ? PACKET_ROCE : PACKET_OTHER, flags);
    }
    for (unsigned udp = 0; udp < 8 + 8; udp++) { /* too short for it */
        put16(whole + AT_UDP + 4, udp);
        expect_kind(parse(DLT_EN10MB), udp < 8 ? PACKET_OTHER : PACKET_CUT, udp);
    }
}
END_TEST

/* ---- headers that lead nowhere ---- */

#define MACS 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define IP4(protocol) 0x45, 0, 0, 80, 0, 0, 0, 0, 64, protocol, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8

/* Frames without RDMA: that is known as soon as the last header is there, and not an octet sooner.
 */
static const struct {
    const char *name;
    int link;
    size_t known; /* octets */
    uint8_t octets[100];
} nowhere[] = {
    {"Ethernet", DLT_EN10MB, 14, {MACS, 9}},
    {"Linux", DLT_LINUX_SLL, 16, {[14] = 9}},
    {"Linux, 2", DLT_LINUX_SLL2, 20, {9}},
    {"no IP", DLT_RAW, 1, {0x55}},
    {"no IP after 4 octets", DLT_NULL, 5, {2, 0, 0, 0, 0x35}},
    {"Endace", DLT_ERF, 16, {[8] = 3}},
    {"Endace, extended", DLT_ERF, 32, {[8] = 0x83, [16] = 0x80}},
    {"local route", DLT_INFINIBAND, 8, {0, 1}},
    {"global route", DLT_EN10MB, 54, {MACS, 0x89, 0x15}},
    {"tag", DLT_EN10MB, 18, {MACS, 0x81, 0, 0, 5, 9, 0}},
    {"PPPoE", DLT_EN10MB, 22, {MACS, 0x88, 0x64, 0x11, 0, 0, 1, 0, 60, 0, 0x23}},
    {"IPv4", DLT_RAW, 20, {IP4(1)}},
    {"IPv6", DLT_RAW, 40, {0x60, 0, 0, 0, 0, 60, 59}},
    {"IPv6, extended", DLT_RAW, 56, {0x60, 0, 0, 0, 0, 60, 0, [40] = 59, 1}},
    {"UDP", DLT_RAW, 28, {IP4(17), 0, 1, 0, 2, 0, 60}},
    {"GRE", DLT_RAW, 24, {IP4(47), 0, 0, 9}},
    {"GRE, routing", DLT_RAW, 24, {IP4(47), 0x40}},
    {"GRE, all fields", DLT_RAW, 36, {IP4(47), 0xb0, 0, 9}},
    {"ERSPAN", DLT_RAW, 40, {IP4(47), 0x10, 0, 0x22, 0xeb, [38] = 4}},
    {"ERSPAN, optional part", DLT_RAW, 48, {IP4(47), 0x10, 0, 0x22, 0xeb, [38] = 4, 1}},
    {"VXLAN", DLT_RAW, 36, {IP4(17), 0, 1, 0x12, 0xb5, 0, 60}},
};

START_TEST(leads_nowhere)
{
    length = sizeof nowhere[_i].octets;
    memcpy(whole, nowhere[_i].octets, length);
    for (size_t kept = 0; kept <= length; kept++)
        ck_assert_msg(parse_cut(nowhere[_i].link, kept) ==
                          (kept < nowhere[_i].known ? PACKET_CUT : PACKET_OTHER),
                      "%s, %zu octets", nowhere[_i].name, kept);
}
END_TEST

/* ---- addresses ---- */

/* An address is an IPv4 one, or a local identifier, by all octets before it. */
START_TEST(addresses)
{
    struct address address = {{0}};
    char text[ADDRESS_TEXT];
    memset(address.octets + 10, _i == 0 ? 0xff : 0xfe, 2);
    memcpy(address.octets + 12, _i == 0 ? "\xc0\x00\x02\xff" : "\0\0\xff\xfe", 4);
    address_text(&address, text);
    ck_assert_str_eq(text, _i == 0 ? "192.0.2.255" : "lid65534");
    for (int i = 0; i < (_i == 0 ? 12 : 14); i++) {
        struct address other = address;
        other.octets[i] ^= 1;
        ck_assert(!address_equal(&address, &other));
        address_text(&other, text);
        ck_assert_msg(text[0] == '[' && text[strlen(text) - 1] == ']', "%d: %s", i, text);
    }
    memset(address.octets, 0x77, sizeof address.octets);
    address_text(&address, text);
    ck_assert_str_eq(text, "[7777:7777:7777:7777:7777:7777:7777:7777]");
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("layers");
    tcase_add_checked_fixture(tests, begin, NULL);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, link_types);
    tcase_add_loop_test(tests, ether_types, 0, 3);
    tcase_add_test(tests, records);
    tcase_add_test(tests, extended_records);
    tcase_add_test(tests, local_routes);
    tcase_add_test(tests, global_routes);
    tcase_add_test(tests, protocols);
    tcase_add_test(tests, ip4_headers);
    tcase_add_test(tests, ip4_fragments);
    tcase_add_test(tests, ip4_lengths);
    tcase_add_test(tests, ip6_next_headers);
    tcase_add_loop_test(tests, ip6_extensions, 0, 3);
    tcase_add_test(tests, ports);
    tcase_add_test(tests, udp_lengths);
    tcase_add_test(tests, tags);
    tcase_add_test(tests, labels);
    tcase_add_test(tests, ppp_protocols);
    tcase_add_test(tests, gre_flags);
    tcase_add_test(tests, erspan3);
    tcase_add_test(tests, vxlan_flags);
    tcase_add_loop_test(tests, leads_nowhere, 0, (int)COUNT(nowhere));
    tcase_add_loop_test(tests, addresses, 0, 2);
    return run_tests("layers of a frame", tests);
}
