// SPDX-License-Identifier: BSD-3-Clause
/* READ and WRITE of NFS version 3, whose data is in a chunk (RFC 1813, RFC 8267). */
#include "conformance/tests/support/version2/conversation.h"

enum { READ = 6, WRITE = 7, FAILED = 5 /* NFS3ERR_IO */, FILE_SYNC = 2, HANDLE_OCTETS = 32 };

uint32_t talk2_nfs_procedure(struct talk2 *talk, bool chunks)
{
    return !chunks || chance(&talk->dice, 70) ? 0 : chance(&talk->dice, 50) ? READ : WRITE;
}

void talk2_nfs_arguments(struct talk2 *talk, const struct talk2_side *side, struct talk2_call *call)
{
    uint8_t *octets = call->payload;
    uint32_t *length = &call->length;
    call->count = 1 + pick(&talk->dice, 9000);
    talk2_put(octets, length, HANDLE_OCTETS);
    for (int i = 0; i < HANDLE_OCTETS; i += 4)
        talk2_put(octets, length, (uint32_t)dice_roll(&talk->dice));
    talk2_put(octets, length, 0), talk2_put(octets, length, 4096); /* offset */
    talk2_put(octets, length, call->count);
    if (call->nfs == READ) {
        talk2_make_chunk(talk, side, &call->write[call->writes++], call->count, false);
        return;
    }
    talk2_put(octets, length, FILE_SYNC);
    talk2_put(octets, length, call->count);
    call->position[0] = *length;
    talk2_make_chunk(talk, side, &call->read[call->reads++], call->count, false);
}

static void put_words(struct talk2_call *call, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        talk2_put(call->answer, &call->answer_length, words[i]);
}

void talk2_nfs_results(struct talk2 *talk, struct talk2_call *call)
{
    bool failed = chance(&talk->dice, 10);
    uint32_t count = failed                    ? 0
                     : chance(&talk->dice, 50) ? call->count
                                               : pick(&talk->dice, call->count);
    uint32_t failure[] = {FAILED, 0, 0}; /* READ: no attributes; WRITE: neither before nor after */
    uint32_t read[] = {0, 0, count, count < call->count, count};
    uint32_t written[] = {0, 0, 0, call->count, FILE_SYNC, 1, 2};
    if (call->nfs == READ)
        talk2_fill(&call->write[0], count);
    if (failed)
        put_words(call, failure, call->nfs == READ ? 2 : 3);
    else if (call->nfs == READ)
        put_words(call, read, 5);
    else
        put_words(call, written, 7);
}
