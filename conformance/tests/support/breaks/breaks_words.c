// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule with one word of a Send, or by ending it early. */
#include "conformance/tests/support/breaks/breaks.h"

#include <rpcrdma/rpcrdma.h>

enum { AT_VERS = 4, AT_CREDIT = 8, AT_PROC = 12, AT_LISTS = 16, ENTRY = 24, CODE = 16 };

static bool set(struct talk *talk, size_t at, uint32_t word)
{
    rpcrdma_xdr_store32(talk->out.octets + at, word);
    return true;
}

static uint32_t word(const struct talk *talk, size_t at)
{
    return rpcrdma_xdr_load32(talk->out.octets + at);
}

static bool cut(struct talk *talk, size_t length)
{
    bool good = length < talk->out.event.length;
    talk->out.event.length = good ? length : talk->out.event.length;
    return good;
}

/* Where the Write list begins, and the Reply chunk. */
static size_t writes_at(struct talk *talk)
{
    return AT_LISTS + ENTRY * talk_lists(talk)->rdma_reads.count + 4;
}

static size_t reply_at(struct talk *talk)
{
    const struct rpcrdma1_chunk_lists *lists = talk_lists(talk);
    return talk->out.header_length -
           (lists->rdma_reply.present ? 8 + 16 * lists->rdma_reply.value.target.count : 4);
}

static uint32_t no_bool(struct talk *talk)
{
    return 2 + pick(&talk->dice, 1000);
}

/* An RPC message follows the header. */
static bool is_inline_call(const struct talk *talk, const struct talk_call *call)
{
    return talk_is_call(talk, call) && talk->out.payload_length > 0;
}

static bool is_inline_reply(const struct talk *talk, const struct talk_call *call)
{
    return talk_is_reply(talk, call) && talk->out.payload_length > 0;
}

/* ---- fixed words ---- */

static bool version_zero(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && set(talk, AT_VERS, 0);
}

static bool version_turned_round(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && set(talk, AT_VERS, 1 << 24);
}

static bool version_of_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && call->from == RPCRDMA_CLIENT && set(talk, AT_VERS, 3);
}

static bool procedure_turned_round(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && call->is_long && set(talk, AT_PROC, 1 << 24);
}

static bool procedure_of_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && set(talk, AT_PROC, 5 + pick(&talk->dice, 99));
}

static bool msgp_of_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && set(talk, AT_PROC, RPCRDMA1_MSGP);
}

static bool done_of_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && set(talk, AT_PROC, RPCRDMA1_DONE);
}

static bool no_request(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && set(talk, AT_CREDIT, 0);
}

static bool runt_of_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && cut(talk, 16 + pick(&talk->dice, 12));
}

static bool runt_without_words(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && cut(talk, 1 + pick(&talk->dice, 15));
}

static bool error_code_zero(struct talk *talk, struct talk_call *call)
{
    return talk_is_error(talk, call) && set(talk, CODE, 0);
}

static bool versions_turned_round(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_error(talk, call) || talk->out.event.length != CODE + 4)
        return false;
    talk->out.event.length += 8;
    return set(talk, CODE, RPCRDMA1_ERR_VERS) && set(talk, CODE + 4, 3) && set(talk, CODE + 8, 2);
}

static bool versions_with_this_one(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_error(talk, call) || talk->out.event.length != CODE + 4)
        return false;
    talk->out.event.length += 8;
    return set(talk, CODE, RPCRDMA1_ERR_VERS) && set(talk, CODE + 4, 1) && set(talk, CODE + 8, 1);
}

/* ---- chunk lists ---- */

static bool presence_of_writes(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && set(talk, writes_at(talk), no_bool(talk));
}

static bool presence_of_reply_chunk(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && set(talk, reply_at(talk), no_bool(talk));
}

static bool second_presence_of_reads(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && call->reads > 0 &&
           set(talk, AT_LISTS + ENTRY, no_bool(talk));
}

static bool presence_in_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && set(talk, AT_LISTS, no_bool(talk));
}

static bool writes_in_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && set(talk, writes_at(talk), no_bool(talk));
}

static bool reply_chunk_in_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && set(talk, reply_at(talk), no_bool(talk));
}

static uint32_t endless(struct talk *talk)
{
    return UINT32_C(0x10000000) << pick(&talk->dice, 4);
}

static bool count_of_reply_chunk(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && call->has_reply &&
           set(talk, reply_at(talk) + 4, endless(talk));
}

static bool count_in_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && talk_lists(talk)->rdma_writes.count > 0 &&
           set(talk, writes_at(talk) + 4, endless(talk));
}

static bool count_of_reply_chunk_in_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && talk_lists(talk)->rdma_reply.present &&
           set(talk, reply_at(talk) + 4, endless(talk));
}

static bool cut_in_reads(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && call->reads > 0 && cut(talk, 28 + 4 * pick(&talk->dice, 3));
}

static bool cut_in_writes(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && call->writes > 0 && call->write[0].count > 0 &&
           cut(talk, writes_at(talk) + 8 + 4 * pick(&talk->dice, 4));
}

static bool cut_in_reply_chunk(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && call->has_reply && call->reply.count > 0 &&
           cut(talk, reply_at(talk) + 8 + 4 * pick(&talk->dice, 4));
}

static bool cut_in_writes_of_reply(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && talk_lists(talk)->rdma_writes.count > 0 &&
           talk->out.writes[0].target.count > 0 &&
           cut(talk, writes_at(talk) + 8 + 4 * pick(&talk->dice, 4));
}

/* Of the only segment of the only Read chunk. */
static bool is_sole_read(const struct talk *talk, const struct talk_call *call, bool is_long)
{
    return talk_is_call(talk, call) && call->reads == 1 && call->is_long == is_long;
}

static bool long_call_elsewhere(struct talk *talk, struct talk_call *call)
{
    return is_sole_read(talk, call, true) && set(talk, AT_LISTS + 4, 4 + 4 * pick(&talk->dice, 30));
}

static bool long_call_of_nothing(struct talk *talk, struct talk_call *call)
{
    return is_sole_read(talk, call, true) && set(talk, AT_LISTS + 12, 0);
}

static bool long_call_too_short(struct talk *talk, struct talk_call *call)
{
    return is_sole_read(talk, call, true) && set(talk, AT_LISTS + 12, 4 + 4 * pick(&talk->dice, 9));
}

static bool long_call_of_part_words(struct talk *talk, struct talk_call *call)
{
    return is_sole_read(talk, call, true) &&
           set(talk, AT_LISTS + 12, word(talk, AT_LISTS + 12) + 1 + pick(&talk->dice, 3));
}

static bool position_zero(struct talk *talk, struct talk_call *call)
{
    return is_sole_read(talk, call, false) && set(talk, AT_LISTS + 4, 0);
}

static bool address_wraps(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && call->reads > 0 && call->read[0].target.length > 1 &&
           set(talk, AT_LISTS + 16, UINT32_MAX) && set(talk, AT_LISTS + 20, UINT32_MAX);
}

static bool address_of_result_wraps(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && call->writes > 0 && call->write[0].count > 0 &&
           call->write[0].segment[0].length > 1 && set(talk, writes_at(talk) + 16, UINT32_MAX) &&
           set(talk, writes_at(talk) + 20, UINT32_MAX);
}

/* Two Read chunks, the second within the first. */
static bool chunk_in_chunk(struct talk *talk, struct talk_call *call)
{
    return talk_is_call(talk, call) && call->reads == 2 && !call->is_long &&
           call->read[0].position != call->read[1].position && call->read[0].target.length > 4 &&
           set(talk, AT_LISTS + ENTRY + 4, call->read[0].position + 4);
}

static bool no_lists(struct talk *talk, struct talk_call *call)
{
    if (!talk_is_call(talk, call) || !call->is_long)
        return false;
    for (size_t at = AT_LISTS; at < 28; at += 4)
        set(talk, at, 0);
    return cut(talk, 28);
}

static bool offset_of_write(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && talk_lists(talk)->rdma_writes.count > 0 &&
           talk->out.writes[0].target.count > 0 &&
           set(talk, writes_at(talk) + 20, word(talk, writes_at(talk) + 20) ^ 0x40000000);
}

static bool handle_of_reply_chunk(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && talk_lists(talk)->rdma_reply.present &&
           talk_lists(talk)->rdma_reply.value.target.count > 0 &&
           set(talk, reply_at(talk) + 8, word(talk, reply_at(talk) + 8) ^ 0x40000000);
}

static bool offset_of_reply_chunk(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && talk_lists(talk)->rdma_reply.present &&
           talk_lists(talk)->rdma_reply.value.target.count > 0 &&
           set(talk, reply_at(talk) + 16, word(talk, reply_at(talk) + 16) ^ 0x40000000);
}

static bool length_of_reply_chunk(struct talk *talk, struct talk_call *call)
{
    return talk_is_reply(talk, call) && talk_lists(talk)->rdma_reply.present && !talk->rdma_seen &&
           talk_lists(talk)->rdma_reply.value.target.count > 0 &&
           set(talk, reply_at(talk) + 12, call->reply.segment[0].length + 1);
}

/* ---- the RPC message ---- */

static bool no_payload(struct talk *talk, struct talk_call *call)
{
    return is_inline_call(talk, call) && cut(talk, talk->out.header_length);
}

static bool no_payload_of_reply(struct talk *talk, struct talk_call *call)
{
    return is_inline_reply(talk, call) && cut(talk, talk->out.header_length);
}

static bool part_of_xid(struct talk *talk, struct talk_call *call)
{
    return is_inline_call(talk, call) &&
           cut(talk, talk->out.header_length + 1 + pick(&talk->dice, 3));
}

static bool rpc_call_cut(struct talk *talk, struct talk_call *call)
{
    return is_inline_call(talk, call) &&
           cut(talk, talk->out.header_length + 8 + 4 * pick(&talk->dice, 8));
}

static bool rpc_reply_cut(struct talk *talk, struct talk_call *call)
{
    return is_inline_reply(talk, call) &&
           cut(talk, talk->out.header_length + 8 + 4 * pick(&talk->dice, 3));
}

static bool set_rpc(struct talk *talk, size_t at, uint32_t value)
{
    return at + 4 <= talk->out.payload_length && set(talk, talk->out.header_length + at, value);
}

static uint32_t rpc_word(const struct talk *talk, size_t at)
{
    return at + 4 <= talk->out.payload_length ? word(talk, talk->out.header_length + at)
                                              : UINT32_MAX;
}

static bool rpc_version_zero(struct talk *talk, struct talk_call *call)
{
    return is_inline_call(talk, call) && set_rpc(talk, 8, 0);
}

static bool long_credential(struct talk *talk, struct talk_call *call)
{
    return is_inline_call(talk, call) && set_rpc(talk, 28, 401 + pick(&talk->dice, 1000));
}

static bool type_of_all_bits(struct talk *talk, struct talk_call *call)
{
    return is_inline_call(talk, call) && set_rpc(talk, 4, UINT32_MAX);
}

static bool type_of_reply(struct talk *talk, struct talk_call *call)
{
    return is_inline_reply(talk, call) && set_rpc(talk, 4, 2);
}

static bool reply_status(struct talk *talk, struct talk_call *call)
{
    return is_inline_reply(talk, call) && set_rpc(talk, 8, 2 + pick(&talk->dice, 99));
}

static bool accept_status(struct talk *talk, struct talk_call *call)
{
    return is_inline_reply(talk, call) && rpc_word(talk, 8) == 0 && rpc_word(talk, 16) == 0 &&
           set_rpc(talk, 20, 6 + pick(&talk->dice, 99));
}

static bool denial(struct talk *talk, struct talk_call *call)
{
    return is_inline_reply(talk, call) && rpc_word(talk, 8) == 1 &&
           set_rpc(talk, 12, 2 + pick(&talk->dice, 99));
}

static bool long_verifier(struct talk *talk, struct talk_call *call)
{
    return is_inline_reply(talk, call) && rpc_word(talk, 8) == 0 &&
           set_rpc(talk, 16, 401 + pick(&talk->dice, 1000));
}

#define V(name, rule, breaker)                                                                     \
    {                                                                                              \
        name, "rfc8166/" rule, NULL, breaker, 0, NULL                                              \
    }

const struct talk_break talk_word_breaks[] = {
    V("version zero", "4.2.2/version-one", version_zero),
    V("version turned round", "4.2.2/version-one", version_turned_round),
    V("version of a reply", "4.2.2/version-one", version_of_reply),
    V("procedure turned round", "4.5.2/procedure-defined", procedure_turned_round),
    V("procedure of a reply", "4.5.2/procedure-defined", procedure_of_reply),
    V("msgp as a reply", "4.6.1/msgp-not-sent", msgp_of_reply),
    V("done as a reply", "4.6.2/done-not-sent", done_of_reply),
    V("no request", "3.3.1/request-of-zero", no_request),
    V("runt of a reply", "4.5/minimal-header", runt_of_reply),
    V("runt without four words", "4.5/minimal-header", runt_without_words),
    V("error code zero", "4.5/error-code-defined", error_code_zero),
    V("versions turned round", "4.5.1/version-range-ordered", versions_turned_round),
    V("versions with this one", "4.5.1/version-range-excludes-failed", versions_with_this_one),
    V("presence of write list", "4/xdr-encoded", presence_of_writes),
    V("presence of reply chunk", "4/xdr-encoded", presence_of_reply_chunk),
    V("presence of second segment", "4/xdr-encoded", second_presence_of_reads),
    V("presence in a reply", "4/xdr-encoded", presence_in_reply),
    V("presence of writes in reply", "4/xdr-encoded", writes_in_reply),
    V("presence of chunk in reply", "4/xdr-encoded", reply_chunk_in_reply),
    V("count of reply chunk", "4/xdr-encoded", count_of_reply_chunk),
    V("count in a reply", "4/xdr-encoded", count_in_reply),
    V("count of reply chunk in reply", "4/xdr-encoded", count_of_reply_chunk_in_reply),
    V("cut in read list", "4/xdr-encoded", cut_in_reads),
    V("cut in write list", "4/xdr-encoded", cut_in_writes),
    V("cut in reply chunk", "4/xdr-encoded", cut_in_reply_chunk),
    V("cut in write list of reply", "4/xdr-encoded", cut_in_writes_of_reply),
    V("long call elsewhere", "4.2.4/nomsg-holds-payload", long_call_elsewhere),
    V("long call of nothing", "4.2.4/nomsg-holds-payload", long_call_of_nothing),
    V("long call too short", "4.2.4/long-call-length", long_call_too_short),
    V("long call of part words", "3.5.3/special-chunk-whole-words", long_call_of_part_words),
    V("position zero", "3.5.3/position-zero-in-msg", position_zero),
    V("address wraps", "3.4.3/segment-within-address-space", address_wraps),
    V("address of result wraps", "3.4.3/segment-within-address-space", address_of_result_wraps),
    V("chunk in chunk", "3.4.4.4/chunks-overlap", chunk_in_chunk),
    V("no lists", "4.2.4/nomsg-list-present", no_lists),
    V("offset of write chunk", "3.4.6/segment-count-copied", offset_of_write),
    V("handle of reply chunk", "4.3.3/reply-chunk-copied", handle_of_reply_chunk),
    V("offset of reply chunk", "4.3.3/reply-chunk-copied", offset_of_reply_chunk),
    V("length of reply chunk", "4.3.3/reply-chunk-length-within-offer", length_of_reply_chunk),
    V("no payload", "4.2.4/msg-has-payload", no_payload),
    V("no payload of a reply", "4.2.4/msg-has-payload", no_payload_of_reply),
    V("part of an xid", "4.2.4/msg-has-payload", part_of_xid),
    V("rpc call cut", "4/rpc-layout", rpc_call_cut),
    V("rpc reply cut", "4/rpc-layout", rpc_reply_cut),
    V("rpc version zero", "4/rpc-layout", rpc_version_zero),
    V("long credential", "4/rpc-layout", long_credential),
    V("long verifier", "4/rpc-layout", long_verifier),
    V("message type of all bits", "2.2.2/message-type", type_of_all_bits),
    V("message type of a reply", "2.2.2/message-type", type_of_reply),
    V("reply status", "4/rpc-layout", reply_status),
    V("accept status", "4/rpc-layout", accept_status),
    V("denial", "4/rpc-layout", denial),
    {NULL, NULL, NULL, NULL, 0, NULL},
};
