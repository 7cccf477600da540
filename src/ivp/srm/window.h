/* Sequential regularization in windows of one step: every iterate restarts from the last one, and
 * its stages are those of Radau IIA.  ivp/passage chooses the steps and judges singular positions;
 * this folder gives it the stages (rg_passage_iteration).  doc/methods/srm.md, "Windows". */
#ifndef RG_IVP_SRM_WINDOW_H
#define RG_IVP_SRM_WINDOW_H

#include "ivp/passage/passage.h"
#include "ivp/srm/core.h"

typedef struct rg_srm_window rg_srm_window;

/* Does the variant have the form of a window: E = (GB)^-1 or I, alpha_1 = 0? */
bool rg_srm_window_fits(const rg_srm_core *c);
/* The stages for a run on the form.  Options used: eps, iterations.  *out stays NULL, with RG_OK,
 * where constraints or unknowns of the core are not those of the form.  The core and the options
 * must live as long. */
rg_status rg_srm_window_create(rg_srm_core *core, const rg_stable *form, const rg_options *o,
                               rg_srm_window **out);
void rg_srm_window_destroy(rg_srm_window **window);
rg_passage_iteration *rg_srm_window_iteration(rg_srm_window *w);
/* The next window begins a run: iterate 0 is y_0. */
void rg_srm_window_forget(rg_srm_window *w);

#endif
