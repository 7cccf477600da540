/* What reports say about a recognized model. */
#ifndef RG_PDAE_FORM_FACTS_H
#define RG_PDAE_FORM_FACTS_H

#include "pdae/form/form.h"
#include "solution/grid.h"

/* Grid, equations and counts; what belongs to a run is left empty. */
void rg_form_facts(const rg_form *form, rg_grid_facts *out);
/* Bytes that a run on the grid needs, without its estimate, by the number of its arrays. */
double rg_form_memory(const rg_form *form);
/* The counts as rg_analyze() gives them. */
rg_structure rg_form_structure(const rg_form *form);

#endif
