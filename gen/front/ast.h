// SPDX-License-Identifier: BSD-3-Clause
/*
 * The checked abstract syntax of an XDR specification (RFC 4506 section 6).
 *
 * The front end (lexer.c, parser.c, check.c) builds it; the back ends only read it. After
 * xdr_check() every name is resolved, every constant has its value and what RFC 4506 section 6.4
 * forbids has been refused, so a back end meets no error of the input.
 *
 * Everything lives until the process ends: a compiler of small files frees nothing.
 */
#ifndef XDRGEN_AST_H
#define XDRGEN_AST_H

#include <stdbool.h>
#include <stdint.h>

/* Where a token stands. Lines and columns count from 1, columns in octets. */
struct loc {
    const char *file;
    unsigned line, column;
};

enum base_kind {
    BASE_INT,
    BASE_UINT,
    BASE_HYPER,
    BASE_UHYPER,
    BASE_FLOAT,
    BASE_DOUBLE,
    BASE_QUADRUPLE,
    BASE_BOOL,
    BASE_OPAQUE, /* octets: only with DECL_FIXED or DECL_VAR */
    BASE_STRING, /* only with DECL_VAR */
    BASE_VOID,   /* only with DECL_VOID */
    BASE_NAMED,  /* an enum, struct, union or typedef: see decl.def */
};

enum decl_kind {
    DECL_PLAIN,    /* T name       */
    DECL_FIXED,    /* T name[size] */
    DECL_VAR,      /* T name<size> */
    DECL_OPTIONAL, /* T *name      */
    DECL_VOID,     /* void         */
};

/* A number as written: literal, or the name of a constant or enumerator. */
struct value {
    struct loc loc;
    const char *name; /* as written, NULL for a literal */
    int64_t number;   /* resolved by xdr_check(); a literal has it from the parser */
    bool is_huge;     /* 2^63 to 2^64-1, number holds the same 64 bits: only in constants */
    struct def *def;  /* of a name: the constant or the enum that has it, NULL for TRUE and FALSE */
};

/* A declaration: the field of a struct, the arm of a union, the body of a typedef. */
struct decl {
    struct loc loc;   /* of the name; of the word void for DECL_VOID */
    const char *name; /* NULL for DECL_VOID */
    enum decl_kind kind;
    enum base_kind base;
    struct loc type_loc;
    const char *type_name; /* BASE_NAMED: as written (or made for an inline type) */
    struct def *def;       /* BASE_NAMED: resolved by xdr_check() */
    bool has_size;         /* DECL_FIXED always; DECL_VAR unless written <> */
    struct value size;
    struct decl *next;
};

struct enumerator {
    struct loc loc;
    const char *name;
    struct value value; /* 32-bit signed after the check */
    struct enumerator *next;
};

/* One arm of a union: all its case labels share one declaration. */
struct arm {
    struct loc loc;
    struct value *labels; /* label_count of them; none for the default arm */
    unsigned label_count;
    bool is_default;
    struct decl *decl;
    struct arm *next;
};

enum def_kind { DEF_CONST, DEF_ENUM, DEF_STRUCT, DEF_UNION, DEF_TYPEDEF };

/* A definition, in the order of the specification. An inline enum, struct or union ("struct { … }
 * f") becomes a definition of its own, named <outer>_<field>, just before the one that holds it.
 * "typedef struct { … } T" is "struct T { … }"; in an array or optional typedef T it is T_item. */
struct def {
    struct loc loc;   /* of the name */
    struct loc start; /* of the keyword that opens it */
    enum def_kind kind;
    const char *name;
    bool is_inline;

    struct value constant;          /* DEF_CONST */
    struct enumerator *enumerators; /* DEF_ENUM */
    struct decl *fields;            /* DEF_STRUCT: one or more */
    struct decl *target;            /* DEF_TYPEDEF; its name is the typedef's */
    struct decl *discriminant;      /* DEF_UNION: int, unsigned int, bool or an enum, DECL_PLAIN */
    struct arm *arms;               /* DEF_UNION: one or more, the default arm last */

    /* Set by xdr_check(). */
    bool is_list;   /* a struct whose last field is an optional pointer to itself: an XDR linked
                       list, which is walked in a loop */
    unsigned index; /* ordinal in spec.defs */

    void *back_end; /* for the back end's own notes */
    struct def *next;
};

struct spec {
    const char *file;
    char **lines; /* the source, line by line without newline, for annotations */
    unsigned line_count;
    struct def *defs;
    unsigned def_count;

    /* Set by xdr_check(): the def_count definitions in the order of the specification, changed only
     * so far that each stands after all that it names (a list's pointer to itself aside). */
    struct def **ordered;
};

/*
 * Read and parse file. Prints "FILE:LINE:COLUMN: error: …" with the offending line and a caret on
 * standard error and returns NULL when the text is not RFC 4506 XDR. One error ends it.
 */
struct spec *xdr_parse(const char *file);

/*
 * Resolve names and values and enforce RFC 4506 section 6.4 and what a codec without recursion
 * needs. Returns false after printing as xdr_parse() does. Refused: unknown or repeated names (one
 * name space for types, constants and enumerators; one for the fields of each struct, and the arms
 * and discriminant of each union), sizes outside 0 to 2^32-1 or named before their constant,
 * enumerators outside 32 bits signed or named before their number, equal case labels, labels
 * outside the discriminant's type, discriminants of other types, a type that contains itself
 * directly, and recursion through anything but a struct's last field being an optional pointer to
 * that struct.
 */
bool xdr_check(struct spec *spec);

#endif
