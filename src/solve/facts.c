/* Collects what is known about a problem for the reports: structure, start values, the method that
 * will run; counts and checks boundary conditions. */
#include "solve/facts.h"

#include "bvp/boundary.h"
#include "newton/consistent.h"
#include "pdae/form/facts.h"
#include "solve/choose.h"
#include "solve/grid.h"
#include "views/perturbation.h"

int64_t rg_condition_count(const rg_problem *p)
{
    int64_t count = 0;

    for (int k = 0; k < p->n_conditions; k++)
        count += p->conditions[k].body->count * p->conditions[k].body->n_outputs;
    for (int r = 0; r < p->start_orders; r++)
        for (int64_t j = 0; p->start[r].kind != NULL && j < p->n; j++)
            count += p->start[r].kind[j] == RG_START_KEPT;
    return count;
}

/* Counts, dependences and contradictions; models that boundary value methods cannot take are
 * merely counted. */
rg_status rg_check_conditions(rg_problem *p)
{
    rg_boundary *b = NULL;

    if (!p->is_boundary) return RG_OK;
    const rg_status status = rg_boundary_create(p, p->b, "", &b);
    rg_boundary_destroy(p->ctx, &b);
    if (status != RG_ERR_METHOD) return status;
    rg_clear_error(p->ctx);
    const rg_analysis *a = rg_analysis_known(p);
    const int64_t count = rg_condition_count(p);
    if (count >= a->dof) return RG_OK;
    rg_fail(p->ctx, RG_ERR_STRUCTURE, "%lld boundary condition%s for %lld degrees of freedom",
            (long long)count, count == 1 ? "" : "s", (long long)a->dof);
    return rg_remedy(p->ctx, "give %lld more, as 'boundary' lines or start values with '='",
                     (long long)(a->dof - count));
}

static void add_largest_block(rg_facts *f, const rg_transversal *t)
{
    if (t == NULL || t->block_start == NULL) return;
    for (int64_t b = 0; b < t->n_blocks; b++) {
        const int64_t size = t->block_start[b + 1] - t->block_start[b];
        if (size <= f->largest_block) continue;
        f->largest_block = size;
        f->largest_unknowns = t->column_order + t->block_start[b];
    }
}

static void add_structure(rg_facts *f, const rg_problem *p, const rg_analysis *a)
{
    f->has_structure = true;
    f->structure = rg_structure_of(p, a);
    f->is_structural = a->is_structural;
    f->times = a->c;
    f->redundant = a->is_redundant;
    f->variable_index = a->variable_index;
    add_largest_block(f, a->transversal);
    f->sigma_start = a->signature.start;
    f->sigma_column = a->signature.column;
    f->sigma_order = a->signature.order;
    if (a->transversal == NULL || a->transversal->block_start == NULL) return;
    f->n_blocks = a->transversal->n_blocks;
    f->block_start = a->transversal->block_start;
    f->row_order = a->transversal->row_order;
    f->column_order = a->transversal->column_order;
}

/* The method of the model's solve line; a line that does not fit fails in the solve, with its
 * message. */
static void add_method(rg_facts *f, const rg_problem *p, const rg_analysis *a)
{
    rg_options o;
    rg_choice choice;

    if (rg_default_options(p, NULL, &o) != RG_OK) return;
    if (rg_choose(p, a, &o, &choice) != RG_OK) return;
    f->method = choice.method->name;
    f->is_reduced = choice.view == RG_VIEW_REDUCED;
    f->is_stabilized = choice.view == RG_VIEW_STABILIZED;
}

rg_facts rg_facts_of(const rg_problem *p)
{
    rg_facts f = {.problem = p};

    if (p == NULL) return f;
    if (p->form != NULL) {
        f.has_grid = f.has_structure = true;
        f.structure = rg_form_structure(p->form);
        rg_form_facts(p->form, &f.grid);
        return f;
    }
    const rg_analysis *a = rg_analysis_known(p);
    const rg_consistent *c = rg_start_known(p);
    f.n_conditions = p->is_boundary ? rg_condition_count(p) : 0;
    if (a != NULL) add_structure(&f, p, a);
    if (c != NULL) {
        f.start_orders = c->n_orders;
        f.start = c->value;
    }
    return f;
}

rg_facts rg_facts_of_run(const rg_problem *p, const rg_solution *s)
{
    rg_facts f = rg_facts_of(p);

    if (s != NULL && s->grid != NULL) {
        f.has_grid = f.has_structure = true;
        f.structure = s->structure;
        f.grid = *s->grid;
    } else if (s != NULL && f.has_structure && s->structure.unknowns == f.structure.unknowns) {
        f.structure = s->structure; /* of the model as written, where combinations were solved */
    }
    return f;
}

void rg_facts_add_perturbation(rg_facts *f)
{
    const rg_analysis *a = f->has_structure && !f->has_grid ? rg_analysis_known(f->problem) : NULL;

    if (a != NULL && rg_perturbation_index(f->problem, a, &f->perturbation_index) != RG_OK)
        f->perturbation_index = 0;
}

void rg_facts_add_plan(rg_facts *f)
{
    if (f->has_grid)
        rg_grid_plan(f->problem, &f->grid);
    else if (f->has_structure)
        add_method(f, f->problem, rg_analysis_known(f->problem));
}
