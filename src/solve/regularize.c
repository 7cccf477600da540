/* Forces, choices and singular places of sequential regularization and its rivals. */
#include "solve/regularize.h"

#include "model/ast.h"

#include <string.h>

int rg_variant_count(const char *method)
{
    return method != NULL ? rg_srm_row_count(method) : 0;
}

rg_variant_info rg_variant_at(const char *method, int k)
{
    if (k < 0 || k >= rg_variant_count(method)) return (rg_variant_info){"", "", "", 0};
    const rg_srm_row row = rg_srm_row_at(method, k);
    return (rg_variant_info){row.name, row.equations, row.text, row.index};
}

enum { MOST_EXPRESSIONS = 64 };

/* At commas outside brackets; what would end a statement is no expression. */
static int split(char *text, const char **pieces)
{
    int n = 0, depth = 0;

    pieces[n++] = text;
    for (char *c = text; *c != '\0'; c++) {
        depth += *c == '(' || *c == '[' ? 1 : *c == ')' || *c == ']' ? -1 : 0;
        if (strchr("\n;#{}=\"", *c) != NULL) return 0;
        if (*c != ',' || depth > 0 || n == MOST_EXPRESSIONS) continue;
        *c = '\0';
        pieces[n++] = c + 1;
    }
    return n;
}

static rg_status fail_y0(const rg_problem *p, const char *text, const char *why)
{
    char kept[200];

    snprintf(kept, sizeof kept, "%s", why);
    rg_clear_error(p->ctx);
    rg_fail(p->ctx, RG_ERR_ARGUMENT, "y0 = '%s' is not accepted: %s", text, kept);
    return rg_remedy(
        p->ctx, "give auto, zero, start, start1, start2, or an expression of %s and the parameters",
        p->time_name);
}

rg_status rg_regularize_read_y0(rg_problem *p, const rg_options *o, rg_problem **y0)
{
    static const char *const words[] = {"auto", "start", "start1", "start2", "zero"};
    const char *pieces[MOST_EXPRESSIONS];
    char text[sizeof o->y0];

    *y0 = NULL;
    for (int k = 0; k < 5; k++)
        if (strcmp(o->y0, words[k]) == 0) return RG_OK;
    memcpy(text, o->y0, sizeof text);
    const int n = split(text, pieces);
    if (n == 0) return fail_y0(p, o->y0, "it is no expression");
    const rg_status status = rg_model_expressions(p->ctx, p, n, pieces, y0);
    if (status == RG_OK || status == RG_ERR_MEMORY) return status;
    return fail_y0(p, o->y0, rg_last_error(p->ctx)->message);
}

rg_status rg_regularize_begin(rg_solver *s)
{
    rg_problem *y0 = NULL;

    if (rg_srm_core_of(s->integrator) == NULL) return RG_OK;
    RG_TRY(rg_regularize_read_y0(s->problem, &s->options, &y0));
    const rg_status status = y0 != NULL ? rg_srm_set_y0(s->integrator, &y0) : RG_OK;
    rg_problem_destroy(&y0);
    return status;
}

static int force_name(void *user, int64_t k, char *buffer, int size)
{
    const rg_srm_core *c = user;

    return rg_system_state_name(c->system, rg_srm_state(c, c->order - 1, (int)k), buffer, size);
}

static rg_status force_values(void *user, double t, const double *z, double *out)
{
    rg_srm_core *c = user;

    return rg_srm_core_force(c, t, z, z + rg_system_size(c->system), out);
}

rg_status rg_regularize_forces(rg_srm_core *c, rg_solution *solution)
{
    const rg_forces forces = {c->n_x, c, force_name, force_values};

    return rg_solution_set_forces(solution, &forces);
}

rg_status rg_regularize_attach(rg_solver *s, rg_solution *solution)
{
    rg_srm_core *core = rg_srm_core_of(s->integrator);

    if (core == NULL) return RG_OK;
    snprintf(solution->detail, sizeof solution->detail, "%s", rg_srm_choice(s->integrator));
    if (rg_srm_warning(s->integrator)[0] != '\0')
        RG_TRY(rg_problem_warn(s->problem, "%s", rg_srm_warning(s->integrator)));
    return rg_regularize_forces(core, solution);
}

rg_status rg_regularize_finish(const rg_solver *s, rg_solution *solution)
{
    const rg_singular *passage;
    const int64_t n = rg_srm_passages(s->integrator, &passage);

    return rg_solution_add_singular(solution, n, passage);
}
