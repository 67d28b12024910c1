// SPDX-License-Identifier: BSD-3-Clause
/* How many elements an array has. */
#ifndef CONFORMANCE_COUNT_H
#define CONFORMANCE_COUNT_H

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
