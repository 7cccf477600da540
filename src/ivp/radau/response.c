/* The polynomial p of a step with s stages has a defect F(t, p, p') that is zero at c_1 .. c_s.
 * With F evaluated at up to four places x_l more, collocation at all of them asks for p + e,
 *
 *     e(0) = 0,   F_y' e'/h + F_y e = 0 at c_i,  = -F_l at x_l
 *
 * and for a scalar equation, F_y' = 1 and F_y = -z/h, its solution is e(x) = -h sum_l phi_l(x, z)
 * F_l with phi_l = (B - z)^-1 e_l, B the differentiation matrix on 0, c_1, .., c_s, x_1, ..  Its
 * poles are the eigenvalues of B, which are not those that are factored.  But in the left half
 * plane phi_l is near to a sum over the eigenvalues lambda_k of the step,
 *
 *     phi_l(x, z) = sum_k g_lk(x) / (lambda_k - z)                                         (1)
 *
 * (and powers of the real one, more of them where much is wanted), so that e = - sum_lk g_lk
 * M_k^-1 F_l with the factors M_k = (lambda_k/h) F_y' + F_y that exist: no factorization, and one
 * evaluation per place.
 *
 * g is found by least squares, relative to the size of phi, over places in the left half plane:
 * all of the negative axis, angles of 45 degrees up to |z| = 8, and the imaginary axis up to 2, or
 * to 4 with more powers, beyond which steps are too long for an accurate solution.  For z ->
 * infinity, which are algebraic unknowns, (1) is exact.  What is left on the negative axis of an
 * error of an order that it can see: 14 % at most with few powers, and with more of them 10 % with
 * 3 stages, 5 % with 5 and 7 (tests/unit/ivp/test_response.c). */
#include "ivp/radau/response.h"
#include "ivp/radau/tuning.h"
#include "linalg/dense.h"
#include "linalg/small_lu.h"

#include <complex.h>
#include <math.h>
#include <string.h>

enum { NODES = 7 + RG_RESPONSE_PLACES, PLACES = 27, ROWS = 2 * PLACES + 1, OUT = RG_RULE_MOST_ODD };

typedef struct {
    const rg_rule_modes *m, *more;
    int stages;               /* of the step among the nodes: all or none */
    int n;                    /* nodes */
    double node[NODES];       /* c_1 .. c_s, x_1 .. */
    double B[NODES][NODES];   /* e' at the nodes from e there */
    double value[OUT][NODES]; /* e at the nodes of `more` */
    double defect[NODES];     /* whose response is wanted */
    double A[ROWS * RG_RESPONSE_TERMS], b[OUT][ROWS];
    int rows;
} fit;

/* At x: the polynomial that is 1 at node j, 0 at the others and at 0 */
static double basis(const fit *f, int j, double x)
{
    double l = x / f->node[j];

    for (int k = 0; k < f->n; k++)
        if (k != j) l *= (x - f->node[k]) / (f->node[j] - f->node[k]);
    return l;
}

/* Its slope at node i */
static double slope(const fit *f, int i, int j)
{
    double sum = 1.0 / f->node[j], product = f->node[i] / f->node[j];

    if (i == j) {
        for (int k = 0; k < f->n; k++)
            if (k != j) sum += 1.0 / (f->node[j] - f->node[k]);
        return sum;
    }
    for (int k = 0; k < f->n; k++)
        if (k != j && k != i) product *= (f->node[i] - f->node[k]) / (f->node[j] - f->node[k]);
    return product / (f->node[j] - f->node[i]);
}

static void start(const rg_rule_modes *m, const rg_rule_modes *more, const rg_response *r, fit *f)
{
    f->m = m;
    f->more = more;
    f->stages = r->between > RG_RESPONSE_PLACES ? 0 : m->s;
    f->n = f->stages > 0 ? m->s + r->between : more->s;
    memcpy(f->node, f->stages > 0 ? m->c : more->c,
           (size_t)(f->stages > 0 ? m->s : f->n) * sizeof *f->node);
    if (f->stages > 0) memcpy(f->node + m->s, r->x, (size_t)r->between * sizeof *f->node);
    for (int i = 0; i < f->n; i++)
        for (int j = 0; j < f->n; j++)
            f->B[i][j] = slope(f, i, j);
    for (int i = 0; i < more->s; i++)
        for (int j = 0; j < f->n; j++)
            f->value[i][j] = basis(f, j, more->c[i]);
}

/* phi_l at the nodes of `more`: (B - x) u + y v = e_l, (B - x) v - y u = 0 for z = x + i y. */
static bool find_phi(const fit *f, double complex z, double complex *phi)
{
    enum { N = 2 * NODES };
    double A[N * N], u[N] = {0};
    int pivot[N];
    const int n = f->n;

    memset(A, 0, sizeof A);
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            A[2 * n * j + i] = A[2 * n * (n + j) + n + i] = f->B[i][j] - (i == j ? creal(z) : 0.0);
        A[2 * n * (n + j) + j] = cimag(z);
        A[2 * n * j + n + j] = -cimag(z);
    }
    memcpy(u, f->defect, (size_t)n * sizeof *u);
    if (!rg_small_lu_factor(2 * n, A, pivot)) return false;
    rg_small_lu_solve(2 * n, A, pivot, u);
    for (int i = 0; i < f->more->s; i++) {
        phi[i] = 0.0;
        for (int j = 0; j < n; j++)
            phi[i] += f->value[i][j] * (u[j] + I * u[n + j]);
    }
    return true;
}

/* The terms of (1) */
static void terms_at(const fit *f, const rg_response *r, double complex z, double complex *term)
{
    int k = 1;

    term[0] = 1.0 / (f->m->gamma - z);
    for (; k < r->powers; k++)
        term[k] = term[k - 1] / (f->m->gamma - z);
    for (int p = 0; p < f->m->s / 2; p++) {
        const double complex lambda = f->m->alpha[p] + I * f->m->beta[p];
        const double complex upper = 1.0 / (lambda - z), lower = 1.0 / (conj(lambda) - z);
        term[k++] = upper + lower;
        term[k++] = I * (upper - lower);
    }
}

static void add_row(fit *f, int terms, double weight, const double *term, const double *phi)
{
    for (int k = 0; k < terms; k++)
        f->A[ROWS * k + f->rows] = weight * term[k];
    for (int i = 0; i < f->more->s; i++)
        f->b[i][f->rows] = weight * phi[i];
    f->rows++;
}

static bool add_place(fit *f, const rg_response *r, double complex z, double counts)
{
    double complex phi[OUT], term[RG_RESPONSE_TERMS];
    double largest = 0.0, part[RG_RESPONSE_TERMS], value[OUT];

    if (!find_phi(f, z, phi)) return false;
    terms_at(f, r, z, term);
    for (int i = 0; i < f->more->s; i++)
        largest = fmax(largest, cabs(phi[i]));
    const double weight = counts / (largest * (1.0 + cabs(z) / 3.0));
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < r->terms; k++)
            part[k] = side == 0 ? creal(term[k]) : cimag(term[k]);
        for (int i = 0; i < f->more->s; i++)
            value[i] = side == 0 ? creal(phi[i]) : cimag(phi[i]);
        add_row(f, r->terms, weight, part, value);
    }
    return true;
}

/* z -> infinity: the sum of all g_k is what e_l is at the nodes */
static void add_infinity(fit *f, const rg_response *r)
{
    double term[RG_RESPONSE_TERMS] = {1.0}, value[OUT] = {0};

    for (int p = 0; p < f->m->s / 2; p++)
        term[r->powers + 2 * p] = 2.0;
    for (int i = 0; i < f->more->s; i++)
        for (int j = 0; j < f->n; j++)
            value[i] += f->value[i][j] * f->defect[j];
    add_row(f, r->terms, RG_RESPONSE_INFINITY, term, value);
}

static bool add_all(fit *f, const rg_response *r)
{
    static const struct {
        double radius;
        int angles; /* 0, 45, 90 degrees from the negative axis */
    } places[] = {
        {0,   1},
        {.5,  3},
        {1,   3},
        {2,   3},
        {3,   3},
        {4,   3},
        {6,   2},
        {8,   2},
        {10,  1},
        {14,  1},
        {20,  1},
        {30,  1},
        {50,  1},
        {100, 1},
        {300, 1}
    };
    const double turn = 0.25 * acos(-1.0);

    f->rows = 0;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        for (int a = 0; a < places[k].angles; a++) {
            const bool is_far = a == 2 && places[k].radius > 2.0; /* not with few terms */
            const double counts = is_far && r->powers <= (9 - f->m->s) / 2 ? 0.0 : 1.0;
            if (!add_place(f, r, -places[k].radius * cexp(I * turn * a), counts)) return false;
        }
    add_infinity(f, r);
    return true;
}

/* int_0^x (v - c_1) .. (v - c_s) dv: the shape of e */
static double shape(const rg_rule_modes *m, double x)
{
    double a[NODES] = {1.0}, sum = 0.0;

    for (int k = 0; k < m->s; k++)
        for (int i = k + 1; i >= 0; i--)
            a[i] = (i > 0 ? a[i - 1] : 0.0) - (i <= k ? m->c[k] * a[i] : 0.0);
    for (int i = m->s; i >= 0; i--)
        sum = sum * x + a[i] / (i + 1.0);
    return x * sum;
}

/* 1 at its own place and 0 at the others.  At stages where F is not evaluated: 0, or the shape of e
 * times a straight line that is zero at the other stage of r. */
static void set_defect(fit *f, const rg_response *r, int l)
{
    const int s = f->stages;

    for (int j = 0; j < f->n; j++) {
        f->defect[j] = l < r->between && j == s + l ? 1.0 : 0.0;
        if (l < r->between || j >= s) continue;
        const double own = r->x[l], other = r->x[2 * r->between + 1 - l], x = f->node[j];
        f->defect[j] = shape(f->m, x) / shape(f->m, own) * (x - other) / (own - other);
    }
}

static rg_status solve(rg_context *ctx, fit *f, int l, rg_response *r)
{
    rg_qr *qr = NULL;
    double x[RG_RESPONSE_TERMS], work[ROWS];

    set_defect(f, r, l);
    if (!add_all(f, r) || f->rows != ROWS) return (rg_status)RG_RETRY;
    RG_TRY(rg_qr_create(ctx, ROWS, r->terms, f->A, RG_RESPONSE_RANK, &qr));
    for (int i = 0; i < f->more->s; i++) {
        rg_qr_solve(qr, f->b[i], x, work);
        for (int k = 0; k < r->terms; k++)
            r->weight[l][k][i] = x[k];
    }
    rg_qr_destroy(&qr);
    return RG_OK;
}

/* Between stage k - 1, or the start, and stage k */
static double inside(const rg_rule_modes *m, int k, double part)
{
    const double before = k > 0 ? m->c[k - 1] : 0.0;

    return before + part * (m->c[k] - before);
}

static void choose_places(const rg_rule_modes *m, const rg_rule_modes *more, rg_response_kind kind,
                          rg_response *r)
{
    static const int first[3][RG_RESPONSE_PLACES] = {
        {0,  1, 2},
        { 0, 1, 3, 4},
        { 0, 2, 4, 6}
    };
    const int s = m->s, k = s / 2;
    const bool is_even = kind == RG_RESPONSE_EVEN, is_fine = kind == RG_RESPONSE_FINE;
    const bool is_first = kind == RG_RESPONSE_FIRST || is_fine;

    r->powers = (9 - s) / 2 + (!is_fine ? 0 : s == 5 ? 3 : 2);
    r->terms = r->powers + s - 1;
    if (kind == RG_RESPONSE_FULL) {
        r->between = r->places = more->s - 1;
        memcpy(r->x, more->c, (size_t)r->places * sizeof *r->x);
        return;
    }
    r->between = !is_first ? 2 : s == 3 ? 3 : RG_RESPONSE_PLACES;
    r->places = is_first ? r->between : RG_RESPONSE_PLACES;
    for (int l = 0; l < r->between; l++)
        r->x[l] = inside(m, first[k - 1][l], 0.5);
    if (is_first) return;
    r->x[0] = inside(m, 0, is_even ? 0.3 : 0.6);
    r->x[1] = inside(m, k + 1, is_even ? 0.3 : 0.6);
    r->x[2] = m->c[k];
    r->x[3] = m->c[0];
}

rg_status rg_response_init(rg_context *ctx, const rg_rule_modes *m, const rg_rule_modes *more,
                           rg_response_kind kind, rg_response *r)
{
    fit f;

    choose_places(m, more, kind, r);
    start(m, more, r, &f);
    for (int l = 0; l < r->places; l++)
        RG_TRY(solve(ctx, &f, l, r));
    return RG_OK;
}
