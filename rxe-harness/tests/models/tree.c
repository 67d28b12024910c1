// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/models/tree.h"

#include <check.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct walk walk;
unsigned own, grant_max;
bool invalidation;

static char **runs; /* their tokens */
static bool *followed;
static unsigned run_count;
static struct node root;
static struct step path[STEPS];
static unsigned nodes, outside, failures;

/* ---- the tree ---- */

struct seen tree_token(const char *at)
{
    unsigned word[4] = {0};
    ck_assert_int_eq(sscanf(at, " %2x%2x%2x%2x", &word[0], &word[1], &word[2], &word[3]), 4);
    return (struct seen){.side = word[0] >> 6 & 1,
                         .what = word[0] & 0x3f,
                         .n = word[1] & 15,
                         .xid = word[1] >> 4,
                         .credits = word[2],
                         .flags = word[3]};
}

const char *tree_at(const struct node *node, unsigned run)
{
    return runs[run] + TOKEN * node->depth;
}

bool tree_is_leaf(const struct node *node)
{
    return *tree_at(node, node->low) == '\0';
}

struct node tree_child(const struct node *node, unsigned run)
{
    struct node child = {run, run, node->depth + 1};
    while (child.high < node->high &&
           strncmp(tree_at(node, child.high), tree_at(node, run), TOKEN) == 0)
        child.high++;
    return child;
}

/* The first run that goes on from here; one that ends here comes before it. */
static unsigned first_on(const struct node *node)
{
    return node->low + (tree_is_leaf(node) ? 1 : 0);
}

unsigned tree_next(struct seen next[CHOICES])
{
    unsigned count = 0;
    for (unsigned run = first_on(&walk.node); run < walk.node.high;) {
        ck_assert_uint_lt(count, CHOICES);
        next[count++] = tree_token(tree_at(&walk.node, run));
        run = tree_child(&walk.node, run).high;
    }
    return count;
}

void wrong(const char *format, ...)
{
    va_list args;
    if (walk.wrong[0] != '\0')
        return;
    va_start(args, format);
    int length = vsnprintf(walk.wrong, sizeof walk.wrong, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < sizeof walk.wrong)
        snprintf(walk.wrong + length, sizeof walk.wrong - (size_t)length, ", after%.*s",
                 (int)(TOKEN * walk.node.depth), runs[walk.node.low]);
}

static bool is_same(const struct seen *a, const struct seen *b)
{
    return a->side == b->side && a->what == b->what && a->xid == b->xid &&
           a->credits == b->credits && a->flags == b->flags;
}

bool tree_descend(const struct seen *seen)
{
    for (unsigned run = first_on(&walk.node); !walk.left && run < walk.node.high;) {
        struct node child = tree_child(&walk.node, run);
        struct seen there = tree_token(tree_at(&walk.node, run));
        if (is_same(&there, seen)) {
            walk.node = child;
            return true;
        }
        run = child.high;
    }
    walk.left = walk.left || tree_is_leaf(&walk.node);
    if (!walk.left)
        wrong("side %u: %u, XID %u, credits %u, flags %u is not in the tree", seen->side,
              seen->what, seen->xid, seen->credits, seen->flags);
    return false;
}

/* ---- walks ---- */

static void explore(const struct follower *follower, unsigned length)
{
    struct step choices[CHOICES];
    unsigned count = 0;
    ck_assert_uint_lt(length, STEPS);
    walk = (struct walk){.node = root};
    follower->begin();
    for (unsigned i = 0; i < length && walk.wrong[0] == '\0' && !walk.left; i++) {
        walk.outputs = 0;
        follower->take(&path[i]);
    }
    bool leaf = tree_is_leaf(&walk.node);
    if (!walk.left && walk.wrong[0] == '\0')
        count = follower->choose(choices, length > 0 ? &path[length - 1] : NULL);
    follower->end();
    nodes++;
    if (walk.wrong[0] != '\0' && failures++ < 5)
        printf("    %s\n", walk.wrong);
    outside += walk.left;
    if (leaf && walk.wrong[0] == '\0')
        followed[walk.node.low] = true;
    if (walk.wrong[0] != '\0' || walk.left)
        return;
    for (unsigned i = 0; i < count; i++) {
        path[length] = choices[i];
        explore(follower, length + 1);
    }
}

/* ---- the runs ---- */

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Those of one kind of connection: with memory that is invalidated, or without. */
static void read_runs(FILE *file, const struct follower *follower, bool invalidates)
{
    static char line[1024];
    unsigned room = 0, left_out, kind;
    run_count = 0;
    runs = NULL;
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        int at = 0;
        ck_assert_int_eq(sscanf(line, "run %u %u%n", &left_out, &kind, &at), 2);
        line[strcspn(line, "\n")] = '\0';
        for (const char *token = line + at; *token != '\0'; token += TOKEN) {
            struct seen seen = tree_token(token);
            follower->read(&seen, token == line + at);
            grant_max = seen.what == CALL && seen.credits > grant_max ? seen.credits : grant_max;
        }
        if (kind != invalidates)
            continue;
        if (run_count == room) {
            room = room ? 2 * room : 64;
            runs = realloc(runs, room * sizeof *runs);
            ck_assert_ptr_nonnull(runs);
        }
        runs[run_count++] = strdup(line + at);
    }
    if (run_count > 0)
        qsort(runs, run_count, sizeof *runs, compare);
    followed = calloc(run_count + 1, sizeof *followed);
    root = (struct node){0, run_count, 0};
}

unsigned tree_follow(FILE *file, const struct follower *follower, const char *name)
{
    unsigned all = 0, done = 0;
    for (int invalidates = 0; invalidates < 2; invalidates++) {
        invalidation = invalidates != 0;
        read_runs(file, follower, invalidation);
        if (run_count > 0)
            explore(follower, 0);
        all += run_count;
        for (unsigned i = 0; i < run_count; i++) {
            done += followed[i];
            free(runs[i]);
        }
        free(followed);
        free(runs);
    }
    printf("%s: %u runs, %u followed to their end, %u otherwise by its own choice, "
           "%u beyond the bounds, %u walks, %u wrong\n",
           name, all, done, all - done, outside, nodes, failures);
    ck_assert_uint_gt(done, 0);
    return failures;
}
