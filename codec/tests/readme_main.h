// SPDX-License-Identifier: BSD-3-Clause
/* After the example of README.md: makes a testee of its function receive(), and of those of version
 * 2 where they are. */
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

#ifdef README_VERSION2
static long judge2(const uint8_t *octets, size_t length, const char *draft, bool is_reply)
{
    uint8_t error[RPCRDMA2_ERROR_MAX];
    struct rpcrdma_message answer;
    enum rpcrdma_role role = is_reply ? RPCRDMA_REQUESTER : RPCRDMA_RESPONDER;
    ptrdiff_t said = draft[1] == '4' ? receive04(octets, length, role, &answer)
                                     : receive07(octets, length, role, &answer);
    if (said >= RPCRDMA1_DISCARD)
        return said < 0 ? ANSWER_DISCARD : (long)said;
    answer.prefix.credit = 1;
    ptrdiff_t size = rpcrdma_error_encode(error, sizeof error, &answer);
    return (ptrdiff_t)answer.error.code == -1 - said && size > 0 ? testee_error(error, (size_t)size)
                                                                 : ANSWER_UNSUPPORTED;
}
#else
#define judge2 NULL
#endif

int main(void)
{
    return testee_serve(judge, NULL, judge2);
}
