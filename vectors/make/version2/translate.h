// SPDX-License-Identifier: BSD-3-Clause
/*
 * Vectors of version 1 in version 2: the same chunk lists and payloads under the headers of a
 * draft. What is expected follows from spec/requirements/shared.tsv: the same finding under the id
 * that it has in the draft, with that row's judgement and reactions.
 */
#ifndef VECTORS_MAKE_TRANSLATE_H
#define VECTORS_MAKE_TRANSLATE_H

#include "vectors/make/version2/version2.h"

enum draft { DRAFT_IS_04, DRAFT_IS_07, DRAFTS };

/* Which events of a version 1 vector become what, and which octets of one are where in the other.
 */
struct translated_event {
    char what[2048];
    char form[16]; /* the first word in version 2 */
    bool is_reply, is_reverse;
    unsigned segments;    /* of all lists, and other words with a colon */
    unsigned entries;     /* of the Read list */
    bool holds_call[256]; /* -07: which of them are the Call chunk */
    unsigned call_entries;
    unsigned reply_at; /* version 1: where the Reply chunk begins, and how many octets it has */
    unsigned reply_octets;
};

/* The event in a draft's words; false if that has no such event. */
bool translate_event(struct translated_event *event, const char *what, enum draft draft);

/* The offset in version 2 of what is at this offset in version 1, or -1. */
long translate_offset(const struct translated_event *event, enum draft draft, unsigned long offset);

/* A group of the vectors of these groups, up to NULL, which lasts for ever. Only vectors that break
 * or nearly break what no vector before them did are taken. */
const struct vector_group *translate_groups(const struct vector_group *const *groups,
                                            enum draft draft, const char *file, const char *title);

#endif
