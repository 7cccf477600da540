/* A scalar on the cells of a grid, carried and diffused:
 *
 *     phi c' = -w div(u c) - b u.grad c + div(k grad c) + div(dispersion grad c) + g
 *
 * by finite volumes: one flux per face, so that what leaves a cell enters its neighbour, and what
 * crosses the sides is known.  Beyond a side lies a copy of the cell inside (no diffusive flux), or
 * 2 value - inside; entering fluid carries the given value of its side, without one the value
 * inside.  Faces of solids are like sides: nothing diffuses into them without a condition, and what
 * passes where they move carries the value inside. */
#ifndef RG_PDAE_TRANSPORT_SCALAR_H
#define RG_PDAE_TRANSPORT_SCALAR_H

#include "pdae/ops/vector.h"

typedef struct {
    const rg_grid *grid;
    int side[RG_SIDES]; /* rg_scalar_side                                                       */
    double *given;      /* padded: value or outward flux of a side, in the first ghost cell     */
    double *surface;    /* the same: value on a side of RG_SCALAR_EXCHANGE or, where `shows`, with
                         * a given flux; NULL: there is none                                     */
    bool shows;         /* ghosts for outputs: beyond a given flux too                           */
    bool goes_on;       /* ... and given values go on along lines beyond the ends of sides       */
    bool has_corners;   /* those beside corners are read: cross terms of dispersion             */
    int64_t n_contacts; /* faces of solids, see rg_scalar_set_solids()                          */
    struct rg_scalar_contact *contact;
} rg_scalar_space;

typedef struct rg_scalar_contact { /* of a fluid cell with a solid */
    int64_t face, cell;
    double area, half; /* of the face; half the width of the cell */
    double value;      /* or the flux into the solid              */
    double surface;    /* with a flux: the value on the face      */
    int solid;         /* its number, from 1 on                   */
    unsigned char axis, high, kind;
    bool is_other; /* the cell is another rank's, the solid one is this one's */
} rg_scalar_contact;

typedef struct {      /* what moves the scalar */
    double *const *u; /* velocity on the faces; NULL: none                                     */
    double w, b;      /* weights of div(u c) and of u.grad c                                   */
    rg_carry carry;
    double *const *k; /* diffusion on the faces; NULL: none                                    */
    double *const *D; /* [c dims + d]: dispersion tensor on the faces across c; NULL: none     */
    bool *is_limited; /* set where RG_CARRY_RESOLVED limits; may be NULL */
} rg_scalar_terms;

/* Lists the faces of solids, with their condition kind[number - 1]. */
rg_status rg_scalar_set_solids(rg_scalar_space *s, const int *kind);
void rg_scalar_free_solids(rg_scalar_space *s);

/* Fills the ghosts of c, and the solid cells beside the fluid. */
void rg_scalar_fill(const rg_scalar_space *s, double *c);

/* Ghosts as copies of the cells inside, or of the other end of a periodic axis. */
void rg_scalar_copy_out(const rg_grid *g, double *v);

/* out += the right-hand side but g, on all cells that are not solid; c with ghosts.  through[0] is
 * what enters through the sides per time, through[1] what leaves.  flux: a padded work array, div u
 * in the end where b is not 0. */
void rg_scalar_rate(const rg_scalar_space *s, const rg_scalar_terms *terms, const double *c,
                    double *flux, double *out, double through[2]);
/* What goes through the sides alone, of a scalar that nothing carries. */
void rg_scalar_through(const rg_scalar_space *s, const rg_scalar_terms *terms, const double *c,
                       double *flux, double through[2]);

/* dm + |u| (dl E + dt (1 - E)), E = u u^T/|u|^2, on the faces across d, into D[0 .. dims - 1]; u
 * with ghosts; the three coefficients on these faces. */
void rg_scalar_dispersion(const rg_grid *g, int d, double *const *u, double *const coefficient[3],
                          double *const *D);

/* Coefficients on the faces across axis d from those on the cells (with ghosts): mean of the
 * resistances 1/k, weighted with the widths. */
void rg_scalar_face_mean(const rg_grid *g, int d, const double *k, double *out);

#endif
