// SPDX-License-Identifier: BSD-3-Clause
/*
 * Fuzz target: the front end of the XDR compiler. It accepts or it complains, in printable lines,
 * and what it accepts is resolved as its syntax tree promises.
 *
 * It keeps all memory until it ends, and ends where there is none. Its own diag.c is compiled in
 * here, so that the memory can be given back after each input and the complaints can be read.
 */
#include "fuzz/fuzz.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static jmp_buf out_of_memory;
static FILE *complaints;

static _Noreturn void give_up(int status)
{
    (void)status;
    longjmp(out_of_memory, 1);
}

#undef stderr
#define stderr complaints
#define exit give_up
#include "gen/front/diag.c"
#undef stderr
#undef exit
extern FILE *stderr;

static void release(void)
{
    while (blocks) {
        struct block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

static void check_place(const struct spec *spec, struct loc loc)
{
    FUZZ_ASSERT(loc.line >= 1 && loc.line <= spec->line_count + 1 && loc.column >= 1);
}

static void check_decl(const struct spec *spec, const struct decl *decl)
{
    if (decl->kind == DECL_VOID)
        return;
    check_place(spec, decl->loc);
    FUZZ_ASSERT(decl->name != NULL && strlen(decl->name) > 0);
    FUZZ_ASSERT((decl->base == BASE_NAMED) == (decl->def != NULL));
    FUZZ_ASSERT(decl->def == NULL || decl->def->kind != DEF_CONST);
    if (decl->kind == DECL_FIXED)
        FUZZ_ASSERT(decl->has_size);
    if (decl->has_size)
        FUZZ_ASSERT(decl->size.number >= 0 && decl->size.number <= UINT32_MAX);
}

static void check_union(const struct spec *spec, const struct def *def)
{
    check_decl(spec, def->discriminant);
    FUZZ_ASSERT(def->arms != NULL);
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        FUZZ_ASSERT(!arm->is_default || arm->next == NULL);
        FUZZ_ASSERT(arm->is_default == (arm->label_count == 0));
        check_decl(spec, arm->decl);
    }
}

static void check_def(const struct spec *spec, const struct def *def)
{
    check_place(spec, def->loc);
    switch (def->kind) {
    case DEF_CONST:
        break;
    case DEF_ENUM:
        FUZZ_ASSERT(def->enumerators != NULL);
        for (const struct enumerator *e = def->enumerators; e; e = e->next)
            FUZZ_ASSERT(e->value.number >= INT32_MIN && e->value.number <= INT32_MAX);
        break;
    case DEF_STRUCT:
        FUZZ_ASSERT(def->fields != NULL);
        for (const struct decl *decl = def->fields; decl; decl = decl->next)
            check_decl(spec, decl);
        break;
    case DEF_UNION:
        check_union(spec, def);
        break;
    case DEF_TYPEDEF:
        check_decl(spec, def->target);
        break;
    }
}

/* What is `ordered` are the definitions, each once. */
static void check_spec(const struct spec *spec)
{
    unsigned count = 0;
    for (const struct def *def = spec->defs; def; def = def->next) {
        FUZZ_ASSERT(def->index == count++);
        check_def(spec, def);
    }
    FUZZ_ASSERT(count == spec->def_count);
    uint8_t *placed = calloc(count + 1, 1);
    FUZZ_ASSERT(placed != NULL);
    for (unsigned i = 0; i < count; i++) {
        FUZZ_ASSERT(spec->ordered[i]->index < count && !placed[spec->ordered[i]->index]);
        placed[spec->ordered[i]->index] = 1;
    }
    free(placed);
}

static void compile(const char *name)
{
    if (setjmp(out_of_memory))
        return;
    struct spec *spec = xdr_parse(name);
    if (spec && xdr_check(spec))
        check_spec(spec);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *file;
    static char name[32];
    char *text = NULL;
    size_t length = 0;
    if (size > FUZZ_SIZE_MAX)
        return 0;
    if (file == NULL) {
        file = tmpfile();
        FUZZ_ASSERT(file != NULL);
        snprintf(name, sizeof name, "/dev/fd/%d", fileno(file));
    }
    /* Written first and cut then: what a file system does for one cut to nothing takes long. */
    FUZZ_ASSERT(size == 0 || pwrite(fileno(file), data, size, 0) == (ssize_t)size);
    FUZZ_ASSERT(ftruncate(fileno(file), (off_t)size) == 0);
    complaints = open_memstream(&text, &length);
    FUZZ_ASSERT(complaints != NULL);
    compile(name);
    fclose(complaints);
    for (size_t i = 0; i < length; i++)
        FUZZ_ASSERT(text[i] == '\n' || text[i] == '\t' || (text[i] >= ' ' && text[i] <= '~') ||
                    (uint8_t)text[i] >= 0x80);
    free(text);
    release();
    return 0;
}
