/* At every point the constraints and the conditions that read values there alone are looked at
 * together (inspection.h):
 *
 *     row i is dependent when its gradient lies in the span of those before (Gram-Schmidt, twice);
 *     its value where the independent rows hold (Gauss-Newton) tells whether it is implied (0) or
 *     contradicts.
 *
 * The linearization is taken near the guess, moved a little so that accidental zeros do not
 * count. */
#include "bvp/wellposed.h"

#include "bvp/inspection.h"
#include "bvp/least_squares.h"
#include "bvp/tuning.h"
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "linalg/vectors.h"
#include "newton/iterated.h"

#include <math.h>
#include <string.h>

enum { TEXT = 400 };

/* q <- row, without its parts along the first n rows of the basis; returns the length that is
 * left. */
static double remove_parts(const rg_inspection *s, const double *row, int n, double *q)
{
    const int nx = s->f->nx;

    memcpy(q, row, (size_t)nx * sizeof *q);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < n; k++) {
            const double part = rg_dot(nx, q, s->basis + k * nx);
            for (int j = 0; j < nx; j++)
                q[j] -= part * s->basis[k * nx + j];
        }
    return sqrt(rg_dot(nx, q, q));
}

/* Which rows depend on those before them. */
static void orthogonalize(rg_inspection *s)
{
    const int nx = s->f->nx;
    int n = 0;

    rg_inspection_scale(s);
    for (int i = 0; i < s->n_rows; i++) {
        double *q = s->basis + n * nx;
        const double *row = s->scaled + i * nx, size = sqrt(rg_dot(nx, row, row));
        const double left = remove_parts(s, row, n, q);
        s->is_dependent[i] = !(left > RG_CONDITION_DEPENDENT * size);
        if (s->is_dependent[i]) continue;
        for (int j = 0; j < nx; j++)
            q[j] /= left;
        n++;
    }
}

static bool is_taken(const rg_inspection *s, int i, bool with_conditions)
{
    return s->row[i] < 0 || (with_conditions && !s->is_dependent[i]);
}

/* One Gauss-Newton step of least change for the rows that are taken; *change: its size. */
static rg_status step(rg_inspection *s, bool with_conditions, int m, double *change)
{
    const int nx = s->f->nx;
    rg_context *ctx = s->f->ctx;
    rg_qr *qr = NULL;
    double *A = rg_alloc(ctx, (size_t)(m * nx + 2 * m + 2 * nx) + 1, sizeof *A);

    if (A == NULL) return RG_ERR_MEMORY;
    double *b = A + m * nx, *d = b + m, *work = d + nx;
    for (int i = 0, k = 0; i < s->n_rows; i++) {
        double most = 0.0;
        if (!is_taken(s, i, with_conditions)) continue;
        for (int j = 0; j < nx; j++)
            most = fmax(most, fabs(s->rows[i * nx + j]));
        for (int j = 0; j < nx; j++)
            A[j * m + k] = most > 0.0 ? s->rows[i * nx + j] / most : 0.0;
        b[k++] = most > 0.0 ? s->miss[i] / most : 0.0;
    }
    const rg_status status = rg_qr_create(ctx, m, nx, A, rg_rank_floor(RG_NOISE_EXACT), &qr);
    if (status == RG_OK) {
        rg_qr_solve(qr, b, d, work);
        *change = 0.0;
        for (int j = 0; j < nx; j++) {
            const double size = fabs(s->x[j]) + fabs(s->first[j]);
            if (d[j] != 0.0) *change = fmax(*change, fabs(d[j]) / (size > 0.0 ? size : 1.0));
            s->x[j] -= d[j];
        }
    }
    rg_qr_destroy(&qr);
    rg_free(ctx, A);
    return status;
}

/* Gauss-Newton, least change: constraints (and independent conditions) hold at x.  RG_RETRY: it
 * did not get there. */
static rg_status satisfy(rg_inspection *s, bool with_conditions)
{
    double previous = INFINITY;

    for (int pass = 0; pass < RG_SATISFY_STEPS; pass++) {
        RG_TRY(rg_inspection_gather(s));
        int m = 0;
        double change = 0.0;
        for (int i = 0; i < s->n_rows; i++)
            m += is_taken(s, i, with_conditions);
        if (m == 0) return RG_OK;
        RG_TRY(step(s, with_conditions, m, &change));
        if (!isfinite(change)) return RG_RETRY;
        if (rg_is_iterated(change, previous)) break;
        previous = change;
    }
    return rg_inspection_gather(s);
}

static rg_status fail_contradiction(rg_inspection *s, int i)
{
    char name[160], number[32], t[32], others[TEXT];
    rg_span span;
    rg_context *ctx = s->f->ctx;

    RG_TRY(rg_inspection_explain(s, i, others, sizeof others));
    rg_inspection_name(s, i, name, sizeof name);
    if (others[0] == '\0')
        rg_fail(ctx, RG_ERR_INCONSISTENT, "%s reads no unknown, and misses by %s", name,
                rg_real_text(s->miss[i], number));
    else
        rg_fail(ctx, RG_ERR_INCONSISTENT, "%s contradicts %s at %s = %s: it misses by %s", name,
                others, rg_problem_time_name(s->p), rg_real_text(s->t, t),
                rg_real_text(s->miss[i], number));
    if (rg_bvp_condition_span(s->c, s->row[i], &span)) rg_fail_at(ctx, s->p->source, span);
    return rg_remedy(ctx, "leave it out, or change its value");
}

static rg_status drop(rg_inspection *s, int i)
{
    char name[160], others[TEXT];

    if (s->c->is_dropped[s->row[i]]) return RG_OK;
    s->c->is_dropped[s->row[i]] = 1;
    rg_inspection_name(s, i, name, sizeof name);
    RG_TRY(rg_inspection_explain(s, i, others, sizeof others));
    if (others[0] == '\0') return rg_problem_warn(s->p, "%s reads no unknown and is dropped", name);
    return rg_problem_warn(s->p, "%s follows from %s and is dropped", name, others);
}

/* Dependent conditions: implied, or a contradiction.  Where the guess lies on another branch of the
 * constraints than the conditions, there are values that meet all of them. */
static rg_status judge(rg_inspection *s, const rg_profile *guess)
{
    int bad = -1;

    for (int i = 0; i < s->n_rows && bad < 0; i++)
        if (s->is_dependent[i] && s->row[i] >= 0 && !rg_inspection_holds(s, i)) bad = i;
    if (bad >= 0) {
        const double miss = s->miss[bad];
        bool is_possible = false;
        RG_TRY(rg_bvp_least_squares(s, guess, &is_possible));
        s->miss[bad] = miss;
        if (!is_possible) return fail_contradiction(s, bad);
    }
    for (int i = 0; i < s->n_rows; i++)
        if (s->is_dependent[i] && s->row[i] >= 0) RG_TRY(drop(s, i));
    return RG_OK;
}

/* where_met: gradients are taken where the independent conditions hold, in place of a general
 * point.  There more of them may be dependent: x' x + y' y = 0 and 0.6 x' + 0.8 y' = 0
 * once x = 0.6, y = 0.8 are known. */
static rg_status inspect_point(rg_inspection *s, int k, const rg_profile *guess, bool where_met)
{
    bool has_dependent = false;

    RG_TRY(rg_inspection_start(s, guess, k, RG_INSPECTION_MOVE, 0));
    RG_TRY(satisfy(s, false));
    orthogonalize(s);
    if (where_met) {
        bool is_possible;
        RG_TRY(rg_bvp_least_squares(s, guess, &is_possible)); /* on the branch of the conditions */
        RG_TRY(satisfy(s, true));
        orthogonalize(s);
    }
    for (int i = 0; i < s->n_rows; i++)
        has_dependent |= s->is_dependent[i] && s->row[i] >= 0;
    if (!has_dependent) return RG_OK;
    RG_TRY(satisfy(s, true));
    return judge(s, guess);
}

static rg_status inspect(rg_inspection *s, const rg_profile *guess, bool where_met)
{
    for (int k = 0; k < s->c->n_points; k++) {
        const rg_status status = inspect_point(s, k, guess, where_met);
        if (status < 0) return status; /* RG_RETRY: not near the guess; the solve will tell */
    }
    return RG_OK;
}

rg_status rg_bvp_conditions_check(rg_problem *p, rg_bvp_form *f, rg_bvp_conditions *c,
                                  const rg_profile *guess)
{
    rg_inspection s;

    if (f->is_unchecked) return rg_bvp_conditions_check_count(f, c); /* the solve tells the rest */
    rg_status status = rg_inspection_init(p, f, c, &s);

    memset(c->is_dropped, 0, (size_t)c->n_rows);
    if (status == RG_OK) status = inspect(&s, guess, false);
    if (status == RG_OK && rg_bvp_conditions_count(c) > f->a->dof)
        status = inspect(&s, guess, true);
    rg_inspection_clear(&s);
    return status == RG_OK ? rg_bvp_conditions_check_count(f, c) : status;
}
