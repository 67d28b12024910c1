// SPDX-License-Identifier: BSD-3-Clause
/* Looking things up in the register of requirements. */
#ifndef CONFORMANCE_REGISTER_H
#define CONFORMANCE_REGISTER_H

#include "conformance/base/nearest.h"

#include <rpcrdma/rules.h>

#include <stdbool.h>
#include <stddef.h>

/* The row of that id, or -1. */
int register_find(const char *id);

/* The id that begins so, or else the one most like `text`, of the section that it names if there is
 * one; or NULL where none is near. */
const char *register_nearest(const char *text);

/* The same for what may be a section or a word (register_means()), too, as the end of a complaint:
 * nearest_text(). Only rules that are `wanted`, and sections of such, are proposed; NULL: any. */
const char *register_meant(const char *text, bool (*wanted)(const char *id),
                           char meant[NEAREST_TEXT]);

/* Whether the id is below `prefix`: "rfc8166", "rfc8166/3.4", "rfc8166/3.4.5", or itself. */
bool register_under(const char *id, const char *prefix);

/* The same for the section alone: "3.4" includes 3.4.5, but not 3.40. */
bool register_in_section(const char *id, const char *section);

/* What a user types for it: any of these, or a word out of the last part of the id ("msgp"). */
bool register_means(const char *id, const char *text);

/* The address of the section that a rule is from, such as
 * https://www.rfc-editor.org/rfc/rfc8166#section-3.4.5; false where it is of no known document. */
#define REGISTER_ADDRESS 160
bool register_address(const char *id, char text[REGISTER_ADDRESS]);

/* Where the pages of `make site` are, for the rest of the run; NULL: nowhere. */
void register_set_site(const char *address);

/* The address of the row of a rule on those pages, such as https://example.org/rules.html#ID; false
 * without a site, or where it is too long. */
#define REGISTER_PAGE 1024
bool register_page(const char *id, char text[REGISTER_PAGE]);

/* The words of a row's sets, separated by commas: of the reactions; of the tests, or "none: " and
 * why. They return `text`. */
#define REGISTER_SET 512
const char *register_reactions(const struct rpcrdma_requirement *row, char text[REGISTER_SET]);
const char *register_tests(const struct rpcrdma_requirement *row, char text[REGISTER_SET]);

#endif
