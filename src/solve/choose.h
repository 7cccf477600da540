/* What is decided for a run: method and view, from the options and the analysis. */
#ifndef RG_SOLVE_CHOOSE_H
#define RG_SOLVE_CHOOSE_H

#include "solve/methods.h"

typedef struct {
    const rg_method *method;
    rg_view_kind view;
    bool may_relay; /* auto: another method may begin (ivp/relay/relay.h) */
} rg_choice;

/* RG_ERR_METHOD when the method cannot do what is asked; names one that can. */
rg_status rg_choose(const rg_problem *p, const rg_analysis *a, const rg_options *o, rg_choice *out);
/* Are constraints dependent up to so small a part that rounding, divided by it, is of the size of
 * the tolerance? */
bool rg_is_hardly_independent(const rg_analysis *a, const rg_options *o);
/* Index 3: is it of the form q' = v, v' = ...?  Decides on orders (ivp/irk/theory.h). */
rg_status rg_choose_structure(const rg_problem *p, const rg_analysis *a, bool *has_velocities);
/* Defaults, with the model's solve line over them. */
rg_status rg_default_options(const rg_problem *p, const rg_options *given, rg_options *out);

/* "direct", "projected" or "ggl": the word of --formulation for its view. */
const char *rg_choice_formulation(const rg_choice *c);

#endif
