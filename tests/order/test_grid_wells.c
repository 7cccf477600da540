/* Darcy flow with wells, solids, given pressures and rates on sides, rough and anisotropic K, in
 * units of 1e-6 to 1e6, against the discrete equations solved here by elimination:
 *
 *     sum over the faces of a cell of T (p - p_neighbour) = rate + 2 pi K (P - p)/log(r0/R),
 *
 * T = area/(h (1/K_1 + 1/K_2)/2), r0 = .14 sqrt(hx^2 + hy^2); p of closed boxes has mean 0. */
#include "base/random.h"
#include "regula.h"
#include "support/end.h"
#include "support/test.h"
#include "support/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 6, CELLS = SIDE * SIDE, WELLS = 3, MOST = 32, TEXT = 8192 };

typedef enum { CLOSED, PRESSURE, RATE } way;

typedef struct {
    uint64_t seed, drawn;
    int nx, ny, solid; /* its cell; -1: none */
    double hx, hy, Kx[CELLS], Ky, P, K0;
    way side[4]; /* left, right, bottom, top */
    double given[4];
    int n_wells, well[WELLS];
    way how[WELLS];
    double amount[WELLS];
    bool is_closed;
    double p[CELLS];
} box;

static double draw(box *b)
{
    return rg_random(b->seed, b->drawn++);
}

static double unit(box *b)
{
    return pow(10.0, floor(13.0 * draw(b)) - 6.0);
}

/* ---- the box --------------------------------------------------------------------------------- */
static int free_cell(box *b)
{
    int cell;

    do
        cell = (int)(draw(b) * b->nx * b->ny);
    while (cell == b->solid);
    return cell;
}

/* The cell beyond a side of a cell; -1: none. */
static int beyond(const box *b, int cell, int side)
{
    const int i = cell % b->nx, j = cell / b->nx;

    if (side < 2) return (side ? i == b->nx - 1 : i == 0) ? -1 : cell + (side ? 1 : -1);
    return (side == 3 ? j == b->ny - 1 : j == 0) ? -1 : cell + (side == 3 ? b->nx : -b->nx);
}

static double area(const box *b, int side)
{
    return side < 2 ? b->hy : b->hx;
}

/* What flows through a given side, in all its cells. */
static double through(const box *b, int side)
{
    int n = 0;

    for (int c = 0; c < b->nx * b->ny; c++)
        n += c != b->solid && beyond(b, c, side) < 0;
    return b->side[side] == RATE ? n * area(b, side) * b->given[side] : 0.0;
}

/* A closed box has a last well that takes what is left. */
static void close_box(box *b)
{
    double sum = 0.0;

    for (int s = 0; s < 4; s++)
        sum += (s % 2 ? -1.0 : 1.0) * through(b, s);
    for (int w = 0; w < b->n_wells - 1; w++)
        sum += b->amount[w];
    b->how[b->n_wells - 1] = RATE;
    b->amount[b->n_wells - 1] = -sum;
}

static box make(uint64_t seed)
{
    box b = {.seed = seed, .solid = -1, .is_closed = true};
    const bool scaled = draw(&b) < 0.5;
    const double L = scaled ? unit(&b) : 1.0, contrast = floor(3.0 * draw(&b));

    b.P = scaled ? unit(&b) : 1.0;
    b.K0 = scaled ? unit(&b) : 1.0;
    b.nx = 3 + (int)(4.0 * draw(&b));
    b.ny = 3 + (int)(4.0 * draw(&b));
    b.hx = L / b.nx;
    b.hy = 0.5 * L / b.ny;
    b.Ky = draw(&b) < 0.3 ? 10.0 : 1.0;
    for (int c = 0; c < b.nx * b.ny; c++)
        b.Kx[c] = b.K0 * pow(10.0, contrast * (2.0 * draw(&b) - 1.0));
    if (draw(&b) < 0.5) b.solid = 1 + b.nx; /* no cell is cut off */
    for (int s = 0; s < 4; s++) {
        b.side[s] = (way)(3.0 * draw(&b));
        const double size = b.side[s] == PRESSURE ? b.P : b.P * b.K0 / L;
        b.given[s] = b.side[s] == CLOSED ? 0.0 : size * (2.0 * draw(&b) - 1.0);
        b.is_closed = b.is_closed && b.side[s] != PRESSURE;
    }
    b.n_wells = 1 + (int)(WELLS * draw(&b));
    for (int w = 0; w < b.n_wells; w++) {
        b.well[w] = free_cell(&b);
        b.how[w] = b.Ky == 1.0 && draw(&b) < 0.5 ? PRESSURE : RATE;
        b.amount[w] = (b.how[w] == RATE ? b.P * b.K0 : b.P) * (2.0 * draw(&b) - 1.0);
        b.is_closed = b.is_closed && b.how[w] == RATE;
    }
    if (b.is_closed) close_box(&b);
    return b;
}

/* ---- the equations --------------------------------------------------------------------------- */
static double radius(const box *b)
{
    return 0.01 * fmin(b->hx, b->hy);
}

static double well_index(const box *b, int w)
{
    const double r0 = 0.14 * hypot(b->hx, b->hy);

    return 2.0 * acos(-1.0) * b->Kx[b->well[w]] / log(r0 / radius(b));
}

static double conductance(const box *b, int cell, int other, int side)
{
    const double h = side < 2 ? b->hx : b->hy, K = side < 2 ? 1.0 : b->Ky;

    if (other < 0) return area(b, side) * K * b->Kx[cell] / (0.5 * h);
    return area(b, side) * K / (h * (1.0 / b->Kx[cell] + 1.0 / b->Kx[other]) / 2.0);
}

static void add_cell(const box *b, int c, double A[CELLS][CELLS], double *r)
{
    for (int s = 0; s < 4; s++) {
        const int other = beyond(b, c, s);
        if (other == b->solid && other >= 0) continue;
        const double T = conductance(b, c, other, s);
        if (other >= 0)
            A[c][c] += T, A[c][other] -= T;
        else if (b->side[s] == PRESSURE)
            A[c][c] += T, r[c] += T * b->given[s];
        else
            r[c] += (s % 2 ? -1.0 : 1.0) * area(b, s) * b->given[s];
    }
    for (int w = 0; w < b->n_wells; w++) {
        if (b->well[w] != c) continue;
        if (b->how[w] == PRESSURE) A[c][c] += well_index(b, w);
        r[c] += b->how[w] == PRESSURE ? well_index(b, w) * b->amount[w] : b->amount[w];
    }
}

static void eliminate(int n, double A[CELLS][CELLS], double *r)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[p][k])) p = i;
        for (int j = 0; j < n; j++) {
            const double x = A[k][j];
            A[k][j] = A[p][j];
            A[p][j] = x;
        }
        const double x = r[k];
        r[k] = r[p];
        r[p] = x;
        for (int i = 0; i < n; i++) {
            const double f = i == k ? 0.0 : A[i][k] / A[k][k];
            for (int j = k; f != 0.0 && j < n; j++)
                A[i][j] -= f * A[k][j];
            if (f != 0.0) r[i] -= f * r[k];
        }
    }
    for (int k = 0; k < n; k++)
        r[k] /= A[k][k];
}

static void solve_here(box *b)
{
    static double A[CELLS][CELLS];
    const int n = b->nx * b->ny, first = b->solid == 0 ? 1 : 0;

    memset(A, 0, sizeof A);
    memset(b->p, 0, sizeof b->p);
    for (int c = 0; c < n; c++)
        if (c == b->solid)
            A[c][c] = 1.0;
        else
            add_cell(b, c, A, b->p);
    if (b->is_closed) { /* one equation follows from the others */
        for (int c = 0; c < n; c++)
            A[first][c] = c == b->solid ? 0.0 : A[first][first];
        b->p[first] = 0.0;
    }
    eliminate(n, A, b->p);
}

/* ---- the model ------------------------------------------------------------------------------- */
static const char *const NAMES[] = {"left", "right", "bottom", "top"};

/* K cell by cell as sums of conditions: no file is needed. */
static void put_mobility(const box *b, char *text)
{
    text_put(text, TEXT, "let K = 0");
    for (int c = 0; c < b->nx * b->ny; c++)
        text_put(text, TEXT, " + if(abs(x - %.17g) < %.17g and abs(y - %.17g) < %.17g, %.17g, 0)",
                 (c % b->nx + 0.5) * b->hx, 0.4 * b->hx, (c / b->nx + 0.5) * b->hy, 0.4 * b->hy,
                 b->Kx[c]);
    text_put(text, TEXT, "\nu = -K*(1, %g)*grad(p)\ndiv(u) = 0\n", b->Ky);
}

static void write_model(const box *b, char *text)
{
    text[0] = '\0';
    text_put(text, TEXT, "domain x = 0..%.17g cells %d, y = 0..%.17g cells %d\nvector u\nfield p\n",
             b->nx * b->hx, b->nx, b->ny * b->hy, b->ny);
    if (b->solid >= 0)
        text_put(text, TEXT, "solid stone = abs(x - %.17g) < %.17g and abs(y - %.17g) < %.17g\n",
                 1.5 * b->hx, 0.4 * b->hx, 1.5 * b->hy, 0.4 * b->hy);
    put_mobility(b, text);
    for (int s = 0; s < 4; s++)
        if (b->side[s] == PRESSURE)
            text_put(text, TEXT, "boundary p(%s) = %.17g\n", NAMES[s], b->given[s]);
        else if (b->side[s] == RATE)
            text_put(text, TEXT, "boundary u[%c](%s) = %.17g\n", s < 2 ? 'x' : 'y', NAMES[s],
                     b->given[s]);
    for (int w = 0; w < b->n_wells; w++) {
        text_put(text, TEXT, "well w%d at (%.17g, %.17g) ", w, (b->well[w] % b->nx + 0.3) * b->hx,
                 (b->well[w] / b->nx + 0.6) * b->hy);
        if (b->how[w] == RATE)
            text_put(text, TEXT, "rate %.17g\n", b->amount[w]);
        else
            text_put(text, TEXT, "pressure %.17g radius %.17g\n", b->amount[w], radius(b));
    }
    text_put(text, TEXT, "output mean = mean(p)");
    for (int w = 0; w < b->n_wells; w++)
        text_put(text, TEXT, ", p%d = p(w%d), q%d = rate(w%d)", w, w, w, w);
    for (int s = 0; s < 4; s++)
        text_put(text, TEXT, ", f%d = integral(u[%c], %s)", s, s < 2 ? 'x' : 'y', NAMES[s]);
    text_put(text, TEXT, "\n");
}

/* ---- comparison ------------------------------------------------------------------------------ */
static double side_flow(const box *b, int side)
{
    double sum = through(b, side);

    for (int c = 0; b->side[side] == PRESSURE && c < b->nx * b->ny; c++)
        if (c != b->solid && beyond(b, c, side) < 0)
            sum +=
                (side % 2 ? 1.0 : -1.0) * conductance(b, c, -1, side) * (b->p[c] - b->given[side]);
    return sum;
}

static int expect(const box *b, double *out, bool *is_flow)
{
    int n = 0, cells = 0;
    double sum = 0.0;

    for (int c = 0; c < b->nx * b->ny; c++)
        if (c != b->solid) sum += b->p[c], cells++;
    is_flow[n] = false;
    out[n++] = sum / cells;
    for (int w = 0; w < b->n_wells; w++) {
        const double p = b->p[b->well[w]];
        is_flow[n] = false;
        out[n++] = p;
        is_flow[n] = true;
        out[n++] = b->how[w] == RATE ? b->amount[w] : well_index(b, w) * (b->amount[w] - p);
    }
    for (int s = 0; s < 4; s++) {
        is_flow[n] = true;
        out[n++] = side_flow(b, s);
    }
    return n;
}

static void check_box(uint64_t seed, const char *method)
{
    char text[TEXT];
    bool is_flow[MOST];
    box b = make(seed);
    double y[MOST], z[MOST], size[2] = {0.0, 1e-3 * b.P * b.K0}; /* one may be at rest */

    solve_here(&b);
    write_model(&b, text);
    const int n = expect(&b, z, is_flow);
    for (int c = 0; c < b.nx * b.ny; c++)
        size[0] = fmax(size[0], fabs(b.p[c]));
    for (int k = 0; k < n; k++)
        if (is_flow[k]) size[1] = fmax(size[1], fabs(z[k]));
    if (!CHECK(end_values(text, (const char *const[]){"method", method, NULL}, y))) {
        printf("%s", text);
        return;
    }
    for (int k = 0; k < n; k++)
        if (!CHECK(fabs(y[k] - z[k]) <= 1e-8 * size[is_flow[k]]))
            printf("    box %d, %s: output %d is %.12g, not %.12g\n%s", (int)seed, method, k, y[k],
                   z[k], text);
}

static void test_srm(void)
{
    for (uint64_t seed = 0; seed < 60; seed++)
        check_box(seed, "srm");
}

static void test_mixed(void)
{
    for (uint64_t seed = 100; seed < 130; seed++)
        check_box(seed, "mixed");
}

int main(void)
{
    static const test_case cases[] = {
        {"srm",   test_srm  },
        {"mixed", test_mixed},
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
