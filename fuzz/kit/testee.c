// SPDX-License-Identifier: BSD-3-Clause
/* Example for the line protocol: any kit_parse() as a process. Lines in, lines out. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OCTETS_MAX 262144

static size_t from_hex(const char *text, uint8_t *octets)
{
    size_t length = 0;
    unsigned octet;
    for (; length < OCTETS_MAX && sscanf(text + 2 * length, "%2x", &octet) == 1; length++)
        octets[length] = (uint8_t)octet;
    return length;
}

int main(void)
{
    static const char *const lines[] = {[KIT_ACCEPT] = "accept",
                                        [KIT_ERR_VERS] = "error err-vers",
                                        [KIT_ERR_CHUNK] = "error err-chunk",
                                        [KIT_DISCARD] = "discard",
                                        [KIT_UNSUPPORTED] = "unsupported",
                                        [KIT_REFUSE] = "refuse",
                                        [KIT_LIMIT] = "limit",
                                        [KIT_CLOSE] = "close",
                                        [KIT_FAIL] = "fail"};
    static char line[2 * OCTETS_MAX + 16];
    while (fgets(line, sizeof line, stdin)) {
        bool is_reply = strncmp(line, "reply ", 6) == 0;
        /* A block of its own size, so that a sanitizer sees a read beyond it. */
        uint8_t *octets = malloc(OCTETS_MAX);
        if (octets == NULL)
            return 1;
        size_t length = from_hex(line + (is_reply ? 6 : 5), octets);
        uint8_t *exact = realloc(octets, length ? length : 1);
        struct kit_answer answer = kit_parse(exact ? exact : octets, length, is_reply);
        free(exact ? exact : octets);
        if (answer.kind == KIT_ACCEPT && answer.length != KIT_NO_LENGTH)
            printf("accept %zu\n", answer.length);
        else
            puts(lines[answer.kind]);
        fflush(stdout);
    }
    return 0;
}
