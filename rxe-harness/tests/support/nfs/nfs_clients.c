// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/tests/support/nfs/nfs_server.h"

#include "rxe-harness/requester/reverse.h"

#include <string.h>

#define PUT(...)                                                                                   \
    (memcpy(words, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__})),      \
     sizeof((const uint32_t[]){__VA_ARGS__}) / 4)
#define DELEGATION 7 /* last word of its stateid4.other */

/* Sessions outlive connections: number 1, and number 2 beside it. */
static struct {
    bool exists;
    uint32_t last; /* of its slot */
} sessions[3];
int nfs_clients_states, nfs_clients_busy;

void nfs_clients_reset(void)
{
    memset(sessions, 0, sizeof sessions);
}

/* That of an id; 0, which no session has, for all others. */
static uint32_t number_of(const uint8_t id[16])
{
    return id[15] == 1 || id[15] == 2 ? id[15] : 0;
}

static bool recalls(enum nfs_fault fault)
{
    return fault >= RECALLS && fault <= KEEPS_QUIET;
}

static size_t create_session(struct nfs_clients *clients, enum nfs_fault fault,
                             const struct nfs_CREATE_SESSION4args *args, uint32_t *words)
{
    bool asked =
        (args->csa_flags & NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN) && fault != NO_BACK_CHANNEL;
    uint32_t id = sessions[1].exists && !sessions[2].exists ? 2 : 1;
    sessions[id].exists = true;
    sessions[id].last = 0;
    if (asked) {
        clients->has_back_channel = true;
        if (fault != NEVER_CALLS && fault != NEVER_SILENT && !recalls(fault))
            clients->calls = fault == CALLS_TWICE ? 2 : 1;
    }
    size_t count = PUT(NFS_NFS4_OK, 0, 0, 0, id, args->csa_sequence,
                       asked ? NFS_CREATE_SESSION4_FLAG_CONN_BACK_CHAN : 0);
    for (int channel = 0; channel < 2; channel++, words += 7)
        memcpy(words + 7, (const uint32_t[]){0, 4096, 65536, 4096, 40, 1, 0}, 28);
    return count + 14;
}

static size_t sequence(const struct nfs_clients *clients, enum nfs_fault fault,
                       const struct nfs_SEQUENCE4args *args, uint32_t *words)
{
    uint32_t id = number_of(args->sa_sessionid), *last = &sessions[id].last;
    if (!sessions[id].exists)
        return PUT(NFS_NFS4ERR_BADSESSION);
    bool again = args->sa_sequenceid == *last;
    bool down = clients->has_back_channel && clients->answered == 0;
    if (again ? fault == SLOT_FORGETS : args->sa_sequenceid != *last + 1)
        return PUT(NFS_NFS4ERR_SEQ_MISORDERED);
    *last = args->sa_sequenceid;
    return PUT(NFS_NFS4_OK, 0, 0, 0, id, args->sa_sequenceid, 0, 0, 0,
               down ? NFS_SEQ4_STATUS_CB_PATH_DOWN : 0);
}

/* A client that reads and asks gets the delegation, unless it is given already. */
static size_t open_file(struct nfs_clients *clients, enum nfs_fault fault,
                        const struct nfs_OPEN4args *args, uint32_t *words)
{
    if ((args->share_access & NFS_OPEN4_SHARE_ACCESS_WRITE) && clients->is_given) {
        clients->recalls = true;
        clients->calls = 1;
        return PUT(NFS_NFS4ERR_DELAY);
    }
    bool makes = args->openhow.opentype == NFS_OPEN4_CREATE;
    if (makes && fault == REFUSES_OPEN)
        return PUT(NFS_NFS4ERR_ATTRNOTSUPP);
    bool wanted = args->share_access & NFS_OPEN4_SHARE_ACCESS_WANT_READ_DELEG;
    bool gives = recalls(fault) && !clients->is_given && !(fault == RECALLS_OPENED && makes) &&
                 (wanted || (fault == RECALLS_UNASKED && makes));
    clients->is_given = clients->is_given || gives;
    nfs_clients_states += 1 + gives + makes;
    size_t count = PUT(NFS_NFS4_OK, 1, 0, 0, 1, 1, 0, 1, 0, 2, 0, 0,
                       gives ? NFS_OPEN_DELEGATE_READ : NFS_OPEN_DELEGATE_NONE);
    if (!gives)
        return count;
    words += count;
    return count + PUT(1, 0, 0, DELEGATION, 0, 0, 0, 0, 0);
}

size_t nfs_clients_execute(struct nfs_clients *clients, enum nfs_fault fault,
                           const struct nfs_argop4 *op, uint32_t words[NFS_CLIENTS_WORDS])
{
    switch ((int)op->argop) {
    case NFS_OP_EXCHANGE_ID: /* the client's id is 1; what comes after are empty names and lists */
        return PUT(NFS_NFS4_OK, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0);
    case NFS_OP_CREATE_SESSION:
        return create_session(clients, fault, &op->opcreate_session, words);
    case NFS_OP_SEQUENCE:
        return sequence(clients, fault, &op->opsequence, words);
    case NFS_OP_DESTROY_SESSION:
        if (fault == RECALL_BUSY && clients->recalls && clients->answered == 0) {
            nfs_clients_busy++;
            return PUT(NFS_NFS4ERR_BACK_CHAN_BUSY);
        }
        sessions[number_of(op->opdestroy_session.dsa_sessionid)].exists = false;
        return PUT(NFS_NFS4_OK);
    case NFS_OP_OPEN:
        return open_file(clients, fault, &op->opopen, words);
    case NFS_OP_CLOSE:
        nfs_clients_states--;
        return PUT(NFS_NFS4_OK, 0, 0, 0, 0);
    case NFS_OP_DELEGRETURN:
        clients->is_given = false;
        nfs_clients_states--;
        return PUT(op->opdelegreturn.deleg_stateid.other[11] == DELEGATION
                       ? NFS_NFS4_OK
                       : NFS_NFS4ERR_BAD_STATEID);
    case NFS_OP_REMOVE: /* of the file, if it is that */
        if (op->opremove.target.length < 13 ||
            memcmp(op->opremove.target.data, "rpcrdma-probe", 13) != 0)
            return 0;
        nfs_clients_states--;
        return PUT(NFS_NFS4_OK, 0, 0, 0, 0, 0);
    default:
        return 0;
    }
}

/* ---- Calls ---- */

static size_t put_recall(enum nfs_fault fault, uint8_t *octets)
{
    static const uint8_t session[16];
    const uint8_t other[12] = {[11] = DELEGATION + (fault == RECALLS_ANOTHER)};
    const struct nfs_cb_argop4 operations[] = {
        {.argop = NFS_OP_CB_SEQUENCE,
         .opcbsequence = {.csa_sessionid = session, .csa_sequenceid = 1}},
        {.argop = NFS_OP_CB_RECALL,
         .opcbrecall = {.stateid = {.seqid = 1, .other = other}, .fh = {.length = 0}}}};
    const struct nfs_CB_COMPOUND4args args = {.minorversion = 1,
                                              .argarray = {.items = operations, .count = 2}};
    ptrdiff_t length = nfs_CB_COMPOUND4args_encode(octets, 180, &args, NULL);
    return length < 0 ? 0 : (size_t)length;
}

size_t nfs_clients_call(const struct nfs_clients *clients, enum nfs_fault fault,
                        uint8_t octets[256])
{
    enum { XID = 0xca11 };
    const uint32_t
        xid = XID + clients->calls,
        words[] = {
            xid, 1, 8, 0, 0, 0, 0, xid, 0, 2, REVERSE_PROGRAM, REVERSE_VERSION, clients->recalls,
            0,   0, 0, 0};
    for (size_t i = 0; i < sizeof words / 4; i++)
        rpcrdma_xdr_store32(octets + 4 * i, words[i]);
    return sizeof words + (clients->recalls ? put_recall(fault, octets + sizeof words) : 0);
}

/* ---- their Calls ---- */

static bool fetch(struct link *link, const struct rpcrdma1_read_segment *read, uint8_t *octets,
                  size_t *at)
{
    uint32_t length = read->target.length;
    bool good =
        length <= NFS_CALL_MAX / 2 - *at &&
        link->ops->read(link, read->target.handle, read->target.offset, octets + *at, length);
    *at += length;
    return good;
}

bool nfs_call_collect(struct link *link, const struct rpcrdma1_chunk_lists *chunks,
                      const uint8_t *payload, size_t length, uint8_t *call, size_t *call_length)
{
    static uint8_t whole[NFS_CALL_MAX / 2];
    struct rpcrdma_xdr_iter iter = rpcrdma1_read_list_iter(&chunks->rdma_reads);
    struct rpcrdma1_read_segment read;
    size_t at = 0, taken = 0, all = 0;
    while (rpcrdma1_read_list_next(&iter, &read))
        if (read.position == 0 && !fetch(link, &read, whole, &all))
            return false;
    if (all > 0)
        payload = whole, length = all;
    iter = rpcrdma1_read_list_iter(&chunks->rdma_reads);
    while (rpcrdma1_read_list_next(&iter, &read)) {
        size_t before = read.position > at && at == taken ? read.position - at : 0;
        if (before > length - taken)
            return false;
        memcpy(call + at, payload + taken, before);
        at += before;
        taken += before;
        if (read.position > 0 && !fetch(link, &read, call, &at))
            return false;
    }
    while (at % 4 != 0)
        call[at++] = 0;
    memcpy(call + at, payload + taken, length - taken);
    *call_length = at + length - taken;
    return true;
}
