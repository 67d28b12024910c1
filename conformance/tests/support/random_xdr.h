// SPDX-License-Identifier: BSD-3-Clause
/* A random value of any type of a specification, from the tables that xdrgen makes of it. */
#ifndef CONFORMANCE_TESTS_RANDOM_XDR_H
#define CONFORMANCE_TESTS_RANDOM_XDR_H

#include "conformance/tests/support/message.h"
#include "conformance/walk/tables.h"

void random_xdr(struct message *message, struct dice *dice, const struct xdr_type *type);

/* The arm of a union that this value chooses, without the value; false if it has none. */
bool random_xdr_arm(struct message *message, struct dice *dice, const struct xdr_type *type,
                    int64_t value);

#endif
