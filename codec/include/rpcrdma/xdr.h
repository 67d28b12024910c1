// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * What all generated codecs share: error codes and places, views of variable data, iterators.
 *
 * A decoded object is a view: a small structure of host-order values and pointers into the caller's
 * octets. It lives as long as those octets do, and nothing is to be freed. To encode, the caller
 * fills the same structure, pointing at its own arrays of values.
 *
 * XDR is RFC 4506; sections named here are its own.
 */
#ifndef RPCRDMA_XDR_H
#define RPCRDMA_XDR_H

/* Kernels have these elsewhere. */
#if defined(__linux__) && defined(__KERNEL__)
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <linux/types.h>
#ifndef INT32_MAX
#define INT32_MAX S32_MAX
#define INT64_MAX S64_MAX
#define UINT32_MAX U32_MAX
#define PTRDIFF_MAX LONG_MAX
#endif
#elif defined(__FreeBSD__) && defined(_KERNEL)
#include <sys/types.h>

#include <sys/stddef.h>
#include <sys/stdint.h>
#include <sys/systm.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

/* Exported from the shared library. Define it empty to build the codec into another one. */
#ifndef RPCRDMA_API
#if defined(__GNUC__)
#define RPCRDMA_API __attribute__((visibility("default")))
#else
#define RPCRDMA_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Errors, in bands. Functions return them as negative numbers. Each is here once: its name after
 * RPCRDMA_XDR_E_, its number, and what rpcrdma_xdr_error_text() says. Sections are those of RFC
 * 4506.
 *
 *   -1xx  the call: nothing is wrong with the octets
 *   -2xx  the octets are not an XDR object of the type
 *   -3xx  they are, but exceed a bound that the caller set
 *   -4xx  RFC 8797 private data (rpcrdma/private_data.h)
 *   -5xx  they are, but no message to its receiver (rpcrdma/rpcrdma.h)
 */
#define RPCRDMA_XDR_ERRORS(error)                                                                  \
    /* no RDMA Send is longer */                                                                   \
    error(ARGUMENT, -101, "the buffer is longer than 2^31-1 octets") /* encoding */                \
        error(SPACE, -102, "the object does not fit the buffer")                                   \
            error(TRUNCATED, -201, "the octets end inside the field") /* optional data (4.19) */   \
        error(PRESENCE, -202, "the presence word is neither 0 nor 1") /* 4.4 */                    \
        error(BOOL, -203, "the bool is neither 0 nor 1")              /* 4.3 */                    \
        error(ENUM, -204, "the value is not in the enum")             /* 4.15 */                   \
        error(UNION, -205, "the union has no arm for the discriminant")                            \
            error(COUNT, -206, "the count is more than the octets left can hold")                  \
                error(BOUND, -207, "the count is above the specification's bound") /* 3 */         \
        error(PAD, -208, "the padding is not zero") /* complete decoding */                        \
        error(TRAILING, -209, "octets follow the object")                                          \
            error(LIMIT, -301, "the count is above the limit set for it")

#define RPCRDMA_XDR_ENUMERATOR(name, number, text) RPCRDMA_XDR_E_##name = number,
enum rpcrdma_xdr_error_code { RPCRDMA_XDR_ERRORS(RPCRDMA_XDR_ENUMERATOR) };
#undef RPCRDMA_XDR_ENUMERATOR

/* "XDR_E_COUNT" and one line in words; for codes outside the enum a text that says so. */
RPCRDMA_API const char *rpcrdma_xdr_error_name(int code);
RPCRDMA_API const char *rpcrdma_xdr_error_text(int code);

/* Whether what a decoder or an encoder returned is an error, and no number of octets. */
static inline bool rpcrdma_xdr_failed(ptrdiff_t returned)
{
    return returned < 0;
}

/* More steps than any specification compiled here nests; outer steps beyond it are dropped. */
#define RPCRDMA_XDR_PATH_MAX 12

/* Where an error lies. Pass NULL where it is not wanted; filled only when a call fails. */
struct rpcrdma_xdr_error {
    int code;        /* what the call returned */
    uint32_t offset; /* decoding: of the field at fault, in octets from the start of the buffer */
    uint32_t depth;  /* steps in path */
    struct {
        const char *name;         /* static */
        int64_t index;            /* of the element, or -1 */
    } path[RPCRDMA_XDR_PATH_MAX]; /* innermost first */
};

/*
 * Write the path as the specification names its fields, "rdma_reads[2].position". A union, and an
 * arm that is a struct, add no step. Always terminated if size > 0, cut to fit; returns the length
 * that the whole path has.
 */
RPCRDMA_API size_t rpcrdma_xdr_error_path(const struct rpcrdma_xdr_error *error, char *text,
                                          size_t size);

/* Variable-length opaque data or a string (4.10, 4.11); padding is not counted. */
struct rpcrdma_xdr_opaque {
    const uint8_t *data; /* NULL only if length is 0 */
    uint32_t length;
};

/*
 * Arrays and linked lists are spans. A decoded span lies on the wire: `wire` is its first octet and
 * `octets` its size there (a list's presence words included, an array's count word not). A span to
 * encode has `octets` 0 and `items` pointing at `count` values. { 0 } is an empty span.
 */
#define RPCRDMA_XDR_SPAN(name, item)                                                               \
    struct name {                                                                                  \
        union {                                                                                    \
            const uint8_t *wire; /* octets is not 0 */                                             \
            const item *items;   /* octets is 0 */                                                 \
        };                                                                                         \
        uint32_t count, octets;                                                                    \
    }

RPCRDMA_XDR_SPAN(rpcrdma_xdr_uint32_array, uint32_t);
RPCRDMA_XDR_SPAN(rpcrdma_xdr_int32_array, int32_t);
RPCRDMA_XDR_SPAN(rpcrdma_xdr_uint64_array, uint64_t);
RPCRDMA_XDR_SPAN(rpcrdma_xdr_int64_array, int64_t);
RPCRDMA_XDR_SPAN(rpcrdma_xdr_bool_array, bool);

/* A condition that processors predict well: a branch on it costs less than a conditional move. */
#define RPCRDMA_XDR_PREDICTABLE(x) (x)
#if defined(__has_builtin) && !defined(__FRAMAC__)
#if __has_builtin(__builtin_expect_with_probability)
#undef RPCRDMA_XDR_PREDICTABLE
#define RPCRDMA_XDR_PREDICTABLE(x) __builtin_expect_with_probability(!!(x), 1, 0.999)
#endif
#endif

/* Walks a span; made by the span's own <type>_iter(), advanced by its <type>_next(). */
struct rpcrdma_xdr_iter {
    const uint8_t *p;   /* the next element, on the wire or a value */
    const uint8_t *end; /* of the wire; NULL for values */
    uint32_t left;      /* elements still to come */
};

static inline struct rpcrdma_xdr_iter rpcrdma_xdr_iterate(const uint8_t *wire, uint32_t octets,
                                                          const void *items, uint32_t count)
{
    struct rpcrdma_xdr_iter iter;
    iter.p = octets ? wire : (const uint8_t *)items;
    iter.end = NULL;
    if (RPCRDMA_XDR_PREDICTABLE(octets != 0))
        iter.end = wire + octets;
    iter.left = count;
    return iter;
}

#define RPCRDMA_XDR_ITER(span)                                                                     \
    rpcrdma_xdr_iterate((span)->wire, (span)->octets, (span)->items, (span)->count)

/* Take the next element out of values, which has at least one; true. */
#define RPCRDMA_XDR_ITER_ITEM(iter, out, type)                                                     \
    (*(out) = *(const type *)(const void *)(iter)->p, (iter)->p += sizeof(type), true)

/* A variable opaque or string that is not among the octets: what its count word says is elsewhere.
 */
struct rpcrdma_xdr_hole {
    uint64_t position; /* where it would begin, in the object with nothing taken out */
    uint64_t length;   /* octets that are elsewhere */
    bool taken;        /* set by decoding: an item begins there */
    uint32_t count;    /* taken: what its count word says */
};

/*
 * An object of which items were taken out, padding and all (RFC 8166 section 3.4.1). Decoding gives
 * such an item its length and `data` NULL.
 */
struct rpcrdma_xdr_reduction {
    struct rpcrdma_xdr_hole *holes; /* in the order of their positions */
    uint32_t hole_count;
    uint32_t next;    /* decoding: the first hole not passed yet */
    uint64_t before;  /* positions that lie before the buffer */
    uint64_t removed; /* decoding: octets taken out so far, padding included */
    bool next_item;   /* the next item that has octets is out, wherever it stands; cleared then */
    uint32_t item;    /* its count */
};

/*
 * What generated code calls: `count` elements from the wire into structures of as many octets, by
 * vectors where there are any. 16: two words and a double word, and back to the wire as well; 24: a
 * list entry, which is a presence word, a word, and those.
 */
RPCRDMA_API void rpcrdma_xdr_copy_16(void *to, const uint8_t *from, uint32_t count);
RPCRDMA_API void rpcrdma_xdr_copy_24(void *items, const uint8_t *wire, uint32_t count);

/* Big-endian words (4.1 to 4.5) at any alignment. */
static inline uint32_t rpcrdma_xdr_load32(const uint8_t *p)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t word;
    __builtin_memcpy(&word, p, sizeof word);
    return __builtin_bswap32(word);
#else
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
#endif
}

static inline uint64_t rpcrdma_xdr_load64(const uint8_t *p)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word;
    __builtin_memcpy(&word, p, sizeof word);
    return __builtin_bswap64(word);
#else
    return (uint64_t)rpcrdma_xdr_load32(p) << 32 | rpcrdma_xdr_load32(p + 4);
#endif
}

static inline void rpcrdma_xdr_store32(uint8_t *p, uint32_t word)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap32(word);
    __builtin_memcpy(p, &word, sizeof word);
#else
    p[0] = (uint8_t)(word >> 24), p[1] = (uint8_t)(word >> 16);
    p[2] = (uint8_t)(word >> 8), p[3] = (uint8_t)word;
#endif
}

static inline void rpcrdma_xdr_store64(uint8_t *p, uint64_t word)
{
#if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    word = __builtin_bswap64(word);
    __builtin_memcpy(p, &word, sizeof word);
#else
    rpcrdma_xdr_store32(p, (uint32_t)(word >> 32));
    rpcrdma_xdr_store32(p + 4, (uint32_t)word);
#endif
}

static inline float rpcrdma_xdr_load_float(const uint8_t *p)
{
    uint32_t word = rpcrdma_xdr_load32(p);
    float value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}

static inline double rpcrdma_xdr_load_double(const uint8_t *p)
{
    uint64_t word = rpcrdma_xdr_load64(p);
    double value;
    __builtin_memcpy(&value, &word, sizeof value);
    return value;
}

static inline void rpcrdma_xdr_store_float(uint8_t *p, float value)
{
    uint32_t word;
    __builtin_memcpy(&word, &value, sizeof word);
    rpcrdma_xdr_store32(p, word);
}

static inline void rpcrdma_xdr_store_double(uint8_t *p, double value)
{
    uint64_t word;
    __builtin_memcpy(&word, &value, sizeof word);
    rpcrdma_xdr_store64(p, word);
}

static inline bool rpcrdma_xdr_uint32_next(struct rpcrdma_xdr_iter *iter, uint32_t *out)
{
    if (iter->left == 0)
        return false;
    iter->left--;
    if (iter->end == NULL)
        return RPCRDMA_XDR_ITER_ITEM(iter, out, uint32_t);
    *out = rpcrdma_xdr_load32(iter->p);
    iter->p += 4;
    return true;
}

static inline bool rpcrdma_xdr_uint64_next(struct rpcrdma_xdr_iter *iter, uint64_t *out)
{
    if (iter->left == 0)
        return false;
    iter->left--;
    if (iter->end == NULL)
        return RPCRDMA_XDR_ITER_ITEM(iter, out, uint64_t);
    *out = rpcrdma_xdr_load64(iter->p);
    iter->p += 8;
    return true;
}

static inline bool rpcrdma_xdr_int32_next(struct rpcrdma_xdr_iter *iter, int32_t *out)
{
    if (iter->left == 0)
        return false;
    iter->left--;
    if (iter->end == NULL)
        return RPCRDMA_XDR_ITER_ITEM(iter, out, int32_t);
    *out = (int32_t)rpcrdma_xdr_load32(iter->p);
    iter->p += 4;
    return true;
}

static inline bool rpcrdma_xdr_int64_next(struct rpcrdma_xdr_iter *iter, int64_t *out)
{
    if (iter->left == 0)
        return false;
    iter->left--;
    if (iter->end == NULL)
        return RPCRDMA_XDR_ITER_ITEM(iter, out, int64_t);
    *out = (int64_t)rpcrdma_xdr_load64(iter->p);
    iter->p += 8;
    return true;
}

static inline bool rpcrdma_xdr_bool_next(struct rpcrdma_xdr_iter *iter, bool *out)
{
    if (iter->left == 0)
        return false;
    iter->left--;
    if (iter->end == NULL)
        return RPCRDMA_XDR_ITER_ITEM(iter, out, bool);
    *out = rpcrdma_xdr_load32(iter->p) != 0;
    iter->p += 4;
    return true;
}

#ifdef __cplusplus
}
#endif
#endif
