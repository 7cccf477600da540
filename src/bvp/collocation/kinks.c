/* Finds the points where the equations change branch along a solution. */
#include "bvp/collocation/kinks.h"
#include "bvp/collocation/tuning.h"

#include <math.h>
#include <string.h>

/* The unknowns of the form on the profile, as states and their derivatives. */
static rg_status point_at(void *user, double t, double *z)
{
    rg_kinks *k = user;
    const int64_t states = k->f->states.n_states;

    RG_TRY(k->from->eval(k->from->user, t, k->x, k->xp, k->w));
    memset(z, 0, (size_t)(2 * states) * sizeof *z);
    rg_bvp_form_point(k->f, k->x, k->w, z, z + states);
    return RG_OK;
}

/* Those near the ends are none. */
static bool is_inside(double t, double a, double b)
{
    const double edge = RG_SAME * fabs(b - a);

    return fabs(t - a) > edge && fabs(t - b) > edge;
}

static rg_status find_known(rg_kinks *k, double a, double b)
{
    int64_t found;

    RG_TRY(rg_breaks_find(k->f->p, &k->switches, a, b, &found, &k->known));
    for (int64_t i = 0; i < found; i++)
        if (is_inside(k->known[i], a, b)) k->known[k->n_known++] = k->known[i];
    return RG_OK;
}

rg_status rg_kinks_init(rg_bvp_form *f, double a, double b, rg_kinks *out)
{
    const size_t n = (size_t)f->n, nx = (size_t)f->nx;

    memset(out, 0, sizeof *out);
    out->f = f;
    RG_TRY(rg_switches_init(f->p, &f->states, &out->switches));
    if (out->switches.n == 0) return RG_OK;
    RG_TRY(find_known(out, a, b));
    RG_TRY(rg_crossings_init(f->ctx, &out->switches, point_at, out, &out->crossings));
    out->x = rg_alloc(f->ctx, 3 * nx + n + 1, sizeof *out->x);
    if (out->x == NULL) return RG_ERR_MEMORY;
    out->xp = out->x + nx;
    out->after = out->xp + nx;
    out->w = out->after + nx;
    return RG_OK;
}

void rg_kinks_clear(rg_kinks *k)
{
    if (k->f == NULL) return;
    rg_crossings_clear(&k->crossings);
    rg_switches_clear(k->f->ctx, &k->switches);
    rg_free(k->f->ctx, k->x);
    rg_free(k->f->ctx, k->known);
    rg_free(k->f->ctx, k->t);
    k->f = NULL;
}

/* Adds the next time; a crossing at one that is known is that one. */
static rg_status take(rg_kinks *k, double t, double gap)
{
    if (k->n > 0 && fabs(t - k->t[k->n - 1]) <= gap) return RG_OK;
    RG_TRY(rg_grow(k->f->ctx, &k->t, k->n, &k->capacity, sizeof *k->t));
    k->t[k->n++] = t;
    return RG_OK;
}

/* Known ones and crossings, both from a on, as one list. */
static rg_status merge(rg_kinks *k, double a, double b)
{
    const rg_crossings *c = &k->crossings;
    const int64_t n = c->n < RG_KINKS_MOST ? c->n : RG_KINKS_MOST;
    const double gap = rg_breaks_gap(a, b);
    int64_t j = 0;

    k->n = 0;
    for (int64_t i = 0; i < n; i++) {
        if (!is_inside(c->times[i], a, b)) continue;
        for (; j < k->n_known && (k->known[j] - c->times[i]) * (b - a) <= gap * fabs(b - a); j++)
            RG_TRY(take(k, k->known[j], gap));
        RG_TRY(take(k, c->times[i], gap));
    }
    for (; j < k->n_known; j++)
        RG_TRY(take(k, k->known[j], gap));
    return RG_OK;
}

rg_status rg_kinks_find(rg_kinks *k, const rg_profile *from, int64_t N, const double *t)
{
    rg_crossings *c = &k->crossings;

    k->n = 0;
    if (k->switches.n == 0) return RG_OK;
    k->from = from;
    rg_status status = rg_crossings_begin(c, t[0]);
    for (int64_t s = 1; s <= N * RG_INTERVAL_SAMPLES && status == RG_OK && c->n < RG_KINKS_MOST;
         s++) {
        const int64_t i = (s - 1) / RG_INTERVAL_SAMPLES;
        const double v = (double)(s - i * RG_INTERVAL_SAMPLES) / RG_INTERVAL_SAMPLES;
        status = rg_crossings_go_on(c, v == 1.0 ? t[i + 1] : t[i] + v * (t[i + 1] - t[i]));
    }
    if (status < 0) return status; /* what cannot be evaluated is not looked at any further */
    return merge(k, t[0], t[N]);
}

/* The error that a kink at a distance delta from mesh point q makes: there x' is the one of the
 * other branch, so x is wrong by delta |x'(t_q + 0) - x'(t_q - 0)|.  In units of its size. */
static double error_of_offset(rg_kinks *k, const rg_curve *it, int64_t q, double delta,
                              const double *size)
{
    double *after = k->after, worst = 0.0;

    if (q == 0 || q == it->N) return 0.0;
    rg_curve_eval(it, q, it->t[q], k->x, after, k->w);
    rg_curve_eval(it, q - 1, it->t[q], k->x, k->xp, k->w);
    for (int j = 0; j < k->f->nx; j++)
        worst = fmax(worst, delta * fabs(after[j] - k->xp[j]) / fmax(size[j], fabs(k->x[j])));
    return worst;
}

double rg_kinks_miss(rg_kinks *k, const rg_curve *it, double tol, const double *size)
{
    const double most = tol * fabs(it->t[it->N] - it->t[0]);
    double worst = 0.0;
    int64_t last = -1, q = 0;

    for (int64_t j = 0; j < k->n; j++) {
        while (q < it->N && fabs(it->t[q + 1] - k->t[j]) <= fabs(it->t[q] - k->t[j]))
            q++; /* both are in the order of the interval */
        const double delta = fabs(it->t[q] - k->t[j]);
        if (delta > most || q == last) return INFINITY; /* a pulse between two kinks has two ends */
        worst = fmax(worst, error_of_offset(k, it, q, delta, size));
        last = q;
    }
    return worst;
}

static bool is_node(double t, int n_nodes, const double *node)
{
    for (int j = 0; j < n_nodes; j++)
        if (t == node[j]) return true;
    return false;
}

rg_status rg_kinks_move_mesh(rg_kinks *k, int n_nodes, const double *node, int64_t *N, double **t)
{
    rg_context *ctx = k->f->ctx;
    double *out = k->n > 0 ? rg_alloc(ctx, (size_t)(*N + 1 + k->n), sizeof *out) : NULL;
    int64_t n = 0, j = 0;

    if (k->n == 0) return RG_OK;
    if (out == NULL) return RG_ERR_MEMORY;
    for (int64_t i = 0; i < *N; i++) {
        const double a = (*t)[i], b = (*t)[i + 1], near = RG_KINKS_NEAR * fabs(b - a);
        const bool has_kink = j < k->n && (k->t[j] - a) * (b - k->t[j]) >= 0.0;
        const bool is_close = has_kink && fabs(k->t[j] - a) < near && !is_node(a, n_nodes, node);
        if (!is_close && (n == 0 || out[n - 1] != a)) out[n++] = a;
        for (; j < k->n && (k->t[j] - a) * (b - k->t[j]) >= 0.0; j++) {
            if (n > 0 && out[n - 1] == k->t[j]) continue;
            if (k->t[j] != b) out[n++] = k->t[j];
        }
        if (has_kink && fabs(k->t[j - 1] - b) < near && !is_node(b, n_nodes, node)
            && k->t[j - 1] != b && i + 1 < *N)
            (*t)[i + 1] = k->t[j - 1]; /* b itself is left out */
    }
    out[n++] = (*t)[*N];
    rg_free(ctx, *t);
    *t = out;
    *N = n - 1;
    return RG_OK;
}
