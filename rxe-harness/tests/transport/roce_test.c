// SPDX-License-Identifier: BSD-3-Clause
/* Links over RoCEv2 in user space: two ends in one process, at two addresses of the loopback. */
#define _GNU_SOURCE /* unshare */
#include "rxe-harness/transport/roce/roce.h"

#include "rxe-harness/tests/support/links/link_stage.h"

#include "rxe-harness/transport/roce/frame.h"
#include "rxe-harness/transport/roce/host.h"
#include "conformance/input/frame/icrc.h"
#include "rxe-harness/transport/roce/management.h"
#include "rxe-harness/transport/user/ip.h"
#include "rxe-harness/transport/user/wire.h"

#include "conformance/base/clock.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <arpa/inet.h>
#include <check.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const addresses[] = {"127.0.0.2", "127.0.0.1", "[::1]"};

START_TEST(sends_arrive_whole)
{
    static const size_t lengths[] = {0,    1,    2,    3,    4,    28,   255,
                                     1023, 1024, 1025, 4095, 4096, 4097, LINK_RECEIVE};
    open_links(addresses[_i]);
    for (size_t i = 0; i < COUNT(lengths); i++)
        send_and_compare(lengths[i]);
    ck_assert_mem_eq(client->private_data, "ello", 4);
    ck_assert_mem_eq(server->private_data, "hello", 5);
    close_all();
}
END_TEST

START_TEST(memory_is_read_and_written)
{
    open_links(addresses[_i]);
    move_and_compare();
    ck_assert_uint_eq(link_seen.octets, 2 * LINK_SIZE - 1);
    close_all();
}
END_TEST

#define PARTS 4 /* of a Write, at most */

/* The same where packets get lost, come twice, late or damaged: of both sides, both are in here. */
static const struct wire_faults wires[] = {
    {.rate[WIRE_LOSS] = 50000, .seed = 1},
    {.rate[WIRE_DUPLICATE] = 200000, .seed = 2},
    {.rate[WIRE_REORDER] = 100000, .seed = 3},
    {.rate[WIRE_DAMAGE] = 30000, .seed = 4},
    {.rate = {20000, 20000, 20000, 20000}, .seed = 5},
    {.rate[WIRE_NO_ACK] = 100000, .seed = 6},
    {.rate[WIRE_CUT_READ] = 100000, .seed = 7},
    {.rate[WIRE_NOT_READY] = 300000, .seed = 8},
    {.rate[WIRE_SHUFFLE] = 1000000, .seed = 9},
    {.delay = 500, .seed = 10},
    {.mtu = 256, .seed = 11},
};

static size_t largest; /* packet */

static void look(void *arg, const uint8_t *packet, size_t length)
{
    (void)arg;
    (void)packet;
    largest = length > largest ? length : largest;
}

START_TEST(a_bad_wire_changes_nothing)
{
    enum { SENDS = 7, HEADERS = 20 + 8 + 12 + 16 + 4 }; /* of the first packet of a Write */
    int64_t begin = clock_microseconds();
    wire_set(&wires[_i]);
    largest = 0;
    wire_watch(look, NULL);
    if (wires[_i].rate[WIRE_SHUFFLE] > 0)
        link_stage_writes = PARTS;
    open_links("127.0.0.2");
    for (size_t i = 0; i < SENDS; i++)
        send_and_compare(i * (LINK_RECEIVE / (SENDS - 1)));
    ck_assert(clock_microseconds() - begin >= 2 * SENDS * (int64_t)wires[_i].delay);
    move_and_compare();
    ck_assert_uint_eq(largest, (wires[_i].mtu > 0 ? wires[_i].mtu : ROCE_MTU_MAX) + HEADERS);
    close_all();
    wire_watch(NULL, NULL);
    wire_set(NULL);
}
END_TEST

/* ---- ends ---- */

START_TEST(a_send_invalidates)
{
    open_links("127.0.0.2");
    invalidate_and_compare("remote access error");
}
END_TEST

START_TEST(access_is_checked)
{
    open_links("127.0.0.2");
    access_and_compare(&link_accesses[_i], false);
    close_all();
}
END_TEST

START_TEST(a_send_too_long_ends_the_connection)
{
    static uint8_t octets[LINK_RECEIVE + 1];
    open_links("127.0.0.2");
    ck_assert(!client->ops->send(client, octets, sizeof octets, NULL));
    ck_assert_str_eq(client->why, "remote invalid request error");
    ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    ck_assert_str_eq(server->why, "local length error");
    close_all();
}
END_TEST

START_TEST(a_send_without_a_receive_starves)
{
    open_links("127.0.0.2");
    for (int i = 0; i < LINK_RECEIVES; i++)
        ck_assert(client->ops->send(client, "x", 1, NULL));
    ck_assert(!client->ops->send(client, "x", 1, NULL));
    ck_assert(client->starved);
    ck_assert_str_eq(client->why, "RNR retry counter exceeded");
    for (int i = 0; i < LINK_RECEIVES; i++) /* those that came before are there */
        ck_assert_int_eq(next_event(server, 5000).type, LINK_RECEIVED);
    ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    close_all();
}
END_TEST

/* The first, one in the middle, the last. */
START_TEST(memory_is_hidden_by_itself)
{
    open_links("127.0.0.2");
    hide_and_compare((unsigned)_i / 2, _i % 2 == 1);
}
END_TEST

START_TEST(a_disconnect_is_seen)
{
    open_links("127.0.0.2");
    disconnect_and_compare();
}
END_TEST

START_TEST(a_peer_is_rejected)
{
    reject_and_compare("127.0.0.2",
                       "cannot connect: the peer's consumer rejected the connection (28)");
}
END_TEST

START_TEST(nobody_answers)
{
    char error[256] = "";
    struct link_options ask = link_stage_options(hello, 5);
    ask.timeout = 300;
    open_transports("127.0.0.2");
    struct transport *other = transport_roce("127.0.0.2:1", false, error, sizeof error);
    ck_assert_ptr_null(other->ops->connect(other, &ask));
    ck_assert_str_eq(other->error, "cannot connect: the peer has no service at this port (8)");
    other->ops->close(other);
    other = transport_roce("127.0.0.1:1", false, error, sizeof error);
    ck_assert_ptr_null(other->ops->connect(other, &ask));
    ck_assert_ptr_nonnull(
        strstr(other->error, "port (8); it is where this process itself sends from"));
    other->ops->close(other);
    other = transport_roce("127.0.0.3", false, error, sizeof error);
    ck_assert_ptr_null(other->ops->connect(other, &ask));
    ck_assert_ptr_nonnull(strstr(other->error, "no answer"));
    other->ops->close(other);
    ask.private_length = 57;
    ck_assert_ptr_null(caller->ops->connect(caller, &ask));
    ck_assert_ptr_nonnull(strstr(caller->error, "not 57"));
    close_all();
}
END_TEST

/* Nobody comes, or gave up before: no error, and nothing is said of one before. */
START_TEST(time_to_accept_runs_out)
{
    struct link_options options = link_stage_options(hello, 5);
    open_transports("127.0.0.2");
    options.timeout = 300;
    ck_assert_ptr_null(caller->ops->connect(caller, &options));
    ck_assert_ptr_null(listener->ops->accept(listener, &options, 10));
    ck_assert_ptr_null(strstr(listener->error, "no answer")); /* nor is one waited for */
    strcpy(listener->error, "of before");
    ck_assert_ptr_null(listener->ops->accept(listener, &options, 10));
    ck_assert_str_eq(listener->error, "");
    close_all();
}
END_TEST

/* Two at one address: when either is closed the other is there still, and a port is free again. */
START_TEST(listeners_have_a_port_each)
{
    char error[256] = "";
    struct transport *others[2];
    struct link_options ask = link_stage_options(hello, 5);
    open_transports("127.0.0.2");
    others[0] = transport_roce("127.0.0.2:20050", true, error, sizeof error);
    others[1] = transport_roce("127.0.0.2:20051", true, error, sizeof error);
    ck_assert(others[0] && others[1]);
    others[_i]->ops->close(others[_i]);
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        struct transport *first = listener, *called = caller;
        if (i == 1) {
            listener = others[1 - _i];
            caller = transport_roce(_i == 0 ? "127.0.0.2:20051" : "127.0.0.2:20050", false, error,
                                    sizeof error);
        }
        pthread_create(&thread, NULL, accept_one, NULL);
        client = caller->ops->connect(caller, &ask);
        pthread_join(thread, NULL);
        ck_assert(client && server);
        send_and_compare(10);
        client->ops->close(client);
        server->ops->close(server);
        client = server = NULL;
        if (i == 1)
            caller->ops->close(caller);
        listener = first;
        caller = called;
    }
    struct transport *gone =
        transport_roce(_i == 0 ? "127.0.0.2:20050" : "127.0.0.2:20051", false, error, sizeof error);
    ck_assert_ptr_null(gone->ops->connect(gone, &ask));
    ck_assert_ptr_nonnull(strstr(gone->error, "no service"));
    gone->ops->close(gone);
    others[1 - _i]->ops->close(others[1 - _i]);
    close_all();
}
END_TEST

/* ---- a peer of our own, packet by packet ---- */

static struct {
    int socket[2]; /* at its address, and at another one */
    struct roce_path path;
    struct management reply; /* of the listener's */
} raw;

static int open_raw(const char *address)
{
    struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(ROCE_PORT)};
    const struct timeval time = {.tv_sec = 5};
    int yes = 1, forbid = IP_PMTUDISC_DO, fd = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
    setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &forbid, sizeof forbid);
    inet_pton(AF_INET, address, &own.sin_addr);
    ck_assert_int_eq(bind(fd, (const struct sockaddr *)&own, sizeof own), 0);
    raw.path.local = ip_address((const struct sockaddr *)&own);
    return fd;
}

static void put_raw(int which, const struct frame *frame)
{
    struct sockaddr_storage to;
    socklen_t size = path_remote(&raw.path, &to);
    size_t length = frame->length - frame->begin;
    ck_assert_int_eq(sendto(raw.socket[which], frame->octets + frame->begin, length, 0,
                            (const struct sockaddr *)&to, size),
                     (ssize_t)length);
}

static void get_raw(struct frame *frame, struct packet *packet)
{
    bool asks;
    ssize_t length = recv(raw.socket[0], frame_room(frame, &raw.path), ROCE_MTU_MAX, 0);
    ck_assert_int_gt(length, 0);
    ck_assert(frame_take(frame, &raw.path, ROCE_PORT, (size_t)length, packet, &asks));
}

static uint32_t raw_id = 77;

static void manage_raw(enum management_kind kind, uint32_t receiver_pair)
{
    const struct management message = {
        .kind = kind,
        .transaction = 1,
        .sender = {.id = raw_id, .queue_pair = 99, .psn = 500, .serves = 5, .issues = 9},
        .receiver = kind <= MANAGEMENT_REJECT ? 0 : raw.reply.sender.id,
        .receiver_pair = receiver_pair,
        .guid = 5,
        .reason = REJECT_TIMEOUT,
        .port = 20049,
        .mtu = 1024};
    struct frame frame;
    management_make(&frame, &raw.path, &message, 0);
    put_raw(0, &frame);
}

static struct management expect_raw(enum management_kind kind)
{
    struct frame frame;
    struct packet packet;
    struct management message = {.kind = MANAGEMENT_NONE};
    get_raw(&frame, &packet);
    ck_assert(management_take(&packet, &message));
    ck_assert_int_eq(message.kind, kind);
    message.private_data = NULL; /* in the frame */
    return message;
}

/* Number `number` of its Sends, from one of its addresses. */
static void send_raw(int which, uint32_t number)
{
    struct frame frame;
    frame_begin(&frame, &raw.path, OP_SEND_ONLY, raw.reply.sender.queue_pair,
                psn_add(raw.reply.sender.psn, number), true);
    frame_put(&frame, 4, number);
    frame_seal(&frame);
    put_raw(which, &frame);
}

static void expect_sent(uint32_t number)
{
    struct frame frame;
    struct packet packet;
    struct link_event event = next_event(server, 5000);
    ck_assert_int_eq(event.type, LINK_RECEIVED);
    ck_assert_uint_eq(event.length, 4);
    ck_assert_uint_eq(event.octets[3], number);
    get_raw(&frame, &packet);
    ck_assert_int_eq(packet.opcode, OP_ACKNOWLEDGE);
    ck_assert_uint_eq(packet.psn, psn_add(raw.reply.sender.psn, number));
}

/* What is lost is asked again, and answered as before; a connection is its peer's alone, and only
 * a disconnect that names its queue pair ends it. */
START_TEST(a_connection_is_its_peers)
{
    pthread_t thread;
    open_transports("127.0.0.2");
    raw.socket[1] = open_raw("127.0.0.4");
    struct address other = raw.path.local;
    raw.socket[0] = open_raw("127.0.0.3");
    raw.path.remote = raw.path.local;
    raw.path.remote.octets[15] = 2;
    manage_raw(MANAGEMENT_REQUEST, 0);
    manage_raw(MANAGEMENT_REQUEST, 0); /* nobody accepts yet: it takes longer */
    struct management receipt = expect_raw(MANAGEMENT_RECEIPT);
    ck_assert_uint_eq(receipt.receiver, 77);
    ck_assert_uint_eq(receipt.transaction, 1);
    ck_assert_int_ge((int)receipt.patience, 1000);
    pthread_create(&thread, NULL, accept_one, NULL);
    raw.reply = expect_raw(MANAGEMENT_REPLY);
    ck_assert_uint_eq(raw.reply.sender.id, receipt.sender.id);
    manage_raw(MANAGEMENT_REJECT, 0); /* it gave up */
    pthread_join(thread, NULL);
    ck_assert_ptr_null(server);
    ck_assert_str_eq(listener->error, "cannot accept: the peer gave up waiting (4)");
    manage_raw(MANAGEMENT_REQUEST, 0);
    pthread_create(&thread, NULL, accept_one, NULL);
    raw.reply = expect_raw(MANAGEMENT_REPLY);
    /* No more RDMA Reads at once than the other side serves, and issues. */
    ck_assert_uint_eq(raw.reply.sender.issues, 5);
    ck_assert_uint_eq(raw.reply.sender.serves, 9);
    manage_raw(MANAGEMENT_REQUEST, 0);
    struct management again = expect_raw(MANAGEMENT_REPLY);
    ck_assert_mem_eq(&again.sender, &raw.reply.sender, sizeof again.sender);
    manage_raw(MANAGEMENT_READY, 0);
    pthread_join(thread, NULL);
    ck_assert_ptr_nonnull(server);
    send_raw(0, 0);
    expect_sent(0);
    struct address own = raw.path.local;
    raw.path.local = other; /* the check sum covers it */
    send_raw(1, 1);
    raw.path.local = own;
    ck_assert_int_eq(next_event(server, 200).type, LINK_NOTHING);
    manage_raw(MANAGEMENT_REQUEST, 0); /* it came late: nobody waits for the answer */
    manage_raw(MANAGEMENT_DISCONNECT, raw.reply.sender.queue_pair ^ 1);
    send_raw(0, 1);
    expect_sent(1);
    manage_raw(MANAGEMENT_DISCONNECT, raw.reply.sender.queue_pair);
    expect_raw(MANAGEMENT_DISCONNECTED);
    ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    ck_assert_str_eq(server->why, LINK_LEFT);
    close_all();
    close(raw.socket[0]);
    close(raw.socket[1]);
}
END_TEST

static void *close_server(void *arg)
{
    server->ops->close(server);
    return arg;
}

/* Who made us fail may not know it, or what we say may be lost: it is said until it is heard. */
START_TEST(a_failure_is_said_until_it_is_heard)
{
    pthread_t thread;
    open_transports("127.0.0.2");
    raw.socket[0] = open_raw("127.0.0.3");
    raw.path.remote = raw.path.local;
    raw.path.remote.octets[15] = 2;
    manage_raw(MANAGEMENT_REQUEST, 0);
    pthread_create(&thread, NULL, accept_one, NULL);
    raw.reply = expect_raw(MANAGEMENT_REPLY);
    manage_raw(MANAGEMENT_READY, 0);
    pthread_join(thread, NULL);
    struct frame frame;
    struct packet packet;
    frame_begin(&frame, &raw.path, OP_SEND_ONLY_IMMEDIATE, raw.reply.sender.queue_pair,
                raw.reply.sender.psn, true);
    frame_put(&frame, 4, 0); /* immediate data, for which we have no use */
    frame_seal(&frame);
    put_raw(0, &frame);
    get_raw(&frame, &packet);
    ck_assert_int_eq(packet.opcode, OP_ACKNOWLEDGE);
    ck_assert_int_eq(next_event(server, 5000).type, LINK_CLOSED);
    expect_raw(MANAGEMENT_DISCONNECT);
    pthread_create(&thread, NULL, close_server, NULL);
    ck_assert_uint_eq(expect_raw(MANAGEMENT_DISCONNECT).receiver_pair, 99);
    expect_raw(MANAGEMENT_DISCONNECT);
    manage_raw(MANAGEMENT_DISCONNECTED, 0);
    pthread_join(thread, NULL);
    server = NULL;
    close_all();
    ck_assert(recv(raw.socket[0], &frame, sizeof frame, MSG_DONTWAIT) < 0);
    close(raw.socket[0]);
}
END_TEST

/* Requests of somebody who wants no answer keep others out for as long as one may wait for its
 * answer. */
START_TEST(endless_requests_end)
{
    pthread_t thread;
    struct link_options ask = link_stage_options(hello, 5);
    open_transports("127.0.0.2");
    raw.socket[0] = open_raw("127.0.0.3");
    raw.path.remote = raw.path.local;
    raw.path.remote.octets[15] = 2;
    struct roce_host *host = host_get(&raw.path.remote, 0);
    ck_assert_ptr_nonnull(host);
    for (raw_id = 1000; raw_id < 1000 + 4 * REQUESTS_MAX; raw_id++)
        manage_raw(MANAGEMENT_REQUEST, 0);
    raw_id = 77;
    ask.timeout = 300;
    ck_assert_ptr_null(caller->ops->connect(caller, &ask));
    pthread_mutex_lock(&host->lock);
    ck_assert_uint_eq(host->listeners->count, REQUESTS_MAX);
    for (unsigned i = 0; i < REQUESTS_MAX; i++)
        host->listeners->requests[i].seen -= REQUEST_LIFE;
    pthread_mutex_unlock(&host->lock);
    host_put(host);
    pthread_create(&thread, NULL, accept_one, NULL);
    ask.timeout = 5000;
    client = caller->ops->connect(caller, &ask);
    pthread_join(thread, NULL);
    ck_assert_ptr_nonnull(client);
    ck_assert_ptr_nonnull(server);
    send_and_compare(1);
    close_all();
    close(raw.socket[0]);
}
END_TEST

/* ---- packets ---- */

/* A packet of soft-RoCE of Linux 6.1: the first request to connect of a recorded capture. */
START_TEST(the_check_sum_is_that_of_others)
{
    FILE *file = fopen("vectors/recorded/linux-6.1-errors.pcap", "rb");
    uint8_t record[16], octets[FRAME_MAX + 64];
    unsigned packets = 0;
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 24, SEEK_SET), 0);
    while (fread(record, 1, sizeof record, file) == sizeof record) {
        size_t length = (size_t)record[8] | (size_t)record[9] << 8;
        ck_assert(length <= sizeof octets && fread(octets, 1, length, file) == length);
        const uint8_t *ip = octets + 14, *end = octets + length - ICRC_SIZE;
        size_t size = length - 14 - ICRC_SIZE, header = ip[0] >> 4 == 6 ? 40 : 20;
        uint32_t crc = (uint32_t)end[0] | (uint32_t)end[1] << 8 | (uint32_t)end[2] << 16 |
                       (uint32_t)end[3] << 24;
        if (ip[header == 40 ? 6 : 9] != 17)
            continue;
        ck_assert_uint_eq(icrc_compute(ip, header, size), crc);
        octets[14 + 4] ^=
            (uint8_t)packets; /* another identification, which a socket does not tell */
        octets[14 + 5] ^= 0x5a;
        ck_assert(icrc_fits(ip, header, size, crc));
        octets[14 + 12] ^= 1; /* another address */
        ck_assert(!icrc_fits(ip, header, size, crc));
        packets++;
    }
    fclose(file);
    ck_assert_uint_gt(packets, 100);
}
END_TEST

/* A network namespace, where nobody else has port 4791. */
static bool enter_network(void)
{
    struct ifreq loopback = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
        return false;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    bool is_up = fd >= 0 && ioctl(fd, SIOCSIFFLAGS, &loopback) == 0;
    if (fd >= 0)
        close(fd);
    return is_up;
}

/* False where that is not permitted. There is no way back out of a network in which something did
 * not work: a child finds out. */
static bool make_own_network(void)
{
    int status = 1;
    pid_t child = fork();
    if (child == 0)
        _exit(enter_network() ? 0 : 1);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && enter_network();
}

/* In the network of the machine another program may have the port. */
static bool has_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(ROCE_PORT)};
    for (in_addr_t i = 0; i < 4; i++) {
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + i);
        int fd = socket(AF_INET, SOCK_DGRAM, 0);
        int bound = bind(fd, (struct sockaddr *)&address, sizeof address);
        close(fd);
        if (bound == 0)
            continue;
        printf("UDP port %d of 127.0.0.%u is in use by another program, and a network namespace "
               "of the test's own is not permitted\n",
               ROCE_PORT, 1 + i);
        return false;
    }
    return true;
}

/* There port 4791 of the loopback is one test's at a time: who has 4790 has it. */
static void wait_for_the_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(ROCE_PORT - 1)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_DGRAM, 0); /* stays open to the end */
    for (int i = 0; i < 6000 && bind(fd, (struct sockaddr *)&address, sizeof address) != 0; i++)
        poll(NULL, 0, 50);
}

int main(void)
{
    if (!make_own_network()) {
        puts("no network of the test's own: in that of the machine");
        wait_for_the_port();
        if (!has_port())
            return 1;
    }
    link_stage_opens = transport_roce;
    TCase *test = tcase_create("roce");
    tcase_set_timeout(test, 60);
    tcase_add_loop_test(test, sends_arrive_whole, 0, 3);
    tcase_add_loop_test(test, memory_is_read_and_written, 0, 3);
    tcase_add_loop_test(test, a_bad_wire_changes_nothing, 0, COUNT(wires));
    tcase_add_test(test, a_send_invalidates);
    tcase_add_loop_test(test, access_is_checked, 0, LINK_ACCESSES);
    tcase_add_test(test, a_send_too_long_ends_the_connection);
    tcase_add_test(test, a_send_without_a_receive_starves);
    tcase_add_loop_test(test, memory_is_hidden_by_itself, 0, 6);
    tcase_add_test(test, time_to_accept_runs_out);
    tcase_add_loop_test(test, listeners_have_a_port_each, 0, 2);
    tcase_add_test(test, a_disconnect_is_seen);
    tcase_add_test(test, a_peer_is_rejected);
    tcase_add_test(test, nobody_answers);
    tcase_add_test(test, a_connection_is_its_peers);
    tcase_add_test(test, a_failure_is_said_until_it_is_heard);
    tcase_add_test(test, endless_requests_end);
    tcase_add_test(test, the_check_sum_is_that_of_others);
    return run_tests("RoCEv2 in user space", test);
}
