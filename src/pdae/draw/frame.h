/* The fields of a model at one time, as files and pictures need them: values at the centres of the
 * cells, the first axis fastest. */
#ifndef RG_PDAE_DRAW_FRAME_H
#define RG_PDAE_DRAW_FRAME_H

#include "pdae/form/form.h"

typedef struct {
    const rg_form *form;
    const rg_grid *grid; /* that of the form, or the block of this rank: its cells are here */
    rg_grid *block;      /* the latter; NULL: it is not divided */
    double t;
    const double *unknown;   /* all fields of the grid one behind the other, not owned */
    int64_t *first;          /* [leaf]: where its values begin there */
    double **own;            /* [leaf and derived]: memory for what is not there as it is */
    const double **at;       /* [leaf]: at the cells */
    const double **shown;    /* [leaf and derived]: on the plane that is shown */
    double *padded[RG_AXES]; /* components that are derived */
    double *work;
} rg_frame;

/* All ranks call these together. */
rg_status rg_frame_create(const rg_form *form, rg_frame *out);
void rg_frame_clear(rg_frame *f);
/* The values of all unknowns at time t (of those of the block), in the order of rg_problem's
 * families: scalars on cells, components on all faces across their axis.  They must stay as long as
 * the frame is used. */
void rg_frame_set(rg_frame *f, double t, const double *unknown);
/* A scalar or a component (or given data) at the cells. */
const double *rg_frame_leaf(const rg_frame *f, int leaf);
/* Pictures show the plane of the first two axes in the middle of a third one: its number among the
 * cells here (-1: another rank has it), and how many cells it has here. */
int rg_frame_layer(const rg_frame *f);
int64_t rg_frame_plane(const rg_frame *f);
/* An expression on that plane; what is not finite stays so. */
rg_status rg_frame_eval(rg_frame *f, const rg_quantity *q, double *out);
bool rg_frame_is_solid(const rg_frame *f, int64_t cell);

#endif
