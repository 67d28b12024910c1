// SPDX-License-Identifier: BSD-3-Clause
/* Looking things up in the register of requirements. */
#include "conformance/base/register.h"
#include "conformance/base/count.h"
#include "conformance/base/nearest.h"

#include <rpcrdma/check.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define WORD_MIN 3 /* letters of a part of an id */
#define UNLIKE (1u << 30)

int register_find(const char *id)
{
    for (unsigned i = 0; i < RPCRDMA_RULES; i++)
        if (strcmp(rpcrdma_requirements[i].id, id) == 0)
            return (int)i;
    return -1;
}

/* The section that the text names, if it has rules; else "". */
static void section_of(const char *text, char section[NEAREST_MAX])
{
    const char *slash = strrchr(text, '/');
    size_t length = slash && slash != strchr(text, '/') ? (size_t)(slash - text) : 0;
    snprintf(section, NEAREST_MAX, "%.*s", (int)length, text);
    for (unsigned i = 0; i < RPCRDMA_RULES; i++)
        if (register_under(rpcrdma_requirements[i].id, section))
            return;
    section[0] = '\0';
}

/* How unlike an id is to a text whose section has rules. The last part tells most. Another section
 * is as bad as one wrong letter, and out of the question with a last part that is not much the
 * same. */
static unsigned unlike(const char *id, const char *text, const char *section)
{
    const char *slug = strrchr(id, '/'), *wanted = strrchr(text, '/');
    unsigned edits = slug ? nearest_edits(wanted, slug) : NEAREST_MAX;
    if (!register_under(id, section) && edits++ > strlen(wanted) / 4)
        return UNLIKE;
    return edits * NEAREST_MAX + nearest_edits(text, id);
}

static const char *nearest_to_section(const char *text, const char *section)
{
    const char *word = NULL;
    unsigned least = UNLIKE;
    for (unsigned i = 0; i < RPCRDMA_RULES; i++) {
        unsigned now = unlike(rpcrdma_requirements[i].id, text, section);
        if (now < least) {
            least = now;
            word = rpcrdma_requirements[i].id;
        }
    }
    return word;
}

static const char *nearest_anywhere(const char *text)
{
    struct nearest nearest = {.text = text, .least = (unsigned)strlen(text) / 2 + 1};
    for (unsigned i = 0; i < RPCRDMA_RULES; i++) {
        const char *id = rpcrdma_requirements[i].id, *slug = strrchr(id, '/');
        unsigned before = nearest.least;
        nearest_try(&nearest, id);
        if (slug) /* its last part alone is often what is remembered */
            nearest_try(&nearest, slug + 1);
        if (nearest.least < before)
            nearest.word = id;
    }
    return nearest.word;
}

const char *register_nearest(const char *text)
{
    size_t length = strlen(text);
    char section[NEAREST_MAX];
    if (length > NEAREST_MAX)
        return NULL;
    for (unsigned i = 0; length >= WORD_MIN && i < RPCRDMA_RULES; i++)
        if (strncmp(rpcrdma_requirements[i].id, text, length) == 0)
            return rpcrdma_requirements[i].id; /* begun well */
    section_of(text, section);
    return section[0] != '\0' ? nearest_to_section(text, section) : nearest_anywhere(text);
}

/* The first section of that name; `text` may be without a document. */
static bool has_section(const char *text, bool (*wanted)(const char *id), char meant[NEAREST_MAX])
{
    for (unsigned i = 0; i < RPCRDMA_RULES; i++) {
        const char *id = rpcrdma_requirements[i].id;
        int document = strchr(text, '/') ? 0 : (int)strcspn(id, "/") + 1;
        snprintf(meant, NEAREST_MAX, "%.*s%s", document, id, text);
        if (register_under(id, meant) && (wanted == NULL || wanted(id)))
            return true;
    }
    return false;
}

/* The section that `text` names without its document, or the one around it, that has rules. */
static bool section_meant(const char *text, bool (*wanted)(const char *id), char meant[NEAREST_MAX])
{
    char section[NEAREST_MAX];
    const char *slash = strchr(text, '/'), *number = slash ? slash + 1 : text;
    char *dot = section;
    size_t length = strspn(number, "0123456789.");
    if (length == 0 || number[length] != '\0' || strlen(text) >= sizeof section)
        return false;
    strcpy(section, text);
    while (dot && !has_section(section, wanted, meant)) {
        dot = strrchr(section, '.');
        if (dot)
            *dot = '\0';
    }
    return dot != NULL;
}

const char *register_meant(const char *text, bool (*wanted)(const char *id),
                           char meant[NEAREST_TEXT])
{
    char section[NEAREST_MAX];
    const char *word = NULL;
    for (unsigned i = 0; i < RPCRDMA_RULES; i++) {
        const char *id = rpcrdma_requirements[i].id;
        if (register_under(id, text))
            return nearest_text(NULL, meant); /* it is right */
        if (word == NULL && register_means(id, text) && (wanted == NULL || wanted(id)))
            word = id;
    }
    if (section_meant(text, wanted, section))
        return nearest_text(section, meant);
    word = word ? word : register_nearest(text);
    return nearest_text(word && (wanted == NULL || wanted(word)) ? word : NULL, meant);
}

bool register_under(const char *id, const char *prefix)
{
    size_t length = strlen(prefix);
    if (length == 0 || strncmp(id, prefix, length) != 0)
        return false;
    /* A section includes its subsections, a document its sections. */
    bool in_section = strchr(prefix, '/') != NULL && strchr(prefix, '/') == strrchr(prefix, '/');
    return id[length] == '\0' || id[length] == '/' || (in_section && id[length] == '.');
}

bool register_in_section(const char *id, const char *section)
{
    const char *slash = strchr(id, '/');
    size_t length = strlen(section);
    return slash && length > 0 && strncmp(slash + 1, section, length) == 0 &&
           (slash[1 + length] == '/' || slash[1 + length] == '.');
}

bool register_means(const char *id, const char *text)
{
    const char *slug = strrchr(id, '/');
    bool is_word = strlen(text) >= WORD_MIN && text[0] > '9' && strchr(text, '/') == NULL;
    return register_under(id, text) || register_in_section(id, text) ||
           (is_word && slug && strstr(slug, text) != NULL);
}

/* Of a draft of version 2, the name under which it was published. */
static const char *draft_name(const char *id)
{
    return register_under(id, "rpcrdma2-04")   ? "draft-cel-nfsv4-rpcrdma-version-two-04"
           : register_under(id, "rpcrdma2-07") ? "draft-ietf-nfsv4-rpcrdma-version-two-07"
                                               : NULL;
}

bool register_address(const char *id, char text[REGISTER_ADDRESS])
{
    size_t document = strcspn(id, "/");
    const char *section = id[document] == '/' ? id + document + 1 : "";
    size_t length = strcspn(section, "/");
    const char *draft = draft_name(id);
    text[0] = '\0';
    if (length == 0 || document + length > 40 || (strncmp(id, "rfc", 3) != 0 && draft == NULL))
        return false;
    if (draft)
        snprintf(text, REGISTER_ADDRESS, "https://datatracker.ietf.org/doc/html/%s#%s-%.*s", draft,
                 section[0] < 'A' ? "section" : "appendix", (int)length, section);
    else
        snprintf(text, REGISTER_ADDRESS, "https://www.rfc-editor.org/rfc/%.*s#section-%.*s",
                 (int)document, id, (int)length, section);
    return true;
}

static const char *site;

void register_set_site(const char *address)
{
    site = address;
}

bool register_page(const char *id, char text[REGISTER_PAGE])
{
    size_t length = site ? strlen(site) : 0;
    if (length == 0)
        return false;
    const char *between = site[length - 1] == '/' ? "" : "/";
    int needed = snprintf(text, REGISTER_PAGE, "%s%srules.html#%s", site, between, id);
    return needed > 0 && needed < REGISTER_PAGE;
}

static void add_word(char text[REGISTER_SET], const char *word)
{
    size_t length = strlen(text);
    snprintf(text + length, REGISTER_SET - length, "%s%s", length > 0 ? "," : "", word);
}

const char *register_reactions(const struct rpcrdma_requirement *row, char text[REGISTER_SET])
{
    text[0] = '\0';
    for (unsigned i = 0; i < RPCRDMA_REACTIONS; i++)
        if (row->reactions >> i & 1)
            add_word(text, rpcrdma_reaction_name((enum rpcrdma_reaction)(1u << i)));
    return text;
}

const char *register_tests(const struct rpcrdma_requirement *row, char text[REGISTER_SET])
{
    static const char *const names[] = {"passive", "responder", "requester"};
    text[0] = '\0';
    for (unsigned i = 0; i < COUNT(names); i++)
        if (row->tests >> i & 1)
            add_word(text, names[i]);
    if (row->tests == 0)
        snprintf(text, REGISTER_SET, "none: %s", row->why_untested);
    return text;
}
