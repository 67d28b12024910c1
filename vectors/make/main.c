// SPDX-License-Identifier: BSD-3-Clause
/* make_vectors FOLDER: write the vector files into the folder. */
#include "vectors/make/vectors.h"

#include <stdlib.h>

/* Each is defined in a file of its own. */
#define GROUPS(group)                                                                              \
    group(header_length) group(header_xdr) group(header_version) group(chunks_read)                \
        group(chunks_write) group(nomsg) group(message) group(section_4_7) group(errors)           \
            group(transaction) group(credits) group(thresholds) group(private_data)                \
                group(reverse_direction) group(transfer) group(call_and_answer) group(gss)         \
                    group(two_faults) group(nfs3) group(nfs4) group(nfs_lists)                     \
                        group(readings_decoding) group(readings_calls) group(readings_replies)     \
                            group(field_bugs_linux_server) group(field_bugs_others)                \
                                group(field_bugs_linux_client)
#define DECLARE(group) extern const struct vector_group group;
#define POINT_TO(group) &group,
GROUPS(DECLARE)
const struct vector_group *const vector_groups[] = {GROUPS(POINT_TO) NULL};

static bool write_file(const char *folder, const struct vector_group *group)
{
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, group->file) >= sizeof path)
        return false;
    FILE *out = fopen(path, "w");
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

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: make_vectors FOLDER\n", stderr);
        return 2;
    }
    for (size_t i = 0; vector_groups[i]; i++)
        if (!write_file(argv[1], vector_groups[i]))
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
