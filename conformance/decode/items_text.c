// SPDX-License-Identifier: BSD-3-Clause
/* What a Send is about, as lines for people and as JSON. */
#include "conformance/decode/items_text.h"

#include "conformance/base/count.h"

#include <inttypes.h>
#include <string.h>

static const char *procedure_of(const struct items_view *view)
{
    return view->binding->procedure(view->call.version, view->call.procedure);
}

/* ---- lines ---- */

struct line {
    FILE *out;
    unsigned operations;
    bool is_reply;
};

static void print_operation(void *arg, const char *name)
{
    struct line *line = arg;
    if (line->operations == ITEMS_OPERATIONS)
        fputs(", ...", line->out);
    else if (line->operations < ITEMS_OPERATIONS)
        fprintf(line->out, "%s%s", line->operations ? ", " : ": ", name);
    line->operations++;
}

static void print_content(FILE *out, const struct chunk_item *chunk)
{
    fprintf(out, ": %s%s%" PRIu64 " octets\n", chunk->item ? chunk->item : "",
            chunk->item ? ", " : "", chunk->length);
}

static void print_chunk(void *arg, const struct chunk_item *chunk)
{
    const struct line *line = arg;
    if (chunk->kind == CHUNK_READ && chunk->position == 0)
        fputs("Position Zero Read chunk", line->out);
    else if (chunk->kind == CHUNK_READ)
        fprintf(line->out, "Read chunk at Position %" PRIu32, chunk->position);
    else if (chunk->kind == CHUNK_WRITE)
        fprintf(line->out, "Write chunk %" PRIu32, chunk->number);
    else
        fputs("Reply chunk", line->out);
    if (chunk->kind == CHUNK_READ || line->is_reply)
        print_content(line->out, chunk);
    else
        fprintf(line->out, ": %s%sroom for %" PRIu64 " octets\n", chunk->item ? chunk->item : "",
                chunk->item ? ", " : "", chunk->length);
}

void items_print_upper(FILE *out, const struct items_view *view)
{
    struct line line = {.out = out, .is_reply = view->is_reply};
    if (view->binding == NULL)
        return;
    const char *procedure = procedure_of(view);
    fprintf(out, "%s%s version %" PRIu32, view->is_reply ? "Reply to " : "", view->binding->name,
            view->call.version);
    if (procedure != NULL)
        fprintf(out, " %s", procedure);
    else
        fprintf(out, " procedure %" PRIu32, view->call.procedure);
    if (items_operations(view, print_operation, &line) == RPCRDMA_READ_PART &&
        line.operations > 0 && line.operations <= ITEMS_OPERATIONS)
        fputs(", ...", out);
}

/* What stands after "NFS version 4 COMPOUND: ", or "NFS version 3 ". */
static const char *brief_part(const char *text)
{
    static const char *const usual[] = {"CB_SEQUENCE, ", "SEQUENCE, ", "PUTFH, "};
    const char *operations = strstr(text, ": "), *version = strstr(text, " version ");
    const char *procedure = version ? strchr(version + strlen(" version "), ' ') : NULL;
    const char *brief = operations ? operations + 2 : procedure ? procedure + 1 : text;
    for (size_t i = 0; i < COUNT(usual); i++)
        if (strncmp(brief, usual[i], strlen(usual[i])) == 0)
            brief += strlen(usual[i]);
    return brief;
}

void items_brief(const struct items_view *view, char text[ITEMS_BRIEF])
{
    text[0] = '\0';
    FILE *out = view->binding ? fmemopen(text, ITEMS_BRIEF, "w") : NULL;
    if (out == NULL)
        return;
    items_print_upper(out, view);
    fclose(out);
    text[ITEMS_BRIEF - 1] = '\0';
    const char *brief = brief_part(text);
    memmove(text, brief, strlen(brief) + 1);
}

static void print_piece(FILE *out, const struct items_view *view)
{
    if (!view->is_piece)
        return;
    const char *what = view->is_reply ? "Reply" : "Call";
    if (view->total > 0 && view->length > 0)
        fprintf(out, "Octets %" PRIu64 " to %" PRIu64 " of the %" PRIu64 " of a %s in pieces\n",
                view->first, view->first + view->length - 1, view->total, what);
    else
        fprintf(out, "A later piece of a %s, whose beginning was not seen\n", what);
}

void items_print(FILE *out, const struct items_view *view)
{
    struct line line = {.out = out, .is_reply = view->is_reply};
    items_print_upper(out, view);
    if (view->binding != NULL)
        fputc('\n', out);
    print_piece(out, view);
    items_chunks(view, print_chunk, &line);
}

/* ---- JSON ---- */

struct list {
    struct json *json;
    unsigned operations;
};

static void put_operation(void *arg, const char *name)
{
    struct list *list = arg;
    if (list->operations++ < ITEMS_OPERATIONS)
        json_text(list->json, NULL, name);
}

static void put_chunk(void *arg, const struct chunk_item *chunk)
{
    static const char *const kinds[] = {"read", "write", "reply"};
    struct json *json = ((const struct list *)arg)->json;
    json_open(json, NULL, '{');
    json_text(json, "kind", kinds[chunk->kind]);
    if (chunk->kind == CHUNK_READ)
        json_unsigned(json, "position", chunk->position);
    json_text(json, "item", chunk->item);
    json_unsigned(json, "length", chunk->length);
    json_close(json, '}');
}

static void put_piece(struct json *json, const struct items_view *view)
{
    if (!view->is_piece) {
        json_none(json, "piece");
        return;
    }
    json_open(json, "piece", '{');
    if (view->total > 0) {
        json_unsigned(json, "first", view->first);
        json_unsigned(json, "total", view->total);
    } else {
        json_none(json, "first");
        json_none(json, "total");
    }
    json_unsigned(json, "length", view->length);
    json_close(json, '}');
}

void items_put(struct json *json, const struct items_view *view)
{
    struct list list = {.json = json};
    put_piece(json, view);
    if (view->binding == NULL) {
        json_none(json, "upper");
    } else {
        json_open(json, "upper", '{');
        json_text(json, "program", view->binding->name);
        json_unsigned(json, "version", view->call.version);
        json_text(json, "procedure", procedure_of(view));
        json_open(json, "operations", '[');
        items_operations(view, put_operation, &list);
        json_close(json, ']');
        json_close(json, '}');
    }
    json_open(json, "chunks", '[');
    items_chunks(view, put_chunk, &list);
    json_close(json, ']');
}
