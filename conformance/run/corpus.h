// SPDX-License-Identifier: BSD-3-Clause
/*
 * Vector files with what they expect, all of them in memory: the events as our reader
 * gives them, the expectations as JSON.
 */
#ifndef CONFORMANCE_CORPUS_H
#define CONFORMANCE_CORPUS_H

#include "conformance/base/status.h"

#include <rpcrdma/check.h>

#include <jansson.h>
#include <stdbool.h>

struct vector_event {
    struct rpcrdma_event event;
    uint8_t *octets; /* those of the event, or NULL */
    json_t *expect;  /* or NULL */
};

struct vector_test {
    const char *id, *comment;
    json_t *json;
    struct rpcrdma_check_config config;
    struct vector_event *events;
    size_t count, room;
};

struct vector_file {
    char *path;
    json_t *root;                /* NULL where it could not be read */
    enum rpcrdma_protocol draft; /* AUTO: of version 1 */
    struct vector_test *tests;
    size_t count;
};

struct corpus {
    struct vector_file *files;
    size_t count, room;
    bool folders;    /* one of the operands was a folder */
    unsigned faults; /* said of files that could be read, but are not what they should be */
    int status;      /* STATUS_UNREADABLE where one could not be read */
    struct unread unread;
    size_t taken; /* memory for their JSON, as json_input() reckons it */
};

/* Take in a vector file, or every *.json below a folder, in sorted order, but for the schema itself
 * and what is hidden. What is wrong is said on stderr, and the other files are read. */
void corpus_add(struct corpus *corpus, const char *operand);

/* The same files, each by its path, until `take` returns false; whatever they hold. Returns
 * STATUS_GOOD, or after a complaint STATUS_UNREADABLE. */
int corpus_each(const char *operand, bool (*take)(void *arg, const char *path), void *arg);

/* The folder of the vectors that came with this command: installed with it, or of the tree that it
 * was built in. The caller frees it; NULL where there is none. */
char *corpus_folder(void);
void corpus_free(struct corpus *corpus);
void corpus_free_test(struct vector_test *test);

/* The text of a member of a JSON object that the schema has checked, or NULL. */
const char *vector_text(const json_t *object, const char *key);

/* Print what is wrong, of a folder what is missing, too, and a sum-up. Returns the number of
 * complaints, without those that were made when the corpus was read. */
unsigned lint(const struct corpus *corpus);

#endif
