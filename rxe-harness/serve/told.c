// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/serve/told.h"

#include "rxe-harness/responder/files.h"

#include "conformance/base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAKEN_MAX 256 /* times 4096 octets at once: the source may never end */

/* ---- sums ---- */

uint32_t told_sum(uint32_t sum, const uint8_t *octets, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        sum ^= (uint32_t)octets[i] << 24;
        for (int bit = 0; bit < 8; bit++)
            sum = sum << 1 ^ (sum >> 31 ? 0x04c11db7 : 0);
    }
    return sum;
}

uint32_t told_sum_end(uint32_t sum, uint64_t length)
{
    for (; length > 0; length >>= 8) {
        uint8_t octet = (uint8_t)length;
        sum = told_sum(sum, &octet, 1);
    }
    return ~sum;
}

/* Of the first octets of a file. */
static uint32_t sum_of(uint32_t edition, uint32_t file, size_t length)
{
    uint8_t octets[4096];
    uint32_t sum = 0;
    for (size_t at = 0; at < length;) {
        size_t part = length - at < sizeof octets ? length - at : sizeof octets;
        content_fill(edition, file, at, octets, part);
        sum = told_sum(sum, octets, part);
        at += part;
    }
    return told_sum_end(sum, length);
}

/* ---- what was read ---- */

static struct told_file *file_of(struct told_reads *told, uint32_t file)
{
    for (unsigned i = 0; i < told->files; i++)
        if (told->last[i].file == file)
            return &told->last[i];
    if (told->files == TOLD_FILES)
        return NULL;
    told->last[told->files] = (struct told_file){.file = file};
    return &told->last[told->files++];
}

/* The edition that the octets are of, the latest first, or 0: none up to this case's. */
static uint32_t find_edition(const struct told_reads *told, uint32_t file, uint32_t sum)
{
    uint32_t edition = told->edition;
    while (edition > 0 && sum_of(edition, file, CONTENT_SIZE) != sum)
        edition--;
    return edition;
}

static void note_wrong(struct told_reads *told, const char *name, const char *why)
{
    if (told->wrong[0] == '\0')
        snprintf(told->wrong, sizeof told->wrong, "wrong data: '%.60s' %s", name, why);
}

void told_read(struct told_reads *told, const char *name, uint32_t sum, uint64_t length)
{
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    uint32_t file = content_file(name, strlen(name));
    struct told_file *last = file_of(told, file);
    uint32_t edition = length == CONTENT_SIZE ? find_edition(told, file, sum) : 0;
    char why[120];
    if (edition > 0 && edition == told->edition) {
        told->right++;
    } else if (edition > 0) {
        /* An earlier case's: late, unless that was read already. */
        if (last && edition <= last->edition)
            note_wrong(told, name, "has the octets of an earlier case");
    } else if (length < CONTENT_SIZE) {
        snprintf(why, sizeof why, "ended after %" PRIu64 " of %u octets, %s", length, CONTENT_SIZE,
                 sum_of(told->edition, file, (size_t)length) == sum ? "without an error"
                                                                    : "which are not its own");
        note_wrong(told, name, why);
    } else {
        snprintf(why, sizeof why, "has %" PRIu64 " octets that are not its %u", length,
                 CONTENT_SIZE);
        note_wrong(told, name, why);
    }
    if (last && edition > last->edition)
        last->edition = edition;
}

bool told_ending(const struct told_reads *told, enum told_wanted wanted, const char *failure,
                 enum ending *ending, char text[256])
{
    bool right = told->right > 0;
    if (wanted == TOLD_RECEIVED) {
        snprintf(text, 256, "the Reply was received");
        *ending = ENDING_REQUIRED;
        return true;
    }
    *ending = ENDING_WRONG;
    if (told->wrong[0] != '\0') {
        snprintf(text, 256, "%s", told->wrong);
        return true;
    }
    if (wanted == TOLD_ANYTHING)
        return false;
    bool good = wanted == TOLD_DATA_OR_ERROR || (wanted == TOLD_DATA) == right;
    if (right)
        snprintf(text, 256, "%s", good ? "the right data" : "the data are taken all the same");
    else
        snprintf(text, 256, "%s: %.200s", good ? "not read" : "not read, though the Reply is right",
                 failure ? failure : "no line came");
    *ending = good ? ENDING_REQUIRED : ENDING_WRONG;
    return true;
}

/* ---- lines ---- */

bool told_open(struct told_reads *told, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    *told = (struct told_reads){.source = -1};
    told->source = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    int flags = told->source < 0 ? -1 : fcntl(told->source, F_GETFL);
    if (flags >= 0 && fcntl(told->source, F_SETFL, flags | O_NONBLOCK) == 0)
        return true;
    say("%s: %s", path, strerror(errno));
    told_close(told);
    return false;
}

void told_close(struct told_reads *told)
{
    if (told->source >= 0)
        close(told->source);
    told->source = -1;
}

void told_begin(struct told_reads *told, uint32_t edition)
{
    told_take(told); /* what the case before has left */
    told->edition = edition;
    told->right = 0;
    told->wrong[0] = '\0';
}

static void take_line(struct told_reads *told)
{
    uint32_t sum;
    uint64_t length;
    int at = 0;
    told->line[told->filled] = '\0';
    bool good = !told->overlong &&
                sscanf(told->line, "%" SCNu32 " %" SCNu64 " %n", &sum, &length, &at) == 2 &&
                at > 0 && told->line[at] != '\0';
    if (good)
        told_read(told, told->line + at, sum, length);
    else if (told->filled > 0 || told->overlong)
        say("--read: '%.40s' is no line of cksum: a sum, a length, a name", told->line);
    told->filled = 0;
    told->overlong = false;
}

static void take_octets(struct told_reads *told, const char *octets, ssize_t length)
{
    for (ssize_t i = 0; i < length; i++)
        if (octets[i] == '\n')
            take_line(told);
        else if (told->filled < TOLD_LINE - 1)
            told->line[told->filled++] = octets[i];
        else
            told->overlong = true;
}

void told_take(struct told_reads *told)
{
    char octets[4096];
    ssize_t length = 1;
    for (unsigned i = 0; i < TAKEN_MAX && told->source >= 0 && length > 0; i++) {
        length = read(told->source, octets, sizeof octets);
        take_octets(told, octets, length);
    }
}
