// SPDX-License-Identifier: BSD-3-Clause
/* Text in XML, and scalars in the YAML of TAP. */
#ifndef CONFORMANCE_XML_H
#define CONFORMANCE_XML_H

#include <stdio.h>

/* XML 1.0 has no place for most control characters, quoted or not: they become '?', as does what is
 * not ASCII. A newline stays. */
void xml_text(FILE *out, const char *text);
/* ` name="text"` */
void xml_attribute(FILE *out, const char *name, const char *text);

/* A line `  key: "text"` of the diagnostics of TAP. */
void yaml_scalar(FILE *out, const char *key, const char *text);

/* Properties of a JUnit suite: what the wire did wrong, and why the run did not see all; none that
 * is NULL. The latter as the end of TAP. */
void xml_properties(FILE *out, const char *wire, const char *incomplete);
void tap_incomplete(FILE *out, const char *why);

#endif
