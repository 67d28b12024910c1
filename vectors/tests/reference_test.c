// SPDX-License-Identifier: BSD-3-Clause
/*
 * Every Send of the vectors, put to the codec that rpcgen makes of the RFC's XDR. What a vector
 * says decodes, does: with the header length that the vector gives, and back to the same octets.
 * What does not decode (no headerLength) rpcgen refuses as well, but for what it is known to take.
 */
#include <check.h>
#include <dirent.h>
#include <jansson.h>
#include <rfc8166.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "vectors"
#define OCTETS_MAX 131072
#define HEADER_MIN 28

struct sent {
    char *data; /* of its own, of exactly that size */
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
        sent.data[sent.length++] = (char)octet;
    }
    return sent;
}

/* Octets of the header, or -1. What was read is encoded again and compared. */
static long reference_length(const struct sent *sent)
{
    static char again[OCTETS_MAX];
    rdma_msg header = {0};
    XDR xdr;
    xdrmem_create(&xdr, sent->data, (u_int)sent->length, XDR_DECODE);
    long length = xdr_rdma_msg(&xdr, &header) ? (long)xdr_getpos(&xdr) : -1;
    xdr_destroy(&xdr);
    if (length >= 0) {
        xdrmem_create(&xdr, again, sizeof again, XDR_ENCODE);
        bool same = xdr_rdma_msg(&xdr, &header) && (long)xdr_getpos(&xdr) == length &&
                    memcmp(again, sent->data, (size_t)length) == 0;
        length = same ? length : -2;
        xdr_destroy(&xdr);
    }
    xdr_free((xdrproc_t)xdr_rdma_msg, (char *)&header);
    return length;
}

static unsigned sends, decoded;

static void check_send(const char *id, json_t *event)
{
    struct sent sent = octets_of(json_string_value(json_object_get(event, "send")));
    json_t *expected = json_object_get(json_object_get(event, "expect"), "headerLength");
    long length = reference_length(&sent);
    sends++;
    if (expected) {
        decoded++;
        ck_assert_msg(length == json_integer_value(expected),
                      "%s: rpcgen reads %ld octets, not %ld", id, length,
                      (long)json_integer_value(expected));
    } else if (sent.length >= HEADER_MIN) {
        /* It does not look at the version, knows RDMA_MSGP, leaves octets over, and takes any word
         * but 0 for a yes, which it then writes as 1: encoding again shows that. */
        bool other_version = memcmp(sent.data + 4, "\0\0\0\1", 4) != 0;
        bool is_msgp = sent.data[15] == RDMA_MSGP;
        bool left_over = sent.data[15] != RDMA_MSG && length < (long)sent.length;
        ck_assert_msg(other_version || is_msgp || left_over || length < 0,
                      "%s: rpcgen takes it, with %ld octets", id, length);
    }
    free(sent.data);
}

static void check_file(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error), *test, *event;
    ck_assert_msg(root != NULL, "%s: %s", path, error.text);
    size_t i, j;
    json_array_foreach(json_object_get(root, "tests"), i, test) json_array_foreach(
        json_object_get(test, "events"), j, event) if (json_object_get(event, "send"))
        check_send(json_string_value(json_object_get(test, "id")), event);
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

START_TEST(made)
{
    sends = decoded = 0;
    check_folder(FOLDER);
    ck_assert_uint_gt(decoded, 200);
}
END_TEST

START_TEST(recorded)
{
    sends = decoded = 0;
    check_folder(FOLDER "/recorded");
    ck_assert_uint_gt(decoded, 800);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("vectors and rpcgen");
    TCase *tests = tcase_create("every Send");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, made);
    tcase_add_test(tests, recorded);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
