/* Finds the points where the equations change branch along a solution. */
#include "bvp/collocation/kinks.h"

#include "base/tuning.h"

#include <math.h>
#include <string.h>

rg_status rg_kinks_init(rg_bvp_form *f, rg_kinks *out)
{
    const size_t n = (size_t)f->n, nx = (size_t)f->nx, states = (size_t)f->states.n_states;

    memset(out, 0, sizeof *out);
    out->f = f;
    RG_TRY(rg_switches_init(f->p, &f->states, &out->switches));
    const size_t count = (size_t)out->switches.n;
    if (count == 0) return RG_OK;
    RG_TRY(rg_assembly_work_create(out->switches.values, &out->work));
    double *all = rg_alloc(f->ctx, 2 * nx + n + 2 * states + 4 * count + 1, sizeof *all);
    if (all == NULL) return RG_ERR_MEMORY;
    out->x = all;
    out->xp = out->x + nx;
    out->w = out->xp + nx;
    out->z = out->w + n;
    out->value = out->z + 2 * states;
    for (int k = 0; k < 3; k++)
        out->mode[k] = out->value + (size_t)(k + 1) * count;
    return RG_OK;
}

void rg_kinks_clear(rg_kinks *k)
{
    if (k->f == NULL) return;
    rg_assembly_work_destroy(&k->work);
    rg_switches_clear(k->f->ctx, &k->switches);
    rg_free(k->f->ctx, k->x);
    k->f = NULL;
}

/* All modes at t.  RG_RETRY: cannot be evaluated. */
static rg_status modes_at(rg_kinks *k, const rg_profile *from, double t, double *mode)
{
    const int64_t states = k->f->states.n_states;

    RG_TRY(from->eval(from->user, t, k->x, k->xp, k->w));
    memset(k->z, 0, (size_t)(2 * states) * sizeof *k->z);
    rg_bvp_form_point(k->f, k->x, k->w, k->z, k->z + states);
    RG_TRY(rg_assembly_residual(k->switches.values, k->work, t, k->z, k->value));
    for (int64_t i = 0; i < k->switches.n; i++)
        mode[i] = rg_switch_mode(&k->switches, i, k->value[i]);
    return RG_OK;
}

static bool is_same(const rg_kinks *k, const double *a, const double *b)
{
    for (int64_t i = 0; i < k->switches.n; i++)
        if (a[i] != b[i] && a[i] != 0.0 && b[i] != 0.0) return false;
    return true;
}

static void swap_modes(rg_kinks *k, int a, int b)
{
    double *swap = k->mode[a];
    k->mode[a] = k->mode[b];
    k->mode[b] = swap;
}

/* The first change of branch between a, where the modes are mode[0], and b: *at is behind it,
 * and mode[0] belongs to it. */
static rg_status narrow(rg_kinks *k, const rg_profile *from, double a, double b, double *at)
{
    for (int pass = 0; pass < RG_KINKS_HALVINGS; pass++) {
        const double middle = 0.5 * (a + b);
        if (middle == a || middle == b) break;
        RG_TRY(modes_at(k, from, middle, k->mode[2]));
        if (is_same(k, k->mode[0], k->mode[2]))
            a = middle;
        else
            b = middle;
    }
    *at = b;
    return modes_at(k, from, b, k->mode[0]);
}

/* All changes between two neighbouring samples with the modes mode[0] and mode[1]: a short pulse
 * has two. */
static rg_status find_between(rg_kinks *k, const rg_profile *from, double a, double b, double edge,
                              const double *ends)
{
    while (k->n < RG_KINKS_MOST && !is_same(k, k->mode[0], k->mode[1])) {
        RG_TRY(narrow(k, from, a, b, &a));
        if (fabs(a - ends[0]) > edge && fabs(a - ends[1]) > edge) k->t[k->n++] = a;
        if (a == b) break;
    }
    return RG_OK;
}

rg_status rg_kinks_find(rg_kinks *k, const rg_profile *from, int64_t N, const double *t)
{
    const double edge = RG_KINKS_EDGE * fabs(t[N] - t[0]), ends[] = {t[0], t[N]};
    double before = t[0];

    k->n = 0;
    if (k->switches.n == 0) return RG_OK;
    rg_status status = modes_at(k, from, t[0], k->mode[0]);
    for (int64_t s = 1; s <= N * RG_KINKS_SAMPLES && status == RG_OK && k->n < RG_KINKS_MOST; s++) {
        const int64_t i = (s - 1) / RG_KINKS_SAMPLES;
        const double v = (double)(s - i * RG_KINKS_SAMPLES) / RG_KINKS_SAMPLES;
        const double now = v == 1.0 ? t[i + 1] : t[i] + v * (t[i + 1] - t[i]);
        status = modes_at(k, from, now, k->mode[1]);
        if (status == RG_OK) status = find_between(k, from, before, now, edge, ends);
        swap_modes(k, 0, 1);
        before = now;
    }
    return status < 0 ? status : RG_OK; /* what cannot be evaluated is not looked at any further */
}

/* The error that a kink at a distance delta from mesh point q makes: there x' is the one of the
 * other branch, so x is wrong by delta |x'(t_q + 0) - x'(t_q - 0)|.  In units of its size. */
static double error_of_offset(rg_kinks *k, const rg_curve *it, int64_t q, double delta,
                              const double *size)
{
    double *after = k->z, worst = 0.0; /* z has room for all states */

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

    for (int j = 0; j < k->n; j++) {
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
    int64_t n = 0;
    int j = 0;

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
