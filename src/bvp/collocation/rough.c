/* Intervals in which the Legendre coefficients of the solution do not fall. */
#include "bvp/collocation/rough.h"

#include "bvp/collocation/run.h"
#include "bvp/collocation/tuning.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { CUT_ENDS = 4, CUT_MIDDLE = 4, CUT_ALL = 2 * CUT_ENDS + CUT_MIDDLE }; /* pieces */

bool rg_legendre_init(const rg_rule *rule, rg_legendre *out)
{
    if (rule->kind != RG_RULE_GAUSS || rule->s < 4) return false;
    for (int j = 0; j < rule->s; j++) {
        const double v = 2.0 * rule->c[j] - 1.0;
        double before = 0.0, now = 1.0;
        for (int m = 0; m < rule->s; m++) {
            out->weight[m][j] = (2.0 * m + 1.0) * rule->b[j] * now;
            const double next = ((2.0 * m + 1.0) * v * now - m * before) / (m + 1.0);
            before = now;
            now = next;
        }
    }
    return true;
}

/* The last four coefficients of the slope of state k. */
static void find_last(const rg_curve *high, const rg_legendre *P, int64_t i, int k, double a[4])
{
    const int s = high->rule.s;

    for (int m = 0; m < 4; m++) {
        a[m] = 0.0;
        for (int j = 0; j < s; j++)
            a[m] += P->weight[s - 4 + m][j] * rg_curve_slope(high, i, j)[k];
        a[m] = fabs(a[m]);
    }
}

/* Of the last two to the two before; pairs, since one of two may vanish by symmetry. */
static double pair_ratio(const double a[4])
{
    const double before = fmax(a[0], a[1]), last = fmax(a[2], a[3]);

    return last > 0.0 ? fmin(last / before, 1.0) : 0.0;
}

double rg_rough_factor(const rg_curve *high, const rg_legendre *P, int64_t i, int k)
{
    const int s = high->rule.s;
    double a[4];

    find_last(high, P, i, k, a);
    const double ratio = pair_ratio(a);
    if (!(ratio > RG_ROUGH_COEFFICIENTS)) return 1.0;
    const double q = -log(ratio) / log((s - 1.0) / (s - 3.0));
    return fmax(1.0, (s + 0.5) / (q + 1.0));
}

static bool is_short(const rg_curve *it, int64_t i)
{
    const double unit = DBL_EPSILON * fmax(fabs(it->t[i]), fabs(it->t[i + 1]));

    return fabs(it->t[i + 1] - it->t[i]) < pow(4.0, CUT_ENDS) * unit;
}

/* What state k adds to the roughness of interval i.  Beside a large smooth part only the very last
 * coefficient tells. */
static void look_at_state(const rg_bvp_run *r, const rg_curve *high, const rg_legendre *P,
                          int64_t i, int k, rg_rough *out)
{
    const int s = high->rule.s;
    const double *x = high->x + i * high->nx + k;
    const double h = fabs(high->t[i + 1] - high->t[i]);
    double a[4];

    find_last(high, P, i, k, a);
    const double ratio = pair_ratio(a), size = fmin(fabs(x[0]), fabs(x[high->nx]));
    const double weight = r->control->rtol * rg_run_weight(r, k, size) + 1e-300;
    const double sum = fmin(1.0 / (1.0 - sqrt(ratio)), s + 0.5);
    const double local = sum * h * fmax(a[2], a[3]) / (2.0 * s) / weight;
    out->local = fmax(out->local, local);
    if (!(local > RG_ROUGH_COUNTS)) return;
    out->ratio = fmax(out->ratio, ratio);
    out->is_doubted |= a[3] > RG_ROUGH_DOUBTED * fmax(a[2], RG_ROUGH_SMOOTH * a[1]);
}

void rg_run_look_rough(rg_bvp_run *r, const rg_curve *high)
{
    rg_legendre P;

    r->has_rough = rg_legendre_init(&high->rule, &P);
    for (int64_t i = 0; i < high->N && r->has_rough; i++) {
        r->rough[i] = (rg_rough){0.0, 0.0, false};
        for (int k = 0; k < high->nx; k++)
            look_at_state(r, high, &P, i, k, &r->rough[i]);
        if (is_short(high, i)) r->rough[i] = (rg_rough){r->rough[i].local, 1.0, true};
        if (r->rough[i].is_doubted) r->error[i] *= fmax(r->rough_factor, 1.0);
    }
}

/* ---- what the error is ----------------------------------------------------------------------- */

static bool is_rough(const rg_rough *at)
{
    return at->ratio > RG_ROUGH_COEFFICIENTS;
}

/* Rough ones come first. */
static double rank(const rg_rough *at)
{
    return is_rough(at) ? DBL_MAX : at->local;
}

static bool is_doubted(const rg_bvp_run *r, int64_t i)
{
    return r->rough[i].is_doubted && rank(&r->rough[i]) >= r->rough_least;
}

static int compare_locals(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* r->rough_least: the rank of those that are looked at; how many these are.  None where many are
 * rough: such a mesh is coarse for a smooth solution. */
static rg_status choose(rg_bvp_run *r, int64_t *n_doubted)
{
    double *local = rg_alloc(r->f->ctx, (size_t)r->N + 1, sizeof *local);
    int64_t n = 0, n_rough = 0;
    const int64_t most = 2 + (int64_t)(RG_ROUGH_PART * (double)r->N);

    *n_doubted = 0;
    if (local == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < r->N && r->has_rough; i++) {
        if (r->rough[i].is_doubted) local[n++] = rank(&r->rough[i]);
        n_rough += is_rough(&r->rough[i]);
    }
    qsort(local, (size_t)n, sizeof *local, compare_locals);
    r->rough_least = n > most ? local[most - 1] : 0.0;
    if (n_rough <= most) *n_doubted = n < most ? n : most;
    rg_free(r->f->ctx, local);
    return RG_OK;
}

/* Pieces that become shorter towards both ends, by 4 each, with equal ones between. */
static void cut(double a, double b, int n_ends, int n_middle, double *t, int64_t *n)
{
    const int all = 2 * n_ends + n_middle;
    const double quarter = 0.25 * (b - a);

    for (int k = 1; k < all; k++) {
        double v = a + quarter * (1.0 + 2.0 * (k - n_ends) / n_middle);
        if (k <= n_ends) v = a + quarter * pow(0.25, n_ends - k);
        if (all - k <= n_ends) v = b - quarter * pow(0.25, n_ends - (all - k));
        if ((v - t[*n - 1]) * (b - v) > 0.0) t[(*n)++] = v;
    }
}

/* The solution with s stages on a mesh in which these intervals are cut.  RG_RETRY: none found. */
static rg_status solve_cut(rg_bvp_run *r, rg_curve **out)
{
    const rg_bvp_form *f = r->f;
    const rg_profile now = {rg_profile_of_curve, r->now};
    int64_t N = 0;
    double *t = rg_alloc(f->ctx, (size_t)(r->N + r->N * CUT_ALL) + 1, sizeof *t);

    if (t == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < r->N; i++) {
        t[N++] = r->t[i];
        if (!is_doubted(r, i)) continue;
        const bool is_many = is_rough(&r->rough[i]);
        cut(r->t[i], r->t[i + 1], is_many ? CUT_ENDS : 1, is_many ? CUT_MIDDLE : 2, t, &N);
    }
    t[N] = r->t[r->N];
    rg_status status =
        rg_curve_create(f->ctx, &r->low, f->n, f->nx, N, t, r->c->n_points, r->c->point, out);
    rg_free(f->ctx, t);
    if (status == RG_OK) status = rg_profile_fill(*out, f, &now);
    if (status == RG_OK) status = rg_collocate_once(r->f, r->c, *out, &r->result->stats);
    return status;
}

/* *worst: at least the error by the largest difference of the states, in tolerances.  Where both
 * meshes are the same, it is a smooth one, of what comes from other intervals. */
static rg_status compare(const rg_bvp_run *r, const rg_curve *fine, double *worst)
{
    enum { SAMPLES = 10, SAMPLES_SAME = 2 };
    const rg_curve *now = r->now;
    const size_t nx = (size_t)now->nx;
    double *x = rg_alloc(r->f->ctx, 2 * nx + (size_t)now->n + 1, sizeof *x);

    if (x == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < now->N; i++) {
        const int samples = is_doubted(r, i) ? SAMPLES : SAMPLES_SAME;
        for (int q = i > 0; q <= samples; q++) {
            const double t = q == samples ? now->t[i + 1]
                                          : now->t[i] + (now->t[i + 1] - now->t[i]) * q / samples;
            rg_curve_eval(now, i, t, x, NULL, x + 2 * nx);
            rg_curve_eval(fine, rg_curve_find(fine, t), t, x + nx, NULL, x + 2 * nx);
            for (size_t k = 0; k < nx; k++) {
                const double weight = rg_run_weight(r, (int)k, fabs(x[nx + k]));
                const double e = fabs(x[k] - x[nx + k]) / (r->control->rtol * weight + 1e-300);
                if (!(RG_ROUGH_REST * e <= *worst)) *worst = RG_ROUGH_REST * e;
            }
        }
    }
    rg_free(r->f->ctx, x);
    return RG_OK;
}

/* The error of those between numbers so close that no pieces fit, in tolerances. */
static double short_ones(const rg_bvp_run *r)
{
    double worst = 0.0;

    for (int64_t i = 0; i < r->N; i++)
        if (r->has_rough && is_short(r->now, i)) worst = fmax(worst, RG_ROUGH_SHORT * r->error[i]);
    return worst;
}

/* The error is above the tolerance: a finer mesh, on which the difference counts so much more. */
static rg_status refine_more(rg_bvp_run *r, double worst)
{
    double seen = 0.0;

    for (int64_t i = 0; i < r->N; i++)
        if (is_doubted(r, i)) seen = fmax(seen, r->error[i]);
    const double factor = fmax(worst / fmax(seen, RG_ROUGH_COUNTS), 1.0);
    r->rough_factor = fmax(r->rough_factor, 1.0) * factor;
    for (int64_t i = 0; i < r->N; i++)
        if (is_doubted(r, i)) r->error[i] *= factor;
    r->result->error = worst;
    r->result->estimate = worst * r->control->rtol;
    const rg_status status = rg_run_refine(r);
    if (status < 0) return status;
    return status == RG_OK ? (rg_status)RG_RETRY : RG_OK; /* no mesh is finer: judge() tells */
}

rg_status rg_run_check_rough(rg_bvp_run *r)
{
    int64_t n_doubted;
    double worst;
    rg_curve *fine = NULL;

    if (r->result->error < RG_ROUGH_CLEAR) return RG_OK;
    RG_TRY(choose(r, &n_doubted));
    worst = short_ones(r);
    if (n_doubted == 0 && worst == 0.0) return RG_OK;
    rg_status status = n_doubted > 0 && worst <= 1.0 ? solve_cut(r, &fine) : RG_OK;
    if (status == RG_OK && fine != NULL) status = compare(r, fine, &worst);
    rg_curve_destroy(&fine);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    rg_log(r->f->ctx, 2, "collocation: %lld intervals cut in pieces, error %.3g of the tolerance",
           (long long)n_doubted, worst);
    if (worst > 1.0) return refine_more(r, worst);
    r->result->estimate = fmax(r->result->estimate, worst * r->control->rtol);
    return RG_OK;
}
