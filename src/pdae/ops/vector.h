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

typedef enum {
    RG_CARRY_CENTRAL,
    RG_CARRY_UPWIND,
    RG_CARRY_TVD,
    RG_CARRY_RESOLVED /* scalars: central where |u| h <= 2 k, which is monotone; TVD elsewhere */
} rg_carry;

/* What lies between an unknown face and a given one of a solid beside it. */
typedef enum {
    RG_CONTACT_PLAIN, /* the given value itself: the next face across, or at a corner */
    RG_CONTACT_WALL,  /* a wall half way, with a given tangential value: 2 wall - inside */
    RG_CONTACT_SLIP   /* no stress */
} rg_contact_kind;

typedef struct {
    int64_t at, beyond;       /* the unknown face and the given one                            */
    double coefficient;       /* of the neighbour in the Laplacian                             */
    double area, over, width; /* of what is between, 1/distance of the values, control volume */
    unsigned char axis, high, kind;
    unsigned char is_inside; /* beyond lies between solid cells: it may hold a reflected value */
    unsigned char solid;     /* its number, from 1 on */
    /* Of another rank: the unknown face (listed for what lies beyond), the given one. */
    bool at_is_other, beyond_is_other;
} rg_contact;

typedef struct { /* the faces of solids across one axis */
    int64_t n_fixed, n_contacts;
    int64_t *fixed;      /* places of the given faces                                    */
    unsigned char *of;   /* solid of a face to the fluid; 0: inside of solids            */
    rg_contact *contact; /* of the unknown faces                                         */
    double *value;       /* normal values of the fixed faces, then those of the contacts */
} rg_solid_faces;

typedef struct {
    const rg_grid *grid;
    int side[RG_SIDES];    /* rg_vector_side                                                   */
    bool slips;            /* along all sides and solids: Darcy flow                           */
    bool shows;            /* ... which outputs see go on along lines there, or on open sides
                            * with the values in `wall`                                        */
    double *wall[RG_AXES]; /* padded: given values of a component, at the boundary face for the
                             * normal one, in the first ghost cell for the others               */
    unsigned char *fixed[RG_AXES]; /* padded: faces of solids, whose value is given; NULL: none */
    rg_solid_faces solid[RG_AXES]; /* the same as lists                                         */
    int first[RG_AXES][RG_AXES], end[RG_AXES][RG_AXES]; /* [c][axis]: range of unknown faces    */
    double *lower[RG_AXES][2], *upper[RG_AXES][2]; /* [axis][0 cells, 1 faces]: of the Laplacian */
    double *over[RG_AXES][2]; /* 1/width of the cells, 1/gap of the faces                       */
    bool has_open; /* some side of the domain is open: p is fixed there                         */
    double *memory;
} rg_vector_space;

rg_status rg_vector_space_create(const rg_grid *g, const int *side, rg_vector_space **out);
void rg_vector_space_destroy(rg_vector_space **s);

/* Takes the solids of the grid: slip[n] tells whether solid number n + 1 is a slipping wall. */
rg_status rg_vector_space_set_solids(rg_vector_space *s, const bool *slip);

/* Writes given values to their faces and fills the ghosts. */
void rg_vector_fill(const rg_vector_space *s, double *const *u);
/* The same across the sides only: what the divergence needs. */
void rg_vector_fill_normal(const rg_vector_space *s, double *const *u);

/* div u on all cells. */
void rg_vector_divergence(const rg_grid *g, double *const *u, double *out);

typedef struct {
    double scale, keep;
    const double *q, *q_old; /* NULL: 0                                            */
    bool is_closed;          /* the right-hand side sums to 0 but for rounding: to 0 */
} rg_vector_balance;

/* right = scale volume (div u - q - keep (div old - q_old)), and div u, on all cells. */
void rg_vector_right_side(const rg_grid *g, double *const *u, double *const *old,
                          const rg_vector_balance *rule, double *div, double *right);

/* out = -grad p on the unknown faces of component c; `outside` holds p of open sides in the first
 * ghost cells (NULL: 0). */
void rg_vector_gradient(const rg_vector_space *s, int c, const double *p, const double *outside,
                        double scale, double *out);

/* out = base - scale grad p on them, 0 on the faces of solids; base may be out. */
void rg_vector_add_gradient(const rg_vector_space *s, int c, const double *p, const double *outside,
                            double scale, const double *base, double *out);

/* Ghosts of p for interpolation: 2 given - inside on open sides, on a line with the two cells
 * inside elsewhere, also in solid cells beside the fluid. */
void rg_vector_pressure_ghosts(const rg_vector_space *s, const double *outside, double *p);

/* out += nu lap u_c on the unknown faces. */
void rg_vector_laplacian(const rg_vector_space *s, int c, const double *u, double nu, double *out);

/* out += div(nu grad u)_c with nu[d] for the derivative along d: at the cells for d = c, otherwise
 * at the edges before a face along c and d. */
void rg_vector_viscous(const rg_vector_space *s, int c, const double *u, double *const *nu,
                       double *out);

/* out = p a + q b + nu lap u_c there. */
void rg_vector_combine(const rg_vector_space *s, int c, double p, const double *a, double q,
                       const double *b, const double *u, double nu, double *out);

/* out = -w div(u u)_c on the unknown faces. */
void rg_vector_convection(const rg_vector_space *s, int c, double *const *u, double w,
                          rg_carry carry, double *out);

typedef struct {       /* fluxes of momentum */
    double nu;         /* the viscosity, where it is constant                              */
    double *const *of; /* otherwise of[c dims + d], as in rg_vector_viscous(); NULL: constant */
    double w;
    rg_carry carry;
} rg_vector_stress;

/* v = 0 on the faces of solids. */
void rg_vector_mask(const rg_vector_space *s, int c, double *v);

/* The force on a solid along axis c per density, -grad p included: the momentum that leaves the
 * control volumes of the unknown faces through their contacts with it. */
double rg_vector_force(const rg_vector_space *s, int solid, int c, double *const *u,
                       const double *p, const rg_vector_stress *stress);

/* (1 - a L_x)(1 - a L_y)(1 - a L_z) v = v in place, for component c; v vanishes on walls.  The
 * factors are kept until a changes. */
typedef struct rg_viscous rg_viscous;
rg_status rg_viscous_create(const rg_vector_space *s, rg_viscous **out);
void rg_viscous_destroy(rg_viscous **m);
void rg_viscous_solve(rg_viscous *m, int c, double a, double *v);

/* Transmissibilities of div(kappa grad p) with these sides; kappa on the faces, NULL: 1. */
void rg_vector_transmissibility(const rg_vector_space *s, double *const *kappa, double *const *T);

#endif
