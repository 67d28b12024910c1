// SPDX-License-Identifier: BSD-3-Clause
/*
 * The binding of NFS in COMPOUNDs with several READs and WRITEs; and what must not be accused:
 * operations that it does not know, callbacks, what was not recorded, damage.
 */
#include "conformance/tests/support/upper.h"
#include "conformance/base/count.h"
#include "codec/tests/support/run_suite.h"

static const struct program compound = {100003, 4, 1};
static const uint32_t lengths[] = {5, 8, 13};
#define ITEMS 3

static struct rpcrdma_nfs4_nfs_argop4 writing(struct rpcrdma_xdr_opaque data)
{
    return (struct rpcrdma_nfs4_nfs_argop4){.argop = NFS4_OP_WRITE,
                                            .opwrite = {.stateid.other = zeros, .data = data}};
}

static struct rpcrdma_nfs4_nfs_argop4 linking(struct rpcrdma_xdr_opaque link)
{
    return (struct rpcrdma_nfs4_nfs_argop4){
        .argop = NFS4_OP_CREATE,
        .opcreate = {.objtype = {.type = NFS4_NF4LNK, .linkdata = link}, .objname = name}};
}

static struct rpcrdma_nfs4_nfs_argop4 reading(uint32_t count)
{
    return (struct rpcrdma_nfs4_nfs_argop4){.argop = NFS4_OP_READ,
                                            .opread = {.stateid.other = zeros, .count = count}};
}

/* PUTFH WRITE READ WRITE CREATE READLINK */
static void make_call(struct octets *content)
{
    begin_compound(content, 1, 6);
    put_operation(content, (struct rpcrdma_nfs4_nfs_argop4){.argop = NFS4_OP_PUTFH,
                                                            .opputfh.object = handle});
    put_operation(content, writing(item(0, lengths[0])));
    put_operation(content, reading(16));
    put_operation(content, writing(item(1, lengths[1])));
    put_operation(content, linking(item(2, lengths[2])));
    put_operation(content, (struct rpcrdma_nfs4_nfs_argop4){.argop = NFS4_OP_READLINK});
}

/* Take out the items of the set, with their padding where `padded`. */
static void reduce(struct octets *content, unsigned set, bool padded, struct chunks *chunks)
{
    for (unsigned i = ITEMS; i-- > 0;)
        if (set >> i & 1) /* from the last on, so that each is where it is in the whole */
            chunks->reads++;
    for (unsigned i = ITEMS, n = chunks->reads; i-- > 0;) {
        if (!(set >> i & 1))
            continue;
        chunks->read[--n].position = 40 + (uint32_t)cut_item(content, i, lengths[i]);
        chunks->read[n].length = padded ? (lengths[i] + 3) & ~3u : lengths[i];
    }
}

static void make_message(struct octets *message, const struct chunks *chunks,
                         const struct octets *content)
{
    put_header(message, chunks);
    put_rpc_call(message, compound, NO_GSS);
    put_octets(message, content);
}

static const char *judge_call(const struct chunks *chunks, const struct octets *content)
{
    struct octets message;
    struct rpcrdma_check *check = open_checker();
    make_message(&message, chunks, content);
    const char *judgement = judge(check, RPCRDMA_CLIENT, &message, 0);
    free(check);
    return judgement;
}

START_TEST(arguments_in_every_combination)
{
    unsigned set = (unsigned)_i / 2;
    bool padded = _i % 2;
    struct octets content;
    struct chunks chunks = {.reads = 0};
    char expected[128] = "";
    make_call(&content);
    reduce(&content, set, padded, &chunks);
    if (chunks.reads > 1)
        strcat(expected, "N rfc8267/6.4.2/one-read-chunk");
    if (padded && (set & 5))
        strcat(strcat(expected, chunks.reads > 1 ? "; " : ""), "W 3.4.5.2/padding-in-read-chunk");
    ck_assert_str_eq(judge_call(&chunks, &content), expected);
    for (unsigned i = 0; i < chunks.reads; i++) {
        chunks.read[i].position += 4;
        ck_assert_ptr_nonnull(strstr(judge_call(&chunks, &content), "V 3.4.5/position-"));
        chunks.read[i].position -= 8;
        ck_assert_ptr_nonnull(strstr(judge_call(&chunks, &content), "V 3.4.5/position-"));
        chunks.read[i].position += 4;
    }
}
END_TEST

/* ---- results: READ, READLINK, READ of 5, 8 and 13 octets ---- */

struct pairing {
    const char *offered, *returned; /* a letter a chunk: e empty, u unused, f filled */
    unsigned out;                   /* the items that are not in the payload */
    const char *judgement;
};

static const struct pairing pairings[] = {
    {"", "", 0, ""},
    {"fff", "fff", 7, ""},
    {"f", "f", 1, ""},
    {"ff", "ff", 3, ""},
    {"efe", "efe", 2, ""},
    {"fef", "fef", 5, ""},
    {"eee", "eee", 0, ""},
    {"fff", "ufu", 2, "V 4.3.2/eligible-result-pushed; N 4.3.2.1/chunks-used-in-order"},
    {"fff", "ffu", 3, "V 4.3.2/eligible-result-pushed"},
    {"fff", "ffe", 3, "V 4.3.2/eligible-result-pushed"},
    {"fff", "fff", 6, "V 4.3.2/pushed-item-left-out"},
    {"fff", "fff", 3, "V 4.3.2/pushed-item-left-out"},
    {"ffff", "ffff", 7, "V 6.1/only-eligible-reduced"},
};

static void make_reply(struct octets *content, unsigned out)
{
    begin_results(content, ITEMS);
    put_result(content, (struct rpcrdma_nfs4_nfs_resop4){
                            .resop = NFS4_OP_READ, .opread.resok4.data = item(0, lengths[0])});
    put_result(content,
               (struct rpcrdma_nfs4_nfs_resop4){.resop = NFS4_OP_READLINK,
                                                .opreadlink.resok4.link = item(1, lengths[1])});
    put_result(content, (struct rpcrdma_nfs4_nfs_resop4){
                            .resop = NFS4_OP_READ, .opread.resok4.data = item(2, lengths[2])});
    for (unsigned i = 0; i < ITEMS; i++)
        if (out >> i & 1)
            cut_item(content, i, lengths[i]);
}

static void make_writes(struct chunks *chunks, const char *letters, bool offered)
{
    *chunks = (struct chunks){.writes = (unsigned)strlen(letters)};
    for (unsigned i = 0; i < chunks->writes; i++) {
        chunks->write[i].empty = letters[i] == 'e';
        if (letters[i] == 'f')
            chunks->write[i].length = offered ? 16 : i < ITEMS ? lengths[i] : 4;
    }
}

static void offer_writes(struct rpcrdma_check *check, const char *letters)
{
    struct octets message, content;
    struct chunks chunks;
    make_writes(&chunks, letters, true);
    begin_compound(&content, 1, ITEMS);
    put_operation(&content, reading(16));
    put_operation(&content, (struct rpcrdma_nfs4_nfs_argop4){.argop = NFS4_OP_READLINK});
    put_operation(&content, reading(16));
    make_message(&message, &chunks, &content);
    ck_assert_str_eq(judge(check, RPCRDMA_CLIENT, &message, 0),
                     chunks.writes > 1 ? "N rfc8267/6.4.2/one-write-chunk" : "");
}

START_TEST(results_paired)
{
    const struct pairing *row = &pairings[_i];
    struct octets message, content;
    struct chunks chunks;
    struct rpcrdma_check *check = open_checker();
    offer_writes(check, row->offered);
    make_reply(&content, row->out);
    make_writes(&chunks, row->returned, false);
    put_header(&message, &chunks);
    put_rpc_reply(&message);
    put_octets(&message, &content);
    ck_assert_str_eq(judge(check, RPCRDMA_SERVER, &message, 0), row->judgement);
    free(check);
}
END_TEST

/* Two results in each other's chunks. */
START_TEST(results_swapped)
{
    struct octets message, content;
    struct chunks chunks;
    struct rpcrdma_check *check = open_checker();
    offer_writes(check, "fff");
    make_reply(&content, 7);
    make_writes(&chunks, "fff", false);
    chunks.write[0].length = lengths[1];
    chunks.write[1].length = lengths[0];
    put_header(&message, &chunks);
    put_rpc_reply(&message);
    put_octets(&message, &content);
    ck_assert_str_eq(judge(check, RPCRDMA_SERVER, &message, 0),
                     "V 3.4.6.2/returned-length-is-item-length");
    free(check);
}
END_TEST

/* ---- silence ---- */

/* After an operation of an extension anything can be: here one with an item that is out. Nor is a
 * later minor version known. */
START_TEST(unknown_not_accused)
{
    struct octets content;
    struct chunks chunks = {.reads = 1, .read[0].length = 8};
    begin_compound(&content, 2, 2);
    put_operation(&content, (struct rpcrdma_nfs4_nfs_argop4){.argop = NFS4_OP_PUTFH,
                                                             .opputfh.object = handle});
    for (unsigned i = 0; i < 4; i++)
        put_word(&content, (const uint32_t[]){76, 0, 4, 0x61626364}[i]);
    put_word(&content, 8);
    chunks.read[0].position = 40 + (uint32_t)content.length;
    ck_assert_str_eq(judge_call(&chunks, &content), "");
    chunks.writes = 1;
    chunks.write[0].length = 4;
    ck_assert_str_eq(judge_call(&chunks, &content), "");

    chunks = (struct chunks){.reads = 0};
    make_call(&content);
    reduce(&content, 1, false, &chunks);
    chunks.read[0].position += 4;
    content.at[7] = 3; /* minor version */
    ck_assert_str_eq(judge_call(&chunks, &content), "");
}
END_TEST

/* A server's Calls are callbacks, whatever program they name. */
START_TEST(callbacks_not_accused)
{
    struct octets message, content;
    for (unsigned set = 0; set < 8; set++) {
        struct chunks chunks = {.writes = 1, .write[0].length = 3};
        struct rpcrdma_check *check = open_checker();
        make_call(&content);
        reduce(&content, set, false, &chunks);
        make_message(&message, &chunks, &content);
        ck_assert_str_eq(judge(check, RPCRDMA_SERVER, &message, 0), "");
        free(check);
    }
}
END_TEST

/* Wherever the recording ends, nothing that comes after it is accused. */
START_TEST(unrecorded_not_accused)
{
    struct octets message, content;
    struct chunks chunks = {.reads = 0};
    make_call(&content);
    reduce(&content, 2, false, &chunks);
    make_message(&message, &chunks, &content);
    for (size_t missing = 0; missing < message.length; missing++) {
        struct rpcrdma_check *check = open_checker();
        ck_assert_str_eq(judge(check, RPCRDMA_CLIENT, &message, missing), "");
        free(check);
    }
    make_reply(&content, 7);
    for (size_t missing = 0; missing < content.length; missing++) {
        struct rpcrdma_check *check = open_checker();
        offer_writes(check, "fff");
        make_writes(&chunks, "fff", false);
        put_header(&message, &chunks);
        put_rpc_reply(&message);
        put_octets(&message, &content);
        ck_assert_str_eq(judge(check, RPCRDMA_SERVER, &message, missing), "");
        free(check);
    }
}
END_TEST

/* What does not decode by itself is for the upper layer to refuse: damage to arguments that are all
 * inline makes no fault of the transport, unless a READ asks for more than fits. */
START_TEST(damage_inline_not_accused)
{
    struct octets message, content;
    const struct chunks none = {.reads = 0};
    uint32_t random = (uint32_t)_i * 2654435761u + 1;
    make_call(&content);
    for (unsigned round = 0; round < 500; round++) {
        make_message(&message, &none, &content);
        for (unsigned i = 0; i < 3; i++) {
            random = random * 1664525 + 1013904223;
            size_t at = message.length - content.length + (random >> 8) % content.length;
            message.at[at] = (uint8_t)(random >> 24);
        }
        struct rpcrdma_check *check = open_checker();
        const char *judgement = judge(check, RPCRDMA_CLIENT, &message, 0);
        if (strcmp(judgement, "W 4.3.3/reply-chunk-needed") != 0 &&
            strcmp(judgement, "N rfc8267/6.2.2/reply-within-session") != 0)
            ck_assert_str_eq(judgement, "");
        free(check);
    }
}
END_TEST

/* Any damage to reduced Calls and Replies is survived, and judged in bounds. */
START_TEST(damage_survived)
{
    struct octets call, reply, content;
    struct chunks chunks = {.writes = 2, .write = {{.length = 16}, {.length = 16}}};
    uint32_t random = (uint32_t)_i * 2654435761u + 7;
    make_call(&content);
    reduce(&content, 7, false, &chunks);
    make_message(&call, &chunks, &content);
    make_reply(&content, 3);
    make_writes(&chunks, "ff", false);
    put_header(&reply, &chunks);
    put_rpc_reply(&reply);
    put_octets(&reply, &content);
    for (unsigned round = 0; round < 500; round++) {
        struct octets damaged[2] = {call, reply};
        struct rpcrdma_check *check = open_checker();
        for (unsigned i = 0; i < 4; i++) {
            random = random * 1664525 + 1013904223;
            struct octets *which = &damaged[random >> 31];
            which->at[(random >> 8) % which->length] = (uint8_t)(random >> 20);
        }
        judge(check, RPCRDMA_CLIENT, &damaged[0], 0);
        judge(check, RPCRDMA_SERVER, &damaged[1], random % damaged[1].length);
        free(check);
    }
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("binding, COMPOUND");
    tcase_add_loop_test(tests, arguments_in_every_combination, 0, 16);
    tcase_add_loop_test(tests, results_paired, 0, COUNT(pairings));
    tcase_add_test(tests, results_swapped);
    tcase_add_test(tests, unknown_not_accused);
    tcase_add_test(tests, callbacks_not_accused);
    tcase_add_test(tests, unrecorded_not_accused);
    tcase_add_loop_test(tests, damage_inline_not_accused, 0, 8);
    tcase_add_loop_test(tests, damage_survived, 0, 8);
    return run_tests("binding, COMPOUND", tests);
}
