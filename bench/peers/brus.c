/* The Brusselator on a line or a square as hand-written C, for other codes. */
#include "brus.h"

#include <math.h>

static int cell_count(const brus *b)
{
    return b->dims == 1 ? b->cells : b->cells * b->cells;
}

int brus_size(const brus *b)
{
    return 3 * cell_count(b);
}

/* Per cell: columns u, v have the own 3 rows and at most 2 dims neighbours, column w 3 rows. */
long brus_entries(const brus *b)
{
    return (long)cell_count(b) * (2 * (3 + 2 * b->dims) + 3);
}

static double diffusion(const brus *b)
{
    return b->dims == 1 ? (b->cells + 1.0) * (b->cells + 1.0) / 50.0 : 0.1 * b->cells * b->cells;
}

/* Neighbours of cell k in ascending order; their number. */
static int neighbours(const brus *b, int k, int *list)
{
    const int N = b->cells, i = k % N;
    int n = 0;

    if (b->dims == 2 && k >= N) list[n++] = k - N;
    if (i > 0) list[n++] = k - 1;
    if (i < N - 1) list[n++] = k + 1;
    if (b->dims == 2 && k + N < N * N) list[n++] = k + N;
    return n;
}

void brus_start(const brus *b, double *y, double *yp)
{
    const double pi = 3.14159265358979323846;

    for (int k = 0; k < cell_count(b); k++) {
        double *c = y + 3 * k;
        const double x = (k % b->cells + 0.5) / b->cells, z = (k / b->cells + 0.5) / b->cells;
        c[0] =
            b->dims == 1 ? 1 + sin(2 * pi * (k + 1) / (b->cells + 1.0)) : 22 * z * pow(1 - z, 1.5);
        c[1] = b->dims == 1 ? 3 : 27 * x * pow(1 - x, 1.5);
        c[2] = c[0] * c[1];
    }
    brus_residual(b, y, yp, yp); /* y' was 0: F = -f */
    for (int i = 0; i < brus_size(b); i++)
        yp[i] = i % 3 == 2 ? 0.0 : -yp[i];
}

void brus_residual(const brus *b, const double *y, const double *yp, double *F)
{
    const double D = diffusion(b), B = b->dims == 1 ? 3.0 : 3.4;

    for (int k = 0; k < cell_count(b); k++) {
        const double *c = y + 3 * k, du = yp[3 * k], dv = yp[3 * k + 1];
        int near[4];
        const int n = neighbours(b, k, near);
        double su = 0, sv = 0;
        for (int a = 0; a < n; a++)
            su += y[3 * near[a]] - c[0], sv += y[3 * near[a] + 1] - c[1];
        if (b->dims == 1 && k == 0) su += 1 - c[0], sv += 3 - c[1];
        if (b->dims == 1 && k == b->cells - 1) su += 1 - c[0], sv += 3 - c[1];
        F[3 * k] = du - (1 + c[2] * c[0] - (B + 1) * c[0] + D * su);
        F[3 * k + 1] = dv - (B * c[0] - c[2] * c[0] + D * sv);
        F[3 * k + 2] = c[2] - c[0] * c[1];
    }
}

void brus_jacobian(const brus *b, const double *y, double c, int64_t *start, int64_t *row,
                   double *value)
{
    const double D = diffusion(b), B = b->dims == 1 ? 3.0 : 3.4;
    int64_t e = 0;

    for (int k = 0; k < cell_count(b); k++) {
        const double *s = y + 3 * k;
        int near[4];
        const int n = neighbours(b, k, near);
        const double degree = b->dims == 1 ? 2.0 : n;
        for (int v = 0; v < 2; v++) {
            int a = 0;
            start[3 * k + v] = e;
            for (; a < n && near[a] < k; a++)
                row[e] = 3 * near[a] + v, value[e++] = -D;
            if (v == 0) {
                row[e] = 3 * k, value[e++] = c - s[2] + B + 1 + D * degree;
                row[e] = 3 * k + 1, value[e++] = -B + s[2];
                row[e] = 3 * k + 2, value[e++] = -s[1];
            } else {
                row[e] = 3 * k + 1, value[e++] = c + D * degree;
                row[e] = 3 * k + 2, value[e++] = -s[0];
            }
            for (; a < n; a++)
                row[e] = 3 * near[a] + v, value[e++] = -D;
        }
        start[3 * k + 2] = e;
        row[e] = 3 * k, value[e++] = -s[0];
        row[e] = 3 * k + 1, value[e++] = s[0];
        row[e] = 3 * k + 2, value[e++] = 1.0;
    }
    start[brus_size(b)] = e;
}

int brus_is_shown(const brus *b, int i)
{
    const int N = b->cells, k = i / 3;
    const int inside = b->dims == 1 ? (N + 1) / 2 - 1 : N / 2 + N * (N / 4);

    return k == 0 || k == inside || k == cell_count(b) - 1;
}
