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

void end_die(struct user_end *end)
{
    wire_died();
    end_fail(end, "our queue pair died in the midst of a message, as --wire has it");
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
    end_place(end);
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

/* ---- RDMA Writes ---- */

#define HELD_MAX (16u << 20) /* octets */

static void place(const struct exposed *memory, uint64_t offset, const uint8_t *octets,
                  size_t length)
{
    memcpy(memory->octets + (offset - memory->offset), octets, length);
}

static void tell_write(struct user_end *end, const struct exposed *memory, uint32_t handle,
                       uint64_t offset, size_t length)
{
    end_tell_access(end, true, handle, offset,
                    memory ? memory->octets + (offset - memory->offset) : NULL, length);
}

/* One of the parts that are held, by chance. */
static struct held_write *take_any(struct user_end *end, uint32_t parts)
{
    uint32_t skip = wire_below(&end->chance, parts);
    struct held_write **at = &end->held, *found;
    while ((*at)->is_whole || skip-- > 0)
        at = &(*at)->next;
    found = *at;
    *at = found->next;
    return found;
}

static void place_held(struct user_end *end)
{
    uint32_t parts = 0;
    for (struct held_write *at = end->held; at; at = at->next)
        parts += !at->is_whole;
    for (; parts > 0; parts--) {
        struct held_write *part = take_any(end, parts);
        place(part->memory, part->offset, part->octets, part->length);
        free(part);
    }
    for (struct held_write *next; end->held; end->held = next) {
        struct held_write *whole = end->held;
        next = whole->next;
        tell_write(end, whole->memory, whole->handle, whole->offset, whole->length);
        free(whole);
    }
    end->held_octets = 0;
}

void end_place(struct user_end *end)
{
    place_held(end);
    end->writes = WRITES_UNDECIDED;
}

/* False: it is not to be held, or there is no memory for that. */
static bool hold(struct user_end *end, const struct held_write *what, const uint8_t *octets)
{
    if (end->writes == WRITES_UNDECIDED)
        end->writes =
            wire_happens(&end->chance, WIRE_SHUFFLE) ? WRITES_IN_ANY_ORDER : WRITES_IN_ORDER;
    size_t room = octets ? what->length : 0;
    struct held_write *held =
        end->writes == WRITES_IN_ANY_ORDER ? malloc(sizeof *held + room) : NULL;
    if (held == NULL)
        return false;
    *held = *what;
    if (room > 0)
        memcpy(held->octets, octets, room);
    if (end->held == NULL)
        end->held_last = &end->held;
    *end->held_last = held;
    end->held_last = &held->next;
    end->held_octets += sizeof *held + room;
    if (end->held_octets > HELD_MAX)
        end_place(end);
    return true;
}

void end_write(struct user_end *end, struct exposed *memory, uint64_t offset, const uint8_t *octets,
               size_t length)
{
    const struct held_write what = {.memory = memory, .offset = offset, .length = length};
    if (!hold(end, &what, octets)) {
        place_held(end);
        place(memory, offset, octets, length);
    }
}

void end_written(struct user_end *end, struct exposed *memory, uint32_t handle, uint64_t offset,
                 size_t length)
{
    const struct held_write what = {
        .is_whole = true, .memory = memory, .handle = handle, .offset = offset, .length = length};
    if (!hold(end, &what, NULL)) {
        place_held(end);
        tell_write(end, memory, handle, offset, length);
    }
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
    for (struct held_write *next; end->held; end->held = next) {
        next = end->held->next;
        free(end->held);
    }
    while ((happening = end_next(end)))
        free(happening);
}
