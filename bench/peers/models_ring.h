/* Ring modulator, with and without the capacitances Cs; included by models.c; exponents are
 * clamped. */
static double diode(double U)
{
    return 40.67286402e-9 * (exp(fmin(17.7493332 * U, 300.0)) - 1);
}

static double diode_slope(double U)
{
    return 17.7493332 * U > 300.0 ? 0.0 : 40.67286402e-9 * 17.7493332 * exp(17.7493332 * U);
}

static void ring_voltages(double t, const double *y, double *U)
{
    const double in2 = 2 * sin(2e4 * PI * t);

    U[0] = y[2] - y[4] - y[6] - in2;
    U[1] = -y[3] + y[5] - y[6] - in2;
    U[2] = y[3] + y[4] + y[6] + in2;
    U[3] = -y[2] - y[5] + y[6] + in2;
}

static const double RING_C = 1.6e-8, RING_CS = 2e-12, RING_CP = 1e-8, RING_LH = 4.45,
                    RING_L1 = 2e-3, RING_L2 = 5e-4;

static void ringmod_f(double t, const double *y, double *f)
{
    double U[4], Q[4];

    ring_voltages(t, y, U);
    for (int k = 0; k < 4; k++)
        Q[k] = diode(U[k]);
    f[0] = (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / 25000) / RING_C;
    f[1] = (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / 25000) / RING_C;
    f[2] = (y[9] - Q[0] + Q[3]) / RING_CS;
    f[3] = (-y[10] + Q[1] - Q[2]) / RING_CS;
    f[4] = (y[11] + Q[0] - Q[2]) / RING_CS;
    f[5] = (-y[12] - Q[1] + Q[3]) / RING_CS;
    f[6] = (-y[6] / 50 + Q[0] + Q[1] - Q[2] - Q[3]) / RING_CP;
    f[7] = -y[0] / RING_LH;
    f[8] = -y[1] / RING_LH;
    f[9] = (0.5 * y[0] - y[2] - 17.3 * y[9]) / RING_L2;
    f[10] = (-0.5 * y[0] + y[3] - 17.3 * y[10]) / RING_L2;
    f[11] = (0.5 * y[1] - y[4] - 17.3 * y[11]) / RING_L2;
    f[12] = (-0.5 * y[1] + y[5] - 17.3 * y[12]) / RING_L2;
    f[13] = (-y[0] + 0.5 * sin(2e3 * PI * t) - (50 + 36.3) * y[13]) / RING_L1;
    f[14] = (-y[1] - (600 + 36.3) * y[14]) / RING_L1;
}

/* U_k = sum_j sign[k][j] y_(3+j), j = 0 .. 4; rows 3 .. 7 have weight[row][k] Q_k. */
static void ringmod_J(double t, const double *y, double *J)
{
    enum { n = 15 };
    static const double sign[4][5] = {
        {1,  0,  -1, 0,  -1},
        {0,  -1, 0,  1,  -1},
        {0,  1,  1,  0,  1 },
        {-1, 0,  0,  -1, 1 }
    };
    static const double weight[5][4] = {
        {-1, 0,  0,  1 },
        {0,  1,  -1, 0 },
        {1,  0,  -1, 0 },
        {0,  -1, 0,  1 },
        {1,  1,  -1, -1}
    };
    double U[4], S[4];

    ring_voltages(t, y, U);
    for (int k = 0; k < 4; k++)
        S[k] = diode_slope(U[k]);
    for (int r = 0; r < 5; r++)
        for (int j = 0; j < 5; j++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                sum += weight[r][k] * S[k] * sign[k][j];
            AT(J, n, 2 + r, 2 + j) = sum / (r == 4 ? RING_CP : RING_CS);
        }
    AT(J, n, 6, 6) -= 1 / (50 * RING_CP);
    AT(J, n, 0, 0) = AT(J, n, 1, 1) = -1 / (25000 * RING_C);
    AT(J, n, 0, 7) = AT(J, n, 0, 13) = AT(J, n, 1, 8) = AT(J, n, 1, 14) = 1 / RING_C;
    AT(J, n, 0, 9) = AT(J, n, 1, 11) = -0.5 / RING_C;
    AT(J, n, 0, 10) = AT(J, n, 1, 12) = 0.5 / RING_C;
    AT(J, n, 2, 9) = AT(J, n, 4, 11) = 1 / RING_CS;
    AT(J, n, 3, 10) = AT(J, n, 5, 12) = -1 / RING_CS;
    AT(J, n, 7, 0) = AT(J, n, 8, 1) = -1 / RING_LH;
    for (int k = 0; k < 4; k++) {
        AT(J, n, 9 + k, k / 2) = (k % 2 ? -0.5 : 0.5) / RING_L2;
        AT(J, n, 9 + k, 2 + k) = (k % 2 ? 1 : -1) / RING_L2;
        AT(J, n, 9 + k, 9 + k) = -17.3 / RING_L2;
    }
    AT(J, n, 13, 0) = AT(J, n, 14, 1) = -1 / RING_L1;
    AT(J, n, 13, 13) = -(50 + 36.3) / RING_L1;
    AT(J, n, 14, 14) = -(600 + 36.3) / RING_L1;
}

static void ringmod_M(double *M)
{
    unit_mass(15, 15, M);
}

static void ringmod_start(double *y, double *yp)
{
    ringmod_f(0.0, y, yp);
}

/* Without Cs: variables sorted by index, y1, y2, y7 .. y15, then y3 .. y6 (index 2).  Rows
 * likewise; those of y3 .. y6 times Cs. */
static const int ring_place[15] = {0, 1, 11, 12, 13, 14, 2, 3, 4, 5, 6, 7, 8, 9, 10};

static void ring_unsort(const double *y, double *x)
{
    for (int i = 0; i < 15; i++)
        x[i] = y[ring_place[i]];
}

static double ring_scale(int row)
{
    return row >= 2 && row < 6 ? RING_CS : 1.0;
}

static void ringmod0_f(double t, const double *y, double *f)
{
    double x[15], g[15];

    ring_unsort(y, x);
    ringmod_f(t, x, g);
    for (int i = 0; i < 15; i++)
        f[ring_place[i]] = ring_scale(i) * g[i];
}

static void ringmod0_J(double t, const double *y, double *J)
{
    double x[15], K[15 * 15] = {0};

    ring_unsort(y, x);
    ringmod_J(t, x, K);
    for (int j = 0; j < 15; j++)
        for (int i = 0; i < 15; i++)
            AT(J, 15, ring_place[i], ring_place[j]) = ring_scale(i) * AT(K, 15, i, j);
}

static void ringmod0_M(double *M)
{
    unit_mass(15, 11, M);
}

static void ringmod0_start(double *y, double *yp)
{
    double f[15];

    ringmod0_f(0.0, y, f);
    memcpy(yp, f, 11 * sizeof *yp);
}
