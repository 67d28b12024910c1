// SPDX-License-Identifier: BSD-3-Clause
/*
 * Names and what they stand for, in scopes: a hash table.
 */
#ifndef XDRGEN_NAMES_H
#define XDRGEN_NAMES_H

#include <stddef.h>

#include "gen/front/ast.h"

struct symbol {
    const void *scope; /* any address that tells scopes apart, NULL for the outermost */
    const char *name;
    struct loc loc;                /* of the definition, line 0 if it is predefined */
    struct def *def;               /* the definition, or the enum of the enumerator */
    struct enumerator *enumerator; /* NULL if the name is not one */
    size_t index;                  /* the back end's */
};

struct names {
    struct symbol **slots;
    size_t room, count; /* room is a power of two */
};

/* The symbol of that name in that scope itself, or NULL. */
struct symbol *names_find(const struct names *names, const void *scope, const char *name);

/* Add what names_find() does not find. The name must stay where it is. */
void names_add(struct names *names, struct symbol symbol);

#endif
