/* Dense matrices of small models.  C has the eigenvalues of tau M - diag(p), since powers of tau
 * are a diagonal change of unknowns. */
#include "ivp/exponents.h"

#include "base/pieces.h"
#include "ivp/tuning.h"
#include "linalg/eigenvalues.h"

#include <math.h>
#include <string.h>

typedef struct {
    int n;
    void *memory;
    double *M[2]; /* at the distances `near` and `far`, times these */
    double *k;    /* M_ij ~ tau^-k_ij; NaN: no entry */
    double *p;
    uint8_t *reaches; /* [j n + i]: x_j takes part in x_i, directly or by others */
    int *class;       /* rows of a block in which all take part in all */
    double *C, *re, *im;
} exponents;

/* distance M, direction of the run; RG_RETRY: there is none. */
static rg_status fill(rg_growth *w, const rg_integrator *g, double t, double distance, double *out,
                      int *state)
{
    const double *M;

    RG_TRY(rg_growth_matrix(w, g, t + g->direction * distance, &M, state));
    for (int64_t e = 0; e < g->n * g->n; e++)
        out[e] = g->direction * distance * M[e];
    return RG_OK;
}

/* The powers of tau in the entries, which are taken for quarters; what is rounding in units of the
 * unknowns is no entry. */
static void find_powers(const rg_integrator *g, exponents *x, double ratio)
{
    const int n = x->n;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            const double near = x->M[0][j * n + i], far = x->M[1][j * n + i];
            const double unit_i = fabs(g->y[i]) + rg_integrator_unit(g, i);
            const double unit_j = fabs(g->y[j]) + rg_integrator_unit(g, j);
            const bool is_there = fabs(near) * unit_j > RG_EXPONENTS_ENTRY * unit_i;
            const double k = far != 0.0 ? 1.0 + log(fabs(near / far)) / log(ratio) : 1.0;
            x->k[j * n + i] = is_there ? round(4.0 * k) / 4.0 : NAN;
            x->reaches[j * n + i] = is_there || i == j;
        }
}

/* The least p of (1), by relaxation; 0 where there is none. */
static void find_shift(exponents *x)
{
    const int n = x->n;
    bool has_changed = true;

    for (int round = 0; round <= n && has_changed; round++) {
        has_changed = false;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                const double least = x->p[i] + x->k[j * n + i] - 1.0;
                if (!(x->p[j] < least)) continue;
                x->p[j] = least;
                has_changed = true;
            }
    }
    if (has_changed) memset(x->p, 0, (size_t)n * sizeof *x->p);
}

static void find_reach(exponents *x)
{
    const int n = x->n;

    for (int via = 0; via < n; via++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n && x->reaches[j * n + via]; i++)
                x->reaches[j * n + i] |= x->reaches[via * n + i];
}

/* The rows that take part in row j, and it in them; their number. */
static int find_class(exponents *x, int j)
{
    int count = 0;

    for (int i = 0; i < x->n; i++)
        if (x->reaches[j * x->n + i] && x->reaches[i * x->n + j]) x->class[count++] = i;
    return count;
}

/* The largest Re nu of the block of x->class at a distance; -INFINITY: cannot be told. */
static double largest_part(exponents *x, int count, const double *M, double distance)
{
    double most = -INFINITY, sum = 0.0;

    for (int c = 0; c < count; c++)
        for (int r = 0; r < count; r++) {
            const int i = x->class[r], j = x->class[c];
            x->C[c * count + r] =
                M[j * x->n + i] * pow(distance, x->p[j] - x->p[i]) - (i == j ? x->p[i] : 0.0);
            sum += fabs(x->C[c * count + r]);
        }
    if (!isfinite(sum) || !rg_eigenvalues(count, x->C, x->re, x->im)) return most;
    for (int c = 0; c < count; c++)
        most = fmax(most, x->re[c]);
    return most;
}

/* The block of row j: Re nu + p_i at the unknown that begins slowest. */
static bool is_open_in(exponents *x, int j, double near, double far)
{
    const int count = find_class(x, j);
    double p = INFINITY;

    for (int i = 0; i < x->n; i++)
        if (x->reaches[j * x->n + i]) p = fmin(p, x->p[i]);
    const double first = p + largest_part(x, count, x->M[1], far);
    const double second = p + largest_part(x, count, x->M[0], near);
    return second > RG_DEGENERATE_LEAST && second > RG_DEGENERATE_STAYS * first;
}

static rg_status look(exponents *x, rg_growth *w, const rg_integrator *g, double t, double near,
                      double far, bool *is_open, int *state)
{
    const int n = x->n;

    RG_TRY(fill(w, g, t, far, x->M[1], state));
    RG_TRY(fill(w, g, t, near, x->M[0], state));
    find_powers(g, x, far / near);
    find_shift(x);
    find_reach(x);
    for (int j = 0; j < n && !*is_open; j++) {
        const bool is_first = find_class(x, j) > 0 && x->class[0] == j; /* once per block */
        *is_open = is_first && is_open_in(x, j, near, far);
    }
    return RG_OK;
}

rg_status rg_exponents_open(rg_growth *w, const rg_integrator *g, double t, double near, double far,
                            bool *is_open, int *state)
{
    const int64_t n = g->n, size = n * n;
    exponents x = {.n = (int)n};

    *is_open = false;
    RG_TRY(RG_TAKE(g->ctx, &x.memory, RG_PIECE(x.M[0], size), RG_PIECE(x.M[1], size),
                   RG_PIECE(x.k, size), RG_PIECE(x.p, n), RG_PIECE(x.reaches, size),
                   RG_PIECE(x.class, n), RG_PIECE(x.C, size), RG_PIECE(x.re, n),
                   RG_PIECE(x.im, n)));
    const rg_status status = look(&x, w, g, t, near, far, is_open, state);
    rg_free(g->ctx, x.memory);
    return status < 0 ? status : RG_OK;
}
