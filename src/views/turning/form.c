/* Is a boundary value model of the form  -eps u'' - b(x, u) u' + c(x, u) = 0,  and if so, with what
 * eps, b and c?  Coefficients are derivatives of the expression graph; that they do not depend on
 * u' and u'' is seen on the graph or, where terms cancel that the simplifier does not join, at
 * points. */
#include "views/turning/tuning.h"
#include "views/turning/turning_impl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

rg_status rg_turning_refuse(rg_turning *v, rg_turning_fault fault, rg_span span, const char *format,
                            ...)
{
    va_list list;

    if (v->fault != RG_TURNING_IS_FORM) return RG_OK;
    v->fault = fault;
    v->span = span;
    va_start(list, format);
    vsnprintf(v->reason, sizeof v->reason, format, list);
    va_end(list);
    return RG_OK;
}

/* ---- the equation, and the pair w = k u' ----------------------------------------------------- */

static rg_status open_row(const rg_problem *p, int64_t row, rg_turning_row *r)
{
    int block, output;
    int64_t iteration;

    rg_row_place(p, row, &block, &output, &iteration);
    const rg_body *body = p->blocks[block].body;
    *r = (rg_turning_row){.body = body, .iteration = iteration};
    RG_TRY(rg_graph_copy(p->ctx, body->graph, &r->graph));
    r->F = body->outputs[output];
    return RG_OK;
}

/* Points at which dependences are looked for: numbers without any pattern. */
static rg_turning_at sample(const rg_turning *v, int k, bool has_slopes)
{
    const double part = fmod(0.381966 + 0.618034 * k, 1.0);
    rg_turning_at at = {.x = v->low + (v->high - v->low) * part};

    for (int j = 0; j < 2; j++)
        for (int r = 0; r < RG_TURNING_ORDERS; r++)
            at.z[j][r] = sin(1.0 + 3.7 * k + 1.3 * j + 2.1 * r) + 0.3;
    for (int j = 0; j < 2 && !has_slopes; j++)
        for (int r = 0; r < RG_TURNING_ORDERS; r++)
            if (r > 0 || j != v->unknown) at.z[j][r] = 0.0;
    return at;
}

enum { SAMPLES = 6 };

static bool is_near(double a, double b)
{
    return fabs(a - b) <= RG_TURNING_SAME * (fabs(a) + fabs(b)) || a == b;
}

/* Is row F = alpha u' + beta w with numbers alpha and beta, w = -(alpha/beta) u'? */
static rg_status is_pair(const rg_turning *v, const rg_turning_row *r, int64_t u, int64_t w,
                         bool *yes, double *factor)
{
    const rg_node nodes[] = {r->F, rg_turning_partial(r, r->F, u, 1),
                             rg_turning_partial(r, r->F, w, 0)};
    rg_turning_at at[SAMPLES];
    double out[SAMPLES * 3];
    bool is_finite;

    *yes = false;
    for (int k = 0; k < SAMPLES; k++)
        at[k] = sample(v, k, true);
    RG_TRY(rg_graph_status(r->graph));
    RG_TRY(rg_turning_once(v->ctx, r, 3, nodes, SAMPLES, at, out, &is_finite));
    if (!is_finite || out[1] == 0.0 || out[2] == 0.0) return RG_OK;
    for (int k = 0; k < SAMPLES; k++) {
        const double *o = out + 3 * k;
        const double du = out[1] * at[k].z[u][1], dw = out[2] * at[k].z[w][0];
        if (!is_near(o[1], out[1]) || !is_near(o[2], out[2])
            || fabs(o[0] - du - dw) > RG_TURNING_SAME * (fabs(du) + fabs(dw)))
            return RG_OK;
    }
    *yes = true;
    *factor = -out[1] / out[2];
    return RG_OK;
}

/* Which of two unknowns is u, and which row is the pair's.  *row: the other one, -1: no pair. */
static rg_status find_pair(rg_turning *v, int64_t *row)
{
    *row = -1;
    for (int64_t i = 0; i < 2 && *row < 0; i++) {
        rg_turning_row r = {0};
        bool yes = false;
        rg_status status = open_row(v->p, i, &r);
        for (int64_t u = 0; u < 2 && status == RG_OK && !yes; u++) {
            status = is_pair(v, &r, u, 1 - u, &yes, &v->factor);
            if (!yes) continue;
            v->unknown = u;
            v->slope = 1 - u;
            *row = 1 - i;
        }
        rg_graph_destroy(&r.graph);
        RG_TRY(status);
    }
    return RG_OK;
}

static const rg_span nowhere = {0, 0};

/* A model of the right size: one unknown with u'', or two with first derivatives, no sums. */
static bool has_shape(const rg_problem *p)
{
    if (!p->is_boundary || p->n_blocks == 0 || p->form != NULL || p->n_rows != p->n) return false;
    if (!(p->n == 1 && p->max_order == 2) && !(p->n == 2 && p->max_order == 1)) return false;
    for (int k = 0; k < p->n_blocks; k++)
        if (p->blocks[k].body->n_sums > 0) return false;
    for (int k = 0; k < p->n_families; k++)
        if (p->families[k].is_constant) return false;
    return true;
}

/* ---- coefficients ---------------------------------------------------------------------------- */

static rg_node join(const rg_turning *v, const rg_turning_row *r, rg_node a, rg_node b)
{
    const rg_node k = rg_graph_const(r->graph, v->factor);

    return rg_graph_binary(r->graph, RG_OP_ADD, a, rg_graph_binary(r->graph, RG_OP_MUL, k, b));
}

static void coefficients(const rg_turning *v, const rg_turning_row *r, rg_node *A, rg_node *B)
{
    const int64_t u = v->unknown, w = v->slope;

    *A = rg_turning_partial(r, r->F, u, 2);
    *B = rg_turning_partial(r, r->F, u, 1);
    if (w < 0) return;
    *A = join(v, r, *A, rg_turning_partial(r, r->F, w, 1));
    *B = join(v, r, *B, rg_turning_partial(r, r->F, w, 0));
}

/* Do A and B stay the same when u' and u'' change, and A also when x and u do?  w = factor u'. */
static rg_status check_form(rg_turning *v, const rg_turning_row *r, rg_node A, rg_node B,
                            rg_span span)
{
    const rg_node nodes[] = {A, B, r->F};
    rg_turning_at at[2 * SAMPLES];
    double out[6 * SAMPLES];
    bool is_finite;
    char name[64];

    for (int k = 0; k < SAMPLES; k++) {
        at[2 * k] = sample(v, k, false);
        at[2 * k + 1] = at[2 * k];
        const rg_turning_at s = sample(v, k, true);
        double(*const z)[RG_TURNING_ORDERS] = at[2 * k + 1].z;
        z[v->unknown][1] = s.z[v->unknown][1];
        z[v->unknown][2] = s.z[v->unknown][2];
        if (v->slope >= 0) z[v->slope][0] = v->factor * s.z[v->unknown][1];
        if (v->slope >= 0) z[v->slope][1] = v->factor * s.z[v->unknown][2];
    }
    RG_TRY(rg_turning_once(v->ctx, r, 3, nodes, 2 * SAMPLES, at, out, &is_finite));
    rg_variable_name(v->p, v->unknown, 1, name, sizeof name);
    if (!is_finite)
        return rg_turning_refuse(v, RG_TURNING_NO_FORM, span,
                                 "its coefficients cannot be evaluated where %s = 0", name);
    for (int k = 0; k < SAMPLES; k++) {
        const double *o = out + 6 * k, *s = o + 3;
        const rg_turning_at *p = &at[2 * k + 1];
        const double second = o[0] * p->z[v->unknown][2], first = o[1] * p->z[v->unknown][1];
        if (!is_near(o[0], s[0]) || !is_near(o[1], s[1])
            || fabs(s[2] - second - first - o[2])
                   > RG_TURNING_SAME * (fabs(second) + fabs(first) + fabs(o[2])))
            return rg_turning_refuse(v, RG_TURNING_NO_FORM, span,
                                     "the equation is not linear in %s and %s'", name, name);
        if (!is_near(o[0], out[0]))
            return rg_turning_refuse(v, RG_TURNING_NO_EPS, span,
                                     "the coefficient of %s' is not constant", name);
    }
    v->eps = fabs(out[0]);
    v->sign = out[0] < 0.0 ? -1.0 : 1.0;
    if (v->eps == 0.0)
        return rg_turning_refuse(v, RG_TURNING_NO_EPS, span, "the coefficient of %s' is 0", name);
    return RG_OK;
}

static rg_status find_inputs(const rg_turning *v, const rg_turning_row *r, rg_turning_tape *t)
{
    const rg_turning_at nothing = {0};

    t->n_inputs = rg_tape_input_count(t->tape);
    t->inputs = rg_alloc(v->ctx, (size_t)t->n_inputs + 1, sizeof *t->inputs);
    t->is_u = rg_alloc(v->ctx, (size_t)t->n_inputs + 1, sizeof *t->is_u);
    if (t->inputs == NULL || t->is_u == NULL) return RG_ERR_MEMORY;
    for (int k = 0; k < t->n_inputs; k++) {
        const rg_tape_input in = rg_tape_input_at(t->tape, k);
        t->inputs[k] = rg_turning_input(r, in, &nothing);
        t->is_u[k] = in.op == RG_OP_VAR && in.order == 0
                     && rg_map_at(&r->body->slots[in.slot].map, r->iteration) == v->unknown;
    }
    return RG_OK;
}

/* The tapes: b alone; b, c; with first derivatives; with second ones.  d/dx is the total
 * derivative with all derivatives of unknowns zero. */
static rg_status compile(rg_turning *v)
{
    const rg_turning_row row = {v->body, v->graph, v->F, v->iteration}, *r = &row;
    const rg_node B = v->B;
    static const int count[] = {1, 2, 6, RG_TURNING_OUTPUTS};
    rg_graph *g = r->graph;
    const int64_t u = v->unknown;
    const rg_node C = r->F, B_x = rg_graph_total(g, B), C_x = rg_graph_total(g, C),
                  C_u = rg_turning_partial(r, C, u, 0);
    const rg_node nodes[RG_TURNING_OUTPUTS] = {B,
                                               C,
                                               B_x,
                                               rg_turning_partial(r, B, u, 0),
                                               C_x,
                                               C_u,
                                               rg_graph_total(g, B_x),
                                               rg_turning_partial(r, B_x, u, 0),
                                               rg_graph_total(g, C_x),
                                               rg_turning_partial(r, C_x, u, 0),
                                               rg_turning_partial(r, C_u, u, 0)};
    size_t most = 0;

    RG_TRY(rg_graph_status(g));
    for (int k = 0; k < 4; k++) {
        RG_TRY(rg_tape_create(v->ctx, g, count[k], nodes, &v->tape[k].tape));
        if (rg_tape_workspace(v->tape[k].tape) > most) most = rg_tape_workspace(v->tape[k].tape);
        v->tape[k].n_outputs = count[k];
        RG_TRY(find_inputs(v, r, &v->tape[k]));
    }
    v->work = rg_alloc(v->ctx, most + 1, sizeof *v->work);
    return v->work != NULL ? RG_OK : RG_ERR_MEMORY;
}

static rg_status read_equation(rg_turning *v)
{
    int64_t row = 0;
    rg_turning_row r = {0};
    rg_node A, B;

    if (v->p->n == 2) {
        RG_TRY(find_pair(v, &row));
        if (row < 0)
            return rg_turning_refuse(v, RG_TURNING_NO_FORM, nowhere,
                                     "it has two unknowns, and no equation says that one is the "
                                     "derivative of the other");
    }
    rg_status status = open_row(v->p, row, &r);
    v->graph = r.graph;
    RG_TRY(status);
    v->body = r.body;
    v->iteration = r.iteration;
    coefficients(v, &r, &A, &B);
    v->F = r.F;
    v->B = B;
    RG_TRY(rg_graph_status(r.graph));
    return check_form(v, &r, A, B, rg_row_span(v->p, row));
}

static bool is_zero(const rg_turning *v, rg_node node)
{
    const rg_graph_node *n = rg_graph_at(v->graph, node);

    return n->op == RG_OP_CONST && n->value == 0.0;
}

/* b, c and the zeros of b. */
static rg_status look_at_wind(rg_turning *v)
{
    if (is_zero(v, v->B))
        return rg_turning_refuse(v, RG_TURNING_NO_WIND, nowhere,
                                 "the first derivative has no coefficient");
    RG_TRY(compile(v));
    return rg_turning_find_points(v);
}

rg_status rg_turning_create(const rg_problem *p, double a, double b, rg_turning **out)
{
    rg_turning *v = *out = rg_alloc(p->ctx, 1, sizeof *v);
    rg_status status = RG_OK;

    if (v == NULL) return RG_ERR_MEMORY;
    v->ctx = p->ctx;
    v->p = p;
    v->slope = -1;
    v->low = fmin(a, b);
    v->high = fmax(a, b);
    if (!has_shape(p))
        status = rg_turning_refuse(v, RG_TURNING_NO_FORM, nowhere,
                                   p->n == 1 && p->max_order == 1
                                       ? "it has no second derivative; a coefficient eps = 0 "
                                         "leaves none"
                                       : "it is not one equation of second order with boundary "
                                         "values");
    if (v->fault == RG_TURNING_IS_FORM) status = read_equation(v);
    if (status == RG_OK && v->fault == RG_TURNING_IS_FORM) status = rg_turning_conditions(v, a, b);
    if (status == RG_OK && v->fault == RG_TURNING_IS_FORM) status = look_at_wind(v);
    if (status != RG_OK) rg_turning_destroy(out);
    return status;
}

void rg_turning_destroy(rg_turning **view)
{
    rg_turning *v = *view;

    if (v == NULL) return;
    for (int k = 0; k < 4; k++) {
        rg_tape_destroy(&v->tape[k].tape);
        rg_free(v->ctx, v->tape[k].inputs);
        rg_free(v->ctx, v->tape[k].is_u);
    }
    rg_graph_destroy(&v->graph);
    rg_free(v->ctx, v->work);
    rg_free(v->ctx, v);
    *view = NULL;
}
