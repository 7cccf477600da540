/* Names of constraints and conditions, for messages. */
#include "bvp/inspection.h"

#include "bvp/dense_block.h"
#include "bvp/tuning.h"
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"

#include <math.h>
#include <string.h>

/* Constraint q of G: levels one after the other, equations with c_i above the level. */
static void name_constraint(const rg_bvp_form *f, int q, char *buffer, int size)
{
    int number = 0;

    for (int level = 0; number <= q; level++) {
        const int before = number;
        for (int i = 0; i < f->n; i++) {
            if (level >= f->c[i] || number++ != q) continue;
            if (f->combinations == NULL || f->combinations->combination[i].count == 0)
                rg_row_name(f->p, i, level, buffer, size);
            else
                snprintf(buffer, (size_t)size, "a combination of the equations");
            return;
        }
        if (number == before) break;
    }
    snprintf(buffer, (size_t)size, "the constraints");
}

void rg_inspection_name(const rg_inspection *s, int i, char *buffer, int size)
{
    if (s->row[i] < 0)
        name_constraint(s->f, -1 - s->row[i], buffer, size);
    else
        rg_bvp_condition_name(s->c, s->row[i], buffer, size);
}

/* parts[k]: by how much row k, independent and before row i, takes part in its gradient (least
 * squares, scaled rows). */
static rg_status find_parts(const rg_inspection *s, int i, double *parts)
{
    const int nx = s->f->nx;
    rg_context *ctx = s->f->ctx;
    rg_qr *qr = NULL;
    int m = 0;

    double *A = rg_alloc(ctx, (size_t)((nx + 1) * (i + 1) + nx + i) + 1, sizeof *A);
    if (A == NULL) return RG_ERR_MEMORY;
    double *found = A + nx * i, *work = found + i;
    for (int k = 0; k < i; k++)
        if (!s->is_dependent[k]) memcpy(A + nx * m++, s->scaled + k * nx, (size_t)nx * sizeof *A);
    const rg_status status =
        m > 0 ? rg_qr_create(ctx, nx, m, A, rg_rank_floor(RG_NOISE_EXACT), &qr) : RG_OK;
    if (m > 0 && status == RG_OK) rg_qr_solve(qr, s->scaled + i * nx, found, work);
    for (int k = 0, q = 0; k < i; k++)
        parts[k] = m > 0 && status == RG_OK && !s->is_dependent[k] ? fabs(found[q++]) : 0.0;
    rg_qr_destroy(&qr);
    rg_free(ctx, A);
    return status < 0 ? status : RG_OK;
}

enum { MOST_NAMES = 4, NAME = 160 };

typedef struct { /* each name once */
    char name[MOST_NAMES][NAME];
    int count, more;
} names;

static void add_name(names *n, const char *name)
{
    for (int k = 0; k < n->count; k++)
        if (strcmp(n->name[k], name) == 0) return;
    if (n->count < MOST_NAMES)
        snprintf(n->name[n->count++], NAME, "%s", name);
    else
        n->more++;
}

/* "a, b and c", "a, b, c, d and 3 more" */
static void join_names(const names *n, char *buffer, int size)
{
    int length = 0;

    buffer[0] = '\0';
    for (int k = 0; k < n->count && length < size; k++) {
        const char *before = k == 0 ? "" : k + 1 == n->count && n->more == 0 ? " and " : ", ";
        length += snprintf(buffer + length, (size_t)(size - length), "%s%s", before, n->name[k]);
    }
    if (n->more > 0 && length < size)
        snprintf(buffer + length, (size_t)(size - length), " and %d more", n->more);
}

/* A condition on an algebraic unknown or a highest derivative that the equations alone
 * determine: J_w Fw^-1 tells which. */
static rg_status name_equations(rg_inspection *s, int i, names *out)
{
    const rg_bvp_form *f = s->f;
    const int n = f->n;
    const double *Jw = s->J + ((int64_t)s->row[i] * s->c->n_points + s->k) * f->nz + f->nx;
    double *A = s->work, *mu = s->work + n * n; /* n (nz + 2) numbers */
    char name[160];

    RG_TRY(rg_bvp_form_jacobian(s->f, s->t, s->x, s->w, s->F, s->Fx, s->Fw));
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            A[j * n + k] = s->Fw[k * n + j];
    memcpy(mu, Jw, (size_t)n * sizeof *mu);
    if (!rg_block_factor(n, A, s->pivot)) return RG_OK;
    rg_block_solve(n, A, s->pivot, 1, mu);
    for (int k = 0; k < n; k++) {
        if (!(fabs(mu[k]) > RG_CONDITION_PART)) continue;
        if (f->combinations == NULL && f->array == NULL)
            rg_row_name(f->p, k, f->c[k], name, sizeof name);
        else
            snprintf(name, sizeof name, "the equations");
        add_name(out, name);
    }
    return RG_OK;
}

rg_status rg_inspection_explain(rg_inspection *s, int i, char *buffer, int size)
{
    names out = {0};
    char name[160];
    double *parts = rg_alloc(s->f->ctx, (size_t)i + 1, sizeof *parts);

    buffer[0] = '\0';
    if (parts == NULL) return RG_ERR_MEMORY;
    rg_status status = find_parts(s, i, parts);
    for (int k = 0; k < i; k++) {
        if (!(parts[k] > RG_CONDITION_PART)) continue;
        rg_inspection_name(s, k, name, sizeof name);
        add_name(&out, name);
    }
    if (status == RG_OK && out.count == 0 && s->has_w[i]) status = name_equations(s, i, &out);
    join_names(&out, buffer, size);
    rg_free(s->f->ctx, parts);
    return status < 0 ? status : RG_OK;
}
