/* The signal: how far are the constraints from losing rank?
 *
 *     s = sigma_min(D_R^-1 A D_C^-1),   A_ij = dF_i/dy_j^(d_j - c_i),   D_R, D_C: largest rows and columns seen so far
 *
 * Scales are never made anew at a point: a row that vanishes would be scaled away, and nothing would be seen.  For mechanics
 * A = (M, G^T; G, 0), and s falls like that of G M^-1 G^T. */
#include "ivp/passage/passage.h"

#include <math.h>

enum { LAST_REFINEMENTS = 60, ITERATIONS = 4 };
static const double SHALLOW =
    0.75; /* of its neighbours: no zero, for a sample lies within .05 of one */
static const double REACH = 1.3; /* how far ahead, in steps */
static const double STRETCH = 1.2;
static const double DEPTH = 0.1; /* singular: s falls below this part of s at +- APART */
static const double APART = 0.1, NEAR = 0.05;
static const double ACCURACY = 1e-6; /* of the place, in steps */

/* Notes a larger entry; more than STRETCH times what the reference signal was measured with makes that one worthless. */
static void grow(rg_passage *k, double value, double *largest, double *at_reference)
{
    if (!(value > *largest)) return;
    *largest = value;
    if (value <= STRETCH * *at_reference) return;
    *at_reference = value;
    k->is_rescaled = true;
}

static void note_scales(rg_passage *k)
{
    const int n = k->form->n;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            grow(k, fabs(k->A[j * n + i]), &k->row_largest[i], &k->row_largest[n + i]);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            if (k->row_largest[i] > 0.0)
                grow(k, fabs(k->A[j * n + i]) / k->row_largest[i], &k->column_largest[j],
                     &k->column_largest[n + j]);
}

/* sigma_min by inverse iteration,  u = A^-1 v,  v = A^-T u:  1/sigma_min^2 is the growth of v.  It starts from the vector of the last
 * call, which is nearly right along a run.  A singular matrix has sigma_min = 0. */
static double smallest_singular_value(rg_passage *k)
{
    const int n = k->form->n;
    double *v = k->singular, growth = 0.0;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            k->lu_signal->A[j * n + i] = k->A[j * n + i];
            k->lu_transposed->A[i * n + j] = k->A[j * n + i];
        }
    if (rg_lu_factor(k->lu_signal) != RG_OK || rg_lu_factor(k->lu_transposed) != RG_OK) return 0.0;
    for (int e = 0; e < ITERATIONS; e++) {
        double sum = 0.0;
        rg_lu_solve(k->lu_signal, v, NULL);
        rg_lu_solve(k->lu_transposed, v, NULL);
        for (int i = 0; i < n; i++)
            sum += v[i] * v[i];
        growth = sqrt(sum);
        if (!(growth > 0.0) || !isfinite(growth)) break;
        for (int i = 0; i < n; i++)
            v[i] /= growth;
    }
    if (growth > 0.0 && isfinite(growth)) return 1.0 / sqrt(growth);
    for (int i = 0; i < n; i++)
        v[i] = 1.0 / sqrt((double)n);
    return 0.0;
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
    return smallest_singular_value(k);
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
