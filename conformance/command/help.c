// SPDX-License-Identifier: BSD-3-Clause
/* What `--help` prints. The manual page rpcrdma(1) says more. */
#include "conformance/command/command.h"

#define HELP_INPUT                                                                                 \
    "Input (FILE '-' is standard input; the format is told by the content):\n"                     \
    "  --format FORMAT    hex (one Send a line), raw (one Send a file), vectors\n"                 \
    "                     (JSON) or capture (pcap, pcapng with RoCEv2)\n"                          \
    "  --from SIDE        client or server: who sent hex and raw Sends (client)\n"                 \
    "  --port PORT        captures: port of the RPC-over-RDMA service (20049)\n"                   \
    "  --all-qp           captures: take every reliable connection for RPC-over-RDMA\n"            \
    "  --memory SIZE      captures: octets kept for reassembly, such as 64M or 1G\n"               \
    "\n"

#define HELP_OUTPUT                                                                                \
    "  --json             one JSON object a line\n"                                                \
    "  --color WHEN       auto (a terminal, and NO_COLOR is not set), always or never\n"           \
    "  -h, --help         this text\n"

const char help_check[] =
    "Usage: rpcrdma check [OPTION]... FILE...\n"
    "Judge every Send, RDMA Read and RDMA Write in the files, connection by\n"
    "connection, by the rules of RFC 8166.\n"
    "\n" HELP_INPUT "Findings (filters decide which are shown, counted and make the exit status):\n"
    "  --level LEVEL      must: only rules of that level; should: also those of level\n"
    "                     should and derived; advisory: all (the default)\n"
    "  --rule ID          only this rule; may be given several times\n"
    "  --connection NAME  only this connection, named as in the report\n"
    "  --known FILE       departures already known, one rule id a line, # before a\n"
    "                     reason: not shown and no violation; one that does not occur\n"
    "                     is an error, so that the list cannot go stale\n"
    "  --write-known FILE write such a list of what was found\n"
    "  --binding WHICH    auto: with the binding of the upper layer that the RPC\n"
    "                     header names, NFS (the default); none: without\n"
    "  --record FILE      write what was judged as vectors, for `rpcrdma vectors`\n"
    "\n"
    "Output:\n"
    "  --explain          print each Send that is at fault field by field\n" HELP_OUTPUT "\n"
    "Exit status: 0 nothing violated, 1 violations found, 2 wrong usage, 3 a file is\n"
    "unreadable or not what it claims to be, whatever was found before.\n";

const char help_decode[] =
    "Usage: rpcrdma decode [OPTION]... FILE...\n"
    "Print each Send: every field of the transport header and of the RPC header, with\n"
    "its offset and octets, as far as it decodes. Of NFS also its procedure and\n"
    "operations, and the item that each chunk holds.\n"
    "\n" HELP_INPUT "Output:\n" HELP_OUTPUT "\n"
    "Exit status: 0 every Send decodes, 1 one does not, 2 wrong usage, 3 a file is\n"
    "unreadable or not what it claims to be.\n";

const char help_rules[] =
    "Usage: rpcrdma rules [OPTION]... [ID | DOCUMENT | DOCUMENT/SECTION]...\n"
    "Print the register: what is required, of whom, and how it is tested.\n"
    "\n"
    "Selection (every filter has to be met):\n"
    "  --section SECTION  such as 3.4.5; 3.4 holds 3.4.5\n"
    "  --scope SCOPE      header, message, transaction, connection, transfer, binding\n"
    "                     or internal\n"
    "  --role ROLE        requester, responder, sender, receiver, implementation, ulb\n"
    "                     or spec\n"
    "  --level LEVEL      must, should, derived, advisory or none\n"
    "\n"
    "Output:\n" HELP_OUTPUT "\n"
    "Exit status: 0, or 2 for wrong usage, such as an id that is not registered.\n";

const char help_vectors[] =
    "Usage: rpcrdma vectors [OPTION]... FOLDER|FILE...\n"
    "Run test vectors (JSON; of a FOLDER every *.json below it) and report what does\n"
    "not come out as they say. Without --testee this command's own checker is tested.\n"
    "\n"
    "  --testee COMMAND   test somebody else's parser: COMMAND reads lines 'call HEX'\n"
    "                     (a Responder received this) and 'reply HEX' (a Requester\n"
    "                     did) and answers each with a line: 'accept N' (a transport\n"
    "                     header of N octets), 'error err-vers', 'error err-chunk',\n"
    "                     'discard' or 'unsupported'\n"
    "  --timeout SECONDS  for each answer (2)\n"
    "  --name NAME        of the testee, for reports (COMMAND)\n"
    "  --known FILE       departures already known, one rule or test a line, # before a\n"
    "                     reason: shown, but not failed; one that passes, or is not\n"
    "                     run, is an error\n"
    "  --write-known FILE write such a list of what failed\n"
    "  --lint             check the vectors themselves: their schema, ids, flags,\n"
    "                     rules, and that every rule has its vectors\n"
    "  --merge            the FILEs are results written by --json, of several peers:\n"
    "                     set them side by side (with --html)\n"
    "\n"
    "Reports (beside the text):\n"
    "  --tap              Test Anything Protocol, version 14, in place of the text\n"
    "  --junit FILE       JUnit XML\n"
    "  --json FILE        one JSON object a line\n"
    "  --html FILE        a page that stands alone\n"
    "  --color WHEN       auto (a terminal, and NO_COLOR is not set), always or never\n"
    "  -h, --help         this text\n"
    "\n"
    "Exit status: 0 all as required, 1 something failed, 2 wrong usage, 3 a file is\n"
    "unreadable or not what it claims to be, or cannot be written.\n";
