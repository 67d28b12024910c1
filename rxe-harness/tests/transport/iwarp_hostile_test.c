// SPDX-License-Identifier: BSD-3-Clause
/* Peers of an iWARP link that do what they must not, octet by octet: each ends by the Terminate
 * that names it, and touches nothing. */
#include "rxe-harness/transport/iwarp/iwarp.h"

#include "rxe-harness/tests/support/links/link_stage.h"
#include "rxe-harness/transport/iwarp/fpdu.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <arpa/inet.h>
#include <check.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PORT 21064
#define HERE "127.0.0.1:21064"
#define REQUEST 20 /* octets of a request of MPA without private data */

static int peer;

static int reach(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    const struct timeval time = {.tv_sec = 5};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(connect(fd, (const struct sockaddr *)&address, sizeof address), 0);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    return fd;
}

static void take(uint8_t *octets, size_t length)
{
    ck_assert_int_eq(recv(peer, octets, length, MSG_WAITALL), (ssize_t)length);
}

/* A link whose client is this test, by revision 1. */
static void meet(bool crc)
{
    static const uint8_t request[REQUEST + 1] = "MPA ID Req Frame\0\1\0\0";
    uint8_t reply[REQUEST + 4];
    pthread_t thread;
    iwarp_set(&(const struct iwarp_wishes){.revision = 2, .crc = crc});
    open_transports(HERE);
    pthread_create(&thread, NULL, accept_one, NULL);
    peer = reach();
    ck_assert_int_eq(send(peer, request, REQUEST, 0), REQUEST);
    take(reply, sizeof reply);
    pthread_join(thread, NULL);
    ck_assert_ptr_nonnull(server);
    ck_assert_mem_eq(reply, "MPA ID Rep Frame", 16);
    ck_assert_uint_eq(reply[16], crc ? 0x40 : 0);
    ck_assert_uint_eq(reply[17], 1);
    ck_assert_mem_eq(reply + REQUEST, "ello", 4);
}

/* ---- what it sends ---- */

enum { NOBODYS, OURS }; /* handles */
enum { SEND = 0x43, INVALIDATE = 0x44, WRITE = 0x40, READ = 0x41, RESPONSE = 0x42 };
enum { TAGGED = 0xc1, UNTAGGED = 0x41 };

static const struct wrong {
    const char *what;
    uint8_t ddp, rdmap;
    unsigned handle, access;
    uint32_t queue, number, at; /* at: also in the memory */
    size_t payload;
    uint16_t reason; /* RFC 5040, 4.8; RFC 5041, 8.2 */
} wrongs[] = {
    {"Write, no handle", TAGGED, WRITE, NOBODYS, LINK_PEER_WRITES, .payload = 8, .reason = 0x1100},
    {"Write, beyond", TAGGED, WRITE, OURS, LINK_PEER_WRITES, .at = 1, .payload = 8,
     .reason = 0x1101},
    {"Write, not allowed", TAGGED, WRITE, OURS, LINK_PEER_READS, .payload = 8, .reason = 0x0102},
    {"a response to nothing", TAGGED, RESPONSE, OURS, LINK_PEER_WRITES, .payload = 8,
     .reason = 0x1100},
    {"DDP 2, tagged", 0xc2, WRITE, OURS, LINK_PEER_WRITES, .payload = 8, .reason = 0x1104},
    {"DDP 2, untagged", 0x42, SEND, .number = 1, .payload = 8, .reason = 0x1206},
    {"RDMAP 0", UNTAGGED, 0x03, .number = 1, .payload = 8, .reason = 0x0205},
    {"operation 8", UNTAGGED, 0x48, .number = 1, .payload = 8, .reason = 0x0206},
    {"queue 3", UNTAGGED, SEND, .queue = 3, .number = 1, .payload = 8, .reason = 0x1201},
    {"a Send in queue 1", UNTAGGED, SEND, .queue = 1, .number = 1, .payload = 8, .reason = 0x0206},
    {"number 2", UNTAGGED, SEND, .number = 2, .payload = 8, .reason = 0x1203},
    {"offset 4", UNTAGGED, SEND, .number = 1, .at = 4, .payload = 8, .reason = 0x1204},
    {"too long", UNTAGGED, SEND, .number = 1, .payload = LINK_RECEIVE + 1, .reason = 0x1205},
    {"nothing to invalidate", UNTAGGED, INVALIDATE, .number = 1, .payload = 8, .reason = 0x0209},
    {"Read, no handle", UNTAGGED, READ, NOBODYS, LINK_PEER_READS, 1, 1, 0, 28, 0x0100},
    {"Read, beyond", UNTAGGED, READ, OURS, LINK_PEER_READS, 1, 1, 1, 28, 0x0101},
    {"Read, not allowed", UNTAGGED, READ, OURS, LINK_PEER_WRITES, 1, 1, 0, 28, 0x0102},
    {"Read request, short", UNTAGGED, READ, OURS, LINK_PEER_READS, 1, 1, 0, 27, 0x1204},
    {"Read request, long", UNTAGGED, READ, OURS, LINK_PEER_READS, 1, 1, 0, 29, 0x1205},
    {"Read request, number 2", UNTAGGED, READ, OURS, LINK_PEER_READS, 1, 2, 0, 28, 0x1203},
};

static void put_header(struct fpdu_out *out, const struct wrong *wrong,
                       const struct link_memory *memory)
{
    uint32_t handle = memory->handle + (wrong->handle == NOBODYS);
    bool tagged = wrong->ddp & 0x80;
    fpdu_begin(out, (tagged ? 14 : 18) + wrong->payload);
    fpdu_put_number(out, 1, wrong->ddp);
    fpdu_put_number(out, 1, wrong->rdmap);
    fpdu_put_number(out, 4, tagged || wrong->rdmap == INVALIDATE ? handle : 0);
    if (tagged) {
        fpdu_put_number(out, 8, memory->offset + wrong->at);
    } else {
        fpdu_put_number(out, 4, wrong->queue);
        fpdu_put_number(out, 4, wrong->number);
        fpdu_put_number(out, 4, wrong->rdmap == READ ? 0 : wrong->at);
    }
}

static void put_wrong(struct fpdu_out *out, const struct wrong *wrong,
                      const struct link_memory *memory)
{
    static const uint8_t payload[LINK_RECEIVE + 1] = {0xee};
    uint8_t read[32] = {[15] = 8};
    const uint32_t words[] = {htonl(memory->handle + (wrong->handle == NOBODYS)),
                              htonl((uint32_t)((memory->offset + wrong->at) >> 32)),
                              htonl((uint32_t)(memory->offset + wrong->at))};
    memcpy(read + 16, words, sizeof words);
    put_header(out, wrong, memory);
    fpdu_put(out, wrong->rdmap == READ ? read : payload, wrong->payload);
    fpdu_end(out);
}

/* The Terminate that comes has this reason; with the wrong headers if they are DDP's at all. */
static void expect_terminate(uint16_t reason, const uint8_t *ulpdu)
{
    uint8_t header[2 + 18 + 4], rest[128];
    take(header, sizeof header);
    size_t length = (size_t)header[0] << 8 | header[1];
    ck_assert_uint_le(length, sizeof rest);
    take(rest, (2 + length + 3) / 4 * 4 + 4 - sizeof header);
    ck_assert_uint_eq(header[2], 0x41);
    ck_assert_uint_eq(header[3], 0x47);
    ck_assert_uint_eq(header[11], 2); /* the queue */
    ck_assert_uint_eq(header[15], 1); /* the first there */
    ck_assert_uint_eq((unsigned)header[20] << 8 | header[21], reason);
    if (header[22] & 0x40) { /* DDP's header; RDMAP's, if it has more (RFC 5040, 4.8) */
        size_t copied = length - 18 - 4 - 2, ddp = ulpdu[0] & 0x80 ? 14 : 18;
        ck_assert_uint_eq(header[22] & 0x80, 0x80);
        ck_assert_uint_eq(copied, ddp + (header[22] & 0x20 ? 28 : 0));
        ck_assert_mem_eq(rest + 2, ulpdu, copied);
    }
    ck_assert_int_eq(recv(peer, rest, 1, 0), 0); /* and the connection ends */
}

static void expect_end(void)
{
    ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    close(peer);
    close_all();
}

START_TEST(what_is_wrong_is_named)
{
    const struct wrong *wrong = &wrongs[_i];
    uint8_t octets[24] = {0};
    static const uint8_t untouched[24];
    struct link_memory memory = {.octets = octets + 8, .length = 8};
    struct fpdu_out *out = calloc(1, sizeof *out);
    meet(false);
    ck_assert(server->ops->expose(server, &memory, wrong->access));
    put_wrong(out, wrong, &memory);
    ck_assert_int_eq(send(peer, out->octets, out->to, 0), (ssize_t)out->to);
    expect_terminate(wrong->reason, out->octets + 2);
    ck_assert_mem_eq(octets, untouched, sizeof octets);
    server->ops->hide(server, &memory);
    expect_end();
    free(out);
}
END_TEST

/* The least ULPDU, an FPDU of nothing, and one whose check sum is wrong. */
START_TEST(a_frame_that_is_wrong)
{
    static const uint8_t one[8] = {0, 1, 0x41}, none[8] = {0, 0};
    meet(_i == 2);
    ck_assert_int_eq(send(peer, _i == 0 ? one : none, 8, 0), 8);
    expect_terminate(_i == 2 ? 0x2002 : 0x0206, NULL);
    expect_end();
}
END_TEST

/* More RDMA Reads than are served at once, none of whose responses is taken. */
START_TEST(endless_reads_end)
{
    static uint8_t octets[1 << 20];
    struct link_memory memory = {.octets = octets, .length = sizeof octets};
    struct fpdu_out *out = calloc(1, sizeof *out);
    meet(false);
    ck_assert(server->ops->expose(server, &memory, LINK_PEER_READS));
    for (uint32_t number = 1; number <= 1000; number++) {
        const uint32_t request[7] = {htonl(1),
                                     0,
                                     0,
                                     htonl(sizeof octets),
                                     htonl(memory.handle),
                                     htonl((uint32_t)(memory.offset >> 32)),
                                     htonl((uint32_t)memory.offset)};
        const struct wrong read = {"", UNTAGGED, READ, OURS, 0, 1, number, 0, sizeof request, 0};
        put_header(out, &read, &memory);
        fpdu_put(out, request, sizeof request);
        fpdu_end(out);
    }
    send(peer, out->octets, out->to, MSG_NOSIGNAL);
    ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    ck_assert_ptr_nonnull(strstr(server->why, "more RDMA Reads at once"));
    server->ops->hide(server, &memory);
    close(peer);
    close_all();
    free(out);
}
END_TEST

/* Who is silent, or speaks something else, keeps nobody waiting. */
START_TEST(silent_peers_wait_alone)
{
    enum { SILENT = 40 };
    int silent[SILENT];
    pthread_t thread;
    struct link_options ask = link_stage_options(hello, 5);
    iwarp_set(&(const struct iwarp_wishes){.revision = 2, .crc = true});
    open_transports(HERE);
    pthread_create(&thread, NULL, accept_one, NULL);
    for (int i = 0; i < SILENT; i++) {
        silent[i] = reach();
        if (i % 2 == 0)
            send(silent[i],
                 i % 4 == 0 ? "GET / HTTP/1.1\r\n\r\n\r\n" : "MPA ID Req Frame\0\1\377\377", 20,
                 MSG_NOSIGNAL);
    }
    client = caller->ops->connect(caller, &ask);
    pthread_join(thread, NULL);
    ck_assert_msg(client && server, "%s%s", caller->error, listener->error);
    send_and_compare(5);
    for (int i = 0; i < SILENT; i++)
        close(silent[i]);
    close_all();
}
END_TEST

/* ---- one that is called ---- */

/* It ends a connection that begins by revision 2, and answers one by revision 1. */
static void *answer_by_one(void *arg)
{
    static const uint8_t reply[REQUEST + 1] = "MPA ID Rep Frame\0\1\0\0";
    int listens = *(const int *)arg;
    for (unsigned revision = 2; revision > 0; revision--) {
        uint8_t request[REQUEST];
        int fd = accept(listens, NULL, NULL);
        ck_assert_int_eq(recv(fd, request, sizeof request, MSG_WAITALL), REQUEST);
        ck_assert_uint_eq(request[17], revision);
        if (revision == 1) {
            uint8_t rest[5];
            recv(fd, rest, sizeof rest, MSG_WAITALL);
            send(fd, reply, REQUEST, 0);
            recv(fd, rest, 1, 0); /* until it ends */
        } else {
            shutdown(fd, SHUT_WR);
            poll(NULL, 0, 50);
        }
        close(fd);
    }
    return NULL;
}

START_TEST(an_older_revision_is_tried)
{
    char error[256];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    struct link_options ask = link_stage_options(hello, 5);
    int yes = 1, listens = socket(AF_INET, SOCK_STREAM, 0);
    pthread_t thread;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(listens, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    ck_assert_int_eq(bind(listens, (const struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(listens, 4), 0);
    pthread_create(&thread, NULL, answer_by_one, &listens);
    iwarp_set(&(const struct iwarp_wishes){.revision = 2, .crc = false});
    struct transport *transport = transport_iwarp(HERE, false, error, sizeof error);
    client = transport->ops->connect(transport, &ask);
    ck_assert_msg(client != NULL, "%s", transport->error);
    client->ops->close(client);
    client = NULL;
    pthread_join(thread, NULL);
    close(listens);
    ask.timeout = 300;
    ck_assert_ptr_null(transport->ops->connect(transport, &ask));
    ck_assert_str_eq(transport->error, "cannot connect: Connection refused");
    transport->ops->close(transport);
}
END_TEST

int main(void)
{
    link_stage_opens = transport_iwarp;
    TCase *test = tcase_create("hostile");
    tcase_set_timeout(test, 60);
    tcase_add_loop_test(test, what_is_wrong_is_named, 0, COUNT(wrongs));
    tcase_add_loop_test(test, a_frame_that_is_wrong, 0, 3);
    tcase_add_test(test, endless_reads_end);
    tcase_add_test(test, silent_peers_wait_alone);
    tcase_add_test(test, an_older_revision_is_tried);
    return run_tests("hostile peers of iWARP in user space", test);
}
