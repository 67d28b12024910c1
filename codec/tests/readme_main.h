// SPDX-License-Identifier: BSD-3-Clause
/* After the example of README.md: makes a testee of its function receive(). */
#include "vectors/testees/lines.h"

static long judge(const uint8_t *octets, size_t length, bool is_reply)
{
    struct rpcrdma1_header header;
    long answer =
        (long)receive(&header, octets, length, is_reply ? RPCRDMA_REQUESTER : RPCRDMA_RESPONDER);
    switch (answer) {
    case DROP:
        return ANSWER_DISCARD;
    case SEND_ERR_VERS:
        return ANSWER_ERR_VERS;
    case SEND_ERR_CHUNK:
        return ANSWER_ERR_CHUNK;
    default:
        return answer;
    }
}

int main(void)
{
    return testee_main(judge);
}
