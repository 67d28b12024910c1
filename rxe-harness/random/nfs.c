// SPDX-License-Identifier: BSD-3-Clause
/*
 * Steps of a conversation as COMPOUNDs of NFS version 4, where the peer does not execute the test
 * program: READ, WRITE, or both in one, of the file that was named. Each of its octets follows from
 * its place in every WRITE. Where there is no version 4.0 they go in a session.
 */
#include "rxe-harness/random/random.h"

#include "rxe-harness/probe/exchange.h"
#include "rxe-harness/responder/responder.h"

#include "conformance/base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define FILE_LENGTH 65544u /* no step has more */

/* No word of them is the number of an operation. */
static uint8_t octet(size_t at)
{
    return (uint8_t)(0x80 | (at * 7 + at / 251));
}

static bool writes(const struct random_step *step)
{
    return step->procedure == TEST_STORE || step->procedure == TEST_ECHO;
}

static bool reads(const struct random_step *step)
{
    return step->procedure == TEST_FETCH || step->procedure == TEST_ECHO;
}

static void at_file(const struct probe *probe, struct nfs_compound *compound)
{
    nfs_begin(compound);
    nfs_lookup(compound, probe->options.nfs_file, strlen(probe->options.nfs_file));
}

static uint8_t *data_of(size_t length)
{
    uint8_t *data = alloc_zeroed(length + 1, 1);
    for (size_t i = 0; i < length; i++)
        data[i] = octet(i);
    return data;
}

bool random_nfs_begin(struct probe *probe)
{
    struct nfs_compound compound;
    struct probe_exchange exchange;
    char text[PROBE_TEXT];
    if (!probe->peer.has_nfs || probe->options.nfs_file == NULL || !probe_connect(probe))
        return false;
    uint8_t *data = data_of(FILE_LENGTH);
    at_file(probe, &compound);
    nfs_write(&compound, 0, data, FILE_LENGTH);
    const char *wrong = exchange_call(probe, &compound, (struct requester_call){.read_segments = 1},
                                      NFS_NFS4_OK, &exchange, text);
    bool good = wrong == NULL && exchange.results.written == FILE_LENGTH;
    exchange_end(probe, &exchange);
    exchange_leave(probe);
    probe_disconnect(probe);
    free(data);
    return good;
}

uint8_t *random_nfs_call(struct probe *probe, const struct random_step *step,
                         struct requester_call *call)
{
    struct nfs_compound compound;
    char text[PROBE_TEXT];
    uint8_t *data = data_of(step->size), *args = NULL;
    at_file(probe, &compound);
    if (writes(step))
        nfs_write(&compound, 0, data, step->size);
    if (reads(step))
        nfs_read(&compound, 0, step->size);
    call->item_length = 0;
    call->as_root = true;
    if (exchange_dress(probe, &compound, text) == NULL)
        args = nfs_encode(&compound, call);
    probe->run.current.slot_unsure = true; /* until it is answered */
    free(data);
    return args;
}

const char *random_nfs_compare(struct probe *probe, const struct random_step *step,
                               const struct requester_pending *pending,
                               const struct requester_reply *reply, char text[256])
{
    struct nfs_results results;
    if (!nfs_read_results(pending, reply, &results)) {
        snprintf(text, 256, "results that cannot be read: %.120s", results.wrong);
        return text;
    }
    probe->run.current.slot_unsure = results.status != NFS_NFS4_OK && results.count <= 1;
    if (results.status != NFS_NFS4_OK || !reads(step))
        return NULL; /* what NFS says no to is its affair */
    const struct nfs_item *item = &results.items[0];
    if (results.item_count != 1 || item->length > step->size)
        return "READ brings more than was asked for, or nothing";
    for (uint32_t i = 0; i < item->length; i++)
        if (item->octets[i] != octet(i)) {
            snprintf(text, 256, "READ brings other octets, from octet %u of %u on", i,
                     item->length);
            return text;
        }
    return NULL;
}
