// SPDX-License-Identifier: BSD-3-Clause
/* After the example of README.md: makes a testee of its function receive(). */
#include "vectors/testees/lines.h"

static long judge(const uint8_t *octets, size_t length, bool is_reply)
{
    ptrdiff_t answer = receive(octets, length, is_reply ? RPCRDMA_REQUESTER : RPCRDMA_RESPONDER);
    switch (answer) {
    case RPCRDMA1_DISCARD:
        return ANSWER_DISCARD;
    case RPCRDMA1_SEND_ERR_VERS:
        return ANSWER_ERR_VERS;
    case RPCRDMA1_SEND_ERR_CHUNK:
        return ANSWER_ERR_CHUNK;
    default:
        return (long)answer;
    }
}

int main(void)
{
    return testee_main(judge);
}
