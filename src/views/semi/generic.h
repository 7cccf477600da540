/* Is a set of rows linear in some of its columns?  Then its entries in these columns are the same
 * wherever they move.  At generic points, in units of all sizes: what is a square beside a linear
 * term in metres may be all there is in nanometres, and functions that overflow at 1 have values
 * at 1e-9. */
#ifndef RG_VIEWS_SEMI_GENERIC_H
#define RG_VIEWS_SEMI_GENERIC_H

#include "problem/assembly.h"
#include "views/semi/tuning.h"

enum { RG_GENERIC_SCALES = 2 * RG_GENERIC_SIZES + 1 };
double rg_generic_scale(int k); /* of the points, 1 last */

typedef enum { RG_GENERIC_LINEAR, RG_GENERIC_NOT, RG_GENERIC_UNKNOWN } rg_generic_answer;

typedef struct {
    const rg_assembly *rows;
    rg_assembly_work *work;
    int n_columns, n_rows; /* the first rows count */
    double *z;             /* the point; on exit the moved one */
    const double *change;  /* per column, 0: it stays */
    double *F;             /* on exit the residual at the moved point */
    double *entries;       /* room for those of the pattern */
} rg_generic_question;

/* Unknown: it has no values there. */
rg_generic_answer rg_generic_look(const rg_generic_question *q, double t);

#endif
