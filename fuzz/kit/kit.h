// SPDX-License-Identifier: BSD-3-Clause
/*
 * The fuzz kit: implement kit_parse() around your parser, link it with the kit, and libFuzzer
 * reports every Send on which it and the strict checker disagree. fuzz/README.md says how.
 */
#ifndef FUZZ_KIT_KIT_H
#define FUZZ_KIT_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum kit_kind {
    KIT_ACCEPT,      /* the header is good: go on with what follows it; or take the RDMA_ERROR */
    KIT_ERR_VERS,    /* answer RDMA_ERROR with ERR_VERS */
    KIT_ERR_CHUNK,   /* answer RDMA_ERROR with ERR_CHUNK */
    KIT_DISCARD,     /* drop it silently */
    KIT_UNSUPPORTED, /* not for this parser: nothing is judged */
    KIT_REFUSE,      /* not accepted; the parser does not say how its caller reacts */
    KIT_LIMIT,       /* valid, but more than this implementation handles: counted, not a fault */
    KIT_CLOSE,       /* end the connection */
    KIT_FAIL,        /* end the RPC with an error; so does an RDMA_ERROR to a Requester */
    KIT_ERROR = 1000 /* version 2: KIT_ERROR + code, answer the error of that code */
};

/* KIT_ACCEPT by a parser that does not know where the header ends. */
#define KIT_NO_LENGTH ((size_t)-1)

struct kit_answer {
    enum kit_kind kind;
    size_t length; /* KIT_ACCEPT: octets of the transport header, or KIT_NO_LENGTH */
};

/*
 * What your parser does with one Send. is_reply false: it is the Responder that received it; true:
 * it is the Requester, and waits for an answer with this XID. `octets` is not NULL, ends exactly at
 * `length` (which may be 0) and has no particular alignment.
 */
struct kit_answer kit_parse(const uint8_t *octets, size_t length, bool is_reply);

enum kit_draft {
    KIT_DRAFT_04, /* draft-cel-nfsv4-rpcrdma-version-two-04 */
    KIT_DRAFT_07, /* draft-ietf-nfsv4-rpcrdma-version-two-07 */
};

/*
 * Version 2: define this, too, if your parser speaks it. It is given what says version 2, as a
 * message of each draft; answer KIT_UNSUPPORTED to the one that you do not
 * speak.
 */
__attribute__((weak)) struct kit_answer kit_parse2(const uint8_t *octets, size_t length,
                                                   enum kit_draft draft, bool is_reply);

/*
 * Define this, too, if something has to be there before the first Send. It is called once in a run
 * that counts disagreements, by a process that asks nothing. Returns false, after a message, where
 * nothing can be fuzzed.
 */
__attribute__((weak)) bool kit_begin(void);

#ifdef __cplusplus
}
#endif
#endif
