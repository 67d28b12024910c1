// SPDX-License-Identifier: BSD-3-Clause
/*
 * From tokens to the syntax tree: the grammar of RFC 4506 section 6.3, and that of RFC 5531 section
 * 12.2 as far as to pass over programs.
 *
 * "program" and "version" are keywords of the second only. They stand where no name can stand, so
 * they remain names everywhere else. Recursion follows inline bodies and stops at NESTING_MAX.
 */
#include "gen/front/ast.h"

#include <stdio.h>
#include <string.h>

#include "gen/front/diag.h"
#include "gen/front/lexer.h"

#define NESTING_MAX 32

/* An inline definition whose name is not yet made, because that of its holder may not be known. */
struct lifted {
    struct def *def;
    struct def *holder;
    struct decl *decl; /* the declaration it stands in */
    struct lifted *next;
};

struct parser {
    struct spec *spec;
    struct lexer lexer;
    struct token token;    /* the next, not yet taken */
    struct def **tail;     /* of spec->defs */
    struct lifted *lifted; /* the latest first: a holder before what it holds */
    unsigned nesting;
};

static bool parse_body(struct parser *parser, struct def *def);

/* The next token as it is written, cut and made printable. Valid until the next call. */
static const char *found(const struct parser *parser)
{
    static char text[48];
    const struct token *token = &parser->token;
    if (token->kind == TOKEN_END)
        return lexer_kind_text(TOKEN_END);
    unsigned char octet = (unsigned char)token->text[0];
    if (octet < ' ' || octet > '~')
        snprintf(text, sizeof text, "'\\x%02x'", (unsigned)octet);
    else if (token->length <= 40)
        snprintf(text, sizeof text, "'%.*s'", (int)token->length, token->text);
    else
        snprintf(text, sizeof text, "'%.37s...'", token->text);
    return text;
}

/* Returns false, for the caller to return. */
static bool expected(const struct parser *parser, const char *what)
{
    diag_error(parser->spec, parser->token.loc, "expected %s, found %s", what, found(parser));
    return false;
}

static bool next_is(const struct parser *parser, enum token_kind kind)
{
    return parser->token.kind == kind;
}

static bool next_is_word(const struct parser *parser, const char *word)
{
    return next_is(parser, TOKEN_NAME) && parser->token.length == strlen(word) &&
           memcmp(parser->token.text, word, parser->token.length) == 0;
}

static bool take(struct parser *parser)
{
    return lexer_next(&parser->lexer, &parser->token);
}

static bool take_kind(struct parser *parser, enum token_kind kind)
{
    return next_is(parser, kind) ? take(parser) : expected(parser, lexer_kind_text(kind));
}

static bool take_name(struct parser *parser, const char *what, const char **name, struct loc *loc)
{
    if (!next_is(parser, TOKEN_NAME))
        return expected(parser, what);
    *name = diag_copy(parser->token.text, parser->token.length);
    *loc = parser->token.loc;
    return take(parser);
}

static bool take_number(struct parser *parser, struct value *value)
{
    if (!next_is(parser, TOKEN_NUMBER))
        return expected(parser, lexer_kind_text(TOKEN_NUMBER));
    *value = (struct value){
        .loc = parser->token.loc, .number = parser->token.number, .is_huge = parser->token.is_huge};
    return take(parser);
}

static bool take_value(struct parser *parser, struct value *value)
{
    if (next_is(parser, TOKEN_NAME)) {
        *value = (struct value){0};
        return take_name(parser, lexer_kind_text(TOKEN_NAME), &value->name, &value->loc);
    }
    return next_is(parser, TOKEN_NUMBER) ? take_number(parser, value)
                                         : expected(parser, "a number or the name of one");
}

static struct def *new_def(const struct parser *parser, enum def_kind kind)
{
    struct def *def = diag_alloc(1, sizeof *def);
    def->kind = kind;
    def->start = parser->token.loc;
    return def;
}

static void append(struct parser *parser, struct def *def)
{
    *parser->tail = def;
    parser->tail = &def->next;
}

static bool body_kind(enum token_kind token, enum def_kind *kind)
{
    *kind = token == TOKEN_ENUM ? DEF_ENUM : token == TOKEN_STRUCT ? DEF_STRUCT : DEF_UNION;
    return token == TOKEN_ENUM || token == TOKEN_STRUCT || token == TOKEN_UNION;
}

/* enum-body, struct-body or union-body where a type-specifier may stand. */
static bool parse_inline(struct parser *parser, struct def *holder, struct decl *decl)
{
    enum token_kind keyword = parser->token.kind;
    enum def_kind kind;
    body_kind(keyword, &kind);
    struct def *def = new_def(parser, kind);
    def->is_inline = true;
    if (!take(parser))
        return false;
    if (next_is(parser, TOKEN_NAME)) {
        expected(parser, keyword == TOKEN_UNION ? "'switch'" : "'{'");
        diag_hint(parser->spec,
                  "RFC 4506 has no tags, only rpcgen takes %s before the name of a type: "
                  "write the name alone",
                  lexer_kind_text(keyword));
        return false;
    }
    if (!parse_body(parser, def))
        return false;
    decl->base = BASE_NAMED;
    append(parser, def);
    struct lifted *lifted = diag_alloc(1, sizeof *lifted);
    *lifted = (struct lifted){def, holder, decl, parser->lifted};
    parser->lifted = lifted;
    return true;
}

static bool parse_unsigned(struct parser *parser, struct decl *decl)
{
    if (!take(parser))
        return false;
    if (!next_is(parser, TOKEN_INT) && !next_is(parser, TOKEN_HYPER)) {
        expected(parser, "'int' or 'hyper'");
        diag_hint(parser->spec, "RFC 4506 has no 'unsigned' alone: write 'unsigned int'");
        return false;
    }
    decl->base = next_is(parser, TOKEN_INT) ? BASE_UINT : BASE_UHYPER;
    return take(parser);
}

/* type-specifier */
static bool parse_type(struct parser *parser, struct def *holder, struct decl *decl,
                       const char *what)
{
    static const struct {
        enum token_kind token;
        enum base_kind base;
    } simple[] = {
        {TOKEN_INT, BASE_INT},       {TOKEN_HYPER, BASE_HYPER},         {TOKEN_FLOAT, BASE_FLOAT},
        {TOKEN_DOUBLE, BASE_DOUBLE}, {TOKEN_QUADRUPLE, BASE_QUADRUPLE}, {TOKEN_BOOL, BASE_BOOL},
    };
    decl->type_loc = parser->token.loc;
    for (size_t i = 0; i < sizeof simple / sizeof simple[0]; i++) {
        if (next_is(parser, simple[i].token)) {
            decl->base = simple[i].base;
            return take(parser);
        }
    }
    enum def_kind ignored;
    if (next_is(parser, TOKEN_UNSIGNED))
        return parse_unsigned(parser, decl);
    if (body_kind(parser->token.kind, &ignored))
        return parse_inline(parser, holder, decl);
    decl->base = BASE_NAMED;
    return take_name(parser, what, &decl->type_name, &decl->type_loc);
}

/* What may follow the name: "[" value "]" or "<" [ value ] ">". */
static bool parse_size(struct parser *parser, struct decl *decl)
{
    decl->kind = next_is(parser, TOKEN_LESS) ? DECL_VAR : DECL_FIXED;
    enum token_kind close = decl->kind == DECL_VAR ? TOKEN_GREATER : TOKEN_RIGHT_BRACKET;
    if (!take(parser))
        return false;
    decl->has_size = !(decl->kind == DECL_VAR && next_is(parser, close));
    return (!decl->has_size || take_value(parser, &decl->size)) && take_kind(parser, close);
}

/* The rest of a declaration that begins with "opaque" or "string". */
static bool parse_octets(struct parser *parser, struct decl *decl)
{
    bool is_string = next_is(parser, TOKEN_STRING);
    decl->base = is_string ? BASE_STRING : BASE_OPAQUE;
    if (!take(parser) || !take_name(parser, "a name", &decl->name, &decl->loc))
        return false;
    if (!next_is(parser, TOKEN_LESS) && (is_string || !next_is(parser, TOKEN_LEFT_BRACKET)))
        return expected(parser, is_string ? "'<'" : "'[' or '<'");
    return parse_size(parser, decl);
}

/* declaration */
static bool parse_decl(struct parser *parser, struct def *holder, struct decl **result,
                       const char *what)
{
    struct decl *decl = diag_alloc(1, sizeof *decl);
    *result = decl;
    decl->kind = DECL_PLAIN;
    decl->type_loc = parser->token.loc;
    if (next_is(parser, TOKEN_VOID)) {
        decl->loc = parser->token.loc;
        decl->kind = DECL_VOID;
        decl->base = BASE_VOID;
        return take(parser);
    }
    if (next_is(parser, TOKEN_OPAQUE) || next_is(parser, TOKEN_STRING))
        return parse_octets(parser, decl);
    if (!parse_type(parser, holder, decl, what))
        return false;
    if (next_is(parser, TOKEN_STAR)) {
        decl->kind = DECL_OPTIONAL;
        return take(parser) && take_name(parser, "a name", &decl->name, &decl->loc);
    }
    if (!take_name(parser, "a name or '*'", &decl->name, &decl->loc))
        return false;
    bool is_array = next_is(parser, TOKEN_LEFT_BRACKET) || next_is(parser, TOKEN_LESS);
    return !is_array || parse_size(parser, decl);
}

/* enum-body */
static bool parse_enum(struct parser *parser, struct def *def)
{
    struct enumerator **tail = &def->enumerators;
    if (!take_kind(parser, TOKEN_LEFT_BRACE))
        return false;
    for (;;) {
        struct enumerator *enumerator = diag_alloc(1, sizeof *enumerator);
        if (!take_name(parser, "the name of an enumerator", &enumerator->name, &enumerator->loc) ||
            !take_kind(parser, TOKEN_EQUALS) || !take_value(parser, &enumerator->value))
            return false;
        *tail = enumerator;
        tail = &enumerator->next;
        if (!next_is(parser, TOKEN_COMMA)) {
            return next_is(parser, TOKEN_RIGHT_BRACE) ? take(parser)
                                                      : expected(parser, "',' or '}'");
        }
        if (!take(parser))
            return false;
    }
}

/* struct-body */
static bool parse_struct(struct parser *parser, struct def *def)
{
    struct decl **tail = &def->fields;
    const char *what = "a declaration";
    if (!take_kind(parser, TOKEN_LEFT_BRACE))
        return false;
    do {
        if (!parse_decl(parser, def, tail, what) || !take_kind(parser, TOKEN_SEMICOLON))
            return false;
        tail = &(*tail)->next;
        what = "a declaration or '}'";
    } while (!next_is(parser, TOKEN_RIGHT_BRACE));
    return take(parser);
}

/* One or more "case" value ":". */
static bool parse_labels(struct parser *parser, struct arm *arm)
{
    unsigned room = 1;
    arm->labels = diag_alloc(room, sizeof *arm->labels);
    while (next_is(parser, TOKEN_CASE)) {
        if (arm->label_count == room) {
            struct value *labels = diag_alloc(room, 2 * sizeof *labels);
            memcpy(labels, arm->labels, room * sizeof *labels);
            arm->labels = labels;
            room *= 2;
        }
        if (!take(parser) || !take_value(parser, &arm->labels[arm->label_count]) ||
            !take_kind(parser, TOKEN_COLON))
            return false;
        arm->label_count++;
    }
    return true;
}

static bool parse_arm(struct parser *parser, struct def *def, struct arm *arm)
{
    arm->loc = parser->token.loc;
    arm->is_default = next_is(parser, TOKEN_DEFAULT);
    bool labelled = arm->is_default ? take(parser) && take_kind(parser, TOKEN_COLON)
                                    : parse_labels(parser, arm);
    const char *what = arm->is_default ? "a declaration" : "a declaration or 'case'";
    return labelled && parse_decl(parser, def, &arm->decl, what) &&
           take_kind(parser, TOKEN_SEMICOLON);
}

/* union-body */
static bool parse_union(struct parser *parser, struct def *def)
{
    struct arm **tail = &def->arms;
    const char *what = "'case'";
    if (!take_kind(parser, TOKEN_SWITCH) || !take_kind(parser, TOKEN_LEFT_PAREN) ||
        !parse_decl(parser, def, &def->discriminant, "a declaration") ||
        !take_kind(parser, TOKEN_RIGHT_PAREN) || !take_kind(parser, TOKEN_LEFT_BRACE))
        return false;
    for (;;) {
        bool may_default = def->arms != NULL && next_is(parser, TOKEN_DEFAULT);
        if (!next_is(parser, TOKEN_CASE) && !may_default)
            return expected(parser, what);
        struct arm *arm = diag_alloc(1, sizeof *arm);
        if (!parse_arm(parser, def, arm))
            return false;
        *tail = arm;
        tail = &arm->next;
        what = "'case', 'default' or '}'";
        if (arm->is_default || next_is(parser, TOKEN_RIGHT_BRACE))
            return take_kind(parser, TOKEN_RIGHT_BRACE);
    }
}

static bool parse_body(struct parser *parser, struct def *def)
{
    if (parser->nesting == NESTING_MAX) {
        diag_error(parser->spec, def->start, "types are nested deeper than %d", NESTING_MAX);
        return false;
    }
    parser->nesting++;
    bool parsed = def->kind == DEF_ENUM     ? parse_enum(parser, def)
                  : def->kind == DEF_STRUCT ? parse_struct(parser, def)
                                            : parse_union(parser, def);
    parser->nesting--;
    return parsed;
}

/* Name what was lifted out of a definition, from the outside inwards. */
static bool name_lifted(struct parser *parser)
{
    for (; parser->lifted != NULL; parser->lifted = parser->lifted->next) {
        const struct lifted *lifted = parser->lifted;
        bool in_typedef = lifted->holder->kind == DEF_TYPEDEF;
        char name[2 * LEXER_NAME_MAX + 2];
        int length = lifted->def->name != NULL
                         ? snprintf(name, sizeof name, "%s", lifted->def->name)
                         : snprintf(name, sizeof name, "%s_%s", lifted->holder->name,
                                    in_typedef ? "item" : lifted->decl->name);
        if (length > LEXER_NAME_MAX) {
            diag_error(parser->spec, lifted->decl->loc,
                       "the name made for this inline type is longer than %d octets",
                       LEXER_NAME_MAX);
            return false;
        }
        lifted->def->name = diag_copy(name, (size_t)length);
        lifted->def->loc = lifted->decl->loc;
        lifted->decl->type_name = lifted->def->name;
    }
    return true;
}

static bool parse_typedef(struct parser *parser)
{
    struct def *def = new_def(parser, DEF_TYPEDEF);
    if (!take(parser) || !parse_decl(parser, def, &def->target, "a declaration"))
        return false;
    struct decl *target = def->target;
    if (target->kind == DECL_VOID) {
        diag_error(parser->spec, target->loc, "a typedef of void names nothing");
        return false;
    }
    def->name = target->name;
    def->loc = target->loc;
    bool is_body = parser->lifted != NULL && parser->lifted->decl == target;
    if (is_body && target->kind == DECL_PLAIN) {
        /* RFC 4506 section 4.18: the same as a definition with the keyword and the name. */
        struct def *body = parser->lifted->def;
        body->name = def->name;
        body->start = def->start;
        body->is_inline = false;
    } else if (name_lifted(parser)) {
        append(parser, def);
    } else {
        return false;
    }
    return name_lifted(parser) && take_kind(parser, TOKEN_SEMICOLON);
}

/* "enum" identifier enum-body ";" and its like. */
static bool parse_named_body(struct parser *parser)
{
    enum def_kind kind;
    body_kind(parser->token.kind, &kind);
    struct def *def = new_def(parser, kind);
    if (!take(parser) || !take_name(parser, "a name", &def->name, &def->loc) ||
        !parse_body(parser, def) || !name_lifted(parser))
        return false;
    append(parser, def);
    return take_kind(parser, TOKEN_SEMICOLON);
}

static bool parse_const(struct parser *parser)
{
    struct def *def = new_def(parser, DEF_CONST);
    if (!take(parser) || !take_name(parser, "a name", &def->name, &def->loc) ||
        !take_kind(parser, TOKEN_EQUALS) || !take_number(parser, &def->constant))
        return false;
    append(parser, def);
    return take_kind(parser, TOKEN_SEMICOLON);
}

/* "=" constant ";" after a program, version or procedure. */
static bool skip_ordinal(struct parser *parser)
{
    struct value value;
    if (!take_kind(parser, TOKEN_EQUALS) || !take_number(parser, &value))
        return false;
    if (value.number < 0 && !value.is_huge) {
        diag_error(parser->spec, value.loc,
                   "programs, versions and procedures have no negative "
                   "numbers");
        return false;
    }
    return take_kind(parser, TOKEN_SEMICOLON);
}

/* "void" | type-specifier */
static bool skip_type(struct parser *parser, bool may_be_void, const char *what)
{
    struct decl decl = {0};
    struct def holder = {0};
    if (may_be_void && next_is(parser, TOKEN_VOID))
        return take(parser);
    return parse_type(parser, &holder, &decl, what);
}

/* procedure-def */
static bool skip_procedure(struct parser *parser, const char *what)
{
    const char *name;
    struct loc loc;
    if (!skip_type(parser, true, what) || !take_name(parser, "a name", &name, &loc) ||
        !take_kind(parser, TOKEN_LEFT_PAREN) || !skip_type(parser, true, "a type"))
        return false;
    while (next_is(parser, TOKEN_COMMA))
        if (!take(parser) || !skip_type(parser, false, "a type"))
            return false;
    return take_kind(parser, TOKEN_RIGHT_PAREN) && skip_ordinal(parser);
}

/* version-def */
static bool skip_version(struct parser *parser, const char *what)
{
    const char *name;
    struct loc loc;
    if (!next_is_word(parser, "version"))
        return expected(parser, what);
    if (!take(parser) || !take_name(parser, "a name", &name, &loc) ||
        !take_kind(parser, TOKEN_LEFT_BRACE))
        return false;
    what = "a type";
    do {
        if (!skip_procedure(parser, what))
            return false;
        what = "a type or '}'";
    } while (!next_is(parser, TOKEN_RIGHT_BRACE));
    return take(parser) && skip_ordinal(parser);
}

/* program-def: nothing of it stays. */
static bool skip_program(struct parser *parser)
{
    struct def **tail = parser->tail;
    const char *name;
    struct loc loc;
    if (!take(parser) || !take_name(parser, "a name", &name, &loc) ||
        !take_kind(parser, TOKEN_LEFT_BRACE))
        return false;
    const char *what = "'version'";
    do {
        if (!skip_version(parser, what))
            return false;
        what = "'version' or '}'";
    } while (!next_is(parser, TOKEN_RIGHT_BRACE));
    *tail = NULL;
    parser->tail = tail;
    parser->lifted = NULL;
    return take(parser) && skip_ordinal(parser);
}

static bool parse_definition(struct parser *parser)
{
    if (next_is_word(parser, "program"))
        return skip_program(parser);
    switch (parser->token.kind) {
    case TOKEN_CONST:
        return parse_const(parser);
    case TOKEN_TYPEDEF:
        return parse_typedef(parser);
    case TOKEN_ENUM:
    case TOKEN_STRUCT:
    case TOKEN_UNION:
        return parse_named_body(parser);
    default:
        return expected(parser, "a definition");
    }
}

struct spec *xdr_parse(const char *file)
{
    struct spec *spec = diag_alloc(1, sizeof *spec);
    spec->file = file;
    struct parser parser = {.spec = spec, .tail = &spec->defs};
    if (!lexer_open(&parser.lexer, spec) || !take(&parser))
        return NULL;
    while (!next_is(&parser, TOKEN_END))
        if (!parse_definition(&parser))
            return NULL;
    if (spec->defs == NULL) {
        diag_error(spec, (struct loc){file, 1, 1}, "no definitions");
        return NULL;
    }
    return spec;
}
