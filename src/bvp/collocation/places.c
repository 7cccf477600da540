/* Finds isolated points where dF/dw is singular along a solution. */
#include "bvp/collocation/places.h"

#include "bvp/collocation/tuning.h"
#include "bvp/dense_block.h"
#include "bvp/tuning.h"
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
    double t, size; /* log |det|; -infinity: zero, NaN: cannot be evaluated */
    int sign;
} sample;

typedef struct {
    rg_bvp_form *f;
    const rg_profile *from;
    double *x, *xp, *w, *F, *Fx, *Fw;
    int *pivot;
} scan;

static rg_status take_memory(scan *s)
{
    const size_t n = (size_t)s->f->n, nx = (size_t)s->f->nx;
    double *all = rg_alloc(s->f->ctx, 2 * nx + 2 * n + n * nx + n * n + 1, sizeof *all);

    s->x = all;
    s->pivot = rg_alloc(s->f->ctx, n + 1, sizeof *s->pivot);
    if (all == NULL || s->pivot == NULL) return RG_ERR_MEMORY;
    s->xp = s->x + nx;
    s->w = s->xp + nx;
    s->F = s->w + n;
    s->Fx = s->F + n;
    s->Fw = s->Fx + n * nx;
    return RG_OK;
}

static void release(scan *s)
{
    rg_free(s->f->ctx, s->x);
    rg_free(s->f->ctx, s->pivot);
}

static rg_status linearize(scan *s, double t)
{
    RG_TRY(s->from->eval(s->from->user, t, s->x, s->xp, s->w));
    return rg_bvp_form_jacobian(s->f, t, s->x, s->w, s->F, s->Fx, s->Fw);
}

/* log |det dF/dw| and its sign, from the factors. */
static rg_status look(scan *s, double t, sample *out)
{
    const int n = s->f->n, base = n < RG_LU_LAPACK_REAL ? 0 : 1;
    const rg_status status = linearize(s, t);

    *out = (sample){t, NAN, 1};
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    out->size = -INFINITY;
    if (!rg_block_factor(n, s->Fw, s->pivot)) return RG_OK;
    out->size = 0.0;
    for (int k = 0; k < n; k++) {
        const double u = s->Fw[k * n + k]; /* small factors hold 1/u */
        out->size += base == 0 ? -log(fabs(u)) : log(fabs(u));
        if ((u < 0.0) != (s->pivot[k] != k + base)) out->sign = -out->sign;
    }
    return RG_OK;
}

/* A zero between a and b: bisection where the sign changes, else the golden section for the
 * least |det|. */
static rg_status narrow(scan *s, sample a, sample b, sample *out)
{
    const bool is_crossing = a.sign != b.sign;
    const double part = is_crossing ? 0.5 : 0.38196601125010515;
    sample c, d;

    RG_TRY(look(s, a.t + part * (b.t - a.t), &c));
    for (int k = 0; k < RG_PLACES_SECTIONS && fabs(b.t - a.t) > 4.0 * DBL_EPSILON * fabs(a.t + b.t);
         k++) {
        if (c.size == -INFINITY) break;
        if (is_crossing) {
            if (c.sign == a.sign)
                a = c;
            else
                b = c;
            RG_TRY(look(s, 0.5 * (a.t + b.t), &c));
            continue;
        }
        RG_TRY(look(s, b.t - part * (b.t - a.t), &d));
        if (d.size < c.size) {
            a = c;
            c = d;
        } else { /* the same with a and b exchanged */
            b = a;
            a = d;
        }
    }
    *out = c;
    return RG_OK;
}

static rg_status add(scan *s, const rg_places *known, double at, double h, rg_places *out)
{
    const int n = s->f->n;
    int64_t rank = n;

    if (out->n == RG_PLACES_MOST) return RG_OK;
    const rg_status status = linearize(s, at);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    const rg_status ranked =
        rg_rank_svd(s->f->ctx, n, n, s->Fw, rg_rank_floor(RG_NOISE_DIFFERENCES), &rank);
    if (ranked < 0) return ranked;
    for (int k = 0; k < known->n; k++)
        if (fabs(known->place[k].t - at) < RG_KINKS_NEAR * known->h[k]) h = known->h[k];
    out->h[out->n] = h;
    out->place[out->n++] = (rg_singular){.t = at, .lost = rank < n ? (int)(n - rank) : 1};
    return RG_OK;
}

/* p[0], p[1], p[2]: neighbours.  A change of sign between the first two, or a dip in the middle. */
static rg_status examine(scan *s, const sample *p, const rg_places *known, double h, rg_places *out)
{
    const bool is_crossing = p[0].sign != p[1].sign && isfinite(p[0].size) && isfinite(p[1].size);
    const double dip = p[1].size - log(RG_PLACES_DIP);
    const bool is_dip = p[0].sign == p[1].sign && p[1].sign == p[2].sign && p[1].size <= p[2].size
                        && p[1].size < p[0].size && (p[0].size >= dip || p[2].size >= dip);
    const sample *last = is_crossing ? p + 1 : p + 2;
    sample zero = p[1];

    if (p[1].size == -INFINITY && isfinite(p[0].size) && isfinite(p[2].size))
        return add(s, known, p[1].t, h, out);
    if (!is_crossing && !is_dip) return RG_OK;
    RG_TRY(narrow(s, p[0], *last, &zero));
    if (!(zero.size <= fmin(p[0].size, last->size) + log(RG_RANK_DOUBT))) return RG_OK;
    return add(s, known, zero.t, h, out);
}

/* Samples that are as far apart as two places see one of them, now this and now that.  Place k of
 * `known` is looked at once more where no other one is near; the last one added goes to its place
 * in the order of the mesh. */
static rg_status look_again(scan *s, const rg_places *known, int k, double sign, rg_places *out)
{
    const double at = known->place[k].t, near = RG_KINKS_NEAR * known->h[k];
    const int n = out->n;
    sample p[3];

    for (int j = 0; j < n; j++)
        if (fabs(out->place[j].t - at) < near) return RG_OK;
    for (int j = 0; j < 3; j++)
        RG_TRY(look(s, at + (j - 1) * near, &p[j]));
    RG_TRY(examine(s, p, known, known->h[k], out));
    if (out->n == n) return RG_OK;
    const rg_singular place = out->place[n];
    const double h = out->h[n];
    int j = n;
    for (; j > 0 && sign * out->place[j - 1].t > sign * place.t; j--) {
        out->place[j] = out->place[j - 1];
        out->h[j] = out->h[j - 1];
    }
    out->place[j] = place;
    out->h[j] = h;
    return RG_OK;
}

static rg_status scan_mesh(scan *s, int64_t N, const double *t, rg_places *out)
{
    const rg_places known = *out;
    const double edge = RG_SAME * fabs(t[N] - t[0]);
    int64_t n_zero = 0;
    sample p[3] = {{0}};

    out->n = 0;
    for (int64_t k = 0; k <= N * RG_INTERVAL_SAMPLES; k++) {
        const int64_t i = k < N * RG_INTERVAL_SAMPLES ? k / RG_INTERVAL_SAMPLES : N - 1;
        const double h = t[i + 1] - t[i],
                     v = (double)(k - i * RG_INTERVAL_SAMPLES) / RG_INTERVAL_SAMPLES;
        p[0] = p[1];
        p[1] = p[2];
        RG_TRY(look(s, v == 1.0 ? t[N] : t[i] + v * h, &p[2]));
        n_zero += p[2].size == -INFINITY;
        if (k >= 2) RG_TRY(examine(s, p, &known, fabs(h), out));
        if (k == N * RG_INTERVAL_SAMPLES) { /* a change of sign between the last two */
            const sample last[3] = {
                p[1], p[2], {p[2].t, -INFINITY, p[2].sign}
            };
            RG_TRY(examine(s, last, &known, fabs(h), out));
        }
    }
    for (int k = 0; k < known.n; k++)
        RG_TRY(look_again(s, &known, k, t[N] > t[0] ? 1.0 : -1.0, out));
    out->is_everywhere = (double)n_zero >= RG_PLACES_EVERY * (double)(N * RG_INTERVAL_SAMPLES);
    while (out->n > 0 && fabs(out->place[out->n - 1].t - t[N]) < edge)
        out->n--;
    if (out->n > 0 && fabs(out->place[0].t - t[0]) < edge)
        memmove(out->place, out->place + 1, (size_t)--out->n * sizeof *out->place);
    return RG_OK;
}

rg_status rg_places_find(rg_bvp_form *f, const rg_profile *from, int64_t N, const double *t,
                         rg_places *places)
{
    if (f->n_algebraic == 0 && f->n_invariants == 0) return RG_OK; /* an ODE */
    if (f->is_unchecked)
        return RG_OK; /* a determinant per sample would take longer than the rest */
    return rg_places_scan(f, from, N, t, places);
}

rg_status rg_places_scan(rg_bvp_form *f, const rg_profile *from, int64_t N, const double *t,
                         rg_places *places)
{
    scan s = {.f = f, .from = from};
    rg_status status = take_memory(&s);

    if (status == RG_OK) status = scan_mesh(&s, N, t, places);
    release(&s);
    return status;
}

rg_status rg_places_glance(rg_bvp_form *f, const rg_profile *from, int64_t N, const double *t,
                           bool *is_any)
{
    scan s = {.f = f, .from = from};
    rg_status status = take_memory(&s);
    sample first = {0}, now;

    *is_any = false;
    for (int64_t i = 0; i <= N && status == RG_OK && !*is_any; i++) {
        status = look(&s, t[i], &now);
        if (i == 0) first = now;
        *is_any = now.sign != first.sign || (now.size == -INFINITY && i > 0 && i < N);
    }
    release(&s);
    return status;
}
