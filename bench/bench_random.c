/* How good are the numbers that are written?  Random models with known solutions, by index and
 * tolerance: errors at the end, over all steps and over 101 chosen times in units of the
 * tolerance (median, 95 %, largest), how many estimates hold (true error between 1/100 and 10 of
 * it), and evaluations with chosen times beside those without.  Prints the table of the manual, and
 * counts below it; standard error names the runs whose error is above 10 tolerances or whose
 * estimate does not hold.
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
    printf(" %.2g, %.2g, %.2g |", values[n / 2], values[(int)(0.95 * (n - 1))], values[n - 1]);
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
    printf(" %.1f %%", 100.0 * good / (n > 0 ? n : 1));
}

typedef struct { /* over all kinds and tolerances */
    int runs, failed;
    int far;                /* errors above 10 tolerances over chosen times */
    int above[3], below[3]; /* estimates: error above 10, below 1/100 of it; end, steps, times */
} tally;

static void count_run(tally *t, const judgement *j)
{
    const double ratio[3] = {j->at_end, j->of_steps, j->of_points};

    t->runs++;
    t->far += j->points > 10.0;
    for (int k = 0; k < 3; k++) {
        t->above[k] += ratio[k] > 10.0;
        t->below[k] += ratio[k] < 0.01;
    }
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
                    const char *method, tally *all)
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
        count_run(all, &j);
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
    all->failed += failed;
    printf("| %s, %.0e |", judge_kind(kind), tol);
    put_cell(end, n);
    put_cell(steps, n);
    put_cell(points, n);
    for (int k = 0; k < 3; k++) {
        put_held(held[k], n);
        printf(k < 2 ? "," : " |");
    }
    put_cell(cost, n);
    put_cell(limit, n);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const double tols[] = {1e-4, 1e-6, 1e-9};
    const int count = argc > 1 ? atoi(argv[1]) : 400;
    tally all = {0};

    printf("| models, tol | at the end | over the steps | over 101 times | estimate holds: end, "
           "steps, times | evaluations with times / without | cost of times |\n"
           "|---|---|---|---|---|---|---|\n");
    for (int kind = 0; kind < RANDOM_KINDS; kind++)
        for (int k = 0; k < 3; k++)
            measure((random_kind)kind, tols[k], count < MOST ? count : MOST,
                    argc > 2 ? argv[2] : "auto", argc > 3 ? argv[3] : "auto", &all);
    printf("\n%d runs, %d failed; %d with an error above 10 tol over the times\n", all.runs,
           all.failed, all.far);
    printf("errors above 10 estimates: %d at the end, %d over the steps, %d over the times; below "
           "1/100: %d, %d, %d\n",
           all.above[0], all.above[1], all.above[2], all.below[0], all.below[1], all.below[2]);
    return 0;
}
