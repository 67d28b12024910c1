// SPDX-License-Identifier: BSD-3-Clause
/* The shape of each definition on the wire, and which of them the roots reach. */
#ifndef XDRGEN_SHAPE_H
#define XDRGEN_SHAPE_H

#include "gen/front/ast.h"

struct naming;

/* A definition as the back end sees it: def->back_end. */
struct shape {
    const struct def *def; /* the first of those that share it */
    const char *stem;      /* renamed, stripped, without prefix: segment */
    const char *cname;     /* without "struct": rpcrdma1_segment */
    const char *ctype;     /* as a field is declared: "struct rpcrdma1_segment", "uint32_t" */
    const char *item;      /* list: C type of one entry */
    const char *item_cname;
    bool item_is_field; /* list: an entry is just one struct; its own field adds nothing */
    uint64_t least;     /* octets on the wire, at least */
    bool fixed;         /* always exactly that many */
    bool any_bits;      /* fixed, and every pattern of octets is valid */
    bool reachable;     /* from a root */
    bool in_array, in_optional;
};

static inline struct shape *back_shape(const struct def *def)
{
    return def->back_end;
}

/*
 * A declaration seen through typedefs that only rename: what is really there. `decl` is the
 * innermost declaration; `alias` the last typedef passed, if any, which names limits.
 */
struct real {
    const struct decl *decl;
    const struct def *alias;
};

struct real back_real(const struct decl *decl);
/* The same of one element of the declaration; and the definition whose name an element's functions
 * and wrappers carry, NULL for a base type. */
struct real back_element_real(const struct decl *decl);
const struct def *back_element_def(const struct decl *decl);

/* The octets that one element, or the plain value, of this declaration takes. */
uint64_t back_element_least(const struct decl *decl);
bool back_element_fixed(const struct decl *decl);
bool back_element_any_bits(const struct decl *decl);
/* The same of the whole declaration, with its array or optional. */
uint64_t back_least(const struct decl *decl);
bool back_fixed(const struct decl *decl);
bool back_any_bits(const struct decl *decl);

/* A base type of one word or two, or an enum: read by one load. */
bool back_is_scalar(const struct decl *decl);
/* Opaque data or a string. */
bool back_is_octets(const struct decl *decl);
/* What is really there is a union: its definition, else NULL. */
const struct def *back_union(const struct decl *decl);
/* A pointer to an XDR linked list. */
bool back_is_list(const struct decl *decl);

/* Compute all shapes; mark what the roots reach (all, if there are none). False after a message. */
bool back_prepare(struct spec *spec, struct naming *naming, const char *const *roots,
                  unsigned root_count);
const struct def *back_root(const struct spec *spec, const char *name);

/* The last field of a list's struct: its entry is the fields before. */
const struct decl *back_last_field(const struct def *def);
/* The octets of an entry at least, its presence word included. */
uint64_t back_entry_least(const struct def *list);

/* Whether C has the type: reached, and the first that has its name. */
bool back_is_emitted(const struct def *def);
/* Whether values of it are decoded, encoded and sized by functions of its own. */
bool back_is_encoded(const struct def *def);

#endif
