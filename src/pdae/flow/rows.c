/* Loops over the rows of padded arrays. */
#include "pdae/flow/rows.h"

#include "base/vector.h"

#include <math.h>

/* Partial results, so that none depends on the vectors; so many that the compiler does not write
 * out the loops over them, which it would then no longer take by vectors. */
enum { PARTS = 32 };

/* One operation of a vector; b where a is no number. */
RG_INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

RG_INLINE double most_of(const double *m)
{
    double most = 0.0;

    for (int k = 0; k < PARTS; k++)
        most = larger(m[k], most);
    return most;
}

RG_FOR_ALL_VECTORS
double rg_rows_largest(int64_t n, const double *a, const double *b)
{
    double m[PARTS] = {0.0}, sum[PARTS] = {0.0}, all = 0.0;
    int64_t i = 0;

    for (; i + PARTS <= n; i += PARTS)
        for (int k = 0; k < PARTS; k++) {
            const double d = fabs(b ? a[i + k] - b[i + k] : a[i + k]);
            m[k] = larger(d, m[k]);
            sum[k] += d;
        }
    for (; i < n; i++) {
        const double d = fabs(b ? a[i] - b[i] : a[i]);
        m[0] = larger(d, m[0]);
        sum[0] += d;
    }
    for (int k = 0; k < PARTS; k++)
        all += sum[k];
    return isnan(all) ? NAN : most_of(m);
}

RG_FOR_ALL_VECTORS
void rg_rows_times_volume(const rg_grid *g, double *v)
{
    const double *width = g->axis[0].width;

    for (int k = 0; k < g->axis[2].n; k++)
        for (int j = 0; j < g->axis[1].n; j++) {
            const double area = g->axis[1].width[j] * g->axis[2].width[k];
            double *o = v + rg_grid_at(g, 0, j, k);
            for (int i = 0; i < g->axis[0].n; i++)
                o[i] *= area * width[i];
        }
}

RG_FOR_ALL_VECTORS
void rg_rows_combine(const rg_vector_space *s, int c, double p, const double *a, double q,
                     const double *b, double *out)
{
    for (int k = s->first[c][2]; k < s->end[c][2]; k++)
        for (int j = s->first[c][1]; j < s->end[c][1]; j++) {
            const int64_t row = rg_grid_at(s->grid, 0, j, k);
            for (int i = s->first[c][0]; i < s->end[c][0]; i++)
                out[row + i] = p * a[row + i] + q * b[row + i];
        }
}

RG_FOR_ALL_VECTORS
void rg_rows_sum_of(const rg_vector_space *s, int c, const double *a, const double *b, double *out)
{
    for (int k = s->first[c][2]; k < s->end[c][2]; k++)
        for (int j = s->first[c][1]; j < s->end[c][1]; j++) {
            const int64_t row = rg_grid_at(s->grid, 0, j, k);
            for (int i = s->first[c][0]; i < s->end[c][0]; i++)
                out[row + i] = a[row + i] + b[row + i];
        }
}

RG_FOR_ALL_VECTORS
double rg_rows_prediction(const rg_vector_space *s, int c, const double *u, const double *old,
                          const double *u1, const double *u2, const double part[2])
{
    const double p = part[0], q = part[1];
    double m[PARTS] = {0.0};

    for (int k = s->first[c][2]; k < s->end[c][2]; k++)
        for (int j = s->first[c][1]; j < s->end[c][1]; j++) {
            const int64_t row = rg_grid_at(s->grid, 0, j, k);
            const int end = s->end[c][0];
            int i = s->first[c][0];
            for (; i + PARTS <= end; i += PARTS)
                for (int n = 0; n < PARTS; n++) {
                    const int64_t at = row + i + n;
                    const double d =
                        fabs(u[at] - old[at] - p * (old[at] - u1[at]) + q * (u1[at] - u2[at]));
                    m[n] = larger(d, m[n]);
                }
            for (; i < end; i++) {
                const int64_t at = row + i;
                const double d =
                    fabs(u[at] - old[at] - p * (old[at] - u1[at]) + q * (u1[at] - u2[at]));
                m[0] = larger(d, m[0]);
            }
        }
    return most_of(m);
}

RG_FOR_ALL_VECTORS
void rg_rows_extremes(int64_t n, const double *a, const double *b, double *of_a,
                      double *of_difference)
{
    double size[PARTS] = {0.0}, m[PARTS] = {0.0}, sum[PARTS] = {0.0}, all = 0.0;
    int64_t i = 0;

    for (; i + PARTS <= n; i += PARTS)
        for (int k = 0; k < PARTS; k++) {
            const double v = fabs(a[i + k]), d = fabs(a[i + k] - b[i + k]);
            size[k] = larger(v, size[k]);
            m[k] = larger(d, m[k]);
            sum[k] += d;
        }
    for (; i < n; i++) {
        const double v = fabs(a[i]), d = fabs(a[i] - b[i]);
        size[0] = larger(v, size[0]);
        m[0] = larger(d, m[0]);
        sum[0] += d;
    }
    for (int k = 0; k < PARTS; k++)
        all += sum[k];
    *of_a = isnan(all) ? NAN : most_of(size);
    *of_difference = isnan(all) ? NAN : most_of(m);
}
