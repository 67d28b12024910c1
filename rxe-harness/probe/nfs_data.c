// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/probe/nfs_data.h"

#include <stdio.h>
#include <string.h>

#define LINK_SUFFIX ".link"

uint8_t nfs_data_octet(const struct probe_case *test_case, size_t at)
{
    uint32_t seed = 0;
    for (const char *p = test_case->id; *p != '\0'; p++)
        seed = seed * 31 + (uint8_t)*p;
    return (uint8_t)(seed + at * 7 + (at >> 8) * 13);
}

struct requester_call nfs_data_shape(const struct probe_case *test_case)
{
    size_t room = test_case->room ? test_case->room : test_case->size;
    return (struct requester_call){.read_segments = test_case->read_segments,
                                   .long_segments = test_case->long_segments,
                                   .write_segments = test_case->write_segments,
                                   .write_room = room,
                                   .reply_segments = test_case->reply_segments,
                                   .one_handle = test_case->one_handle,
                                   .reply_room =
                                       (test_case->room ? test_case->room : (size_t)16384)};
}

enum {
    PLACE = 512
}; /* octets by which a place in the file is recognized: 256 can be the same elsewhere */

/* How many octets of the item, from `at` on, are those of the file at `offset`. */
static uint32_t run_of(const struct probe_case *test_case, const struct nfs_item *item, uint32_t at,
                       uint32_t offset)
{
    uint32_t count = 0;
    while (at + count < item->length &&
           item->octets[at + count] == nfs_data_octet(test_case, (size_t)offset + count))
        count++;
    return count;
}

/* What is there in place of the octets that are wrong from `at` on, if it is of another place. */
static void name_place(const struct probe_case *test_case, const struct nfs_item *item, uint32_t at,
                       char *text, size_t size)
{
    uint32_t longest = PLACE - 1, from = 0;
    for (uint32_t offset = 0; offset < NFS_FAR + item->length; offset += 4) {
        uint32_t count = run_of(test_case, item, at, offset);
        if (count > longest)
            longest = count, from = offset;
    }
    if (longest >= PLACE)
        snprintf(text, size, "; %u octets there are those of octet %u of the file", longest, from);
}

const char *nfs_data_compare(const struct probe_case *test_case, const struct nfs_item *item,
                             uint32_t offset, size_t size, char text[PROBE_TEXT])
{
    /* Less is right as well, where it is not the end. */
    if (item->length > size || item->length == 0 || (item->length < size && item->eof)) {
        snprintf(text, PROBE_TEXT, "READ of %zu octets brought %u", size, item->length);
        return text;
    }
    for (uint32_t i = 0; i < item->length; i++)
        if (item->octets[i] != nfs_data_octet(test_case, offset + i)) {
            int end =
                snprintf(text, PROBE_TEXT, "octet %u of %u that READ brought is %u, not %u", i,
                         item->length, item->octets[i], nfs_data_octet(test_case, offset + i));
            name_place(test_case, item, i, text + end, PROBE_TEXT - (size_t)end);
            return text;
        }
    return NULL;
}

struct requester_call nfs_data_plain(size_t size, bool is_write)
{
    unsigned segments = size > NFS_SHORT ? 1 : 0;
    return (struct requester_call){.read_segments = is_write ? segments : 0,
                                   .write_segments = is_write ? 0 : segments,
                                   .write_room = size};
}

static const char *make_by_xid(struct probe *probe, uint32_t xid, nfs_data_maker *make,
                               const void *arg, char text[PROBE_TEXT])
{
    uint32_t last = probe->requester->xid;
    probe->requester->xid = xid - 1;
    const char *wrong = make(probe, arg, text);
    probe->requester->xid = last;
    return wrong;
}

const char *nfs_data_again(struct probe *probe, unsigned places, nfs_data_maker *make,
                           const void *arg, char text[PROBE_TEXT])
{
    uint32_t xid = probe->requester->xid;
    const char *wrong = NULL;
    if (places & NFS_DATA_HERE)
        wrong = make_by_xid(probe, xid, make, arg, text);
    if (wrong || !(places & NFS_DATA_ELSEWHERE))
        return wrong;
    return probe_connect(probe) ? make_by_xid(probe, xid, make, arg, text)
                                : "no connection any more";
}

void nfs_data_name_link(const struct probe *probe, const struct probe_case *test_case,
                        struct nfs_data_link *names)
{
    const char *slash = strrchr(probe->options.nfs_file, '/');
    const char *base = slash ? slash + 1 : probe->options.nfs_file;
    names->folder = (size_t)(base - probe->options.nfs_file);
    snprintf(names->name, sizeof names->name, "%s" LINK_SUFFIX, base);
    for (size_t i = 0; i < test_case->size; i++)
        names->target[i] = (char)('a' + nfs_data_octet(test_case, i) % 26);
    names->target[test_case->size] = '\0';
}
