/* Inside of the expansion: places on the grid as texts of indices, expressions at places. */
#ifndef RG_PDAE_EXPAND_WRITE_H
#define RG_PDAE_EXPAND_WRITE_H

#include "pdae/expand/expand.h"
#include "pdae/form/inside.h"

#include <stdio.h>

enum { INDEX_TEXT = 96 };

typedef struct { /* indices of a cell or a face: from 1; face i is the high side of cell i */
    char index[RG_AXES][INDEX_TEXT];
} spot;

typedef struct {
    rg_context *ctx;
    const rg_problem *p;
    const rg_form *form;
    form_inside *in;
    const rg_options *options;
    FILE *to;
    rg_arena arena;
    bool is_out_of_memory;
    const char *i[RG_AXES]; /* names of the indices */
    const char **array;     /* [leaf]: name of the array of a field, of data */
    const char **inside;    /* [leaf] of a component: with the values on sides */
    const char **ghost;     /* ... and beyond them */
    const char **reduced;   /* readings of the current output */
} writer;

/* Where an expression is evaluated. */
typedef enum {
    AT_CELL,
    AT_FACE,     /* across axis d, between cells index and index + 1 of which low and high exist */
    AT_EDGE,     /* where faces across d and e meet */
    AT_FUNCTION, /* in a fun: arguments stand for axes and leaves */
    AT_OUTPUT    /* names #k stand for reductions */
} place_kind;

typedef struct {
    place_kind kind;
    spot s;
    int d, e;
    bool low, high;            /* AT_FACE, AT_EDGE: along d */
    bool below, above;         /* AT_EDGE: along e */
    const char *axis[RG_AXES]; /* AT_EDGE and others: coordinates, where they are not those of s */
    const rg_statement *fun;
    int side;       /* in an output: number + 1 of the side that it (an edge: e) lies on; 0: none */
    bool is_output; /* a given flux of the side makes the value there differ from that inside */
} where;

/* write.c */
const char *rg_write_text(writer *w, const char *format, ...) RG_PRINTF(2, 3);
const char *rg_write_unique(writer *w, const char *base);
int rg_write_cells(const writer *w, int axis);
bool rg_write_is_periodic(const writer *w, int axis);
double rg_write_width(const writer *w, int axis);
spot rg_write_spot(const writer *w); /* i, j, k */
spot rg_write_shift(const writer *w, spot s, int axis, int by);
spot rg_write_fix(spot s, int axis, int index);
const char *rg_write_element(writer *w, const char *name, spot s);
/* "i=1..8, j=1..8" with other bounds along one axis (-1: none). */
const char *rg_write_ranges(writer *w, int axis, int low, int high);
const char *rg_write_number(writer *w, double value);
const char *rg_write_centre(writer *w, int axis, const char *index);
const char *rg_write_edge(writer *w, int axis, const char *index); /* coordinate of face index */

where rg_at_cell(spot s);
where rg_at_face(const writer *w, int d, spot s); /* both cells are there */
where rg_at_side(writer *w, int side, spot s);    /* s: any cell; its index along the axis is set */

/* print.c */
void rg_print_ast(writer *w, FILE *to, const rg_ast *ast, const where *at);
const char *rg_print_text(writer *w, const rg_ast *ast, const where *at);
/* The quantity at a place, in brackets; "0" for NULL. */
const char *rg_print_quantity(writer *w, const rg_quantity *q, const where *at);
void rg_print_definitions(writer *w); /* param, fun, let, data */

/* leaf.c */
const char *rg_print_leaf(writer *w, int leaf, const where *at);
/* Mean of an array over the cells around a face or an edge that are there. */
const char *rg_print_mean(writer *w, const char *array, const where *at);
/* How far a scalar falls from the cell inside to a side with a given outward flux q, q h/(2 k);
 * NULL: it does not. */
const char *rg_print_fall(writer *w, int leaf, int side, spot s);

/* edge.c: a scalar on a side that gives it, at the end of the side along axis d, where s names one
 * of the first or last faces: it goes on along a line with the next one. */
const char *rg_print_at_end(writer *w, int leaf, int side, spot s, int d, bool is_high);
/* A leaf in an output at an edge (AT_EDGE) of a side, or a component in a face of it. */
const char *rg_print_on_edge(writer *w, int leaf, const where *at);
/* Component d of Darcy flow on an open side across another axis: p is given along it.  It goes on
 * along a line with what lies inside and behind at the ends where it meets a closed side. */
const char *rg_expand_along_open(writer *w, const rg_form_equation *e, int d, int side,
                                 const char *inside, const char *behind);

/* vector.c, scalar.c, output.c, start.c */
void rg_expand_vector(writer *w, const rg_form_equation *e);
const char *rg_expand_slack(writer *w, const rg_form_equation *e);
void rg_expand_scalar(writer *w, const rg_form_equation *e);
void rg_expand_starts(writer *w);
rg_status rg_expand_outputs(writer *w);
/* Rate of a well per volume of its cell; what it carries. */
const char *rg_expand_wells(writer *w, const rg_form_equation *e);
const char *rg_expand_carried(writer *w, const rg_form_equation *e, const rg_convection *c);
const char *rg_expand_rate(writer *w, const rg_well *well, spot s);
spot rg_expand_well_spot(const writer *w, const rg_well *well);

#endif
