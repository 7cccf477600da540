/* The body of a run on a grid, shared by the files of pdae/run. */
#ifndef RG_PDAE_RUN_RUN_IMPL_H
#define RG_PDAE_RUN_RUN_IMPL_H

#include "pdae/darcy/darcy.h"
#include "pdae/form/output.h"
#include "pdae/run/run.h"
#include "pdae/transport/scalar.h"

typedef struct { /* an equation with its kernel and arrays */
    rg_run_grid *run;
    const rg_form_equation *eq;
    const rg_field *field;
    /* momentum, Darcy */
    rg_vector_space *space;
    rg_fluid *fluid;
    rg_darcy *darcy;
    double *mobility_index; /* wells with a pressure, per volume */
    double *outside, *q;
    double *r[RG_AXES], *f[RG_AXES];
    struct rg_run_kept *kept[RG_AXES]; /* parts of the force that do not change: kept.c */
    bool moves;                        /* coefficients of a scalar change within a step */
    bool varies; /* the matrix of Darcy flow or of an elliptic equation changes in time */
    bool is_set;
    bool is_timed;   /* its data change in time: see timed.c */
    bool is_marched; /* no time derivative: marched to a steady state */
    double moved, size;
    /* scalars */
    rg_scalar_space scalar;
    bool is_carried;       /* advanced in time */
    bool is_nonlinear;     /* its source depends on it */
    bool has_s;            /* s need not be 0 */
    double change_relaxed; /* by the last rg_run_relax(), of its size */
    double *c, *old, *rate, *flux, *storage, *cells, *delta;
    double *storage_old; /* where it varies: the one before */
    double
        *steep; /* derivative of a flux through a side by the cell inside, where it depends on c */
    bool storage_is_lost; /* it belongs to a step that was taken back */
    /* The error in time, of what is not limited by the size of cells.  Explicit: the source now,
     * at the begin of this step and of the last one; implicit, nothing carried: source_old is the
     * rate of the last step.  NULL: there is nothing to control. */
    double *source, *source_begin, *source_old;
    bool has_source_old;
    /* What data that change in time do to the rate; NULL: there are none (timed.c). */
    double *begin, *change, *change_old;
    double *push[RG_AXES + 1], *push_old[RG_AXES + 1];
    bool has_change_old;
    double *k[RG_AXES], *D[RG_AXES * RG_AXES], *given[RG_AXES];
    double *T[RG_AXES], *right, *s;
    rg_elliptic *elliptic;
    struct rg_run_matrix *matrix; /* with convection */
    int64_t iterations;
    char solver[32]; /* name of the one before a pause, which is not there yet; "": none */
    rg_scalar_terms terms;
    double sources[2];               /* in and out per time, at the last rate */
    double passing[2], passed[2][3]; /* of the stages of a step, see stages.c */
    double speed;                    /* of flow: the largest |u|/h so far, at output times */
    bool has_amount;                 /* balance.start is set */
    rg_run_balance balance, balance_old;
} rg_run_part;

struct rg_run_grid {
    rg_context *ctx;
    const rg_form *form;
    const rg_grid *grid; /* that of the form, or the block of this rank */
    rg_grid *block;      /* the latter; NULL: none */
    rg_run_options options;
    double t, k;    /* time, last step                              */
    double wanted;  /* next step as the error in time allows; 0: none yet */
    double decay;   /* largest rate at which scalars decay in a cell, at the start of the step */
    bool is_staged; /* their steps are those of stages.c */
    bool has_first; /* ... and their rates at its start are known from the step before */
    int n_parts;
    rg_run_part *part;
    double **native;   /* [leaf]: at its own places                     */
    double **buffer;   /* [leaf]: at the points of an evaluation        */
    const double **at; /* [leaf]: what an evaluation reads              */
    double *work;
    double **derived; /* [derived leaf of outputs]                     */
    double *scratch;  /* values of an output                           */
    double *across;   /* the same on faces, for what it is on sides    */
    double *reading;  /* numbers that one output reads                 */
    const double **reading_at;
    rg_run_stats stats;
    bool is_timed; /* some part is */
};

/* Values of a quantity (NULL: 0) on the cells, or on the faces across axis c, at time t. */
rg_status rg_run_at_cells(rg_run_grid *r, const rg_quantity *q, double t, double *out);
rg_status rg_run_at_faces(rg_run_grid *r, const rg_quantity *q, double t, int c, double *out);
/* Only faces 0 and n across a periodic axis, each at its own end of the axis. */
rg_status rg_run_at_seam(rg_run_grid *r, const rg_quantity *q, double t, int c, double *out);
/* Now, in the layers of cells (c < 0) or of faces across c inside and beyond one end of axis d,
 * with the coordinate of this end.  Nothing where the block does not have it. */
rg_status rg_run_at_end(rg_run_grid *r, const rg_quantity *q, int c, int d, bool high, double *out);
bool rg_run_has_end(const rg_grid *g, int d, bool high);
/* On the edges between the faces across c and those across d. */
rg_status rg_run_at_edges(rg_run_grid *r, const rg_quantity *q, double t, int c, int d,
                          double *out);
/* On the layer i of the faces across d, now, with the values of fields on sides and solids there
 * (c < 0); or on its edges with the faces across c.  Nothing where the block has no such layer. */
rg_status rg_run_on_layer(rg_run_grid *r, const rg_quantity *q, int c, int d, int i, double *out);
/* On a side, for component c of a vector (-1: a scalar): at the boundary face for the normal
 * component, in the first ghost cell otherwise. */
rg_status rg_run_at_side(rg_run_grid *r, const rg_quantity *q, double t, int c, int side,
                         double *out);

/* The leaves that a quantity reads, at the cells (c < 0) or on the faces across c, into r->at. */
void rg_run_bring(rg_run_grid *r, const rg_quantity *q, int c);
/* The force of an equation at time t: on the faces across c of a flow, or the source at the cells
 * (c = 0); and added to `out` on the unknown faces. */
rg_status rg_run_force_at(rg_run_part *p, int c, double t, double *out);
rg_status rg_run_add_force(rg_run_part *p, int c, double t, double *out);
void rg_run_kept_free(rg_run_part *p);

/* Every cell of the fluid has a coefficient, the values v of q, that is positive (or zero) and
 * finite, or it is named. */
rg_status rg_run_check_cells(const rg_run_part *p, const rg_quantity *q, const double *v,
                             const char *what, bool may_vanish);
bool rg_run_has_fluid(const rg_run_grid *r);
rg_status rg_run_create_momentum(rg_run_part *p);
/* Makes what has no time derivative in flow steady: step.c. */
rg_status rg_run_march_to_rest(rg_run_grid *r);
rg_status rg_run_part_create(rg_run_part *p, rg_run_grid *r, const rg_form_equation *eq);
void rg_run_part_free(rg_run_part *p);

/* Kernels: see run.c for their order. */
rg_status rg_run_solve_darcy(rg_run_part *p, double t);
rg_status rg_run_solve_scalar(rg_run_part *p, double t); /* without a time derivative */
rg_status rg_run_determine(rg_run_grid *r, double t);
/* The scalars of them only: for the second stage of a step, and after one that was taken back. */
rg_status rg_run_determine_scalars(rg_run_grid *r, double t);
bool rg_run_is_determined(const rg_run_part *p); /* by such an equation */
/* Does an equation contain a field, as a number or as what carries? */
bool rg_run_reads(const rg_form *form, const rg_form_equation *e, int field);

/* Data that change in time, see timed.c.  Marks the parts. */
rg_status rg_run_find_timed(rg_run_grid *r);
double rg_run_timed_limit(const rg_run_grid *r); /* the longest step that looks often enough */
/* Darcy flow with such data at time t. */
rg_status rg_run_follow_darcy(rg_run_grid *r, double t);
/* The rate at the start of a step; its change to time t with the same c, before the second stage;
 * the error that it makes, in units of the tolerance; and when the step is accepted. */
void rg_run_keep_rate(rg_run_part *p);
rg_status rg_run_find_change(rg_run_part *p, double t);
double rg_run_change_error(rg_run_part *p, double k);
void rg_run_keep_change(rg_run_part *p);
/* The error of a step of flow by forces and sides that change in time, in those units. */
rg_status rg_run_push_error(rg_run_part *p, double t, double k, double *error);

/* One step of the carried scalars; *error: the largest estimate in units of the tolerance. */
rg_status rg_run_carry(rg_run_grid *r, double t, double k, double *error);
void rg_run_carry_undo(rg_run_grid *r);
rg_status rg_run_carry_accept(rg_run_grid *r, double k);
bool rg_run_carry_has_error(const rg_run_grid *r);
void rg_run_begin_carry(rg_run_part *p);
/* Lowers *limit to the largest stable step of two stages, *carried to that of convection alone, and
 * raises *decay. */
rg_status rg_run_carry_limit(rg_run_part *p, double t, double *limit, double *carried,
                             double *decay);
/* More stages where diffusion would keep the steps short: stages.c. */
bool rg_run_may_stage(const rg_run_grid *r);
double rg_run_stages_reach(void); /* largest step times rate of decay */
rg_status rg_run_carry_stages(rg_run_grid *r, double t, double k, double *error);
void rg_run_stages_accept(rg_run_grid *r);
rg_status rg_run_scalar_sides(rg_run_part *p, double t);
/* The size of the scalar for differences, `now` being its largest value. */
double rg_run_size(const rg_run_part *p, double now);
/* Fluxes through sides that depend on the scalar, see exchange.c: sets scalar.given, surface and
 * steep of the side; adds their derivatives to p->s. */
bool rg_run_side_exchanges(const rg_run_part *p, int side);
rg_status rg_run_exchange(rg_run_part *p, double t, int side);
rg_status rg_run_exchange_slopes(rg_run_part *p, double t, bool *indefinite);
/* Outputs see beyond sides and solids with a given flux what the flux makes of it, and given values
 * go on along lines beyond the corners; equations, which know the flux itself, see a copy of the
 * cell inside. */
rg_status rg_run_show_fluxes(rg_run_grid *r);
void rg_run_hide_fluxes(rg_run_grid *r);
/* Outputs see the components of Darcy flow along sides and solids, which have no condition there:
 * shown.c. */
rg_status rg_run_show_darcy(rg_run_grid *r);
void rg_run_hide_darcy(rg_run_grid *r);
/* Diffusion on the faces into p->k; *any: there is some. */
rg_status rg_run_face_diffusion(rg_run_part *p, double t, bool *any);
/* Storage phi on the cells, diffusion and dispersion on the faces at time t. */
typedef enum {                  /* who asks for coefficients */
               RG_TERMS_NOW,    /* before a step           */
               RG_TERMS_FIRST,  /* its first stage: velocities of its start */
               RG_TERMS_SECOND, /* its second stage        */
               RG_TERMS_IMPLICIT
} rg_terms_when;
rg_status rg_run_find_storage(rg_run_part *p, double t, rg_terms_when when);
rg_status rg_run_scalar_terms(rg_run_part *p, double t, rg_terms_when when, rg_scalar_terms *terms);
/* The velocity of a term of convection, at this part of the step; given ones at time t. */
rg_status rg_run_carrier(rg_run_part *p, const rg_convection *cv, double t, double part,
                         double *const **u);
/* Rate of phi c at time t, this part of the step, into p->rate; moved: what comes in and goes out
 * per time. */
rg_status rg_run_scalar_rate(rg_run_part *p, const rg_scalar_terms *terms, double t, double part,
                             double moved[2]);
/* What comes in and goes out now that c has changed, of a scalar that nothing carries and whose
 * sources are those of the last rate. */
rg_status rg_run_scalar_moved(rg_run_part *p, const rg_scalar_terms *terms, double t,
                              double moved[2]);
/* c with  phi (c - old)/k = rate of c  at time t (k = INFINITY: steady). */
rg_status rg_run_relax(rg_run_part *p, double t, double k, double moved[2]);
/* The matrix of an implicit step with upwind convection, for p->right; see matrix.c. */
rg_status rg_run_matrix_solve(rg_run_part *p, double t, const double *diagonal, double *x);
void rg_run_matrix_free(rg_run_part *p);
const char *rg_run_part_solver(const rg_run_part *p); /* its name; NULL: it has none */
rg_run_part *rg_run_part_of(rg_run_grid *r, int field);
double *const *rg_run_velocity(rg_run_grid *r, int field);
double rg_run_well_rate(rg_run_grid *r, int well, double t);
/* A number of a well: its expression may contain t, but no field. */
double rg_run_number(rg_run_grid *r, const rg_quantity *q, double t);
rg_status rg_run_well_pressure(rg_run_grid *r, int well, double *out);
/* p->mobility_index: of wells with a pressure, with the resistances p->r of time t. */
rg_status rg_run_well_indices(rg_run_part *p, double t);
int64_t rg_run_well_place(rg_run_grid *r, int well);
double *rg_run_derived(rg_run_grid *r, int which);
/* Is the quantity one leaf as it is, on these faces (-1: cells)?  Then its array. */
bool rg_run_is_leaf(rg_run_grid *r, const rg_quantity *q, int component, const double **out);

/* Of values with ghosts on the faces across `component` (-1: cells), linear between them, or
 * (bends) with their curvature too: at a place, 0 where another rank has it; over all, or over the
 * plane across `axis` (-1: none) at x. */
double rg_run_value_at(const rg_grid *g, const double *v, int component, const double *x,
                       bool bends);

/* The layer of values before the plane at x, counted from the begin of the block. */
int rg_run_layer_at(const rg_grid *g, int component, int axis, double x);

typedef struct {
    double sum, weight, least, most;
    double below, above; /* how far extrema between the values lie beyond least and most */
} rg_run_reduction;

/* v: the values of a term. */
rg_run_reduction rg_run_reduce(const rg_grid *g, const double *v, const rg_read_term *of, int axis,
                               double x, bool bends);

/* Source q of the constraint with its wells, per volume. */
rg_status rg_run_source(rg_run_part *p, double t, double *q);
/* Refuses a closed domain whose flows in and out differ, with q per volume at time t and the walls
 * as they are; of flow at the start, and later where they may change. */
rg_status rg_run_check_closed(rg_run_part *p, double t, const double *q);
rg_status rg_run_check_flow(rg_run_part *p, double t, bool is_start);
/* Does what sides, solids, wells and q bring in contain t? */
bool rg_run_inflow_changes(const rg_run_part *p);
rg_status rg_run_walls(void *part, double t, rg_vector_space *s);
rg_status rg_run_outside(void *part, double t, double *out);

#endif
