/* Structure analysis of large models: seconds to load and to analyse, next to the limits of the
 * design. */
#include "structure/analysis.h"

#include <stdio.h>
#include <sys/resource.h>

typedef struct {
    const char *name, *text;
    double limit; /* seconds, load and analysis together */
} model;

static const model models[] = {
    {"heat with algebraic flux, 1e6 cells",
     "param N = 1e6\nvar u[i=1..N] = sin(pi*i/N), q[i=0..N]\nq[0] = 0\nq[N] = 0\n"
     "for i = 1..N-1 { q[i] = u[i] - u[i+1] }\nfor i = 1..N { u[i]' = q[i-1] - q[i] }\n"
     "over t = 0 .. 1\n",                                                      3.0},
    {"tridiagonal, index 1, 1e5 unknowns",
     "param N = 1e5\nvar u[i=1..N] ~ 1\nu[1] = sin(t)\nu[N] = 0\n"
     "for i = 2..N-1 { 0 = u[i-1] - 2*u[i] + u[i+1] + t }\nover t = 0 .. 1\n", 2.0},
    {"chain of 1e4 links, index 3",
     "param N = 1e4, g = 9.81\nvar x[i=1..N] = i, y[i=1..N] = 0, u[i=1..N] = 0, v[i=1..N] = 0\n"
     "var l[i=1..N]\nfor i = 1..N {\nx[i]' = u[i]\ny[i]' = v[i]\n"
     "u[i]' = -l[i]*(x[i] - if(i == 1, 0, x[i-1])) + if(i == N, 0, l[i+1]*(x[i+1] - x[i]))\n"
     "v[i]' = -g - l[i]*(y[i] - if(i == 1, 0, y[i-1])) + if(i == N, 0, l[i+1]*(y[i+1] - y[i]))\n"
     "0 = (x[i] - if(i == 1, 0, x[i-1]))^2 + (y[i] - if(i == 1, 0, y[i-1]))^2 - 1\n}\n"
     "over t = 0 .. 1\n",                                                      2.0}
};

static int measure(const model *m)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    struct rusage usage;
    if (rg_context_create(&ctx) != RG_OK) return 1;
    const double begin = rg_seconds();
    rg_status status = rg_problem_from_text(ctx, m->text, &p);
    const double loaded = rg_seconds();
    if (status == RG_OK) status = rg_analysis_get(p, &a);
    const double end = rg_seconds();
    getrusage(RUSAGE_SELF, &usage);
    if (status == RG_OK)
        printf("%-38s index %d, dof %lld: load %.2f s, analysis %.2f s (limit %.0f s), %ld MB\n",
               m->name, a->index, (long long)a->dof, loaded - begin, end - loaded, m->limit,
               usage.ru_maxrss / 1024);
    else
        rg_error_print(rg_last_error(ctx), stderr);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    return status != RG_OK;
}

int main(void)
{
    int failed = 0;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        failed += measure(&models[k]);
    return failed != 0;
}
