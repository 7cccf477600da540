/* The body of a run on a grid behind rg_solve(), shared by the files solve/grid*.c. */
#ifndef RG_SOLVE_GRID_IMPL_H
#define RG_SOLVE_GRID_IMPL_H

#include "base/options.h"
#include "curve/writer.h"
#include "pdae/draw/files.h"
#include "pdae/form/output.h"
#include "pdae/run/run.h"
#include "solve/grid_half.h"
#include "solve/keeper.h"

typedef struct {
    const rg_problem *problem;
    const rg_form *form;
    rg_run_options options;
    rg_run_grid *run, *coarse; /* coarse: NULL where nothing is estimated */
    rg_grid_half half;
    const rg_request *request; /* as the caller gave it */
    rg_request inner;          /* without its function, which gets the fields from here */
    rg_writer writer;
    rg_field_files files;
    double *unknown; /* all fields one behind the other; NULL on ranks where nobody asks */
    rg_status drawn; /* of the picture that the solution keeps */
    double *own;     /* those of this rank; the same where the grid is not divided */
    double t_last;
    double *memory, *last, *now, *slope, *step, *twice, *between[2], *aside[2], *exact;
    double estimate, estimate_end;
    bool is_estimated; /* those of the last row are among them */
    int worst;         /* the output with the largest estimate, */
    double worst_at;   /* at this time */
    bool is_undefined; /* an output had no finite value, and that was told */
    bool oscillates;   /* convection by central differences was seen to */
    rg_grid_facts *facts;
    rg_keeper *keeper;   /* checkpoints; NULL: none */
    bool is_comparing;   /* the run waits for the coarse one, */
    double comparing_at; /* at this time */
    int64_t paused_at;   /* steps of both runs at the last pause */
} rg_grid_job;

/* grid_pause.c: to that time, with a pause after every so many steps where there are checkpoints;
 * of g->run, or of g->coarse. */
rg_status rg_grid_approach(rg_grid_job *g, rg_run_grid **run, double to);
bool rg_grid_pause_is_due(const rg_grid_job *g);
/* A pause: the state is offered to the keeper, and both runs are made anew from it. */
rg_status rg_grid_pause(rg_grid_job *g);
rg_status rg_grid_resume(rg_grid_job *g); /* from what the keeper has */
rg_status rg_grid_open_rows(rg_grid_job *g, rg_stage stage);
/* Makes g->run, and g->coarse where there is one. */
rg_status rg_grid_make_runs(rg_grid_job *g, bool has_coarse);

rg_status rg_grid_read_options(rg_context *ctx, const rg_options *o, rg_run_options *out);
/* Errors against exact solutions, and oscillations, at an output time. */
rg_status rg_grid_look(rg_grid_job *g);
/* Start values that were moved. */
rg_status rg_grid_tell_moved(rg_grid_job *g);
rg_status rg_grid_tell_oscillation(rg_grid_job *g);
/* The outputs in g->now, at t: the first one without a finite value. */
rg_status rg_grid_tell_undefined(rg_grid_job *g, double t);
rg_status rg_grid_tell_miss(rg_grid_job *g);   /* of closed domains */
rg_status rg_grid_tell_coarse(rg_grid_job *g); /* outputs with few digits or none */
/* A run that ended early has rows that were not compared: there is no estimate. */
rg_status rg_grid_tell_no_estimate(rg_grid_job *g);
void rg_grid_take_stats(rg_grid_job *g, rg_solution *s);

#endif
