/* Problems R and A of refs, sections 2 and 3: the errors of every variant of 'turning-point'
 * for eps = 1 .. 1e-8 and n = 32 .. 1024, the bound (6.24), and the reference solutions, which
 * collocation must reproduce first.  v is integrated here, in closed form there. */
#include "bvp/turning/tuning.h"
#include "bvp/turning/turning.h"
#include "singpert.h"

static const double all_eps[] = {1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
static const int all_n[] = {32, 64, 128, 256, 512, 1024};
enum { N_EPS = 9, N_N = 6 };

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    rg_solution *exact; /* collocation at 1e-10 */
    rg_turning *view;
    rg_reduced *reduced;
} study;

static void close_study(study *s)
{
    rg_reduced_destroy(&s->reduced);
    rg_turning_destroy(&s->view);
    rg_solution_destroy(&s->exact);
    rg_problem_destroy(&s->p);
    rg_context_destroy(&s->ctx);
}

static bool open_study(const char *path, double eps, study *s)
{
    const rg_setting setting = {"eps", eps};
    rg_options o = rg_options_default();

    *s = (study){0};
    strcpy(o.method, "collocation");
    o.rtol = o.atol = 1e-10;
    if (!CHECK(rg_context_create(&s->ctx) == RG_OK)
        || !CHECK(rg_problem_from_file_with(s->ctx, path, 1, &setting, &s->p) == RG_OK)
        || !CHECK(rg_solve(s->p, 1.0, &o, &s->exact) == RG_OK)
        || !CHECK(rg_turning_create(s->p, -1.0, 1.0, &s->view) == RG_OK)
        || !CHECK(s->view->fault == RG_TURNING_IS_FORM)
        || !CHECK(rg_turning_prepare(s->view) == RG_OK)
        || !CHECK(rg_reduced_create(s->view, true, RG_TURN_REDUCED_TOL, &s->reduced) == RG_OK)) {
        if (s->ctx != NULL) rg_error_print(rg_last_error(s->ctx), stdout);
        close_study(s);
        return false;
    }
    return true;
}

static double exact_at(const study *s, double x)
{
    double y[2] = {NAN, NAN};

    CHECK(rg_solution_eval(s->exact, x, y, NULL) == RG_OK);
    return y[0];
}

typedef struct {
    double most, L1; /* at mesh points */
    double global;   /* of the linear interpolant, L1 */
} errors;

/* int |u_h - u|, u_h linear between mesh points: trapezoidal rule in x = mu sinh(t), between
 * all mesh points. */
static double global_L1(const study *s, const rg_turn_solution *t)
{
    enum { POINTS = 2000 };
    const double mu = sqrt(s->view->eps), end = asinh(1.0 / mu);
    double sum = 0, old = 0, x_old = -1;
    int i = 0;

    for (int k = -POINTS, node = 1; k < POINTS || node <= t->n;) {
        const double graded = k < POINTS ? mu * sinh(end * (k + 1) / POINTS) : 1;
        const double x = node <= t->n && t->x[node] <= graded ? t->x[node] : fmin(graded, 1.0);
        while (i < t->n - 1 && x > t->x[i + 1])
            i++;
        const double part = (x - t->x[i]) / (t->x[i + 1] - t->x[i]);
        const double now = fabs(t->u[i] + part * (t->u[i + 1] - t->u[i]) - exact_at(s, x));
        sum += 0.5 * (x - x_old) * (now + old);
        if (node <= t->n && x == t->x[node])
            node++;
        else
            k++;
        old = now;
        x_old = x;
    }
    return sum;
}

static errors errors_of(const study *s, rg_turn_variant variant, int n)
{
    rg_turn_solution *t = NULL;
    errors e = {0, 0, 0};

    if (!CHECK(rg_turn_create(s->view, s->reduced, variant, n, &t) == RG_OK)) return e;
    const rg_status status = rg_turn_solve(t);
    if (status != RG_OK) e.most = e.L1 = NAN;
    for (int i = 1; i < n && status == RG_OK; i++) {
        const double d = fabs(t->u[i] - exact_at(s, t->x[i]));
        e.most = fmax(e.most, d);
        e.L1 += 0.5 * (t->x[i + 1] - t->x[i - 1]) * d;
    }
    if (status == RG_OK) e.global = global_L1(s, t);
    rg_turn_destroy(&t);
    return e;
}

static void check_reference(const study *s, double eps, const char *path)
{
    csv_table t;

    if (!csv_read(path, &t)) return;
    for (int row = 0; row < t.n_rows; row++)
        if (fabs(t.value[row][0] - eps) <= 1e-12 * eps)
            CHECK(fabs(exact_at(s, t.value[row][1]) - t.value[row][2]) <= 1e-8);
}

static void test_repulsive(void)
{
    csv_table one, two;
    double worst = 0;

    if (!csv_read("tests/tables/singpert-repulsive.csv", &one)
        || !csv_read("tests/tables/singpert-repulsive-twopass.csv", &two))
        return;
    for (int i = 0; i < N_EPS; i++) {
        const double eps = all_eps[i];
        study s;
        if (!open_study("examples/singpert/repulsive.rg", eps, &s)) continue;
        check_reference(&s, eps, "tests/tables/singpert-repulsive-ref.csv");
        for (int k = 0; k < N_N; k++) {
            const int n = all_n[k];
            const double sweep = errors_of(&s, RG_TURN_SWEEP, n).most;
            check_entry("sweep", eps, n, sweep, csv_entry(&one, eps, n, "initial_value_method"));
            worst = fmax(worst, sweep / (4.0 / n + eps)); /* (6.24), h = 4/n */
            check_entry("upwind", eps, n, errors_of(&s, RG_TURN_UPWIND, n).most,
                        csv_entry(&one, eps, n, "upwind_uniform"));
            check_entry("shishkin", eps, n, errors_of(&s, RG_TURN_SHISHKIN, n).most,
                        csv_entry(&one, eps, n, "upwind_shishkin"));
            if (eps < 1 && eps != 1e-5 && eps != 1e-7)
                check_entry("two-pass", eps, n, errors_of(&s, RG_TURN_TWO_PASS, n).most,
                            csv_entry(&two, eps, n, "pass2_order2"));
        }
        close_study(&s);
    }
    printf("    (6.24) holds with M = %.3f\n", worst);
    CHECK(worst <= 1.28);
}

static void test_attractive(void)
{
    csv_table t, global;

    if (!csv_read("tests/tables/singpert-attractive.csv", &t)
        || !csv_read("tests/tables/singpert-attractive-global.csv", &global))
        return;
    for (int i = 0; i < N_EPS; i++) {
        const double eps = all_eps[i];
        study s;
        if (!open_study("examples/singpert/attractive.rg", eps, &s)) continue;
        check_reference(&s, eps, "tests/tables/singpert-attractive-ref.csv");
        for (int k = 0; k < N_N; k++) {
            const int n = all_n[k];
            const errors e = errors_of(&s, RG_TURN_CONSERVATIVE, n);
            check_entry("conservative, L1", eps, n, e.L1, csv_entry(&t, eps, n, "L1_635"));
            check_entry("conservative", eps, n, e.most, csv_entry(&t, eps, n, "max_635"));
            check_entry("conservative, global L1", eps, n, e.global,
                        csv_entry(&global, eps, n, "global_L1_635"));
            const errors w = errors_of(&s, RG_TURN_UPWIND, n);
            check_entry("upwind, L1", eps, n, w.L1, csv_entry(&t, eps, n, "L1_upwind_uniform"));
            check_entry("upwind", eps, n, w.most, csv_entry(&t, eps, n, "max_upwind_uniform"));
            check_entry("upwind, global L1", eps, n, w.global,
                        csv_entry(&global, eps, n, "global_L1_upwind_uniform"));
        }
        close_study(&s);
    }
}

/* The shipped models by collocation, against stored values (collocation with the tolerance 1e-11;
 * R and A are compared with independent ones above). */
static void test_examples(void)
{
    FILE *file = fopen("tests/tables/singpert-examples.csv", "r");
    char name[64], path[128], heading[64];
    double eps, x, u;
    int count = 0;

    if (!CHECK(file != NULL) || !CHECK(fgets(heading, sizeof heading, file) != NULL)) return;
    while (fscanf(file, " %63[^,],%lf,%lf,%lf", name, &eps, &x, &u) == 4) {
        const rg_setting setting = {"eps", eps};
        const rg_request r = {.keep = RG_KEEP_ROWS, .n_times = 1, .times = &x};
        rg_options o = rg_options_default();
        rg_context *ctx = NULL;
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        double a, b, y[4] = {NAN};
        o.rtol = o.atol = 1e-8;
        snprintf(path, sizeof path, "examples/singpert/%s.rg", name);
        if (CHECK(rg_context_create(&ctx) == RG_OK)
            && CHECK(rg_problem_from_file_with(ctx, path, 1, &setting, &p) == RG_OK)) {
            rg_problem_interval(p, &a, &b);
            CHECK(rg_solve_request(p, b, &o, &r, &s) == RG_OK);
            if (s != NULL) CHECK(rg_solution_eval(s, x, y, NULL) == RG_OK);
            CHECK_NEAR(y[0], u, 1e-6);
            count++;
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
    CHECK(count == 105);
    fclose(file);
}

int main(void)
{
    static const test_case cases[] = {
        {"repulsive turning point",  test_repulsive },
        {"attractive turning point", test_attractive},
        {"examples",                 test_examples  }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
