/* How good are the numbers that are written?  Random models with known solutions, by index and
 * tolerance: errors at the end, over all steps and over 101 chosen times in units of the
 * tolerance (median, 95 %, largest), how many estimates hold (true error between 1/100 and 10 of
 * it), and evaluations with chosen times beside those without.  Standard error names the runs whose
 * error is above 10 tolerances or whose estimate does not hold.
 *
 *     bench_random [MODELS_PER_KIND [FORMULATION [METHOD]]] */
#include "random/judge.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 2000 };

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void put_cell(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    if (n == 0) return;
    printf(" %8.2g %8.2g %8.2g |", values[n / 2], values[(int)(0.95 * (n - 1))], values[n - 1]);
}

static bool holds(double ratio)
{
    return ratio <= 10.0 && ratio >= 0.01;
}

static void put_held(const double *ratios, int n)
{
    int good = 0;

    for (int k = 0; k < n; k++)
        good += holds(ratios[k]);
    printf(" %3.0f %% |", 100.0 * good / (n > 0 ? n : 1));
}

static void tell_outlier(const random_request *r, double tol, const judgement *j)
{
    const bool is_held = holds(j->at_end) && holds(j->of_steps) && holds(j->of_points);

    if (is_held && j->end <= 10.0 && j->steps <= 10.0 && j->points <= 10.0) return;
    fprintf(stderr,
            "%s, %.0e, seed %llu: errors %.2g, %.2g, %.2g tol; %.2g, %.2g, %.2g estimates\n",
            judge_kind(r->kind), tol, (unsigned long long)r->seed, j->end, j->steps, j->points,
            j->at_end, j->of_steps, j->of_points);
}

static void measure(random_kind kind, double tol, int count, const char *formulation,
                    const char *method)
{
    static random_model m;
    static double end[MOST], steps[MOST], points[MOST], held[3][MOST], cost[MOST], limit[MOST];
    int n = 0, failed = 0;

    for (int k = 0; k < count; k++) {
        const random_request r = judge_request(kind, (uint64_t)k + 1);
        judgement j;
        random_model_make(&r, &m);
        judge_method(&m, tol, method, formulation, &j);
        if (j.status != RG_OK) {
            failed++;
            continue;
        }
        tell_outlier(&r, tol, &j);
        end[n] = j.end;
        steps[n] = j.steps;
        points[n] = j.points;
        held[0][n] = j.at_end;
        held[1][n] = j.of_steps;
        held[2][n] = j.of_points;
        cost[n] = (double)j.chosen / (double)j.plain;
        /* per step that holds rows: at most 2 (s + 4) evaluations, s = 3 taken for all */
        limit[n] = ((double)j.chosen - 1.3 * (double)j.plain) / (double)j.taken;
        n++;
    }
    printf("| %-7s %5.0e |", judge_kind(kind), tol);
    put_cell(end, n);
    put_cell(steps, n);
    put_cell(points, n);
    for (int k = 0; k < 3; k++)
        put_held(held[k], n);
    put_cell(cost, n);
    put_cell(limit, n);
    printf(" %d |\n", failed);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const double tols[] = {1e-4, 1e-6, 1e-9};
    const int count = argc > 1 ? atoi(argv[1]) : 40;

    printf("median, 95 %%, largest: error/tol at the end | over steps | over 101 points | estimate"
           " holds: end, steps, points | evaluations with points / without | evaluations per step"
           " beyond 1.3 of those without | failed\n");
    for (int kind = 0; kind < RANDOM_KINDS; kind++)
        for (int k = 0; k < 3; k++)
            measure((random_kind)kind, tols[k], count < MOST ? count : MOST,
                    argc > 2 ? argv[2] : "auto", argc > 3 ? argv[3] : "auto");
    return 0;
}
