// SPDX-License-Identifier: BSD-3-Clause
/*
 * Example for the kit: what rpcgen makes of the specification's XDR, taken as a parser by itself,
 * after the two tests that any receiver has. rpcgen.known lists what it takes and should not.
 */
#include "kit.h"

#include "fuzz/targets/rpcgen.h"

static struct kit_answer parse(const uint8_t *octets, size_t length, bool is_reply)
{
    struct kit_answer answer = {is_reply ? KIT_DISCARD : KIT_ERR_CHUNK, 0};
    rdma_msg message;
    ptrdiff_t n = rpcgen_decode(&message, octets, length);
    bool foreign = length >= 8 && message.rdma_vers != 1;
    bool error = message.rdma_body.proc == RDMA_ERROR, done = message.rdma_body.proc == RDMA_DONE;
    rpcgen_free(&message);
    if (length < 28 && !(is_reply && error))
        return (struct kit_answer){KIT_DISCARD, 0};
    if (done || (error && (n < 0 || !is_reply)))
        return (struct kit_answer){KIT_DISCARD, 0};
    if (foreign && !error)
        answer.kind = is_reply ? KIT_DISCARD : KIT_ERR_VERS;
    else if (n >= 0)
        answer = (struct kit_answer){KIT_ACCEPT, (size_t)n};
    return answer;
}

struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply)
{
    if (!rpcgen_is_safe(octets, length))
        return (struct kit_answer){KIT_UNSUPPORTED, 0};
    return parse(octets, length, is_reply);
}
