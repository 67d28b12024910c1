// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * Many segments at once: from big-endian words on the wire to structures of this machine, and, as
 * turning twice changes nothing, back. On x86-64 whole vectors are turned by one shuffle each, 32
 * octets at a time where the processor has AVX2, which is looked up once. Everywhere else it is
 * plain C.
 */
#include <rpcrdma/xdr.h>

#if defined(__x86_64__) && defined(__SSE2__) && defined(__GNUC__) && !defined(__FRAMAC__)
#define HAS_VECTORS 1
#else
#define HAS_VECTORS 0
#endif

static void put_words(uint8_t *to, const uint8_t *wire)
{
    const uint32_t words[2] = {rpcrdma_xdr_load32(wire), rpcrdma_xdr_load32(wire + 4)};
    const uint64_t last = rpcrdma_xdr_load64(wire + 8);
    __builtin_memcpy(to, words, sizeof words);
    __builtin_memcpy(to + sizeof words, &last, sizeof last);
}

static void put_entry(uint8_t *to, const uint8_t *wire)
{
    const uint32_t first[2] = {rpcrdma_xdr_load32(wire + 4), 0}; /* and the structure's padding */
    __builtin_memcpy(to, first, sizeof first);
    put_words(to + sizeof first, wire + 8);
}

static void copy_16_plainly(uint8_t *to, const uint8_t *wire, uint32_t count)
{
    for (; count > 0; count--, to += 16, wire += 16)
        put_words(to, wire);
}

static void copy_24_plainly(uint8_t *to, const uint8_t *wire, uint32_t count)
{
    for (; count > 0; count--, to += 24, wire += 24)
        put_entry(to, wire);
}

#if HAS_VECTORS

typedef uint8_t octets_16 __attribute__((vector_size(16)));
typedef uint8_t octets_32 __attribute__((vector_size(32)));

/*
 * Where each octet of 16 comes from. Two words and a double word; and what 48 octets are, two list
 * entries of a presence word, a word, two words and a double word: the presence word becomes the
 * structure's padding.
 */
#define WORDS(at)                                                                                  \
    at + 3, at + 2, at + 1, at, at + 7, at + 6, at + 5, at + 4, at + 15, at + 14, at + 13,         \
        at + 12, at + 11, at + 10, at + 9, at + 8
#define ENTRY_BEGIN(at)                                                                            \
    at + 7, at + 6, at + 5, at + 4, at + 3, at + 2, at + 1, at, at + 11, at + 10, at + 9, at + 8,  \
        at + 15, at + 14, at + 13, at + 12
#define ENTRY_MIDDLE(at)                                                                           \
    at + 7, at + 6, at + 5, at + 4, at + 3, at + 2, at + 1, at, at + 15, at + 14, at + 13,         \
        at + 12, at + 11, at + 10, at + 9, at + 8

#ifdef __clang__
#define SHUFFLE(type, octets, ...) __builtin_shufflevector(octets, octets, __VA_ARGS__)
#else
#define SHUFFLE(type, octets, ...) __builtin_shuffle(octets, (type){__VA_ARGS__})
#endif
#define TURN(type, to, from, ...)                                                                  \
    do {                                                                                           \
        type octets;                                                                               \
        __builtin_memcpy(&octets, from, sizeof octets);                                            \
        octets = SHUFFLE(type, octets, __VA_ARGS__);                                               \
        __builtin_memcpy(to, &octets, sizeof octets);                                              \
    } while (0)

#define AVX2 __attribute__((target("avx2")))

AVX2 static void copy_16_by_vectors(uint8_t *to, const uint8_t *wire, uint32_t count)
{
    for (; count >= 8; count -= 8, to += 128, wire += 128) {
        TURN(octets_32, to, wire, WORDS(0), WORDS(16));
        TURN(octets_32, to + 32, wire + 32, WORDS(0), WORDS(16));
        TURN(octets_32, to + 64, wire + 64, WORDS(0), WORDS(16));
        TURN(octets_32, to + 96, wire + 96, WORDS(0), WORDS(16));
    }
    if (count & 4) {
        TURN(octets_32, to, wire, WORDS(0), WORDS(16));
        TURN(octets_32, to + 32, wire + 32, WORDS(0), WORDS(16));
        to += 64, wire += 64;
    }
    if (count & 2) {
        TURN(octets_32, to, wire, WORDS(0), WORDS(16));
        to += 32, wire += 32;
    }
    if (count & 1)
        TURN(octets_16, to, wire, WORDS(0));
}

AVX2 static void copy_24_by_vectors(uint8_t *to, const uint8_t *wire, uint32_t count)
{
    for (; count >= 4; count -= 4, to += 96, wire += 96) {
        TURN(octets_32, to, wire, ENTRY_BEGIN(0), ENTRY_MIDDLE(16));
        TURN(octets_32, to + 32, wire + 32, WORDS(0), ENTRY_BEGIN(16));
        TURN(octets_32, to + 64, wire + 64, ENTRY_MIDDLE(0), WORDS(16));
    }
    if (count & 2) {
        TURN(octets_16, to, wire, ENTRY_BEGIN(0));
        TURN(octets_16, to + 16, wire + 16, ENTRY_MIDDLE(0));
        TURN(octets_16, to + 32, wire + 32, WORDS(0));
        to += 48, wire += 48;
    }
    if (count & 1)
        put_entry(to, wire);
}

static uint32_t cpuid(uint32_t leaf, char which)
{
    uint32_t a = leaf, b, c = 0, d;
    __asm__("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    (void)d;
    return which == 'a' ? a : which == 'b' ? b : c;
}

static uint32_t xgetbv(void)
{
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}

/* AVX2 is there, and the system saves its registers: by what the processor answers to these
 * instructions. The second is there only if the system uses it. */
static bool find_avx2(uint32_t ask(uint32_t leaf, char which), uint32_t ask_saved(void))
{
    const uint32_t osxsave = 1u << 27, avx2 = 1u << 5, xmm_and_ymm = 6;
    if (ask(0, 'a') < 7 || (ask(1, 'c') & osxsave) == 0 || (ask(7, 'b') & avx2) == 0)
        return false;
    return (ask_saved() & xmm_and_ymm) == xmm_and_ymm;
}

/* How both are done; found by the first call. Threads that look at once find the same. */
typedef void copier(uint8_t *to, const uint8_t *wire, uint32_t count);
static copier find_16, find_24;
static copier *copy_16 = find_16, *copy_24 = find_24;

static void find(void)
{
    bool has = find_avx2(cpuid, xgetbv);
    __atomic_store_n(&copy_16, has ? copy_16_by_vectors : copy_16_plainly, __ATOMIC_RELAXED);
    __atomic_store_n(&copy_24, has ? copy_24_by_vectors : copy_24_plainly, __ATOMIC_RELAXED);
}

static void find_16(uint8_t *to, const uint8_t *wire, uint32_t count)
{
    find();
    copy_16(to, wire, count);
}

static void find_24(uint8_t *to, const uint8_t *wire, uint32_t count)
{
    find();
    copy_24(to, wire, count);
}

#define COPY(size) __atomic_load_n(&copy_##size, __ATOMIC_RELAXED)
#else
#define COPY(size) copy_##size##_plainly
#endif

void rpcrdma_xdr_copy_16(void *to, const uint8_t *from, uint32_t count)
{
    COPY(16)(to, from, count);
}

void rpcrdma_xdr_copy_24(void *items, const uint8_t *wire, uint32_t count)
{
    COPY(24)(items, wire, count);
}
