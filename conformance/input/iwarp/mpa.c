// SPDX-License-Identifier: BSD-3-Clause
/* MPA: frames that start a connection, FPDUs. */
#include "conformance/input/iwarp/mpa.h"
#include "conformance/input/iwarp/crc32c.h"
#include "conformance/input/buffer/octets.h"

#include <string.h>

/* ---- starting ---- */

enum { AT_FLAGS = 16, AT_REVISION = 17 };

const uint8_t mpa_key[2][MPA_KEY_SIZE] = {"MPA ID Req Frame", "MPA ID Rep Frame"};

bool mpa_is_request(const uint8_t *octets, size_t length)
{
    return length >= MPA_KEY_SIZE && memcmp(octets, mpa_key[0], MPA_KEY_SIZE) == 0;
}

enum mpa_parsed mpa_start_parse(const uint8_t *octets, size_t length, bool is_reply,
                                struct mpa_start *start)
{
    size_t compared = length < MPA_KEY_SIZE ? length : MPA_KEY_SIZE;
    if (memcmp(octets, mpa_key[is_reply], compared) != 0)
        return MPA_WRONG;
    if (length < MPA_START_HEADER)
        return MPA_MORE;
    size_t private_length = load_be16(octets + MPA_AT_LENGTH);
    if (private_length > MPA_PRIVATE_DATA_MAX)
        return MPA_WRONG;
    if (length - MPA_START_HEADER < private_length)
        return MPA_MORE;
    uint8_t flags = octets[AT_FLAGS];
    *start = (struct mpa_start){
        .markers = flags & MPA_MARKERS,
        .crc = flags & MPA_CRC,
        .rejected = is_reply && flags & MPA_REJECTED,
        .revision = octets[AT_REVISION],
        .private_data = octets + MPA_START_HEADER,
        .private_length = private_length,
        .length = MPA_START_HEADER + private_length,
    };
    if (start->revision >= 2 && flags & MPA_ENHANCED &&
        start->private_length >= MPA_ENHANCED_SIZE) {
        start->enhanced = true;
        start->ird = (uint16_t)load_be16(start->private_data);
        start->ord = (uint16_t)load_be16(start->private_data + 2);
        start->peer_to_peer = start->ird & MPA_PEER_TO_PEER;
        start->private_data += MPA_ENHANCED_SIZE;
        start->private_length -= MPA_ENHANCED_SIZE;
    }
    return MPA_PARSED;
}

/* ---- FPDUs ---- */

static size_t ulpdu_length(const struct mpa_stream *stream)
{
    return stream->header & 0xffff;
}

/* Octets of padding after a ULPDU. */
static size_t padding(size_t ulpdu)
{
    return (0 - (MPA_LENGTH_SIZE + ulpdu)) & 3;
}

/* Octets that the check sum covers, but for markers: header, ULPDU, padding. */
static size_t covered(size_t ulpdu)
{
    return MPA_LENGTH_SIZE + ulpdu + padding(ulpdu);
}

static size_t fpdu_size(size_t ulpdu)
{
    return covered(ulpdu) + MPA_CHECK_SUM_SIZE;
}

static void drop(struct mpa_stream *stream)
{
    stream->count = 0;
    stream->cut = stream->cut_marker = false;
    stream->crc_value = CRC32C_BEGIN;
    buffer_free(stream->memory, &stream->ulpdu);
}

static void lose(struct mpa_stream *stream, enum mpa_loss loss, uint64_t frame)
{
    drop(stream);
    stream->lost = true;
    stream->handler->lost(stream->arg, loss, frame);
}

/* The FPDU is complete. */
static void end_fpdu(struct mpa_stream *stream, uint64_t frame)
{
    if (stream->crc && !stream->cut && !stream->cut_marker &&
        stream->check_sum != crc32c_end(stream->crc_value)) {
        lose(stream, MPA_LOST_CRC, frame);
        return;
    }
    stream->handler->ulpdu(stream->arg, stream->ulpdu.octets, stream->ulpdu.length,
                           ulpdu_length(stream), frame);
    drop(stream);
}

/* A number that comes in pieces. */
static void append(uint32_t *number, const uint8_t *octets, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *number = *number << 8 | octets[i];
}

/* Octets of the header. Returns how many; 0 if they were not recorded. */
static size_t take_header(struct mpa_stream *stream, const uint8_t *octets, size_t count)
{
    size_t left = MPA_LENGTH_SIZE - stream->count;
    count = count < left ? count : left;
    if (octets == NULL)
        return 0;
    append(&stream->header, octets, count);
    return count;
}

/* Octets of the rest, `octets` being NULL if they were not recorded: of the ULPDU, the padding or
 * the check sum. Returns how many belong to that part. */
static size_t take_body(struct mpa_stream *stream, const uint8_t *octets, size_t count)
{
    size_t at = stream->count, length = ulpdu_length(stream);
    size_t ulpdu = MPA_LENGTH_SIZE + length, check_sum = covered(length);
    size_t end = at < ulpdu ? ulpdu : at < check_sum ? check_sum : check_sum + MPA_CHECK_SUM_SIZE;
    size_t left = end - at;
    count = count < left ? count : left;
    if (octets == NULL)
        stream->cut = true;
    else if (at >= check_sum)
        append(&stream->check_sum, octets, count);
    else if (at < ulpdu && !stream->cut &&
             !buffer_add(stream->memory, &stream->ulpdu, octets, count))
        stream->cut = true;
    return count;
}

/* Octets of one part of the FPDU, without markers. Returns how many; 0 if they are of the header,
 * and not recorded. */
static size_t take_part(struct mpa_stream *stream, const uint8_t *octets, size_t count)
{
    size_t at = stream->count;
    count = at < MPA_LENGTH_SIZE ? take_header(stream, octets, count)
                                 : take_body(stream, octets, count);
    bool is_covered = at < MPA_LENGTH_SIZE || at < covered(ulpdu_length(stream));
    if (stream->crc && octets && is_covered)
        stream->crc_value = crc32c_add(stream->crc_value, octets, count);
    stream->count += count;
    return count;
}

static bool at_end(const struct mpa_stream *stream)
{
    return stream->count >= MPA_LENGTH_SIZE && stream->count == fpdu_size(ulpdu_length(stream));
}

/* A marker says how far before it the FPDU began; it can come just before the header, too. */
static bool marker_is_right(const struct mpa_stream *stream)
{
    uint64_t back = stream->count > 0 ? stream->position - MPA_MARKER_SIZE - stream->begin : 0;
    return stream->cut_marker || (uint16_t)stream->marker == (uint16_t)back;
}

/* Octets of a marker; false if it is wrong. */
static bool take_marker(struct mpa_stream *stream, const uint8_t *octets, size_t count)
{
    size_t at = (size_t)(stream->position % MPA_MARKER_INTERVAL);
    if (octets)
        append(&stream->marker, octets, count);
    else
        stream->cut_marker = true;
    if (octets && stream->crc)
        stream->crc_value = crc32c_add(stream->crc_value, octets, count);
    stream->position += count;
    if (at + count < MPA_MARKER_SIZE)
        return true;
    return marker_is_right(stream);
}

/* Octets up to the next marker, or in it. */
static size_t to_marker(const struct mpa_stream *stream, size_t count, bool *in_marker)
{
    if (!stream->markers) {
        *in_marker = false;
        return count;
    }
    size_t at = (size_t)(stream->position % MPA_MARKER_INTERVAL);
    *in_marker = at < MPA_MARKER_SIZE;
    size_t left = (*in_marker ? MPA_MARKER_SIZE : MPA_MARKER_INTERVAL) - at;
    return count < left ? count : left;
}

/* ---- finding the framing again ---- */

/* Octets on the wire from `position` on, for this many without markers. */
static size_t with_markers(const struct mpa_stream *stream, uint64_t position, size_t count)
{
    size_t total = count;
    while (stream->markers && count > 0) {
        size_t at = (size_t)(position % MPA_MARKER_INTERVAL), marker = 0;
        if (at < MPA_MARKER_SIZE)
            marker = MPA_MARKER_SIZE - at;
        size_t run = MPA_MARKER_INTERVAL - at - marker;
        run = run < count ? run : count;
        total += marker;
        position += marker + run;
        count -= run;
    }
    return total;
}

/* The first octets without those of markers. Returns how many there are. */
static size_t look(const struct mpa_stream *stream, uint64_t position, const uint8_t *octets,
                   size_t recorded, uint8_t *to, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < recorded && count < room; i++)
        if (!stream->markers || (position + i) % MPA_MARKER_INTERVAL >= MPA_MARKER_SIZE)
            to[count++] = octets[i];
    return count;
}

/* Whether a segment is nothing but FPDUs, the first from its first octet on, the last up to its
 * last. */
static bool is_framed(const struct mpa_stream *stream, const uint8_t *octets, size_t recorded,
                      size_t total)
{
    uint8_t first[MPA_LENGTH_SIZE + MPA_LOOK];
    size_t at = 0;
    while (at < total && at < recorded) {
        uint64_t position = stream->position + at;
        size_t count = look(stream, position, octets + at, recorded - at, first, sizeof first);
        if (count < MPA_LENGTH_SIZE ||
            !stream->handler->is_plausible(first + MPA_LENGTH_SIZE, count - MPA_LENGTH_SIZE,
                                           load_be16(first)))
            return false;
        size_t size = with_markers(stream, position, fpdu_size(load_be16(first)));
        if (size > total - at)
            return false;
        at += size;
    }
    return at == total;
}

/* ---- octets ---- */

/* An FPDU that is here in one piece needs no copy. Returns its size, or 0. */
static size_t take_whole(struct mpa_stream *stream, const uint8_t *octets, size_t count,
                         uint64_t frame)
{
    if (stream->count > 0 || stream->markers || count < MPA_LENGTH_SIZE)
        return 0;
    size_t length = load_be16(octets), pad = padding(length);
    if (MPA_LENGTH_SIZE + length + pad + MPA_CHECK_SUM_SIZE > count)
        return 0;
    size_t checked = MPA_LENGTH_SIZE + length + pad, size = checked + MPA_CHECK_SUM_SIZE;
    stream->position += size;
    if (stream->crc &&
        load_be32(octets + checked) != crc32c_end(crc32c_add(CRC32C_BEGIN, octets, checked)))
        lose(stream, MPA_LOST_CRC, frame);
    else
        stream->handler->ulpdu(stream->arg, octets + MPA_LENGTH_SIZE, length, length, frame);
    return size;
}

static size_t take_plain(struct mpa_stream *stream, const uint8_t *octets, size_t count,
                         uint64_t frame)
{
    size_t whole = octets ? take_whole(stream, octets, count, frame) : 0;
    if (whole > 0)
        return whole;
    if (stream->count == 0)
        stream->begin = stream->position;
    count = take_part(stream, octets, count);
    stream->position += count;
    if (count == 0)
        lose(stream, MPA_LOST_FRAMING, frame);
    else if (at_end(stream))
        end_fpdu(stream, frame);
    return count;
}

void mpa_begin(struct mpa_stream *stream, bool markers, bool crc)
{
    drop(stream);
    stream->markers = markers;
    stream->crc = crc;
    stream->lost = false;
    stream->position = 0;
}

void mpa_take(struct mpa_stream *stream, const uint8_t *octets, size_t recorded, size_t total,
              uint64_t frame)
{
    for (size_t at = 0; at < total;) {
        const uint8_t *p = at < recorded ? octets + at : NULL;
        size_t left = (p ? recorded : total) - at;
        if (stream->lost && !(p && is_framed(stream, p, left, total - at))) {
            stream->position += total - at;
            if (at == 0)
                stream->handler->unframed(stream->arg, frame);
            return;
        }
        stream->lost = false;
        bool in_marker;
        size_t count = to_marker(stream, left, &in_marker);
        if (!in_marker) {
            at += take_plain(stream, p, count, frame);
            continue;
        }
        if (!take_marker(stream, p, count))
            lose(stream, MPA_LOST_MARKER, frame);
        at += count;
    }
}

void mpa_skip(struct mpa_stream *stream, uint32_t octets)
{
    drop(stream);
    stream->lost = true;
    stream->position += octets;
}

void mpa_free(struct mpa_stream *stream)
{
    drop(stream);
}

const uint8_t *mpa_only_ulpdu(const uint8_t *octets, size_t recorded, size_t total, size_t *length)
{
    if (recorded < MPA_LENGTH_SIZE)
        return NULL;
    *length = load_be16(octets);
    return fpdu_size(*length) == total ? octets + MPA_LENGTH_SIZE : NULL;
}
