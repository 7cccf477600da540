/* A pendulum of index 3 from a C function, integrated step by step.
 *
 *     p' = u,  q' = v,  u' = -p lambda,  v' = -q lambda - 1,  0 = p^2 + q^2 - 1
 *
 * No Jacobian is given: difference quotients are taken.  The indices of the variables are stated,
 * because they are known here: positions 1, velocities 2, the multiplier 3.
 *
 *     cc pendulum_steps.c $(pkg-config --cflags --libs regula) -o pendulum_steps
 *     ./pendulum_steps */
#include <regula.h>

#include <math.h>
#include <stdlib.h>

enum { P, Q, U, V, LAMBDA, N };

/* Reference at t = 10: closed form by elliptic functions. */
static const double p_exact = -0.81158644619130383, q_exact = -0.58423235134539570;

/* F(t, y, y') = 0 */
static int pendulum(double t, const double *y, const double *yp, double *F, void *user)
{
    (void)t;
    (void)user;
    F[0] = yp[P] - y[U];
    F[1] = yp[Q] - y[V];
    F[2] = yp[U] + y[P] * y[LAMBDA];
    F[3] = yp[V] + y[Q] * y[LAMBDA] + 1;
    F[4] = y[P] * y[P] + y[Q] * y[Q] - 1;
    return 0;
}

/* Walks from t = 0 to 10; y has the values at the end. */
static rg_status walk(rg_problem *problem, const rg_options *o, double *y)
{
    rg_solver *solver = NULL;
    double t = 0;
    int steps = 0;

    rg_status status = rg_solver_create(problem, o, &solver);
    while (status >= 0 && t < 10) {
        status = rg_solver_step(solver, 10, &t, y);
        steps++;
    }
    if (status >= 0) printf("t = %g after %d steps: p = %.6f, q = %.6f\n", t, steps, y[P], y[Q]);
    rg_solver_destroy(&solver);
    return status;
}

int main(void)
{
    const double start[N] = {1, 0, 0, 0, 0}, slope[N] = {0, 0, 0, -1, 0};
    const int index[N] = {1, 1, 2, 2, 3};
    double y[N] = {0};
    rg_context *ctx = NULL;
    rg_problem *problem = NULL;
    rg_options *o = NULL;

    if (rg_context_create(&ctx) < 0) return EXIT_FAILURE; /* out of memory */
    bool ok = rg_options_create(ctx, &o) >= 0 && rg_options_set(o, "tol", "1e-8") >= 0
              && rg_problem_create(ctx, N, pendulum, NULL, &problem) >= 0
              && rg_problem_set_indices(problem, index) >= 0
              && rg_problem_set_initial(problem, 0, start, slope) >= 0 && walk(problem, o, y) >= 0;
    if (!ok) rg_error_print(rg_last_error(ctx), stderr);
    ok = ok && fabs(y[P] - p_exact) < 1e-5 && fabs(y[Q] - q_exact) < 1e-5;
    printf(ok ? "as it should be\n" : "not as it should be\n");
    rg_problem_destroy(&problem);
    rg_options_destroy(&o);
    rg_context_destroy(&ctx);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
