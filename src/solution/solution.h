/* A solution is what a run leaves behind.  A solver fills it step by step, reports read it. */
#ifndef RG_SOLUTION_SOLUTION_H
#define RG_SOLUTION_SOLUTION_H

#include "base/store.h"
#include "solution/columns.h"
#include "solution/csv.h"
#include "solution/grid.h"

/* The constraint term as it is added to x' (srm): n columns force(x) of the CSV file, as long as
 * the run lasts. */
typedef struct rg_forces {
    int64_t n;
    void *user;
    int (*name)(void *user, int64_t k, char *buffer, int size);
    rg_status (*eval)(void *user, double t, const double *z, double *out);
} rg_forces;

typedef struct {   /* what the dense output of steps is worth, where rows are the steps */
    double off;    /* largest error that was seen, in units of the tolerance */
    char name[64]; /* of the unknown */
    double points; /* output times that would follow it */
} rg_between;

struct rg_solution {
    rg_context *ctx;
    const rg_problem *problem;
    rg_problem *run;     /* owned: the handle of the run, with the warnings; NULL while it lasts */
    rg_problem *written; /* owned: the model with arrays in place of fields; NULL: none */
    rg_layout *layout;
    rg_columns *columns;
    rg_values *exact;          /* NULL: none known */
    char method[32], why[128]; /* and why it was taken */
    char formulation[16];      /* "direct", "projected" or "ggl"; "": it has none */
    bool has_mesh;             /* its steps are the intervals of a mesh */
    rg_structure structure;
    rg_keep keep;
    int64_t n;           /* states */
    bool rows_are_steps; /* no chosen times */

    double t_last;
    double *last;  /* z = (y, y') at t_last, 2 n */
    double *first; /* z at the start, 2 n */

    int64_t n_rows, capacity; /* stored points */
    double *time;             /* capacity */
    double *row;              /* RG_KEEP_ROWS: z of every row, 2 n each */
    /* RG_KEEP_STEPS: y = sum_k a_k s^k, k = 0 .. degree, in the step that ends in row i >= 1.
     * Stored are a_0 .. a_degree, then y' at the end, (degree + 2) n numbers from step[place[i]]
     * on. */
    double *step;
    int64_t *place; /* n_rows + 1 */
    int64_t n_step, step_capacity, place_capacity;

    rg_stats stats;
    double estimate, estimate_end; /* of the global error over all rows, at the end; NaN: none */
    /* its atol/rtol; NaN: one per unknown; -1: relative to the largest values alone, -2: to those
     * of small outputs */
    double estimate_ratio;
    int n_levels;
    double *drift; /* n_levels maxima */
    /* unless the last point alone is kept: steps and their drift, for a report */
    int64_t n_history, history_capacity;
    int history_levels;
    double *history; /* time, then so many residuals (NaN: not computed) */

    int64_t n_exact;
    int64_t *exact_place; /* entry of z that an exact value belongs to, -1: none */
    double *exact_value, *error,
        *largest_error; /* n_exact each: now, |difference| now, over all rows */
    double *value;      /* columns now */
    double *point;      /* a z to work with, 2 n */
    rg_csv *csv;        /* NULL: rows are not written as they come */
    bool has_header;    /* in that file */

    char detail[512];  /* what the method chose and found, lines for the summary */
    char theory[1536]; /* constants of its theory, lines for the summary with --verbose */
    rg_singular *singular;
    int64_t n_singular, singular_capacity;
    rg_event_note *events; /* the first ones of n_events_total */
    int64_t n_events, event_capacity, n_events_total;
    char message[320];       /* why the run ended before the end of the interval; "": it did not */
    const rg_problem *given; /* with fields, the caller's; NULL: there are none */
    double *unknown;         /* all values of its fields at t_last, owned; NULL: divided */
    char *picture;           /* then: of the fields, for a page of HTML, by rg_output_text() */
    rg_grid_facts *grid;     /* of fields on a grid, owned; NULL: there are none */
    rg_between between;
    rg_forces forces; /* n = 0: none */
    int iterations;   /* of a method that iterates (srm); 0: others */
    double force_at;  /* part of a step at which the method has the force; 0: at its end */
    double *force;    /* now */
};

typedef struct { /* an accepted step from t0 to t1 */
    double t0, t1;
    const double *y, *yp;       /* at t1 */
    int degree;                 /* of the polynomial in s = (t - t0)/(t1 - t0) */
    const double *coefficients; /* a_k = coefficients + k n */
} rg_solution_step;

/* Takes *layout, also on failure.  n_levels: of drift.  csv: file name or NULL. */
rg_status rg_solution_create(const rg_problem *p, rg_layout **layout, int n_levels,
                             const rg_request *request, rg_solution **out);
/* The run is over, and its handle the solution's. */
void rg_solution_take_problem(rg_solution *s, rg_problem **p);
/* All of its points, for a checkpoint; the same request and layout made it. */
void rg_solution_store(rg_solution *s, rg_store *to);
/* Its CSV file for a run with checkpoints: begins with `size` bytes of the file of a run before. */
rg_status rg_solution_open_csv(rg_solution *s, const char *path, int64_t size, uint64_t hash);
/* The start point; with chosen times it is a row only when rg_solution_point() says so. */
rg_status rg_solution_start(rg_solution *s, double t, const double *y, const double *yp);
/* Forgets all points, and the rows of its file: the run begins again.  Not where rows have left
 * for good. */
bool rg_solution_can_rewind(const rg_solution *s);
rg_status rg_solution_rewind(rg_solution *s);
/* An accepted step; between steps the storage may grow. */
rg_status rg_solution_accept(rg_solution *s, const rg_solution_step *step);
/* Values behind an event at the end of the last step: another row at the same time. */
rg_status rg_solution_jump(rg_solution *s, double t, const double *y, const double *yp);
rg_status rg_solution_add_events(rg_solution *s, int64_t total, int64_t n,
                                 const rg_event_note *events);
/* A chosen time. */
rg_status rg_solution_point(rg_solution *s, double t, const double *y, const double *yp);
/* level_max NULL: it could not be computed here.  is_step: the end of a step, or the start. */
rg_status rg_solution_take_drift(rg_solution *s, double t, const double *level_max, bool is_step);
/* Before the start. */
rg_status rg_solution_set_forces(rg_solution *s, const rg_forces *forces);
rg_status rg_solution_add_singular(rg_solution *s, int64_t n, const rg_singular *places);
/* The method has put out its last point: there are no forces any more. */
rg_status rg_solution_finish(rg_solution *s);
/* The run is over, with this status: the CSV file of a success gets its name; after a failure
 * its rows stay in PATH.part, and the remedy says so.  Returns the status, or that of the
 * closing when it was no failure. */
rg_status rg_solution_publish(rg_solution *s, rg_status status);

/* z of a stored row, into s->point or a stored place; valid until the next call. */
const double *rg_solution_row_point(const rg_solution *s, int64_t row);
/* z at a time that was passed: any one with RG_KEEP_STEPS, else a stored one; NULL: none.  Valid
 * until the next call. */
const double *rg_solution_point_at(const rg_solution *s, double t);
/* Name and error of an exact value; `which` 0 .. n_exact-1. */
int rg_exact_name(const rg_solution *s, int64_t which, char *buffer, int size);
/* Evaluates the exact solution at a point: |difference| into `error` (n_exact). */
rg_status rg_exact_errors(const rg_solution *s, double t, const double *z, double *error);
/* Writes header and rows. */
rg_status rg_solution_csv_header(const rg_solution *s, rg_csv *csv);
rg_status rg_solution_csv_row(const rg_solution *s, rg_csv *csv, double t, const double *z);

#endif
