// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule with the first words of a Send, or with one that is no RPC message. */
#include "conformance/tests/support/version2/breaks.h"

#include <rpcrdma/message.h>
#include <string.h>

enum { WRITES_OF_REPLY = 16 }; /* where these lists begin */
enum {
    ERRORS = 1 << 4,
    GRANTS = 1 << 5,
    PROPERTIES = 1 << 6 | 1 << 7,
    CALL_MIDDLE = 1 << 9,
    REPLY_MIDDLE = 1 << 12,
    PIECES = CALL_MIDDLE | REPLY_MIDDLE,
    INLINE = CALL_INLINE | REPLY_INLINE,
    EXTERNAL = CALL_EXTERNAL | REPLY_EXTERNAL,
    CONNPROP_04 = 1 << 6,
    PROPERTIES_04 = 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9,
};

static struct dice *dice; /* of the conversation that is broken */

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

static bool has_writes(const struct talk2_flight *flight)
{
    return word(flight, WRITES_OF_REPLY) == 1;
}

static bool no_reply_chunk(struct talk2_flight *flight)
{
    return !has_writes(flight) && set(flight, WRITES_OF_REPLY + 4, 0) &&
           cut(flight, WRITES_OF_REPLY + 8);
}

#define OF_07(name, rule, types, spoil)                                                            \
    {                                                                                              \
        name, {D07 rule, NULL}, {types, 0}, spoil, NULL                                            \
    }
#define OF_BOTH(name, rule07, types07, rule04, types04, spoil)                                     \
    {                                                                                              \
        name, {D07 rule07, rule04}, {types07, types04}, spoil, NULL                                \
    }

const struct talk2_break talk2_breaks[] = {
    OF_07("undefined type", "6.1/type-defined", PIECES | INLINE | GRANTS, undefined_type),
    OF_07("undefined type of an error", "6.1/type-defined", ERRORS, undefined_type),
    OF_07("undefined type of properties", "6.1/type-defined", PROPERTIES, undefined_type),
    OF_07("undefined type, not inline", "6.1/type-defined", EXTERNAL, undefined_type),
    OF_07("type of version 1", "6.1/type-defined", INLINE | GRANTS, old_type),
    OF_07("type of version 1 of a piece", "6.1/type-defined", PIECES, old_type),
    OF_07("type of version 1, not inline", "6.1/type-defined", EXTERNAL, old_type),
    OF_07("runt", "7/minimal-header", INLINE | GRANTS | PROPERTIES | PIECES, runt),
    OF_07("runt of an error", "7/minimal-header", ERRORS, runt),
    OF_07("runt, not inline", "7/minimal-header", EXTERNAL, runt),
    OF_07("version 3 of a client", "4.3.3/client-version", INLINE, later_version),
    OF_07("version 3 of a client, grant", "4.3.3/client-version", GRANTS, later_version),
    OF_07("version 3 of a client, piece", "4.3.3/client-version", PIECES, later_version),
    OF_07("version 3 of a client, properties", "4.3.3/client-version", PROPERTIES, later_version),
    OF_07("version 3 of a client, not inline", "4.3.3/client-version", EXTERNAL, later_version),
    OF_07("version 1 of a server", "4.3.3/server-version", INLINE, first_version),
    OF_07("version 1 of a server, grant", "4.3.3/server-version", GRANTS, first_version),
    OF_07("version 1 of a server, piece", "4.3.3/server-version", PIECES, first_version),
    OF_07("version 1 of a server, properties", "4.3.3/server-version", PROPERTIES, first_version),
    OF_07("version 1 of a server, not inline", "4.3.3/server-version", EXTERNAL, first_version),
    OF_07("total below the counts", "4.2.1/total-above-count", INLINE | PIECES | GRANTS,
          total_too_low),
    OF_07("total below the counts, properties", "4.2.1/total-above-count", PROPERTIES,
          total_too_low),
    OF_07("total below the counts, error", "4.2.1/total-above-count", ERRORS, total_too_low),
    OF_07("total below the counts, not inline", "4.2.1/total-above-count", EXTERNAL, total_too_low),
    OF_07("total of halves", "4.2.1/total-of-halves", INLINE | PIECES | GRANTS, total_of_halves),
    OF_07("total of halves, properties", "4.2.1/total-of-halves", PROPERTIES, total_of_halves),
    OF_07("total of halves, error", "4.2.1/total-of-halves", ERRORS, total_of_halves),
    OF_07("total of halves, not inline", "4.2.1/total-of-halves", EXTERNAL, total_of_halves),
    OF_07("XID of a grant", "6.3.2/grant-xid-zero", GRANTS, named_grant),
    OF_07("octets after a grant", "6.1/ends-with-header", GRANTS, longer),
    OF_07("octets after properties", "6.1/ends-with-header", PROPERTIES, longer),
    OF_BOTH("octets after an error", "6.1/ends-with-header", ERRORS,
            D04 "6.2.1/error-without-payload", ERRORS, longer),
    OF_07("octets after an external message", "6.1/ends-with-header", EXTERNAL, longer),
    OF_07("grant that invalidates", "6.5/control-not-invalidating", GRANTS | PROPERTIES,
          invalidating),
    OF_07("error that invalidates", "6.5/control-not-invalidating", ERRORS, invalidating),
    OF_07("piece that invalidates", "6.5/invalidates-with-last-piece", REPLY_MIDDLE, invalidating),
    OF_07("Call cut", "7.2/xdr-encoded", CALL_INLINE | CALL_EXTERNAL | CALL_MIDDLE, cut_in_header),
    OF_07("Reply cut", "7.2/xdr-encoded", REPLY_INLINE | REPLY_EXTERNAL | REPLY_MIDDLE,
          cut_in_header),
    OF_BOTH("properties cut", "7.2/xdr-encoded", PROPERTIES, D04 "6.2/xdr-encoded", PROPERTIES_04,
            cut_in_header),
    OF_BOTH("error cut", "7.2/xdr-encoded", ERRORS, D04 "6.2/xdr-encoded", ERRORS, cut_in_header),
    OF_07("handle that is not offered", "6.5/handle-offered", CALL_INLINE | CALL_EXTERNAL,
          foreign_handle),
    OF_07("nothing remains of a Call", "6.3.6/call-remaining", CALL_MIDDLE, nothing_remains),
    OF_07("nothing remains of a Reply", "6.3.9/reply-remaining", REPLY_MIDDLE, nothing_remains),
    OF_07("piece with another XID", "4.1/pieces-not-mixed", PIECES, foreign_piece),
    OF_07("Reply to nothing", "3.1.3/reply-matches-call", REPLY_INLINE, unknown_xid),
    OF_BOTH("error about nothing", "7/error-without-message", ERRORS,
            D04 "6.2.4/error-without-message", ERRORS, unknown_xid_of_error),
    OF_BOTH("undefined error", "7/error-code-defined", ERRORS, D04 "6.2/error-code-defined", ERRORS,
            unknown_code),
    OF_07("invalidation unasked", "6.5/plain-send-if-zero", REPLY_INLINE, unasked_invalidation),
    OF_07("invalidation of another", "6.5/handle-of-call", REPLY_INLINE, other_invalidation),
    OF_BOTH("value of 2 octets", "5.1/value-form", PROPERTIES, D04 "5.1.1/value-form", CONNPROP_04,
            short_value),
    OF_07("value beyond the message", "5.1/value-within-message", PROPERTIES, endless_value),
    OF_07("no Reply chunk", "6.3.8/reply-chunk-present", REPLY_EXTERNAL, no_reply_chunk),
    {NULL, {NULL, NULL}, {0, 0}, NULL, NULL},
};

bool talk2_break(const struct talk2_break *kind, struct talk2 *talk, struct talk2_flight *flight)
{
    uint32_t types = kind->types[talk->protocol != RPCRDMA_PROTOCOL_2_07];
    dice = &talk->dice;
    if (flight->type >= TALK2_TYPES || !(types >> flight->type & 1))
        return false;
    if (kind->spoil)
        return kind->spoil(flight);
    struct layout at = talk2_lay_out(talk, flight);
    return kind->spoil_at(flight, &at);
}
