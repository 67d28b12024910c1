// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/trace/probes.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define STRUCTURE_MAX 32 /* octets of one that are read: both kinds of IP address fit */
#define MODULES 4

static bool add(char line[PROBE_LINE], const char *format, ...)
{
    size_t length = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(line + length, PROBE_LINE - length, format, arguments);
    va_end(arguments);
    return more >= 0 && (size_t)more < PROBE_LINE - length;
}

/* The first of its functions that the kernel has; NULL if it has none. */
static const char *function_of(const struct trace_probe *probe, const struct btf *types)
{
    for (unsigned i = 0; probe->functions[i]; i++)
        if (btf__find_by_name_kind(types, probe->functions[i], BTF_KIND_FUNC) > 0)
            return probe->functions[i];
    return NULL;
}

/* Pieces that begin at or behind `snap` octets are left out; *count is what is read, besides which
 * entry it was. */
static bool add_field(const struct trace_field *field, const struct layout_fetch *fetch,
                      unsigned snap, char line[PROBE_LINE], unsigned *count)
{
    if (field->pieces == 0 || field->pieces == PROBE_WORD) {
        *count += strncmp(field->name, PROBE_ENTRY, strlen(PROBE_ENTRY)) != 0;
        if (field->pieces == PROBE_WORD)
            return add(line, " %s=+0(%s):x64", field->name, fetch->text);
        if (fetch->size > 8)
            return add(line, " %s=%s:x64[%zu]", field->name, fetch->text,
                       (fetch->size < STRUCTURE_MAX ? fetch->size : STRUCTURE_MAX) / 8);
        return add(line, " %s=%s:x%zu", field->name, fetch->text, 8 * fetch->size);
    }
    for (unsigned i = field->first; i < field->first + field->pieces; i++) {
        if (i * PROBE_PIECE >= snap)
            break;
        ++*count;
        if (!add(line, " %s%u=+%u(%s):x64[%u]", field->name, i, i * PROBE_PIECE, fetch->text,
                 PROBE_PIECE / 8))
            return false;
    }
    return true;
}

bool probe_line(const struct trace_probe *probe, const struct btf *types, const char *group,
                unsigned snap, char line[PROBE_LINE], char *error, size_t size)
{
    struct layout_fetch fetch;
    unsigned count = 0;
    const char *function = function_of(probe, types);
    if (function == NULL) {
        snprintf(error, size, "no function '%s' in '%s'", probe->functions[0], probe->module);
        return false;
    }
    *line = '\0';
    bool room = add(line, "%c:%s/%s %s:%s", probe->at_return ? 'r' : 'p', group, probe->name,
                    probe->module, function);
    for (const struct trace_field *each = probe->fields; each->name && room; each++) {
        if (!layout_find(types, function, each->expression, &fetch, error, size))
            return false;
        room = add_field(each, &fetch, probe->is_content ? snap : UINT32_MAX, line, &count);
    }
    if (!room)
        snprintf(error, size, "%s: too much to read", probe->name);
    if (count == 0)
        *line = '\0';
    return room;
}

/* ---- the kernel that runs ---- */

struct loaded {
    struct btf *kernel;
    struct {
        const char *name;
        struct btf *types;
    } modules[MODULES];
    unsigned count;
};

static const struct btf *types_of(struct loaded *loaded, const char *module, char *error,
                                  size_t size)
{
    char path[128];
    for (unsigned i = 0; i < loaded->count; i++)
        if (strcmp(loaded->modules[i].name, module) == 0)
            return loaded->modules[i].types;
    snprintf(path, sizeof path, "/sys/kernel/btf/%s", module);
    struct btf *types = loaded->count < MODULES ? btf__parse_split(path, loaded->kernel) : NULL;
    if (types == NULL) {
        if (errno == ENOENT)
            snprintf(error, size,
                     "the kernel's module '%s' is not loaded (or has no BTF): "
                     "modprobe %s",
                     module, module);
        else
            snprintf(error, size, "%s: %s", path, strerror(errno));
        return NULL;
    }
    loaded->modules[loaded->count].name = module;
    return loaded->modules[loaded->count++].types = types;
}

static int silent(enum libbpf_print_level level, const char *format, va_list arguments)
{
    (void)level, (void)format, (void)arguments;
    return 0;
}

static bool is_wished(const struct trace_probe *probe, const struct trace_wish *wish)
{
    return (probe->sides & wish->sides) && !(wish->sends_only && probe->of_operations) &&
           !(probe->of_registrations && !wish->registrations) &&
           !(probe->without_registrations && wish->registrations);
}

/* Whether the kernel has all that they need. */
static bool has_registrations(struct loaded *loaded, const struct trace_wish *wish, char *error,
                              size_t size)
{
    char line[PROBE_LINE];
    for (const struct trace_probe *probe = trace_probes; probe->name; probe++) {
        if (!probe->of_registrations || !is_wished(probe, wish))
            continue;
        const struct btf *types = types_of(loaded, probe->module, error, size);
        if (types == NULL || !probe_line(probe, types, "", wish->snap, line, error, size))
            return false;
    }
    return true;
}

static bool all_lines(struct loaded *loaded, const struct trace_wish *wish, const char *group,
                      bool (*set)(void *arg, const char *name, const char *line), void *arg,
                      char *error, size_t size)
{
    char line[PROBE_LINE];
    for (const struct trace_probe *probe = trace_probes; probe->name; probe++) {
        if (!is_wished(probe, wish))
            continue;
        const struct btf *types = types_of(loaded, probe->module, error, size);
        if (types == NULL || !probe_line(probe, types, group, wish->snap, line, error, size))
            return false;
        if (*line && !set(arg, probe->name, line))
            return false;
    }
    return true;
}

bool probe_lines(struct trace_wish *wish, const char *group,
                 bool (*set)(void *arg, const char *name, const char *line), void *arg, char *error,
                 size_t size)
{
    struct loaded loaded = {0};
    char missing[256] = "";
    libbpf_set_print(silent);
    loaded.kernel = btf__parse("/sys/kernel/btf/vmlinux", NULL);
    if (loaded.kernel == NULL) {
        snprintf(error, size, "the kernel has no type information (BTF) in /sys/kernel/btf: %s",
                 strerror(errno));
        return false;
    }
    wish->registrations = wish->registrations && !wish->sends_only &&
                          (wish->sides & TRACE_CLIENT) &&
                          has_registrations(&loaded, wish, missing, sizeof missing);
    bool good = all_lines(&loaded, wish, group, set, arg, error, size);
    if (good)
        snprintf(error, size, "%s", missing);
    while (loaded.count > 0)
        btf__free(loaded.modules[--loaded.count].types);
    btf__free(loaded.kernel);
    return good;
}
