// SPDX-License-Identifier: BSD-3-Clause
/*
 * What is kept until the end of a run comes back as it was, in any order and of any size: beside
 * what is kept in memory, at its border and far beyond; and where the file cannot be written or
 * read, that is said.
 */
#include "conformance/run/spill.h"

#include "conformance/base/alloc.h"
#include "conformance/tests/support/dice.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define IN_MEMORY ((size_t)1 << 20) /* what needs no file */
#define HEAD 16                     /* octets beside those of a piece */
enum { CHAINS = 5 };

/* Chains, and what they should hold. */
struct model {
    struct spill spill;
    uint64_t first[CHAINS], last[CHAINS];
    char *octets[CHAINS];
    size_t length[CHAINS], room[CHAINS], pieces, all;
    struct dice dice;
};

static void add(struct model *model, size_t chain, size_t length)
{
    char *piece = alloc_zeroed(length + 1, 1);
    for (size_t i = 0; i < length; i++)
        piece[i] = (char)dice_roll(&model->dice);
    ck_assert(spill_add(&model->spill, &model->last[chain], piece, length));
    ck_assert_uint_ne(model->last[chain], 0);
    if (model->first[chain] == 0)
        model->first[chain] = model->last[chain];
    while (model->room[chain] < model->length[chain] + length + 1) {
        model->room[chain] = model->room[chain] * 2 + 64;
        model->octets[chain] = realloc(model->octets[chain], model->room[chain]);
        ck_assert_ptr_nonnull(model->octets[chain]);
    }
    memcpy(model->octets[chain] + model->length[chain], piece, length);
    model->length[chain] += length;
    model->pieces++;
    model->all += length + HEAD;
    free(piece);
}

static void compare(const struct model *model)
{
    for (size_t i = 0; i < CHAINS; i++) {
        struct alloc_stream copy;
        alloc_begin(&copy);
        ck_assert(spill_copy(&model->spill, model->first[i], copy.out));
        char *octets = alloc_end(&copy);
        ck_assert_uint_eq(copy.length, model->length[i]);
        ck_assert(copy.length == 0 || memcmp(octets, model->octets[i], copy.length) == 0);
        free(octets);
    }
    /* What is in the file and what is in memory are all that was added, and an octet at least. */
    uint64_t kept = model->spill.start + model->spill.length;
    ck_assert_uint_ge(kept, model->all);
    ck_assert_uint_le(kept, model->all + HEAD);
    ck_assert_uint_le(model->spill.length, IN_MEMORY);
    ck_assert_int_eq(model->spill.has_file, model->spill.start > 0);
    struct stat status;
    if (model->spill.has_file) {
        ck_assert_int_eq(fstat(model->spill.fd, &status), 0);
        ck_assert_uint_eq((uint64_t)status.st_size, model->spill.start);
        ck_assert_uint_eq(status.st_nlink, 0);
    }
}

static void end(struct model *model)
{
    int fd = model->spill.has_file ? model->spill.fd : -1;
    compare(model);
    spill_free(&model->spill);
    ck_assert(fd < 0 || (fcntl(fd, F_GETFD) == -1 && errno == EBADF));
    ck_assert(!model->spill.has_file && model->spill.start == 0 && model->spill.length == 0);
    for (size_t i = 0; i < CHAINS; i++)
        free(model->octets[i]);
}

/* ---- what was kept comes back ---- */

/* Sizes of pieces that are about as long as what is kept in memory, or as what is copied at once.
 */
static size_t size_of(struct dice *dice)
{
    static const size_t near[] = {
        IN_MEMORY, IN_MEMORY - HEAD, IN_MEMORY - 2 * HEAD, IN_MEMORY / 2, 4096, HEAD};
    size_t size = near[pick(dice, 6)] + pick(dice, 4) - 2;
    return chance(dice, 90) ? pick(dice, chance(dice, 50) ? 40000 : 200) : size;
}

START_TEST(comes_back)
{
    struct model model = {.dice = {(uint64_t)_i + 1}};
    size_t pieces = 1 + pick(&model.dice, 300), chains = 1 + pick(&model.dice, CHAINS);
    for (size_t i = 0; i < pieces; i++) {
        add(&model, pick(&model.dice, (uint32_t)chains), size_of(&model.dice));
        if (i % 64 == 0)
            compare(&model);
    }
    end(&model);
}
END_TEST

/* One piece, another after it, and again one of the first's chain, so that the first, wherever it
 * is, is given a next one: with every number of octets about the border. */
static const size_t borders[] = {IN_MEMORY, IN_MEMORY - HEAD, IN_MEMORY - 2 * HEAD,
                                 IN_MEMORY - 3 * HEAD, IN_MEMORY - 4 * HEAD};

START_TEST(border)
{
    for (size_t more = 0; more < HEAD; more++)
        for (size_t after = 0; after <= HEAD; after += HEAD) {
            struct model model = {.dice = {more}};
            size_t length = borders[_i] + more;
            add(&model, 0, length);
            /* The first piece is not at the very beginning. */
            ck_assert_int_eq(model.spill.has_file, length + 2 * HEAD > IN_MEMORY);
            add(&model, 1, after);
            add(&model, 0, after + 1);
            add(&model, 1, 4096);
            end(&model);
        }
}
END_TEST

START_TEST(fills_up)
{
    struct model model = {.dice = {7}};
    while (model.all + HEAD + 100 <= IN_MEMORY) {
        add(&model, model.pieces % CHAINS, 84);
        ck_assert(!model.spill.has_file);
    }
    for (size_t i = 0; i < 3; i++)
        add(&model, i, 84);
    ck_assert(model.spill.has_file);
    end(&model);
}
END_TEST

START_TEST(nothing)
{
    struct model model = {.pieces = 0};
    struct alloc_stream copy;
    alloc_begin(&copy);
    ck_assert(spill_copy(&model.spill, 0, copy.out));
    free(alloc_end(&copy));
    ck_assert_uint_eq(copy.length, 0);
    spill_free(&model.spill);
    /* And again, as if nothing had been. */
    for (int i = 0; i < 2; i++) {
        model = (struct model){.dice = {9}};
        add(&model, 0, 3 * IN_MEMORY);
        add(&model, 0, 5);
        end(&model);
    }
}
END_TEST

/* ---- the file ---- */

static char folder[] = "/tmp/spill-test-XXXXXX";

static void take_folder(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(setenv("TMPDIR", folder, 1), 0);
}

static size_t count_files(void)
{
    size_t count = 0;
    DIR *stream = opendir(folder);
    ck_assert_ptr_nonnull(stream);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(stream);
    return count;
}

static void fill(struct model *model, size_t octets)
{
    while (model->all < octets)
        add(model, model->pieces % CHAINS, 1000);
}

START_TEST(leaves_nothing)
{
    take_folder();
    struct model model = {.dice = {3}};
    struct stat status, of_folder;
    fill(&model, 3 * IN_MEMORY);
    ck_assert_int_eq(fstat(model.spill.fd, &status), 0);
    ck_assert_int_eq(stat(folder, &of_folder), 0);
    ck_assert_uint_eq(status.st_dev, of_folder.st_dev);
    ck_assert_uint_eq(status.st_mode & 077, 0); /* it is nobody else's to read */
    ck_assert_uint_eq(count_files(), 0);
    end(&model);
    ck_assert_uint_eq(count_files(), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* Where the environment names no folder there is one all the same. */
START_TEST(no_folder)
{
    ck_assert_int_eq(_i ? setenv("TMPDIR", "", 1) : unsetenv("TMPDIR"), 0);
    struct model model = {.dice = {4}};
    fill(&model, 2 * IN_MEMORY);
    end(&model);
}
END_TEST

START_TEST(absent_folder)
{
    char longer[5000];
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    ck_assert_int_eq(setenv("TMPDIR", _i ? longer : "/tmp/there/is/none", 1), 0);
    struct spill spill = {.has_file = false};
    uint64_t last = 0;
    char octets[1000] = "";
    size_t kept = 0;
    errno = 0;
    for (; spill_add(&spill, &last, octets, sizeof octets); kept += sizeof octets)
        ck_assert_uint_le(kept, IN_MEMORY);
    ck_assert_int_eq(errno, _i ? ENAMETOOLONG : ENOENT);
    ck_assert_uint_ge(kept, IN_MEMORY - IN_MEMORY / 50);
    ck_assert(!spill.has_file);
    spill_free(&spill);
}
END_TEST

/* As on a disk that is full. */
START_TEST(no_room)
{
    const struct rlimit limit = {3 * IN_MEMORY + 77, 3 * IN_MEMORY + 77};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    struct spill spill = {.has_file = false};
    uint64_t last = 0;
    size_t kept = 0, length = _i ? 3 * IN_MEMORY : 1000;
    char *octets = alloc_zeroed(length, 1);
    errno = 0;
    while (kept < 9 * IN_MEMORY && spill_add(&spill, &last, octets, length))
        kept += length;
    ck_assert_int_eq(errno, EFBIG);
    ck_assert_uint_ge(kept, 3 * IN_MEMORY - IN_MEMORY / 50);
    ck_assert_uint_le(kept, 4 * IN_MEMORY + 1000);
    spill_free(&spill);
    free(octets);
}
END_TEST

/* Somebody cuts off the file, or closes it. */
START_TEST(unreadable)
{
    struct model model = {.dice = {5}};
    struct alloc_stream copy;
    fill(&model, 4 * IN_MEMORY);
    ck_assert_int_eq(
        _i ? close(model.spill.fd) : ftruncate(model.spill.fd, (off_t)(2 * IN_MEMORY + 3)), 0);
    for (size_t i = 0; i < CHAINS; i++) {
        alloc_begin(&copy);
        errno = 0;
        ck_assert(!spill_copy(&model.spill, model.first[i], copy.out));
        ck_assert_int_eq(errno, _i ? EBADF : EIO);
        free(alloc_end(&copy));
        ck_assert_uint_lt(copy.length, model.length[i]);
        free(model.octets[i]);
    }
    spill_free(&model.spill);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, comes_back, 0, 30);
    tcase_add_loop_test(tests, border, 0, sizeof borders / sizeof *borders);
    tcase_add_test(tests, fills_up);
    tcase_add_test(tests, nothing);
    tcase_add_test(tests, leaves_nothing);
    tcase_add_loop_test(tests, no_folder, 0, 2);
    tcase_add_loop_test(tests, absent_folder, 0, 2);
    tcase_add_loop_test(tests, no_room, 0, 2);
    tcase_add_loop_test(tests, unreadable, 0, 2);
    return run_tests("spill", tests);
}
