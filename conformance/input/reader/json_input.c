// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/input/reader/json_input.h"

#include <errno.h>
#include <string.h>

/* What jansson takes, with the allocator's share: an object has eight buckets from the start, an
 * array eight places; of a member there is a copy of its key, of each value a header. */
enum { OBJECT = 256, ARRAY = 160, MEMBER = 96, ELEMENT = 64, STRING = 16 };

static size_t weight(struct json_reckoning *reckoning, char octet)
{
    bool was_escaped = reckoning->is_escaped;
    reckoning->is_escaped = reckoning->in_string && octet == '\\' && !was_escaped;
    if (octet == '"' && !was_escaped) {
        reckoning->in_string = !reckoning->in_string;
        return STRING;
    }
    if (reckoning->in_string)
        return 1;
    return octet == '{'   ? OBJECT
           : octet == '[' ? ARRAY
           : octet == ':' ? MEMBER
           : octet == ',' ? ELEMENT
                          : 1;
}

bool json_reckon(struct json_reckoning *reckoning, const char *octets, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        size_t taken = weight(reckoning, octets[i]);
        if (taken > reckoning->left)
            return false;
        reckoning->left -= taken;
    }
    return true;
}

struct input {
    FILE *stream;
    size_t size;
    bool is_greedy;
    struct json_reckoning reckoning;
};

static size_t read_more(void *buffer, size_t size, void *arg)
{
    struct input *input = arg;
    size_t got = fread(buffer, 1, size, input->stream);
    input->size += got;
    input->is_greedy = input->is_greedy || !json_reckon(&input->reckoning, buffer, got);
    bool good = input->size <= JSON_INPUT_FILE && !input->is_greedy && !ferror(input->stream);
    return good ? got : (size_t)-1;
}

json_t *json_input(FILE *stream, size_t *memory, char *error, size_t error_size)
{
    struct input input = {.stream = stream, .reckoning.left = *memory};
    json_error_t json_error;
    json_t *root = json_load_callback(read_more, &input, JSON_REJECT_DUPLICATES, &json_error);
    *memory = input.reckoning.left;
    bool is_long = input.size > JSON_INPUT_FILE;
    if (root && !is_long && !input.is_greedy && !ferror(stream))
        return root;
    json_decref(root);
    if (ferror(stream))
        snprintf(error, error_size, "cannot be read: %s", strerror(errno));
    else if (is_long)
        snprintf(error, error_size, "is longer than %zu MiB", JSON_INPUT_FILE >> 20);
    else if (input.is_greedy)
        snprintf(error, error_size, "not enough memory: vectors are given %zu MiB",
                 JSON_INPUT_MEMORY >> 20);
    else
        snprintf(error, error_size, "line %d, column %d: %s", json_error.line, json_error.column,
                 json_error.text);
    return NULL;
}
