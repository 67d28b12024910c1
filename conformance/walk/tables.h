// SPDX-License-Identifier: BSD-3-Clause
/*
 * The tables that `xdrgen --tables` makes of a specification: what each type consists of. walk.c
 * interprets them.
 */
#ifndef CONFORMANCE_TABLES_H
#define CONFORMANCE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

enum xdr_type_kind {
    XT_INT,
    XT_UINT,
    XT_HYPER,
    XT_UHYPER,
    XT_FLOAT,
    XT_DOUBLE,
    XT_QUADRUPLE,
    XT_BOOL,
    XT_OPAQUE,
    XT_STRING,
    XT_ENUM,    /* values */
    XT_STRUCT,  /* members */
    XT_LIST,    /* members of one entry, without the pointer to the next */
    XT_UNION,   /* members[0] is the discriminant; cases */
    XT_TYPEDEF, /* members[0] */
};

enum xdr_shape { XS_PLAIN, XS_FIXED, XS_VAR, XS_OPTIONAL, XS_VOID };

struct xdr_member {
    const char *name;
    const struct xdr_type *type; /* of an element */
    enum xdr_shape shape;
    uint32_t size; /* XS_FIXED: elements; XS_VAR: the bound, UINT32_MAX where there is none */
};

struct xdr_enumerator {
    const char *name;
    int32_t value;
};

struct xdr_case {
    int64_t label;
    bool is_default; /* the last row, if any */
    struct xdr_member arm;
};

struct xdr_type {
    enum xdr_type_kind kind;
    const char *name; /* the XDR's */
    uint32_t count;   /* of members, values or cases */
    const struct xdr_member *members;
    const struct xdr_enumerator *values;
    const struct xdr_case *cases;
};

extern const struct xdr_type rpcrdma_xdr_base_types[XT_STRING + 1]; /* by kind */

#endif
