// SPDX-License-Identifier: BSD-3-Clause
/* What is counted adds up, and the worst of it is kept. */
#include "conformance/base/alloc.h"
#include "conformance/base/count.h"
#include "conformance/report/findings/by_rule.h"
#include "conformance/report/findings/missed.h"
#include "conformance/report/findings/tally.h"
#include "conformance/report/findings/unanswered.h"
#include "conformance/report/matrix/matrix.h"
#include "conformance/report/outcome/kept.h"
#include "conformance/report/results/known.h"
#include "conformance/report/results/results.h"
#include "conformance/run/connections.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* A tally has nothing but counts. */
START_TEST(tallies_add_up)
{
    enum { COUNTS = sizeof(struct tally) / sizeof(uint64_t) };
    uint64_t counts[3][COUNTS];
    struct tally total, other;
    for (unsigned i = 0; i < COUNTS; i++) {
        counts[0][i] = 1000 + i;
        counts[1][i] = 7 * i + 3;
    }
    memcpy(&total, counts[0], sizeof total);
    memcpy(&other, counts[1], sizeof other);
    tally_add(&total, &other);
    memcpy(counts[2], &total, sizeof total);
    for (unsigned i = 0; i < COUNTS; i++)
        ck_assert_uint_eq(counts[2][i], counts[0][i] + counts[1][i]);
}
END_TEST

/* By kind, of all files and connections. What the end of a connection broke off was never whole. */
START_TEST(misses_add_up)
{
    static const struct {
        enum source_miss_kind kind;
        uint64_t count;
        const char *file, *connection;
    } rows[] = {
        {SOURCE_LOST, 3, "a", "one"}, {SOURCE_LOST, 4, "a", "one"},
        {SOURCE_LOST, 5, "a", "two"}, {SOURCE_CUT, 1, "a", "one"},
        {SOURCE_LOST, 6, "b", NULL},  {SOURCE_BROKEN_OFF, 9, "b", NULL},
    };
    struct missed missed = {0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct source_miss miss = {.kind = rows[i].kind,
                                         .count = rows[i].count,
                                         .reason = "packets are missing",
                                         .connection = rows[i].connection};
        missed_add(&missed, rows[i].file, &miss);
    }
    ck_assert_uint_eq(missed.total[SOURCE_LOST], 18);
    ck_assert_uint_eq(missed.total[SOURCE_CUT], 1);
    ck_assert_uint_eq(missed.total[SOURCE_BROKEN_OFF], 9);
    ck_assert_uint_eq(missed_count(&missed), 19);
    struct alloc_stream text;
    alloc_begin(&text);
    missed_print_total(text.out, &missed);
    char *said = alloc_end(&text);
    ck_assert_str_eq(said, "18 lost, 1 cut");
    free(said);
    /* Of a file: first what belongs to one connection, then what was not said. */
    alloc_begin(&text);
    missed_print(text.out, &missed, "a", "one", "");
    missed_print_rest(text.out, &missed, "a");
    missed_print_rest(text.out, &missed, "a");
    said = alloc_end(&text);
    ck_assert_str_eq(said,
                     "7 messages could not be checked: packets are missing\n"
                     "1 message could be checked in part only: packets are missing\n"
                     "connection two: 5 messages could not be checked: packets are missing\n");
    free(said);
    missed_free(&missed);
}
END_TEST

/* One rule may be a note where its Call may be missing, and a violation where it is not. */
START_TEST(the_worst_of_a_rule_is_kept)
{
    static const enum rpcrdma_severity severities[] = {RPCRDMA_NOTE, RPCRDMA_WARNING,
                                                       RPCRDMA_VIOLATION, RPCRDMA_NOTE};
    static struct by_rule by_rule;
    enum rpcrdma_severity worst = RPCRDMA_NOTE;
    for (unsigned i = 0; i < COUNT(severities); i++) {
        const struct rpcrdma_finding finding = {.rule = RPCRDMA_RFC8166_2_2_2_REPLY_MATCHES_CALL,
                                                .severity = severities[i],
                                                .from = RPCRDMA_SERVER,
                                                .format = "text"};
        const struct source_event event = {
            .event = {.from = RPCRDMA_SERVER}, .file = "a", .connection = "one", .index = 10 + i};
        const struct by_rule_row *row = &by_rule.rows[finding.rule][RPCRDMA_SERVER];
        worst = severities[i] > worst ? severities[i] : worst;
        ck_assert_uint_eq(by_rule_add(&by_rule, &finding, &event), i + 1);
        ck_assert_int_eq(row->severity, worst);
        ck_assert_uint_eq(row->first.at.index, 10);
        ck_assert_uint_eq(row->last.at.index, 10 + i);
    }
}
END_TEST

/* What is judged late may have been sent early. */
START_TEST(first_and_last_are_those_of_the_file)
{
    static const struct {
        const char *file;
        uint64_t frame;
        uint64_t first, last;
    } found[] = {
        {"a", 360, 360, 360}, {"a", 316, 316, 360}, {"a", 400, 316, 400}, {"b", 2, 316, 2}};
    static struct by_rule by_rule;
    const struct rpcrdma_finding finding = {.rule = RPCRDMA_RFC8166_4_RPC_LAYOUT, .format = "text"};
    const struct by_rule_row *row = &by_rule.rows[finding.rule][finding.from];
    for (unsigned i = 0; i < COUNT(found); i++) {
        const struct source_event event = {
            .file = found[i].file, .connection = "one", .frame = found[i].frame};
        by_rule_add(&by_rule, &finding, &event);
        ck_assert_uint_eq(row->first.at.frame, found[i].first);
        ck_assert_uint_eq(row->last.at.frame, found[i].last);
    }
}
END_TEST

struct visited {
    unsigned count;
    uint64_t counts[4];
};

static void visit(void *arg, enum rpcrdma_rule rule, enum rpcrdma_endpoint side,
                  const struct by_rule_row *row)
{
    struct visited *visited = arg;
    (void)rule, (void)side;
    ck_assert_uint_lt(visited->count, COUNT(visited->counts));
    visited->counts[visited->count++] = row->count;
}

/* The gravest first, then the most frequent; what was not printed adds up. */
START_TEST(the_table_by_rule)
{
    static const struct {
        enum rpcrdma_rule rule;
        enum rpcrdma_severity severity;
        unsigned count;
    } rules[] = {
        {RPCRDMA_RFC8166_2_2_2_REPLY_MATCHES_CALL, RPCRDMA_WARNING, 9},
        {RPCRDMA_RFC8166_4_2_4_MSG_HAS_PAYLOAD, RPCRDMA_VIOLATION, 2},
        {RPCRDMA_RFC8166_4_6_1_MSGP_NOT_SENT, RPCRDMA_VIOLATION, 5},
    };
    static struct by_rule by_rule;
    const struct source_event event = {.file = "a/b.pcap", .connection = "one", .index = 1};
    for (size_t i = 0; i < COUNT(rules); i++) {
        const struct rpcrdma_finding finding = {
            .rule = rules[i].rule, .severity = rules[i].severity, .format = "text"};
        for (unsigned k = 0; k < rules[i].count; k++)
            by_rule_add(&by_rule, &finding, &event);
    }
    struct visited visited = {.count = 0};
    by_rule_visit(&by_rule, visit, &visited);
    ck_assert(visited.count == 3 && visited.counts[0] == 5 && visited.counts[1] == 2 &&
              visited.counts[2] == 9);
    for (int all = 0; all < 2; all++) {
        struct alloc_stream text;
        alloc_begin(&text);
        by_rule_print(text.out, terminal_style(COLOR_NEVER, stdout), &by_rule, false, all);
        char *said = alloc_end(&text);
        ck_assert((strstr(said, "\n8 more of these were not printed above") != NULL) == !all);
        ck_assert_ptr_nonnull(strstr(said, "\nat fault: the client: 7 violations of 2 rules\n"));
        free(said);
    }
}
END_TEST

/* By side of the RPC, where that is known; by draft, as asked or as shown. */
START_TEST(a_send_is_counted_where_it_belongs)
{
    static const struct {
        enum rpcrdma_protocol protocol;
        enum rpcrdma_direction direction;
    } sends[] = {{RPCRDMA_PROTOCOL_1, RPCRDMA_CALL},
                 {RPCRDMA_PROTOCOL_1, RPCRDMA_CALL},
                 {RPCRDMA_PROTOCOL_1, RPCRDMA_REPLY},
                 {RPCRDMA_PROTOCOL_1, RPCRDMA_DIRECTION_UNKNOWN},
                 {RPCRDMA_PROTOCOL_2_07, RPCRDMA_CALL},
                 {RPCRDMA_PROTOCOL_2_04, RPCRDMA_CALL}}; /* their RDMA2_ERROR has one row */
    struct tally tally = {.events = 0};
    for (size_t i = 0; i < COUNT(sends); i++) {
        static const struct source_event event = {.event = {.type = RPCRDMA_EVENT_SEND}};
        struct rpcrdma_judgement judgement = {.protocol = sends[i].protocol,
                                              .has_procedure = true,
                                              .procedure = i >= 4 ? 4 : 0,
                                              .direction = sends[i].direction};
        tally_event(&tally, &event, &judgement);
    }
    struct alloc_stream text;
    alloc_begin(&text);
    tally_print_line(text.out, &tally);
    putc('\n', text.out);
    tally_print_drafts(text.out, &tally, true);
    tally_print_drafts(text.out, &tally, false);
    char *said = alloc_end(&text);
    ck_assert_msg(strstr(said, "6 Sends: 4 calls, 1 reply; RDMA_MSG 4, RDMA2_ERROR 2\n") == said,
                  "%s", said);
    ck_assert_msg(strstr(said, "1 Send judged by draft -07, as --draft asks\n") != NULL, "%s",
                  said);
    ck_assert_msg(strstr(said, "1 Send judged by draft -07; none shows which it is") != NULL, "%s",
                  said);
    free(said);
}
END_TEST

/* As many are kept as is said, and the rest is counted. */
START_TEST(connections_are_kept_up_to_a_bound)
{
    struct kept_list list = {.count = 0};
    const struct timeline timeline = {.begun = true, .used = 1, .step = {{.in_flight = 2}}},
                          one_by_one = {.begun = true, .used = 1, .step = {{.in_flight = 1}}};
    kept_connection(&list, "file", "shows nothing", &one_by_one);
    ck_assert_ptr_null(list.connections);
    for (unsigned i = 0; i < KEPT_CONNECTIONS + 2; i++)
        kept_connection(&list, "file", i == KEPT_CONNECTIONS - 1 ? "last" : "one", &timeline);
    unsigned kept = 0;
    for (const struct kept_connection *at = list.connections; at; at = at->next)
        kept++;
    ck_assert_uint_eq(kept, KEPT_CONNECTIONS);
    ck_assert_str_eq(list.last_connection->name, "last");
    ck_assert_uint_eq(list.connection_count, KEPT_CONNECTIONS + 2);
    kept_free(&list);
}
END_TEST

/* ---- connections that are open ---- */

enum { OPEN = 1000 };
static unsigned ends[OPEN];

static void note_end(void *arg, struct open_connection *connection)
{
    ck_assert_ptr_eq(arg, ends);
    ends[connection->id]++;
}

/* Each is made once, and ends once. */
START_TEST(each_open_connection_is_one)
{
    static struct open_connection *open[OPEN];
    const struct rpcrdma_check_config config = RPCRDMA_CHECK_CONFIG_DEFAULT;
    struct connections connections = {.ended = note_end, .arg = ends};
    for (unsigned i = 0; i < OPEN; i++)
        open[i] = connections_get(&connections, i, &config);
    for (unsigned i = 0; i < OPEN; i++) {
        unsigned id = i * 7 % OPEN;
        ck_assert_uint_eq(open[id]->id, id);
        ck_assert_ptr_eq(connections_get(&connections, id, &config), open[id]);
    }
    ck_assert(connections.count == OPEN && connections.made == OPEN);
    for (unsigned id = 0; id < OPEN; id += 2) {
        ck_assert_ptr_eq(connections_get(&connections, id, &config), open[id]);
        open[id]->summary = ends; /* what was known of it is not known of the next */
        connections_drop(&connections, id);
        connections_drop(&connections, id);
        ck_assert_uint_eq(ends[id], 1);
    }
    ck_assert(connections.count == OPEN / 2 && connections.made == OPEN);
    struct open_connection *again = connections_get(&connections, 8, &config);
    ck_assert(again->id == 8 && again->summary == NULL && ends[8] == 1);
    ck_assert(connections.count == OPEN / 2 + 1 && connections.made == OPEN + 1);
    ck_assert_ptr_eq(connections_get(&connections, 7, &config), open[7]);
    connections_free(&connections);
    for (unsigned id = 0; id < OPEN; id++)
        ck_assert_uint_eq(ends[id], id == 8 ? 2 : 1);
    ck_assert(connections.count == 0 && connections.size == 0);
    connections_drop(&connections, 7); /* of none */
}
END_TEST

static const struct {
    const char *wanted;
    bool is_meant;
} names[] = {
    {NULL, true},
    {"192.0.2.1:0x11-192.0.2.10:0x12", true},
    {"192.0.2.1:0x11", true},
    {"192.0.2.10:0x12", true},
    {"192.0.2.1", true},
    {"192.0.2.10", true},
    {"192.0.2", false},
    {"2.0.2.1", false},
    {"92.0.2.10", false},
    {"192.0.2.1:0x1", false},
    {"192.0.2.10:0x1", false},
    {"0x11", false},
    {":0x12", false},
    {"192.0.2.1:0x11-192.0.2.10", true},
    {"192.0.2.3", false},
    {"", false},
};

START_TEST(a_connection_by_one_of_its_sides)
{
    ck_assert(connection_is_meant("192.0.2.1:0x11-192.0.2.10:0x12", names[_i].wanted) ==
              names[_i].is_meant);
    ck_assert(connection_is_meant("10.0.0.11:1-10.0.0.1:2", "10.0.0.1"));
    ck_assert(!connection_is_meant("no-such", "no") && connection_is_meant("no-such", "no-such"));
}
END_TEST

/* Several runs are one list of tests, numbered from 1 on. */
START_TEST(tests_of_several_runs_are_numbered)
{
    struct results runs[3] = {{.subject = alloc_text("first")},
                              {.subject = alloc_text("none")},
                              {.subject = alloc_text("second")}};
    static const unsigned tests[] = {2, 0, 3};
    for (size_t i = 0; i < COUNT(runs); i++)
        for (unsigned k = 0; k < tests[i]; k++) {
            struct result *result = results_add(&runs[i]);
            *result = (struct result){.file = alloc_text("file"),
                                      .test = alloc_text("test"),
                                      .from = alloc_text("client"),
                                      .type = alloc_text("send"),
                                      .comment = alloc_text(""),
                                      .expected = alloc_text(""),
                                      .actual = alloc_text(""),
                                      .offset = -1};
        }
    /* What is expected and did not occur is a test as well. */
    char *stale[] = {alloc_text("one silent"), alloc_text("two silent")};
    struct known known = {.kind = KNOWN_TESTS, .stale = stale, .stale_count = COUNT(stale)};
    runs[0].known = &known;
    struct alloc_stream text;
    alloc_begin(&text);
    results_tap(text.out, runs, COUNT(runs), 14);
    char *said = alloc_end(&text), *at = said;
    ck_assert_ptr_nonnull(strstr(said, "\n1..7\n"));
    for (unsigned number = 1; number <= 7; number++) {
        char line[32];
        bool is_stale = number == 3 || number == 4;
        snprintf(line, sizeof line, "\n%sok %u - ", is_stale ? "not " : "", number);
        at = strstr(at, line);
        ck_assert_msg(at != NULL, "%s in %s", line, said);
    }
    free(said);
    for (size_t i = 0; i < COUNT(stale); i++)
        free(stale[i]);
    for (size_t i = 0; i < COUNT(runs); i++)
        results_free(&runs[i]);
}
END_TEST

/* The list of sides that wait for an answer has an end, and what is beyond it a number. */
START_TEST(what_waits_beyond_the_list_is_counted)
{
    enum { ROWS = 1000, MORE = 3 };
    const uint32_t words[] = {9, 1, 1, 0, 0, 0, 0, 9, 0, 2, 100003, 4, 0, 0, 0, 0, 0};
    uint8_t octets[sizeof words];
    for (size_t i = 0; i < COUNT(words); i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    const struct source_event event = {
        .event = {.from = RPCRDMA_CLIENT, .data = octets, .length = sizeof octets},
        .frame = 7,
        .time = 1};
    const struct rpcrdma_judgement judgement = {
        .direction = RPCRDMA_CALL, .has_xid = true, .xid = 9, .header_length = 28};
    struct history *history = history_add(history_make(), &event, &judgement);
    struct unanswered all = {.rows = NULL};
    for (unsigned i = 0; i < ROWS + MORE; i++) {
        ck_assert_uint_eq(all.left_out, i < ROWS ? 0 : i - ROWS);
        unanswered_add(&all, "a", "one", history, INT64_C(1000000001));
    }
    unanswered_add(&all, "a", "one", history, INT64_C(1000000000)); /* is under way */
    ck_assert_uint_eq(all.count, ROWS);
    ck_assert_uint_eq(all.left_out, MORE);
    for (int times = 0; times < 2; times++) {
        struct alloc_stream text;
        alloc_begin(&text);
        unanswered_print_rest(text.out, &all);
        char *said = alloc_end(&text);
        ck_assert_str_eq(said, times > 0 ? ""
                                         : "no answer was seen on 3 more sides of connections: "
                                           "only the first 1000 are listed\n");
        free(said);
    }
    unanswered_free(&all);
    free(history);
}
END_TEST

/* A Call of NFS version 4 with this XID, or the end of the connection. */
static struct history *note(struct history *history, enum rpcrdma_event_type type,
                            enum rpcrdma_endpoint from, uint32_t xid, uint64_t frame, int64_t time)
{
    static const uint8_t octets[28];
    const struct source_event event = {
        .event = {.type = type, .from = from, .data = octets, .length = sizeof octets},
        .frame = frame,
        .time = time};
    const struct rpcrdma_judgement judgement = {.direction = RPCRDMA_CALL,
                                                .has_xid = type == RPCRDMA_EVENT_SEND,
                                                .xid = xid,
                                                .header_length = 28};
    return history_add(history, &event, &judgement);
}

/* Of each side how many wait, since when, and who ended that. */
START_TEST(what_waits_is_told_of_each_side)
{
    const int64_t second = 1000000000;
    struct history *history = history_make();
    history = note(history, RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 9, 7, second);
    history = note(history, RPCRDMA_EVENT_SEND, RPCRDMA_CLIENT, 10, 8, 2 * second);
    history = note(history, RPCRDMA_EVENT_SEND, RPCRDMA_SERVER, 9, 9, 3 * second);
    history = note(history, RPCRDMA_EVENT_DISCONNECT, RPCRDMA_CLIENT, 0, 12, 13 * second / 4);
    history = note(history, RPCRDMA_EVENT_DISCONNECT, RPCRDMA_SERVER, 0, 13, 4 * second);
    struct unanswered all = {.rows = NULL};
    unanswered_add(&all, "a", "one", history, 5 * second);
    struct alloc_stream stream;
    alloc_begin(&stream);
    unanswered_print(stream.out, &all, "a", "one", "  ");
    unanswered_print(stream.out, &all, "a", "two", "  ");
    unanswered_print_all(stream.out, &all, "a");
    struct json json = {.out = stream.out};
    json_open(&json, NULL, '{');
    unanswered_json(&json, &all);
    json_close(&json, '}');
    char *said = alloc_end(&stream);
#define CLIENT                                                                                     \
    "no answer was seen in 4.0 s to 2 Calls of the client; the oldest is in frame 7, XID "         \
    "0x00000009\n"
#define SERVER                                                                                     \
    "no answer was seen in 0.250 s to 1 Call of the server, until the client ended the "           \
    "connection in frame 12; it is in frame 9, XID 0x00000009\n"
    ck_assert_str_eq(said,
                     "  " CLIENT "  " SERVER "connection one: " CLIENT "connection one: " SERVER
                     "{\"unanswered\":[{\"file\":\"a\",\"connection\":\"one\",\"from\":"
                     "\"client\",\"count\":2,\"frame\":7,\"xid\":\"0x00000009\","
                     "\"milliseconds\":4000,\"endedIn\":null},{\"file\":\"a\",\"connection\":"
                     "\"one\",\"from\":\"server\",\"count\":1,\"frame\":9,\"xid\":"
                     "\"0x00000009\",\"milliseconds\":250,\"endedIn\":12}],"
                     "\"unansweredLeftOut\":0}");
    ck_assert(unanswered_has(&all, "a", "one") && !unanswered_has(&all, "a", "two"));
    free(said);
    unanswered_free(&all);
    free(history);
}
END_TEST

/* ---- the matrix ---- */

static struct results run_of(const char *peer, const char *side, const char *date,
                             const enum ending *endings, size_t count)
{
    struct results run = {.subject = alloc_text("x"),
                          .about = {.peer = alloc_text(peer),
                                    .release = alloc_text("1"),
                                    .side = alloc_text(side),
                                    .transport = alloc_text("t"),
                                    .date = alloc_text(date),
                                    .kit = alloc_text("k")}};
    for (size_t i = 0; i < count; i++) {
        struct result *result = results_add(&run);
        char name[] = "a";
        name[0] = (char)('a' + i);
        *result = (struct result){.test = alloc_text(name),
                                  .comment = alloc_text(""),
                                  .from = alloc_text("client"),
                                  .type = alloc_text("send"),
                                  .expected = alloc_text(""),
                                  .actual = alloc_text(""),
                                  .level = i == 2 ? RESULT_SHOULD : RESULT_MUST,
                                  .unseen = i == 3,
                                  .ending = endings[i],
                                  .offset = -1};
    }
    return run;
}

static const enum ending oldest[] = {ENDING_WRONG, ENDING_WRONG, ENDING_WRONG, ENDING_WRONG},
                         middle[] = {ENDING_REQUIRED, ENDING_CLOSED, ENDING_NOT_APPLICABLE,
                                     ENDING_REQUIRED},
                         latest[] = {ENDING_SILENT, ENDING_TOLERATED, ENDING_WRONG, ENDING_WRONG,
                                     ENDING_LIMIT};

/* A column for each peer and side: its latest run, and what the one before that was otherwise. */
START_TEST(the_matrix_compares_the_last_two_runs)
{
    struct results runs[] = {run_of("b", "server", "2026-03-01", latest, COUNT(latest)),
                             run_of("b", "client", "2026-05-01", middle, COUNT(middle)),
                             run_of("b", "server", "2026-01-01", oldest, COUNT(oldest)),
                             run_of("a", "server", "2026-04-01", oldest, COUNT(oldest)),
                             run_of("b", "server", "2026-02-01", middle, COUNT(middle))};
    struct matrix matrix = {.count = 0};
    matrix_make(&matrix, runs, COUNT(runs));
    ck_assert_uint_eq(matrix.count, 3);
    ck_assert(matrix.columns[0].latest == &runs[3] && matrix.columns[0].before == NULL);
    ck_assert(matrix.columns[1].latest == &runs[1] && matrix.columns[1].before == NULL);
    ck_assert(matrix.columns[2].latest == &runs[0] && matrix.columns[2].before == &runs[4]);
    struct alloc_stream stream;
    alloc_begin(&stream);
    matrix_text(stream.out, terminal_style(COLOR_NEVER, stdout), &matrix);
    char *text = alloc_end(&stream);
    ck_assert_str_eq(text, "a, server, 1, t, 2026-04-01\n"
                           "    must 0 of 2, should 0 of 1, advisory 0 of 0\n"
                           "b, client, 1, t, 2026-05-01\n"
                           "    must 1 of 2, should 0 of 0, advisory 0 of 0\n"
                           "b, server, 1, t, 2026-03-01\n"
                           "    must 2 of 3, should 0 of 1, advisory 0 of 0\n"
                           "    since 2026-02-01: 1 better, 1 worse\n"
                           "        worse: a, silent, before as required\n"
                           "        better: b, tolerated, before closed\n");
    free(text);
    struct matrix_count all = matrix_sum(&runs[0], RESULT_LEVELS);
    ck_assert(all.asked == 4 && all.good == 2 && all.gravest == GRADE_BAD);
    alloc_begin(&stream);
    matrix_badge(stream.out, &runs[0]);
    text = alloc_end(&stream);
    ck_assert(strstr(text, "aria-label=\"RFC 8166: MUST 2 of 3\"") && strstr(text, "#b3261e"));
    free(text);
    matrix_free(&matrix);
    for (size_t i = 0; i < COUNT(runs); i++)
        results_free(&runs[i]);
}
END_TEST

static bool is_c(const char *test)
{
    return strcmp(test, "c") == 0;
}

/* Dates that there are; what is hazardous, or was not survived, is not for the public. */
START_TEST(what_the_matrix_refuses)
{
    static const struct {
        const char *date;
        bool good;
    } dates[] = {{"2026-01-01", true},  {"2026-12-31", true},   {"2026-00-01", false},
                 {"2026-13-01", false}, {"2026-01-00", false},  {"2026-01-32", false},
                 {"2026-1-01", false},  {"2026-01-011", false}, {"2026/01/01", false}};
    static const enum ending good[] = {ENDING_REQUIRED},
                             bad[] = {ENDING_CRASHED, ENDING_WRONG, ENDING_WRONG, ENDING_EARLY,
                                      ENDING_REQUIRED};
    char text[256];
    for (size_t i = 0; i < COUNT(dates); i++) {
        struct results run = run_of("a", "server", dates[i].date, good, 1);
        const char *why = matrix_refuses(&run, is_c, text);
        ck_assert_msg((why == NULL) == dates[i].good, "%s", dates[i].date);
        ck_assert(why == NULL || strcmp(why, "it has no date: YYYY-MM-DD") == 0);
        results_free(&run);
    }
    for (int random = 0; random < 2; random++) { /* which are not what other runs ask */
        struct results run = run_of("a", "server", "2026-01-01", good, 1);
        char **name = random ? &run.list[0].file : &run.list[0].rule;
        free(*name);
        *name = alloc_text(random ? "random" : "rpcrdma2-07/5.4/some-rule");
        ck_assert_ptr_nonnull(strstr(matrix_refuses(&run, is_c, text),
                                     random ? "random conversations" : "a draft of version 2"));
        results_free(&run);
    }
    for (int codec = 0; codec < 2; codec++) {
        struct results run = run_of("a", codec ? "codec" : "client", "2026-01-01", bad, COUNT(bad));
        ck_assert_str_eq(matrix_refuses(&run, is_c, text),
                         "a: a peer that did not survive is not for the public: tell it who "
                         "maintains the peer");
        ck_assert_uint_eq(matrix_reduce(&run, is_c), codec ? 2 : 3);
        ck_assert_uint_eq(run.count, codec ? 3 : 2);
        ck_assert_str_eq(run.list[0].test, "b");
        ck_assert_str_eq(run.list[run.count - 1].test, "e");
        ck_assert_ptr_null(matrix_refuses(&run, is_c, text));
        results_free(&run);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("counts");
    tcase_add_test(tcase, tallies_add_up);
    tcase_add_test(tcase, misses_add_up);
    tcase_add_test(tcase, the_worst_of_a_rule_is_kept);
    tcase_add_test(tcase, first_and_last_are_those_of_the_file);
    tcase_add_test(tcase, the_table_by_rule);
    tcase_add_test(tcase, a_send_is_counted_where_it_belongs);
    tcase_add_test(tcase, connections_are_kept_up_to_a_bound);
    tcase_add_test(tcase, each_open_connection_is_one);
    tcase_add_loop_test(tcase, a_connection_by_one_of_its_sides, 0, COUNT(names));
    tcase_add_test(tcase, tests_of_several_runs_are_numbered);
    tcase_add_test(tcase, what_waits_beyond_the_list_is_counted);
    tcase_add_test(tcase, what_waits_is_told_of_each_side);
    tcase_add_test(tcase, the_matrix_compares_the_last_two_runs);
    tcase_add_test(tcase, what_the_matrix_refuses);
    return run_tests("counts", tcase);
}
