/* Pendulum and Fekete points; included by models.c. */

/* ---- Pendulum: p, q, u, v, lam (, mu) -------------------------------------------------------- */
static void pendulum_common_f(const double *y, double *f)
{
    f[0] = y[2];
    f[1] = y[3];
    f[2] = -y[0] * y[4];
    f[3] = -y[1] * y[4] - 1.0;
}

static void pendulum_common_J(int n, const double *y, double *J)
{
    AT(J, n, 0, 2) = AT(J, n, 1, 3) = 1.0;
    AT(J, n, 2, 0) = AT(J, n, 3, 1) = -y[4];
    AT(J, n, 2, 4) = -y[0];
    AT(J, n, 3, 4) = -y[1];
}

static void pendulum3_f(double t, const double *y, double *f)
{
    (void)t;
    pendulum_common_f(y, f);
    f[4] = y[0] * y[0] + y[1] * y[1] - 1.0;
}

static void pendulum3_J(double t, const double *y, double *J)
{
    (void)t;
    pendulum_common_J(5, y, J);
    AT(J, 5, 4, 0) = 2 * y[0], AT(J, 5, 4, 1) = 2 * y[1];
}

static void pendulum2_f(double t, const double *y, double *f)
{
    (void)t;
    pendulum_common_f(y, f);
    f[4] = 2 * (y[0] * y[2] + y[1] * y[3]);
}

static void pendulum2_J(double t, const double *y, double *J)
{
    (void)t;
    pendulum_common_J(5, y, J);
    AT(J, 5, 4, 0) = 2 * y[2], AT(J, 5, 4, 1) = 2 * y[3];
    AT(J, 5, 4, 2) = 2 * y[0], AT(J, 5, 4, 3) = 2 * y[1];
}

static void pendulum1_f(double t, const double *y, double *f)
{
    (void)t;
    pendulum_common_f(y, f);
    f[4] = 2 * (y[2] * y[2] + y[3] * y[3] - y[4] * (y[0] * y[0] + y[1] * y[1]) - y[1]);
}

static void pendulum1_J(double t, const double *y, double *J)
{
    (void)t;
    pendulum_common_J(5, y, J);
    AT(J, 5, 4, 0) = -4 * y[4] * y[0], AT(J, 5, 4, 1) = -4 * y[4] * y[1] - 2;
    AT(J, 5, 4, 2) = 4 * y[2], AT(J, 5, 4, 3) = 4 * y[3];
    AT(J, 5, 4, 4) = -2 * (y[0] * y[0] + y[1] * y[1]);
}

static void pendulumg_f(double t, const double *y, double *f)
{
    (void)t;
    pendulum_common_f(y, f);
    f[0] -= 2 * y[0] * y[5];
    f[1] -= 2 * y[1] * y[5];
    f[4] = 2 * (y[0] * y[2] + y[1] * y[3]);
    f[5] = y[0] * y[0] + y[1] * y[1] - 1.0;
}

static void pendulumg_J(double t, const double *y, double *J)
{
    (void)t;
    pendulum_common_J(6, y, J);
    AT(J, 6, 0, 0) = AT(J, 6, 1, 1) = -2 * y[5];
    AT(J, 6, 0, 5) = -2 * y[0], AT(J, 6, 1, 5) = -2 * y[1];
    AT(J, 6, 4, 0) = 2 * y[2], AT(J, 6, 4, 1) = 2 * y[3];
    AT(J, 6, 4, 2) = 2 * y[0], AT(J, 6, 4, 3) = 2 * y[1];
    AT(J, 6, 5, 0) = 2 * y[0], AT(J, 6, 5, 1) = 2 * y[1];
}

static void pendulum_M(double *M)
{
    unit_mass(5, 4, M);
}

static void pendulumg_M(double *M)
{
    unit_mass(6, 4, M);
}

static void pendulum_start(double *y, double *yp)
{
    y[0] = 1.0;
    yp[3] = -1.0;
}

/* ---- Fekete points: p (20 x 3), q (20 x 3), lam (20), mu (20) -------------------------------- */
enum { POINTS = 20, FEKETE_N = 8 * POINTS };

static void fekete_f(double t, const double *y, double *f)
{
    const double *p = y, *q = y + 60, *lam = y + 120, *mu = y + 140;

    (void)t;
    for (int i = 0; i < POINTS; i++) {
        double g[3] = {0}, pp = 0, pq = 0;
        for (int j = 0; j < POINTS; j++) {
            if (j == i) continue;
            const double d[3] = {p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1],
                                 p[3 * i + 2] - p[3 * j + 2]};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            for (int k = 0; k < 3; k++)
                g[k] += d[k] / r2;
        }
        for (int k = 0; k < 3; k++) {
            const int a = 3 * i + k;
            f[a] = q[a] + 2 * mu[i] * p[a];
            f[60 + a] = -0.5 * q[a] + 2 * lam[i] * p[a] + g[k];
            pp += p[a] * p[a];
            pq += p[a] * q[a];
        }
        f[120 + i] = pp - 1;
        f[140 + i] = 2 * pq;
    }
}

/* d/dp_i of (p_i - p_j)/r^2 = I/r^2 - 2 d d^T/r^4, the negative for p_j */
static void fekete_J(double t, const double *y, double *J)
{
    enum { n = FEKETE_N };
    const double *p = y, *q = y + 60, *lam = y + 120, *mu = y + 140;

    (void)t;
    for (int i = 0; i < POINTS; i++) {
        for (int j = 0; j < POINTS; j++) {
            if (j == i) continue;
            const double d[3] = {p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1],
                                 p[3 * i + 2] - p[3 * j + 2]};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    const double e = (k == l) / r2 - 2 * d[k] * d[l] / (r2 * r2);
                    AT(J, n, 60 + 3 * i + k, 3 * i + l) += e;
                    AT(J, n, 60 + 3 * i + k, 3 * j + l) = -e;
                }
        }
        for (int k = 0; k < 3; k++) {
            const int a = 3 * i + k;
            AT(J, n, a, a) = 2 * mu[i];
            AT(J, n, a, 60 + a) = 1;
            AT(J, n, a, 140 + i) = 2 * p[a];
            AT(J, n, 60 + a, a) += 2 * lam[i];
            AT(J, n, 60 + a, 60 + a) = -0.5;
            AT(J, n, 60 + a, 120 + i) = 2 * p[a];
            AT(J, n, 120 + i, a) = 2 * p[a];
            AT(J, n, 140 + i, a) = 2 * q[a];
            AT(J, n, 140 + i, 60 + a) = 2 * p[a];
        }
    }
}

static void fekete_M(double *M)
{
    unit_mass(FEKETE_N, 120, M);
}

static void fekete_start(double *y, double *yp)
{
    double f[FEKETE_N];

    for (int i = 1; i <= POINTS; i++) {
        const double a = i <= 3    ? 2 * PI * i / 3 + PI / 13
                         : i <= 10 ? 2 * PI * (i - 3) / 7 + PI / 29
                         : i <= 16 ? 2 * PI * (i - 10) / 6 + PI / 7
                                   : 2 * PI * (i - 17) / 4 + PI / 17;
        const double b = i <= 3    ? 3 * PI / 8
                         : i <= 10 ? PI / 8
                         : i <= 16 ? -2 * PI / 15
                                   : -3 * PI / 10;
        double *p = y + 3 * (i - 1);
        p[0] = cos(a) * cos(b), p[1] = sin(a) * cos(b), p[2] = sin(b);
    }
    fekete_f(0.0, y, f);
    for (int i = 0; i < POINTS; i++)
        for (int k = 0; k < 3; k++)
            y[120 + i] -= 0.5 * y[3 * i + k] * f[60 + 3 * i + k];
    fekete_f(0.0, y, f);
    memcpy(yp, f, 120 * sizeof *yp);
}
