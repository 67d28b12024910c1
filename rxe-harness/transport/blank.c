// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/blank.h"

#define LEAST 8 /* octets that nobody writes by chance as they were */

static uint8_t blank(size_t at)
{
    return (uint8_t)(0xb5 ^ at * 29 ^ at >> 8);
}

void blank_fill(uint8_t *octets, size_t at, size_t length)
{
    for (size_t i = at; i < at + length; i++)
        octets[i] = blank(i);
}

size_t blank_last(const uint8_t *octets, size_t at, size_t length)
{
    while (length > 0 && octets[at + length - 1] == blank(at + length - 1))
        length--;
    return length;
}

size_t blank_written(const uint8_t *octets, size_t at, size_t length)
{
    size_t written = blank_last(octets, at, length);
    return length - written < LEAST ? length : written;
}
