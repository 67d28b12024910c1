// SPDX-License-Identifier: BSD-3-Clause
/*
 * The fuzz kit's table, which all processes of a run have in common: what is counted in any of them
 * is counted once and stays, however many there are, die or are killed while they hold it.
 */
#include "fuzz/kit/table.c"

#include "conformance/tests/support/dice.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <inttypes.h>
#include <sys/wait.h>

enum { NAMES = ROWS_MAX + 44, CHILDREN = 70 };

/* What table_print() says. */
static char said[1 << 20];

static unsigned print(void)
{
    FILE *file = tmpfile();
    int before = dup(2);
    ck_assert(file && before >= 0 && dup2(fileno(file), 2) == 2);
    unsigned rows = table_print();
    ck_assert_int_eq(dup2(before, 2), 2);
    close(before);
    rewind(file);
    said[fread(said, 1, sizeof said - 1, file)] = '\0';
    fclose(file);
    return rows;
}

/* The row of a name. */
static void find(const char *name, unsigned long *times, long *after)
{
    char line[KIT_NAME + 8];
    snprintf(line, sizeof line, "\n%s  (", name);
    const char *at = strstr(said, line);
    ck_assert_msg(at, "no row of %s", name);
    ck_assert_int_eq(sscanf(at + strlen(line), "%lu times, first after %ld s", times, after), 2);
}

static struct disagreement make(unsigned number, const uint8_t *octets, size_t length)
{
    struct disagreement made = {.octets = octets, .length = length};
    snprintf(made.name, sizeof made.name, "kit/refuses-valid/%03u", number);
    snprintf(made.what, sizeof made.what, "what of %u", number);
    return made;
}

/* One process of the run, which ends well or while its parser has a Send. */
static void run_child(void (*act)(int), int argument)
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        table_begin();
        act(argument);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

/* ---- ---- */

START_TEST(full)
{
    static const uint8_t octets[64];
    unsigned long times[NAMES] = {0}, all = 0, shown = 0, lost = 0, of_row;
    size_t shortest[NAMES];
    struct dice dice = {11};
    long after;
    table_begin();
    for (unsigned i = 0; i < 20 * NAMES; i++) {
        /* The last names come when there is no row any more. */
        unsigned number = pick(&dice, i < 10 * NAMES ? 50 : NAMES);
        size_t length = pick(&dice, sizeof octets);
        struct disagreement made = make(number, octets, length);
        shortest[number] = times[number]++ && shortest[number] < length ? shortest[number] : length;
        all++;
        ck_assert_uint_le(table_count(&made), ROWS_MAX);
    }
    unsigned rows = print(), found = 0;
    for (unsigned i = 0; i < NAMES; i++) {
        struct disagreement made = make(i, octets, 0);
        char line[2 * KIT_NAME];
        snprintf(line, sizeof line, "\n%s  (", made.name);
        if (strstr(said, line) == NULL)
            continue;
        find(made.name, &of_row, &after);
        snprintf(line, sizeof line, "s)\n    what of %u\n    %.*s%s\n", i, (int)(2 * shortest[i]),
                 "00000000000000000000000000000000000000000000000000000000000000000000"
                 "00000000000000000000000000000000000000000000000000000000000000",
                 shortest[i] == 0 ? "(an empty Send)" : "");
        ck_assert_ptr_nonnull(strstr(said, line));
        ck_assert_uint_eq(of_row, times[i]);
        shown += of_row;
        found++;
    }
    const char *more = strstr(said, " more are not in the table: it has 256 rows");
    while (more && more > said && more[-1] != '\n')
        more--;
    lost = more ? strtoul(more, NULL, 10) : 0;
    ck_assert_uint_eq(rows, ROWS_MAX);
    ck_assert_uint_eq(found, ROWS_MAX);
    ck_assert_uint_eq(strtoul(said + 1, NULL, 10), ROWS_MAX);
    ck_assert_uint_eq(shown + lost, all);
}
END_TEST

/* One more than there is room for is said to be. */
START_TEST(border)
{
    table_begin();
    for (unsigned i = 0; i < (unsigned)_i; i++) {
        struct disagreement made = make(i, (const uint8_t *)"", 0);
        table_count(&made);
    }
    ck_assert_uint_eq(print(), _i < ROWS_MAX ? (unsigned)_i : ROWS_MAX);
    char line[64];
    snprintf(line, sizeof line, "\n%d more are not in the table", _i - ROWS_MAX);
    ck_assert_int_eq(strstr(said, line) != NULL, _i > ROWS_MAX);
    ck_assert_int_eq(strstr(said, "more are not") != NULL, _i > ROWS_MAX);
}
END_TEST

/* Of a Send too long to be shown there is a beginning, until a shorter one comes. */
START_TEST(shortest)
{
    static const uint8_t octets[3 * EXAMPLE_MAX];
    table_begin();
    for (size_t length = sizeof octets; length > EXAMPLE_MAX - 3; length--) {
        struct disagreement made = make((unsigned)length, octets, length);
        snprintf(made.name, sizeof made.name, "kit/one");
        table_count(&made);
        if (length % 512 > 2)
            continue;
        char line[64];
        print();
        snprintf(line, sizeof line, "\n    what of %zu\n    0000", length);
        ck_assert_ptr_nonnull(strstr(said, line));
        ck_assert_int_eq(strstr(said, "...\n") != NULL, length > EXAMPLE_MAX);
    }
}
END_TEST

/* ---- processes ---- */

static void count_one(int number)
{
    struct disagreement made = make((unsigned)number, (const uint8_t *)"abcd", 4);
    table_count(&made);
}

START_TEST(since_the_first)
{
    unsigned long times;
    long after;
    table_begin();
    sleep(2);
    run_child(count_one, 1);
    count_one(2);
    print();
    for (unsigned i = 1; i <= 2; i++) {
        struct disagreement made = make(i, NULL, 0);
        find(made.name, &times, &after);
        ck_assert_uint_eq(times, 1);
        ck_assert_int_ge(after, 1);
        ck_assert_int_le(after, 60);
    }
}
END_TEST

/* Is asked; the parser takes it, or does not come back. */
static void ask(int dies)
{
    table_asking((const uint8_t *)"abcd", 4, dies > 1, "");
    if (!dies)
        table_done();
}

/* What is said of a name begins so. */
static void is_told(const char *name, const char *what)
{
    char line[KIT_NAME + 8];
    snprintf(line, sizeof line, "\n%s  (", name);
    const char *at = strstr(said, line), *next = at ? strchr(at + 1, '\n') : NULL;
    ck_assert_ptr_nonnull(next);
    ck_assert_msg(strncmp(next, what, strlen(what)) == 0, "%s:%.60s", name, next);
}

static void begin_only(int number)
{
    (void)number;
}

START_TEST(each_that_dies)
{
    unsigned long times;
    long after;
    table_begin();
    for (int i = 0; i < 3 * CHILDREN; i++)
        run_child(ask, i % 3);
    print();
    find("kit/crashed/responder", &times, &after);
    ck_assert_uint_eq(times, CHILDREN);
    find("kit/crashed/requester", &times, &after);
    ck_assert_uint_eq(times, CHILDREN);
    is_told("kit/crashed/responder", "\n    as a Responder it ");
    is_told("kit/crashed/requester", "\n    as a Requester it ");
    char line[64];
    snprintf(line, sizeof line, "\n2 disagreements; %d questions, ", 3 * CHILDREN);
    ck_assert_ptr_nonnull(strstr(said, line));
    /* Nor again, nor who has its place and was asked nothing. */
    for (int i = 0; i < CHILDREN; i++)
        run_child(begin_only, 0);
    print();
    find("kit/crashed/responder", &times, &after);
    ck_assert_uint_eq(times, CHILDREN);
    find("kit/crashed/requester", &times, &after);
    ck_assert_uint_eq(times, CHILDREN);
}
END_TEST

static const char *const broken[] = {"rfc8166/4/xdr-encoded#XDR_E_COUNT", ""};

/* With what is wrong with the Send, or a sound one before which another was asked. */
static void die_at(int number)
{
    table_asking((const uint8_t *)"xyz", 3, true, broken[0]);
    table_done();
    table_asking((const uint8_t *)"abcd", 4, false, broken[number]);
}

START_TEST(what_they_died_at)
{
    unsigned long times;
    long after;
    table_begin();
    run_child(die_at, 0);
    run_child(die_at, 1);
    run_child(die_at, 1);
    ck_assert_uint_eq(print(), 2);
    find("kit/crashed/responder/rfc8166/4/xdr-encoded#XDR_E_COUNT", &times, &after);
    ck_assert_uint_eq(times, 1);
    find("kit/crashed/responder", &times, &after);
    ck_assert_uint_eq(times, 2);
    const char *shown = strstr(said, "ended\n    61626364\n");
    ck_assert(shown && strstr(shown + 1, "ended\n    61626364\n"));
}
END_TEST

/* Several count at the same time. */
START_TEST(none_is_lost)
{
    enum { ASKING = 4, TIMES = 200000, COUNTED = 2 };
    int status;
    table_begin();
    for (int i = 0; i < ASKING; i++)
        if (fork() == 0) {
            table_begin();
            for (int k = 0; k < TIMES; k++) {
                ask(0);
                table_add(TABLE_LIMIT);
                if (k % 3 == 0)
                    table_add(TABLE_KNOWN);
                if (k % 4 == 0)
                    count_one(k / 4 % COUNTED);
            }
            _exit(0);
        }
    while (wait(&status) > 0)
        ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(print(), COUNTED);
    char line[128];
    snprintf(line, sizeof line,
             "\n%d disagreements; %d questions, of these %d beyond a limit, %d of known faults\n",
             COUNTED, ASKING * TIMES, ASKING * TIMES, ASKING * (TIMES / 3 + 1));
    ck_assert_ptr_nonnull(strstr(said, line));
    for (unsigned i = 0; i < COUNTED; i++) {
        struct disagreement made = make(i, NULL, 0);
        unsigned long times;
        long after;
        find(made.name, &times, &after);
        ck_assert_uint_eq(times, ASKING * TIMES / 4 / COUNTED);
    }
}
END_TEST

/* That none is at its Send is no crash, nor is who is at it still. */
START_TEST(at_once)
{
    int status, until[2];
    ck_assert_int_eq(pipe(until), 0);
    table_begin();
    ask(1);
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            char octet;
            close(until[1]);
            table_begin();
            ask(2);
            _exit(read(until[0], &octet, 1) == 0 ? 0 : 1);
        }
    while (table->counters[TABLE_ASKED] <= CHILDREN) /* and of this one */
        usleep(1000);
    ck_assert_uint_eq(print(), 0);
    ck_assert(mine->busy && !mine->is_reply); /* it is nobody else's place */
    close(until[1]);
    while (wait(&status) > 0)
        ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(print(), 1);
    unsigned long times;
    long after;
    find("kit/crashed/requester", &times, &after);
    ck_assert_uint_eq(times, PROCESSES_MAX - 1); /* all that had a place */
}
END_TEST

static void die_with_lock(int number)
{
    (void)number;
    lock();
}

START_TEST(lock_of_the_dead)
{
    table_begin();
    run_child(die_with_lock, 0);
    count_one(1);
    count_one(1);
    ck_assert_uint_eq(print(), 1);
}
END_TEST

/* Who holds the lock and is not scheduled for long holds it all the same. */
START_TEST(lock_of_the_slow)
{
    int held[2], status;
    char octet;
    ck_assert_int_eq(pipe(held), 0);
    table_begin();
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        lock();
        ck_assert_int_eq(write(held[1], "", 1), 1);
        sleep(3);
        table_add(TABLE_LIMIT);
        unlock();
        _exit(0);
    }
    ck_assert_int_eq(read(held[0], &octet, 1), 1);
    count_one(1);
    ck_assert_uint_eq(table->counters[TABLE_LIMIT], 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    close(held[0]);
    close(held[1]);
}
END_TEST

/* ---- the list ---- */

START_TEST(written)
{
    char name[] = "/tmp/kit-table-XXXXXX", line[512];
    ck_assert_int_ge(mkstemp(name), 0);
    table_begin();
    for (unsigned i = 0; i < 9; i++)
        count_one((int)(i * 7 % 9));
    run_child(ask, 1);
    print();
    ck_assert(table_write(name));
    FILE *file = fopen(name, "r");
    ck_assert_ptr_nonnull(file);
    unsigned entries = 0, number, again;
    while (fgets(line, sizeof line, file)) {
        ck_assert(line[0] == '#' || sscanf(line, "kit/refuses-valid/%u wrong-answer # what of %u",
                                           &number, &again) == 2);
        if (line[0] != '#') {
            ck_assert_uint_eq(number, again);
            entries++;
        }
    }
    fclose(file);
    unlink(name);
    ck_assert_uint_eq(entries, 9);
    ck_assert(!table_write("/tmp/there/is/none"));
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    unsetenv("KIT_TABLE_FD");
    tcase_add_test(tests, full);
    tcase_add_test(tests, none_is_lost);
    tcase_add_loop_test(tests, border, ROWS_MAX - 1, ROWS_MAX + 3);
    tcase_add_test(tests, shortest);
    tcase_add_test(tests, since_the_first);
    tcase_add_test(tests, each_that_dies);
    tcase_add_test(tests, what_they_died_at);
    tcase_add_test(tests, at_once);
    tcase_add_test(tests, lock_of_the_dead);
    tcase_add_test(tests, lock_of_the_slow);
    tcase_add_test(tests, written);
    return run_tests("table of the kit", tests);
}
