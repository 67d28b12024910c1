// SPDX-License-Identifier: BSD-3-Clause
/* Headers of version 2, laid out by hand after the XDR of the two drafts. */
#include "vectors/make/compose.h"

#include <rpcrdma/xdr.h>
#include <string.h>

/*
 * What follows the prefix of each type, a letter each:
 *
 *   n  the numbers after the first word        d  -04: the direction
 *   i  the handle that may be invalidated      c  -07: the Read list that holds the Call
 *   r  Read list                               w  Write list
 *   p  Reply chunk, if there is one            o  -04: opaque octets, 1, 2, 3 and so on
 *   s  properties                              q  -04: other properties
 *   u  -04: unchanging, a set of bits          a  -04: done          b  -04: rejected
 */
/* -04: who supports no properties says so. */
#define UNSUPPORTED "process err-invalid-proc err-invalid-option"

static const struct form2 forms[] = {
    {.word = "error2", .layout = "n", .type = 4, .sums = true},
    {.word = "grant", .layout = "", .type = 5, .sums = true},
    {.word = "connprop-middle", .layout = "s", .type = 6, .sums = true},
    {.word = "connprop-final", .layout = "s", .type = 7, .sums = true},
    {.word = "call-external", .layout = "icrwp", .type = 8, .sums = true},
    {.word = "call-middle", .layout = "n", .type = 9, .sums = true},
    {.word = "call-inline", .layout = "irwp", .type = 10, .sums = true},
    {.word = "reply-external", .layout = "wp", .type = 11, .sums = true},
    {.word = "reply-middle", .layout = "n", .type = 12, .sums = true},
    {.word = "reply-inline", .layout = "w", .type = 13, .sums = true},
    {.word = "type", .layout = "n", .typed = true, .sums = true},
    {.word = "call-msg", .layout = "dirwp", .type = 0},
    {.word = "reply-msg", .layout = "dirwp", .type = 0, .direction = 1},
    {.word = "call-nomsg", .layout = "dirwp", .type = 1},
    {.word = "reply-nomsg", .layout = "dirwp", .type = 1, .direction = 1},
    {.word = "error4", .layout = "n", .type = 4},
    {.word = "optional", .layout = "no", .type = 5},
    {.word = "connprop", .layout = "su", .type = 6, .reactions = UNSUPPORTED},
    {.word = "reqprop", .layout = "s", .type = 7, .reactions = UNSUPPORTED},
    {.word = "resprop", .layout = "abq", .type = 8},
    {.word = "updprop", .layout = "s", .type = 9, .reactions = UNSUPPORTED},
    {.word = "procedure", .layout = "n", .typed = true},
};

/* ---- words ---- */

static void take_numbers(const struct row *row, struct numbers *numbers, const char *text)
{
    while (*text != '\0') {
        if (numbers->count == NUMBERS)
            bad_row(row->id, "too many numbers", text);
        numbers->value[numbers->count++] = take_word(row, &text, ':');
    }
}

bool take_form2(struct row *row, const char *word)
{
    size_t length = strcspn(word, ":");
    for (size_t i = 0; i < COUNT(forms); i++) {
        const struct form2 *form = &forms[i];
        if (strlen(form->word) != length || strncmp(form->word, word, length) != 0)
            continue;
        row->form = form;
        row->direction = form->direction;
        row->header.rdma_vers = 2;
        if (form->sums)
            row->header.rdma_credit = row->total;
        if (strcmp(form->word, "grant") == 0)
            row->header.rdma_xid = 0;
        take_numbers(row, &row->numbers, word + length + (word[length] == ':'));
        return true;
    }
    return false;
}

/* "", a number, "text=STRING", "octets=N" or "opaque=N" (with its length before it, and its
 * padding). */
static void take_value(const struct row *row, struct property *property, const char *text)
{
    bool is_opaque = strncmp(text, "opaque=", 7) == 0;
    uint8_t *value = property->value;
    if (text[0] == '\0')
        return;
    if (strncmp(text, "text=", 5) == 0) {
        property->length = (uint32_t)strlen(text + 5);
        memcpy(value, text + 5, property->length);
        return;
    }
    if (!is_opaque && strncmp(text, "octets=", 7) != 0) {
        rpcrdma_xdr_store32(value, take_word(row, &text, '\0'));
        property->length = 4;
        return;
    }
    text += 7;
    uint32_t octets = take_word(row, &text, '\0'), at = is_opaque ? 4 : 0;
    if (octets > sizeof property->value - 8)
        bad_row(row->id, "too long", text);
    if (is_opaque)
        rpcrdma_xdr_store32(value, octets);
    for (uint32_t i = 0; i < octets; i++)
        value[at + i] = (uint8_t)(i + 1);
    property->length = at + (is_opaque ? (octets + 3) / 4 * 4 : octets);
}

static void take_property(struct row *row, const char *text, bool other)
{
    if (row->property_count == PROPERTIES)
        bad_row(row->id, "too many properties", text);
    struct property *property = &row->properties[row->property_count++];
    property->other = other;
    property->id = take_word(row, &text, ':');
    take_value(row, property, text);
}

bool take_header_word2(struct row *row, const char *word)
{
    const char *rest;
    if (row->form == NULL)
        return false;
    if (has_name(word, "inv", &rest))
        row->invalidate = take_word(row, &rest, '\0');
    else if (has_name(word, "direction", &rest))
        row->direction = take_word(row, &rest, '\0');
    else if (has_name(word, "call", &rest))
        take_reads(row, rest, row->call, &row->call_count);
    else if (has_name(word, "property", &rest) || has_name(word, "other", &rest))
        take_property(row, rest, word[0] == 'o');
    else if (has_name(word, "unchanging", &rest))
        take_numbers(row, &row->unchanging, rest);
    else if (has_name(word, "done", &rest))
        take_numbers(row, &row->done, rest);
    else if (has_name(word, "rejected", &rest))
        take_numbers(row, &row->rejected, rest);
    else
        return false;
    return true;
}

/* ---- octets ---- */

static void put_word(struct row *row, uint32_t word)
{
    put(row, &word, 1);
}

static void put_segment(struct row *row, const struct rpcrdma1_segment *segment)
{
    put_word(row, segment->handle);
    put_word(row, segment->length);
    put_word(row, (uint32_t)(segment->offset >> 32));
    put_word(row, (uint32_t)segment->offset);
}

static void put_reads(struct row *row, const struct rpcrdma1_read_segment *reads, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        put_word(row, 1);
        put_word(row, reads[i].position);
        put_segment(row, &reads[i].target);
    }
    put_word(row, 0);
}

static void put_chunk(struct row *row, const struct rpcrdma1_write_chunk *chunk)
{
    put_word(row, 1);
    put_word(row, chunk->target.count);
    for (uint32_t i = 0; i < chunk->target.count; i++)
        put_segment(row, &chunk->target.items[i]);
}

static void put_opaque(struct row *row, const uint8_t *octets, uint32_t length)
{
    struct composed *out = row->out;
    put_word(row, length);
    size_t at = out->length;
    put_zeros(row, (length + 3) / 4 * 4);
    memcpy(out->octets + at, octets, length);
}

static void put_properties(struct row *row, bool other)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < row->property_count; i++)
        count += row->properties[i].other == other;
    put_word(row, count);
    for (uint32_t i = 0; i < row->property_count; i++) {
        const struct property *property = &row->properties[i];
        if (property->other != other)
            continue;
        put_word(row, property->id);
        put_opaque(row, property->value, property->length);
    }
}

static void put_set(struct row *row, const struct numbers *set)
{
    put_word(row, set->count);
    put(row, set->value, set->count);
}

/* ---- the parts of a header ---- */

static void numbers_part(struct row *row)
{
    bool last_is_length = strchr(row->form->layout, 'o') != NULL;
    for (uint32_t i = row->form->typed; i + last_is_length < row->numbers.count; i++)
        put_word(row, row->numbers.value[i]);
}

/* The last number says how many octets. */
static void opaque_part(struct row *row)
{
    static const uint8_t octets[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    uint32_t count = row->numbers.count;
    uint32_t length = count > 0 ? row->numbers.value[count - 1] : 0;
    if (length > sizeof octets)
        bad_row(row->id, "too long", row->form->word);
    put_opaque(row, octets, length);
}

static void direction_part(struct row *row)
{
    put_word(row, row->direction);
}

static void invalidate_part(struct row *row)
{
    put_word(row, row->invalidate);
}

static void call_part(struct row *row)
{
    put_reads(row, row->call, row->call_count);
}

static void reads_part(struct row *row)
{
    put_reads(row, row->reads, row->read_count);
}

static void writes_part(struct row *row)
{
    for (uint32_t i = 0; i < row->write_count; i++)
        put_chunk(row, &row->writes[i]);
    put_word(row, 0);
}

static void reply_part(struct row *row)
{
    if (row->reply.present)
        put_chunk(row, &row->reply.value);
    else
        put_word(row, 0);
}

static void properties_part(struct row *row)
{
    put_properties(row, false);
}

static void other_part(struct row *row)
{
    put_properties(row, true);
}

static void unchanging_part(struct row *row)
{
    put_set(row, &row->unchanging);
}

static void done_part(struct row *row)
{
    put_set(row, &row->done);
}

static void rejected_part(struct row *row)
{
    put_set(row, &row->rejected);
}

static const struct {
    char letter;
    void (*put)(struct row *row);
} parts[] = {
    {'n', numbers_part},    {'d', direction_part}, {'i', invalidate_part}, {'c', call_part},
    {'r', reads_part},      {'w', writes_part},    {'p', reply_part},      {'o', opaque_part},
    {'s', properties_part}, {'q', other_part},     {'u', unchanging_part}, {'a', done_part},
    {'b', rejected_part},
};

void lay_out2(struct row *row)
{
    const struct form2 *form = row->form;
    put_word(row, row->header.rdma_xid);
    put_word(row, row->header.rdma_vers);
    put_word(row, row->header.rdma_credit);
    put_word(row, form->typed ? row->numbers.value[0] : form->type);
    for (const char *letter = form->layout; *letter != '\0'; letter++)
        for (size_t i = 0; i < COUNT(parts); i++)
            if (parts[i].letter == *letter)
                parts[i].put(row);
    row->out->header_length = row->out->length;
    row->out->reactions = form->reactions;
}
