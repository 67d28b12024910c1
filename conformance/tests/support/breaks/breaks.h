// SPDX-License-Identifier: BSD-3-Clause
/* Ways to break one rule in a random conversation. */
#ifndef CONFORMANCE_TESTS_BREAKS_H
#define CONFORMANCE_TESTS_BREAKS_H

#include "conformance/tests/support/conversation.h"

/* Breaks the event that is about to be sent, if it is of the right kind: before it is encoded, in
 * its header, or after, in its octets. */
typedef bool talk_breaker(struct talk *talk, struct talk_call *call);

struct talk_break {
    const char *name;
    const char *rule; /* by which it has to be named */
    talk_breaker *before, *after;
    unsigned least;  /* percent that have to be named; 0: all of them */
    const char *why; /* the rest cannot be known; NULL if there is none */
};

#define SAME_OCTETS "the same octets come of another mistake, or of none"
#define CAME_TWICE "which copy of a Call RDMA has served is not seen"

/* Up to one without a name: in headers, lists and order; in single words; in what the lists do with
 * content; in what only shows when Call, RDMA and answer are seen together. */
extern const struct talk_break talk_breaks[], talk_word_breaks[], talk_content_breaks[],
    talk_answer_breaks[];

/* Kinds of events. Of a Reply only one whose Call is known without doubt. */
bool talk_is_send(const struct talk *talk);
bool talk_is_call(const struct talk *talk, const struct talk_call *call);
bool talk_is_reply(const struct talk *talk, const struct talk_call *call);
bool talk_is_error(const struct talk *talk, const struct talk_call *call);
struct rpcrdma1_chunk_lists *talk_lists(struct talk *talk);

/* Judge what stands ready, without expecting anything of it. */
void talk_judge_first(struct talk *talk);

#endif
