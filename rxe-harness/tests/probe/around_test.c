// SPDX-License-Identifier: BSD-3-Clause
/*
 * `rpcrdma probe --around` as it is called, against an rpcbind and services of ours on an address
 * of the loopback, each with a fault, and a small NFS server in place of the RDMA device.
 */
#include "rxe-harness/tests/support/command_stage.h"
#include "rxe-harness/tests/support/nfs/nfs_server.h"

#include "conformance/base/count.h"
#include "rxe-harness/commands/commands.h"
#include "codec/tests/support/run_suite.h"

#include <arpa/inet.h>
#include <check.h>
#include <netdb.h>
#include <poll.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/xdr.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- services over TCP and UDP ---- */

enum { RPCBIND, RPCBIND_UDP, NFS, MOUNT, NLM, NSM, PLACES };
static const uint32_t numbers[PLACES] = {100000, 100000, 100003, 100005, 100021, 100024};

enum manner {
    ANSWERS,
    MISMATCHES, /* PROG_MISMATCH */
    KNOWS_NOT,  /* PROG_UNAVAIL */
    DENIES,     /* AUTH_ERROR */
    STARTS_TLS, /* answers so */
    SAYS_NOTHING,
    HANGS_UP,
    OTHER_XID,
    CALLS,       /* comes with a Call in place of the Reply */
    LONG_RECORD, /* a fragment of 2 GiB, of which 4 MiB come */
    PIECES,      /* right as well: a fragment for each word */
    ABSENT,      /* nobody listens */
    CROWDED,     /* no connection comes about */
};

struct entry {
    int place; /* whose port; of RDMA: RPCBIND */
    uint32_t version;
    const char *netid, *address; /* NULL: the port of the place */
};

/* What is there; all zeros: everything, and good. */
struct scene {
    enum manner manners[PLACES];
    uint32_t rpcbind_versions; /* the highest that it has; 0: 4 */
    const struct entry *entries;
    size_t missing; /* octets at the end of the list */
    enum nfs_fault server;
    unsigned versions; /* of NFS over RDMA, by bits; 0: all */
    uint16_t port;     /* of RDMA, the only one; 0: 20049 */
};

static const struct entry usual[] = {
    {NFS, 3, "tcp", NULL},
    {NFS, 3, "rdma", "0.0.0.0.78.81"},
    {NFS, 3, "rdma6", "::.78.81"},
    {MOUNT, 3, "tcp", NULL},
    {NLM, 4, "tcp", NULL},
    {NSM, 1, "tcp", NULL},
    {.netid = NULL},
};

static struct scene scene;
static char host[32];
static uint16_t ports[PLACES];
static int sockets[PLACES], crowd[2];

static size_t put(uint8_t *octets, size_t at, uint32_t word)
{
    rpcrdma_xdr_store32(octets + at, word);
    return at + 4;
}

static size_t put_text(uint8_t *octets, size_t at, const char *text)
{
    size_t length = strlen(text);
    at = put(octets, at, (uint32_t)length);
    memset(octets + at, 0, (length + 3) & ~(size_t)3);
    memcpy(octets + at, text, length);
    return at + ((length + 3) & ~(size_t)3);
}

static size_t put_list(uint8_t *octets, size_t at, uint32_t version)
{
    for (const struct entry *each = scene.entries; each->netid; each++) {
        char address[64];
        uint16_t port = ports[each->place];
        snprintf(address, sizeof address, "0.0.0.0.%u.%u", port >> 8, port & 255);
        at = put(octets, at, 1);
        at = put(octets, at, each->place == RPCBIND ? numbers[NFS] : numbers[each->place]);
        at = put(octets, at, each->version);
        if (version == 2) {
            at = put(octets, at, strcmp(each->netid, "udp") == 0 ? IPPROTO_UDP : IPPROTO_TCP);
            at = put(octets, at, port);
        } else {
            at = put_text(octets, at, each->netid);
            at = put_text(octets, at, each->address ? each->address : address);
            at = put_text(octets, at, "superuser");
        }
    }
    at = put(octets, at, 0);
    return at - scene.missing;
}

/* Returns the octets of the Reply. */
static size_t answer(int place, const uint8_t *call, size_t length, uint8_t *reply)
{
    struct rpcrdma_rpc_header rpc;
    enum manner manner = scene.manners[place];
    if (rpcrdma_xdr_failed(rpcrdma_rpc_header_decode(&rpc, call, length, NULL)))
        return 0;
    bool is_rpcbind = place == RPCBIND || place == RPCBIND_UDP;
    bool is_new = is_rpcbind && rpc.vers > (scene.rpcbind_versions ? scene.rpcbind_versions : 4);
    size_t at = put(reply, 0, rpc.xid ^ (manner == OTHER_XID));
    at = put(reply, at, manner != CALLS);
    at = put(reply, at, manner == DENIES);
    if (manner == DENIES) {
        at = put(reply, at, RPCRDMA_RPC_AUTH_ERROR);
        return put(reply, at, RPCRDMA_RPC_AUTH_TOOWEAK);
    }
    at = put(reply, at, 0);
    bool tls = rpc.cred_flavor == RPCRDMA_RPC_AUTH_TLS && manner == STARTS_TLS;
    at = put_text(reply, at, tls ? "STARTTLS" : "");
    if (manner == KNOWS_NOT || rpc.prog != numbers[place])
        return put(reply, at, RPCRDMA_RPC_PROG_UNAVAIL);
    if (manner == MISMATCHES || is_new) {
        at = put(reply, at, RPCRDMA_RPC_PROG_MISMATCH);
        at = put(reply, at, 2);
        return put(reply, at, 2);
    }
    at = put(reply, at, RPCRDMA_RPC_SUCCESS);
    return is_rpcbind ? put_list(reply, at, rpc.vers) : at;
}

static void send_much(int socket)
{
    static const uint8_t zeros[65536];
    for (int i = 0; i < 64 && send(socket, zeros, sizeof zeros, MSG_NOSIGNAL) > 0; i++) {
    }
}

static void send_record(int socket, enum manner manner, const uint8_t *reply, size_t length)
{
    uint8_t mark[4];
    size_t piece = manner == PIECES ? 4 : length;
    for (size_t at = 0; at < length; at += piece) {
        bool is_last = at + piece >= length;
        rpcrdma_xdr_store32(mark, manner == LONG_RECORD
                                      ? 0xffffffff
                                      : (is_last ? 0x80000000u : 0) | (uint32_t)piece);
        if (send(socket, mark, 4, MSG_NOSIGNAL) != 4 ||
            send(socket, reply + at, piece, MSG_NOSIGNAL) != (ssize_t)piece)
            return;
    }
    if (manner == LONG_RECORD)
        send_much(socket);
}

static void serve_tcp(int place)
{
    uint8_t call[256], reply[8192];
    int socket = accept(sockets[place], NULL, NULL);
    if (socket < 0)
        return;
    ssize_t came = recv(socket, call, sizeof call, 0);
    size_t length = came > 4 ? answer(place, call + 4, (size_t)came - 4, reply) : 0;
    enum manner manner = scene.manners[place];
    if (manner == SAYS_NOTHING)
        recv(socket, call, sizeof call, 0); /* until the other side leaves */
    else if (manner != HANGS_UP && length > 0)
        send_record(socket, manner, reply, length);
    close(socket);
}

static void serve_udp(void)
{
    uint8_t call[256], reply[8192];
    struct sockaddr_in from;
    socklen_t size = sizeof from;
    ssize_t came =
        recvfrom(sockets[RPCBIND_UDP], call, sizeof call, 0, (struct sockaddr *)&from, &size);
    size_t length = came > 0 ? answer(RPCBIND_UDP, call, (size_t)came, reply) : 0;
    if (length > 0 && scene.manners[RPCBIND_UDP] != SAYS_NOTHING)
        sendto(sockets[RPCBIND_UDP], reply, length, 0, (struct sockaddr *)&from, size);
}

/* In a process of its own, until it is killed: the command is run in another. */
static void serve(void)
{
    for (;;) {
        struct pollfd list[PLACES];
        for (int i = 0; i < PLACES; i++)
            list[i] = (struct pollfd){.fd = scene.manners[i] == CROWDED ? -1 : sockets[i],
                                      .events = POLLIN};
        poll(list, PLACES, -1);
        for (int i = 0; i < PLACES; i++)
            if (list[i].revents & POLLIN && i == RPCBIND_UDP)
                serve_udp();
            else if (list[i].revents & POLLIN)
                serve_tcp(i);
    }
}

static void listen_at(int place)
{
    bool is_udp = place == RPCBIND_UDP, is_absent = scene.manners[place] == ABSENT;
    int yes = 1;
    uint16_t wanted = place == NFS ? 2049 : is_udp ? ports[RPCBIND] : 0;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(wanted)};
    socklen_t size = sizeof at;
    inet_pton(AF_INET, host, &at.sin_addr);
    sockets[place] = socket(AF_INET, is_udp ? SOCK_DGRAM : SOCK_STREAM, 0);
    setsockopt(sockets[place], SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    ck_assert_int_eq(bind(sockets[place], (struct sockaddr *)&at, sizeof at), 0);
    getsockname(sockets[place], (struct sockaddr *)&at, &size);
    ports[place] = ntohs(at.sin_port);
    if (is_absent && !is_udp)
        return; /* the port is ours, and closed */
    if (is_absent) {
        close(sockets[place]);
        sockets[place] = -1;
    } else if (!is_udp) {
        ck_assert_int_eq(listen(sockets[place], scene.manners[place] == CROWDED ? 0 : 16), 0);
    }
    for (int i = 0; scene.manners[place] == CROWDED && i < 2; i++) {
        crowd[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(crowd[i], (struct sockaddr *)&at, sizeof at);
    }
}

/* ---- the endpoint ---- */

static struct transport *open_server(const char *address, bool listen, char *error,
                                     size_t error_size)
{
    const char *port = strrchr(address, ':');
    bool has_port = port && strchr(port, ']') == NULL;
    if ((has_port ? atoi(port + 1) : 20049) == (scene.port ? scene.port : 20049))
        return nfs_server(&scene.server);
    snprintf(error, error_size, "no such port");
    return NULL;
}

static struct command_stage stage = {.command = cmd_probe, .open = open_server, .limit = 60};

/* Run it in this scene. Returns its status. */
static int look(const struct scene *wanted, const char *options)
{
    char line[256];
    scene = *wanted;
    scene.entries = scene.entries ? scene.entries : usual;
    nfs_server_versions = scene.versions ? scene.versions : 1 << 2 | 1 << 3 | 1 << 4;
    for (int place = 0; place < PLACES; place++)
        listen_at(place);
    pid_t server = fork();
    ck_assert_int_ge(server, 0);
    if (server == 0)
        serve();
    char port[8] = "";
    if (scene.port)
        snprintf(port, sizeof port, ":%u", scene.port);
    snprintf(line, sizeof line, "probe --timeout 0.5 --around=%u %s %s%s", ports[RPCBIND], options,
             host, port);
    int status = command_stage_run(&stage, line);
    kill(server, SIGKILL);
    ck_assert_int_eq(waitpid(server, NULL, 0), server);
    for (int place = 0; place < PLACES; place++) {
        for (int i = 0; scene.manners[place] == CROWDED && i < 2; i++)
            close(crowd[i]);
        if (sockets[place] >= 0)
            close(sockets[place]);
    }
    return status;
}

static void says(const char *text)
{
    ck_assert_msg(strstr(stage.out, text) != NULL, "no '%s' in: %s", text, stage.out);
}

static void set_up(void)
{
    unsigned number = (unsigned)getpid() & 0xffff;
    snprintf(host, sizeof host, "127.83.%u.%u", number >> 8, number & 255);
}

/* ---- tests ---- */

START_TEST(a_good_server_is_good)
{
    ck_assert_int_eq(look(&(struct scene){.server = TAKES_GSS}, ""), 0);
    says("11 results, 0 failed");
    says("around-rpcbind: 6 entries, by version 4 over TCP; NFS: 3 tcp 2049 3 rdma 20049 3 rdma6 "
         "20049; MOUNT: 3 tcp ");
    says("around-netids: version 3 rdma 0.0.0.0.78.81; version 3 rdma6 ::.78.81\n");
    says("around-registered-port: NFS is where rpcbind says");
    says("around-port-20049: as required");
    says("around-port-2049: as required");
    says("around-mount-over-tcp: MOUNT version 3 at TCP port ");
    says("around-private-data: RFC 8797: Sends of 4096, Receives of 4096 octets");
    says("around-auth-tls: over TCP: SUCCESS; over RDMA: SUCCESS");
}
END_TEST

#define WRONG ": NOT AS REQUIRED: "
#define NOBODY_KNOWS "rpcbind knows no "

static const struct entry no_mount[] = {{NFS, 3, "tcp", NULL},
                                        {NLM, 4, "tcp", NULL},
                                        {NSM, 1, "tcp", NULL},
                                        {.netid = NULL}},
                          nlm_by_udp[] = {{NFS, 3, "tcp", NULL},
                                          {MOUNT, 3, "tcp", NULL},
                                          {NLM, 4, "udp", NULL},
                                          {NSM, 1, "tcp", NULL},
                                          {.netid = NULL}},
                          no_nsm[] = {{RPCBIND, 3, "rdma", "0.0.0.0.78.81"},
                                      {MOUNT, 3, "tcp", NULL},
                                      {NLM, 4, "tcp", NULL},
                                      {.netid = NULL}},
                          no_nfs[] = {{MOUNT, 3, "tcp", NULL}, {.netid = NULL}},
                          only_4[] = {{NFS, 4, "tcp", NULL}, {.netid = NULL}},
                          nlm_6[] = {{NFS, 3, "tcp", NULL},
                                     {MOUNT, 3, "tcp", NULL},
                                     {NLM, 4, "tcp6", "::.3.3"},
                                     {NSM, 1, "tcp", NULL},
                                     {.netid = NULL}};

/* One fault each: the case that finds it, and what is said; all else is as before. */
static const struct {
    struct scene scene;
    const char *text;
} faults[] = {
    {{.port = 20050}, "around-port-20049" WRONG "127."},
    {{.server = TAKES_GSS, .manners[NFS] = ABSENT},
     "around-port-2049" WRONG "TCP port 2049: Connection refused, and the root takes RPCSEC_GSS"},
    {{.server = TAKES_GSS, .manners[NFS] = KNOWS_NOT},
     "around-port-2049" WRONG "TCP port 2049: PROG_UNAVAIL"},
    {{.server = TAKES_GSS, .manners[NFS] = SAYS_NOTHING},
     "around-port-2049" WRONG "TCP port 2049: a connection, and no Reply"},
    {{.server = TAKES_GSS, .manners[NFS] = HANGS_UP},
     "around-port-2049" WRONG "TCP port 2049: a connection, and no Reply"},
    {{.entries = no_mount}, "around-mount-over-tcp" WRONG NOBODY_KNOWS "MOUNT over TCP\n"},
    {{.entries = nlm_by_udp},
     "around-nlm-over-tcp" WRONG NOBODY_KNOWS "NLM over TCP, but over UDP"},
    {{.entries = no_nsm}, "around-nsm-over-tcp" WRONG NOBODY_KNOWS "NSM over TCP\n"},
    {{.manners[MOUNT] = ABSENT}, "around-mount-over-tcp" WRONG "MOUNT version 3 at TCP port "},
    {{.manners[NLM] = KNOWS_NOT}, "around-nlm-over-tcp" WRONG "NLM version 4 at TCP port "},
    {{.manners[NSM] = OTHER_XID}, "around-nsm-over-tcp" WRONG "NSM version 1 at TCP port "},
    {{.manners[NSM] = CALLS}, "around-nsm-over-tcp" WRONG "NSM version 1 at TCP port "},
    {{.manners[MOUNT] = LONG_RECORD}, "around-mount-over-tcp" WRONG "MOUNT version 3 at TCP port "},
    {{.manners[MOUNT] = DENIES}, "around-mount-over-tcp" WRONG "MOUNT version 3 at TCP port "},
};

START_TEST(each_fault_is_found)
{
    ck_assert_int_eq(look(&faults[_i].scene, ""), 1);
    says("11 results, 1 failed");
    says(faults[_i].text);
}
END_TEST

static const struct entry far_port[] = {{NFS, 3, "tcp", NULL},
                                        {RPCBIND, 3, "rdma", "0.0.0.0.78.82"},
                                        {MOUNT, 3, "tcp", NULL},
                                        {NLM, 4, "tcp", NULL},
                                        {NSM, 1, "tcp", NULL},
                                        {.netid = NULL}},
                          no_address[] = {{NFS, 3, "tcp", NULL},
                                          {RPCBIND, 3, "rdma", "::.78.81"},
                                          {RPCBIND, 3, "rdma6", "::1.78.256"},
                                          {MOUNT, 3, "tcp", NULL},
                                          {NLM, 4, "tcp", NULL},
                                          {NSM, 1, "tcp", NULL},
                                          {.netid = NULL}};

/* Nothing that is asked for: it is said, and nobody fails. */
static const struct {
    struct scene scene;
    const char *text;
} remarks[] = {
    {{.manners[RPCBIND] = ABSENT, .manners[RPCBIND_UDP] = ABSENT}, "around-rpcbind: no rpcbind at"},
    {{.manners[RPCBIND] = ABSENT}, "around-rpcbind: 6 entries, by version 4 over UDP"},
    {{.manners[RPCBIND] = PIECES}, "around-rpcbind: 6 entries, by version 4 over TCP"},
    {{.rpcbind_versions = 3}, "around-rpcbind: 6 entries, by version 3 over TCP"},
    {{.rpcbind_versions = 2}, "around-nlm-over-tcp: NLM version 4 at TCP port "},
    {{.missing = 1, .manners[RPCBIND_UDP] = SAYS_NOTHING}, "no rpcbind at port "},
    {{.missing = 7, .manners[RPCBIND_UDP] = SAYS_NOTHING}, "no rpcbind at port "},
    {{.manners[RPCBIND] = DENIES, .manners[RPCBIND_UDP] = DENIES}, "over UDP: AUTH_ERROR"},
    {{.entries = no_nfs}, "around-nlm-over-tcp: " NOBODY_KNOWS "NLM over TCP\n"},
    {{.entries = only_4, .versions = 1 << 4},
     "around-netids: no entry of NFS by rdma or rdma6; version 4 needs none"},
    {{.entries = only_4, .versions = 1 << 4},
     "around-nlm-over-tcp: the peer executes no NULL of NFS versions 2 and 3"},
    {{.entries = nlm_6}, "around-nlm-over-tcp: " NOBODY_KNOWS "NLM over TCP of this family"},
    {{.versions = 1 << 3, .port = 20050},
     "around-port-20049: the peer executes no NULL of NFS version 4"},
    {{.manners[NFS] = ABSENT},
     "around-port-2049: TCP port 2049: Connection refused; whether NFS there takes RPCSEC_GSS was"},
    {{.server = NO_SESSIONS, .manners[NFS] = ABSENT}, "whether NFS there takes RPCSEC_GSS was"},
    {{.server = TAKES_GSS, .manners[NFS] = CROWDED},
     "around-port-2049: TCP port 2049: Connection timed out, and the root takes RPCSEC_GSS"},
    {{.server = TAKES_GSS, .manners[NFS] = MISMATCHES}, "around-port-2049: as required"},
    {{.manners[NLM] = CROWDED}, ": Connection timed out"},
    {{.manners[NLM] = MISMATCHES}, ": PROG_MISMATCH"},
    {{.manners[NFS] = STARTS_TLS}, "around-auth-tls: over TCP: STARTTLS; over RDMA: SUCCESS"},
    {{.manners[NFS] = DENIES}, "around-auth-tls: over TCP: AUTH_ERROR"},
    {{.entries = far_port}, "around-registered-port: 127."},
    {{.entries = no_address},
     "rdma ::.78.81, which is no address of that netid; version 3 rdma6 "
     "::1.78.256, which is no address of that netid"},
};

START_TEST(what_nothing_forbids_fails_nobody)
{
    ck_assert_int_eq(look(&remarks[_i].scene, ""), 0);
    says("11 results, 0 failed");
    says(remarks[_i].text);
}
END_TEST

START_TEST(it_is_used_rightly)
{
    static const char *const wrong[] = {
        "probe --around",
        "probe --around=0 127.0.0.1",
        "probe --around=65536 x",
        "probe --around=1x 127.0.0.1",
        "probe --around= 127.0.0.1",
        "probe --around --random 127.0.0.1",
        "probe --around --draft 07 127.0.0.1",
    };
    for (size_t i = 0; i < COUNT(wrong); i++)
        ck_assert_msg(command_stage_run(&stage, wrong[i]) == 2, "%s", wrong[i]);
    ck_assert_int_eq(command_stage_run(&stage, "probe --around --list"), 0);
    says("around-nsm-over-tcp\n");
    ck_assert_int_eq(look(&(struct scene){.manners[NLM] = ABSENT}, "--case around-rpcbind"), 0);
    says("1 result, 0 failed");
}
END_TEST

START_TEST(an_interrupt_ends_it)
{
    const struct scene slow = {.manners[RPCBIND] = SAYS_NOTHING};
    stage.interrupt = 300;
    ck_assert_int_eq(look(&slow, "--timeout 30"), 1); /* which main() makes 130 */
    says("cases not run");
    ck_assert_int_lt(stage.time, 10000);
    stage.interrupt = 0;
}
END_TEST

START_TEST(the_other_family_is_tried)
{
    struct addrinfo *list, *each;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    bool has[2] = {false, false};
    scene = (struct scene){.server = GOOD};
    if (getaddrinfo("localhost", NULL, &hints, &list) != 0) { /* no /etc/hosts: in a bare root */
        ck_assert_int_eq(
            command_stage_run(&stage, "probe --around=1 --case around-other-family localhost"), 4);
        fputs("skip: no localhost\n0 passed, 0 failed, 1 skipped\n", stdout);
        fflush(stdout);
        return;
    }
    for (each = list; each; each = each->ai_next)
        has[each->ai_family == AF_INET6] = true;
    freeaddrinfo(list);
    ck_assert_int_eq(
        command_stage_run(&stage, "probe --around=1 --case around-other-family localhost"),
        has[0] && has[1] ? 0 : 1);
    says(has[0] && has[1] ? "1: NULL of NFS version 4 is executed" : "one family alone");
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("around");
    tcase_set_timeout(cases, 120);
    tcase_add_unchecked_fixture(cases, set_up, NULL);
    tcase_add_test(cases, a_good_server_is_good);
    tcase_add_loop_test(cases, each_fault_is_found, 0, (int)COUNT(faults));
    tcase_add_loop_test(cases, what_nothing_forbids_fails_nobody, 0, (int)COUNT(remarks));
    tcase_add_test(cases, it_is_used_rightly);
    tcase_add_test(cases, an_interrupt_ends_it);
    tcase_add_test(cases, the_other_family_is_tried);
    return run_tests("around", cases);
}
