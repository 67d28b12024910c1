// SPDX-License-Identifier: BSD-3-Clause
/* The faults of a wire in words: "loss=1%,delay=5ms,seed=7". */
#ifndef HARNESS_USER_WIRE_WORDS_H
#define HARNESS_USER_WIRE_WORDS_H

#include "rxe-harness/transport/user/wire.h"

#define WIRE_TEXT 320

/* False after writing what is wrong into `error`. Without a seed, one by chance. */
bool wire_parse(const char *text, struct wire_faults *faults, char *error, size_t error_size);

/* In an order of our own, with the seed: what wire_parse() takes. */
void wire_print(const struct wire_faults *faults, char text[WIRE_TEXT]);

/* False after writing which of them means nothing over this transport. `listens`: the peers connect
 * to us. */
enum wire_transport { WIRE_ROCE, WIRE_IWARP };
bool wire_fits(const struct wire_faults *faults, enum wire_transport transport, bool listens,
               char *error, size_t error_size);

#endif
