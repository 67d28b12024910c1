// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/iwarp/start.h"

#include "conformance/input/buffer/octets.h"

#include <string.h>

/* ---- in ---- */

size_t start_missing(const struct start_frame *frame)
{
    if (frame->have < MPA_START_HEADER)
        return MPA_START_HEADER - frame->have;
    size_t whole = MPA_START_HEADER + load_be16(frame->octets + MPA_AT_LENGTH);
    whole = whole < MPA_START_MAX ? whole : MPA_START_MAX;
    return whole - frame->have;
}

const char *start_parse(struct start_frame *frame, bool is_reply)
{
    if (mpa_start_parse(frame->octets, frame->have, is_reply, &frame->parsed) != MPA_PARSED)
        return "the peer does not speak MPA";
    if (frame->parsed.revision < 1 || frame->parsed.revision > 2)
        return "the peer speaks another revision of MPA";
    return NULL;
}

/* ---- out ---- */

size_t start_private_max(unsigned revision)
{
    return MPA_PRIVATE_DATA_MAX - (revision >= 2 ? MPA_ENHANCED_SIZE : 0);
}

static void store16(uint8_t *to, size_t number)
{
    to[0] = (uint8_t)(number >> 8);
    to[1] = (uint8_t)number;
}

struct frame_words {
    uint8_t flags, revision;
    bool enhanced;
    unsigned ird, ord;
};

static size_t make(uint8_t octets[MPA_START_MAX], bool is_reply, const struct frame_words *words,
                   const uint8_t *private_data, size_t length)
{
    size_t own = words->enhanced ? MPA_ENHANCED_SIZE : 0;
    length = length < MPA_PRIVATE_DATA_MAX - own ? length : MPA_PRIVATE_DATA_MAX - own;
    memcpy(octets, mpa_key[is_reply], MPA_KEY_SIZE);
    octets[MPA_KEY_SIZE] = words->flags | (words->enhanced ? MPA_ENHANCED : 0);
    octets[MPA_KEY_SIZE + 1] = words->revision;
    store16(octets + MPA_AT_LENGTH, own + length);
    if (words->enhanced) {
        store16(octets + MPA_START_HEADER, words->ird);
        store16(octets + MPA_START_HEADER + 2, words->ord);
    }
    if (length > 0)
        memcpy(octets + MPA_START_HEADER + own, private_data, length);
    return MPA_START_HEADER + own + length;
}

static uint8_t wished(const struct iwarp_wishes *wishes)
{
    return (uint8_t)((wishes->markers ? MPA_MARKERS : 0) | (wishes->crc ? MPA_CRC : 0));
}

size_t start_make_request(uint8_t octets[MPA_START_MAX], const struct iwarp_wishes *wishes,
                          const uint8_t *private_data, size_t length)
{
    const struct frame_words words = {.flags = wished(wishes),
                                      .revision = wishes->revision,
                                      .enhanced = wishes->revision >= 2,
                                      .ird = MPA_PEER_TO_PEER | READS_SERVED,
                                      .ord = MPA_BY_WRITE | READS_ISSUED};
    return make(octets, false, &words, private_data, length);
}

size_t start_make_reject(uint8_t octets[MPA_START_MAX], const struct mpa_start *request)
{
    const struct frame_words words = {.flags = MPA_REJECTED,
                                      .revision = request->revision,
                                      .enhanced = request->enhanced,
                                      .ird = READS_SERVED,
                                      .ord = READS_ISSUED};
    return make(octets, true, &words, NULL, 0);
}

/* ---- terms ---- */

/* RDMA Reads of ours at once. Revision 1 does not say how many a peer serves. */
static unsigned reads_of(const struct mpa_start *peer)
{
    unsigned served = peer->ird & MPA_DEPTH;
    if (!peer->enhanced)
        return 1;
    return served < READS_ISSUED ? served : READS_ISSUED;
}

static struct iwarp_terms terms_of(const struct iwarp_wishes *wishes, const struct mpa_start *peer,
                                   bool active)
{
    return (struct iwarp_terms){.crc = wishes->crc || peer->crc,
                                .markers_in = wishes->markers,
                                .markers_out = peer->markers,
                                .active = active,
                                .reads = reads_of(peer)};
}

size_t start_make_reply(uint8_t octets[MPA_START_MAX], const struct iwarp_wishes *wishes,
                        const struct mpa_start *request, const uint8_t *private_data, size_t length,
                        struct iwarp_terms *terms)
{
    unsigned issues = request->ord & MPA_DEPTH;
    struct frame_words words = {.flags = wished(wishes),
                                .revision = request->revision,
                                .enhanced = request->enhanced,
                                .ird = issues < READS_SERVED ? issues : READS_SERVED};
    *terms = terms_of(wishes, request, false);
    words.ord = terms->reads;
    if (terms->crc)
        words.flags |= MPA_CRC;
    if (request->peer_to_peer && request->ord & MPA_BY_WRITE) {
        words.ord |= MPA_BY_WRITE;
        terms->greeting = GREETING_WRITE;
    } else if (request->peer_to_peer && request->ord & MPA_BY_READ) {
        words.ord |= MPA_BY_READ;
        terms->greeting = GREETING_READ;
    } else if (request->peer_to_peer && request->ird & MPA_BY_SEND) {
        words.ird |= MPA_BY_SEND;
        terms->greeting = GREETING_SEND;
    }
    if (terms->greeting != GREETING_NONE)
        words.ird |= MPA_PEER_TO_PEER;
    return make(octets, true, &words, private_data, length);
}

const char *start_agree(const struct iwarp_wishes *wishes, const struct mpa_start *reply,
                        struct iwarp_terms *terms)
{
    *terms = terms_of(wishes, reply, true);
    if (reply->rejected)
        return "the peer's consumer rejected the connection";
    if (reply->revision > wishes->revision)
        return "the peer answered by a later revision of MPA";
    if (reply->enhanced && reply->peer_to_peer) {
        if ((reply->ord & MPA_BY_WRITE) == 0)
            return "the peer wants the connection to begin by what was not offered";
        terms->greeting = GREETING_WRITE;
    }
    return NULL;
}
