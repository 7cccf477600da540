/* Linearizes constraints and conditions at one point, and finds those that depend on others. */
#include "bvp/inspection.h"

#include "base/random.h"
#include "bvp/dense_block.h"
#include "bvp/tuning.h"
#include "structure/tuning.h"
#include "views/tuning.h"

#include <math.h>
#include <string.h>

static rg_status take_memory(rg_inspection *s)
{
    const size_t n = (size_t)s->f->n, nx = (size_t)s->f->nx, nz = n + nx;
    const size_t rows = (size_t)(s->c->n_rows + s->f->n_invariants) + 1;
    const size_t columns = (size_t)s->c->n_points * nz;
    const struct {
        double **array;
        size_t count;
    } list[] = {
        {&s->x,      nx             },
        {&s->first,  nx             },
        {&s->terms,  rows * nx      },
        {&s->w,      n              },
        {&s->z,      columns        },
        {&s->values, rows           },
        {&s->J,      rows * columns },
        {&s->G,      rows           },
        {&s->Gx,     rows * nx      },
        {&s->F,      n              },
        {&s->Fx,     n * nx         },
        {&s->Fw,     n * n          },
        {&s->work,   n * (nz + 2)   },
        {&s->rows,   rows * nx      },
        {&s->scaled, rows * nx      },
        {&s->miss,   rows           },
        {&s->basis,  rows * (nx + 1)}
    };

    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if ((*list[k].array = rg_alloc(s->f->ctx, list[k].count + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    s->pivot = rg_alloc(s->f->ctx, n + 1, sizeof *s->pivot);
    s->row = rg_alloc(s->f->ctx, rows, sizeof *s->row);
    s->has_w = rg_alloc(s->f->ctx, rows, sizeof *s->has_w);
    s->is_dependent = rg_alloc(s->f->ctx, rows, sizeof *s->is_dependent);
    s->is_here = rg_alloc(s->f->ctx, rows, sizeof *s->is_here);
    return s->pivot && s->row && s->has_w && s->is_dependent && s->is_here ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_inspection_init(rg_problem *p, rg_bvp_form *f, rg_bvp_conditions *c,
                             rg_inspection *out)
{
    *out = (rg_inspection){.p = p, .f = f, .c = c};
    return take_memory(out);
}

void rg_inspection_clear(rg_inspection *s)
{
    void *const arrays[] = {s->x,     s->w,    s->z,      s->values,       s->J,
                            s->G,     s->Gx,   s->F,      s->Fx,           s->Fw,
                            s->work,  s->rows, s->scaled, s->miss,         s->basis,
                            s->pivot, s->row,  s->has_w,  s->is_dependent, s->is_here,
                            s->first, s->terms};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(s->f->ctx, arrays[k]);
}

rg_status rg_inspection_start(rg_inspection *s, const rg_profile *guess, int k, double factor,
                              int seed)
{
    const rg_bvp_form *f = s->f;
    double *xp = s->Fx; /* free until the rows are gathered */

    s->k = k;
    s->t = s->c->point[k];
    s->is_fresh = true;
    for (int q = 0; q < s->c->n_points; q++) {
        double *z = s->z + q * f->nz;
        RG_TRY(guess->eval(guess->user, s->c->point[q], z, xp, z + f->nx));
        for (int j = 0; j < f->nz; j++)
            z[j] += factor * (z[j] != 0.0 ? fabs(z[j]) : 1.0)
                    * (2.0 * rg_random((uint64_t)seed, (uint64_t)j) - 1.0);
    }
    memcpy(s->x, s->z + k * f->nz, (size_t)f->nx * sizeof(double));
    memcpy(s->first, s->x, (size_t)f->nx * sizeof(double));
    memcpy(s->w, s->z + k * f->nz + f->nx, (size_t)f->n * sizeof(double));
    return RG_OK;
}

/* Conditions without any unknown belong to the first point. */
static bool reads_nothing(const rg_inspection *s, int row)
{
    const rg_pattern *pattern = rg_assembly_pattern(s->c->lines);

    if (row >= s->c->n_lines) return false;
    for (int64_t e = 0; e < pattern->start[pattern->n_columns]; e++)
        if (pattern->row[e] == row) return false;
    return true;
}

static void find_local(rg_inspection *s)
{
    const int nz = s->f->nz, columns = s->c->n_points * nz;

    for (int i = 0; i < s->c->n_rows; i++) {
        const double *J = s->J + (int64_t)i * columns;
        bool here = false, elsewhere = false;
        for (int j = 0; j < columns; j++) {
            here |= J[j] != 0.0 && j / nz == s->k;
            elsewhere |= J[j] != 0.0 && j / nz != s->k;
        }
        s->is_here[i] = !elsewhere && (here || (s->k == 0 && reads_nothing(s, i)));
    }
    s->is_fresh = false;
}

/* Gradient of condition `row` in x alone, and what its entries are made of. */
static bool reduce_row(const rg_inspection *s, int row, double *out, double *terms)
{
    const int n = s->f->n, nx = s->f->nx, nz = s->f->nz;
    const double *J = s->J + ((int64_t)row * s->c->n_points + s->k) * nz;
    bool has_w = false;

    for (int i = 0; i < n; i++)
        has_w |= J[nx + i] != 0.0;
    for (int j = 0; j < nx; j++) {
        out[j] = J[j];
        terms[j] = fabs(J[j]);
        for (int i = 0; i < n && has_w; i++) {
            const double term = J[nx + i] * s->Fx[j * n + i]; /* Fx holds Fw^-1 Fx */
            out[j] -= term;
            terms[j] += fabs(term);
        }
    }
    return has_w;
}

rg_status rg_inspection_gather(rg_inspection *s)
{
    rg_bvp_form *f = s->f;
    const int nx = f->nx, n = f->n, inv = f->n_invariants;

    const rg_status solved = rg_bvp_form_solve(f, s->t, s->x, s->w, s->work, s->pivot);
    if (solved < 0) return solved;
    RG_TRY(rg_bvp_form_jacobian(f, s->t, s->x, s->w, s->F, s->Fx, s->Fw));
    if (!rg_block_factor(n, s->Fw, s->pivot)) return RG_RETRY;
    rg_block_solve(n, s->Fw, s->pivot, nx, s->Fx);
    memcpy(s->z + s->k * f->nz, s->x, (size_t)nx * sizeof(double));
    memcpy(s->z + s->k * f->nz + nx, s->w, (size_t)n * sizeof(double));
    RG_TRY(rg_bvp_conditions_eval(s->c, s->z, s->values, s->J));
    RG_TRY(rg_bvp_form_invariants(f, s->t, s->x, s->G, s->Gx));
    if (s->is_fresh) find_local(s);
    s->n_rows = 0;
    for (int i = 0; i < inv; i++, s->n_rows++) {
        for (int j = 0; j < nx; j++)
            s->rows[s->n_rows * nx + j] = s->Gx[j * inv + i];
        s->miss[s->n_rows] = s->G[i];
        s->row[s->n_rows] = -1 - i;
        s->has_w[s->n_rows] = false;
    }
    for (int i = 0; i < s->c->n_rows; i++) {
        if (!s->is_here[i]) continue;
        s->has_w[s->n_rows] = reduce_row(s, i, s->rows + s->n_rows * nx, s->terms + s->n_rows * nx);
        s->miss[s->n_rows] = s->values[i];
        s->row[s->n_rows++] = i;
    }
    return RG_OK;
}

bool rg_inspection_holds(const rg_inspection *s, int i)
{
    double size = 0.0;

    for (int j = 0; j < s->f->nx; j++)
        size += fabs(s->rows[i * s->f->nx + j]) * (fabs(s->x[j]) + fabs(s->first[j]));
    return fabs(s->miss[i]) <= RG_CONDITION_IMPLIED * (size > 0.0 ? size : 1.0);
}

static double power_of_two(double v)
{
    return v > 0.0 && isfinite(v) ? exp2(-round(log2(v))) : 1.0;
}

/* Row i: entries that are rounding are 0, the largest is about 1. */
static void scale_row(const rg_inspection *s, int i, double noise)
{
    const int nx = s->f->nx;
    double most = 0.0, *row = s->scaled + i * nx;

    for (int j = 0; j < nx; j++)
        most = fmax(most, fabs(row[j]));
    const double factor = power_of_two(most);
    for (int j = 0; j < nx; j++)
        row[j] = fabs(row[j]) > noise * most ? row[j] * factor : 0.0;
}

static void scale_columns(const rg_inspection *s)
{
    const int nx = s->f->nx;

    for (int j = 0; j < nx; j++) {
        double most = 0.0;
        for (int i = 0; i < s->n_rows; i++)
            most = fmax(most, fabs(s->scaled[i * nx + j]));
        const double factor = power_of_two(most);
        for (int i = 0; i < s->n_rows; i++)
            s->scaled[i * nx + j] *= factor;
    }
}

/* Units first: an entry is small beside others of its row only in units of its column. */
void rg_inspection_scale(rg_inspection *s)
{
    const int nx = s->f->nx;

    for (int k = 0; k < s->n_rows * nx; k++) {
        const bool is_rounding =
            s->has_w[k / nx] && fabs(s->rows[k]) <= RG_CANCEL_NOISE * s->terms[k];
        s->scaled[k] = is_rounding ? 0.0 : s->rows[k];
    }
    for (int i = 0; i < s->n_rows; i++)
        scale_row(s, i, 0.0);
    scale_columns(s);
    for (int i = 0; i < s->n_rows; i++)
        scale_row(s, i, RG_ROUNDING_PART);
}
