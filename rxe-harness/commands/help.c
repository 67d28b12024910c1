// SPDX-License-Identifier: BSD-3-Clause
/* What `--help` prints of the live commands. The manual page rpcrdma(1) says more. */
#include "rxe-harness/commands/commands.h"

#define HELP_LIVE                                                                                  \
    "  --timeout SECONDS  for what has to come: a connection, an answer (5; serve: 60)\n"          \
    "  --name NAME        of the peer, for reports (ADDRESS)\n"                                    \
    "  --known FILE       departures already known, one case or rule a line, # before a\n"         \
    "                     reason: shown, but not failed; one that passes, or is not\n"             \
    "                     run, is an error\n"                                                      \
    "  --write-known FILE write such a list of what failed\n"                                      \
    "\n"                                                                                           \
    "Reports (beside the text):\n"                                                                 \
    "  --tap              Test Anything Protocol, version 14, in place of the text\n"              \
    "  --junit FILE       JUnit XML\n"                                                             \
    "  --json FILE        one JSON object a line\n"                                                \
    "  --html FILE        a page that stands alone\n"                                              \
    "  --color WHEN       auto (a terminal, and NO_COLOR is not set), always or never\n"           \
    "  -h, --help         this text\n"                                                             \
    "\n"                                                                                           \
    "Exit status: 0 all as required, 1 something failed, 2 wrong usage, 3 a file is\n"             \
    "unreadable or cannot be written, 4 no peer could be reached.\n"

const char help_probe[] =
    "Usage: rpcrdma probe [OPTION]... [ADDRESS]\n"
    "Drive a live Responder, as a good Requester and as a hostile one: each case on a\n"
    "connection of its own, with a NULL before and after. ADDRESS is HOST or HOST:PORT\n"
    "(20049). Without one the reference Responder is tested, inside the process.\n"
    "\n"
    "  --list             only say which cases there are\n"
    "  --case ID          only this case\n"
    "  --vectors FOLDER   in place of the cases that are built in, send what the vectors in\n"
    "                     FOLDER (or a file) begin with; of recorded ones all that the\n"
    "                     client sent, and compare the answers with the recorded ones\n"
    "  --record FILE      write what was sent and received as vectors\n"
    "  --nfs-file PATH    a file of 64 KiB or more on an NFSv4.0 server, for cases of READ\n"
    "                     and WRITE: it is written, and a link created beside it\n"
    "  --hazardous[=CLASS,...]\n"
    "                     also the cases that may do worse than end a connection; the\n"
    "                     classes stand in --list\n"
    "  --program NUMBER   RPC program of NULL (100003, NFS; the test program without\n"
    "                     ADDRESS)\n"
    "  --version NUMBER   its version (4 of NFS, else 1)\n" HELP_LIVE;

const char help_serve[] =
    "Usage: rpcrdma serve [OPTION]... [ADDRESS]\n"
    "Wait on ADDRESS, HOST or HOST:PORT (20049), for a Requester, and test it: each\n"
    "connection that it opens is a case, in which something odd comes with the\n"
    "answers from the second one on; the first connection is served plainly. NULL of\n"
    "every program is answered, the test program, and as much of NFS version 3 as it\n"
    "takes to mount, list and read. With no ADDRESS the reference Requester is\n"
    "tested, inside the process.\n"
    "\n"
    "  --same             the Requester does the same on each connection: Calls that\n"
    "                     it makes on the first and not later are a departure\n"
    "  --hazardous        also the cases that may do worse than end a connection\n"
    "  --list             only say which cases there are\n"
    "  --case ID          only this case, after a connection that is served plainly\n" HELP_LIVE;

const char help_proxy[] =
    "Usage: rpcrdma proxy [OPTION]... LISTEN TARGET\n"
    "Wait on LISTEN for clients, connect to TARGET for each of them, relay what the two\n"
    "send each other, and hold it against the rules. Chunks are moved through memory of\n"
    "the proxy. Both are HOST or HOST:PORT (20049). It ends by SIGINT or SIGTERM, or\n"
    "where no client comes for 60 seconds (--timeout).\n"
    "\n"
    "  --connections N    end after so many connections\n"
    "  --record FILE      write what was sent as vectors\n"
    "  --capture FILE     write it as a capture (RoCEv2 in pcap; the addresses are made up)\n"
    "  --limit MIB        only so much of it (8)\n"
    "  --fault NAME:N     do this to the N-th message of a side\n"
    "  --faults           only say which faults there are\n"
    "\n"
    "Reports, known departures and the exit status are those of 'rpcrdma serve'.\n";
