// SPDX-License-Identifier: BSD-3-Clause
/*
 * Lists of digests, a line each: a name, how many things were added to it, and the digest of them.
 * A change that alters one is named by its line. If it is meant, `make accept` writes the list anew
 * (SUMS=write). With SUMS=no what differs passes.
 */
#ifndef HARNESS_TEST_DIGESTS_H
#define HARNESS_TEST_DIGESTS_H

#include "conformance/report/results/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct digest {
    char id[96];
    unsigned events;
    uint64_t sum;
};

/* Forget all. */
void digests_clear(void);
/* That of a name, made if there is none. It stays where it is. */
struct digest *digest_of(const char *id);
void digest_octets(struct digest *digest, const void *octets, size_t length);
void digest_number(struct digest *digest, uint64_t number);
void digest_text(struct digest *digest, const char *text); /* or NULL */
/* How a case ended, in words. */
void digest_result(struct digest *digest, const struct result *result);
/* The same of all cases that are known. */
void digest_results(struct digest *digest, const struct results *results);

/* Whether sent.tsv has this case, by its id alone, and it is no vector. What is added up over all
 * cases leaves others out: a new vector alters none of these sums, a new case all. */
bool digests_knows_case(const char *id);

/* Compare with the lines of a list whose names begin so; returns how many such lines there are.
 * Fails the test where one differs or is missing here; not where the environment has SUMS=no, for
 * `make mutation` to see what is noticed without them. */
size_t digests_compare(const char *list, const char *prefix);

#endif
