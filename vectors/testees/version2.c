// SPDX-License-Identifier: BSD-3-Clause
/* A testee: the receiver of librpcrdma for both drafts of version 2. */
#include "lines.h"

#include <rpcrdma/message.h>

static long judge(const uint8_t *octets, size_t length, const char *draft, bool is_reply)
{
    struct rpcrdma_message message;
    uint8_t answer[RPCRDMA2_ERROR_MAX];
    ptrdiff_t end =
        rpcrdma2_receive(&message, draft[1] == '4' ? RPCRDMA_PROTOCOL_2_04 : RPCRDMA_PROTOCOL_2_07,
                         octets, length, is_reply ? RPCRDMA_REQUESTER : RPCRDMA_RESPONDER, NULL);
    if (end >= RPCRDMA1_DISCARD)
        return end < 0 ? ANSWER_DISCARD : (long)end;
    message.prefix.credit = 1;
    end = rpcrdma_error_encode(answer, sizeof answer, &message);
    return testee_error(answer, end < 0 ? 0 : (size_t)end);
}

int main(void)
{
    return testee_serve(NULL, NULL, judge);
}
