// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule of either draft with the chunk lists of one Send. */
#include "conformance/tests/support/version2/breaks.h"

#include <string.h>

/* The first segment of each list, or 0. */
static size_t first_body(const struct talk2_flight *flight, const struct layout *at)
{
    return at->body && word(flight, at->body) == 1 ? at->body + 8 : 0;
}

static size_t first_read(const struct talk2_flight *flight, const struct layout *at)
{
    bool own = at->reads && at->reads != at->body;
    return own && word(flight, at->reads) == 1 ? at->reads + 8 : 0;
}

static size_t first_write(const struct talk2_flight *flight, const struct layout *at)
{
    bool has = word(flight, at->writes) == 1 && word(flight, at->writes + 4) > 0;
    return has ? at->writes + 8 : 0;
}

static size_t first_reply(const struct talk2_flight *flight, const struct layout *at)
{
    bool has = at->reply && word(flight, at->reply) == 1 && word(flight, at->reply + 4) > 0;
    return has ? at->reply + 8 : 0;
}

static uint32_t no_bool(const struct layout *at)
{
    return 2 + pick(at->dice, 1000);
}

/* ---- presence words and counts ---- */

static bool presence_of_body(struct talk2_flight *flight, const struct layout *at)
{
    return at->body && set(flight, at->body, no_bool(at));
}

static bool presence_of_reads(struct talk2_flight *flight, const struct layout *at)
{
    return at->reads && set(flight, at->reads, no_bool(at));
}

static bool presence_of_writes(struct talk2_flight *flight, const struct layout *at)
{
    return set(flight, at->writes, no_bool(at));
}

static bool presence_of_reply(struct talk2_flight *flight, const struct layout *at)
{
    return at->reply && set(flight, at->reply, no_bool(at));
}

static bool second_presence(struct talk2_flight *flight, const struct layout *at)
{
    return first_read(flight, at) && set(flight, at->reads + ENTRY, no_bool(at));
}

static bool count_of_writes(struct talk2_flight *flight, const struct layout *at)
{
    return first_write(flight, at) && set(flight, at->writes + 4, 1u << 28);
}

static bool count_of_reply(struct talk2_flight *flight, const struct layout *at)
{
    return first_reply(flight, at) && set(flight, at->reply + 4, 1u << 28);
}

/* ---- what ends too early ---- */

static bool cut_before_lists(struct talk2_flight *flight, const struct layout *at)
{
    return cut(flight, PREFIX + 1 + pick(at->dice, 3));
}

static bool cut_in_reads(struct talk2_flight *flight, const struct layout *at)
{
    return first_read(flight, at) && cut(flight, at->reads + 4 + 4 * pick(at->dice, 5));
}

static bool cut_in_writes(struct talk2_flight *flight, const struct layout *at)
{
    return first_write(flight, at) && cut(flight, at->writes + 4 + 4 * pick(at->dice, 5));
}

static bool cut_in_reply(struct talk2_flight *flight, const struct layout *at)
{
    return first_reply(flight, at) && cut(flight, at->reply + 4 + 4 * pick(at->dice, 5));
}

static bool cut_in_body(struct talk2_flight *flight, const struct layout *at)
{
    return first_body(flight, at) && cut(flight, at->body + 4 + 4 * pick(at->dice, 5));
}

/* ---- segments ---- */

static bool wraps(struct talk2_flight *flight, const struct layout *at, size_t segment)
{
    return segment && word(flight, segment + LENGTH) > 1 &&
           set(flight, segment + OFFSET, UINT32_MAX) &&
           set(flight, segment + OFFSET + 4, UINT32_MAX);
}

static bool body_wraps(struct talk2_flight *flight, const struct layout *at)
{
    return wraps(flight, at, first_body(flight, at));
}

static bool read_wraps(struct talk2_flight *flight, const struct layout *at)
{
    return wraps(flight, at, first_read(flight, at));
}

static bool write_wraps(struct talk2_flight *flight, const struct layout *at)
{
    return at->is_call && wraps(flight, at, first_write(flight, at));
}

static bool reply_wraps(struct talk2_flight *flight, const struct layout *at)
{
    return at->is_call && wraps(flight, at, first_reply(flight, at));
}

static bool empty_read(struct talk2_flight *flight, const struct layout *at)
{
    size_t segment = first_read(flight, at);
    bool is_sole = segment && (word(flight, at->reads + ENTRY) == 0 ||
                               word(flight, at->reads + ENTRY + 4) != word(flight, at->reads + 4));
    return is_sole && set(flight, segment + LENGTH, 0);
}

/* A chunk of one segment that has no octets. */
static bool no_room(struct talk2_flight *flight, const struct layout *at, size_t chunk)
{
    return at->is_call && word(flight, chunk) == 1 && word(flight, chunk + 4) == 1 &&
           set(flight, chunk + 8 + LENGTH, 0);
}

static bool no_room_for_result(struct talk2_flight *flight, const struct layout *at)
{
    return no_room(flight, at, at->writes);
}

static bool no_room_for_reply(struct talk2_flight *flight, const struct layout *at)
{
    return at->reply && no_room(flight, at, at->reply);
}

static bool offset_of_write(struct talk2_flight *flight, const struct layout *at)
{
    size_t segment = first_write(flight, at);
    return !at->is_call && segment &&
           set(flight, segment + OFFSET + 4, word(flight, segment + OFFSET + 4) ^ 0x40000000);
}

static bool handle_of_write(struct talk2_flight *flight, const struct layout *at)
{
    size_t segment = first_write(flight, at);
    return !at->is_call && segment &&
           set(flight, segment + HANDLE, word(flight, segment + HANDLE) ^ 0x40000000);
}

static bool length_of_write(struct talk2_flight *flight, const struct layout *at)
{
    size_t segment = first_write(flight, at);
    return !at->is_call && segment && set(flight, segment + LENGTH, 1 << 30);
}

static bool offset_of_reply(struct talk2_flight *flight, const struct layout *at)
{
    size_t segment = first_reply(flight, at);
    return !at->is_call && segment &&
           set(flight, segment + OFFSET + 4, word(flight, segment + OFFSET + 4) ^ 0x40000000);
}

static bool handle_of_reply(struct talk2_flight *flight, const struct layout *at)
{
    size_t segment = first_reply(flight, at);
    return !at->is_call && segment &&
           set(flight, segment + HANDLE, word(flight, segment + HANDLE) ^ 0x40000000);
}

static bool length_of_reply(struct talk2_flight *flight, const struct layout *at)
{
    size_t segment = first_reply(flight, at);
    return !at->is_call && segment && set(flight, segment + LENGTH, 1 << 30);
}

/* ---- Positions ---- */

static bool odd_position(struct talk2_flight *flight, const struct layout *at)
{
    return first_read(flight, at) &&
           set(flight, at->reads + 4, word(flight, at->reads + 4) + 1 + pick(at->dice, 3));
}

static bool position_beyond(struct talk2_flight *flight, const struct layout *at)
{
    return first_read(flight, at) && is_whole_call(flight, at) &&
           word(flight, at->reads + ENTRY) == 0 && set(flight, at->reads + 4, 0x10000000);
}

static bool position_in_header(struct talk2_flight *flight, const struct layout *at)
{
    return first_read(flight, at) && is_whole_call(flight, at) && set(flight, at->reads + 4, 4);
}

static bool position_zero(struct talk2_flight *flight, const struct layout *at)
{
    return first_read(flight, at) && !at->is_special && set(flight, at->reads + 4, 0);
}

static bool has_two_positions(const struct talk2_flight *flight, const struct layout *at)
{
    return first_read(flight, at) && word(flight, at->reads + ENTRY) == 1 &&
           word(flight, at->reads + 2 * ENTRY) == 0 &&
           word(flight, at->reads + 4) != word(flight, at->reads + ENTRY + 4);
}

static bool positions_fall(struct talk2_flight *flight, const struct layout *at)
{
    uint32_t first = word(flight, at->reads + 4);
    return has_two_positions(flight, at) &&
           set(flight, at->reads + 4, word(flight, at->reads + ENTRY + 4)) &&
           set(flight, at->reads + ENTRY + 4, first);
}

static bool chunk_in_chunk(struct talk2_flight *flight, const struct layout *at)
{
    return has_two_positions(flight, at) && word(flight, at->reads + 8 + LENGTH) > 4 &&
           set(flight, at->reads + ENTRY + 4, word(flight, at->reads + 4) + 4);
}

/* ---- the chunk that holds the Call, or the Reply ---- */

static bool is_sole_body(const struct talk2_flight *flight, const struct layout *at)
{
    return first_body(flight, at) && word(flight, at->body + ENTRY) == 0;
}

static bool body_of_nothing(struct talk2_flight *flight, const struct layout *at)
{
    return is_sole_body(flight, at) && set(flight, at->body + 8 + LENGTH, 0);
}

static bool body_too_short(struct talk2_flight *flight, const struct layout *at)
{
    return is_sole_body(flight, at) &&
           set(flight, at->body + 8 + LENGTH, 4 + 4 * pick(at->dice, 9));
}

static bool body_of_part_words(struct talk2_flight *flight, const struct layout *at)
{
    uint32_t length = word(flight, at->body + 8 + LENGTH);
    return is_sole_body(flight, at) &&
           set(flight, at->body + 8 + LENGTH, length + 1 + pick(at->dice, 3));
}

static bool body_elsewhere(struct talk2_flight *flight, const struct layout *at)
{
    return is_sole_body(flight, at) && set(flight, at->body + 4, 4 + 4 * pick(at->dice, 20));
}

/* Its segments leave the header. */
static bool no_body(struct talk2_flight *flight, const struct layout *at)
{
    size_t end = after_segments(flight, at->body) - 4;
    if (!first_body(flight, at))
        return false;
    memmove(flight->octets + at->body, flight->octets + end, flight->event.length - end);
    flight->event.length -= end - at->body;
    return true;
}

static bool item_at_zero(struct talk2_flight *flight, const struct layout *at)
{
    return at->is_special && first_read(flight, at) && set(flight, at->reads + 4, 0);
}

static bool is_sole_reply_chunk(const struct talk2_flight *flight, const struct layout *at)
{
    return !at->is_call && at->is_special && first_reply(flight, at) &&
           word(flight, at->reply + 4) == 1;
}

static bool reply_of_nothing(struct talk2_flight *flight, const struct layout *at)
{
    return is_sole_reply_chunk(flight, at) && set(flight, at->reply + 8 + LENGTH, 0);
}

static bool reply_too_short(struct talk2_flight *flight, const struct layout *at)
{
    return is_sole_reply_chunk(flight, at) &&
           set(flight, at->reply + 8 + LENGTH, 4 + 4 * pick(at->dice, 4));
}

static bool reply_of_part_words(struct talk2_flight *flight, const struct layout *at)
{
    uint32_t length = word(flight, at->reply + 8 + LENGTH);
    return is_sole_reply_chunk(flight, at) &&
           set(flight, at->reply + 8 + LENGTH, (length & ~3u) - 1 - pick(at->dice, 3));
}

static bool reads_in_reply(struct talk2_flight *flight, const struct layout *at)
{
    if (!is_whole_reply(flight, at) || word(flight, at->reads) != 0)
        return false;
    memmove(flight->octets + at->reads + ENTRY, flight->octets + at->reads,
            flight->event.length - at->reads);
    flight->event.length += ENTRY;
    memset(flight->octets + at->reads, 0, ENTRY);
    return set(flight, at->reads, 1) && set(flight, at->reads + 4, 40) &&
           set(flight, at->reads + 12, 4);
}

static bool octets_after_lists(struct talk2_flight *flight, const struct layout *at)
{
    memset(flight->octets + flight->event.length, 0, 4);
    flight->event.length += 4;
    return at->is_special;
}

#define OF_07(name, rule, types, spoil_at)                                                         \
    {                                                                                              \
        name, {D07 rule, NULL}, {types, 0}, NULL, spoil_at                                         \
    }
#define OF_04(name, rule, types, spoil_at)                                                         \
    {                                                                                              \
        name, {NULL, rule}, {0, types}, NULL, spoil_at                                             \
    }
#define OF_BOTH(name, rule07, types07, rule04, types04, spoil_at)                                  \
    {                                                                                              \
        name, {D07 rule07, rule04}, {types07, types04}, NULL, spoil_at                             \
    }

const struct talk2_break talk2_list_breaks[] = {
    OF_07("presence of the Call chunk", "7.2/xdr-encoded", CALL_EXTERNAL, presence_of_body),
    OF_BOTH("presence of the Read list", "7.2/xdr-encoded", CALLS, D04 "6.2/xdr-encoded", BOTH,
            presence_of_reads),
    OF_BOTH("presence of a second segment", "7.2/xdr-encoded", CALLS, D04 "6.2/xdr-encoded", BOTH,
            second_presence),
    OF_BOTH("presence of the Write list", "7.2/xdr-encoded", CALLS | REPLIES, D04 "6.2/xdr-encoded",
            BOTH, presence_of_writes),
    OF_BOTH("presence of the Reply chunk", "7.2/xdr-encoded", CALLS | REPLY_EXTERNAL,
            D04 "6.2/xdr-encoded", BOTH, presence_of_reply),
    OF_BOTH("count of a Write chunk", "7.2/xdr-encoded", CALLS | REPLIES, D04 "6.2/xdr-encoded",
            BOTH, count_of_writes),
    OF_BOTH("count of the Reply chunk", "7.2/xdr-encoded", CALLS | REPLY_EXTERNAL,
            D04 "6.2/xdr-encoded", BOTH, count_of_reply),
    OF_BOTH("end before the lists", "7.2/xdr-encoded", CALLS | REPLIES, D04 "6.2/xdr-encoded", BOTH,
            cut_before_lists),
    OF_07("end in the Call chunk", "7.2/xdr-encoded", CALL_EXTERNAL, cut_in_body),
    OF_BOTH("end in the Read list", "7.2/xdr-encoded", CALLS, D04 "6.2/xdr-encoded", BOTH,
            cut_in_reads),
    OF_BOTH("end in the Write list", "7.2/xdr-encoded", CALLS | REPLIES, D04 "6.2/xdr-encoded",
            BOTH, cut_in_writes),
    OF_BOTH("end in the Reply chunk", "7.2/xdr-encoded", CALLS | REPLY_EXTERNAL,
            D04 "6.2/xdr-encoded", BOTH, cut_in_reply),
    OF_BOTH("address of the Call wraps", "4.4.1/segment-within-address-space", CALL_EXTERNAL,
            "rfc8166/3.4.3/segment-within-address-space", NOMSG, body_wraps),
    OF_BOTH("address of an argument wraps", "4.4.1/segment-within-address-space", CALLS,
            "rfc8166/3.4.3/segment-within-address-space", BOTH, read_wraps),
    OF_BOTH("address of a result wraps", "4.4.1/segment-within-address-space", CALLS,
            "rfc8166/3.4.3/segment-within-address-space", BOTH, write_wraps),
    OF_BOTH("address of the Reply wraps", "4.4.1/segment-within-address-space", CALLS,
            "rfc8166/3.4.3/segment-within-address-space", BOTH, reply_wraps),
    OF_BOTH("Read chunk of nothing", "4.5.1/empty-read-chunk", CALLS,
            "rfc8166/3.4.4/empty-read-chunk", BOTH, empty_read),
    OF_BOTH("Write chunk without room", "4.5.2/write-chunk-without-room", CALLS,
            "rfc8166/3.4.6/write-chunk-without-room", BOTH, no_room_for_result),
    OF_BOTH("Reply chunk without room", "4.5.2.2/reply-chunk-without-room", CALL_INLINE,
            "rfc8166/4.3.3/reply-chunk-without-room", MSG, no_room_for_reply),
    OF_BOTH("offset of a Write chunk", "4.5.2.1/segments-copied", REPLIES,
            "rfc8166/3.4.6/segment-count-copied", BOTH, offset_of_write),
    OF_BOTH("handle of a returned chunk", "4.5.2.1/segments-copied", REPLIES,
            "rfc8166/3.4.6/segment-count-copied", BOTH, handle_of_write),
    OF_BOTH("length of a returned chunk", "4.5.2.1/returned-length-within-offer", REPLIES,
            "rfc8166/3.4.6/returned-length-within-offer", BOTH, length_of_write),
    OF_BOTH("offset of the Reply chunk", "4.5.2.2/reply-chunk-copied", REPLY_EXTERNAL,
            "rfc8166/4.3.3/reply-chunk-copied", BOTH, offset_of_reply),
    OF_BOTH("handle of the Reply chunk", "4.5.2.2/reply-chunk-copied", REPLY_EXTERNAL,
            "rfc8166/4.3.3/reply-chunk-copied", BOTH, handle_of_reply),
    OF_BOTH("length of the Reply chunk", "4.5.2.2/reply-chunk-length-within-offer", REPLY_EXTERNAL,
            "rfc8166/4.3.3/reply-chunk-length-within-offer", BOTH, length_of_reply),
    OF_BOTH("Position of part words", "4.5.1/position-multiple-of-four", CALLS,
            "rfc8166/3.4.5/position-multiple-of-four", BOTH, odd_position),
    OF_BOTH("Position beyond the Call", "4.5.1/position-in-bounds", CALL_INLINE,
            "rfc8166/3.4.5/position-in-bounds", MSG, position_beyond),
    OF_BOTH("Position in the RPC header", "4.4.2/position-in-rpc-header", CALL_INLINE,
            "rfc8166/3.4.2/position-in-rpc-header", MSG, position_in_header),
    OF_BOTH("Position zero in the list", "6.3.7/position-zero-in-call", CALL_INLINE,
            D04 "6.2/position-zero-in-msg", MSG, position_zero),
    OF_07("Positions that fall", "4.5.1.1/positions-ascend", CALLS, positions_fall),
    OF_BOTH("Read chunk in a Read chunk", "4.5.1.1/chunks-overlap", CALLS,
            "rfc8166/3.4.4.4/chunks-overlap", BOTH, chunk_in_chunk),
    OF_BOTH("Call chunk of nothing", "6.3.5/call-chunk-holds-payload", CALL_EXTERNAL,
            "rfc8166/4.2.4/nomsg-holds-payload", NOMSG, body_of_nothing),
    OF_BOTH("Call chunk too short", "6.3.5/special-call-length", CALL_EXTERNAL,
            "rfc8166/4.2.4/long-call-length", NOMSG, body_too_short),
    OF_BOTH("Call chunk of part words", "4.5.3/body-chunk-whole-words", CALL_EXTERNAL,
            "rfc8166/3.5.3/special-chunk-whole-words", NOMSG, body_of_part_words),
    OF_BOTH("Call chunk elsewhere", "6.6.3/call-chunk-position-zero", CALL_EXTERNAL,
            "rfc8166/4.2.4/nomsg-holds-payload", NOMSG, body_elsewhere),
    OF_07("no Call chunk", "6.3.5/call-chunk-present", CALL_EXTERNAL, no_body),
    OF_07("item at Position zero", "6.3.5/items-not-at-zero", CALL_EXTERNAL, item_at_zero),
    OF_BOTH("Reply chunk of nothing", "6.3.8/reply-chunk-holds-payload", REPLY_EXTERNAL,
            "rfc8166/4.2.4/nomsg-holds-payload", NOMSG, reply_of_nothing),
    OF_BOTH("Reply chunk too short", "6.3.8/special-reply-length", REPLY_EXTERNAL,
            "rfc8166/4.2.4/long-reply-length", NOMSG, reply_too_short),
    OF_BOTH("Reply chunk of part words", "4.5.3/body-chunk-whole-words", REPLY_EXTERNAL,
            "rfc8166/3.5.3/special-chunk-whole-words", NOMSG, reply_of_part_words),
    OF_04("Read list of a Reply", "rfc8166/4.3.1/reply-read-list-empty", MSG, reads_in_reply),
    OF_BOTH("octets after the lists", "6.1/ends-with-header", CALL_EXTERNAL | REPLY_EXTERNAL,
            "rfc8166/4.2.4/nomsg-ends-with-lists", NOMSG, octets_after_lists),
    {NULL, {NULL, NULL}, {0, 0}, NULL, NULL},
};
