/* What the parts of a sweep share: the runs (sweep_one.c), the threads (sweep_crew.c), the table
 * on the disk (sweep_file.c). */
#ifndef RG_SOLVE_SWEEP_H
#define RG_SOLVE_SWEEP_H

#include "solution/csv.h"
#include "solve/sweep_plan.h"

typedef struct { /* a run and what came out of it */
    int64_t run; /* 0: nothing yet */
    rg_status status;
    char message[512], remedy[512]; /* of a failure */
    double t, estimate;
    double *values; /* n_values */
} rg_sweep_result;

typedef struct {
    const rg_problem *p;
    const rg_sweep *given;
    rg_options options;
    rg_sweep_plan plan;
    double base[2];         /* the interval that the model has by itself */
    int64_t n_columns;      /* of the problem as it was given; a run may have others */
    char **column_names;    /* n_columns */
    int64_t n_values;       /* in a row: columns, at every chosen time */
    const char **names;     /* n_values; those of the columns, or owned */
    const char **set_names; /* lists of the plan */
} rg_sweep_job;

/* ---- one run --------------------------------------------------------------------------------- */
/* In the context of `handle`, a handle of the problem of its own thread.  A failure of the run is
 * part of the result; the status is of what ends the sweep: memory, an interrupt. */
rg_status rg_sweep_one(const rg_sweep_job *job, const rg_problem *handle, int64_t run,
                       rg_sweep_result *out);
/* The problem of a run, in the context of the handle. */
rg_status rg_sweep_problem(const rg_sweep_job *job, const rg_problem *handle, const double *set,
                           rg_problem **out);

/* ---- the table on the disk ------------------------------------------------------------------- */
typedef struct {
    rg_context *ctx;
    const rg_sweep_job *job;
    rg_csv *csv;          /* NULL: nothing to write */
    bool is_there;        /* the whole table is there already */
    bool is_mixed;        /* rows were missing in between: to be sorted in the end */
    rg_sweep_result *old; /* one per run of the task, run == 0: not there; NULL: none */
} rg_sweep_file;

/* Reads the rows of an earlier sweep (resume), and opens the table. */
rg_status rg_sweep_file_open(const rg_sweep_job *job, rg_sweep_file *f);
/* A row that was computed. */
rg_status rg_sweep_file_write(rg_sweep_file *f, const double *set, const rg_sweep_result *r);
/* The last failure is in the context, and its remedy then names what is there. */
rg_status rg_sweep_file_close(rg_sweep_file *f, bool is_complete);

/* ---- all runs -------------------------------------------------------------------------------- */
/* Computes what is not there, and hands on all rows in their order; `set` has room for the values
 * of a run. */
rg_status rg_sweep_crew(const rg_sweep_job *job, rg_sweep_file *file, double *set,
                        rg_sweep_row_fn *row, void *user);

/* src/solve/gather.c: lines of tables, sorted by run, into one; every run of 1 .. runs once where
 * is_whole. */
rg_status rg_gather(rg_context *ctx, int n_files, const char *const *files, int64_t runs,
                    bool is_whole, const char *csv);

#endif
