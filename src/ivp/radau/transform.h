/* Products of small matrices with the stages of a step: vectors x_1 .. x_s, one after the other,
 * padded: so many blocks of four numbers each (base/vector.h).  Wide matrices have every
 * coefficient four times, side by side. */
#ifndef RG_IVP_RADAU_TRANSFORM_H
#define RG_IVP_RADAU_TRANSFORM_H

#include <stdbool.h>
#include <stdint.h>

/* `count` coefficients, four times each */
void rg_stages_widen(int count, const double *M, double *wide);
/* y_i = sum_j M_ij x_j; M wide, by rows.  x and y may be the same. */
void rg_stages_transform(int s, const double *M, int64_t blocks, const double *x, double *y);
/* Z_i += sum_j a_ij v_j, j < count; a: s x count, not wide */
void rg_stages_add(int s, int count, const double *a, int64_t blocks, double *const *v, double *Z);
/* y = sum_j m_j x_j; x_j starts at x + j stride, m is not wide */
void rg_stages_combine(int s, const double *m, int64_t blocks, const double *x, int64_t stride,
                       double *y);
/* W <- W - d,  Z <- T W;  returns sum_i sum_k (weight_k d_ik)^2 */
double rg_stages_advance(int s, const double *T, int64_t blocks, const double *d,
                         const double *weight, double *W, double *Z);
/* a <- x + y,  then  b <- f z: up to three numbers behind the n-th of a and b are written, in
 * this order */
void rg_stage_point(int64_t n, const double *x, const double *y, double f, const double *z,
                    double *a, double *b);

/* What is left of a stage after an update, per unknown, d = |change| by it:
 *     rate d weight <= allowed,
 * and where there was an update before (has_own), with its own rate:
 *     eta d weight <= allowed,  eta = d/(change before - d), at most `slowest`.
 * It is near where that holds, and nearer where it does for `part` of `allowed`. */
typedef struct {
    double rate, allowed, slowest, part;
    bool has_own;
} rg_stage_bounds;

typedef enum { RG_STAGE_FAR, RG_STAGE_NEAR, RG_STAGE_NEARER } rg_stage_distance;

/* change <- |now - before| */
void rg_stage_change(int64_t blocks, const double *before, const double *now, double *change);
/* ... and whether all are within the bounds */
rg_stage_distance rg_stage_near(int64_t blocks, const rg_stage_bounds *b, const double *before,
                                const double *now, const double *weight, double *change);

#endif
