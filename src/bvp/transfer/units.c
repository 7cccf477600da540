/* Units of the states of a linear model, so that its own units do not matter.
 *
 * First from the equations alone, |A|/L + |B| summed over some times.  In these units a run with a
 * loose tolerance tells the largest value of every state: its unit. */
#include "bvp/transfer/judge.h"
#include "bvp/transfer/transfer_impl.h"
#include "bvp/transfer/tuning.h"
#include "bvp/tuning.h"

#include <math.h>
#include <string.h>

static rg_status add_coefficients(rg_linear *l, int m, double t, double length, double *room,
                                  double *N)
{
    const int square = m * m;

    RG_TRY(rg_linear_eval(l, t, room, NULL, room + square, room + 2 * square));
    for (int k = 0; k < square; k++)
        N[k] += fabs(room[k]) / length + fabs(room[square + k]);
    return RG_OK;
}

/* Factors of rows and columns that bring all entries of N near 1: least squares of their logarithms
 * (Curtis and Reid), by turns.  Unlike largest entries, these follow a change of units exactly. */
static void equilibrate(int m, double *N, double *row, double *unit)
{
    for (int k = 0; k < m * m; k++)
        N[k] = N[k] > 0.0 ? log(N[k]) : NAN;
    for (int j = 0; j < m; j++)
        unit[j] = 0.0;
    for (int pass = 0; pass < RG_TRANSFER_UNITS_PASSES; pass++) {
        for (int i = 0; i < m; i++) {
            double sum = 0.0;
            int count = 0;
            for (int j = 0; j < m; j++) {
                if (isnan(N[j * m + i])) continue;
                sum += N[j * m + i] + unit[j];
                count++;
            }
            row[i] = count > 0 ? -sum / count : 0.0;
        }
        for (int j = 0; j < m; j++) {
            double sum = 0.0;
            int count = 0;
            for (int i = 0; i < m; i++) {
                if (isnan(N[j * m + i])) continue;
                sum += N[j * m + i] + row[i];
                count++;
            }
            unit[j] = count > 0 ? -sum / count : 0.0;
        }
    }
    for (int j = 0; j < m; j++)
        unit[j] = exp(unit[j]);
}

/* Units from the coefficients; a time where they cannot be evaluated does not count. */
static rg_status balance(rg_problem *p, double t_end, rg_linear *l, double *unit)
{
    const int m = (int)rg_linear_states(l)->n_states;
    const size_t square = (size_t)m * (size_t)m;
    double *room = rg_alloc(p->ctx, 3 * square + (size_t)m, sizeof *room);
    rg_status status = RG_OK;

    if (room == NULL) return RG_ERR_MEMORY;
    double *N = room + 2 * square + (size_t)m;
    memset(N, 0, square * sizeof *N);
    for (int k = 0; k < RG_TRANSFER_UNITS_SAMPLES && status >= 0; k++) {
        const double x = (k + 0.5) / RG_TRANSFER_UNITS_SAMPLES;
        status = add_coefficients(l, m, p->a + x * (t_end - p->a), fabs(t_end - p->a), room, N);
    }
    if (status >= 0) equilibrate(m, N, room, unit);
    rg_free(p->ctx, room);
    return status < 0 ? status : RG_OK;
}

/* The size of the data in these units: |g|/|C| of the conditions, and f, rows scaled. */
static rg_status size_of_data(rg_transfer *t, double *size)
{
    rg_field *field = t->worker[0].field;

    *size = 0.0;
    for (int k = 0; k < t->n_groups; k++)
        for (int i = 0; i < t->groups[k].k; i++) {
            double length = 0.0;
            for (int j = 0; j < t->size; j++)
                length = hypot(length, t->groups[k].C[i * t->size + j]);
            if (length > 0.0) *size = fmax(*size, fabs(t->groups[k].g[i]) / length);
        }
    for (int k = 0; k < RG_TRANSFER_UNITS_SAMPLES; k++) {
        const double x = (k + 0.5) / RG_TRANSFER_UNITS_SAMPLES;
        const rg_status status = rg_field_force(field, t->low + x * (t->high - t->low));
        if (status < 0) return status;
        for (int i = 0; i < t->size && status == RG_OK; i++)
            *size = fmax(*size, fabs(field->f[i]));
    }
    if (!(*size > 0.0) || !isfinite(*size)) *size = 1.0;
    return RG_OK;
}

static void set_atol(rg_transfer *t, double atol)
{
    for (int k = 0; k < t->n_groups; k++) {
        if (t->groups[k].forward != NULL) t->groups[k].forward->options.atol = atol;
        if (t->groups[k].backward != NULL) t->groups[k].backward->options.atol = atol;
    }
}

/* The largest values over the nodes, in the units of the transfer; folded: of both halves. */
static rg_status largest_values(rg_transfer *t, double *size)
{
    const double *at, *y;
    int64_t n;

    memset(size, 0, (size_t)t->m * sizeof *size);
    RG_TRY(rg_transfer_mesh(t, &n, &at));
    for (int64_t k = 0; k < n; k += n / RG_TRANSFER_ESTIMATE_POINTS + 1) {
        if (at[k] < t->low || at[k] > t->high) continue;
        RG_TRY(rg_transfer_point(t, at[k], &y));
        for (int i = 0; i < t->size; i++)
            size[i % t->m] = fmax(size[i % t->m], fabs(y[i]));
    }
    return RG_OK;
}

/* The first run: units become sizes where it succeeds. */
static rg_status find_sizes(rg_problem *p, const rg_analysis *a, double t_end, const rg_options *o,
                            rg_transfer_scene *scene, double *size)
{
    double *unit = scene->unit;
    rg_options loose = *o;
    rg_transfer *t = NULL;
    double data = 1.0, most = 0.0;

    loose.rtol = loose.atol = fmax(RG_BVP_ROUGH_TOL, o->rtol);
    loose.step = loose.h_first = loose.h_max = 0.0;
    strcpy(loose.scheme, "auto");
    loose.stages = 0;
    rg_status status = rg_transfer_create_in(p, a, t_end, &loose, scene, &t);
    if (status == RG_OK) status = size_of_data(t, &data);
    if (status == RG_OK) {
        set_atol(t, loose.rtol * data);
        status = rg_transfer_run(t);
    }
    if (status == RG_OK) status = largest_values(t, size);
    const int m = t != NULL ? t->m : 0;
    for (int j = 0; j < m; j++) {
        unit[j] *= data;
        if (status == RG_OK) most = fmax(most, size[j] / data);
    }
    for (int j = 0; j < m && most > 0.0 && isfinite(most); j++)
        unit[j] *= fmax(size[j] / data, RG_TRANSFER_NO_SIZE * most);
    rg_transfer_destroy(&t);
    return status;
}

rg_status rg_transfer_units(rg_problem *p, const rg_analysis *a, double t_end, const rg_options *o,
                            rg_transfer_scene *scene)
{
    rg_linearity linearity;
    rg_linear *l = NULL;

    if (p->n_blocks == 0 || o->step > 0.0 || strcmp(o->variant, "auto") != 0
        || strcmp(o->initial, "8ab") == 0 || strcmp(o->scheme, "radau") == 0
        || strcmp(o->scheme, "bdf") == 0)
        return RG_OK;
    RG_TRY(rg_linearity_find(p, &linearity));
    if (!linearity.is_linear) return RG_OK;
    rg_status status = rg_linear_create(p->ctx, p, linearity.is_varying, &l);
    const size_t m = status == RG_OK ? (size_t)rg_linear_states(l)->n_states : 0;
    if (status == RG_OK && (scene->unit = rg_alloc(p->ctx, 2 * m + 1, sizeof(double))) == NULL)
        status = RG_ERR_MEMORY;
    if (status == RG_OK) status = balance(p, t_end, l, scene->unit);
    rg_linear_destroy(&l);
    if (status == RG_OK) {
        status = find_sizes(p, a, t_end, o, scene, scene->unit + m);
        if (status < 0 && status != RG_ERR_MEMORY && status != RG_ERR_INTERRUPTED) {
            rg_clear_error(p->ctx); /* the run proper will say what is wrong */
            status = RG_OK;
        }
    }
    const double ratio = o->atol != o->rtol ? o->atol / o->rtol : 0.0;
    for (size_t j = 0; j < m && status == RG_OK; j++)
        scene->unit[j] =
            fmin(fmax(scene->unit[j] + ratio, 1.0 / RG_TRANSFER_UNIT_MOST), RG_TRANSFER_UNIT_MOST);
    return status;
}
