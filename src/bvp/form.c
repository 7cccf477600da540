/* Makes and evaluates the formulation of a boundary value problem. */
#include "bvp/form.h"

#include "bvp/dense_block.h"
#include "bvp/form_large.h"
#include "bvp/form_rows.h"
#include "bvp/tuning.h"
#include "linalg/small_lu.h"
#include "newton/iterated.h"
#include "structure/combine.h"
#include "structure/incomplete.h"
#include "views/linear/linear.h"

#include <math.h>
#include <string.h>

static const char NOT_REDUCED[] = ", which cannot be reduced one by one";

/* `why`: behind the equations' names. */
static rg_status fail_redundant(const rg_problem *p, const rg_analysis *a, const char *why)
{
    char names[RG_LIST_LENGTH];

    rg_list_equations(p, a->is_redundant, names);
    rg_fail(p->ctx, RG_ERR_METHOD, "%s follows from the other equations, %s", names, why);
    return rg_remedy(p->ctx, "leave it out, and one unknown for it, or give that unknown another "
                             "equation");
}

rg_status rg_form_fail_combined(const rg_problem *p, const rg_analysis *a, const char *what)
{
    rg_fail(p->ctx, RG_ERR_METHOD,
            "the index %d of this model comes from combinations of equations%s", a->index, what);
    return rg_remedy(p->ctx, "replace one of the dependent equations by the combination itself%s",
                     a->index <= 1 ? ", or, if the model is linear, take --method transfer" : "");
}

rg_status rg_bvp_form_check_written(const rg_problem *p, const rg_analysis *a)
{
    if (a->n_redundant > 0)
        return fail_redundant(p, a, "which this method cannot use; collocation can");
    return a->is_structural ? RG_OK : rg_form_fail_combined(p, a, NOT_REDUCED);
}

/* x: the derivatives below the highest written. */
static rg_status make_array(rg_bvp_form *f)
{
    const rg_signature *s = &f->a->signature;

    f->offsets = rg_alloc(f->ctx, 2 * (size_t)f->n + 1, sizeof *f->offsets);
    if (f->offsets == NULL) return RG_ERR_MEMORY;
    int32_t *m = f->offsets + f->n;
    for (int64_t e = 0; e < s->start[s->n_rows]; e++)
        if (s->order[e] > m[s->column[e]]) m[s->column[e]] = s->order[e];
    f->c = f->offsets;
    f->d = m;
    return rg_form_array_create(f->p, f->a, &f->array);
}

/* c and d: of the written equations, of a derivative array, or of combinations that have the
 * degrees of freedom of the model. */
static rg_status choose_offsets(rg_bvp_form *f)
{
    f->c = f->a->c;
    f->d = f->a->d;
    if (f->a->is_structural && f->a->n_redundant == 0) return RG_OK;
    RG_TRY(make_array(f));
    if (f->array != NULL) return RG_OK;
    if (f->a->n_redundant > 0)
        return fail_redundant(f->p, f->a, "and what it leaves open has derivatives in the model");
    if (f->p->n_blocks == 0)
        return rg_form_fail_combined(f->p, f->a, NOT_REDUCED); /* callbacks have no derivatives */
    RG_TRY(rg_combine_find(f->p, &f->combinations, &f->combined));
    if (f->combined == NULL || f->combined->dof != f->a->dof)
        return rg_form_fail_combined(
            f->p, f->a,
            (f->a->levels + 1) * f->p->n > RG_FORM_ARRAY_MOST
                ? ", too many for a derivative array and without constant factors"
                : ", for which no regular derivative array was found near the guess");
    f->c = f->combined->c;
    f->d = f->combined->d;
    return RG_OK;
}

/* x: unknown after unknown, orders 0 .. d_j - 1. */
static rg_status number_states(rg_bvp_form *f)
{
    int32_t *m = NULL;
    rg_status status = RG_OK;
    int nx = 0, most = 0;

    for (int j = 0; j < f->n; j++) {
        nx += f->d[j];
        f->n_algebraic += f->d[j] == 0;
        if (f->d[j] > most) most = f->d[j];
    }
    f->nx = nx;
    f->nz = nx + f->n;
    f->n_orders = most + 1;
    f->first = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof *f->first);
    f->unknown = rg_alloc(f->ctx, (size_t)nx + 1, sizeof *f->unknown);
    f->order = rg_alloc(f->ctx, (size_t)nx + 1, sizeof *f->order);
    f->next = rg_alloc(f->ctx, (size_t)nx + 1, sizeof *f->next);
    f->place = rg_alloc(f->ctx, (size_t)f->n_orders, sizeof *f->place);
    m = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof *m);
    if (!f->first || !f->unknown || !f->order || !f->next || !f->place || !m)
        status = RG_ERR_MEMORY;
    for (int r = 0; r < f->n_orders && status == RG_OK; r++)
        if ((f->place[r] = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof **f->place)) == NULL)
            status = RG_ERR_MEMORY;
    for (int j = 0, k = 0; j < f->n && status == RG_OK; j++) {
        const int d = f->d[j];
        f->first[j] = k;
        m[j] = d > 1 ? d : 1;
        for (int r = 0; r < d; r++, k++) {
            f->unknown[k] = j;
            f->order[k] = r;
            f->next[k] = r + 1 < d ? k + 1 : -1;
            f->place[r][j] = k;
        }
        f->place[d][j] = nx + j;
        for (int r = d + 1; r < f->n_orders; r++)
            f->place[r][j] = -1;
    }
    if (status == RG_OK) status = rg_states_init(f->ctx, f->n, m, &f->states);
    rg_free(f->ctx, m);
    return status;
}

/* Unknowns with an equation y' = 0: of `param NAME ~ guess`, or written. */
static rg_status find_constants(rg_bvp_form *f)
{
    f->is_constant = rg_alloc(f->ctx, (size_t)f->n + 1, sizeof *f->is_constant);
    if (f->is_constant == NULL) return RG_ERR_MEMORY;
    for (int q = 0; q < f->p->n_blocks; q++) {
        const rg_body *body = f->p->blocks[q].body;
        for (int o = 0; o < body->n_outputs; o++) {
            const rg_graph_node *node = rg_graph_at(body->graph, body->outputs[o]);
            if (node->op == RG_OP_NEG) node = rg_graph_at(body->graph, node->a);
            if (node->op != RG_OP_VAR || node->order != 1) continue;
            for (int64_t k = 0; k < body->count; k++)
                f->is_constant[rg_map_at(&body->slots[node->a].map, k)] = true;
        }
    }
    return RG_OK;
}

static rg_status look_for_linearity(rg_bvp_form *f)
{
    rg_linearity linearity = {0};

    if (f->combinations == NULL && f->n_algebraic == 0 && f->n_invariants == 0
        && f->p->n_blocks > 0)
        RG_TRY(rg_linearity_find(f->p, &linearity));
    f->is_linear = linearity.is_linear;
    return RG_OK;
}

static rg_status fill(rg_bvp_form *f)
{
    RG_TRY(choose_offsets(f));
    RG_TRY(number_states(f));
    RG_TRY(find_constants(f));
    if (f->array != NULL) { /* of arrays and combinations no drift is told */
        f->n_invariants = rg_form_array_invariants(f->array);
        return rg_form_large_init(f);
    }
    RG_TRY(rg_form_rows_init(f, false, &f->equations));
    RG_TRY(rg_form_rows_init(f, true, &f->invariants));
    f->n_invariants = f->invariants.n_rows;
    f->z = rg_alloc(f->ctx, (size_t)rg_form_rows_columns(f) + 1, sizeof *f->z);
    if (f->z == NULL) return RG_ERR_MEMORY;
    RG_TRY(rg_form_large_init(f));
    RG_TRY(look_for_linearity(f));
    if (f->combinations != NULL) return RG_OK;
    return rg_drift_init(f->p, f->a, &f->states, &f->drift);
}

rg_status rg_bvp_form_create(const rg_problem *p, const rg_analysis *a, rg_bvp_form **out)
{
    *out = NULL;
    rg_bvp_form *f = rg_alloc(p->ctx, 1, sizeof *f);
    if (f == NULL) return RG_ERR_MEMORY;
    f->ctx = p->ctx;
    f->p = p;
    f->a = a;
    f->n = (int)p->n;
    rg_status status = rg_block_prepare(f->ctx, f->n);
    if (status == RG_OK) status = fill(f);
    if (status == RG_OK) status = rg_block_prepare(f->ctx, f->nx);
    if (status == RG_OK)
        *out = f;
    else
        rg_bvp_form_destroy(&f);
    return status;
}

void rg_bvp_form_destroy(rg_bvp_form **form)
{
    rg_bvp_form *f = *form;

    if (f == NULL) return;
    rg_context *ctx = f->ctx;
    rg_form_large_clear(f);
    rg_form_rows_clear(ctx, &f->equations);
    rg_form_rows_clear(ctx, &f->invariants);
    rg_form_array_destroy(&f->array);
    rg_rows_destroy(&f->combinations);
    rg_transversal_destroy(ctx, &f->combined);
    rg_drift_clear(ctx, &f->drift);
    rg_states_clear(ctx, &f->states);
    for (int r = 0; f->place != NULL && r < f->n_orders; r++)
        rg_free(ctx, f->place[r]);
    void *const arrays[] = {f->first, f->unknown, f->order,   f->next,
                            f->place, f->z,       f->offsets, f->is_constant};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    rg_free(ctx, f);
    *form = NULL;
}

static void fill_z(rg_bvp_form *f, const double *x, const double *w)
{
    memcpy(f->z, x, (size_t)f->nx * sizeof *x);
    memcpy(f->z + f->nx, w, (size_t)f->n * sizeof *w);
}

/* F = w - phi(t, x), Fx = -dphi/dx, Fw = I.  The first row is multiplied by the pivot of the array,
 * so that det Fw tells where it loses rank; there, all other values are 0. */
static rg_status eval_array(rg_bvp_form *f, double t, const double *x, const double *w, double *F,
                            double *Fx, double *Fw)
{
    const int n = f->n;

    memcpy(F, w, (size_t)n * sizeof *F);
    const rg_status status = rg_form_array_slope(f->array, t, x, F, Fx);
    const double pivot = rg_form_array_pivot(f->array);
    const bool is_lost = status == (rg_status)RG_RETRY && pivot == 0.0 && Fx != NULL;
    if (status != RG_OK && !is_lost) return status;
    for (int i = 0; i < n; i++)
        F[i] = is_lost ? 0.0 : w[i] - F[i];
    F[0] *= pivot;
    if (Fx == NULL) return RG_OK;
    for (int k = 0; k < n * f->nx; k++)
        Fx[k] = is_lost ? 0.0 : Fx[k] * (k % n == 0 ? -pivot : -1.0);
    memset(Fw, 0, (size_t)(n * n) * sizeof *Fw);
    for (int i = 0; i < n; i++)
        Fw[i * n + i] = i == 0 ? pivot : 1.0;
    return RG_OK;
}

rg_status rg_bvp_form_residual(rg_bvp_form *f, double t, const double *x, const double *w,
                               double *F)
{
    if (f->array != NULL) return eval_array(f, t, x, w, F, NULL, NULL);
    fill_z(f, x, w);
    return rg_form_rows_residual(&f->equations, t, f->z, F);
}

rg_status rg_bvp_form_jacobian(rg_bvp_form *f, double t, const double *x, const double *w,
                               double *F, double *Fx, double *Fw)
{
    if (f->array != NULL) return eval_array(f, t, x, w, F, Fx, Fw);
    fill_z(f, x, w);
    RG_TRY(rg_form_rows_jacobian(f, &f->equations, t, f->z, F));
    rg_form_rows_spread(&f->equations, 0, f->nx, Fx);
    rg_form_rows_spread(&f->equations, f->nx, f->n, Fw);
    return RG_OK;
}

rg_status rg_bvp_form_invariants(rg_bvp_form *f, double t, const double *x, double *G, double *Gx)
{
    if (f->n_invariants == 0) return RG_OK;
    if (f->array != NULL) return rg_form_array_constrain(f->array, t, x, G, Gx);
    memcpy(f->z, x, (size_t)f->nx * sizeof *x);
    memset(f->z + f->nx, 0, (size_t)f->n * sizeof *x);
    RG_TRY(rg_form_rows_jacobian(f, &f->invariants, t, f->z, G));
    rg_form_rows_spread(&f->invariants, 0, f->nx, Gx);
    return RG_OK;
}

size_t rg_bvp_form_work(const rg_bvp_form *f)
{
    return f->Fw != NULL ? 0 : (size_t)f->n * (size_t)(f->nz + 1);
}

/* w <- w - Fw^-1 F until the update is rounding, or no longer falls below what Newton's method
 * has reached. */
rg_status rg_bvp_form_solve(rg_bvp_form *f, double t, const double *x, double *w, double *work,
                            int *pivot)
{
    const int n = f->n;
    double previous = INFINITY;

    if (f->Fw != NULL) return rg_form_large_solve(f, t, x, w); /* without work */
    double *F = work, *Fw = work + n, *Fx = Fw + n * n;
    for (int k = 0; k < RG_LOCAL_STEPS; k++) {
        RG_TRY(rg_bvp_form_jacobian(f, t, x, w, F, Fx, Fw));
        if (!rg_small_lu_factor(n, Fw, pivot)) return RG_RETRY;
        rg_small_lu_solve(n, Fw, pivot, F);
        double size = 0.0;
        for (int i = 0; i < n; i++)
            size = fmax(size, fabs(F[i]) / (fabs(w[i]) + 1.0));
        if (!(size < previous) && !rg_is_nearly_iterated(size)) return RG_RETRY;
        for (int i = 0; i < n; i++)
            w[i] -= F[i];
        if (rg_is_iterated(size, previous)) return RG_OK;
        previous = size;
    }
    return rg_is_nearly_iterated(previous) ? RG_OK : (rg_status)RG_RETRY;
}

void rg_bvp_form_point(const rg_bvp_form *f, const double *x, const double *w, double *y,
                       double *yp)
{
    for (int j = 0; j < f->n; j++) {
        const int d = f->d[j];
        if (d == 0) {
            y[j] = w[j];
            continue;
        }
        for (int r = 0; r < d; r++) {
            const int32_t state = f->states.column[r][j];
            y[state] = x[f->first[j] + r];
            yp[state] = r + 1 < d ? x[f->first[j] + r + 1] : w[j];
        }
    }
}

bool rg_bvp_form_is_constant(const rg_bvp_form *f, int unknown)
{
    return f->is_constant[unknown];
}
