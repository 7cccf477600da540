#include "api/regularize.h"

#include "ivp/srm/srm.h"
#include "model/ast.h"

#include <string.h>

int rg_variant_count(const char *method)
{
    if (method == NULL) return 0;
    if (strcmp(method, "penalty") == 0) return rg_penalty_row_count();
    return strcmp(method, "srm") == 0 ? rg_srm_row_count() : 0;
}

rg_variant_info rg_variant_at(const char *method, int k)
{
    if (k < 0 || k >= rg_variant_count(method)) return (rg_variant_info){"", "", "", 0};
    const rg_srm_row row = strcmp(method, "penalty") == 0 ? rg_penalty_row_at(k) : rg_srm_row_at(k);
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

static rg_status fail_y0(rg_solver *s, const char *why)
{
    char kept[200];

    snprintf(kept, sizeof kept, "%s", why);
    rg_clear_error(s->ctx);
    rg_fail(s->ctx, RG_ERR_ARGUMENT, "y0 = '%s' is not accepted: %s", s->options.y0, kept);
    return rg_remedy(
        s->ctx, "give auto, zero, start, start1, start2, or an expression of %s and the parameters",
        s->problem->time_name);
}

rg_status rg_regularize_begin(rg_solver *s)
{
    static const char *const words[] = {"auto", "start", "start1", "start2", "zero"};
    const char *pieces[MOST_EXPRESSIONS];
    rg_problem *y0 = NULL;
    char text[sizeof s->options.y0];

    if (rg_srm_forces(s->integrator) == 0) return RG_OK;
    for (int k = 0; k < 5; k++)
        if (strcmp(s->options.y0, words[k]) == 0) return RG_OK;
    memcpy(text, s->options.y0, sizeof text);
    const int n = split(text, pieces);
    if (n == 0) return fail_y0(s, "it is no expression");
    rg_status status = rg_model_expressions(s->ctx, s->problem, n, pieces, &y0);
    if (status == RG_ERR_MEMORY) return status;
    if (status != RG_OK) return fail_y0(s, rg_last_error(s->ctx)->message);
    status = rg_srm_set_y0(s->integrator, &y0);
    rg_problem_destroy(&y0);
    return status;
}

static int force_name(void *user, int64_t k, char *buffer, int size)
{
    const rg_solver *s = user;

    return rg_system_state_name(s->system, rg_srm_force_state(s->integrator, k), buffer, size);
}

static rg_status force_values(void *user, double t, const double *z, double *out)
{
    const rg_solver *s = user;

    return rg_srm_force(s->integrator, t, z, out);
}

rg_status rg_regularize_attach(rg_solver *s, rg_solution *solution)
{
    const rg_forces forces = {rg_srm_forces(s->integrator), s, force_name, force_values};

    if (forces.n == 0) return RG_OK;
    snprintf(solution->detail, sizeof solution->detail, "%s", rg_srm_choice(s->integrator));
    if (rg_srm_warning(s->integrator)[0] != '\0')
        RG_TRY(rg_problem_warn(s->problem, "%s", rg_srm_warning(s->integrator)));
    return rg_solution_set_forces(solution, &forces);
}

rg_status rg_regularize_finish(const rg_solver *s, rg_solution *solution)
{
    const rg_singular *passage;
    const int64_t n = rg_srm_passages(s->integrator, &passage);

    return rg_solution_add_singular(solution, n, passage);
}
