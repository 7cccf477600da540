/* A(t), B(t), f(t) and A'(t) by exact derivatives of the equations. */
#include "views/linear/linear_impl.h"

#include <string.h>

static rg_status find_states(rg_linear *l)
{
    int32_t *m = rg_alloc(l->ctx, (size_t)l->p->n + 1, sizeof *m);

    if (m == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < l->p->n; j++)
        m[j] = rg_variable_order(l->p, j) > 1 ? rg_variable_order(l->p, j) : 1;
    const rg_status status = rg_states_init(l->ctx, l->p->n, m, &l->states);
    rg_free(l->ctx, m);
    return status;
}

/* Columns of dF/dt: as those of F, and derivative m_j + 1 of unknown j in the third part of z. */
static rg_status number_columns(rg_linear *l)
{
    const rg_states *s = &l->states;

    l->column = rg_alloc(l->ctx, (size_t)s->n_orders + 1, sizeof *l->column);
    if (l->column == NULL) return RG_ERR_MEMORY;
    for (int r = 0; r <= s->n_orders; r++) {
        if ((l->column[r] = rg_alloc(l->ctx, (size_t)s->n + 1, sizeof **l->column)) == NULL)
            return RG_ERR_MEMORY;
        for (int64_t j = 0; j < s->n; j++) {
            const int m = s->m[j];
            l->column[r][j] = -1;
            if (r <= m) l->column[r][j] = s->column[r][j];
            if (r == m + 1) l->column[r][j] = (int32_t)(2 * s->n_states + s->column[m - 1][j]);
        }
    }
    return RG_OK;
}

static rg_status make_assemblies(rg_linear *l)
{
    const rg_states *s = &l->states;
    const int32_t *const now[] = {l->row}, *const derived[] = {NULL, l->row};
    const rg_assembly_spec F = {1,   s->n_orders, 2 * s->n_states,
                                now, s->n,        (const int32_t *const *)s->column};
    const rg_assembly_spec dF = {
        2, s->n_orders + 1, 3 * s->n_states, derived, s->n, (const int32_t *const *)l->column};

    RG_TRY(rg_assembly_create(l->p, &F, true, &l->F));
    RG_TRY(rg_assembly_work_create(l->F, &l->F_work));
    RG_TRY(rg_assembly_create(l->p, &dF, true, &l->dF));
    return rg_assembly_work_create(l->dF, &l->dF_work);
}

static size_t entries(const rg_assembly *a)
{
    const rg_pattern *pattern = rg_assembly_pattern(a);

    return (size_t)pattern->start[pattern->n_columns];
}

static rg_status set_up(rg_linear *l)
{
    RG_TRY(find_states(l));
    RG_TRY(number_columns(l));
    l->row = rg_alloc(l->ctx, (size_t)l->p->n + 1, sizeof *l->row);
    if (l->row == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < l->p->n; i++)
        l->row[i] = (int32_t)i;
    RG_TRY(make_assemblies(l));
    l->z = rg_alloc(l->ctx, 3 * (size_t)l->states.n_states + 1, sizeof *l->z);
    l->residual = rg_alloc(l->ctx, (size_t)l->p->n + 1, sizeof *l->residual);
    l->J = rg_alloc(l->ctx, entries(l->F) + 1, sizeof *l->J);
    l->dJ = rg_alloc(l->ctx, entries(l->dF) + 1, sizeof *l->dJ);
    return l->z == NULL || l->residual == NULL || l->J == NULL || l->dJ == NULL ? RG_ERR_MEMORY
                                                                                : RG_OK;
}

rg_status rg_linear_create(rg_context *ctx, const rg_problem *p, bool is_varying, rg_linear **out)
{
    rg_linear *l = rg_alloc(ctx, 1, sizeof *l);

    *out = NULL;
    if (l == NULL) return RG_ERR_MEMORY;
    l->ctx = ctx;
    l->is_varying = is_varying;
    rg_status status = rg_problem_handle(ctx, p, NULL, &l->p);
    if (status == RG_OK) status = set_up(l);
    if (status != RG_OK)
        rg_linear_destroy(&l);
    else
        *out = l;
    return status;
}

void rg_linear_destroy(rg_linear **linear)
{
    rg_linear *l = *linear;

    if (l == NULL) return;
    rg_assembly_work_destroy(&l->F_work);
    rg_assembly_work_destroy(&l->dF_work);
    rg_assembly_destroy(&l->F);
    rg_assembly_destroy(&l->dF);
    for (int r = 0; l->column != NULL && r <= l->states.n_orders; r++)
        rg_free(l->ctx, l->column[r]);
    rg_free(l->ctx, l->column);
    rg_states_clear(l->ctx, &l->states);
    rg_free(l->ctx, l->row);
    rg_free(l->ctx, l->z);
    rg_free(l->ctx, l->residual);
    rg_free(l->ctx, l->J);
    rg_free(l->ctx, l->dJ);
    rg_lu_destroy(&l->lu);
    rg_free(l->ctx, l->A);
    rg_free(l->ctx, l->B);
    rg_free(l->ctx, l->N);
    rg_free(l->ctx, l->U);
    rg_free(l->ctx, l->V);
    rg_free(l->ctx, l->A_last);
    rg_free(l->ctx, l->held);
    rg_free(l->ctx, l->s);
    rg_problem_destroy(&l->p);
    rg_free(l->ctx, l);
    *linear = NULL;
}

const rg_states *rg_linear_states(const rg_linear *l)
{
    return &l->states;
}

bool rg_linear_is_varying(const rg_linear *l)
{
    return l->is_varying;
}

/* Entries of the columns first .. first + m of a sparse matrix, into a dense m x m one. */
void rg_linear_spread(const rg_pattern *pattern, const double *J, int64_t first, int64_t m,
                      double *dense)
{
    for (int64_t c = 0; c < m; c++)
        for (int64_t k = pattern->start[first + c]; k < pattern->start[first + c + 1]; k++)
            dense[c * m + pattern->row[k]] = J[k];
}

/* Chain equations: row n + e is  (state it comes from)' - (state n + e) = 0. */
static void add_chains(const rg_states *s, double *A, double *B)
{
    for (int64_t k = s->n; k < s->n_states; k++) {
        A[s->chain_from[k - s->n] * s->n_states + k] = 1.0;
        B[k * s->n_states + k] = -1.0;
    }
}

/* d(dF/dt)/dy' = A' + B in the columns of the highest states; nowhere else has A an entry in
 * these rows. */
static rg_status find_derivative(rg_linear *l, double t, const double *B, double *dA)
{
    const rg_states *s = &l->states;
    const int64_t m = s->n_states;

    memset(dA, 0, (size_t)(m * m) * sizeof *dA);
    if (!l->is_varying) return RG_OK;
    RG_TRY(rg_assembly_jacobian(l->dF, l->dF_work, t, l->z, NULL, l->dJ));
    rg_linear_spread(rg_assembly_pattern(l->dF), l->dJ, m, m, dA);
    for (int64_t j = 0; j < s->n; j++) {
        const int64_t top = s->column[s->m[j] - 1][j];
        for (int64_t i = 0; i < s->n; i++)
            dA[top * m + i] -= B[top * m + i];
    }
    return RG_OK;
}

/* f = A y' + B y - F, in the rows of the equations; the chains have f = 0. */
static void right_side(const rg_linear *l, const double *A, const double *B, double *f)
{
    const int64_t m = l->states.n_states, n = l->states.n;

    for (int64_t i = 0; i < m; i++)
        f[i] = i < n ? -l->residual[i] : 0.0;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < n; i++)
            f[i] += A[j * m + i] * l->z[m + j] + B[j * m + i] * l->z[j];
}

static rg_status evaluate(rg_linear *l, double t, double *A, double *dA, double *B, double *f)
{
    const int64_t m = l->states.n_states;
    const size_t bytes = (size_t)(m * m) * sizeof *A;

    RG_TRY(rg_assembly_jacobian(l->F, l->F_work, t, l->z, l->residual, l->J));
    memset(A, 0, bytes);
    memset(B, 0, bytes);
    rg_linear_spread(rg_assembly_pattern(l->F), l->J, 0, m, B);
    rg_linear_spread(rg_assembly_pattern(l->F), l->J, m, m, A);
    add_chains(&l->states, A, B);
    right_side(l, A, B, f);
    return dA != NULL ? find_derivative(l, t, B, dA) : RG_OK;
}

rg_status rg_linear_eval(rg_linear *l, double t, double *A, double *dA, double *B, double *f)
{
    memset(l->z, 0, 3 * (size_t)l->states.n_states * sizeof *l->z);
    return evaluate(l, t, A, dA, B, f);
}

static void take_point(rg_linear *l, const rg_linear_point *at)
{
    const size_t m = (size_t)l->states.n_states;

    memmove(l->z, at->y, m * sizeof *l->z);
    memmove(l->z + m, at->yp, m * sizeof *l->z);
    memmove(l->z + 2 * m, at->ypp, m * sizeof *l->z);
}

rg_status rg_linear_eval_at(rg_linear *l, double t, const rg_linear_point *at, double *A,
                            double *dA, double *B, double *f)
{
    take_point(l, at);
    return evaluate(l, t, A, dA, B, f);
}

rg_status rg_linear_force(rg_linear *l, double t, const rg_linear_point *at, const double *A,
                          const double *B, double *f)
{
    take_point(l, at);
    RG_TRY(rg_assembly_residual(l->F, l->F_work, t, l->z, l->residual));
    right_side(l, A, B, f);
    return RG_OK;
}
