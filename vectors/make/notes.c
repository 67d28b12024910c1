// SPDX-License-Identifier: BSD-3-Clause
/* What the flags mean that more than one file has. */
#include "vectors/make/vectors.h"

const struct note shared_notes[] = {
    {"conforming", "basic", "Nothing is wrong with any event: a tool that complains errs.", NULL},
    {"near-miss", "edge-case",
     "Comes as close as can be to breaking the rules named in nearMiss, and keeps them.", NULL},
    {"broken", "malformed",
     "One event breaks one rule and nothing else; what comes before it keeps the rules.", NULL},
    {"two-rules", "malformed", "One event breaks two rules at once: a tool has to say both.", NULL},
    {"aftermath", "malformed",
     "The event of interest answers or follows a broken one, whose finding is expected too.", NULL},
    {"hostile", "hostile",
     "Made to hurt a careless parser: counts that overflow, lists without an end, lengths that "
     "lie.",
     NULL},
    {"legacy", "legacy", "Uses what RFC 5666 had and RFC 8166 took away.", NULL},
    {"remarkable", "edge-case", "Legal, but worth a note.", NULL},
    {"to-requester", "malformed",
     "The receiver is a Requester. It must not answer a Send that it cannot take, only drop it.",
     NULL},
    {"two-readings", "edge-case",
     "The RFC can be read in two ways here: all reactions that either reading allows are listed.",
     NULL},
    {NULL, NULL, NULL, NULL},
};
