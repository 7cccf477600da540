/* What the user gives a run of sequential regularization besides numbers, and what it adds to its
 * solution. */
#include "ivp/srm/srm_impl.h"
#include "solution/solution.h"

#include <string.h>

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

rg_status rg_srm_read_y0(const rg_problem *p, const rg_options *o, rg_problem **y0)
{
    static const char *const words[] = {"auto", "start", "start1", "start2", "zero"};
    const char *pieces[MOST_EXPRESSIONS];
    char text[sizeof o->y0];

    *y0 = NULL;
    for (int k = 0; k < 5; k++)
        if (strcmp(o->y0, words[k]) == 0) return RG_OK;
    memcpy(text, o->y0, sizeof text);
    const int n = split(text, pieces);
    if (n == 0 || p->model_expressions == NULL) return fail_y0(p, o->y0, "it is no expression");
    const rg_status status = p->model_expressions(p->ctx, p, n, pieces, y0);
    if (status == RG_OK || status == RG_ERR_MEMORY) return status;
    return fail_y0(p, o->y0, rg_last_error(p->ctx)->message);
}

rg_status rg_srm_begin(rg_integrator *g, const rg_problem *p)
{
    rg_problem *y0 = NULL;

    RG_TRY(rg_srm_read_y0(p, &g->options, &y0));
    const rg_status status = y0 != NULL ? rg_srm_set_y0(g, &y0) : RG_OK;
    rg_problem_destroy(&y0);
    return status == RG_OK ? rg_srm_open_windows(g, p) : status;
}

static int force_name(void *user, int64_t k, char *buffer, int size)
{
    const rg_srm_core *c = user;

    return rg_system_state_name(c->system, rg_srm_state(c, c->order - 1, (int)k), buffer, size);
}

static rg_status force_values(void *user, double t, const double *z, double *out)
{
    rg_srm_core *c = user;

    RG_TRY(rg_srm_core_force(c, t, z, z + rg_system_size(c->system), out));
    return c->recovers ? rg_srm_hidden_force(c, t, z, out) : RG_OK;
}

static rg_forces forces_of(rg_srm_core *c)
{
    return (rg_forces){c->n_x, c, force_name, force_values};
}

rg_status rg_srm_core_attach(rg_srm_core *c, rg_solution *solution)
{
    const rg_forces forces = forces_of(c);

    return rg_solution_set_forces(solution, &forces);
}

void rg_srm_forces(rg_integrator *g, rg_forces *out)
{
    *out = forces_of(rg_srm_of(g)->core);
}

rg_status rg_srm_attach(rg_integrator *g, const rg_problem *p, rg_solution *solution)
{
    const rg_srm *b = rg_srm_of(g);

    snprintf(solution->detail, sizeof solution->detail, "%s", b->choice);
    if (b->method->is_sequential) solution->iterations = b->m;
    if (b->warning[0] != '\0') RG_TRY(rg_problem_warn(p, "%s", b->warning));
    return rg_srm_core_attach(b->core, solution);
}

int64_t rg_srm_passages(const rg_integrator *g, const rg_singular **out)
{
    *out = rg_srm_of(g)->passage;
    return rg_srm_of(g)->n_passages;
}
