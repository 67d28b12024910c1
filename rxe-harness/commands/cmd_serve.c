// SPDX-License-Identifier: BSD-3-Clause
/* `rpcrdma serve`: be the Responder, and test the Requester that connects. */
#include "rxe-harness/commands/commands.h"
#include "rxe-harness/report/live.h"
#include "rxe-harness/serve/serve.h"

enum { OPTION_LIST = OPTION_OWN, OPTION_CASE, OPTION_SAME, OPTION_HAZARDOUS };

#define WAIT_FOR_PEER 60000 /* milliseconds */

struct serving {
    struct live live;
    struct serve serve;
};

static bool set_option(struct serving *serving, int option)
{
    switch (option) {
    case OPTION_LIST:
        return serving->serve.list = true;
    case OPTION_CASE:
        serving->serve.only = optarg;
        return true;
    case OPTION_HAZARDOUS:
        return serving->serve.hazardous = true;
    case OPTION_SAME:
        return serving->serve.same = true;
    default:
        return live_option(&serving->live, "serve", option);
    }
}

/* Returns -1 to go on, or the status to exit with. */
static int parse_options(struct serving *serving, int argc, char **argv)
{
    static const struct option table[] = {LIVE_OPTIONS,
                                          {"list", no_argument, NULL, OPTION_LIST},
                                          {"case", required_argument, NULL, OPTION_CASE},
                                          {"same", no_argument, NULL, OPTION_SAME},
                                          {"hazardous", no_argument, NULL, OPTION_HAZARDOUS},
                                          {0}};
    int option;
    while ((option = options_next(argc, argv, table, &serving->live.options)) != -1) {
        if (option == OPTION_HELP) {
            fputs(help_serve, stdout);
            return close_output(STATUS_GOOD);
        }
        if (!set_option(serving, option))
            return STATUS_USAGE;
    }
    if (argc - optind > 1)
        return usage_error(argv[0], "more than one ADDRESS given");
    int status = live_prepare(&serving->live);
    return status == STATUS_GOOD ? -1 : status;
}

static size_t not_run(const struct results *results)
{
    size_t count = 0;
    for (size_t i = 0; i < results->count; i++)
        count += results->list[i].ending == ENDING_NOT_APPLICABLE;
    return count;
}

/* STATUS_GOOD, or why there is nothing to report. */
static int serve_all(struct serve *serve, const char *address)
{
    if (live_is_loopback(address) || serve->list) {
        serve_reference(serve);
    } else {
        struct transport *transport = live_verbs(address, true);
        if (transport == NULL)
            return STATUS_UNREACHABLE;
        serve_peers(serve, transport);
        transport->ops->close(transport);
    }
    if (serve->only && serve->shown == 0)
        return usage_error("serve", "there is no case '%s'", serve->only);
    if (serve->list || not_run(&serve->results) < serve->results.count)
        return STATUS_GOOD;
    fprintf(stderr, "rpcrdma: %s: no Requester connected\n", address);
    return STATUS_UNREACHABLE;
}

static int run(struct serving *serving, const char *address)
{
    struct serve *serve = &serving->serve;
    serve->timeout = serving->live.timeout;
    int status = serve_all(serve, address);
    if (status == STATUS_GOOD && !serve->list)
        status = live_report(&serving->live,
                             live_is_loopback(address) ? "reference Requester" : "the Requester",
                             &serve->results);
    else
        results_free(&serve->results);
    return close_output(status);
}

int cmd_serve(int argc, char **argv)
{
    struct serving serving = {.live = LIVE_DEFAULT};
    serving.live.timeout = WAIT_FOR_PEER;
    int status = parse_options(&serving, argc, argv);
    if (status < 0)
        status = run(&serving, argv[optind]);
    known_free(&serving.live.known);
    return status;
}
