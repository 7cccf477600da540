/* The interpreter against hand-written C: residuals of a 2-D Brusselator (2e4 unknowns) and of the
 * pendulum, the Jacobian against the residual, and loading a 1-D model with 1e6 cells.
 *
 *     cc -std=c11 -O2 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc bench/bench_kernel.c \
 *        build/libregula.a $(LIBS) -o build/bench_kernel       (LIBS as in the Makefile)
 *
 * Prints one line per figure, with its target; exit status 1 if one is missed. */
#include "base/base.h"
#include "problem/assembly.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { G = 100, GRID = G * G };

static const char brusselator[] =
    "param N = 100, a = 0.002*N^2\n"
    "var u[i=1..N, j=1..N] = 1, v[i=1..N, j=1..N] = 1\n"
    "for i = 1..N, j = 1..N {\n"
    "  u[i,j]' = 1 + u[i,j]^2*v[i,j] - 4.4*u[i,j] + a*(u[1+mod(i,N),j] + u[1+mod(i-2,N),j]\n"
    "            + u[i,1+mod(j,N)] + u[i,1+mod(j-2,N)] - 4*u[i,j])\n"
    "  v[i,j]' = 3.4*u[i,j] - u[i,j]^2*v[i,j] + a*(v[1+mod(i,N),j] + v[1+mod(i-2,N),j]\n"
    "            + v[i,1+mod(j,N)] + v[i,1+mod(j-2,N)] - 4*v[i,j])\n"
    "}\n"
    "over t = 0 .. 1\n";

static const char pendulum[] = "param m = 1, l = 1, g = 9.81\n"
                               "var p = 1, q = 0, u = 0, v = 0, lambda\n"
                               "p' = u\nq' = v\nm*u' = -p*lambda\nm*v' = -q*lambda - m*g\n"
                               "0 = p^2 + q^2 - l^2\nover t = 0 .. 1\n";

static const char heat[] = "param N = 1e6, c = N^2\n"
                           "var u[i=1..N] = sin(pi*i/N)\n"
                           "u[1] = 0\n"
                           "for i = 2..N-1 { u[i]' = c*(u[i-1] - 2*u[i] + u[i+1]) - u[i]^3 }\n"
                           "u[N] = 0\nover t = 0 .. 1\n";

/* ---- hand-written ---------------------------------------------------------------------------- */

static void brusselator_by_hand(const double *y, const double *yp, double *F)
{
    const double *u = y, *v = y + GRID, a = 0.002 * G * G;

    for (int i = 0; i < G; i++) {
        const int up = (i + 1) % G * G, down = (i + G - 1) % G * G;
        for (int j = 0; j < G; j++) {
            const int k = i * G + j, right = j + 1 < G ? k + 1 : k + 1 - G;
            const int left = j > 0 ? k - 1 : k - 1 + G;
            const double uuv = u[k] * u[k] * v[k];
            F[k] = yp[k]
                   - (1 + uuv - 4.4 * u[k]
                      + a * (u[up + j] + u[down + j] + u[right] + u[left] - 4 * u[k]));
            F[GRID + k] = yp[GRID + k]
                          - (3.4 * u[k] - uuv
                             + a * (v[up + j] + v[down + j] + v[right] + v[left] - 4 * v[k]));
        }
    }
}

static void pendulum_by_hand(const double *y, const double *yp, double *F)
{
    const double m = 1, l = 1, g = 9.81;

    F[0] = yp[0] - y[2];
    F[1] = yp[1] - y[3];
    F[2] = m * yp[2] + y[0] * y[4];
    F[3] = m * yp[3] + y[1] * y[4] + m * g;
    F[4] = -(y[0] * y[0] + y[1] * y[1] - l * l);
}

typedef void by_hand(const double *y, const double *yp, double *F);

/* ---- measuring ------------------------------------------------------------------------------- */

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    int32_t *rows, *columns[2];
    rg_assembly *a;
    rg_assembly_work *w;
    double *z, *F;
} model;

static void *take(int64_t n, size_t size)
{
    void *p = calloc((size_t)n + 1, size);
    if (p == NULL) exit(EXIT_FAILURE);
    return p;
}

static void load(model *m, const char *text)
{
    if (rg_context_create(&m->ctx) < 0) exit(EXIT_FAILURE);
    bool ok = rg_problem_from_text(m->ctx, text, &m->p) >= 0;
    const int64_t n = ok ? m->p->n : 0;
    m->rows = take(n, sizeof *m->rows);
    for (int o = 0; o < 2; o++)
        m->columns[o] = take(n, sizeof *m->columns[o]);
    for (int64_t k = 0; k < n; k++) {
        m->rows[k] = m->columns[0][k] = (int32_t)k;
        m->columns[1][k] = (int32_t)(n + k);
    }
    const int32_t *const row[1] = {m->rows}, *const column[2] = {m->columns[0], m->columns[1]};
    const rg_assembly_spec spec = {1, 2, 2 * n, row, n, column};
    ok = ok && rg_assembly_create(m->p, &spec, true, &m->a) >= 0;
    ok = ok && rg_assembly_work_create(m->a, &m->w) >= 0 && rg_assembly_work_keep(m->a, m->w) >= 0;
    if (!ok) {
        rg_error_print(rg_last_error(m->ctx), stderr);
        exit(EXIT_FAILURE);
    }
    m->z = take(2 * n, sizeof *m->z);
    m->F = take(n, sizeof *m->F);
    for (int64_t k = 0; k < 2 * n; k++)
        m->z[k] = 1 + 0.1 * sin((double)k);
}

static void unload(model *m)
{
    rg_assembly_work_destroy(&m->w);
    rg_assembly_destroy(&m->a);
    rg_problem_destroy(&m->p);
    rg_context_destroy(&m->ctx);
    free(m->rows);
    free(m->columns[0]);
    free(m->columns[1]);
    free(m->z);
    free(m->F);
}

enum { RESIDUAL, JACOBIAN, BY_HAND };

static void run(model *m, int what, by_hand *hand)
{
    const double *J;

    if (what == RESIDUAL) rg_assembly_residual(m->a, m->w, 0.0, m->z, m->F);
    if (what == JACOBIAN) rg_assembly_jacobian_kept(m->a, m->w, 0.0, m->z, m->F, &J);
    if (what == BY_HAND) hand(m->z, m->z + m->p->n, m->F);
}

/* Seconds per call: the best of several rounds. */
static double seconds(model *m, int what, by_hand *hand, int calls)
{
    double best = INFINITY;

    for (int round = 0; round < 60; round++) {
        const double start = rg_seconds();
        for (int k = 0; k < calls; k++)
            run(m, what, hand);
        best = fmin(best, (rg_seconds() - start) / calls);
    }
    return best;
}

static int report(const char *what, double value, double target, const char *unit)
{
    const int is_missed = !(value <= target);
    printf("%-48s %10.3g %-3s (at most %g)%s\n", what, value, unit, target,
           is_missed ? "  MISSED" : "");
    return is_missed;
}

static int compare(const char *name, const char *text, by_hand *hand, int calls, double target)
{
    model m = {0};
    char line[96];

    load(&m, text);
    double *reference = take(m.p->n, sizeof *reference), worst = 0;
    hand(m.z, m.z + m.p->n, reference);
    rg_assembly_residual(m.a, m.w, 0.0, m.z, m.F);
    for (int64_t k = 0; k < m.p->n; k++)
        worst = fmax(worst, fabs(fabs(m.F[k]) - fabs(reference[k])));
    const double byhand = seconds(&m, BY_HAND, hand, calls),
                 ours = seconds(&m, RESIDUAL, hand, calls);
    const double both = seconds(&m, JACOBIAN, hand, calls);
    printf("%s: by hand %.3g us, residual %.3g us, with Jacobian %.3g us\n", name, 1e6 * byhand,
           1e6 * ours, 1e6 * both);
    snprintf(line, sizeof line, "%s: difference of the residuals", name);
    int missed = report(line, worst, 1e-9, "");
    snprintf(line, sizeof line, "%s: residual / by hand", name);
    missed += report(line, ours / byhand, target, "");
    snprintf(line, sizeof line, "%s: with Jacobian / residual", name);
    missed += report(line, both / ours, 2.0, "");
    free(reference);
    unload(&m);
    return missed;
}

int main(void)
{
    int missed = compare("Brusselator", brusselator, brusselator_by_hand, 4, 4.0);
    missed += compare("pendulum", pendulum, pendulum_by_hand, 20000, 10.0);

    model m = {0};
    const double start = rg_seconds();
    load(&m, heat);
    missed += report("1e6 cells: load and assemble", rg_seconds() - start, 3.0, "s");
    const double ours = seconds(&m, RESIDUAL, NULL, 1);
    printf("1e6 cells: residual %.3g ms, with Jacobian %.3g ms\n", 1e3 * ours,
           1e3 * seconds(&m, JACOBIAN, NULL, 1));
    unload(&m);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    missed += report("1e6 cells: memory", (double)usage.ru_maxrss / 1024, 1024, "MB");
    return missed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
