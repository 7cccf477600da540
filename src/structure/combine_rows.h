/* Equations combined with constant factors, and their Jacobian rows at two points. */
#ifndef RG_STRUCTURE_COMBINE_ROWS_H
#define RG_STRUCTURE_COMBINE_ROWS_H

#include "structure/sampler.h"
#include "structure/signature.h"

enum { RG_COMBINE_POINTS = 2 };

typedef struct {   /* one combination: sum of factor[k] F_row[k] */
    int32_t count; /* 0: the equation as written */
    int32_t *row;
    double *factor;
} rg_combination;

typedef struct {
    rg_context *ctx;
    const rg_problem *p;
    int64_t n, n_columns;                  /* unknowns; unknowns times orders        */
    int64_t *start;                        /* rows of J, compressed                  */
    int32_t *column;                       /* order*n + j                            */
    double *value[RG_COMBINE_POINTS];      /* at each point                          */
    rg_combination *combination;           /* per row                                */
    double *sum[RG_COMBINE_POINTS], *size; /* workspace, zero between calls          */
    int32_t *touched;                      /* columns of the row loaded last         */
    int64_t n_touched;
    double *total; /* workspace of rg_rows_replace, zero between calls */
    int32_t *list;
} rg_rows;

/* The equations as written, at two generic points.  RG_RETRY: they cannot be evaluated. */
rg_status rg_rows_create(const rg_problem *p, rg_rows **out);
void rg_rows_destroy(rg_rows **r);
/* The derivatives of combination i: sum[point][column] for the columns touched; entries that
 * cancel are exactly 0. */
void rg_rows_load(rg_rows *r, int64_t i);
void rg_rows_unload(rg_rows *r);
/* Combination i becomes sum_k factor[k] times combination row[k]. */
rg_status rg_rows_replace(rg_rows *r, int64_t i, int64_t count, const int32_t *row,
                          const double *factor);
typedef struct
{ /* the other way round: equation i is in the combinations start[i] .. start[i+1]-1 */
    int64_t *start;
    int32_t *combination;
    double *factor;
} rg_rows_places;
rg_status rg_rows_transpose(const rg_rows *r, rg_rows_places *out);
void rg_rows_places_clear(rg_context *ctx, rg_rows_places *places);
/* Signature matrix of the combinations. */
rg_status rg_rows_signature(rg_rows *r, rg_signature *s);

#endif
