// SPDX-License-Identifier: BSD-3-Clause
/* Disagreements: which are known and passed over, which were seen, and how often. */
#ifndef FUZZ_KIT_KNOWN_H
#define FUZZ_KIT_KNOWN_H

#include "kit.h"

/* A rule id, and "#XDR_E_COUNT" or the like where a rule has several ways to break. */
#define KIT_NAME 128

struct disagreement {
    char name[KIT_NAME];
    char what[256]; /* one line for people */
    const uint8_t *octets;
    size_t length;
    bool is_reply;
};

/* Read the list that KIT_KNOWN names, one rule id a line, with an optional "# reason". Ends the
 * program if that cannot be read. */
void known_read(void);

/* Whether a name, or the rule in it, is in the list. */
bool known_has(const char *name);

/*
 * A disagreement that is not known. Prints it and ends the program by abort(), so that the fuzzer
 * keeps the input; with KIT_CONTINUE set it is counted, and printed in a table at the end, which is
 * then a failure. KIT_UNTIL says after how many different ones all that were looked for are found:
 * the program ends there, and has succeeded.
 */
void known_report(const struct disagreement *disagreement);

#endif
