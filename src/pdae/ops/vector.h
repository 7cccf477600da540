/* A vector field on the faces of a grid: which faces are unknown, what lies beyond the sides, and
 * the operators of the semi-discretization.
 *
 *     divergence   net outflow per volume of a cell
 *     gradient     (p_i - p_(i-1))/gap_i on a face; on an open side (p_side - p_i)/(width/2)
 *     Laplacian    three points along every axis; tangential values beyond a wall are
 *                  2 wall - inside, beyond an open side or a slipping wall those inside
 *     convection   div(u u) with fluxes (mean of u_e) times (carried value of u_c)
 *
 * The gradient is minus the transpose of the divergence (weights: volumes and face volumes). */
#ifndef RG_PDAE_OPS_VECTOR_H
#define RG_PDAE_OPS_VECTOR_H

#include "pdae/form/form.h"
#include "pdae/mesh/grid.h"

typedef enum { RG_CARRY_CENTRAL, RG_CARRY_UPWIND, RG_CARRY_TVD } rg_carry;

typedef struct {
    const rg_grid *grid;
    int side[RG_SIDES];    /* rg_vector_side                                                   */
    double *wall[RG_AXES]; /* padded: given values of a component, at the boundary face for the
                             * normal one, in the first ghost cell for the others               */
    unsigned char *fixed[RG_AXES]; /* padded: faces of solids, whose value is given; NULL: none */
    double *solid_value[RG_AXES];  /* padded: that value                                        */
    int first[RG_AXES][RG_AXES], end[RG_AXES][RG_AXES]; /* [c][axis]: range of unknown faces    */
    double *lower[RG_AXES][2], *upper[RG_AXES][2]; /* [axis][0 cells, 1 faces]: of the Laplacian */
    double *memory;
} rg_vector_space;

rg_status rg_vector_space_create(const rg_grid *g, const int *side, rg_vector_space **out);
void rg_vector_space_destroy(rg_vector_space **s);

/* Writes given values to their faces and fills the ghosts. */
void rg_vector_fill(const rg_vector_space *s, double *const *u);

/* div u on all cells. */
void rg_vector_divergence(const rg_grid *g, double *const *u, double *out);

/* out = -grad p on the unknown faces of component c; `outside` holds p of open sides in the first
 * ghost cells (NULL: 0). */
void rg_vector_gradient(const rg_vector_space *s, int c, const double *p, const double *outside,
                        double scale, double *out);

/* out += nu lap u_c on the unknown faces. */
void rg_vector_laplacian(const rg_vector_space *s, int c, const double *u, double nu, double *out);

/* out -= w div(u u)_c. */
void rg_vector_convection(const rg_vector_space *s, int c, double *const *u, double w,
                          rg_carry carry, double *out);

/* (1 - a L_x)(1 - a L_y)(1 - a L_z) v = v in place, for component c; v vanishes on walls.  Nothing
 * is solved along an axis whose part of a L is negligible. */
void rg_vector_implicit(const rg_vector_space *s, int c, double a, double *work, double *v);
int64_t rg_vector_implicit_work(const rg_grid *g);

/* Transmissibilities of div(kappa grad p) with these sides; kappa on the faces, NULL: 1. */
void rg_vector_transmissibility(const rg_vector_space *s, double *const *kappa, double *const *T);

#endif
