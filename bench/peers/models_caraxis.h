/* Car axis, included by models.c: q = xl, yl, xr, yr; v; lam1, lam2 (, mu1, mu2).
 *
 *     q' = v (- G^T mu),   k v' = spring(q, t) + G^T lam - k g e_y
 *     0 = xl xb + yl yb,   0 = (xl - xr)^2 + (yl - yr)^2 - 1,   or their first or
 *                                                                second derivatives */
static const double AXIS_K = 5e-4, AXIS_L0 = 0.5;

enum { AXIS_3, AXIS_2, AXIS_1, AXIS_GGL };

typedef struct {
    double x[3], y[3]; /* the right wheel: position, velocity, acceleration */
} axis_road;

static axis_road road_at(double t)
{
    axis_road b;

    b.y[0] = 0.1 * sin(10 * t), b.y[1] = cos(10 * t), b.y[2] = -10 * sin(10 * t);
    b.x[0] = sqrt(1 - b.y[0] * b.y[0]);
    b.x[1] = -b.y[0] * b.y[1] / b.x[0];
    b.x[2] = -(b.y[1] * b.y[1] + b.y[0] * b.y[2] + b.x[1] * b.x[1]) / b.x[0];
    return b;
}

/* F = (L0/|r| - 1) r; dF/dr in D, if wanted */
static void spring(double x, double y, double *F, double *D)
{
    const double length = sqrt(x * x + y * y), a = AXIS_L0 / length - 1;

    F[0] = a * x, F[1] = a * y;
    if (D == NULL) return;
    const double b = AXIS_L0 / (length * length * length);
    D[0] = a - b * x * x, D[1] = D[2] = -b * x * y, D[3] = a - b * y * y;
}

static void axis_f(int form, double t, const double *y, double *f)
{
    const axis_road b = road_at(t);
    const double *v = y + 4, *lam = y + 8, *mu = y + 10;
    const double dx = y[0] - y[2], dy = y[1] - y[3], ux = v[0] - v[2], uy = v[1] - v[3];
    const double g1 = y[0] * b.x[0] + y[1] * b.y[0], g2 = dx * dx + dy * dy - 1;
    const double h1 = v[0] * b.x[0] + y[0] * b.x[1] + v[1] * b.y[0] + y[1] * b.y[1];
    const double h2 = 2 * dx * ux + 2 * dy * uy;

    memcpy(f, v, 4 * sizeof *f);
    spring(y[0], y[1], f + 4, NULL);
    spring(y[2] - b.x[0], y[3] - b.y[0], f + 6, NULL);
    f[4] += lam[0] * b.x[0] + 2 * lam[1] * dx;
    f[5] += lam[0] * b.y[0] + 2 * lam[1] * dy - AXIS_K;
    f[6] -= 2 * lam[1] * dx;
    f[7] -= 2 * lam[1] * dy + AXIS_K;
    f[8] = form == AXIS_2 ? h1 : g1;
    f[9] = form == AXIS_2 ? h2 : g2;
    if (form == AXIS_1) {
        f[8] = (f[4] * b.x[0] + f[5] * b.y[0]) / AXIS_K + 2 * v[0] * b.x[1] + y[0] * b.x[2]
               + 2 * v[1] * b.y[1] + y[1] * b.y[2];
        f[9] = 2 * (ux * ux + uy * uy) + 2 * (dx * (f[4] - f[6]) + dy * (f[5] - f[7])) / AXIS_K;
    } else if (form == AXIS_GGL) {
        f[0] -= mu[0] * b.x[0] + 2 * mu[1] * dx;
        f[1] -= mu[0] * b.y[0] + 2 * mu[1] * dy;
        f[2] += 2 * mu[1] * dx;
        f[3] += 2 * mu[1] * dy;
        f[10] = h1, f[11] = h2;
    }
}

/* Rows of the constraints at the level of positions (row) and velocities. */
static void axis_positions_J(int n, int row, const axis_road *b, const double *y, double *J)
{
    const double dx = y[0] - y[2], dy = y[1] - y[3];

    AT(J, n, row, 0) = b->x[0], AT(J, n, row, 1) = b->y[0];
    AT(J, n, row + 1, 0) = 2 * dx, AT(J, n, row + 1, 1) = 2 * dy;
    AT(J, n, row + 1, 2) = -2 * dx, AT(J, n, row + 1, 3) = -2 * dy;
}

static void axis_velocities_J(int n, int row, const axis_road *b, const double *y, double *J)
{
    const double dx = y[0] - y[2], dy = y[1] - y[3], ux = y[4] - y[6], uy = y[5] - y[7];

    AT(J, n, row, 0) = b->x[1], AT(J, n, row, 1) = b->y[1];
    AT(J, n, row, 4) = b->x[0], AT(J, n, row, 5) = b->y[0];
    AT(J, n, row + 1, 0) = 2 * ux, AT(J, n, row + 1, 1) = 2 * uy;
    AT(J, n, row + 1, 2) = -2 * ux, AT(J, n, row + 1, 3) = -2 * uy;
    AT(J, n, row + 1, 4) = 2 * dx, AT(J, n, row + 1, 5) = 2 * dy;
    AT(J, n, row + 1, 6) = -2 * dx, AT(J, n, row + 1, 7) = -2 * dy;
}

static void axis_accelerations_J(const axis_road *b, const double *y, const double *f, double *J)
{
    enum { n = 10 };
    const double dx = y[0] - y[2], dy = y[1] - y[3], ux = y[4] - y[6], uy = y[5] - y[7];
    const double ax = (f[4] - f[6]) / AXIS_K, ay = (f[5] - f[7]) / AXIS_K;

    for (int j = 0; j < n; j++) {
        const double *c = J + j * n;
        AT(J, n, 8, j) = (c[4] * b->x[0] + c[5] * b->y[0]) / AXIS_K;
        AT(J, n, 9, j) = 2 * (dx * (c[4] - c[6]) + dy * (c[5] - c[7])) / AXIS_K;
    }
    AT(J, n, 8, 0) += b->x[2], AT(J, n, 8, 1) += b->y[2];
    AT(J, n, 8, 4) += 2 * b->x[1], AT(J, n, 8, 5) += 2 * b->y[1];
    AT(J, n, 9, 0) += 2 * ax, AT(J, n, 9, 1) += 2 * ay;
    AT(J, n, 9, 2) -= 2 * ax, AT(J, n, 9, 3) -= 2 * ay;
    AT(J, n, 9, 4) += 4 * ux, AT(J, n, 9, 5) += 4 * uy;
    AT(J, n, 9, 6) -= 4 * ux, AT(J, n, 9, 7) -= 4 * uy;
}

/* G^T a, a = lam or mu: its derivatives with sign s, rows from `row`, a in column `at` */
static void axis_force_J(int n, int row, int at, double s, const axis_road *b, const double *y,
                         double *J)
{
    const double dx = y[0] - y[2], dy = y[1] - y[3], a = 2 * s * y[at + 1];

    for (int k = 0; k < 2; k++) {
        AT(J, n, row + k, k) += a, AT(J, n, row + k, k + 2) -= a;
        AT(J, n, row + k + 2, k) -= a, AT(J, n, row + k + 2, k + 2) += a;
    }
    AT(J, n, row, at) = s * b->x[0], AT(J, n, row + 1, at) = s * b->y[0];
    AT(J, n, row, at + 1) = 2 * s * dx, AT(J, n, row + 1, at + 1) = 2 * s * dy;
    AT(J, n, row + 2, at + 1) = -2 * s * dx, AT(J, n, row + 3, at + 1) = -2 * s * dy;
}

static void axis_J(int form, double t, const double *y, double *J)
{
    const int n = form == AXIS_GGL ? 12 : 10;
    const axis_road b = road_at(t);
    double F[2], D[4], f[12];

    for (int k = 0; k < 4; k++)
        AT(J, n, k, 4 + k) = 1;
    for (int side = 0; side < 2; side++) {
        spring(y[2 * side] - side * b.x[0], y[2 * side + 1] - side * b.y[0], F, D);
        for (int k = 0; k < 4; k++)
            AT(J, n, 4 + 2 * side + k % 2, 2 * side + k / 2) = D[k];
    }
    axis_force_J(n, 4, 8, 1.0, &b, y, J);
    if (form == AXIS_GGL) axis_force_J(n, 0, 10, -1.0, &b, y, J);
    if (form == AXIS_3 || form == AXIS_GGL) axis_positions_J(n, 8, &b, y, J);
    if (form == AXIS_2 || form == AXIS_GGL) axis_velocities_J(n, form == AXIS_2 ? 8 : 10, &b, y, J);
    if (form == AXIS_1) {
        axis_f(form, t, y, f);
        axis_accelerations_J(&b, y, f, J);
    }
}

static void axis_mass(int n, double *M)
{
    for (int k = 0; k < 8; k++)
        AT(M, n, k, k) = k < 4 ? 1 : AXIS_K;
}

static void caraxis_M(double *M)
{
    axis_mass(10, M);
}

static void caraxisg_M(double *M)
{
    axis_mass(12, M);
}

static void caraxis_start(double *y, double *yp)
{
    double f[10];

    y[1] = y[3] = 0.5, y[2] = 1, y[4] = y[6] = -0.5;
    axis_f(AXIS_3, 0.0, y, f);
    for (int k = 0; k < 8; k++)
        yp[k] = k < 4 ? f[k] : f[k] / AXIS_K;
}

#define AXIS(name, form)                                                                           \
    static void name##_f(double t, const double *y, double *f)                                     \
    {                                                                                              \
        axis_f(form, t, y, f);                                                                     \
    }                                                                                              \
    static void name##_J(double t, const double *y, double *J)                                     \
    {                                                                                              \
        axis_J(form, t, y, J);                                                                     \
    }
AXIS(caraxis3, AXIS_3)
AXIS(caraxis2, AXIS_2)
AXIS(caraxis1, AXIS_1)
AXIS(caraxisg, AXIS_GGL)
#undef AXIS
