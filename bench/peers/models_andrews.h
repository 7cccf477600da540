/* Andrews' squeezing mechanism, included by models.c: q (7), v (7), w (7), lam (6) (, mu (6)).
 *
 *     q' = v (- G^T mu),   v' = w,   0 = M(q) w - F(q, v) + G^T lam,   
 *     0 = g,  G v  or  G w + g_qq(v, v)
 *
 * g consists of terms  a cos(phi) + b sin(phi), phi one of seven sums of one or two angles. */
enum { BODIES = 7, LOOPS = 6, ANDREWS_N = 27, ANDREWS_GGL_N = 33, TERMS = 22 };
enum { ANDREWS_3, ANDREWS_2, ANDREWS_1, ANDREWS_GGL };

static const double m1 = .04325, m2 = .00365, m3 = .02373, m4 = .00706, m5 = .07050, m6 = .00706,
                    m7 = .05498, i1 = 2.194e-6, i2 = 4.410e-7, i3 = 5.255e-6, i4 = 5.667e-7,
                    i5 = 1.169e-5, i6 = 5.667e-7, i7 = 1.912e-5, xa = -.06934, ya = -.00227,
                    xb = -.03635, yb = .03273, xc = .014, yc = .072, c0 = 4530, da = 115e-4,
                    ea = 1421e-5, ra = 92e-5, l0 = 7785e-5, sa = 1874e-5, sb = 1043e-5, sc = 18e-3,
                    sd = 2e-2, ta = 2308e-5, tb = 916e-5, ua = 1228e-5, ub = 449e-5, fa = 1421e-5,
                    mom = 33e-3;
#define LEN_D  28e-3
#define LEN_E  2e-2
#define LEN_RR 7e-3
#define LEN_SS 35e-3
#define LEN_U  4e-2
#define LEN_ZF 2e-2
#define LEN_ZT 4e-2

/* phi_k = q of these; the second may be missing */
static const int angles[7][2] = {
    {0, -1},
    {0, 1 },
    {2, -1},
    {3, 4 },
    {4, -1},
    {5, 6 },
    {6, -1}
};
static const struct {
    int row, angle;
    double a, b;
} terms[TERMS] = {
    {0, 0, LEN_RR,  0      },
    {0, 1, -LEN_D,  0      },
    {0, 2, 0,       -LEN_SS},
    {1, 0, 0,       LEN_RR },
    {1, 1, 0,       -LEN_D },
    {1, 2, LEN_SS,  0      },
    {2, 0, LEN_RR,  0      },
    {2, 1, -LEN_D,  0      },
    {2, 3, 0,       -LEN_E },
    {2, 4, -LEN_ZT, 0      },
    {3, 0, 0,       LEN_RR },
    {3, 1, 0,       -LEN_D },
    {3, 3, LEN_E,   0      },
    {3, 4, 0,       -LEN_ZT},
    {4, 0, LEN_RR,  0      },
    {4, 1, -LEN_D,  0      },
    {4, 5, -LEN_ZF, 0      },
    {4, 6, 0,       -LEN_U },
    {5, 0, 0,       LEN_RR },
    {5, 1, 0,       -LEN_D },
    {5, 5, 0,       -LEN_ZF},
    {5, 6, LEN_U,   0      },
};

/* Values and slopes of all terms; phi', phi'' from v and w */
typedef struct {
    double T[TERMS], S[TERMS], d1[7], d2[7];
} andrews_terms;

static double angle_sum(int k, const double *x)
{
    return x[angles[k][0]] + (angles[k][1] < 0 ? 0.0 : x[angles[k][1]]);
}

static void find_terms(const double *y, andrews_terms *g)
{
    double c[7], s[7];

    for (int k = 0; k < 7; k++) {
        const double phi = angle_sum(k, y);
        c[k] = cos(phi), s[k] = sin(phi);
        g->d1[k] = angle_sum(k, y + 7), g->d2[k] = angle_sum(k, y + 14);
    }
    for (int e = 0; e < TERMS; e++) {
        const int k = terms[e].angle;
        g->T[e] = terms[e].a * c[k] + terms[e].b * s[k];
        g->S[e] = terms[e].b * c[k] - terms[e].a * s[k];
    }
}

/* f += sign G^T x */
static void add_forces(const andrews_terms *g, const double *x, double sign, double *f)
{
    for (int e = 0; e < TERMS; e++)
        for (int i = 0; i < 2; i++) {
            const int j = angles[terms[e].angle][i];
            if (j >= 0) f[j] += sign * g->S[e] * x[terms[e].row];
        }
}

static void constraints(const andrews_terms *g, int level, double *f)
{
    static const double offset[LOOPS] = {-.03635, .03273, -.06934, -.00227, -.06934, -.00227};

    for (int r = 0; r < LOOPS; r++)
        f[r] = level == 0 ? -offset[r] : 0.0;
    for (int e = 0; e < TERMS; e++) {
        const int k = terms[e].angle;
        f[terms[e].row] += level == 0   ? g->T[e]
                           : level == 1 ? g->S[e] * g->d1[k]
                                        : g->S[e] * g->d2[k] - g->T[e] * g->d1[k] * g->d1[k];
    }
}

/* Entries of M: 11, 21, 22, 33, 44, 54, 55, 66, 76, 77 */
static void andrews_masses(const double *q, double *m)
{
    const double ee = LEN_E - ea, zz = LEN_ZF - fa, ct = cos(q[1]), sp = sin(q[3]), so = sin(q[5]);

    m[0] = m1 * ra * ra + m2 * (LEN_RR * LEN_RR - 2 * da * LEN_RR * ct + da * da) + i1 + i2;
    m[1] = m2 * (da * da - da * LEN_RR * ct) + i2;
    m[2] = m2 * da * da + i2;
    m[3] = m3 * (sa * sa + sb * sb) + i3;
    m[4] = m4 * ee * ee + i4;
    m[5] = m4 * (ee * ee + LEN_ZT * ee * sp) + i4;
    m[6] = m4 * (LEN_ZT * LEN_ZT + 2 * LEN_ZT * ee * sp + ee * ee) + m5 * (ta * ta + tb * tb) + i4
           + i5;
    m[7] = m6 * zz * zz + i6;
    m[8] = m6 * (zz * zz - LEN_U * zz * so) + i6;
    m[9] =
        m6 * (zz * zz - 2 * LEN_U * zz * so + LEN_U * LEN_U) + m7 * (ua * ua + ub * ub) + i6 + i7;
}

/* Torque of the spring on body 3; its slope */
static double spring_torque(double ga, double *slope)
{
    const double c = cos(ga), s = sin(ga), a = sc * c - sd * s, b = sd * c + sc * s;
    const double x = sd * c + sc * s + xb - xc, y = sd * s - sc * c + yb - yc;
    const double length = sqrt(x * x + y * y), fo = -c0 * (1 - l0 / length);
    const double dfo = -c0 * l0 / (length * length) * (x * a + y * b) / length;

    *slope = dfo * (x * a + y * b) + fo * (a * a + b * b - x * b + y * a);
    return fo * (x * a + y * b);
}

static void andrews_f(int form, const double *y, double *f)
{
    const double *q = y, *v = y + 7, *w = y + 14, *lam = y + 21, *mu = y + 27;
    const double A = m2 * da * LEN_RR * sin(q[1]), B = m4 * LEN_ZT * (LEN_E - ea) * cos(q[3]),
                 C = m6 * LEN_U * (LEN_ZF - fa) * cos(q[5]);
    double m[10], slope, *r = f + 14;
    andrews_terms g;

    find_terms(y, &g);
    andrews_masses(q, m);
    memcpy(f, v, 14 * sizeof *f); /* v, w */
    r[0] = m[0] * w[0] + m[1] * w[1] - mom + A * v[1] * (v[1] + 2 * v[0]);
    r[1] = m[1] * w[0] + m[2] * w[1] - A * v[0] * v[0];
    r[2] = m[3] * w[2] - spring_torque(q[2], &slope);
    r[3] = m[4] * w[3] + m[5] * w[4] - B * v[4] * v[4];
    r[4] = m[5] * w[3] + m[6] * w[4] + B * v[3] * (v[3] + 2 * v[4]);
    r[5] = m[7] * w[5] + m[8] * w[6] + C * v[6] * v[6];
    r[6] = m[8] * w[5] + m[9] * w[6] - C * v[5] * (v[5] + 2 * v[6]);
    add_forces(&g, lam, 1.0, r);
    constraints(&g, form == ANDREWS_2 ? 1 : form == ANDREWS_1 ? 2 : 0, f + 21);
    if (form != ANDREWS_GGL) return;
    constraints(&g, 1, f + 27);
    add_forces(&g, mu, -1.0, f);
}

/* d(sign G^T x)/dq, x in columns from `at` */
static void forces_J(int n, const andrews_terms *g, const double *x, double sign, int row, int at,
                     double *J)
{
    for (int e = 0; e < TERMS; e++) {
        const int *k = angles[terms[e].angle], r = terms[e].row;
        for (int i = 0; i < 2 && k[i] >= 0; i++) {
            AT(J, n, row + k[i], at + r) += sign * g->S[e];
            for (int j = 0; j < 2 && k[j] >= 0; j++)
                AT(J, n, row + k[i], k[j]) -= sign * g->T[e] * x[r];
        }
    }
}

static void constraints_J(int n, const andrews_terms *g, int level, int row, double *J)
{
    for (int e = 0; e < TERMS; e++) {
        const int k = terms[e].angle, r = row + terms[e].row;
        const double T = g->T[e], S = g->S[e], d1 = g->d1[k], d2 = g->d2[k];
        for (int i = 0; i < 2 && angles[k][i] >= 0; i++) {
            const int j = angles[k][i];
            if (level == 0) AT(J, n, r, j) += S;
            if (level == 1) AT(J, n, r, j) -= T * d1, AT(J, n, r, 7 + j) += S;
            if (level != 2) continue;
            AT(J, n, r, j) -= T * d2 + S * d1 * d1;
            AT(J, n, r, 7 + j) -= 2 * T * d1;
            AT(J, n, r, 14 + j) += S;
        }
    }
}

/* Rows M w - F */
static void dynamics_J(int n, const double *y, double *J)
{
    const double *q = y, *v = y + 7, *w = y + 14;
    const double a = m2 * da * LEN_RR, b = m4 * LEN_ZT * (LEN_E - ea),
                 c = m6 * LEN_U * (LEN_ZF - fa);
    const double A = a * sin(q[1]), B = b * cos(q[3]), C = c * cos(q[5]);
    const double dA = a * cos(q[1]), dB = -b * sin(q[3]), dC = -c * sin(q[5]);
    double m[10], slope;

    andrews_masses(q, m);
    spring_torque(q[2], &slope);
    AT(J, n, 14, 14) = m[0], AT(J, n, 14, 15) = AT(J, n, 15, 14) = m[1], AT(J, n, 15, 15) = m[2];
    AT(J, n, 16, 16) = m[3];
    AT(J, n, 17, 17) = m[4], AT(J, n, 17, 18) = AT(J, n, 18, 17) = m[5], AT(J, n, 18, 18) = m[6];
    AT(J, n, 19, 19) = m[7], AT(J, n, 19, 20) = AT(J, n, 20, 19) = m[8], AT(J, n, 20, 20) = m[9];
    AT(J, n, 14, 1) = 2 * A * w[0] + A * w[1] + dA * v[1] * (v[1] + 2 * v[0]);
    AT(J, n, 15, 1) = A * w[0] - dA * v[0] * v[0];
    AT(J, n, 14, 7) = 2 * A * v[1], AT(J, n, 14, 8) = 2 * A * (v[1] + v[0]);
    AT(J, n, 15, 7) = -2 * A * v[0];
    AT(J, n, 16, 2) = -slope;
    AT(J, n, 17, 3) = B * w[4] - dB * v[4] * v[4];
    AT(J, n, 18, 3) = B * w[3] + 2 * B * w[4] + dB * v[3] * (v[3] + 2 * v[4]);
    AT(J, n, 17, 11) = -2 * B * v[4];
    AT(J, n, 18, 10) = 2 * B * (v[3] + v[4]), AT(J, n, 18, 11) = 2 * B * v[3];
    AT(J, n, 19, 5) = -C * w[6] + dC * v[6] * v[6];
    AT(J, n, 20, 5) = -C * w[5] - 2 * C * w[6] - dC * v[5] * (v[5] + 2 * v[6]);
    AT(J, n, 19, 13) = 2 * C * v[6];
    AT(J, n, 20, 12) = -2 * C * (v[5] + v[6]), AT(J, n, 20, 13) = -2 * C * v[5];
}

static void andrews_J(int form, const double *y, double *J)
{
    const int n = form == ANDREWS_GGL ? ANDREWS_GGL_N : ANDREWS_N;
    andrews_terms g;

    find_terms(y, &g);
    for (int k = 0; k < 14; k++)
        AT(J, n, k, 7 + k) = 1;
    dynamics_J(n, y, J);
    forces_J(n, &g, y + 21, 1.0, 14, 21, J);
    constraints_J(n, &g, form == ANDREWS_2 ? 1 : form == ANDREWS_1 ? 2 : 0, 21, J);
    if (form != ANDREWS_GGL) return;
    constraints_J(n, &g, 1, 27, J);
    forces_J(n, &g, y + 27, -1.0, 0, 27, J);
}

static void andrews_M(double *M)
{
    unit_mass(ANDREWS_N, 14, M);
}

static void andrewsg_M(double *M)
{
    unit_mass(ANDREWS_GGL_N, 14, M);
}

static void andrews_start(double *y, double *yp)
{
    static const double q[] = {
        -0.0617138900142764496358948458001, 0,
        0.455279819163070380255912382449,   0.222668390165885884674473185609,
        0.487364979543842550225598953530,   -0.222668390165885884674473185609,
        1.23054744454982119249735015568};

    memcpy(y, q, sizeof q);
    y[14] = yp[7] = 14222.4439199541138705911625887;
    y[15] = yp[8] = -10666.8329399655854029433719415;
    y[21] = 98.5668703962410896057654982170;
    y[22] = -6.12268834425566265503114393122;
}

#define ANDREWS(name, form)                                                                        \
    static void name##_f(double t, const double *y, double *f)                                     \
    {                                                                                              \
        (void)t;                                                                                   \
        andrews_f(form, y, f);                                                                     \
    }                                                                                              \
    static void name##_J(double t, const double *y, double *J)                                     \
    {                                                                                              \
        (void)t;                                                                                   \
        andrews_J(form, y, J);                                                                     \
    }
ANDREWS(andrews3, ANDREWS_3)
ANDREWS(andrews2, ANDREWS_2)
ANDREWS(andrews1, ANDREWS_1)
ANDREWS(andrewsg, ANDREWS_GGL)
#undef ANDREWS
