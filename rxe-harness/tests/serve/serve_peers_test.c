// SPDX-License-Identifier: BSD-3-Clause
/* Requesters that connect to `serve` one after the other: who they are is a script. */
#include "rxe-harness/requester/requester.h"
#include "rxe-harness/serve/serve.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <poll.h>
#include <rpcrdma/rpcrdma.h>
#include <stdlib.h>
#include <string.h>

#define CALLS 4
#define NAP 200
#define SHORT 1500
#define LEAVING 10000
#define LONG 60000 /* milliseconds for a case, where patience is measured */
#define CALL (RPCRDMA1_HEADER_MIN + REQUESTER_RPC)

enum manner {
    TOLERATES, /* drops what is unexpected */
    OFFENDED,  /* leaves at what is unexpected */
    RESENDS,   /* the same, and makes its last Call again on the next connection */
    RESUMES,   /* the same, and makes those that are left, by other XIDs */
    HURRIES,   /* as one that is offended, but tolerates it the next time */
    TIMES_OUT, /* as one that resends, and tolerates it the next time */
    MUTE,      /* makes no Call any more, and stays */
    TERMINATED /* an RDMA_ERROR ends a Call, and the next one is made */
};

struct script {
    unsigned connections; /* then nobody comes */
    unsigned failing;     /* before them: that do not come about */
    enum manner manner;
    const char *unexpected; /* the one case that is met in that manner; NULL: all of them */
    bool careful;           /* without the cases that are hazardous */
    bool varies;            /* makes no promise to do the same each time */
    bool stays;             /* does not disconnect after its last Call */
    unsigned calls;         /* on a connection */
    unsigned nap;           /* milliseconds before its second Call on the first connection */
    bool tires;             /* makes two Calls on each connection but the first, and stays */
    unsigned recovers;      /* on this connection, and is not tired any more; or 0 */
    bool naps_later;        /* on the others instead, before the third */
    unsigned timeout;       /* of the serve, or 0 */
    unsigned accepted, serial;
    unsigned patience; /* milliseconds: the longest that was waited on the last connection */
    unsigned resumed;  /* Calls that the next connection does not make any more */
    uint32_t again;    /* the XID of the Call to make again, or 0 */
    bool calm; /* tolerates what is unexpected on the next connection, whatever its manner */
    unsigned open;
};

struct scripted {
    struct link link; /* first */
    struct script *script;
    enum manner manner;
    uint32_t xid;
    unsigned made;
    bool waiting, gone;
    uint8_t octets[CALL];
};

static struct scripted *scripted_of(struct link *link)
{
    return (struct scripted *)link;
}

/* A Send of the Responder's. */
static bool take(struct link *link, const void *octets, size_t length, const uint32_t *invalidate)
{
    struct scripted *own = scripted_of(link);
    const uint8_t *words = octets;
    bool mine = length >= 16 && rpcrdma_xdr_load32(words) == own->xid;
    uint32_t procedure = length >= 16 ? rpcrdma_xdr_load32(words + 12) : 0;
    bool reply =
        mine && length >= 28 && procedure == RPCRDMA1_MSG && rpcrdma_xdr_load32(words + 4) == 1;
    if (reply || (own->manner == TERMINATED && procedure == RPCRDMA1_ERROR && mine))
        own->waiting = false;
    else if (own->manner == MUTE)
        own->made = own->script->calls;
    else if (own->manner != TOLERATES && own->manner != TERMINATED)
        own->gone = true;
    if (own->gone && (own->manner == RESENDS || own->manner == TIMES_OUT))
        own->script->again = own->xid;
    if (own->gone && own->manner == RESUMES)
        own->script->resumed = own->made;
    if (own->gone && (own->manner == HURRIES || own->manner == TIMES_OUT))
        own->script->calm = true;
    return !own->gone;
}

static void speak(struct link *link, unsigned timeout, struct link_event *event)
{
    struct scripted *own = scripted_of(link);
    struct script *script = own->script;
    *event = (struct link_event){.type = own->gone ? LINK_CLOSED : LINK_NOTHING};
    script->patience = timeout > script->patience ? timeout : script->patience;
    if (own->gone || own->waiting)
        return;
    if (script->naps_later ? script->accepted > 1 && own->made == 2
                           : script->accepted == 1 && own->made == 1)
        poll(NULL, 0, (int)script->nap);
    bool tires = script->tires && (script->recovers == 0 || script->accepted < script->recovers);
    bool tired = tires && script->accepted > 1 && own->made == 2;
    if (own->made == script->calls || tired) {
        own->gone = !script->stays && !tired;
        event->type = own->gone ? LINK_CLOSED : LINK_NOTHING;
        return;
    }
    own->xid = script->again ? script->again : ++script->serial << 8;
    script->again = 0;
    const uint32_t header[] = {own->xid, 1, 8, 0, 0, 0, 0};
    for (size_t i = 0; i < 7; i++)
        rpcrdma_xdr_store32(own->octets + 4 * i, header[i]);
    requester_rpc(own->octets + RPCRDMA1_HEADER_MIN, own->xid, 100003, 4, own->made++);
    own->waiting = true;
    *event = (struct link_event){.type = LINK_RECEIVED, .octets = own->octets, .length = CALL};
}

static void finish(struct link *link)
{
    scripted_of(link)->script->open--;
    free(link);
}

static const struct link_ops link_ops = {.send = take, .wait = speak, .close = finish};

struct stage {
    struct transport transport; /* first */
    struct script *script;
};

static struct link *come(struct transport *transport, const struct link_options *options,
                         unsigned timeout)
{
    struct script *script = ((struct stage *)transport)->script;
    transport->error[0] = '\0';
    if (script->failing > 0) {
        script->failing--;
        strcpy(transport->error, "a connection that fails");
        return NULL;
    }
    if (script->accepted == script->connections)
        return NULL;
    struct scripted *own = calloc(1, sizeof *own);
    own->link.ops = &link_ops;
    own->script = script;
    /* On the first connection nothing is reply, and that does no harm. */
    own->manner = script->accepted > 0 && !script->again && !script->resumed && !script->calm
                      ? script->manner
                      : TOLERATES;
    own->made = script->resumed;
    script->resumed = 0;
    script->calm = script->calm && script->again;
    script->accepted++;
    script->patience = 0;
    script->open++;
    return &own->link;
}

static const struct transport_ops transport_ops = {.accept = come};

static void run(struct serve *serve, struct script *script)
{
    struct stage stage = {.transport.ops = &transport_ops, .script = script};
    *serve = (struct serve){.timeout = script->timeout > 0 ? script->timeout : SHORT,
                            .same = !script->varies,
                            .selection.hazardous = !script->careful};
    if (script->unexpected)
        chosen_add(&serve->selection.cases, script->unexpected);
    script->calls = script->calls > 0 ? script->calls : CALLS;
    serve_peers(serve, &stage.transport);
    chosen_free(&serve->selection.cases);
    ck_assert_uint_eq(script->open, 0);
}

static const struct result *find(const struct serve *serve, const char *id)
{
    for (size_t i = 0; i < serve->results.count; i++)
        if (strcmp(serve->results.list[i].test, id) == 0)
            return &serve->results.list[i];
    ck_abort_msg("no result of %s", id);
    return NULL;
}

static void ends(const struct serve *serve, const char *id, enum ending ending)
{
    const struct result *result = find(serve, id);
    ck_assert_msg(result->ending == ending, "%s: %s: %s", id, ending_names[result->ending],
                  result->actual);
}

/* ---- tests ---- */

/* Scripts offer no chunk, which these cases need: they are tried again, and then left. */
static bool is_left(const struct result *result)
{
    return strncmp(result->test, "write-chunk-", 12) == 0 ||
           strncmp(result->test, "memory-", 7) == 0;
}

/* Nor have they a session, nor say what they read: these cases wait for no connection. */
static bool waits_for_none(const struct result *result)
{
    return strncmp(result->test, "reverse-", 8) == 0 || strncmp(result->test, "read-", 5) == 0;
}

static size_t met(const struct serve *serve)
{
    size_t count = 0;
    for (size_t i = 0; i < serve->results.count; i++)
        count += !waits_for_none(&serve->results.list[i]);
    ck_assert_uint_lt(count, serve->results.count);
    return count;
}

static unsigned left(const struct serve *serve)
{
    unsigned count = 0;
    for (size_t i = 0; i < serve->results.count; i++)
        count += is_left(&serve->results.list[i]);
    ck_assert_uint_gt(count, 0);
    return count;
}
#define MORE 3 /* connections for each of them */

START_TEST(who_bears_all_is_good)
{
    struct serve serve;
    struct script script = {.connections = 1000, .failing = 2, .stays = _i == 1};
    run(&serve, &script);
    for (size_t i = 0; i < serve.results.count; i++) {
        const struct result *result = &serve.results.list[i];
        bool is_error = strncmp(result->test, "error-", 6) == 0 && strlen(result->test) < 12;
        bool none = is_left(result) || waits_for_none(result);
        ck_assert_msg(result->ending == (none ? ENDING_NOT_APPLICABLE : ENDING_REQUIRED), "%s: %s",
                      result->test, result->actual);
        ck_assert_msg(!is_error || result->length > 0, "%s: no octets", result->test);
    }
    ck_assert_uint_ge(serve.results.count, 34);
    ck_assert_uint_eq(script.accepted, met(&serve) + MORE * left(&serve));
    results_free(&serve.results);
}
END_TEST

START_TEST(who_takes_offence_is_accused)
{
    struct serve serve;
    static const enum manner manners[] = {OFFENDED, RESENDS, RESUMES};
    struct script script = {.connections = 1000, .manner = manners[_i]};
    run(&serve, &script);
    ends(&serve, "serve-plainly", ENDING_REQUIRED);
    ends(&serve, "reply-of-unknown-xid", ENDING_WRONG);
    ends(&serve, "runt-reply", ENDING_WRONG);
    ends(&serve, "reply-nomsg-without-lists", ENDING_WRONG);
    ends(&serve, "call-from-server", ENDING_REQUIRED); /* which is not a rule */
    ends(&serve, "grant-of-zero", ENDING_REQUIRED);
    ends(&serve, "private-data-absent", ENDING_REQUIRED);
    /* Connections that go on with a Call are no cases; each that fails is met twice. */
    size_t connections = met(&serve) + MORE * left(&serve);
    for (size_t i = 0; i < serve.results.count; i++)
        connections += serve.results.list[i].ending == ENDING_WRONG;
    ck_assert(_i == 0 ? script.accepted == connections : script.accepted > connections + 10);
    results_free(&serve.results);
}
END_TEST

/* What an RPC that timed out leaves undone is charged to nobody. */
START_TEST(who_is_late_once_is_not_accused)
{
    struct serve serve;
    struct script script = {.connections = 1000, .manner = _i == 0 ? HURRIES : TIMES_OUT};
    run(&serve, &script);
    unsigned late = 0;
    for (size_t i = 0; i < serve.results.count; i++) {
        const struct result *result = &serve.results.list[i];
        bool none = is_left(result) || waits_for_none(result);
        bool error = strncmp(result->test, "error-", 6) == 0; /* whose Call may not come again */
        if (!error || _i == 0)
            ck_assert_msg(result->ending == (none ? ENDING_NOT_APPLICABLE : ENDING_REQUIRED),
                          "%s: %s", result->test, result->actual);
        late += strstr(result->actual, "; only the first time Calls were missing") != NULL;
    }
    ck_assert_uint_gt(late, 10);
    ends(&serve, "runt-reply", ENDING_REQUIRED);
    ck_assert_str_eq(find(&serve, "runt-reply")->actual,
                     "the Requester went on; only the first time Calls were missing");
    results_free(&serve.results);
}
END_TEST

/* Nor what there was no time for. */
START_TEST(who_is_slow_is_not_accused)
{
    struct serve serve;
    struct script script = {.connections = 1000,
                            .nap = 2 * NAP,
                            .naps_later = true,
                            .timeout = NAP,
                            .unexpected = "runt-reply"};
    run(&serve, &script);
    ends(&serve, "runt-reply", ENDING_NOT_APPLICABLE);
    ck_assert_str_eq(find(&serve, "runt-reply")->actual,
                     "its time was over before all Calls were made (--timeout)");
    results_free(&serve.results);
}
END_TEST

/* A Requester that is silent after something unexpected is given another connection with it, and
 * then one without. If its Calls come on that one, the silence is held to be its reaction; if they
 * do not, it is silent anyway, and nothing is judged. */
START_TEST(who_is_silent_is_asked_again)
{
    static const struct {
        bool tires, varies;
        enum manner manner;
        enum ending ending;
        const char *actual;
    } rows[] = {
        {false, false, MUTE, ENDING_WRONG, "not borne: no Call of program 100003"},
        {true, false, TOLERATES, ENDING_NOT_APPLICABLE, "not judged: Calls are missing, and so"},
        {true, true, TOLERATES, ENDING_NOT_APPLICABLE, "not judged: no Call came after it"},
        {false, true, MUTE, ENDING_NOT_APPLICABLE, "not judged: no Call came after it"},
    };
    struct serve serve;
    struct script script = {.connections = 1000,
                            .stays = true,
                            .manner = rows[_i].manner,
                            .tires = rows[_i].tires,
                            .varies = rows[_i].varies};
    run(&serve, &script);
    static const char *const cases[] = {"reply-of-procedure-77", "runt-reply",
                                        "reply-of-unknown-xid"};
    for (size_t i = 0; i < 3; i++) {
        const struct result *result = find(&serve, cases[i]);
        ends(&serve, cases[i], rows[_i].ending);
        ck_assert_msg(strncmp(result->actual, rows[_i].actual, strlen(rows[_i].actual)) == 0,
                      "%s: %s", cases[i], result->actual);
    }
    results_free(&serve.results);
}
END_TEST

/* Also where the first connection was the rest of what one had been at before. */
START_TEST(who_was_busy_at_first_is_judged)
{
    struct serve serve;
    struct script script = {.connections = 1000, .resumed = 1};
    run(&serve, &script);
    ends(&serve, "reply-of-unknown-xid", ENDING_REQUIRED);
    ends(&serve, "runt-reply", ENDING_REQUIRED);
    ends(&serve, "reply-of-procedure-77", ENDING_REQUIRED);
    results_free(&serve.results);
}
END_TEST

/* So is one that was silent on every connection since the first, the case's and the plain one. */
START_TEST(who_was_silent_for_a_while_is_judged)
{
    struct serve serve;
    struct script script = {.connections = 1000,
                            .stays = true,
                            .tires = true,
                            .recovers = _i == 0 ? 5 : 1000,
                            .unexpected = "runt-reply"};
    run(&serve, &script);
    ck_assert_uint_eq(serve.results.count, 1);
    ends(&serve, "runt-reply", _i == 0 ? ENDING_REQUIRED : ENDING_NOT_APPLICABLE);
    ck_assert_uint_eq(script.accepted, _i == 0 ? 5 : 7);
    results_free(&serve.results);
}
END_TEST

/* What one does not do that promised nothing is not a failure; but to leave is, for one that stays
 * where nothing unexpected comes. */
START_TEST(who_varies_is_not_accused)
{
    struct serve serve;
    struct script script = {
        .connections = 1000, .manner = OFFENDED, .varies = true, .stays = _i == 1};
    run(&serve, &script);
    /* Whether that or its last Call made it leave is not known. */
    ends(&serve, "reply-of-unknown-xid", _i == 0 ? ENDING_NOT_APPLICABLE : ENDING_CLOSED);
    ends(&serve, "runt-reply", _i == 0 ? ENDING_NOT_APPLICABLE : ENDING_CLOSED);
    ends(&serve, "call-from-server", ENDING_REQUIRED);
    ends(&serve, "error-chunk", ENDING_REQUIRED);
    ends(&serve, "grant-of-zero", ENDING_REQUIRED);
    results_free(&serve.results);
}
END_TEST

START_TEST(an_error_ends_its_call)
{
    static const struct {
        enum manner manner;
        enum ending ending;
    } manners[] = {
        {TERMINATED, ENDING_REQUIRED}, {OFFENDED, ENDING_REQUIRED}, {RESENDS, ENDING_WRONG}};
    struct serve serve;
    struct script script = {.connections = 1000, .manner = manners[_i].manner};
    run(&serve, &script);
    ends(&serve, "error-chunk", manners[_i].ending);
    ends(&serve, "error-vers", manners[_i].ending);
    results_free(&serve.results);
}
END_TEST

START_TEST(hazardous_cases_are_named)
{
    struct serve serve;
    struct script script = {.connections = 1000, .careful = true};
    run(&serve, &script);
    for (size_t i = 0; i < serve.results.count; i++)
        ck_assert(!is_left(&serve.results.list[i]));
    results_free(&serve.results);
    script = (struct script){
        .connections = 5, .careful = true, .unexpected = "write-chunk-not-returned"};
    run(&serve, &script);
    ck_assert_uint_eq(serve.results.count, 1);
    results_free(&serve.results);
}
END_TEST

START_TEST(one_case_is_measured_first)
{
    struct serve serve;
    struct script script = {.connections = 3, .manner = OFFENDED, .unexpected = "runt-reply"};
    run(&serve, &script);
    ck_assert_uint_eq(serve.results.count, 1);
    ends(&serve, "runt-reply", ENDING_WRONG);
    results_free(&serve.results);
}
END_TEST

/* The report has the case alone, not the connection that would have been its measure. */
START_TEST(nobody_comes_for_one_case)
{
    struct serve serve;
    struct script script = {.unexpected = "runt-reply"};
    run(&serve, &script);
    ck_assert_uint_eq(serve.results.count, 1);
    ends(&serve, "runt-reply", ENDING_NOT_APPLICABLE);
    ck_assert_str_eq(serve.results.list[0].actual, "no Requester connected");
    results_free(&serve.results);
}
END_TEST

/* Ten times the longest pause that it made, be it followed by shorter ones; of one that leaves its
 * first connection it is not known; and no longer than a case may take. */
START_TEST(the_longest_pause_is_the_measure)
{
    bool leaves = _i % 2 == 1, is_short = _i / 2 == 1;
    struct serve serve;
    struct script script = {.connections = 2,
                            .nap = NAP,
                            .timeout = is_short ? SHORT : LONG,
                            .stays = !leaves,
                            .unexpected = "runt-reply"};
    run(&serve, &script);
    ck_assert_uint_eq(script.accepted, 2);
    ck_assert_uint_ge(script.patience, is_short ? SHORT : leaves ? LEAVING : 10 * NAP);
    ck_assert_uint_le(script.patience, is_short ? SHORT : leaves ? LEAVING : LEAVING - 1);
    results_free(&serve.results);
}
END_TEST

START_TEST(who_stays_away_is_told)
{
    struct serve serve;
    struct script script = {.connections = 2, .manner = OFFENDED};
    run(&serve, &script);
    ends(&serve, "serve-plainly", ENDING_REQUIRED);
    ends(&serve, "reply-of-unknown-xid", ENDING_CRASHED);
    for (const struct result *each = find(&serve, "reply-of-unknown-xid") + 1;
         each < serve.results.list + serve.results.count; each++)
        ck_assert_str_ne(each->test, "reply-of-unknown-xid");
    ends(&serve, "runt-reply", ENDING_NOT_APPLICABLE);
    ck_assert_str_eq(find(&serve, "runt-reply")->actual, "no further Requester connected");
    results_free(&serve.results);
}
END_TEST

START_TEST(too_few_calls_are_no_verdict)
{
    struct serve serve;
    struct script script = {.connections = 1000, .calls = 1};
    run(&serve, &script);
    for (size_t i = 0; i < serve.results.count; i++)
        ck_assert_int_eq(serve.results.list[i].ending, ENDING_NOT_APPLICABLE);
    ck_assert_uint_gt(script.accepted, serve.results.count); /* each was tried again */
    results_free(&serve.results);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("serve_peers");
    tcase_set_timeout(tests, 20);
    tcase_add_loop_test(tests, who_bears_all_is_good, 0, 2);
    tcase_add_loop_test(tests, who_takes_offence_is_accused, 0, 3);
    tcase_add_loop_test(tests, who_is_late_once_is_not_accused, 0, 2);
    tcase_add_test(tests, who_is_slow_is_not_accused);
    tcase_add_loop_test(tests, who_is_silent_is_asked_again, 0, 4);
    tcase_add_test(tests, who_was_busy_at_first_is_judged);
    tcase_add_loop_test(tests, who_was_silent_for_a_while_is_judged, 0, 2);
    tcase_add_loop_test(tests, who_varies_is_not_accused, 0, 2);
    tcase_add_loop_test(tests, an_error_ends_its_call, 0, 3);
    tcase_add_test(tests, hazardous_cases_are_named);
    tcase_add_test(tests, one_case_is_measured_first);
    tcase_add_test(tests, nobody_comes_for_one_case);
    tcase_add_loop_test(tests, the_longest_pause_is_the_measure, 0, 4);
    tcase_add_test(tests, who_stays_away_is_told);
    tcase_add_test(tests, too_few_calls_are_no_verdict);
    return run_tests("serve_peers", tests);
}
