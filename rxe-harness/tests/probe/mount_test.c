// SPDX-License-Identifier: BSD-3-Clause
/*
 * `rpcrdma probe` as it is called, against a server of NFS version 3 alone: the reference Responder
 * in place of the RDMA device, and a MOUNT of ours over TCP, with faults.
 */
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"
#include "rxe-harness/tests/support/command_stage.h"

#include "conformance/base/count.h"
#include "rxe-harness/commands/commands.h"
#include "codec/tests/support/run_suite.h"

#include <arpa/inet.h>
#include <check.h>
#include <rpcrdma/rpc_header.h>
#include <rpcrdma/xdr.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGS_AT 40 /* octets of a Call's header before them */

/* ---- MOUNT ---- */

enum manner { GIVES, REFUSES, CUTS_OFF, LENGTHENS, IS_ANOTHER, ABSENT };

static enum manner manner;
static const char *exported;
static int listener;
static uint16_t port;

static size_t put(uint8_t *octets, size_t at, uint32_t word)
{
    rpcrdma_xdr_store32(octets + at, word);
    return at + 4;
}

/* Only what is exported has a handle, of 8 octets. */
static size_t answer(const uint8_t *call, size_t length, uint8_t *reply)
{
    struct rpcrdma_rpc_header rpc;
    if (rpcrdma_xdr_failed(rpcrdma_rpc_header_decode(&rpc, call, length, NULL)) ||
        rpc.prog != 100005 || rpc.vers != 3 || rpc.proc != 1 || length < ARGS_AT + 4)
        return 0;
    const uint32_t words[] = {rpc.xid, 1, 0, 0, 0, manner == IS_ANOTHER};
    size_t at = 0;
    for (size_t i = 0; i < COUNT(words); i++)
        at = put(reply, at, words[i]);
    if (manner == IS_ANOTHER)
        return at;
    uint32_t octets = rpcrdma_xdr_load32(call + ARGS_AT);
    bool is_exported = length == ARGS_AT + 4 + ((octets + 3) & ~3u) && octets == strlen(exported) &&
                       memcmp(call + ARGS_AT + 4, exported, octets) == 0;
    if (manner == REFUSES || !is_exported)
        return put(reply, at, 13);
    at = put(reply, at, 0);
    at = put(reply, at, manner == LENGTHENS ? 65 : 8);
    memcpy(reply + at, "many\0\0\0\0", 8);
    at += manner == CUTS_OFF ? 4 : 8;
    at = put(reply, at, 1);
    return manner == CUTS_OFF ? at - 4 : put(reply, at, 1);
}

/* In a process of its own, until it is killed. */
static void serve(void)
{
    for (;;) {
        uint8_t call[2048], reply[512];
        int socket = accept(listener, NULL, NULL);
        ssize_t came = recv(socket, call, sizeof call, 0);
        size_t length = came > 4 ? answer(call + 4, (size_t)came - 4, reply + 4) : 0;
        rpcrdma_xdr_store32(reply, 0x80000000u | (uint32_t)length);
        if (length > 0)
            send(socket, reply, 4 + length, MSG_NOSIGNAL);
        close(socket);
    }
}

static void listen_for_calls(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    listener = socket(AF_INET, SOCK_STREAM, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    getsockname(listener, (struct sockaddr *)&at, &size);
    port = ntohs(at.sin_port);
    if (manner != ABSENT)
        ck_assert_int_eq(listen(listener, 16), 0);
}

/* ---- the command ---- */

/* The reference Responder, of NFSv3 alone. */
static void *begin_peer(void *arg, struct link *link)
{
    (void)arg;
    return responder_new(link);
}

static bool step_peer(void *peer)
{
    return responder_step(peer, 0);
}

static void end_peer(void *peer)
{
    responder_free(peer);
}

static struct transport *open_server(const char *address, bool listen, char *error,
                                     size_t error_size)
{
    (void)address, (void)listen, (void)error, (void)error_size;
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin_peer, .step = step_peer, .end = end_peer};
    return transport_loopback(&peer);
}

static struct command_stage stage = {.command = cmd_probe, .open = open_server, .limit = 60};

static int probe(enum manner wanted, const char *folder, const char *options)
{
    char line[256];
    manner = wanted;
    exported = folder;
    listen_for_calls();
    pid_t server = fork();
    ck_assert_int_ge(server, 0);
    if (server == 0)
        serve();
    snprintf(line, sizeof line, "probe --timeout 2 --mount-port %u --case nfs-* %s 127.0.0.1", port,
             options);
    int status = command_stage_run(&stage, line);
    kill(server, SIGKILL);
    ck_assert_int_eq(waitpid(server, NULL, 0), server);
    close(listener);
    return status;
}

static void says(const char *text)
{
    ck_assert_msg(strstr(stage.out, text) != NULL, "no '%s' in: %s", text, stage.out);
}

/* The folder itself, one that leads to it, the root. */
START_TEST(a_server_of_version_3_is_probed)
{
    static const char *const folders[] = {"/export/many", "/export", "/"};
    ck_assert_int_eq(probe(GIVES, folders[_i], "--nfs-file export/many/written"), 0);
    says("as required");
    says("not applicable, 10: the peer offers no NFS version 4, and no Call of version 3\n    is "
         "like that");
    says(" results, 0 failed");
}
END_TEST

START_TEST(a_slash_before_the_path_may_be)
{
    ck_assert_int_eq(probe(GIVES, "/", "--nfs-file /written --hazardous"), 0);
    says(" 0 failed");
    ck_assert_int_eq(probe(GIVES, "/", ""), 0);
    says(" 0 failed");
}
END_TEST

static const struct {
    enum manner manner;
    const char *exported, *text;
} faults[] = {
    {REFUSES, "/", "no NFS version 4, and MOUNT of /: status 13"},
    {GIVES, "/other", "no NFS version 4, and MOUNT of /: status 13"},
    {CUTS_OFF, "/", "no NFS version 4, and MOUNT: a handle that cannot be read"},
    {LENGTHENS, "/", "no NFS version 4, and MOUNT: a handle that cannot be read"},
    {IS_ANOTHER, "/", "no NFS version 4, and MOUNT: PROG_UNAVAIL"},
    {ABSENT, "/", "no NFS version 4, and MOUNT: Connection refused"},
};

/* Where there is no handle the cases are not run, and say why. */
START_TEST(what_mount_says_is_told)
{
    ck_assert_int_eq(probe(faults[_i].manner, faults[_i].exported, "--nfs-file a/written"), 1);
    says(faults[_i].text);
    says("nothing was judged");
}
END_TEST

/* The reference Responder has all names; one of them is a folder's. */
START_TEST(a_file_that_is_none_is_said)
{
    ck_assert_int_eq(probe(GIVES, "/", "--nfs-file many"), 3);
    says("rpcrdma: the peer has no regular file 'many' (--nfs-file): NFS status 21 (a directory): "
         "39 cases were not run");
    says(" 0 failed");
}
END_TEST

START_TEST(the_port_is_a_port)
{
    static const char *const wrong[] = {"0", "65536", "x", "1x", "-1"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char line[128];
        snprintf(line, sizeof line, "probe --mount-port %s 127.0.0.1", wrong[i]);
        ck_assert_int_eq(command_stage_run(&stage, line), 2);
        says("option '--mount-port' takes a port, not '");
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("mount");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, a_server_of_version_3_is_probed, 0, 3);
    tcase_add_test(tests, a_slash_before_the_path_may_be);
    tcase_add_loop_test(tests, what_mount_says_is_told, 0, COUNT(faults));
    tcase_add_test(tests, a_file_that_is_none_is_said);
    tcase_add_test(tests, the_port_is_a_port);
    return run_tests("mount", tests);
}
