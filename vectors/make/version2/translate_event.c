// SPDX-License-Identifier: BSD-3-Clause
/* One event of version 1 in the words of a draft, and where its fields are then. */
#include "vectors/make/version2/translate.h"

#include <rpcrdma/xdr.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY 24 /* octets of an entry of a Read list */
#define SEGMENT 16

/* ---- from words ---- */

static bool begins(const char *word, const char *name)
{
    return strncmp(word, name, strlen(name)) == 0;
}

/* Segments of "N*H/L/O,...": none of an empty text. */
static unsigned count_segments(const char *text)
{
    unsigned count = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        const char *star = memchr(text, '*', length);
        count += star ? (unsigned)strtoul(text, NULL, 0) : 1;
        text += length + (text[length] == ',');
    }
    return count;
}

/* Whether a segment is larger than a peer of -07 takes that told nothing; it takes 16 of them. */
static bool has_large_segment(const char *segments)
{
    for (const char *at = strchr(segments, '/'); at; at = strchr(at + 1, '/')) {
        if (strtoull(at + 1, NULL, 0) > 1048576)
            return true;
        at = strchr(at + 1, '/'); /* after the length */
        if (at == NULL)
            break;
    }
    return false;
}

static void add_word(struct translated_event *event, const char *word)
{
    size_t at = strlen(event->what);
    snprintf(event->what + at, sizeof event->what - at, "%s%s", at > 0 ? " " : "", word);
}

static void add_number(struct translated_event *event, const char *before, long number,
                       const char *after)
{
    char word[96];
    snprintf(word, sizeof word, "%s%ld%s", before, number, after);
    add_word(event, word);
}

/* Where the RPC message's type is, or for RDMA_NOMSG its chunk: a Call or a Reply? False where
 * neither is to be seen. */
static bool find_direction(struct translated_event *event, const char *what)
{
    static struct composed octets;
    struct conversation conversation = {.id = what};
    compose(&octets, what, &conversation);
    if (octets.kind != COMPOSED_SEND)
        return true;
    bool is_msg = begins(what + 2, "msg");
    if (is_msg && octets.length < octets.header_length + 8)
        return false;
    uint32_t type = is_msg ? rpcrdma_xdr_load32(octets.octets + octets.header_length + 4)
                           : (what[0] == '<' && strstr(what, " read:0:") == NULL);
    event->is_reply = type == 1;
    return type <= 1;
}

static bool take_form(struct translated_event *event, const char *word, enum draft draft)
{
    static const char *const forms[DRAFTS][2][2] = {
        [DRAFT_IS_04] = {{"call-msg", "reply-msg"}, {"call-nomsg", "reply-nomsg"}},
        [DRAFT_IS_07] = {{"call-inline", "reply-inline"}, {"call-external", "reply-external"}},
    };
    bool is_nomsg = strcmp(word, "nomsg") == 0;
    if (!is_nomsg && strcmp(word, "msg") != 0)
        return false;
    snprintf(event->form, sizeof event->form, "%s", forms[draft][is_nomsg][event->is_reply]);
    add_word(event, event->form);
    return true;
}

/* A word of the header; false if the draft has no place for it. */
static bool take_word_of_header(struct translated_event *event, const char *word, enum draft draft)
{
    bool new_form = draft == DRAFT_IS_07;
    event->segments += count_segments(strrchr(word, ':') ? strrchr(word, ':') + 1 : "");
    if (new_form && !event->is_reply && (has_large_segment(word) || event->segments > 16))
        return false;
    if (begins(word, "invalidate:") || begins(word, "vers:") ||
        (new_form && begins(word, "credit:")))
        return false;
    if (begins(word, "read:")) {
        const char *segments = strchr(word + 5, ':');
        unsigned count = segments ? count_segments(segments + 1) : 0;
        bool holds_call =
            new_form && begins(word, "read:0:") && strcmp(event->form, "call-external") == 0;
        if (new_form && event->is_reply)
            return false;
        for (unsigned i = 0; i < count && event->entries < COUNT(event->holds_call); i++)
            event->holds_call[event->entries++] = holds_call;
        event->call_entries += holds_call ? count : 0;
        if (holds_call) {
            char call[2048];
            snprintf(call, sizeof call, "call:%s", word + 5);
            add_word(event, call);
            return true;
        }
    } else if (begins(word, "write:")) {
        event->reply_at += 8 + SEGMENT * count_segments(word + 6);
    } else if (begins(word, "reply:")) {
        event->reply_octets = 8 + SEGMENT * count_segments(word + 6);
        if (new_form && strcmp(event->form, "reply-inline") == 0)
            return true; /* which has no Reply chunk */
    }
    add_word(event, word);
    /* A client of -04 that told nothing takes no chunks. */
    bool is_chunk = begins(word, "read:") || begins(word, "write:") || begins(word, "reply:");
    return !(is_chunk && !new_form && event->is_reverse);
}

static bool take_change(struct translated_event *event, const char *word, enum draft draft)
{
    bool is_cut = begins(word, "cut:");
    char *after;
    unsigned long offset = strtoul(word + (is_cut ? 4 : 1), &after, 0);
    long place = translate_offset(event, draft, offset);
    bool is_version_or_procedure = !is_cut && (offset == 4 || offset == 12);
    if (place >= 0)
        add_number(event, is_cut ? "cut:" : "@", place, after);
    return place >= 0 && !is_version_or_procedure;
}

bool translate_event(struct translated_event *event, const char *what, enum draft draft)
{
    char copy[2048], *rest = copy, *word;
    bool payload = false, good = true;
    *event = (struct translated_event){.reply_octets = 4};
    snprintf(copy, sizeof copy, "%s", what);
    if (!begins(what + 2, "msg ") && !begins(what + 2, "nomsg ")) {
        snprintf(event->what, sizeof event->what, "%s", what);
        return begins(what + 2, "rdma-") || begins(what + 2, "disconnect") ||
               begins(what + 2, "atomic") || begins(what + 2, "refused") ||
               begins(what + 2, "registered") || begins(what + 2, "invalidated") ||
               begins(what + 2, "completed");
    }
    if (!find_direction(event, what))
        return false;
    event->is_reverse = what[0] == '<' && !event->is_reply;
    add_word(event, strtok_r(rest, " ", &rest));
    good = take_form(event, strtok_r(rest, " ", &rest), draft);
    while (good && (word = strtok_r(rest, " ", &rest))) {
        bool is_change = word[0] == '@' || begins(word, "cut:");
        payload = payload || strcmp(word, "|") == 0;
        if (is_change)
            good = take_change(event, word, draft);
        else if (payload)
            add_word(event, word);
        else
            good = take_word_of_header(event, word, draft);
    }
    return good;
}

/* ---- offsets ---- */

/* Of an entry of the Read list that RDMA2_CALL_EXTERNAL has in one of two lists. */
static long offset_of_entry(const struct translated_event *event, unsigned entry)
{
    unsigned before = 0;
    bool held = event->holds_call[entry];
    for (unsigned i = 0; i < entry; i++)
        before += event->holds_call[i] == held;
    return 20 + (long)before * ENTRY + (held ? 0 : (long)event->call_entries * ENTRY + 4);
}

long translate_offset(const struct translated_event *event, enum draft draft, unsigned long offset)
{
    unsigned long lists = 16 + event->entries * ENTRY; /* the end of the Read list */
    unsigned long reply = lists + 4 + event->reply_at + 4, end = reply + event->reply_octets;
    if (offset < 16)
        return (long)offset;
    if (draft == DRAFT_IS_04)
        return (long)offset + 8;
    if (strcmp(event->form, "call-inline") == 0)
        return (long)offset + 4;
    if (strcmp(event->form, "call-external") == 0 && offset < lists)
        return offset_of_entry(event, (unsigned)(offset - 16) / ENTRY) +
               (long)(offset - 16) % ENTRY;
    if (strcmp(event->form, "call-external") == 0)
        return (long)offset + 8;
    if (offset < 20 ||
        (strcmp(event->form, "reply-inline") == 0 && offset >= reply && offset < end))
        return -1;
    bool is_after = strcmp(event->form, "reply-inline") == 0 && offset >= end;
    return (long)offset - 4 - (is_after ? (long)event->reply_octets : 0);
}
