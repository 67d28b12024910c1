// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/*
 * The runtime under generated codecs, for them alone: exported because a codec may be in a library
 * of its own.
 *
 * A getter takes a place in the octets and returns the place after what it read, or NULL after an
 * error. Bounds are compared as octets left, never by adding to a pointer first. A putter is
 * called with room for the least that its type takes and for `after` octets more, and leaves those
 * `after` it; it returns the place after what it wrote, or NULL.
 */
#ifndef RPCRDMA_XDR_RUNTIME_H
#define RPCRDMA_XDR_RUNTIME_H

#include <rpcrdma/xdr.h>

#ifdef __FRAMAC__ /* relations of the condition stay visible */
#define RPCRDMA_XDR_LIKELY(x) (x)
#define RPCRDMA_XDR_UNLIKELY(x) (x)
#else
#define RPCRDMA_XDR_LIKELY(x) __builtin_expect(!!(x), 1)
#define RPCRDMA_XDR_UNLIKELY(x) __builtin_expect(!!(x), 0)
#endif
#define rpcrdma_xdr_copy(to, from, size) __builtin_memcpy(to, from, size)

/*
 * One decoding in progress. A codec that inlines all decodes first with error and limits NULL,
 * which the compiler folds away so that the rest stays in registers; only what fails, or has
 * limits, is decoded again with both.
 */
struct rpcrdma_xdr_in {
    const uint8_t *base, *end;
    const void *limits;                      /* the generated limits of this codec, or NULL */
    struct rpcrdma_xdr_error *error;         /* or NULL: a failure is enough */
    struct rpcrdma_xdr_reduction *reduction; /* NULL where nothing was taken out */
};

/* One encoding in progress, while its size is computed. */
struct rpcrdma_xdr_out {
    struct rpcrdma_xdr_error *error; /* never NULL */
};

/* One encoding in progress: where the room ends. A codec that inlines all encodes first what
 * consists of values alone, which calls nothing; spans on the wire are left to a second try. */
struct rpcrdma_xdr_room {
    const uint8_t *end;
    bool values_only;
};

/* This many that vectors are worth a call; a proof is of what is done elsewhere. */
#if defined(__x86_64__) && defined(__SSE2__) && !defined(__FRAMAC__)
#define RPCRDMA_XDR_MANY(count) ((count) >= 32)
#else
#define RPCRDMA_XDR_MANY(count) ((void)(count), false)
#endif

/* Where a fixed run of fields ends, for naming the first that does not fit. */
struct rpcrdma_xdr_run {
    uint32_t end;
    const char *name;
};

/* Cold paths (xdr.c): note an error, or add an outer step to its path. */
#define RPCRDMA_XDR_COLD __attribute__((__cold__, __noinline__))
#define RPCRDMA_XDR_NOINLINE __attribute__((__noinline__))
/* With a reduction: whether the item whose length is at p is out; if so, sets that length alone. */
RPCRDMA_API bool rpcrdma_xdr_take_out(const struct rpcrdma_xdr_in *in, const uint8_t *p,
                                      uint32_t bound, struct rpcrdma_xdr_opaque *v);

RPCRDMA_API RPCRDMA_XDR_COLD void rpcrdma_xdr_note(struct rpcrdma_xdr_error *error, int code,
                                                   size_t offset, const char *name);
RPCRDMA_API RPCRDMA_XDR_COLD void rpcrdma_xdr_note_short(struct rpcrdma_xdr_error *error,
                                                         size_t offset, size_t left,
                                                         const struct rpcrdma_xdr_run *run);
RPCRDMA_API RPCRDMA_XDR_COLD void rpcrdma_xdr_note_step(struct rpcrdma_xdr_error *error,
                                                        const char *name, int64_t index);

/* The place after the octets; a proof has its own. */
#ifndef rpcrdma_xdr_end
#define rpcrdma_xdr_end(buf, length) ((const uint8_t *)(buf) + (length))
#endif

#define rpcrdma_xdr_left(in, p) ((size_t)((in)->end - (p)))

/* The caller's limit for a count, 0 for none. */
#define RPCRDMA_XDR_LIMIT(in, type, field) ((in)->limits ? ((const type *)(in)->limits)->field : 0)

/* What a getter returns that fails at a place; that has no room for a run; that lies around one
 * that failed. */
static inline const uint8_t *rpcrdma_xdr_bad(const struct rpcrdma_xdr_in *in, int code,
                                             const uint8_t *at, const char *name)
{
    if (in->error)
        rpcrdma_xdr_note(in->error, code, (size_t)(at - in->base), name);
    return NULL;
}

static inline const uint8_t *rpcrdma_xdr_short(const struct rpcrdma_xdr_in *in, const uint8_t *at,
                                               const struct rpcrdma_xdr_run *run)
{
    if (in->error)
        rpcrdma_xdr_note_short(in->error, (size_t)(at - in->base), rpcrdma_xdr_left(in, at), run);
    return NULL;
}

static inline const uint8_t *rpcrdma_xdr_at(const struct rpcrdma_xdr_in *in, const char *name)
{
    if (in->error)
        rpcrdma_xdr_note_step(in->error, name, -1);
    return NULL;
}

static inline const uint8_t *rpcrdma_xdr_at_index(const struct rpcrdma_xdr_in *in, const char *name,
                                                  uint32_t index)
{
    if (in->error)
        rpcrdma_xdr_note_step(in->error, name, index);
    return NULL;
}

/* The same for sizers, whose values have no place. */
static inline int64_t rpcrdma_xdr_bad_value(const struct rpcrdma_xdr_out *out, int code,
                                            const char *name)
{
    rpcrdma_xdr_note(out->error, code, 0, name);
    return code;
}

static inline int64_t rpcrdma_xdr_value_at(const struct rpcrdma_xdr_out *out, int64_t code,
                                           const char *name)
{
    rpcrdma_xdr_note_step(out->error, name, -1);
    return code;
}

static inline int64_t rpcrdma_xdr_value_at_index(const struct rpcrdma_xdr_out *out, int64_t code,
                                                 const char *name, uint32_t index)
{
    rpcrdma_xdr_note_step(out->error, name, index);
    return code;
}

/* Octets up to the next multiple of four. */
static inline uint64_t rpcrdma_xdr_round(uint64_t octets)
{
    return (octets + 3) / 4 * 4;
}

/* A limit of 0 sets none. */
static inline bool rpcrdma_xdr_over(uint32_t count, uint32_t limit)
{
    return RPCRDMA_XDR_UNLIKELY(limit != 0 && count > limit);
}

/* Whether the padding of `octets` octets is zero; it ends at p. */
static inline bool rpcrdma_xdr_pad_is_zero(const uint8_t *p, uint32_t octets)
{
    uint32_t pad = -octets % 4;
    return pad == 0 || (rpcrdma_xdr_load32(p - 4) & ((1u << 8 * pad) - 1)) == 0;
}

/* A word as it lies in memory, and 1 as it does: comparing needs no swap. */
static inline uint32_t rpcrdma_xdr_load_raw(const uint8_t *p)
{
    uint32_t word;
    rpcrdma_xdr_copy(&word, p, sizeof word);
    return word;
}

static inline uint32_t rpcrdma_xdr_raw_one(void)
{
    static const uint8_t one[4] = {0, 0, 0, 1};
    return rpcrdma_xdr_load_raw(one);
}

/*
 * Skip list entries of `stride` octets, presence word included, of which only that word can be
 * wrong, as long as four whole ones are there: their loads do not wait for each other. Adds to
 * *count how many it passed.
 */
static inline const uint8_t *rpcrdma_xdr_skip_entries(const struct rpcrdma_xdr_in *in,
                                                      const uint8_t *p, size_t stride,
                                                      uint32_t *count)
{
    const uint32_t one = rpcrdma_xdr_raw_one();
    uint32_t n = *count;
    while (rpcrdma_xdr_left(in, p) >= 4 * stride) {
        uint32_t wrong = (rpcrdma_xdr_load_raw(p) ^ one) |
                         (rpcrdma_xdr_load_raw(p + stride) ^ one) |
                         (rpcrdma_xdr_load_raw(p + 2 * stride) ^ one) |
                         (rpcrdma_xdr_load_raw(p + 3 * stride) ^ one);
        if (wrong != 0)
            break;
        p += 4 * stride;
        n += 4;
    }
    *count = n;
    return p;
}

/* The word that says whether optional data follows (4.19). */
static inline const uint8_t *rpcrdma_xdr_get_presence(const struct rpcrdma_xdr_in *in,
                                                      const uint8_t *p, bool *present)
{
    if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(in, p) < 4))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_TRUNCATED, p, "");
    uint32_t word = rpcrdma_xdr_load_raw(p);
    *present = word != 0;
    if (RPCRDMA_XDR_UNLIKELY(word != 0) && RPCRDMA_XDR_UNLIKELY(word != rpcrdma_xdr_raw_one()))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_PRESENCE, p, "");
    return p + 4;
}

/* The count before a variable array of elements of at least `least` octets (4.13). */
static inline const uint8_t *rpcrdma_xdr_get_count(const struct rpcrdma_xdr_in *in,
                                                   const uint8_t *p, uint32_t bound, uint32_t limit,
                                                   uint32_t least, uint32_t *count)
{
    if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(in, p) < 4))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_TRUNCATED, p, "");
    uint32_t n = *count = rpcrdma_xdr_load32(p);
    if (RPCRDMA_XDR_UNLIKELY(n > bound))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_BOUND, p, "");
    if (RPCRDMA_XDR_UNLIKELY(n > (rpcrdma_xdr_left(in, p) - 4) / least))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_COUNT, p, "");
    if (rpcrdma_xdr_over(n, limit))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_LIMIT, p, "");
    return p + 4;
}

/* A variable array of elements of one size whose octets are all valid. */
static inline const uint8_t *rpcrdma_xdr_get_array(const struct rpcrdma_xdr_in *in,
                                                   const uint8_t *p, uint32_t bound, uint32_t limit,
                                                   uint32_t size, const uint8_t **wire,
                                                   uint32_t *count, uint32_t *octets)
{
    size_t left = rpcrdma_xdr_left(in, p);
    if (RPCRDMA_XDR_UNLIKELY(left < 4))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_TRUNCATED, p, "");
    uint32_t n = rpcrdma_xdr_load32(p);
    uint64_t all = (uint64_t)n * size;
    left -= 4;
    if (RPCRDMA_XDR_UNLIKELY(n > bound))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_BOUND, p, "");
    if (RPCRDMA_XDR_UNLIKELY(all > left))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_COUNT, p, "");
    if (rpcrdma_xdr_over(n, limit))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_LIMIT, p, "");
    *wire = p + 4;
    *count = n;
    *octets = (uint32_t)all;
    return in->end - (left - all);
}

/* An element of an array of bools (4.4); named as the generated getters are. */
static inline const uint8_t *get_rpcrdma_xdr_bool(const struct rpcrdma_xdr_in *in, const uint8_t *p,
                                                  bool *v)
{
    if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_left(in, p) < 4))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_TRUNCATED, p, "");
    if (RPCRDMA_XDR_UNLIKELY(rpcrdma_xdr_load32(p) > 1))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_BOOL, p, "");
    *v = rpcrdma_xdr_load32(p) == 1;
    return p + 4;
}

/* Variable-length opaque data or a string with its padding (4.10, 4.11). Inlined even where the
 * compiler would think it too large: with its constants little is left of it. */
static inline const uint8_t *rpcrdma_xdr_get_opaque(const struct rpcrdma_xdr_in *, const uint8_t *,
                                                    uint32_t, uint32_t, struct rpcrdma_xdr_opaque *)
    __attribute__((always_inline));
static inline const uint8_t *rpcrdma_xdr_get_opaque(const struct rpcrdma_xdr_in *in,
                                                    const uint8_t *p, uint32_t bound,
                                                    uint32_t limit, struct rpcrdma_xdr_opaque *v)
{
    const uint8_t *at = p;
    if (in->reduction && rpcrdma_xdr_take_out(in, p, bound, v))
        return p + 4;
    if ((p = rpcrdma_xdr_get_count(in, p, bound, limit, 1, &v->length)) == NULL)
        return NULL;
    size_t left = rpcrdma_xdr_left(in, p);
    uint64_t octets = rpcrdma_xdr_round(v->length);
    if (RPCRDMA_XDR_UNLIKELY(octets > left))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_COUNT, at, "");
    v->data = p;
    p = in->end - (left - octets);
    if (RPCRDMA_XDR_UNLIKELY(!rpcrdma_xdr_pad_is_zero(p, v->length)))
        return rpcrdma_xdr_bad(in, RPCRDMA_XDR_E_PAD, v->data + v->length, "");
    return p;
}

/* Octets of the items of a span, `stride` each, and `extra` for the list around them: on the wire
 * they are known. */
static inline int64_t rpcrdma_xdr_size_items(uint32_t octets, uint32_t count, int64_t stride,
                                             int64_t extra)
{
    return octets ? octets : count * stride + extra;
}

/* Fixed-length opaque data with its padding (4.9). */
static inline uint8_t *rpcrdma_xdr_put_octets(uint8_t *p, const uint8_t *data, uint32_t octets)
{
    uint64_t n = octets;
    if (octets != 0)
        rpcrdma_xdr_copy(p, data, octets);
    p += octets;
    for (; n % 4 != 0; n++)
        *p++ = 0;
    return p;
}

static inline uint8_t *rpcrdma_xdr_put_opaque(uint8_t *p, const struct rpcrdma_xdr_opaque *v)
{
    rpcrdma_xdr_store32(p, v->length);
    return rpcrdma_xdr_put_octets(p + 4, v->data, v->length);
}

#endif
