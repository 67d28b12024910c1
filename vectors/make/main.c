// SPDX-License-Identifier: BSD-3-Clause
/* make_vectors FOLDER: write the vector files into the folder. */
#include "vectors/make/vectors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Each is defined in a file of its own. */
#define GROUPS(group)                                                                              \
    group(header_length) group(header_xdr) group(header_version) group(chunks_read)                \
        group(chunks_write) group(nomsg) group(message) group(section_4_7) group(errors)           \
            group(transaction) group(credits) group(thresholds) group(private_data)                \
                group(reverse_direction) group(transfer) group(call_and_answer)                    \
                    group(registrations) group(gss) group(two_faults) group(nfs3) group(nfs4)      \
                        group(nfs_lists) group(readings_decoding) group(readings_calls)            \
                            group(readings_replies) group(field_bugs_linux_server)                 \
                                group(field_bugs_others) group(field_bugs_linux_client)            \
                                    GROUPS_2(group)
#define GROUPS_2(group)                                                                            \
    group(v2_04_examples) group(v2_04_negotiation) group(v2_04_header) group(v2_04_errors)         \
        group(v2_04_properties) group(v2_04_credits) group(v2_07_examples) group(v2_07_prefix)     \
            group(v2_07_negotiation) group(v2_07_errors) group(v2_07_chunks)                       \
                group(v2_07_invalidation) group(v2_07_properties) group(v2_07_limits)              \
                    group(v2_07_continuation) group(v2_07_credits) group(v2_07_reverse)            \
                        group(v2_07_sends) group(v2_04_sends)
#define DECLARE(group) extern const struct vector_group group;
#define POINT_TO(group) &group,
GROUPS(DECLARE)
const struct vector_group *const vector_groups[] = {GROUPS(POINT_TO) NULL};

/* The folder of the file, if it is not there. */
static bool make_folder(const char *path)
{
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    return mkdir(folder, 0777) == 0 || errno == EEXIST;
}

static bool write_file(const char *folder, const struct vector_group *group)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, group->file) >= sizeof path)
        return false;
    FILE *out = make_folder(path) ? fopen(path, "w") : NULL;
    if (out == NULL) {
        perror(path);
        return false;
    }
    write_group(out, group);
    bool good = !ferror(out);
    if (fclose(out) != 0 || !good) {
        perror(path);
        return false;
    }
    return true;
}

static bool write_files(const char *folder, const struct vector_group *const *groups)
{
    for (size_t i = 0; groups[i]; i++)
        if (!write_file(folder, groups[i]))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_vectors FOLDER\n", stderr);
        return 2;
    }
    bool good = write_files(argv[1], vector_groups) && write_files(argv[1], translated_groups());
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
