/* Pictures that a model asks for: the items of its draw statements. */
#ifndef RG_PDAE_FORM_DRAW_H
#define RG_PDAE_FORM_DRAW_H

#include "pdae/form/form.h"

typedef struct rg_form_draw {
    char *name;                  /* as written */
    int lines;                   /* the vector whose stream lines are drawn; -1: none */
    rg_quantity *value[RG_AXES]; /* value[0]: the scalar; of a vector all components */
    bool is_vector;              /* its size is shown */
} rg_form_draw;

#endif
