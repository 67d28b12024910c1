// SPDX-License-Identifier: BSD-3-Clause
/*
 * What the emitters share. They write templates that read like the code they make; how deep a line
 * is, and where a long one breaks, is the business of pretty(). Types and functions follow the
 * order of spec->ordered.
 */
#ifndef XDRGEN_EMIT_H
#define XDRGEN_EMIT_H

#include <stdio.h>

#include "gen/back/cname.h"
#include "gen/back/run.h"

/* Write the template with each {name} replaced by the text that follows the name among the
 * arguments: EMIT(out, "{type} *v;\n", "type", shape->ctype). */
#define EMIT(...) emit_template(__VA_ARGS__, (const char *)NULL)
void emit_template(FILE *out, const char *template, ...);
const char *decimal(uint64_t number);
/* A stream into memory; closed, its text is *code, which need not be freed. */
FILE *emit_memory(char **code);
void emit_close(FILE *memory, char **code);

/* The first lines of a file: the banner and the notice of the specification's own authors. */
void emit_banner(FILE *out, const struct spec *spec, const struct naming *naming);

/* "RFC 8166 section 4.3: struct rpc_rdma_header": where a definition is from. */
const char *emit_origin(const struct spec *spec, const struct naming *naming,
                        const struct def *def);
/* The specification's own comment on a line, as a comment after what it declares; or nothing. */
void emit_note(FILE *out, const struct spec *spec, unsigned line);

/*
 * A function that only others of the file call: prune() leaves it out if none does. What is before
 * the first and after emit_kept() stays. A title is written once, before the first function under
 * it that stays.
 */
void emit_title(FILE *out, const char *title);
void emit_function(FILE *out, const char *name);
void emit_kept(FILE *out);
char *prune(const char *code);
char *tidy(const char *code);

/* Write code, indented as its braces say, no line longer than a hundred columns. */
void pretty(FILE *out, const char *code);

/* Files. The header's is false after a message: two constants would have one name. */
bool emit_header(FILE *out, const struct spec *spec, const struct naming *naming, const char *guard,
                 const char *const *roots, unsigned root_count);
void emit_source(FILE *out, const struct spec *spec, const struct naming *naming,
                 const char *include, const char *const *roots, unsigned root_count);
void emit_tables(FILE *out, const struct spec *spec, const struct naming *naming,
                 const char *const *roots, unsigned root_count);

/* Parts of the header. */
bool emit_offsets(FILE *out, const struct spec *spec, const struct naming *naming,
                  const char *const *roots, unsigned root_count);
void emit_inline_iterators(FILE *out, const struct def *def);
void emit_call_declarations(FILE *out, const struct def *root, bool reduced);

/* Parts of the source, for one definition each. */
void emit_decoder(FILE *out, const struct def *def);
void emit_sizer(FILE *out, const struct def *def);
void emit_putter(FILE *out, const struct def *def);
void emit_iterators(FILE *out, const struct def *def);
void emit_calls(FILE *out, const struct def *root, const struct naming *naming);

/* Whether a value can be without encoding, so that its sizer can fail. */
bool emit_sizer_fails(const struct def *def);

/* Choose a union's arm: `emit` says what each does that is not void, `otherwise` is the statement
 * for a value without an arm. */
typedef void arm_emitter(FILE *out, const struct def *def, const struct arm *arm);
void emit_arms(FILE *out, const struct def *def, arm_emitter *emit, const char *otherwise);

/* The arm whose field an arm of the same struct uses: the first. */
const struct arm *emit_arm_place(const struct def *def, const struct arm *arm);

/* A leaf's load; the condition that a value is one of the enum's. */
void emit_load(FILE *out, const struct leaf *leaf, const char *target, const char *at);
const char *enum_test(const struct def *def, const char *value);

/* "p", "p + 4" */
const char *emit_at(const char *base, uint64_t offset);
/* A member of an lvalue, its address, "v" for "(*v)": "v->count", "&v->body". */
const char *emit_member(const char *lvalue, const char *member);
const char *emit_address(const char *lvalue);
/* "1024U", "UINT32_MAX" where the declaration has no bound */
const char *emit_bound(const struct decl *decl);

/*
 * Annotations for a proof by Frama-C's WP, if they are asked for: definitions in logic, and before
 * each function its contract and before each loop its invariant, as text that may be empty. `what`
 * else a getter ensures is said of `v`, `p` and \result.
 */
void acsl_logic(FILE *out, const struct def *def);
void acsl_getter(FILE *out, const char *what, bool is_arm);
const char *acsl_view(const struct def *def, const struct decl *stop, uint64_t least, bool fixed);
const char *acsl_list_loop(const struct def *def);
const char *acsl_element_loop(const struct decl *decl, const char *lv);
void acsl_sizer(FILE *out, const char *cname, const struct def *def, bool fails);
const char *acsl_size_loop(const char *lv, const char *sum, bool calls);
void acsl_sized(FILE *out, const struct decl *field, const char *lv);
void acsl_putter(FILE *out, const char *cname, const struct def *def, uint64_t least, bool is_arm);
const char *acsl_put_loop(const char *lv, uint64_t stride, const char *after);
const char *acsl_put_sum_loop(const char *lv, const char *sum, const char *after);
void acsl_decode(FILE *out, const struct def *def, bool complete);
void acsl_size(FILE *out, const struct shape *shape);
const char *acsl_own(const struct shape *shape);
void acsl_encode(FILE *out, const struct shape *shape);
const char *acsl_element_view(const struct def *item);
void acsl_iter(FILE *out, uint64_t stride, bool fixed);
void acsl_next(FILE *out, uint64_t stride, bool fixed, const char *view);

#endif
