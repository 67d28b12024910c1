// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/kit/table.h"

#include "conformance/report/results/known.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ROWS_MAX 256
#define EXAMPLE_MAX 1024
#define PROCESSES_MAX 64

struct table_row {
    char name[KIT_NAME], what[256];
    unsigned long times;
    long after;    /* seconds */
    size_t length; /* of the shortest input that shows it */
    uint8_t octets[EXAMPLE_MAX];
};

/* A process, and the Send that its parser has at present. */
struct asking {
    int process; /* 0: free */
    bool busy, is_reply;
    char rule[KIT_NAME];
    size_t length;
    uint8_t octets[EXAMPLE_MAX];
};

struct table {
    time_t begun;
    atomic_bool interrupted;
    unsigned count, lost; /* rows; names for which there was no row */
    atomic_ulong counters[TABLE_COUNTERS];
    struct asking asking[PROCESSES_MAX];
    struct table_row row[ROWS_MAX];
};

static struct table *table;
static int table_file; /* that it is in */
static struct asking *mine;

/* The kernel gives a process's lock up when it ends, however it does, and not before. Where there
 * is no such lock, it is done without, and that is said once. */
static void change_lock(short type)
{
    static bool said;
    struct flock first = {.l_type = type, .l_whence = SEEK_SET, .l_len = 1};
    int status;
    while ((status = fcntl(table_file, F_SETLKW, &first)) != 0 && errno == EINTR)
        continue;
    if (status != 0 && !said)
        perror("no lock for the table of disagreements, so its numbers may be wrong");
    said = said || status != 0;
}

static void lock(void)
{
    change_lock(F_WRLCK);
}

static void unlock(void)
{
    change_lock(F_UNLCK);
}

static struct table_row *find_row(const char *name)
{
    for (unsigned i = 0; i < table->count; i++)
        if (strcmp(table->row[i].name, name) == 0)
            return &table->row[i];
    if (table->count == ROWS_MAX) {
        table->lost++;
        return NULL;
    }
    struct table_row *row = &table->row[table->count++];
    snprintf(row->name, sizeof row->name, "%s", name);
    row->after = (long)(time(NULL) - table->begun);
    row->length = SIZE_MAX;
    return row;
}

static void count(const struct disagreement *disagreement)
{
    struct table_row *row = find_row(disagreement->name);
    if (row == NULL)
        return;
    row->times++;
    if (disagreement->length >= row->length)
        return;
    row->length = disagreement->length;
    snprintf(row->what, sizeof row->what, "%s", disagreement->what);
    memcpy(row->octets, disagreement->octets,
           row->length < EXAMPLE_MAX ? row->length : EXAMPLE_MAX);
}

/* ---- processes that ended while their parser had a Send ---- */

static void charge(struct asking *dead)
{
    if (dead->busy && !table->interrupted) {
        struct disagreement crash = {
            .octets = dead->octets, .length = dead->length, .is_reply = dead->is_reply};
        const char *role = dead->is_reply ? "requester" : "responder";
        snprintf(crash.name, sizeof crash.name, "kit/crashed/%s%s%.*s", role,
                 dead->rule[0] ? "/" : "", KIT_NAME - 32, dead->rule);
        snprintf(crash.what, sizeof crash.what, "as a %s it crashed, hung or ended",
                 dead->is_reply ? "Requester" : "Responder");
        count(&crash);
    }
    dead->busy = false;
    dead->process = 0;
}

static void charge_the_dead(void)
{
    for (unsigned i = 0; i < PROCESSES_MAX; i++) {
        struct asking *asking = &table->asking[i];
        if (asking->process != 0 && asking->process != (int)getpid() &&
            kill(asking->process, 0) != 0 && errno == ESRCH)
            charge(asking);
    }
}

static struct asking *take_place(void)
{
    static struct asking nowhere;
    for (unsigned i = 0; i < PROCESSES_MAX; i++)
        if (table->asking[i].process == 0) {
            table->asking[i].process = (int)getpid();
            return &table->asking[i];
        }
    return &nowhere;
}

/* ---- the shared memory ---- */

static int open_table(void)
{
    char name[] = "/tmp/rpcrdma-kit-XXXXXX", number[16];
    const char *inherited = getenv("KIT_TABLE_FD");
    if (inherited)
        return atoi(inherited);
    int fd = mkstemp(name);
    if (fd < 0)
        return -1;
    unlink(name);
    if (ftruncate(fd, sizeof(struct table)) != 0)
        return -1;
    snprintf(number, sizeof number, "%d", fd);
    setenv("KIT_TABLE_FD", number, 1);
    return fd;
}

void table_begin(void)
{
    bool first = getenv("KIT_TABLE_FD") == NULL;
    table_file = open_table();
    if (table_file >= 0)
        table = mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, table_file, 0);
    if (table_file < 0 || table == MAP_FAILED) {
        perror("the table of disagreements");
        exit(2);
    }
    if (first)
        table->begun = time(NULL);
    lock();
    charge_the_dead();
    mine = take_place();
    unlock();
}

void table_asking(const uint8_t *octets, size_t length, bool is_reply, const char *rule)
{
    mine->is_reply = is_reply;
    mine->length = length;
    memcpy(mine->octets, octets, length < EXAMPLE_MAX ? length : EXAMPLE_MAX);
    snprintf(mine->rule, sizeof mine->rule, "%s", rule);
    mine->busy = true;
    table->counters[TABLE_ASKED]++;
}

void table_done(void)
{
    mine->busy = false;
}

unsigned table_count(const struct disagreement *disagreement)
{
    lock();
    count(disagreement);
    unsigned rows = table->count;
    unlock();
    return rows;
}

void table_add(enum table_counter counter)
{
    table->counters[counter]++;
}

/* ---- at the end ---- */

void table_interrupt(int signal)
{
    table->interrupted = true;
    lock();
    charge_the_dead();
    for (unsigned i = 0; i < PROCESSES_MAX; i++)
        if (table->asking[i].process != 0 && table->asking[i].process != (int)getpid())
            kill(table->asking[i].process, signal);
    unlock();
}

static int by_name(const void *a, const void *b)
{
    const struct table_row *left = a, *right = b;
    return strcmp(left->name, right->name);
}

static void print_octets(const uint8_t *octets, size_t length)
{
    fprintf(stderr, "    ");
    for (size_t i = 0; i < length && i < EXAMPLE_MAX; i++)
        fprintf(stderr, "%02x", octets[i]);
    fprintf(stderr, "%s\n", length > EXAMPLE_MAX ? "..." : length == 0 ? "(an empty Send)" : "");
}

unsigned table_print(void)
{
    lock();
    charge_the_dead();
    qsort(table->row, table->count, sizeof table->row[0], by_name);
    fprintf(stderr,
            "\n%u disagreements; %lu questions, of these %lu beyond a limit, %lu of known faults\n",
            table->count, table->counters[TABLE_ASKED], table->counters[TABLE_LIMIT],
            table->counters[TABLE_KNOWN]);
    for (unsigned i = 0; i < table->count; i++) {
        const struct table_row *row = &table->row[i];
        fprintf(stderr, "%s  (%lu times, first after %ld s)\n    %s\n", row->name, row->times,
                row->after, row->what);
        print_octets(row->octets, row->length);
    }
    if (table->lost)
        fprintf(stderr, "%u more are not in the table: it has %d rows\n", table->lost, ROWS_MAX);
    unlock();
    return table->count;
}

bool table_write(const char *file)
{
    struct known list = {.kind = KNOWN_KIT};
    for (unsigned i = 0; i < table->count; i++)
        if (strncmp(table->row[i].name, "kit/crashed", 11) != 0)
            known_add(&list, table->row[i].name, ENDING_WRONG, table->row[i].what);
    bool good = known_write(&list, file);
    known_free(&list);
    return good;
}
