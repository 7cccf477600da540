/* The benchmark models as hand-written C, for other codes. */
#include "models.h"

#include <math.h>
#include <string.h>

#define AT(A, n, i, j) (A)[(j) * (n) + (i)]

static void unit_mass(int n, int n_differential, double *M)
{
    for (int i = 0; i < n_differential; i++)
        AT(M, n, i, i) = 1.0;
}

/* ---- Chemical Akzo Nobel --------------------------------------------------------------------- */
static const double KS = 115.83;

static void chemakzo_f(double t, const double *y, double *f)
{
    const double root = sqrt(fabs(y[1]));
    const double r1 = 18.7 * y[0] * y[0] * y[0] * y[0] * root, r2 = 0.58 * y[2] * y[3];
    const double r3 = 0.58 / 34.4 * y[0] * y[4], r4 = 0.09 * y[0] * y[3] * y[3];
    const double r5 = 0.42 * y[5] * y[5] * root;

    (void)t;
    f[0] = -2.0 * r1 + r2 - r3 - r4;
    f[1] = -0.5 * r1 - r4 - 0.5 * r5 + 3.3 * (0.9 / 737.0 - y[1]);
    f[2] = r1 - r2 + r3;
    f[3] = -r2 + r3 - 2.0 * r4;
    f[4] = r2 - r3 + r5;
    f[5] = KS * y[0] * y[3] - y[5];
}

static void chemakzo_J(double t, const double *y, double *J)
{
    enum { n = 6 };
    const double root = sqrt(fabs(y[1])), c = y[0] * y[0] * y[0];
    const double r11 = 4 * 18.7 * c * root, r12 = 0.5 * 18.7 * c * y[0] / root;
    const double r23 = 0.58 * y[3], r24 = 0.58 * y[2];
    const double r31 = 0.58 / 34.4 * y[4], r35 = 0.58 / 34.4 * y[0];
    const double r41 = 0.09 * y[3] * y[3], r44 = 2 * 0.09 * y[0] * y[3];
    const double r52 = 0.5 * 0.42 * y[5] * y[5] / root, r56 = 2 * 0.42 * y[5] * root;

    (void)t;
    AT(J, n, 0, 0) = -2 * r11 - r31 - r41;
    AT(J, n, 0, 1) = -2 * r12;
    AT(J, n, 0, 2) = r23;
    AT(J, n, 0, 3) = r24 - r44;
    AT(J, n, 0, 4) = -r35;
    AT(J, n, 1, 0) = -0.5 * r11 - r41;
    AT(J, n, 1, 1) = -0.5 * r12 - 0.5 * r52 - 3.3;
    AT(J, n, 1, 3) = -r44;
    AT(J, n, 1, 5) = -0.5 * r56;
    AT(J, n, 2, 0) = r11 + r31;
    AT(J, n, 2, 1) = r12;
    AT(J, n, 2, 2) = -r23;
    AT(J, n, 2, 3) = -r24;
    AT(J, n, 2, 4) = r35;
    AT(J, n, 3, 0) = r31 - 2 * r41;
    AT(J, n, 3, 2) = -r23;
    AT(J, n, 3, 3) = -r24 - 2 * r44;
    AT(J, n, 3, 4) = r35;
    AT(J, n, 4, 0) = -r31;
    AT(J, n, 4, 1) = r52;
    AT(J, n, 4, 2) = r23;
    AT(J, n, 4, 3) = r24;
    AT(J, n, 4, 4) = -r35;
    AT(J, n, 4, 5) = r56;
    AT(J, n, 5, 0) = KS * y[3];
    AT(J, n, 5, 3) = KS * y[0];
    AT(J, n, 5, 5) = -1.0;
}

static void chemakzo_M(double *M)
{
    unit_mass(6, 5, M);
}

static void chemakzo_start(double *y, double *yp)
{
    y[0] = 0.444, y[1] = 0.00123, y[3] = 0.007, y[5] = KS * 0.444 * 0.007;
    chemakzo_f(0.0, y, yp);
    yp[5] = KS * (yp[0] * y[3] + y[0] * yp[3]);
}

/* ---- Transistor amplifier -------------------------------------------------------------------- */
static const double UF = 0.026, ALPHA = 0.99, BETA = 1e-6, UB = 6.0, R0 = 1000.0, RK = 9000.0;
static const double PI = 3.14159265358979323846;

static void transamp_f(double t, const double *y, double *f)
{
    const double Ue = 0.1 * sin(200.0 * PI * t);
    const double g23 = BETA * (exp((y[1] - y[2]) / UF) - 1),
                 g56 = BETA * (exp((y[4] - y[5]) / UF) - 1);

    f[0] = (y[0] - Ue) / R0;
    f[1] = y[1] / RK + (y[1] - UB) / RK + (1 - ALPHA) * g23;
    f[2] = y[2] / RK - g23;
    f[3] = (y[3] - UB) / RK + ALPHA * g23;
    f[4] = y[4] / RK + (y[4] - UB) / RK + (1 - ALPHA) * g56;
    f[5] = y[5] / RK - g56;
    f[6] = (y[6] - UB) / RK + ALPHA * g56;
    f[7] = y[7] / RK;
}

static void transamp_J(double t, const double *y, double *J)
{
    enum { n = 8 };
    const double d23 = BETA / UF * exp((y[1] - y[2]) / UF),
                 d56 = BETA / UF * exp((y[4] - y[5]) / UF);

    (void)t;
    AT(J, n, 0, 0) = 1 / R0;
    AT(J, n, 1, 1) = 2 / RK + (1 - ALPHA) * d23;
    AT(J, n, 1, 2) = -(1 - ALPHA) * d23;
    AT(J, n, 2, 1) = -d23;
    AT(J, n, 2, 2) = 1 / RK + d23;
    AT(J, n, 3, 1) = ALPHA * d23;
    AT(J, n, 3, 2) = -ALPHA * d23;
    AT(J, n, 3, 3) = 1 / RK;
    AT(J, n, 4, 4) = 2 / RK + (1 - ALPHA) * d56;
    AT(J, n, 4, 5) = -(1 - ALPHA) * d56;
    AT(J, n, 5, 4) = -d56;
    AT(J, n, 5, 5) = 1 / RK + d56;
    AT(J, n, 6, 4) = ALPHA * d56;
    AT(J, n, 6, 5) = -ALPHA * d56;
    AT(J, n, 6, 6) = 1 / RK;
    AT(J, n, 7, 7) = 1 / RK;
}

static void transamp_M(double *M)
{
    enum { n = 8 };
    static const int first[] = {0, 3, 6};
    static const double C[] = {1e-6, 3e-6, 5e-6};

    for (int k = 0; k < 3; k++) {
        const int i = first[k];
        AT(M, n, i, i) = AT(M, n, i + 1, i + 1) = -C[k];
        AT(M, n, i, i + 1) = AT(M, n, i + 1, i) = C[k];
    }
    AT(M, n, 2, 2) = -2e-6;
    AT(M, n, 5, 5) = -4e-6;
}

static void transamp_start(double *y, double *yp)
{
    static const double y0[] = {0, 3, 3, 6, 3, 3, 6, 0};
    static const double yp0[] = {51.338775, 51.338775,    0,           -24.9757667, -24.9757667,
                                 0,         -10.00564453, -10.00564453};

    memcpy(y, y0, sizeof y0);
    memcpy(yp, yp0, sizeof yp0);
    yp[2] = -3.0 / (2e-6 * RK);
    yp[5] = -3.0 / (4e-6 * RK);
}

/* ---- Robertson ------------------------------------------------------------------------------- */
static void robertson_f(double t, const double *y, double *f)
{
    (void)t;
    f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    f[1] = 0.04 * y[0] - 1e4 * y[1] * y[2] - 3e7 * y[1] * y[1];
    f[2] = y[0] + y[1] + y[2] - 1.0;
}

static void robertson_J(double t, const double *y, double *J)
{
    enum { n = 3 };

    (void)t;
    AT(J, n, 0, 0) = -0.04, AT(J, n, 0, 1) = 1e4 * y[2], AT(J, n, 0, 2) = 1e4 * y[1];
    AT(J, n, 1, 0) = 0.04, AT(J, n, 1, 1) = -1e4 * y[2] - 6e7 * y[1], AT(J, n, 1, 2) = -1e4 * y[1];
    AT(J, n, 2, 0) = AT(J, n, 2, 1) = AT(J, n, 2, 2) = 1.0;
}

static void robertson_M(double *M)
{
    unit_mass(3, 2, M);
}

static void robertson_start(double *y, double *yp)
{
    y[0] = 1.0;
    yp[0] = -0.04, yp[1] = 0.04;
}

/* ---- Van der Pol ----------------------------------------------------------------------------- */
static void vdpol_f(double t, const double *y, double *f)
{
    (void)t;
    f[0] = y[1];
    f[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
}

static void vdpol_J(double t, const double *y, double *J)
{
    enum { n = 2 };

    (void)t;
    AT(J, n, 0, 1) = 1.0;
    AT(J, n, 1, 0) = (-2 * y[0] * y[1] - 1) / 1e-6, AT(J, n, 1, 1) = (1 - y[0] * y[0]) / 1e-6;
}

static void vdpol_M(double *M)
{
    unit_mass(2, 2, M);
}

static void vdpol_start(double *y, double *yp)
{
    y[0] = 2.0;
    vdpol_f(0.0, y, yp);
}

/* ---- HIRES ----------------------------------------------------------------------------------- */
static void hires_f(double t, const double *y, double *f)
{
    const double q = 280.0 * y[5] * y[7];

    (void)t;
    f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    f[1] = 1.71 * y[0] - 8.75 * y[1];
    f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    f[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    f[5] = -q + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    f[6] = q - 1.81 * y[6];
    f[7] = -q + 1.81 * y[6];
}

static void hires_J(double t, const double *y, double *J)
{
    enum { n = 8 };
    const double a = 280.0 * y[7], b = 280.0 * y[5];

    (void)t;
    AT(J, n, 0, 0) = -1.71, AT(J, n, 0, 1) = 0.43, AT(J, n, 0, 2) = 8.32;
    AT(J, n, 1, 0) = 1.71, AT(J, n, 1, 1) = -8.75;
    AT(J, n, 2, 2) = -10.03, AT(J, n, 2, 3) = 0.43, AT(J, n, 2, 4) = 0.035;
    AT(J, n, 3, 1) = 8.32, AT(J, n, 3, 2) = 1.71, AT(J, n, 3, 3) = -1.12;
    AT(J, n, 4, 4) = -1.745, AT(J, n, 4, 5) = 0.43, AT(J, n, 4, 6) = 0.43;
    AT(J, n, 5, 3) = 0.69, AT(J, n, 5, 4) = 1.71, AT(J, n, 5, 5) = -a - 0.43, AT(J, n, 5, 6) = 0.69;
    AT(J, n, 5, 7) = -b;
    AT(J, n, 6, 5) = a, AT(J, n, 6, 6) = -1.81, AT(J, n, 6, 7) = b;
    AT(J, n, 7, 5) = -a, AT(J, n, 7, 6) = 1.81, AT(J, n, 7, 7) = -b;
}

static void hires_M(double *M)
{
    unit_mass(8, 8, M);
}

static void hires_start(double *y, double *yp)
{
    y[0] = 1.0, y[7] = 0.0057;
    hires_f(0.0, y, yp);
}

#include "models_andrews.h"
#include "models_caraxis.h"
#include "models_mechanical.h"
#include "models_ring.h"

const peer_model peer_models[] = {
    {"chemakzo",    "index1", 6,   180,      1,    6,   0,  0,  chemakzo_f,  chemakzo_J,  chemakzo_M,  chemakzo_start},
    {"transamp",    "index1", 8,   0.2,      1,    8,   0,  0,  transamp_f,  transamp_J,  transamp_M,  transamp_start},
    {"robertson",   "index1", 3,   1e11,     1e-8, 3,   0,  0,  robertson_f, robertson_J, robertson_M,
     robertson_start                                                                                                 },
    {"vdpol",       "ode",    2,   2,        1,    2,   0,  0,  vdpol_f,     vdpol_J,     vdpol_M,     vdpol_start   },
    {"hires",       "ode",    8,   321.8122, 1,    8,   0,  0,  hires_f,     hires_J,     hires_M,     hires_start   },
    {"pendulum",    "index3", 5,   10,       1,    2,   2,  1,  pendulum3_f, pendulum3_J, pendulum_M,  pendulum_start},
    {"pendulum",    "index2", 5,   10,       1,    4,   1,  0,  pendulum2_f, pendulum2_J, pendulum_M,  pendulum_start},
    {"pendulum",    "index1", 5,   10,       1,    5,   0,  0,  pendulum1_f, pendulum1_J, pendulum_M,  pendulum_start},
    {"pendulum",    "ggl",    6,   10,       1,    4,   2,  0,  pendulumg_f, pendulumg_J, pendulumg_M, pendulum_start},
    {"ringmod",     "ode",    15,  1e-3,     1,    15,  0,  0,  ringmod_f,   ringmod_J,   ringmod_M,   ringmod_start },
    {"ringmod_cs0", "index2", 15,  1e-3,     1,    11,  4,  0,  ringmod0_f,  ringmod0_J,  ringmod0_M,
     ringmod0_start                                                                                                  },
    {"caraxis",     "index3", 10,  3,        1,    4,   4,  2,  caraxis3_f,  caraxis3_J,  caraxis_M,   caraxis_start },
    {"caraxis",     "index2", 10,  3,        1,    8,   2,  0,  caraxis2_f,  caraxis2_J,  caraxis_M,   caraxis_start },
    {"caraxis",     "index1", 10,  3,        1,    10,  0,  0,  caraxis1_f,  caraxis1_J,  caraxis_M,   caraxis_start },
    {"caraxis",     "ggl",    12,  3,        1,    8,   4,  0,  caraxisg_f,  caraxisg_J,  caraxisg_M,  caraxis_start },
    {"andrews",     "index3", 27,  0.03,     1,    7,   7,  13, andrews3_f,  andrews3_J,  andrews_M,   andrews_start },
    {"andrews",     "index2", 27,  0.03,     1,    14,  13, 0,  andrews2_f,  andrews2_J,  andrews_M,   andrews_start },
    {"andrews",     "index1", 27,  0.03,     1,    27,  0,  0,  andrews1_f,  andrews1_J,  andrews_M,   andrews_start },
    {"andrews",     "ggl",    33,  0.03,     1,    14,  19, 0,  andrewsg_f,  andrewsg_J,  andrewsg_M,  andrews_start },
    {"fekete",      "index2", 160, 1000,     1,    120, 40, 0,  fekete_f,    fekete_J,    fekete_M,    fekete_start  },
};
const int peer_model_count = sizeof peer_models / sizeof *peer_models;

void peer_list_mass(const double *M, int n, peer_mass_list *list)
{
    list->count = 0;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            if (AT(M, n, i, k) != 0.0 && list->count < 256) {
                list->row[list->count] = i;
                list->column[list->count] = k;
                list->value[list->count++] = AT(M, n, i, k);
            }
}

void peer_residual(const peer_model *m, const peer_mass_list *list, double t, const double *y,
                   const double *yp, double *F)
{
    m->f(t, y, F);
    for (int i = 0; i < m->n; i++)
        F[i] = -F[i];
    for (int e = 0; e < list->count; e++)
        F[list->row[e]] += list->value[e] * yp[list->column[e]];
}

const peer_model *peer_model_find(const char *name, const char *form)
{
    for (int k = 0; k < peer_model_count; k++)
        if (strcmp(peer_models[k].name, name) == 0 && strcmp(peer_models[k].form, form) == 0)
            return &peer_models[k];
    return 0;
}
