// SPDX-License-Identifier: BSD-3-Clause
/* What the emitters share: templates, comments that say where a definition is from, expressions. */
#include "gen/back/emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The text for {name}: a template that names something else is a fault of xdrgen's own. */
static const char *argument(va_list args, const char *name, size_t length)
{
    for (const char *key; (key = va_arg(args, const char *)) != NULL;) {
        const char *value = va_arg(args, const char *);
        if (strlen(key) == length && strncmp(key, name, length) == 0)
            return value;
    }
    fprintf(stderr, "xdrgen: a template names {%.*s}, which it was not given\n", (int)length, name);
    abort();
}

static size_t name_length(const char *after_brace)
{
    size_t length = 0;
    while (islower((unsigned char)after_brace[length]) || after_brace[length] == '_')
        length++;
    return after_brace[length] == '}' ? length : 0;
}

void emit_template(FILE *out, const char *template, ...)
{
    for (const char *c = template; *c; c++) {
        size_t length = *c == '{' ? name_length(c + 1) : 0;
        if (length == 0) {
            fputc(*c, out);
            continue;
        }
        va_list args;
        va_start(args, template);
        fputs(argument(args, c + 1, length), out);
        va_end(args);
        c += length + 1;
    }
}

const char *decimal(uint64_t number)
{
    return text("%" PRIu64, number);
}

FILE *emit_memory(char **code)
{
    static size_t size;
    FILE *memory = open_memstream(code, &size);
    if (memory == NULL) {
        fputs("xdrgen: out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

void emit_close(FILE *memory, char **code)
{
    fclose(memory);
    char *copy = text("%s", *code);
    free(*code);
    *code = copy;
}

/* ---- where a definition is from ---- */

static const char *file_name(const struct spec *spec)
{
    const char *slash = strrchr(spec->file, '/');
    return slash ? slash + 1 : spec->file;
}

/* "RFC 8166 section 4.3" out of a comment's line, or NULL. A section of another document, which the
 * line then names, is only meant for what the comment is about. */
static const char *section_on(const char *line, const char *title, bool is_own_comment)
{
    const char *word = strstr(line, "ection ");
    if (word == NULL || word == line || !isdigit((unsigned char)word[7]))
        return NULL;
    size_t length = strspn(word + 7, "0123456789.");
    while (word[7 + length - 1] == '.')
        length--;
    const char *rfc = strstr(line, "RFC ");
    int digits = rfc && rfc < word ? (int)strspn(rfc + 4, "0123456789") : 0;
    if (digits == 0)
        return text("%s section %.*s", title, (int)length, word + 7);
    return is_own_comment ? text("RFC %.*s section %.*s", digits, rfc + 4, (int)length, word + 7)
                          : NULL;
}

/* The nearest section that a comment names, at the definition or before it. */
static const char *section_of(const struct spec *spec, unsigned line, const char *title)
{
    bool is_own_comment = true;
    for (unsigned i = line < spec->line_count ? line : spec->line_count; i-- > 0;) {
        const char *text = spec->lines[i];
        is_own_comment = is_own_comment && (i + 1 == line || !strpbrk(text, ";{}"));
        const char *section = section_on(text, title, is_own_comment);
        if (section != NULL)
            return section;
    }
    return title;
}

const char *emit_origin(const struct spec *spec, const struct naming *naming, const struct def *def)
{
    unsigned at = def->start.line;
    const char *line = at <= spec->line_count ? spec->lines[at - 1] : "";
    while (isspace((unsigned char)*line))
        line++;
    size_t length = strcspn(line, "{;");
    const char *comment = strstr(line, "/*");
    if (comment && (size_t)(comment - line) < length)
        length = (size_t)(comment - line);
    while (length > 0 && isspace((unsigned char)line[length - 1]))
        length--;
    const char *where =
        naming->title ? section_of(spec, at, naming->title) : text("%s", file_name(spec));
    return text("%s: %.*s", where, (int)length, line);
}

void emit_note(FILE *out, const struct spec *spec, unsigned line)
{
    const char *text = line > 0 && line <= spec->line_count ? spec->lines[line - 1] : "";
    const char *open = strstr(text, "/*");
    const char *close = open ? strstr(open, "*/") : NULL;
    if (close == NULL)
        return;
    for (open += 2; isspace((unsigned char)*open);)
        open++;
    while (close > open && isspace((unsigned char)close[-1]))
        close--;
    if (close > open)
        fprintf(out, " /* %.*s */", (int)(close - open), open);
}

/* ---- expressions ---- */

const char *emit_at(const char *base, uint64_t offset)
{
    return offset ? text("%s + %" PRIu64, base, offset) : base;
}

static bool is_dereferenced(const char *lvalue)
{
    return strncmp(lvalue, "(*", 2) == 0;
}

const char *emit_member(const char *lvalue, const char *member)
{
    if (!is_dereferenced(lvalue))
        return text("%s.%s", lvalue, member);
    return text("%.*s->%s", (int)strlen(lvalue) - 3, lvalue + 2, member);
}

const char *emit_address(const char *lvalue)
{
    if (!is_dereferenced(lvalue))
        return text("&%s", lvalue);
    return text("%.*s", (int)strlen(lvalue) - 3, lvalue + 2);
}

const char *emit_bound(const struct decl *decl)
{
    return decl->has_size ? text("%" PRIu64 "U", (uint64_t)decl->size.number) : "UINT32_MAX";
}

void emit_load(FILE *out, const struct leaf *leaf, const char *target, const char *at)
{
    static const char *const load[] = {
        "(int32_t)rpcrdma_xdr_load32({at})",
        "rpcrdma_xdr_load32({at})",
        "(int64_t)rpcrdma_xdr_load64({at})",
        "rpcrdma_xdr_load64({at})",
        "rpcrdma_xdr_load_float({at})",
        "rpcrdma_xdr_load_double({at})",
        "{at}",
        "1 == rpcrdma_xdr_load32({at})",
    };
    const struct decl *decl = leaf->real.decl;
    const char *how = load[BASE_QUADRUPLE];
    if (decl->kind != DECL_FIXED)
        how = decl->base == BASE_NAMED ? "({type})rpcrdma_xdr_load32({at})" : load[decl->base];
    fprintf(out, "%s%s = ", target, leaf->lvalue);
    EMIT(out, how, "at", emit_at(at, leaf->offset), "type", back_element_ctype(decl));
    fputs(";\n", out);
}
