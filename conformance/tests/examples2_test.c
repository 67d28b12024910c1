// SPDX-License-Identifier: BSD-3-Clause
/*
 * The worked examples of version 2 (codec/tests/data/version2.txt), made from the XDR of the drafts
 * and not by this project's codec: each a conversation that breaks no rule, judged by its draft and
 * by the one that its Sends show.
 */
#include "conformance/tests/support/play.h"

#define EXAMPLES "codec/tests/data/version2.txt"
#define SENDS 34
#define CONVERSATIONS 10

static max_align_t memory[64 * 1024];

struct example {
    char conversation[64];
    enum rpcrdma_protocol draft;
    enum rpcrdma_endpoint from;
    int header;
    uint8_t octets[512];
    size_t length;
};

/* The next line that is a Send; false at the end. */
static bool read_example(FILE *file, struct example *example)
{
    char line[4096], name[64], side[16], hex[2048];
    unsigned draft, octet;
    while (fgets(line, sizeof line, file) != NULL) {
        if (strchr("# \n", line[0]) ||
            sscanf(line, "%63s %u %15s %d %2047s", name, &draft, side, &example->header, hex) != 5)
            continue;
        snprintf(example->conversation, sizeof example->conversation, "%.*s",
                 (int)strcspn(name, "/"), name);
        example->draft = draft == 4 ? RPCRDMA_PROTOCOL_2_04 : RPCRDMA_PROTOCOL_2_07;
        example->from = strcmp(side, "client") == 0 ? RPCRDMA_CLIENT : RPCRDMA_SERVER;
        example->length = 0;
        for (const char *p = hex; sscanf(p, "%2x", &octet) == 1; p += 2)
            example->octets[example->length++] = (uint8_t)octet;
        return true;
    }
    return false;
}

static void assert_verdict(const struct example *example, const struct rpcrdma_judgement *judgement)
{
    char text[1024];
    play_render(judgement, text, sizeof text);
    for (unsigned i = 0; i < judgement->count; i++)
        ck_assert_msg(judgement->findings[i].severity == RPCRDMA_NOTE, "%s: %s",
                      example->conversation, text);
    ck_assert_msg(judgement->header_length == example->header, "%s: header of %d octets, not %d",
                  example->conversation, (int)judgement->header_length, example->header);
    if (judgement->draft_is_sure)
        ck_assert_int_eq(judgement->protocol, example->draft);
}

/* Some begin in the middle of a connection, so all are judged as if they did. */
static void judge_all(bool named)
{
    FILE *file = fopen(EXAMPLES, "r");
    struct example example;
    struct rpcrdma_check *check = NULL;
    struct rpcrdma_judgement judgement;
    char conversation[64] = "";
    unsigned sends = 0, conversations = 0;
    ck_assert_ptr_nonnull(file);
    for (; read_example(file, &example); sends++) {
        if (strcmp(conversation, example.conversation) != 0) {
            struct rpcrdma_check_config config = {.mid_stream = true};
            if (named)
                config.draft = example.draft;
            ck_assert_uint_le(rpcrdma_check_size(&config), sizeof memory);
            check = rpcrdma_check_init(memory, sizeof memory, &config);
            strcpy(conversation, example.conversation);
            conversations++;
        }
        struct rpcrdma_event event = {
            .from = example.from, .data = example.octets, .length = example.length};
        rpcrdma_check_event(check, &event, &judgement);
        assert_verdict(&example, &judgement);
    }
    fclose(file);
    ck_assert_uint_eq(sends, SENDS);
    ck_assert_uint_eq(conversations, CONVERSATIONS);
}

START_TEST(by_their_draft)
{
    judge_all(true);
}
END_TEST

START_TEST(by_what_they_show)
{
    judge_all(false);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("worked examples of version 2");
    tcase_add_test(tests, by_their_draft);
    tcase_add_test(tests, by_what_they_show);
    return run_tests("worked examples of version 2", tests);
}
