// SPDX-License-Identifier: BSD-3-Clause
/*
 * Names that options take: "a,b", and given again, "c". One that ends with * stands for all that
 * begin so.
 */
#ifndef CONFORMANCE_CHOSEN_H
#define CONFORMANCE_CHOSEN_H

#include <stdbool.h>
#include <stddef.h>

struct chosen_name {
    char *text;
    bool met; /* it was found */
};

struct chosen {
    struct chosen_name *list;
    size_t count, room;
    bool all; /* every name is among them */
};

/* Whether a name is `id`, or stands for it. */
bool chosen_means(const char *name, const char *id);

/* Add what is between the commas; NULL stands for all. */
void chosen_add(struct chosen *chosen, const char *text);

/* Whether `id` is among them, as itself or by a *. What was found so is not missing any more. */
bool chosen_has(struct chosen *chosen, const char *id);

/* The same of a rule, or of what it is under: "rfc8166/4.5" (register.h). */
bool chosen_has_rule(struct chosen *chosen, const char *rule);

/* Whether `id` is named as itself. */
bool chosen_names(const struct chosen *chosen, const char *id);

/* One that was never found, or NULL. */
const char *chosen_missing(const struct chosen *chosen);

void chosen_free(struct chosen *chosen);

#endif
