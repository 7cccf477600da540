/* Solutions with layers of width q near p + c q, q -> 0, are much the same as functions of a
 * coordinate xi along the curve,
 *
 *     xi(t) = w (t - a)/(b - a) + (1 - w)/n sum_k var_[a,t] x_k / var_[a,b] x_k,  w = 0.2
 *
 * and t(xi, q) = p + q g(xi) is linear in q inside a layer, smooth outside.  Hence, with solutions
 * 1 and 2 for q1 and q2,
 *
 *     t3 = t2 + theta (t2 - t1)  at equal xi,   theta = (q3 - q2)/(q2 - q1):
 *         layers stay inside their mesh intervals.
 *
 * A value that grows like q^-e in layers, e = -log(M2/M1)/log(q2/q1), M = max |value|, is scaled by
 * (dt2/dt3)^e, which is 1 outside.  A value whose derivative does not grow moves along its slope:
 * x3 = x2 + x2' (t3 - t2).  Our own; a coordinate along the curve is what moving meshes (Huang
 * and Russell) use in time. */
#include "bvp/collocation/predict.h"

#include "bvp/collocation/tuning.h"
#include "curve/mesh.h"

#include <math.h>
#include <string.h>

typedef struct {
    int64_t n;   /* samples */
    double *t;   /* n */
    double *xi;  /* n, ascending from 0 to 1 */
    double *sum; /* nx: variation of every state */
} curve;

/* |dx_k| from sample j - 1 to j; with sum: added up, without: the step of xi. */
static rg_status walk(const rg_curve *it, curve *c, double *x, bool is_first)
{
    const int nx = it->nx;
    double *now = x, *then = x + nx, *xp = then + nx, *w = xp + nx;
    const double length = it->t[it->N] - it->t[0];
    int n_moving = 0;

    for (int k = 0; k < nx; k++)
        n_moving += !is_first && c->sum[k] > 0.0;
    for (int64_t j = 0; j < c->n; j++) {
        const int64_t i = j < it->N * RG_INTERVAL_SAMPLES ? j / RG_INTERVAL_SAMPLES : it->N - 1;
        const double v = (double)(j - i * RG_INTERVAL_SAMPLES) / RG_INTERVAL_SAMPLES;
        c->t[j] = it->t[i] + v * (it->t[i + 1] - it->t[i]);
        rg_curve_eval(it, i, c->t[j], now, xp, w);
        double step = j > 0 ? RG_PREDICT_TIME * (c->t[j] - c->t[j - 1]) / length : 0.0;
        for (int k = 0; k < nx && j > 0; k++) {
            const double d = fabs(now[k] - then[k]);
            if (!isfinite(d)) return RG_RETRY;
            if (is_first) c->sum[k] += d;
            if (!is_first && c->sum[k] > 0.0)
                step += (1.0 - RG_PREDICT_TIME) / n_moving * d / c->sum[k];
        }
        c->xi[j] = j > 0 ? c->xi[j - 1] + step : 0.0;
        memcpy(then, now, (size_t)nx * sizeof *now);
    }
    return RG_OK;
}

static rg_status measure(const rg_curve *it, double *x, curve *c)
{
    c->n = it->N * RG_INTERVAL_SAMPLES + 1;
    c->t = rg_alloc(it->ctx, (size_t)(2 * c->n + it->nx), sizeof *c->t);
    if (c->t == NULL) return RG_ERR_MEMORY;
    c->xi = c->t + c->n;
    c->sum = c->xi + c->n;
    RG_TRY(walk(it, c, x, true));
    RG_TRY(walk(it, c, x, false));
    for (int64_t j = 1; j < c->n; j++)
        c->xi[j] /= c->xi[c->n - 1];
    return RG_OK;
}

/* t of a curve at xi; *from: a sample at or before it. */
static double time_at(const curve *c, double xi, int64_t *from)
{
    while (*from + 2 < c->n && c->xi[*from + 1] < xi)
        ++*from;
    const double a = c->xi[*from], b = c->xi[*from + 1];
    return c->t[*from] + (c->t[*from + 1] - c->t[*from]) * (b > a ? (xi - a) / (b - a) : 1.0);
}

/* The mesh of `now`, moved; its ends stay. */
static void move_mesh(const rg_curve *now, const curve *old, const curve *new, double theta,
                      double least, double *t)
{
    const double length = now->t[now->N] - now->t[0];
    double total = 0.0, past = now->t[0];
    int64_t at = 0;

    for (int64_t i = 0; i < now->N; i++) {
        const double h = now->t[i + 1] - now->t[i];
        const double next = time_at(old, new->xi[(i + 1) * RG_INTERVAL_SAMPLES], &at),
                     h_old = next - past;
        double moved = h + theta * (h - h_old);
        if (!(moved / h > least)) moved = least * h;
        t[i + 1] = moved;
        total += moved;
        past = next;
    }
    t[0] = now->t[0];
    for (int64_t i = 0; i < now->N; i++)
        t[i + 1] = i + 1 < now->N ? t[i] + t[i + 1] * length / total : now->t[now->N];
}

/* ---- values ---------------------------------------------------------------------------------- */

typedef struct {
    const rg_curve *now;
    const double *t; /* the moved mesh */
    double *e;       /* exponents of x, x' and w */
    double *v;       /* values */
} prediction;

/* x, x' and w one after the other. */
static void values_at(const rg_curve *it, int64_t i, double t, double *v)
{
    rg_curve_eval(it, i, t, v, v + it->nx, v + 2 * it->nx);
}

static void find_largest(const rg_curve *it, const curve *c, double *v, double *M)
{
    const int n = 2 * it->nx + it->n;

    memset(M, 0, (size_t)n * sizeof *M);
    for (int64_t j = 0; j < c->n; j++) {
        values_at(it, j < it->N * RG_INTERVAL_SAMPLES ? j / RG_INTERVAL_SAMPLES : it->N - 1,
                  c->t[j], v);
        for (int k = 0; k < n; k++)
            M[k] = fmax(M[k], fabs(v[k]));
    }
}

/* e: whole numbers, since what is in between is neither. */
static void find_exponents(prediction *p, const rg_curve *before, const curve *old,
                           const curve *new, double ratio)
{
    const int n = 2 * before->nx + before->n;
    double *M = p->v + n;

    find_largest(before, old, p->v, M);
    find_largest(p->now, new, p->v, p->e);
    for (int k = 0; k < n; k++) {
        const double e = M[k] > 0.0 && p->e[k] > 0.0 ? -log(p->e[k] / M[k]) / log(ratio) : 0.0;
        p->e[k] = fmin(fmax(floor(e + 0.5), 0.0), RG_PREDICT_POWER);
    }
}

/* For rg_profile: t on the moved mesh. */
static rg_status predicted(void *user, double t, double *x, double *xp, double *w)
{
    prediction *p = user;
    const rg_curve *now = p->now;
    const int nx = now->nx;
    const int64_t i = rg_mesh_find(now->N, p->t, t);
    const double h = p->t[i + 1] - p->t[i], h2 = now->t[i + 1] - now->t[i], factor = h2 / h;
    const double t2 = now->t[i] + (t - p->t[i]) / h * h2;

    values_at(now, i, t2, p->v);
    for (int k = 0; k < nx; k++) {
        x[k] = p->v[k] * pow(factor, p->e[k]);
        xp[k] = p->v[nx + k] * pow(factor, p->e[nx + k]);
        if (p->e[nx + k] == 0.0) x[k] += xp[k] * (t - t2);
    }
    for (int k = 0; k < now->n; k++)
        w[k] = p->v[2 * nx + k] * pow(factor, p->e[2 * nx + k]);
    return RG_OK;
}

rg_status rg_predict(const rg_bvp_form *f, const rg_curve *before, const rg_curve *now,
                     const double q[3], rg_curve **out)
{
    const double ends[2] = {now->t[0], now->t[now->N]}, theta = (q[2] - q[1]) / (q[1] - q[0]);
    curve old = {0}, new = {0};

    *out = NULL;
    if (now->n_nodes != 2 || before->nx != now->nx || now->nx == 0 || q[1] * q[0] <= 0.0
        || q[2] * q[1] <= 0.0 || !(fabs(theta) <= RG_PREDICT_FAR))
        return RG_OK;
    const size_t n = (size_t)(2 * now->nx + now->n);
    double *work = rg_alloc(now->ctx, 3 * n + (size_t)now->N + 2, sizeof *work);
    double *t = work != NULL ? work + 3 * n : NULL;
    prediction p = {now, t, work, work != NULL ? work + n : NULL};
    const rg_profile from = {predicted, &p};
    rg_status status = work == NULL ? RG_ERR_MEMORY : RG_OK;
    if (status == RG_OK) status = measure(before, work, &old);
    if (status == RG_OK) status = measure(now, work, &new);
    if (status == RG_OK) {
        find_exponents(&p, before, &old, &new, q[1] / q[0]);
        move_mesh(now, &old, &new, theta, RG_PREDICT_LEAST * fmin(1.0, fabs(q[2] / q[1])), t);
    }
    bool is_good = status == RG_OK;
    for (int64_t i = 0; i < now->N && is_good; i++)
        is_good = (t[i + 1] - t[i]) * (ends[1] - ends[0]) > 0.0;
    if (is_good)
        status = rg_curve_create(now->ctx, &now->rule, now->n, now->nx, now->N, t, 2, ends, out);
    if (*out != NULL) status = rg_profile_fill(*out, f, &from);
    if (status != RG_OK) rg_curve_destroy(out);
    rg_free(now->ctx, old.t);
    rg_free(now->ctx, new.t);
    rg_free(now->ctx, work);
    return status < 0 ? status : RG_OK;
}
