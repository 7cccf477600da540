/* The interpreter against compiled kernels: residual, Jacobian and whole runs of shipped models.
 *
 *     build/bench/bench_native [FOLDER]        examples/ivp without an argument
 *
 * Runs are stepped by hand, so that loading, start values and the compiler are not part of them.
 * Prints one line per model; no targets. */
#include "base/base.h"
#include "problem/assembly.h"
#include "problem/native.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const models[] = {
    "pendulum", "transistor-amplifier", "ringmod", "andrews", "fekete", "brus1d", "brus2d"};

typedef struct {
    double residual, jacobian, compile; /* seconds per call; once */
    double run;
    int64_t n;
} figures;

static void quit(rg_context *ctx)
{
    rg_error_print(rg_last_error(ctx), stderr);
    exit(EXIT_FAILURE);
}

static void *take(int64_t n, size_t size)
{
    void *p = calloc((size_t)n + 1, size);
    if (p == NULL) exit(EXIT_FAILURE);
    return p;
}

/* ---- kernels --------------------------------------------------------------------------------- */

static double per_call(const rg_assembly *a, rg_assembly_work *w, const double *z, double *F,
                       bool with_jacobian)
{
    double best = INFINITY, used = 0;
    const double *J;
    int calls = 1;

    while (used < 0.15) {
        const double start = rg_seconds();
        for (int k = 0; k < calls; k++)
            if (with_jacobian)
                rg_assembly_jacobian_kept(a, w, 0.0, z, F, &J);
            else
                rg_assembly_residual(a, w, 0.0, z, F);
        const double now = rg_seconds() - start;
        used += now;
        best = fmin(best, now / calls);
        if (now < 1e-3) calls *= 2;
    }
    return best;
}

/* F(t, z) with z the orders 0, 1, ... of all unknowns, at numbers near 1. */
static void time_kernels(rg_problem *p, figures *f)
{
    const int orders = p->max_order + 1;
    const int64_t n = p->n;
    int32_t *columns[RG_MAX_ORDER + 1];
    rg_assembly *a = NULL;
    rg_assembly_work *w = NULL;

    for (int o = 0; o < orders; o++) {
        columns[o] = take(n, sizeof *columns[o]);
        for (int64_t k = 0; k < n; k++)
            columns[o][k] = (int32_t)(o * n + k);
    }
    const int32_t *const row[1] = {columns[0]};
    const rg_assembly_spec spec = {1, orders, orders * n, row, n, (const int32_t *const *)columns};
    double *z = take(orders * n, sizeof *z), *F = take(n, sizeof *F);
    for (int64_t k = 0; k < orders * n; k++)
        z[k] = 1 + 0.1 * sin((double)k);
    if (rg_assembly_create(p, &spec, true, &a) < 0) quit(p->ctx);
    const double start = rg_seconds();
    if (rg_assembly_work_create(a, &w) < 0 || rg_assembly_work_keep(a, w) < 0) quit(p->ctx);
    f->n = n;
    f->compile = rg_seconds() - start;
    f->residual = per_call(a, w, z, F, false);
    f->jacobian = per_call(a, w, z, F, true);
    rg_assembly_work_destroy(&w);
    rg_assembly_destroy(&a);
    for (int o = 0; o < orders; o++)
        free(columns[o]);
    free(z);
    free(F);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static double time_once(rg_problem *p, const rg_options *o)
{
    rg_solver *s = NULL;
    double a, b, t;

    if (rg_solver_create(p, o, &s) < 0) quit(p->ctx);
    rg_problem_interval(p, &a, &b);
    const double start = rg_seconds();
    for (t = a; t != b;)
        if (rg_solver_step(s, b, &t, NULL) < 0) quit(p->ctx);
    const double seconds = rg_seconds() - start;
    rg_solver_destroy(&s);
    return seconds;
}

/* The best of several. */
static void time_run(rg_problem *p, const char *native, figures *f)
{
    rg_options o = rg_options_default();
    double used = 0;

    if (rg_problem_options(p, &o) < 0 || rg_options_assign(p->ctx, &o, "native", native) < 0)
        quit(p->ctx);
    f->run = INFINITY;
    for (int k = 0; k < 50 && used < 1.5; k++) {
        const double now = time_once(p, &o);
        f->run = fmin(f->run, now);
        used += now;
    }
}

static figures measure(const char *path, const char *native)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    figures f = {0};

    if (rg_context_create(&ctx) < 0) exit(EXIT_FAILURE);
    if (rg_problem_from_file(ctx, path, &p) < 0) quit(ctx);
    if (strcmp(native, "on") == 0) {
        if (rg_native_create(ctx, &p->native) < 0) quit(ctx);
        p->native_mode = RG_NATIVE_ON;
    }
    time_kernels(p, &f);
    p->native_mode = RG_NATIVE_OFF;
    time_run(p, native, &f);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return f;
}

int main(int argc, char **argv)
{
    const char *folder = argc > 1 ? argv[1] : "examples/ivp";

    printf("%-22s %8s %21s %21s %19s %8s\n", "model", "unknowns", "residual us", "with Jacobian us",
           "run ms", "cc ms");
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s.rg", folder, models[k]);
        const figures i = measure(path, "off"), n = measure(path, "on");
        printf("%-22s %8lld %9.3g %9.3g %8.3g %9.3g %8.4g %8.4g %8.0f\n", models[k], (long long)i.n,
               1e6 * i.residual, 1e6 * n.residual, 1e6 * i.jacobian, 1e6 * n.jacobian, 1e3 * i.run,
               1e3 * n.run, 1e3 * n.compile);
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
