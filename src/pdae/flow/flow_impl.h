/* The body of rg_fluid, shared by its schemes. */
#ifndef RG_PDAE_FLOW_FLOW_IMPL_H
#define RG_PDAE_FLOW_FLOW_IMPL_H

#include "pdae/flow/flow.h"

enum { RG_FLUID_ITERATIONS = 9 };

typedef struct { /* a vector, all components */
    double *c[RG_AXES];
} rg_fluid_vector;

struct rg_fluid {
    rg_context *ctx;
    const rg_grid *grid;
    rg_vector_space *space;
    double *block; /* all arrays below but moved_solid */
    rg_fluid_data data;
    rg_fluid_options options;
    int n_iterates;                           /* velocities that are carried along          */
    rg_fluid_vector u[RG_FLUID_ITERATIONS];   /* of the iterates s = 1 .. n_iterates        */
    rg_fluid_vector old[RG_FLUID_ITERATIONS]; /* before the last step                       */
    double *p, *p_old;
    rg_fluid_vector N[2];      /* explicit terms of this step and of the accepted one before it */
    rg_fluid_vector before[2]; /* velocities of the two steps before `old`                 */
    double k_old, k_older;     /* those steps; 0: none yet                                   */
    rg_fluid_vector work, stage, moved;
    rg_fluid_vector slope[RG_FLUID_ITERATIONS]; /* du/dt of the iterates, explicit schemes */
    double *p_slope, *right;
    double *spare; /* a component, where m varies */
    double *div, *q, *q_old, *d, *outside, *s;
    double *moved_solid[RG_AXES]; /* change of the given values of solids */
    rg_viscous *implicit;
    double nu;                            /* of implicit viscosity: the largest nu/m, or more */
    double *viscosity[RG_AXES * RG_AXES]; /* of rg_fluid_data.viscosity; NULL: constant       */
    /* 1/m on the faces at the start of the step, of the one before, and in its middle */
    double *over_m[RG_AXES], *over_before[RG_AXES], *over_mid[RG_AXES];
    double storage_time;
    double mean_m;
    double *T[RG_AXES];
    rg_elliptic *solver; /* (shift + D D^T), and the shift that it was made for */
    double shift;
    double change, size; /* largest |du/dt| and |u| of the last step */
    int64_t iterations;  /* of solvers that were replaced */
};

/* Solves (shift + D D^T) d = b, d the guess.  b is times the volume of the cells, and in a closed
 * box sums to 0: rounding that is divided by a small shift would let the mean of p drift. */
rg_status rg_fluid_poisson(rg_fluid *f, double shift, const double *b, double *d);
/* Makes such a right-hand side of a density. */
void rg_fluid_times_volume(const rg_fluid *f, double *b);

rg_status rg_fluid_renew_solver(rg_fluid *f, double shift); /* it is made for this shift */

/* Coefficients of a step k that begins at time t. */
rg_status rg_fluid_coefficients(rg_fluid *f, double t, double k);
/* out = -scale/m grad p on the unknown faces; p of open sides or NULL. */
void rg_fluid_gradient(const rg_fluid *f, int c, const double *p, const double *outside,
                       double scale, double *out);

/* out = base - scale/m grad p, base may be out. */
void rg_fluid_add_gradient(const rg_fluid *f, int c, const double *p, const double *outside,
                           double scale, const double *base, double *out);

/* out = (-w div(u u) + f + div(nu grad u))/m - nu0 lap u at time t (nu0: f->nu, the terms with nu
 * where it or m vary only); u with ghosts.  is_whole: 0 elsewhere; otherwise the unknown faces only
 * are written. */
rg_status rg_fluid_explicit_terms(rg_fluid *f, double t, double *const *u, bool is_whole,
                                  double *const *out);

rg_status rg_fluid_step_cn(rg_fluid *f, double t, double k);
/* The eps that is given, or chosen in the units of the model. */
double rg_fluid_eps(const rg_fluid *f);
/* Keeps the given values of walls and solids in `moved`; then makes it scale times their change. */
void rg_fluid_keep_walls(rg_fluid *f);
void rg_fluid_wall_change(rg_fluid *f, double scale);
/* The velocities of the last steps move on by one (u is free to be written), or back. */
void rg_fluid_turn(rg_fluid *f, bool forth);
void rg_fluid_accept_cn(rg_fluid *f, double k);
void rg_fluid_accept_explicit(rg_fluid *f, double k);
rg_status rg_fluid_step_explicit(rg_fluid *f, double t, double k);

void rg_fluid_copy(const rg_grid *g, const rg_fluid_vector *from, const rg_fluid_vector *to);
bool rg_fluid_is_closed(const rg_fluid *f); /* no open side: p is known up to a constant */
rg_status rg_fluid_source(rg_fluid *f, double t, double *q);

/* Options that cannot work together (stable.c). */
rg_status rg_fluid_check_options(rg_context *ctx, const rg_fluid_options *o);

#endif
