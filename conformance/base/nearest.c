// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/base/nearest.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* By the usual table, a row at a time. */
unsigned nearest_edits(const char *a, const char *b)
{
    unsigned row[NEAREST_MAX + 1];
    size_t length = strlen(b);
    if (length > NEAREST_MAX)
        return NEAREST_MAX;
    for (size_t j = 0; j <= length; j++)
        row[j] = (unsigned)j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i + 1;
        for (size_t j = 0; j < length; j++) {
            unsigned replace = diagonal + (a[i] != b[j]);
            unsigned other = 1 + (row[j] < row[j + 1] ? row[j] : row[j + 1]);
            diagonal = row[j + 1];
            row[j + 1] = replace < other ? replace : other;
        }
    }
    return row[length];
}

void nearest_try(struct nearest *nearest, const char *word)
{
    size_t a = strlen(nearest->text), b = strlen(word);
    if ((a > b ? a - b : b - a) >= nearest->least)
        return; /* no fewer edits than that */
    unsigned edits = nearest_edits(nearest->text, word);
    if (edits >= nearest->least)
        return;
    nearest->least = edits;
    nearest->word = word;
}

struct nearest nearest_begin(const char *text)
{
    size_t length = strlen(text);
    return (struct nearest){.text = text,
                            .least = length > NEAREST_MAX ? 0 : (unsigned)length / 3 + 2};
}

const char *nearest_text(const char *word, char text[NEAREST_TEXT])
{
    text[0] = '\0';
    if (word)
        snprintf(text, NEAREST_TEXT, "; did you mean '%s'?", word);
    return text;
}
