/* What an output reads from the fields: reductions and values at places, and the expression that
 * combines them. */
#ifndef RG_PDAE_FORM_OUTPUT_H
#define RG_PDAE_FORM_OUTPUT_H

#include "pdae/form/form.h"

typedef enum {
    RG_READ_POINT,    /* linear between the values of the grid                                */
    RG_READ_CELL,     /* of a well                                                            */
    RG_READ_INTEGRAL, /* over the domain, a plane or a side                                   */
    RG_READ_MEAN,
    RG_READ_MINIMUM,
    RG_READ_MAXIMUM,
    RG_READ_FORCE, /* on a solid along an axis                                             */
    RG_READ_RATE,  /* of a well                                                            */
    RG_READ_PRESSURE
} rg_read_kind;

typedef struct { /* sign times a quantity, read on the faces across `component`, or on cells: -1 */
    double sign;
    rg_quantity *what;
    int component;
} rg_read_term;

enum { RG_READ_TERMS = 16 };

typedef struct {
    rg_read_kind kind;
    int n_terms; /* an integral of a sum is the sum of integrals, each where its values are */
    rg_read_term term[RG_READ_TERMS];
    int axis; /* plane at[axis]; axis of a force; -1: none */
    int side; /* -1: none */
    int solid, well;
    double at[RG_AXES];
} rg_reading;

/* Derived leaves stand behind those of the form: curl(u) (three components in space), div(u). */
typedef struct rg_derived {
    int field, component; /* component -1: the divergence */
} rg_derived;

typedef struct rg_form_output {
    char *name;
    rg_span span;
    int n_readings;
    rg_reading *readings;
    rg_quantity *value; /* of the readings, as its leaves */
} rg_form_output;

#endif
