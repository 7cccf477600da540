/* The constraints at a configuration: scaled Jacobian G, what it has lost, and how branches of
 * motion meet there.
 *
 *     U, N: left singular vectors of the lost ranks, a basis of the kernel of G;
 *     S = |U^T (dG/dq in direction N_k) N| (rms over k),
 *     the crossing of a motion with the speed v:  sigma_min(U^T (dG/dt) N) / S
 *
 * A crossing is a speed: that of the motion, less where it goes along the branches rather than
 * across them. */
#ifndef RG_IVP_PASSAGE_GEOMETRY_H
#define RG_IVP_PASSAGE_GEOMETRY_H

#include "ivp/passage/passage.h"

typedef struct {
    rg_passage *k;
    int m, n_q, lost, kernel;
    int null; /* lost, and redundant everywhere */
    double *G, *beside, *sigma, *sigma_beside, *U, *V, *P, *g, *W, *D, *product;
    double *point, *other; /* configurations, all unknowns of the form */
    double *memory;
} rg_geometry;

rg_status rg_geometry_init(rg_passage *k, rg_geometry *x);
void rg_geometry_clear(rg_geometry *x);
/* U, V, sigma of the scaled G at (t, w); nothing is lost yet. */
rg_status rg_geometry_decompose(rg_geometry *x, double t, const double *w);
/* Singular values of the scaled G at (t, w), descending. */
rg_status rg_geometry_values(rg_geometry *x, double t, const double *w, double *sigma);
/* The smallest singular value that redundant constraints leave. */
int rg_geometry_last(const rg_geometry *x);
void rg_geometry_lose(rg_geometry *x, int lost); /* so many, from that one on */
/* Parts the lost directions from the redundant ones, by the change of G between two
 * configurations on the motion. */
rg_status rg_geometry_part(rg_geometry *x, double t1, const double *w1, double t0,
                           const double *w0);
/* S at (t, w). */
rg_status rg_geometry_angle(rg_geometry *x, double t, const double *w, double *S);
/* The largest |U^T (G(q + d n) - G(q)) N| over directions n in the kernel. */
rg_status rg_geometry_reach(rg_geometry *x, double t, const double *w, double d, double *most);
/* sigma_min(U^T dG N), dG the difference of G between two configurations. */
rg_status rg_geometry_crossing(rg_geometry *x, double t1, const double *w1, double t0,
                               const double *w0, double *least);
/* The first lost left singular vector; the others follow, then the redundant ones. */
const double *rg_geometry_lost(const rg_geometry *x);
/* "line 24", "line 7, line 9 and 3 more": the constraints with a share in the lost directions. */
void rg_geometry_name(const rg_geometry *x, char *text, int size);

#endif
