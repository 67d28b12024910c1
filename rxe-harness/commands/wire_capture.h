// SPDX-License-Identifier: BSD-3-Clause
/* `--capture` of probe and serve: all that goes over the wire, both ways, in a file. */
#ifndef HARNESS_WIRE_CAPTURE_H
#define HARNESS_WIRE_CAPTURE_H

#include "conformance/base/output.h"
#include "conformance/options/command.h"

struct capture_file;

struct wire_capture {
    const char *name; /* of the option, or NULL */
    struct output output;
    struct capture_file *file;
    bool holds_packets;
};

#define OPTION_ROW_CAPTURE(type, member)                                                           \
    {                                                                                              \
        "capture", "FILE", "write all packets, both ways, as pcapng; roce:// and iwarp:// only",   \
            SETS(OUTPUT, type, member),                                                            \
            .more = "Packets of RoCEv2 are whole, but for check sums of IP, which are 0. Of "      \
                    "iWARP, the octets of TCP are as they were sent and received; segments and "   \
                    "their acknowledgements are made up. There is no limit of size."               \
    }

/* Whether there is no such option, or the address shows packets; else after a complaint. */
bool wire_capture_fits(const struct wire_capture *capture, const char *command,
                       const char *address);
/* False after a complaint. */
bool wire_capture_begin(struct wire_capture *capture);
/* After the transport was closed. The file takes its place unless nothing went over the wire; false
 * after a complaint. */
bool wire_capture_end(struct wire_capture *capture);

#endif
