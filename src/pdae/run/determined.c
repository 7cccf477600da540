/* Scalars that one solve determines: elliptic equations, transport without a time derivative, and
 * steps of implicit transport,
 *
 *     phi (c - old)/k = R(c) = -div(flux) + g,     k = infinity without a time derivative.
 *
 * Newton's iteration with a simplified matrix: two-point diffusion, upwind convection, dg/dc,
 *
 *     (phi/k + A) d = R(c) - phi (c - old)/k,     c <- c + d,
 *
 * so that cross terms of a tensor, limited convection and coefficients that depend on c are as in
 * explicit steps when it ends. */
#include "base/vector.h"
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/run/tuning.h"
#include "pdae/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* area k/gap of n faces of a row; across another axis than x the area has the width of the cell,
 * across x the gap varies. */
RG_FOR_ALL_VECTORS
static void face_row(int n, double area, const double *width, const double *gap, double wide,
                     const double *k, const double *D, double *restrict T)
{
    for (int i = 0; i < n; i++) {
        const double of = (k ? k[i] : 0.0) + (D ? D[i] : 0.0);
        T[i] = (width ? area * width[i] : area) * of / (gap ? gap[i] : wide);
    }
}

/* A side with a given value lies at half the distance; through the others nothing is conducted. */
static void change_sides(rg_run_part *p, int d)
{
    const rg_grid *g = p->run->grid;
    const int e1 = (d + 1) % RG_AXES, e2 = (d + 2) % RG_AXES;

    for (int end = 0; end < 2; end++)
        for (int b = 0; rg_axis_is_side(&g->axis[d], end) && b < g->axis[e2].n; b++)
            for (int a = 0; a < g->axis[e1].n; a++) {
                const int64_t at = g->origin + a * g->stride[e1] + b * g->stride[e2];
                p->T[d][at + (end ? g->axis[d].n * g->stride[d] : 0)] *=
                    p->scalar.side[2 * d + end] == RG_SCALAR_VALUE ? 2.0 : 0.0;
            }
}

/* Transmissibilities of the two-point part. */
static void find_transmissibility(rg_run_part *p)
{
    const rg_grid *g = p->run->grid;
    int end[RG_AXES];

    for (int d = 0; d < g->dims; d++) {
        const double *k = p->terms.k ? p->k[d] : NULL,
                     *D = p->terms.D ? p->D[d * g->dims + d] : NULL;
        for (int e = 0; e < RG_AXES; e++)
            end[e] = g->axis[e].n + (e == d);
        for (int z = 0; z < end[2]; z++)
            for (int j = 0; j < end[1]; j++) {
                const int index[RG_AXES] = {0, j, z};
                const int64_t at = rg_grid_at(g, 0, j, z);
                double area = 1.0;
                for (int e = 1; e < g->dims; e++)
                    if (e != d) area *= g->axis[e].width[index[e]];
                face_row(end[0], area, d == 0 ? NULL : g->axis[0].width,
                         d == 0 ? g->axis[0].gap : NULL, g->axis[d].gap[index[d]],
                         k ? k + at : NULL, D ? D + at : NULL, p->T[d] + at);
                for (int i = 0; g->solid && i < end[0]; i++)
                    if (g->solid[at + i] || g->solid[at + i - g->stride[d]]) p->T[d][at + i] = 0.0;
            }
        change_sides(p, d);
    }
}

static bool reads_itself(const rg_run_part *p, const rg_quantity *q)
{
    for (int k = 0; q && k < q->n_inputs; k++)
        if (p->run->form->leaves[q->inputs[k]].field == p->eq->field) return true;
    return false;
}

/* A field that has died away is rounding: its differences follow what it was. */
double rg_run_size(const rg_run_part *p, double now)
{
    const double least = fmax(DBL_EPSILON * p->size, DBL_MIN / DBL_EPSILON);

    return now > least ? now : p->size > least ? p->size : 1.0;
}

/* phi/k - dg/dc, and the walls of solids with a value, all times the volume, into p->s.
 * *indefinite: g grows with c somewhere. */
static rg_status find_diagonal(rg_run_part *p, double t, double k, bool *indefinite)
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    const bool own = reads_itself(p, p->eq->force[0]);
    double size = 0.0;

    *indefinite = false;
    p->has_s = rg_grid_any(g, own || isfinite(k) || p->scalar.n_contacts > 0 || p->steep);
    if (!p->has_s) return RG_OK; /* p->s is 0 as it always was */
    for (int64_t at = 0; own && at < g->size; at++)
        size = fmax(size, isfinite(p->c[at]) ? fabs(p->c[at]) : 0.0);
    rg_grid_most(g, 1, &size);
    const double h = cbrt(DBL_EPSILON) * rg_run_size(p, size); /* of a central difference */
    if (!p->is_carried) p->size = fmax(p->size, size);
    if (own) {
        for (int64_t at = 0; at < g->size; at++)
            p->c[at] += h;
        RG_TRY(rg_run_at_cells(r, p->eq->force[0], t, p->cells));
        for (int64_t at = 0; at < g->size; at++)
            p->c[at] -= 2.0 * h;
        RG_TRY(rg_run_at_cells(r, p->eq->force[0], t, p->flux));
        for (int64_t at = 0; at < g->size; at++)
            p->c[at] += h;
    }
    for (int z = 0; z < g->axis[2].n; z++)
        for (int j = 0; j < g->axis[1].n; j++)
            for (int i = 0; i < g->axis[0].n; i++) {
                const int64_t at = rg_grid_at(g, i, j, z);
                const double slope = own ? (p->cells[at] - p->flux[at]) / (2.0 * h) : 0.0;
                if (g->solid && g->solid[at]) continue;
                if (slope > 0.0) *indefinite = true;
                p->s[at] = rg_grid_volume(g, i, j, z) * (p->storage[at] / k - slope);
            }
    for (int64_t m = 0; m < p->scalar.n_contacts; m++) {
        const rg_scalar_contact *contact = &p->scalar.contact[m];
        double D = p->terms.k ? p->k[contact->axis][contact->face] : 0.0;
        if (p->terms.D) D += p->D[contact->axis * g->dims + contact->axis][contact->face];
        if (contact->kind == RG_SCALAR_VALUE && !contact->is_other)
            p->s[contact->cell] += D * contact->area / contact->half;
    }
    if (p->steep) RG_TRY(rg_run_exchange_slopes(p, t, indefinite));
    *indefinite = rg_grid_any(g, *indefinite);
    return RG_OK;
}

/* Without a given value the sources must sum to zero. */
static rg_status check_level(rg_run_part *p)
{
    const rg_grid *g = p->run->grid;
    double sum[2] = {0.0, 0.0}; /* of the numbers, and of their sizes */

    if (!rg_elliptic_is_singular(p->elliptic)) return RG_OK;
    for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);) {
        sum[0] += p->right[w.at];
        sum[1] += fabs(p->right[w.at]);
    }
    rg_grid_sum(g, 2, sum);
    if (fabs(sum[0]) <= RG_GRID_SOLVER_TOL * sum[1]) return RG_OK;
    rg_fail(p->run->ctx, RG_ERR_INCONSISTENT,
            "no side gives a value of '%s', and its sources do not sum to zero", p->field->name);
    rg_fail_at(p->run->ctx, p->run->form->source, p->eq->span);
    return rg_remedy(p->run->ctx, "give a value on a side: 'boundary %s(SIDE) = ...'",
                     p->field->name);
}

/* Solves (s + A) d = right without convection: symmetric.  The solver is kept while both stay. */
static rg_status solve_symmetric(rg_run_part *p, bool is_new, bool is_first, double *d)
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    const rg_elliptic_options options = {.kind = r->options.solver,
                                         .reused = !p->varies && !r->form->is_steady,
                                         .tol = r->options.solver_tol,
                                         .name = p->field->name};
    rg_elliptic_matrix A = {
        .grid = g, .T = {p->T[0], p->T[1], p->T[2]}
    };

    if (is_new || p->elliptic == NULL) {
        for (int64_t at = 0; p->has_s && A.s == NULL && at < g->size; at++)
            if (p->s[at] != 0.0) A.s = p->s;
        if (p->elliptic) p->iterations += rg_elliptic_iterations(p->elliptic);
        rg_elliptic_destroy(&p->elliptic);
        RG_TRY(rg_elliptic_create(r->ctx, &A, &options, &p->elliptic));
    }
    if (is_first) RG_TRY(check_level(p));
    return rg_elliptic_solve(p->elliptic, p->right, d);
}

static rg_status fail_relax(rg_run_part *p, double t, double change)
{
    rg_fail(p->run->ctx, RG_ERR_CONVERGENCE,
            "the equation of '%s' is not solved: it still changes by %.2g of its size",
            p->field->name, change);
    rg_fail_at(p->run->ctx, p->run->form->source, p->eq->span);
    rg_remedy(p->run->ctx, p->eq->n_convections > 0 ? "try --transport upwind"
                                                    : "give a start value nearer to the solution: "
                                                      "'field s ~ ...'");
    return rg_fail_time(p->run->ctx, t);
}

/* R(c) - phi (c - old)/k, times the volume. */
static void find_right(rg_run_part *p, double k)
{
    const rg_grid *g = p->run->grid;

    for (int z = 0; z < g->axis[2].n; z++)
        for (int j = 0; j < g->axis[1].n; j++) {
            const int64_t at = rg_grid_at(g, 0, j, z);
            const double *width = g->axis[0].width, *rate = p->rate + at, *phi = p->storage + at,
                         *c = p->c + at, *old = p->old + at, wy = g->axis[1].width[j],
                         wz = g->axis[2].width[z];
            double *right = p->right + at;
            const int n = g->axis[0].n;
            if (isfinite(k))
                for (int i = 0; i < n; i++)
                    right[i] = width[i] * wy * wz * (rate[i] - phi[i] * (c[i] - old[i]) / k);
            else
                for (int i = 0; i < n; i++)
                    right[i] = width[i] * wy * wz * rate[i];
        }
}

enum { ENDS = 8 };

typedef struct { /* largest numbers side by side; none: not a number where some change is none */
    double far[ENDS], large[ENDS], none[ENDS];
} ends;

RG_INLINE void add_one(const double *delta, double *c, int q, ends *e)
{
    const double d = delta[q], v = c[q] + d;

    c[q] = v;
    e->none[q] += 0.0 * d;
    e->far[q] = fabs(d) > e->far[q] ? fabs(d) : e->far[q];
    e->large[q] = fabs(v) > e->large[q] ? fabs(v) : e->large[q];
}

/* c <- c + d of a row. */
RG_FOR_ALL_VECTORS
static void add_row(int n, const double *restrict delta, double *restrict c, ends *out)
{
    ends e = *out;
    int i = 0;

    for (; i + ENDS <= n; i += ENDS) {
        RG_ROLL
        for (int q = 0; q < ENDS; q++)
            add_one(delta + i, c + i, q, &e);
    }
    for (int q = 0; q < n - i; q++)
        add_one(delta + i, c + i, q, &e);
    *out = e;
}

/* c <- c + d; the largest change, and the largest value. */
static void add_delta(rg_run_part *p, double *move, double *size)
{
    const rg_grid *g = p->run->grid;
    ends e = {.far = {0.0}};

    for (int z = 0; z < g->axis[2].n; z++)
        for (int j = 0; j < g->axis[1].n; j++) {
            const int64_t at = rg_grid_at(g, 0, j, z);
            if (g->solid == NULL) add_row(g->axis[0].n, p->delta + at, p->c + at, &e);
            for (int i = 0; g->solid && i < g->axis[0].n; i++)
                if (!g->solid[at + i]) add_row(1, p->delta + at + i, p->c + at + i, &e);
        }
    *move = *size = 0.0;
    double not_a_number = 0.0;
    for (int q = 0; q < ENDS; q++) {
        *move = fmax(*move, e.far[q]);
        *size = fmax(*size, e.large[q]);
        not_a_number += e.none[q];
    }
    *move += not_a_number;
}

/* One iteration; *move: the largest change, *size: the largest value. */
static rg_status relax_once(rg_run_part *p, double t, double k, bool is_first, double moved[2],
                            double *move, double *size)
{
    rg_run_grid *r = p->run;
    const rg_grid *g = r->grid;
    const bool renews = p->varies || !p->is_set || isfinite(k);
    bool indefinite = false;

    *move = *size = 0.0;
    if (is_first || p->varies) RG_TRY(rg_run_scalar_terms(p, t, RG_TERMS_IMPLICIT, &p->terms));
    if (isfinite(k)) p->terms.carry = RG_CARRY_UPWIND;
    if (renews) find_transmissibility(p);
    if (renews || p->is_nonlinear) RG_TRY(find_diagonal(p, t, k, &indefinite));
    RG_TRY(rg_run_scalar_rate(p, &p->terms, t, 1.0, moved));
    find_right(p, k);
    memset(p->delta, 0, (size_t)g->size * sizeof *p->delta);
    if (p->eq->n_convections > 0 || indefinite || p->matrix)
        RG_TRY(rg_run_matrix_solve(p, t, p->s, p->delta));
    else
        RG_TRY(solve_symmetric(p, renews || p->is_nonlinear, is_first, p->delta));
    p->is_set = true;
    add_delta(p, move, size);
    rg_grid_most(g, 1, move);
    rg_grid_most(g, 1, size);
    return RG_OK;
}

/* Does one solve give the answer?  Nothing is carried, dispersed, or depends on the field. */
static bool is_one_solve(rg_run_part *p)
{
    bool is_linear = !p->is_nonlinear && p->eq->n_convections == 0 && !p->eq->has_dispersion
                     && !reads_itself(p, p->eq->storage[0]);

    for (int d = 0; d < p->run->grid->dims; d++)
        is_linear = is_linear && !reads_itself(p, p->eq->diffusion[d]);
    return is_linear;
}

rg_status rg_run_relax(rg_run_part *p, double t, double k, double moved[2])
{
    double move = INFINITY, size = 0.0, largest = 0.0, path = 0.0;

    p->is_nonlinear = p->steep || reads_itself(p, p->eq->force[0]);
    const bool is_enough = is_one_solve(p);
    for (int n = 0; n < RG_GRID_PICARD && !(move <= RG_GRID_PICARD_TOL * size); n++) {
        if (rg_grid_any(p->run->grid, rg_interrupted(p->run->ctx)))
            return rg_fail(p->run->ctx, RG_ERR_INTERRUPTED, "interrupted at t = %.10g", t);
        RG_TRY(relax_once(p, t, k, n == 0, moved, &move, &size));
        largest = fmax(largest, fmax(size, move));
        path += move;
        if (!isfinite(move) || is_enough) break;
    }
    /* a solution that vanishes is the rounding of what it came from */
    const bool is_small = move <= RG_GRID_PICARD_TOL * size || move <= DBL_EPSILON * largest;
    if (!is_small && !(is_enough && isfinite(move))) return fail_relax(p, t, move / size);
    p->change_relaxed = path > DBL_EPSILON * largest ? path / largest : 0.0;
    return is_enough ? rg_run_scalar_moved(p, &p->terms, t, moved)
                     : rg_run_scalar_rate(p, &p->terms, t, 1.0, moved);
}

rg_status rg_run_solve_scalar(rg_run_part *p, double t)
{
    double moved[2];

    RG_TRY(rg_run_relax(p, t, INFINITY, moved));
    p->balance.in = moved[0];
    p->balance.out = moved[1];
    p->balance.defect = moved[0] - moved[1];
    rg_scalar_fill(&p->scalar, p->c);
    return RG_OK;
}
