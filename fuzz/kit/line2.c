// SPDX-License-Identifier: BSD-3-Clause
/* For agree_test.py: the parser in another process is asked what says version 2, of the draft that
 * DRAFT names, and nothing else. Where ANSWER is a number, that is the answer, as version2_test.sh
 * has it. */
#include "kit.h"

static struct kit_answer ask_testee(const uint8_t *octets, size_t length, bool is_reply);
#define kit_parse ask_testee
#include "line.c"
#undef kit_parse

struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply)
{
    (void)octets, (void)length, (void)is_reply;
    return (struct kit_answer){KIT_UNSUPPORTED, 0};
}

struct kit_answer kit_parse2(const uint8_t *octets, size_t length, enum kit_draft draft,
                             bool is_reply)
{
    const char *asked = getenv("DRAFT");
    if (asked == NULL || (draft == KIT_DRAFT_07) != (strcmp(asked, "07") == 0))
        return (struct kit_answer){KIT_UNSUPPORTED, 0};
    const char *answer = getenv("ANSWER");
    if (answer)
        return (struct kit_answer){(enum kit_kind)atoi(answer), 0};
    return ask_testee(octets, length, is_reply);
}
