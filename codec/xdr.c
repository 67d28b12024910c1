// SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only
/* The cold half of the XDR runtime: errors, their places and their names. */
#include <rpcrdma/xdr_runtime.h>

#include <rpcrdma/private_data.h>
#include <rpcrdma/rpcrdma.h>

void rpcrdma_xdr_note_step(struct rpcrdma_xdr_error *error, const char *name, int64_t index)
{
    if ((name[0] == '\0' && index < 0) || error->depth >= RPCRDMA_XDR_PATH_MAX)
        return;
    error->path[error->depth].name = name;
    error->path[error->depth].index = index;
    error->depth++;
}

void rpcrdma_xdr_note(struct rpcrdma_xdr_error *error, int code, size_t offset, const char *name)
{
    error->code = code;
    error->offset = (uint32_t)offset;
    error->depth = 0;
    rpcrdma_xdr_note_step(error, name, -1);
}

void rpcrdma_xdr_note_short(struct rpcrdma_xdr_error *error, size_t offset, size_t left,
                            const struct rpcrdma_xdr_run *run)
{
    uint32_t start = 0;
    for (; run->end <= left; run++)
        start = run->end;
    rpcrdma_xdr_note(error, RPCRDMA_XDR_E_TRUNCATED, offset + start, run->name);
}

/* The item of `count` octets that would begin `offset` octets into the buffer. */
static bool is_out(struct rpcrdma_xdr_reduction *reduction, size_t offset, uint32_t count)
{
    uint64_t position = reduction->before + offset + reduction->removed;
    if (reduction->next_item && count > 0) {
        reduction->next_item = false;
        reduction->item = count;
        reduction->removed += rpcrdma_xdr_round(count);
        return true;
    }
    while (reduction->next < reduction->hole_count &&
           reduction->holes[reduction->next].position < position)
        reduction->next++;
    if (reduction->next >= reduction->hole_count ||
        reduction->holes[reduction->next].position != position)
        return false;
    struct rpcrdma_xdr_hole *hole = &reduction->holes[reduction->next++];
    hole->taken = true;
    hole->count = count;
    reduction->removed += rpcrdma_xdr_round(count);
    return true;
}

bool rpcrdma_xdr_take_out(const struct rpcrdma_xdr_in *in, const uint8_t *p, uint32_t bound,
                          struct rpcrdma_xdr_opaque *v)
{
    if (rpcrdma_xdr_left(in, p) < 4)
        return false;
    uint32_t count = rpcrdma_xdr_load32(p);
    if (count > bound || !is_out(in->reduction, (size_t)(p + 4 - in->base), count))
        return false;
    *v = (struct rpcrdma_xdr_opaque){.data = NULL, .length = count};
    return true;
}

/* Text that is cut to fit; counts what it would be. */
struct text {
    char *p;
    size_t size, length;
};

static void add_char(struct text *t, char c)
{
    if (t->length < t->size)
        t->p[t->length] = c;
    t->length++;
}

static void add_number(struct text *t, uint64_t n)
{
    char digits[20];
    unsigned count = 0;
    do
        digits[count++] = (char)('0' + n % 10);
    while ((n /= 10) != 0);
    while (count > 0)
        add_char(t, digits[--count]);
}

size_t rpcrdma_xdr_error_path(const struct rpcrdma_xdr_error *error, char *text, size_t size)
{
    struct text t = {text, size, 0};
    uint32_t i;
    for (i = error->depth; i-- > 0;) {
        const char *name = error->path[i].name;
        if (name[0] != '\0' && t.length > 0)
            add_char(&t, '.');
        while (*name)
            add_char(&t, *name++);
        if (error->path[i].index >= 0) {
            add_char(&t, '[');
            add_number(&t, (uint64_t)error->path[i].index);
            add_char(&t, ']');
        }
    }
    if (size > 0)
        text[t.length < size ? t.length : size - 1] = '\0';
    return t.length;
}

const char *rpcrdma_xdr_error_name(int code)
{
    switch (code) {
#define XDR_NAME(name, number, text)                                                               \
    case number:                                                                                   \
        return "XDR_E_" #name;
#define PRIVATE_DATA_NAME(name, number, text)                                                      \
    case number:                                                                                   \
        return "RPCRDMA_E_" #name;
#define RECEIVE_NAME(name, number, text)                                                           \
    case number:                                                                                   \
        return "RPCRDMA1_E_" #name;
#define RECEIVE2_NAME(name, number, text)                                                          \
    case number:                                                                                   \
        return "RPCRDMA2_E_" #name;
        RPCRDMA_XDR_ERRORS(XDR_NAME)
        RPCRDMA_PRIVATE_DATA_ERRORS(PRIVATE_DATA_NAME)
        RPCRDMA1_ERRORS(RECEIVE_NAME)
        RPCRDMA2_ERRORS(RECEIVE2_NAME)
    }
    return "unknown XDR error";
}

const char *rpcrdma_xdr_error_text(int code)
{
    switch (code) {
#define TEXT(name, number, text)                                                                   \
    case number:                                                                                   \
        return text;
        RPCRDMA_XDR_ERRORS(TEXT)
        RPCRDMA_PRIVATE_DATA_ERRORS(TEXT)
        RPCRDMA1_ERRORS(TEXT)
        RPCRDMA2_ERRORS(TEXT)
    }
    return "unknown XDR error";
}
