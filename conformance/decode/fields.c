// SPDX-License-Identifier: BSD-3-Clause
/* A Send as a table for people. */
#include "conformance/decode/fields.h"

#include <inttypes.h>
#include <string.h>

#define ROW_OCTETS 8
/* In brief tables: rows this near to the start, or to a mark, are shown. */
#define BRIEF_START 64
#define BRIEF_AROUND 32

struct printer {
    const struct field_table *table;
    const uint8_t *data;
    size_t length;
    bool skipping; /* rows are being left out */
};

static void print_gap(struct printer *printer)
{
    if (!printer->skipping)
        fputs("       ...\n", printer->table->out);
    printer->skipping = true;
}

static bool is_left_out(const struct printer *printer, size_t offset)
{
    const struct field_table *table = printer->table;
    if (!table->brief || offset < BRIEF_START)
        return false;
    for (size_t i = 0; i < table->mark_count; i++) {
        size_t mark = table->marks[i].offset;
        if ((offset < mark ? mark - offset : offset - mark) <= BRIEF_AROUND)
            return false;
    }
    return true;
}

static struct field_mark *mark_within(const struct printer *printer, size_t offset, size_t length)
{
    const struct field_table *table = printer->table;
    for (size_t i = 0; i < table->mark_count; i++) {
        struct field_mark *mark = &table->marks[i];
        if (!mark->shown && mark->offset >= offset && mark->offset - offset < length)
            return mark;
    }
    return NULL;
}

/* Four octets a group: "00000001 0000cafe". */
#define OCTETS_SIZE (2 * ROW_OCTETS + 2)

static void format_octets(const uint8_t *data, size_t offset, size_t count, char *text)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        if (i == 4)
            *text++ = ' ';
        *text++ = digits[data[offset + i] >> 4];
        *text++ = digits[data[offset + i] & 15];
    }
    *text = '\0';
}

static void print_caret(const struct printer *printer, const char *octets, const char *text)
{
    const struct style *style = printer->table->style;
    int width = *octets == '\0' ? 1 : (int)strlen(octets);
    fprintf(printer->table->out, "%11s%s%.*s %s%s\n", "", style->red, width, "^^^^^^^^^^^^^^^^^",
            text, style->plain);
}

/* A caret line for each mark in `span` octets from `offset`. */
static void print_marks(const struct printer *printer, const char *octets, size_t offset,
                        size_t span)
{
    struct field_mark *mark;
    while ((mark = mark_within(printer, offset, span)) != NULL) {
        mark->shown = true;
        print_caret(printer, octets, mark->text);
    }
}

/* `count` octets are shown; marks within `span` belong to the row. */
static void print_row(struct printer *printer, size_t offset, size_t count, size_t span,
                      const char *field, const char *value)
{
    const struct field_table *table = printer->table;
    char octets[OCTETS_SIZE];
    format_octets(printer->data, offset, count, octets);
    bool marked = mark_within(printer, offset, span) != NULL;
    printer->skipping = false;
    if (marked)
        fputs(table->style->bold, table->out);
    fprintf(table->out, "%c %7zu  ", marked ? '>' : ' ', offset);
    if (*field == '\0' && *value == '\0')
        fputs(octets, table->out);
    else
        fprintf(table->out, "%-17s  %-30s  %s", octets, field, value);
    fprintf(table->out, "%s\n", marked ? table->style->plain : "");
    print_marks(printer, octets, offset, span);
}

/* `name` may be NULL. */
static void format_number(uint64_t number, const char *name, char *text, size_t size)
{
    if (name != NULL)
        snprintf(text, size, "%s (%" PRIu64 ")", name, number);
    else
        snprintf(text, size, "%" PRIu64, number);
}

static void format_value(const struct walk_field *field, char *text, size_t size)
{
    switch (field->kind) {
    case WALK_SIGNED:
        snprintf(text, size, "%" PRId64, (int64_t)field->number);
        break;
    case WALK_BOOL:
        if (field->is_presence)
            snprintf(text, size, "%s", field->number ? "present" : "absent");
        else
            snprintf(text, size, "%s", field->number ? "true" : "false");
        break;
    case WALK_ENUM:
        snprintf(text, size, "%s (%" PRIu64 ")", field->text ? field->text : "?", field->number);
        break;
    case WALK_COUNT:
        snprintf(text, size, "count %" PRIu64, field->number);
        break;
    case WALK_OPAQUE:
    case WALK_STRING:
        if (field->has_value)
            format_number(field->value, field->text, text, size);
        else
            snprintf(text, size, "%" PRIu64 " octets", field->number);
        break;
    case WALK_UNSIGNED:
        if (field->text != NULL) {
            format_number(field->number, field->text, text, size);
            break;
        }
        /* fall through */
    default:
        /* Addresses are read in hexadecimal; of words the octets show it. */
        snprintf(text, size, field->length == 8 ? "0x%" PRIx64 : "%" PRIu64, field->number);
    }
}

static void print_run(struct printer *printer, size_t offset, size_t length, const char *field,
                      const char *value)
{
    for (size_t at = 0; at < length; at += ROW_OCTETS) {
        size_t count = length - at < ROW_OCTETS ? length - at : ROW_OCTETS;
        if (is_left_out(printer, offset + at))
            print_gap(printer);
        else
            print_row(printer, offset + at, count, count, at == 0 ? field : "",
                      at == 0 ? value : "");
    }
}

static bool print_field(void *arg, const struct walk_field *field)
{
    struct printer *printer = arg;
    if (!rpcrdma_field_is_leaf(field))
        return true;
    char value[80];
    format_value(field, value, sizeof value);
    print_run(printer, field->offset, field->length, field->path, value);
    return !ferror(printer->table->out);
}

/* What follows the last part: octets that are not looked into. */
static void print_rest(struct printer *printer, size_t offset, enum send_rest kind)
{
    static const char *const names[] = {
        [SEND_REST_NONE] = "after the header",
        [SEND_REST_RPC] = "rest of the Payload stream",
        [SEND_REST_CONTINUED] = "goes on with a Payload stream",
    };
    size_t rest = printer->length - offset;
    if (rest == 0)
        return;
    char value[64];
    snprintf(value, sizeof value, "%zu octets", rest);
    size_t count = rest < ROW_OCTETS ? rest : ROW_OCTETS;
    print_row(printer, offset, count, 0, names[kind], value);
}

static size_t clamp(const struct printer *printer, size_t offset, size_t room)
{
    size_t left = offset < printer->length ? printer->length - offset : 0;
    return left < room ? left : room;
}

/* The fault's row, then what the checker says of the same place. */
static void print_fault(struct printer *printer, const struct send_fault *fault)
{
    const struct style *style = printer->table->style;
    size_t count = clamp(printer, fault->offset, 4);
    char octets[OCTETS_SIZE];
    format_octets(printer->data, fault->offset, count, octets);
    fprintf(printer->table->out, "%s> %7zu  %-17s  %-30s  does not decode%s\n", style->bold,
            fault->offset, octets, fault->field, style->plain);
    print_caret(printer, octets, fault->text);
    print_marks(printer, octets, fault->offset, 4);
}

/* Marks that no row has shown: beyond the fault, or within what is not looked into. */
static void print_other_marks(struct printer *printer)
{
    for (size_t i = 0; i < printer->table->mark_count; i++) {
        const struct field_mark *mark = &printer->table->marks[i];
        size_t count = clamp(printer, mark->offset, ROW_OCTETS);
        if (!mark->shown)
            print_row(printer, mark->offset, count, 1, "", "");
    }
}

bool fields_print(const struct field_table *table, const struct rpcrdma_event *event)
{
    struct send send = rpcrdma_send_of(event);
    struct printer printer = {.table = table, .data = send.data, .length = send.length};
    fprintf(table->out, "%s   offset  %-17s  %-30s  %s%s\n", table->style->dim, "octets", "field",
            "value", table->style->plain);
    ptrdiff_t header = rpcrdma_send_walk_header(&send, print_field, &printer);
    enum send_rest rest = rpcrdma_send_rest(&send, header);
    if (rest == SEND_REST_RPC) {
        ptrdiff_t rpc = rpcrdma_send_walk_rpc(&send, (size_t)header, print_field, &printer);
        if (rpc >= 0)
            print_rest(&printer, (size_t)(header + rpc), rest);
    } else if (header >= 0) {
        print_rest(&printer, (size_t)header, rest);
    }
    if (send.fault.found)
        print_fault(&printer, &send.fault);
    print_other_marks(&printer);
    return !send.fault.found;
}
