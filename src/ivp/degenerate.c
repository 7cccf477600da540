/* Determinants of the blocks of K are looked at in the middle and at the end of every step, and in
 * many parts of it where one of them changes its sign or much of its size.  A place is found by
 * halving on the polynomial of the step, and lambda from the eigenvalues of M at two distances
 * behind it: see degenerate.h. */
#include "ivp/degenerate.h"

#include "ivp/determinants.h"
#include "ivp/tuning.h"
#include "linalg/dense.h"
#include "linalg/eigenvalues.h"
#include "linalg/small_lu.h"

#include <math.h>
#include <string.h>

struct rg_degenerate {
    rg_context *ctx;
    int n, n_blocks;
    rg_determinants *determinants;
    rg_determinant *last;    /* per block, at the end of the step before */
    rg_determinant *samples; /* PARTS + 1 rows of blocks */
    rg_determinant *probe;   /* while a place is looked for */
};

/* ---- life ------------------------------------------------------------------------------------ */

void rg_degenerate_destroy(rg_degenerate **degenerate)
{
    rg_degenerate *d = *degenerate;

    if (d == NULL) return;
    rg_determinants_destroy(&d->determinants);
    rg_free(d->ctx, d->last);
    rg_free(d->ctx, d);
    *degenerate = NULL;
}

static rg_status create(const rg_integrator *g, rg_determinants *determinants, rg_degenerate **out)
{
    rg_degenerate *d = rg_alloc(g->ctx, 1, sizeof *d);

    if (d == NULL) return RG_ERR_MEMORY;
    *out = d;
    d->ctx = g->ctx;
    d->n = (int)g->n;
    d->n_blocks = rg_determinants_count(determinants);
    const size_t blocks = (size_t)d->n_blocks;
    d->last = rg_alloc(g->ctx, (RG_DEGENERATE_PARTS + 3) * blocks, sizeof *d->last);
    if (d->last == NULL) return RG_ERR_MEMORY;
    d->samples = d->last + blocks;
    d->probe = d->samples + (RG_DEGENERATE_PARTS + 1) * blocks;
    d->determinants = determinants;
    return RG_OK;
}

rg_status rg_degenerate_create(const rg_integrator *g, rg_degenerate **out)
{
    rg_determinants *determinants;

    *out = NULL;
    if (g->n == 0 || g->n > RG_DEGENERATE_MOST || rg_system_is_linear(g->system)
        || rg_system_has_mass(g->system) || !rg_system_is_regular(g->system)
        || rg_system_projects(g->system))
        return RG_OK;
    RG_TRY(rg_determinants_create(g, &determinants));
    if (determinants == NULL) return RG_OK;
    const rg_status status = create(g, determinants, out);
    if (status != RG_OK) {
        rg_determinants_destroy(&determinants);
        rg_degenerate_destroy(out);
    }
    return status;
}

/* ---- the place ------------------------------------------------------------------------------- */

static bool can_halve(double low, double high)
{
    const double middle = low + 0.5 * (high - low);

    return middle != low && middle != high;
}

/* Block b changes the sign that it has at low until high. */
static rg_status find_change(rg_degenerate *d, rg_integrator *g, int b, int sign, double low,
                             double high, double *place)
{
    while (can_halve(low, high)) {
        const double middle = low + 0.5 * (high - low);
        RG_TRY(rg_determinants_at(d->determinants, g, middle, d->probe));
        if (d->probe[b].sign == sign)
            low = middle;
        else
            high = middle;
        if (d->probe[b].sign == 0) break;
    }
    *place = high;
    return RG_OK;
}

/* A zero of even order: with its smallest size in the middle of t[0], t[1], t[2], block b is looked
 * at between them.  Towards a zero of order q the sizes of three points at similar
 * distances differ by bits; at any other minimum they no
 * longer differ in the end.  *place is NaN there. */
static rg_status find_touch(rg_degenerate *d, rg_integrator *g, int b, double t[3], double size[3],
                            double *place)
{
    *place = NAN;
    while (size[1] > -INFINITY && can_halve(t[0], t[1]) && can_halve(t[1], t[2])) {
        const double left = fabs(t[1] - t[0]), right = fabs(t[2] - t[1]);
        const bool is_balanced = 0.25 * fmax(left, right) < fmin(left, right);
        if (is_balanced && fmax(size[0], size[2]) - size[1] < RG_DEGENERATE_BITS) return RG_OK;
        const int side = left > right ? 0 : 2;
        const double middle = 0.5 * (t[side] + t[1]);
        RG_TRY(rg_determinants_at(d->determinants, g, middle, d->probe));
        if (d->probe[b].size < size[1]) {
            t[2 - side] = t[1];
            size[2 - side] = size[1];
            t[1] = middle;
            size[1] = d->probe[b].size;
        } else {
            t[side] = middle;
            size[side] = d->probe[b].size;
        }
    }
    *place = t[1];
    return RG_OK;
}

/* The largest (t - t*) Re mu at a distance behind t*; -INFINITY: cannot be told.  Unknowns that are
 * not differentiated have no part in M: their columns are 0, and with them eigenvalues. */
static rg_status exponent_at(rg_degenerate *d, rg_integrator *g, double place, double distance,
                             double *K, int *pivot, double *out)
{
    const int n = d->n;
    double *B = K + n * n, *re = B + n * n, *im = re + n;

    *out = -INFINITY;
    const rg_status status = rg_determinants_matrices(d->determinants, g, place + distance, K, B);
    if (status != RG_OK) return status < 0 ? status : RG_OK;
    if (!rg_small_lu_factor(n, K, pivot)) return RG_OK;
    double sum = 0.0;
    for (int j = 0; j < n; j++)
        rg_small_lu_solve(n, K, pivot, B + j * n);
    for (int i = 0; i < n * n; i++)
        sum += fabs(B[i]);
    if (!isfinite(sum) || !rg_eigenvalues(n, B, re, im)) return RG_OK;
    for (int i = 0; i < n; i++)
        *out = fmax(*out, distance * re[i]);
    return RG_OK;
}

/* lambda > 0: it does not become smaller with the distance.  Where the coefficient vanishes by
 * rounding all around the place, farther away. */
static rg_status is_open_behind(rg_degenerate *d, rg_integrator *g, double place, bool *is_open)
{
    const double rounding = RG_DEGENERATE_ROUNDING * rg_integrator_time_rounding(g);
    const double step = fabs(g->t - g->t_previous);
    double far = fmax(RG_DEGENERATE_FAR * step, rounding), first = 0.0, second = -INFINITY;
    const size_t n = (size_t)d->n;

    double *K = rg_alloc(d->ctx, 2 * n * n + 2 * n, sizeof *K);
    int *pivot = rg_alloc(d->ctx, n, sizeof *pivot);
    rg_status status = K != NULL && pivot != NULL ? RG_OK : RG_ERR_MEMORY;
    while (status == RG_OK) {
        const double nearer = RG_DEGENERATE_NEARER * far;
        status = exponent_at(d, g, place, g->direction * far, K, pivot, &first);
        if (status == RG_OK)
            status = exponent_at(d, g, place, g->direction * nearer, K, pivot, &second);
        if (second > -INFINITY || far > step) break;
        far /= RG_DEGENERATE_NEARER;
    }
    rg_free(d->ctx, K);
    rg_free(d->ctx, pivot);
    *is_open = second > RG_DEGENERATE_LEAST && second > RG_DEGENERATE_STAYS * first;
    return status;
}

/* ---- the message ----------------------------------------------------------------------------- */

static int largest_of(int n, const double *x)
{
    int best = 0;

    for (int i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[best])) best = i;
    return best;
}

static rg_status fail(rg_degenerate *d, rg_integrator *g, double place)
{
    const int n = d->n;
    const size_t size = (size_t)(n * n);
    char row[128] = "an equation", state[128] = "an unknown";
    double *U = rg_alloc(d->ctx, 4 * size + (size_t)n + 1, sizeof *U);

    if (U == NULL) return RG_ERR_MEMORY;
    double *K = U + 2 * size, *B = K + size, *values = B + size;
    if (rg_determinants_matrices(d->determinants, g, place, K, B) == RG_OK
        && rg_svd(d->ctx, n, n, K, values, U, U + size) == RG_OK) {
        rg_system_row_name(g->system, largest_of(n, U + (n - 1) * n), row, sizeof row);
        rg_system_state_name(g->system, largest_of(n, U + size + (size_t)((n - 1) * n)), state,
                             sizeof state);
    }
    rg_free(d->ctx, U);
    rg_integrator_cut(g, place);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: behind it '%s' is not determined: the factor of its derivative "
            "in %s vanishes there, and many solutions go on from the same value",
            place, state, row);
    rg_fail_time(g->ctx, place);
    return rg_remedy(g->ctx,
                     "end the run there with --to %.10g, or begin a new one behind it with "
                     "a value of '%s'",
                     place, state);
}

/* ---- looking --------------------------------------------------------------------------------- */

static rg_determinant at(const rg_degenerate *d, int row, int b)
{
    return d->samples[row * d->n_blocks + b];
}

static bool is_quiet(const rg_degenerate *d, int rows)
{
    for (int b = 0; b < d->n_blocks; b++) {
        double least = d->last[b].size, most = least;
        for (int k = 0; k < rows; k++) {
            if (at(d, k, b).sign != d->last[b].sign) return false;
            least = fmin(least, at(d, k, b).size);
            most = fmax(most, at(d, k, b).size);
        }
        if (d->last[b].sign == 0 || most - least > RG_DEGENERATE_SPREAD) return false;
    }
    return true;
}

/* *open: the place, where it is one behind which the solution is open; as it was otherwise. */
static rg_status judge(rg_degenerate *d, rg_integrator *g, double place, double *open)
{
    bool is_open = false;

    if (isnan(place)) return RG_OK;
    RG_TRY(is_open_behind(d, g, place, &is_open));
    if (is_open) *open = place;
    return RG_OK;
}

/* Is there a smallest size of block b between neighbours of sample k?  At the ends of the step a
 * point close by tells on which side of them it is. */
static rg_status find_lowest(rg_degenerate *d, rg_integrator *g, int b, int k, const double *times,
                             double t[3], double size[3], bool *is_lowest)
{
    const int last = RG_DEGENERATE_PARTS, before = k > 0 ? k - 1 : 0, after = k < last ? k + 1 : k;

    *is_lowest = at(d, k, b).size <= at(d, before, b).size
                 && at(d, k, b).size <= at(d, after, b).size
                 && at(d, before, b).sign == at(d, after, b).sign;
    t[0] = times[before], t[1] = times[k], t[2] = times[after];
    size[0] = at(d, before, b).size, size[1] = at(d, k, b).size, size[2] = at(d, after, b).size;
    if (!*is_lowest || (k > 0 && k < last)) return RG_OK;
    t[1] += RG_DEGENERATE_ASIDE * (k == 0 ? t[2] - t[0] : t[0] - t[2]);
    RG_TRY(rg_determinants_at(d->determinants, g, t[1], d->probe));
    size[1] = d->probe[b].size;
    *is_lowest = size[1] < at(d, k, b).size;
    return RG_OK;
}

/* The first open place of block b, or NaN; low: the last sample with a known sign. */
static rg_status look_at_block(rg_degenerate *d, rg_integrator *g, int b, const double *times,
                               double *open)
{
    double place, t[3], size[3];
    int low = -1;
    bool is_lowest;

    *open = NAN;
    if (at(d, 0, b).sign == 0) RG_TRY(judge(d, g, times[0], open));
    for (int k = 0; k <= RG_DEGENERATE_PARTS && isnan(*open); k++) {
        const int sign = at(d, k, b).sign;
        if (sign != 0 && low >= 0 && sign != at(d, low, b).sign) {
            RG_TRY(find_change(d, g, b, at(d, low, b).sign, times[low], times[k], &place));
            RG_TRY(judge(d, g, place, open));
        }
        if (sign != 0) low = k;
        RG_TRY(find_lowest(d, g, b, k, times, t, size, &is_lowest));
        if (!is_lowest || !isnan(*open)) continue;
        RG_TRY(find_touch(d, g, b, t, size, &place));
        RG_TRY(judge(d, g, place, open));
    }
    return RG_OK;
}

/* A step may pass several places: its parts are looked at one by one. */
static rg_status look_at_parts(rg_degenerate *d, rg_integrator *g)
{
    const double from = g->t_previous, h = (g->t - from) / RG_DEGENERATE_PARTS;
    double times[RG_DEGENERATE_PARTS + 1], first = NAN, open;

    for (int k = 0; k <= RG_DEGENERATE_PARTS; k++) {
        times[k] = k < RG_DEGENERATE_PARTS ? from + k * h : g->t;
        RG_TRY(rg_determinants_at(d->determinants, g, times[k], d->samples + k * d->n_blocks));
    }
    for (int b = 0; b < d->n_blocks; b++) {
        RG_TRY(look_at_block(d, g, b, times, &open));
        if (!(fabs(open - from) >= fabs(first - from)) && !isnan(open)) first = open;
    }
    if (!isnan(first)) return fail(d, g, first);
    memcpy(d->last, d->samples + RG_DEGENERATE_PARTS * d->n_blocks,
           (size_t)d->n_blocks * sizeof *d->last);
    return RG_OK;
}

rg_status rg_degenerate_look(rg_degenerate *d, rg_integrator *g)
{
    const double from = g->t_previous;

    if (g->t == from) return RG_OK;
    RG_TRY(rg_determinants_at(d->determinants, g, 0.5 * (from + g->t), d->samples));
    RG_TRY(rg_determinants_at(d->determinants, g, g->t, d->samples + d->n_blocks));
    if (!is_quiet(d, 2)) return look_at_parts(d, g);
    memcpy(d->last, d->samples + d->n_blocks, (size_t)d->n_blocks * sizeof *d->last);
    return RG_OK;
}
