/* What a step method sees of the integrator around it, and the table row by which it is called. */
#ifndef RG_IVP_METHOD_H
#define RG_IVP_METHOD_H

#include "ivp/integrator.h"

typedef struct rg_radau rg_radau;

typedef struct {
    const char *name;
    int degree; /* of the polynomial for dense output */
    rg_status (*create)(rg_integrator *g);
    rg_status (*step)(
        rg_integrator *g); /* one accepted step: t, t_previous, y, yp, polynomial, stats */
    void (*restart)(rg_integrator *g, double h); /* forget the past; see rg_integrator_restart */
    void (*destroy)(rg_integrator *g);           /* accepts what a failed create left behind */
} rg_ivp_method;

struct rg_integrator {
    rg_context *ctx;
    const rg_system *system;
    rg_system_work *work;
    rg_options options;
    const rg_ivp_method *method;
    int64_t n;
    double t, t_previous, t_start, t_end;
    double direction;   /* +1 or -1 */
    double *y, *yp;     /* at t */
    double *polynomial; /* (degree + 1) n */
    rg_stats stats;
    rg_radau *radau;
};

/* F at (t, y, y'), counted. */
rg_status rg_integrator_residual(rg_integrator *g, double t, const double *y, const double *yp,
                                 double *F);

#endif
