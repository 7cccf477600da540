/* A solution by collocation as points and steps, like those of an integrator. */
#include "bvp/boundary.h"
#include "bvp/outputs.h"

#include "bvp/collocation/tuning.h"
#include "curve/writer.h"
#include "linalg/powers.h"

#include <math.h>
#include <string.h>

typedef struct {
    const rg_bvp_form *f;
    rg_collocation_dense *dense;
    rg_writer writer;
    double *y, *yp, *z, *powers, *residual;
    const rg_places *places;
    rg_collocation_dense *second; /* to compare outputs with; NULL: nothing is compared */
    rg_bvp_outputs outputs;
    double *w, *wp, *second_powers;
    rg_assembly_work *drift;
} output;

/* Mesh point q: values with full accuracy, y' of algebraic unknowns from the polynomial of
 * interval i. */
static void mesh_point(const output *o, int64_t q, int64_t i)
{
    const rg_bvp_form *f = o->f;
    const double *t = o->dense->it->t + i;

    rg_powers_eval(rg_collocation_dense_degree(o->dense), f->states.n_states, o->powers,
                   q > i ? 1.0 : 0.0, t[1] - t[0], o->y, o->yp);
    rg_bvp_form_point(f, o->dense->x + q * f->nx, o->dense->w + (2 * q + 1) * f->n, o->y, o->yp);
}

/* A row beside the second solution.  At a singular place algebraic unknowns need not exist. */
static rg_status compare(void *user, double t, const double *y, const double *yp)
{
    output *o = user;
    const rg_bvp_form *f = o->f;
    const int64_t i = rg_curve_find(o->second->it, t);
    const double *mesh = o->second->it->t + i, h = mesh[1] - mesh[0];
    const int64_t q = t == mesh[0] ? i : i + 1;

    if (rg_places_inside(o->places, mesh[0], mesh[1]) >= 0) return RG_OK;
    rg_collocation_dense_powers(o->second, f, i, o->second_powers);
    rg_powers_eval(rg_collocation_dense_degree(o->second), f->states.n_states, o->second_powers,
                   (t - mesh[0]) / h, h, o->w, o->wp);
    if (t == mesh[0] || t == mesh[1])
        rg_bvp_form_point(f, o->second->x + q * f->nx, o->second->w + (2 * q + 1) * f->n, o->w,
                          o->wp);
    return rg_bvp_outputs_look(&o->outputs, t, y, yp, o->w, o->wp);
}

static rg_status find_drift(void *user, double t, const double *y, const double *yp, double *level)
{
    const output *o = user;
    const rg_drift *d = &o->f->drift;
    const size_t n = (size_t)o->f->states.n_states;

    memset(level, 0, (size_t)d->n_levels * sizeof *level);
    memcpy(o->z, y, n * sizeof *y);
    memcpy(o->z + n, yp, n * sizeof *yp);
    const rg_status status = rg_assembly_residual(d->rows, o->drift, t, o->z, o->residual);
    for (int64_t k = 0; k < d->n_rows && status == RG_OK; k++)
        level[d->level[k]] = fmax(level[d->level[k]], fabs(o->residual[k]));
    return status < 0 ? status : RG_OK;
}

static rg_status put_interval(output *o, int64_t i)
{
    const double *t = o->dense->it->t;

    rg_collocation_dense_powers(o->dense, o->f, i, o->powers);
    if (i == 0) {
        mesh_point(o, 0, 0);
        RG_TRY(rg_writer_start(&o->writer, t[0], o->y, o->yp));
        const bool is_row = o->writer.request->n_times == 0 || o->writer.next_time > 0;
        if (o->second != NULL && is_row) RG_TRY(compare(o, t[0], o->y, o->yp));
    }
    mesh_point(o, i + 1, i);
    const rg_solution_step step = {.t0 = t[i],
                                   .t1 = t[i + 1],
                                   .y = o->y,
                                   .yp = o->yp,
                                   .degree = rg_collocation_dense_degree(o->dense),
                                   .coefficients = o->powers};
    return rg_writer_step(&o->writer, &step);
}

static rg_status take_memory(output *o)
{
    rg_context *ctx = o->f->ctx;
    const rg_drift *d = &o->f->drift;
    const size_t n = (size_t)o->f->states.n_states;

    o->y = rg_alloc(ctx, 4 * n + 1, sizeof *o->y);
    o->powers = rg_alloc(ctx, (size_t)(rg_collocation_dense_degree(o->dense) + 1) * n + 1,
                         sizeof *o->powers);
    o->residual = rg_alloc(ctx, (size_t)d->n_rows + 1, sizeof *o->residual);
    if (!o->y || !o->powers || !o->residual) return RG_ERR_MEMORY;
    o->yp = o->y + n;
    o->z = o->yp + n;
    return d->rows != NULL ? rg_assembly_work_create(d->rows, &o->drift) : RG_OK;
}

static void release(output *o)
{
    rg_context *ctx = o->f->ctx;

    rg_assembly_work_destroy(&o->drift);
    rg_free(ctx, o->y);
    rg_free(ctx, o->powers);
    rg_free(ctx, o->residual);
    rg_free(ctx, o->w);
    rg_bvp_outputs_clear(&o->outputs);
    rg_collocation_dense_destroy(&o->second);
    rg_collocation_dense_destroy(&o->dense);
}

static rg_status make_solution(rg_problem *p, output *o, const rg_request *r, rg_solution **out)
{
    const rg_bvp_form *f = o->f;
    rg_layout *layout = NULL;

    RG_TRY(rg_layout_from(p->ctx, f->states.n_states, f->n, f->states.n_orders, f->states.column,
                          &layout));
    o->writer.user = o;
    if (f->drift.rows != NULL) o->writer.drift = find_drift;
    return rg_writer_open(&o->writer, p, &layout, f->drift.n_levels, r, out);
}

/* The largest values of the unknowns at mesh points. */
static rg_status find_sizes(const output *o, double **size)
{
    const rg_bvp_form *f = o->f;
    const rg_curve *it = o->dense->it;

    *size = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof **size);
    if (*size == NULL) return RG_ERR_MEMORY;
    for (int64_t q = 0; q <= it->N; q++)
        for (int j = 0; j < f->n; j++) {
            const double value =
                f->d[j] > 0 ? o->dense->x[q * f->nx + f->first[j]] : o->dense->w[2 * q * f->n + j];
            if (isfinite(value)) (*size)[j] = fmax((*size)[j], fabs(value));
        }
    return RG_OK;
}

static rg_status init_outputs(output *o, const rg_options *options, const rg_solution *s)
{
    const rg_curve *it = o->dense->it;
    double *size = NULL;

    rg_status status = rg_bvp_outputs_any(s->problem) ? find_sizes(o, &size) : RG_OK;
    if (status == RG_OK)
        status = rg_bvp_outputs_init(s, options, size, fabs(it->t[it->N] - it->t[0]), &o->outputs);
    rg_free(o->f->ctx, size);
    return status;
}

static rg_status prepare_second(output *o, rg_bvp_form *f, const rg_collocation_result *result,
                                const rg_options *options, const rg_solution *s)
{
    const size_t n = (size_t)f->states.n_states;

    if (result->second == NULL) return RG_OK;
    RG_TRY(init_outputs(o, options, s));
    if (o->outputs.z == NULL) return RG_OK;
    RG_TRY(rg_collocation_dense_create(f, result->second, true, &o->second));
    const size_t powers = (size_t)(rg_collocation_dense_degree(o->second) + 1) * n;
    o->w = rg_alloc(f->ctx, 2 * n + powers + 1, sizeof *o->w);
    if (o->w == NULL) return RG_ERR_MEMORY;
    o->wp = o->w + n;
    o->second_powers = o->wp + n;
    o->writer.seen = compare;
    return RG_OK;
}

/* Outputs at the mesh points and between them. */
static rg_status compare_interval(output *o, int64_t i)
{
    const double *t = o->dense->it->t + i;

    rg_collocation_dense_powers(o->dense, o->f, i, o->powers);
    for (int k = 0; k <= RG_INTERVAL_SAMPLES; k++) {
        const double v = (double)k / RG_INTERVAL_SAMPLES, h = t[1] - t[0];
        rg_powers_eval(rg_collocation_dense_degree(o->dense), o->f->states.n_states, o->powers, v,
                       h, o->y, o->yp);
        const bool is_end = k == 0 || k == RG_INTERVAL_SAMPLES;
        if (is_end) mesh_point(o, k == 0 ? i : i + 1, i);
        RG_TRY(compare(o, k == 0 ? t[0] : is_end ? t[1] : t[0] + v * h, o->y, o->yp));
    }
    return RG_OK;
}

rg_status rg_boundary_outputs_error(rg_problem *p, const rg_boundary *b,
                                    const rg_collocation_result *result, const rg_options *options,
                                    double *worst)
{
    output o = {.f = b->form, .places = &result->places};
    const rg_request none = {0};
    rg_solution *s = NULL;

    *worst = 0.0;
    if (!rg_bvp_outputs_any(p) || result->second == NULL) return RG_OK;
    RG_TRY(rg_collocation_dense_create(b->form, result->solution, true, &o.dense));
    rg_status status = take_memory(&o);
    if (status == RG_OK) status = make_solution(p, &o, &none, &s);
    if (status == RG_OK) status = prepare_second(&o, b->form, result, options, s);
    for (int64_t i = 0; i < result->solution->N && status == RG_OK && o.second != NULL; i++)
        status = compare_interval(&o, i);
    *worst = o.outputs.worst;
    status = rg_writer_close(&o.writer, status, 0, NULL);
    release(&o);
    rg_solution_destroy(&s);
    return status;
}

rg_status rg_boundary_write(rg_problem *p, const rg_boundary *b,
                            const rg_collocation_result *result, const rg_options *options,
                            const rg_request *r, rg_solution **out)
{
    output o = {.f = b->form, .places = &result->places};

    RG_TRY(rg_collocation_dense_create(b->form, result->solution, true, &o.dense));
    rg_status status = take_memory(&o);
    if (status == RG_OK) status = make_solution(p, &o, r, out);
    if (status == RG_OK) status = prepare_second(&o, b->form, result, options, *out);
    for (int64_t i = 0; i < result->solution->N && status == RG_OK; i++)
        status = put_interval(&o, i);
    status = rg_writer_close(&o.writer, status, result->places.n, result->places.place);
    if (*out != NULL) {
        (*out)->stats = result->stats;
        (*out)->estimate = result->estimate;
    }
    if (status == RG_OK) status = rg_bvp_outputs_judge(&o.outputs, 1.0, options, *out);
    release(&o);
    return status;
}
