// SPDX-License-Identifier: BSD-3-Clause
/*
 * Back end: what a proof with Frama-C's WP needs of each type, in ACSL. Three things are defined in
 * logic: value_<type>, that what a value to encode points at can be read; apart_<type>, that an
 * error is no part of it; octets_<type>, how many octets it takes, which is what both its sizer and
 * its putter have to give. Contracts and loop invariants use them. That a decoded view lies within
 * the octets is written out in each contract, for the provers do not look into predicates after a
 * store.
 */
#include "gen/back/emit.h"

#include <inttypes.h>
#include <string.h>

static bool is_on(void)
{
    return cname_naming()->acsl;
}

/* ---- expressions ---- */

enum what { VALUE, APART };

static const char *const what_names[] = {"value", "apart"};
static const char *const what_types[] = {"", "struct rpcrdma_xdr_error *e, "};
static const char *const what_arguments[] = {"", "e, "};
static const char *const what_begin[] = {"\\valid_read(v)", "\\separated(v, e)"};

static const char *call(enum what what, const char *cname, const char *address)
{
    return text("%s_%s(%s%s)", what_names[what], cname, what_arguments[what], address);
}

/* What a span of these items has to be, and how many octets it takes: `around` those of a list's
 * presence words, `cname` the items' name. */
struct acsl_items {
    const char *lv, *cname, *sum;
    bool fixed, scalar;
    uint64_t stride, end;
};

static const char *span(enum what what, const struct acsl_items *items)
{
    const char *octets = emit_member(items->lv, "octets"), *count = emit_member(items->lv, "count");
    const char *each =
        items->scalar
            ? ""
            : text(" &&\n(\\forall integer i; 0 <= i < %s ==> %s)", count,
                   call(what, items->cname, text("%s + i", emit_member(items->lv, "items"))));
    if (what == APART)
        return text("(%s != 0 || (\\separated(%s + (0 .. %s - 1), e)%s))", octets,
                    emit_member(items->lv, "items"), count, each);
    return text("(%s != 0 ? \\valid_read(%s + (0 .. %s - 1)) :\n"
                "\\valid_read(%s + (0 .. %s - 1))%s)",
                octets, emit_member(items->lv, "wire"), octets, emit_member(items->lv, "items"),
                count, each);
}

static const char *span_octets(const struct acsl_items *items)
{
    const char *octets = emit_member(items->lv, "octets"), *count = emit_member(items->lv, "count");
    const char *own =
        items->fixed ? text("%s * %" PRIu64, count, items->stride)
                     : text("sum_%s(%s, %s)", items->sum, emit_member(items->lv, "items"), count);
    return text("(%s != 0 ? %s : %s + %" PRIu64 ")", octets, octets, own, items->end);
}

static struct acsl_items array_items(const struct decl *decl, const char *lv)
{
    struct decl element = *decl;
    element.kind = DECL_PLAIN;
    const char *cname = back_element_cname(decl);
    return (struct acsl_items){lv,
                               cname,
                               cname,
                               back_element_fixed(decl),
                               back_is_scalar(back_real(&element).decl),
                               back_element_least(decl),
                               0};
}

static struct acsl_items list_items(const struct def *list, const char *lv)
{
    const struct shape *shape = back_shape(list);
    struct acsl_items items = {
        lv, shape->item_cname, shape->cname, true, false, back_entry_least(list), 4};
    const struct decl *stop = back_last_field(list);
    for (const struct decl *field = list->fields; field != stop; field = field->next)
        items.fixed = items.fixed && back_fixed(field);
    return items;
}

/* What has to hold of a declaration, or "". */
static const char *holds(enum what what, const struct decl *decl, const char *lv)
{
    struct real real = back_real(decl);
    const struct decl *is = real.decl;
    if (real.alias && is->kind != DECL_PLAIN)
        return call(what, back_shape(real.alias)->cname, emit_address(lv));
    if (is->kind == DECL_VOID || back_is_scalar(is))
        return "";
    if (is->kind == DECL_PLAIN || back_is_list(is))
        return call(what, back_element_cname(is), emit_address(lv));
    if (is->kind == DECL_OPTIONAL)
        return text("(%s ==>\n%s)", emit_member(lv, "present"),
                    call(what, back_element_cname(is), text("&%s", emit_member(lv, "value"))));
    if (!back_is_octets(is))
        return span(what, (struct acsl_items[]){array_items(is, lv)});
    if (what == APART)
        return "";
    const char *data = is->kind == DECL_FIXED ? lv : emit_member(lv, "data");
    const char *length =
        is->kind == DECL_FIXED ? decimal((uint64_t)is->size.number) : emit_member(lv, "length");
    return text("\\valid_read(%s + (0 .. %s - 1))", data, length);
}

static const char *octets_of(const struct decl *decl, const char *lv)
{
    struct real real = back_real(decl);
    const struct decl *is = real.decl;
    if (back_fixed(is))
        return decimal(back_least(is));
    if (real.alias && is->kind != DECL_PLAIN)
        return text("octets_%s(%s)", back_shape(real.alias)->cname, emit_address(lv));
    if (is->kind == DECL_PLAIN || back_is_list(is))
        return text("octets_%s(%s)", back_element_cname(is), emit_address(lv));
    if (is->kind == DECL_OPTIONAL)
        return text("4 + (%s ?\noctets_%s(&%s) : 0)", emit_member(lv, "present"),
                    back_element_cname(is), emit_member(lv, "value"));
    if (back_is_octets(is))
        return text("4 + (%s + 3) / 4 * 4", emit_member(lv, "length"));
    return text("%s%s", is->kind == DECL_VAR ? "4 + " : "",
                span_octets((struct acsl_items[]){array_items(is, lv)}));
}

/* ---- definitions in logic ---- */

static void add(FILE *out, const char *what)
{
    if (*what)
        fprintf(out, " &&\n%s", what);
}

/* "v->proc == A || v->proc == B"; of the default arm, that none of the others' are. */
static const char *is_chosen(const struct def *def, const struct arm *arm, const char *lv)
{
    char *code = NULL;
    FILE *memory = emit_memory(&code);
    const char *join = "", *tag = emit_member(lv, back_cfield(def->discriminant->name));
    const struct arm *from = arm->is_default ? def->arms : arm;
    for (; from; from = arm->is_default ? from->next : NULL)
        for (unsigned i = 0; i < from->label_count; i++, join = arm->is_default ? " && " : " || ")
            fprintf(memory, "%s%s %s %" PRId64, join, tag,
                    arm->is_default ? "!=" : "==", from->labels[i].number);
    emit_close(memory, &code);
    return *code ? code : "\\true";
}

static void add_arms(FILE *out, enum what what, const struct def *def)
{
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        const struct decl *field = emit_arm_place(def, arm)->decl;
        if (field->kind == DECL_VOID)
            continue;
        const char *inner = holds(what, field, text("v->%s", back_cfield(field->name)));
        if (*inner)
            fprintf(out, " &&\n((%s) ==>\n%s)", is_chosen(def, arm, "(*v)"), inner);
    }
}

static void define(FILE *out, enum what what, const char *cname, const char *type,
                   const struct def *def, const struct decl *stop)
{
    fprintf(out, "predicate %s_%s(%s%s *v) =\n%s", what_names[what], cname, what_types[what], type,
            what_begin[what]);
    if (def->kind == DEF_UNION)
        add_arms(out, what, def);
    else if (def->kind == DEF_TYPEDEF)
        add(out, holds(what, def->target, "(*v)"));
    else if (def->is_list && stop == NULL)
        add(out, span(what, (struct acsl_items[]){list_items(def, "(*v)")}));
    else
        for (const struct decl *field = def->fields; field != stop; field = field->next)
            add(out, holds(what, field, text("v->%s", back_cfield(field->name))));
    fputs(";\n", out);
}

/* The discriminant and the arm that it chooses; the default arm is the last. */
static void add_choice(FILE *out, const struct def *def)
{
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        const struct decl *field = emit_arm_place(def, arm)->decl;
        const char *octets = field->kind == DECL_VOID
                                 ? "0"
                                 : octets_of(field, text("v->%s", back_cfield(field->name)));
        if (arm->is_default)
            fprintf(out, "4 + %s", octets);
        else
            fprintf(out, "((%s) ? 4 + %s :\n", is_chosen(def, arm, "(*v)"), octets);
    }
    const struct arm *arm = def->arms;
    unsigned open = 0;
    for (; arm; arm = arm->next)
        open += !arm->is_default;
    for (arm = def->arms; arm->next;)
        arm = arm->next;
    fprintf(out, "%s", arm->is_default ? "" : "4");
    while (open-- > 0)
        fputc(')', out);
    fputs(";\n", out);
}

static void define_octets(FILE *out, const char *cname, const char *type, const struct def *def,
                          const struct decl *stop)
{
    fprintf(out, "logic integer octets_%s(%s *v) =\n", cname, type);
    if (def->kind == DEF_TYPEDEF) {
        fprintf(out, "%s;\n", octets_of(def->target, "(*v)"));
        return;
    }
    if (def->is_list && stop == NULL) {
        fprintf(out, "%s;\n", span_octets((struct acsl_items[]){list_items(def, "(*v)")}));
        return;
    }
    if (def->kind == DEF_UNION) {
        add_choice(out, def);
        return;
    }
    fputs("0", out);
    for (const struct decl *field = def->fields; field != stop; field = field->next)
        fprintf(out, " +\n%s", octets_of(field, text("v->%s", back_cfield(field->name))));
    fputs(";\n", out);
}

/* The octets of the first n items. */
static void define_sum(FILE *out, const char *name, const char *cname, const char *type,
                       uint64_t more)
{
    EMIT(out,
         "logic integer sum_{name}({type} *items, integer n) =\n"
         "n <= 0 ? 0 : sum_{name}(items, n - 1) + octets_{item}(items + (n - 1)) + {more};\n",
         "name", name, "type", type, "item", cname, "more", decimal(more));
}

void acsl_logic(FILE *out, const struct def *def)
{
    const struct shape *shape = back_shape(def);
    if (!is_on() || def->kind == DEF_ENUM)
        return;
    emit_kept(out);
    fputs("/*@\n", out);
    if (def->is_list && !shape->item_is_field) {
        const struct decl *stop = back_last_field(def);
        for (int what = VALUE; what <= APART; what++)
            define(out, (enum what)what, shape->item_cname, shape->item, def, stop);
        define_octets(out, shape->item_cname, shape->item, def, stop);
    }
    if (def->is_list && !list_items(def, "(*v)").fixed)
        define_sum(out, shape->cname, shape->item_cname, shape->item, 4);
    for (int what = VALUE; what <= APART; what++)
        define(out, (enum what)what, shape->cname, shape->ctype, def, NULL);
    define_octets(out, shape->cname, shape->ctype, def, NULL);
    if (shape->in_array && !shape->fixed)
        define_sum(out, shape->cname, shape->cname, shape->ctype, 0);
    fputs("*/\n", out);
}

/* ---- views ---- */

/* Where the octets begin and end, as a contract says it. */
struct acsl_place {
    const char *base, *end;
};

static const char *within(struct acsl_place at, const char *data, const char *octets)
{
    return text("xdr_within(%s, %s, %s, %s)", at.base, at.end, data, octets);
}

static const char *view_of_span(struct acsl_place at, struct acsl_items items)
{
    const char *octets = emit_member(items.lv, "octets");
    return text("%s &&\n%s * %" PRIu64 " + %" PRIu64 " %s %s",
                within(at, emit_member(items.lv, "wire"), octets), emit_member(items.lv, "count"),
                items.stride, items.end, items.fixed ? "==" : "<=", octets);
}

static const char *view_of(struct acsl_place at, const struct def *def, const struct decl *stop,
                           const char *lv);

/* That a part of a view lies within the octets, or "" if it points at none. */
static const char *view_of_field(struct acsl_place at, const struct decl *decl, const char *lv)
{
    const struct decl *is = back_real(decl).decl;
    if (is->kind == DECL_VOID || back_is_scalar(is))
        return "";
    if (is->kind == DECL_PLAIN || back_is_list(is))
        return view_of(at, is->def, NULL, lv);
    if (is->kind == DECL_OPTIONAL) {
        const char *value =
            is->base == BASE_NAMED ? view_of(at, is->def, NULL, emit_member(lv, "value")) : "";
        return *value ? text("(%s ==>\n%s)", emit_member(lv, "present"), value) : "";
    }
    if (!back_is_octets(is))
        return view_of_span(at, array_items(is, lv));
    return is->kind == DECL_FIXED ? within(at, lv, decimal((uint64_t)is->size.number))
                                  : within(at, emit_member(lv, "data"), emit_member(lv, "length"));
}

static const char *view_of(struct acsl_place at, const struct def *def, const struct decl *stop,
                           const char *lv)
{
    const char *view = "";
    if (def->kind == DEF_TYPEDEF)
        return view_of_field(at, def->target, lv);
    if (def->is_list && stop == NULL)
        return view_of_span(at, list_items(def, lv));
    for (const struct arm *arm = def->arms; arm; arm = arm->next) {
        const struct decl *field = emit_arm_place(def, arm)->decl;
        const char *part =
            field->kind == DECL_VOID
                ? ""
                : view_of_field(at, field, emit_member(lv, back_cfield(field->name)));
        if (*part)
            view = text("%s%s((%s) ==>\n%s)", view, *view ? " &&\n" : "", is_chosen(def, arm, lv),
                        part);
    }
    const struct decl *field = def->fields;
    for (; field != NULL && field != stop; field = field->next) {
        const char *part = view_of_field(at, field, emit_member(lv, back_cfield(field->name)));
        if (*part)
            view = text("%s%s%s", view, *view ? " &&\n" : "", part);
    }
    return view;
}

/* ---- contracts of decoders ---- */

void acsl_getter(FILE *out, const char *what, bool is_arm)
{
    if (!is_on())
        return;
    EMIT(out,
         "/*@ requires xdr_in(in) && xdr_at(in, p){before};\n"
         "requires \\valid(v) && \\separated(v, in) && \\separated(v, in->error);\n"
         "assigns *v, *in->error;\nexits \\false;\n"
         "ensures \\result == \\null || xdr_at(in, \\result);\n"
         "ensures \\result != \\null ==> {what};\n"
         "ensures \\result == \\null ==> xdr_noted(in);\n"
         "ensures xdr_in(in) && in->base == \\old(in->base) && in->end == \\old(in->end) &&\n"
         "in->error == \\old(in->error);\n*/\n",
         "before", is_arm ? " && 4 <= p - in->base" : "", "what", what);
}

const char *acsl_view(const struct def *def, const struct decl *stop, uint64_t least, bool fixed)
{
    const char *view = view_of((struct acsl_place){"in->base", "in->end"}, def, stop, "(*v)");
    return text("%" PRIu64 " %s \\result - p%s%s", least, fixed ? "==" : "<=", *view ? " &&\n" : "",
                view);
}

/* Before the loop of a list's getter. */
const char *acsl_list_loop(const struct def *def)
{
    struct acsl_items items = list_items(def, "(*v)");
    if (!is_on())
        return "";
    return text(
        "/*@ loop invariant xdr_in(in) && xdr_at(in, p) && in->error == \\at(in->error, Pre);\n"
        "loop invariant in->base == \\at(in->base, Pre) && in->end == \\at(in->end, Pre);\n"
        "loop invariant v->wire == \\at(p, Pre) && p - v->wire %s n * %" PRIu64 ";\n"
        "loop assigns p, n, present, *\\at(in->error, Pre);\n"
        "loop variant in->end - p;\n*/\n",
        items.fixed ? "==" : ">=", items.stride);
}

const char *acsl_element_loop(const struct decl *decl, const char *lv)
{
    const char *wire = emit_member(lv, "wire"), *count = emit_member(lv, "count");
    if (!is_on())
        return "";
    return text("/*@ loop invariant xdr_in(in) && xdr_at(in, p) && 0 <= i <= %s;\n"
                "loop invariant in->error == \\at(in->error, Pre);\n"
                "loop invariant in->base == \\at(in->base, Pre) && in->end == \\at(in->end, Pre);\n"
                "loop invariant xdr_at(in, %s) && p - %s %s i * %" PRIu64 ";\n"
                "loop assigns p, i, *\\at(in->error, Pre);\n"
                "loop variant %s - i;\n*/\n",
                count, wire, wire, back_element_fixed(decl) ? "==" : ">=", back_element_least(decl),
                count);
}

/* ---- contracts of sizers and encoders ---- */

/* No value of a declaration takes more. */
static uint64_t most_of(const struct decl *decl)
{
    const uint64_t octets = UINT32_MAX;
    const struct decl *is = back_real(decl).decl;
    const struct def *def = is->kind != DECL_VOID && is->base == BASE_NAMED ? is->def : NULL;
    uint64_t most = 0;
    if (back_fixed(is))
        return back_least(is);
    if (is->kind == DECL_FIXED || is->kind == DECL_VAR || back_is_list(is))
        return 4 + octets * (back_is_octets(is) ? 2 : 64) + back_element_least(is) * octets;
    for (const struct arm *arm = def->arms; arm; arm = arm->next)
        most = most_of(arm->decl) > most ? most_of(arm->decl) : most;
    for (const struct decl *field = def->fields; field; field = field->next)
        most += most_of(field);
    return 8 + most;
}

static uint64_t most_of_def(const struct def *def)
{
    const struct decl decl = {
        .name = "", .kind = DECL_PLAIN, .base = BASE_NAMED, .def = (struct def *)(uintptr_t)def};
    const struct decl list = {
        .name = "", .kind = DECL_OPTIONAL, .base = BASE_NAMED, .def = decl.def};
    return most_of(def->is_list ? &list : &decl);
}

void acsl_sizer(FILE *out, const char *cname, const struct def *def, bool fails)
{
    if (!is_on())
        return;
    EMIT(out,
         "/*@ requires {value}{out};\nassigns {assigns};\nexits \\false;\n"
         "ensures {fails}(0 <= \\result <= {most} && \\result == {octets});\n*/\n",
         "value", def->kind == DEF_ENUM ? "\\valid_read(v)" : text("value_%s(v)", cname), "out",
         fails ? text(" && \\valid_read(out) && \\valid(out->error) &&\n"
                      "\\separated(out, out->error) && %s",
                      def->kind == DEF_ENUM ? "\\separated(v, out->error)"
                                            : text("apart_%s(out->error, v)", cname))
               : "",
         "assigns", fails ? "*out->error" : "\\nothing", "fails", fails ? "\\result < 0 || " : "",
         "most", decimal(most_of_def(def)), "octets",
         def->kind == DEF_ENUM ? "4" : text("octets_%s(v)", cname));
}

const char *acsl_size_loop(const char *lv, const char *sum, bool calls)
{
    if (!is_on())
        return "";
    return text("/*@ loop invariant 0 <= i <= %s;\n"
                "loop invariant total == \\at(total, LoopEntry) + sum_%s(items, i);\n"
                "loop invariant 0 <= total && (total <= 2147483647 || i == 0);\n"
                "loop assigns i, total%s;\nloop variant %s - i;\n*/\n",
                emit_member(lv, "count"), sum, calls ? ", n, *\\at(out->error, Pre)" : "",
                emit_member(lv, "count"));
}

/* A part that has been sized keeps its octets while the error of a later one is noted. */
void acsl_sized(FILE *out, const struct decl *field, const char *lv)
{
    const char *octets = octets_of(field, lv);
    if (is_on())
        fprintf(out, "/*@ assert %s ==\n\\at(%s, Pre); */\n", octets, octets);
}

void acsl_putter(FILE *out, const char *cname, const struct def *def, uint64_t least, bool is_arm)
{
    if (!is_on())
        return;
    bool is_enum = def->kind == DEF_ENUM;
    EMIT(out,
         "/*@ requires \\valid_read(room) && xdr_room(p, room->end, {least} + after) && 0 <= "
         "after;\n"
         "requires {value};\nassigns p[0 .. room->end - p - 1];\nexits \\false;\n"
         "ensures xdr_put(p, room->end, \\result, after, {octets}{arm});\n*/\n",
         "least", decimal(least), "value", is_enum ? "\\valid_read(v)" : text("value_%s(v)", cname),
         "octets", is_enum ? "4" : text("octets_%s(v)", cname), "arm", is_arm ? " - 4" : "");
}

/* What both loops that store items keep. */
static const char put_loop_frame[] =
    "loop invariant \\base_addr(p) == \\base_addr(room->end);\n"
    "loop assigns i, item, p, *(\\at(p, Pre) + (0 .. room->end - \\at(p, Pre) - 1));\n";

/* Before the loop that stores items of `stride` octets each, which counts down. */
const char *acsl_put_loop(const char *lv, uint64_t stride, const char *after)
{
    const char *count = emit_member(lv, "count"), *items = emit_member(lv, "items");
    if (!is_on())
        return "";
    return text("/*@ loop invariant 0 <= i <= %s && item == %s + (%s - i);\n"
                "loop invariant p - \\at(p, LoopEntry) == (%s - i) * %" PRIu64 ";\n"
                "loop invariant i * %" PRIu64 " + %s <= room->end - p;\n%sloop variant i;\n*/\n",
                count, items, count, count, stride, stride, after, put_loop_frame);
}

/* The same of items whose octets differ; it counts up, which the provers find easier. */
const char *acsl_put_sum_loop(const char *lv, const char *sum, const char *after)
{
    const char *items = emit_member(lv, "items");
    if (!is_on())
        return "";
    return text("/*@ loop invariant 0 <= i <= count && item == %s + i;\n"
                "loop invariant 0 <= p - \\at(p, LoopEntry) == sum_%s(%s, i);\n"
                "loop invariant %s <= room->end - p;\n%sloop variant count - i;\n*/\n",
                items, sum, items, after, put_loop_frame);
}

/* ---- contracts of calls ---- */

static const char decode_contract[] =
    "/*@ requires \\valid(view) && (error == \\null || \\valid(error));\n"
    "requires limits == \\null || \\valid_read(limits);\n"
    "requires buf == \\null ? length == 0 : \\valid_read(buf + (0 .. length - 1));\n"
    "requires \\separated(view, error) && \\separated(view, limits) && "
    "\\separated(error, limits);\n"
    "assigns *view, *error;\nexits \\false;\n"
    "ensures \\result < 0 || ({least} <= \\result {compare} length{view});\n"
    "ensures \\result < 0 ==> error == \\null || error->offset <= length;\n*/\n";

void acsl_decode(FILE *out, const struct def *def, bool complete)
{
    if (!is_on())
        return;
    const char *view = view_of((struct acsl_place){"buf", "buf + length"}, def, NULL, "(*view)");
    EMIT(out, decode_contract, "least", decimal(back_shape(def)->least), "compare",
         complete ? "==" : "<=", "view", *view ? text(" &&\n%s", view) : "");
}

void acsl_size(FILE *out, const struct shape *shape)
{
    if (is_on())
        EMIT(out,
             "/*@ requires value_{name}(value);\n"
             "requires error == \\null || (\\valid(error) && apart_{name}(error, value));\nassigns "
             "*error;\nexits \\false;\n"
             "ensures \\result < 0 ||\n"
             "(\\result == octets_{name}(value) && \\result <= 2147483647);\n*/\n",
             "name", shape->cname);
}

/* That a function's own variables are no part of its caller's value is beyond the provers. */
const char *acsl_own(const struct shape *shape)
{
    return is_on() ? text("/*@ admit value_%s(value) && apart_%s(out.error, value); */\n",
                          shape->cname, shape->cname)
                   : "";
}

void acsl_encode(FILE *out, const struct shape *shape)
{
    if (is_on())
        EMIT(out,
             "/*@ requires value_{name}(value);\n"
             "requires error == \\null || (\\valid(error) && apart_{name}(error, "
             "value));\nrequires length <= 9223372036854775807 && \\valid(buf + "
             "(0 .. length - 1));\n"
             "assigns buf[0 .. length - 1], *error;\nexits \\false;\n"
             "ensures \\result < 0 || (\\result == octets_{name}(value) &&\n"
             "\\result <= length && \\result <= 2147483647);\n*/\n",
             "name", shape->cname);
}

/* ---- contracts of iterators ---- */

/* An iterator over a span as decoding makes it, which has `stride` octets or more for each element.
 * Where elements differ it keeps to the span, and looks at each again. */
void acsl_iter(FILE *out, uint64_t stride, bool fixed)
{
    if (!is_on())
        return;
    EMIT(
        out,
        "/*@ requires \\valid_read(span) && span->count * {stride} <= span->octets <= 2147483647;\n"
        "requires \\valid_read(span->wire + (0 .. span->octets - 1));\n"
        "assigns \\nothing;\nexits \\false;\n"
        "ensures xdr_iter(\\result.p, \\result.end, \\result.left, {kept});\n"
        "ensures \\result.left == span->count;\n*/\n",
        "stride", decimal(stride), "kept", fixed ? decimal(stride) : "0");
}

const char *acsl_element_view(const struct def *item)
{
    const char *view = view_of((struct acsl_place){"\\old(iter->p)", "iter->end"}, item,
                               item->is_list ? back_last_field(item) : NULL, "(*out)");
    return *view ? text(" &&\n%s", view) : "";
}

/* `more` holds of an element that was there: "" or begins with &&. */
void acsl_next(FILE *out, uint64_t stride, bool fixed, const char *more)
{
    if (!is_on())
        return;
    EMIT(out,
         "/*@ requires \\valid(iter) && \\valid(out) && \\separated(iter, out);\n"
         "requires xdr_iter(iter->p, iter->end, iter->left, {stride});\n"
         "assigns *iter, *out;\nexits \\false;\n"
         "ensures xdr_iter(iter->p, iter->end, iter->left, {stride});\n"
         "ensures iter->end == \\old(iter->end) && \\base_addr(iter->p) == "
         "\\base_addr(\\old(iter->p));\n"
         "ensures \\old(iter->p) <= iter->p;\n"
         "ensures \\result ==> iter->left == \\old(iter->left) - 1{more};\n{all}*/\n",
         "stride", fixed ? decimal(stride) : "0", "more", more, "all",
         fixed ? "ensures \\result <==> \\old(iter->left) > 0;\n" : "");
}
