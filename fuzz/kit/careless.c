// SPDX-License-Identifier: BSD-3-Clause
/*
 * Example for the kit: a parser with five faults that real ones have had. Each is marked; the kit
 * finds all of them by name (example_test.sh), and nothing else.
 */
#include "kit.h"

struct cursor {
    const uint8_t *octets;
    size_t length, at;
};

static uint32_t load(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static bool take(struct cursor *c, uint32_t *word)
{
    if (c->length - c->at < 4)
        return false;
    *word = load(c->octets + c->at);
    c->at += 4;
    return true;
}

static bool skip(struct cursor *c, size_t octets)
{
    if (c->length - c->at < octets)
        return false;
    c->at += octets;
    return true;
}

/* Whether one more entry follows. Fault "presence": every word but 0 is taken for 1. Fault
 * "terminator": where the octets end, so does the list. */
static bool follows(struct cursor *c)
{
    uint32_t present;
    return take(c, &present) && present != 0;
}

static bool skip_chunk(struct cursor *c)
{
    uint32_t count;
    if (!take(c, &count))
        return false;
    /* Fault "count": the product is that of 32 bits. */
    return skip(c, (uint32_t)(count * 16u));
}

struct lists {
    bool any, position_zero, reply_octets, unaligned;
    uint32_t reads;
};

static bool parse_reads(struct cursor *c, struct lists *lists)
{
    while (follows(c)) {
        uint32_t position, handle, length;
        if (!take(c, &position) || !take(c, &handle) || !take(c, &length) || !skip(c, 8))
            return false;
        /* Fault "alignment": no look at the low bits of the Position. */
        lists->any = true;
        lists->reads++;
        lists->position_zero |= position == 0 && length > 0;
    }
    return true;
}

static bool parse_lists(struct cursor *c, struct lists *lists)
{
    if (!parse_reads(c, lists))
        return false;
    while (follows(c)) {
        lists->any = true;
        if (!skip_chunk(c))
            return false;
    }
    if (follows(c)) {
        size_t before = c->at;
        lists->any = true;
        if (!skip_chunk(c))
            return false;
        for (size_t at = before + 4; at + 16 <= c->at; at += 16)
            lists->reply_octets |= load(c->octets + at + 4) != 0;
    }
    return true;
}

/* What the RPC message has to say for itself: its XID and whether it is a Call. */
static bool is_rpc(const struct cursor *c, bool is_reply)
{
    const uint8_t *rpc = c->octets + c->at;
    return c->length - c->at >= 8 && load(rpc + 4) == (is_reply ? 1 : 0);
}

static bool is_payload_good(const struct cursor *c, const struct lists *lists, uint32_t procedure,
                            bool is_reply)
{
    /* Fault "nomsg": an RDMA_NOMSG without any list passes. */
    if (procedure == 1)
        return !lists->any ||
               (is_reply ? lists->reply_octets && lists->reads == 0 : lists->position_zero);
    return is_rpc(c, is_reply) &&
           !(is_reply ? lists->reads > 0 || lists->reply_octets : lists->position_zero);
}

static struct kit_answer parse_error(const uint8_t *octets, size_t length, bool is_reply)
{
    const struct kit_answer discard = {KIT_DISCARD, 0};
    uint32_t code = length >= 20 ? load(octets + 16) : 0;
    if (!is_reply || code == 0 || code > 2 || length < (code == 1 ? 28u : 20u))
        return discard;
    return (struct kit_answer){KIT_ACCEPT, code == 1 ? 28 : 20};
}

struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply)
{
    const struct kit_answer discard = {KIT_DISCARD, 0};
    const struct kit_answer refuse = {is_reply ? KIT_DISCARD : KIT_ERR_CHUNK, 0};
    struct cursor c = {octets, length, 16};
    struct lists lists = {false, false, false, false, 0};
    if (length < 16)
        return discard;
    uint32_t version = load(octets + 4), procedure = load(octets + 12);
    if (procedure == 4)
        return parse_error(octets, length, is_reply);
    if (length < 28)
        return discard;
    if (version != 1)
        return (struct kit_answer){is_reply ? KIT_DISCARD : KIT_ERR_VERS, 0};
    if (procedure == 3)
        return discard;
    if (procedure > 1 || !parse_lists(&c, &lists) ||
        !is_payload_good(&c, &lists, procedure, is_reply))
        return refuse;
    return (struct kit_answer){KIT_ACCEPT, c.at};
}
