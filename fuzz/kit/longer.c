// SPDX-License-Identifier: BSD-3-Clause
/* A planted fault for version2_test.sh: the parser of version2.c, with headers a word too long. */
#include "kit.h"

static struct kit_answer parse_soundly(const uint8_t *octets, size_t length, enum kit_draft draft,
                                       bool is_reply);
#define kit_parse2 parse_soundly
#include "version2.c"
#undef kit_parse2

struct kit_answer kit_parse2(const uint8_t *octets, size_t length, enum kit_draft draft,
                             bool is_reply)
{
    struct kit_answer answer = parse_soundly(octets, length, draft, is_reply);
    answer.length += answer.kind == KIT_ACCEPT ? 4 : 0;
    return answer;
}
