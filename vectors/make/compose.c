// SPDX-License-Identifier: BSD-3-Clause
/* One event from its text: librpcrdma lays out the header, then octets are changed. */
#include "vectors/make/compose.h"

#include "conformance/base/count.h"
#include "conformance/input/vector_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void bad_row(const char *id, const char *what, const char *word)
{
    fprintf(stderr, "make_vectors: %s: %s: '%s'\n", id, what, word);
    exit(1);
}

/* ---- words ---- */

uint64_t read_number(const char *id, const char **text, char separator)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(*text, &end, 0);
    bool begins = **text >= '0' && **text <= '9';
    bool ends = *end == '\0' || (separator != '\0' && *end == separator);
    if (!begins || !ends || errno != 0)
        bad_row(id, "no number", *text);
    *text = *end == '\0' ? end : end + 1;
    return number;
}

uint32_t read_word(const char *id, const char **text, char separator)
{
    const char *before = *text;
    uint64_t number = read_number(id, text, separator);
    if (number > UINT32_MAX)
        bad_row(id, "no 32-bit word", before);
    return (uint32_t)number;
}

uint64_t take_number(const struct row *row, const char **text, char separator)
{
    return read_number(row->id, text, separator);
}

uint32_t take_word(const struct row *row, const char **text, char separator)
{
    return read_word(row->id, text, separator);
}

bool has_name(const char *word, const char *name, const char **rest)
{
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || word[length] != ':')
        return false;
    *rest = word + length + 1;
    return true;
}

/* ---- segments ---- */

static void add_segment(struct row *row, struct rpcrdma1_segment segment)
{
    if (row->segment_count == SEGMENTS)
        bad_row(row->id, "too many segments", "");
    row->segments[row->segment_count++] = segment;
}

/* "HANDLE/LENGTH/OFFSET" or "N*..." */
static void take_segment(struct row *row, char *text)
{
    const char *rest = text;
    uint32_t times = strchr(text, '*') ? take_word(row, &rest, '*') : 1;
    struct rpcrdma1_segment segment;
    segment.handle = take_word(row, &rest, '/');
    segment.length = take_word(row, &rest, '/');
    segment.offset = take_number(row, &rest, '\0');
    for (uint32_t i = 0; i < times; i++, segment.offset += segment.length)
        add_segment(row, segment);
}

/* A chunk's segments; there may be none. */
static struct rpcrdma1_segment_array take_segments(struct row *row, const char *text)
{
    uint32_t first = row->segment_count;
    char copy[TEXT], *rest = copy, *part;
    snprintf(copy, sizeof copy, "%s", text);
    while ((part = strtok_r(rest, ",", &rest)))
        take_segment(row, part);
    return (struct rpcrdma1_segment_array){.items = row->segments + first,
                                           .count = row->segment_count - first};
}

void take_reads(struct row *row, const char *text, struct rpcrdma1_read_segment *reads,
                uint32_t *count)
{
    uint32_t position = take_word(row, &text, ':');
    struct rpcrdma1_segment_array segments = take_segments(row, text);
    for (uint32_t i = 0; i < segments.count; i++) {
        if (*count == SEGMENTS)
            bad_row(row->id, "too many segments", text);
        reads[(*count)++] =
            (struct rpcrdma1_read_segment){.position = position, .target = segments.items[i]};
    }
}

static void take_write(struct row *row, const char *text)
{
    if (row->write_count == CHUNKS)
        bad_row(row->id, "too many Write chunks", text);
    row->writes[row->write_count++].target = take_segments(row, text);
}

/* ---- the first word ---- */

static bool take_procedure(struct row *row, const char *word)
{
    struct rpcrdma1_body *body = &row->header.rdma_body;
    const char *rest;
    if (strcmp(word, "msg") == 0) {
        body->proc = RPCRDMA1_MSG;
    } else if (strcmp(word, "nomsg") == 0) {
        body->proc = RPCRDMA1_NOMSG;
    } else if (strcmp(word, "msgp") == 0) {
        body->proc = RPCRDMA1_MSGP;
    } else if (strcmp(word, "done") == 0) {
        body->proc = RPCRDMA1_DONE;
    } else if (strcmp(word, "error:chunk") == 0) {
        body->proc = RPCRDMA1_ERROR;
        body->rdma_error.err = RPCRDMA1_ERR_CHUNK;
    } else if (has_name(word, "error:vers", &rest)) {
        body->proc = RPCRDMA1_ERROR;
        body->rdma_error.err = RPCRDMA1_ERR_VERS;
        body->rdma_error.range.rdma_vers_low = take_word(row, &rest, ':');
        body->rdma_error.range.rdma_vers_high = take_word(row, &rest, '\0');
    } else {
        return false;
    }
    return true;
}

/* Memory that no octets go to or from. */
static bool take_memory(struct row *row, const char *word)
{
    static const struct {
        const char *name, *what, *word;
        enum rpcrdma_event_type type;
    } kinds[] = {{"refused-read", "operation", "read", RPCRDMA_EVENT_REFUSED},
                 {"refused-write", "operation", "write", RPCRDMA_EVENT_REFUSED},
                 {"registered-read", "access", "read", RPCRDMA_EVENT_REGISTERED},
                 {"registered-write", "access", "write", RPCRDMA_EVENT_REGISTERED},
                 {"registered-both", "access", "both", RPCRDMA_EVENT_REGISTERED}};
    struct composed *out = row->out;
    const char *rest;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!has_name(word, kinds[i].name, &rest))
            continue;
        out->kind = COMPOSED_MEMORY;
        out->key = vector_event_key(kinds[i].type);
        out->what = kinds[i].what;
        out->word = kinds[i].word;
        out->handle = take_word(row, &rest, ':');
        out->offset = take_number(row, &rest, ':');
        out->number = take_word(row, &rest, '\0');
        return true;
    }
    return false;
}

/* What a number says all of. */
static bool take_single(struct row *row, const char *word)
{
    static const struct {
        const char *name;
        enum rpcrdma_event_type type;
    } kinds[] = {{"not-ready", RPCRDMA_EVENT_NOT_READY},
                 {"invalidated", RPCRDMA_EVENT_INVALIDATED},
                 {"completed", RPCRDMA_EVENT_COMPLETED}};
    const char *rest;
    for (size_t i = 0; i < COUNT(kinds); i++) {
        if (!has_name(word, kinds[i].name, &rest))
            continue;
        row->out->kind = COMPOSED_NUMBER;
        row->out->key = vector_event_key(kinds[i].type);
        row->out->number = take_word(row, &rest, '\0');
        return true;
    }
    return false;
}

static void take_kind(struct row *row, const char *word)
{
    struct composed *out = row->out;
    const char *rest;
    bool reads = has_name(word, "rdma-read", &rest);
    if (reads || has_name(word, "rdma-write", &rest)) {
        out->kind = COMPOSED_TRANSFER;
        out->key = vector_event_key(reads ? RPCRDMA_EVENT_RDMA_READ : RPCRDMA_EVENT_RDMA_WRITE);
        out->handle = take_word(row, &rest, ':');
        out->offset = take_number(row, &rest, '\0');
    } else if (has_name(word, "atomic", &rest)) {
        out->kind = COMPOSED_TRANSFER;
        out->key = vector_event_key(RPCRDMA_EVENT_ATOMIC);
        out->handle = take_word(row, &rest, ':');
        out->offset = take_number(row, &rest, '\0');
    } else if (take_memory(row, word) || take_single(row, word)) {
        return;
    } else if (strcmp(word, "private-data") == 0) {
        out->kind = COMPOSED_PRIVATE;
        out->key = vector_event_key(RPCRDMA_EVENT_PRIVATE_DATA);
    } else if (strcmp(word, "disconnect") == 0) {
        out->kind = COMPOSED_DISCONNECT;
        out->key = vector_event_key(RPCRDMA_EVENT_DISCONNECT);
    } else if (strcmp(word, "raw") == 0) {
        row->raw = true;
    } else if (!take_procedure(row, word) && !take_form2(row, word)) {
        bad_row(row->id, "no kind of event", word);
    }
}

static void take_header_word(struct row *row, const char *word)
{
    const char *rest;
    if (has_name(word, "xid", &rest)) {
        row->header.rdma_xid = take_word(row, &rest, '\0');
    } else if (has_name(word, "vers", &rest)) {
        row->header.rdma_vers = take_word(row, &rest, '\0');
    } else if (has_name(word, "credit", &rest)) {
        row->header.rdma_credit = take_word(row, &rest, '\0');
    } else if (has_name(word, "read", &rest)) {
        take_reads(row, rest, row->reads, &row->read_count);
    } else if (has_name(word, "write", &rest)) {
        take_write(row, rest);
    } else if (has_name(word, "reply", &rest)) {
        row->reply.present = true;
        row->reply.value.target = take_segments(row, rest);
    } else if (has_name(word, "invalidate", &rest)) {
        row->out->invalidate = true;
        row->out->handle = take_word(row, &rest, '\0');
    } else if (!take_header_word2(row, word)) {
        bad_row(row->id, "no word of a header", word);
    }
}

/* ---- laying out ---- */

static void lay_out(struct row *row)
{
    struct composed *out = row->out;
    struct rpcrdma1_body *body = &row->header.rdma_body;
    if (out->kind != COMPOSED_SEND || row->raw)
        return;
    if (row->form) {
        lay_out2(row);
        return;
    }
    struct rpcrdma1_read_list reads = {.items = row->reads, .count = row->read_count};
    struct rpcrdma1_write_list writes = {.items = row->writes, .count = row->write_count};
    if (body->proc == RPCRDMA1_MSG)
        body->rdma_msg = (struct rpcrdma1_chunk_lists){reads, writes, row->reply};
    else if (body->proc == RPCRDMA1_NOMSG)
        body->rdma_nomsg = (struct rpcrdma1_chunk_lists){reads, writes, row->reply};
    else if (body->proc == RPCRDMA1_MSGP)
        body->rdma_msgp = (struct rpcrdma1_chunk_lists_padded){
            .rdma_reads = reads, .rdma_writes = writes, .rdma_reply = row->reply};
    struct rpcrdma_xdr_error error;
    ptrdiff_t n = rpcrdma1_header_encode(out->octets, sizeof out->octets, &row->header, &error);
    if (n < 0)
        bad_row(row->id, "cannot be encoded", "header");
    out->header_length = out->length = (size_t)n;
}

/* ---- an event ---- */

void compose(struct composed *out, const char *text, struct conversation *conversation)
{
    static struct row row;
    const char *id = conversation->id;
    char copy[TEXT], *rest = copy, *word;
    bool laid_out = false;
    if ((size_t)snprintf(copy, sizeof copy, "%s", text) >= sizeof copy)
        bad_row(id, "too long", text);
    *out = (struct composed){.kind = COMPOSED_SEND, .key = vector_event_key(RPCRDMA_EVENT_SEND)};
    row = (struct row){.out = out, .id = id};
    row.header = (struct rpcrdma1_header){.rdma_xid = XID, .rdma_vers = 1, .rdma_credit = CREDITS};
    if ((copy[0] != '>' && copy[0] != '<') || copy[1] != ' ')
        bad_row(id, "neither of the client nor of the server", text);
    bool from_server = copy[0] == '<';
    out->from = from_server ? "server" : "client";
    row.total = conversation->sends[!from_server] + CREDITS;
    strtok_r(rest, " ", &rest);
    if ((word = strtok_r(rest, " ", &rest)) == NULL)
        bad_row(id, "no kind of event", text);
    take_kind(&row, word);
    while ((word = strtok_r(rest, " ", &rest))) {
        bool change =
            word[0] == '@' || strncmp(word, "cut:", 4) == 0 || strncmp(word, "part:", 5) == 0;
        if (!laid_out && (change || strcmp(word, "|") == 0)) {
            lay_out(&row);
            laid_out = true;
        }
        if (!laid_out)
            take_header_word(&row, word);
        else if (strcmp(word, "|") != 0 && !take_change(&row, word))
            take_payload_word(&row, word);
    }
    if (!laid_out)
        lay_out(&row);
    conversation->sends[from_server] += out->kind == COMPOSED_SEND;
}
