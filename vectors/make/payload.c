// SPDX-License-Identifier: BSD-3-Clause
/* What follows a header: numbers, RPC headers, items; then the changes to the octets. */
#include "vectors/make/compose.h"

#include <rpcrdma/xdr.h>
#include <string.h>

void put(struct row *row, const uint32_t *words, size_t count)
{
    struct composed *out = row->out;
    if (count > (sizeof out->octets - out->length) / 4)
        bad_row(row->id, "too long", "");
    for (size_t i = 0; i < count; i++, out->length += 4)
        rpcrdma_xdr_store32(out->octets + out->length, words[i]);
}

void put_zeros(struct row *row, uint64_t octets)
{
    struct composed *out = row->out;
    if (octets > sizeof out->octets - out->length)
        bad_row(row->id, "too long", "");
    memset(out->octets + out->length, 0, octets);
    out->length += octets;
}

static void pad(struct row *row)
{
    put_zeros(row, -row->out->length & 3);
}

/* Its length comes first, its fill octets last. */
static void put_text(struct row *row, const char *text)
{
    struct composed *out = row->out;
    size_t length = strlen(text);
    put(row, (const uint32_t[]){(uint32_t)length}, 1);
    if (length > sizeof out->octets - out->length)
        bad_row(row->id, "too long", text);
    memcpy(out->octets + out->length, text, length);
    out->length += length;
    pad(row);
}

/* 1, 2, 3 and so on, so that no octet passes for another, and none in the first 255 for zero. */
static void put_octets(struct row *row, uint64_t octets)
{
    struct composed *out = row->out;
    if (octets > sizeof out->octets - out->length)
        bad_row(row->id, "too long", "");
    for (uint64_t i = 0; i < octets; i++)
        out->octets[out->length++] = (uint8_t)(i + 1);
}

/* RFC 5531: message type, RPC version, program, version, procedure, two empty AUTH_NONE bodies. */
static void put_call(struct row *row, uint32_t program, uint32_t version, uint32_t procedure,
                     uint32_t xid)
{
    put(row, (const uint32_t[]){xid, 0, 2, program, version, procedure, 0, 0, 0, 0}, 10);
}

/* RFC 2203: context handles and checksums are of four octets; context creation has neither. */
static void put_gss_call(struct row *row, const char *text)
{
    uint32_t procedure = take_word(row, &text, ':'), service = take_word(row, &text, '\0');
    put(row, (const uint32_t[]){row->header.rdma_xid, 0, 2, PROGRAM, 1, 1}, 6);
    if (procedure != 0)
        put(row, (const uint32_t[]){6, 20, 1, procedure, 9, service, 0, 0, 0}, 9);
    else
        put(row, (const uint32_t[]){6, 24, 1, 0, 9, service, 4, 0xc0ffee01, 6, 4, 0x5ea1ed01}, 11);
}

void take_payload_word(struct row *row, const char *word)
{
    const char *rest;
    uint32_t xid = row->header.rdma_xid;
    if (strcmp(word, "call") == 0 || has_name(word, "call", &rest)) {
        put_call(row, PROGRAM, 1, 1, strlen(word) > 4 ? take_word(row, &rest, '\0') : xid);
    } else if (strcmp(word, "accepted") == 0 || has_name(word, "accepted", &rest)) {
        uint32_t own = strlen(word) > 8 ? take_word(row, &rest, '\0') : xid;
        put(row, (const uint32_t[]){own, 1, 0, 0, 0, 0}, 6);
    } else if (has_name(word, "gss", &rest)) {
        put_gss_call(row, rest);
    } else if (has_name(word, "nfs2", &rest)) {
        put_call(row, 100003, 2, take_word(row, &rest, '\0'), xid);
    } else if (has_name(word, "nfs3", &rest)) {
        put_call(row, 100003, 3, take_word(row, &rest, '\0'), xid);
    } else if (has_name(word, "nfs4", &rest)) {
        put_call(row, 100003, 4, take_word(row, &rest, '\0'), xid);
    } else if (has_name(word, "nfsacl", &rest)) {
        put_call(row, 100227, 3, take_word(row, &rest, '\0'), xid);
    } else if (has_name(word, "text", &rest)) {
        put_text(row, rest);
    } else if (has_name(word, "octets", &rest)) {
        put_octets(row, take_number(row, &rest, '\0'));
    } else if (has_name(word, "item", &rest)) {
        put_octets(row, take_number(row, &rest, '\0'));
        pad(row);
    } else if (word[0] == '*' || word[0] == '+') {
        rest = word + 1;
        put_zeros(row, take_number(row, &rest, '\0') * (word[0] == '*' ? 4 : 1));
    } else {
        rest = word;
        put(row, (const uint32_t[]){take_word(row, &rest, '\0')}, 1);
    }
}

/* ---- changes ---- */

static void keep_part(struct row *row, const char *text)
{
    struct composed *out = row->out;
    uint8_t *payload = out->octets + out->header_length;
    uint64_t from = take_number(row, &text, ':'), length = take_number(row, &text, '\0');
    uint64_t whole = out->length - out->header_length;
    if (from > whole || length > whole - from)
        bad_row(row->id, "lies after the end", text);
    memmove(payload, payload + from, length);
    out->length = out->header_length + length;
}

bool take_change(struct row *row, const char *word)
{
    struct composed *out = row->out;
    const char *rest;
    if (has_name(word, "cut", &rest)) {
        uint64_t length = take_number(row, &rest, '\0');
        if (length >= out->length)
            bad_row(row->id, "cuts nothing", word);
        out->length = length;
    } else if (has_name(word, "part", &rest)) {
        keep_part(row, rest);
    } else if (word[0] == '@') {
        rest = word + 1;
        uint64_t offset = take_number(row, &rest, '=');
        if (offset > out->length || out->length - offset < 4)
            bad_row(row->id, "lies after the end", word);
        rpcrdma_xdr_store32(out->octets + offset, take_word(row, &rest, '\0'));
    } else {
        return false;
    }
    return true;
}
