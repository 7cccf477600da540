/* The fields of a model at one time, as files and pictures need them: values at the centres of the
 * cells, the first axis fastest. */
#ifndef RG_PDAE_DRAW_FRAME_H
#define RG_PDAE_DRAW_FRAME_H

#include "pdae/form/form.h"

typedef struct {
    const rg_form *form;
    const rg_grid *grid; /* that of the form, or the block of one rank: its cells are here */
    double t;
    const double *unknown; /* all fields one behind the other, not owned */
    int64_t *first;        /* [leaf]: where its values begin there */
    double **own;          /* [leaf and derived]: memory for what is not there as it is */
    const double **at;     /* [leaf and derived]: at the cells */
    double *work;
} rg_frame;

rg_status rg_frame_create(const rg_form *form, rg_frame *out);
/* Of the block of this rank, without what is derived (curl, div): the unknowns of rg_frame_set()
 * are those of the block. */
rg_status rg_frame_create_block(const rg_form *form, const rg_grid *block, rg_frame *out);
void rg_frame_clear(rg_frame *f);
/* The values of all unknowns at time t, in the order of rg_problem's families: scalars on cells,
 * components on all faces across their axis.  They must stay as long as the frame is used. */
void rg_frame_set(rg_frame *f, double t, const double *unknown);
/* A scalar or a component (or given data) at the cells. */
const double *rg_frame_leaf(const rg_frame *f, int leaf);
/* An expression at the cells; what is not finite stays so. */
void rg_frame_eval(rg_frame *f, const rg_quantity *q, double *out);
/* Component c of a vector at a point, linear between its faces; 0 outside. */
double rg_frame_component(const rg_frame *f, int field, int c, const double *x);
bool rg_frame_is_solid(const rg_frame *f, int64_t cell);

#endif
