// SPDX-License-Identifier: BSD-3-Clause
/*
 * An RPC message as its upper layer wrote it, and the items in it that may leave it for a chunk.
 * Written by hand, so that no codec of the tree has a say in it.
 */
#ifndef CONFORMANCE_TESTS_MESSAGE_H
#define CONFORMANCE_TESTS_MESSAGE_H

#include "conformance/tests/support/dice.h"

#include <stddef.h>

#define MESSAGE_MAX 12288
#define MESSAGE_ITEMS 4

struct message_item {
    size_t at; /* its first octet, after the count word */
    uint32_t length;
};

struct message {
    size_t length;
    unsigned items;
    struct message_item item[MESSAGE_ITEMS];
    struct message_item last; /* opaque or string that was put */
    unsigned others;          /* that are no items, of those after `body` */
    struct message_item other[MESSAGE_ITEMS];
    size_t body; /* where arguments or results begin; 0: not there yet */
    uint8_t octets[MESSAGE_MAX];
};

void message_begin(struct message *message);
void message_word(struct message *message, uint32_t word);
void message_random(struct message *message, struct dice *dice, uint32_t words);
void message_fixed(struct message *message, struct dice *dice, uint32_t octets);

/* Count word, random octets, padding. */
void message_opaque(struct message *message, struct dice *dice, uint32_t length);

/* What follows are arguments or results. */
void message_begin_body(struct message *message);

/* What was put last is an item that may be in a chunk; one too many is left out. */
void message_is_item(struct message *message);

/* Octets left, for what can be long. */
size_t message_room(const struct message *message);

/* The Payload stream that is left without these items (a set of bits); returns its length. */
size_t message_reduce(const struct message *message, uint32_t out, uint8_t *octets);

#endif
