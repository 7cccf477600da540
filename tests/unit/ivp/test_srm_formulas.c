/* Sequential regularization and its rivals beside their formulas: forward Euler steps on a model
 * with three states, two constraints and an unsymmetric G B, made here from the printed equations
 * and made by the library, must agree to rounding.  Euler steps leave the constraints at once, so
 * that every term of the drift equations counts. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 3, M = 2, STEPS = 10 };
#define EPS 0.1
static const double STEP = 0.02, GAMMA = 7.0, DELTA = 0.4;

/* f - B y and g of both models; in the second one x' = v, v' = f - B y.  s turns the sign of B, and
 * with it that of G B. */
#define RIGHT_SIDES                                                                                \
    "= -%s2 + t - s*(1 + 0.1*x3)*(y1 + 0.5*y2)\n"                                                  \
    "%s2' = x1 - 0.5*x3 - s*(1 + 0.1*x3)*(-0.3*y1 + 1.2*y2)\n"                                     \
    "%s3' = -x3 + x1*x2 - s*(1 + 0.1*x3)*(0.2*y1 + 0.4*y2)\n"
#define CONSTRAINTS                                                                                \
    "0 = x1 + 0.2*x2^2 + 0.3*x3 - sin(t)\n"                                                        \
    "0 = 0.4*x1 + x2 - 0.1*x1*x3 - 1 + t^2/2\n"

typedef struct
{ /* at a point; G = dg/dx, g1 and g2: what dg/dt and d2g/dt2 have beside G x' and G x'' */
    double f[N], B[N][M], G[M][N], g[M], g1[M], g2[M], GB[M][M];
    double K[M][N]; /* d(G v)/dx */
} values;

static void evaluate(double s, double t, const double *x, const double *v, values *w)
{
    const double factor = s * (1.0 + 0.1 * x[2]);
    const double B[N][M] = {
        {1.0,  0.5},
        {-0.3, 1.2},
        {0.2,  0.4}
    };

    w->f[0] = -(v != NULL ? v[1] : x[1]) + t;
    w->f[1] = x[0] - 0.5 * x[2];
    w->f[2] = -x[2] + x[0] * x[1];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            w->B[i][j] = factor * B[i][j];
    const double G[M][N] = {
        {1.0,              0.4 * x[1], 0.3        },
        {0.4 - 0.1 * x[2], 1.0,        -0.1 * x[0]}
    };
    memcpy(w->G, G, sizeof G);
    w->g[0] = x[0] + 0.2 * x[1] * x[1] + 0.3 * x[2] - sin(t);
    w->g[1] = 0.4 * x[0] + x[1] - 0.1 * x[0] * x[2] - 1.0 + t * t / 2.0;
    w->g1[0] = -cos(t);
    w->g1[1] = t;
    w->g2[0] = v != NULL ? 0.4 * v[1] * v[1] + sin(t) : 0.0;
    w->g2[1] = v != NULL ? -0.2 * v[0] * v[2] + 1.0 : 0.0;
    memset(w->K, 0, sizeof w->K);
    if (v != NULL) {
        w->K[0][1] = 0.4 * v[1];
        w->K[1][0] = -0.1 * v[2];
        w->K[1][2] = -0.1 * v[0];
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            w->GB[i][j] = 0.0;
            for (int k = 0; k < N; k++)
                w->GB[i][j] += w->G[i][k] * w->B[k][j];
        }
}

typedef enum { E_IDENTITY, E_INVERSE, E_TRANSPOSE, E_SHIFTED } kind_of_E;
typedef enum {
    WEIGHTED,
    STABILIZED,
    INVARIANT,
    UNDERLYING,
    INVARIANT_FULL, /* (HD)^-1 in the place of I or of (GB)^-1 for each level */
    UNDERLYING_FULL
} kind_of_method;
typedef enum { CARRY_Y, CARRY_BY, PROJECT_BY } kind_of_carry; /* from one iterate to the next */

typedef struct {
    const char *words; /* of the solve line */
    kind_of_method kind;
    kind_of_E E;
    int order;       /* 1: index 2; 2: index 3 */
    double alpha[3]; /* of g^(order), ..., g */
    double eps;
    int iterations;
    kind_of_carry carry;
    int D; /* 0: diag(B, B); 1: diag(G^T, G^T); 2: H^T */
} formula;

static void invert(const double A[M][M], double I[M][M])
{
    const double d = A[0][0] * A[1][1] - A[0][1] * A[1][0];

    I[0][0] = A[1][1] / d;
    I[1][1] = A[0][0] / d;
    I[0][1] = -A[0][1] / d;
    I[1][0] = -A[1][0] / d;
}

/* E = I, (GB)^-1, (GB)^T or (GB + delta I)^-1; I and delta with the sign of G B. */
static void make_E(const formula *q, double s, const values *w, double E[M][M])
{
    double shifted[M][M];

    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            E[i][j] = q->E == E_TRANSPOSE ? w->GB[j][i] : i == j ? s : 0.0;
            shifted[i][j] = w->GB[i][j] + (q->E == E_SHIFTED && i == j ? s * DELTA : 0.0);
        }
    if (q->E == E_INVERSE || q->E == E_SHIFTED) invert(shifted, E);
}

static void apply(const double A[M][M], const double *x, double *y)
{
    for (int i = 0; i < M; i++)
        y[i] = A[i][0] * x[0] + A[i][1] * x[1];
}

static void apply_B(const values *w, const double *u, double *out)
{
    for (int i = 0; i < N; i++)
        out[i] = w->B[i][0] * u[0] + w->B[i][1] * u[1];
}

static void apply_G(const values *w, const double *x, double *out)
{
    for (int i = 0; i < M; i++)
        out[i] = w->G[i][0] * x[0] + w->G[i][1] * x[1] + w->G[i][2] * x[2];
}

/* r: the constraint and its derivatives combined, x^(order) = f put in.  N (2.5), (4.5), (4.16) */
static void combine(const formula *q, double sense, const values *w, const double *v, double *r)
{
    double Gf[M], Gv[M] = {0};

    apply_G(w, w->f, Gf);
    if (v != NULL) apply_G(w, v, Gv);
    for (int k = 0; k < M; k++) {
        const double rate = Gv[k] + w->g1[k]; /* dg/dt, index 3 */
        if (q->kind == STABILIZED)
            r[k] = sense * rate;
        else if (q->order == 1)
            r[k] = q->alpha[0] * (Gf[k] + w->g1[k]) + sense * q->alpha[1] * w->g[k];
        else
            r[k] = q->alpha[0] * (Gf[k] + w->g2[k]) + sense * q->alpha[1] * rate
                   + q->alpha[2] * w->g[k];
    }
}

/* By = B y_s, and what is carried on: y_s or By.  y_s = y_{s-1} + E (alpha_1 g' + ...)/eps with
 * x^(order) = f - B y_s in it:  (eps I + alpha_1 E G B) y_s = eps y_{s-1} + E r;
 * N (3.2b): E G (B y_{s-1}) instead of y_{s-1};  L (3.8), (3.16): B y_{s-1} itself. */
static void find_force(const formula *q, double E[M][M], const values *w, const double *r,
                       const double *before, double *By, double *carried)
{
    double Er[M], start[M], y[M], A[M][M], inverse[M][M], projected[M];

    apply(E, r, Er);
    if (q->carry == CARRY_BY) {
        apply_B(w, Er, By);
        for (int k = 0; k < N; k++)
            By[k] = (q->eps * before[k] + By[k]) / (q->eps + q->alpha[0]);
        memcpy(carried, By, N * sizeof *By);
        return;
    }
    memcpy(start, before, sizeof start);
    if (q->carry == PROJECT_BY) {
        apply_G(w, before, projected);
        apply(E, projected, start);
    }
    for (int i = 0; i < M; i++) {
        y[i] = q->eps * start[i] + Er[i];
        for (int j = 0; j < M; j++)
            A[i][j] = (i == j ? q->eps : 0.0)
                      + q->alpha[0] * (E[i][0] * w->GB[0][j] + E[i][1] * w->GB[1][j]);
    }
    invert(A, inverse);
    apply(inverse, y, start);
    apply_B(w, start, By);
    memcpy(carried, q->carry == PROJECT_BY ? By : start,
           (q->carry == PROJECT_BY ? N : M) * sizeof *By);
}

/* f^ = f - B (GB)^-1 (G f + ...): the reduced equations. */
static void reduce(const formula *q, const values *w, double *f)
{
    double Gf[M], y[M], By[N], inverse[M][M];

    apply_G(w, w->f, Gf);
    for (int k = 0; k < M; k++)
        Gf[k] += q->order == 1 ? w->g1[k] : w->g2[k];
    invert(w->GB, inverse);
    apply(inverse, Gf, y);
    apply_B(w, y, By);
    for (int k = 0; k < N; k++)
        f[k] = w->f[k] - By[k];
}

/* x' = v - correction of g,  v' = f^ - correction of dg/dt, with
 *
 *     N (4.10), (5.2):  gamma B (GB)^-1 h,                               h = g, dg/dt
 *     N (4.12):         G^T zeta,   zeta_s = zeta_{s-1} + h/eps */
static void correct(const formula *q, double sense, const values *w, const double *h,
                    const double *before, double *carried, double *d)
{
    double inverse[M][M], y[M], By[N];

    if (q->kind == UNDERLYING) {
        invert(w->GB, inverse);
        apply(inverse, h, y);
        apply_B(w, y, By);
        for (int k = 0; k < N; k++)
            d[k] -= sense * GAMMA * By[k];
        return;
    }
    for (int i = 0; i < M; i++) {
        carried[i] = before[i] + sense * h[i] / q->eps;
        for (int k = 0; k < N; k++)
            d[k] -= w->G[i][k] * carried[i];
    }
}

/* e := (HD)^-1 h,  h = (g, dg/dt),  D = diag(B, B),  H = dh/d(x, v) = (G, 0; K, G): the rows
 * of g first. */
static void solve_HD(const values *w, const double *rate, double e[2][M])
{
    double inverse[M][M], By[N], rest[M];

    invert(w->GB, inverse);
    apply(inverse, w->g, e[0]);
    apply_B(w, e[0], By);
    for (int i = 0; i < M; i++)
        rest[i] = rate[i] - w->K[i][0] * By[0] - w->K[i][1] * By[1] - w->K[i][2] * By[2];
    apply(inverse, rest, e[1]);
}

/* D (2N x 2M) by its columns, H = (G, 0; K, G). */
static void make_D(const formula *q, const values *w, double D[2 * M][2 * N])
{
    memset(D, 0, 2 * M * sizeof *D);
    for (int j = 0; j < M; j++)
        for (int i = 0; i < N; i++) {
            D[j][i] = D[M + j][N + i] = q->D == 0 ? w->B[i][j] : w->G[j][i];
            if (q->D == 2) D[M + j][i] = w->K[j][i];
        }
}

/* e := (HD)^-1 h by elimination, and D e: any D. */
static void solve_any(const formula *q, const values *w, const double *rate, double e[2][M])
{
    double D[2 * M][2 * N], A[2 * M][2 * M + 1];

    make_D(q, w, D);
    for (int j = 0; j < 2 * M; j++)
        for (int k = 0; k < M; k++) {
            A[k][j] = A[M + k][j] = 0.0;
            for (int i = 0; i < N; i++) {
                A[k][j] += w->G[k][i] * D[j][i];
                A[M + k][j] += w->K[k][i] * D[j][i] + w->G[k][i] * D[j][N + i];
            }
        }
    for (int k = 0; k < M; k++) {
        A[k][2 * M] = w->g[k];
        A[M + k][2 * M] = rate[k];
    }
    for (int k = 0; k < 2 * M; k++) /* Gauss, Jordan; regular here without pivoting */
        for (int i = 0; i < 2 * M; i++) {
            const double factor = i == k ? 0.0 : A[i][k] / A[k][k];
            for (int j = k; j <= 2 * M; j++)
                A[i][j] -= factor * A[k][j];
        }
    for (int k = 0; k < 2 * M; k++)
        e[k / M][k % M] = A[k][2 * M] / A[k][k];
}

/* z' = f^ - gamma D (HD)^-1 h, N (4.10);  z' = f^ - D zeta_s, zeta_s = zeta_{s-1} + (HD)^-1 h/eps,
 * N (4.11). */
static void correct_full(const formula *q, double sense, const values *w, const double *rate,
                         const double *before, double *carried, double *dz)
{
    double e[2][M], D[2 * M][2 * N];

    if (q->D == 0)
        solve_HD(w, rate, e);
    else
        solve_any(q, w, rate, e);
    for (int level = 0; level < 2; level++)
        for (int i = 0; i < M; i++) {
            e[level][i] *= sense * (q->kind == UNDERLYING_FULL ? GAMMA : 1.0 / q->eps);
            if (q->kind == INVARIANT_FULL)
                e[level][i] = carried[level * M + i] = before[level * M + i] + e[level][i];
        }
    make_D(q, w, D);
    for (int j = 0; j < 2 * M; j++)
        for (int k = 0; k < 2 * N; k++)
            dz[k] -= D[j][k] * e[j / M][j % M];
}

/* z' of one iterate: z = x, or x and v. */
static void slope(const formula *q, double s, double t, double sense, const double *z,
                  const double *before, double *dz, double *carried)
{
    const double *v = q->order == 2 ? z + N : NULL;
    double *top = dz + (q->order - 1) * N, E[M][M], r[M], By[N], rate[M], Eg[M], position[N];
    values w;

    evaluate(s, t, z, v, &w);
    if (v != NULL) {
        memcpy(dz, v, N * sizeof *dz);
        apply_G(&w, v, rate);
        for (int k = 0; k < M; k++)
            rate[k] += w.g1[k];
    }
    if (q->kind == INVARIANT || q->kind == UNDERLYING) {
        reduce(q, &w, top);
        if (v != NULL) correct(q, sense, &w, rate, before + M, carried + M, top);
        correct(q, sense, &w, w.g, before, carried, dz);
        return;
    }
    if (q->kind == INVARIANT_FULL || q->kind == UNDERLYING_FULL) {
        reduce(q, &w, top);
        correct_full(q, sense, &w, rate, before, carried, dz);
        return;
    }
    make_E(q, s, &w, E);
    combine(q, sense, &w, v, r);
    find_force(q, E, &w, r, before, By, carried);
    for (int k = 0; k < N; k++)
        top[k] = w.f[k] - By[k];
    if (q->kind != STABILIZED) return;
    apply(E, w.g, Eg); /* x' = v - B E g/eps */
    apply_B(&w, Eg, position);
    for (int k = 0; k < N; k++)
        dz[k] -= sense * position[k] / q->eps;
}

/* STEPS Euler steps of all iterates from z; what iterate s carries at t_n goes to iterate s + 1. */
static void euler(const formula *q, double s, double sense, const double *start, double *end)
{
    const int n = q->order * N;
    double z[4][2 * N], carried[5][2 * N], dz[2 * N];

    for (int i = 0; i < q->iterations; i++)
        memcpy(z[i], start, (size_t)n * sizeof *start);
    for (int k = 0; k < STEPS; k++) {
        memset(carried[0], 0, sizeof carried[0]); /* y_0 = 0 */
        for (int i = 0; i < q->iterations; i++) {
            slope(q, s, sense * k * STEP, sense, z[i], carried[i], dz, carried[i + 1]);
            for (int j = 0; j < n; j++)
                z[i][j] += sense * STEP * dz[j];
        }
    }
    memcpy(end, z[q->iterations - 1], (size_t)n * sizeof *end);
}

static void model_text(const formula *q, double s, double sense, char *text, size_t size)
{
    const bool is_first = q->order == 1, is_srm = strstr(q->words, "method") == NULL;
    const char *u = is_first ? "x" : "v";
    char sides[512];

    snprintf(sides, sizeof sides, RIGHT_SIDES, u, u, u);
    snprintf(text, size,
             "param s = %g\nvar x1 ~ -0.4, x2 ~ 1, x3 = 0.5%s, y1, y2\n%s%s1' %s%s"
             "over t = 0 .. %.17g\nsolve scheme = \"forward-euler\", step = %g, %s%s\n",
             s, is_first ? "" : ", v1 ~ 1, v2 ~ 0, v3 = 0.3",
             is_first ? "" : "x1' = v1\nx2' = v2\nx3' = v3\n", u, sides, CONSTRAINTS,
             sense * STEPS * STEP, STEP, is_srm ? "method = srm, y0 = zero, eps = 0.1, " : "",
             q->words);
}

/* The unknowns begin with x, or with x and v. */
static void check_formula(const formula *q, double s, double sense)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solution *solution = NULL;
    char text[1024];
    double start[8], end[8], expected[2 * N], worst = 0.0, moved = 0.0;
    const double t_end = sense * STEPS * STEP;

    model_text(q, s, sense, text, sizeof text);
    const bool ok = CHECK_INT(rg_context_create(&ctx), RG_OK)
                    && CHECK_INT(rg_problem_from_text(ctx, text, &p), RG_OK)
                    && CHECK_INT(rg_solve(p, t_end, NULL, &solution), RG_OK)
                    && CHECK_INT(rg_solution_eval(solution, 0.0, start, NULL), RG_OK)
                    && CHECK_INT(rg_solution_eval(solution, t_end, end, NULL), RG_OK);
    if (ok) {
        euler(q, s, sense, start, expected);
        for (int k = 0; k < q->order * N; k++) {
            worst = fmax(worst, fabs(end[k] - expected[k]));
            moved = fmax(moved, fabs(end[k] - start[k]));
        }
    } else if (ctx != NULL) {
        rg_error_print(rg_last_error(ctx), stdout);
    }
    if (!CHECK(ok && worst < 1e-12 && moved > 0.01))
        printf("%s, sign %g, sense %g: differs by %.2e\n", q->words, s, sense, worst);
    rg_solution_destroy(&solution);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* Both signs of G B, forwards and backwards. */
static void check_all(const formula *q, int count)
{
    for (int k = 0; k < count; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            check_formula(&q[k], sign, 1.0);
            check_formula(&q[k], sign, -1.0);
        }
}

#define CHECK_ALL(table) check_all(table, (int)(sizeof(table) / sizeof *(table)))

/* clang-format off */
static const formula index_2[] = {
    {"variant=basic, iterations=2, E=identity",
     WEIGHTED, E_IDENTITY, 1, {0, 1, 0}, EPS, 2, CARRY_Y, 0},
    {"variant=basic, iterations=2, E=inverse", WEIGHTED, E_INVERSE, 1, {0, 1, 0}, EPS, 2, CARRY_Y, 0},
    {"variant=basic, iterations=2, E=transpose",
     WEIGHTED, E_TRANSPOSE, 1, {0, 1, 0}, EPS, 2, CARRY_Y, 0},
    {"variant=basic, iterations=2, E=shifted, delta=0.4",
     WEIGHTED, E_SHIFTED, 1, {0, 1, 0}, EPS, 2, CARRY_Y, 0},
    {"variant=basic, iterations=2, alpha1=0.7, alpha2=3, E=transpose",
     WEIGHTED, E_TRANSPOSE, 1, {0.7, 3, 0}, EPS, 2, CARRY_Y, 0},
    {"variant=singular, iterations=3", WEIGHTED, E_INVERSE, 1, {0, 1, 0}, EPS, 3, PROJECT_BY, 0},
    {"variant=\"linear-by-rate\", iterations=2, alpha2=3",
     WEIGHTED, E_INVERSE, 1, {1, 3, 0}, EPS, 2, CARRY_BY, 0},
};
static const formula index_3[] = {
    {"variant=\"second-order\", iterations=2, alpha1=0.7, alpha2=2, alpha3=3",
     WEIGHTED, E_INVERSE, 2, {0.7, 2, 3}, EPS, 2, CARRY_Y, 0},
    {"variant=\"second-order\", iterations=2, alpha1=1, alpha2=2, alpha3=3, E=transpose",
     WEIGHTED, E_TRANSPOSE, 2, {1, 2, 3}, EPS, 2, CARRY_Y, 0},
    {"variant=stabilized, iterations=2, E=transpose",
     STABILIZED, E_TRANSPOSE, 2, {0, 1, 0}, EPS, 2, CARRY_Y, 0},
    {"variant=stabilized, iterations=2, E=shifted, delta=0.4",
     STABILIZED, E_SHIFTED, 2, {0, 1, 0}, EPS, 2, CARRY_Y, 0},
    {"variant=multibody, iterations=2", STABILIZED, E_IDENTITY, 2, {0, 1, 0}, EPS, 2, CARRY_Y, 0},
    {"variant=\"multibody-singular\", iterations=2",
     STABILIZED, E_INVERSE, 2, {0, 1, 0}, EPS, 2, PROJECT_BY, 0},
    {"variant=invariant, iterations=2", INVARIANT, E_INVERSE, 2, {0, 1, 0}, EPS, 2, CARRY_Y, 0},
    {"variant=\"invariant-full\", iterations=2",
     INVARIANT_FULL, E_INVERSE, 2, {0, 1, 0}, EPS, 2, CARRY_Y, 0},
    {"variant=\"invariant-gradient\", iterations=2",
     INVARIANT_FULL, E_INVERSE, 2, {0, 1, 0}, EPS, 2, CARRY_Y, 1},
    {"variant=\"invariant-jacobian\", iterations=2",
     INVARIANT_FULL, E_INVERSE, 2, {0, 1, 0}, EPS, 2, CARRY_Y, 2},
};
static const formula rivals[] = {
    {"method=baumgarte, gamma=7", WEIGHTED, E_INVERSE, 1, {1, 7, 0}, 0.0, 1, CARRY_Y, 0},
    {"method=baumgarte, gamma=7", WEIGHTED, E_INVERSE, 2, {1, 14, 49}, 0.0, 1, CARRY_Y, 0},
    {"method=invariant, gamma=7", UNDERLYING, E_INVERSE, 1, {1, 1, 1}, 0.0, 1, CARRY_Y, 0},
    {"method=invariant, gamma=7", UNDERLYING, E_INVERSE, 2, {1, 1, 1}, 0.0, 1, CARRY_Y, 0},
    {"method=invariant, variant=full, gamma=7", UNDERLYING, E_INVERSE, 1, {1, 1, 1}, 0.0, 1,
     CARRY_Y, 0},
    {"method=invariant, variant=full, gamma=7", UNDERLYING_FULL, E_INVERSE, 2, {1, 1, 1}, 0.0, 1,
     CARRY_Y, 0},
    {"method=invariant, variant=gradient, gamma=7", UNDERLYING_FULL, E_INVERSE, 2, {1, 1, 1}, 0.0, 1,
     CARRY_Y, 1},
    {"method=invariant, variant=jacobian, gamma=7", UNDERLYING_FULL, E_INVERSE, 2, {1, 1, 1}, 0.0, 1,
     CARRY_Y, 2},
    {"method=penalty, eps=0.1", WEIGHTED, E_IDENTITY, 1, {0, 1, 0}, EPS, 1, CARRY_Y, 0},
    {"method=penalty, eps=0.1, gamma=7", WEIGHTED, E_IDENTITY, 2, {0, 1, 7}, EPS, 1, CARRY_Y, 0},
    {"method=penalty, eps=0.1, gamma=7, E=inverse", WEIGHTED, E_INVERSE, 2, {0, 1, 7}, EPS, 1,
     CARRY_Y, 0},
};
/* clang-format on */

/* h = (g, dg/dt) at time t. */
static void invariants(double t, const double *z, double *h)
{
    values w;

    evaluate(1.0, t, z, z + N, &w);
    memcpy(h, w.g, sizeof w.g);
    apply_G(&w, z + N, h + M);
    for (int k = 0; k < M; k++)
        h[M + k] += w.g1[k];
}

/* How far h is from h_1' = h_2 - rate h_1, h_2' = -rate h_2 along z' at a point off the
 * constraints, z' of the first iterate; f^ alone has h_1' = h_2, h_2' = 0. */
static double off_decay(const formula *q, double rate)
{
    const double t = 0.3, d = 1e-5, z[2 * N] = {0.2, 0.9, 0.5, 1.5, -2.0, 3.0}, zero[2 * M] = {0};
    double dz[2 * N], carried[2 * M], ends[2][2 * M], moved[2 * N], h[2 * M], worst = 0.0;

    slope(q, 1.0, t, 1.0, z, zero, dz, carried);
    for (int side = 0; side < 2; side++) {
        const double step = side == 0 ? -d : d;
        for (int k = 0; k < 2 * N; k++)
            moved[k] = z[k] + step * dz[k];
        invariants(t + step, moved, ends[side]);
    }
    invariants(t, z, h);
    for (int k = 0; k < 2 * M; k++)
        worst = fmax(worst, fabs((ends[1][k] - ends[0][k]) / (2.0 * d) + rate * h[k]
                                 - (k < M ? h[M + k] : 0.0)));
    return worst;
}

/* With (HD)^-1 the derivative of the constraint decays like exp(-gamma t), or exp(-t/eps), and the
 * constraint with it; with F of N (5.2) the constraint feeds its derivative. */
static void test_decay(void)
{
    const formula full =
                      {
                          "", UNDERLYING_FULL, E_INVERSE, 2, {1, 1, 1},
                              0.0, 1, CARRY_Y, 0
    },
                  blocks = {"", UNDERLYING, E_INVERSE, 2, {1, 1, 1}, 0.0, 1, CARRY_Y, 0},
                  iterate = {"", INVARIANT_FULL, E_INVERSE, 2, {0, 1, 0}, EPS, 1, CARRY_Y, 0};

    for (int D = 0; D < 3; D++) {
        formula any = full, of_srm = iterate;
        any.D = of_srm.D = D;
        CHECK(off_decay(&any, GAMMA) < 1e-6);
        CHECK(off_decay(&of_srm, 1.0 / EPS) < 1e-6);
    }
    CHECK(off_decay(&full, GAMMA) < 1e-6);
    CHECK(off_decay(&iterate, 1.0 / EPS) < 1e-6);
    CHECK(off_decay(&blocks, GAMMA) > 0.1);
}

static void test_index_2(void)
{
    CHECK_ALL(index_2);
}

static void test_index_3(void)
{
    CHECK_ALL(index_3);
}

static void test_rivals(void)
{
    CHECK_ALL(rivals);
}

int main(void)
{
    static const test_case cases[] = {
        {"index_2", test_index_2},
        {"index_3", test_index_3},
        {"rivals",  test_rivals },
        {"decay",   test_decay  }
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
