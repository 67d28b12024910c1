// SPDX-License-Identifier: BSD-3-Clause
/*
 * Where the fields lie that a probe in the kernel reads: by their names, out of the type
 * information (BTF) of the kernel that runs.
 */
#ifndef HARNESS_TRACE_LAYOUT_H
#define HARNESS_TRACE_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>

struct btf; /* of libbpf */

/* What a kprobe event reads at the entry of a function. */
struct layout_fetch {
    char text[128]; /* "+16(+32($arg1))", without a type */
    size_t size;    /* octets of the value: 1, 2, 4 or 8; a structure has more */
};

/*
 * Find what EXPRESSION is in FUNCTION: one of its parameters, or "return", which only a probe of
 * its return can read; and from there
 *
 *   ->MEMBER          of the structure it points to
 *   .MEMBER           of the structure that was named last
 *   [N]               the element of an array, or of what a pointer points to or a holder is one of
 *   ^STRUCT.MEMBER    the structure that holds the member it points to
 *
 * as in "wc->wr_cqe^svc_rdma_recv_ctxt.rc_cqe->rc_recv_buf". Members of unnamed structures and
 * unions count as members of what holds them. In the end it is a number, an enumerator, a pointer,
 * or a structure in memory. False after writing into `error` what is not there.
 */
bool layout_find(const struct btf *types, const char *function, const char *expression,
                 struct layout_fetch *fetch, char *error, size_t size);

#endif
