// SPDX-License-Identifier: BSD-3-Clause
/* Memory for what a run of vectors keeps until its end; where there is none left the run ends. */
#ifndef CONFORMANCE_ALLOC_H
#define CONFORMANCE_ALLOC_H

#include <stddef.h>
#include <stdio.h>

/* None of these returns NULL: without memory they say so and exit with STATUS_UNREADABLE. */
void *alloc_zeroed(size_t count, size_t size);
void *alloc_octets(size_t length);                   /* at least one */
void *alloc_copy(const void *octets, size_t length); /* of at least one octet */
char *alloc_text(const char *text);

/* Room for one element more of an array that grows: returns it, perhaps moved. */
void *alloc_room(void *array, size_t count, size_t *room, size_t size);

/* Text built by printing to a stream. alloc_end() closes the stream and gives what was printed, for
 * free(). */
struct alloc_stream {
    FILE *out;
    char *text;
    size_t length;
};
void alloc_begin(struct alloc_stream *stream);
char *alloc_end(struct alloc_stream *stream);

#endif
