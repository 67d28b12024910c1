// SPDX-License-Identifier: BSD-3-Clause
/* One event from its text: librpcrdma lays out the header, then octets are changed. */
#include "vectors/make/vectors.h"

#include "conformance/input/vector_words.h"

#include <errno.h>
#include <rpcrdma/xdr.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENTS 256
#define CHUNKS 80
#define TEXT 2048

/* What a Send's words ask for, before it is laid out. */
struct draft {
    struct composed *out;
    const char *id;
    struct rpcrdma1_header header;
    struct rpcrdma1_read_segment reads[SEGMENTS];
    struct rpcrdma1_write_chunk writes[CHUNKS];
    struct rpcrdma1_segment segments[SEGMENTS];
    uint32_t read_count, write_count, segment_count;
    struct rpcrdma1_write_chunk_opt reply;
    bool raw;
};

_Noreturn void bad_row(const char *id, const char *what, const char *word)
{
    fprintf(stderr, "make_vectors: %s: %s: '%s'\n", id, what, word);
    exit(1);
}

/* ---- words ---- */

/* The number at *text, which becomes what follows it and after `separator`, if that is there. */
static uint64_t take_number(const struct draft *draft, const char **text, char separator)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(*text, &end, 0);
    bool ends = *end == '\0' || (separator != '\0' && *end == separator);
    if (end == *text || !ends || errno != 0)
        bad_row(draft->id, "no number", *text);
    *text = *end == '\0' ? end : end + 1;
    return number;
}

static uint32_t take_word(const struct draft *draft, const char **text, char separator)
{
    const char *before = *text;
    uint64_t number = take_number(draft, text, separator);
    if (number > UINT32_MAX)
        bad_row(draft->id, "no 32-bit word", before);
    return (uint32_t)number;
}

/* Whether the word begins with the name and a colon; *rest is what follows. */
static bool has_name(const char *word, const char *name, const char **rest)
{
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || word[length] != ':')
        return false;
    *rest = word + length + 1;
    return true;
}

/* ---- segments ---- */

static void add_segment(struct draft *draft, struct rpcrdma1_segment segment)
{
    if (draft->segment_count == SEGMENTS)
        bad_row(draft->id, "too many segments", "");
    draft->segments[draft->segment_count++] = segment;
}

/* "HANDLE/LENGTH/OFFSET" or "N*..." */
static void take_segment(struct draft *draft, char *text)
{
    const char *rest = text;
    uint32_t times = strchr(text, '*') ? take_word(draft, &rest, '*') : 1;
    struct rpcrdma1_segment segment;
    segment.handle = take_word(draft, &rest, '/');
    segment.length = take_word(draft, &rest, '/');
    segment.offset = take_number(draft, &rest, '\0');
    for (uint32_t i = 0; i < times; i++, segment.offset += segment.length)
        add_segment(draft, segment);
}

/* A chunk's segments; there may be none. */
static struct rpcrdma1_segment_array take_segments(struct draft *draft, const char *text)
{
    uint32_t first = draft->segment_count;
    char copy[TEXT], *rest = copy, *part;
    snprintf(copy, sizeof copy, "%s", text);
    while ((part = strtok_r(rest, ",", &rest)))
        take_segment(draft, part);
    return (struct rpcrdma1_segment_array){.items = draft->segments + first,
                                           .count = draft->segment_count - first};
}

static void take_read(struct draft *draft, const char *text)
{
    uint32_t position = take_word(draft, &text, ':');
    struct rpcrdma1_segment_array segments = take_segments(draft, text);
    for (uint32_t i = 0; i < segments.count; i++) {
        if (draft->read_count == SEGMENTS)
            bad_row(draft->id, "too many segments", text);
        draft->reads[draft->read_count++] =
            (struct rpcrdma1_read_segment){.position = position, .target = segments.items[i]};
    }
}

static void take_write(struct draft *draft, const char *text)
{
    if (draft->write_count == CHUNKS)
        bad_row(draft->id, "too many Write chunks", text);
    draft->writes[draft->write_count++].target = take_segments(draft, text);
}

/* ---- the first word ---- */

static bool take_procedure(struct draft *draft, const char *word)
{
    struct rpcrdma1_body *body = &draft->header.rdma_body;
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
        body->rdma_error.range.rdma_vers_low = take_word(draft, &rest, ':');
        body->rdma_error.range.rdma_vers_high = take_word(draft, &rest, '\0');
    } else {
        return false;
    }
    return true;
}

static void take_kind(struct draft *draft, const char *word)
{
    struct composed *out = draft->out;
    const char *rest;
    bool reads = has_name(word, "rdma-read", &rest);
    if (reads || has_name(word, "rdma-write", &rest)) {
        out->kind = COMPOSED_TRANSFER;
        out->key = vector_event_key(reads ? RPCRDMA_EVENT_RDMA_READ : RPCRDMA_EVENT_RDMA_WRITE);
        out->handle = take_word(draft, &rest, ':');
        out->offset = take_number(draft, &rest, '\0');
    } else if (has_name(word, "atomic", &rest)) {
        out->kind = COMPOSED_TRANSFER;
        out->key = vector_event_key(RPCRDMA_EVENT_ATOMIC);
        out->handle = take_word(draft, &rest, ':');
        out->offset = take_number(draft, &rest, '\0');
    } else if ((out->is_read = has_name(word, "refused-read", &rest)) ||
               has_name(word, "refused-write", &rest)) {
        out->kind = COMPOSED_REFUSED;
        out->key = vector_event_key(RPCRDMA_EVENT_REFUSED);
        out->handle = take_word(draft, &rest, ':');
        out->offset = take_number(draft, &rest, ':');
        out->number = take_word(draft, &rest, '\0');
    } else if (has_name(word, "not-ready", &rest)) {
        out->kind = COMPOSED_NOT_READY;
        out->key = vector_event_key(RPCRDMA_EVENT_NOT_READY);
        out->number = take_word(draft, &rest, '\0');
    } else if (strcmp(word, "private-data") == 0) {
        out->kind = COMPOSED_PRIVATE;
        out->key = vector_event_key(RPCRDMA_EVENT_PRIVATE_DATA);
    } else if (strcmp(word, "disconnect") == 0) {
        out->kind = COMPOSED_DISCONNECT;
        out->key = vector_event_key(RPCRDMA_EVENT_DISCONNECT);
    } else if (strcmp(word, "raw") == 0) {
        draft->raw = true;
    } else if (!take_procedure(draft, word)) {
        bad_row(draft->id, "no kind of event", word);
    }
}

static void take_header_word(struct draft *draft, const char *word)
{
    const char *rest;
    if (has_name(word, "xid", &rest)) {
        draft->header.rdma_xid = take_word(draft, &rest, '\0');
    } else if (has_name(word, "vers", &rest)) {
        draft->header.rdma_vers = take_word(draft, &rest, '\0');
    } else if (has_name(word, "credit", &rest)) {
        draft->header.rdma_credit = take_word(draft, &rest, '\0');
    } else if (has_name(word, "read", &rest)) {
        take_read(draft, rest);
    } else if (has_name(word, "write", &rest)) {
        take_write(draft, rest);
    } else if (has_name(word, "reply", &rest)) {
        draft->reply.present = true;
        draft->reply.value.target = take_segments(draft, rest);
    } else if (has_name(word, "invalidate", &rest)) {
        draft->out->invalidate = true;
        draft->out->handle = take_word(draft, &rest, '\0');
    } else {
        bad_row(draft->id, "no word of a header", word);
    }
}

/* ---- laying out ---- */

static void lay_out(struct draft *draft)
{
    struct composed *out = draft->out;
    struct rpcrdma1_body *body = &draft->header.rdma_body;
    if (out->kind != COMPOSED_SEND || draft->raw)
        return;
    struct rpcrdma1_read_list reads = {.items = draft->reads, .count = draft->read_count};
    struct rpcrdma1_write_list writes = {.items = draft->writes, .count = draft->write_count};
    if (body->proc == RPCRDMA1_MSG)
        body->rdma_msg = (struct rpcrdma1_chunk_lists){reads, writes, draft->reply};
    else if (body->proc == RPCRDMA1_NOMSG)
        body->rdma_nomsg = (struct rpcrdma1_chunk_lists){reads, writes, draft->reply};
    else if (body->proc == RPCRDMA1_MSGP)
        body->rdma_msgp = (struct rpcrdma1_chunk_lists_padded){
            .rdma_reads = reads, .rdma_writes = writes, .rdma_reply = draft->reply};
    struct rpcrdma_xdr_error error;
    ptrdiff_t n = rpcrdma1_header_encode(out->octets, sizeof out->octets, &draft->header, &error);
    if (n < 0)
        bad_row(draft->id, "cannot be encoded", "header");
    out->header_length = out->length = (size_t)n;
}

static void put(struct draft *draft, const uint32_t *words, size_t count)
{
    struct composed *out = draft->out;
    if (count > (sizeof out->octets - out->length) / 4)
        bad_row(draft->id, "too long", "");
    for (size_t i = 0; i < count; i++, out->length += 4)
        rpcrdma_xdr_store32(out->octets + out->length, words[i]);
}

static void put_zeros(struct draft *draft, uint64_t octets)
{
    struct composed *out = draft->out;
    if (octets > sizeof out->octets - out->length)
        bad_row(draft->id, "too long", "");
    memset(out->octets + out->length, 0, octets);
    out->length += octets;
}

static void pad(struct draft *draft)
{
    put_zeros(draft, -draft->out->length & 3);
}

/* Its length comes first, its fill octets last. */
static void put_text(struct draft *draft, const char *text)
{
    struct composed *out = draft->out;
    size_t length = strlen(text);
    put(draft, (const uint32_t[]){(uint32_t)length}, 1);
    if (length > sizeof out->octets - out->length)
        bad_row(draft->id, "too long", text);
    memcpy(out->octets + out->length, text, length);
    out->length += length;
    pad(draft);
}

/* 1, 2, 3 and so on, so that no octet passes for another, and none in the first 255 for zero. */
static void put_octets(struct draft *draft, uint64_t octets)
{
    struct composed *out = draft->out;
    if (octets > sizeof out->octets - out->length)
        bad_row(draft->id, "too long", "");
    for (uint64_t i = 0; i < octets; i++)
        out->octets[out->length++] = (uint8_t)(i + 1);
}

/* RFC 5531: message type, RPC version, program, version, procedure, two empty AUTH_NONE bodies. */
static void put_call(struct draft *draft, uint32_t program, uint32_t version, uint32_t procedure,
                     uint32_t xid)
{
    put(draft, (const uint32_t[]){xid, 0, 2, program, version, procedure, 0, 0, 0, 0}, 10);
}

/* RFC 2203: context handles and checksums are of four octets; context creation has neither. */
static void put_gss_call(struct draft *draft, const char *text)
{
    uint32_t procedure = take_word(draft, &text, ':'), service = take_word(draft, &text, '\0');
    put(draft, (const uint32_t[]){draft->header.rdma_xid, 0, 2, PROGRAM, 1, 1}, 6);
    if (procedure != 0)
        put(draft, (const uint32_t[]){6, 20, 1, procedure, 9, service, 0, 0, 0}, 9);
    else
        put(draft, (const uint32_t[]){6, 24, 1, 0, 9, service, 4, 0xc0ffee01, 6, 4, 0x5ea1ed01},
            11);
}

static void take_payload_word(struct draft *draft, const char *word)
{
    const char *rest;
    uint32_t xid = draft->header.rdma_xid;
    if (strcmp(word, "call") == 0 || has_name(word, "call", &rest)) {
        put_call(draft, PROGRAM, 1, 1, strlen(word) > 4 ? take_word(draft, &rest, '\0') : xid);
    } else if (strcmp(word, "accepted") == 0 || has_name(word, "accepted", &rest)) {
        uint32_t own = strlen(word) > 8 ? take_word(draft, &rest, '\0') : xid;
        put(draft, (const uint32_t[]){own, 1, 0, 0, 0, 0}, 6);
    } else if (has_name(word, "gss", &rest)) {
        put_gss_call(draft, rest);
    } else if (has_name(word, "nfs2", &rest)) {
        put_call(draft, 100003, 2, take_word(draft, &rest, '\0'), xid);
    } else if (has_name(word, "nfs3", &rest)) {
        put_call(draft, 100003, 3, take_word(draft, &rest, '\0'), xid);
    } else if (has_name(word, "nfs4", &rest)) {
        put_call(draft, 100003, 4, take_word(draft, &rest, '\0'), xid);
    } else if (has_name(word, "nfsacl", &rest)) {
        put_call(draft, 100227, 3, take_word(draft, &rest, '\0'), xid);
    } else if (has_name(word, "text", &rest)) {
        put_text(draft, rest);
    } else if (has_name(word, "octets", &rest)) {
        put_octets(draft, take_number(draft, &rest, '\0'));
    } else if (has_name(word, "item", &rest)) {
        put_octets(draft, take_number(draft, &rest, '\0'));
        pad(draft);
    } else if (word[0] == '*' || word[0] == '+') {
        rest = word + 1;
        put_zeros(draft, take_number(draft, &rest, '\0') * (word[0] == '*' ? 4 : 1));
    } else {
        rest = word;
        put(draft, (const uint32_t[]){take_word(draft, &rest, '\0')}, 1);
    }
}

/* ---- changes ---- */

static bool take_change(struct draft *draft, const char *word)
{
    struct composed *out = draft->out;
    const char *rest;
    if (has_name(word, "cut", &rest)) {
        uint64_t length = take_number(draft, &rest, '\0');
        if (length >= out->length)
            bad_row(draft->id, "cuts nothing", word);
        out->length = length;
    } else if (word[0] == '@') {
        rest = word + 1;
        uint64_t offset = take_number(draft, &rest, '=');
        if (offset > out->length || out->length - offset < 4)
            bad_row(draft->id, "lies after the end", word);
        rpcrdma_xdr_store32(out->octets + offset, take_word(draft, &rest, '\0'));
    } else {
        return false;
    }
    return true;
}

/* ---- an event ---- */

void compose(struct composed *out, const char *text, const char *id)
{
    static struct draft draft;
    char copy[TEXT], *rest = copy, *word;
    bool laid_out = false;
    if ((size_t)snprintf(copy, sizeof copy, "%s", text) >= sizeof copy)
        bad_row(id, "too long", text);
    *out = (struct composed){.kind = COMPOSED_SEND, .key = vector_event_key(RPCRDMA_EVENT_SEND)};
    draft = (struct draft){.out = out, .id = id};
    draft.header =
        (struct rpcrdma1_header){.rdma_xid = XID, .rdma_vers = 1, .rdma_credit = CREDITS};
    if ((copy[0] != '>' && copy[0] != '<') || copy[1] != ' ')
        bad_row(id, "neither of the client nor of the server", text);
    out->from = copy[0] == '>' ? "client" : "server";
    strtok_r(rest, " ", &rest);
    if ((word = strtok_r(rest, " ", &rest)) == NULL)
        bad_row(id, "no kind of event", text);
    take_kind(&draft, word);
    while ((word = strtok_r(rest, " ", &rest))) {
        bool change = word[0] == '@' || strncmp(word, "cut:", 4) == 0;
        if (!laid_out && (change || strcmp(word, "|") == 0)) {
            lay_out(&draft);
            laid_out = true;
        }
        if (!laid_out)
            take_header_word(&draft, word);
        else if (strcmp(word, "|") != 0 && !take_change(&draft, word))
            take_payload_word(&draft, word);
    }
    if (!laid_out)
        lay_out(&draft);
}
