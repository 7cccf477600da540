/* Evaluates the view of half-explicit methods; finds out whether it is linear. */
#include "views/semi/half_impl.h"
#include "views/semi/tuning.h"

#include <math.h>
#include <string.h>

int rg_half_order(const rg_half *h)
{
    return h->sorted->order;
}

int rg_half_size(const rg_half *h)
{
    return h->sorted->n_x;
}

int rg_half_constraints(const rg_half *h)
{
    return h->sorted->n_y;
}

bool rg_half_is_linear(const rg_half *h)
{
    return h->is_linear;
}

bool rg_half_is_linear_in_y(const rg_half *h)
{
    return h->is_linear_in_y;
}

bool rg_half_is_explicit(const rg_half *h)
{
    return h->is_linear && h->sorted->n_y == 0 && h->use.has_factors
           && rg_assembly_is_linear(h->part[RG_HALF_DYNAMICS]);
}

bool rg_half_has_positions(const rg_half *h)
{
    return h->sorted->order == 2 && h->n_geometric > 0;
}

int rg_half_kinematic(const rg_half *h)
{
    return h->sorted->n_y - h->n_geometric;
}

const int64_t *rg_half_x(const rg_half *h)
{
    return h->sorted->x;
}

const int64_t *rg_half_v(const rg_half *h)
{
    return h->sorted->v;
}

const int64_t *rg_half_y(const rg_half *h)
{
    return h->sorted->y;
}

/* States of events, branches, and one 0 for the derivatives of both. */
static rg_status fill_held(rg_half *h, double t)
{
    const rg_semi *s = h->sorted;
    const rg_switches *switches = &s->system->switches;
    double *z = h->z + (s->order + 1) * s->n_x + s->n_y;

    if (s->n_held + h->n_branches == 0) return RG_OK;
    for (int k = 0; k < s->n_held; k++)
        z[k] = rg_semi_held(s, k);
    z += s->n_held;
    z[h->n_branches] = 0.0;
    if (h->n_branches == 0) return RG_OK;
    if (h->branches == NULL || !h->branches->is_held) {
        const rg_switches_in in = {h->part[RG_HALF_SWITCHES], h->work[RG_HALF_SWITCHES], h->z,
                                   z - h->z};
        return rg_switches_follow_in(switches, &in, t, h->functions);
    }
    memcpy(z, h->branches->z + switches->first, (size_t)h->n_branches * sizeof *z);
    return RG_OK;
}

static rg_status fill(rg_half *h, const rg_half_point *at)
{
    const rg_semi *s = h->sorted;
    const size_t bytes = (size_t)s->n_x * sizeof *h->z;
    double *z = h->z;

    memcpy(z, at->x, bytes);
    z += s->n_x;
    if (s->order == 2) {
        memcpy(z, at->v, bytes);
        z += s->n_x;
    }
    memcpy(z, at->a, bytes);
    if (s->n_y > 0) memcpy(z + s->n_x, at->y, (size_t)s->n_y * sizeof *z);
    return fill_held(h, at->t);
}

void rg_half_hold_as(rg_half *h, const rg_system_work *w)
{
    h->branches = w;
}

void rg_half_hold(rg_half *h, const double *y)
{
    rg_semi_hold(h->sorted, y);
}

/* Values and the part's entries of the matrix. */
static rg_status eval_with_matrix(rg_half *h, rg_half_part_name part, double t, double *out)
{
    const double *J;

    RG_TRY(rg_assembly_jacobian_kept(h->part[part], h->work[part], t, h->z, out, &J));
    const int64_t *from = h->from[part], *place = h->place[part];
    for (int64_t e = 0; e < h->n_copied[part]; e++)
        h->use.values[place[e]] = J[from[e]];
    return RG_OK;
}

rg_status rg_half_dynamics(rg_half *h, const rg_half_point *at, double *D)
{
    RG_TRY(fill(h, at));
    return eval_with_matrix(h, RG_HALF_DYNAMICS, at->t, D);
}

rg_status rg_half_force(rg_half *h, const rg_half_point *at, double *D)
{
    RG_TRY(fill(h, at));
    return rg_assembly_residual(h->part[RG_HALF_DYNAMICS], h->work[RG_HALF_DYNAMICS], at->t, h->z,
                                D);
}

rg_status rg_half_constraint(rg_half *h, const rg_half_point *at, double *c)
{
    if (h->sorted->n_y == 0) return RG_OK;
    RG_TRY(fill(h, at));
    return eval_with_matrix(h, RG_HALF_VELOCITY, at->t, c);
}

static rg_status eval(rg_half *h, rg_half_part_name part, const rg_half_point *at, double *out)
{
    memset(out, 0, (size_t)h->sorted->n_y * sizeof *out);
    if (h->part[part] == NULL) return RG_OK;
    RG_TRY(fill(h, at));
    return rg_assembly_residual(h->part[part], h->work[part], at->t, h->z, out);
}

rg_status rg_half_velocity(rg_half *h, const rg_half_point *at, double *c)
{
    return eval(h, RG_HALF_VELOCITY, at, c);
}

rg_status rg_half_position(rg_half *h, const rg_half_point *at, double *g)
{
    return eval(h, RG_HALF_POSITION, at, g);
}

rg_status rg_half_fall(rg_half *h, const rg_half_point *at, double d, double *out)
{
    RG_TRY(rg_half_constraint(h, at, out));
    RG_TRY(eval(h, RG_HALF_POSITION, at, h->other));
    for (int k = 0; k < h->sorted->n_y; k++)
        out[k] = h->is_kinematic[k] ? out[k] / d : h->other[k] / (d * d);
    return RG_OK;
}

rg_status rg_half_hidden(rg_half *h, const rg_half_point *at, double *c)
{
    return eval(h, RG_HALF_HIDDEN, at, c);
}

static rg_status factor(rg_half *h, bool is_near, bool *is_new)
{
    const size_t bytes = (size_t)h->n_entries * sizeof *h->use.values;

    if (is_new != NULL) *is_new = false;
    if (h->use.has_factors && memcmp(h->use.values, h->use.factored, bytes) == 0) return RG_OK;
    if (is_new != NULL) *is_new = true;
    h->use.has_factors = false;
    RG_TRY(is_near ? rg_matrix_factor_near(h->use.matrix, 0.0, 0.0, h->use.values, NULL)
                   : rg_matrix_factor(h->use.matrix, 0.0, 0.0, h->use.values, NULL));
    memcpy(h->use.factored, h->use.values, bytes);
    h->use.has_factors = true;
    return RG_OK;
}

rg_status rg_half_factor(rg_half *h, bool *is_new)
{
    return factor(h, false, is_new);
}

rg_status rg_half_factor_near(rg_half *h, bool *is_new)
{
    return factor(h, h->use.has_factors, is_new);
}

void rg_half_solve(rg_half *h, double *top, double *bottom)
{
    const size_t n = (size_t)h->sorted->n_x, m = (size_t)h->sorted->n_y;

    memcpy(h->right, top, n * sizeof *top);
    if (m > 0) memcpy(h->right + n, bottom, m * sizeof *top);
    rg_matrix_solve(h->use.matrix, h->right, NULL);
    memcpy(top, h->right, n * sizeof *top);
    if (m > 0) memcpy(bottom, h->right + n, m * sizeof *top);
}

/* out_i += |entries| sizes of a part, columns from `first` on in two pieces: n_x, and the rest */
static void add_sizes(const rg_half *h, rg_half_part_name part, const double *a, const double *y,
                      double *out)
{
    const int n = h->sorted->n_x;
    const int first = (h->sorted->order - (part == RG_HALF_DYNAMICS ? 0 : 1)) * n;
    const rg_pattern *p = rg_assembly_pattern(h->part[part]);
    int j = 0;

    for (int64_t k = 0; k < h->n_copied[part]; k++) {
        const int64_t e = h->from[part][k];
        while (p->start[j + 1] <= e)
            j++;
        const double size = j - first < n ? a[j - first] : y[j - first - n];
        out[p->row[e]] += fabs(h->use.values[h->place[part][k]]) * size;
    }
}

void rg_half_rounding(rg_half *h, const double *a, const double *y, const double *u, double *top,
                      double *bottom)
{
    const int n = h->sorted->n_x, m = h->sorted->n_y;

    memset(top, 0, (size_t)n * sizeof *top);
    if (m > 0) memset(bottom, 0, (size_t)m * sizeof *bottom);
    if (a != NULL) add_sizes(h, RG_HALF_DYNAMICS, a, y, top);
    if (m > 0) add_sizes(h, RG_HALF_VELOCITY, u, NULL, bottom);
    for (int k = 1; k < n; k += 2) /* signs, so that they do not add up to a direction */
        top[k] = -top[k];
    for (int k = 1; k < m; k += 2)
        bottom[k] = -bottom[k];
    rg_half_solve(h, top, bottom);
}

/* ---- what the equations are like ------------------------------------------------------------- */

/* A generic point, as in views/semi/evaluate.c, in units of `scale`. */
static rg_status fill_generic(rg_half *h, int point, double scale, double t)
{
    for (int k = 0; k < h->n_columns; k++)
        h->z[k] = scale * (0.3 + 0.21 * point + 0.13 * sin(1.0 + 3.0 * k + point));
    return fill_held(h, t);
}

static rg_generic_answer look_at_columns(rg_half *h, rg_half_part_name part, int first, int last,
                                         double scale, double t)
{
    const int n = part == RG_HALF_DYNAMICS ? h->sorted->n_x : h->sorted->n_y;

    if (h->part[part] == NULL) return RG_GENERIC_LINEAR;
    for (int j = 0; j < h->n_columns; j++)
        h->change[j] = j >= first && j < last ? scale * (0.7 + 0.37 * sin(2.0 * j)) : 0.0;
    return rg_generic_look(&(rg_generic_question){h->part[part], h->work[part], h->n_columns, n,
                                                  h->z, h->change, h->other, h->entries},
                           t);
}

/* Is a part linear in the columns first .. last - 1, which are among those of its derivatives?
 * Where the expressions do not tell, values at several points do; without any it is not. */
static bool is_linear_in(rg_half *h, rg_half_part_name part, int first, int last)
{
    rg_generic_place at;
    bool is_known = false;

    if (h->part[part] != NULL && rg_assembly_is_linear_there(h->part[part])) return true;
    for (int k = 0; rg_semi_place(h->sorted, k, &at); k++) {
        fill_generic(h, at.point, at.scale, at.t);
        const rg_generic_answer here = look_at_columns(h, part, first, last, at.scale, at.t);
        if (here == RG_GENERIC_NOT) return false;
        is_known = is_known || here == RG_GENERIC_LINEAR;
    }
    return is_known;
}

rg_status rg_half_check(rg_half *h)
{
    const rg_semi *s = h->sorted;
    const int top = s->order * s->n_x, end = top + s->n_x + s->n_y;

    int64_t entries = 0;

    for (int part = RG_HALF_DYNAMICS; part <= RG_HALF_VELOCITY; part++) {
        const rg_assembly *a = h->part[part];
        const int64_t count = a != NULL ? rg_assembly_pattern(a)->start[h->n_columns] : 0;
        if (count > entries) entries = count;
    }
    h->change = rg_alloc(h->ctx, (size_t)h->n_columns + 1, sizeof *h->change);
    h->entries = rg_alloc(h->ctx, (size_t)entries + 1, sizeof *h->entries);
    if (h->change == NULL || h->entries == NULL) return RG_ERR_MEMORY;
    h->is_linear = is_linear_in(h, RG_HALF_DYNAMICS, top, end);
    h->is_linear_in_y = h->is_linear || is_linear_in(h, RG_HALF_DYNAMICS, top + s->n_x, end);
    h->is_linear = h->is_linear && is_linear_in(h, RG_HALF_VELOCITY, top - s->n_x, top);
    return RG_OK;
}
