/* Incompressible flow on a grid,
 *
 *     m u' + w div(u u) = div(nu grad u) - grad p + f,     div u = q,
 *
 * by sequential regularization (thesis, (4.2)): instead of the constraint,
 *
 *     alpha1 (div u_s)' + alpha2 (div u_s - q) = eps (p_(s-1) - p_s),     s = 1, 2, ...
 *
 * and its rivals, which differ in what they put there.  What the model gives comes through the
 * functions of rg_fluid_data; all arrays are padded. */
#ifndef RG_PDAE_FLOW_FLOW_H
#define RG_PDAE_FLOW_FLOW_H

#include "base/store.h"
#include "pdae/ops/vector.h"
#include "pdae/solve/elliptic.h"

typedef enum {
    RG_FLUID_SRM,
    RG_FLUID_PROJECTION,
    RG_FLUID_COMPRESSIBILITY, /* eps p' = q - div u */
    RG_FLUID_PENALTY,         /* alpha1 = 0, one iteration, p_0 = 0 */
    RG_FLUID_BAUMGARTE        /* (4.3): (div u)' + gamma (div u - q) = 0 */
} rg_fluid_method;

typedef enum { RG_FLUID_CN, RG_FLUID_EULER, RG_FLUID_HEUN, RG_FLUID_SSPRK3 } rg_fluid_scheme;

typedef struct {
    rg_fluid_method method;
    rg_fluid_scheme scheme;
    double eps; /* 0: chosen */
    double alpha1, alpha2, gamma;
    int iterations; /* s */
    bool chorin;    /* projection without the old pressure */
    rg_carry carry; /* convection */
    rg_elliptic_kind solver;
    double solver_tol;
    bool is_given; /* the steps are: their errors are not estimated */
} rg_fluid_options;

typedef struct {
    void *user;
    double duration;   /* of the run: the scale of time        */
    double nu;         /* the constant viscosity */
    double convection; /* w */
    /* Given values on the sides (and solids) at time t. */
    rg_status (*walls)(void *user, double t, rg_vector_space *s);
    /* A viscosity that varies, as rg_vector_viscous() wants it: nu[c dims + d].  NULL: constant. */
    rg_status (*viscosity)(void *user, double t, double *const *nu);
    /* m on the faces; NULL: 1.  storage_moves: it depends on time or fields. */
    rg_status (*storage)(void *user, double t, double *const *m);
    bool storage_moves;
    /* out += f on the unknown faces of component c. */
    rg_status (*force)(void *user, double t, int c, double *const *u, double *out);
    rg_status (*source)(void *user, double t, double *q);  /* NULL: q = 0 */
    rg_status (*outside)(void *user, double t, double *p); /* p of open sides; NULL: 0 */
    bool walls_move;                                       /* walls depend on t */
} rg_fluid_data;

typedef struct rg_fluid rg_fluid;

rg_status rg_fluid_create(rg_context *ctx, rg_vector_space *space, const rg_fluid_data *data,
                          const rg_fluid_options *options, rg_fluid **out);
void rg_fluid_destroy(rg_fluid **f);

double *const *rg_fluid_velocity(const rg_fluid *f);        /* of the last iterate */
double *const *rg_fluid_velocity_before(const rg_fluid *f); /* at the start of the last step */
const double *rg_fluid_pressure(rg_fluid *f); /* at the end of the last step, with ghosts */

/* The force on a solid (numbers from 1 on) along axis c at the end of the last step. */
double rg_fluid_force(rg_fluid *f, int solid, int c);

/* Moves the start values in rg_fluid_velocity() by the least amount that fulfils the constraint and
 * the sides at time t; the largest change goes to *moved.  Then the pressure of that time. */
rg_status rg_fluid_start(rg_fluid *f, double t, double *moved);

/* One step from t to t + k.  *error: the estimated local error of the step (largest over the
 * faces), 0 where there is no estimate. */
rg_status rg_fluid_step(rg_fluid *f, double t, double k, double *error);
/* Takes the step back (the state is as before), or keeps it. */
/* For checkpoints: all of it, at time t, between two steps. */
void rg_fluid_store(rg_fluid *f, double t, rg_store *s);
void rg_fluid_undo(rg_fluid *f);
void rg_fluid_accept(rg_fluid *f, double k);

/* p at time t from the velocity alone: explicit schemes need it for output only. */
rg_status rg_fluid_update_pressure(rg_fluid *f, double t);

/* The largest |div u - q| at time t, where p on open sides is that of t from now on; and the
 * largest |u_c|/h_c. */
rg_status rg_fluid_drift(rg_fluid *f, double t, double *largest);
double rg_fluid_speed(const rg_fluid *f);
/* The longest step by stability, `part` of that of the explicit terms (which is what a given step
 * must not exceed; infinite with implicit viscosity). */
double rg_fluid_limit(const rg_fluid *f, double cfl, double part);
double rg_fluid_explicit_limit(const rg_fluid *f);
double rg_fluid_size(const rg_fluid *f);   /* largest |u| behind the last step */
double rg_fluid_change(const rg_fluid *f); /* largest |du/dt| of the last step */
/* What the linear solver leaves undetermined of u in a time k with the forces of the last step: one
 * that the pressure balances moves nothing, and no step makes that more exact. */
double rg_fluid_noise(const rg_fluid *f, double k);
double rg_fluid_viscosity(const rg_fluid *f); /* the implicit one: the largest nu/m */
int64_t rg_fluid_solver_iterations(const rg_fluid *f);
const char *rg_fluid_solver_name(const rg_fluid *f);

#endif
