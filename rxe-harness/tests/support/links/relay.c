// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/links/relay.h"

#include <arpa/inet.h>
#include <check.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PART 16000
#define HEADERS 40
enum { FIN = 1, SYN = 2, ACKS = 16 };

/* ---- the capture: packets of IPv4 ---- */

static void put16(uint8_t *to, size_t number)
{
    to[0] = (uint8_t)(number >> 8);
    to[1] = (uint8_t)number;
}

static void put32(uint8_t *to, uint32_t number)
{
    put16(to, number >> 16);
    put16(to + 2, number & 0xffff);
}

static void begin_capture(FILE *file)
{
    const uint32_t header[6] = {0xa1b2c3d4, 2 | 4 << 16, 0, 0, 65535, 228 /* IPv4 */};
    ck_assert_uint_eq(fwrite(header, sizeof header, 1, file), 1);
}

static void record(struct relay *relay, int side, unsigned flags, const uint8_t *octets,
                   size_t length)
{
    uint8_t packet[HEADERS] = {0x45};
    const uint32_t lengths[4] = {relay->clients, 0, (uint32_t)(HEADERS + length),
                                 (uint32_t)(HEADERS + length)};
    const uint16_t ports[2] = {(uint16_t)(40000 + relay->clients), 20049};
    if (relay->capture == NULL)
        return;
    put16(packet + 2, HEADERS + length);
    packet[8] = 64;
    packet[9] = IPPROTO_TCP;
    put32(packet + 12, 0xc0000201u + (unsigned)side);
    put32(packet + 16, 0xc0000202u - (unsigned)side);
    put16(packet + 20, ports[side]);
    put16(packet + 22, ports[!side]);
    put32(packet + 24, relay->sequence[side]);
    put32(packet + 28, flags == SYN ? 0 : relay->sequence[!side]);
    packet[32] = 5 << 4;
    packet[33] = (uint8_t)flags;
    put16(packet + 34, 0xffff);
    fwrite(lengths, sizeof lengths, 1, relay->capture);
    fwrite(packet, sizeof packet, 1, relay->capture);
    if (length > 0)
        fwrite(octets, length, 1, relay->capture);
    relay->sequence[side] += (uint32_t)length + ((flags & (SYN | FIN)) != 0);
}

/* ---- sockets ---- */

static struct sockaddr_in local(uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

static void pass(const struct relay *relay, int to, const uint8_t *octets, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t part = length - at < relay->step ? length - at : relay->step;
        ssize_t sent = send(to, octets + at, part, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        at += (size_t)sent;
    }
}

/* What one side sent; false: nothing more. */
static bool pass_on(struct relay *relay, const int sides[2], int from)
{
    uint8_t octets[PART];
    ssize_t count = recv(sides[from], octets, sizeof octets, 0);
    if (count > 0) {
        record(relay, from, ACKS, octets, (size_t)count);
        pass(relay, sides[!from], octets, (size_t)count);
        return true;
    }
    record(relay, from, FIN | ACKS, NULL, 0);
    shutdown(sides[!from], SHUT_WR);
    return false;
}

static void relay_one(struct relay *relay, int client)
{
    const struct sockaddr_in target = local(relay->target);
    const int yes = 1, sides[2] = {client, socket(AF_INET, SOCK_STREAM, 0)};
    struct pollfd ready[2] = {{.fd = sides[0], .events = POLLIN},
                              {.fd = sides[1], .events = POLLIN}};
    ck_assert_int_eq(connect(sides[1], (const struct sockaddr *)&target, sizeof target), 0);
    relay->clients++;
    for (int i = 0; i < 2; i++) {
        setsockopt(sides[i], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        relay->sequence[i] = 1000000 * (unsigned)i + relay->clients;
        record(relay, i, i == 0 ? SYN : SYN | ACKS, NULL, 0);
    }
    while (ready[0].fd >= 0 || ready[1].fd >= 0) {
        poll(ready, 2, 1000);
        for (int i = 0; i < 2; i++)
            if (ready[i].fd >= 0 && ready[i].revents && !pass_on(relay, sides, i))
                ready[i].fd = -1;
    }
    close(sides[0]);
    close(sides[1]);
}

static void *run(void *arg)
{
    struct relay *relay = arg;
    struct pollfd ready = {.fd = relay->listens, .events = POLLIN};
    while (!relay->stops)
        if (poll(&ready, 1, 20) > 0)
            relay_one(relay, accept(relay->listens, NULL, NULL));
    return NULL;
}

void relay_start(struct relay *relay)
{
    const struct sockaddr_in address = local(relay->port);
    int yes = 1;
    if (relay->capture)
        begin_capture(relay->capture);
    relay->listens = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(relay->listens, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    ck_assert_int_eq(bind(relay->listens, (const struct sockaddr *)&address, sizeof address), 0);
    ck_assert_int_eq(listen(relay->listens, 4), 0);
    ck_assert_int_eq(pthread_create(&relay->thread, NULL, run, relay), 0);
}

void relay_stop(struct relay *relay)
{
    relay->stops = true;
    pthread_join(relay->thread, NULL);
    close(relay->listens);
}
