// SPDX-License-Identifier: BSD-3-Clause
/* The word that a user may have meant by one that does not exist. */
#ifndef CONFORMANCE_NEAREST_H
#define CONFORMANCE_NEAREST_H

/* Edits (insert, delete, replace) between two words, in time of the product of their lengths.
 * NEAREST_MAX where `b` is longer than that. */
#define NEAREST_MAX 160
unsigned nearest_edits(const char *a, const char *b);

/* The search for the word that is nearest to `text`: the first of those with the fewest edits.
 * Begin with {.text = TEXT, .least = EDITS}: a word with as many edits as that is not near. */
struct nearest {
    const char *text, *word; /* word: NULL where none is near */
    unsigned least;
};
void nearest_try(struct nearest *nearest, const char *word);

/* A search for a short word, such as a command: a third of its letters may be wrong. */
struct nearest nearest_begin(const char *text);

/* "; did you mean 'WORD'?", or nothing; for the end of a complaint. Returns text. */
#define NEAREST_TEXT 200
const char *nearest_text(const char *word, char text[NEAREST_TEXT]);

#endif
