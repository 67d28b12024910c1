// SPDX-License-Identifier: BSD-3-Clause
/* Octets laid down by hand, what every decoder has to do with them and with their pieces, and how
 * often chance changes them. */
#ifndef CODEC_TESTS_SUPPORT_OCTETS_H
#define CODEC_TESTS_SUPPORT_OCTETS_H

#include <rpcrdma/xdr.h>

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct octets {
    size_t length;
    uint8_t at[2048];
};

static inline void put_word(struct octets *octets, uint32_t word)
{
    ck_assert_uint_le(octets->length + 4, sizeof octets->at);
    rpcrdma_xdr_store32(octets->at + octets->length, word);
    octets->length += 4;
}

static inline void put_bytes(struct octets *octets, const void *bytes, size_t count)
{
    ck_assert_uint_le(octets->length + count, sizeof octets->at);
    memcpy(octets->at + octets->length, bytes, count);
    octets->length += count;
}

static inline size_t store_words(uint8_t *octets, const uint32_t *word, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, word[i]);
    return 4 * count;
}

/* Within a quarter. */
static inline void is_about(unsigned count, unsigned expected, const char *what, unsigned number)
{
    ck_assert_msg(count == expected || (4 * count > 3 * expected && 4 * count < 5 * expected),
                  "%s %u: %u times, not %u", what, number, count, expected);
}

static inline struct octets words(const uint32_t *word, size_t count)
{
    struct octets octets = {0};
    for (size_t i = 0; i < count; i++)
        put_word(&octets, word[i]);
    return octets;
}
#define WORDS(...)                                                                                 \
    words((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4)

#ifdef __has_feature
#define HAS_FEATURE(feature) __has_feature(feature)
#else
#define HAS_FEATURE(feature) 0
#endif

/* A copy that ends where its memory ends: any look beyond it ends the test, even of no octets at
 * all. There is one at a time. */
#if defined(__SANITIZE_ADDRESS__) || HAS_FEATURE(address_sanitizer)
/* It begins at an odd address besides. */
static inline uint8_t *exact(const void *octets, size_t length)
{
    uint8_t *memory = malloc(length + 1);
    ck_assert_ptr_nonnull(memory);
    memcpy(memory + 1, octets, length);
    return memory + 1;
}

static inline void drop(uint8_t *copy)
{
    free(copy - 1);
}
#else
static uint8_t *exact_end; /* where nobody may look; NULL before the first copy */
static bool exact_taken;

static inline uint8_t *exact(const void *octets, size_t length)
{
    enum { ROOM = 1 << 16, GUARD = 1 << 16 };
    ck_assert_uint_le(length, ROOM);
    ck_assert(!exact_taken);
    if (exact_end == NULL) {
        uint8_t *memory =
            mmap(NULL, ROOM + GUARD, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ck_assert(memory != MAP_FAILED);
        exact_end = memory + ROOM;
        ck_assert_int_eq(mprotect(exact_end, GUARD, PROT_NONE), 0);
    }
    exact_taken = true;
    memcpy(exact_end - length, octets, length);
    return exact_end - length;
}

static inline void drop(uint8_t *copy)
{
    ck_assert(copy <= exact_end && exact_taken);
    exact_taken = false;
}
#endif

/* Decodes, and encodes what it decoded; both are compared. */
typedef ptrdiff_t decoder(const uint8_t *octets, size_t length, struct rpcrdma_xdr_error *error);

#define DECODER(name, codec, type)                                                                 \
    static ptrdiff_t name(const uint8_t *octets, size_t length, struct rpcrdma_xdr_error *error)   \
    {                                                                                              \
        struct type value;                                                                         \
        uint8_t again[2048];                                                                       \
        ptrdiff_t n = codec##_decode(&value, octets, length, NULL, error);                         \
        if (n < 0)                                                                                 \
            return n;                                                                              \
        ck_assert_int_eq(codec##_size(&value, NULL), n);                                           \
        ck_assert_int_eq(codec##_encode(again, (size_t)n, &value, NULL), n);                       \
        ck_assert_mem_eq(again, octets, (size_t)n);                                                \
        if (n > 0)                                                                                 \
            ck_assert_int_eq(codec##_encode(again, (size_t)n - 1, &value, NULL),                   \
                             RPCRDMA_XDR_E_SPACE);                                                 \
        bool whole = (size_t)n == length;                                                          \
        ck_assert_int_eq(codec##_decode_complete(&value, octets, length, NULL, error),             \
                         whole ? n : RPCRDMA_XDR_E_TRAILING);                                      \
        return n;                                                                                  \
    }

static inline void check_fails(decoder *decode, const struct octets *octets, size_t length,
                               int code, uint32_t offset, const char *path)
{
    struct rpcrdma_xdr_error error;
    char text[128];
    uint8_t *copy = exact(octets->at, length);
    ptrdiff_t n = decode(copy, length, &error);
    drop(copy);
    ck_assert_msg(n == code, "%zu octets: %td, not %s", length, n, rpcrdma_xdr_error_name(code));
    ck_assert_int_eq(error.code, code);
    ck_assert_msg(error.offset == offset, "%zu octets: at %u, not %u", length, error.offset,
                  offset);
    rpcrdma_xdr_error_path(&error, text, sizeof text);
    ck_assert_msg(strcmp(text, path) == 0, "%zu octets: %s, not %s", length, text, path);
}

static inline void check_bad(decoder *decode, struct octets octets, int code, uint32_t offset,
                             const char *path)
{
    check_fails(decode, &octets, octets.length, code, offset, path);
}

/* Each field in its order: where it begins; for a count word, how many octets it says that follow
 * at least, which is looked at before they are; where it ends, if not where the next one begins. */
struct field {
    uint32_t offset;
    const char *path;
    uint32_t counts, end;
};
#define AT(where, what) ((struct field){(where), what, 0, 0})
#define COUNT_AT(where, what, octets) ((struct field){(where), what, (octets), 0})

/* What the first `cut` octets fail with is what the first field fails with that is not whole. */
static inline void check_cut(decoder *decode, const struct octets *octets, size_t cut,
                             const struct field *fields, size_t field_count)
{
    for (const struct field *field = fields; field < fields + field_count; field++) {
        size_t end = field->end                         ? field->end
                     : field + 1 < fields + field_count ? field[1].offset
                                                        : octets->length;
        if (cut < (field->counts ? field->offset + 4 : end)) {
            check_fails(decode, octets, cut, RPCRDMA_XDR_E_TRUNCATED, field->offset, field->path);
            return;
        }
        if (cut < field->offset + 4 + field->counts) {
            check_fails(decode, octets, cut, RPCRDMA_XDR_E_COUNT, field->offset, field->path);
            return;
        }
    }
    ck_abort_msg("no field is cut at %zu", cut);
}

/* All of the octets are one object; cut anywhere it is invalid, and with more after it the same. */
static inline void check_object(decoder *decode, struct octets octets, const struct field *fields,
                                size_t field_count)
{
    struct rpcrdma_xdr_error error;
    size_t length = octets.length;
    uint8_t *copy = exact(octets.at, length);
    ck_assert_int_eq(decode(copy, length, &error), (ptrdiff_t)length);
    drop(copy);
    for (size_t cut = 0; cut < length; cut++)
        check_cut(decode, &octets, cut, fields, field_count);
    put_word(&octets, 0xffffffff);
    ck_assert_int_eq(decode(octets.at, octets.length, &error), (ptrdiff_t)length);
    ck_assert_int_eq(error.code, RPCRDMA_XDR_E_TRAILING);
    ck_assert_uint_eq(error.offset, length);
}
#define CHECK_OBJECT(decode, octets, ...)                                                          \
    check_object(decode, octets, (const struct field[]){__VA_ARGS__},                              \
                 sizeof((const struct field[]){__VA_ARGS__}) / sizeof(struct field))

#endif
