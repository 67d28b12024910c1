// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/outcome/kept.h"

#include "conformance/base/alloc.h"
#include "conformance/report/ladder/ladder.h"

#include <stdlib.h>

enum { OCTETS_MAX = 4096, WIDTH = 100, TEXT_MAX = 512 };

static char *details_of(const struct judged *judged, const struct rpcrdma_finding *finding)
{
    struct alloc_stream stream;
    alloc_begin(&stream);
    const struct findings_printer printer = {
        .out = stream.out, .style = terminal_style(COLOR_NEVER, stream.out), .width = WIDTH};
    findings_text_one(&printer, judged, finding);
    return alloc_end(&stream);
}

static char *place_of_event(const struct source_event *event)
{
    struct alloc_stream stream;
    alloc_begin(&stream);
    place_print(stream.out, event);
    return alloc_end(&stream);
}

void kept_add(struct kept_list *list, const struct judged *judged,
              const struct rpcrdma_finding *finding)
{
    const struct rpcrdma_event *event = &judged->source->event;
    char text[TEXT_MAX];
    if (list->count == KEPT_MAX)
        return;
    rpcrdma_finding_text(finding, text, sizeof text);
    struct kept *kept = alloc_zeroed(1, sizeof *kept);
    *kept = (struct kept){
        .rule = finding->rule,
        .side = finding->from,
        .severity = finding->severity,
        .place = place_of_event(judged->source),
        .text = alloc_text(text),
        .details = details_of(judged, finding),
        .offset = -1,
    };
    if (event->data && event->type == RPCRDMA_EVENT_SEND) {
        kept->length = event->length < OCTETS_MAX ? event->length : OCTETS_MAX;
        kept->octets = alloc_copy(event->data, kept->length);
        if (finding->offset >= 0 && (uint64_t)finding->offset <= kept->length)
            kept->offset = finding->offset;
    }
    if (judged->window && list->ladders < KEPT_LADDERS) {
        list->ladders++;
        kept->ladder = alloc_zeroed(1, sizeof *kept->ladder);
        ladder_take(kept->ladder, judged->window, judged);
        ladder_follow(judged->window, kept->ladder);
    }
    if (list->last)
        list->last->next = kept;
    else
        list->first = kept;
    list->last = kept;
    list->count++;
}

void kept_connection(struct kept_list *list, const char *file, const char *name,
                     const struct timeline *timeline)
{
    if (timeline_most_in_flight(timeline) < 2 || ++list->connection_count > KEPT_CONNECTIONS)
        return;
    struct kept_connection *made = alloc_zeroed(1, sizeof *made);
    *made = (struct kept_connection){
        .file = alloc_text(file), .name = alloc_text(name), .timeline = *timeline};
    if (list->last_connection)
        list->last_connection->next = made;
    else
        list->connections = made;
    list->last_connection = made;
}

void kept_free(struct kept_list *list)
{
    while (list->first) {
        struct kept *next = list->first->next;
        free(list->first->place);
        free(list->first->text);
        free(list->first->details);
        free(list->first->octets);
        free(list->first->ladder);
        free(list->first);
        list->first = next;
    }
    while (list->connections) {
        struct kept_connection *next = list->connections->next;
        free(list->connections->file);
        free(list->connections->name);
        free(list->connections);
        list->connections = next;
    }
    *list = (struct kept_list){0};
}
