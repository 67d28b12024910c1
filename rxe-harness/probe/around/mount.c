// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/probe/around/around.h"

#include <rpcrdma/xdr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM 100005
#define VERSION 3
#define MNT 1
#define PATH_MAX_OCTETS 1024 /* MNTPATHLEN */

/* The port of MOUNT version 3, over TCP by the family of the peer's address; 0: unknown. */
static uint16_t find_port(struct probe *probe, const struct around *around)
{
    struct rpcbind rpcbind;
    const char *netid = around->peer.socket.ss_family == AF_INET6 ? "tcp6" : "tcp";
    char *why = probe->peer.nfs3.why;
    uint16_t port = 0;
    if (!rpcbind_ask(&rpcbind, &around->peer, around->rpcbind_port, probe->options.timeout)) {
        snprintf(why, sizeof probe->peer.nfs3.why, "no NFS version 4, and no rpcbind: %.50s",
                 rpcbind.text);
        return 0;
    }
    for (size_t i = 0; i < rpcbind.count && port == 0; i++) {
        const struct rpcbind_entry *entry = &rpcbind.list[i];
        if (entry->program == PROGRAM && entry->version == VERSION &&
            strcmp(entry->netid, netid) == 0)
            port = entry->port;
    }
    if (port == 0)
        snprintf(why, sizeof probe->peer.nfs3.why,
                 "no NFS version 4, and rpcbind knows no MOUNT over TCP");
    rpcbind_free(&rpcbind);
    return port;
}

/* fhandle3 of a path. */
static bool mount_path(struct probe *probe, const struct around *around, uint16_t port,
                       const char *path, size_t length, struct nfs3_handle_of *handle)
{
    uint8_t args[4 + PATH_MAX_OCTETS] = {0};
    struct plain_reply reply;
    rpcrdma_xdr_store32(args, (uint32_t)length);
    memcpy(args + 4, path, length);
    const struct plain_call call = {.peer = &around->peer,
                                    .port = port,
                                    .program = PROGRAM,
                                    .version = VERSION,
                                    .procedure = MNT,
                                    .args = args,
                                    .args_length = 4 + ((length + 3) & ~(size_t)3),
                                    .timeout = probe->options.timeout};
    plain_exchange(&call, &reply);
    bool good = reply.outcome == PLAIN_ANSWERED && reply.header.accepted &&
                reply.header.accept_stat == RPCRDMA_RPC_SUCCESS;
    uint32_t status = good && reply.results_length >= 4 ? rpcrdma_xdr_load32(reply.results) : 0;
    uint32_t octets = good && status == 0 && reply.results_length >= 8
                          ? rpcrdma_xdr_load32(reply.results + 4)
                          : UINT32_MAX;
    char *why = probe->peer.nfs3.why;
    if (octets <= sizeof handle->octets && octets <= reply.results_length - 8) {
        handle->length = octets;
        memcpy(handle->octets, reply.results + 8, octets);
        why[0] = '\0';
    } else if (status != 0) {
        snprintf(why, sizeof probe->peer.nfs3.why,
                 "no NFS version 4, and MOUNT of %.30s: status %u", path, status);
    } else {
        snprintf(why, sizeof probe->peer.nfs3.why, "no NFS version 4, and MOUNT: %.60s",
                 good ? "a handle that cannot be read" : reply.text);
    }
    free(reply.octets);
    return why[0] == '\0';
}

bool mount_enter(struct probe *probe, const struct around *around, uint16_t port)
{
    char path[PATH_MAX_OCTETS];
    struct nfs3_handle_of handle;
    const char *file = probe->options.nfs_file ? probe->options.nfs_file : "";
    file += strspn(file, "/");
    port = port > 0 ? port : find_port(probe, around);
    if (port == 0 || strlen(file) + 2 > sizeof path)
        return false;
    snprintf(path, sizeof path, "/%s", file);
    /* From the longest on: a server may give any folder, or none but what it exports. */
    for (char *slash; (slash = strrchr(path, '/')) != NULL;) {
        const char *rest = file + (slash - path);
        slash[slash == path] = '\0'; /* the root keeps its slash */
        if (mount_path(probe, around, port, path, strlen(path), &handle))
            return probe_nfs3_enter(probe, &handle, rest);
        *slash = '\0';
    }
    return false;
}
