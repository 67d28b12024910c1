// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/replay/nfs_ids.h"

#include "rxe-harness/requester/nfs4_calls.h"

#include <stdlib.h>
#include <string.h>

#define STATE_OTHER                                                                                \
    12 /* octets of a stateid4 that name the state; what is before counts its uses */
#define SESSION_OCTETS 16
#define SHORTEST 8 /* octets; of fewer the same can stand for something else */

/* ---- what is given ---- */

/* FNV-1a; not 0. */
static uint64_t hash_of(const struct rpcrdma_xdr_opaque *name)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (uint32_t i = 0; i < name->length; i++)
        hash = (hash ^ name->data[i]) * 0x100000001b3;
    return hash | 1;
}

void names_give(struct names_given *given, enum name_kind kind,
                const struct rpcrdma_xdr_opaque *entry, const uint8_t *octets, size_t length)
{
    if (given->count == given->room || length > NAME_OCTETS || length < SHORTEST)
        return;
    struct name_given *name = &given->list[given->count++];
    *name = (struct name_given){.result = given->results,
                                .kind = kind,
                                .entry = entry ? hash_of(entry) : 0,
                                .length = length};
    memcpy(name->octets, octets, length);
}

static void give(struct names_given *given, enum name_kind kind, const uint8_t *octets,
                 size_t length)
{
    names_give(given, kind, NULL, octets, length);
}

static void give_client(struct names_given *given, const struct nfs_EXCHANGE_ID4resok *result)
{
    uint8_t octets[12];
    rpcrdma_xdr_store64(octets, result->eir_clientid);
    rpcrdma_xdr_store32(octets + 8, result->eir_sequenceid);
    give(given, NAME_FIRST_SESSION, octets, 12); /* as CREATE_SESSION has the two */
    give(given, NAME_CLIENT, octets, 8);
}

static void give_old_client(struct names_given *given, const struct nfs_SETCLIENTID4resok *result)
{
    uint8_t octets[8];
    rpcrdma_xdr_store64(octets, result->clientid);
    give(given, NAME_CLIENT, octets, 8);
    give(given, NAME_VERIFIER, result->setclientid_confirm, NFS_NFS4_VERIFIER_SIZE);
}

static void give_open(struct names_given *given, const struct nfs_OPEN4resok *result)
{
    const struct nfs_open_delegation4 *delegation = &result->delegation;
    give(given, NAME_STATE, result->stateid.other, STATE_OTHER);
    if (delegation->delegation_type == NFS_OPEN_DELEGATE_READ)
        give(given, NAME_DELEGATION, delegation->read.stateid.other, STATE_OTHER);
    else if (delegation->delegation_type == NFS_OPEN_DELEGATE_WRITE)
        give(given, NAME_DELEGATION, delegation->write.stateid.other, STATE_OTHER);
}

/* Of results that are good. */
static void take_good(struct names_given *given, const struct nfs_resop4 *result)
{
    switch ((int)result->resop) {
    case NFS_OP_EXCHANGE_ID:
        give_client(given, &result->opexchange_id.eir_resok4);
        break;
    case NFS_OP_SETCLIENTID:
        give_old_client(given, &result->opsetclientid.resok4);
        break;
    case NFS_OP_CREATE_SESSION:
        give(given, NAME_SESSION, result->opcreate_session.csr_resok4.csr_sessionid,
             SESSION_OCTETS);
        break;
    case NFS_OP_GETFH:
        give(given, NAME_FILE, result->opgetfh.resok4.object.data,
             result->opgetfh.resok4.object.length);
        break;
    case NFS_OP_GETATTR:
        names_read_attributes(&result->opgetattr.resok4.obj_attributes, NULL, given);
        break;
    case NFS_OP_READDIR:
        names_read_directory(&result->opreaddir.resok4, given);
        break;
    case NFS_OP_OPEN:
        give_open(given, &result->opopen.resok4);
        break;
    case NFS_OP_LOCK:
        give(given, NAME_STATE, result->oplock.resok4.lock_stateid.other, STATE_OTHER);
        break;
    }
}

static uint32_t status_of(const struct nfs_resop4 *result)
{
    switch ((int)result->resop) {
    case NFS_OP_EXCHANGE_ID:
        return result->opexchange_id.eir_status;
    case NFS_OP_SETCLIENTID:
        return result->opsetclientid.status;
    case NFS_OP_CREATE_SESSION:
        return result->opcreate_session.csr_status;
    case NFS_OP_GETFH:
        return result->opgetfh.status;
    case NFS_OP_GETATTR:
        return result->opgetattr.status;
    case NFS_OP_READDIR:
        return result->opreaddir.status;
    case NFS_OP_OPEN:
        return result->opopen.status;
    case NFS_OP_LOCK:
        return result->oplock.status;
    default:
        return NFS_NFS4ERR_NOTSUPP; /* gives no name */
    }
}

static bool take(void *arg, const struct nfs_resop4 *result, bool is_out, unsigned number)
{
    struct names_given *given = arg;
    (void)is_out;
    (void)number;
    if (status_of(result) == NFS_NFS4_OK)
        take_good(given, result);
    given->results++;
    return true;
}

struct names_given *names_read(const struct requester_reply *reply, uint32_t version,
                               uint32_t procedure)
{
    struct names_given *given = calloc(1, sizeof *given + NAMES_GIVEN * sizeof given->list[0]);
    char wrong[128];
    if (given == NULL)
        return NULL;
    given->room = NAMES_GIVEN;
    if (version == 3)
        names_read3(reply, procedure, given);
    else if (version == NFS_VERSION && procedure == NFS_COMPOUND)
        nfs_each_result(reply, take, given, wrong);
    given->room = given->count;
    struct names_given *smaller =
        realloc(given, sizeof *given + given->count * sizeof given->list[0]);
    given = smaller ? smaller : given;
    if (given->count > 0)
        return given;
    free(given);
    return NULL;
}

/* ---- what they are now ---- */

static void learn(struct replay_names *names, const uint8_t *old, size_t length,
                  const uint8_t *fresh, size_t fresh_length)
{
    struct name *name = NULL;
    for (size_t i = 0; i < names->count && name == NULL; i++)
        if (names->list[i].old_length == length && memcmp(names->list[i].old, old, length) == 0)
            name = &names->list[i];
    if (name == NULL && names->count == NAMES_MAX)
        return;
    if (name == NULL && names->count == names->room) {
        size_t room = names->room > 0 ? 2 * names->room : 16;
        struct name *larger = realloc(names->list, room * sizeof *larger);
        if (larger == NULL)
            return;
        names->list = larger;
        names->room = room;
    }
    if (name == NULL)
        name = &names->list[names->count++];
    name->old_length = length;
    name->fresh_length = fresh_length;
    memcpy(name->old, old, length);
    memcpy(name->fresh, fresh, fresh_length);
}

/* What stands in the same place, or in a directory for a file that is called the same. */
static int find_given(const struct names_given *given, const struct name_given *old,
                      enum name_kind kind)
{
    for (unsigned i = 0; i < given->count; i++)
        if (given->list[i].result == old->result && given->list[i].kind == kind &&
            given->list[i].entry == old->entry)
            return (int)i;
    return -1;
}

void names_learn(struct replay_names *names, const struct names_given *old,
                 const struct names_given *fresh)
{
    if (old == NULL || fresh == NULL)
        return;
    for (unsigned i = 0; i < old->count; i++) {
        enum name_kind kind = old->list[i].kind;
        int place = find_given(fresh, &old->list[i], kind);
        /* Who has no delegation reads and writes by what it opened. */
        if (place < 0 && kind == NAME_DELEGATION)
            place = find_given(fresh, &old->list[i], NAME_STATE);
        if (place >= 0 && (old->list[i].length == fresh->list[place].length || kind == NAME_FILE))
            learn(names, old->list[i].octets, old->list[i].length, fresh->list[place].octets,
                  fresh->list[place].length);
    }
}

static size_t padded(size_t length)
{
    return (length + 3) & ~(size_t)3;
}

/* The longest that begins here. */
static const struct name *find(const struct replay_names *names, const uint8_t *octets,
                               size_t length)
{
    const struct name *found = NULL;
    for (size_t i = 0; i < names->count; i++) {
        const struct name *name = &names->list[i];
        if (padded(name->old_length) <= length &&
            memcmp(name->old, octets, name->old_length) == 0 &&
            (found == NULL || name->old_length > found->old_length))
            found = name;
    }
    return found;
}

/* Make place for a name of another length. Returns the new length of all; 0: that cannot be. */
static size_t resize(const struct name *name, uint8_t *octets, size_t at, size_t length,
                     size_t room, struct names_shifts *shifts)
{
    size_t before = padded(name->old_length), after = padded(name->fresh_length);
    if (shifts == NULL || shifts->count == NAMES_SHIFTS || at < 4 ||
        rpcrdma_xdr_load32(octets + at - 4) != name->old_length || length - before > room ||
        after > room - (length - before))
        return 0;
    memmove(octets + at + after, octets + at + before, length - at - before);
    memset(octets + at, 0, after);
    rpcrdma_xdr_store32(octets + at - 4, (uint32_t)name->fresh_length);
    size_t moved = 0; /* modulo 2^64, as `by` is added */
    for (unsigned i = 0; i < shifts->count; i++)
        moved += (size_t)shifts->list[i].by;
    shifts->list[shifts->count].at = at - moved;
    shifts->list[shifts->count++].by = (ptrdiff_t)after - (ptrdiff_t)before;
    return length - before + after;
}

size_t names_apply(const struct replay_names *names, uint8_t *octets, size_t length, size_t room,
                   struct names_shifts *shifts)
{
    size_t at = 0;
    while (at < length && length - at >= SHORTEST) {
        const struct name *name = find(names, octets + at, length - at);
        size_t changed = length;
        if (name && name->old_length != name->fresh_length)
            changed = resize(name, octets, at, length, room, shifts);
        if (name && changed > 0) {
            memcpy(octets + at, name->fresh, name->fresh_length);
            length = changed;
        }
        at += !name ? 4 : padded(changed > 0 ? name->fresh_length : name->old_length);
    }
    return length;
}

void names_free(struct replay_names *names)
{
    free(names->list);
    *names = (struct replay_names){.count = 0};
}
