/* The equations of a boundary value form on a mesh; see implicit.h. */
#include "bvp/collocation/implicit.h"

#include "bvp/dense_block.h"

#include <math.h>
#include <string.h>

/* size_i: sum of the absolute values that F_i is made of, its part without unknowns as one; and
 * min_i size_i/|Fw_ik|: what w_k is made of, in the equation that knows it best. */
static void sum_terms(rg_implicit *l, const double *X, const double *w, const double *F,
                      const double *Fx, const double *Fw)
{
    const int n = l->n, nx = l->nx;

    for (int i = 0; i < n; i++) {
        double rest = F[i], size = 0.0;
        for (int j = 0; j < nx + n; j++) {
            const double term = j < nx ? Fx[j * n + i] * X[j] : Fw[(j - nx) * n + i] * w[j - nx];
            rest -= term;
            size += fabs(term);
        }
        l->size[i] = (i % 2 == 0 ? 1.0 : -1.0) * (size + fabs(rest));
    }
    for (int k = 0; k < n; k++) {
        double least = INFINITY;
        for (int i = 0; i < n; i++)
            if (Fw[k * n + i] != 0.0) least = fmin(least, fabs(l->size[i] / Fw[k * n + i]));
        l->size[n + k] = isfinite(least) ? least : 0.0;
    }
}

/* Stage or node number q: r = -Fw^-1 F, and with is_new also the factors and K = -Fw^-1 Fx. */
static rg_status eliminate_w(rg_implicit *l, int64_t q, double t, const double *X, const double *w,
                             bool is_new, double *K, double *r)
{
    const int n = l->n, nx = l->nx;
    double *Fw = l->Fw + q * n * n;
    int *pivot = l->pivot + q * n;

    l->stats->evaluations++;
    if (is_new) {
        l->stats->jacobians++;
        RG_TRY(rg_bvp_form_jacobian(l->f, t, X, w, r, K, Fw));
        sum_terms(l, X, w, r, K, Fw);
        if (!rg_block_factor(n, Fw, pivot)) return RG_RETRY;
        rg_block_solve(n, Fw, pivot, 1, l->size);
        rg_block_solve(n, Fw, pivot, nx, K);
        for (int k = 0; k < n * nx; k++)
            K[k] = -K[k];
    } else {
        RG_TRY(rg_bvp_form_residual(l->f, t, X, w, r));
    }
    rg_block_solve(n, Fw, pivot, 1, r);
    for (int k = 0; k < n; k++)
        r[k] = -r[k];
    return RG_OK;
}

/* Stage q: what w would be if F were its terms. */
static void note_terms(rg_implicit *l, int64_t q)
{
    for (int k = 0; k < 2 * l->n; k++)
        l->terms[q * 2 * l->n + k] = fabs(l->size[k]);
}

static rg_status stage(void *user, const rg_curve *it, int64_t q, double t, double *X, bool is_new,
                       double *K, double *r)
{
    RG_TRY(eliminate_w(user, q, t, X, it->w + q * it->n, is_new, K, r));
    if (is_new) note_terms(user, q);
    return RG_OK;
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* Row `to` of the chain's B and beta from row `from` of the conditions:  c + c_x dx + c_w (K
 * dx + r) = 0. */
static void fold_row(rg_implicit *l, int from, int to, bool is_new, double *B, double *out)
{
    const int n = l->n, nx = l->nx, nz = n + nx;
    const double *K = l->linear->K + l->n_stages * n * nx, *r = l->linear->r + l->n_stages * n;
    double beta = l->values[from];

    for (int k = 0; k < l->n_nodes; k++, K += n * nx, r += n) {
        const double *row = l->J + ((int64_t)from * l->n_nodes + k) * nz;
        for (int j = 0; j < n; j++)
            beta += row[nx + j] * r[j];
        for (int j = 0; is_new && j < nx; j++) {
            double sum = row[j];
            for (int i = 0; i < n; i++)
                if (row[nx + i] != 0.0) sum += row[nx + i] * K[j * n + i];
            B[((int64_t)k * nx + j) * nx + to] = sum;
        }
    }
    out[to] = -beta;
}

/* Node k, where w is not determined: as long as no condition reads it there, it does not matter. */
static rg_status leave_w(rg_implicit *l, int k)
{
    const int n = l->n, nx = l->nx, nz = n + nx;
    const int64_t q = l->n_stages + k;

    RG_TRY(rg_bvp_conditions_eval(l->c, l->z, l->values, l->J));
    for (int i = 0; i < l->c->n_rows; i++)
        for (int j = nx; j < nz && !l->c->is_dropped[i]; j++)
            if (l->J[((int64_t)i * l->n_nodes + k) * nz + j] != 0.0) return RG_RETRY;
    memset(l->linear->K + q * n * nx, 0, (size_t)(n * nx) * sizeof(double));
    memset(l->linear->r + q * n, 0, (size_t)n * sizeof(double));
    l->is_left[k] = true;
    return RG_OK;
}

static rg_status conditions(void *user, const rg_curve *it, bool is_new, double *B, double *beta)
{
    rg_implicit *l = user;
    const int n = l->n, nx = l->nx, nz = n + nx, inv = l->f->n_invariants;
    int to = 0;

    for (int k = 0; k < l->n_nodes; k++) {
        memcpy(l->z + k * nz, it->x + it->node[k] * nx, (size_t)nx * sizeof(double));
        memcpy(l->z + k * nz + nx, it->wn + k * n, (size_t)n * sizeof(double));
    }
    for (int k = 0; k < l->n_nodes; k++) {
        const double *x = l->z + k * nz, *w = x + nx;
        if (is_new) l->is_left[k] = false;
        if (l->is_left[k]) continue;
        const int64_t q = l->n_stages + k;
        const rg_status status = eliminate_w(l, q, it->t[it->node[k]], x, w, is_new,
                                             l->linear->K + q * n * nx, l->linear->r + q * n);
        if (status < 0) return status;
        if (status != RG_OK) RG_TRY(leave_w(l, k));
    }
    RG_TRY(rg_bvp_conditions_eval(l->c, l->z, l->values, l->J));
    RG_TRY(rg_bvp_form_invariants(l->f, it->t[0], it->x, l->G, l->Gx));
    if (is_new) memset(B, 0, (size_t)(l->n_nodes * nx * nx) * sizeof(double));
    for (int i = 0; i < l->c->n_rows; i++)
        if (!l->c->is_dropped[i]) fold_row(l, i, to++, is_new, B, beta);
    for (int i = 0; i < inv; i++, to++) {
        beta[to] = -l->G[i];
        for (int j = 0; is_new && j < nx; j++)
            B[(int64_t)j * nx + to] = l->Gx[j * inv + i];
    }
    return RG_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static rg_status take_memory(rg_implicit *l, size_t N)
{
    const size_t n = (size_t)l->n, nx = (size_t)l->nx;
    const size_t points = (size_t)l->n_stages + (size_t)l->n_nodes;
    const size_t rows = (size_t)l->c->n_rows + 1, columns = (size_t)l->n_nodes * (n + nx);
    const size_t inv = (size_t)l->f->n_invariants + 1;
    const struct {
        double **array;
        size_t count;
    } list[] = {
        {&l->Fw,     points * n * n             },
        {&l->terms,  (size_t)l->n_stages * 2 * n},
        {&l->size,   2 * n                      },
        {&l->z,      columns                    },
        {&l->values, rows                       },
        {&l->J,      rows * columns             },
        {&l->G,      inv                        },
        {&l->Gx,     inv * nx                   },
        {&l->mesh_U, N * (inv - 1) * nx         },
        {&l->mesh_T, N * (inv - 1) * (inv - 1)  }
    };

    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if ((*list[k].array = rg_alloc(l->f->ctx, list[k].count + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    l->pivot = rg_alloc(l->f->ctx, points * n + 1, sizeof *l->pivot);
    l->is_projected = rg_alloc(l->f->ctx, N + 1, sizeof *l->is_projected);
    l->is_left = rg_alloc(l->f->ctx, (size_t)l->n_nodes + 1, sizeof *l->is_left);
    return l->pivot && l->is_projected && l->is_left ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_implicit_create(rg_bvp_form *f, rg_bvp_conditions *c, const rg_curve *it,
                             rg_stats *stats, rg_implicit **out)
{
    rg_implicit *l = rg_alloc(f->ctx, 1, sizeof *l);

    *out = NULL;
    if (l == NULL) return RG_ERR_MEMORY;
    *l = (rg_implicit){.f = f, .c = c, .n = f->n, .nx = f->nx, .n_nodes = it->n_nodes};
    l->n_stages = it->N * it->rule.s;
    l->stats = stats;
    const rg_collocation_field field = {
        .user = l,
        .chains = {f->n, f->nx, f->order, f->next, f->unknown},
        .order = f->order,
        .has_w = true,
        .n_given = f->nx - f->n_invariants,
        .stage = stage,
        .end = f->n_invariants > 0 ? rg_implicit_project : NULL,
        .conditions = conditions
    };
    rg_status status = f->is_large ? rg_large_create(f, c, it, stats, &l->large)
                                   : rg_condensed_create(&field, it, stats, &l->linear);
    if (status == RG_OK && !f->is_large) status = take_memory(l, (size_t)it->N);
    if (status == RG_OK)
        *out = l;
    else
        rg_implicit_destroy(&l);
    return status;
}

void rg_implicit_destroy(rg_implicit **equations)
{
    rg_implicit *l = *equations;

    if (l == NULL) return;
    rg_context *ctx = l->f->ctx;
    rg_condensed_destroy(&l->linear);
    rg_large_destroy(&l->large);
    void *const arrays[] = {l->Fw,      l->z,     l->values, l->J,      l->G,
                            l->Gx,      l->pivot, l->mesh_U, l->mesh_T, l->is_projected,
                            l->is_left, l->terms, l->size,   l};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    *equations = NULL;
}

rg_status rg_implicit_correct(rg_implicit *l, const rg_curve *it, bool is_new, rg_curve *delta)
{
    return l->large != NULL ? rg_large_correct(l->large, it, is_new, delta)
                            : rg_condensed_correct(l->linear, it, is_new, delta);
}

double rg_implicit_conditioning(rg_implicit *l, const double *scale, double *u)
{
    return l->large != NULL ? rg_large_conditioning(l->large, scale)
                            : rg_condensed_conditioning(l->linear, scale, u);
}

double rg_implicit_noise(rg_implicit *l, const rg_curve *it, const double *scale, rg_rounding kind,
                         double *u)
{
    return l->large != NULL ? rg_large_noise(l->large, it, scale)
                            : rg_condensed_noise(l->linear, it, scale, kind, u);
}

double rg_implicit_slopes(rg_implicit *l, const rg_curve *it, const double *scale, double *u,
                          int64_t *at)
{
    *at = 0;
    return l->large != NULL ? 0.0 : rg_condensed_slopes(l->linear, it, scale, u, at);
}

void rg_implicit_natural(rg_implicit *l, const rg_curve *it, double *u, double *natural)
{
    const int n = it->n, nx = it->nx, nz = nx + n;

    if (l->large != NULL) {
        rg_large_natural(l->large, it, natural);
        memcpy(natural + nz, natural, (size_t)nz * sizeof *natural);
        return;
    }
    rg_condensed_natural(l->linear, it, l->terms, u, natural);
    for (int which = 0; which < 2; which++) {
        double *x = natural + which * nz, *w = x + nx;
        const double *terms = l->terms + which * n;
        memset(w, 0, (size_t)n * sizeof *w);
        for (int64_t q = 0; q < l->n_stages; q++)
            for (int k = 0; k < n; k++)
                w[k] = fmax(w[k], terms[q * 2 * n + k]);
        if (which > 0) memcpy(x, natural, (size_t)nx * sizeof *x);
        rg_condensed_bound(l->linear, it, terms, x);
    }
}
