// SPDX-License-Identifier: BSD-3-Clause
/*
 * A fixed run: neighbouring fields of fixed size, nested structs laid flat, so that one comparison
 * covers them all.
 */
#ifndef XDRGEN_RUN_H
#define XDRGEN_RUN_H

#include "gen/back/shape.h"

struct leaf {
    const char *lvalue; /* after the view: "target.handle" */
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

/* Lay `fields` flat from *field on as far as they allow, and move *field past them. */
struct run back_run(const struct decl **field, const struct decl *stop);

/* Whether the arms name every value of the enum: then a value without an arm is not in the enum.
 * Not where there is a default arm, which would take it. */
bool back_covers(const struct def *def);
/* Add a union's discriminant: the union is in that field, or NULL if it is the view itself. */
void back_add_discriminant(struct run *run, const struct def *def, const char *field);

/* Whether a struct, or the entry of a list, is just one fixed run; or just one array of elements of
 * fixed size whose octets are all valid. */
bool back_is_run(const struct def *def);
bool back_is_array(const struct def *def);

/* Whether a run is two words and a double word, after one more word in a list: of such the runtime
 * turns many at once. No Booleans, which are one octet in C. */
bool back_is_turned(const struct run *run, bool in_list);

#endif
