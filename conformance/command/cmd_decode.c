// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma decode`: each Send, field by field. */
#include "conformance/command/commands.h"
#include "conformance/decode/decode_json.h"
#include "conformance/decode/fields.h"
#include "conformance/decode/items_text.h"
#include "conformance/base/options.h"
#include "conformance/base/place.h"

#include <inttypes.h>

struct decode {
    struct options options;
    const struct style *style;
    struct progress progress;
    struct items items;
    uint64_t sends; /* printed so far */
    int status;
};

static bool decode_text(struct decode *decode, const struct source_event *event,
                        const struct items_view *view)
{
    const struct style *style = decode->style;
    const struct rpcrdma_event *send = &event->event;
    if (decode->sends > 0)
        putchar('\n');
    fputs(style->bold, stdout);
    place_print(stdout, event);
    printf(": Send of %zu octets from %s", send->length, endpoint_name(send->from));
    if (send->missing > 0)
        printf(", %zu more not captured", send->missing);
    if (send->invalidate)
        printf(", invalidates 0x%08" PRIx32, send->handle);
    printf("%s\n", style->plain);
    items_print(stdout, view);
    struct field_table table = {.out = stdout, .style = style};
    return fields_print(&table, send);
}

static bool decode_event(void *arg, const struct source_event *event)
{
    struct decode *decode = arg;
    if (event->event.type != RPCRDMA_EVENT_SEND)
        return true;
    progress_clear(&decode->progress);
    struct items_view view;
    items_look(&decode->items, event, &view);
    bool good = decode->options.json ? decode_json_items(stdout, event, &view)
                                     : decode_text(decode, event, &view);
    decode->sends++;
    if (!good && decode->status == STATUS_GOOD)
        decode->status = STATUS_VIOLATED;
    return !output_failed(stdout);
}

static void decode_file(struct decode *decode, const char *file)
{
    struct source_sink sink = {.event = decode_event, .arg = decode};
    struct source_counts counts;
    char error[512];
    decode->items = (struct items){.calls = {{.known = false}}};
    progress_start(&decode->progress, file);
    decode->options.source.progress = progress_show;
    decode->options.source.progress_arg = &decode->progress;
    bool good = source_read(file, &decode->options.source, &sink, &counts, error, sizeof error);
    progress_clear(&decode->progress);
    if (good || ferror(stdout))
        return;
    fflush(stdout);
    decode->status = file_error(file, error);
}

const struct command command_decode = {
    .name = "decode",
    .run = cmd_decode,
    .summary = "print each Send field by field, with offsets",
    .operands = "FILE...",
    .text = "Print each Send: every field of the transport header and of the RPC header, with its "
            "offset and octets, as far as it decodes. For NFS also print the procedure, its "
            "operations, and the item that each chunk holds.",
    .groups = (const struct option_group[]){OPTION_GROUP_INPUT, OPTION_GROUP_OUTPUT, {0}},
    .status = "0 every Send decodes, 1 one does not, 2 wrong usage, 3 a file is unreadable or not "
              "what it claims to be.",
};

int cmd_decode(int argc, char **argv)
{
    static struct decode decode;
    decode.options = OPTIONS_DEFAULT;
    int status = options_parse(&command_decode, argc, argv, &decode, NULL);
    if (status >= 0)
        return status;
    if (optind == argc)
        return usage_error(argv[0], "no FILE given");
    decode.style = terminal_style(decode.options.color, stdout);
    for (int i = optind; i < argc && !ferror(stdout); i++)
        decode_file(&decode, argv[i]);
    return close_output(decode.status);
}
