// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/links/page_stage.h"

#include <string.h>

#define HEADER 16

uint8_t page[4096];
size_t page_used;

void page_begin(uint64_t time)
{
    memset(page, 0, sizeof page);
    memcpy(page, &time, sizeof time);
    page_used = HEADER;
}

void page_word(uint32_t word)
{
    memcpy(page + page_used, &word, sizeof word);
    page_used += sizeof word;
}

void page_record(unsigned type, uint32_t delta, const void *octets, size_t length)
{
    page_word(delta << 5 | type);
    if (type == 0)
        page_word((uint32_t)length + 4);
    memcpy(page + page_used, octets, length);
    page_used += (length + 3) / 4 * 4;
}

void page_commit(uint64_t flags)
{
    uint64_t commit = (page_used - HEADER) | flags;
    memcpy(page + 8, &commit, sizeof commit);
}
