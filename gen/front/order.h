// SPDX-License-Identifier: BSD-3-Clause
/*
 * The order in which definitions can be handled, and the recursion that RFC 4506 allows but a
 * decoder without recursion cannot have.
 */
#ifndef XDRGEN_ORDER_H
#define XDRGEN_ORDER_H

#include "gen/front/ast.h"

/* Fill in spec->ordered from names that are resolved and def.is_list. False after an error was
 * printed: a definition contains itself. */
bool order_definitions(struct spec *spec);

#endif
