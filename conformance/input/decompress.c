// SPDX-License-Identifier: BSD-3-Clause
/*
 * gzip, xz and zstd, by the libraries that are there when this is built.
 *
 * Captures are often kept compressed. The reader gets a stream and needs not know: octets are
 * decompressed as it asks for them, so a file that expands a thousandfold costs time but no
 * memory. The libraries need a window of their own, which is limited, too.
 */
#define _GNU_SOURCE /* fopencookie */
#include "conformance/input/decompress.h"
#include "conformance/base/count.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if HAVE_ZLIB
#include <zlib.h>
#endif
#if HAVE_LZMA
#include <lzma.h>
#endif
#if HAVE_ZSTD
#include <zstd.h>
#endif

#define BLOCK ((size_t)32768)
#define WINDOW_MAX_LOG 27 /* 128 MiB: what `xz -9` and `zstd --ultra` need */

struct decoder {
    const struct compression *compression;
    FILE *stream;
    char *error;
    bool ended; /* at the end of a member: the file may end here */
    bool input_ended;
    size_t at, length; /* of the input */
    void *state;
    uint8_t input[BLOCK];
};

enum step { STEP_GOOD, STEP_MEMBER_END, STEP_DAMAGED, STEP_TOO_LARGE };

struct compression {
    const char *name;
    uint8_t magic[DECOMPRESS_MAGIC], magic_length;
    /* NULL where the library was not there. */
    bool (*begin)(struct decoder *decoder);
    /* Decode some of the input into the output, and move *length to what was decoded. */
    enum step (*step)(struct decoder *decoder, uint8_t *output, size_t *length);
    void (*end)(struct decoder *decoder);
};

/* ---- gzip ---- */

#if HAVE_ZLIB
static bool begin_gzip(struct decoder *decoder)
{
    z_stream *z = calloc(1, sizeof *z);
    decoder->state = z;
    return z && inflateInit2(z, 15 + 16) == Z_OK; /* gzip only, largest window */
}

static enum step step_gzip(struct decoder *decoder, uint8_t *output, size_t *length)
{
    z_stream *z = decoder->state;
    if (decoder->ended && inflateReset(z) != Z_OK)
        return STEP_DAMAGED;
    z->next_in = decoder->input + decoder->at;
    z->avail_in = (uInt)(decoder->length - decoder->at);
    z->next_out = output;
    z->avail_out = (uInt)*length;
    int result = inflate(z, Z_NO_FLUSH);
    decoder->at = decoder->length - z->avail_in;
    *length -= z->avail_out;
    if (result == Z_STREAM_END)
        return STEP_MEMBER_END;
    return result == Z_OK || result == Z_BUF_ERROR ? STEP_GOOD : STEP_DAMAGED;
}

static void end_gzip(struct decoder *decoder)
{
    if (decoder->state)
        inflateEnd(decoder->state);
    free(decoder->state);
}
#else
#define begin_gzip NULL
#define step_gzip NULL
#define end_gzip NULL
#endif

/* ---- xz ---- */

#if HAVE_LZMA
static bool begin_stream(lzma_stream *lzma)
{
    return lzma_stream_decoder(lzma, UINT64_C(1) << (WINDOW_MAX_LOG + 1), 0) == LZMA_OK;
}

static bool begin_xz(struct decoder *decoder)
{
    lzma_stream *lzma = calloc(1, sizeof *lzma);
    decoder->state = lzma;
    return lzma && begin_stream(lzma);
}

static enum step step_xz(struct decoder *decoder, uint8_t *output, size_t *length)
{
    lzma_stream *lzma = decoder->state;
    if (decoder->ended && !begin_stream(lzma))
        return STEP_DAMAGED;
    lzma->next_in = decoder->input + decoder->at;
    lzma->avail_in = decoder->length - decoder->at;
    lzma->next_out = output;
    lzma->avail_out = *length;
    lzma_ret result = lzma_code(lzma, LZMA_RUN);
    decoder->at = decoder->length - lzma->avail_in;
    *length -= lzma->avail_out;
    if (result == LZMA_STREAM_END)
        return STEP_MEMBER_END;
    if (result == LZMA_MEMLIMIT_ERROR || result == LZMA_MEM_ERROR)
        return STEP_TOO_LARGE;
    return result == LZMA_OK || result == LZMA_BUF_ERROR ? STEP_GOOD : STEP_DAMAGED;
}

static void end_xz(struct decoder *decoder)
{
    if (decoder->state)
        lzma_end(decoder->state);
    free(decoder->state);
}
#else
#define begin_xz NULL
#define step_xz NULL
#define end_xz NULL
#endif

/* ---- zstd ---- */

#if HAVE_ZSTD
static bool begin_zstd(struct decoder *decoder)
{
    decoder->state = ZSTD_createDStream();
    return decoder->state && !ZSTD_isError(ZSTD_DCtx_setParameter(
                                 decoder->state, ZSTD_d_windowLogMax, WINDOW_MAX_LOG));
}

static enum step step_zstd(struct decoder *decoder, uint8_t *output, size_t *length)
{
    ZSTD_inBuffer in = {decoder->input, decoder->length, decoder->at};
    ZSTD_outBuffer out = {output, *length, 0};
    size_t result = ZSTD_decompressStream(decoder->state, &out, &in);
    decoder->at = in.pos;
    *length = out.pos;
    if (ZSTD_isError(result)) {
        bool large = strstr(ZSTD_getErrorName(result), "memory") != NULL;
        return large ? STEP_TOO_LARGE : STEP_DAMAGED;
    }
    return result == 0 ? STEP_MEMBER_END : STEP_GOOD;
}

static void end_zstd(struct decoder *decoder)
{
    ZSTD_freeDStream(decoder->state);
}
#else
#define begin_zstd NULL
#define step_zstd NULL
#define end_zstd NULL
#endif

/* ---- the stream ---- */

static const struct compression compressions[] = {
    {"gzip", {0x1f, 0x8b}, 2, begin_gzip, step_gzip, end_gzip},
    {"xz", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, begin_xz, step_xz, end_xz},
    {"zstd", {0x28, 0xb5, 0x2f, 0xfd}, 4, begin_zstd, step_zstd, end_zstd},
};

const struct compression *decompress_find(const uint8_t *octets, size_t length)
{
    for (size_t i = 0; i < COUNT(compressions); i++) {
        const struct compression *c = &compressions[i];
        if (length >= c->magic_length && memcmp(octets, c->magic, c->magic_length) == 0)
            return c;
    }
    return NULL;
}

static ssize_t fail(const struct decoder *decoder, const char *why)
{
    snprintf(decoder->error, DECOMPRESS_ERROR, "%s: %s", decoder->compression->name, why);
    errno = EIO;
    return -1;
}

static void fill(struct decoder *decoder)
{
    if (decoder->at < decoder->length || decoder->input_ended)
        return;
    decoder->length = fread(decoder->input, 1, BLOCK, decoder->stream);
    decoder->at = 0;
    decoder->input_ended = decoder->length == 0;
}

/* The octets at hand do not begin another member: many tools pad a file with zeros. */
static bool is_padding(const struct decoder *decoder)
{
    const struct compression *c = decoder->compression;
    return decoder->ended && decoder->input[decoder->at] != c->magic[0];
}

static ssize_t read_decoded(void *arg, char *output, size_t size)
{
    struct decoder *decoder = arg;
    for (;;) {
        fill(decoder);
        if (decoder->input_ended && ferror(decoder->stream))
            return fail(decoder, "cannot be read");
        if (decoder->input_ended && decoder->ended)
            return 0;
        if (!decoder->input_ended && is_padding(decoder))
            return 0;
        size_t length = size, at = decoder->at;
        enum step step = decoder->compression->step(decoder, (uint8_t *)output, &length);
        if (step == STEP_DAMAGED)
            return fail(decoder, "the data are damaged");
        if (step == STEP_TOO_LARGE)
            return fail(decoder, "the data need a window of more than 128 MiB");
        decoder->ended = step == STEP_MEMBER_END;
        if (step == STEP_GOOD && length == 0 && decoder->at < decoder->length && decoder->at == at)
            return fail(decoder, "the data are damaged");
        if (length > 0)
            return (ssize_t)length;
        if (decoder->input_ended && !decoder->ended)
            return fail(decoder, "the data end before they are complete");
    }
}

static int close_decoded(void *arg)
{
    struct decoder *decoder = arg;
    decoder->compression->end(decoder);
    free(decoder);
    return 0;
}

FILE *decompress_open(const struct compression *compression, FILE *stream, char *error)
{
    static const cookie_io_functions_t functions = {.read = read_decoded, .close = close_decoded};
    error[0] = '\0';
    if (compression->begin == NULL) {
        snprintf(error, DECOMPRESS_ERROR,
                 "compressed with %s, and this program was built without its library",
                 compression->name);
        return NULL;
    }
    struct decoder *decoder = calloc(1, sizeof *decoder);
    FILE *decoded = NULL;
    if (decoder) {
        *decoder = (struct decoder){.compression = compression, .stream = stream, .error = error};
        decoded = compression->begin(decoder) ? fopencookie(decoder, "rb", functions) : NULL;
    }
    if (decoder && decoded == NULL)
        close_decoded(decoder);
    if (decoded == NULL)
        snprintf(error, DECOMPRESS_ERROR, "out of memory");
    return decoded;
}
