// SPDX-License-Identifier: BSD-3-Clause
/*
 * From the text of a specification to its tokens (RFC 4506 section 6.2).
 */
#ifndef XDRGEN_LEXER_H
#define XDRGEN_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/front/ast.h"

/* What a hostile file can make the compiler hold is a multiple of this; RFC 7863 has 120 KiB. */
#define LEXER_FILE_MAX ((size_t)4 << 20)

/* Octets of a name, the longest that every stage after this one has to handle. */
#define LEXER_NAME_MAX 255

enum token_kind {
    TOKEN_END,    /* of the file */
    TOKEN_STRAY,  /* one octet that begins no token */
    TOKEN_NAME,   /* an identifier that is no keyword */
    TOKEN_NUMBER, /* a constant */
    TOKEN_LEFT_BRACE,
    TOKEN_RIGHT_BRACE,
    TOKEN_LEFT_PAREN,
    TOKEN_RIGHT_PAREN,
    TOKEN_LEFT_BRACKET,
    TOKEN_RIGHT_BRACKET,
    TOKEN_LESS,
    TOKEN_GREATER,
    TOKEN_SEMICOLON,
    TOKEN_COLON,
    TOKEN_COMMA,
    TOKEN_EQUALS,
    TOKEN_STAR,
    TOKEN_BOOL,
    TOKEN_CASE,
    TOKEN_CONST,
    TOKEN_DEFAULT,
    TOKEN_DOUBLE,
    TOKEN_ENUM,
    TOKEN_FLOAT,
    TOKEN_HYPER,
    TOKEN_INT,
    TOKEN_OPAQUE,
    TOKEN_QUADRUPLE,
    TOKEN_STRING,
    TOKEN_STRUCT,
    TOKEN_SWITCH,
    TOKEN_TYPEDEF,
    TOKEN_UNION,
    TOKEN_UNSIGNED,
    TOKEN_VOID,
};

struct token {
    enum token_kind kind;
    struct loc loc;
    const char *text; /* into the source: length octets, not terminated */
    size_t length;
    int64_t number; /* TOKEN_NUMBER, as struct value has it */
    bool is_huge;
};

struct lexer {
    struct spec *spec;
    const char *at, *end; /* what is left of the source */
    const char *line_start;
    unsigned line;
};

/* Read the file named by spec->file and fill in spec->lines. False after an error was printed. */
bool lexer_open(struct lexer *lexer, struct spec *spec);

/* The next token, TOKEN_END again and again at the end. False after an error was printed. */
bool lexer_next(struct lexer *lexer, struct token *token);

/* A token of this kind as it is written, in quotes: "';'", "'struct'"; for those that vary, what
 * they are: "a name". */
const char *lexer_kind_text(enum token_kind kind);

#endif
