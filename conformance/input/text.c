// SPDX-License-Identifier: BSD-3-Clause
/*
 * Single Sends: hex text, one a line, and raw octets, one a file. Each is judged alone, as if it
 * were taken from the middle of a connection of its own.
 */
#include "conformance/base/stop.h"
#include "conformance/input/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* The longest Send that is taken in. Real ones have a few thousand octets. */
#define SEND_MAX ((size_t)64 << 20)
#define BLOCK 65536

struct text_reader {
    struct source_reader *source;

    uint8_t *block; /* of the file, as read */
    size_t block_length, block_at;
    uint64_t done, total; /* octets of the file; total 0 where it is not known */

    uint8_t *send; /* as far as it is put together */
    size_t length, room;
    bool half;                           /* the last octet at send still lacks its second digit */
    uint64_t line, column, digit_column; /* of this octet, and of the last digit; from 1 */
};

static bool fail(struct text_reader *reader, const char *text)
{
    return source_fail(reader->source, "%s", text);
}

static bool fail_here(struct text_reader *reader, uint64_t column, const char *text)
{
    return source_fail(reader->source, "line %" PRIu64 ", column %" PRIu64 ": %s", reader->line,
                       column, text);
}

static bool fail_to_read(struct text_reader *reader)
{
    return source_fail(reader->source, "cannot be read: %s", strerror(errno));
}

static bool grow(struct text_reader *reader)
{
    size_t room = reader->room == 0 ? 4096 : reader->room * 2;
    uint8_t *send = room > 2 * SEND_MAX ? NULL : realloc(reader->send, room);
    if (send == NULL)
        return fail(reader, "not enough memory");
    reader->send = send;
    reader->room = room;
    return true;
}

/* Hand the Send on. Returns false where the sink wants no more. */
static bool emit(struct text_reader *reader, const char *connection, uint64_t line)
{
    struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    config.mid_stream = true;
    config.bindings = reader->source->options->bindings;
    config.draft = reader->source->options->draft;
    struct source_event event = {
        .event = {.type = RPCRDMA_EVENT_SEND,
                  .from = reader->source->options->from,
                  .draft = config.draft,
                  .data = reader->send,
                  .length = reader->length},
        .file = reader->source->file,
        .connection = connection,
        .connection_id = reader->source->counts->connections++,
        .index =
            reader->source->counts->events++, /* counted through the file: it tells Sends apart */
        .line = line,
        .config = &config,
    };
    bool more = reader->source->sink->event(reader->source->sink->arg, &event);
    if (reader->source->sink->closed)
        reader->source->sink->closed(reader->source->sink->arg, event.connection_id);
    reader->length = 0;
    return more;
}

/* To the end of a line at most, so that a Send from a pipe is judged when it has come. */
static size_t read_block(struct text_reader *reader)
{
    size_t length = 0;
    int octet = 0;
    while (length < BLOCK && octet != '\n' &&
           (octet = getc_unlocked(reader->source->stream)) != EOF)
        reader->block[length++] = (uint8_t)octet;
    return length;
}

static int next_octet(struct text_reader *reader)
{
    if (reader->block_at == reader->block_length) {
        reader->block_length = read_block(reader);
        reader->block_at = 0;
        reader->done += reader->block_length;
        if (reader->block_length == 0)
            return EOF;
        if (reader->source->options->progress)
            reader->source->options->progress(reader->source->options->progress_arg, reader->done,
                                              reader->total);
    }
    reader->column++;
    return reader->block[reader->block_at++];
}

static void put_back(struct text_reader *reader)
{
    reader->block_at--;
    reader->column--;
}

static int digit_value(int octet)
{
    if (octet >= '0' && octet <= '9')
        return octet - '0';
    if (octet >= 'a' && octet <= 'f')
        return octet - 'a' + 10;
    if (octet >= 'A' && octet <= 'F')
        return octet - 'A' + 10;
    return -1;
}

static bool is_blank(int octet)
{
    return octet == ' ' || octet == '\t' || octet == '\r' || octet == '\f';
}

static bool add_digit(struct text_reader *reader, int value)
{
    reader->digit_column = reader->column;
    if (reader->half) {
        reader->send[reader->length - 1] |= (uint8_t)value;
        reader->half = false;
        return true;
    }
    if (reader->length == SEND_MAX)
        return fail_here(reader, reader->column, "a Send of more than 64 MiB");
    if (reader->length == reader->room && !grow(reader))
        return false;
    reader->send[reader->length++] = (uint8_t)(value << 4);
    reader->half = true;
    return true;
}

static bool bad_digit(struct text_reader *reader, int octet)
{
    char shown[sizeof "0x00"], text[128];
    snprintf(shown, sizeof shown, octet > ' ' && octet <= '~' ? "'%c'" : "0x%02x", octet & 0xff);
    if (reader->source->counts->events == 0 && reader->length == 0)
        snprintf(text, sizeof text, "not hex text: %s", shown);
    else if (reader->source->counts->events == 0)
        snprintf(text, sizeof text,
                 "%s is not a hexadecimal digit: each line of hex text is one Send, and what "
                 "follows a '#' is a comment",
                 shown);
    else
        snprintf(text, sizeof text, "%s is not a hexadecimal digit", shown);
    return fail_here(reader, reader->column, text);
}

/* Read to the end of the line; *last tells that the file ends there. */
static bool read_line(struct text_reader *reader, bool *last)
{
    bool comment = false, token = false; /* in a comment; in a run of digits */
    for (;;) {
        int octet = next_octet(reader);
        if (octet == EOF || octet == '\n') {
            *last = octet == EOF;
            break;
        }
        if (comment)
            continue;
        int value = digit_value(octet);
        if (octet == '0' && !token) {
            int after = next_octet(reader);
            if (after == 'x' || after == 'X') {
                token = true;
                continue;
            }
            if (after != EOF)
                put_back(reader);
        }
        token = value >= 0;
        if (value >= 0) {
            if (!add_digit(reader, value))
                return false;
        } else if (octet == '#') {
            comment = true;
        } else if (!is_blank(octet)) {
            return bad_digit(reader, octet);
        }
    }
    if (*last && source_stopped())
        return true; /* it may have been cut short */
    if (ferror(reader->source->stream))
        return fail_to_read(reader);
    if (reader->half)
        return fail_here(reader, reader->digit_column, "an odd number of hexadecimal digits");
    return true;
}

static bool read_hex(struct text_reader *reader)
{
    bool last = false;
    while (!last && !source_stopped()) {
        reader->line++;
        reader->column = 0;
        if (!read_line(reader, &last))
            return false;
        if (last && source_stopped())
            return true;
        char connection[32];
        snprintf(connection, sizeof connection, "line %" PRIu64, reader->line);
        if (reader->length > 0 && !emit(reader, connection, reader->line))
            return true;
    }
    return source_stopped() || reader->source->counts->events > 0 || fail(reader, "holds no Send");
}

static bool read_raw(struct text_reader *reader)
{
    for (;;) {
        if (reader->length == reader->room && !grow(reader))
            return false;
        size_t got = fread(reader->send + reader->length, 1, reader->room - reader->length,
                           reader->source->stream);
        reader->length += got;
        if (reader->length > SEND_MAX)
            return fail(reader, "is longer than 64 MiB: no single Send");
        if (got == 0)
            break;
    }
    if (ferror(reader->source->stream))
        return fail_to_read(reader);
    if (source_stopped())
        return true;
    emit(reader, reader->source->file, 0);
    return true;
}

/* Takes SOURCE_RAW as raw and every other format as hex. */
bool source_read_text(struct source_reader *source)
{
    struct text_reader reader = {.source = source, .block = malloc(BLOCK)};
    struct stat status;
    if (fstat(fileno(source->stream), &status) == 0)
        reader.total = (uint64_t)status.st_size;
    bool good;
    if (reader.block == NULL)
        good = fail(&reader, "not enough memory");
    else
        good = source->options->format == SOURCE_RAW ? read_raw(&reader) : read_hex(&reader);
    free(reader.block);
    free(reader.send);
    return good;
}
