// SPDX-License-Identifier: BSD-3-Clause
/* A small server of NFS version 4.0 over loopback: one file, one link, and a fault. */
#ifndef HARNESS_TEST_NFS_SERVER_H
#define HARNESS_TEST_NFS_SERVER_H

#include "rxe-harness/transport/transport.h"

#include <compound.h>
#include <rpcrdma/rpcrdma.h>

enum nfs_fault {
    GOOD,
    READ_INLINE,      /* though there is a Write chunk for it */
    READ_WRONG,       /* one octet of the file is another */
    INLINE_WRONG,     /* the same where there is no chunk */
    READ_SHORT_CHUNK, /* says less than its count word */
    READ_SWAPPED,     /* two READs in each other's chunk */
    READ_PADDED,      /* padding is written, too */
    READ_TOO_MUCH,    /* octets after those asked for */
    READ_TELLS_EOF,   /* fewer octets, and that it were the end */
    FAILED_IN_CHUNK,  /* a failed READ has octets in its chunk */
    WRITE_WRONG,
    WRITE_COUNT,  /* says that it wrote more than it got */
    LINK_COUNTED, /* READLINK: the count word is in the chunk as well */
    LINK_WRONG,
    LIST_IN_CHUNK, /* READDIR's and GETATTR's results in the Write chunk */
    BAD_XDR,       /* NFS4ERR_BADXDR for everything with a Read chunk */
    NAME_BY_CHUNK, /* LOOKUP takes a name that should not be in a chunk */
    NO_ACCESS,
    NO_CREATE,     /* nothing can be created */
    SILENT_TWICE,  /* drops a Call with two Write chunks */
    SILENT_NAME,   /* drops a Call with a name in a chunk */
    CUT_OFF,       /* sends what fits, as if it were all */
    NO_WRITE_LIST, /* ERR_CHUNK for every Write list */
    /* of version 4.1 */
    NO_SESSIONS,
    NO_BACK_CHANNEL, /* on the connection of the session */
    NEVER_CALLS,     /* in the reverse direction */
    CALLS_TWICE,
    NEVER_SILENT,    /* sends Replies to no Call without end */
    ANSWER_LOST,     /* the Reply to its Call finds no Receive */
    ANSWER_DENIED,   /* the Reply does not reach it */
    SLOT_FORGETS,    /* a Call that comes again is out of order */
    SEQUENCE_LOST,   /* the results begin after that of SEQUENCE */
    READ_PAGE_TWICE, /* octets 8192 to 12287 are those of the page before */
    /* of any: the results of COMPOUND, at nfs_server_word */
    WORD_CHANGED, /* its lowest bit */
    WORDS_CUT,    /* they end before it */
    /* right as well: what has no room fails by NFS's status instead of ERR_CHUNK */
    REFUSED_BY_STATUS,
    READ_FITS, /* right as well: READ brings as much as there is room for */
    READ_FITS_WRONG,
    NO_CHUNKS_BACK,  /* the Reply has no Write list */
    TAKES_GSS,       /* right as well: SECINFO_NO_NAME says so */
    AGAIN_SILENT,    /* drops a COMPOUND of the XID that came last, be it on another connection */
    AGAIN_REFUSED,   /* answers it by ERR_CHUNK */
    AGAIN_VERBATIM,  /* the Send that answered it goes out again, with the lists of that time */
    CALLED_SILENT,   /* answers nothing while a Call of its own waits */
    IN_ALL_CHUNKS,   /* an item is in every Write chunk */
    EMPTY_SKIPPED,   /* an item goes into the next chunk that has segments */
    NOTHING_IN_NONE, /* a READ that brings nothing leaves its chunk to the next one */
    GARBAGE_TWICE,   /* right as well: GARBAGE_ARGS for two Write chunks */
    CALLS_EARLY,     /* right as well: before it answers CREATE_SESSION, and then no more */
    /* of version 4.1: a Call only where another client opens the file to write it */
    RECALLS,         /* right as well */
    RECALLS_UNASKED, /* right as well: it gives the delegation with the OPEN that makes the file */
    RECALLS_OPENED,  /* right as well: with that OPEN it gives none */
    REFUSES_OPEN,    /* right as well: it makes no file with a mode */
    RECALLS_FIRST,   /* right as well: before it answers that client */
    RECALLS_ANOTHER, /* recalls another delegation than it gave */
    RECALL_LOST,     /* the Reply to it finds no Receive */
    RECALL_BUSY,     /* right as well: the session does not go before that Reply */
    KEEPS_WAITING,   /* right as well: that client is not answered before the delegation is back */
    KEEPS_QUIET,     /* the same, and there is no Call; nothing says how long that may take */
    /* in cases that are in place of the test program's */
    WRITES_LESS,      /* right as well: at most 30000 octets of each WRITE */
    MANY_REFUSED,     /* right as well: ERR_CHUNK for more than 16 segments of a chunk */
    SIXTEEN_REFUSED,  /* and for 16 */
    LARGE_REFUSED,    /* right as well: ERR_CHUNK for a Call of more than 100000 octets */
    ITEM_OF_ZEROS,    /* an item in a Write chunk makes the Reply chunk's longer, by zeros */
    ITEM_UNWRITTEN,   /* and by what is not written at all */
    ITEM_TWICE,       /* an item in a Write chunk is in the Reply chunk as well */
    HEADER_FORGOTTEN, /* 1024 octets of a Reply are sent without the Reply chunk */
    GARBAGE_STATUS,   /* right as well: NFS4ERR_BADXDR for arguments that do not decode */
    GARBAGE_TAKEN,    /* executes them */
};

/* The fault is looked up for each connection. */
struct transport *nfs_server(enum nfs_fault *fault);

extern unsigned nfs_server_word;
extern unsigned nfs_server_versions; /* those that it has, by bits: 2, 3 and 4 unless changed */
extern uint32_t nfs_server_refusal;  /* of NO_ACCESS */
extern unsigned nfs_server_minor;    /* its lowest minor version of 4; 0 unless changed */
extern int nfs_server_clients;       /* that have not gone again */
extern size_t nfs_server_file_length;
extern bool nfs_server_has_link;

/* A Call, with what its Read chunks bring; a Position Zero chunk is the Payload stream
 * (nfs_clients.c). False: it cannot be read, or is too long. */
#define NFS_CALL_MAX (4u << 20)
bool nfs_call_collect(struct link *link, const struct rpcrdma1_chunk_lists *chunks,
                      const uint8_t *payload, size_t length, uint8_t *call, size_t *call_length);

/* What it knows of clients of version 4.1 (nfs_clients.c): two sessions of one slot, one
 * delegation.
 */
#define NFS_CLIENTS_WORDS 24 /* of a result */

/* Of one connection. */
struct nfs_clients {
    unsigned calls, answered; /* in the reverse direction: to be made; answered */
    bool has_back_channel, recalls, is_given;
};

/* Files that were made, opened files and delegations, of all connections. */
extern int nfs_clients_states;
/* Sessions that did not go, since their Call waited. */
extern int nfs_clients_busy;

/* There was no session yet. */
void nfs_clients_reset(void);
/* Execute an operation: words of its result, from the status on; returns how many, 0 for
 * other operations. */
size_t nfs_clients_execute(struct nfs_clients *clients, enum nfs_fault fault,
                           const struct nfs_argop4 *op, uint32_t words[NFS_CLIENTS_WORDS]);
/* A Call to the client: NULL, or the recall. Returns its octets. */
size_t nfs_clients_call(const struct nfs_clients *clients, enum nfs_fault fault,
                        uint8_t octets[256]);

#endif
