// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/transport/user/end.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is under way ---- */

static void settle(struct user_end *end, enum work_state state)
{
    if (end->work)
        end->work->state = state;
    end->work = NULL;
}

void end_fail(struct user_end *end, const char *why)
{
    if (!end->open)
        return;
    end->open = false;
    end->why = why;
    settle(end, WORK_FAILED);
}

void end_done(struct user_end *end)
{
    settle(end, WORK_DONE);
}

/* ---- memory ---- */

static struct exposed *by_handle(const struct user_end *end, uint32_t handle)
{
    struct exposed *memory = end->memory;
    while (memory && memory->handle != handle)
        memory = memory->next;
    return memory;
}

struct exposed *end_find(const struct user_end *end, uint32_t handle, uint64_t offset,
                         uint64_t length, unsigned access, enum fault *fault)
{
    struct exposed *memory = by_handle(end, handle);
    if (memory == NULL)
        *fault = FAULT_HANDLE;
    else if ((memory->access & access) == 0)
        *fault = FAULT_ACCESS;
    else if (offset < memory->offset || offset - memory->offset > memory->length ||
             length > memory->length - (offset - memory->offset))
        *fault = FAULT_BOUNDS;
    else
        *fault = FAULT_NONE;
    return *fault == FAULT_NONE ? memory : NULL;
}

void end_forget(struct user_end *end, struct exposed *memory)
{
    struct exposed **at = &end->memory;
    while (*at && *at != memory)
        at = &(*at)->next;
    if (*at)
        *at = memory->next;
    if (end->written == memory)
        end->written = NULL;
}

bool end_invalidate(struct user_end *end, uint32_t handle)
{
    struct exposed *memory = by_handle(end, handle);
    if (memory)
        end_forget(end, memory);
    return memory != NULL;
}

/* ---- what happened ---- */

static size_t weight(const struct happening *happening)
{
    return sizeof *happening + happening->length;
}

struct happening *happening_new(size_t room)
{
    return calloc(1, sizeof(struct happening) + room);
}

void end_tell(struct user_end *end, struct happening *happening)
{
    if (end->first == NULL)
        end->last = &end->first;
    happening->next = NULL;
    *end->last = happening;
    end->last = &happening->next;
    end->waiting += weight(happening);
}

struct happening *end_next(struct user_end *end)
{
    struct happening *happening = end->first;
    if (happening == NULL)
        return NULL;
    end->first = happening->next;
    end->waiting -= weight(happening);
    return happening;
}

void end_tell_access(struct user_end *end, bool is_write, uint32_t handle, uint64_t offset,
                     const uint8_t *octets, size_t length)
{
    struct happening *happening = end->observed ? happening_new(length) : NULL;
    if (happening == NULL)
        return;
    happening->is_write = is_write;
    happening->handle = handle;
    happening->offset = offset;
    happening->length = length;
    if (length > 0)
        memcpy(happening->octets, octets, length);
    end_tell(end, happening);
}

void end_free(struct user_end *end)
{
    struct happening *happening;
    while ((happening = end_next(end)))
        free(happening);
}
