// SPDX-License-Identifier: BSD-3-Clause
/* Faults that the proxy can commit on somebody's behalf. */
#include "rxe-harness/proxy/proxy.h"

#include <rpcrdma/rpcrdma.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CUT_LENGTH 20

const struct proxy_fault proxy_faults[] = {
    {.name = "drop-call", .text = "does not reach the server", .action = FAULT_DROP},
    {.name = "drop-reply",
     .text = "does not reach the client",
     .action = FAULT_DROP,
     .from = RPCRDMA_SERVER},
    {.name = "twice-reply",
     .text = "reaches the client twice",
     .action = FAULT_TWICE,
     .from = RPCRDMA_SERVER},
    {.name = "cut-call", .text = "is cut to 20 octets", .action = FAULT_CUT},
    {.name = "cut-reply",
     .text = "is cut to 20 octets",
     .action = FAULT_CUT,
     .from = RPCRDMA_SERVER},
    {.name = "xid-reply",
     .text = "has an unused XID",
     .action = FAULT_WORD,
     .from = RPCRDMA_SERVER,
     .value = 0xfeed0002},
    {.name = "version-call",
     .text = "has version 99",
     .action = FAULT_WORD,
     .word = 1,
     .value = 99},
    {.name = "version-reply",
     .text = "has version 99",
     .action = FAULT_WORD,
     .from = RPCRDMA_SERVER,
     .word = 1,
     .value = 99},
    {.name = "grant-zero",
     .text = "grants no credits",
     .action = FAULT_WORD,
     .from = RPCRDMA_SERVER,
     .word = 2},
    {.name = "procedure-call",
     .text = "has procedure 9",
     .action = FAULT_WORD,
     .word = 3,
     .value = 9},
    {.name = "type-call",
     .text = "has procedure (version 2: header type) 99",
     .action = FAULT_WORD,
     .word = 3,
     .value = 99},
    {.name = "error-reply",
     .text = "becomes RDMA_ERROR with ERR_CHUNK (version 2: ERR_BAD_XDR)",
     .action = FAULT_ERROR,
     .from = RPCRDMA_SERVER},
    {.name = "close-call", .text = "ends both connections", .action = FAULT_CLOSE},
    {.name = "close-reply",
     .text = "ends both connections",
     .action = FAULT_CLOSE,
     .from = RPCRDMA_SERVER},
    {0},
};

bool proxy_fault_read(struct proxy_fault *fault, const char *text)
{
    const char *colon = strchr(text, ':');
    if (colon == NULL || colon[1] < '0' || colon[1] > '9')
        return false;
    size_t length = (size_t)(colon - text);
    char *end;
    errno = 0;
    unsigned long number = strtoul(colon + 1, &end, 10);
    if (*end != '\0' || errno != 0 || number == 0)
        return false;
    for (const struct proxy_fault *each = proxy_faults; each->name; each++) {
        if (strlen(each->name) == length && strncmp(each->name, text, length) == 0) {
            *fault = *each;
            fault->number = number;
            return true;
        }
    }
    return false;
}

size_t proxy_fault_apply(const struct proxy_fault *fault, uint8_t *octets, size_t length)
{
    switch (fault->action) {
    case FAULT_CUT:
        return length < CUT_LENGTH ? length : CUT_LENGTH;
    case FAULT_WORD:
        if (length >= 4 * (size_t)fault->word + 4)
            rpcrdma_xdr_store32(octets + 4 * (size_t)fault->word, fault->value);
        return length;
    case FAULT_ERROR:
        if (length < 12)
            return length;
        rpcrdma_xdr_store32(octets + 12, RPCRDMA1_ERROR);
        rpcrdma_xdr_store32(octets + 16, RPCRDMA1_ERR_CHUNK);
        return RPCRDMA1_ERR_CHUNK_LENGTH;
    default:
        return length;
    }
}
