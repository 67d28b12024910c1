// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/base/chosen.h"

#include "conformance/base/alloc.h"
#include "conformance/base/register.h"

#include <stdlib.h>
#include <string.h>

static void add(struct chosen *chosen, const char *text, size_t length)
{
    char *copy = alloc_zeroed(length + 1, 1);
    memcpy(copy, text, length);
    chosen->list = alloc_room(chosen->list, chosen->count, &chosen->room, sizeof *chosen->list);
    chosen->list[chosen->count++] = (struct chosen_name){.text = copy};
}

void chosen_add(struct chosen *chosen, const char *text)
{
    chosen->all = chosen->all || text == NULL;
    while (text) {
        size_t length = strcspn(text, ",");
        add(chosen, text, length);
        text = text[length] == ',' ? text + length + 1 : NULL;
    }
}

bool chosen_means(const char *name, const char *id)
{
    size_t length = strlen(name);
    if (length > 0 && name[length - 1] == '*')
        return strncmp(name, id, length - 1) == 0;
    return strcmp(name, id) == 0;
}

static bool has(struct chosen *chosen, const char *id,
                bool (*means)(const char *name, const char *id))
{
    bool found = chosen->all;
    for (size_t i = 0; id && i < chosen->count; i++)
        if (means(chosen->list[i].text, id))
            found = chosen->list[i].met = true;
    return found;
}

bool chosen_has(struct chosen *chosen, const char *id)
{
    return has(chosen, id, chosen_means);
}

static bool means_rule(const char *name, const char *rule)
{
    return chosen_means(name, rule) || (*name != '\0' && register_under(rule, name));
}

bool chosen_has_rule(struct chosen *chosen, const char *rule)
{
    return has(chosen, rule, means_rule);
}

bool chosen_names(const struct chosen *chosen, const char *id)
{
    for (size_t i = 0; i < chosen->count; i++)
        if (strcmp(chosen->list[i].text, id) == 0)
            return true;
    return false;
}

const char *chosen_missing(const struct chosen *chosen)
{
    for (size_t i = 0; i < chosen->count; i++)
        if (!chosen->list[i].met)
            return chosen->list[i].text;
    return NULL;
}

void chosen_free(struct chosen *chosen)
{
    for (size_t i = 0; i < chosen->count; i++)
        free(chosen->list[i].text);
    free(chosen->list);
    *chosen = (struct chosen){0};
}
