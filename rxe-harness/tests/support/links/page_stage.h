// SPDX-License-Identifier: BSD-3-Clause
/* A page of a processor's ring, as the kernel fills it, and the folder that such rings are in. */
#ifndef HARNESS_PAGE_STAGE_H
#define HARNESS_PAGE_STAGE_H

#include <stddef.h>
#include <stdint.h>

extern uint8_t page[4096];
extern size_t page_used;

/* The time of the rings' clock, nanoseconds from now. */
uint64_t monotonic(int64_t later);
void page_begin(uint64_t time);
void page_word(uint32_t word);
/* `delta`: nanoseconds since the record before; type 0: the length has a word of its own. */
void page_record(unsigned type, uint32_t delta, const void *octets, size_t length);
/* It ends here. The flags tell of records that were lost before it. */
void page_commit(uint64_t flags);

#define PAGE_LOST 0x80000000u    /* it is not known how many */
#define PAGE_COUNTED 0xc0000000u /* the number is in the 8 octets after the end */

/* In the place of mkdtemp()'s "XXXXXX", which may have been replaced before. */
void rings_make(char *folder, unsigned processors);
void rings_remove(const char *folder);
/* `how`: O_APPEND or O_TRUNC. */
void rings_write(const char *folder, const char *name, const void *octets, size_t length, int how);
/* The page goes to this processor's ring. */
void rings_fill(const char *folder, unsigned processor);

#endif
