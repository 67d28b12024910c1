// SPDX-License-Identifier: BSD-3-Clause
/*
 * `check` for people: findings as a compiler gives its diagnostics, each with the place, the rule
 * and what the rule asks for; with --explain the Send itself, the fault pointed at.
 */
#include "conformance/decode/place.h"
#include "conformance/base/register.h"
#include "conformance/decode/fields.h"
#include "conformance/decode/operation.h"
#include "conformance/report/findings/evidence.h"
#include "conformance/report/findings/findings.h"

#include <inttypes.h>
#include <string.h>

#define FINDING_INDENT 4
#define TEXT_MAX 512
#define BRIEF_FROM 512 /* octets: what is longer is shown around its faults only */

const char *severity_color(const struct style *style, enum rpcrdma_severity severity)
{
    return severity == RPCRDMA_VIOLATION ? style->red
           : severity == RPCRDMA_WARNING ? style->yellow
                                         : style->cyan;
}

/* "    at octet 28, rdma_reads[0].position; call, XID 0x1234abcd, from client" */
static void print_details(const struct findings_printer *printer, const struct judged *judged,
                          const struct rpcrdma_finding *finding)
{
    const struct rpcrdma_event *event = &judged->source->event;
    const struct rpcrdma_judgement *judgement = judged->judgement;
    FILE *out = printer->out;
    char field[256];
    fputs("    ", out);
    if (finding->offset >= 0) {
        fprintf(out, "at octet %" PRId64, finding->offset);
        if (rpcrdma_finding_field(finding, event, field, sizeof field))
            fprintf(out, ", %s", field);
        fputs("; ", out);
    }
    if (event->type == RPCRDMA_EVENT_SEND && judgement->has_xid) {
        if (judgement->direction != RPCRDMA_DIRECTION_UNKNOWN)
            fprintf(out, "%s, ", judgement->direction == RPCRDMA_CALL ? "call" : "reply");
        fprintf(out, "XID 0x%08" PRIx32 ", ", judgement->xid);
    }
    fprintf(out, "from %s", endpoint_name(event->from));
    if (finding->from != event->from)
        fprintf(out, ", which fetched what the %s wrote", endpoint_name(finding->from));
    putc('\n', out);
}

static void print_line(const struct findings_printer *printer, const char *label, const char *text)
{
    const struct style *style = printer->style;
    fprintf(printer->out, "    %s%s:%s ", style->dim, label, style->plain);
    unsigned column = FINDING_INDENT + (unsigned)strlen(label) + 2;
    terminal_wrap(printer->out, text, column, column, printer->width);
}

static void print_evidence(const struct findings_printer *printer, const struct judged *judged,
                           const struct rpcrdma_finding *finding)
{
    struct evidence_list list;
    char time[TIME_TEXT];
    time_text(judged->source->time, time);
    if (time[0] != '\0')
        print_line(printer, "time", time);
    evidence_collect(&list, judged->history, judged->source, judged->judgement, finding);
    for (unsigned i = 0; i < list.count; i++)
        print_line(printer, list.item[i].what, list.item[i].text);
}

void findings_text_one(const struct findings_printer *printer, const struct judged *judged,
                       const struct rpcrdma_finding *finding)
{
    const struct rpcrdma_requirement *rule = &rpcrdma_requirements[finding->rule];
    const struct style *style = printer->style;
    FILE *out = printer->out;
    char text[TEXT_MAX], address[REGISTER_ADDRESS];
    rpcrdma_finding_text(finding, text, sizeof text);
    fputs(style->bold, out);
    place_print(out, judged->source);
    fprintf(out, ": %s%s%s: %s%s%s [%s]\n", style->plain, severity_color(style, finding->severity),
            rpcrdma_severity_name(finding->severity), style->plain, text, style->plain, rule->id);
    print_details(printer, judged, finding);
    print_evidence(printer, judged, finding);
    print_line(printer, "why", rule->text);
    if (register_address(rule->id, address))
        print_line(printer, "see", address);
}

static void explain_send(const struct findings_printer *printer, const struct judged *judged)
{
    struct field_mark marks[RPCRDMA_FINDINGS];
    char texts[RPCRDMA_FINDINGS][TEXT_MAX];
    size_t count = 0;
    for (unsigned i = 0; i < judged->count; i++) {
        const struct rpcrdma_finding *finding = judged->findings[i];
        if (finding->offset < 0)
            continue;
        rpcrdma_finding_text(finding, texts[count], TEXT_MAX);
        marks[count] = (struct field_mark){.offset = (size_t)finding->offset, .text = texts[count]};
        count++;
    }
    struct field_table table = {.out = printer->out,
                                .style = printer->style,
                                .marks = marks,
                                .mark_count = count,
                                .brief = judged->source->event.length > BRIEF_FROM};
    fields_print(&table, &judged->source->event);
}

static void explain(const struct findings_printer *printer, const struct judged *judged)
{
    const struct rpcrdma_event *event = &judged->source->event;
    FILE *out = printer->out;
    if (event->type == RPCRDMA_EVENT_SEND) {
        explain_send(printer, judged);
    } else {
        fputs("    ", out);
        operation_print(out, event);
        putc('\n', out);
        if (event->type == RPCRDMA_EVENT_PRIVATE_DATA)
            operation_octets(out, event, 32, "    ");
    }
    putc('\n', out);
}

void findings_text(const struct findings_printer *printer, const struct judged *judged)
{
    for (unsigned i = 0; i < judged->count; i++)
        findings_text_one(printer, judged, judged->findings[i]);
    if (printer->explain && judged->count > 0)
        explain(printer, judged);
}
