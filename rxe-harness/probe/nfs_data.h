// SPDX-License-Identifier: BSD-3-Clause
/* What the cases of NFS write, read and compare, whatever the version; and those by version 3. */
#ifndef HARNESS_PROBE_NFS_DATA_H
#define HARNESS_PROBE_NFS_DATA_H

#include "rxe-harness/probe/probe.h"

#define NFS_SHORT 512 /* octets that are inline in every Send, with all that is around them */
#define NFS_FAR 8192u /* where the second READ of two begins */

/* This many octets of the file from its beginning on, to be freed; NULL: no memory. */
uint8_t *nfs_data_make(const struct probe_case *test_case, size_t size);

/* The chunks that the case wants. */
struct requester_call nfs_data_shape(const struct probe_case *test_case);
/* What brings the file there and back again in one segment, or inline if it is short. */
struct requester_call nfs_data_plain(size_t size, bool is_write);

/* What a READ of this many octets at `offset` brought: NULL, or what is wrong, which may be in
 * `text`. */
const char *nfs_data_compare(const struct probe_case *test_case, const struct nfs_item *item,
                             uint32_t offset, size_t size, char text[PROBE_TEXT]);

/* What the comment of a case ends with that more is asked of than every server takes. */
#define NFS_OR_REFUSED "; or ERR_CHUNK or GARBAGE_ARGS, if that is more than the server takes."

/* A Call that the file is named in ended so: if that is since it is not there peer.no_file says it.
 */
void nfs_data_file_missing(struct probe *probe, const char *wrong);

/* The operations of a COMPOUND that lead to the file. */
void nfs_data_at_file(const struct probe *probe, struct nfs_compound *compound);
/* Write this many octets of the file from its beginning: as many as the server takes by the chunks
 * of `shape`, the rest, or if that is NULL all, by plain WRITEs. */
const char *nfs_data_write(struct probe *probe, const struct probe_case *test_case,
                           const struct requester_call *shape, size_t size, char text[PROBE_TEXT]);
/* The same, by one that makes one WRITE. */
struct nfs_data_part {
    const uint8_t *octets;
    uint32_t at, length;
};
typedef const char *nfs_data_writer(struct probe *probe, const void *arg,
                                    const struct nfs_data_part *part, struct requester_call shape,
                                    uint32_t *written, char text[PROBE_TEXT]);
const char *nfs_data_write_all(struct probe *probe, const struct probe_case *test_case,
                               const struct requester_call *shape, size_t size,
                               nfs_data_writer *write, const void *arg, char text[PROBE_TEXT]);
/* Read them: by one READ, or the case's several in one COMPOUND. */
const char *nfs_data_read(struct probe *probe, const struct probe_case *test_case,
                          struct requester_call shape, char text[PROBE_TEXT]);

/* Write the case's octets or read them, with its chunks, and the other way round by others. */
probe_runner probe_nfs_read, probe_nfs_write;

/* Make the last Call once more, as one does that got no Reply: by its XID, in other memory, on this
 * connection, which version 4 forbids (RFC 7530 section 3.1.1), or on a new one, or first here and
 * then there. `make` makes one Call. NULL, or what is wrong. */
enum nfs_data_place { NFS_DATA_HERE = 1, NFS_DATA_ELSEWHERE = 2 };
typedef const char *nfs_data_maker(struct probe *probe, const void *arg, char text[PROBE_TEXT]);
const char *nfs_data_again(struct probe *probe, unsigned places, nfs_data_maker *make,
                           const void *arg, char text[PROBE_TEXT]);

/* The link beside the file that was named. */
struct nfs_data_link {
    size_t folder; /* octets of the path that lead to it */
    char name[256], target[256];
};
void nfs_data_name_link(const struct probe *probe, const struct probe_case *test_case,
                        struct nfs_data_link *names);

/* ---- in place of the test program (nfs_in_place.c) ---- */

/* The case to run where this one was wanted: itself, or `made` of NFS with the same chunks, where
 * the peer has no test program. `why`: why it cannot be, if it needs that nevertheless. */
const struct probe_case *probe_nfs_in_place(const struct probe *probe,
                                            const struct probe_case *test_case,
                                            struct probe_case *made, char why[PROBE_TEXT]);
/* Its comment, for when it runs: those of two cases stay. */
const char *probe_nfs_comment(struct probe *probe, const struct probe_case *test_case);

/* ---- by version 3, for peers without version 4 (nfs3.c) ---- */

/* Begin at the handle that MOUNT gave, on the connection at hand: go down the folders of `path`, up
 * to its last name; NULL: stay there. False: probe->peer.nfs3.why says why not. */
bool probe_nfs3_enter(struct probe *probe, const struct nfs3_handle_of *mounted, const char *path);
/* READ of one octet of the file: NULL, or what is wrong. */
const char *probe_nfs3_read_first(struct probe *probe, char text[PROBE_TEXT]);

probe_runner probe_nfs3_read, probe_nfs3_write, probe_nfs3_read_folder, probe_nfs3_link,
    probe_nfs3_not_eligible, probe_nfs3_lookup;

#endif
