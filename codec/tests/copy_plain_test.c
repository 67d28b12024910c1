// SPDX-License-Identifier: BSD-3-Clause
/* copy_test.c once more, for the plain C that runs on processors without these vectors. */
#undef __SSE2__
#include "codec/copy.c"
#include "codec/tests/copy_test.c"
