/* Is a set of rows linear in some of its columns, from a point on? */
#include "views/semi/generic.h"

#include "base/tuning.h"

#include <math.h>
#include <string.h>

double rg_generic_scale(int k)
{
    const int power = k < RG_GENERIC_SIZES ? k + 1 : k - 2 * RG_GENERIC_SIZES;

    return pow(RG_GENERIC_STEP, power);
}

static rg_generic_answer compare(const rg_generic_question *q, const double *J)
{
    const rg_pattern *p = rg_assembly_pattern(q->rows);

    for (int j = 0; j < q->n_columns; j++)
        for (int64_t e = p->start[j]; e < p->start[j + 1]; e++) {
            const double before = q->entries[e], off = fabs(J[e] - before);
            if (q->change[j] == 0.0 || p->row[e] >= q->n_rows) continue;
            if (!isfinite(off)) return RG_GENERIC_UNKNOWN;
            if (off > RG_SAME * fmax(fabs(J[e]), fabs(before))) return RG_GENERIC_NOT;
        }
    return RG_GENERIC_LINEAR;
}

rg_generic_answer rg_generic_look(const rg_generic_question *q, double t)
{
    const rg_pattern *p = rg_assembly_pattern(q->rows);
    const double *J;

    if (rg_assembly_jacobian_kept(q->rows, q->work, t, q->z, q->F, &J) != RG_OK)
        return RG_GENERIC_UNKNOWN;
    memcpy(q->entries, J, (size_t)p->start[q->n_columns] * sizeof *J);
    for (int j = 0; j < q->n_columns; j++)
        q->z[j] += q->change[j];
    if (rg_assembly_jacobian_kept(q->rows, q->work, t, q->z, q->F, &J) != RG_OK)
        return RG_GENERIC_UNKNOWN;
    return compare(q, J);
}
