// SPDX-License-Identifier: BSD-3-Clause
/*
 * Names and what they stand for, in scopes: a hash table.
 */
#include "gen/front/names.h"

#include <stdint.h>
#include <string.h>

#include "gen/front/diag.h"

/* FNV-1a over the name, begun with the scope. The last shift brings the high bits, which the
 * multiplications mix best, to where the slot is taken from. */
static size_t hash_name(const void *scope, const char *name)
{
    uint64_t hash = 14695981039346656037u ^ (uint64_t)(uintptr_t)scope;
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return (size_t)(hash ^ (hash >> 32));
}

/* Where the symbol is, or the free slot where it would be. There always is a free one. */
static size_t find_slot(const struct names *names, const void *scope, const char *name)
{
    size_t slot = hash_name(scope, name) & (names->room - 1);
    for (;;) {
        const struct symbol *symbol = names->slots[slot];
        if (symbol == NULL || (symbol->scope == scope && strcmp(symbol->name, name) == 0))
            return slot;
        slot = (slot + 1) & (names->room - 1);
    }
}

static void grow(struct names *names)
{
    struct names larger = {.room = names->room > 0 ? 2 * names->room : 256};
    larger.slots = diag_alloc(larger.room, sizeof(struct symbol *));
    larger.count = names->count;
    for (size_t i = 0; i < names->room; i++) {
        struct symbol *symbol = names->slots[i];
        if (symbol != NULL)
            larger.slots[find_slot(&larger, symbol->scope, symbol->name)] = symbol;
    }
    *names = larger;
}

struct symbol *names_find(const struct names *names, const void *scope, const char *name)
{
    return names->room > 0 ? names->slots[find_slot(names, scope, name)] : NULL;
}

void names_add(struct names *names, struct symbol symbol)
{
    if (2 * names->count >= names->room)
        grow(names);
    struct symbol *copy = diag_alloc(1, sizeof *copy);
    *copy = symbol;
    names->slots[find_slot(names, symbol.scope, symbol.name)] = copy;
    names->count++;
}
