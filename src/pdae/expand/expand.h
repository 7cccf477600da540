/* A model with fields as a plain text with arrays and loops: the semi-discrete equations that are
 * solved (doc/methods/grids.md).  What `regula expand` prints, and how methods for ordinary models
 * solve a model with fields. */
#ifndef RG_PDAE_EXPAND_H
#define RG_PDAE_EXPAND_H

#include "pdae/form/form.h"

/* The text, made by malloc(), to be freed by free().  RG_ERR_METHOD, naming it, for what cannot be
 * written out: stretched axes, solids, limited transport. */
rg_status rg_expand(const rg_problem *p, const rg_options *o, bool with_exact, char **out);

#endif
