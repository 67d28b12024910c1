// SPDX-License-Identifier: BSD-3-Clause
/*
 * The table of disagreements. It is memory that the processes of one run share: a parser that
 * crashes takes its process along, and neither the table nor the Send that it was given.
 */
#ifndef FUZZ_KIT_TABLE_H
#define FUZZ_KIT_TABLE_H

#include "kit.h"

/* A rule id with "#XDR_E_COUNT" where it has several ways to break, or a name that begins with
 * "kit/". */
#define KIT_NAME 160

struct disagreement {
    char name[KIT_NAME];
    char what[256]; /* one line for people */
    const uint8_t *octets;
    size_t length;
    bool is_reply;
};

/* Begin a run, or join that of the process which started this one. */
void table_begin(void);

/* The parser is about to be given this Send; `rule` names what is wrong with it, or is "". Until
 * table_done() the Send is charged with whatever ends the process. */
void table_asking(const uint8_t *octets, size_t length, bool is_reply, const char *rule);
void table_done(void);

/* Count a disagreement; returns how many different ones there are. */
unsigned table_count(const struct disagreement *disagreement);

/* Count an answer that is not compared: "limit", or to a Send whose fault is expected. */
enum table_counter { TABLE_ASKED, TABLE_LIMIT, TABLE_KNOWN, TABLE_COUNTERS };
void table_add(enum table_counter counter);

/* The run is interrupted: its other processes get this signal. From now on a process that ends
 * while its parser has a Send is not counted as a crash. */
void table_interrupt(int signal);

/* Print the table; returns how many disagreements there are. */
unsigned table_print(void);

/* Write the names as a list for KIT_KNOWN. Crashes are left out. False after a complaint. */
bool table_write(const char *file);

/* Read the list of disagreements that are expected, which KIT_KNOWN names
 * (conformance/report/results/known.h). Ends the program with status 2 if that cannot be read.
 * Crashes cannot be expected. */
void kit_known_read(void);

/* Whether the list has a wrong answer of this name. */
bool kit_knows(const char *name);

#endif
