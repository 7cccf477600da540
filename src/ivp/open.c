/* Unknowns that algebraic equations hardly determine: with B the matrix of a block, its columns in
 * units of the unknowns and its rows in units of their largest entries, they are the large entries
 * of the v that
 *
 *     |B v| = s_n |v|,   s_n < RG_OPEN_LEAST s_1:
 *
 * they can change together by their own size, and no equation notices.  (Nodes between diodes that
 * all block, without a leak.) */
#include "ivp/open.h"

#include "base/pieces.h"
#include "ivp/determinants.h"
#include "ivp/tuning.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

/* In place. */
static void scale(const rg_integrator *g, int n, const int *columns, double *A)
{
    for (int c = 0; c < n; c++) {
        const int j = columns[c];
        const double unit = fabs(g->y[j]) + rg_integrator_atol(g, j) / g->options.rtol;
        for (int i = 0; i < n; i++)
            A[c * n + i] *= unit;
    }
    for (int i = 0; i < n; i++) {
        double most = 0.0;
        for (int c = 0; c < n; c++)
            most = fmax(most, fabs(A[c * n + i]));
        for (int c = 0; c < n && most > 0.0; c++)
            A[c * n + i] /= most;
    }
}

/* The names of the large entries of v, as many as fit. */
static void write_names(const rg_integrator *g, int n, const int *columns, const double *v,
                        char *names, int size)
{
    double most = 0.0;

    names[0] = '\0';
    for (int c = 0; c < n; c++)
        most = fmax(most, fabs(v[c]));
    for (int c = 0; c < n; c++) {
        char name[128];
        const size_t used = strlen(names);
        if (fabs(v[c]) < RG_OPEN_PART * most) continue;
        rg_system_state_name(g->system, columns[c], name, sizeof name);
        if (used + strlen(name) + 3 > (size_t)size) return;
        snprintf(names + used, (size_t)size - used, "%s%s", used > 0 ? ", " : "", name);
    }
}

/* Names of the unknowns in block k that its equations hardly determine; "": they do. */
static rg_status find_open(rg_integrator *g, rg_determinants *l, int k, char *names, int size)
{
    const rg_state at = rg_integrator_state(g);
    const int *columns;
    double *A, *s, *V;
    void *memory;
    int n;

    names[0] = '\0';
    RG_TRY(rg_determinants_block(l, g, &at, k, &n, &A, &columns));
    RG_TRY(RG_TAKE(g->ctx, &memory, RG_PIECE(s, n), RG_PIECE(V, (int64_t)n * n)));
    scale(g, n, columns, A);
    const rg_status status = rg_svd(g->ctx, n, n, A, s, NULL, V);
    if (status == RG_OK && s[n - 1] < RG_OPEN_LEAST * s[0])
        write_names(g, n, columns, V + (size_t)n * (size_t)(n - 1), names, size);
    rg_free(g->ctx, memory);
    return status;
}

static rg_status stop_open(rg_integrator *g, const char *names)
{
    rg_clear_error(g->ctx);
    rg_fail(g->ctx, RG_ERR_CONVERGENCE,
            "stopped at t = %.10g: the equations hardly determine %s here, which could change "
            "together by their own size",
            g->t, names);
    rg_fail_time(g->ctx, g->t);
    return rg_remedy(g->ctx, "add what the model leaves out there: a leak conductance beside "
                             "diodes or valves that block, a small capacity or stiffness");
}

rg_status rg_open_explain(rg_integrator *g, rg_status failure)
{
    rg_determinants *l = NULL;
    char names[256] = "";

    if (failure != RG_ERR_CONVERGENCE || g->stats.steps == 0 || rg_system_index(g->system) != 1
        || g->stats.steps >= g->options.max_steps)
        return failure;
    rg_status status = rg_determinants_create(g, RG_DETERMINANTS_ALL, &l);
    for (int k = 0; status >= 0 && l != NULL && k < rg_determinants_count(l); k++) {
        status = find_open(g, l, k, names, sizeof names);
        if (names[0] != '\0') break;
    }
    rg_determinants_destroy(&l);
    if (status < 0) return status;
    return names[0] != '\0' ? stop_open(g, names) : failure;
}
