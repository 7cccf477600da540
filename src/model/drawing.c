/* Statements `draw line(x1, y1, x2, y2, ...)`, circle(x, y, r), point(x, y), text(x, y, "A") and
 * line3(...) give the numbers of every shape, as expressions of unknowns, parameters and time. */
#include "model/compiler.h"

#include <string.h>

typedef struct {
    const char *name;
    char kind;
    int least, step; /* numbers: at least, and more in groups of `step`; 0: none more */
    bool is_space;
    const char *form;
} shape_row;

static const shape_row shapes[] = {
    {"line",   'l', 4, 2, false, "line(x1, y1, x2, y2, ...)"         },
    {"circle", 'c', 3, 0, false, "circle(x, y, r)"                   },
    {"point",  'p', 2, 0, false, "point(x, y)"                       },
    {"text",   't', 2, 0, false, "text(x, y, \"A\")"                 },
    {"line3",  'l', 6, 3, true,  "line3(x1, y1, z1, x2, y2, z2, ...)"}
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static rg_status make_number(compiler *c, builder *b, const binding *loops, void *user)
{
    const rg_ast *ast = user;
    const scope s = {b, loops, INT32_MAX, ALLOW_UNKNOWN | ALLOW_TIME, "a drawing"};
    rg_problem *p = c->p;

    const rg_node node = rg_elaborate(&s, ast);
    if (node == RG_SPLIT) return RG_RETRY;
    if (node < 0) return RG_ERR_SYNTAX;
    RG_TRY(rg_set_output(c, b, node));
    RG_TRY(rg_grow(c->ctx, &p->drawn, p->n_drawn, &c->drawn_capacity, sizeof *p->drawn));
    const rg_value *before = p->n_drawn > 0 ? &p->drawn[p->n_drawn - 1] : NULL;
    p->drawn[p->n_drawn] =
        (rg_value){.family = -1,
                   .first = before != NULL ? before->first + before->body->count : 0,
                   .span = ast->span};
    p->drawn[p->n_drawn++].body = rg_builder_take(b);
    return RG_OK;
}

static const shape_row *find_shape(compiler *c, const rg_statement *st)
{
    const char *names[N_SHAPES];

    for (int k = 0; k < N_SHAPES; k++) {
        if (strcmp(shapes[k].name, st->name) == 0) return &shapes[k];
        names[k] = shapes[k].name;
    }
    const char *nearest = rg_nearest_word(st->name, N_SHAPES, names);
    rg_bad(c, st->name_span, "there is no shape '%s' to draw", st->name);
    if (nearest != NULL)
        rg_bad_remedy(c, "did you mean '%s'?", nearest);
    else
        rg_bad_remedy(c, "shapes are line, circle, point, text and line3");
    return NULL;
}

static bool is_count(const shape_row *row, int n)
{
    return n == row->least || (n > row->least && row->step > 0 && n % row->step == 0);
}

static rg_status add_shape(compiler *c, const place *at, const space *s, const rg_statement *st)
{
    const shape_row *row = find_shape(c, st);
    const int n = st->right != NULL ? st->right->n_args : 0;
    rg_problem *p = c->p;

    if (row == NULL) return RG_OK;
    if (!is_count(row, n) || (row->kind == 't') != (st->text != NULL)) {
        rg_bad(c, st->span, "'%s' does not take %d number%s%s", row->name, n, n == 1 ? "" : "s",
               st->text != NULL   ? " and a text"
               : row->kind == 't' ? " without a text"
                                  : "");
        rg_bad_remedy(c, "write %s", row->form);
        return RG_OK;
    }
    RG_TRY(rg_grow(c->ctx, &p->shapes, p->n_shapes, &c->shape_capacity, sizeof *p->shapes));
    rg_shape *to = &p->shapes[p->n_shapes++];
    *to = (rg_shape){.kind = row->kind, .is_space = row->is_space, .first = p->n_drawn, .count = n};
    if (st->text != NULL) {
        to->text = rg_copy_text(c->ctx, st->text, strlen(st->text));
        if (to->text == NULL) return RG_ERR_MEMORY;
    }
    for (int k = 0; k < n; k++) {
        const rg_status status = rg_for_each_body(c, at, s, make_number, st->right->args[k]);
        if (status != RG_OK) return status == RG_ERR_SYNTAX ? RG_OK : status;
        if (p->n_drawn == to->first + k + 1) continue;
        rg_bad(c, st->right->args[k]->span, "not one formula for all indices of the 'for'");
        rg_bad_remedy(c, "draw the special elements in a line of their own");
        return RG_OK;
    }
    return RG_OK;
}

static rg_status add_group(compiler *c, const place *at, const space *s, int n,
                           const rg_statement *const *list)
{
    for (int k = 0; k < n && s->count > 0; k++)
        RG_TRY(add_shape(c, at, s, list[k]));
    return RG_OK;
}

rg_status rg_compile_drawings(compiler *c)
{
    return rg_walk_statements(c, RG_STATEMENT_DRAW, add_group);
}
