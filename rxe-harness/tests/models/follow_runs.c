// SPDX-License-Identifier: BSD-3-Clause
/*
 * The session of version 2 in the place of one side of a model (spec/models). Standard input has
 * the model's complete runs as that side sees them, a run a line, sorted; together they are a tree.
 * The other side sends what stands in the tree, the program above the session calls and answers as
 * it says there, or sooner, and whatever the session sends has to be the tree's: type, XID, credit
 * word, invalidation. At each node it has the counts of the model, and it sends where the model can
 * only go on by its Send.
 *
 * usage: follow_runs client|server <RUNS
 *
 * What the session leaves out, because it has chosen something else that the model has, is counted.
 */
#include "rxe-harness/tests/support/session_stage.h"

#include <check.h>
#include <rpcrdma/message.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the models have them (spec/models/observer.pml, version2.pml). */
enum { CALL = 1, REPLY, ERROR, CALL_PIECE = 7, REPLY_PIECE, REFRESH, MIDDLE, FINAL, ERR_VERS };
enum { INVALIDATES = 1, CALLS = 4, PIECE = 40, TOKEN = 9, STEPS = 48 };

/* A token of a run: " ", then four octets as hexadecimal digits. */
struct seen {
    unsigned side, what, n, xid, credits, flags;
};

/* The runs from `low` to before `high` share this many tokens. */
struct node {
    unsigned low, high, depth;
};

static char **runs; /* their tokens */
static bool *followed;
static unsigned run_count;
static enum side own;
static bool invalidation;
static unsigned grants_max; /* by this side in one run */

static struct seen token(const char *at)
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

static const char *at_depth(const struct node *node, unsigned run)
{
    return runs[run] + TOKEN * node->depth;
}

static bool is_leaf(const struct node *node)
{
    return *at_depth(node, node->low) == '\0';
}

/* The child that begins with this run. */
static struct node child_at(const struct node *node, unsigned run)
{
    struct node child = {run, run, node->depth + 1};
    while (child.high < node->high &&
           strncmp(at_depth(node, child.high), at_depth(node, run), TOKEN) == 0)
        child.high++;
    return child;
}

/* ---- one walk from the root ---- */

/* What is done: the other side sends, the program above the session acts, or nothing happens. */
enum act { COMES, APPLIES, IDLES };
struct step {
    enum act act;
    struct seen seen;
};

static struct {
    struct node node;
    uint32_t sent, received, limit, grants;
    unsigned outputs; /* of the last step */
    bool left;        /* the bounds of the model: what follows is not in the tree */
    char wrong[160];  /* or empty */
    uint32_t handles[CALLS];
    struct link_memory memory[CALLS];
    uint8_t octets[CALLS][8];
    bool peer_in_pieces;
    bool begun[CALLS], answered[CALLS]; /* by the program above the session */
    bool got[CALLS];                    /* a Call came to it */
} walk;

static uint32_t xid_of(const struct seen *seen)
{
    return 0x1000 + seen->xid;
}

static void wrong(const char *text)
{
    if (walk.wrong[0] == '\0')
        snprintf(walk.wrong, sizeof walk.wrong, "%s, after %.*s", text,
                 (int)(TOKEN * walk.node.depth), runs[walk.node.low]);
}

/* What a Send of the session is in the tree. */
static struct seen read_send(const uint8_t *octets, size_t length, bool invalidates)
{
    struct rpcrdma_message message;
    struct seen seen = {.side = own, .flags = invalidates ? INVALIDATES : 0};
    if (rpcrdma_message_decode(&message, RPCRDMA_PROTOCOL_2_07, octets, length, NULL) < 0) {
        wrong("a Send does not decode");
        return seen;
    }
    bool is_call = message.direction == RPCRDMA_CALL;
    seen.credits = message.prefix.credit;
    seen.xid = message.prefix.xid - 0x1000;
    if (message.kind == RPCRDMA_KIND_RPC && message.form == RPCRDMA_FORM_PIECE)
        seen.what = is_call ? CALL_PIECE : REPLY_PIECE;
    else if (message.kind == RPCRDMA_KIND_RPC)
        seen.what = is_call ? CALL : REPLY;
    else if (message.kind == RPCRDMA_KIND_ERROR)
        seen.what = ERROR;
    else
        seen.what = message.kind == RPCRDMA_KIND_GRANT ? REFRESH : FINAL;
    if (seen.what == REFRESH || seen.what == FINAL)
        seen.xid = 0;
    return seen;
}

static bool is_same(const struct seen *a, const struct seen *b)
{
    return a->side == b->side && a->what == b->what && a->xid == b->xid &&
           a->credits == b->credits && a->flags == b->flags;
}

static void descend(const struct seen *seen)
{
    for (unsigned run = walk.node.low; run < walk.node.high;) {
        struct node child = child_at(&walk.node, run);
        struct seen there = token(at_depth(&walk.node, run));
        if (is_same(&there, seen)) {
            walk.node = child;
            return;
        }
        run = child.high;
    }
    char text[96];
    snprintf(text, sizeof text, "side %u: %u, XID %u, credits %u, flags %u is not in the tree",
             seen->side, seen->what, seen->xid, seen->credits, seen->flags);
    wrong(text);
}

static struct link_ops seeing;

static bool see_send(struct link *link, const void *octets, size_t length,
                     const uint32_t *invalidates)
{
    struct seen seen = read_send(octets, length, invalidates != NULL);
    walk.outputs++;
    walk.grants += seen.what == REFRESH;
    walk.left = walk.left || is_leaf(&walk.node) || walk.grants > grants_max;
    if (!walk.left && walk.wrong[0] == '\0') {
        descend(&seen);
        walk.sent++;
    }
    return own_ops->send(link, octets, length, invalidates);
}

static void see_wait(struct link *link, unsigned timeout, struct link_event *event)
{
    own_ops->wait(link, timeout, event);
    walk.left = walk.left || (event->type == LINK_RECEIVED && is_leaf(&walk.node));
    if (event->type != LINK_RECEIVED || walk.left || walk.wrong[0] != '\0')
        return;
    struct seen seen = {.side = !own, .flags = event->invalidated ? INVALIDATES : 0};
    struct seen sent = read_send(event->octets, event->length, event->invalidated);
    seen.what = sent.what;
    seen.xid = sent.xid;
    seen.credits = sent.credits;
    if (rpcrdma_xdr_load32(event->octets + 12) == 6)
        seen.what = MIDDLE;
    if (seen.what == ERROR && rpcrdma_xdr_load32(event->octets + 16) == 1)
        seen.what = ERR_VERS;
    descend(&seen);
    walk.received++;
    if (seen.what != ERR_VERS)
        walk.limit = seen.credits;
}

static void begin_walk(const struct node *root)
{
    memset(&walk, 0, sizeof walk);
    walk.node = *root;
    walk.limit = 1;
    connect_sides(own == ACTIVE, own == PASSIVE);
    seeing = *own_ops;
    seeing.send = see_send;
    seeing.wait = see_wait;
    links[own]->ops = &seeing;
    links[!own]->ops = own_ops;
    for (unsigned n = 0; invalidation && n < CALLS; n++) {
        /* A Call of either side has memory of its own number at both, so that handles agree. */
        walk.memory[n] = (struct link_memory){.octets = walk.octets[n], .length = 8};
        ck_assert(
            own_ops->expose(links[n % 2 == 0 ? own : !own], &walk.memory[n], LINK_PEER_WRITES));
    }
}

/* Memory of the side that calls: at each side one for two Calls. */
static uint32_t handle_of(unsigned caller, unsigned xid)
{
    unsigned n = 2 * (xid % 2) + (caller == own ? 0 : 1);
    return invalidation ? walk.memory[n].handle : 0;
}

/* ---- steps ---- */

static void post(const struct seen *seen, const uint32_t *words, size_t count, size_t from,
                 size_t to)
{
    uint8_t octets[256];
    bool is_call = seen->what == CALL || seen->what == CALL_PIECE;
    uint8_t *rpc = make_rpc(xid_of(seen), is_call ? RPCRDMA_CALL : RPCRDMA_REPLY, 2 * PIECE);
    for (size_t i = 0; i < count; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    memcpy(octets + 4 * count, rpc + from, to - from);
    free(rpc);
    uint32_t handle = handle_of(own, seen->xid);
    ck_assert(own_ops->send(links[!own], octets, 4 * count + to - from,
                            seen->flags & INVALIDATES ? &handle : NULL));
}

#define POST(seen, from, to, ...)                                                                  \
    post(seen, (const uint32_t[]){xid_of(seen), 2, (seen)->credits, __VA_ARGS__},                  \
         3 + sizeof(const uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), from, to)

/* The other side sends this, which the session has to take for what it is. */
static void comes(const struct seen *seen)
{
    static const int expected[] = {[CALL] = SESSION_CALL,
                                   [REPLY] = SESSION_REPLY,
                                   [ERROR] = SESSION_ERROR,
                                   [ERR_VERS] = SESSION_REFUSED};
    size_t from = walk.peer_in_pieces ? PIECE : 0, to = from + PIECE;
    switch (seen->what) {
    case CALL:
        POST(seen, from, to, 10, handle_of(!own, seen->xid), 0, 0, 0);
        break;
    case REPLY:
        POST(seen, from, to, 13, 0);
        break;
    case CALL_PIECE:
        POST(seen, 0, PIECE, 9, PIECE);
        break;
    case REPLY_PIECE:
        POST(seen, 0, PIECE, 12, PIECE);
        break;
    case REFRESH:
        POST(seen, 0, 0, 5);
        break;
    case MIDDLE:
        POST(seen, 0, 0, 6, 0);
        break;
    case FINAL:
        POST(seen, 0, 0, 7, 1, 5, 4, 3);
        break;
    case ERROR:
        POST(seen, 0, 0, 4, 2);
        break;
    default:
        POST(seen, 0, 0, 4, 1, 1, 1);
    }
    if (seen->what == CALL_PIECE || seen->what == REPLY_PIECE)
        walk.peer_in_pieces = true;
    else if (seen->what == CALL || seen->what == REPLY)
        walk.peer_in_pieces = false;
    struct session_event event = after(own);
    int type =
        seen->what <= ERROR || seen->what == ERR_VERS ? expected[seen->what] : SESSION_NOTHING;
    if ((int)event.type != type && !walk.left)
        wrong("the session makes something else of what came");
    if (event.type == SESSION_CALL)
        walk.got[seen->xid] = true;
    if ((event.type == SESSION_CALL || event.type == SESSION_REPLY) &&
        event.message.prefix.xid != xid_of(seen))
        wrong("another XID");
    if (event.type == SESSION_REPLY && event.invalidated != (seen->flags & INVALIDATES))
        wrong("it does not say what is invalidated");
}

static void send_message(const struct seen *seen, bool is_call, size_t length)
{
    const uint32_t handle = handle_of(is_call ? own : !own, seen->xid);
    uint8_t *rpc = make_rpc(xid_of(seen), is_call ? RPCRDMA_CALL : RPCRDMA_REPLY, length);
    const struct session_message message = {.direction = is_call ? RPCRDMA_CALL : RPCRDMA_REPLY,
                                            .xid = xid_of(seen),
                                            .rpc = rpc,
                                            .length = length,
                                            .invalidate = is_call ? handle : 0,
                                            .invalidates =
                                                seen->flags & INVALIDATES ? &handle : NULL};
    if (!session_send(sessions[own], &message))
        wrong("the session does not take a message");
    free(rpc);
}

static void applies(const struct seen *seen)
{
    bool is_call = seen->what == CALL || seen->what == CALL_PIECE;
    struct seen last = *seen;
    *(is_call ? &walk.begun[seen->xid] : &walk.answered[seen->xid]) = true;
    switch (seen->what) {
    case REPLY_PIECE: /* in the model its last piece invalidates */
        last.flags = invalidation ? INVALIDATES : 0;
        send_message(&last, false, 2 * PIECE);
        break;
    case CALL_PIECE:
        send_message(seen, true, 2 * PIECE);
        break;
    case ERROR:
        session_send_error(sessions[own], xid_of(seen), 2, (const uint32_t[2]){0, 0});
        break;
    default:
        send_message(seen, is_call, PIECE);
    }
    after(own);
}

static void check_counts(void)
{
    struct session_counts counts = session_counts(sessions[own]);
    if (counts.sent != walk.sent || counts.received != walk.received ||
        (counts.version != 1 && counts.left != (int32_t)(walk.limit - walk.sent)))
        wrong("other counts than the model's");
}

static void take(const struct step *step)
{
    walk.outputs = 0;
    if (step->act == COMES)
        comes(&step->seen);
    else if (step->act == APPLIES)
        applies(&step->seen);
    else
        after(own);
    while (raw(!own).type == LINK_RECEIVED) /* its Receives are posted again */
        continue;
    if (!walk.left)
        check_counts();
}

/* ---- the tree ---- */

enum { CHOICES = 32 };
static struct step path[STEPS];
static unsigned nodes, outside, failures;
static struct node root;

/* What the program above the session does by this token, and has not done yet. */
static bool is_applied(const struct seen *seen)
{
    bool is_call = seen->what == CALL || seen->what == CALL_PIECE;
    bool is_answer = seen->what == REPLY || seen->what == REPLY_PIECE || seen->what == ERROR;
    return seen->side == own && ((is_call && !walk.begun[seen->xid]) ||
                                 (is_answer && !walk.answered[seen->xid] && walk.got[seen->xid]));
}

/* Somewhere below, but not here: a Call can be waiting for its turn from here on. */
static unsigned add_early(const struct node *node, struct step *choices, unsigned count)
{
    for (unsigned run = node->low; run < node->high; run++)
        for (const char *at = at_depth(node, run); *at != '\0'; at += TOKEN) {
            struct seen seen = token(at);
            if (own == PASSIVE || at == at_depth(node, run) || seen.what != CALL ||
                !is_applied(&seen))
                continue;
            choices[count] = (struct step){APPLIES, seen};
            return count + 1;
        }
    return count;
}

/* `can_wait`: the model has a next step that is not the session's own. */
static unsigned add_children(const struct node *node, struct step *choices, bool *can_wait)
{
    unsigned count = 0;
    for (unsigned run = node->low; run < node->high;) {
        struct step step = {COMES, token(at_depth(node, run))};
        bool applied = is_applied(&step.seen);
        run = child_at(node, run).high;
        step.act = applied ? APPLIES : COMES;
        if (step.seen.side == own && !applied)
            continue;
        ck_assert_uint_lt(count, CHOICES - 2);
        choices[count++] = step;
        *can_wait = true;
    }
    return count;
}

static void explore(unsigned length, bool is_enabled)
{
    struct step choices[CHOICES];
    bool can_wait = false, idled = length > 0 && path[length - 1].act == IDLES;
    unsigned count = 0, enabled = 0;
    ck_assert_uint_lt(length, STEPS);
    begin_walk(&root);
    for (unsigned i = 0; i < length && walk.wrong[0] == '\0' && !walk.left; i++)
        take(&path[i]);
    bool leaf = is_leaf(&walk.node);
    nodes++;
    if (!leaf && !walk.left && walk.wrong[0] == '\0') {
        count = enabled = add_children(&walk.node, choices, &can_wait);
        if (idled && walk.outputs == 0 && !can_wait)
            wrong("it stalls");
        if (is_enabled && walk.outputs == 0)
            wrong("a message is held back");
        if (session_waiting(sessions[own]) == 0)
            count = add_early(&walk.node, choices, count);
    }
    bool silent = walk.outputs == 0;
    stage_teardown();
    if (walk.wrong[0] != '\0' && failures++ < 5)
        printf("    %s\n", walk.wrong);
    outside += walk.left;
    if (leaf)
        followed[walk.node.low] = true;
    if (walk.wrong[0] != '\0' || walk.left || leaf || (idled && silent))
        return;
    for (unsigned i = 0; i < count; i++) {
        path[length] = choices[i];
        explore(length + 1, choices[i].act == APPLIES && i < enabled);
    }
    path[length] = (struct step){.act = IDLES};
    explore(length + 1, false);
}

/* ---- the runs ---- */

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Those of one kind of connection: with memory that is invalidated, or without. */
static void follow(FILE *file, bool invalidates)
{
    static char line[1024];
    unsigned room = 0, left_out, kind;
    run_count = 0;
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        int at = 0;
        ck_assert_int_eq(sscanf(line, "run %u %u%n", &left_out, &kind, &at), 2);
        if (kind != invalidates)
            continue;
        if (run_count == room) {
            room = room ? 2 * room : 64;
            runs = realloc(runs, room * sizeof *runs);
            ck_assert_ptr_nonnull(runs);
        }
        line[strcspn(line, "\n")] = '\0';
        runs[run_count++] = strdup(line + at);
    }
    qsort(runs, run_count, sizeof *runs, compare);
    followed = calloc(run_count + 1, sizeof *followed);
    root = (struct node){0, run_count, 0};
    invalidation = invalidates;
    if (run_count > 0)
        explore(0, false);
}

START_TEST(every_run)
{
    unsigned all = 0, done = 0;
    struct seen first = {0};
    bool has_properties = false;
    FILE *file = tmpfile();
    char line[1024];
    ck_assert_ptr_nonnull(file);
    for (unsigned n = 0; fgets(line, sizeof line, stdin); n++) {
        if (n == 0)
            first = token(strchr(strchr(line + 4, ' ') + 1, ' '));
        for (const char *at = strchr(strchr(line + 4, ' ') + 1, ' '); at && *at == ' '; at += TOKEN)
            has_properties = has_properties || token(at).what == FINAL;
        unsigned grants = 0;
        for (const char *at = strchr(strchr(line + 4, ' ') + 1, ' '); at && *at == ' '; at += TOKEN)
            grants += token(at).side == own && token(at).what == REFRESH;
        grants_max = grants > grants_max ? grants : grants_max;
        fputs(line, file);
    }
    stage_setup();
    for (int i = 0; i < 2; i++) {
        options[i].credits = first.credits; /* nothing has come before that word */
        options[i].piece = PIECE;
        options[i].no_properties = !has_properties;
    }
    for (int invalidates = 0; invalidates < 2; invalidates++) {
        follow(file, invalidates != 0);
        all += run_count;
        for (unsigned i = 0; i < run_count; i++) {
            done += followed[i];
            free(runs[i]);
        }
        free(followed);
    }
    free(runs);
    fclose(file);
    printf("session: %u runs, %u followed to their end, %u otherwise by its own choice, "
           "%u beyond the bounds, %u walks, %u wrong\n",
           all, done, all - done, outside, nodes, failures);
    ck_assert_uint_gt(done, 0);
    ck_assert_uint_eq(failures, 0);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc != 2)
        return EXIT_FAILURE;
    own = strcmp(argv[1], "client") == 0 ? ACTIVE : PASSIVE;
    Suite *suite = suite_create("runs");
    TCase *tests = tcase_create("runs");
    tcase_add_test(tests, every_run);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
