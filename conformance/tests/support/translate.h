// SPDX-License-Identifier: BSD-3-Clause
/*
 * Rows of version 1 in the words of a draft of version 2. The rules that shared.tsv says hold there
 * have to be broken by the same conversations, and nearly broken by the same.
 */
#ifndef CONFORMANCE_TESTS_TRANSLATE_H
#define CONFORMANCE_TESTS_TRANSLATE_H

#include "conformance/tests/support/play.h"

/* Make a Send of version 1 one of the draft; false if the draft has no such message. The handle is
 * what a Call lets its Reply invalidate. */
bool translate_send(struct play_message *message, enum rpcrdma_protocol draft, uint32_t handle);

/* Play the row so, and see that its rules are broken under the ids that they have there, and by the
 * near miss not. A row with a Send that cannot be translated is left out. */
void translate_row(const struct play_row *row, enum rpcrdma_protocol draft);

#endif
