// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/iwarp/terminate.h"

#include "conformance/base/count.h"
#include "conformance/input/iwarp/ddp.h"

static const struct {
    uint16_t reason;
    const char *ours, *theirs;
} words[] = {
    {RDMAP_HANDLE, "local access violation", "remote access error: no such handle"},
    {RDMAP_BOUNDS, "local access violation", "remote access error: beyond the memory"},
    {RDMAP_ACCESS, "local access violation", "remote access error: not allowed"},
    {RDMAP_BAD_VERSION, "another version of RDMAP", "remote operation error: version of RDMAP"},
    {RDMAP_OPCODE, "the peer uses an operation that is not supported, or out of place",
     "remote operation error: unexpected operation"},
    {RDMAP_INVALIDATE, "the peer invalidates memory that is not registered",
     "remote access error: what cannot be invalidated"},
    {RDMAP_UNSPECIFIED, "a response to an RDMA Read has the wrong length",
     "remote operation error"},
    {DDP_HANDLE, "local access violation", "remote access error: no such handle"},
    {DDP_BOUNDS, "local access violation", "remote access error: beyond the memory"},
    {DDP_BAD_VERSION, "another version of DDP", "remote operation error: version of DDP"},
    {DDP_QUEUE, "a message to a queue that is not there", "remote invalid request error: queue"},
    {DDP_NO_BUFFER, "a message without a Receive, or more RDMA Reads at once than were agreed on",
     "the peer had no Receive"},
    {DDP_NUMBER, "a message number out of order", "remote invalid request error: message number"},
    {DDP_PLACE, "a part of a message out of place", "remote invalid request error: offset"},
    {DDP_TOO_LONG, "local length error", "remote invalid request error: too long"},
    {DDP_UNTAGGED_VERSION, "another version of DDP", "remote operation error: version of DDP"},
    {LLP_CHECK_SUM, "a check sum is wrong", "the peer found a wrong check sum"},
    {LLP_MARKER, "a marker is wrong", "the peer found a wrong marker"},
};

const char *reason_ours(enum reason reason)
{
    for (size_t i = 0; i < COUNT(words); i++)
        if (words[i].reason == reason)
            return words[i].ours;
    return "not enough memory";
}

const char *reason_theirs(uint16_t reason)
{
    for (size_t i = 0; i < COUNT(words); i++)
        if (words[i].reason == reason)
            return words[i].theirs;
    return "the peer ended the connection by a Terminate";
}

void terminate_put(struct fpdu_out *out, enum reason reason, const uint8_t *segment,
                   size_t recorded, size_t length)
{
    enum { SEGMENT_LENGTH = 0x80, DDP_HEADER = 0x40, RDMAP_HEADER = 0x20 };
    struct ddp_segment parsed;
    bool known = segment && ddp_parse(segment, recorded, length, &parsed);
    size_t header = known ? length - parsed.length : 0;
    if (known && parsed.opcode == OP_READ_REQUEST && parsed.recorded >= READ_REQUEST_SIZE)
        header += READ_REQUEST_SIZE;
    unsigned flags = !known ? 0 : SEGMENT_LENGTH | DDP_HEADER;
    if (header > UNTAGGED_SIZE)
        flags |= RDMAP_HEADER;
    fpdu_begin(out, UNTAGGED_SIZE + 4 + (known ? 2 + header : 0));
    fpdu_put_number(out, 1, DDP_LAST | DDP_VERSION);
    fpdu_put_number(out, 1, RDMAP_VERSION | OP_TERMINATE);
    fpdu_put_number(out, 4, 0);
    fpdu_put_number(out, 4, QUEUE_TERMINATE);
    fpdu_put_number(out, 4, 1);
    fpdu_put_number(out, 4, 0);
    fpdu_put_number(out, 2, reason);
    fpdu_put_number(out, 2, flags << 8);
    if (known) {
        fpdu_put_number(out, 2, length);
        fpdu_put(out, segment, header);
    }
    fpdu_end(out);
}
