// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/tests/support/message.h"

#include <check.h>
#include <string.h>

void message_begin(struct message *message)
{
    message->length = 0;
    message->items = message->others = 0;
    message->body = 0;
    message->last = (struct message_item){0, 0};
}

void message_word(struct message *message, uint32_t word)
{
    if (message->length + 4 > MESSAGE_MAX) /* cheaper than ck_assert() */
        ck_abort_msg("the message is full");
    for (int shift = 24; shift >= 0; shift -= 8)
        message->octets[message->length++] = (uint8_t)(word >> shift);
}

void message_random(struct message *message, struct dice *dice, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        message_word(message, (uint32_t)dice_roll(dice));
}

void message_fixed(struct message *message, struct dice *dice, uint32_t octets)
{
    size_t begin = message->length;
    message_random(message, dice, (octets + 3) / 4);
    memset(message->octets + begin + octets, 0, -octets & 3);
}

void message_opaque(struct message *message, struct dice *dice, uint32_t length)
{
    message_word(message, length);
    message->last = (struct message_item){message->length, length};
    message_fixed(message, dice, length);
    if (message->body > 0 && length > 0 && message->others < MESSAGE_ITEMS)
        message->other[message->others++] = message->last;
}

void message_begin_body(struct message *message)
{
    message->body = message->length;
}

void message_is_item(struct message *message)
{
    if (message->others > 0 && message->other[message->others - 1].at == message->last.at)
        message->others--;
    if (message->items < MESSAGE_ITEMS)
        message->item[message->items++] = message->last;
}

size_t message_room(const struct message *message)
{
    return MESSAGE_MAX - message->length;
}

size_t message_reduce(const struct message *message, uint32_t out, uint8_t *octets)
{
    size_t length = 0, from = 0;
    for (unsigned i = 0; i < message->items; i++) {
        const struct message_item *item = &message->item[i];
        if (!(out >> i & 1))
            continue;
        memcpy(octets + length, message->octets + from, item->at - from);
        length += item->at - from;
        from = item->at + ((item->length + 3) & ~(uint32_t)3);
    }
    memcpy(octets + length, message->octets + from, message->length - from);
    return length + message->length - from;
}
