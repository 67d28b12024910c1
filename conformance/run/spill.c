// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/run/spill.h"

#include "conformance/base/alloc.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER ((size_t)1 << 20)

struct piece {
    uint64_t next; /* offset of the next one of its chain; 0: the last */
    uint64_t length;
};

static bool open_in(struct spill *spill, const char *folder)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/rpcrdma-XXXXXX", folder);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    spill->fd = mkstemp(path);
    spill->has_file = spill->fd >= 0;
    return spill->has_file && unlink(path) == 0;
}

/* /tmp comes last: it is often memory, which is what is to be spared. */
static bool open_file(struct spill *spill)
{
    const char *folder = getenv("TMPDIR");
    if (folder && folder[0] != '\0')
        return open_in(spill, folder);
    return open_in(spill, "/var/tmp") || open_in(spill, "/tmp");
}

static bool write_at(const struct spill *spill, uint64_t offset, const void *octets, size_t length)
{
    const char *at = octets;
    while (length > 0) {
        ssize_t wrote = pwrite(spill->fd, at, length, (off_t)offset);
        if (wrote < 0 && errno != EINTR)
            return false;
        size_t count = wrote > 0 ? (size_t)wrote : 0;
        at += count;
        offset += count;
        length -= count;
    }
    return true;
}

/* A piece is on one side of `start` as a whole. */
static bool read_at(const struct spill *spill, uint64_t offset, void *octets, size_t length)
{
    if (offset >= spill->start) {
        memcpy(octets, spill->buffer + (offset - spill->start), length);
        return true;
    }
    for (char *at = octets; length > 0;) {
        ssize_t got = pread(spill->fd, at, length, (off_t)offset);
        if (got == 0)
            errno = EIO; /* somebody has cut it off */
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        size_t count = got > 0 ? (size_t)got : 0;
        at += count;
        offset += count;
        length -= count;
    }
    return true;
}

static bool empty_buffer(struct spill *spill)
{
    if (!spill->has_file && !open_file(spill))
        return false;
    if (!write_at(spill, spill->start, spill->buffer, spill->length))
        return false;
    spill->start += spill->length;
    spill->length = 0;
    return true;
}

static void append(struct spill *spill, const void *octets, size_t length)
{
    memcpy(spill->buffer + spill->length, octets, length);
    spill->length += length;
}

static bool link_piece(const struct spill *spill, uint64_t piece, uint64_t next)
{
    if (piece < spill->start)
        return write_at(spill, piece + offsetof(struct piece, next), &next, sizeof next);
    memcpy(spill->buffer + (piece - spill->start) + offsetof(struct piece, next), &next,
           sizeof next);
    return true;
}

bool spill_add(struct spill *spill, uint64_t *last, const void *octets, size_t length)
{
    const struct piece piece = {.length = length};
    if (spill->buffer == NULL) {
        spill->buffer = alloc_zeroed(BUFFER, 1);
        spill->length = sizeof piece; /* offset 0 is no piece */
    }
    bool fits = length <= BUFFER - sizeof piece;
    if ((!fits || spill->length + sizeof piece + length > BUFFER) && !empty_buffer(spill))
        return false;
    uint64_t added = spill->start + spill->length;
    append(spill, &piece, sizeof piece);
    if (fits) {
        append(spill, octets, length);
    } else {
        if (!empty_buffer(spill) || !write_at(spill, spill->start, octets, length))
            return false;
        spill->start += length;
    }
    uint64_t before = *last;
    *last = added;
    return before == 0 || link_piece(spill, before, added);
}

bool spill_copy(const struct spill *spill, uint64_t first, FILE *out)
{
    char octets[4096];
    struct piece piece;
    for (uint64_t at = first; at != 0; at = piece.next) {
        if (!read_at(spill, at, &piece, sizeof piece))
            return false;
        uint64_t offset = at + sizeof piece;
        for (uint64_t left = piece.length; left > 0;) {
            size_t some = left < sizeof octets ? (size_t)left : sizeof octets;
            if (!read_at(spill, offset, octets, some))
                return false;
            fwrite(octets, 1, some, out);
            offset += some;
            left -= some;
        }
    }
    return true;
}

void spill_free(struct spill *spill)
{
    if (spill->has_file)
        close(spill->fd);
    free(spill->buffer);
    *spill = (struct spill){0};
}
