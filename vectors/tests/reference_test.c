// SPDX-License-Identifier: BSD-3-Clause
// sanitized
/*
 * Every Send of the vectors, put to the codec that rpcgen makes of the XDR of its protocol. What a
 * vector says decodes, does: with the header length that the vector gives, and back to the same
 * octets. What does not decode (no headerLength) rpcgen refuses as well, but for what it is known
 * to take.
 */
#include "codec/tests/reference/reference.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

#include <check.h>
#include <dirent.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "vectors"

struct sent {
    unsigned char *data; /* of its own, of exactly that size */
    size_t length;
};

static struct sent octets_of(const char *hex)
{
    struct sent sent = {.data = malloc(strlen(hex) / 2 + 1)};
    unsigned octet;
    for (; *hex; hex++) {
        if (*hex == ' ' || *hex == '\n')
            continue;
        ck_assert_int_eq(sscanf(hex++, "%2x", &octet), 1);
        sent.data[sent.length++] = (unsigned char)octet;
    }
    return sent;
}

static unsigned long word_of(const struct sent *sent, size_t offset)
{
    const unsigned char *at = sent->data + offset;
    return offset + 4 > sent->length ? 0
                                     : (unsigned long)at[0] << 24 | (unsigned long)at[1] << 16 |
                                           (unsigned long)at[2] << 8 | at[3];
}

/* ---- the protocols ---- */

/* rpcgen does not look at the version, knows RDMA_MSGP, and leaves octets over. */
static bool lenient_1(const struct sent *sent, long length)
{
    bool is_msg = word_of(sent, 12) == 0, is_msgp = word_of(sent, 12) == 2;
    return sent->length < 28 || word_of(sent, 4) != 1 || is_msgp ||
           (!is_msg && length < (long)sent->length);
}

/* It takes any number for an enum, unless that chooses the arm of a union. */
static bool lenient_2_04(const struct sent *sent, long length)
{
    (void)length;
    return word_of(sent, 16) > 1 && word_of(sent, 12) <= 5 && word_of(sent, 12) != 4;
}

static bool never(const struct sent *sent, long length)
{
    (void)sent;
    (void)length;
    return false;
}

/* Types of -07 that end with the first word of the RPC message, which our headers leave out. */
static bool has_first_word(const struct sent *sent)
{
    unsigned long type = word_of(sent, 12);
    return type == 9 || type == 10 || type == 12 || type == 13;
}

static const struct protocol {
    const char *name;
    unsigned long version;
    long (*read)(const void *octets, size_t length);
    bool (*takes_anyhow)(const struct sent *sent, long length);
} protocols[] = {
    {"rpcrdma1", 1, reference_rfc8166, lenient_1},
    {"rpcrdma2-04", 2, reference_rpcrdma2_04, lenient_2_04},
    {"rpcrdma2-07", 2, reference_rpcrdma2_07, never},
};
#define PROTOCOLS COUNT(protocols)

/* The file's; but what has another version is version 1, whose form of an error is that of all. */
static const struct protocol *protocol_of(const char *file, const struct sent *sent)
{
    const struct protocol *found = &protocols[0];
    for (size_t i = 1; i < PROTOCOLS; i++)
        if (strcmp(file, protocols[i].name) == 0)
            found = &protocols[i];
    bool is_error = word_of(sent, 12) == 4;
    return word_of(sent, 4) == 1 && !is_error ? &protocols[0] : found;
}

/* ---- the walk ---- */

static unsigned decoded[PROTOCOLS], refused[PROTOCOLS];

/* What only its version is wrong with is not decoded, though it could be. */
static bool is_about_version(json_t *expect)
{
    json_t *finding;
    size_t i;
    json_array_foreach(json_object_get(expect, "findings"), i, finding)
    {
        const char *rule = json_string_value(json_object_get(finding, "rule"));
        if (strstr(rule, "version"))
            return true;
    }
    return false;
}

static void check_send(const char *file, const char *id, json_t *event)
{
    struct sent sent = octets_of(json_string_value(json_object_get(event, "send")));
    json_t *expect = json_object_get(event, "expect");
    json_t *expected = json_object_get(expect, "headerLength");
    const struct protocol *protocol = protocol_of(file, &sent);
    long length = protocol->read(sent.data, sent.length);
    if (expected) {
        decoded[protocol - protocols]++;
        if (protocol->read == reference_rpcrdma2_07 && length > 0 && has_first_word(&sent))
            length -= 4;
        ck_assert_msg(length == json_integer_value(expected),
                      "%s: rpcgen reads %ld octets, not %ld", id, length,
                      (long)json_integer_value(expected));
    } else {
        refused[protocol - protocols]++;
        ck_assert_msg(length < 0 || protocol->takes_anyhow(&sent, length) ||
                          is_about_version(expect),
                      "%s: rpcgen takes it, with %ld octets", id, length);
    }
    free(sent.data);
}

static void check_file(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error), *test, *event;
    ck_assert_msg(root != NULL, "%s: %s", path, error.text);
    const char *protocol = json_string_value(json_object_get(root, "protocol"));
    size_t i, j;
    json_array_foreach(json_object_get(root, "tests"), i, test) json_array_foreach(
        json_object_get(test, "events"), j, event) if (json_object_get(event, "send"))
        check_send(protocol, json_string_value(json_object_get(test, "id")), event);
    json_decref(root);
}

static void check_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;
    ck_assert_msg(dir != NULL, "%s is not there: run this in the top folder", folder);
    while ((entry = readdir(dir))) {
        size_t length = strlen(entry->d_name);
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        bool is_schema = strstr(entry->d_name, ".schema.") != NULL;
        if (length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0 && !is_schema)
            check_file(path);
    }
    closedir(dir);
}

/* How many Sends each folder has at the least, of each protocol, that decode or do not. */
static const struct {
    const char *folder;
    unsigned protocol, decoded, refused;
} folders[] = {
    {FOLDER, 0, 200, 50},
    {FOLDER "/recorded", 0, 800, 0},
    {FOLDER "/v2-04", 1, 300, 10},
    {FOLDER "/v2-07", 2, 500, 20},
};

START_TEST(every_send)
{
    memset(decoded, 0, sizeof decoded);
    memset(refused, 0, sizeof refused);
    check_folder(folders[_i].folder);
    ck_assert_uint_ge(decoded[folders[_i].protocol], folders[_i].decoded);
    ck_assert_uint_ge(refused[folders[_i].protocol], folders[_i].refused);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("every Send");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, every_send, 0, COUNT(folders));
    return run_tests("vectors and rpcgen", tests);
}
