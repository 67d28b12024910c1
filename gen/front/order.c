// SPDX-License-Identifier: BSD-3-Clause
/*
 * The order in which definitions can be handled, and the recursion that RFC 4506 allows but a
 * decoder without recursion cannot have.
 *
 * A depth-first walk, with its own stack because the depth is the input's. A definition is placed
 * when all that it names is placed. One met again before that contains itself.
 */
#include "gen/front/order.h"

#include "gen/front/diag.h"

/* One definition needs another: because of a declaration, or of a name that stands for a number. */
struct edge {
    struct def *to;
    const struct decl *decl; /* NULL for a number */
};

enum state { UNSEEN, OPEN, PLACED };

struct node {
    struct edge *edges;
    unsigned edge_count, edge_room;
    unsigned next; /* of the edges, to be followed */
    enum state state;
};

struct graph {
    struct spec *spec;
    struct node *nodes; /* by def.index */
    struct def **stack; /* of OPEN definitions */
    unsigned depth, placed;
};

static void add_edge(struct node *node, struct def *to, const struct decl *decl)
{
    if (node->edge_count == node->edge_room) {
        unsigned room = node->edge_room > 0 ? 2 * node->edge_room : 4;
        struct edge *edges = diag_alloc(room, sizeof *edges);
        for (unsigned i = 0; i < node->edge_count; i++)
            edges[i] = node->edges[i];
        node->edges = edges;
        node->edge_room = room;
    }
    node->edges[node->edge_count++] = (struct edge){to, decl};
}

/* An enumerator may have the value of an earlier one of the same enum. */
static void add_value(struct node *node, const struct def *def, const struct value *value)
{
    if (value->def != NULL && value->def != def)
        add_edge(node, value->def, NULL);
}

static void add_decl(struct node *node, const struct def *def, const struct decl *decl)
{
    bool is_link = def->is_list && decl->next == NULL;
    if (decl->def != NULL && !is_link)
        add_edge(node, decl->def, decl);
    add_value(node, def, &decl->size);
}

static void add_edges(struct node *node, const struct def *def)
{
    for (const struct enumerator *e = def->enumerators; e != NULL; e = e->next)
        add_value(node, def, &e->value);
    for (const struct decl *field = def->fields; field != NULL; field = field->next)
        add_decl(node, def, field);
    if (def->target != NULL)
        add_decl(node, def, def->target);
    if (def->discriminant != NULL)
        add_decl(node, def, def->discriminant);
    for (const struct arm *arm = def->arms; arm != NULL; arm = arm->next) {
        for (unsigned i = 0; i < arm->label_count; i++)
            add_value(node, def, &arm->labels[i]);
        add_decl(node, def, arm->decl);
    }
}

static void open_def(struct graph *graph, struct def *def)
{
    graph->nodes[def->index].state = OPEN;
    add_edges(&graph->nodes[def->index], def);
    graph->stack[graph->depth++] = def;
}

/* The edge closes a cycle that begins at edge->to, which is on the stack. Numbers cannot close one:
 * they need what stands before them. */
static void report_cycle(const struct graph *graph, const struct def *from, const struct edge *edge)
{
    const struct def *to = edge->to;
    bool by_value = true;
    for (unsigned i = graph->depth; i-- > 0;) {
        const struct node *node = &graph->nodes[graph->stack[i]->index];
        enum decl_kind kind = node->edges[node->next - 1].decl->kind;
        by_value = by_value && (kind == DECL_PLAIN || kind == DECL_FIXED);
        if (graph->stack[i] == to)
            break;
    }
    diag_error(graph->spec, edge->decl->type_loc, "'%s' contains itself %s", to->name,
               by_value ? "without end" : "otherwise than as a list");
    if (from != to)
        diag_note(graph->spec, to->loc, "'%s' is defined here", to->name);
    if (!by_value) {
        diag_hint(graph->spec, "a list is a struct whose last field is an optional pointer to that "
                               "struct by its own name");
    }
}

static bool place_from(struct graph *graph, struct def *first)
{
    open_def(graph, first);
    while (graph->depth > 0) {
        struct def *def = graph->stack[graph->depth - 1];
        struct node *node = &graph->nodes[def->index];
        if (node->next == node->edge_count) {
            node->state = PLACED;
            graph->spec->ordered[graph->placed++] = def;
            graph->depth--;
            continue;
        }
        const struct edge *edge = &node->edges[node->next++];
        enum state state = graph->nodes[edge->to->index].state;
        if (state == OPEN) {
            report_cycle(graph, def, edge);
            return false;
        }
        if (state == UNSEEN)
            open_def(graph, edge->to);
    }
    return true;
}

bool order_definitions(struct spec *spec)
{
    struct graph graph = {.spec = spec};
    graph.nodes = diag_alloc(spec->def_count, sizeof *graph.nodes);
    graph.stack = diag_alloc(spec->def_count, sizeof *graph.stack);
    spec->ordered = diag_alloc(spec->def_count, sizeof *spec->ordered);
    for (struct def *def = spec->defs; def != NULL; def = def->next)
        if (graph.nodes[def->index].state == UNSEEN && !place_from(&graph, def))
            return false;
    return true;
}
