// SPDX-License-Identifier: BSD-3-Clause
/* From a line to an answer. */
#include "conformance/run/testee/answer.h"

#include "conformance/base/count.h"
#include "conformance/run/testee/decoded.h"

#include <rpcrdma/check.h>

#include <stdlib.h>
#include <string.h>

#define DIGITS_MAX 18

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool parse_hex(const char *text, struct testee_answer *answer)
{
    size_t digits = strlen(text);
    if (digits == 0 || digits % 2 != 0 || digits > 2 * TESTEE_ERROR_OCTETS)
        return false;
    answer->error_length = digits / 2;
    for (size_t i = 0; i < digits; i += 2) {
        int high = hex_digit(text[i]), low = hex_digit(text[i + 1]);
        if (high < 0 || low < 0)
            return false;
        answer->error[i / 2] = (uint8_t)(high << 4 | low);
    }
    answer->said = TESTEE_ERROR;
    return true;
}

/* The errors of version 2; those of version 1 have answers of their own. */
static bool parse_error_word(const char *word, struct testee_answer *answer)
{
    if (strncmp(word, "err-", 4) != 0)
        return false;
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (strcmp(word, rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i))) == 0) {
            answer->said = TESTEE_ERROR_WORD;
            answer->reaction = 1u << i;
            return true;
        }
    return false;
}

/* What follows "accept". */
static bool parse_accept(const char *rest, struct testee_answer *answer)
{
    answer->said = TESTEE_ACCEPT;
    size_t digits = rest[0] == ' ' ? strspn(rest + 1, "0123456789") : 0;
    if (digits > DIGITS_MAX)
        return false;
    if (digits > 0) {
        answer->has_length = true;
        answer->length = strtoull(rest + 1, NULL, 10);
        rest += 1 + digits;
    }
    if (rest[0] != '\0' && rest[0] != ' ')
        return false;
    answer->fields = rest + strspn(rest, " ");
    return decoded_is_valid(answer->fields);
}

bool testee_parse(const char *line, struct testee_answer *answer)
{
    static const struct {
        const char *line;
        enum testee_said said;
    } plain[] = {{"error err-vers", TESTEE_ERR_VERS},
                 {"error err-chunk", TESTEE_ERR_CHUNK},
                 {"discard", TESTEE_DISCARD},
                 {"refuse", TESTEE_REFUSE},
                 {"close", TESTEE_CLOSE},
                 {"fail", TESTEE_FAIL},
                 {"limit", TESTEE_LIMIT},
                 {"unsupported", TESTEE_UNSUPPORTED},
                 {"more", TESTEE_MORE},
                 {"ok", TESTEE_OK}};
    answer->text = line;
    answer->fields = "";
    for (size_t i = 0; i < COUNT(plain); i++)
        if (strcmp(line, plain[i].line) == 0) {
            answer->said = plain[i].said;
            return true;
        }
    if (strncmp(line, "error ", 6) == 0)
        return parse_error_word(line + 6, answer) || parse_hex(line + 6, answer);
    return strncmp(line, "accept", 6) == 0 && parse_accept(line + 6, answer);
}

bool testee_refuses(const struct testee_answer *answer)
{
    return answer->said > TESTEE_ACCEPT && answer->said <= TESTEE_FAIL;
}
