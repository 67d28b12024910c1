// SPDX-License-Identifier: BSD-3-Clause
/*
 * Mutations of any object that has a table: elements of its arrays and lists are dropped, repeated
 * and exchanged, a field is broken, or the octets end at one.
 */
#include "fuzz/mutators/mutator.h"

#include "conformance/walk/walk.h"

#include <rpcrdma/xdr.h>

#include <string.h>

#define DEPTH 16

/* An element: all of its octets, the presence word before it among them. */
struct element {
    size_t begin, end;
    size_t count; /* where the count of its array stands, or 0: it is of a list */
};

struct search {
    struct chance *chance;
    uint32_t seen;
    unsigned depth;
    size_t count[DEPTH];  /* of the open arrays; 0 where it is a list or no array */
    bool array[DEPTH];    /* members are elements */
    size_t begin[DEPTH];  /* of the open elements */
    bool element[DEPTH];  /* the open bracket is one */
    bool opened;          /* an array or list just before: its count may come now */
    size_t last_presence; /* of the presence word just before, plus one, or 0 */
    struct element chosen, other;
};

/* Of all elements two are kept, each with the same chance. */
static void add_element(struct search *search, size_t begin, size_t end, size_t count)
{
    const struct element element = {begin, end, count};
    search->seen++;
    if (chance_below(search->chance, search->seen) == 0) {
        search->other = search->seen > 1 ? search->chosen : element;
        search->chosen = element;
    } else if (chance_below(search->chance, search->seen) == 0) {
        search->other = element;
    }
}

static void open_bracket(struct search *search, const struct walk_field *field)
{
    unsigned d = search->depth, around = d > 0 ? d - 1 : 0;
    search->element[d] = d > 0 && search->array[around];
    search->begin[d] = search->last_presence ? search->last_presence - 1 : field->offset;
    search->array[d] = field->array;
    search->count[d] = 0;
    search->depth++;
}

static bool visit(void *arg, const struct walk_field *field)
{
    struct search *search = arg;
    if (field->kind == WALK_BEGIN) {
        if (search->depth == DEPTH)
            return false;
        open_bracket(search, field);
    } else if (field->kind == WALK_END) {
        unsigned d = --search->depth;
        if (search->element[d])
            add_element(search, search->begin[d], field->offset, search->count[d - 1]);
    } else if (search->depth > 0 && search->array[search->depth - 1] && !field->is_presence &&
               field->kind != WALK_COUNT) {
        add_element(search, field->offset, field->offset + field->length,
                    search->count[search->depth - 1]);
    }
    if (search->opened && field->kind == WALK_COUNT)
        search->count[search->depth - 1] = field->offset;
    search->opened = field->kind == WALK_BEGIN && field->array;
    search->last_presence = field->is_presence ? field->offset + 1 : 0;
    return true;
}

/* The array says that it has one more, or one less. */
static void adjust(uint8_t *data, const struct element *element, uint32_t by)
{
    if (element->count)
        rpcrdma_xdr_store32(data + element->count, rpcrdma_xdr_load32(data + element->count) + by);
}

static size_t drop(uint8_t *data, size_t size, const struct element *element)
{
    adjust(data, element, UINT32_MAX);
    memmove(data + element->begin, data + element->end, size - element->end);
    return size - (element->end - element->begin);
}

static size_t repeat(uint8_t *data, size_t size, size_t max_size, const struct element *element)
{
    size_t length = element->end - element->begin;
    if (max_size - size < length)
        return size;
    adjust(data, element, 1);
    memmove(data + element->end, data + element->begin, size - element->begin);
    return size + length;
}

/* The contents of one over another of its size. */
static size_t exchange(uint8_t *data, size_t size, const struct element *a, const struct element *b)
{
    if (a->end - a->begin != b->end - b->begin)
        return size;
    for (size_t i = 0; i < a->end - a->begin; i++) {
        uint8_t octet = data[a->begin + i];
        data[a->begin + i] = data[b->begin + i];
        data[b->begin + i] = octet;
    }
    return size;
}

size_t mutate_fields(const struct xdr_type *type, uint8_t *data, size_t size, size_t max_size,
                     struct chance *chance)
{
    struct search search = {.chance = chance};
    if (chance_below(chance, 4) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    if (chance_below(chance, 3) == 0)
        return mutate_field(type, data, size, chance);
    rpcrdma_walk(type, data, size, visit, &search, NULL);
    if (search.seen == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    switch (chance_below(chance, 3)) {
    case 0:
        return drop(data, size, &search.chosen);
    case 1:
        return repeat(data, size, max_size, &search.chosen);
    default:
        return exchange(data, size, &search.chosen, &search.other);
    }
}
