// SPDX-License-Identifier: BSD-3-Clause
/*
 * Names in C of what a specification defines: what the command line says of prefixes and renames,
 * and what follows from it for types, fields, constants, limits and the paths of errors.
 */
#ifndef XDRGEN_CNAME_H
#define XDRGEN_CNAME_H

#include "gen/back/shape.h"

/* How the output is named and what it holds; from the command line. */
struct naming {
    const char *prefix;       /* of types and functions: "rpcrdma1_" */
    const char *const_prefix; /* of constants and enumerators: "RPCRDMA1_" */
    const char *strip;        /* taken off the front of a type's XDR name, or NULL */
    const char *const_strip;  /* the same of constants and enumerators */
    struct rename {
        const char *from, *to;
        struct loc loc;
        bool used;
    } * renames; /* whole names, before prefix and strip */
    unsigned rename_count;
    const char *title;  /* what comments call the specification: "RFC 8166", or NULL */
    const char *banner; /* the first lines of each file */
    bool acsl;          /* contracts for a proof with Frama-C's WP */
    bool eva;           /* what keeps paths apart in Frama-C's Eva */
    bool inline_all;
    bool offsets; /* the header says where words are */
    bool reduced; /* roots also decode where items were taken out */
};

/* Before all else here. */
void cname_begin(struct naming *naming);
const struct naming *cname_naming(void);

/* printf into memory that is never freed. */
char *text(const char *format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));

/* What the list of names says instead, or NULL; marks the entry as used. */
const char *cname_renamed(const char *name);
/* A type's name without prefix: renamed, or stripped. */
const char *cname_stem(const char *name);
/* "uint32_t" */
const char *cname_base(enum base_kind base);
const char *back_prefix(void);

/* C type of an element, of the whole declaration, and the stem that names an element's functions.
 */
const char *back_element_ctype(const struct decl *decl);
const char *back_ctype(const struct decl *decl);
const char *back_element_cname(const struct decl *decl);
const char *back_cfield(const char *name); /* a field's C name: no keyword of C */

/* A constant's or an enumerator's name in C; the type of the codec's limits. */
const char *back_constant(const char *name);
const char *back_limits_type(void);

/* The name of the limit that the caller gives for an unbounded array, opaque or list, and whether
 * the declaration, a field of `owner`, needs one. */
const char *back_limit(const struct def *owner, const struct decl *decl);
bool back_needs_limit(const struct decl *decl);
const char *back_list_limit(const struct def *list);

/* The step that a field of this declaration adds to an error's path: "" for a union, and for a
 * union's arm that is a struct. */
const char *back_step(const struct decl *decl, bool is_arm);

#endif
