/* A model with fields, integrated in time: the kernels of its equations in the order
 *
 *     elliptic equations and Darcy flow at the start of a step, from the scalars there;
 *     momentum over the step;
 *     carried scalars over the step, with the velocities at its start and end.
 *
 * Fields are read through rg_run_field(); outputs, files and pictures are made by others. */
#ifndef RG_PDAE_RUN_RUN_H
#define RG_PDAE_RUN_RUN_H

#include "pdae/flow/flow.h"
#include "pdae/form/form.h"

typedef struct {
    rg_fluid_method method;
    bool mixed; /* Darcy: u and p together */
    rg_fluid_scheme scheme;
    double eps; /* 0: default of the equation                                         */
    double alpha1, alpha2, gamma;
    int iterations; /* 0: 1 for flow, as many as needed for Darcy                         */
    bool chorin;
    rg_carry convection; /* of momentum                                                        */
    rg_carry transport;  /* of scalars                                                         */
    rg_elliptic_kind solver;
    double solver_tol;
    int threads;       /* that share large loops; 0: one per core                            */
    double cfl, tol;   /* tol: of the error in time, relative to the size of the velocity    */
    double step;       /* fixed; 0: chosen                                                   */
    double h_max;      /* largest step; 0: no limit                                          */
    int64_t max_steps; /* rejected ones included                                             */
    double step_scale; /* 1; 2 for the run on the coarser grid                               */
    double duration;   /* of the run: the scale of time */
    bool implicit;     /* transport by implicit Euler, upwind                                */
    double steady;     /* stop when the largest change per time is below; 0: never           */
} rg_run_options;

typedef struct { /* of one carried scalar, over the run */
    double start, in, out, end, defect;
} rg_run_balance;

typedef struct {
    int64_t steps, rejected, solver_iterations;
    double drift;         /* largest |div u - q| seen at output times                            */
    double cell_reynolds; /* largest |u| h/nu                                                    */
    double miss;    /* part of what flows into a closed domain that was spread over its cells, where
                  * the model could not be asked before */
    double loss;    /* the largest drift over the largest |u|/h; Darcy: rg_darcy_loss()    */
    bool is_steady; /* ended because nothing changes any more                              */
    bool is_limited; /* a limiter has carried a scalar somewhere (transport auto)            */
    const char *solver[8]; /* of every linear system                                              */
    int n_solvers;
} rg_run_stats;

typedef struct rg_run_grid rg_run_grid;

rg_status rg_run_grid_create(const rg_form *form, const rg_run_options *options, rg_run_grid **out);
void rg_run_grid_destroy(rg_run_grid **r);

/* Start values at time t: made free of divergence, pressures computed. */
rg_status rg_run_grid_start(rg_run_grid *r, double t);
/* Do data contain the time?  Then what is at rest now may move later. */
bool rg_run_data_change(const rg_form *form);
/* Integrates to the time `to`, and makes all fields those of that time. */
rg_status rg_run_grid_advance(rg_run_grid *r, double to);

/* The same with so many steps at most; *is_there: it is at that time, or steady. */
rg_status rg_run_grid_approach(rg_run_grid *r, double to, int steps, bool *is_there);
/* For checkpoints, between two steps; put back into a run that has just been created. */
rg_status rg_run_grid_store(rg_run_grid *r, rg_store *s);

/* One step, at most to that time. */
rg_status rg_run_grid_step(rg_run_grid *r, double to);

/* The grid of its arrays: that of the form, or the block of this rank. */
const rg_grid *rg_run_grid_mesh(const rg_run_grid *r);
double rg_run_grid_time(const rg_run_grid *r);
/* A quantity at the current time, on the faces across component (-1: the cells). */
rg_status rg_run_grid_eval(rg_run_grid *r, const rg_quantity *q, int component, double *out);
/* The padded array of a field or of a component of a vector, ghosts filled. */
const double *rg_run_grid_field(const rg_run_grid *r, int field, int component);
/* All fields one behind the other, as the families of the problem are, of the whole grid; and of
 * rg_run_grid_mesh(), how many numbers that is (out may be NULL). */
void rg_run_grid_pack(const rg_run_grid *r, double *out);
int64_t rg_run_grid_pack_own(const rg_run_grid *r, double *out);
/* The outputs of the form at the current time. */
rg_status rg_run_grid_outputs(rg_run_grid *r, double *out);
/* The same with the curvature between the values of the grid: at places and on planes, and extrema,
 * these up to the sides. */
rg_status rg_run_grid_outputs_between(rg_run_grid *r, double *out);
/* The same with p of flow (without solids) read a cell of the grid `by` nearer to the middle. */
rg_status rg_run_grid_outputs_aside(rg_run_grid *r, const rg_grid *by, double *out);
/* Largest change of a vector's start values, and the size of the vector. */
void rg_run_grid_moved(const rg_run_grid *r, int field, double *moved, double *size);
rg_run_balance rg_run_grid_balance(const rg_run_grid *r, int field);
double rg_run_grid_well_rate(const rg_run_grid *r, int well);
rg_run_stats rg_run_grid_stats(const rg_run_grid *r); /* reads all velocities */
int64_t rg_run_grid_steps(const rg_run_grid *r);      /* so far, rejected ones too */
bool rg_run_grid_is_steady(const rg_run_grid *r);     /* ended because nothing changes any more */
bool rg_run_grid_is_limited(const rg_run_grid *r);    /* see rg_run_stats                       */

#endif
