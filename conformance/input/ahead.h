// SPDX-License-Identifier: BSD-3-Clause
/*
 * Looking ahead for the draft of a connection of version 2. Many messages are the same in both
 * drafts; one that is not decides for those before it, too. So events are kept back, in order, from
 * the first Send that does not show its draft until one of its connection does. Version 1 is passed
 * on at once.
 */
#ifndef CONFORMANCE_INPUT_AHEAD_H
#define CONFORMANCE_INPUT_AHEAD_H

#include "conformance/input/reader/reader.h"

/* How far it looks: Sends of a connection, and events and octets of all. Beyond, nothing more is
 * said of the connection's draft; a reader of its Sends takes what each shows. */
enum { AHEAD_SENDS = 16, AHEAD_EVENTS = 1024, AHEAD_OCTETS = 4 << 20 };

/* Read with `read`, and with a sink before that of the reader where the options name no draft.
 * Returns what `read` returns. */
bool ahead_read(struct source_reader *reader, bool (*read)(struct source_reader *reader));

#endif
