// SPDX-License-Identifier: BSD-3-Clause
/*
 * Cases of NFS version 4.1: a client with a session of one slot, which is removed again. Chunks
 * belong to the operations after SEQUENCE as they do in version 4.0.
 */
#include "rxe-harness/probe/exchange.h"
#include "rxe-harness/probe/probe.h"
#include "rxe-harness/requester/reverse.h"

#include <rpcrdma/rpcrdma.h>

#include <stdio.h>
#include <string.h>

#define AGAIN 3 /* times that a Call of the slot is made */

static const struct requester_call all_inline;

/* ---- beginning and end ---- */

static const char *identify(struct probe *probe, const char *who,
                            const struct requester_call *shape, struct nfs_session *session,
                            char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct nfs_results results;
    char owner[128];
    uint8_t verifier[8] = {0};
    rpcrdma_xdr_store32(verifier, probe->requester->xid);
    /* Of two runs at once neither takes the other's client away (RFC 8881 section 18.35). */
    snprintf(owner, sizeof owner, "rpcrdma probe %08x, %s%s", probe->run.first_xid,
             probe->run.current.id, who);
    nfs_exchange_id(&compound, owner, verifier);
    const char *wrong = exchange_plain(probe, &compound, shape, &results, text);
    *session = results.session;
    return wrong;
}

const char *probe_make_session(struct probe *probe, uint32_t flags, struct nfs_session *session,
                               char text[PROBE_TEXT])
{
    struct nfs_compound compound;
    struct nfs_results results;
    nfs_create_session(&compound, session, flags, REVERSE_PROGRAM);
    const char *wrong = exchange_plain(probe, &compound, &all_inline, &results, text);
    memcpy(session->id, results.session.id, sizeof session->id);
    session->flags = results.session.flags;
    session->sequence = 0;
    session->client_sequence++;
    return wrong;
}

const char *probe_begin_session_of(struct probe *probe, const char *who, uint32_t flags,
                                   struct nfs_session *session, char text[PROBE_TEXT])
{
    const char *wrong = identify(probe, who, &all_inline, session, text);
    return wrong ? wrong : probe_make_session(probe, flags, session, text);
}

const char *probe_begin_session(struct probe *probe, uint32_t flags, struct nfs_session *session,
                                char text[PROBE_TEXT])
{
    return probe_begin_session_of(probe, "", flags, session, text);
}

void probe_end_session(struct probe *probe, const struct nfs_session *session)
{
    struct nfs_compound compound;
    struct nfs_results results;
    char text[PROBE_TEXT];
    bool inapplicable = probe->run.current.inapplicable;
    nfs_destroy_session(&compound, session);
    if (!requester_gone(probe->requester))
        exchange_plain(probe, &compound, &all_inline, &results, text);
    nfs_destroy_clientid(&compound, session);
    if (!requester_gone(probe->requester))
        exchange_plain(probe, &compound, &all_inline, &results, text);
    probe->run.current.inapplicable = inapplicable;
}

/* ---- cases ---- */

static const char *exchange_id(struct probe *probe, const struct probe_case *test_case,
                               char text[PROBE_TEXT])
{
    const struct requester_call shape = {.reply_segments = test_case->reply_segments,
                                         .reply_room = 4096};
    struct nfs_compound compound;
    struct nfs_results results;
    struct nfs_session session;
    const char *wrong = identify(probe, "", &shape, &session, text);
    nfs_destroy_clientid(&compound, &session);
    bool inapplicable = probe->run.current.inapplicable;
    if (wrong == NULL)
        exchange_plain(probe, &compound, &all_inline, &results, (char[PROBE_TEXT]){0});
    probe->run.current.inapplicable = inapplicable;
    return wrong;
}

static probe_runner slot_again;

/* GETATTRs after SEQUENCE, with the chunks of the case. */
static const char *look(struct probe *probe, const struct probe_case *test_case,
                        struct nfs_session *session, char text[PROBE_TEXT])
{
    const struct requester_call shape = {.write_segments = test_case->write_segments,
                                         .write_room = 1024,
                                         .reply_segments = test_case->reply_segments,
                                         .reply_room = 16384};
    struct nfs_compound compound;
    struct nfs_results results;
    nfs_begin_in_session(&compound, session, test_case->run == slot_again);
    for (size_t i = 0; i < test_case->size; i++)
        nfs_getattr(&compound);
    const char *wrong = exchange_plain(probe, &compound, &shape, &results, text);
    if (wrong == NULL && results.count != test_case->size + 2) {
        snprintf(text, PROBE_TEXT, "%u results of %zu operations", results.count,
                 test_case->size + 2);
        wrong = text;
    }
    return wrong;
}

static const char *in_session(struct probe *probe, const struct probe_case *test_case,
                              char text[PROBE_TEXT])
{
    struct nfs_session session;
    const char *wrong = probe_begin_session(probe, 0, &session, text);
    if (wrong)
        return wrong;
    wrong = look(probe, test_case, &session, text);
    probe_end_session(probe, &session);
    return wrong;
}

/* The same Call again, with another XID, or on another connection: the slot has its Reply, in the
 * chunk that is offered now.
 */
static const char *slot_again(struct probe *probe, const struct probe_case *test_case,
                              char text[PROBE_TEXT])
{
    struct nfs_session session;
    const char *wrong = probe_begin_session(probe, 0, &session, text);
    if (wrong)
        return wrong;
    for (int i = 0; i < AGAIN && wrong == NULL; i++) {
        if (i > 0 && test_case->again && probe_connect(probe) == NULL)
            return "no connection any more";
        wrong = look(probe, test_case, &session, text);
        session.sequence--;
    }
    session.sequence++;
    probe_end_session(probe, &session);
    return wrong;
}

static void fill(uint8_t *octets, size_t size)
{
    for (size_t i = 0; i < size; i++)
        octets[i] = (uint8_t)(i * 11 + (i >> 8));
}

/* WRITE out of a Read chunk and READ into a Write chunk, both after SEQUENCE. */
static const char *move_data(struct probe *probe, const struct probe_case *test_case,
                             struct nfs_session *session, char text[PROBE_TEXT])
{
    static uint8_t data[65536];
    const char *file = probe->options.nfs_file;
    struct nfs_compound compound;
    struct nfs_results results;
    struct probe_exchange exchange;
    uint32_t size = (uint32_t)test_case->size;
    const struct requester_call write = {.read_segments = test_case->read_segments},
                                read = {.write_segments = test_case->write_segments,
                                        .write_room = test_case->size};
    fill(data, test_case->size);
    nfs_begin_in_session(&compound, session, false);
    nfs_lookup(&compound, file, strlen(file));
    nfs_write(&compound, 0, data, size);
    const char *wrong = exchange_plain(probe, &compound, &write, &results, text);
    if (wrong)
        return wrong;
    if (results.written != size) {
        probe->run.current.inapplicable = results.written < size;
        snprintf(text, PROBE_TEXT, "WRITE of %u octets wrote %u", size, results.written);
        return text;
    }
    nfs_begin_in_session(&compound, session, false);
    nfs_lookup(&compound, file, strlen(file));
    nfs_read(&compound, 0, size);
    wrong = exchange_call(probe, &compound, read, NFS_NFS4_OK, &exchange, text);
    const struct nfs_item *item = &exchange.results.items[0];
    /* Less is right as well, where it is not the end. */
    bool is_short = item->length == 0 || (item->length < size && item->eof);
    if (wrong == NULL && (exchange.results.item_count != 1 || item->length > size || is_short ||
                          memcmp(item->octets, data, item->length) != 0)) {
        snprintf(text, PROBE_TEXT, "READ brings %u octets that are not the %u that were written",
                 item->length, size);
        wrong = text;
    }
    exchange_end(probe, &exchange);
    return wrong;
}

static const char *data_in_session(struct probe *probe, const struct probe_case *test_case,
                                   char text[PROBE_TEXT])
{
    struct nfs_session session;
    const char *wrong = probe_begin_session(probe, 0, &session, text);
    if (wrong)
        return wrong;
    wrong = move_data(probe, test_case, &session, text);
    probe_end_session(probe, &session);
    return wrong;
}

bool probe_offers_gss(struct probe *probe)
{
    struct nfs_session session;
    struct nfs_compound compound;
    struct nfs_results results = {.has_gss = false};
    char text[PROBE_TEXT];
    bool begun = probe_begin_session(probe, 0, &session, text) == NULL;
    if (begun) {
        nfs_begin_in_session(&compound, &session, false);
        nfs_secinfo(&compound);
        exchange_plain(probe, &compound, &all_inline, &results, text);
        probe_end_session(probe, &session);
    }
    probe->run.current.inapplicable = false; /* that is for the case to say */
    return results.has_gss;
}

/* clang-format off */
const struct probe_case probe_nfs_session_cases[] = {
    {.id = "nfs41-exchange-id", .comment = "NFSv4.1 EXCHANGE_ID, inline.", .run = exchange_id,
     .ending = ENDING_WRONG, .needs_nfs = true},
    {.id = "nfs41-exchange-id-reply-chunk",
     .comment = "NFSv4.1 EXCHANGE_ID with a Reply chunk: there or inline.",
     .rule = "rfc8166/3.5.3/reply-chunk-used", .run = exchange_id, .ending = ENDING_WRONG,
     .needs_nfs = true, .reply_segments = 2},
    {.id = "nfs41-sequence", .comment = "NFSv4.1 SEQUENCE and a GETATTR in a session, inline.",
     .run = in_session, .ending = ENDING_WRONG, .needs_nfs = true, .size = 1},
    {.id = "nfs41-getattr-long-reply",
     .comment = "NFSv4.1 GETATTR, 32 of them after SEQUENCE: the Reply is in the Reply chunk.",
     .rule = "rfc8166/3.5.3/reply-chunk-used", .run = in_session, .ending = ENDING_WRONG,
     .needs_nfs = true, .size = 32, .reply_segments = 3},
    {.id = "nfs41-getattr-write-chunk",
     .comment = "NFSv4.1 GETATTR after SEQUENCE with a Write chunk, which nothing may use.",
     .rule = "rfc8166/4.3.2.2/returned-unused", .run = in_session, .ending = ENDING_WRONG,
     .needs_nfs = true, .size = 1, .write_segments = 2},
    {.id = "nfs41-slot-again",
     .comment = "NFSv4.1: the same Call of a slot three times, each with a Reply chunk of its own.",
     .rule = "rfc8166/3.5.3/reply-chunk-used", .run = slot_again, .ending = ENDING_WRONG,
     .needs_nfs = true, .size = 3, .reply_segments = 2},
    {.id = "nfs41-slot-again-elsewhere",
     .comment = "The same Call of a slot, each time on a connection of its own.",
     .rule = "rfc8166/3.5.3/reply-chunk-used", .run = slot_again, .ending = ENDING_WRONG,
     .needs_nfs = true, .size = 3, .reply_segments = 2, .again = true},
    {.id = "nfs41-data-5000-in-2",
     .comment = "NFSv4.1 WRITE of 5000 octets out of a Read chunk, READ into a Write chunk.",
     .rule = "rfc8267/6.4.1/matching-chunk-used", .run = data_in_session, .ending = ENDING_WRONG,
     .needs_file = true, .size = 5000, .read_segments = 2, .write_segments = 2},
    {.id = "nfs41-data-65533-in-5",
     .comment = "NFSv4.1 WRITE of 65533 octets out of a Read chunk, READ into a Write chunk.",
     .rule = "rfc8267/6.4.1/matching-chunk-used", .run = data_in_session, .ending = ENDING_WRONG,
     .needs_file = true, .size = 65533, .read_segments = 5, .write_segments = 5},
    {.id = "nfs41-back-channel",
     .comment = "NFSv4.1 session with a back channel: the server calls, and gets its Reply.",
     .rule = "rfc8167/4.3.2/server-receives", .run = probe_nfs_back_channel, .ending = ENDING_WRONG,
     .needs_nfs = true},
    {.id = "nfs41-session-ends-while-called",
     .comment = "NFSv4.1 DESTROY_SESSION while a Call of the server's waits, whose Reply comes then.",
     .rule = "rfc8167/4.3.2/server-receives", .run = probe_nfs_end_while_called, .ending = ENDING_WRONG,
     .needs_nfs = true},
    {.id = NULL},
};
/* clang-format on */
