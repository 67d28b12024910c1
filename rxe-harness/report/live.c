// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/report/live.h"

#include "conformance/base/alloc.h"
#include "conformance/base/register.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

/* Seconds, from 0.01 to 3600. */
static bool set_timeout(struct live *live, const char *command, const char *text)
{
    char *end;
    errno = 0;
    double seconds = text[0] >= '0' && text[0] <= '9' ? strtod(text, &end) : -1;
    if (seconds >= 0.01 && seconds <= 3600 && *end == '\0' && errno == 0) {
        live->timeout = (unsigned)(seconds * 1000);
        return true;
    }
    usage_error(command, "option '--timeout' takes seconds, 0.01 to 3600, not '%s'", text);
    return false;
}

bool live_option(struct live *live, const char *command, int option)
{
    const char **const texts[] = {
        [LIVE_KNOWN - LIVE_KNOWN] = &live->known_file,
        [LIVE_WRITE_KNOWN - LIVE_KNOWN] = &live->write_known,
        [LIVE_JUNIT - LIVE_KNOWN] = &live->junit,
        [LIVE_JSON - LIVE_KNOWN] = &live->json,
        [LIVE_HTML - LIVE_KNOWN] = &live->html,
        [LIVE_NAME - LIVE_KNOWN] = &live->name,
    };
    if (option == LIVE_TIMEOUT)
        return set_timeout(live, command, optarg);
    if (option == LIVE_TAP)
        return live->tap = true;
    if (option < LIVE_KNOWN || option > LIVE_NAME)
        return false;
    *texts[option - LIVE_KNOWN] = optarg;
    return true;
}

bool live_number(const char *command, const char *option, const char *text, uint32_t *number)
{
    char *end;
    errno = 0;
    unsigned long long value = text[0] >= '0' && text[0] <= '9' ? strtoull(text, &end, 0) : 0;
    bool good =
        text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value <= UINT32_MAX;
    if (good)
        *number = (uint32_t)value;
    else
        usage_error(command, "option '%s' takes a number of 32 bits, not '%s'", option, text);
    return good;
}

int live_prepare(struct live *live)
{
    bool good = live->known_file == NULL || known_read(&live->known, live->known_file);
    return good ? STATUS_GOOD : STATUS_UNREADABLE;
}

/* ---- results ---- */

struct result *live_result(struct results *results, const struct live_case *about, const char *rule,
                           bool breaks, const char *from)
{
    struct result *result = results_add(results);
    int row = rule ? register_find(rule) : -1;
    *result =
        (struct result){.file = alloc_text(about->file),
                        .test = alloc_text(about->id),
                        .comment = alloc_text(about->comment),
                        .from = alloc_text(from),
                        .type = alloc_text("send"),
                        .rule = row >= 0 ? alloc_text(rule) : NULL,
                        .breaks = breaks,
                        .level = row >= 0 ? level_of_rule(&rpcrdma_requirements[row]) : RESULT_MUST,
                        .octets = alloc_copy("", 0),
                        .offset = -1};
    return result;
}

void live_exchange(struct result *result, const void *octets, size_t length, const void *answer,
                   size_t answer_length)
{
    free(result->octets);
    free(result->answer);
    result->octets = alloc_copy(octets ? octets : "", octets ? length : 0);
    result->length = octets ? length : 0;
    result->answer = answer ? alloc_copy(answer, answer_length) : NULL;
    result->answer_length = answer ? answer_length : 0;
}

/* One fault a case is told once, however often it is repeated. */
static bool is_told(const struct results *results, const struct live_case *about, const char *rule)
{
    for (size_t i = results->count; i > 0; i--) {
        const struct result *result = &results->list[i - 1];
        if (strcmp(result->test, about->id) != 0)
            return false;
        if (result->rule && strcmp(result->rule, rule) == 0)
            return true;
    }
    return false;
}

struct result *live_finding(struct results *results, const struct live_case *about,
                            const struct rpcrdma_event *event,
                            const struct rpcrdma_finding *finding)
{
    char text[512], field[256];
    const struct rpcrdma_requirement *rule = &rpcrdma_requirements[finding->rule];
    if (is_told(results, about, rule->id))
        return NULL;
    bool client = event->from == RPCRDMA_CLIENT;
    struct result *result =
        live_result(results, about, rule->id, true, client ? "client" : "server");
    rpcrdma_finding_text(finding, text, sizeof text);
    result->expected = alloc_text("no finding in what the peer does");
    result->actual = alloc_text(text);
    result->ending = ENDING_WRONG;
    live_exchange(result, event->data, event->length, NULL, 0);
    result->offset = finding->offset >= 0 ? finding->offset : -1;
    if (rpcrdma_finding_field(finding, event, field, sizeof field))
        result->field = alloc_text(field);
    return result;
}

/* ---- reports ---- */

static void write_html(FILE *out, const struct results *results)
{
    results_html(out, results, 1);
}

static bool write_report(const char *file, void (*write)(FILE *, const struct results *),
                         const struct results *results)
{
    if (file == NULL)
        return true;
    FILE *out = fopen(file, "w");
    if (out == NULL) {
        file_error(file, strerror(errno));
        return false;
    }
    write(out, results);
    bool failed = ferror(out) != 0;
    if (fclose(out) != 0 || failed) {
        file_error(file, strerror(errno));
        return false;
    }
    return true;
}

int live_report(struct live *live, const char *who, struct results *results)
{
    results->subject = alloc_text(live->name ? live->name : who);
    results_apply_known(results, &live->known);
    if (live->tap)
        results_tap(stdout, results);
    else
        results_text(stdout, terminal_style(live->options.color, stdout), terminal_width(stdout),
                     results);
    fflush(stdout);
    bool written = write_report(live->junit, results_junit, results);
    written = write_report(live->json, results_json, results) && written;
    written = write_report(live->html, write_html, results) && written;
    unsigned stale = known_missing(&live->known);
    int status = results_failed(results) > 0 || stale > 0 ? STATUS_VIOLATED : STATUS_GOOD;
    if (live->write_known)
        written = known_write(&live->known, live->write_known) && written;
    results_free(results);
    return written ? status : STATUS_UNREADABLE;
}

/* ---- addresses ---- */

bool live_is_loopback(const char *address)
{
    return address == NULL || strcmp(address, "loopback:") == 0;
}

struct transport *live_verbs(const char *address, bool listen)
{
    char error[256] = "";
    struct transport *transport = transport_verbs(address, listen, error, sizeof error);
    if (transport == NULL)
        fprintf(stderr, "rpcrdma: %s: %s\n", address, error);
    return transport;
}
