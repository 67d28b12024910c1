// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * What testee.c does in the kernel with the line "time N", in user space: the Sends of standard
 * input, which has the lines that a testee is asked, are received N times; printed is the shortest
 * time. usage: user N
 */
#define _POSIX_C_SOURCE 200809L
#include "rpcrdma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t testee_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void testee_rest(void)
{
}

#include "rounds.h"

enum { SENDS_MAX = 16384 };

static uint8_t digit(char c)
{
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static bool add_send(struct testee_send *send, enum rpcrdma_role receiver, const char *digits)
{
    size_t length = strspn(digits, "0123456789abcdef") / 2, i;
    send->octets = (uint8_t *)malloc(length ? length : 1);
    if (!send->octets)
        return false;
    send->length = length;
    send->receiver = receiver;
    for (i = 0; i < length; i++)
        send->octets[i] = (uint8_t)(digit(digits[2 * i]) << 4 | digit(digits[2 * i + 1]));
    return true;
}

int main(int argc, char **argv)
{
    static struct testee_send sends[SENDS_MAX];
    unsigned int accepted = 0, rounds = argc == 2 ? (unsigned int)atoi(argv[1]) : 0;
    uint32_t count = 0;
    char *line = NULL;
    size_t room = 0;
    uint64_t best;
    while (count < SENDS_MAX && getline(&line, &room, stdin) > 0) {
        bool is_call = strncmp(line, "call ", 5) == 0;
        if (!is_call && strncmp(line, "reply ", 6) != 0)
            continue;
        if (!add_send(&sends[count++], is_call ? RPCRDMA_RESPONDER : RPCRDMA_REQUESTER,
                      line + (is_call ? 5 : 6)))
            return 1;
    }
    free(line);
    if (rounds == 0 || count == 0)
        return 2;
    best = best_round(sends, count, rounds, &accepted) * 100 / count;
    printf("%u headers, %u of them accepted, best of %u rounds: %llu.%02llu ns each\n", count,
           accepted, rounds, (unsigned long long)best / 100, (unsigned long long)best % 100);
    while (count > 0)
        free(sends[--count].octets);
    return 0;
}
