// SPDX-License-Identifier: BSD-3-Clause
/* The connections of one file that are open: a hash table with chains. */
#include "conformance/run/connections.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 64

/* Ids count up from 0, so their low bits spread them evenly. */
static struct open_connection **bucket(const struct connections *connections, uint64_t id)
{
    return &connections->buckets[id & (connections->size - 1)];
}

static bool grow(struct connections *connections)
{
    struct connections larger = {.size = connections->size ? connections->size * 2 : FIRST_SIZE};
    larger.buckets = calloc(larger.size, sizeof(struct open_connection *));
    if (larger.buckets == NULL)
        return false;
    for (size_t i = 0; i < connections->size; i++)
        while (connections->buckets[i]) {
            struct open_connection *moved = connections->buckets[i];
            connections->buckets[i] = moved->next;
            struct open_connection **place = bucket(&larger, moved->id);
            moved->next = *place;
            *place = moved;
        }
    free(connections->buckets);
    connections->buckets = larger.buckets;
    connections->size = larger.size;
    return true;
}

/* The connection and its checker are one piece of memory. */
static struct open_connection *make(uint64_t id, const struct rpcrdma_check_config *config)
{
    struct aligned {
        struct open_connection connection;
        max_align_t check[];
    } * made;
    size_t size = rpcrdma_check_size(config);
    if (size == 0 || size > SIZE_MAX - sizeof *made)
        return NULL;
    made = malloc(sizeof *made + size);
    if (made == NULL)
        return NULL;
    made->connection = (struct open_connection){.id = id};
    made->connection.check = rpcrdma_check_init(made->check, size, config);
    if (made->connection.check == NULL) {
        free(made);
        return NULL;
    }
    return &made->connection;
}

struct open_connection *connections_get(struct connections *connections, uint64_t id,
                                        const struct rpcrdma_check_config *config)
{
    if (connections->last && connections->last->id == id)
        return connections->last;
    struct open_connection *found = connections->size ? *bucket(connections, id) : NULL;
    while (found && found->id != id)
        found = found->next;
    if (found == NULL) {
        if (connections->count >= connections->size && !grow(connections))
            return NULL;
        found = make(id, config);
        if (found == NULL)
            return NULL;
        struct open_connection **place = bucket(connections, id);
        found->next = *place;
        *place = found;
        connections->count++;
        connections->made++;
    }
    return connections->last = found;
}

static void drop(const struct connections *connections, struct open_connection *dropped)
{
    if (connections->ended)
        connections->ended(connections->arg, dropped);
    free(dropped->history);
    free(dropped->window);
    free(dropped);
}

void connections_drop(struct connections *connections, uint64_t id)
{
    struct open_connection **place = connections->size ? bucket(connections, id) : NULL;
    while (place && *place && (*place)->id != id)
        place = &(*place)->next;
    if (place == NULL || *place == NULL)
        return;
    struct open_connection *dropped = *place;
    *place = dropped->next;
    connections->count--;
    connections->last = NULL;
    drop(connections, dropped);
}

void connections_free(struct connections *connections)
{
    for (size_t i = 0; i < connections->size; i++)
        while (connections->buckets[i]) {
            struct open_connection *next = connections->buckets[i]->next;
            drop(connections, connections->buckets[i]);
            connections->buckets[i] = next;
        }
    free(connections->buckets);
    *connections = (struct connections){0};
}

bool connection_is_meant(const char *name, const char *wanted)
{
    if (wanted == NULL || strcmp(name, wanted) == 0)
        return true;
    /* Ids of vectors have neither. */
    if (strpbrk(wanted, ".:") == NULL)
        return false;
    size_t length = strlen(wanted);
    for (const char *at = strstr(name, wanted); at; at = strstr(at + 1, wanted))
        if ((at == name || at[-1] == '-') && strchr("-:", at[length]))
            return true;
    return false;
}
