// SPDX-License-Identifier: BSD-3-Clause
/*
 * The cases of NFS by version 3 (RFC 1813), where the peer has no version 4: what a Call of version
 * 3 can hold of them. MOUNT has given the handle of a folder (around/around.h).
 */
#include "rxe-harness/probe/exchange.h"
#include "rxe-harness/probe/nfs_data.h"

#include "conformance/base/count.h"

#include <rpcrdma/rpcrdma.h>

#include <stdlib.h>
#include <string.h>

#define VERSION 3
#define FATTR 84     /* octets of fattr3 */
#define WCC 24       /* and of wcc_attr */
#define AROUND 1024u /* octets of arguments at most, without the data */
#define FILE_SYNC 2
#define EXIST 17 /* a status */

enum {
    GETATTR = 1,
    LOOKUP = 3,
    READLINK = 5,
    READ = 6,
    WRITE = 7,
    SYMLINK = 10,
    REMOVE = 12,
    READDIR = 16
};

/* ---- a Call ---- */

struct exchange3 {
    struct requester_call call; /* its args are ours */
    uint8_t *args;
    struct requester_pending pending;
    struct requester_reply reply;
    uint32_t status;
    const uint8_t *results; /* after the status: what is left of them */
    size_t left;
    bool failed; /* there was less than was looked for */
};

static void put(struct exchange3 *own, uint32_t word)
{
    rpcrdma_xdr_store32(own->args + own->call.args_length, word);
    own->call.args_length += 4;
}

static void put_opaque(struct exchange3 *own, const void *octets, size_t length)
{
    put(own, (uint32_t)length);
    if (length > 0)
        memcpy(own->args + own->call.args_length, octets, length);
    own->call.args_length += (length + 3) & ~(size_t)3;
}

/* What may be in a chunk. */
static void put_item(struct exchange3 *own, const void *octets, size_t length)
{
    own->call.item_at = own->call.args_length + 4;
    own->call.item_length = length;
    put_opaque(own, octets, length);
}

/* False: no memory for these octets beside a handle and a name. */
static bool begin(struct exchange3 *own, uint32_t procedure, struct requester_call shape,
                  const struct nfs3_handle_of *handle, size_t data)
{
    *own = (struct exchange3){.call = shape, .args = calloc(1, AROUND + data)};
    own->call.procedure = procedure;
    own->call.args = own->args;
    own->call.as_root = true;
    if (own->args)
        put_opaque(own, handle->octets, handle->length);
    return own->args != NULL;
}

static void end(struct probe *probe, struct exchange3 *own)
{
    requester_forget(probe->requester, &own->pending);
    free(own->args);
}

/* The peer does not let us, or not now. */
static bool is_refusal(uint32_t status)
{
    /* PERM, NOENT, ACCES, EXIST, NOTDIR, ISDIR, FBIG, NOSPC, ROFS, DQUOT, NOTSUPP, JUKEBOX */
    static const uint32_t refusals[] = {1, 2, 13, 17, 20, 21, 27, 28, 30, 69, 10004, 10008};
    for (size_t i = 0; i < COUNT(refusals); i++)
        if (refusals[i] == status)
            return true;
    return false;
}

static uint32_t word(struct exchange3 *own)
{
    own->failed = own->failed || own->left < 4;
    if (own->failed)
        return 0;
    uint32_t value = rpcrdma_xdr_load32(own->results);
    own->results += 4;
    own->left -= 4;
    return value;
}

static void skip(struct exchange3 *own, size_t octets)
{
    own->failed = own->failed || own->left < octets;
    own->results += own->failed ? 0 : octets;
    own->left -= own->failed ? 0 : octets;
}

/* pre_op_attr and post_op_attr */
static void skip_attributes(struct exchange3 *own, size_t octets)
{
    if (word(own) != 0)
        skip(own, octets);
}

/* An item that is in the Write chunk, or inline. */
static struct nfs_item take_item(struct exchange3 *own)
{
    struct nfs_item item = {.length = word(own), .in_chunk = own->reply.in_chunk};
    item.octets = item.in_chunk ? own->pending.item : own->results;
    if (item.in_chunk)
        own->failed = own->failed || item.length != own->reply.item_length;
    else
        skip(own, ((size_t)item.length + 3) & ~(size_t)3);
    return item;
}

/* Make it, as of NFS version 3. False: it does not fit. */
static bool make_call(struct probe *probe, struct exchange3 *own)
{
    probe->requester->program = NFS_PROGRAM;
    probe->requester->version = VERSION;
    if (!exchange_begin(probe, &own->call, &own->pending, &own->reply))
        return false;
    if (own->reply.outcome == 0)
        requester_finish(probe->requester, &own->pending, probe->options.timeout, &own->reply);
    return true;
}

/* The results, which begin with this status. NULL, or what is wrong. */
static const char *finish(struct probe *probe, struct exchange3 *own, uint32_t status,
                          char text[PROBE_TEXT])
{
    if (!make_call(probe, own))
        return EXCHANGE_UNSENT;
    const char *wrong = exchange_judge(probe, &own->pending, &own->reply, text);
    if (wrong)
        return wrong;
    own->results = own->reply.results;
    own->left = own->reply.results_length;
    own->status = word(own);
    if (own->failed)
        return "results without a status";
    probe->run.current.status = own->status;
    if (own->status == status)
        return NULL;
    probe->run.current.inapplicable = is_refusal(own->status);
    snprintf(text, PROBE_TEXT, "NFS status %u%s", own->status, exchange_meaning(own->status));
    return text;
}

static const char unreadable[] = "results that cannot be read";

/* All that came was looked at. */
static const char *close_results(const struct exchange3 *own)
{
    return own->failed || own->left > 0 ? unreadable : NULL;
}

static const struct requester_call all_inline;

/* ---- the folder and the file ---- */

static const char *look_up(struct probe *probe, const struct nfs3_handle_of *folder,
                           const char *name, size_t length, struct nfs3_handle_of *handle,
                           char text[PROBE_TEXT])
{
    struct exchange3 own;
    if (!begin(&own, LOOKUP, all_inline, folder, 0))
        return "not enough memory";
    put_opaque(&own, name, length);
    const char *wrong = finish(probe, &own, 0, text);
    uint32_t octets = wrong ? 0 : word(&own);
    if (wrong == NULL && (own.failed || octets > sizeof handle->octets || octets > own.left))
        wrong = unreadable;
    if (wrong == NULL) {
        handle->length = octets;
        memcpy(handle->octets, own.results, octets);
    }
    end(probe, &own);
    return wrong;
}

bool probe_nfs3_enter(struct probe *probe, const struct nfs3_handle_of *mounted, const char *path)
{
    struct probe_nfs3 *nfs3 = &probe->peer.nfs3;
    const char *wrong = NULL, *slash;
    char text[PROBE_TEXT];
    nfs3->folder = *mounted;
    while (wrong == NULL && path && (slash = strchr(path, '/')) != NULL) {
        if (slash > path)
            wrong =
                look_up(probe, &nfs3->folder, path, (size_t)(slash - path), &nfs3->folder, text);
        path = slash + 1;
    }
    if (wrong)
        nfs_data_file_missing(probe, wrong);
    struct exchange3 own;
    if (wrong == NULL && begin(&own, GETATTR, all_inline, &nfs3->folder, 0)) {
        wrong = finish(probe, &own, 0, text);
        end(probe, &own);
    }
    snprintf(nfs3->why, sizeof nfs3->why, "%s%.80s",
             wrong ? "no NFS version 4, and by version 3: " : "", wrong ? wrong : "");
    nfs3->usable = wrong == NULL;
    return nfs3->usable;
}

static const char *file_name(const struct probe *probe)
{
    const char *slash = strrchr(probe->options.nfs_file, '/');
    return slash ? slash + 1 : probe->options.nfs_file;
}

static const char *find_file(struct probe *probe, struct nfs3_handle_of *file,
                             char text[PROBE_TEXT])
{
    const char *name = file_name(probe);
    return look_up(probe, &probe->peer.nfs3.folder, name, strlen(name), file, text);
}

/* ---- READ and WRITE ---- */

static const char *write_part(struct probe *probe, const void *file,
                              const struct nfs_data_part *part, struct requester_call shape,
                              uint32_t *written, char text[PROBE_TEXT])
{
    struct exchange3 own;
    if (!begin(&own, WRITE, shape, file, part->length))
        return "not enough memory";
    put(&own, 0);
    put(&own, part->at);
    put(&own, part->length);
    put(&own, FILE_SYNC);
    put_item(&own, part->octets, part->length);
    const char *wrong = finish(probe, &own, 0, text);
    if (wrong == NULL) {
        skip_attributes(&own, WCC);
        skip_attributes(&own, FATTR);
        *written = word(&own);
        skip(&own, 12); /* committed, the verifier */
        wrong = close_results(&own);
    }
    end(probe, &own);
    return wrong;
}

static const char *write_data(struct probe *probe, const struct probe_case *test_case,
                              const struct requester_call *shape, char text[PROBE_TEXT])
{
    struct nfs3_handle_of file;
    const char *wrong = find_file(probe, &file, text);
    return wrong ? wrong
                 : nfs_data_write_all(probe, test_case, shape, test_case->size, write_part, &file,
                                      text);
}

/* READ of this many octets from the beginning. The item lives as long as the exchange, which is to
 * be ended where there is one. */
static const char *begin_read(struct probe *probe, const struct nfs3_handle_of *handle,
                              struct requester_call shape, size_t size, struct exchange3 *own)
{
    if (!begin(own, READ, shape, handle, 0))
        return "not enough memory";
    put(own, 0);
    put(own, 0); /* offset */
    put(own, (uint32_t)size);
    (void)probe;
    return NULL;
}

static const char *take_data(struct exchange3 *own, struct nfs_item *item)
{
    skip_attributes(own, FATTR);
    uint32_t count = word(own);
    bool eof = word(own) != 0;
    *item = take_item(own);
    item->eof = eof;
    return own->failed || own->left > 0 || count != item->length ? unreadable : NULL;
}

const char *probe_nfs3_read_first(struct probe *probe, char text[PROBE_TEXT])
{
    struct nfs3_handle_of file;
    struct exchange3 own;
    const char *wrong = find_file(probe, &file, text);
    if (wrong == NULL)
        wrong = begin_read(probe, &file, all_inline, 1, &own);
    if (wrong)
        return wrong;
    wrong = finish(probe, &own, 0, text);
    end(probe, &own);
    return wrong;
}

/* `may_fail`: there is no room for so much, so that ERR_CHUNK or NFS may say no. */
static const char *read_data(struct probe *probe, const struct probe_case *test_case,
                             struct requester_call shape, bool may_fail, char text[PROBE_TEXT])
{
    struct nfs3_handle_of file;
    struct exchange3 own;
    struct nfs_item item;
    const char *wrong = find_file(probe, &file, text);
    if (wrong == NULL)
        wrong = begin_read(probe, &file, shape, test_case->size, &own);
    if (wrong)
        return wrong;
    wrong = finish(probe, &own, 0, text);
    bool refused = own.reply.outcome == RPCRDMA_ERR_CHUNK ||
                   (own.reply.outcome == RPCRDMA_PROCESS && own.status != 0);
    if (wrong && may_fail && refused) {
        probe->run.current.inapplicable = false;
        wrong = NULL;
    } else if (wrong == NULL) {
        wrong = take_data(&own, &item);
        wrong = wrong ? wrong : nfs_data_compare(test_case, &item, 0, test_case->size, text);
    }
    end(probe, &own);
    return wrong;
}

const char *probe_nfs3_read(struct probe *probe, const struct probe_case *test_case,
                            char text[PROBE_TEXT])
{
    bool may_fail = test_case->hazard != NULL;
    const char *wrong = write_data(probe, test_case, NULL, text);
    return wrong ? wrong : read_data(probe, test_case, nfs_data_shape(test_case), may_fail, text);
}

const char *probe_nfs3_write(struct probe *probe, const struct probe_case *test_case,
                             char text[PROBE_TEXT])
{
    struct requester_call shape = nfs_data_shape(test_case);
    const char *wrong = write_data(probe, test_case, &shape, text);
    return wrong ? wrong
                 : read_data(probe, test_case, nfs_data_plain(test_case->size, false), false, text);
}

const char *probe_nfs3_read_folder(struct probe *probe, const struct probe_case *test_case,
                                   char text[PROBE_TEXT])
{
    struct exchange3 own;
    const char *wrong = begin_read(probe, &probe->peer.nfs3.folder, nfs_data_shape(test_case),
                                   test_case->size, &own);
    if (wrong)
        return wrong;
    wrong = finish(probe, &own, UINT32_MAX, text);
    if (own.reply.outcome == RPCRDMA_PROCESS && own.status != 0) {
        probe->run.current.inapplicable = false;
        wrong = NULL;
    }
    if (wrong == NULL && (own.reply.chunks != 1 || own.reply.chunk_lengths[0] != 0)) {
        snprintf(text, PROBE_TEXT, "%u Write chunks came back, the first of %zu octets",
                 own.reply.chunks, own.reply.chunk_lengths[0]);
        wrong = text;
    }
    end(probe, &own);
    return wrong;
}

/* ---- links ---- */

static const char *remove_link(struct probe *probe, const struct nfs_data_link *names,
                               char text[PROBE_TEXT])
{
    struct exchange3 own;
    if (!begin(&own, REMOVE, all_inline, &probe->peer.nfs3.folder, 0))
        return "not enough memory";
    put_opaque(&own, names->name, strlen(names->name));
    const char *wrong = finish(probe, &own, 0, text);
    end(probe, &own);
    return wrong;
}

struct link_call3 {
    const struct nfs_data_link *names;
    struct requester_call shape;
    bool may_exist; /* the link: a server need not remember that it has made it */
    struct nfs3_handle_of handle;
};

static const char *create_link(struct probe *probe, const void *arg, char text[PROBE_TEXT])
{
    const struct link_call3 *call = arg;
    const struct nfs_data_link *names = call->names;
    struct exchange3 own;
    if (!begin(&own, SYMLINK, call->shape, &probe->peer.nfs3.folder, 0))
        return "not enough memory";
    put_opaque(&own, names->name, strlen(names->name));
    for (unsigned i = 0; i < 6; i++)
        put(&own, 0); /* mode, owner, group, size and times are not set */
    put_item(&own, names->target, strlen(names->target));
    const char *wrong = finish(probe, &own, 0, text);
    if (wrong && call->may_exist && own.status == EXIST) {
        probe->run.current.inapplicable = false;
        wrong = NULL;
    }
    end(probe, &own);
    return wrong;
}

static const char *find_link(struct probe *probe, struct link_call3 *call, char text[PROBE_TEXT])
{
    const char *name = call->names->name;
    return look_up(probe, &probe->peer.nfs3.folder, name, strlen(name), &call->handle, text);
}

static const char *read_link(struct probe *probe, const void *arg, char text[PROBE_TEXT])
{
    const struct link_call3 *call = arg;
    const struct nfs_data_link *names = call->names;
    struct exchange3 own;
    size_t length = strlen(names->target);
    if (!begin(&own, READLINK, call->shape, &call->handle, 0))
        return "not enough memory";
    const char *wrong = finish(probe, &own, 0, text);
    if (wrong == NULL) {
        skip_attributes(&own, FATTR);
        struct nfs_item item = take_item(&own);
        wrong = close_results(&own);
        if (wrong == NULL &&
            (item.length != length || memcmp(item.octets, names->target, length) != 0)) {
            snprintf(text, PROBE_TEXT, "READLINK brings %u octets that are not the %zu of the link",
                     item.length, length);
            wrong = text;
        }
    }
    end(probe, &own);
    return wrong;
}

const char *probe_nfs3_link(struct probe *probe, const struct probe_case *test_case,
                            char text[PROBE_TEXT])
{
    struct nfs_data_link names;
    char ignored[PROBE_TEXT];
    bool creates = test_case->procedure == NFS_OP_CREATE;
    struct requester_call shape = nfs_data_shape(test_case);
    nfs_data_name_link(probe, test_case, &names);
    remove_link(probe, &names, ignored); /* one that was left over */
    probe->run.current.inapplicable = false;
    struct link_call3 create = {.names = &names, .shape = creates ? shape : all_inline},
                      read = {.names = &names, .shape = creates ? all_inline : shape};
    const char *wrong = create_link(probe, &create, text);
    if (wrong)
        return wrong;
    create.may_exist = true;
    if (test_case->again && creates)
        wrong =
            nfs_data_again(probe, NFS_DATA_HERE | NFS_DATA_ELSEWHERE, create_link, &create, text);
    if (wrong == NULL)
        wrong = find_link(probe, &read, text);
    if (wrong == NULL)
        wrong = read_link(probe, &read, text);
    if (wrong == NULL && test_case->again && !creates)
        wrong = nfs_data_again(probe, NFS_DATA_HERE, read_link, &read, text);
    if (wrong == NULL)
        return remove_link(probe, &names, text);
    bool inapplicable = probe->run.current.inapplicable;
    remove_link(probe, &names, ignored);
    probe->run.current.inapplicable = inapplicable;
    return wrong;
}

/* ---- what is not eligible ---- */

static void skip_entries(struct exchange3 *own)
{
    skip_attributes(own, FATTR);
    skip(own, 8); /* the verifier */
    while (word(own) == 1 && !own->failed) {
        skip(own, 8); /* the file's number */
        skip(own, ((size_t)word(own) + 3) & ~(size_t)3);
        skip(own, 8); /* the cookie */
    }
    skip(own, 4); /* whether it is the end */
}

static const char *list(struct probe *probe, const void *arg, char text[PROBE_TEXT])
{
    const struct probe_case *test_case = arg;
    struct exchange3 own;
    struct requester_call shape = nfs_data_shape(test_case);
    bool lists = test_case->procedure == NFS_OP_READDIR;
    shape.write_room = test_case->write_segments > 0 ? 4096 : 0;
    if (!begin(&own, lists ? READDIR : GETATTR, shape, &probe->peer.nfs3.folder, 0))
        return "not enough memory";
    for (unsigned i = 0; lists && i < 4; i++)
        put(&own, 0); /* cookie, verifier */
    if (lists)
        put(&own, (uint32_t)test_case->size);
    const char *wrong = finish(probe, &own, 0, text);
    if (wrong == NULL && own.reply.in_chunk) {
        snprintf(text, PROBE_TEXT, "%zu octets came in the Write chunk", own.reply.item_length);
        wrong = text;
    }
    if (wrong == NULL && lists)
        skip_entries(&own);
    else if (wrong == NULL)
        skip(&own, FATTR);
    wrong = wrong ? wrong : close_results(&own);
    end(probe, &own);
    return wrong;
}

const char *probe_nfs3_not_eligible(struct probe *probe, const struct probe_case *test_case,
                                    char text[PROBE_TEXT])
{
    const char *wrong = list(probe, test_case, text);
    return wrong || !test_case->again
               ? wrong
               : nfs_data_again(probe, NFS_DATA_HERE | NFS_DATA_ELSEWHERE, list, test_case, text);
}

const char *probe_nfs3_lookup(struct probe *probe, const struct probe_case *test_case,
                              char text[PROBE_TEXT])
{
    char name[256];
    struct exchange3 own;
    const struct requester_call shape = {.read_segments = test_case->read_segments};
    if (!begin(&own, LOOKUP, shape, &probe->peer.nfs3.folder, 0))
        return "not enough memory";
    memset(name, 'x', test_case->size);
    put_item(&own, name, test_case->size);
    snprintf(text, PROBE_TEXT, "%s", make_call(probe, &own) ? own.reply.text : EXCHANGE_UNSENT);
    end(probe, &own);
    return own.reply.outcome & (RPCRDMA_ERR_CHUNK | RPCRDMA_GARBAGE_ARGS) ? NULL : text;
}
