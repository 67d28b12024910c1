// SPDX-License-Identifier: BSD-3-Clause
/*
 * What all fuzz targets share: the entry function, assertions that end the run, and the promises
 * that every generated codec makes, held in one macro.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <rpcrdma/xdr.h>

#include "conformance/walk/walk.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Longer inputs find nothing that shorter ones do not. */
#define FUZZ_SIZE_MAX 65536

static inline _Noreturn void fuzz_fail(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    abort();
}

#define FUZZ_ASSERT(condition)                                                                     \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_fail(__FILE__, __LINE__, "not so: " #condition);                                  \
    } while (0)

/* Room to encode into, with an octet after it that nobody may change. */
#define FUZZ_GUARD 0xa5
static inline uint8_t *fuzz_room(size_t length)
{
    static uint8_t room[FUZZ_SIZE_MAX + 1];
    FUZZ_ASSERT(length <= FUZZ_SIZE_MAX);
    room[length] = FUZZ_GUARD;
    return room;
}

/* The octets that were decoded last. A view points nowhere else. */
struct fuzz_input {
    const uint8_t *octets;
    size_t length;
};
static struct fuzz_input fuzz_input;

static inline void fuzz_check_inside(const uint8_t *octets, size_t length)
{
    uintptr_t begin = (uintptr_t)fuzz_input.octets, place = (uintptr_t)octets;
    if (length == 0)
        return;
    FUZZ_ASSERT(place >= begin && place - begin <= fuzz_input.length);
    FUZZ_ASSERT(length <= fuzz_input.length - (place - begin));
}

/* An error names a place in the octets, and its path is text that fits what it says it needs. */
static inline void fuzz_check_error(const struct rpcrdma_xdr_error *error, ptrdiff_t code,
                                    size_t length)
{
    char path[256];
    FUZZ_ASSERT(error->code == code);
    FUZZ_ASSERT(code <= -200 && code > -300);
    FUZZ_ASSERT(error->offset <= length);
    FUZZ_ASSERT(error->depth <= RPCRDMA_XDR_PATH_MAX);
    FUZZ_ASSERT(strncmp(rpcrdma_xdr_error_name((int)code), "XDR_E_", 6) == 0);
    FUZZ_ASSERT(strlen(rpcrdma_xdr_error_text((int)code)) > 10);
    size_t needed = rpcrdma_xdr_error_path(error, path, sizeof path);
    FUZZ_ASSERT(needed < sizeof path && strlen(path) == needed);
}

/*
 * Defines `static ptrdiff_t name(octets, length, view, error)`, which decodes with a codec of
 * xdrgen and holds it to what its header promises:
 *
 *   - with limits that bind nobody, or nowhere to tell the error, the result is the same; with
 *     narrow ones it is the same or RPCRDMA_XDR_E_LIMIT;
 *   - complete decoding differs only in that nothing may follow;
 *   - what was decoded encodes to the octets it was decoded from, in exactly the room that the
 *     size function asks for, and not in less;
 *   - dropping any octet makes decoding fail.
 */
#define FUZZ_CODEC(name, codec, limits_type)                                                       \
    static ptrdiff_t name(const uint8_t *octets, size_t length, struct codec *view,                \
                          struct rpcrdma_xdr_error *error)                                         \
    {                                                                                              \
        struct codec other;                                                                        \
        struct rpcrdma_xdr_error again;                                                            \
        struct limits_type limits;                                                                 \
        memset(&limits, 0xff, sizeof limits);                                                      \
        ptrdiff_t n = codec##_decode(view, octets, length, NULL, error);                           \
        FUZZ_ASSERT(codec##_decode(&other, octets, length, NULL, NULL) == n);                      \
        FUZZ_ASSERT(codec##_decode(&other, octets, length, &limits, &again) == n);                 \
        if (n < 0) {                                                                               \
            fuzz_check_error(error, n, length);                                                    \
            FUZZ_ASSERT(again.code == error->code && again.offset == error->offset);               \
            FUZZ_ASSERT(codec##_decode_complete(&other, octets, length, NULL, NULL) == n);         \
            return n;                                                                              \
        }                                                                                          \
        FUZZ_ASSERT((size_t)n <= length);                                                          \
        FUZZ_ASSERT(codec##_decode(&other, octets, (size_t)INT32_MAX + 1, NULL, &again) ==         \
                    RPCRDMA_XDR_E_ARGUMENT);                                                       \
        FUZZ_ASSERT(codec##_decode(&other, NULL, 0, NULL, &again) <= 0);                           \
        FUZZ_ASSERT(codec##_size(view, NULL) == n && codec##_size(&other, NULL) == n);             \
        uint8_t *room = fuzz_room((size_t)n);                                                      \
        FUZZ_ASSERT(codec##_encode(room, (size_t)n, view, NULL) == n);                             \
        FUZZ_ASSERT(n == 0 || memcmp(room, octets, (size_t)n) == 0);                               \
        FUZZ_ASSERT(room[n] == FUZZ_GUARD);                                                        \
        fuzz_input = (struct fuzz_input){octets, (size_t)n};                                       \
        if (n > 0) {                                                                               \
            /* Any room that is too small, and any place to cut, as the octets have it. */         \
            size_t small = (4u * octets[n > 3 ? 3 : 0]) % (size_t)n;                               \
            size_t cut = (octets[n > 3 ? 3 : 0] * 7u) % (size_t)n;                                 \
            ptrdiff_t early = codec##_decode(&other, octets, cut, NULL, &again);                   \
            FUZZ_ASSERT(early == RPCRDMA_XDR_E_TRUNCATED || early == RPCRDMA_XDR_E_COUNT);         \
            fuzz_check_error(&again, early, cut);                                                  \
            FUZZ_ASSERT(codec##_encode(room, (size_t)n - 1, view, NULL) == RPCRDMA_XDR_E_SPACE);   \
            FUZZ_ASSERT(codec##_encode(fuzz_room(small), small, view, &again) ==                   \
                        RPCRDMA_XDR_E_SPACE);                                                      \
            FUZZ_ASSERT(room[small] == FUZZ_GUARD && again.code == RPCRDMA_XDR_E_SPACE);           \
        }                                                                                          \
        /* A limit of one stops at what is above it, or changes nothing. */                        \
        uint32_t one[sizeof limits / 4 + 1];                                                       \
        for (size_t i = 0; i < sizeof one / 4; i++)                                                \
            one[i] = 1;                                                                            \
        memcpy(&limits, one, sizeof limits);                                                       \
        ptrdiff_t limited = codec##_decode(&other, octets, length, &limits, &again);               \
        FUZZ_ASSERT(limited == n || (limited == RPCRDMA_XDR_E_LIMIT && again.offset < (size_t)n)); \
        bool whole = (size_t)n == length;                                                          \
        ptrdiff_t complete = codec##_decode_complete(&other, octets, length, NULL, &again);        \
        FUZZ_ASSERT(complete == (whole ? n : RPCRDMA_XDR_E_TRAILING));                             \
        FUZZ_ASSERT(whole || again.offset == (uint32_t)n);                                         \
        return n;                                                                                  \
    }

/* The walker's fields follow each other without gap and end inside. */
struct fuzz_walk {
    size_t at, length;
};

static inline bool fuzz_visit(void *arg, const struct walk_field *field)
{
    struct fuzz_walk *seen = arg;
    FUZZ_ASSERT(field->path != NULL && field->type != NULL && field->name != NULL);
    FUZZ_ASSERT(field->offset == seen->at);
    FUZZ_ASSERT(field->length <= seen->length - seen->at);
    seen->at += field->length;
    return true;
}

/* The walk by tables shares no code with the codec: both accept, or both find the same fault. */
static inline void fuzz_check_walk(const struct xdr_type *type, const uint8_t *octets,
                                   size_t length, ptrdiff_t decoded,
                                   const struct rpcrdma_xdr_error *error)
{
    struct fuzz_walk seen = {0, length};
    struct walk_error fault;
    char path[WALK_PATH];
    ptrdiff_t walked = rpcrdma_walk(type, octets, length, fuzz_visit, &seen, &fault);
    if (decoded >= 0) {
        FUZZ_ASSERT(walked == decoded && seen.at == (size_t)decoded);
        return;
    }
    FUZZ_ASSERT(walked == -1);
    /* A run of fixed fields that does not fit is truncated, whatever its first fields hold. */
    if (error->code == RPCRDMA_XDR_E_TRUNCATED && fault.offset < error->offset) {
        FUZZ_ASSERT(fault.code == RPCRDMA_XDR_E_ENUM || fault.code == RPCRDMA_XDR_E_BOOL);
        return;
    }
    FUZZ_ASSERT(fault.code == error->code);
    FUZZ_ASSERT(fault.offset == error->offset);
    rpcrdma_xdr_error_path(error, path, sizeof path);
    FUZZ_ASSERT(strcmp(path, fault.path) == 0);
}

#endif
