// SPDX-License-Identifier: BSD-3-Clause
/* What every HTML report shares: escaping, octets, looks. */
#ifndef CONFORMANCE_HTML_H
#define CONFORMANCE_HTML_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Style sheet and script; both stand inside the page, which loads nothing. */
extern const char html_style[], html_script[];

/* Text, with what HTML would take for markup replaced; control characters become '?'. */
void html_text(FILE *out, const char *text);

/* The same, with places where a long name of a rule or a release may be broken. */
void html_name(FILE *out, const char *name);

/* Text with its line ends. */
void html_lines(FILE *out, const char *text);

/* With --site: "rule, " as a link to the rule's row on those pages. */
void html_page_link(FILE *out, const char *id);

/* Octets as words of four; the one with `mark`, or the place after the last, is marked. Of
 * many the beginning and what is around the mark are shown. mark < 0: none. */
void html_octets(FILE *out, const uint8_t *octets, size_t length, int64_t mark);

#endif
