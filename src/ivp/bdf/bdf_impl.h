/* What the files around IDA share. */
#ifndef RG_IVP_BDF_BDF_IMPL_H
#define RG_IVP_BDF_BDF_IMPL_H

#include "ivp/bdf/bdf.h"
#include "ivp/bdf/tuning.h"
#include "linalg/matrix.h"

#include <ida/ida.h>
#include <math.h>
#include <nvector/nvector_serial.h>

enum { BDF_MAX_ORDER = 5, BDF_STUCK = -1000 /* beside IDA's return values */ };

typedef struct {
    SUNContext sun;
    void *ida;
    N_Vector y, yp, id;     /* y, y': what IDA reached; id: 1 differential, 0 algebraic */
    SUNMatrix J;            /* no values of its own: Jy, Jyp, cj below */
    SUNLinearSolver linear; /* cj Jyp + Jy by rg_matrix */
    rg_matrix *matrix;
    double *arena;
    double *Jy, *Jyp; /* dF/dy, dF/dy' in pattern order */
    double cj;        /* of the Jacobian asked for last */
    double *weight;   /* atol + rtol |y_i| */
    double *dky;      /* a derivative of IDA's polynomial; a vector to work with */
    N_Vector dky_vector;
    int n_pins; /* redundant equations, and as many unknowns that nothing determines */
    int *pins;  /* rows, then columns, once found; those before */
    bool has_pins;
    double *most;        /* entries so far of the matrix they are found from */
    double *now;         /* y of the last residual */
    bool is_restarted;   /* y, y' of the integrator are new: IDA has to begin again */
    double h_first;      /* for that; 0: chosen by IDA */
    int64_t n_failures;  /* of this step and those before, as IDA counts since its last start */
    int64_t n_restarts;  /* because of the projection */
    rg_status callback;  /* a failure of ours on the way through IDA; RG_OK: none */
    bool saw_bad_values; /* F or its Jacobian could not be evaluated in the current step */
} rg_bdf;

static inline rg_bdf *rg_bdf_of(const rg_integrator *g)
{
    return (rg_bdf *)g->state;
}

/* What IDA is asked for in a state, 1/its weight. */
static inline double rg_bdf_tolerance(const rg_integrator *g, int64_t i)
{
    return RG_BDF_PART * (rg_integrator_atol(g, i) + g->options.rtol * fabs(g->y[i]));
}

/* linear.c: which status of ours becomes which return value: 0 done, 1 try a smaller step, -1
 * abort */
int rg_bdf_pass_on(rg_bdf *b, rg_status status);
/* Behind a step: of three parallel cranks the dependent equations are others in other positions,
 * which IDA, with an old Jacobian that converges, does not see.  Others make a new start: they
 * agree on the constraints only, up to the errors of the states. */
rg_status rg_bdf_review_pins(rg_integrator *g);
rg_status rg_bdf_linear_create(rg_integrator *g);
int rg_bdf_jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector F, SUNMatrix J,
                    void *user, N_Vector tmp1, N_Vector tmp2, N_Vector tmp3);
/* start.c: hands y, y' to IDA as a new start */
rg_status rg_bdf_start(rg_integrator *g);
rg_status rg_bdf_settings(rg_integrator *g);
int rg_bdf_residual(realtype t, N_Vector y, N_Vector yp, N_Vector F, void *user);
/* step.c */
rg_status rg_bdf_step(rg_integrator *g);
/* dense.c: IDA's polynomial over the step from t_previous to t, bent to pass through both ends */
void rg_bdf_derivatives(rg_integrator *g);
void rg_bdf_join(rg_integrator *g);
/* failure.c: the message for a return value of IDA */
rg_status rg_bdf_give_up(rg_integrator *g, int flag);
rg_status rg_bdf_not_projected(rg_integrator *g);
rg_status rg_bdf_no_memory(rg_integrator *g);

#endif
