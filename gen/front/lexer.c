// SPDX-License-Identifier: BSD-3-Clause
/*
 * From the text of a specification to its tokens (RFC 4506 section 6.2).
 */
#include "gen/front/lexer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "gen/front/diag.h"

/* Indexed by token_kind. The keywords are found here too, between their quotes. */
static const char *const kind_texts[] = {
    [TOKEN_END] = "the end of the file",
    [TOKEN_STRAY] = "a token",
    [TOKEN_NAME] = "a name",
    [TOKEN_NUMBER] = "a number",
    [TOKEN_LEFT_BRACE] = "'{'",
    [TOKEN_RIGHT_BRACE] = "'}'",
    [TOKEN_LEFT_PAREN] = "'('",
    [TOKEN_RIGHT_PAREN] = "')'",
    [TOKEN_LEFT_BRACKET] = "'['",
    [TOKEN_RIGHT_BRACKET] = "']'",
    [TOKEN_LESS] = "'<'",
    [TOKEN_GREATER] = "'>'",
    [TOKEN_SEMICOLON] = "';'",
    [TOKEN_COLON] = "':'",
    [TOKEN_COMMA] = "','",
    [TOKEN_EQUALS] = "'='",
    [TOKEN_STAR] = "'*'",
    [TOKEN_BOOL] = "'bool'",
    [TOKEN_CASE] = "'case'",
    [TOKEN_CONST] = "'const'",
    [TOKEN_DEFAULT] = "'default'",
    [TOKEN_DOUBLE] = "'double'",
    [TOKEN_ENUM] = "'enum'",
    [TOKEN_FLOAT] = "'float'",
    [TOKEN_HYPER] = "'hyper'",
    [TOKEN_INT] = "'int'",
    [TOKEN_OPAQUE] = "'opaque'",
    [TOKEN_QUADRUPLE] = "'quadruple'",
    [TOKEN_STRING] = "'string'",
    [TOKEN_STRUCT] = "'struct'",
    [TOKEN_SWITCH] = "'switch'",
    [TOKEN_TYPEDEF] = "'typedef'",
    [TOKEN_UNION] = "'union'",
    [TOKEN_UNSIGNED] = "'unsigned'",
    [TOKEN_VOID] = "'void'",
};

const char *lexer_kind_text(enum token_kind kind)
{
    return kind_texts[kind];
}

/* Not those of <ctype.h>: they would ask the locale. */
static bool is_digit(char octet)
{
    return octet >= '0' && octet <= '9';
}

static bool is_letter(char octet)
{
    return (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z');
}

static bool is_name_octet(char octet)
{
    return is_letter(octet) || is_digit(octet) || octet == '_';
}

static bool is_space(char octet)
{
    return octet == ' ' || (octet >= '\t' && octet <= '\r');
}

/* The whole file, or NULL after an error was printed. */
static char *read_file(const char *name, size_t *length)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        diag_file_error(name, "%s", strerror(errno));
        return NULL;
    }
    char *text = diag_alloc(LEXER_FILE_MAX + 1, 1);
    *length = fread(text, 1, LEXER_FILE_MAX + 1, file);
    int error = ferror(file) ? errno : 0;
    fclose(file);
    if (error != 0) {
        diag_file_error(name, "%s", strerror(error));
        return NULL;
    }
    if (*length > LEXER_FILE_MAX) {
        diag_file_error(name, "longer than %zu octets", LEXER_FILE_MAX);
        return NULL;
    }
    return text;
}

/* Cut a copy of the source into spec->lines. */
static void split_lines(struct spec *spec, const char *text, size_t length)
{
    char *copy = diag_copy(text, length);
    char *end = copy + length;
    size_t count = 0;
    for (const char *at = copy; at < end; at++)
        count += *at == '\n';
    spec->lines = diag_alloc(count + 1, sizeof *spec->lines);
    while (copy < end) {
        spec->lines[spec->line_count++] = copy;
        char *newline = memchr(copy, '\n', (size_t)(end - copy));
        char *stop = newline != NULL ? newline : end;
        if (stop > copy && stop[-1] == '\r')
            stop[-1] = '\0';
        *stop = '\0';
        copy = stop + 1;
    }
}

static struct loc here(const struct lexer *lexer)
{
    return (struct loc){lexer->spec->file, lexer->line,
                        (unsigned)(lexer->at - lexer->line_start) + 1};
}

/* Where the file ends, said so that there is a line to show. */
static struct loc end_of_file(const struct lexer *lexer)
{
    const struct spec *spec = lexer->spec;
    struct loc loc = {spec->file, 1, 1};
    if (spec->line_count > 0) {
        loc.line = spec->line_count;
        loc.column = (unsigned)strlen(spec->lines[loc.line - 1]) + 1;
    }
    return loc;
}

static bool starts_with(const struct lexer *lexer, const char *two)
{
    return lexer->end - lexer->at >= 2 && lexer->at[0] == two[0] && lexer->at[1] == two[1];
}

/* Past one octet, which may be a newline. */
static void step(struct lexer *lexer)
{
    if (*lexer->at++ == '\n') {
        lexer->line++;
        lexer->line_start = lexer->at;
    }
}

bool lexer_open(struct lexer *lexer, struct spec *spec)
{
    size_t length;
    char *text = read_file(spec->file, &length);
    if (text == NULL)
        return false;
    split_lines(spec, text, length);
    *lexer = (struct lexer){spec, text, text + length, text, 1};

    /* Everything after this takes lines and names for C strings. */
    const char *nul = memchr(text, '\0', length);
    if (nul != NULL) {
        while (lexer->at < nul)
            step(lexer);
        diag_error(spec, here(lexer), "NUL octet: this is not text");
    }
    return nul == NULL;
}

/* Past a comment that begins here. */
static bool skip_comment(struct lexer *lexer)
{
    struct loc start = here(lexer);
    lexer->at += 2;
    while (lexer->at < lexer->end) {
        if (starts_with(lexer, "*/")) {
            lexer->at += 2;
            return true;
        }
        step(lexer);
    }
    diag_error(lexer->spec, start, "comment does not end");
    return false;
}

/* Past all that separates tokens: white space, comments, and the lines that rpcgen hands through
 * to its output, which begin with '%'. */
static bool skip_space(struct lexer *lexer)
{
    while (lexer->at < lexer->end) {
        if (starts_with(lexer, "/*")) {
            if (!skip_comment(lexer))
                return false;
        } else if (*lexer->at == '%' && lexer->at == lexer->line_start) {
            while (lexer->at < lexer->end && *lexer->at != '\n')
                lexer->at++;
        } else if (is_space(*lexer->at)) {
            step(lexer);
        } else if (*lexer->at == '#') {
            diag_error(lexer->spec, here(lexer), "XDR has no preprocessor lines");
            diag_hint(lexer->spec, "'cpp -P' carries them out");
            return false;
        } else {
            break;
        }
    }
    return true;
}

static enum token_kind name_kind(const char *text, size_t length)
{
    for (enum token_kind kind = TOKEN_BOOL; kind <= TOKEN_VOID; kind++) {
        const char *keyword = kind_texts[kind] + 1;
        if (strncmp(keyword, text, length) == 0 && keyword[length] == '\'')
            return kind;
    }
    return TOKEN_NAME;
}

static bool read_name(struct lexer *lexer, struct token *token)
{
    while (lexer->at < lexer->end && is_name_octet(*lexer->at))
        lexer->at++;
    token->length = (size_t)(lexer->at - token->text);
    if (token->length > LEXER_NAME_MAX) {
        diag_error(lexer->spec, token->loc, "name is longer than %d octets", LEXER_NAME_MAX);
        return false;
    }
    token->kind = name_kind(token->text, token->length);
    return true;
}

/* What the digit stands for, or 16 and more if it is no digit. */
static unsigned digit_value(char octet)
{
    if (is_digit(octet))
        return (unsigned)(octet - '0');
    if (octet >= 'a' && octet <= 'f')
        return (unsigned)(octet - 'a') + 10;
    if (octet >= 'A' && octet <= 'F')
        return (unsigned)(octet - 'A') + 10;
    return 16;
}

/* The digits of a number from at to the end of the token: their value, unless one is not of the
 * base or the sum is past 64 bits. */
static bool add_up(const struct lexer *lexer, const struct token *token, const char *at,
                   unsigned base, uint64_t *sum)
{
    const char *end = token->text + token->length;
    *sum = 0;
    for (const char *digit = at; digit < end; digit++) {
        if (digit_value(*digit) >= base) {
            struct loc loc = token->loc;
            loc.column += (unsigned)(digit - token->text);
            diag_error(lexer->spec, loc, "expected %s digit, found '%c'",
                       base == 8    ? "an octal"
                       : base == 10 ? "a decimal"
                                    : "a hexadecimal",
                       *digit);
            return false;
        }
    }
    for (const char *digit = at; digit < end; digit++) {
        if (*sum > (UINT64_MAX - digit_value(*digit)) / base) {
            diag_error(lexer->spec, token->loc, "number does not fit 64 bits");
            return false;
        }
        *sum = *sum * base + digit_value(*digit);
    }
    return true;
}

/* RFC 4506 section 6.2 (4) to (6): only a decimal constant has a sign, and a first digit 0 makes
 * the number octal. */
static bool read_number(struct lexer *lexer, struct token *token)
{
    bool negative = *lexer->at == '-';
    lexer->at += negative;
    const char *digits = lexer->at;
    while (lexer->at < lexer->end && is_name_octet(*lexer->at))
        lexer->at++;
    token->kind = TOKEN_NUMBER;
    token->length = (size_t)(lexer->at - token->text);

    unsigned base = 10;
    if (negative && digits[0] == '0') {
        diag_error(lexer->spec, token->loc, "only a decimal number can be negative");
        return false;
    }
    if (digits[0] == '0')
        base = lexer->at - digits > 1 && digits[1] == 'x' ? 16 : 8;
    digits += base == 16 ? 2 : 0;
    if (digits == lexer->at) {
        diag_error(lexer->spec, token->loc, "hexadecimal number has no digits");
        return false;
    }
    uint64_t sum;
    if (!add_up(lexer, token, digits, base, &sum))
        return false;
    if (negative && sum > (uint64_t)INT64_MAX + 1) {
        diag_error(lexer->spec, token->loc, "number does not fit 64 bits");
        return false;
    }
    token->is_huge = !negative && sum > INT64_MAX;
    sum = negative ? 0 - sum : sum;
    memcpy(&token->number, &sum, sizeof sum);
    return true;
}

bool lexer_next(struct lexer *lexer, struct token *token)
{
    if (!skip_space(lexer))
        return false;
    *token = (struct token){.kind = TOKEN_END, .loc = here(lexer), .text = lexer->at};
    if (lexer->at == lexer->end) {
        token->loc = end_of_file(lexer);
        return true;
    }
    char octet = *lexer->at;
    if (is_letter(octet))
        return read_name(lexer, token);
    bool signed_number = octet == '-' && lexer->end - lexer->at >= 2 && is_digit(lexer->at[1]);
    if (is_digit(octet) || signed_number)
        return read_number(lexer, token);
    token->kind = TOKEN_STRAY;
    token->length = 1;
    lexer->at++;
    for (enum token_kind kind = TOKEN_LEFT_BRACE; kind <= TOKEN_STAR; kind++)
        if (kind_texts[kind][1] == octet)
            token->kind = kind;
    return true;
}
