// SPDX-License-Identifier: BSD-3-Clause
/* Two runs side by side: the figures that differ. */
#ifndef CONFORMANCE_COMPARE_H
#define CONFORMANCE_COMPARE_H

#include "conformance/base/terminal.h"
#include "conformance/report/figures/figures.h"

/* Of the total and of each procedure, figures a Call where they add up. Times count as equal where
 * they lie in the same bar of their histograms. */
void figures_compare_print(FILE *out, const struct style *style, const struct figures *first,
                           const struct figures *second);
void figures_compare_json(FILE *out, const struct figures *first, const struct figures *second);

#endif
