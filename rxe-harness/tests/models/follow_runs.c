// SPDX-License-Identifier: BSD-3-Clause
/*
 * One of our peers in the place of one side of a model (spec/models). Standard input has the
 * model's complete runs as that side sees them, a run a line, sorted.
 *
 * usage: follow_runs version1|version2 client|server <RUNS
 *
 * Of version 1 it is the reference Requester or Responder, of version 2 the session. What it leaves
 * out, because it has chosen something else that the model has, is counted.
 */
#include "conformance/tests/support/alone.h"
#include "rxe-harness/tests/models/tree.h"

#include <string.h>

static const struct follower *follower;
static const char *name;

START_TEST(every_run)
{
    FILE *file = tmpfile();
    char line[1024];
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, stdin))
        fputs(line, file);
    unsigned failures = tree_follow(file, follower, name);
    fclose(file);
    ck_assert_uint_eq(failures, 0);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc != 3)
        return EXIT_FAILURE;
    own = strcmp(argv[2], "client") == 0 ? 0 : 1;
    bool is_2 = strcmp(argv[1], "version2") == 0;
    follower = is_2 ? &session_follower : own == 0 ? &requester_follower : &responder_follower;
    name = is_2 ? "session" : own == 0 ? "Requester" : "Responder";
    return run_alone(every_run);
}
