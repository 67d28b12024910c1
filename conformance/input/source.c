// SPDX-License-Identifier: BSD-3-Clause
/*
 * The entry for every kind of input: open it, detect its format by its content, and call the reader
 * of that format.
 */
#include "conformance/input/source.h"
#include "conformance/input/ahead.h"
#include "conformance/input/decompress.h"
#include "conformance/base/stop.h"
#include "conformance/base/count.h"
#include "conformance/base/status.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <stdio_ext.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Enough to tell hex text from raw octets: a Send's version word alone has three zero octets. */
#define LOOK_AHEAD 512
#define MAGIC_SIZE 4
#define STREAM_BUFFER 65536 /* a system call for this many octets of a file */

static bool is_capture(const uint8_t *ahead)
{
    static const uint8_t magic[][MAGIC_SIZE] = {
        {0xa1, 0xb2, 0xc3, 0xd4}, {0xd4, 0xc3, 0xb2, 0xa1}, /* pcap, microseconds */
        {0xa1, 0xb2, 0x3c, 0x4d}, {0x4d, 0x3c, 0xb2, 0xa1}, /* pcap, nanoseconds */
        {0xa1, 0xb2, 0xcd, 0x34}, {0x34, 0xcd, 0xb2, 0xa1}, /* pcap, with packet types */
        {0x0a, 0x0d, 0x0d, 0x0a},                           /* pcapng */
    };
    for (size_t i = 0; i < COUNT(magic); i++)
        if (memcmp(ahead, magic[i], MAGIC_SIZE) == 0)
            return true;
    return false;
}

static bool is_blank(uint8_t octet)
{
    return octet == ' ' || octet == '\t' || octet == '\r' || octet == '\n' || octet == '\f';
}

static bool is_text(const uint8_t *ahead, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((ahead[i] < 0x20 && !is_blank(ahead[i])) || ahead[i] == 0x7f)
            return false;
    return true;
}

/* The version, and then the procedure, is a number that is not absurd: no version is 0. What is not
 * even that is read as a Send only if the user says so. */
static bool is_send(const uint8_t *ahead, size_t length)
{
    static const uint8_t small[3];
    return length >= 8 && memcmp(ahead + 4, small, 3) == 0 && ahead[7] != 0 &&
           (length < 16 || memcmp(ahead + 12, small, 3) == 0);
}

/* SOURCE_AUTO if it is not among them. */
static enum source_format detect(const uint8_t *ahead, size_t length)
{
    size_t first = 0;
    if (length >= MAGIC_SIZE && is_capture(ahead))
        return SOURCE_CAPTURE;
    if (is_send(ahead, length))
        return SOURCE_RAW;
    while (first < length && is_blank(ahead[first]))
        first++;
    if (first < length && (ahead[first] == '{' || ahead[first] == '['))
        return SOURCE_VECTORS;
    return is_text(ahead, length) ? SOURCE_HEX : SOURCE_AUTO;
}

/* ---- what is none of them ---- */

static bool begins(const uint8_t *ahead, size_t length, size_t at, const char *with)
{
    size_t count = strlen(with);
    return at + count <= length && strncasecmp((const char *)ahead + at, with, count) == 0;
}

static bool is_zeros(const uint8_t *ahead, size_t length)
{
    while (length > 0 && ahead[length - 1] == 0)
        length--;
    return length == 0;
}

/* What people mistake for a capture; NULL if it is nothing that is known. */
static const char *known_other(const uint8_t *ahead, size_t length)
{
    if (begins(ahead, length, 0, "PK\3\4"))
        return "is a zip archive: unpack it";
    if (begins(ahead, length, 257, "ustar"))
        return "is a tar archive: unpack it";
    if (begins(ahead, length, 0, "BZh") && begins(ahead, length, 4, "1AY&SY"))
        return "is compressed by bzip2: unpack it";
    if (is_zeros(ahead, length))
        return "begins with nothing but zeros: no capture, and no Send";
    size_t first = 0;
    while (first < length && is_blank(ahead[first]))
        first++;
    if (begins(ahead, length, first, "<!doctype html") || begins(ahead, length, first, "<html"))
        return "is an HTML page, not a capture";
    return NULL;
}

/* A file of such a name is not meant as a single Send. */
static bool is_called_capture(const char *file)
{
    static const char *const endings[] = {".pcap", ".pcapng", ".cap"};
    static const char *const outer[] = {"", ".gz", ".xz", ".zst"};
    size_t length = strlen(file);
    for (size_t i = 0; i < COUNT(endings); i++)
        for (size_t k = 0; k < COUNT(outer); k++) {
            size_t inner = strlen(endings[i]), both = inner + strlen(outer[k]);
            if (length > both && strncmp(file + length - both, endings[i], inner) == 0 &&
                strcmp(file + length - both + inner, outer[k]) == 0)
                return true;
        }
    return false;
}

static bool fail_unknown(struct source_reader *reader, const uint8_t *ahead, size_t length,
                         enum source_format format)
{
    const char *other = known_other(ahead, length);
    if (other)
        return source_fail(reader, "%s", other);
    if (is_called_capture(reader->file))
        return source_fail(reader,
                           "is not a capture, though its name says so: if it is a single Send, use "
                           "--format %s",
                           format == SOURCE_HEX ? "hex" : "raw");
    return source_fail(reader, "neither a capture, nor vectors, nor hex text, and not like a "
                               "Send: if it is one, use --format raw");
}

/*
 * Read the first octets and put them back. A stream that cannot seek has to take them back by
 * ungetc(), of which C promises only one; C libraries of today take all, and where one does not the
 * user can name the format. A capture is known by four octets, so a live pipe is not held up.
 */
static bool look_ahead(FILE *stream, size_t room, uint8_t *ahead, size_t *length)
{
    off_t start = ftello(stream);
    size_t count = 0;
    int octet;
    while (count < room && !(count == MAGIC_SIZE && is_capture(ahead)) &&
           (octet = getc(stream)) != EOF)
        ahead[count++] = (uint8_t)octet;
    *length = count;
    if (ferror(stream))
        return true; /* the caller reports it */
    if (start >= 0 && fseeko(stream, start, SEEK_SET) == 0)
        return true;
    while (count > 0)
        if (ungetc(ahead[--count], stream) == EOF)
            return false;
    return true;
}

static bool read_as(struct source_reader *reader, enum source_format format)
{
    struct source_options options = *reader->options;
    options.format = format;
    reader->options = &options;
    switch (format) {
    case SOURCE_CAPTURE:
        return ahead_read(reader, source_read_capture);
    case SOURCE_VECTORS:
        return source_read_vectors(reader);
    default:
        return source_read_text(reader);
    }
}

/* The octets by which some editors mark UTF-8. */
static bool skip_mark(FILE *stream, uint8_t *ahead, size_t *length)
{
    static const uint8_t mark[3] = {0xef, 0xbb, 0xbf};
    if (*length < sizeof mark || memcmp(ahead, mark, sizeof mark) != 0)
        return true;
    for (size_t i = 0; i < sizeof mark; i++)
        if (getc(stream) == EOF)
            return false;
    *length -= sizeof mark;
    memmove(ahead, ahead + sizeof mark, *length);
    return true;
}

static bool read_stream(struct source_reader *reader, bool outermost);

/* Open what is compressed, and look into that instead. */
static bool read_compressed(struct source_reader *reader, const struct compression *compression)
{
    char why[DECOMPRESS_ERROR];
    FILE *compressed = reader->stream;
    reader->stream = decompress_open(compression, compressed, why);
    bool good = reader->stream ? read_stream(reader, false) : source_fail(reader, "%s", why);
    if (reader->stream)
        fclose(reader->stream);
    reader->stream = compressed;
    if (!good && why[0] != '\0') /* better than what the reader made of it */
        source_fail(reader, "%s", why);
    return good;
}

/* Single Sends are taken as they are, if the user says that they are. */
static bool may_be_compressed(enum source_format format)
{
    return format != SOURCE_RAW && format != SOURCE_HEX;
}

static bool read_stream(struct source_reader *reader, bool outermost)
{
    uint8_t ahead[LOOK_AHEAD];
    size_t length;
    enum source_format format = reader->options->format;
    size_t room = format == SOURCE_AUTO       ? LOOK_AHEAD
                  : may_be_compressed(format) ? DECOMPRESS_MAGIC
                                              : 1;
    if (!look_ahead(reader->stream, room, ahead, &length))
        return source_fail(reader, "cannot look ahead to detect its format: use --format");
    if (ferror(reader->stream))
        return source_fail(reader, "cannot be read: %s", strerror(errno));
    if (length == 0)
        return source_fail(reader, "is empty");
    const struct compression *compression =
        may_be_compressed(format) ? decompress_find(ahead, length) : NULL;
    if (compression && outermost)
        return read_compressed(reader, compression);
    if (!skip_mark(reader->stream, ahead, &length))
        return source_fail(reader, "cannot be read: %s", strerror(errno));
    if (format == SOURCE_AUTO) {
        format = detect(ahead, length);
        bool single = format == SOURCE_HEX || format == SOURCE_RAW;
        if (format == SOURCE_AUTO ||
            (single && (known_other(ahead, length) || is_called_capture(reader->file))))
            return fail_unknown(reader, ahead, length, format);
    }
    return read_as(reader, format);
}

static bool open_stream(struct source_reader *reader)
{
    struct stat status;
    if (fstat(fileno(reader->stream), &status) == 0 && S_ISDIR(status.st_mode))
        return source_fail(reader, "is a directory");
    return read_stream(reader, true);
}

bool source_read(const char *file, const struct source_options *options,
                 const struct source_sink *sink, struct source_counts *counts, char *error,
                 size_t error_size)
{
    *counts = (struct source_counts){0};
    if (error_size > 0)
        error[0] = '\0';
    bool is_stdin = strcmp(file, "-") == 0;
    struct source_reader reader = {
        .stream = is_stdin ? stdin : fopen(file, "rb"),
        .file = file,
        .options = options,
        .sink = sink,
        .counts = counts,
        .error = error,
        .error_size = error_size,
    };
    if (reader.stream == NULL)
        return source_fail(&reader, UNOPENED "%s", strerror(errno));
    __fsetlocking(reader.stream, FSETLOCKING_BYCALLER); /* no other thread reads it */
    char *buffer = is_stdin ? NULL : malloc(STREAM_BUFFER);
    if (buffer) /* without one of the caller's glibc leaves the size as it is */
        setvbuf(reader.stream, buffer, _IOFBF, STREAM_BUFFER);
    source_reading(fileno(reader.stream));
    bool good = open_stream(&reader);
    source_reading(-1);
    if (!is_stdin && reader.stream)
        fclose(reader.stream);
    free(buffer);
    return good;
}
