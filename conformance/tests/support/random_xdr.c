// SPDX-License-Identifier: BSD-3-Clause
/* Small values only: few elements, short strings, so that messages of several operations fit. */
#include "conformance/tests/support/random_xdr.h"

enum { MOST_ELEMENTS = 3, MOST_OCTETS = 24 };

static const struct xdr_type *resolve(const struct xdr_type *type)
{
    while (type->kind == XT_TYPEDEF && type->members[0].shape == XS_PLAIN)
        type = type->members[0].type;
    return type;
}

static void random_member(struct message *message, struct dice *dice,
                          const struct xdr_member *member)
{
    const struct xdr_type *type = member->type;
    bool octets = type && (type->kind == XT_OPAQUE || type->kind == XT_STRING);
    uint32_t most = octets ? MOST_OCTETS : MOST_ELEMENTS, count;
    switch (member->shape) {
    case XS_PLAIN:
        random_xdr(message, dice, type);
        break;
    case XS_FIXED:
        if (octets)
            message_fixed(message, dice, member->size);
        for (uint32_t i = 0; !octets && i < member->size; i++)
            random_xdr(message, dice, type);
        break;
    case XS_VAR:
        count = pick(dice, (member->size < most ? member->size : most) + 1);
        if (octets) {
            message_opaque(message, dice, count);
            break;
        }
        message_word(message, count);
        for (uint32_t i = 0; i < count; i++)
            random_xdr(message, dice, type);
        break;
    case XS_OPTIONAL:
        count = pick(dice, type->kind == XT_LIST ? MOST_ELEMENTS : 2);
        for (uint32_t i = 0; i < count; i++) {
            message_word(message, 1);
            random_xdr(message, dice, type);
        }
        if (type->kind == XT_LIST || count == 0)
            message_word(message, 0);
        break;
    case XS_VOID:
        break;
    }
}

/* Values that a union has, of the arms that are named, and one that takes the default arm. */
static int64_t random_tag(struct dice *dice, const struct xdr_type *type)
{
    const struct xdr_type *tag = resolve(type->members[0].type);
    if (chance(dice, 40) && !type->cases[0].is_default) /* OK is the first of many */
        return type->cases[0].label;
    uint32_t i = pick(dice, type->count);
    if (!type->cases[i].is_default)
        return type->cases[i].label;
    if (tag->kind == XT_ENUM)
        return tag->values[pick(dice, tag->count)].value;
    return tag->kind == XT_BOOL ? pick(dice, 2) : pick(dice, INT32_MAX);
}

bool random_xdr_arm(struct message *message, struct dice *dice, const struct xdr_type *type,
                    int64_t value)
{
    for (uint32_t i = 0; i < type->count; i++) {
        if (type->cases[i].is_default || type->cases[i].label == value) {
            random_member(message, dice, &type->cases[i].arm);
            return true;
        }
    }
    return false;
}

void random_xdr(struct message *message, struct dice *dice, const struct xdr_type *type)
{
    int64_t tag;
    switch (type->kind) {
    case XT_HYPER:
    case XT_UHYPER:
    case XT_DOUBLE:
        message_random(message, dice, 2);
        break;
    case XT_QUADRUPLE:
        message_random(message, dice, 4);
        break;
    case XT_BOOL:
        message_word(message, pick(dice, 2));
        break;
    case XT_ENUM:
        message_word(message, (uint32_t)type->values[pick(dice, type->count)].value);
        break;
    case XT_STRUCT:
    case XT_LIST:
    case XT_TYPEDEF:
        for (uint32_t i = 0; i < type->count; i++)
            random_member(message, dice, &type->members[i]);
        break;
    case XT_UNION:
        tag = random_tag(dice, type);
        message_word(message, (uint32_t)tag);
        random_xdr_arm(message, dice, type, tag);
        break;
    default:
        message_random(message, dice, 1);
        break;
    }
}
