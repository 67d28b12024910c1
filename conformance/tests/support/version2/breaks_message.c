// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule of either draft with the RPC message of one Send, or with its first words.
 */
#include "conformance/tests/support/version2/breaks.h"

static uint32_t no_bool(const struct layout *at)
{
    return 2 + pick(at->dice, 1000);
}

/* ---- the RPC message ---- */

static bool set_rpc(struct talk2_flight *flight, const struct layout *at, size_t from,
                    uint32_t value)
{
    return set(flight, at->end + from, value);
}

static bool other_xid(struct talk2_flight *flight, const struct layout *at)
{
    return has_message(flight, at) && set_rpc(flight, at, 0, word(flight, at->end) ^ 0x00400000);
}

static bool no_type(struct talk2_flight *flight, const struct layout *at)
{
    return has_message(flight, at) && set_rpc(flight, at, 4, no_bool(at));
}

static bool type_of_all_bits(struct talk2_flight *flight, const struct layout *at)
{
    return has_message(flight, at) && set_rpc(flight, at, 4, UINT32_MAX);
}

static bool other_type(struct talk2_flight *flight, const struct layout *at)
{
    return has_message(flight, at) && set_rpc(flight, at, 4, at->is_call);
}

static bool rpc_version(struct talk2_flight *flight, const struct layout *at)
{
    return is_whole_call(flight, at) && set_rpc(flight, at, 8, pick(at->dice, 2) ? 0 : 3);
}

static bool long_credential(struct talk2_flight *flight, const struct layout *at)
{
    return is_whole_call(flight, at) && set_rpc(flight, at, 28, 401 + pick(at->dice, 1000));
}

static bool call_cut(struct talk2_flight *flight, const struct layout *at)
{
    return is_whole_call(flight, at) && cut(flight, at->end + 8 + 4 * pick(at->dice, 8));
}

static bool reply_cut(struct talk2_flight *flight, const struct layout *at)
{
    return is_whole_reply(flight, at) && cut(flight, at->end + 8 + 4 * pick(at->dice, 4));
}

static bool reply_status(struct talk2_flight *flight, const struct layout *at)
{
    return is_whole_reply(flight, at) && set_rpc(flight, at, 8, no_bool(at));
}

static bool long_verifier(struct talk2_flight *flight, const struct layout *at)
{
    return is_whole_reply(flight, at) && word(flight, at->end + 8) == 0 &&
           set_rpc(flight, at, 16, 401 + pick(at->dice, 1000));
}

static bool accept_status(struct talk2_flight *flight, const struct layout *at)
{
    return is_whole_reply(flight, at) && word(flight, at->end + 8) == 0 &&
           word(flight, at->end + 16) == 0 && set_rpc(flight, at, 20, 6 + pick(at->dice, 99));
}

static bool no_message(struct talk2_flight *flight, const struct layout *at)
{
    return has_message(flight, at) && cut(flight, at->end);
}

static bool part_of_xid(struct talk2_flight *flight, const struct layout *at)
{
    return has_message(flight, at) && cut(flight, at->end + 1 + pick(at->dice, 3));
}

static bool odd_length(struct talk2_flight *flight, const struct layout *at)
{
    return has_message(flight, at) && cut(flight, flight->event.length - 1 - pick(at->dice, 3));
}

/* ---- -04: words that -07 has not ---- */

static bool direction_of_two(struct talk2_flight *flight, const struct layout *at)
{
    return set(flight, AT_DIRECTION, no_bool(at));
}

static bool direction_turned_round(struct talk2_flight *flight, const struct layout *at)
{
    return has_message(flight, at) && set(flight, AT_DIRECTION, at->is_call);
}

static bool handle_in_reply(struct talk2_flight *flight, const struct layout *at)
{
    return !at->is_call && set(flight, AT_DIRECTION + 4, 7);
}

static bool foreign_handle(struct talk2_flight *flight, const struct layout *at)
{
    return at->is_call && set(flight, AT_DIRECTION + 4, 0xdeadbeef);
}

static bool no_credit_asked(struct talk2_flight *flight, const struct layout *at)
{
    return is_whole_call(flight, at) && set(flight, AT_CREDIT, 0);
}

static bool no_credit_given(struct talk2_flight *flight, const struct layout *at)
{
    return is_whole_reply(flight, at) && set(flight, AT_CREDIT, 0);
}

static bool reply_to_nothing(struct talk2_flight *flight, const struct layout *at)
{
    return is_whole_reply(flight, at) && set(flight, AT_XID, 0xfeed0001) &&
           set_rpc(flight, at, 0, 0xfeed0001);
}

static bool unasked_invalidation(struct talk2_flight *flight, const struct layout *at)
{
    flight->event.handle = 7;
    return is_whole_reply(flight, at) && flight->call->invalidate == 0 &&
           (flight->event.invalidate = true);
}

static bool other_invalidation(struct talk2_flight *flight, const struct layout *at)
{
    if (!is_whole_reply(flight, at) || flight->call->invalidate == 0)
        return false;
    flight->event.invalidate = true;
    flight->event.handle = 7;
    return true;
}

static bool undefined_procedure(struct talk2_flight *flight, const struct layout *at)
{
    return set(flight, AT_TYPE, 10 + pick(at->dice, 1000));
}

static bool old_procedure(struct talk2_flight *flight, const struct layout *at)
{
    return set(flight, AT_TYPE, 2 + pick(at->dice, 2));
}

static bool runt(struct talk2_flight *flight, const struct layout *at)
{
    return cut(flight, 1 + pick(at->dice, PREFIX - 1));
}

static bool version_of_server(struct talk2_flight *flight, const struct layout *at)
{
    return flight->event.from == RPCRDMA_SERVER && is_whole_reply(flight, at) &&
           set(flight, AT_VERS, 1);
}

#define OF_04(name, rule, types, spoil_at)                                                         \
    {                                                                                              \
        name, {NULL, rule}, {0, types}, NULL, spoil_at                                             \
    }
#define OF_BOTH(name, rule07, types07, rule04, types04, spoil_at)                                  \
    {                                                                                              \
        name, {D07 rule07, rule04}, {types07, types04}, NULL, spoil_at                             \
    }

const struct talk2_break talk2_message_breaks[] = {
    OF_BOTH("XID of the message", "7.2/xid-equal", CALL_INLINE | REPLY_INLINE,
            "rfc8166/4.2.1/xid-equal", MSG, other_xid),
    OF_BOTH("message type undefined", "3.1.3/message-type", CALL_INLINE | REPLY_INLINE,
            "rfc8166/2.2.2/message-type", MSG, no_type),
    OF_BOTH("message type of all bits", "3.1.3/message-type", CALL_INLINE | REPLY_INLINE,
            "rfc8166/2.2.2/message-type", MSG, type_of_all_bits),
    OF_BOTH("message type turned round", "3.1.3/direction-of-type", CALL_INLINE | REPLY_INLINE,
            D04 "6.2.2/direction-of-message", MSG, other_type),
    OF_BOTH("RPC version", "4.1/rpc-layout", CALL_INLINE, "rfc8166/4/rpc-layout", MSG, rpc_version),
    OF_BOTH("long credential", "4.1/rpc-layout", CALL_INLINE, "rfc8166/4/rpc-layout", MSG,
            long_credential),
    OF_BOTH("end of a Call", "4.1/rpc-layout", CALL_INLINE, "rfc8166/4/rpc-layout", MSG, call_cut),
    OF_BOTH("end of a Reply", "4.1/rpc-layout", REPLY_INLINE, "rfc8166/4/rpc-layout", MSG,
            reply_cut),
    OF_BOTH("reply status", "4.1/rpc-layout", REPLY_INLINE, "rfc8166/4/rpc-layout", MSG,
            reply_status),
    OF_BOTH("accept status", "4.1/rpc-layout", REPLY_INLINE, "rfc8166/4/rpc-layout", MSG,
            accept_status),
    OF_BOTH("long verifier", "4.1/rpc-layout", REPLY_INLINE, "rfc8166/4/rpc-layout", MSG,
            long_verifier),
    OF_BOTH("part of a word", "4.5.3/payload-whole-words", CALL_INLINE | REPLY_INLINE,
            "rfc8166/3.4.4.4/payload-whole-words", MSG, odd_length),
    OF_BOTH("no message", "7.2/xdr-encoded", CALL_INLINE | REPLY_INLINE,
            D04 "6.2.1/msg-has-payload", MSG, no_message),
    OF_BOTH("part of an XID", "7.2/xdr-encoded", CALL_INLINE | REPLY_INLINE,
            D04 "6.2.1/msg-has-payload", MSG, part_of_xid),
    OF_04("direction of two", D04 "6.2/xdr-encoded", BOTH, direction_of_two),
    OF_04("direction turned round", D04 "6.2.2/direction-of-message", MSG, direction_turned_round),
    OF_04("handle in a Reply", D04 "6.2.3/handle-in-reply", BOTH, handle_in_reply),
    OF_04("handle that is not offered", D04 "6.2.3/handle-offered", BOTH, foreign_handle),
    OF_04("no request", "rfc8166/3.3.1/request-of-zero", MSG, no_credit_asked),
    OF_04("no grant", "rfc8166/3.3.1/grant-not-zero", MSG, no_credit_given),
    OF_04("Reply to nothing", "rfc8166/2.2.2/reply-matches-call", MSG, reply_to_nothing),
    OF_04("invalidation unasked", D04 "6.2.3/plain-send", MSG, unasked_invalidation),
    OF_04("invalidation of another", D04 "6.2.3/handle-of-call", MSG, other_invalidation),
    OF_04("undefined procedure", D04 "6.2.4/procedure-defined", BOTH, undefined_procedure),
    OF_04("procedure of version 1", D04 "6.2.4/procedure-defined", BOTH, old_procedure),
    OF_04("runt", D04 "6.2/minimal-header", BOTH, runt),
    OF_04("version of a Reply", D04 "7.3/replies-keep-version", MSG, version_of_server),
    {NULL, {NULL, NULL}, {0, 0}, NULL, NULL},
};
