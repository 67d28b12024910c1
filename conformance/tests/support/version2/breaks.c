// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule of draft -07 in one Send of a random conversation. */
#include "conformance/tests/support/version2/breaks.h"

#include <rpcrdma/message.h>
#include <rpcrdma/rpcrdma.h>
#include <string.h>

enum { AT_XID = 0, AT_VERS = 4, AT_CREDIT = 8, AT_TYPE = 12, PREFIX = 16 };
enum { READS = 20, WRITES_OF_REPLY = 16 }; /* where these lists begin */
enum {
    ERRORS = 1 << 4,
    GRANTS = 1 << 5,
    PROPERTIES = 1 << 6 | 1 << 7,
    CALL_EXTERNAL = 1 << 8,
    CALL_MIDDLE = 1 << 9,
    CALL_INLINE = 1 << 10,
    REPLY_EXTERNAL = 1 << 11,
    REPLY_MIDDLE = 1 << 12,
    REPLY_INLINE = 1 << 13,
    PIECES = CALL_MIDDLE | REPLY_MIDDLE,
    INLINE = CALL_INLINE | REPLY_INLINE,
};

static struct dice *dice; /* of the conversation that is broken */

static uint32_t word(const struct talk2_flight *flight, size_t at)
{
    return at + 4 <= flight->event.length ? rpcrdma_xdr_load32(flight->octets + at) : UINT32_MAX;
}

static bool set(struct talk2_flight *flight, size_t at, uint32_t value)
{
    if (at + 4 > flight->event.length)
        return false;
    rpcrdma_xdr_store32(flight->octets + at, value);
    return true;
}

static bool cut(struct talk2_flight *flight, uint32_t length)
{
    bool good = length < flight->event.length;
    flight->event.length = good ? length : flight->event.length;
    return good;
}

/* Where the RPC message begins, if all of it is in this Send; or 0. */
static size_t whole(const struct talk2_flight *flight)
{
    struct rpcrdma_message message;
    ptrdiff_t length = rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_2_07, flight->octets,
                                              flight->event.length, NULL);
    return !rpcrdma_xdr_failed(length) && word(flight, message.header) == word(flight, AT_XID)
               ? message.header
               : 0;
}

/* ---- ways to break a rule: false if this Send is not fit for it ---- */

static bool undefined_type(struct talk2_flight *flight)
{
    return set(flight, AT_TYPE, 14 + pick(dice, 1000));
}

static bool old_type(struct talk2_flight *flight)
{
    return set(flight, AT_TYPE, pick(dice, 4));
}

static bool runt(struct talk2_flight *flight)
{
    return cut(flight, 1 + pick(dice, PREFIX - 1));
}

static bool later_version(struct talk2_flight *flight)
{
    return flight->event.from == RPCRDMA_CLIENT && set(flight, AT_VERS, 3);
}

static bool first_version(struct talk2_flight *flight)
{
    return flight->event.from == RPCRDMA_SERVER && set(flight, AT_VERS, 1);
}

static bool total_too_low(struct talk2_flight *flight)
{
    return set(flight, AT_CREDIT, word(flight, AT_CREDIT) - 0x40000000);
}

static bool total_of_halves(struct talk2_flight *flight)
{
    return set(flight, AT_CREDIT, word(flight, AT_CREDIT) + 0x00200000);
}

static bool named_grant(struct talk2_flight *flight)
{
    return set(flight, AT_XID, 1 + pick(dice, 1000));
}

static bool longer(struct talk2_flight *flight)
{
    memset(flight->octets + flight->event.length, 0, 4);
    flight->event.length += 4;
    return true;
}

static bool invalidating(struct talk2_flight *flight)
{
    flight->event.invalidate = true;
    flight->event.handle = 7;
    return true;
}

static bool cut_in_header(struct talk2_flight *flight)
{
    return cut(flight, PREFIX + pick(dice, 4));
}

static bool presence(struct talk2_flight *flight)
{
    return set(flight, word(flight, AT_TYPE) == 10 ? READS : WRITES_OF_REPLY, 2 + pick(dice, 1000));
}

static bool foreign_handle(struct talk2_flight *flight)
{
    return set(flight, PREFIX, 0xdeadbeef);
}

static bool nothing_remains(struct talk2_flight *flight)
{
    return set(flight, PREFIX, pick(dice, 4));
}

/* Not of the first piece, which the RPC header's XID tells. */
static bool foreign_piece(struct talk2_flight *flight)
{
    return word(flight, PREFIX + 4) != word(flight, AT_XID) &&
           set(flight, AT_XID, word(flight, AT_XID) ^ 0x00400000);
}

static bool other_xid(struct talk2_flight *flight)
{
    size_t at = whole(flight);
    return at != 0 && set(flight, at, word(flight, at) ^ 0x00400000);
}

static bool other_direction(struct talk2_flight *flight)
{
    size_t at = whole(flight);
    return at != 0 && set(flight, at + 4, !word(flight, at + 4));
}

static bool no_direction(struct talk2_flight *flight)
{
    size_t at = whole(flight);
    return at != 0 && set(flight, at + 4, 2 + pick(dice, 1000));
}

static bool odd_length(struct talk2_flight *flight)
{
    return whole(flight) != 0 && cut(flight, (uint32_t)flight->event.length - 1 - pick(dice, 3));
}

static bool unknown_xid(struct talk2_flight *flight)
{
    size_t at = whole(flight);
    return at != 0 && set(flight, at, 0xfeed0001) && set(flight, AT_XID, 0xfeed0001);
}

static bool unknown_xid_of_error(struct talk2_flight *flight)
{
    return set(flight, AT_XID, 0xfeed0001);
}

static bool unknown_code(struct talk2_flight *flight)
{
    return set(flight, PREFIX, 20 + pick(dice, 70));
}

static bool unasked_invalidation(struct talk2_flight *flight)
{
    return flight->call->invalidate == 0 && whole(flight) != 0 && invalidating(flight);
}

static bool other_invalidation(struct talk2_flight *flight)
{
    return flight->call->invalidate != 0 && whole(flight) != 0 && invalidating(flight);
}

/* The first of the properties is one that has a number. */
static bool is_known(const struct talk2_flight *flight)
{
    return word(flight, PREFIX) > 0 && word(flight, PREFIX) < 100 && word(flight, PREFIX + 4) <= 5;
}

static bool short_value(struct talk2_flight *flight)
{
    return is_known(flight) && set(flight, PREFIX + 8, 2) && set(flight, PREFIX + 12, 0);
}

static bool endless_value(struct talk2_flight *flight)
{
    return is_known(flight) && set(flight, PREFIX + 8, 0x7fffffff);
}

static bool has_reads(const struct talk2_flight *flight)
{
    return word(flight, READS) == 1;
}

static bool odd_position(struct talk2_flight *flight)
{
    return has_reads(flight) && set(flight, READS + 4, word(flight, READS + 4) + 2);
}

static bool position_zero(struct talk2_flight *flight)
{
    return has_reads(flight) && set(flight, READS + 4, 0);
}

static bool position_in_header(struct talk2_flight *flight)
{
    return has_reads(flight) && whole(flight) != 0 && set(flight, READS + 4, 8);
}

static bool position_of_call_chunk(struct talk2_flight *flight)
{
    return set(flight, READS + 4, 4);
}

static bool has_writes(const struct talk2_flight *flight)
{
    return word(flight, WRITES_OF_REPLY) == 1;
}

static bool other_write_handle(struct talk2_flight *flight)
{
    return has_writes(flight) && whole(flight) != 0 &&
           set(flight, WRITES_OF_REPLY + 8, word(flight, WRITES_OF_REPLY + 8) ^ 0x40000000);
}

static bool longer_write_segment(struct talk2_flight *flight)
{
    return has_writes(flight) && whole(flight) != 0 && set(flight, WRITES_OF_REPLY + 12, 1 << 30);
}

static bool other_reply_handle(struct talk2_flight *flight)
{
    return !has_writes(flight) &&
           set(flight, WRITES_OF_REPLY + 12, word(flight, WRITES_OF_REPLY + 12) ^ 0x40000000);
}

static bool longer_reply_segment(struct talk2_flight *flight)
{
    return !has_writes(flight) && set(flight, WRITES_OF_REPLY + 16, 1 << 30);
}

static bool no_reply_chunk(struct talk2_flight *flight)
{
    return !has_writes(flight) && set(flight, WRITES_OF_REPLY + 4, 0) &&
           cut(flight, WRITES_OF_REPLY + 8);
}

const struct talk2_break talk2_breaks[] = {
    {"undefined type", "6.1/type-defined", PIECES | INLINE | GRANTS, undefined_type},
    {"type of version 1", "6.1/type-defined", INLINE | GRANTS, old_type},
    {"runt", "7/minimal-header", INLINE | GRANTS | PROPERTIES | PIECES, runt},
    {"version 3 of a client", "4.3.3/client-version", INLINE, later_version},
    {"version 1 of a server", "4.3.3/server-version", INLINE, first_version},
    {"total below the counts", "4.2.1/total-above-count", INLINE | PIECES | GRANTS, total_too_low},
    {"total of halves", "4.2.1/total-of-halves", INLINE | PIECES | GRANTS, total_of_halves},
    {"XID of a grant", "6.3.2/grant-xid-zero", GRANTS, named_grant},
    {"octets after a grant", "6.1/ends-with-header", GRANTS, longer},
    {"octets after properties", "6.1/ends-with-header", PROPERTIES, longer},
    {"octets after an error", "6.1/ends-with-header", ERRORS, longer},
    {"octets after an external message", "6.1/ends-with-header", CALL_EXTERNAL | REPLY_EXTERNAL,
     longer},
    {"grant that invalidates", "6.5/control-not-invalidating", GRANTS | PROPERTIES, invalidating},
    {"piece that invalidates", "6.5/invalidates-with-last-piece", REPLY_MIDDLE, invalidating},
    {"Call cut", "7.2/xdr-encoded", CALL_INLINE | CALL_EXTERNAL | CALL_MIDDLE, cut_in_header},
    {"Reply cut", "7.2/xdr-encoded", REPLY_INLINE | REPLY_EXTERNAL | REPLY_MIDDLE, cut_in_header},
    {"properties cut", "7.2/xdr-encoded", PROPERTIES, cut_in_header},
    {"error cut", "7.2/xdr-encoded", ERRORS, cut_in_header},
    {"presence word", "7.2/xdr-encoded", INLINE, presence},
    {"handle that is not offered", "6.5/handle-offered", CALL_INLINE | CALL_EXTERNAL,
     foreign_handle},
    {"nothing remains of a Call", "6.3.6/call-remaining", CALL_MIDDLE, nothing_remains},
    {"nothing remains of a Reply", "6.3.9/reply-remaining", REPLY_MIDDLE, nothing_remains},
    {"piece with another XID", "4.1/pieces-not-mixed", PIECES, foreign_piece},
    {"XID of the RPC message", "7.2/xid-equal", INLINE, other_xid},
    {"other direction", "3.1.3/direction-of-type", INLINE, other_direction},
    {"no direction", "3.1.3/message-type", INLINE, no_direction},
    {"odd length", "4.5.3/payload-whole-words", INLINE, odd_length},
    {"Reply to nothing", "3.1.3/reply-matches-call", REPLY_INLINE, unknown_xid},
    {"error about nothing", "7/error-without-message", ERRORS, unknown_xid_of_error},
    {"undefined error", "7/error-code-defined", ERRORS, unknown_code},
    {"invalidation unasked", "6.5/plain-send-if-zero", REPLY_INLINE, unasked_invalidation},
    {"invalidation of another", "6.5/handle-of-call", REPLY_INLINE, other_invalidation},
    {"value of 2 octets", "5.1/value-form", PROPERTIES, short_value},
    {"value beyond the message", "5.1/value-within-message", PROPERTIES, endless_value},
    {"odd Position", "4.5.1/position-multiple-of-four", CALL_INLINE, odd_position},
    {"Position zero", "6.3.7/position-zero-in-call", CALL_INLINE, position_zero},
    {"Position in the RPC header", "4.4.2/position-in-rpc-header", CALL_INLINE, position_in_header},
    {"Position of the Call chunk", "6.6.3/call-chunk-position-zero", CALL_EXTERNAL,
     position_of_call_chunk},
    {"handle of a Write chunk", "4.5.2.1/segments-copied", REPLY_INLINE, other_write_handle},
    {"length of a Write segment", "4.5.2.1/returned-length-within-offer", REPLY_INLINE,
     longer_write_segment},
    {"handle of a Reply chunk", "4.5.2.2/reply-chunk-copied", REPLY_EXTERNAL, other_reply_handle},
    {"length of a Reply segment", "4.5.2.2/reply-chunk-length-within-offer", REPLY_EXTERNAL,
     longer_reply_segment},
    {"no Reply chunk", "6.3.8/reply-chunk-present", REPLY_EXTERNAL, no_reply_chunk},
    {NULL, NULL, 0, NULL},
};

bool talk2_break(const struct talk2_break *kind, struct talk2 *talk, struct talk2_flight *flight)
{
    dice = &talk->dice;
    return flight->type < TALK2_TYPES && kind->types >> flight->type & 1 && kind->spoil(flight);
}
