// SPDX-License-Identifier: BSD-3-Clause
/*
 * Which messages prove a finding depends on the rule. A finding about a Reply names the Call, one
 * about credits names the grant and the Calls that wait, one about private data or thresholds names
 * what both sides said while they connected. The upper layer's procedure helps to find the cause in
 * the peer's source.
 */
#include "conformance/report/findings/evidence.h"

#include "conformance/base/count.h"
#include "conformance/decode/items_text.h"
#include "conformance/decode/operation.h"

#include <rpcrdma/rules.h>

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { WAITING_NAMED = 4 };

/* `event` is of the same test; `at` is NULL where the evidence is of no place. */
static struct evidence *add(struct evidence_list *list, const char *what,
                            const struct source_event *event, const struct moment *at)
{
    if (list->count == EVIDENCE_MAX)
        return NULL;
    struct evidence *item = &list->item[list->count++];
    *item = (struct evidence){.what = what, .has_place = at != NULL, .place = place_of(event)};
    item->place.at = at ? *at : (struct moment){0};
    return item;
}

__attribute__((format(printf, 2, 3))) static void append(struct evidence *item, const char *format,
                                                         ...)
{
    size_t length = strlen(item->text);
    va_list args;
    va_start(args, format);
    vsnprintf(item->text + length, sizeof item->text - length, format, args);
    va_end(args);
}

static void append_place(struct evidence *item, const struct moment *at)
{
    char text[128];
    struct place place = item->place;
    place.at = *at;
    place_text(&place, text, sizeof text);
    append(item, "%s", text);
}

static enum rpcrdma_endpoint peer_of(enum rpcrdma_endpoint endpoint)
{
    return endpoint == RPCRDMA_CLIENT ? RPCRDMA_SERVER : RPCRDMA_CLIENT;
}

/* ---- other messages ---- */

static void add_call(struct evidence_list *list, const char *what, const struct history_call *call,
                     const struct source_event *event)
{
    struct evidence *item = call ? add(list, what, event, &call->at) : NULL;
    if (item == NULL)
        return;
    append(item, "Call in ");
    append_place(item, &call->at);
    if (event->time > call->at.time && call->at.time > 0)
        append(item, ", %.6f s before", (double)(event->time - call->at.time) / 1e9);
}

static void add_grant(struct evidence_list *list, const struct history *history,
                      const struct source_event *event, enum rpcrdma_endpoint by)
{
    const struct history_grant *grant = &history->grant[by];
    struct evidence *item = add(list, "grant", event, grant->seen ? &grant->at : NULL);
    if (item == NULL)
        return;
    if (!grant->seen) {
        append(item, "no grant by the %s was seen: one credit", endpoint_name(by));
        return;
    }
    append(item, "%" PRIu32 " granted by the %s in ", grant->credits, endpoint_name(by));
    append_place(item, &grant->at);
}

static void add_waiting(struct evidence_list *list, const struct history *history,
                        const struct source_event *event, enum rpcrdma_endpoint caller)
{
    const struct history_call *calls[WAITING_NAMED];
    unsigned count = history_waiting(history, caller, calls, WAITING_NAMED);
    struct evidence *item = add(list, "waiting", event, count > 0 ? &calls[0]->at : NULL);
    if (item == NULL)
        return;
    append(item, "Calls of the %s that wait for an answer: %s", endpoint_name(caller),
           count == 0 ? "none" : "");
    for (unsigned i = 0; i < count && i < WAITING_NAMED; i++) {
        append(item, "%s", i > 0 ? ", " : "");
        append_place(item, &calls[i]->at);
    }
    if (count > WAITING_NAMED)
        append(item, " and %s%u more", history->forgot ? "at least " : "", count - WAITING_NAMED);
}

static void add_private_data(struct evidence_list *list, const struct history *history,
                             const struct source_event *event)
{
    for (int side = RPCRDMA_CLIENT; side <= RPCRDMA_SERVER; side++) {
        const struct history_private_data *said = &history->private_data[side];
        struct evidence *item = add(list, "private-data", event, said->seen ? &said->at : NULL);
        if (item == NULL)
            return;
        const char *name = endpoint_name((enum rpcrdma_endpoint)side);
        if (!said->seen) {
            append(item, "%s: none was seen", name);
            continue;
        }
        char text[160];
        private_data_text(said->octets, said->length, text, sizeof text);
        append(item, "%s: %s (", name, text);
        append_place(item, &said->at);
        append(item, ")");
    }
}

/* ---- the upper layer ---- */

static void ignore_operation(void *arg, const char *name)
{
    (void)arg, (void)name;
}

/* Of a Call only the beginning was kept. */
static void look_at_call(struct items *items, const struct history_call *call,
                         const struct source_event *event, struct items_view *view)
{
    struct source_event sent = *event;
    sent.event = (struct rpcrdma_event){.type = RPCRDMA_EVENT_SEND, .from = call->from};
    sent.event.draft = event->event.draft;
    sent.event.data = call->octets;
    sent.event.length = call->length < HISTORY_OCTETS ? call->length : HISTORY_OCTETS;
    sent.event.missing = call->length - sent.event.length;
    items_look(items, &sent, view);
}

static bool has_operations(const struct items_view *view)
{
    return items_operations(view, ignore_operation, NULL) != RPCRDMA_UNREADABLE;
}

/* A Long Reply does not show its operations, but its Call may. */
static void add_upper(struct evidence_list *list, const struct history_call *call,
                      const struct source_event *event)
{
    static struct items items; /* the Call is always put there first */
    static struct items_view view, call_view;
    if (call)
        look_at_call(&items, call, event, &call_view);
    if (call && !call_view.call.known)
        memset(&items, 0, sizeof items); /* or a Call of another file could be taken for it */
    items_look(&items, event, &view);
    if (view.binding == NULL)
        return;
    struct evidence *item = add(list, "upper-layer", event, NULL);
    FILE *out = item ? fmemopen(item->text, sizeof item->text, "w") : NULL;
    if (out == NULL)
        return;
    if (call && !has_operations(&view) && call_view.binding) {
        fputs("Reply to ", out);
        items_print_upper(out, &call_view);
    } else {
        items_print_upper(out, &view);
    }
    fclose(out);
    item->text[sizeof item->text - 1] = '\0';
}

/* ---- what a rule needs ---- */

static bool needs_private_data(enum rpcrdma_rule rule)
{
    return strncmp(rpcrdma_requirements[rule].id, "rfc8797/", 8) == 0 ||
           rule == RPCRDMA_RFC8166_4_2_4_SEND_WITHIN_THRESHOLD ||
           rule == RPCRDMA_RFC8166_4_3_3_REPLY_CHUNK_NEEDED;
}

static bool needs_grant(enum rpcrdma_rule rule)
{
    static const enum rpcrdma_rule rules[] = {
        RPCRDMA_RFC8166_3_3_1_CALLS_WITHIN_GRANT, RPCRDMA_RFC8166_3_3_1_CALLS_WITHIN_REQUEST,
        RPCRDMA_RFC8166_3_3_3_ONE_CREDIT_AT_FIRST, RPCRDMA_RFC8166_3_3_3_VALID_REPLY_FIRST};
    for (size_t i = 0; i < COUNT(rules); i++)
        if (rules[i] == rule)
            return true;
    return false;
}

static bool is_operation(enum rpcrdma_event_type type)
{
    return type == RPCRDMA_EVENT_RDMA_READ || type == RPCRDMA_EVENT_RDMA_WRITE ||
           type == RPCRDMA_EVENT_ATOMIC || type == RPCRDMA_EVENT_REFUSED;
}

void evidence_collect(struct evidence_list *list, const struct history *history,
                      const struct source_event *event, const struct rpcrdma_judgement *judgement,
                      const struct rpcrdma_finding *finding)
{
    const struct history_call *call = NULL;
    enum rpcrdma_endpoint from = event->event.from;
    list->count = 0;
    if (history == NULL)
        return;
    bool is_call = judgement->direction == RPCRDMA_CALL;
    if (event->event.type == RPCRDMA_EVENT_SEND && judgement->has_xid) {
        call = history_find(history, is_call ? from : peer_of(from), judgement->xid);
        if (!is_call)
            add_call(list, "call", call, event);
        else if (finding->rule == RPCRDMA_RFC8166_2_2_2_XID_UNIQUE)
            add_call(list, "earlier-call", call, event);
        if (is_call || call)
            add_upper(list, is_call ? NULL : call, event);
    }
    if (needs_grant(finding->rule)) {
        add_grant(list, history, event, peer_of(from));
        add_waiting(list, history, event, from);
    }
    if (is_operation(event->event.type)) /* on the memory of a Call */
        add_waiting(list, history, event,
                    event->event.type == RPCRDMA_EVENT_REFUSED ? from : peer_of(from));
    if (event->event.type == RPCRDMA_EVENT_COMPLETED)
        add_call(list, "call", history_find(history, from, event->event.xid), event);
    if (needs_private_data(finding->rule))
        add_private_data(list, history, event);
}
