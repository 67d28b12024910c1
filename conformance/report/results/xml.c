// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/report/results/xml.h"

#include "conformance/base/text.h"
#include "conformance/describe/utf8.h"

#include <string.h>

void xml_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '&')
            fputs("&amp;", out);
        else if (c == '<')
            fputs("&lt;", out);
        else if (c == '>')
            fputs("&gt;", out);
        else if (c == '"')
            fputs("&quot;", out);
        else
            putc((c < 0x20 && c != '\n') || c >= 0x7f ? '?' : c, out);
    }
}

void xml_attribute(FILE *out, const char *name, const char *text)
{
    fprintf(out, " %s=\"", name);
    xml_text(out, text);
    putc('"', out);
}

void yaml_scalar(FILE *out, const char *key, const char *text)
{
    fprintf(out, "  %s: \"", key);
    while (*text != '\0') {
        size_t length = rpcrdma_utf8(text, strlen(text));
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\x%02x", (unsigned)c);
        else if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else
            text_put_some(out, text, length > 0 ? length : 1);
        text += length > 0 ? length : 1;
    }
    fputs("\"\n", out);
}

static void put_property(FILE *out, const char *name, const char *value)
{
    if (value == NULL)
        return;
    fprintf(out, "<property name=\"%s\"", name);
    xml_attribute(out, "value", value);
    fputs("/>", out);
}

void xml_properties(FILE *out, const char *wire, const char *incomplete)
{
    if (wire == NULL && incomplete == NULL)
        return;
    fputs("    <properties>", out);
    put_property(out, "wire", wire);
    put_property(out, "incomplete", incomplete);
    fputs("</properties>\n", out);
}

void tap_incomplete(FILE *out, const char *why)
{
    if (why)
        fprintf(out, "Bail out! %s\n", why);
}
