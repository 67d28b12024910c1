// SPDX-License-Identifier: BSD-3-Clause
/*
 * Cases of the test program, where the peer has none but serves NFS: the same chunks, by WRITE for
 * STORE, by READ for FETCH, and by both in one COMPOUND for ECHO.
 */
#include "rxe-harness/probe/exchange.h"
#include "rxe-harness/probe/nfs_data.h"

#include "rxe-harness/report/live.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/alloc.h"

#include <stdio.h>
#include <string.h>

#define SEGMENTS 16        /* of a chunk: more no server has to take (RFC 8267 section 6.4.2) */
#define LARGE 65536        /* octets: how many a server takes at once is its own affair */
#define MESSAGE (1u << 20) /* octets of a Call that are no hazard */
#define ARGUMENTS 16       /* octets beside the item, at least */
#define PADDED(size) (((size_t)(size) + 3) & ~(size_t)3)
#define BADHANDLE 10001 /* a status of version 3 */

/* Octets of results. */
#define LENGTH_WORD 4      /* beside the item in those of FETCH */
#define OPERATION 8        /* of one without more: its number, its status */
#define COMPOUND_BEGINS 12 /* status, no tag, how many there are */
#define READ4_BESIDE 8     /* whether it is the end; the length */
#define SEQUENCE 44        /* all of it */
#define READ3_BESIDE 104   /* status, attributes, count, whether it is the end, the length */

/* ---- Calls ---- */

/* The item is in the Write chunk, and the results are longer by its octets. Of those that were not
 * written the checker has told. */
static void tell_of_surplus(struct probe *probe, const struct requester_reply *reply,
                            const uint8_t *item, size_t size)
{
    static const char left_out[] = "rfc8166/4.3.2/pushed-item-left-out";
    struct results *results = &probe->run.results;
    const struct live_case about = {probe->run.file, probe->run.current.id,
                                    probe->run.current.comment};
    const struct result *last = results->count > 0 ? &results->list[results->count - 1] : NULL;
    const struct requester *peer = probe->requester;
    const uint8_t *surplus = reply->results + reply->results_length - PADDED(size);
    if ((last && strcmp(last->test, about.id) == 0) || memcmp(surplus, item, size) != 0)
        return;
    struct result *result = live_result(results, &about, left_out, true, "server");
    result->expected = alloc_text("no octets in the Payload stream of what was pushed");
    result->actual = alloc_text("octets of the item are in the Reply chunk as well");
    result->ending = ENDING_WRONG;
    live_exchange(result, peer->came, peer->came_length, peer->sent, peer->sent_length);
}

/* WRITE and READ of the same octets. */
static const char *echo(struct probe *probe, const struct probe_case *test_case,
                        char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct probe_exchange exchange;
    uint32_t size = (uint32_t)test_case->size;
    uint8_t *data = nfs_data_make(test_case, size);
    if (data == NULL)
        return "not enough memory";
    nfs_data_at_file(probe, &compound);
    nfs_write(&compound, 0, data, size);
    nfs_read(&compound, 0, size);
    const char *wrong =
        exchange_call(probe, &compound, nfs_data_shape(test_case), NFS_NFS4_OK, &exchange, text);
    const struct nfs_results *results = &exchange.results;
    if (wrong && exchange.reply.in_chunk && exchange.reply.results_length > PADDED(size))
        tell_of_surplus(probe, &exchange.reply, data, size);
    if (wrong == NULL && results->written != size) {
        probe->run.current.inapplicable = results->written < size;
        snprintf(text, PROBE_TEXT, "WRITE of %u octets wrote %u", size, results->written);
        wrong = text;
    }
    if (wrong == NULL)
        wrong = results->item_count == 1
                    ? nfs_data_compare(test_case, &results->items[0], 0, size, text)
                    : "another number of items than of READs";
    exchange_end(probe, &exchange);
    free(data);
    return wrong;
}

/* What the first argument of any Call begins with, a tag or a handle, is longer than all of it. */
static const char *garbage(struct probe *probe, const struct probe_case *test_case,
                           char text[PROBE_TEXT])
{
    bool is_version4 = probe->peer.has_nfs;
    struct requester_reply reply;
    probe->requester->program = NFS_PROGRAM;
    probe->requester->version = is_version4 ? NFS_VERSION : 3;
    (void)test_case;
    const char *wrong = probe_garbage(probe, true, &reply, text);
    /* NFS has a status for that, too. */
    uint32_t status = is_version4 ? NFS_NFS4ERR_BADXDR : BADHANDLE;
    probe->run.current.tolerated = reply.outcome == RPCRDMA_PROCESS && reply.results_length >= 4 &&
                                   rpcrdma_xdr_load32(reply.results) == status;
    return wrong;
}

/* ---- cases ---- */

/* As many octets as make the Reply as long as that of FETCH. */
static size_t size_of(const struct probe *probe, const struct probe_case *test_case)
{
    struct nfs_compound compound;
    size_t beside = READ3_BESIDE;
    nfs_data_at_file(probe, &compound);
    if (probe->peer.has_nfs)
        beside = COMPOUND_BEGINS + OPERATION * (compound.count + 1) + READ4_BESIDE +
                 (probe->peer.minor > 0 ? SEQUENCE : 0);
    return test_case->size + LENGTH_WORD - beside;
}

/* As probe_hazard() says of a Send. */
static const char *hazard_of(const struct probe_case *test_case)
{
    size_t read = test_case->read_segments > 0 ? test_case->size : 0;
    size_t all = test_case->long_segments > 0 ? test_case->size : read;
    if (test_case->read_segments > 0 && read == 0)
        return "empty-read-segment";
    return all + REQUESTER_RPC_SYS + ARGUMENTS > MESSAGE ? "long-messages" : test_case->hazard;
}

static bool may_be_refused(const struct probe_case *test_case)
{
    return test_case->size > LARGE || test_case->write_chunks > 1 ||
           test_case->read_segments > SEGMENTS || test_case->long_segments > SEGMENTS ||
           test_case->write_segments > SEGMENTS || test_case->reply_segments > SEGMENTS;
}

static const char *transfer(struct probe *probe, const struct probe_case *test_case,
                            char text[PROBE_TEXT])
{
    bool is_version4 = probe->peer.has_nfs;
    probe_runner *write = is_version4 ? probe_nfs_write : probe_nfs3_write,
                 *read = is_version4 ? probe_nfs_read : probe_nfs3_read;
    struct probe_case sized = *test_case;
    if (test_case->announced) {
        sized.size = size_of(probe, test_case);
        if (!probe_connect_announced(probe, test_case))
            return "no connection, or no answer to NULL";
    }
    probe_runner *run = test_case->procedure == TEST_STORE   ? write
                        : test_case->procedure == TEST_FETCH ? read
                                                             : echo;
    const char *wrong = run(probe, &sized, text);
    /* An error should be the answer (RFC 8267 section 6.4.2), and need not be. */
    probe->run.current.tolerated =
        wrong && may_be_refused(test_case) && (probe->run.current.refused || probe_is_gone(probe));
    return wrong;
}

/* ---- in place of which ---- */

/* The case of NFS that has the same chunks, or NULL. */
static const char *equal_to(const struct probe_case *test_case)
{
    uint32_t procedure = test_case->procedure == TEST_STORE ? NFS_OP_WRITE : NFS_OP_READ;
    if (test_case->procedure != TEST_STORE && test_case->procedure != TEST_FETCH)
        return NULL;
    for (const struct probe_case *nfs = probe_nfs_cases; nfs->id; nfs++)
        if (nfs->procedure == procedure && nfs->size == test_case->size &&
            nfs->read_segments == test_case->read_segments &&
            nfs->long_segments == test_case->long_segments &&
            nfs->write_segments == test_case->write_segments &&
            nfs->reply_segments == test_case->reply_segments &&
            nfs->one_handle == test_case->one_handle && nfs->room == test_case->room &&
            test_case->write_chunks == 0 && test_case->announced == NULL)
            return nfs->id;
    return NULL;
}

const char *probe_nfs_comment(struct probe *probe, const struct probe_case *test_case)
{
    char *comment = probe->run.comments[probe->run.comment++ % 2];
    bool is_open = may_be_refused(test_case);
    int stop = is_open ? 1 : 0; /* before what is added */
    snprintf(comment, sizeof probe->run.comments[0],
             "By NFS (WRITE for STORE, READ for FETCH, both for ECHO): %.*s%s",
             (int)strlen(test_case->comment) - stop, test_case->comment,
             is_open ? NFS_OR_REFUSED : "");
    return comment;
}

const struct probe_case *probe_nfs_in_place(const struct probe *probe,
                                            const struct probe_case *test_case,
                                            struct probe_case *made, char why[PROBE_TEXT])
{
    static const char none[] = "the peer does not offer the test program";
    const char *no_nfs = probe->peer.nfs3.why; /* empty: nobody looked for it */
    bool has_nfs = probe->peer.has_nfs || probe->peer.nfs3.usable;
    snprintf(why, PROBE_TEXT, "%s%s%s", none, *no_nfs ? "; " : "", no_nfs);
    if (!test_case->needs_test_program || probe->peer.has_test_program || !has_nfs)
        return test_case;
    const char *equal = equal_to(test_case);
    if (test_case->not_by_nfs || equal) {
        snprintf(why, PROBE_TEXT, "%s; %s%s", none, equal ? "by NFS it is " : "",
                 equal ? equal : test_case->not_by_nfs);
        return test_case;
    }
    bool transfers = test_case->procedure != 0;
    *made = *test_case;
    made->needs_test_program = false;
    made->needs_nfs = true;
    made->needs_file = transfers;
    made->run = transfers ? transfer : garbage;
    made->run3 = test_case->procedure == TEST_ECHO ? NULL : made->run;
    made->hazard = hazard_of(test_case);
    return made;
}
