// SPDX-License-Identifier: BSD-3-Clause
/*
 * The cases of NFS by version 3, and those that are in place of the test program's, against the
 * reference Responder, which has no version 4 here: it is found good, and faults between it and its
 * link are found.
 */
#include "rxe-harness/probe/exchange.h"
#include "rxe-harness/probe/nfs_data.h"
#include "rxe-harness/responder/responder.h"
#include "rxe-harness/transport/loopback.h"

#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

static struct link_ops honest, faulty;

/* ---- faults ---- */

static bool write_wrong(struct link *link, uint32_t handle, uint64_t offset, const void *octets,
                        size_t length)
{
    uint8_t *copy = malloc(length + 1);
    memcpy(copy, octets, length);
    copy[length / 2] ^= 1;
    bool good = honest.write(link, handle, offset, copy, length);
    free(copy);
    return good;
}

static bool read_wrong(struct link *link, uint32_t handle, uint64_t offset, void *octets,
                       size_t length)
{
    bool good = honest.read(link, handle, offset, octets, length);
    if (good && length > 0)
        ((uint8_t *)octets)[length / 2] ^= 1;
    return good;
}

static bool swallow_errors(struct link *link, const void *octets, size_t length,
                           const uint32_t *handle)
{
    return rpcrdma_xdr_load32((const uint8_t *)octets + 12) == RPCRDMA1_ERROR ||
           honest.send(link, octets, length, handle);
}

/* A server that does not know what to do with a Call that comes again by its XID. */
static bool drop_again(struct link *link, const void *octets, size_t length, const uint32_t *handle)
{
    static uint32_t last;
    uint32_t xid = rpcrdma_xdr_load32(octets);
    bool again = xid == last;
    last = xid;
    return again || honest.send(link, octets, length, handle);
}

/* The last word of results: of a READ it is of the data, or their length. */
static bool last_word_wrong(struct link *link, const void *octets, size_t length,
                            const uint32_t *handle)
{
    uint8_t copy[RESPONDER_INLINE];
    memcpy(copy, octets, length);
    bool has_results = length > RPCRDMA1_HEADER_MIN + 24 + 88;
    if (has_results)
        copy[length - 4] ^= 1;
    return honest.send(link, copy, length, handle);
}

/* WRITE says that it wrote a fifth less, so that the rest comes again. */
static bool write_less(struct link *link, const void *octets, size_t length, const uint32_t *handle)
{
    enum { RESULTS = RPCRDMA1_HEADER_MIN + 24, WRITTEN = RESULTS + 4 + 28 + 88 };
    uint8_t copy[RESPONDER_INLINE];
    memcpy(copy, octets, length);
    uint32_t written = length == WRITTEN + 16 ? rpcrdma_xdr_load32(copy + WRITTEN) : 0;
    rpcrdma_xdr_store32(copy + WRITTEN, written - written / 5);
    return honest.send(link, written > 0 ? copy : octets, length, handle);
}

static bool not_garbage(struct link *link, const void *octets, size_t length,
                        const uint32_t *handle)
{
    uint8_t copy[RESPONDER_INLINE];
    memcpy(copy, octets, length);
    if (length == RPCRDMA1_HEADER_MIN + 24 + 4) /* a status alone */
        rpcrdma_xdr_store32(copy + length - 4, 0);
    return honest.send(link, copy, length, handle);
}

/* Whatever is looked at is not there. */
static bool not_there(struct link *link, const void *octets, size_t length, const uint32_t *handle)
{
    enum { STATUS = RPCRDMA1_HEADER_MIN + 24 };
    uint8_t copy[RESPONDER_INLINE];
    memcpy(copy, octets, length);
    bool has_results = length > STATUS;
    if (has_results) {
        rpcrdma_xdr_store32(copy + STATUS, 2);
        rpcrdma_xdr_store32(copy + STATUS + 4, 0); /* no attributes */
    }
    return honest.send(link, copy, has_results ? STATUS + 8 : length, handle);
}

/* Notes how long the last Long Reply was. */
static uint32_t long_reply;
static bool note_long(struct link *link, const void *octets, size_t length, const uint32_t *handle)
{
    struct rpcrdma1_header header;
    if (rpcrdma1_header_decode(&header, octets, length, NULL, NULL) > 0 &&
        header.rdma_body.proc == RPCRDMA1_NOMSG) {
        const struct rpcrdma1_chunk_lists *lists = rpcrdma1_chunks(&header);
        long_reply = (uint32_t)rpcrdma1_segments_length(&lists->rdma_reply.value.target);
    }
    return honest.send(link, octets, length, handle);
}

static const struct {
    struct link_ops ops;
    const char *id;
    enum ending ending;
} faults[] = {
    {{.write = write_wrong}, "nfs-read-4097-in-5", ENDING_WRONG},
    {{.write = write_wrong}, "nfs-read-3-in-2", ENDING_WRONG},
    {{.write = write_wrong}, "nfs-readlink-in-3", ENDING_WRONG},
    {{.read = read_wrong}, "nfs-write-65536-in-7", ENDING_WRONG},
    {{.read = read_wrong}, "nfs-long-write-8192-in-3", ENDING_WRONG},
    {{.read = read_wrong}, "nfs-create-link-in-1", ENDING_WRONG},
    {{.send = swallow_errors}, "nfs-lookup-by-chunk", ENDING_WRONG},
    {{.send = last_word_wrong}, "nfs-read-64-inline", ENDING_WRONG},
    {{.send = last_word_wrong}, "nfs-readlink-inline", ENDING_WRONG},
    {{.send = drop_again}, "nfs-create-link-again", ENDING_SILENT},
    {{.send = drop_again}, "nfs-readlink-again", ENDING_SILENT},
    {{.send = drop_again}, "nfs-readdir-again", ENDING_SILENT},
    {{.write = write_wrong}, "nfs-readlink-again", ENDING_WRONG},
    {{.write = write_wrong}, "push-1023-in-7", ENDING_WRONG},
    {{.write = write_wrong}, "long-reply-8191-in-3", ENDING_WRONG},
    {{.write = write_wrong}, "write-chunk-with-more-room", ENDING_WRONG},
    {{.write = write_wrong}, "reply-where-no-invalidation-is-taken", ENDING_WRONG},
    {{.read = read_wrong}, "pull-5-in-3", ENDING_WRONG},
    {{.read = read_wrong}, "long-call-8191-in-5", ENDING_WRONG},
    {{.send = write_less}, "pull-65535-in-16", ENDING_REQUIRED},
    {{.send = not_garbage}, "arguments-of-garbage", ENDING_WRONG},
};

/* ---- the peer ---- */

static void *begin(void *arg, struct link *link)
{
    const struct link_ops *fault = arg;
    honest = faulty = *link->ops;
    if (fault->send)
        faulty.send = fault->send;
    if (fault->read)
        faulty.read = fault->read;
    if (fault->write)
        faulty.write = fault->write;
    link->ops = &faulty;
    return responder_new(link);
}

static bool step(void *peer)
{
    return responder_step(peer, 0);
}

static void end(void *peer)
{
    responder_free(peer);
}

static struct probe probe_of(struct link_ops *fault)
{
    const struct loopback_peer peer = {
        .options = responder_options(), .begin = begin, .step = step, .end = end, .arg = fault};
    struct probe probe = {.options = {.timeout = 1000,
                                      .program = NFS_PROGRAM,
                                      .version = NFS_VERSION,
                                      .nfs_file = "written",
                                      .hazards.all = true}};
    probe.peer.transport = transport_loopback(&peer);
    return probe;
}

static void finish(struct probe *probe)
{
    results_free(&probe->run.results);
    probe_options_free(&probe->options);
    free(probe->run.stopped);
    probe->peer.transport->ops->close(probe->peer.transport);
}

/* As if MOUNT had given a handle; faults begin with the cases. */
static void run(struct probe *probe, struct link_ops *fault, const struct link_ops *wanted)
{
    const struct nfs3_handle_of root = {.length = 8, .octets = "many"}; /* names: anywhere */
    *fault = (struct link_ops){.send = NULL};
    ck_assert(probe_begin(probe));
    ck_assert(!probe->peer.has_nfs);
    ck_assert_ptr_nonnull(probe_connect(probe));
    ck_assert_msg(probe_nfs3_enter(probe, &root, probe->options.nfs_file), "%s",
                  probe->peer.nfs3.why);
    probe_disconnect(probe);
    *fault = *wanted;
    probe->peer.has_test_program = false;
    probe_run_list(probe, "chunks", probe_cases);
    probe_run_list(probe, "NFS", probe_nfs_cases);
    probe_run_list(probe, "NFS with several READs", probe_nfs_reads_cases);
    probe_end(probe);
}

START_TEST(the_reference_responder_is_good)
{
    struct link_ops fault;
    struct probe probe = probe_of(&fault);
    unsigned judged = 0, others = 0;
    run(&probe, &fault, &(struct link_ops){.send = NULL});
    for (size_t i = 0; i < probe.run.results.count; i++) {
        const struct result *result = &probe.run.results.list[i];
        bool is_other = result->ending == ENDING_NOT_APPLICABLE;
        bool is_status = strcmp(result->test, "arguments-of-garbage") == 0; /* of NFS */
        enum ending wanted = is_status ? ENDING_TOLERATED : ENDING_REQUIRED;
        ck_assert_msg(is_other || result->ending == wanted, "%s: %s", result->test, result->actual);
        judged += !is_other;
        others += is_other;
    }
    /* What only a COMPOUND can be, of each list; what is run already; and what must not be. */
    ck_assert_uint_eq(others, 12 + 7 + 12 + 1);
    ck_assert_uint_gt(judged, 80);
    finish(&probe);
}
END_TEST

START_TEST(a_fault_is_found)
{
    struct link_ops fault;
    struct probe probe = probe_of(&fault);
    bool found = false;
    chosen_add(&probe.options.cases, faults[_i].id);
    run(&probe, &fault, &faults[_i].ops);
    for (size_t i = 0; i < probe.run.results.count; i++)
        found = found || (strcmp(probe.run.results.list[i].test, faults[_i].id) == 0 &&
                          probe.run.results.list[i].ending == faults[_i].ending);
    ck_assert_msg(found, "%s does not end as it has to: %s", faults[_i].id,
                  probe.run.results.list[0].actual);
    finish(&probe);
}
END_TEST

/* The Reply that fits into the announced Receive but for its header. */
START_TEST(a_reply_is_as_long_as_that_of_the_test_program)
{
    struct link_ops fault;
    struct probe probe = probe_of(&fault);
    chosen_add(&probe.options.cases, "reply-beyond-announced-size-by-its-header");
    long_reply = 0;
    run(&probe, &fault, &(struct link_ops){.send = note_long});
    ck_assert_uint_eq(probe.run.results.count, 1);
    ck_assert_int_eq(probe.run.results.list[0].ending, ENDING_REQUIRED);
    ck_assert_uint_eq(long_reply, 24 + 4 + 984);
    finish(&probe);
}
END_TEST

static enum link_event_type after_failure;
static bool fail_to_send(struct link *link, const void *octets, size_t length,
                         const uint32_t *handle)
{
    (void)link, (void)octets, (void)length, (void)handle;
    return false;
}

static void wait_after(struct link *link, unsigned timeout, struct link_event *event)
{
    (void)link, (void)timeout;
    *event = (struct link_event){.type = after_failure};
}

/* A Send that fails is the end of the connection, or the case's own affair. */
START_TEST(a_send_that_fails_is_told_from_an_end)
{
    static const struct requester_call null = {.procedure = 0};
    struct link_ops fault = {.send = NULL};
    struct probe probe = probe_of(&fault);
    struct requester_pending pending;
    struct requester_reply reply;
    ck_assert(probe_begin(&probe));
    ck_assert_ptr_nonnull(probe_connect(&probe));
    const struct link_ops *ops = probe.requester->link->ops;
    struct link_ops failing = *ops;
    failing.send = fail_to_send;
    failing.wait = wait_after;
    probe.requester->link->ops = &failing;
    after_failure = LINK_CLOSED;
    ck_assert(exchange_begin(&probe, &null, &pending, &reply));
    ck_assert_uint_eq(reply.outcome, RPCRDMA_CLOSE);
    ck_assert(!probe.run.current.inapplicable);
    requester_forget(probe.requester, &pending);
    after_failure = LINK_NOTHING;
    ck_assert(!exchange_begin(&probe, &null, &pending, &reply));
    ck_assert(probe.run.current.inapplicable);
    requester_forget(probe.requester, &pending);
    probe.requester->link->ops = ops;
    probe_disconnect(&probe);
    finish(&probe);
}
END_TEST

/* Without a handle the cases say why they are not run; with one, and no file, some are. */
START_TEST(what_is_missing_is_told)
{
    struct link_ops fault = {.send = NULL};
    struct probe probe = probe_of(&fault);
    unsigned without = 0;
    ck_assert(probe_begin(&probe));
    probe_run_list(&probe, "NFS", probe_nfs_cases);
    for (size_t i = 0; i < probe.run.results.count; i++)
        ck_assert_str_eq(probe.run.results.list[i].actual, "the peer offers no NFS version 4");
    results_free(&probe.run.results);
    probe.options.nfs_file = NULL;
    run(&probe, &fault, &(struct link_ops){.send = NULL});
    for (size_t i = 0; i < probe.run.results.count; i++)
        without += probe.run.results.list[i].ending == ENDING_REQUIRED;
    ck_assert_uint_eq(without, 7 + 7); /* attributes, lists, what is refused; what needs no file */
    finish(&probe);
}
END_TEST

/* The file, or a folder on the way to it: what needs the file is left out, and counted. */
START_TEST(a_file_that_is_not_there_is_told)
{
    static const struct nfs3_handle_of root = {.length = 8, .octets = "many"};
    static const char *const files[] = {"written", "a/written"};
    bool has_folder = _i == 0;
    struct link_ops fault = {.send = NULL};
    struct probe probe = probe_of(&fault);
    char wanted[128];
    snprintf(wanted, sizeof wanted,
             "the peer has no regular file '%s' (--nfs-file): NFS status 2 (no such file)",
             files[_i]);
    probe.options.nfs_file = files[_i];
    ck_assert(probe_begin(&probe));
    if (!has_folder)
        fault.send = not_there;
    ck_assert_ptr_nonnull(probe_connect(&probe));
    ck_assert(probe_nfs3_enter(&probe, &root, files[_i]) == has_folder);
    probe_disconnect(&probe);
    ck_assert(has_folder == (probe.peer.no_file[0] == '\0'));
    fault.send = not_there;
    probe_find_file(&probe);
    ck_assert_str_eq(probe.peer.no_file, wanted);
    probe_run_list(&probe, "NFS", probe_nfs_cases);
    ck_assert_uint_gt(probe.run.fileless, 30);
    finish(&probe);
}
END_TEST

/* RFC 7530 and 8881: there is none, or it is a folder, a link, a FIFO or a device. Others do not
 * say so. */
START_TEST(statuses_of_what_is_not_a_regular_file)
{
    static const uint32_t says[] = {2, 20, 21, 22, 10029, 10083}, others[] = {5, 13, 70, 10008};
    for (size_t i = 0; i < COUNT(says) + COUNT(others); i++) {
        struct probe probe = {.options.nfs_file = "pipe"};
        bool is_other = i >= COUNT(says);
        probe.run.current.status = is_other ? others[i - COUNT(says)] : says[i];
        nfs_data_file_missing(&probe, "NFS status");
        ck_assert_str_eq(probe.peer.no_file,
                         is_other ? ""
                                  : "the peer has no regular file 'pipe' (--nfs-file): NFS status");
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("nfs3-cases");
    tcase_add_test(tests, the_reference_responder_is_good);
    tcase_add_loop_test(tests, a_fault_is_found, 0, COUNT(faults));
    tcase_add_test(tests, a_reply_is_as_long_as_that_of_the_test_program);
    tcase_add_test(tests, a_send_that_fails_is_told_from_an_end);
    tcase_add_test(tests, what_is_missing_is_told);
    tcase_add_loop_test(tests, a_file_that_is_not_there_is_told, 0, 2);
    tcase_add_test(tests, statuses_of_what_is_not_a_regular_file);
    return run_tests("nfs3-cases", tests);
}
