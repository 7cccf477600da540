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

rg_status rg_kinks_init(rg_bvp_form *f, rg_kinks *out)
{
    const size_t n = (size_t)f->n, nx = (size_t)f->nx;

    memset(out, 0, sizeof *out);
    out->f = f;
    RG_TRY(rg_switches_init(f->p, &f->states, &out->switches));
    if (out->switches.n == 0) return RG_OK;
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
    k->f = NULL;
}

/* Those near the ends are none. */
static void take_times(rg_kinks *k, double low, double high)
{
    const double edge = RG_SAME * fabs(high - low);
    double *t = k->crossings.times;

    k->t = t;
    for (int64_t i = 0; i < k->crossings.n && k->n < RG_KINKS_MOST; i++)
        if (fabs(t[i] - low) > edge && fabs(t[i] - high) > edge) t[k->n++] = t[i];
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
    take_times(k, t[0], t[N]);
    return status < 0 ? status : RG_OK; /* what cannot be evaluated is not looked at any further */
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
