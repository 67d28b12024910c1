// SPDX-License-Identifier: BSD-3-Clause
/*
 * The entry for every kind of input: open it, detect its format by its content, and call the reader
 * of that format.
 */
#include "conformance/input/source.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Enough to tell hex text from raw octets: a Send's version word alone has three zero octets. */
#define LOOK_AHEAD 512
#define MAGIC_SIZE 4

static bool is_capture(const uint8_t *ahead)
{
    static const uint8_t magic[][MAGIC_SIZE] = {
        {0xa1, 0xb2, 0xc3, 0xd4}, {0xd4, 0xc3, 0xb2, 0xa1}, /* pcap, microseconds */
        {0xa1, 0xb2, 0x3c, 0x4d}, {0x4d, 0x3c, 0xb2, 0xa1}, /* pcap, nanoseconds */
        {0xa1, 0xb2, 0xcd, 0x34}, {0x34, 0xcd, 0xb2, 0xa1}, /* pcap, with packet types */
        {0x0a, 0x0d, 0x0d, 0x0a},                           /* pcapng */
    };
    for (size_t i = 0; i < sizeof magic / sizeof magic[0]; i++)
        if (memcmp(ahead, magic[i], MAGIC_SIZE) == 0)
            return true;
    return false;
}

static bool is_blank(uint8_t octet)
{
    return octet == ' ' || octet == '\t' || octet == '\r' || octet == '\n' || octet == '\f';
}

static enum source_format detect(const uint8_t *ahead, size_t length)
{
    if (length >= MAGIC_SIZE && is_capture(ahead))
        return SOURCE_CAPTURE;
    for (size_t i = 0; i < length; i++)
        if ((ahead[i] < 0x20 && !is_blank(ahead[i])) || ahead[i] == 0x7f)
            return SOURCE_RAW;
    size_t first = 0;
    while (first < length && is_blank(ahead[first]))
        first++;
    return first < length && (ahead[first] == '{' || ahead[first] == '[') ? SOURCE_VECTORS
                                                                          : SOURCE_HEX;
}

/*
 * Read the first octets and put them back. A stream that cannot seek has to take them back by
 * ungetc(), of which C promises only one; C libraries of today take all, and where one does not the
 * user can name the format. A capture is known by four octets, so a live pipe is not held up.
 */
static bool look_ahead(FILE *stream, bool put_back, uint8_t *ahead, size_t *length)
{
    off_t start = ftello(stream);
    size_t room = put_back ? LOOK_AHEAD : 1, count = 0;
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
        return source_read_capture(reader);
    case SOURCE_VECTORS:
        return source_read_vectors(reader);
    default:
        return source_read_text(reader);
    }
}

static bool read_stream(struct source_reader *reader)
{
    struct stat status;
    if (fstat(fileno(reader->stream), &status) == 0 && S_ISDIR(status.st_mode))
        return source_fail(reader, "is a directory");
    uint8_t ahead[LOOK_AHEAD];
    size_t length;
    enum source_format format = reader->options->format;
    if (!look_ahead(reader->stream, format == SOURCE_AUTO, ahead, &length))
        return source_fail(reader, "cannot look ahead to detect its format: use --format");
    if (ferror(reader->stream))
        return source_fail(reader, "cannot be read: %s", strerror(errno));
    if (length == 0)
        return source_fail(reader, "is empty");
    return read_as(reader, format == SOURCE_AUTO ? detect(ahead, length) : format);
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
        return source_fail(&reader, "cannot be opened: %s", strerror(errno));
    bool good = read_stream(&reader);
    if (!is_stdin && reader.stream)
        fclose(reader.stream);
    return good;
}
