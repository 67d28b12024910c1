// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/version2/layout.h"

size_t after_segments(const struct talk2_flight *flight, size_t from)
{
    while (word(flight, from) == 1)
        from += ENTRY;
    return from + 4;
}

static size_t after_chunk(const struct talk2_flight *flight, size_t from)
{
    return word(flight, from) == 1 ? from + 8 + 16 * (size_t)word(flight, from + 4) : from + 4;
}

static size_t after_chunks(const struct talk2_flight *flight, size_t from)
{
    while (word(flight, from) == 1)
        from = after_chunk(flight, from);
    return from + 4;
}

static void lay_out_07(struct layout *at, const struct talk2_flight *flight)
{
    at->is_special = (CALL_EXTERNAL | REPLY_EXTERNAL) >> flight->type & 1;
    at->is_call = CALLS >> flight->type & 1;
    if (at->is_call) {
        at->body = at->is_special ? PREFIX + 4 : 0;
        at->reads = at->is_special ? after_segments(flight, at->body) : PREFIX + 4;
    }
    at->writes = at->is_call ? after_segments(flight, at->reads) : PREFIX;
    at->end = after_chunks(flight, at->writes);
    at->reply = at->is_call || at->is_special ? at->end : 0;
    at->end = at->reply ? after_chunk(flight, at->reply) : at->end;
}

static void lay_out_04(struct layout *at, const struct talk2_flight *flight)
{
    at->is_special = NOMSG >> flight->type & 1;
    at->is_call = word(flight, AT_DIRECTION) == 0;
    at->reads = AT_DIRECTION + 8;
    at->body = at->is_call && at->is_special ? at->reads : 0;
    at->writes = after_segments(flight, at->reads);
    at->reply = after_chunks(flight, at->writes);
    at->end = after_chunk(flight, at->reply);
}

struct layout talk2_lay_out(struct talk2 *talk, const struct talk2_flight *flight)
{
    struct layout at = {.dice = &talk->dice};
    if (talk2_is_07(talk))
        lay_out_07(&at, flight);
    else
        lay_out_04(&at, flight);
    return at;
}
