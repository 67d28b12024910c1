// SPDX-License-Identifier: BSD-3-Clause
/*
 * `rpcrdma decode`: each Send, field by field, and what else a connection has. Filters choose what
 * is printed, but everything is read: the procedure of a Reply is known by its Call, and whether a
 * Send breaks a rule by what came before.
 */
#include "conformance/base/status.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/text.h"
#include "conformance/options/options.h"
#include "conformance/decode/place.h"
#include "conformance/command/commands.h"
#include "conformance/decode/decode_json.h"
#include "conformance/decode/fields.h"
#include "conformance/decode/items_text.h"
#include "conformance/decode/operation.h"
#include "conformance/report/ladder/ladder.h"
#include "conformance/run/connections.h"

#include <rpcrdma/binding.h>
#include <rpcrdma/rpcrdma.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_FRAME = OPTION_OWN, OPTION_XID };
enum { TEXT_MAX = 512, OCTETS_SHOWN = 64 };

struct decode {
    struct options options;
    uint64_t first_frame, last_frame; /* 0: all */
    bool has_xid;
    uint32_t xid;
    const char *connection; /* or NULL */
    struct chosen rule_names;
    bool *rules; /* by row of the register; or NULL */
    bool ladder; /* a row an event */

    const struct style *style;
    struct progress progress;
    struct items items;
    struct connections open; /* with --rule or --ladder */
    const char *failure;     /* why the sink stopped */
    struct ladder_start {
        bool begun;
        uint64_t connection;
        int64_t time; /* of its first row that has one */
    } row;            /* the latest */
    uint64_t printed;
    struct nearest_frame {
        uint64_t frame; /* or 0 */
        enum rpcrdma_event_type type;
        enum rpcrdma_endpoint from;
    } before, after;             /* the frames of --frame, that complete something */
    bool met;                    /* one of them does */
    struct source_counts counts; /* of the latest file */
    int status;
};

/* ---- filters ---- */

static bool has_rule(const struct decode *decode, const struct rpcrdma_judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count && i < RPCRDMA_FINDINGS; i++)
        if (decode->rules[judgement->findings[i].rule])
            return true;
    return false;
}

static bool has_xid(const struct decode *decode, const struct rpcrdma_event *event)
{
    return event->type == RPCRDMA_EVENT_SEND && event->data && event->length >= 4 &&
           rpcrdma_xdr_load32(event->data) == decode->xid;
}

/* Whether the event is of the frames that are wanted; of others the nearest are kept. */
static bool has_frame(struct decode *decode, const struct source_event *event)
{
    const struct nearest_frame here = {event->frame, event->event.type, event->event.from};
    if (decode->first_frame == 0)
        return true;
    bool early = event->frame < decode->first_frame;
    bool late = event->frame > decode->last_frame;
    decode->met = decode->met || (!early && !late);
    if (early && event->frame > decode->before.frame)
        decode->before = here;
    if (late && (decode->after.frame == 0 || event->frame < decode->after.frame))
        decode->after = here;
    return !early && !late;
}

static bool is_wanted(struct decode *decode, const struct source_event *event,
                      const struct rpcrdma_judgement *judgement)
{
    return has_frame(decode, event) && (!decode->has_xid || has_xid(decode, &event->event)) &&
           connection_is_meant(event->connection, decode->connection) &&
           (decode->rules == NULL || has_rule(decode, judgement));
}

/* ---- text ---- */

static void print_draft(const struct rpcrdma_event *event)
{
    struct send send = rpcrdma_send_of(event);
    if (send.protocol != RPCRDMA_PROTOCOL_1)
        printf(", version 2 as in draft -%s%s", rpcrdma_draft_name(send.protocol),
               send.draft_sure ? "" : " (it does not show which: see --draft)");
}

static void print_heading(const struct decode *decode, const struct source_event *event)
{
    const struct rpcrdma_event *send = &event->event;
    if (decode->printed > 0)
        putchar('\n');
    fputs(decode->style->bold, stdout);
    place_print(stdout, event);
    fputs(": ", stdout);
    if (send->type == RPCRDMA_EVENT_SEND)
        printf("Send of %zu octets", send->length);
    else
        operation_print(stdout, send);
    if (send->type != RPCRDMA_EVENT_GAP)
        printf("%s%s", send->type == RPCRDMA_EVENT_PRIVATE_DATA ? "; from " : " from ",
               endpoint_name(send->from));
    if (send->missing > 0)
        printf(", %zu more not captured", send->missing);
    if (send->invalidate)
        printf(", invalidates 0x%08" PRIx32, send->handle);
    if (send->type == RPCRDMA_EVENT_SEND)
        print_draft(send);
    printf("%s\n", decode->style->plain);
}

/* Returns whether it decodes. */
static bool print_send(const struct decode *decode, const struct source_event *event,
                       const struct items_view *view, const struct rpcrdma_judgement *judgement)
{
    struct field_mark marks[RPCRDMA_FINDINGS];
    char texts[RPCRDMA_FINDINGS][TEXT_MAX];
    struct field_table table = {.out = stdout, .style = decode->style, .marks = marks};
    for (unsigned i = 0; decode->rules && i < judgement->count && i < RPCRDMA_FINDINGS; i++) {
        const struct rpcrdma_finding *finding = &judgement->findings[i];
        size_t at = table.mark_count;
        if (!decode->rules[finding->rule] || finding->offset < 0)
            continue;
        rpcrdma_finding_text(finding, texts[at], TEXT_MAX);
        marks[at] = (struct field_mark){.offset = (size_t)finding->offset, .text = texts[at]};
        table.mark_count++;
    }
    items_print(stdout, view);
    return fields_print(&table, &event->event);
}

static bool print(struct decode *decode, const struct source_event *event,
                  const struct items_view *view, const struct rpcrdma_judgement *judgement)
{
    bool is_send = event->event.type == RPCRDMA_EVENT_SEND;
    if (decode->options.json) {
        if (is_send)
            return decode_json_items(stdout, event, view);
        operation_json(stdout, event);
        return true;
    }
    print_heading(decode, event);
    if (is_send)
        return print_send(decode, event, view, judgement);
    if (event->event.type == RPCRDMA_EVENT_PRIVATE_DATA)
        operation_octets(stdout, &event->event, OCTETS_SHOWN, "    ");
    return true;
}

/* ---- rows ---- */

static void begin_ladder(struct decode *decode, const struct source_event *event)
{
    decode->row = (struct ladder_start){true, event->connection_id, 0};
    printf("%s%s", decode->printed > 0 ? "\n" : "", decode->style->bold);
    text_put(stdout, event->file);
    fputs(": ", stdout);
    text_put(stdout, event->connection);
    printf("%s\n", decode->style->plain);
    ladder_text_head(stdout, decode->style);
}

static void print_row(struct decode *decode, const struct source_event *event,
                      const struct rpcrdma_judgement *judgement)
{
    struct judged judged; /* large: its findings are not cleared */
    struct ladder_row row;
    judged.source = event;
    judged.judgement = judgement;
    judged.count = 0;
    for (unsigned i = 0; i < judgement->count && i < RPCRDMA_FINDINGS; i++)
        if (decode->rules == NULL || decode->rules[judgement->findings[i].rule])
            judged.findings[judged.count++] = &judgement->findings[i];
    ladder_row_of(&row, &judged);
    if (!decode->row.begun || decode->row.connection != event->connection_id)
        begin_ladder(decode, event);
    if (decode->row.time == 0)
        decode->row.time = event->time;
    ladder_text_row(stdout, decode->style, &row, decode->row.time);
}

/* ---- events ---- */

static bool judge(struct decode *decode, const struct source_event *event,
                  struct rpcrdma_judgement *judgement)
{
    struct open_connection *connection =
        connections_get(&decode->open, event->connection_id, event->config);
    if (connection == NULL) {
        decode->failure = "not enough memory for another connection";
        return false;
    }
    rpcrdma_check_event(connection->check, &event->event, judgement);
    return true;
}

static bool decode_event(void *arg, const struct source_event *event)
{
    struct decode *decode = arg;
    struct rpcrdma_judgement judgement = {0};
    struct items_view view = {0};
    if ((decode->rules || decode->ladder) && !judge(decode, event, &judgement))
        return false;
    if (event->event.type == RPCRDMA_EVENT_SEND)
        items_look(&decode->items, event, &view);
    if (!is_wanted(decode, event, &judgement))
        return true;
    progress_clear(&decode->progress);
    bool good = true;
    if (decode->ladder)
        print_row(decode, event, &judgement);
    else
        good = print(decode, event, &view, &judgement);
    decode->printed++;
    if (!good && decode->status == STATUS_GOOD)
        decode->status = STATUS_VIOLATED;
    return !output_failed(stdout);
}

static void decode_closed(void *arg, uint64_t connection_id)
{
    struct decode *decode = arg;
    connections_drop(&decode->open, connection_id);
}

static void decode_file(struct decode *decode, const char *file)
{
    struct source_sink sink = {.event = decode_event, .closed = decode_closed, .arg = decode};
    char error[512];
    decode->items = (struct items){.calls = {{.known = false}}};
    decode->failure = NULL;
    decode->row.begun = false;
    progress_start(&decode->progress, file);
    decode->options.source.progress = progress_show;
    decode->options.source.progress_arg = &decode->progress;
    decode->options.source.frame = decode->first_frame;
    bool good =
        source_read(file, &decode->options.source, &sink, &decode->counts, error, sizeof error);
    progress_clear(&decode->progress);
    connections_free(&decode->open);
    if ((good && decode->failure == NULL) || ferror(stdout))
        return;
    if (interrupted() && decode->failure == NULL)
        return; /* it ended where we stopped */
    fflush(stdout);
    decode->status = file_error(file, decode->failure ? decode->failure : error);
}

/* ---- what matches no filter ---- */

static void add_nearest(char *text, size_t size, const struct nearest_frame *near,
                        const char *between)
{
    size_t length = strlen(text);
    if (near->frame > 0)
        snprintf(text + length, size - length, "%s frame %" PRIu64 " (%s from %s)", between,
                 near->frame, event_type_name(near->type), endpoint_name(near->from));
}

/* Most frames complete nothing: those of long messages, and acknowledgements. */
static int nothing_matches(const struct decode *decode, int files)
{
    char text[400] = "";
    bool one = decode->first_frame == decode->last_frame;
    if (decode->first_frame == 0 || decode->met || files > 1 || decode->counts.frames == 0)
        return usage_error("decode", "nothing in the files matches the filters");
    if (decode->first_frame > decode->counts.frames)
        return usage_error("decode", "the capture has %" PRIu64 " frames", decode->counts.frames);
    if (one && decode->counts.what)
        snprintf(text, sizeof text, ": it is %s", decode->counts.what);
    add_nearest(text, sizeof text, &decode->before, "; the nearest that do are");
    add_nearest(text, sizeof text, &decode->after,
                decode->before.frame > 0 ? " and" : "; the nearest that does is");
    return usage_error("decode", "no message or operation ends in %s%s",
                       one ? "this frame" : "these frames", text);
}

/* ---- options ---- */

/* "35" or "35-40" */
static bool set_frames(struct decode *decode, const char *text)
{
    char *end = NULL;
    errno = 0;
    bool good = *text >= '1' && *text <= '9';
    decode->first_frame = decode->last_frame = good ? strtoull(text, &end, 10) : 0;
    if (good && *end == '-') {
        text = end + 1;
        good = *text >= '1' && *text <= '9';
        decode->last_frame = good ? strtoull(text, &end, 10) : 0;
    }
    if (good && *end == '\0' && errno == 0 && decode->last_frame >= decode->first_frame)
        return true;
    usage_error("decode", "option '--frame' takes a frame or a range such as 35-40");
    return false;
}

static bool set_option(void *settings, int option, const char *argument)
{
    struct decode *decode = settings;
    if (option == OPTION_FRAME)
        return set_frames(decode, argument);
    char *end = NULL;
    errno = 0;
    unsigned long long xid = *argument >= '0' && *argument <= '9' ? strtoull(argument, &end, 0) : 0;
    decode->has_xid = end && *end == '\0' && errno == 0 && xid <= UINT32_MAX;
    decode->xid = (uint32_t)xid;
    if (!decode->has_xid)
        usage_error("decode",
                    "option '--xid' takes a number of 32 bits, such as 0x316fb858, not '%s'",
                    argument);
    return decode->has_xid;
}

static const struct option_row options_decode[] = {
    {"frame", "FRAME", "only what this frame of a capture completes, or a range such as 35-40",
     RETURNS(OPTION_FRAME),
     .more = "Of a frame that completes nothing decode says what it is, and which of the others "
             "are the nearest."},
    {"xid", "XID", "only Sends with this XID, such as 0x316fb858", RETURNS(OPTION_XID)},
    {"connection", "NAME",
     "only this connection, named as by 'rpcrdma check', or all of an address",
     SETS(TEXT, struct decode, connection)},
    {"rule", "RULE",
     "only what breaks this rule, or one of this section; the field at fault is marked",
     SETS(NAMES, struct decode, rule_names)},
    {0}};

static const struct option_row options_rows[] = {
    {"ladder", NULL, "print a row for each event instead: the client left, the server right",
     SETS(FLAG, struct decode, ladder),
     .more = "Arrows begin at the side that did it: - a Send, = an RDMA Read or Write. Below an "
             "event are the rules that it breaks."},
    {0}};

const struct command command_decode = {
    .name = "decode",
    .run = cmd_decode,
    .summary = "print each Send field by field, with offsets",
    .operands = "FILE...",
    .text = "Print each Send: every field of the transport header and of the RPC header, with its "
            "offset and octets, as far as it decodes. For NFS also print the procedure, its "
            "operations, and the item that each chunk holds. RDMA operations, private data, "
            "disconnects, and where something was not seen, are printed in a line each.",
    .groups = (const struct option_group[]){OPTION_GROUP_INPUT,
                                            {"Selection (an event has to match every filter)", NULL,
                                             options_decode},
                                            {"Form", NULL, options_rows},
                                            OPTION_GROUP_OUTPUT,
                                            {0}},
    .status = "0 every Send decodes, 1 one does not, 2 wrong usage, also where nothing matches the "
              "filters, 3 a file is unreadable or not what it claims to be, 130 interrupted.",
};

int cmd_decode(int argc, char **argv)
{
    static struct decode decode;
    decode.options = OPTIONS_DEFAULT;
    decode.options.source.bindings = rpcrdma_bindings;
    int status = options_parse(&command_decode, argc, argv, &decode, set_option);
    if (status < 0 && optind == argc)
        status = usage_error(argv[0], "no FILE given");
    if (status < 0 && !filter_rules(argv[0], &decode.rule_names, &decode.rules))
        status = STATUS_USAGE;
    if (status < 0 && decode.options.json && decode.ladder)
        status = usage_error(argv[0], "options '--json' and '--ladder' exclude each other");
    if (status < 0) {
        decode.style = terminal_style(decode.options.color, stdout);
        output_live(argc - optind, argv + optind);
        for (int i = optind; i < argc && !ferror(stdout) && !interrupted(); i++)
            decode_file(&decode, argv[i]);
        bool filtered =
            decode.first_frame > 0 || decode.has_xid || decode.connection || decode.rules;
        if (interrupt_settle())
            say("interrupted");
        if (filtered && !interrupted() && decode.printed == 0 && decode.status == STATUS_GOOD)
            decode.status = nothing_matches(&decode, argc - optind);
        status = close_output(decode.status);
    }
    free(decode.rules);
    return status;
}
