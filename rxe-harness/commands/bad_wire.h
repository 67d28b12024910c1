// SPDX-License-Identifier: BSD-3-Clause
/* `--wire` of the live commands: what goes wrong on the wire, by chance and by a seed. */
#ifndef HARNESS_BAD_WIRE_H
#define HARNESS_BAD_WIRE_H

#include "conformance/options/command.h"
#include "rxe-harness/transport/user/wire_words.h"

struct bad_wire {
    const char *option; /* its argument, or NULL */
    char words[WIRE_TEXT];
};

#define OPTION_ROW_WIRE(type, member)                                                              \
    {                                                                                              \
        "wire", "FAULTS",                                                                          \
            "what goes wrong by chance, such as loss=1%,reorder=0.5%,seed=7; roce:// and "         \
            "iwarp:// only",                                                                       \
            SETS(TEXT, type, member),                                                              \
            .more =                                                                                \
                "FAULTS are words with commas between them. Of the packets that are sent a part "  \
                "is lost (loss=1%), comes twice (duplicate), after the next one (reorder) or "     \
                "with a wrong check sum (damage); each takes longer (delay=5ms). Of what comes, "  \
                "acknowledgements are withheld (no-ack), the response to an RDMA Read ends "       \
                "before its end (cut-read), a Send finds no Receive, up to three times (rnr). "    \
                "RDMA Writes before a Send, ours and the peer's, arrive in any order (shuffle). "  \
                "The connection dies in the midst of a message of ours (die), which is not the "   \
                "peer's fault. mtu=256 to 4096 is that of the path; over iWARP, the longest "      \
                "FPDU. The numbers are drawn from seed=NUMBER; without it, from one that the "     \
                "report names. By the same seed the same goes wrong again. Over iwarp:// "         \
                "shuffle, "                                                                        \
                "die, delay and mtu are possible: TCP repairs the rest."                           \
    }

/* Whether there is no such option, or it says what can be done by the addresses, which are up to
 * NULL; else after a complaint. Then it is done, from now on. `listens`: at the first of them. */
bool bad_wire_begin(struct bad_wire *wire, const char *command, const char *const *addresses,
                    bool listens);

/* What is said of it, or NULL. */
const char *bad_wire_words(const struct bad_wire *wire);

/* The same for the reports; and a peer's answer is waited for longer, unless --timeout was given.
 */
struct live;
void bad_wire_tell(const struct bad_wire *wire, struct live *live);

#endif
