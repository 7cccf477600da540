/* regula: differential-algebraic equations F(t, y, y') = 0, from a text file or from C.
 *
 * Sign rule of every rg_status: 0 done; > 0 done, with news; < 0 failed, and rg_last_error() tells
 * what, where and what to do.  Objects come from a context, which must outlive them; one context per thread.
 * Destroy functions take the address of the pointer, accept NULL, and leave NULL behind. */
#ifndef REGULA_H
#define REGULA_H

#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RG_VERSION "0.1.0"

typedef struct rg_context rg_context;   /* allocator, log, last error; one per thread */
typedef struct rg_problem rg_problem;   /* F(t,y,y') = 0, data, structure             */
typedef struct rg_solver rg_solver;     /* method + workspace, for stepping by hand   */
typedef struct rg_solution rg_solution; /* accepted steps, dense output, statistics   */

typedef enum {
    RG_OK = 0,
    RG_STOPPED = 1,           /* an event, or the output callback, ended the run    */
    RG_ERR_ARGUMENT = -1,     /* the caller broke a stated precondition             */
    RG_ERR_MEMORY = -2,       /* an allocation failed                               */
    RG_ERR_IO = -3,           /* a file cannot be read or written                   */
    RG_ERR_SYNTAX = -4,       /* the model text cannot be read                      */
    RG_ERR_STRUCTURE = -5,    /* not square, structurally singular, index too high  */
    RG_ERR_INCONSISTENT = -6, /* initial or boundary values violate the constraints */
    RG_ERR_CONVERGENCE = -7,  /* Newton or step size control gave up                */
    RG_ERR_CALLBACK = -8,     /* user code reported a fatal failure                 */
    RG_ERR_METHOD = -9,       /* the chosen method does not fit the model           */
    RG_ERR_INTERRUPTED = -10  /* rg_context_interrupt() was called                  */
} rg_status;

typedef struct {                 /* plain data, no pointers: copy it freely          */
    rg_status code;              /* the value that the failed call returned          */
    char file[256], source[256]; /* model file and the text of the line, or ""       */
    int line, column, length;    /* the offending text; line 0: no place in a file   */
    double t;                    /* time of a numerical failure, else NaN            */
    char message[512];           /* what is wrong, with the values concerned         */
    char remedy[512];            /* what the user can change                         */
} rg_error;

/* ---- context ---------------------------------------------------------------------------------- */
typedef void rg_log_fn(int level, const char *text, void *user); /* 1 news, 2 detail, 3 trace   */
typedef void *rg_realloc_fn(void *pointer, size_t size,
                            void *user); /* size 0 frees; NULL: failed  */

rg_status rg_context_create(rg_context **out);
/* The same with an allocator of the caller's (fault injection, arenas). */
rg_status rg_context_create_with(rg_realloc_fn *allocate, void *user, rg_context **out);
void rg_context_set_log(rg_context *ctx, rg_log_fn *log, int level, void *user);
void rg_context_interrupt(rg_context *ctx); /* async-signal-safe: the running solve ends soon */
const rg_error *rg_last_error(const rg_context *ctx); /* the first one; never NULL */
int rg_error_count(const rg_context *ctx); /* a model text may have several errors ...      */
const rg_error *rg_error_at(const rg_context *ctx, int k); /* ... 0 .. count-1, in text order */
void rg_error_print(const rg_error *error, FILE *to);
void rg_context_destroy(rg_context **ctx);

/* ---- options: one table serves this, "solve NAME = VALUE" in a model, and --NAME --------------- */
typedef struct {           /* from rg_options_default(), then edit fields            */
    char method[32];       /* "auto", "radau", ...                                   */
    char formulation[16];  /* "auto", "direct", ...                                  */
    double rtol, atol;     /* error per step: rtol > 0, atol >= 0                    */
    double step;           /* > 0: fixed step                                        */
    double h_first, h_max; /* 0: chosen by the solver                                */
    int stages;            /* 0: chosen by the solver                                */
    int64_t max_steps;     /* accepted + rejected                                    */
    int max_newton;        /* Newton iterations per step; 0: chosen by the solver    */
} rg_options;

rg_options rg_options_default(void);
rg_status rg_options_set(rg_context *ctx, rg_options *o, const char *name, const char *text);
typedef struct { /* a row of the table, for help texts and completion */
    const char *name, *kind, *range, *value, *text; /* value: default as text */
} rg_option_info;
int rg_option_count(void);
rg_option_info rg_option_at(int k);
typedef struct {
    const char *name, *solves, *options, *source;
} rg_method_info;
int rg_method_count(void);
rg_method_info rg_method_at(int k);

/* ---- problems ---------------------------------------------------------------------------------- */
/* Callbacks return 0 done, > 0 cannot evaluate here (take a smaller step), < 0 abort.
 * J = dF/dy + shift dF/dy': column-major n x n, or in pattern order once one is set. */
typedef int rg_residual_fn(double t, const double *y, const double *yp, double *F, void *user);
typedef int rg_jacobian_fn(double t, const double *y, const double *yp, double shift, double *J,
                           void *user);
typedef int rg_rhs_fn(double t, const double *y, double *f, void *user); /* M y' = f(t, y) */

typedef struct {
    const char *name; /* parameter */
    double value;
} rg_setting;

rg_status rg_problem_from_file(rg_context *ctx, const char *path,
                               rg_problem **out); /* "-": stdin */
rg_status rg_problem_from_text(rg_context *ctx, const char *text, rg_problem **out);
/* The same, with parameter values that override those of the model (--set). */
rg_status rg_problem_from_file_with(rg_context *ctx, const char *path, int n_settings,
                                    const rg_setting *settings, rg_problem **out);
rg_status rg_problem_create(rg_context *ctx, int64_t n, rg_residual_fn *F, void *user,
                            rg_problem **out);
/* M y' = f(t, y); M column-major n x n and constant, NULL for the identity. */
rg_status rg_problem_create_mass(rg_context *ctx, int64_t n, const double *M, rg_rhs_fn *f,
                                 void *user, rg_problem **out);
rg_status rg_problem_set_jacobian(rg_problem *p, rg_jacobian_fn *J);
rg_status rg_problem_set_pattern(rg_problem *p, const int64_t *start, const int64_t *row);
rg_status rg_problem_set_indices(rg_problem *p, const int *index); /* 1, 2 or 3 per variable */
rg_status rg_problem_set_initial(rg_problem *p, double t0, const double *y, const double *yp);
rg_status rg_problem_set_parameter(rg_problem *p, const char *name, double value);
rg_status rg_problem_set_interval(rg_problem *p, double a, double b);
int64_t rg_problem_size(const rg_problem *p); /* unknowns of the model */
int rg_problem_name(const rg_problem *p, int64_t variable, char *buffer, int size);
const char *rg_problem_title(const rg_problem *p);
const char *rg_problem_time_name(const rg_problem *p);
void rg_problem_interval(const rg_problem *p, double *a, double *b);
int rg_problem_is_boundary(const rg_problem *p); /* boundary value problem? */
/* Default options from the model's solve line. */
rg_status rg_problem_options(const rg_problem *p, rg_options *o);
void rg_problem_destroy(rg_problem **p);

/* ---- analysis and consistent start values ------------------------------------------------------ */
typedef struct {
    int64_t unknowns, equations, dof, blocks, redundant;
    int index; /* differentiation index; an ODE has 0                        */
    int is_singular_start;
} rg_structure;

rg_status rg_analyze(rg_problem *p, rg_structure *out);
rg_status rg_make_consistent(rg_problem *p, const rg_options *o);
/* How the start value of a variable (derivative order k) was given, and what it is now. */
enum { RG_START_NONE = 0, RG_START_GUESS = 1, RG_START_KEPT = 2 };
int rg_problem_start(const rg_problem *p, int64_t variable, int order, double *value);
int rg_problem_variable_index(const rg_problem *p, int64_t variable); /* 1, 2, 3, ...; 0: unknown */
int rg_problem_warning_count(const rg_problem *p);
const char *rg_problem_warning(const rg_problem *p, int k);
/* A readable report of the analysis (what `regula check` prints). */
rg_status rg_problem_describe(rg_problem *p, FILE *to);

/* ---- solving ----------------------------------------------------------------------------------- */
typedef struct {
    int64_t steps, rejected, evaluations, jacobians, factorizations;
    double seconds;
} rg_stats;

/* Called after every accepted step; y, yp of size rg_solution_width(): < 0 or > 0 ends the run. */
typedef int rg_output_fn(double t, const double *y, const double *yp, void *user);

rg_status rg_solve(rg_problem *p, double t_end, const rg_options *o, rg_solution **out);
/* Output at n_times chosen times only (ascending along the run): keeps no steps. */
rg_status rg_solve_at(rg_problem *p, double t_end, const rg_options *o, int64_t n_times,
                      const double *times, rg_solution **out);
rg_status rg_solve_with(rg_problem *p, double t_end, const rg_options *o, rg_output_fn *output,
                        void *user, rg_solution **out);
rg_status rg_solver_create(rg_problem *p, const rg_options *o, rg_solver **out);
rg_status rg_solver_step(rg_solver *s, double t_limit, double *t, double *y);
void rg_solver_destroy(rg_solver **s);

/* Dense output at t: values of the unknowns and of their first derivatives (either may be NULL). */
rg_status rg_solution_eval(const rg_solution *s, double t, double *y, double *yp);
rg_stats rg_solution_stats(const rg_solution *s);
double rg_solution_end(const rg_solution *s);         /* time reached */
const char *rg_solution_method(const rg_solution *s); /* the method that ran */
int64_t rg_solution_rows(const rg_solution *s);       /* stored points: steps or chosen times */
double rg_solution_time(const rg_solution *s, int64_t row);
/* What is written: outputs of the model, or all unknowns (and x' where x'' occurs). */
int64_t rg_solution_columns(const rg_solution *s);
int rg_solution_column_name(const rg_solution *s, int64_t column, char *buffer, int size);
rg_status rg_solution_values(const rg_solution *s, int64_t row, double *values);
/* With `exact`: largest absolute error per unknown over the stored rows (NaN: none given). */
int rg_solution_has_exact(const rg_solution *s);
double rg_solution_error(const rg_solution *s, int64_t variable);
int rg_solution_drift_levels(const rg_solution *s);
double rg_solution_drift(const rg_solution *s, int level);
rg_status rg_solution_write_csv(const rg_solution *s, const char *path); /* "-": stdout */
void rg_solution_destroy(rg_solution **s);

#ifdef __cplusplus
}
#endif
#endif
