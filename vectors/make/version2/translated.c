// SPDX-License-Identifier: BSD-3-Clause
/* Which vectors of version 1 are translated, and into which files. */
#include "vectors/make/version2/translate.h"

#include <stdlib.h>
#include <string.h>

#define GROUPS(group)                                                                              \
    group(header_xdr) group(chunks_read) group(chunks_write) group(nomsg) group(message)           \
        group(gss) group(transaction) group(transfer) group(registrations)                         \
            group(reverse_direction) group(call_and_answer) group(nfs3) group(nfs4)                \
                group(nfs_lists) group(readings_decoding) group(readings_calls)                    \
                    group(readings_replies)
#define DECLARE(group) extern const struct vector_group group;
GROUPS(DECLARE)

/* Rules are looked for in this order, so that each is shown where it belongs. */
static const struct {
    const char *file, *title;
    const struct vector_group *groups[9];
} files[] = {
    {"shared-chunks.json",
     "chunk lists, as in version 1",
     {&header_xdr, &chunks_read, &chunks_write, &nomsg, NULL}},
    {"shared-messages.json",
     "RPC messages and transactions, as in version 1",
     {&message, &gss, &transaction, &transfer, &reverse_direction, &call_and_answer, &registrations,
      NULL}},
    {"shared-nfs.json", "NFS, as in version 1", {&nfs3, &nfs4, &nfs_lists, NULL}},
    {"shared-readings.json",
     "what can be misread in version 1",
     {&readings_decoding, &readings_calls, &readings_replies, NULL}},
};

static const char *text_of(const char *before, const char *after)
{
    size_t size = strlen(before) + strlen(after) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s%s", before, after);
    return text;
}

const struct vector_group *const *translated_groups(void)
{
    static const char *const folders[DRAFTS] = {"v2-04/", "v2-07/"}, *const titles[DRAFTS] = {
                                                                         "Version 2, -04: ",
                                                                         "Version 2, -07: "};
    static const struct vector_group *groups[COUNT(files) * DRAFTS + 1];
    size_t count = 0;
    for (unsigned draft = 0; draft < DRAFTS; draft++)
        for (size_t i = 0; i < COUNT(files); i++) {
            const struct vector_group *group = translate_groups(
                files[i].groups, (enum draft)draft, text_of(folders[draft], files[i].file),
                text_of(titles[draft], files[i].title));
            if (group->count > 0)
                groups[count++] = group;
        }
    return groups;
}
