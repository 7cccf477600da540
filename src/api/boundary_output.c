/* A solution of a boundary value problem as points and steps, like those of an integrator. */
#include "api/boundary.h"

#include "api/cache.h"

#include <math.h>
#include <string.h>

typedef struct {
    const rg_boundary *b;
    const rg_dense *dense;
    rg_solution *solution;
    const rg_request *request;
    int64_t next_time, n;
    double sign;
    double *y, *yp, *z, *powers, *level;
    double *residual;
    rg_assembly_work *drift;
} output;

/* sum_k a_k v^k and its derivative by Horner's rule. */
static void eval_powers(const output *o, int degree, double v, double h, double *y, double *yp)
{
    for (int64_t i = 0; i < o->n; i++) {
        double p = o->powers[degree * o->n + i], dp = 0.0;
        for (int k = degree - 1; k >= 0; k--) {
            dp = dp * v + p;
            p = p * v + o->powers[k * o->n + i];
        }
        y[i] = p;
        yp[i] = dp / h;
    }
}

/* Mesh point q: values with full accuracy, y' of algebraic unknowns from the polynomial of interval i. */
static void mesh_point(const output *o, int64_t q, int64_t i)
{
    const rg_bvp_form *f = o->b->form;
    const rg_curve *it = o->dense->it;

    eval_powers(o, rg_dense_degree(o->dense), q > i ? 1.0 : 0.0, it->t[i + 1] - it->t[i], o->y,
                o->yp);
    rg_bvp_form_point(f, o->dense->x + q * f->nx, o->dense->w + q * f->n, o->y, o->yp);
}

static rg_status note_drift(output *o, double t)
{
    const rg_drift *d = &o->b->form->drift;

    if (d->rows == NULL) return RG_OK;
    memcpy(o->z, o->y, (size_t)o->n * sizeof(double));
    memcpy(o->z + o->n, o->yp, (size_t)o->n * sizeof(double));
    const rg_status status = rg_assembly_residual(d->rows, o->drift, t, o->z, o->residual);
    if (status < 0) return status;
    memset(o->level, 0, (size_t)d->n_levels * sizeof(double));
    for (int64_t k = 0; k < d->n_rows && status == RG_OK; k++)
        o->level[d->level[k]] = fmax(o->level[d->level[k]], fabs(o->residual[k]));
    if (status == RG_OK) rg_solution_take_drift(o->solution, o->level);
    return RG_OK;
}

static rg_status call_output(const output *o, double t)
{
    const rg_request *r = o->request;

    if (r->output == NULL) return RG_OK;
    return r->output(t, o->y, o->yp, r->user) != 0 ? RG_STOPPED : RG_OK;
}

/* Chosen times inside interval i; y and yp are used up. */
static rg_status put_times(output *o, int64_t i)
{
    const rg_request *r = o->request;
    const double *t = o->dense->it->t, h = t[i + 1] - t[i];

    for (; r->times != NULL && o->next_time < r->n_times; o->next_time++) {
        const double at = r->times[o->next_time];
        if (o->sign * at > o->sign * t[i + 1]) break;
        if (at == t[i] || at == t[i + 1])
            mesh_point(o, at == t[i] ? i : i + 1, i);
        else
            eval_powers(o, rg_dense_degree(o->dense), (at - t[i]) / h, h, o->y, o->yp);
        RG_TRY(rg_solution_point(o->solution, at, o->y, o->yp));
    }
    return RG_OK;
}

static rg_status put_interval(output *o, int64_t i)
{
    const double *t = o->dense->it->t;

    rg_dense_powers(o->dense, o->b->form, i, o->powers);
    if (i == 0) {
        mesh_point(o, 0, 0);
        RG_TRY(rg_solution_start(o->solution, t[0], o->y, o->yp));
        RG_TRY(note_drift(o, t[0]));
        RG_TRY(call_output(o, t[0]));
    }
    mesh_point(o, i + 1, i);
    const rg_step step = {.t0 = t[i],
                          .t1 = t[i + 1],
                          .y = o->y,
                          .yp = o->yp,
                          .degree = rg_dense_degree(o->dense),
                          .coefficients = o->powers};
    RG_TRY(rg_solution_accept(o->solution, &step));
    RG_TRY(note_drift(o, t[i + 1]));
    RG_TRY(call_output(o, t[i + 1]));
    return put_times(o, i);
}

static rg_status take_memory(output *o)
{
    rg_context *ctx = o->b->form->ctx;
    const rg_drift *d = &o->b->form->drift;
    const size_t n = (size_t)o->n;

    o->y = rg_alloc(ctx, n + 1, sizeof(double));
    o->yp = rg_alloc(ctx, n + 1, sizeof(double));
    o->z = rg_alloc(ctx, 2 * n + 1, sizeof(double));
    o->powers = rg_alloc(ctx, (size_t)(rg_dense_degree(o->dense) + 1) * n + 1, sizeof(double));
    o->level = rg_alloc(ctx, (size_t)d->n_levels + 1, sizeof(double));
    o->residual = rg_alloc(ctx, (size_t)d->n_rows + 1, sizeof(double));
    if (!o->y || !o->yp || !o->z || !o->powers || !o->level || !o->residual) return RG_ERR_MEMORY;
    return d->rows != NULL ? rg_assembly_work_create(d->rows, &o->drift) : RG_OK;
}

static void release(output *o)
{
    rg_context *ctx = o->b->form->ctx;

    rg_assembly_work_destroy(&o->drift);
    rg_free(ctx, o->y);
    rg_free(ctx, o->yp);
    rg_free(ctx, o->z);
    rg_free(ctx, o->powers);
    rg_free(ctx, o->level);
    rg_free(ctx, o->residual);
}

static rg_status make_solution(rg_problem *p, output *o, rg_solution **out)
{
    const rg_bvp_form *f = o->b->form;
    rg_layout *layout = NULL;

    RG_TRY(rg_layout_create(p->ctx, f->states.n_states, f->n, f->states.n_orders, &layout));
    for (int r = 0; r < f->states.n_orders; r++)
        for (int j = 0; j < f->n; j++)
            layout->place[r][j] = f->states.column[r][j];
    RG_TRY(rg_solution_create(p, &layout, f->drift.n_levels, o->request, out));
    strcpy((*out)->method, "collocation");
    (*out)->structure = rg_structure_of(p, f->a);
    o->solution = *out;
    return RG_OK;
}

rg_status rg_boundary_write(rg_problem *p, const rg_boundary *b,
                            const rg_collocation_result *result, const rg_request *r,
                            rg_solution **out)
{
    rg_dense *dense = NULL;
    const rg_curve *it = result->solution;
    output o = {.b = b, .request = r, .n = b->form->states.n_states};

    RG_TRY(rg_dense_create(b->form, it, true, &dense));
    o.dense = dense;
    o.sign = it->t[it->N] > it->t[0] ? 1.0 : -1.0;
    rg_status status = take_memory(&o);
    if (status == RG_OK) status = make_solution(p, &o, out);
    for (int64_t i = 0; i < it->N && status == RG_OK; i++)
        status = put_interval(&o, i);
    for (int k = 0; k < result->places.n && status == RG_OK; k++)
        status =
            rg_solution_add_singular(*out, result->places.place[k].t, result->places.place[k].lost);
    if (*out != NULL) {
        const rg_status closed = rg_solution_finish(*out);
        if (status == RG_OK) status = closed;
        (*out)->stats = result->stats;
        (*out)->estimate = result->estimate;
    }
    release(&o);
    rg_dense_destroy(&dense);
    return status;
}
