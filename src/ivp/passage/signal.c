/* The signal: how far are the constraints from losing rank?
 *
 *     s = sigma_min(D_R^-1 A D_C^-1),   A_ij = dF_i/dy_j^(d_j - c_i),   D_R, D_C: largest rows and columns seen so far
 *
 * Scales are never made anew at a point: a row that vanishes would be scaled away, and nothing would be seen.  For mechanics
 * A = (M, G^T; G, 0), and s falls like that of G M^-1 G^T. */
#include "ivp/passage/passage.h"

#include "linalg/dense.h"

#include <math.h>

enum { LAST_REFINEMENTS = 60 };
static const double SHALLOW =
    0.75; /* of its neighbours: no zero, for a sample lies within .05 of one */
static const double REACH = 1.3; /* how far ahead, in steps */
static const double DEPTH = 0.1; /* singular: s falls below this part of s at +- APART */
static const double APART = 0.1, NEAR = 0.05;
static const double ACCURACY = 1e-6; /* of the place, in steps */

static void note_scales(rg_passage *k)
{
    const int n = k->form->n;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            k->row_largest[i] = fmax(k->row_largest[i], fabs(k->A[j * n + i]));
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (k->row_largest[i] > 0.0)
                k->column_largest[j] =
                    fmax(k->column_largest[j], fabs(k->A[j * n + i]) / k->row_largest[i]);
}

double rg_passage_signal(rg_passage *k, double t, const double *w, const double *wp)
{
    const int n = k->form->n;

    if (rg_stable_system_matrix(k->form, t, w, wp, k->A) != RG_OK) return -1.0;
    note_scales(k);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (k->row_largest[i] > 0.0 && k->column_largest[j] > 0.0)
                k->A[j * n + i] /= k->row_largest[i] * k->column_largest[j];
    if (rg_svd(k->ctx, n, n, k->A, k->singular, NULL, NULL) != RG_OK) return -1.0;
    return k->singular[n - 1];
}

static double signal_at(rg_passage *k, double t, double h, double s)
{
    rg_passage_at(k, h, s, k->point, k->slope);
    return rg_passage_signal(k, t + s * h, k->point, k->slope);
}

/* Golden section between a and b. */
static double smallest(rg_passage *k, double t, double h, double a, double b)
{
    const double g = 0.5 * (sqrt(5.0) - 1.0);
    double x = b - g * (b - a), y = a + g * (b - a);
    double fx = signal_at(k, t, h, x), fy = signal_at(k, t, h, y);

    for (int e = 0; e < LAST_REFINEMENTS && b - a > ACCURACY; e++) {
        if (fx < fy) {
            b = y;
            y = x;
            fy = fx;
            fx = signal_at(k, t, h, x = b - g * (b - a));
        } else {
            a = x;
            x = y;
            fx = fy;
            fy = signal_at(k, t, h, y = a + g * (b - a));
        }
    }
    return 0.5 * (a + b);
}

/* Is the minimum at c one of lost rank?  m = log2( s(c +- .1)/s(c +- .05) ) */
static bool is_singular(rg_passage *k, double t, double h, double c, double *m)
{
    const double s = signal_at(k, t, h, c);
    const double far = fmax(signal_at(k, t, h, c - APART), signal_at(k, t, h, c + APART));
    const double near = fmax(signal_at(k, t, h, c - NEAR), signal_at(k, t, h, c + NEAR));

    *m = near > 0.0 ? log2(far / near) : 0.0;
    return s >= 0.0 && s < DEPTH * far;
}

int rg_passage_locate(rg_passage *k, double t, double h, rg_passage_place *places)
{
    double s[PASSAGE_SAMPLES];
    int count = 0;

    for (int e = 0; e < PASSAGE_SAMPLES; e++)
        s[e] = signal_at(k, t, h, REACH * e / (PASSAGE_SAMPLES - 1));
    for (int e = 1; e < PASSAGE_SAMPLES - 1 && count < PASSAGE_POINTS; e++) {
        if (s[e] < 0.0 || s[e] > s[e - 1] || s[e] > s[e + 1]) continue;
        if (s[e] > SHALLOW * fmax(s[e - 1], s[e + 1])) continue;
        const double step = REACH / (PASSAGE_SAMPLES - 1);
        rg_passage_place *p = &places[count];
        p->c = smallest(k, t, h, (e - 1) * step, (e + 1) * step);
        if (count > 0 && p->c - places[count - 1].c < 1e-3) continue;
        if (is_singular(k, t, h, p->c, &p->multiplicity)) count++;
    }
    return count;
}
