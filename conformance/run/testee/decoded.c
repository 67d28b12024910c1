// SPDX-License-Identifier: BSD-3-Clause
/* The fields of a decoded header: printed from our own decoding, and compared as text. */
#include "conformance/run/testee/decoded.h"

#include "conformance/base/alloc.h"
#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- printing ---- */

static const struct rpcrdma1_chunk_lists *chunks_of(const struct rpcrdma_message *header)
{
    return header->kind == RPCRDMA_KIND_RPC ? &header->chunks : NULL;
}

typedef void printer(FILE *out, const struct rpcrdma_message *header);

static void print_xid(FILE *out, const struct rpcrdma_message *header)
{
    fprintf(out, "%" PRIu32, header->prefix.xid);
}

static void print_vers(FILE *out, const struct rpcrdma_message *header)
{
    fprintf(out, "%" PRIu32, header->prefix.version);
}

static void print_credit(FILE *out, const struct rpcrdma_message *header)
{
    fprintf(out, "%" PRIu32, header->prefix.credit);
}

static void print_proc(FILE *out, const struct rpcrdma_message *header)
{
    fprintf(out, "%" PRIu32, header->prefix.procedure);
}

static void print_err(FILE *out, const struct rpcrdma_message *header)
{
    if (header->kind == RPCRDMA_KIND_ERROR)
        fprintf(out, "%" PRIu32, header->error.code);
}

static void print_segment(FILE *out, const struct rpcrdma1_segment *segment)
{
    fprintf(out, "%" PRIu32 "/%" PRIu32 "/%" PRIu64, segment->handle, segment->length,
            segment->offset);
}

static void print_chunk(FILE *out, const struct rpcrdma1_segment_array *target)
{
    struct rpcrdma_xdr_iter iter = rpcrdma1_segment_array_iter(target);
    struct rpcrdma1_segment segment;
    putc('[', out);
    for (bool first = true; rpcrdma1_segment_array_next(&iter, &segment); first = false) {
        fputs(first ? "" : ",", out);
        print_segment(out, &segment);
    }
    putc(']', out);
}

static void print_read_list(FILE *out, const struct rpcrdma_message *header, bool whole)
{
    const struct rpcrdma1_chunk_lists *lists = chunks_of(header);
    if (lists == NULL)
        return;
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&lists->rdma_reads);
    struct rpcrdma1_read_segment entry;
    for (bool first = true; rpcrdma1_read_list_next(&iter, &entry); first = false) {
        fprintf(out, "%s%" PRIu32, first ? "" : ",", entry.position);
        if (whole) {
            putc('/', out);
            print_segment(out, &entry.target);
        }
    }
}

static void print_positions(FILE *out, const struct rpcrdma_message *header)
{
    print_read_list(out, header, false);
}

static void print_reads(FILE *out, const struct rpcrdma_message *header)
{
    print_read_list(out, header, true);
}

static void print_write_list(FILE *out, const struct rpcrdma_message *header, bool whole)
{
    const struct rpcrdma1_chunk_lists *lists = chunks_of(header);
    if (lists == NULL)
        return;
    struct rpcrdma_xdr_iter iter = rpcrdma1_write_list_iter(&lists->rdma_writes);
    struct rpcrdma1_write_chunk chunk;
    for (bool first = true; rpcrdma1_write_list_next(&iter, &chunk); first = false)
        if (whole)
            print_chunk(out, &chunk.target);
        else
            fprintf(out, "%s%" PRIu32, first ? "" : ",", chunk.target.count);
}

static void print_write_segments(FILE *out, const struct rpcrdma_message *header)
{
    print_write_list(out, header, false);
}

static void print_writes(FILE *out, const struct rpcrdma_message *header)
{
    print_write_list(out, header, true);
}

static void print_reply_segments(FILE *out, const struct rpcrdma_message *header)
{
    const struct rpcrdma1_chunk_lists *lists = chunks_of(header);
    if (lists && lists->rdma_reply.present)
        fprintf(out, "%" PRIu32, lists->rdma_reply.value.target.count);
}

static void print_reply(FILE *out, const struct rpcrdma_message *header)
{
    const struct rpcrdma1_chunk_lists *lists = chunks_of(header);
    if (lists && lists->rdma_reply.present)
        print_chunk(out, &lists->rdma_reply.value.target);
}

static const struct field {
    const char *name;
    printer *print;
} fields_known[] = {
    {"xid", print_xid},       {"vers", print_vers},
    {"credit", print_credit}, {"proc", print_proc},
    {"err", print_err},       {"positions", print_positions},
    {"reads", print_reads},   {"write-segments", print_write_segments},
    {"writes", print_writes}, {"reply-segments", print_reply_segments},
    {"reply", print_reply},
};

static char *value_of(const struct field *field, const struct rpcrdma_message *header)
{
    struct alloc_stream value;
    alloc_begin(&value);
    field->print(value.out, header);
    return alloc_end(&value);
}

/* ---- comparing ---- */

/* The field at the beginning of the text; *value is what follows its "=". */
static const struct field *find_field(const char *text, const char **value)
{
    for (size_t i = 0; i < COUNT(fields_known); i++) {
        size_t length = strlen(fields_known[i].name);
        if (strncmp(text, fields_known[i].name, length) == 0 && text[length] == '=') {
            *value = text + length + 1;
            return &fields_known[i];
        }
    }
    return NULL;
}

/* Numbers and what separates them; 0x as decimal. Returns NULL where that is not all. */
static char *normalize(const char *value, size_t length)
{
    struct alloc_stream text;
    alloc_begin(&text);
    bool good = true;
    for (const char *p = value; good && p < value + length;) {
        if (*p < '0' || *p > '9') {
            good = strchr(",/[]", *p) != NULL;
            putc(*p++, text.out);
            continue;
        }
        char *end;
        errno = 0;
        unsigned long long number = strtoull(p, &end, p[0] == '0' && p[1] == 'x' ? 16 : 10);
        good = errno == 0 && end > p;
        fprintf(text.out, "%llu", number);
        p = end;
    }
    char *normal = alloc_end(&text);
    if (!good)
        free(normal);
    return good ? normal : NULL;
}

bool decoded_is_valid(const char *fields)
{
    const char *value;
    for (; *fields != '\0'; fields = value + strspn(value, " ")) {
        if (find_field(fields, &value) == NULL)
            return false;
        size_t length = strcspn(value, " ");
        char *normal = normalize(value, length);
        if (normal == NULL)
            return false;
        free(normal);
        value += length;
    }
    return true;
}

static bool field_agrees(const struct field *field, const struct rpcrdma_message *header,
                         const char *value, size_t length, FILE *why)
{
    char *told = normalize(value, length), *real = value_of(field, header);
    bool agrees = told && strcmp(told, real) == 0;
    if (!agrees)
        fprintf(why, "%s=%s, but the Send has %s=%s", field->name, told ? told : "?", field->name,
                real);
    free(told);
    free(real);
    return agrees;
}

bool decoded_agrees(const char *fields, enum rpcrdma_protocol protocol, const uint8_t *octets,
                    size_t length, FILE *why, FILE *which)
{
    struct rpcrdma_message header;
    if (rpcrdma_message_decode(&header, protocol, octets, length, NULL) < 0)
        return true;
    const char *value;
    for (; *fields != '\0'; fields = value + strspn(value, " ")) {
        const struct field *field = find_field(fields, &value);
        size_t size = field ? strcspn(value, " ") : 0;
        if (field == NULL || !field_agrees(field, &header, value, size, why)) {
            fputs(field ? field->name : "?", which);
            return false;
        }
        value += size;
    }
    return true;
}
