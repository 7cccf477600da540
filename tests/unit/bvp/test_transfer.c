/* The Abramov transfer on small problems with known solutions. */
#include "bvp/transfer/flow.h"
#include "bvp/transfer/gauss.h"
#include "bvp/transfer/transfer.h"
#include "ivp/bdf/bdf.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static rg_context *ctx;
static rg_problem *problem;
static rg_transfer *transfer;

static rg_status start(const char *text, const rg_options *o)
{
    const rg_analysis *a;
    rg_status status = rg_context_create(&ctx);

    if (status == RG_OK) status = rg_problem_from_text(ctx, text, &problem);
    if (status == RG_OK) status = rg_analysis_get(problem, &a);
    if (status == RG_OK) status = rg_transfer_create(problem, a, problem->b, o, &transfer);
    if (status == RG_OK) status = rg_transfer_run(transfer);
    return status;
}

static void stop(void)
{
    rg_transfer_destroy(&transfer);
    rg_problem_destroy(&problem);
    rg_context_destroy(&ctx);
}

static rg_options with_tol(double tol)
{
    rg_options o = rg_options_default();

    o.rtol = o.atol = tol;
    return o;
}

static bool starts(const char *text, double tol)
{
    const rg_options o = with_tol(tol);
    const rg_status status = start(text, &o);

    if (status != RG_OK) printf("%s\n", rg_last_error(ctx)->message);
    return CHECK_INT(status, RG_OK);
}

typedef double exact_fn(int component, double t);

/* Largest difference of y and y' from the exact ones over 41 points. */
static double worst(exact_fn *y_exact, exact_fn *yp_exact, int n)
{
    double y[16], yp[16], largest = 0.0;

    for (int k = 0; k <= 40; k++) {
        const double t = k == 40 ? problem->b : problem->a + (problem->b - problem->a) * k / 40.0;
        if (!CHECK_INT(rg_transfer_eval(transfer, t, y, yp), RG_OK)) return INFINITY;
        for (int j = 0; j < n; j++) {
            largest = fmax(largest, fabs(y[j] - y_exact(j, t)));
            if (yp_exact != NULL) largest = fmax(largest, fabs(yp[j] - yp_exact(j, t)));
        }
    }
    return largest;
}

/* ---- parts
 * --------------------------------------------------------------------------------------- */

static void test_normalise(void)
{
    double phi[6] = {3, 4, 0, 1, 2, 5}, g[2] = {10, 7}, T[4];
    const double before[6] = {3, 4, 0, 1, 2, 5};

    CHECK(rg_normalise(3, 2, phi, g, T));
    for (int j = 0; j < 2; j++) /* phi = u T */
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(phi[i] * T[2 * j] + phi[3 + i] * T[2 * j + 1], before[3 * j + i], 1e-14);
    CHECK_NEAR(T[0] * g[0], 10, 1e-14); /* T^T h = g */
    CHECK_NEAR(T[2] * g[0] + T[3] * g[1], 7, 1e-14);
    double dependent[4] = {1, 2, 2, 4}, h[2] = {0, 0};
    CHECK(!rg_normalise(2, 2, dependent, h, T));
}

/* ---- the transfer equations as a differential equation --------------------------------------- */

/* (1 + t) y1' + y2 = t, y1 + 2 y2 + y3' = 1, y3 - y2 + y1 = sin t, of index 1. */
static rg_status small_field(void *user, double t, double *A, double *dA, double *B, double *f)
{
    const double A_rows[] = {1 + t, 0, 0, 0, 0, 0, 0, 1, 0}, /* by columns */
        B_rows[] = {0, 1, 1, 1, 2, -1, 0, 0, 1}, f_rows[] = {t, 1, sin(t)};

    (void)user;
    memcpy(A, A_rows, sizeof A_rows);
    memcpy(B, B_rows, sizeof B_rows);
    memcpy(f, f_rows, sizeof f_rows);
    memset(dA, 0, sizeof A_rows);
    dA[0] = 1;
    return RG_OK;
}

/* dv/dz against differences of v, and u^T u + [h h^T] constant along v, in both variants. */
static void check_flow(rg_field *field, int variant)
{
    double z[8] = {1, 0, 0.5, -0.3, 0, 2, 0.7, -1.1}, v[8], other[8], J[64];
    rg_flow *flow = NULL;

    if (!CHECK_INT(rg_flow_create(field, 2, variant, &flow), RG_OK)) return;
    CHECK_INT(rg_flow_jacobian(flow, 0.4, z, J), RG_OK);
    CHECK_INT(rg_flow_eval(flow, 0.4, z, v), RG_OK);
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            double rate = 0;
            for (int l = 0; l < 3; l++)
                rate += v[3 * i + l] * z[3 * j + l] + z[3 * i + l] * v[3 * j + l];
            if (variant == 16) rate += v[6 + i] * z[6 + j] + z[6 + i] * v[6 + j];
            CHECK_NEAR(rate, 0, 1e-13);
        }
    for (int c = 0; c < 8; c++) {
        const double keep = z[c], step = 1e-5;
        z[c] = keep + step;
        CHECK_INT(rg_flow_eval(flow, 0.4, z, v), RG_OK);
        z[c] = keep - step;
        CHECK_INT(rg_flow_eval(flow, 0.4, z, other), RG_OK);
        z[c] = keep;
        for (int i = 0; i < 8; i++)
            CHECK_NEAR(-J[8 * c + i], (v[i] - other[i]) / (2 * step), 1e-8);
    }
    rg_flow_destroy(&flow);
}

static void test_flow(void)
{
    rg_field *field = NULL;

    if (CHECK_INT(rg_context_create(&ctx), RG_OK)
        && CHECK_INT(rg_field_create(ctx, 3, true, true, 1, small_field, NULL, 0, &field), RG_OK)) {
        check_flow(field, 14);
        check_flow(field, 16);
    }
    rg_field_destroy(&field);
    stop();
}

/* ---- problems -------------------------------------------------------------------------------- */

static double one(int component, double t)
{
    (void)component, (void)t;
    return 1.0;
}

/* Petry, Remark 6.1: the condition speaks of an algebraic unknown; without (E5) the answer is (0,
 * 1). */
static void test_remark(void)
{
    if (starts("var y1, y2\n"
               "y1' = 0\n"
               "y2 = 1\n"
               "over t = 0 .. 1\n"
               "boundary y1(1) - y2(1) = 0\n",
               1e-6))
        CHECK_NEAR(worst(one, NULL, 2), 0, 1e-14);
    stop();
}

static double wave(int component, double t) /* y, v = y, y' */
{
    return component == 2 ? cos(t) : sin(t);
}

static double wave_slope(int component, double t)
{
    return component == 2 ? -sin(t) : cos(t);
}

/* y'' = -v, v = y: second order, algebraic unknown, a derivative in a condition. */
static void test_second_order(void)
{
    if (starts("var y, v\n"
               "y'' = -v\n"
               "v = y\n"
               "over t = 0 .. 2\n"
               "boundary y(0) = 0\n"
               "boundary y'(2) = cos(2)\n",
               1e-10))
        CHECK_NEAR(worst(wave, wave_slope, 3), 0, 1e-9);
    stop();
}

/* The condition is on y''(2), which is -y there. */
static void test_highest_derivative(void)
{
    if (starts("var y\n"
               "y'' = -y\n"
               "over t = 0 .. 2\n"
               "boundary y'(0) = 1\n"
               "boundary y''(2) = -sin(2)\n",
               1e-10)) {
        double y[2];
        CHECK_INT(rg_transfer_eval(transfer, 1, y, NULL), RG_OK);
        CHECK_NEAR(y[0], sin(1), 1e-9);
        CHECK_NEAR(y[1], cos(1), 1e-9);
    }
    stop();
}

static const char petry[] =
    "param E[i=1..5, k=1..5] = k^i\n"
    "param H[k=1..5, j=1..5] = (-1/2, 2/3, -1/24, -1/6, 1/24, 1/20, -1/24, -1/24, 1/24, -1/120,\n"
    " 1, 2/3, -7/12, -1/6, 1/12, -1/4, -1/24, 7/24, 1/24, -1/24, 1/30, 0, -1/24, 0, 1/120)\n"
    "param A[i=1..5, j=1..5] = sum(k=1..3, E[i,k]*H[k,j])\n"
    "let B[i=1..5, j=1..5] = (t+1)*E[i,3]*H[3,j] + (t+2)*E[i,4]*H[4,j] + (t+1)^2*E[i,5]*H[5,j]\n"
    "let z[j=1..5] = if(j == 1, sin(t) + cos(5*t), if(j == 2, t^2 + 3, if(j == 3, exp(-t),\n"
    " if(j == 4, cos(t)*exp(t), 1/(t + 1)))))\n"
    "var y[i=1..5]\n"
    "for i = 1..5 {\n"
    " sum(j=1..5, A[i,j]*y[j]' + B[i,j]*y[j]) = sum(j=1..5, A[i,j]*(z[j])' + B[i,j]*z[j])\n"
    "}\n"
    "over t = 0 .. 1\n";

static double petry_exact(int j, double t)
{
    const double z[] = {sin(t) + cos(5 * t), t * t + 3, exp(-t), cos(t) * exp(t), 1 / (t + 1)};

    return z[j];
}

static double petry_slope(int j, double t)
{
    const double z[] = {cos(t) - 5 * sin(5 * t), 2 * t, -exp(-t), (cos(t) - sin(t)) * exp(t),
                        -1 / (t + 1) / (t + 1)};

    return z[j];
}

static double petry_error(const char *conditions, double tol)
{
    char text[4096];
    double e = INFINITY;

    snprintf(text, sizeof text, "%s%s", petry, conditions);
    if (starts(text, tol)) e = worst(petry_exact, petry_slope, 5);
    return e;
}

/* C P != C at both ends: refs give 2.3e-10 for Radau at 1e-10. */
static void test_lifted(void)
{
    CHECK_NEAR(
        petry_error("boundary y[1](0) = 1\nboundary y[2](0) = 3\nboundary y[3](1) = exp(-1)\n",
                    1e-10),
        0, 5e-9);
    CHECK(transfer == NULL || rg_transfer_facts(transfer).deviation < 1e-14);
    stop();
}

/* Remark 4.1: a condition inside the interval is carried to both ends. */
static void test_multipoint(void)
{
    CHECK_NEAR(petry_error("boundary y[1](0) = 1\nboundary y[2](1/2) = 3.25\n"
                           "boundary y[3](1) = exp(-1)\n",
                           1e-10),
               0, 5e-9);
    stop();
}

/* Conditions that join both ends: the interval is folded. */
static void test_folded(void)
{
    CHECK_NEAR(petry_error("boundary y[1](0) + y[1](1) = 1 + sin(1) + cos(5)\n"
                           "boundary y[2](0) - 2*y[2](1) = -5\nboundary y[3](1) = exp(-1)\n",
                           1e-10),
               0, 5e-9);
    CHECK(transfer == NULL || rg_transfer_facts(transfer).is_folded);
    stop();
}

/* A turning kernel of A: y = R(t) x with x1' = -x1, x2 = 1, and R the rotation by t. */
static double turning(int j, double t)
{
    const double x1 = exp(-t), x2 = 1;

    return j == 0 ? cos(t) * x1 - sin(t) * x2 : sin(t) * x1 + cos(t) * x2;
}

static double turning_slope(int j, double t)
{
    const double x1 = exp(-t), c = cos(t), s = sin(t);

    return j == 0 ? -s * x1 - c * x1 - c : c * x1 - s * x1 - s;
}

/* x1 = c y1 + s y2, x1' = c y1' + s y2' - s y1 + c y2 = -x1;  x2 = -s y1 + c y2 = 1. */
static void test_turning_kernel(void)
{
    if (starts("var y1, y2\n"
               "cos(t)*y1' + sin(t)*y2' - sin(t)*y1 + cos(t)*y2 = -cos(t)*y1 - sin(t)*y2\n"
               "-sin(t)*y1 + cos(t)*y2 = 1\n"
               "over t = 0 .. 3\n"
               "boundary y1(3) = cos(3)*exp(-3) - sin(3)\n",
               1e-10)) {
        CHECK_NEAR(worst(turning, turning_slope, 2), 0, 2e-8); /* e^3 between the ends */
        CHECK(rg_transfer_facts(transfer).deviation < 1e-14);
    }
    stop();
}

/* Backwards intervals have start and end swapped. */
static void test_backwards(void)
{
    if (starts("var y, v\ny'' = -v\nv = y\nover t = 2 .. 0\n"
               "boundary y(start) = sin(2)\nboundary y(end) = 0\n",
               1e-10)) {
        const double *times;
        int64_t n;
        CHECK_NEAR(worst(wave, wave_slope, 3), 0, 1e-9);
        CHECK_INT(rg_transfer_mesh(transfer, &n, &times), RG_OK);
        CHECK_NEAR(times[0], 2, 0);
        CHECK_NEAR(times[n - 1], 0, 0);
        for (int64_t k = 1; k < n; k++)
            CHECK(times[k] < times[k - 1]);
    }
    stop();
}

/* Variant 16 keeps u^T u + h h^T, and gives the same answer. */
static void test_variant(void)
{
    rg_options o = with_tol(1e-8);

    strcpy(o.variant, "16");
    if (CHECK_INT(start("var y\ny'' = 25*y - 26*sin(t)\nover t = 0 .. 2\n"
                        "boundary y(0) = 0\nboundary y(2) = sin(2)\n",
                        &o),
                  RG_OK)) {
        double y[2];
        CHECK_INT(rg_transfer_eval(transfer, 1, y, NULL), RG_OK);
        CHECK_NEAR(y[0], sin(1), 1e-8);
        CHECK(rg_transfer_facts(transfer).deviation < 1e-13);
    }
    stop();
}

/* The same by integrators: the invariant holds within the tolerance only. */
static void integrated(const char *scheme, const char *variant)
{
    rg_options o = with_tol(1e-8);

    strcpy(o.scheme, scheme);
    strcpy(o.variant, variant);
    CHECK_INT(start("var x, y\nx' = y\n0 = (t - 1/2)*y - x\nover t = 0 .. 1\n"
                    "boundary x(1) = 1\n",
                    &o),
              RG_ERR_METHOD);
    CHECK(strstr(rg_last_error(ctx)->message, "not of index 1 at 0.5") != NULL);
    stop();
    if (!CHECK_INT(start("var y, z\nz = if(t < 1, y, 2*y)\n"
                         "y'' = 25*if(t < 1, z, z/2) - 26*sin(t)\n"
                         "over t = 0 .. 2\nboundary y(0) = 0\nboundary y(2) = sin(2)\n",
                         &o),
                   RG_OK))
        printf("    %s: %s\n", scheme, rg_last_error(ctx)->message);
    for (double t = 0.1; t < 2 && transfer != NULL; t += 0.3) {
        double y[3];
        if (!CHECK_INT(rg_transfer_eval(transfer, t, y, NULL), RG_OK)) break;
        CHECK_NEAR(y[0], sin(t), 2e-6);
        CHECK_NEAR(y[1], (t < 1 ? 1 : 2) * sin(t), 4e-6);
    }
    if (transfer != NULL) {
        const rg_transfer_report f = rg_transfer_facts(transfer);
        CHECK(f.deviation < 1e-5 && f.deviation > 1e-13);
        CHECK_INT(f.growing, 0);
    }
    stop();
}

static void test_integrators(void)
{
    integrated("radau", "14");
    integrated("radau", "16");
    if (!rg_bdf_is_available()) return;
    integrated("bdf", "14");
    integrated("bdf", "16");
}

/* y = e^(-100 sin t) dies away and comes back: Gauss steps resolve it and tell by how much errors
 * grow on the way; integrators, which damp what lies below the tolerance, must not call that a
 * solution. */
static void test_valley(void)
{
    static const char text[] = "var y\ny' = -100*cos(t)*y\nover t = 0 .. pi\nboundary y(pi) = 1\n";
    rg_options o = with_tol(1e-8);
    double y[1];

    if (CHECK_INT(start(text, &o), RG_OK)) {
        CHECK_INT(rg_transfer_eval(transfer, 0, y, NULL), RG_OK);
        CHECK_NEAR(y[0], 1, 1e-4);
        CHECK(rg_transfer_facts(transfer).growth > 1e40);
    }
    stop();
    strcpy(o.scheme, "radau");
    CHECK_INT(start(text, &o), RG_ERR_CONVERGENCE);
    CHECK(strstr(rg_last_error(ctx)->message, "errors grow by more than 1/rtol") != NULL);
    stop();
}

/* e^(+-200 t), with a forcing: the step control resolves the growth although h has died away. */
static void test_stiff(void)
{
    if (starts("param k = 200\nvar y\ny'' = k^2*(y - sin(t)) - sin(t)\nover t = 0 .. 3\n"
               "boundary y(0) = 1\nboundary y(3) = sin(3)\n",
               1e-8)) {
        double y[2];
        for (double t = 0; t <= 3; t += 0.03125) {
            if (!CHECK_INT(rg_transfer_eval(transfer, t, y, NULL), RG_OK)) break;
            CHECK_NEAR(y[0], sin(t) + exp(-200 * t), 1e-8);
        }
        CHECK_INT(rg_transfer_facts(transfer).growing, 0);
    }
    stop();
}

/* Both conditions at one end of a problem with a growing solution: counted, and still solved as far
 * as digits go. */
static void test_dichotomy(void)
{
    if (starts("var y\ny'' = 100*y\nover t = 0 .. 1\nboundary y(1) = exp(-10)\n"
               "boundary y'(1) = -10*exp(-10)\n",
               1e-10)) {
        CHECK_INT(rg_transfer_facts(transfer).growing, 1);
        CHECK_INT(rg_transfer_facts(transfer).forward, 0);
        CHECK_INT(rg_transfer_facts(transfer).backward, 2);
    }
    stop();
}

/* ln y(0) = -(0.045 + 0.02 + 0.45): jumps and kinks of the coefficients are found, and no step
 * crosses them. */
static void test_jumps(void)
{
    static const char text[] = "var y, v\ny' = abs(t - 0.3)*v\nv = if(t < 0.5, y, 2*y)\n"
                               "over t = 0 .. 1\nboundary y(1) = 1 + 0*y(0)\n";
    double y[2];

    if (starts(text, 1e-8)) {
        CHECK_INT(rg_transfer_eval(transfer, 0, y, NULL), RG_OK);
        CHECK_NEAR(y[0], exp(-0.515), 1e-9);
    }
    stop();
    if (starts("var y, v\ny' = abs(t - 0.3)*v\nv = if(t < 0.5, y, 2*y)\n"
               "over t = 0 .. 1\nboundary y(1) + y(0) = 1 + exp(-0.515)\n",
               1e-8)) { /* folded: the jumps are mirrored */
        CHECK_INT(rg_transfer_eval(transfer, 1, y, NULL), RG_OK);
        CHECK_NEAR(y[0], 1, 1e-9);
    }
    stop();
}

/* Through the public interface: dense output, and an estimate that covers the error. */
static void test_dense(void)
{
    static const char text[] = "param k = 30\nvar y\ny'' = k^2*(y - sin(3*t)) - 9*sin(3*t)\n"
                               "over t = 0 .. 2\nboundary y(0) = 1\nboundary y(2) = sin(6)\n"
                               "exact y = sin(3*t) + exp(-k*t)\nsolve method = transfer\n";
    const rg_request request = {.keep = RG_KEEP_STEPS, .estimate = 1};
    rg_solution *s = NULL;
    double y, yp, worst = 0;

    if (CHECK(rg_context_create(&ctx) == RG_OK)
        && CHECK(rg_problem_from_text(ctx, text, &problem) == RG_OK)
        && CHECK(rg_solve_request(problem, 2, NULL, &request, &s) == RG_OK)) {
        for (double t = 0; t <= 2; t += 1.0 / 256) {
            const double exact = sin(3 * t) + exp(-30 * t);
            if (!CHECK(rg_solution_eval(s, t, &y, &yp) == RG_OK)) break;
            worst = fmax(worst, fabs(y - exact) / (1 + fabs(exact)));
            CHECK_NEAR(yp, 3 * cos(3 * t) - 30 * exp(-30 * t), 1e-3);
        }
        CHECK_NEAR(worst, 0, 2e-6);
        CHECK(rg_solution_estimate(s) > 0.1 * rg_solution_error(s, 0));
        CHECK(rg_solution_estimate(s) < 1e-4);
        CHECK_TEXT(rg_solution_method(s), "transfer");
    }
    rg_solution_destroy(&s);
    stop();
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refused(const char *text, rg_status code, const char *part)
{
    const rg_options o = with_tol(1e-6);
    rg_status status = start(text, &o);
    double y[16];

    if (status == RG_OK) status = rg_transfer_eval(transfer, problem->b, y, NULL);
    CHECK_INT(status, code);
    if (!CHECK(strstr(rg_last_error(ctx)->message, part) != NULL))
        printf("    message: %s\n", rg_last_error(ctx)->message);
    CHECK(rg_last_error(ctx)->remedy[0] != '\0');
    stop();
}

static void test_refusals(void)
{
    refused(
        "var y, v\ny'' = -v\nv = exp(y)\nover t = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 0\n",
        RG_ERR_METHOD, "line 3 is not linear: exp with 'y'");
    refused("var y\ny'' = -1\nover t = 0 .. 1\nboundary y(0)*y(1) = 0\nboundary y(1) = 0\n",
            RG_ERR_METHOD, "line 4 is not linear: a product with 'y'");
    refused("var y, v\ny'' = sum(i=1..2, v^i)\nv = y\nover t = 0 .. 1\nboundary y(0) = 0\n"
            "boundary y(1) = 0\n",
            RG_ERR_METHOD, "line 2 is not linear");
    refused("var y\ny'' = -sign(y)\nover t = 0 .. 1\nboundary y(0) = 0\nboundary y(1) = 0\n",
            RG_ERR_METHOD, "not linear: sign with 'y'");
    refused("var x, y\nx' = y\n0 = x - t\nover t = 0 .. 1\nboundary y(1) = 1\n", RG_ERR_METHOD,
            "index 2");
    refused("var x, y\nx' = y\n0 = (t - 1/2)*y - x\nover t = 0 .. 1\nboundary x(1) = 1\n",
            RG_ERR_METHOD, "not of index 1 at 0.5");
    refused("var x, y\n(t - 0.3)*x' = y\n0 = (2 + t)*y - x\nover t = 0 .. 1\nboundary x(1) = 1\n",
            RG_ERR_METHOD, "not of index 1 at 0.3");
    refused("var x, y\nx' = y\nif(t < 0.6, 1, 0)*y' = x - y\nover t = 0 .. 1\n"
            "boundary x(1) = 1\nboundary y(0) = 1\n",
            RG_ERR_METHOD, "changes from 2 to 1 at 0.6");
    refused("var x, y\nx' + (t - 0.5)*y' = y - x\nx' + y' = x\nover t = 0 .. 2\n"
            "boundary x(0) = 1\nboundary y(2) = 0\n",
            RG_ERR_METHOD, "changes from 2 to 1 at 1.5");
    refused("var x, y\nt^2*x' = y - x\ny = 1\nover t = 0 .. 1\nboundary x(1) = 2\n", RG_ERR_METHOD,
            "changes from 0 to 1 at 0:");
    refused("var x\nx' = if(x > 0, t, 1)\nover t = 0 .. 1\nboundary x(1) = 2\n", RG_ERR_METHOD,
            "line 2 is not linear: a comparison with 'x'");
    refused("var y\ny'' = 0\nover t = 0 .. 1\nboundary y(1) = 0\nboundary 2*y(1) = 0\n",
            RG_ERR_CONVERGENCE, "depend on each other");
    refused("var y\ny'' = -y\nover t = 0 .. pi\nboundary y(0) = 0\nboundary y(pi) = 1\n",
            RG_ERR_STRUCTURE, "do not determine the solution");
    refused("var y, v\ny' = v\nv = 2*t\nover t = 0 .. 1\nboundary y(1) = 0\nboundary v(1) = 3\n",
            RG_ERR_INCONSISTENT, "contradicts the constraints");
    refused("var y, v\ny' = v\nv = 2*t\nover t = 0 .. 1\nboundary v'(1) = 3\n", RG_ERR_METHOD,
            "derivative of an algebraic unknown");
}

static void test_implied(void)
{
    if (starts("var y, v\ny' = v\nv = 2*t\nover t = 0 .. 1\nboundary y(1) = 1\nboundary v(1) = 2\n",
               1e-8)) {
        double y[2];
        CHECK_INT(rg_transfer_eval(transfer, 0.5, y, NULL), RG_OK);
        CHECK_NEAR(y[0], 0.25, 1e-12);
        CHECK_INT(rg_transfer_facts(transfer).dropped, 1);
    }
    stop();
}

/* x = z by the equations: of  z - x + d x = d  at the end d (x - 1) = 0 is left, a condition as
 * long as d is above rounding; and of  x' + d z'  the derivative of an algebraic unknown. */
static void test_nearly_implied(void)
{
#define EQUAL "var x, z\nx' = -x + z/2\n0 = z - x\nover t = 0 .. 1\n"
    double y[2];

    if (starts(EQUAL "boundary z(1) - x(1) + 1e-9*x(1) = 1e-9\n", 1e-8)) {
        CHECK_INT(rg_transfer_eval(transfer, 0.0, y, NULL), RG_OK);
        CHECK_NEAR(y[0], exp(0.5), 1e-6);
    }
    stop();
    refused(EQUAL "boundary z(1) - x(1) + 1e-13*x(1) = 1e-13\n", RG_ERR_STRUCTURE,
            "0 boundary conditions for 1 degrees");
    refused(EQUAL "boundary x'(1) + 1e-9*z'(1) = -0.5\n", RG_ERR_METHOD,
            "derivative of an algebraic unknown");
    if (starts(EQUAL "boundary x'(1) + 1e-13*z'(1) = -0.5\n", 1e-8)) {
        CHECK_INT(rg_transfer_eval(transfer, 0.0, y, NULL), RG_OK);
        CHECK_NEAR(y[0], exp(0.5), 1e-7);
    }
    stop();
#undef EQUAL
}

/* A look at the equations serves all transfers of a problem, whatever their tolerance: steps are
 * those of a transfer that looks itself. */
static void test_one_look(void)
{
    static const char text[] = "var y, z\n"
                               "y' = z\n"
                               "z' = 100*y + exp(-((t - 0.3)/1e-3)^2)\n"
                               "over t = 0 .. 1\n"
                               "boundary y(0) = 1\n"
                               "boundary y(1) = 0\n";
    const rg_options loose = with_tol(1e-3), fine = with_tol(1e-8);
    const rg_analysis *a;
    rg_transfer_scene scene = {.unit = NULL};
    rg_transfer *first = NULL, *second = NULL;

    if (starts(text, 1e-8) && CHECK_INT(rg_analysis_get(problem, &a), RG_OK)
        && CHECK_INT(rg_transfer_create_in(problem, a, 1.0, &loose, &scene, &first), RG_OK)) {
        const int64_t samples = scene.samples;
        CHECK(samples > 2000 && scene.n_cells > 0);
        rg_transfer_destroy(&first);
        if (CHECK_INT(rg_transfer_create_in(problem, a, 1.0, &fine, &scene, &second), RG_OK)
            && CHECK_INT(rg_transfer_run(second), RG_OK)) {
            const rg_stats alone = rg_transfer_facts(transfer).stats;
            const rg_stats shared = rg_transfer_facts(second).stats;
            CHECK_INT(scene.samples, samples);
            CHECK_INT(shared.steps, alone.steps);
            CHECK_INT(shared.evaluations, alone.evaluations);
        }
    }
    rg_transfer_destroy(&second);
    if (ctx != NULL) rg_transfer_scene_clear(ctx, &scene);
    stop();
}

static const test_case cases[] = {
    {"normalisation",                    test_normalise         },
    {"Remark 6.1",                       test_remark            },
    {"second order, algebraic unknown",  test_second_order      },
    {"highest derivative in conditions", test_highest_derivative},
    {"C P != C",                         test_lifted            },
    {"conditions at three points",       test_multipoint        },
    {"conditions that join the ends",    test_folded            },
    {"turning kernel",                   test_turning_kernel    },
    {"backwards",                        test_backwards         },
    {"variant 16",                       test_variant           },
    {"transfer equations",               test_flow              },
    {"Radau IIA and BDF",                test_integrators       },
    {"dying away and coming back",       test_valley            },
    {"growth and decay by 200",          test_stiff             },
    {"conditions at the wrong end",      test_dichotomy         },
    {"jumps and kinks",                  test_jumps             },
    {"dense output and estimate",        test_dense             },
    {"refusals",                         test_refusals          },
    {"implied condition",                test_implied           },
    {"nearly implied",                   test_nearly_implied    },
    {"one look for all transfers",       test_one_look          },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
