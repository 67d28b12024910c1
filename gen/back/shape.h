// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the back ends share: the shape of each definition on the wire and its names in C.
 */
#ifndef XDRGEN_BACK_H
#define XDRGEN_BACK_H

#include "gen/front/ast.h"

#include <stdio.h>

/* How the output is named; from the command line. */
struct naming {
    const char *prefix;       /* of types and functions: "rpcrdma1_" */
    const char *const_prefix; /* of constants and enumerators: "RPCRDMA1_" */
    const char *strip;        /* taken off the front of a type's XDR name, or NULL */
    struct rename {
        const char *from, *to;
        struct loc loc;
        bool used;
    } * renames; /* whole names, before prefix and strip */
    unsigned rename_count;
    const char *banner; /* the first lines of each file */
    bool inline_all;
    bool offsets; /* the header says where words are */
    bool reduced; /* roots also decode where items were taken out */
};

/* A definition as the back ends see it: def->back_end. */
struct shape {
    const char *stem;  /* renamed, stripped, without prefix: segment */
    const char *cname; /* without "struct": rpcrdma1_segment */
    const char *ctype; /* as a field is declared: "struct rpcrdma1_segment", "uint32_t" */
    const char *item;  /* list: C type of one entry */
    const char *item_cname;
    bool item_is_field; /* list: an entry is just one struct; its own field adds nothing */
    uint64_t least;     /* octets on the wire, at least */
    bool fixed;         /* always exactly that many */
    bool free;          /* fixed, and every pattern of octets is valid */
    bool reachable;     /* from a root */
    bool in_array, in_optional;
};

/*
 * A declaration seen through typedefs that only rename: what is really there. `decl` is the
 * innermost declaration; `alias` the last typedef passed, if any, which names limits.
 */
struct real {
    const struct decl *decl;
    const struct def *alias;
};

struct real back_real(const struct decl *decl);
static inline struct shape *back_shape(const struct def *def)
{
    return def->back_end;
}

/* The octets that one element, or the plain value, of this declaration takes. */
uint64_t back_element_least(const struct decl *decl);
bool back_element_fixed(const struct decl *decl);
bool back_element_free(const struct decl *decl);
/* The same of the whole declaration, with its array or optional. */
uint64_t back_least(const struct decl *decl);
bool back_fixed(const struct decl *decl);
bool back_free(const struct decl *decl);

/* A base type of one word or two, or an enum: read by one load. */
bool back_is_scalar(const struct decl *decl);

/* C type of an element, of the whole declaration, and the stem that names an element's functions.
 */
const char *back_element_ctype(const struct decl *decl);
const char *back_ctype(const struct decl *decl);
const char *back_element_cname(const struct decl *decl);
const char *back_cfield(const char *name); /* a field's C name: no keyword of C */

/* Compute all shapes; mark what the roots reach (all, if there are none). False after a message. */
bool back_prepare(struct spec *spec, struct naming *naming, const char *const *roots,
                  unsigned root_count);

/* The name of the limit that the caller gives for an unbounded array, opaque or list, and whether
 * the declaration, a field of `owner`, needs one. */
const char *back_limit(const struct def *owner, const struct decl *decl);
bool back_needs_limit(const struct decl *decl);
const char *back_list_limit(const struct def *list);

/* The step that a field of this declaration adds to an error's path: "" for a union, and for a
 * union's arm that is a struct. */
const char *back_step(const struct decl *decl, bool is_arm);

/* Constants of the naming, upper-cased prefix and all. */
const char *back_constant(const char *name);
const char *back_limits_type(void);

/* printf into memory that is never freed. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));

/* "rfc8166.x:84" and the source line, as a comment before an item. */
void annotate(FILE *out, const struct spec *spec, const struct loc *loc);

/*
 * A fixed run: neighbouring fields of fixed size, nested structs laid flat, so that one comparison
 * covers them all.
 */
struct leaf {
    const char *lvalue; /* behind the view: "target.handle" */
    const char *path;
    struct real real;
    uint32_t offset, size; /* padding included */
    bool is_covered;       /* an enum whose values are all arms of the union that it chooses */
};

struct run {
    struct leaf *leaves;
    unsigned count;
    uint32_t size;
};

/* Lay `fields` flat from *field on as far as they allow, and move *field behind them. */
struct run back_run(const struct decl **field, const struct decl *stop);

/* Whether a struct, or the entry of a list, is just one fixed run; or just one array of elements of
 * fixed size whose octets are all valid. */
bool back_is_run(const struct def *def);
bool back_is_array(const struct def *def);

/* The fields of a list's entry end before its last. */
const struct decl *back_last_field(const struct def *def);

/* The first lines of a file: the banner and the notice of the specification's own authors. */
void emit_banner(FILE *out, const struct spec *spec, const struct naming *naming);

/* Emitters: what they write follows the order of spec->ordered. */
bool emit_header(FILE *out, const struct spec *spec, const struct naming *naming, const char *guard,
                 const char *const *roots, unsigned root_count);
/* False after a message: two constants would have one name. */
bool emit_offsets(FILE *out, const struct spec *spec, const struct naming *naming,
                  const char *const *roots, unsigned root_count);
void emit_source(FILE *out, const struct spec *spec, const struct naming *naming,
                 const char *include, const char *const *roots, unsigned root_count);
void emit_decoders(FILE *out, const struct spec *spec);
void emit_sizers(FILE *out, const struct spec *spec);
void emit_putters(FILE *out, const struct spec *spec);

/* Emit what one arm of a union does; `otherwise` is the statement for a value without an arm. */
typedef void arm_emitter(FILE *out, const struct def *def, const struct arm *arm);
void emit_arms(FILE *out, const struct def *def, arm_emitter *emit, const char *otherwise);

/* Whether values of the definition are encoded and sized by functions of its own. */
bool back_is_encoded(const struct def *def);
void emit_tables(FILE *out, const struct spec *spec, const struct naming *naming,
                 const char *const *roots, unsigned root_count);

/* Shared between emitters: a leaf's load, an enum's test. */
void emit_load(FILE *out, const struct leaf *leaf, const char *target, const char *at);
const char *enum_test(const struct def *def, const char *value);

/* Write code, indented as its braces say. */
void pretty(FILE *out, const char *code);

const struct def *back_root(const struct spec *spec, const char *name);

#endif
