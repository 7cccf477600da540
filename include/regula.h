/* regula: differential-algebraic equations F(t, y, y') = 0, from a text file or from C.
 *
 * Sign rule of every rg_status: 0 done; > 0 done, with news; < 0 failed, and rg_last_error()
 * tells what, where and what to do.  Objects come from a context, which must outlive them; one
 * context per thread. Destroy functions take the address of the pointer, accept NULL, and leave
 * NULL behind. */
#ifndef REGULA_H
#define REGULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __GNUC__
/* What is declared here is all that the shared library shows. */
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

#define RG_VERSION "0.1.0"

typedef struct rg_context rg_context;   /* allocator, log, last error; one per thread */
typedef struct rg_problem rg_problem;   /* F(t,y,y') = 0, data, structure             */
typedef struct rg_solver rg_solver;     /* method + workspace, for stepping by hand   */
typedef struct rg_solution rg_solution; /* accepted steps, dense output, statistics   */
typedef struct rg_options rg_options;   /* method, tolerances, ...: set by name       */

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

/* The version of the library that runs, as RG_VERSION is that of this header. */
const char *rg_version(void);
/* A word for a status: "ok", "stopped", "argument", "memory", ...; "unknown" for other numbers. */
const char *rg_status_name(rg_status status);

typedef struct {                 /* plain data, no pointers: copy it freely          */
    rg_status code;              /* the value that the failed call returned          */
    char file[256], source[256]; /* model file and the text of the line, or ""       */
    int line, column, length;    /* the offending text; line 0: no place in a file   */
    double t;                    /* time of a numerical failure, else NaN            */
    char message[512];           /* what is wrong, with the values concerned         */
    char remedy[512];            /* what the user can change                         */
} rg_error;

/* ---- context --------------------------------------------------------------------------------- */
typedef void rg_log_fn(int level, const char *text, void *user); /* 1 news, 2 detail, 3 trace   */
typedef void *rg_realloc_fn(void *pointer, size_t size,
                            void *user); /* size 0 frees; NULL: failed  */

/* Makes a context with malloc behind it.  The caller owns it; *out is NULL after a failure,
 * which can only be RG_ERR_MEMORY (there is no context to ask for a message then). */
rg_status rg_context_create(rg_context **out);
/* The same with an allocator of the caller's (fault injection, arenas). */
rg_status rg_context_create_with(rg_realloc_fn *allocate, void *user, rg_context **out);
/* Sends records up to `level` to `log`; NULL switches the log off.  `user` is passed on, not
 * copied. */
void rg_context_set_log(rg_context *ctx, rg_log_fn *log, int level, void *user);
/* Async-signal-safe: the running solve ends soon with RG_ERR_INTERRUPTED and what it has
 * computed. */
void rg_context_interrupt(rg_context *ctx);
/* For a program that ends although its run does not answer, from another thread than the one at
 * work: what the run is writing is left as an interrupt leaves it, rows so far in FILE.part, and no
 * temporary file, folder or process stays.  `note` gets what there is to say about that, to follow
 * a message, or "".  Nothing may be done with the context afterwards: end the program, _exit(). */
void rg_context_abandon(rg_context *ctx, char *note, int size);
/* What the last failed call has to say.  Never NULL; code RG_OK when nothing failed.  Valid
 * until the next call with an object of this context. */
const rg_error *rg_last_error(const rg_context *ctx);
/* A model text may have several errors: 0 .. count-1, in text order. */
int rg_error_count(const rg_context *ctx);
const rg_error *rg_error_at(const rg_context *ctx, int k);
/* Writes place, message, the marked line and the remedy. */
void rg_error_print(const rg_error *error, FILE *to);
/* Everything made from the context must be gone before. */
void rg_context_destroy(rg_context **ctx);

/* ---- options: one table serves this, "solve NAME = VALUE" in a model, and --NAME ------------- */
/* Makes options with the defaults: method and formulation "auto", rtol = atol = 1e-6,
 * everything else left to the solver.  The caller owns *out; it is NULL after a failure. */
rg_status rg_options_create(rg_context *ctx, rg_options **out);
/* Sets one option from its name in the table and a text.  "atol" takes a list: "1e-9" for all
 * unknowns, "x=1e-12,u[3]=1e-9" for single ones (added to those given before; names are looked up
 * when the run begins), "auto".  RG_ERR_ARGUMENT for an unknown name
 * or a value out of range, with a message in the context of the options; they are unchanged
 * then. */
rg_status rg_options_set(rg_options *o, const char *name, const char *text);
/* The value of an option as a text that rg_options_set() reads back; "tol" gives rtol.  Written
 * like snprintf; returns the full length, or RG_ERR_ARGUMENT (negative, without a message; the
 * buffer is unchanged) for an unknown name or a null pointer. */
int rg_options_get(const rg_options *o, const char *name, char *buffer, int size);
/* A second set of options with the same values, in the same context; the caller owns *out, NULL
 * after a failure. */
rg_status rg_options_copy(const rg_options *o, rg_options **out);
void rg_options_destroy(rg_options **o);
typedef struct { /* a row of the table, for help texts and completion */
    const char *name, *kind, *range, *value, *text; /* value: default as text */
} rg_option_info;
/* The rows of the option table, 0 .. count-1; texts live as long as the program. */
int rg_option_count(void);
rg_option_info rg_option_at(int k);
typedef struct { /* a row of the method table; options: names, separated by blanks */
    const char *name, *solves, *options, *source;
} rg_method_info;
/* The methods that work, 0 .. count-1; texts live as long as the program. */
int rg_method_count(void);
rg_method_info rg_method_at(int k);
typedef struct { /* a variant of a method; equations: numbers in its sources */
    const char *name, *equations, *text;
    int index; /* of the models that it solves; 0: all that the method solves */
} rg_variant_info;
/* The variants of a method, 0 .. count-1; 0: it has none. */
int rg_variant_count(const char *method);
rg_variant_info rg_variant_at(const char *method, int k);

/* ---- problems -------------------------------------------------------------------------------- */
/* Callbacks return 0 done, > 0 cannot evaluate here (take a smaller step), < 0 abort.
 * J = dF/dy + shift dF/dy': column-major n x n, or in pattern order once one is set. */
typedef int rg_residual_fn(double t, const double *y, const double *yp, double *F, void *user);
typedef int rg_jacobian_fn(double t, const double *y, const double *yp, double shift, double *J,
                           void *user);
/* Events: g[k] > 0 is the condition of event k.  At an event: y has the values before it and is
 * changed in place; returns 0 to go on, > 0 to end the run as solved, < 0 to abort. */
typedef int rg_event_fn(double t, const double *y, double *g, void *user);
typedef int rg_reset_fn(double t, int event, double *y, void *user);
typedef int rg_rhs_fn(double t, const double *y, double *f, void *user); /* M y' = f(t, y) */

typedef struct {
    const char *name; /* parameter */
    double value;
} rg_setting;

/* Reads a model file ("-": standard input) or a model text and compiles it.  The caller owns
 * *out; it is NULL after a failure: RG_ERR_IO, RG_ERR_SYNTAX, RG_ERR_STRUCTURE or
 * RG_ERR_MEMORY; several errors of one text are all kept (rg_error_count).  Texts are copied. */
rg_status rg_problem_from_file(rg_context *ctx, const char *path, rg_problem **out);
rg_status rg_problem_from_text(rg_context *ctx, const char *text, rg_problem **out);
/* The same, with parameter values that override those of the model (--set); RG_ERR_ARGUMENT for
 * a name that the model has not got. */
rg_status rg_problem_from_file_with(rg_context *ctx, const char *path, int n_settings,
                                    const rg_setting *settings, rg_problem **out);
/* The same, with other files for tables of the model (--table); their paths are not relative to
 * the model.  RG_ERR_ARGUMENT for a name that is no table from a file. */
typedef struct {
    const char *name, *path;
} rg_table_file;
rg_status rg_problem_from_file_tables(rg_context *ctx, const char *path, int n_settings,
                                      const rg_setting *settings, int n_tables,
                                      const rg_table_file *tables, rg_problem **out);
/* The same without a struct, for callers in other languages: from a file, or from `text` where
 * path is NULL, with n parameter values. */
rg_status rg_problem_load(rg_context *ctx, const char *path, const char *text, int n,
                          const char *const *names, const double *values, rg_problem **out);
/* F(t, y, y') = 0 in n unknowns by a callback.  The caller owns *out (NULL after a failure);
 * `user` is passed to every callback and stays the caller's. */
rg_status rg_problem_create(rg_context *ctx, int64_t n, rg_residual_fn *F, void *user,
                            rg_problem **out);
/* M y' = f(t, y); M column-major n x n, constant and copied, NULL for the identity. */
rg_status rg_problem_create_mass(rg_context *ctx, int64_t n, const double *M, rg_rhs_fn *f,
                                 void *user, rg_problem **out);
/* The setters below state more about a callback problem, before it is analysed or solved; after
 * a failure the problem is as it was.  Arrays are copied. Jacobian by a callback; without one,
 * difference quotients are taken. */
rg_status rg_problem_set_jacobian(rg_problem *p, rg_jacobian_fn *J);
/* Pattern of dF/dy and dF/dy' together, compressed columns: start[0..n], rows ascending inside
 * a column. */
rg_status rg_problem_set_pattern(rg_problem *p, const int64_t *start, const int64_t *row);
/* Index of every variable, 1, 2 or 3; without it, one is found from the numerical rank. */
rg_status rg_problem_set_indices(rg_problem *p, const int *index);
/* n events of a callback problem, as `when` in a model: event k is where g[k] > 0 becomes true,
 * having been false before.  Then `reset` is called, once for every event at that time, in their
 * order; what it changes in y is assigned, all else follows as behind a `when`.  NULL: nothing is
 * assigned.  Modes are unknowns with y' = 0, not variables of the caller's: the estimate makes a
 * second run.  n = 0: no events. */
rg_status rg_problem_set_event(rg_problem *p, int n, rg_event_fn *g, rg_reset_fn *reset);
/* Start values at t0, also for problems from a text.  y is kept, yp (may be NULL) a guess; NaN
 * in either means unknown, to be computed. */
rg_status rg_problem_set_initial(rg_problem *p, double t0, const double *y, const double *yp);
/* Builds a problem from a text again with another parameter value.  RG_ERR_ARGUMENT for an
 * unknown name or a callback problem; after a failure the problem is as it was.  Destroy its
 * solvers and solutions before. */
rg_status rg_problem_set_parameter(rg_problem *p, const char *name, double value);
/* Moves the interval; the start values hold at a from now on.  Needs finite a != b. */
rg_status rg_problem_set_interval(rg_problem *p, double a, double b);
/* Name of an unknown ("x", "u[3]", "c[1,2]"): written like snprintf, returns its full length. */
int64_t rg_problem_size(const rg_problem *p);
int rg_problem_name(const rg_problem *p, int64_t variable, char *buffer, int size);
/* These texts belong to the problem; "" without a title. */
const char *rg_problem_title(const rg_problem *p);
const char *rg_problem_time_name(const rg_problem *p);
void rg_problem_interval(const rg_problem *p, double *a, double *b);
/* The parameters that may be set, 0 .. count-1: those that do not follow from others, in the
 * order of the text. The name belongs to the problem, until a parameter of it is set; "" and
 * NaN: there is no such parameter. */
int rg_problem_parameter_count(const rg_problem *p);
rg_setting rg_problem_parameter(const rg_problem *p, int k);
/* 1: conditions name a point other than the start (a boundary value problem). */
int rg_problem_is_boundary(const rg_problem *p);
/* 1: a model with fields on a grid (a `domain` is declared). */
int rg_problem_has_fields(const rg_problem *p);
/* Fields: the scalars and the components of vectors, 0 .. count-1, one behind the other among the
 * unknowns (rg_output_fn, rg_problem_name).  0: the model has none. */
typedef struct {
    const char *name; /* "p", "u[x]"; belongs to the problem                                 */
    int dims;         /* axes                                                                */
    int64_t shape[3]; /* values along each axis; the first axis is the fastest               */
    int across;       /* -1: at the centres of the cells; else on the faces across this axis */
    int64_t first;    /* its first value among the unknowns                                  */
    int64_t count;    /* of its values                                                       */
} rg_field_info;
int rg_problem_field_count(const rg_problem *p);
/* RG_ERR_ARGUMENT, *out unchanged: there is no such field. */
rg_status rg_problem_field(const rg_problem *p, int k, rg_field_info *out);
/* Where the values of a field are along an axis: shape[axis] numbers. */
rg_status rg_problem_field_points(const rg_problem *p, int k, int axis, double *out);
/* The same equations as a model text with arrays and `for` blocks, which any method for initial
 * values takes; o NULL: the model's own options (convection, transport).  The caller frees *out by
 * rg_free_text(); it is NULL after a failure: RG_ERR_METHOD names what cannot be written out. */
rg_status rg_problem_expand(const rg_problem *p, const rg_options *o, char **out);
/* Puts the model's solve line over *o.  A bad name or value ends with RG_ERR_SYNTAX at its
 * place in the text; the options before it are set. */
rg_status rg_problem_options(const rg_problem *p, rg_options *o);
/* The same problem for another thread: equations and data are shared, messages, memory and all that
 * is found out are those of `ctx`, the context of that thread, and of the new handle.  Solves
 * through different handles may go on at the same time.  The caller owns *out, and destroys it
 * before p, which is not changed meanwhile; the new handle cannot be changed (RG_ERR_ARGUMENT).
 * Callbacks are called by both threads. */
rg_status rg_problem_share(rg_context *ctx, const rg_problem *p, rg_problem **out);
void rg_problem_destroy(rg_problem **p);

/* ---- analysis and consistent start values ---------------------------------------------------- */
typedef struct {
    int64_t unknowns, equations, dof, blocks, redundant;
    int index; /* differentiation index; an ODE has 0                        */
    int is_singular_start;
} rg_structure;

/* Index, degrees of freedom, blocks; out may be NULL.  The result is kept: asking again is cheap.
 * RG_ERR_STRUCTURE names what is over- or under-determined; *out is unchanged then. */
rg_status rg_analyze(rg_problem *p, rg_structure *out);
/* Consistent start values, kept with the problem for the solve that follows; o may be NULL.
 * RG_ERR_INCONSISTENT names the violated equation, RG_ERR_METHOD comes for boundary value
 * problems, which have no start point. */
rg_status rg_make_consistent(rg_problem *p, const rg_options *o);
/* Boundary value problems: how strongly the solution answers to its boundary data, the largest
 * change of a state relative to its size for a relative change of one condition.  The problem
 * is solved to a loose tolerance for it; o may be NULL. The result is kept for
 * rg_report_check().  NaN with RG_OK: no solution was found; the report says why. */
rg_status rg_conditioning(rg_problem *p, const rg_options *o, double *out);
/* How the start value of a variable (derivative order k) was given, RG_START_*, and what it is:
 * the consistent value once there is one, before that the given one; NaN: not known.  value may
 * be NULL. */
enum { RG_START_NONE = 0, RG_START_GUESS = 1, RG_START_KEPT = 2 };
int rg_problem_start(const rg_problem *p, int64_t variable, int order, double *value);
/* 1, 2, 3, ...; 0 before the analysis. */
int rg_problem_variable_index(const rg_problem *p, int64_t variable);
/* What was decided or repaired by analysis and start values (and by solvers that are stepped by
 * hand, and runs that failed before the first point); the texts belong to the problem. */
int rg_problem_warning_count(const rg_problem *p);
const char *rg_problem_warning(const rg_problem *p, int k);

/* ---- solving --------------------------------------------------------------------------------- */
typedef struct {
    int64_t steps, rejected, evaluations, jacobians, factorizations;
    double seconds;
} rg_stats;

/* Called at the start and after every accepted step with the values of all unknowns and their
 * first derivatives; a result other than 0 ends the run with RG_STOPPED.  The arrays are the
 * solver's.  On grids the unknowns are the fields one behind the other, and yp is NULL. */
typedef int rg_output_fn(double t, const double *y, const double *yp, void *user);

/* Integrates from the start of the interval to t_end.  o NULL: the defaults with the model's
 * solve line over them. The caller owns *out; it reads the problem, which must stay alive and
 * unchanged.  A run that fails at time t still hands back what it computed; *out is NULL when
 * it failed before the first point. rg_solve keeps all steps with dense output. */
rg_status rg_solve(const rg_problem *p, double t_end, const rg_options *o, rg_solution **out);
/* Output at n_times chosen times only (ascending along the run): memory does not grow with the
 * steps. */
rg_status rg_solve_at(const rg_problem *p, double t_end, const rg_options *o, int64_t n_times,
                      const double *times, rg_solution **out);
/* Hands every step to `output` (may be NULL) and keeps only the last one. */
rg_status rg_solve_with(const rg_problem *p, double t_end, const rg_options *o,
                        rg_output_fn *output, void *user, rg_solution **out);
/* All of the above in one. */
typedef enum {
    RG_KEEP_LAST, /* the last point only                                            */
    RG_KEEP_ROWS, /* the chosen times; without any: every accepted step         */
    RG_KEEP_STEPS /* every accepted step, with dense output                         */
} rg_keep;
typedef struct {
    rg_keep keep;
    int64_t n_times;      /* chosen times; 0: rows are the accepted steps                   */
    const double *times;  /* ascending along the run, inside the interval                   */
    rg_output_fn *output; /* or NULL                                                        */
    void *user;           /* for output                                                     */
    /* Rows are written here as they come ("-": standard output), or NULL.  The file appears whole
     * at the end of a run that succeeds; otherwise its rows stay in csv + ".part", beside an
     * older complete file, and the remedy names it. */
    const char *csv;
    int estimate;  /* 1: a second run, in a second thread, estimates the error of all rows */
    int only_time; /* 1: `output` looks at t alone; y and yp are NULL then on grids */
    /* 1: `output` may be called once more from the start on: when the first singular place is
     * reached, a small model is better off on another form of its equations; when unknowns stay
     * far below atol, the run is repeated with atol by their size. */
    int may_repeat;
    /* A restart file, whole at any time, written every checkpoint_every seconds at most (0: 2), or
     * NULL.  With it a run takes other steps: it begins anew at times that are counted in steps, so
     * that a run that was killed and resumed has the same result to the last bit.  resume 1: goes
     * on from this file; without one, begins.  RG_ERR_ARGUMENT: it is damaged, in use, or of
     * another model or other options; the message names what differs.  `output` sees what is
     * computed after that. */
    const char *checkpoint;
    double checkpoint_every;
    int resume;
} rg_request;
rg_status rg_solve_request(const rg_problem *p, double t_end, const rg_options *o,
                           const rg_request *r, rg_solution **out);

/* The same without a struct, for callers in other languages: keep and estimate as there, no
 * output function, no file; the run may be repeated. */
rg_status rg_solve_rows(const rg_problem *p, double t_end, const rg_options *o, int keep,
                        int64_t n_times, const double *times, int estimate, rg_solution **out);

/* Stepping by hand.  The solver reads the problem, which must stay alive and unchanged; the
 * caller owns *out, NULL after a failure. */
rg_status rg_solver_create(const rg_problem *p, const rg_options *o, rg_solver **out);
/* The same for another thread: memory and messages of the solver are those of `ctx`, the context of
 * that thread. It finds analysis and start values for itself, and may do so while other threads
 * solve the same problem. */
rg_status rg_solver_create_in(rg_context *ctx, const rg_problem *p, const rg_options *o,
                              rg_solver **out);
/* One accepted step towards t_limit, never beyond it: *t the time reached and y (may be NULL)
 * the values of all unknowns there.  After a failure both hold the last accepted point.  At a
 * switch a step ends with the values behind it.  At an event it ends with the values before it;
 * the next call gives those behind it, at the same time.  RG_STOPPED: a `stop` has ended the run,
 * or a reset callback. */
rg_status rg_solver_step(rg_solver *s, double t_limit, double *t, double *y);
/* Values at a time inside the last step: its polynomial; either array may be NULL.  Cheap, and not
 * as good as the ends of the step: with radau and s stages the error of what is differentiated is
 * up to 0.1 tol^((s+1)/(2s)) (10 tol with 3 stages at 1e-6, 700 tol with 7 at 1e-9); algebraic and
 * stiff unknowns that move faster than the steps may be anything there. */
rg_status rg_solver_eval(const rg_solver *s, double t, double *y, double *yp);
/* The same as accurately as a step, as in the rows of chosen times (bdf and the methods of srm:
 * their polynomial).  May evaluate the equations as often as a step does. */
rg_status rg_solver_row(rg_solver *s, double t, double *y, double *yp);
void rg_solver_destroy(rg_solver **s);

/* ---- solutions ------------------------------------------------------------------------------- */
/* Values of the unknowns and of their first derivatives at t (either may be NULL).  Any t that
 * was passed with RG_KEEP_STEPS, else stored times only; RG_ERR_ARGUMENT, arrays unchanged, for
 * others.  Between steps it is their polynomial, with the errors of rg_solver_eval(): for values as
 * good as steps give the times to rg_solve_at(). */
rg_status rg_solution_eval(const rg_solution *s, double t, double *y, double *yp);
rg_stats rg_solution_stats(const rg_solution *s);
double rg_solution_end(const rg_solution *s); /* time reached */
/* Estimated global error,  max_i |e_i| / (atol_i/rtol + |y_i|)  over what is written: in all rows
 * (chosen times, or steps), and at the end alone (initial values).  NaN: not asked for, or the
 * second run that it needs failed. */
double rg_solution_estimate(const rg_solution *s);
double rg_solution_estimate_end(const rg_solution *s);
const char *rg_solution_method(const rg_solution *s); /* the method that ran */
/* What was decided or repaired on the way: by analysis and start values, then by the run; the
 * texts belong to the solution. */
int rg_solution_warning_count(const rg_solution *s);
const char *rg_solution_warning(const rg_solution *s, int k);
int64_t rg_solution_rows(const rg_solution *s); /* stored points: steps or chosen times */
double rg_solution_time(const rg_solution *s, int64_t row); /* NaN: no such row */
/* What is written: outputs of the model, or all unknowns (and x' where x'' occurs). */
int64_t rg_solution_columns(const rg_solution *s);
int rg_solution_column_name(const rg_solution *s, int64_t column, char *buffer, int size);
/* All columns in a row, or at the time reached; NaN where an output cannot be evaluated. */
rg_status rg_solution_values(const rg_solution *s, int64_t row, double *values);
rg_status rg_solution_end_values(const rg_solution *s, double *values);
/* The times of all rows, and all rows of some columns or of one: out[row*n_columns + k] is
 * column first + k. RG_ERR_ARGUMENT for columns that there are not; out is unchanged then. */
rg_status rg_solution_times_into(const rg_solution *s, double *out);
rg_status rg_solution_rows_into(const rg_solution *s, int64_t first, int64_t n_columns,
                                double *out);
rg_status rg_solution_column_into(const rg_solution *s, int64_t column, double *out);
/* Fields on grids: the values of one field at the time reached, `count` of them, and all fields
 * as a file that ParaView opens (.vtr).  RG_ERR_ARGUMENT: there is no such field, or the model
 * has none. */
rg_status rg_solution_field(const rg_solution *s, int k, double *out);
rg_status rg_solution_write_vtk(const rg_solution *s, const char *path);
/* With `exact`: largest absolute error per unknown over the output points (chosen times, or the
 * accepted steps); NaN: no exact solution given, or no such unknown. */
int rg_solution_has_exact(const rg_solution *s);
double rg_solution_error(const rg_solution *s, int64_t variable);
/* Largest constraint residual over the accepted steps and the chosen times, unscaled; levels
 * 0 .. index-2. */
int rg_solution_drift_levels(const rg_solution *s);
double rg_solution_drift(const rg_solution *s, int level);
/* Times at which the constraint Jacobian loses rank and which were passed, 0 .. count-1. */
typedef struct {
    double t;
    int lost;              /* ranks                                                   */
    char constraints[128]; /* which ones: "line 24"; "": the method does not know     */
} rg_singular;
int64_t rg_solution_singular_count(const rg_solution *s);
/* RG_ERR_ARGUMENT, *out unchanged: there is no such place. */
rg_status rg_solution_singular(const rg_solution *s, int64_t k, rg_singular *out);
/* Writes the stored rows ("-": standard output).  The file appears whole; after RG_ERR_IO
 * PATH.part holds what could be written. */
rg_status rg_solution_write_csv(const rg_solution *s, const char *path);
void rg_solution_destroy(rg_solution **s);

/* ---- comparing methods ----------------------------------------------------------------------- */
typedef struct rg_comparison rg_comparison; /* the same problem by several methods */
enum { RG_COMPARE_LEVELS = 8 };
typedef struct {                     /* one of them, and what it did; plain data                  */
    char text[128];                  /* as given: "srm:eps=1e-3:iterations=3"                     */
    char method[32];                 /* the method that ran; "": none did                         */
    rg_status status;                /* of its run                                                */
    char message[512];               /* of a failure, else ""                                     */
    double t;                        /* time reached, NaN: none                                   */
    double error;                    /* the largest absolute one of all unknowns, NaN: not known  */
    int64_t worst;                   /* the unknown that has it, -1: none                         */
    int n_levels;                    /* of drift: largest constraint residuals                    */
    double drift[RG_COMPARE_LEVELS]; /* of g, dg/dt, ... over steps and those 101 times           */
    rg_stats stats;
} rg_compare_row;

/* Solves the problem from the start of its interval to t_end by every method of a list, as in
 * "radau,srm:eps=1e-3:iterations=3": options of one method follow it.  o holds for all of them;
 * NULL: the defaults with the model's solve line over them.  Errors are taken at 101 times,
 * against the exact solution of the model, or against a run with the tolerance 1e-11.  A method
 * that fails is a row like the others. The caller owns *out; it reads the problem, which must
 * stay alive and unchanged.  RG_ERR_ARGUMENT for a list that cannot be read,
 * RG_ERR_INTERRUPTED, RG_ERR_MEMORY: *out has the rows made before, or is NULL. */
rg_status rg_compare(const rg_problem *p, double t_end, const rg_options *o, const char *methods,
                     rg_comparison **out);
int rg_comparison_count(const rg_comparison *c);
/* RG_ERR_ARGUMENT, *out unchanged: there is no such row. */
rg_status rg_comparison_row(const rg_comparison *c, int k, rg_compare_row *out);
/* Largest absolute error of an unknown in row k; NaN: not known. */
double rg_comparison_error(const rg_comparison *c, int k, int64_t variable);
/* What errors are against: "exact", "nothing", or the method of the run with a tight tolerance. */
const char *rg_comparison_against(const rg_comparison *c);
/* The same with a table as papers have them: errors of x and of the constraint force B y of
 * x' = f - B y, 0 = g, and residuals of the constraints, at chosen times, or, without any, as
 * maxima over the mesh points behind the start.  With a fixed step values are those of the mesh
 * point next to a time, the force that in the last collocation point before it. */
typedef struct {
    int64_t n_times; /* 0: maxima */
    const double *times;
    int show_iterates; /* not 0: srm with 1, 2, .. iterates, up to as many as it has */
    /* "error,By,g,iterations"; also g', steps, evaluations, seconds; NULL: error,By,g */
    const char *columns;
} rg_compare_request;
rg_status rg_compare_table(const rg_problem *p, double t_end, const rg_options *o,
                           const char *methods, const rg_compare_request *request,
                           rg_comparison **out);
typedef struct {         /* an entry of the table; plain data                                  */
    int row;             /* of rg_comparison_row()                                             */
    int iteration;       /* of the iterates of one run, from 1 on; 0: they are not shown       */
    int iterations;      /* that its run made; 0: the method has none                          */
    double at, t;        /* the time asked for (NaN: maxima) and the one of these values       */
    double error, force; /* largest errors of x, of B y; NaN: not known                        */
    int n_levels;        /* of drift; 0: not known                                             */
    double drift[RG_COMPARE_LEVELS]; /* |g|, |dg/dt|, ... there                                 */
} rg_compare_point;
int64_t rg_comparison_point_count(const rg_comparison *c);
/* RG_ERR_ARGUMENT, *out unchanged: there is no such entry. */
rg_status rg_comparison_point(const rg_comparison *c, int64_t k, rg_compare_point *out);
/* Writes the rows ("-": standard output), or the entries of its table, as rg_solution_write_csv()
 * does.  Those of a comparison that was ended early go to PATH.part, which is kept: RG_STOPPED. */
rg_status rg_comparison_write_csv(const rg_comparison *c, const char *path);
void rg_comparison_destroy(rg_comparison **c);

/* ---- observed orders ------------------------------------------------------------------------- */
typedef struct rg_orders rg_orders; /* one method with several fixed steps */

/* Solves the problem with n_steps fixed steps (0: a tenth of the interval and five halvings, or
 * the same from a shorter one where a run fails) and takes the errors at t_end, against the exact
 * solution of the model, or against a run with a tight tolerance.  o: method, stages, order,
 * formulation (auto: direct); NULL: the model's solve line.  RG_ERR_ARGUMENT: steps that do not
 * divide the interval; RG_ERR_METHOD: a method without fixed steps; RG_ERR_CONVERGENCE: a run
 * failed, or an order is below theory: *out is there.  The caller owns *out; it reads the
 * problem. */
rg_status rg_order_measure(const rg_problem *p, double t_end, const rg_options *o, int n_steps,
                           const double *steps, rg_orders **out);
/* The same for a boundary value method with meshes of 2 or more numbers of intervals, rising: the
 * largest error over the mesh points and over all problems, of one context, which differ by the
 * value eps[i] of a parameter (NULL: not told), against collocation with a tight tolerance.  Steps
 * are length/intervals.  Fields: cells of the first axis, errors at the end, exact solutions. */
rg_status rg_order_intervals(int n_problems, rg_problem *const *problems, const double *eps,
                             const rg_options *o, int count, const int *intervals, rg_orders **out);
int rg_orders_count(const rg_orders *o); /* steps */
double rg_orders_step(const rg_orders *o, int k);
double rg_orders_error(const rg_orders *o, int k, int64_t variable); /* NaN: not known */
/* From step k to step k + 1; NaN: not known. */
double rg_orders_observed(const rg_orders *o, int k, int64_t variable);
int rg_orders_kind(const rg_orders *o, int64_t variable);   /* index 1, 2, 3 */
int rg_orders_theory(const rg_orders *o, int64_t variable); /* 0: does not converge */
/* "ok", "rounding" (errors too small to tell) or "below" (theory, by more than 0.3). */
const char *rg_orders_verdict(const rg_orders *o, int64_t variable);
/* One row per unknown and step ("-": standard output). */
rg_status rg_orders_write_csv(const rg_orders *o, const char *path);
/* A drawing: errors over steps, both logarithmic, with the slopes of theory. */
rg_status rg_orders_write_svg(const rg_orders *o, const char *path);
void rg_orders_destroy(rg_orders **o);

/* ---- sweeps: one model, many runs ------------------------------------------------------------ */
typedef struct {
    int n_over;
    /* What varies: "l=1,2,3", "l=A..B:N", "l=A..B:N:log", "l=normal(MEAN,STD):N",
     * "l=uniform(A,B):N", "start(x)=...", "@FILE.csv" with columns named like parameters.  All
     * combinations are run, the last one varies fastest; what is drawn at random, and the columns
     * of a file, go together. */
    const char *const *over;
    int zip;                   /* 1: first values with first values and so on, no combinations */
    uint64_t seed;             /* of random values, the same on every machine; 0: 1             */
    int jobs;                  /* threads; 0: one per core (callback problems: one)             */
    int64_t task, n_tasks;     /* only the runs task, task + n_tasks, ...; 0 and 0: all         */
    const rg_options *options; /* of every run; NULL: the model's                               */
    const double *from, *to;   /* of every run; NULL: the model's, unless p was moved           */
    int64_t n_times;           /* values at these times; 0: at the end                          */
    const double *times;
    int estimate;    /* 1: a second run of each estimates its error                             */
    const char *csv; /* a table of the rows, as they come: rg_request; or NULL                  */
    /* 1: takes the rows that csv, or csv + ".part", has already; failed ones are run again. */
    int resume;
} rg_sweep;

typedef struct {       /* one run; everything belongs to the sweep */
    int64_t run, runs; /* its number, from 1, and how many there are (of the task) */
    int n_set;         /* what varies, and its values in this run */
    const char *const *set_names;
    const double *set;
    rg_status status;
    const char *message, *remedy; /* of a failure, else "" */
    double t;                     /* time reached, NaN: none */
    int64_t n_values;             /* NaN: not known; all of them after a failure */
    const char *const *names;     /* "p", or "p(2)" at chosen times */
    const double *values;
    double estimate; /* rg_solution_estimate() */
} rg_sweep_row;
/* Called in the thread of the caller, in the order of the runs; a result other than 0 ends the
 * sweep with RG_STOPPED. */
typedef int rg_sweep_row_fn(const rg_sweep_row *row, void *user);

/* Solves a problem for many values of its parameters, in several threads; what is computed does
 * not depend on their number.  A run that fails is a row like the others.  RG_ERR_ARGUMENT for
 * values that cannot be read or a name that the model has not got; RG_ERR_INTERRUPTED,
 * RG_ERR_MEMORY, RG_ERR_IO: the rows before have been handed on. */
rg_status rg_sweep_run(const rg_problem *p, const rg_sweep *s, rg_sweep_row_fn *row, void *user);
/* Merges the tables of tasks into one.  RG_ERR_ARGUMENT: a run is missing or there twice, or a
 * table belongs to another sweep.  runs: how many there must be, 0: not known. */
rg_status rg_sweep_gather(rg_context *ctx, int n_files, const char *const *files, int64_t runs,
                          const char *csv);

/* Keeps the rows of a sweep for a report; above 1000 values in a row without an output statement
 * it counts them only. */
typedef struct rg_sweep_table rg_sweep_table;
rg_status rg_sweep_table_create(rg_context *ctx, rg_sweep_table **out);
/* An rg_sweep_row_fn, whose user is the table; ends the sweep when memory runs out. */
int rg_sweep_table_take(const rg_sweep_row *row, void *table);
int64_t rg_sweep_table_count(const rg_sweep_table *t);
int64_t rg_sweep_table_failed(const rg_sweep_table *t); /* of these */
/* RG_ERR_ARGUMENT, *out unchanged: there is no such row, 0 .. count-1. */
rg_status rg_sweep_table_row(const rg_sweep_table *t, int64_t k, rg_sweep_row *out);
void rg_sweep_table_destroy(rg_sweep_table **t);
/* The same without structs, for callers in other languages; rows go to the table. */
rg_status rg_sweep_into(const rg_problem *p, const rg_options *o, int n_over,
                        const char *const *over, int zip, int64_t seed, int jobs, int64_t n_times,
                        const double *times, int estimate, rg_sweep_table *table);

/* ---- reports: what the command prints -------------------------------------------------------- */
/* These only write to `to`; whether that worked is for the caller to ask (ferror).  Analysis
 * and start values appear when they have been computed; all start values only with a log of
 * level 2 or more (rg_context_set_log), otherwise the first ones. */
void rg_report_check(const rg_problem *p, FILE *to);
void rg_report_solution(const rg_solution *s, FILE *to);
/* One JSON object.  p and s may be NULL; the status is that of `error` (RG_OK or NULL: ok). */
void rg_report_check_json(const char *model, const rg_problem *p, const rg_error *error, FILE *to);
void rg_report_solution_json(const char *model, const rg_problem *p, const rg_solution *s,
                             const rg_error *error, FILE *to);

void rg_report_orders(const rg_orders *o, FILE *to);
/* o and error may be NULL. */
void rg_report_orders_json(const char *model, const rg_orders *o, const rg_error *error, FILE *to);
void rg_report_comparison(const rg_comparison *c, FILE *to);
void rg_report_comparison_json(const char *model, const rg_comparison *c, FILE *to);
void rg_report_sweep(const rg_sweep_table *t, FILE *to);
/* With mean, standard deviation and quantiles of all values over the runs that succeeded.  t and
 * error may be NULL. */
void rg_report_sweep_json(const char *model, const rg_sweep_table *t, const rg_error *error,
                          FILE *to);
/* The same as texts in memory.  The caller owns *out and frees it by rg_free_text(); it is NULL
 * after a failure: RG_ERR_MEMORY, or RG_ERR_ARGUMENT for a null pointer where the functions
 * above want an object. */
rg_status rg_report_check_text(const rg_problem *p, char **out);
rg_status rg_report_solution_text(const rg_solution *s, char **out);
rg_status rg_report_check_json_text(const char *model, const rg_problem *p, const rg_error *error,
                                    char **out);
rg_status rg_report_solution_json_text(const char *model, const rg_problem *p, const rg_solution *s,
                                       const rg_error *error, char **out);
rg_status rg_report_orders_text(const rg_orders *o, char **out);
rg_status rg_report_orders_json_text(const char *model, const rg_orders *o, const rg_error *error,
                                     char **out);
rg_status rg_report_comparison_text(const rg_comparison *c, char **out);
rg_status rg_report_comparison_json_text(const char *model, const rg_comparison *c, char **out);
rg_status rg_report_sweep_json_text(const char *model, const rg_sweep_table *t,
                                    const rg_error *error, char **out);
/* The tables of options and methods: {"options": [{"name", "kind", "range", "default", "text"}],
 * "methods": [{"name", "solves", "options", "source"}]}. */
rg_status rg_report_tables_json_text(char **out);

/* ---- figures --------------------------------------------------------------------------------- */
typedef struct { /* what a figure shows, and how; 0 and NULL: the default */
    size_t size; /* sizeof(rg_figure): later versions may have more members */
    /* "p,q": outputs, arrays by their name; "q:p": p over q.  NULL: all of them, of long arrays
     * some.  Lines of different size are put into panels of their own. */
    const char *show;
    const char *log;          /* logarithmic axes: "x", "y" or "xy" */
    double width, height;     /* of an SVG figure, in mm; 160 x 100, higher for many panels */
    int is_ascii, has_colour; /* in a terminal: no braille; escape sequences */
    /* in a report: the model file, the command that repeats it, the date (NULL: today) */
    const char *model, *command, *date;
    const rg_error *error; /* in a report: why the run ended early; NULL: it did not */
} rg_figure;

/* A figure of what is written (the rows; with all steps kept also points inside of them), as an SVG
 * file that appears whole.  f NULL: the defaults; p NULL: the title of the problem solved. Numbers
 * that are not finite are gaps, which the caption counts.  RG_ERR_ARGUMENT: an output that there is
 * not, or a solution without rows (RG_KEEP_LAST). */
rg_status rg_report_svg(const rg_solution *s, const rg_problem *p, const rg_figure *f,
                        const char *path);
/* The same with plain arguments, for other languages. */
rg_status rg_report_svg_of(const rg_solution *s, const rg_problem *p, const char *show,
                           const char *log, double width, double height, const char *path);
/* The same for a terminal of `width` characters (0: 80), in braille and without colours; in the
 * second one as f says. */
rg_status rg_report_plot(const rg_solution *s, const rg_problem *p, int width, FILE *to);
rg_status rg_report_figure(const rg_solution *s, const rg_problem *p, const rg_figure *f, int width,
                           FILE *to);
/* Both for a CSV file from anywhere, the abscissa in its first column: an SVG file (svg not NULL)
 * and characters (to not NULL). */
rg_status rg_report_csv_figure(rg_context *ctx, const char *csv, const rg_figure *f,
                               const char *svg, int width, FILE *to);

/* One HTML file that needs nothing else: the model, what was decided, plots that can be looked at
 * closely, statistics, and the data as JSON.  The file appears whole.  With f in the second one,
 * and the same for an analysis, a comparison and observed orders. */
rg_status rg_report_html(const rg_solution *s, const rg_problem *p, const char *path);
rg_status rg_report_html_with(const rg_solution *s, const rg_problem *p, const rg_figure *f,
                              const char *path);
rg_status rg_report_check_html(const rg_problem *p, const rg_figure *f, const char *path);
rg_status rg_comparison_write_html(const rg_comparison *c, const rg_figure *f, const char *path);
rg_status rg_orders_write_html(const rg_orders *o, const rg_figure *f, const char *path);
/* The outputs of a sweep of p over the parameters. */
rg_status rg_sweep_table_write_html(const rg_sweep_table *t, const rg_problem *p,
                                    const rg_figure *f, const char *path);
/* Errors over evaluations, both logarithmic, a point per method. */
rg_status rg_comparison_write_svg(const rg_comparison *c, const char *path);

/* ---- texts, independent of the locale -------------------------------------------------------- */
/* The whole text as a finite number; *value is unchanged when it is none. */
bool rg_parse_real(const char *text, double *value);
/* The nearest of n words (at most 2 edits, less for short words), or NULL. */
const char *rg_nearest_word(const char *word, int n, const char *const *words);
/* Frees a text that a function of this header has made, and leaves NULL. */
void rg_free_text(char **text);

#ifdef __cplusplus
}
#endif
#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
