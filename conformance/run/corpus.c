// SPDX-License-Identifier: BSD-3-Clause
/* Finding and reading vector files. */
#include "conformance/run/corpus.h"

#include "conformance/input/reader/json_input.h"
#include "conformance/input/source.h"
#include "conformance/input/vector_words.h"
#include "conformance/base/interrupt.h"
#include "conformance/base/alloc.h"
#include "conformance/run/vector_schema.h"
#include "conformance/base/count.h"
#include "conformance/base/status.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#define FOLDERS_MAX 10000
#ifndef RPCRDMA_DATA
#define RPCRDMA_DATA "../share/rpcrdma" /* from the folder of the command */
#endif
#define FAULTS_SHOWN 20 /* of one file */

/* ---- finding them ---- */

struct paths {
    char **list;
    size_t count, room;
};

static void add_path(struct paths *paths, char *path)
{
    paths->list = alloc_room(paths->list, paths->count, &paths->room, sizeof *paths->list);
    paths->list[paths->count++] = path;
}

static void free_paths(struct paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->list[i]);
    free(paths->list);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The archive of the vectors has their schema and an index of them beside them. */
static bool is_vector_name(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".json") == 0 &&
           strcmp(name, "vector.schema.json") != 0 && strcmp(name, "index.json") != 0;
}

static char *join(const char *folder, const char *name)
{
    struct alloc_stream path;
    alloc_begin(&path);
    size_t length = strlen(folder);
    fprintf(path.out, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/", name);
    return alloc_end(&path);
}

/* Links to folders are not followed, so that no way leads round in a circle. */
static bool scan_folder(const char *folder, struct paths *folders, struct paths *files)
{
    DIR *stream = opendir(folder);
    if (stream == NULL)
        return false;
    struct dirent *entry;
    while (errno = 0, (entry = readdir(stream)) != NULL) {
        struct stat status;
        if (entry->d_name[0] == '.')
            continue;
        char *path = join(folder, entry->d_name);
        bool found = lstat(path, &status) == 0;
        if (found && S_ISDIR(status.st_mode) && folders->count < FOLDERS_MAX)
            add_path(folders, path);
        else if (found && !S_ISDIR(status.st_mode) && is_vector_name(entry->d_name))
            add_path(files, path);
        else
            free(path);
    }
    int fault = errno;
    closedir(stream);
    errno = fault;
    return fault == 0;
}

/* ---- reading one ---- */

struct reading {
    struct corpus *corpus;
    struct vector_file *file;
    unsigned faults;
};

static void complain(void *arg, const char *where, const char *what)
{
    struct reading *reading = arg;
    char text[400];
    snprintf(text, sizeof text, "%s%s%s", where, where[0] != '\0' ? ": " : "", what);
    reading->corpus->faults++;
    if (reading->faults++ < FAULTS_SHOWN)
        unread_add(&reading->corpus->unread, reading->file->path, text);
}

static bool add_event(void *arg, const struct source_event *event)
{
    struct reading *reading = arg;
    struct vector_test *test = &reading->file->tests[event->connection_id];
    test->events = alloc_room(test->events, test->count, &test->room, sizeof *test->events);
    struct vector_event *added = &test->events[test->count++];
    *added = (struct vector_event){.event = event->event};
    if (event->event.data)
        added->event.data = added->octets = alloc_copy(event->event.data, event->event.length);
    json_t *json = json_array_get(json_object_get(test->json, "events"), (size_t)event->index);
    added->expect = json_object_get(json, "expect");
    test->config = *event->config;
    return true;
}

static void prepare_tests(struct vector_file *file)
{
    json_t *tests = json_object_get(file->root, "tests");
    const char *protocol = vector_text(file->root, "protocol");
    file->draft = strcmp(protocol, VECTOR_VERSION_2_04) == 0   ? RPCRDMA_PROTOCOL_2_04
                  : strcmp(protocol, VECTOR_VERSION_2_07) == 0 ? RPCRDMA_PROTOCOL_2_07
                                                               : RPCRDMA_PROTOCOL_AUTO;
    file->count = json_array_size(tests);
    file->tests = alloc_zeroed(file->count, sizeof *file->tests);
    for (size_t i = 0; i < file->count; i++) {
        json_t *json = json_array_get(tests, i);
        file->tests[i] = (struct vector_test){
            .id = vector_text(json, "id"), .comment = vector_text(json, "comment"), .json = json};
    }
}

/* Returns whether all of it is there and as the schema and the reader want it. */
static bool read_stream(struct reading *reading, FILE *stream, char *error, size_t error_size)
{
    struct vector_file *file = reading->file;
    struct stat status;
    if (fstat(fileno(stream), &status) != 0 || !S_ISREG(status.st_mode)) {
        snprintf(error, error_size, "is no regular file");
        return false;
    }
    size_t memory = JSON_INPUT_MEMORY - reading->corpus->taken, before = memory;
    file->root = json_input(stream, &memory, error, error_size);
    if (file->root == NULL)
        return false;
    reading->corpus->taken += before - memory;
    struct vector_schema schema = {.fault = complain, .arg = reading};
    if (vector_schema_check(&schema, file->root) > 0)
        return true;
    prepare_tests(file);
    rewind(stream);
    struct source_options options = {.format = SOURCE_VECTORS};
    struct source_sink sink = {.event = add_event, .arg = reading};
    struct source_counts counts = {0};
    struct source_reader reader = {stream, file->path, &options, &sink, &counts, error, error_size};
    if (!source_read_vectors(&reader))
        complain(reading, "", error);
    return true;
}

static void read_file(struct corpus *corpus, const char *path)
{
    corpus->files = alloc_room(corpus->files, corpus->count, &corpus->room, sizeof *corpus->files);
    struct vector_file *file = &corpus->files[corpus->count++];
    *file = (struct vector_file){.path = alloc_text(path)};
    struct reading reading = {.corpus = corpus, .file = file};
    char error[512] = "";
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        snprintf(error, sizeof error, UNOPENED "%s", strerror(errno));
    else if (read_stream(&reading, stream, error, sizeof error))
        error[0] = '\0';
    if (error[0] != '\0')
        corpus->status = unread_add(&corpus->unread, path, error);
    if (reading.faults > FAULTS_SHOWN)
        say("%s: and %u more", path, reading.faults - FAULTS_SHOWN);
    if (stream)
        fclose(stream);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int corpus_each(const char *operand, bool (*take)(void *arg, const char *path), void *arg)
{
    if (!is_folder(operand)) {
        take(arg, operand);
        return STATUS_GOOD;
    }
    struct paths folders = {0}, files = {0};
    int ended = STATUS_GOOD;
    add_path(&folders, alloc_text(operand));
    for (size_t i = 0; i < folders.count; i++)
        if (!scan_folder(folders.list[i], &folders, &files))
            ended = file_error(folders.list[i], strerror(errno));
    if (files.count > 0)
        qsort(files.list, files.count, sizeof *files.list, compare_paths);
    else if (ended == STATUS_GOOD)
        ended = file_error(operand, "holds no *.json");
    for (size_t i = 0; i < files.count && take(arg, files.list[i]); i++)
        continue;
    free_paths(&folders);
    free_paths(&files);
    return ended;
}

static bool read_next(void *arg, const char *path)
{
    read_file(arg, path);
    return !interrupted();
}

void corpus_add(struct corpus *corpus, const char *operand)
{
    corpus->folders |= is_folder(operand);
    int status = corpus_each(operand, read_next, corpus);
    if (status == STATUS_GOOD)
        return;
    corpus->status = status;
    unread_keep(&corpus->unread, operand, "holds no vectors, or cannot be read whole");
}

/* The file of this command; NULL where the system does not say it. */
static char *own_file(void)
{
    char *file = realpath("/proc/self/exe", NULL);
    const char *started = (const char *)getauxval(AT_EXECFN); /* /proc may not be mounted */
    return file || started == NULL ? file : realpath(started, NULL);
}

char *corpus_folder(void)
{
    static const char *const beside[] = {RPCRDMA_DATA "/vectors", "../vectors"};
    char *command = own_file(), *folder = NULL;
    char *slash = command ? strrchr(command, '/') : NULL;
    for (size_t i = 0; slash && folder == NULL && i < COUNT(beside); i++) {
        char path[PATH_MAX + sizeof RPCRDMA_DATA + 32];
        snprintf(path, sizeof path, "%.*s%s", (int)(slash + 1 - command), command, beside[i]);
        folder = realpath(path, NULL);
    }
    free(command);
    return folder;
}

void corpus_free_test(struct vector_test *test)
{
    for (size_t i = 0; i < test->count; i++)
        free(test->events[i].octets);
    free(test->events);
}

void corpus_free(struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++) {
        struct vector_file *file = &corpus->files[i];
        for (size_t j = 0; j < file->count; j++)
            corpus_free_test(&file->tests[j]);
        free(file->tests);
        free(file->path);
        json_decref(file->root);
    }
    free(corpus->files);
    *corpus = (struct corpus){0};
}

const char *vector_text(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}
