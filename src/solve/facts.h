/* What is known about a problem, collected for the reports, and its boundary conditions. */
#ifndef RG_SOLVE_FACTS_H
#define RG_SOLVE_FACTS_H

#include "solution/facts.h"

/* Conditions, with `=` start values among them. */
int64_t rg_condition_count(const rg_problem *p);
/* Fewer than degrees of freedom are refused. */
rg_status rg_check_conditions(rg_problem *p);

/* p may be NULL: then nothing is known. */
rg_facts rg_facts_of(const rg_problem *p);
/* ... and what a run on a grid has told; s may be NULL. */
rg_facts rg_facts_of_run(const rg_problem *p, const rg_solution *s);
void rg_facts_add_perturbation(rg_facts *f); /* the index by perturbations */
void rg_facts_add_plan(rg_facts *f); /* the method that will run, or what a run on a grid needs */

#endif
