/* At every point k the rows  G(t_k, x) (constraints) and the conditions that read values at t_k alone are looked at
 * together, in the variables x:  w = w(x) is eliminated by  dw = K dx,  K = -Fw^-1 Fx.
 *
 *     row i is dependent when its gradient lies in the span of those before (Gram-Schmidt, twice);
 *     its value where the independent rows hold (Gauss-Newton) tells whether it is implied (0) or contradicts.
 *
 * The linearization is taken near the guess, moved a little so that accidental zeros do not count. */
#include "bvp/posed.h"

#include "bvp/dense_block.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define DEPENDENT 1e-8 /* part of a gradient outside the span that counts as nothing */
#define IMPLIED   1e-7 /* relative miss of a dependent condition that is no contradiction */
#define MOVE      0.07 /* of the guess, relative */

typedef struct {
    rg_problem *p;
    rg_bvp_form *f;
    rg_bvp_conditions *c;
    int k; /* the point */
    double t;
    double *x, *w, *z;  /* at this point; z: all points */
    double *values, *J; /* conditions */
    double *G, *Gx;     /* constraints */
    double *F, *Fx, *Fw, *work;
    int *pivot;
    double *rows, *miss; /* (n_invariants + n_rows) x nx, gradients row by row; their values */
    double *basis;       /* orthonormal rows */
    int *condition;      /* per row: number of the condition; -1: a constraint */
    bool *is_dependent;
    bool *is_by_constraints; /* dependent on the constraints alone */
    int n_rows_here;
} inspection;

static rg_status take_memory(inspection *s)
{
    const size_t n = (size_t)s->f->n, nx = (size_t)s->f->nx, nz = n + nx;
    const size_t rows = (size_t)(s->c->n_rows + s->f->n_invariants) + 1;
    const size_t columns = (size_t)s->c->n_points * nz;
    const struct {
        double **array;
        size_t count;
    } list[] = {
        {&s->x,      nx             },
        {&s->w,      n              },
        {&s->z,      columns        },
        {&s->values, rows           },
        {&s->J,      rows * columns },
        {&s->G,      rows           },
        {&s->Gx,     rows * nx      },
        {&s->F,      n              },
        {&s->Fx,     n * nx         },
        {&s->Fw,     n * n          },
        {&s->work,   n * (nz + 2)   },
        {&s->rows,   rows * nx      },
        {&s->miss,   rows           },
        {&s->basis,  rows * (nx + 1)}
    };

    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if ((*list[k].array = rg_alloc(s->f->ctx, list[k].count + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    s->pivot = rg_alloc(s->f->ctx, n + 1, sizeof *s->pivot);
    s->condition = rg_alloc(s->f->ctx, rows, sizeof *s->condition);
    s->is_dependent = rg_alloc(s->f->ctx, rows, sizeof *s->is_dependent);
    s->is_by_constraints = rg_alloc(s->f->ctx, rows, sizeof *s->is_by_constraints);
    return s->pivot && s->condition && s->is_dependent && s->is_by_constraints ? RG_OK
                                                                               : RG_ERR_MEMORY;
}

static void release(inspection *s)
{
    void *const arrays[] = {s->x,
                            s->w,
                            s->z,
                            s->values,
                            s->J,
                            s->G,
                            s->Gx,
                            s->F,
                            s->Fx,
                            s->Fw,
                            s->work,
                            s->rows,
                            s->miss,
                            s->basis,
                            s->pivot,
                            s->condition,
                            s->is_dependent,
                            s->is_by_constraints};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(s->f->ctx, arrays[k]);
}

static bool is_local(const inspection *s, int row)
{
    const int nz = s->f->nz, columns = s->c->n_points * nz;
    const double *J = s->J + (int64_t)row * columns;
    bool has_any = false;

    for (int j = 0; j < columns; j++) {
        if (J[j] == 0.0) continue;
        if (j / nz != s->k) return false;
        has_any = true;
    }
    return has_any;
}

/* Gradient of condition `row` in x alone. */
static void reduce_row(const inspection *s, int row, double *out)
{
    const int n = s->f->n, nx = s->f->nx, nz = s->f->nz;
    const double *J = s->J + ((int64_t)row * s->c->n_points + s->k) * nz;

    for (int j = 0; j < nx; j++) {
        out[j] = J[j];
        for (int i = 0; i < n; i++)
            out[j] -= J[nx + i] * s->Fx[j * n + i]; /* Fx holds Fw^-1 Fx */
    }
}

/* All rows of this point at (x, w): gradients and values.  RG_RETRY: cannot be evaluated, or w is not determined. */
static rg_status gather(inspection *s)
{
    rg_bvp_form *f = s->f;
    const int nx = f->nx, n = f->n, inv = f->n_invariants;

    const rg_status solved = rg_bvp_form_solve(f, s->t, s->x, s->w, s->work, s->pivot);
    if (solved < 0) return solved;
    RG_TRY(rg_bvp_form_jacobian(f, s->t, s->x, s->w, s->F, s->Fx, s->Fw));
    if (!rg_block_factor(n, s->Fw, s->pivot)) return RG_RETRY;
    rg_block_solve(n, s->Fw, s->pivot, nx, s->Fx);
    memcpy(s->z + s->k * f->nz, s->x, (size_t)nx * sizeof(double));
    memcpy(s->z + s->k * f->nz + nx, s->w, (size_t)n * sizeof(double));
    RG_TRY(rg_bvp_conditions_eval(s->c, s->z, s->values, s->J));
    RG_TRY(rg_bvp_form_invariants(f, s->t, s->x, s->G, s->Gx));
    s->n_rows_here = 0;
    for (int i = 0; i < inv; i++) {
        for (int j = 0; j < nx; j++)
            s->rows[s->n_rows_here * nx + j] = s->Gx[j * inv + i];
        s->miss[s->n_rows_here] = s->G[i];
        s->condition[s->n_rows_here++] = -1;
    }
    for (int i = 0; i < s->c->n_rows; i++) {
        if (!is_local(s, i)) continue;
        reduce_row(s, i, s->rows + s->n_rows_here * nx);
        s->miss[s->n_rows_here] = s->values[i];
        s->condition[s->n_rows_here++] = i;
    }
    return RG_OK;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* q <- row, without its parts along the first n rows of the basis; returns the length that is left. */
static double remove_parts(const inspection *s, const double *row, int n, double *q)
{
    const int nx = s->f->nx;

    memcpy(q, row, (size_t)nx * sizeof *q);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < n; k++) {
            const double part = dot(nx, q, s->basis + k * nx);
            for (int j = 0; j < nx; j++)
                q[j] -= part * s->basis[k * nx + j];
        }
    return sqrt(dot(nx, q, q));
}

/* Which rows depend on those before them. */
static void orthogonalize(inspection *s)
{
    const int nx = s->f->nx;
    int n = 0, n_constraints = 0;

    for (int i = 0; i < s->n_rows_here; i++) {
        double *q = s->basis + n * nx;
        const double *row = s->rows + i * nx, size = sqrt(dot(nx, row, row));
        s->is_by_constraints[i] = !(remove_parts(s, row, n_constraints, q) > DEPENDENT * size);
        const double left = remove_parts(s, row, n, q);
        s->is_dependent[i] = !(left > DEPENDENT * size);
        if (s->is_dependent[i]) continue;
        if (s->condition[i] < 0) n_constraints++;
        for (int j = 0; j < nx; j++)
            q[j] /= left;
        n++;
    }
}

/* Gauss-Newton, least change: constraints (and independent conditions) hold at x.  RG_RETRY: it did not get there. */
static rg_status satisfy(inspection *s, bool with_conditions)
{
    enum { MOST = 30 };
    const int nx = s->f->nx;
    rg_context *ctx = s->f->ctx;

    for (int pass = 0; pass < MOST; pass++) {
        RG_TRY(gather(s));
        int m = 0;
        double change = 0.0;
        rg_qr *qr = NULL;
        for (int i = 0; i < s->n_rows_here; i++)
            m += s->condition[i] < 0 || (with_conditions && !s->is_dependent[i]);
        if (m == 0) return RG_OK;
        double *A = rg_alloc(ctx, (size_t)(m * nx + m + 2 * nx + m) + 1, sizeof *A);
        if (A == NULL) return RG_ERR_MEMORY;
        double *b = A + m * nx, *d = b + m, *work = d + nx;
        for (int i = 0, k = 0; i < s->n_rows_here; i++) {
            if (s->condition[i] >= 0 && !(with_conditions && !s->is_dependent[i])) continue;
            for (int j = 0; j < nx; j++)
                A[j * m + k] = s->rows[i * nx + j];
            b[k++] = s->miss[i];
        }
        const rg_status status = rg_qr_create(ctx, m, nx, A, 1e-12, &qr);
        if (status == RG_OK) {
            rg_qr_solve(qr, b, d, work);
            for (int j = 0; j < nx; j++) {
                change = fmax(change, fabs(d[j]) / (1.0 + fabs(s->x[j])));
                s->x[j] -= d[j];
            }
        }
        rg_qr_destroy(&qr);
        rg_free(ctx, A);
        if (status != RG_OK) return status;
        if (!isfinite(change)) return RG_RETRY;
        if (change < 1e-13) return gather(s);
    }
    return gather(s);
}

static rg_status fail_contradiction(inspection *s, int row)
{
    char name[160], number[32], t[32];
    rg_span span;
    rg_context *ctx = s->f->ctx;

    rg_bvp_condition_name(s->c, s->condition[row], name, sizeof name);
    rg_fail(ctx, RG_ERR_INCONSISTENT, "%s contradicts the %s at %s = %s: it misses by %s", name,
            s->is_by_constraints[row] ? "constraints" : "constraints and conditions before it",
            rg_problem_time_name(s->p), rg_real_text(s->t, t), rg_real_text(s->miss[row], number));
    if (rg_bvp_condition_span(s->c, s->condition[row], &span)) rg_fail_at(ctx, s->p->source, span);
    return rg_remedy(ctx, "leave it out, or change its value");
}

/* A dependent condition: implied, or a contradiction. */
static rg_status judge(inspection *s, int row)
{
    const int nx = s->f->nx;
    double size = 1.0;
    char name[160];

    for (int j = 0; j < nx; j++)
        size += fabs(s->rows[row * nx + j] * s->x[j]);
    if (!(fabs(s->miss[row]) <= IMPLIED * size)) return fail_contradiction(s, row);
    s->c->is_dropped[s->condition[row]] = 1;
    rg_bvp_condition_name(s->c, s->condition[row], name, sizeof name);
    return rg_problem_warn(s->p, "%s follows from the %s there and is dropped", name,
                           s->is_by_constraints[row] ? "constraints"
                                                     : "constraints and conditions before it");
}

/* A number in [-1, 1] that looks random. */
static double stir(int k)
{
    const double v = 12.9898 * (k + 1);
    return 2.0 * (v * 0.6180339887498949 - floor(v * 0.6180339887498949)) - 1.0;
}

static rg_status inspect_point(inspection *s, const rg_profile *guess)
{
    const rg_bvp_form *f = s->f;
    double *xp = s->Fx; /* free until gather() */
    bool has_dependent = false;

    s->t = s->c->point[s->k];
    for (int k = 0; k < s->c->n_points; k++) {
        double *z = s->z + k * f->nz;
        RG_TRY(guess->eval(guess->user, s->c->point[k], z, xp, z + f->nx));
        for (int j = 0; j < f->nz; j++)
            z[j] += MOVE * (1.0 + fabs(z[j])) * stir(j);
    }
    memcpy(s->x, s->z + s->k * f->nz, (size_t)f->nx * sizeof(double));
    memcpy(s->w, s->z + s->k * f->nz + f->nx, (size_t)f->n * sizeof(double));
    RG_TRY(satisfy(s, false));
    orthogonalize(s);
    for (int i = 0; i < s->n_rows_here; i++)
        has_dependent |= s->is_dependent[i] && s->condition[i] >= 0;
    if (!has_dependent) return RG_OK;
    RG_TRY(satisfy(s, true));
    for (int i = 0; i < s->n_rows_here; i++)
        if (s->is_dependent[i] && s->condition[i] >= 0) RG_TRY(judge(s, i));
    return RG_OK;
}

rg_status rg_bvp_conditions_check(rg_problem *p, rg_bvp_form *f, rg_bvp_conditions *c,
                                  const rg_profile *guess)
{
    inspection s = {.p = p, .f = f, .c = c};
    rg_status status = take_memory(&s);

    memset(c->is_dropped, 0, (size_t)c->n_rows);
    for (s.k = 0; s.k < c->n_points && status == RG_OK; s.k++) {
        status = inspect_point(&s, guess);
        if (status > 0)
            status = RG_OK; /* cannot be evaluated near the guess: the solve will tell */
    }
    release(&s);
    return status == RG_OK ? rg_bvp_conditions_check_count(f, c) : status;
}
