// SPDX-License-Identifier: BSD-3-Clause
/* The test program, spec/testprog.x, as both peers know it. */
#ifndef HARNESS_TEST_PROGRAM_H
#define HARNESS_TEST_PROGRAM_H

#include <testprog_numbers.h> /* made of spec/testprog.x */

/* The octet at this place of what TEST_FETCH brings. */
#define TEST_OCTET(i) ((uint8_t)((i) % 251))

#endif
