// SPDX-License-Identifier: BSD-3-Clause
/* The log of a peer, or of its kernel, beside the cases: what it says of a crash while one runs is
 * a result. */
#ifndef HARNESS_PEER_LOG_H
#define HARNESS_PEER_LOG_H

#include "rxe-harness/report/live.h"

struct peer_log {
    const char *path; /* what --log names, or NULL: then all of these do nothing */
    int fd;
    bool marks; /* it takes lines: /dev/kmsg */
    struct live_case running;
    bool told;       /* a crash, in this case */
    char line[1024]; /* what came of a line that has not ended */
    size_t length;
};

/* A line with one of these tells of a crash; up to NULL (made of crash.words). */
extern const char *const peer_log_words[];

/* From its end on. False after a complaint: there is no such file. */
bool peer_log_begin(struct peer_log *log);
/* A case begins, or the last one has ended (NULL). What was added to the log since the last call is
 * read; the first line of it that tells of a crash becomes a result of the case before, whose words
 * have to be there yet. Where the log takes lines the name of the one that begins is written into
 * it. */
void peer_log_turn(struct peer_log *log, struct results *results, const struct live_case *begins);
void peer_log_end(struct peer_log *log);

/* The row of --log, with where its settings have the path. */
#define OPTION_ROW_LOG(type, member)                                                               \
    {                                                                                              \
        "log", "FILE",                                                                             \
            "a log of the peer, or /dev/kmsg of its machine: what it says of a crash "             \
            "is a result of the case that runs",                                                   \
            SETS(INPUT, type, member),                                                             \
            .more = "After each case, or each random conversation, the lines are read that were "  \
                    "added. The first that tells of a crash of a kernel, or of what a sanitizer "  \
                    "found, is a result of its own, whose ending is crashed; what a peer does "    \
                    "late may be put down to the case after. The name of each case is written "    \
                    "into /dev/kmsg before it begins (sysctl kernel.printk_devkmsg=on lets all "   \
                    "of them through)."                                                            \
    }

#endif
