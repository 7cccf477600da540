/* The writer puts points into an rg_solution, for all methods.  A method hands over the start and
 * then its steps (or mesh intervals), each with its polynomial; rows, chosen times, drift and
 * the caller's output function follow from that.
 *
 *     rg_writer w = {.user = method, .eval = ..., .drift = ...};
 *     status = rg_writer_open(&w, problem, &layout, n_levels, request, out);
 *     if (status == RG_OK) status = rg_writer_start(&w, t0, y, yp);
 *     ...                  status = rg_writer_step(&w, &step);           for every step
 *     status = rg_writer_close(&w, status, n_places, places);            in any case
 *
 * What was written stays in *out. */
#ifndef RG_CURVE_WRITER_H
#define RG_CURVE_WRITER_H

#include "solution/solution.h"

typedef struct {
    void *user;
    /* y and y' at a time inside the step handed over last; NULL: from its polynomial. */
    rg_status (*eval)(void *user, double t, double *y, double *yp);
    /* ... of which so many will be asked for in this step; NULL: nobody wants to know. */
    rg_status (*rows)(void *user, int64_t count);
    /* A row has been written: a chosen time, or the end of a step without any.  NULL: nobody
     * asks. */
    rg_status (*seen)(void *user, double t, const double *y, const double *yp);
    /* The largest residual of each level of constraints; RG_RETRY: cannot be evaluated at this
     * point.  NULL: nothing to watch. */
    rg_status (*drift)(void *user, double t, const double *y, const double *yp, double *level);
    /* the writer's own */
    rg_solution *solution;
    const rg_request *request;
    bool holds_end;         /* an event follows at the end of the step: chosen times are to wait, */
    double near;            /* and such as are this near to it */
    int64_t next_time;      /* the first chosen time that has not been written */
    double *y, *yp, *level; /* workspace */
} rg_writer;

/* Makes the solution; takes *layout, also on failure.  user, eval and drift are set before. */
rg_status rg_writer_open(rg_writer *w, const rg_problem *p, rg_layout **layout, int n_levels,
                         const rg_request *request, rg_solution **out);
/* The start, with the times chosen there.  RG_STOPPED: the output function ends the run, here
 * and below. */
rg_status rg_writer_start(rg_writer *w, double t, const double *y, const double *yp);
/* An accepted step, and the chosen times up to its end. */
rg_status rg_writer_step(rg_writer *w, const rg_solution_step *step);
/* Values behind an event at the end of the last step, with the times chosen there. */
rg_status rg_writer_jump(rg_writer *w, double t, const double *y, const double *yp);
/* Is the end of a step at t a row, or seen by the caller's function? */
bool rg_writer_wants(const rg_writer *w, double t);
/* The run begins again: all points are forgotten. */
rg_status rg_writer_rewind(rg_writer *w);
/* The run is over, with this status: adds the singular places that were passed, closes the CSV
 * file.  Returns the status, or the failure of closing. */
rg_status rg_writer_close(rg_writer *w, rg_status status, int64_t n_places,
                          const rg_singular *places);

#endif
