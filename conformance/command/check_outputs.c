// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma check`: the files that it writes, --html, --junit, --sarif and --annotate, and --tap. */
#include "conformance/base/count.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/output.h"
#include "conformance/base/status.h"
#include "conformance/command/check.h"
#include "conformance/report/outcome/outcome.h"
#include "conformance/input/decompress.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int outputs_begin(struct check_command *check, int files, char **names)
{
    if (check->outputs.annotate && (files != 1 || strcmp(names[0], "-") == 0))
        return usage_error("check", "option '--annotate' takes one capture that is a file");
    if (check->outputs.sarif && !sarif_begin(&check->sarif, check->outputs.sarif))
        return STATUS_UNREADABLE;
    return STATUS_GOOD;
}

static bool keeps(const struct check_command *check)
{
    return check->outputs.html || check->outputs.junit || check->tap;
}

void outputs_add(struct check_command *check, const struct judged *judged,
                 const struct rpcrdma_finding *finding, bool is_shown)
{
    sarif_add(&check->sarif, judged, finding);
    if (is_shown && keeps(check))
        kept_add(&check->kept, judged, finding);
    if (check->outputs.annotate && judged->source->frame > 0) {
        char text[512], line[1024];
        rpcrdma_finding_text(finding, text, sizeof text);
        snprintf(line, sizeof line, "rpcrdma: %s by the %s: %s [%s]",
                 rpcrdma_severity_name(finding->severity), endpoint_name(finding->from), text,
                 rpcrdma_requirements[finding->rule].id);
        annotate_add(&check->annotations, judged->source->frame, line);
    }
}

void outputs_missed(struct check_command *check, const struct source_miss *miss)
{
    char line[256];
    if (check->outputs.annotate == NULL || miss->frame == 0 || missed_kind_text(miss->kind) == NULL)
        return;
    snprintf(line, sizeof line, "rpcrdma: not checked: %s", miss->reason);
    annotate_add(&check->annotations, miss->frame, line);
}

/* ---- the end ---- */

static bool is_checked(const void *arg, enum rpcrdma_rule rule)
{
    return check_wants_rule(arg, rule);
}

static struct outcome outcome_of(const struct check_command *check, int files, char **names)
{
    static const enum rpcrdma_severity severities[] = {
        [FAIL_ON_VIOLATION] = RPCRDMA_VIOLATION,
        [FAIL_ON_WARNING] = RPCRDMA_WARNING,
        [FAIL_ON_NOTE] = RPCRDMA_NOTE,
    };
    return (struct outcome){
        .files = names,
        .file_count = files,
        .total = &check->seen.total,
        .by_rule = &check->seen.by_rule,
        .missed = &check->seen.missed,
        .unanswered = &check->seen.unanswered,
        .kept = &check->kept,
        .known = &check->known,
        .expected = check->seen.known,
        .fail_on = severities[check->fail_on],
        .incomplete = check->incomplete,
        .strict = check->strict,
        .is_checked = is_checked,
        .arg = check,
    };
}

static void write_outcome(struct check_command *check, const char *file,
                          const struct outcome *outcome,
                          void (*write)(FILE *, const struct outcome *))
{
    struct output output;
    if (file == NULL)
        return;
    bool good = output_begin(&output, file);
    if (good) {
        write(output.stream, outcome);
        good = output_end(&output);
    }
    if (!good)
        check->status = STATUS_UNREADABLE;
}

/* The capture, decompressed if it is compressed; NULL with a line in `why`. `file` stays open. */
static FILE *open_capture(FILE *file, char why[DECOMPRESS_ERROR])
{
    uint8_t ahead[DECOMPRESS_MAGIC];
    size_t length = fread(ahead, 1, sizeof ahead, file);
    const struct compression *compression = decompress_find(ahead, length);
    rewind(file);
    return compression ? decompress_open(compression, file, why) : file;
}

static bool annotate_from(struct check_command *check, FILE *file, FILE *out, char *error,
                          size_t size)
{
    char why[DECOMPRESS_ERROR] = "";
    FILE *in = open_capture(file, why);
    bool good = in && annotate_copy(&check->annotations, in, out, error, size);
    if (in && in != file)
        fclose(in);
    if (!good && why[0] != '\0')
        snprintf(error, size, "%s", why);
    return good;
}

static bool write_annotated(struct check_command *check, FILE *file, const char *name)
{
    char error[256] = "";
    struct output output;
    if (!output_begin(&output, check->outputs.annotate))
        return false;
    bool whole = annotate_from(check, file, output.stream, error, sizeof error);
    if (!whole && check->seen.unread.count == 0) /* else its reader has said so */
        file_error(name, error);
    if (whole || check->annotations.copied > 0) /* of a capture that was cut, what there is */
        return output_end(&output) && whole;
    output_drop(&output);
    return false;
}

static void annotate(struct check_command *check, const char *name)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL)
        file_error(name, strerror(errno));
    if (file == NULL || !write_annotated(check, file, name))
        check->status = STATUS_UNREADABLE;
    if (file)
        fclose(file);
    if (check->annotations.left_out > 0)
        say("%s: %" PRIu64 " findings after the first %d are not annotated",
            check->outputs.annotate, check->annotations.left_out, ANNOTATE_MAX);
}

void outputs_end(struct check_command *check, int files, char **names)
{
    struct outcome outcome = outcome_of(check, files, names);
    bool nothing = check->incomplete && !interrupted() && check->seen.total.events == 0;
    if (check->tap)
        outcome_tap(stdout, &outcome, check->tap);
    if (nothing) { /* the reports of an earlier run stay */
        output_drop(&check->sarif.out);
    } else {
        write_outcome(check, check->outputs.html, &outcome, outcome_html);
        write_outcome(check, check->outputs.junit, &outcome, outcome_junit);
        if (!sarif_end(&check->sarif, &check->seen.missed, &check->known, check->incomplete))
            check->status = STATUS_UNREADABLE;
        if (check->outputs.annotate)
            annotate(check, names[0]);
    }
    kept_free(&check->kept);
    annotate_free(&check->annotations);
}
