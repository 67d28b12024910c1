// SPDX-License-Identifier: BSD-3-Clause
#include "rxe-harness/trace/files.h"

#include "conformance/base/alloc.h"
#include "conformance/base/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *trace_file_name(const char *name, unsigned number)
{
    const char *last = strrchr(name, '/'), *dot = strrchr(last ? last : name, '.');
    size_t stem = dot && dot > name && dot[-1] != '/' ? (size_t)(dot - name) : strlen(name);
    struct alloc_stream made;
    alloc_begin(&made);
    fprintf(made.out, "%.*s-%u%s", (int)stem, name, number, name + stem);
    return alloc_end(&made);
}

static bool begin_next(struct trace_files *files)
{
    files->number++;
    free(files->current);
    files->current =
        files->size > 0 ? trace_file_name(files->name, files->number) : alloc_text(files->name);
    return output_begin(&files->output, files->current);
}

FILE *trace_files_begin(struct trace_files *files)
{
    if (files->name == NULL)
        return stdout;
    return begin_next(files) ? files->output.stream : NULL;
}

static bool is_full(const struct trace_files *files)
{
    struct stat status;
    return files->size > 0 && fflush(files->output.stream) == 0 &&
           fstat(fileno(files->output.stream), &status) == 0 && status.st_size >= 0 &&
           (uint64_t)status.st_size >= files->size;
}

/* Only what this run wrote is removed. */
static void remove_oldest(const struct trace_files *files)
{
    if (files->keep == 0 || files->number <= files->keep)
        return;
    char *oldest = trace_file_name(files->name, files->number - files->keep);
    if (unlink(oldest) != 0 && errno != ENOENT)
        file_error(oldest, strerror(errno));
    free(oldest);
}

bool trace_files_turn(struct trace_files *files, struct capture_file *capture)
{
    if (!is_full(files))
        return true;
    struct trace_files next = *files;
    next.current = NULL;
    if (!begin_next(&next)) {
        free(next.current);
        return false;
    }
    bool good = capture_continue(capture, next.output.stream);
    good = output_end(&files->output) && good;
    free(files->current);
    *files = next;
    remove_oldest(files);
    return good;
}

bool trace_files_end(struct trace_files *files, bool wanted)
{
    bool good = true;
    if (wanted && files->output.stream)
        good = output_end(&files->output);
    else
        output_drop(&files->output);
    free(files->current);
    files->current = NULL;
    return good;
}
