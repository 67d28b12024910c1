// SPDX-License-Identifier: BSD-3-Clause
/* What a finding says in words, and which field it points at. */
#include "conformance/check/core/review.h"
#include "conformance/walk/header.h"
#include "conformance/base/count.h"

#include <rpcrdma/check.h>
#include <rpcrdma/rpcrdma.h>

#include <register_words.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static size_t add_text(char *text, size_t size, size_t length, const char *more)
{
    for (; *more; more++, length++)
        if (length + 1 < size)
            text[length] = *more;
    return length;
}

size_t rpcrdma_finding_text(const struct rpcrdma_finding *finding, char *text, size_t size)
{
    size_t length = 0;
    unsigned next = 0;
    for (const char *f = finding->format; *f; f++) {
        char word[24] = {*f, '\0'};
        if (f[0] == '%' && (f[1] == 'u' || f[1] == 'x') && next < 3) {
            snprintf(word, sizeof word, f[1] == 'u' ? "%" PRIu64 : "%" PRIx64,
                     finding->value[next++]);
            f++;
        }
        length = add_text(text, size, length, word);
    }
    if (finding->unconfirmed)
        length = add_text(text, size, length, "; what it answers may be missing from the capture");
    if (size > 0)
        text[length < size ? length : size - 1] = '\0';
    return length;
}

struct field_search {
    size_t offset;
    char *field;
    size_t size;
    bool found;
};

/* The field that begins at the offset. An array's or list's first word is its own; what encloses
 * others has no octets. */
static bool match(void *arg, const struct walk_field *field)
{
    struct field_search *search = arg;
    if (field->offset != search->offset || field->length == 0)
        return field->offset <= search->offset;
    snprintf(search->field, search->size, "%s", field->path);
    search->found = true;
    return false; /* the rest of the walk would be in vain */
}

/* The field at which decoding stopped. */
static bool match_fault(struct field_search *search, ptrdiff_t walked,
                        const struct walk_error *error)
{
    if (walked < 0 && error->code != 0 && !search->found && error->offset == search->offset &&
        error->path[0] != '\0') {
        snprintf(search->field, search->size, "%s", error->path);
        search->found = true;
    }
    return search->found;
}

bool rpcrdma_finding_field(const struct rpcrdma_finding *finding, const struct rpcrdma_event *event,
                           char *field, size_t size)
{
    if (size > 0)
        field[0] = '\0';
    if (event->type != RPCRDMA_EVENT_SEND || finding->offset < 0 || event->data == NULL)
        return false;
    struct field_search search = {(size_t)finding->offset, field, size, false};
    struct walk_error error;
    ptrdiff_t walked =
        rpcrdma_walk_header(finding->protocol, event->data, event->length, match, &search, &error);
    if (match_fault(&search, walked, &error))
        return true;
    struct rpcrdma_message message;
    ptrdiff_t length =
        rpcrdma_message_decode(&message, finding->protocol, event->data, event->length, NULL);
    bool is_rpc = message.kind == RPCRDMA_KIND_RPC || message.kind == RPCRDMA_KIND_LEGACY;
    if (rpcrdma_xdr_failed(length) || finding->offset < length || !is_rpc)
        return false; /* what follows an RDMA_ERROR is no RPC message */
    search.offset = (size_t)(finding->offset - length);
    walked = rpcrdma_walk(rpcrdma_walk_rpcrdma_rpc_msg, (const uint8_t *)event->data + length,
                          event->length - (size_t)length, match, &search, &error);
    return match_fault(&search, walked, &error);
}

const char *rpcrdma_reaction_name(enum rpcrdma_reaction reaction)
{
    static const char *const names[] = {REGISTER_REACTION_LIST}; /* in the order of the bits */
    _Static_assert(COUNT(names) == RPCRDMA_REACTIONS, "a reaction has no name");
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (reaction == (enum rpcrdma_reaction)(1u << i))
            return names[i];
    return "unknown";
}

const char *rpcrdma_severity_name(enum rpcrdma_severity severity)
{
    return severity == RPCRDMA_VIOLATION ? "violation"
           : severity == RPCRDMA_WARNING ? "warning"
                                         : "note";
}

enum rpcrdma_rule rpcrdma_check_rule_in(enum rpcrdma_protocol draft, enum rpcrdma_rule rule)
{
    if (!rpcrdma_protocol_is_draft(draft) || rule >= RPCRDMA_RULES)
        return RPCRDMA_RULES;
    return (enum rpcrdma_rule)rpcrdma_shared_rules[draft - RPCRDMA_PROTOCOL_2_04][rule];
}
