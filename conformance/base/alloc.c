// SPDX-License-Identifier: BSD-3-Clause
/* Memory, or the end. */
#include "conformance/base/alloc.h"

#include "conformance/base/output.h"
#include "conformance/base/status.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *need(void *memory)
{
    if (memory)
        return memory;
    fputs("rpcrdma: not enough memory\n", stderr);
    output_abandon();
    exit(STATUS_UNREADABLE);
}

void *alloc_zeroed(size_t count, size_t size)
{
    return need(calloc(count > 0 ? count : 1, size));
}

void *alloc_octets(size_t length)
{
    return need(malloc(length > 0 ? length : 1));
}

void *alloc_copy(const void *octets, size_t length)
{
    void *copy = alloc_octets(length);
    if (length > 0)
        memcpy(copy, octets, length);
    return copy;
}

char *alloc_text(const char *text)
{
    return alloc_copy(text, strlen(text) + 1);
}

/* Under AddressSanitizer what is used beyond the elements that were asked for is found. */
#if defined(__SANITIZE_ADDRESS__)
#define IS_POISONED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_POISONED 1
#endif
#endif
#ifdef IS_POISONED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

void *alloc_room(void *array, size_t count, size_t *room, size_t size)
{
    size_t more = *room > 0 ? *room * 2 : 16;
    if (count >= *room) {
        array = need(more <= SIZE_MAX / size ? realloc(array, more * size) : NULL);
        *room = more;
        ASAN_POISON_MEMORY_REGION((char *)array + count * size, (more - count) * size);
    }
    ASAN_UNPOISON_MEMORY_REGION((char *)array + count * size, size);
    return array;
}

void alloc_begin(struct alloc_stream *stream)
{
    *stream = (struct alloc_stream){0};
    stream->out = need(open_memstream(&stream->text, &stream->length));
}

char *alloc_end(struct alloc_stream *stream)
{
    int failed = ferror(stream->out);
    if (fclose(stream->out) != 0 || failed) {
        free(stream->text);
        stream->text = NULL;
    }
    return need(stream->text);
}
