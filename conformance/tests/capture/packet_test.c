// SPDX-License-Identifier: BSD-3-Clause
/* One frame: each opcode after each link and tunnel, whole and cut at every octet. */
#include "conformance/tests/support/captures/guarded.h"
#include "conformance/tests/support/captures/seen.h"
#include "conformance/base/count.h"

#include <pcap/dlt.h>

#define PAYLOAD 40

/* Nothing past the prefix can be read. */
static enum packet_kind parse_prefix(int link_type, const uint8_t *frame, size_t kept,
                                     size_t length, struct packet *parsed)
{
    enum packet_kind kind = packet_parse(link_type, guarded(frame, kept), kept, length, parsed);
    if (kind == PACKET_ROCE)
        ck_assert_int_eq(memcmp(parsed->payload, octets, parsed->recorded), 0);
    return kind;
}

/* ---- opcodes ---- */

static const struct opcode_row {
    uint8_t opcode;
    size_t extended;       /* octets of the extended headers */
    int handle_at, length; /* offset of the handle in these, or -1; whether there is a length */
} opcodes[] = {
    {OP_SEND_FIRST, 0, -1, 0},          {OP_SEND_MIDDLE, 0, -1, 0},
    {OP_SEND_LAST, 0, -1, 0},           {OP_SEND_LAST_IMMEDIATE, 4, -1, 0},
    {OP_SEND_ONLY, 0, -1, 0},           {OP_SEND_ONLY_IMMEDIATE, 4, -1, 0},
    {OP_WRITE_FIRST, 16, 8, 1},         {OP_WRITE_MIDDLE, 0, -1, 0},
    {OP_WRITE_LAST, 0, -1, 0},          {OP_WRITE_LAST_IMMEDIATE, 4, -1, 0},
    {OP_WRITE_ONLY, 16, 8, 1},          {OP_WRITE_ONLY_IMMEDIATE, 20, 8, 1},
    {OP_READ_REQUEST, 16, 8, 1},        {OP_READ_FIRST, 4, -1, 0},
    {OP_READ_MIDDLE, 0, -1, 0},         {OP_READ_LAST, 4, -1, 0},
    {OP_READ_ONLY, 4, -1, 0},           {OP_ACKNOWLEDGE, 4, -1, 0},
    {OP_ATOMIC_ACKNOWLEDGE, 4, -1, 0},  {OP_COMPARE_SWAP, 28, 8, 0},
    {OP_FETCH_ADD, 28, 8, 0},           {OP_SEND_LAST_INVALIDATE, 4, 0, 0},
    {OP_SEND_ONLY_INVALIDATE, 4, 0, 0}, {OP_DATAGRAM, 0, -1, 0},
};

static void assert_fields(const struct opcode_row *row, const struct packet *parsed)
{
    ck_assert_uint_eq(parsed->opcode, row->opcode);
    ck_assert_uint_eq(parsed->queue_pair, 0x12);
    ck_assert_uint_eq(parsed->psn, 1000);
    ck_assert_uint_eq(parsed->total, PAYLOAD);
    ck_assert_uint_eq(parsed->handle, row->handle_at == 8   ? 0x08090a0b
                                      : row->handle_at == 0 ? 0x00010203u
                                                            : 0);
    ck_assert_uint_eq(parsed->offset, row->handle_at == 8 ? UINT64_C(0x0001020304050607) : 0);
    ck_assert_uint_eq(parsed->length, row->length ? 0x0c0d0e0f : 0);
    ck_assert_uint_eq(parsed->syndrome, 0); /* the first octet */
}

START_TEST(each_opcode)
{
    const struct opcode_row *row = &opcodes[_i];
    uint8_t extended[28], whole[FRAME_MAX];
    struct packet parsed;
    size_t base = 14 + 20 + 8, headers = base + 12 + row->extended;
    for (size_t i = 0; i < sizeof extended; i++)
        extended[i] = (uint8_t)i;
    packet(CLIENT, row->opcode, 0x12, 1000, extended, row->extended, octets, PAYLOAD);
    size_t length = latest_frame(whole);
    ck_assert_uint_eq(length, headers + PAYLOAD + 4);
    for (size_t kept = 0; kept <= length; kept++) {
        enum packet_kind kind = parse_prefix(DLT_EN10MB, whole, kept, length, &parsed);
        enum packet_kind expected = kept < base + 12 ? PACKET_CUT
                                    : kept < headers ? PACKET_BAD
                                                     : PACKET_ROCE;
        ck_assert_msg(kind == expected, "%zu of %zu octets: %d", kept, length, (int)kind);
        if (kind != PACKET_ROCE)
            continue;
        assert_fields(row, &parsed);
        ck_assert_uint_eq(parsed.recorded, kept < headers + PAYLOAD ? kept - headers : PAYLOAD);
    }
}
END_TEST

/* All others have no extended headers: what follows is payload. */
START_TEST(other_opcodes)
{
    static const struct opcode_row none = {.handle_at = -1};
    uint8_t whole[FRAME_MAX];
    struct packet parsed;
    request(CLIENT, OP_SEND_ONLY, 1000, octets, PAYLOAD);
    size_t length = latest_frame(whole);
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        struct opcode_row row = none;
        row.opcode = (uint8_t)opcode;
        bool known = false;
        for (size_t i = 0; i < COUNT(opcodes); i++)
            known = known || opcodes[i].opcode == opcode;
        if (known)
            continue;
        whole[14 + 20 + 8] = row.opcode;
        ck_assert_int_eq(parse_prefix(DLT_EN10MB, whole, length, length, &parsed), PACKET_ROCE);
        assert_fields(&row, &parsed);
    }
}
END_TEST

/* ---- links and tunnels ---- */

#define UDP_BEFORE(port) 0xc3, 0x50, (port) >> 8, (port)&0xff
#define IP4_BEFORE(protocol)                                                                       \
    0x45, 0, 0, 0, 0, 0, 0, 0, 64, protocol, 0, 0, 198, 51, 100, 1, 198, 51, 100, 2
#define MAC_BEFORE 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
#define ETHERNET_BEFORE MAC_BEFORE, 8, 0

/* What comes before the IP header of a packet. */
static const struct prefix_row {
    const char *name;
    int link_type;
    size_t length;
    uint8_t octets[96];
    size_t ip_at;  /* where an outer IP header is that needs its length; 0 for none */
    size_t udp_at; /* and of UDP */
} prefixes[] = {
    {"ethernet", DLT_EN10MB, 14, {ETHERNET_BEFORE}, 0, 0},
    {"vlan", DLT_EN10MB, 18, {MAC_BEFORE, 0x81, 0, 0, 5, 8, 0}, 0, 0},
    {"sll", DLT_LINUX_SLL, 16, {[14] = 8}, 0, 0},
    {"sll2", DLT_LINUX_SLL2, 20, {[0] = 8}, 0, 0},
    {"null", DLT_NULL, 4, {2}, 0, 0},
    {"loop", DLT_LOOP, 4, {[3] = 2}, 0, 0},
    {"raw", DLT_RAW, 0, {0}, 0, 0},
    {"erf", DLT_ERF, 32, {[8] = 2, [30] = 8}, 0, 0},
    {"erf, extended", DLT_ERF, 48, {[8] = 0x82, [16] = 0x80, [46] = 8}, 0, 0},
    {"erf, color", DLT_ERF, 32, {[8] = 11, [30] = 8}, 0, 0},
    {"erf, hash", DLT_ERF, 32, {[8] = 16, [30] = 8}, 0, 0},
    {"erf, color and hash", DLT_ERF, 32, {[8] = 20, [30] = 8}, 0, 0},
    {"erf, ip 4", DLT_ERF, 16, {[8] = 22}, 0, 0},
    {"erf, ip 6", DLT_ERF, 16, {[8] = 23}, 0, 0},
    {"mpls", DLT_EN10MB, 22, {MAC_BEFORE, 0x88, 0x47, 0, 1, 0, 9, 0, 1, 1, 9}, 0, 0},
    {"pseudowire",
     DLT_EN10MB,
     36,
     {MAC_BEFORE, 0x88, 0x47, 0, 1, 1, 9, 0, 0, 0, 0, ETHERNET_BEFORE},
     0,
     0},
    {"provider's tag", DLT_EN10MB, 22, {MAC_BEFORE, 0x88, 0xa8, 0, 5, 0x81, 0, 0, 6, 8, 0}, 0, 0},
    {"old outer tag", DLT_EN10MB, 22, {MAC_BEFORE, 0x91, 0, 0, 5, 0x81, 0, 0, 6, 8, 0}, 0, 0},
    {"mpls, multicast", DLT_EN10MB, 18, {MAC_BEFORE, 0x88, 0x48, 0, 1, 1, 9}, 0, 0},
    {"pseudowire, no control word",
     DLT_EN10MB,
     32,
     {MAC_BEFORE, 0x88, 0x47, 0, 1, 1, 9, 0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0},
     0,
     0},
    {"pppoe", DLT_EN10MB, 22, {MAC_BEFORE, 0x88, 0x64, 0x11, 0, 0, 1, 0, 0, 0, 0x21}, 0, 0},
    {"ip in ip", DLT_EN10MB, 34, {ETHERNET_BEFORE, IP4_BEFORE(4)}, 14, 0},
    {"ip in ip, the other number", DLT_EN10MB, 34, {ETHERNET_BEFORE, IP4_BEFORE(41)}, 14, 0},
    {"gre, key",
     DLT_EN10MB,
     42,
     {ETHERNET_BEFORE, IP4_BEFORE(47), 0x20, 0, 8, 0, 1, 2, 3, 4},
     14,
     0},
    {"gre, check sum",
     DLT_EN10MB,
     42,
     {ETHERNET_BEFORE, IP4_BEFORE(47), 0x80, 0, 8, 0, 1, 2, 3, 4},
     14,
     0},
    {"gre, sequence number",
     DLT_EN10MB,
     42,
     {ETHERNET_BEFORE, IP4_BEFORE(47), 0x10, 0, 8, 0, 1, 2, 3, 4},
     14,
     0},
    {"gre, bridged",
     DLT_EN10MB,
     52,
     {ETHERNET_BEFORE, IP4_BEFORE(47), 0, 0, 0x65, 0x58, ETHERNET_BEFORE},
     14,
     0},
    {"erspan 3, ip",
     DLT_EN10MB,
     54,
     {ETHERNET_BEFORE,
      IP4_BEFORE(47),
      0x10,
      0,
      0x22,
      0xeb,
      0,
      0,
      0,
      1,
      0x20,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      8,
      0},
     14,
     0},
    {"gre", DLT_EN10MB, 38, {ETHERNET_BEFORE, IP4_BEFORE(47), 0, 0, 8, 0}, 14, 0},
    {"gre, all fields",
     DLT_EN10MB,
     50,
     {ETHERNET_BEFORE, IP4_BEFORE(47), 0xb0, 0, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
     14,
     0},
    {"erspan 1",
     DLT_EN10MB,
     52,
     {ETHERNET_BEFORE, IP4_BEFORE(47), 0, 0, 0x88, 0xbe, ETHERNET_BEFORE},
     14,
     0},
    {"erspan 2",
     DLT_EN10MB,
     64,
     {ETHERNET_BEFORE, IP4_BEFORE(47), 0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, 0x10, 0, 0, 0, 0, 0, 0, 0,
      ETHERNET_BEFORE},
     14,
     0},
    {"erspan 3",
     DLT_EN10MB,
     76,
     {ETHERNET_BEFORE,
      IP4_BEFORE(47),
      0x10,
      0,
      0x22,
      0xeb,
      0,
      0,
      0,
      1,
      0x20,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      ETHERNET_BEFORE},
     14,
     0},
    {"vxlan",
     DLT_EN10MB,
     64,
     {ETHERNET_BEFORE, IP4_BEFORE(17), UDP_BEFORE(4789), 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 5, 0,
      ETHERNET_BEFORE},
     14,
     34},
};

/* A frame with that prefix before a Send of PAYLOAD octets. Returns how long it is. */
static size_t prefixed(const struct prefix_row *row, uint8_t whole[FRAME_MAX])
{
    uint8_t plain[FRAME_MAX];
    request(CLIENT, OP_SEND_ONLY, 1000, octets, PAYLOAD);
    size_t inner = latest_frame(plain) - 14, length = row->length + inner;
    memcpy(whole, row->octets, row->length);
    memcpy(whole + row->length, plain + 14, inner);
    if (row->ip_at)
        put16(whole + row->ip_at + 2, (unsigned)(length - row->ip_at));
    if (row->udp_at)
        put16(whole + row->udp_at + 4, (unsigned)(length - row->udp_at));
    if (load_be16(whole + 12) == 0x8864) /* PPPoE */
        put16(whole + 18, (unsigned)(length - 20));
    return length;
}

START_TEST(each_prefix)
{
    const struct prefix_row *row = &prefixes[_i];
    uint8_t whole[FRAME_MAX];
    struct packet parsed;
    size_t length = prefixed(row, whole);
    ck_assert(packet_link_known(row->link_type));
    for (size_t kept = 0; kept <= length; kept++) {
        enum packet_kind kind = parse_prefix(row->link_type, whole, kept, length, &parsed);
        bool whole_headers = kept >= row->length + 20 + 8 + 12;
        ck_assert_msg(kind == (whole_headers ? PACKET_ROCE : PACKET_CUT), "%s, %zu of %zu: %d",
                      row->name, kept, length, (int)kind);
    }
    ck_assert_uint_eq(parsed.total, PAYLOAD);
    ck_assert_uint_eq(parsed.source.octets[15], 1);
    ck_assert_uint_eq(parsed.source.octets[12], 192);
}
END_TEST

/* The frame goes on behind the packet: padding is no part of it, by the length of any layer. */
START_TEST(each_prefix_padded)
{
    uint8_t whole[FRAME_MAX + 9] = {0};
    struct packet parsed;
    size_t length = prefixed(&prefixes[_i], whole);
    ck_assert_int_eq(packet_parse(prefixes[_i].link_type, whole, length + 9, length + 9, &parsed),
                     PACKET_ROCE);
    ck_assert_uint_eq(parsed.total, PAYLOAD);
    ck_assert_uint_eq(parsed.recorded, PAYLOAD);
}
END_TEST

/* Changes of one octet of a prefix, by which the frame holds no RDMA that could be found. */
START_TEST(other_prefixes)
{
    static const struct {
        const char *name;
        size_t at;
        uint8_t octet;
    } changes[] = {
        {"vlan", 16, 9},         /* EtherType behind the tag */
        {"mpls", 16, 1},         /* bottom of the stack too soon */
        {"pppoe", 21, 0x23},     /* PPP's protocol */
        {"pppoe", 13, 0x63},     /* discovery */
        {"gre", 34, 0x40},       /* routing */
        {"gre", 35, 1},          /* version: PPTP */
        {"gre", 35, 4},          /* another one */
        {"gre", 36, 9},          /* EtherType */
        {"erspan 3, ip", 52, 4}, /* frame type */
        {"erspan 3", 52, 0x7c},  /* likewise */
        {"vxlan", 42, 0},        /* no valid network */
        {"vxlan", 37, 0xb6},     /* port */
        {"vxlan", 39, 7},        /* UDP shorter than its header */
        {"vxlan", 38, 0xff},     /* and longer than IP */
        {"ip in ip", 23, 5},     /* protocol */
        {"sll", 14, 9},          /* EtherType */
        {"erf", 8, 3},           /* type */
    };
    for (size_t i = 0; i < COUNT(changes); i++) {
        uint8_t whole[FRAME_MAX];
        struct packet parsed;
        const struct prefix_row *row = prefixes;
        while (strcmp(row->name, changes[i].name) != 0)
            row++;
        size_t length = prefixed(row, whole);
        whole[changes[i].at] = changes[i].octet;
        enum packet_kind kind = packet_parse(row->link_type, whole, length, length, &parsed);
        ck_assert_msg(kind != PACKET_ROCE && kind != PACKET_CUT, "row %zu: %d", i, (int)kind);
    }
}
END_TEST

/* Local and global routes of InfiniBand, and RoCEv1, which is a global route after Ethernet. */
START_TEST(infiniband)
{
    static const uint8_t local[8] = {0, 2, 0, 9, 0, 0, 0, 7};
    uint8_t whole[FRAME_MAX] = {0}, plain[FRAME_MAX];
    struct packet parsed;
    char text[ADDRESS_TEXT];
    request(CLIENT, OP_SEND_ONLY, 1000, octets, PAYLOAD);
    size_t inner = latest_frame(plain) - 42, before = _i == 0 ? 8 : _i == 1 ? 48 : 54;
    size_t length = before + inner;
    if (_i < 2) {
        memcpy(whole, local, sizeof local);
        whole[1] = (uint8_t)(2 + _i);
        put16(whole + 4, (unsigned)length / 4);
    } else {
        put16(whole + 12, 0x8915);
    }
    if (_i > 0) {
        uint8_t *route = whole + before - 40;
        put16(route + 4, (unsigned)inner);
        route[6] = 0x1b;
        route[23] = 1;
        route[39] = 2;
    }
    memcpy(whole + before, plain + 42, inner);
    for (size_t kept = 0; kept <= length; kept++) {
        enum packet_kind kind =
            parse_prefix(_i < 2 ? DLT_INFINIBAND : DLT_EN10MB, whole, kept, length, &parsed);
        ck_assert_msg(kind == (kept >= before + 12 ? PACKET_ROCE : PACKET_CUT), "%zu: %d", kept,
                      (int)kind);
    }
    ck_assert_uint_eq(parsed.total, PAYLOAD);
    address_text(&parsed.source, text);
    ck_assert_str_eq(text, _i == 0 ? "lid7" : "[::1]");
    address_text(&parsed.destination, text);
    ck_assert_str_eq(text, _i == 0 ? "lid9" : "[::2]");
}
END_TEST

/* Changes of one octet by which a packet is not RDMA any more. */
START_TEST(other_packets)
{
    static const struct {
        int link_type;
        size_t at;
        uint8_t octet;
        enum packet_kind kind;
    } changes[] = {
        {DLT_EN10MB, 12, 0x09, PACKET_OTHER}, /* EtherType */
        {DLT_EN10MB, 14, 0x55, PACKET_OTHER}, /* IP version */
        {DLT_EN10MB, 14, 0x44, PACKET_OTHER}, /* header length */
        {DLT_EN10MB, 17, 19, PACKET_OTHER},   /* total length below the header's */
        {DLT_EN10MB, 20, 0x20, PACKET_OTHER}, /* more fragments */
        {DLT_EN10MB, 21, 1, PACKET_OTHER},    /* a later fragment */
        {DLT_EN10MB, 23, 1, PACKET_OTHER},    /* ICMP */
        {DLT_EN10MB, 23, 6, PACKET_TCP},
        {DLT_EN10MB, 37, 0xb8, PACKET_OTHER},     /* port */
        {DLT_EN10MB, 38, 0xff, PACKET_BAD},       /* UDP longer than IP */
        {DLT_EN10MB, 39, 7, PACKET_BAD},          /* UDP shorter than its header */
        {DLT_EN10MB, 39, 8 + 12 + 3, PACKET_BAD}, /* no room for the check sum */
        {147, 0, 0, PACKET_OTHER},                /* unknown link type */
    };
    uint8_t whole[FRAME_MAX];
    struct packet parsed;
    request(CLIENT, OP_SEND_ONLY, 1000, octets, PAYLOAD);
    size_t length = latest_frame(whole);
    for (size_t i = 0; i < COUNT(changes); i++) {
        uint8_t changed[FRAME_MAX];
        memcpy(changed, whole, length);
        changed[changes[i].at] = changes[i].octet;
        ck_assert_msg(packet_parse(changes[i].link_type, changed, length, length, &parsed) ==
                          changes[i].kind,
                      "row %zu", i);
    }
}
END_TEST

static const struct {
    enum packet_kind kind;
    uint8_t opcode;
    const char *what;
} in_words[] = {
    {PACKET_ROCE, OP_SEND_FIRST, "a packet of a Send"},
    {PACKET_ROCE, OP_SEND_ONLY_IMMEDIATE, "a packet of a Send"},
    {PACKET_ROCE, OP_SEND_LAST_INVALIDATE, "a packet of a Send"},
    {PACKET_ROCE, OP_SEND_ONLY_INVALIDATE, "a packet of a Send"},
    {PACKET_ROCE, OP_WRITE_FIRST, "a packet of an RDMA Write"},
    {PACKET_ROCE, OP_WRITE_ONLY_IMMEDIATE, "a packet of an RDMA Write"},
    {PACKET_ROCE, OP_READ_REQUEST, "the request of an RDMA Read"},
    {PACKET_ROCE, OP_READ_FIRST, "a packet of the response to an RDMA Read"},
    {PACKET_ROCE, OP_READ_ONLY, "a packet of the response to an RDMA Read"},
    {PACKET_ROCE, OP_ACKNOWLEDGE, "an acknowledgement"},
    {PACKET_ROCE, OP_ATOMIC_ACKNOWLEDGE, "an acknowledgement"},
    {PACKET_ROCE, OP_FETCH_ADD, "another RDMA packet"},
    {PACKET_ROCE, OP_DATAGRAM, "a message of connection management"},
    {PACKET_TCP, OP_SEND_FIRST, "a TCP segment"},
    {PACKET_OTHER, OP_SEND_FIRST, "no RDMA packet"},
};

START_TEST(has_words)
{
    const struct packet packet = {.opcode = in_words[_i].opcode};
    ck_assert_str_eq(packet_what(in_words[_i].kind, &packet), in_words[_i].what);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("packets");
    TCase *tests = new_case(suite, "frames");
    tcase_add_loop_test(tests, each_opcode, 0, COUNT(opcodes));
    tcase_add_test(tests, other_opcodes);
    tcase_add_loop_test(tests, has_words, 0, COUNT(in_words));
    tcase_add_loop_test(tests, each_prefix, 0, COUNT(prefixes));
    tcase_add_loop_test(tests, each_prefix_padded, 0, COUNT(prefixes));
    tcase_add_test(tests, other_prefixes);
    tcase_add_loop_test(tests, infiniband, 0, 3);
    tcase_add_test(tests, other_packets);
    return run_suite(suite);
}
