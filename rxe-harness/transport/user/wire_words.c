// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/user/wire_words.h"

#include "conformance/base/count.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define MILLION 1000000u
#define DELAY_MAX 1000000u /* microseconds */
#define MTU_MIN 256u
#define MTU_MAX 4096u

enum { ROCE = 1, IWARP = 2 };
enum unit { RATE, TIME, OCTETS, NUMBER };

/* A rate is that of: packets of ours (the first four), acknowledgements of ours that are withheld,
 * responses to RDMA Reads that end before their end, Sends of the peer's that find no Receive at
 * first, Sends before which RDMA Writes arrive in any order, messages of ours in the midst of which
 * the connection dies. */
static const struct word {
    const char *name;
    enum unit unit;
    unsigned transports;
} words[] = {
    [WIRE_LOSS] = {"loss", RATE, ROCE},
    [WIRE_DUPLICATE] = {"duplicate", RATE, ROCE},
    [WIRE_REORDER] = {"reorder", RATE, ROCE},
    [WIRE_DAMAGE] = {"damage", RATE, ROCE},
    [WIRE_NO_ACK] = {"no-ack", RATE, ROCE},
    [WIRE_CUT_READ] = {"cut-read", RATE, ROCE},
    [WIRE_NOT_READY] = {"rnr", RATE, ROCE},
    [WIRE_SHUFFLE] = {"shuffle", RATE, ROCE | IWARP},
    [WIRE_DEATH] = {"die", RATE, ROCE | IWARP},
    {"delay", TIME, ROCE | IWARP},
    {"mtu", OCTETS, ROCE | IWARP},
    {"seed", NUMBER, ROCE | IWARP},
};
enum { WORDS = COUNT(words) };

static uint64_t value_of(const struct wire_faults *faults, int word)
{
    switch (words[word].unit) {
    case RATE:
        return faults->rate[word];
    case TIME:
        return faults->delay;
    case OCTETS:
        return faults->mtu;
    default:
        return faults->seed;
    }
}

/* ---- out of words ---- */

/* Digits with at most `places` decimals, as a number of 10^-places; false: not so, or too large. */
static bool take_decimal(const char **text, unsigned places, uint64_t *number)
{
    const char *at = *text;
    unsigned decimals = 0;
    bool point = false;
    *number = 0;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !point && at > *text); at++) {
        point = point || *at == '.';
        if (*at == '.')
            continue;
        uint64_t digit = (uint64_t)(*at - '0');
        if (*number > (UINT64_MAX - digit) / 10 || (point && ++decimals > places))
            return false;
        *number = *number * 10 + digit;
    }
    bool good = at > *text && at[-1] != '.';
    for (; good && decimals < places; decimals++) {
        good = *number <= UINT64_MAX / 10;
        *number *= 10;
    }
    *text = at;
    return good;
}

static bool take_rate(const char *text, uint64_t *rate)
{
    return take_decimal(&text, 4, rate) && strcmp(text, "%") == 0 && *rate > 0 && *rate <= MILLION;
}

/* Microseconds. */
static bool take_time(const char *text, uint64_t *time)
{
    return take_decimal(&text, 3, time) && strcmp(text, "ms") == 0 && *time > 0 &&
           *time <= DELAY_MAX;
}

static bool take_octets(const char *text, uint64_t *octets)
{
    return take_decimal(&text, 0, octets) && *text == '\0' && *octets >= MTU_MIN &&
           *octets <= MTU_MAX;
}

static bool take_number(const char *text, uint64_t *number)
{
    return take_decimal(&text, 0, number) && *text == '\0';
}

static const struct {
    bool (*take)(const char *text, uint64_t *value);
    const char *form;
} units[] = {
    [RATE] = {take_rate, "a rate such as 1% or 0.05%, up to 100%"},
    [TIME] = {take_time, "a time such as 5ms or 0.2ms, up to 1000ms"},
    [OCTETS] = {take_octets, "a number of octets from 256 to 4096"},
    [NUMBER] = {take_number, "a number"},
};

static void set_value(struct wire_faults *faults, int word, uint64_t value)
{
    switch (words[word].unit) {
    case RATE:
        faults->rate[word] = (uint32_t)value;
        break;
    case TIME:
        faults->delay = (uint32_t)value;
        break;
    case OCTETS:
        faults->mtu = (uint32_t)value;
        break;
    default:
        faults->seed = value;
    }
}

static int find(const char *name, size_t length)
{
    for (int i = 0; i < WORDS; i++)
        if (strlen(words[i].name) == length && strncmp(words[i].name, name, length) == 0)
            return i;
    return -1;
}

static void list_words(char *text, size_t size)
{
    int used = 0;
    for (int i = 0; i < WORDS && used >= 0 && (size_t)used < size; i++)
        used +=
            snprintf(text + used, size - (size_t)used, "%s%s", i > 0 ? ", " : "", words[i].name);
}

/* One "NAME=VALUE" of this length. */
static bool take_word(const char *text, size_t length, struct wire_faults *faults, unsigned *given,
                      char *error, size_t error_size)
{
    char value[32] = "", names[160];
    const char *equal = memchr(text, '=', length);
    size_t name = equal ? (size_t)(equal - text) : length, rest = length - name;
    int word = find(text, name);
    uint64_t number;
    if (word < 0) {
        list_words(names, sizeof names);
        snprintf(error, error_size, "there is no '%.*s'; the names are %s",
                 name < 40 ? (int)name : 40, text, names);
        return false;
    }
    if (rest > 0 && rest - 1 < sizeof value) /* a longer one is none */
        memcpy(value, equal + 1, rest - 1);
    if (*given >> word & 1)
        snprintf(error, error_size, "'%s' is given twice", words[word].name);
    else if (!units[words[word].unit].take(value, &number))
        snprintf(error, error_size, "'%s' takes %s", words[word].name,
                 units[words[word].unit].form);
    else {
        set_value(faults, word, number);
        *given |= 1u << word;
        return true;
    }
    return false;
}

bool wire_parse(const char *text, struct wire_faults *faults, char *error, size_t error_size)
{
    unsigned given = 0;
    uint32_t seed = 0, packets = 0;
    *faults = (struct wire_faults){.seed = 0};
    for (;; text++) {
        size_t length = strcspn(text, ",");
        if (!take_word(text, length, faults, &given, error, error_size))
            return false;
        text += length;
        if (*text == '\0')
            break;
    }
    for (int i = 0; i < WIRE_PACKET_FAULTS; i++)
        packets += faults->rate[i];
    if (packets > MILLION) {
        snprintf(error, error_size, "more than 100%% of the packets");
        return false;
    }
    if (!(given >> find("seed", 4) & 1) && getrandom(&seed, sizeof seed, 0) == sizeof seed)
        faults->seed = seed;
    return true;
}

/* ---- into words ---- */

/* Without zeros at the end. */
static int print_decimal(char *text, size_t size, uint64_t value, unsigned places)
{
    uint64_t unit = 1;
    for (unsigned i = 0; i < places; i++)
        unit *= 10;
    uint64_t part = value % unit;
    if (part == 0)
        return snprintf(text, size, "%" PRIu64, value / unit);
    for (; part % 10 == 0; part /= 10)
        places--;
    return snprintf(text, size, "%" PRIu64 ".%0*" PRIu64, value / unit, (int)places, part);
}

void wire_print(const struct wire_faults *faults, char text[WIRE_TEXT])
{
    static const unsigned places[] = {[RATE] = 4, [TIME] = 3, [OCTETS] = 0, [NUMBER] = 0};
    static const char *const after[] = {[RATE] = "%", [TIME] = "ms", [OCTETS] = "", [NUMBER] = ""};
    size_t used = 0;
    for (int i = 0; i < WORDS; i++) {
        uint64_t value = value_of(faults, i);
        enum unit unit = words[i].unit;
        if (value == 0 && unit != NUMBER)
            continue;
        used += (size_t)snprintf(text + used, WIRE_TEXT - used, "%s%s=", used > 0 ? "," : "",
                                 words[i].name);
        used += (size_t)print_decimal(text + used, WIRE_TEXT - used, value, places[unit]);
        used += (size_t)snprintf(text + used, WIRE_TEXT - used, "%s", after[unit]);
    }
}

/* ---- what a transport can do ---- */

/* The path MTUs of InfiniBand. */
static bool is_path_mtu(uint32_t mtu)
{
    return (mtu & (mtu - 1)) == 0;
}

bool wire_fits(const struct wire_faults *faults, enum wire_transport transport, bool listens,
               char *error, size_t error_size)
{
    unsigned own = transport == WIRE_ROCE ? ROCE : IWARP;
    for (int i = 0; i < WORDS; i++)
        if (value_of(faults, i) != 0 && !(words[i].transports & own)) {
            snprintf(error, error_size, "'%s' is for roce://: TCP repairs it, or has no such thing",
                     words[i].name);
            return false;
        }
    if (transport == WIRE_IWARP || faults->mtu == 0)
        return true;
    if (listens)
        snprintf(error, error_size, "'mtu' is for who connects: over roce:// that side chooses it");
    else if (!is_path_mtu(faults->mtu))
        snprintf(error, error_size, "'mtu' takes 256, 512, 1024, 2048 or 4096 over roce://");
    return !listens && is_path_mtu(faults->mtu);
}
