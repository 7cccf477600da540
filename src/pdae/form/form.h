/* A model with fields, recognized: what the kernels of grids read.  Plain data; nothing here knows
 * the syntax, and no kernel looks at the text.
 *
 *     momentum    m u' + w div(u u) = div(nu grad u) - grad p + f,     div u = q
 *     Darcy       r u = -grad p + f,                                   div u = q
 *     transport   phi c' + w div(u c) + b u.grad c = div(k grad c) + g
 *     elliptic    0 = div(k grad s) + g
 *
 * The equations are divided by the coefficient of grad p; signs are those above.  u.grad c is
 * div(u c) - c div u.  Boundary data, wells and start values stand beside their fields.  What a
 * user gives as an expression is an rg_quantity: it is evaluated on arrays of points. */
#ifndef RG_PDAE_FORM_H
#define RG_PDAE_FORM_H

#include "pdae/mesh/grid.h"
#include "problem/problem.h"

typedef struct rg_form rg_form;
struct rg_ast;

/* Sides of the box: left, right, bottom, top, back, front.  Side 2 d is the low end of axis d,
 * 2 d + 1 its high end. */
enum { RG_SIDES = 6 };
const char *rg_side_name(int side);
int rg_side_find(const char *name); /* -1: no side has this name */

/* Points at the coordinates at[d][0 .. count[d] - 1] (count 1 beyond the last axis).  The value at
 * point (i, j, k) is element  origin + i stride[0] + j stride[1] + k stride[2]  of an array: padded
 * fields and packed ones are evaluated alike.
 *
 * A face on the seam of a periodic axis has two coordinates, those of both ends of the axis; half
 * of it stands for either end, and an expression is there the mean of what it is at both. */
typedef struct {
    int64_t count[RG_AXES], stride[RG_AXES], origin;
    const double *at[RG_AXES];
    const double *seam[RG_AXES][2]; /* also a coordinate of point 0 and of the last one, or NULL */
} rg_points;
rg_points rg_points_cells(const rg_grid *g);           /* of the padded box */
rg_points rg_points_faces(const rg_grid *g, int axis); /* all n + 1 (periodic: n) across the axis */
rg_points rg_points_edges(const rg_grid *g, int c, int d); /* those faces, at all n + 1 along d */
rg_points rg_points_packed(rg_points p); /* the same points, one behind the other */
static inline int64_t rg_points_size(const rg_points *p)
{
    return p->count[0] * p->count[1] * p->count[2];
}

/* ---- expressions ----------------------------------------------------------------------------- */
/* A leaf is an array that expressions may read: a scalar field or given data at cells, or one
 * component of a vector at its faces.  Callers bring leaves to the points of evaluation: a scalar
 * on a face is the mean of its two cells. */
typedef struct {
    int field;     /* number in rg_form.fields, or -1 */
    int component; /* of a vector; 0 otherwise */
    int data;      /* number in rg_form.data, or -1 */
} rg_leaf;

enum { RG_USES_TIME = 1, RG_USES_SPACE = 2, RG_USES_FIELDS = 4, RG_USES_DATA = 8 };

typedef struct rg_quantity rg_quantity;
struct rg_quantity {
    const struct rg_ast *ast; /* scalar; for messages and `regula expand` */
    rg_span span;             /* in the model text */
    unsigned uses;            /* RG_USES_...; 0: it is the number `value` */
    double value;
    int n_inputs; /* the leaves that it reads */
    int *inputs;
    const rg_quantity *same; /* the first component, whose expression it has; or NULL */
    struct rg_tape *tape;
    struct rg_tape *of_time, *of_space; /* a_k(t) and F_k, if it is the sum of a_k F_k; or NULL */
    int64_t work_size;                  /* doubles of workspace for rg_quantity_eval...() */
};

/* Values at the points into `out`; leaves[l] has those of leaf l, in the same places (only those of
 * q->inputs are read).  Nothing is allocated; work has q->work_size doubles, for one thread.
 * All points are evaluated; RG_RETRY: a value is not finite, the first one at element *where (may
 * be NULL). */
rg_status rg_quantity_eval(const rg_form *form, const rg_quantity *q, double t,
                           const rg_points *points, const double *const *leaves, double *work,
                           double *out, int64_t *where);
/* The same in parts: a_1(t) F_1 + ... + a_n(t) F_n of n terms; 0: it has no such parts.  F_k are
 * arrays like `out`. */
int rg_quantity_terms(const rg_quantity *q);
rg_status rg_quantity_eval_space(const rg_quantity *q, const rg_points *points,
                                 const double *const *leaves, double *work, double *const *F);
void rg_quantity_eval_time(const rg_quantity *q, double t, double *work, double *a);
/* Is it absent, or the number 0? */
static inline bool rg_quantity_is_zero(const rg_quantity *q)
{
    return q == NULL || (q->uses == 0 && q->value == 0);
}

/* ---- conditions ------------------------------------------------------------------------------ */
typedef enum {                  /* of a vector on a side or a solid */
               RG_VECTOR_GIVEN, /* all components (flow), the normal one (Darcy); default: 0 */
               RG_VECTOR_SLIP,  /* no normal component, no tangential stress */
               RG_VECTOR_OPEN,  /* p given; fluid may pass, its components do not change outward */
               RG_VECTOR_PERIODIC,
               RG_VECTOR_JOINED, /* no side: another rank goes on */
               RG_VECTOR_LINE    /* in outputs, along it: on a line with the values inside */
} rg_vector_side;

typedef enum {                    /* of a scalar */
               RG_SCALAR_NO_FLUX, /* default: no diffusive flux; carried out with the fluid */
               RG_SCALAR_VALUE,   /* given value; where fluid enters, of what enters */
               RG_SCALAR_FLUX,    /* given outward diffusive flux */
               RG_SCALAR_PERIODIC,
               RG_SCALAR_JOINED,  /* no side: another rank goes on */
               RG_SCALAR_EXCHANGE /* a run has it for a flux that depends on the scalar */
} rg_scalar_side;

typedef struct {
    int kind;                    /* rg_vector_side or rg_scalar_side */
    rg_quantity *value[RG_AXES]; /* vector: components (NULL: 0); scalar, p: value[0] */
    rg_span span;                /* of the condition; 0 0: the default */
} rg_condition;

typedef struct {
    char *name;
    rg_span span;
    rg_condition *condition; /* [field]: on its faces */
    int64_t n_cells;
} rg_solid;

typedef struct {
    char *name;
    rg_span span;
    double at[RG_AXES];
    int64_t cell;
    rg_quantity *rate; /* NULL: pressure and radius are given */
    rg_quantity *pressure, *radius;
    rg_quantity **carries; /* [field]: value of what is put in; NULL: 0 */
} rg_well;

/* ---- fields and their equations -------------------------------------------------------------- */
typedef struct {
    char *name;
    rg_span span;
    bool is_vector;
    int start_kind;              /* RG_START_NONE, RG_START_GUESS, RG_START_KEPT */
    rg_quantity *start[RG_AXES]; /* vector: components; NULL entries: not given */
    bool is_curl;                /* start[] is a potential: 2-D start[0], 3-D all three */
    rg_quantity *exact[RG_AXES]; /* NULL: not known */
    rg_condition side[RG_SIDES];
    int equation; /* number in rg_form.equations that determines it; p: that of its vector */
} rg_field;

typedef struct {
    char *name, *file;
    rg_span span;
    double *value; /* one per cell */
} rg_field_data;

typedef enum {
    RG_FORM_MOMENTUM,
    RG_FORM_DARCY,
    RG_FORM_TRANSPORT, /* also diffusion, and both without a time derivative */
    RG_FORM_ELLIPTIC
} rg_form_kind;

typedef struct { /* dispersion(u, dm, dl, dt) */
    int velocity;
    rg_quantity *molecular, *longitudinal, *transverse;
} rg_dispersion;

typedef struct {  /* w div(u c) + b u.grad c, one for each velocity */
    int velocity; /* number of the vector, or -1: given[] */
    rg_quantity *given[RG_AXES];
    double conservative, advective; /* w, b */
} rg_convection;

enum { RG_CONVECTIONS = 4 };

typedef struct {
    rg_form_kind kind;
    rg_span span;
    int field;    /* u, or the scalar */
    int pressure; /* momentum, Darcy: number of p */
    rg_span constraint_span;
    rg_quantity *source; /* q; NULL: 0 */
    bool is_closed;      /* no open side and no well fixes p; its mean is 0 */

    bool has_derivative;
    rg_quantity *storage[RG_AXES];    /* m, phi (NULL: 1 where has_derivative) */
    double convection;                /* momentum: w of div(u u); 0: none */
    rg_quantity *diffusion[RG_AXES];  /* nu, k; per direction; NULL: none */
    rg_quantity *resistance[RG_AXES]; /* Darcy: r */
    rg_quantity *force[RG_AXES];      /* f, or g in force[0]; NULL: 0 */
    int n_convections;                /* of a scalar */
    rg_convection convections[RG_CONVECTIONS];
    bool has_dispersion;
    rg_dispersion dispersion;
} rg_form_equation;

/* ---- the model ------------------------------------------------------------------------------- */
struct rg_form {
    rg_context *ctx;
    const rg_source *source; /* for messages; title, interval and options are the problem's */
    rg_grid *grid;
    char *axis_name[RG_AXES];
    int n_fields, n_data, n_solids, n_wells, n_equations, n_leaves;
    rg_field *fields;
    rg_field_data *data;
    rg_solid *solids;
    rg_well *wells;
    rg_form_equation *equations;
    rg_leaf *leaves;
    bool is_steady; /* no field has a time derivative: one solve */
    int64_t unknowns, dof;
    int64_t work_size; /* the largest of all its expressions */
    int index;
    int n_outputs, n_derived, n_draws;
    struct rg_form_draw *draws;     /* see draw.h */
    struct rg_form_output *outputs; /* see output.h */
    struct rg_derived *derived;     /* leaves of outputs, numbered behind n_leaves */
    void *inside;                   /* of the recognition: syntax tree, symbols, outputs */
};

void rg_form_destroy(rg_context *ctx, rg_form **form);
/* The form of a problem with fields, or NULL. */
static inline const rg_form *rg_form_of(const rg_problem *p)
{
    return p->form;
}
/* Are the flows into and out of a closed domain known before a run?  They are not where they depend
 * on fields, on data along sides, or on solids that move. */
bool rg_form_knows_flows(const rg_form *form, const rg_form_equation *e);
/* Is a face an unknown?  Given are those on closed sides and on solids; (i, j, k): the cell above
 * it, face n of an axis that is not periodic has i = n. */
bool rg_form_is_free(const rg_form *form, int vector, int axis, const int cell[RG_AXES]);
bool rg_form_is_fluid(const rg_form *form, const int cell[RG_AXES]); /* false outside of the box */
/* "momentum", "Darcy", "transport", "diffusion", "elliptic" */
const char *rg_form_name(const rg_form_equation *e);
int rg_form_find_field(const rg_form *form, const char *name); /* -1: none */
int rg_form_leaf(const rg_form *form, int field, int component);

#endif
