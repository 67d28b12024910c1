// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/trace/ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the text ---- */

static bool number_behind(const char *text, const char *end, const char *key, size_t *value)
{
    const char *found = strstr(text, key);
    if (found == NULL || found >= end)
        return false;
    char *stop;
    unsigned long number = strtoul(found + strlen(key), &stop, 10);
    *value = number;
    return stop > found + strlen(key) && *stop == ';' && number <= 65536;
}

/* "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;": the last word is its name.
 */
static bool read_field(struct ring_field *field, const char *line, const char *end)
{
    const char *stop = memchr(line, ';', (size_t)(end - line));
    if (stop == NULL)
        return false;
    const char *name_end = stop;
    const char *bracket = memchr(line, '[', (size_t)(stop - line));
    if (bracket)
        name_end = bracket;
    const char *name = name_end;
    while (name > line && name[-1] != ' ' && name[-1] != '*')
        name--;
    size_t length = (size_t)(name_end - name);
    if (length == 0 || length >= sizeof field->name)
        return false;
    memcpy(field->name, name, length);
    field->name[length] = '\0';
    return number_behind(stop, end, "offset:", &field->offset) &&
           number_behind(stop, end, "size:", &field->size);
}

bool ring_format_read(struct ring_format *format, const char *text)
{
    bool has_id = false;
    *format = (struct ring_format){0};
    while (*text) {
        const char *end = text + strcspn(text, "\n");
        if (strncmp(text, "ID: ", 4) == 0) {
            format->id = (unsigned)strtoul(text + 4, NULL, 10);
            has_id = true;
        } else if (strncmp(text, "\tfield:", 7) == 0) {
            if (format->count == RING_FIELDS ||
                !read_field(&format->fields[format->count], text + 7, end))
                return false;
            format->count++;
        }
        text = *end ? end + 1 : end;
    }
    return has_id && format->count > 0;
}

const struct ring_field *ring_format_find(const struct ring_format *format, const char *name)
{
    for (unsigned i = 0; i < format->count; i++)
        if (strcmp(format->fields[i].name, name) == 0)
            return &format->fields[i];
    return NULL;
}

/* ---- records ---- */

bool ring_number(const struct ring_field *field, const uint8_t *record, size_t length,
                 uint64_t *value)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    if (field == NULL || field->offset > length || field->size > length - field->offset)
        return false;
    const uint8_t *at = record + field->offset;
    switch (field->size) {
    case 1:
        memcpy(&one, at, sizeof one);
        *value = one;
        return true;
    case 2:
        memcpy(&two, at, sizeof two);
        *value = two;
        return true;
    case 4:
        memcpy(&four, at, sizeof four);
        *value = four;
        return true;
    case 8:
        memcpy(value, at, sizeof *value);
        return true;
    default:
        return false;
    }
}

bool ring_record_id(const uint8_t *record, size_t length, unsigned *id)
{
    uint16_t type;
    if (length < sizeof type)
        return false;
    memcpy(&type, record, sizeof type);
    *id = type;
    return true;
}

/* ---- pages ---- */

/* As "events/header_page" and "events/header_event" have it. */
enum { PAGE_HEADER = 16, WORD = 4 };
enum { RECORD_LONG = 0, RECORD_WORDS_MAX = 28, PADDING = 29, TIME_EXTEND = 30, TIME_STAMP = 31 };
#define TYPE_BITS 5u
#define COMMIT_LENGTH 0xfffffu
#define COMMIT_LOST 0x80000000u
#define COMMIT_LOST_COUNTED 0x40000000u
/* A time stamp gives 59 bits; those above are the page's. */
#define STAMP_HIGH 0xf800000000000000u

static uint32_t word_at(const uint8_t *at)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

bool ring_page_begin(struct ring_page *page, const uint8_t *octets, size_t length)
{
    uint64_t commit;
    *page = (struct ring_page){0};
    if (length < PAGE_HEADER)
        return false;
    memcpy(&page->time, octets, sizeof page->time);
    memcpy(&commit, octets + 8, sizeof commit);
    size_t used = commit & COMMIT_LENGTH;
    if (used > length - PAGE_HEADER)
        return false;
    page->at = octets + PAGE_HEADER;
    page->end = page->at + used;
    page->lost = (commit & COMMIT_LOST) != 0;
    if (page->lost && (commit & COMMIT_LOST_COUNTED) != 0 &&
        length - PAGE_HEADER - used >= sizeof page->count)
        memcpy(&page->count, page->end, sizeof page->count);
    return true;
}

static void pass_time(struct ring_page *page, unsigned type, uint64_t value)
{
    page->time = type == TIME_STAMP ? (page->time & STAMP_HIGH) | value : page->time + value;
}

bool ring_page_next(struct ring_page *page, const uint8_t **record, size_t *length, bool *broken)
{
    while (page->at < page->end) {
        size_t left = (size_t)(page->end - page->at);
        *broken = true;
        if (left < WORD)
            return false;
        uint32_t header = word_at(page->at);
        unsigned type = header & ((1u << TYPE_BITS) - 1);
        uint64_t delta = header >> TYPE_BITS;
        size_t size = type >= 1 && type <= RECORD_WORDS_MAX ? (size_t)type * WORD : 0;
        if (type == PADDING && delta == 0) { /* to the end */
            *broken = false;
            return false;
        }
        if (size == 0) { /* the word that follows says more */
            if (left < 2 * WORD)
                return false;
            uint32_t more = word_at(page->at + WORD);
            if (type == TIME_EXTEND || type == TIME_STAMP) {
                pass_time(page, type, (uint64_t)more << 27 | delta);
                page->at += 2 * WORD;
                continue;
            }
            if (more < WORD)
                return false;
            size = more; /* it counts itself */
        }
        if (size > left - WORD)
            return false;
        *record = page->at + (type == RECORD_LONG ? 2 * WORD : WORD);
        *length = type == RECORD_LONG ? size - WORD : size;
        page->time += delta;
        page->at += WORD + (size + WORD - 1) / WORD * WORD;
        if (page->at > page->end)
            page->at = page->end;
        *broken = false;
        if (type != PADDING)
            return true;
    }
    *broken = false;
    return false;
}
