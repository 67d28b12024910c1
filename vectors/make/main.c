// SPDX-License-Identifier: BSD-3-Clause
/* make_vectors FOLDER: write the vector files into the folder. */
#include "vectors/make/vectors.h"

#include <stdlib.h>

extern const struct vector_group header_length, header_xdr, header_version, chunks_read,
    chunks_write, nomsg, message, section_4_7, errors, transaction, credits, thresholds,
    private_data, reverse_direction, transfer, call_and_answer, gss, two_faults, nfs3, nfs4,
    nfs_lists, readings_decoding, readings_calls, readings_replies, field_bugs_linux_server,
    field_bugs_others, field_bugs_linux_client;

const struct vector_group *const vector_groups[] = {
    &header_length,
    &header_xdr,
    &header_version,
    &chunks_read,
    &chunks_write,
    &nomsg,
    &message,
    &section_4_7,
    &errors,
    &transaction,
    &credits,
    &thresholds,
    &private_data,
    &reverse_direction,
    &transfer,
    &call_and_answer,
    &gss,
    &two_faults,
    &nfs3,
    &nfs4,
    &nfs_lists,
    &readings_decoding,
    &readings_calls,
    &readings_replies,
    &field_bugs_linux_server,
    &field_bugs_others,
    &field_bugs_linux_client,
    NULL,
};

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
