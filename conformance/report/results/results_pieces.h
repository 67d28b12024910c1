// SPDX-License-Identifier: BSD-3-Clause
/* What pages of results have in common. All of a result may be of a file that somebody else made.
 */
#ifndef CONFORMANCE_RESULTS_PIECES_H
#define CONFORMANCE_RESULTS_PIECES_H

#include "conformance/report/results/results.h"

/* As result_print_name(), for a page. */
void result_put_name(FILE *out, const struct result *result);

/* The number of octets of "rfc8166/3.4.5" in an id. */
size_t result_section_length(const char *id);

/* "RFC 8166 section 3.4.5" */
void result_put_section(FILE *out, const char *id);

/* How it ended, in the colour of how grave that is. */
void result_put_ending(FILE *out, const struct result *result);

/* What it is about, and its octets. */
void result_put_sends(FILE *out, const struct result *result);

#endif
