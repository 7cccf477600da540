/* The first mesh: points where the linearized equations let layers be.
 *
 * With the eigenvalues mu of  x' = M(t) x  (modes.h) and  fall = max(-Re mu), rise = max(Re mu),  a
 * mode that falls may begin with a layer of width 1/fall: at the start of the interval, or where
 * fall comes up (a turning point); one that rises may end with a layer: at the end, or where rise
 * goes down.  There intervals are halved until they are as short as the layer, and so are intervals
 * in which  swing = max |Im mu|  changes much: a short stretch that turns the solution.
 *
 * Without these points an unresolved layer spoils the solution as a whole, since Gauss points do
 * not damp (|R(infinity)| = 1), and one mesh after the other is halved everywhere.  log2(fall)
 * points do for any width; where the solution has no layer, they are taken away again. */
#include "bvp/collocation/modes.h"
#include "bvp/collocation/run.h"
#include "bvp/collocation/tuning.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct {
    double t, fall, rise, swing;
} rates;

typedef struct {
    const rg_profile *along;
    rg_modes modes;
    double *x, *xp, *w;
    double *t;       /* the mesh as far as it is made: n points, */
    int64_t n, most; /* and the number from which on no new ones are added */
    bool is_coarse;  /* some interval is longer than a layer in it would be wide */
} grading;

/* Where nothing can be evaluated, nothing is refined. */
static rg_status look(grading *g, double t, double sign, rates *out)
{
    rg_status status = g->along->eval(g->along->user, t, g->x, g->xp, g->w);

    *out = (rates){t, 0.0, 0.0, 0.0};
    if (status == RG_OK) status = rg_modes_at(&g->modes, t, g->x, g->w);
    for (int k = 0; k < g->modes.f->nx && status == RG_OK; k++) {
        out->fall = fmax(out->fall, -sign * g->modes.re[k]);
        out->rise = fmax(out->rise, sign * g->modes.re[k]);
        out->swing = fmax(out->swing, fabs(g->modes.im[k]));
    }
    return status < 0 ? status : RG_OK;
}

static bool may_have_layer(const rates *a, const rates *b, bool is_first, bool is_last)
{
    const double h = fabs(b->t - a->t);
    const double least = fmin(a->swing, b->swing), most = fmax(a->swing, b->swing);

    return (is_first && a->fall * h > RG_FIRST_WIDE) || (is_last && b->rise * h > RG_FIRST_WIDE)
           || (b->fall * h > RG_FIRST_WIDE && b->fall > RG_FIRST_VARY * a->fall)
           || (a->rise * h > RG_FIRST_WIDE && a->rise > RG_FIRST_VARY * b->rise)
           || (least > 0.0 && most * h > RG_FIRST_WIDE && most > RG_FIRST_VARY * least);
}

/* Adds the points inside (a, b), and b. */
static rg_status grade(grading *g, const rates *a, const rates *b, bool is_first, bool is_last,
                       int depth)
{
    const double at = a->t + 0.5 * (b->t - a->t);

    if (depth < RG_FIRST_DEPTH && at != a->t && at != b->t && g->n < g->most
        && may_have_layer(a, b, is_first, is_last)) {
        rates middle;
        RG_TRY(look(g, at, b->t > a->t ? 1.0 : -1.0, &middle));
        RG_TRY(grade(g, a, &middle, is_first, false, depth + 1));
        return grade(g, &middle, b, false, is_last, depth + 1);
    }
    g->t[g->n++] = b->t;
    return RG_OK;
}

static rg_status grade_all(grading *g, int64_t N, const double *t)
{
    const double sign = t[N] > t[0] ? 1.0 : -1.0;
    rates a, b;

    RG_TRY(look(g, t[0], sign, &a));
    g->t[g->n++] = t[0];
    for (int64_t i = 0; i < N; i++) {
        RG_TRY(look(g, t[i + 1], sign, &b));
        if (fmax(fmax(a.fall, a.rise), fmax(b.fall, b.rise)) * fabs(b.t - a.t) > RG_FIRST_WIDE)
            g->is_coarse = true;
        RG_TRY(grade(g, &a, &b, i == 0, i + 1 == N, 0));
        a = b;
    }
    return RG_OK;
}

/* A layer needs a few numbers in it. */
bool rg_run_is_thin(const rg_bvp_run *r)
{
    return r->layer_width < RG_FIRST_NUMBERS * DBL_EPSILON * fabs(r->layer_t);
}

/* At either end the width 1/K of what falls from there, beside the distance of numbers. */
static rg_status look_at_ends(rg_bvp_run *r, grading *g, const double *ends)
{
    const double sign = ends[1] > ends[0] ? 1.0 : -1.0;
    double least = INFINITY;

    for (int k = 0; k < 2; k++) {
        rates at;
        RG_TRY(look(g, ends[k], sign, &at));
        const double rate = k == 0 ? at.fall : at.rise, numbers = DBL_EPSILON * fabs(ends[k]);
        if (!(rate > 0.0) || 1.0 / rate >= least * numbers) continue;
        r->layer_width = 1.0 / rate;
        r->layer_t = ends[k];
        least = r->layer_width / numbers;
    }
    return RG_OK;
}

rg_status rg_run_find_layer(rg_bvp_run *r)
{
    rg_context *ctx = r->f->ctx;
    const size_t nx = (size_t)r->f->nx;
    const double ends[2] = {r->c->point[0], r->c->point[r->c->n_points - 1]};
    grading g = {.along = r->guess};

    if (r->f->is_unchecked || nx == 0) return RG_OK;
    rg_status status = rg_modes_init(r->f, &g.modes);
    g.x = rg_alloc(ctx, 2 * nx + (size_t)r->f->n + 1, sizeof *g.x);
    if (g.x == NULL) status = RG_ERR_MEMORY;
    if (status == RG_OK) {
        g.xp = g.x + nx;
        g.w = g.xp + nx;
        status = look_at_ends(r, &g, ends);
    }
    rg_modes_clear(&g.modes);
    rg_free(ctx, g.x);
    return status;
}

rg_status rg_run_grade(const rg_bvp_run *r, const rg_profile *along, int64_t *N, double **t,
                       bool *is_coarse)
{
    rg_context *ctx = r->f->ctx;
    const size_t nx = (size_t)r->f->nx, n = (size_t)r->f->n;
    grading g = {.along = along, .most = *N + RG_FIRST_POINTS};

    *is_coarse = false;
    if (r->f->is_unchecked || nx == 0) return RG_OK; /* nothing is differentiated: no modes */
    rg_status status = rg_modes_init(r->f, &g.modes);

    if (g.most > r->control->max_intervals) g.most = r->control->max_intervals;
    g.x = rg_alloc(ctx, 2 * nx + n + 1, sizeof *g.x);
    g.t = rg_alloc(ctx, (size_t)*N + RG_FIRST_DEPTH + RG_FIRST_POINTS + 2, sizeof *g.t);
    if (g.x == NULL || g.t == NULL) status = RG_ERR_MEMORY;
    if (status == RG_OK) {
        g.xp = g.x + nx;
        g.w = g.xp + nx;
        status = grade_all(&g, *N, *t);
    }
    if (status == RG_OK) {
        double *old = *t;
        *t = g.t;
        g.t = old;
        *N = g.n - 1;
        *is_coarse = g.is_coarse;
    }
    rg_modes_clear(&g.modes);
    rg_free(ctx, g.x);
    rg_free(ctx, g.t);
    return status;
}
