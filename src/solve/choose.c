/* Decides method and form of the equations from the options and the analysis. */
#include "solve/choose.h"

#include "solve/tuning.h"
#include "views/alias.h"

#include <float.h>
#include <math.h>
#include <string.h>

static rg_status check_stages(const rg_problem *p, const rg_method *m, int stages)
{
    if (stages == 0 || (stages >= m->min_stages && stages <= m->max_stages)) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD, "'%s' cannot take %d stages in this version", m->name, stages);
    if (m->max_stages == 0)
        return rg_remedy(p->ctx, "leave --stages out, or take --method %s",
                         rg_method_choose(p)->name);
    if (m->min_stages == m->max_stages)
        return rg_remedy(p->ctx, "leave --stages out, or give --stages %d", m->min_stages);
    return rg_remedy(p->ctx, "give --stages from %d to %d", m->min_stages, m->max_stages);
}

static rg_status check_order(const rg_problem *p, const rg_method *m, int order)
{
    if (order == 0 || (order >= m->min_order && order <= m->max_order)) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD, "'%s' has no --order %d", m->name, order);
    if (m->max_order == 0) return rg_remedy(p->ctx, "leave --order out");
    return rg_remedy(p->ctx, "give --order from %d to %d", m->min_order, m->max_order);
}

/* Does every position of index 3 have a velocity, q' = v or a second derivative as written? */
rg_status rg_choose_structure(const rg_problem *p, const rg_analysis *a, bool *has_velocities)
{
    rg_aliases aliases = {0};

    *has_velocities = a->is_structural && a->index == 3 && p->n_blocks > 0;
    if (!*has_velocities) return RG_OK;
    const rg_status status = rg_aliases_init(p, a, &aliases);
    for (int64_t j = 0; j < p->n && status == RG_OK; j++)
        if (a->d[j] >= 2 && rg_variable_order(p, j) < 2 && aliases.of[j].unknown < 0)
            *has_velocities = false;
    rg_aliases_clear(p->ctx, &aliases);
    return status;
}

/* The unknown of highest index whose order with this method on this view is below `order`, with 1:
 * that does not converge; -1: there is none. */
static int64_t find_below(const rg_problem *p, const rg_analysis *a, const rg_method *m,
                          const rg_options *o, rg_view_kind view, int order)
{
    rg_order_question q = {.index = view == RG_VIEW_DIRECT ? a->index : 2};
    int64_t found = -1;

    if (a->index < 2 || view == RG_VIEW_REDUCED) return -1;
    for (int64_t j = p->n - 1; j >= 0; j--) {
        const int kind = a->variable_index[j];
        if (view == RG_VIEW_STABILIZED && kind < a->index) continue; /* multipliers: index 2 */
        if (found >= 0 && kind <= a->variable_index[found]) continue;
        q.kind = kind < q.index ? kind : q.index;
        const int theory = rg_method_theory(m, o, q);
        if (theory >= 0 && theory < order) found = j;
    }
    return found;
}

/* What does not converge is not solved; `regula order` shows it. */
static rg_status check_divergent(const rg_problem *p, const rg_analysis *a, const rg_options *o,
                                 const rg_choice *c)
{
    const int64_t j = find_below(p, a, c->method, o, c->view, 1);
    char name[128];

    if (j < 0 || o->is_measured) return RG_OK;
    rg_problem_name(p, j, name, sizeof name);
    rg_fail(p->ctx, RG_ERR_METHOD, "'%s' does not converge in '%s', which has index %d as written",
            c->method->name, name, a->variable_index[j]);
    return rg_remedy(p->ctx, "give --formulation projected, or take --method %s",
                     rg_method_choose(p)->name);
}

/* Is an equation differentiated, as in B(y) y' = a(y) with a singular matrix B(y)? */
static bool is_differentiated(const rg_problem *p, const rg_analysis *a)
{
    for (int64_t i = 0; i < p->n && a->is_structural && p->n_blocks > 0; i++)
        if (a->c[i] > 0) return true;
    return false;
}

/* Has a method for M y' = f(t, y) to be given M(y) y' = f(t, y), of index 1 with a singular M(y)?
 * Where M is constant it takes the model as written. */
static rg_status has_singular_matrix(const rg_problem *p, const rg_analysis *a, const rg_method *m,
                                     bool *found)
{
    rg_system *s = NULL;

    *found = a->index == 1 && m->is_linear_implicit && is_differentiated(p, a);
    if (!*found) return RG_OK;
    RG_TRY(rg_system_create(p, a, RG_VIEW_DIRECT, &s));
    *found = !rg_system_has_mass(s);
    rg_system_destroy(&s);
    return RG_OK;
}

/* The highest index that is taken as written. */
static int direct_index(const rg_analysis *a, const rg_method *m, const rg_options *o)
{
    return m->direct_index != NULL ? m->direct_index(o, a->index) : m->max_direct_index;
}

/* Rounding of t is divided by steps in multipliers of index 2 as written: a step that is rejected
 * for it makes it worse. */
static bool is_late(const rg_problem *p, const rg_options *o)
{
    return DBL_EPSILON * fabs(p->a) > RG_LATE_START * o->rtol * fabs(p->b - p->a);
}

/* So is rounding of constraints that are dependent up to a small part.  Both views divide it by the
 * pivot of that part, once for states and once for multipliers; as written by steps, too. */
bool rg_is_hardly_independent(const rg_analysis *a, const rg_options *o)
{
    const double part = a->least_pivot * a->least_pivot;

    return a->index > 1 && DBL_EPSILON > RG_LATE_PIVOT * o->rtol * part;
}

/* Of multipliers as written.  Where steps follow the tolerance, order 1 makes them as short as
 * that, unless the method has no higher one. */
static int least_order(const rg_analysis *a, const rg_method *m, const rg_options *o)
{
    const rg_order_question q = {.index = a->index, .kind = 1};

    return o->step == 0.0 && rg_method_theory(m, o, q) > 1 ? 2 : 1;
}

/* auto: the model as written up to index 2, reduced and projected above: from index 3 on that
 * gives one to three digits more for the same work, in the velocities and multipliers above all
 * (doc/methods/formulations.md).  Where a switch stands in a constraint its derivatives change with
 * the branch: as written.  What cannot be reduced is taken as written as far as the
 * method can; methods without the option make forms of their own. */
static rg_view_kind best_view(const rg_problem *p, const rg_analysis *a, const rg_method *m,
                              const rg_options *o)
{
    const bool is_reducible =
        rg_analysis_reducible(a) != NULL && p->n_blocks > 0 && m->has_formulation;

    if (a->index > direct_index(a, m, o)) return RG_VIEW_REDUCED;
    const bool holds = m->ivp != NULL && m->ivp->holds_branches && a->index > RG_DIRECT_INDEX;
    if (is_reducible && rg_switches_in_constraints(p, a) && !holds) return RG_VIEW_DIRECT;
    /* errors of index 2 are not damped: where steps vary they add up, and the step collapses */
    const bool varies =
        a->index > 1 && m->is_undamped && o->step == 0.0 && strcmp(o->projected, "on") != 0;
    const bool diverges =
        varies || find_below(p, a, m, o, RG_VIEW_DIRECT, least_order(a, m, o)) >= 0;
    /* rates of single multipliers of redundant constraints mean nothing, nor do norms with them */
    const bool is_redundant = a->index > 1 && a->n_redundant > 0;
    const bool is_noisy =
        (a->index > 1 && is_late(p, o)) || (a->is_structural && rg_is_hardly_independent(a, o));
    return (a->index > RG_DIRECT_INDEX || diverges || is_redundant || is_noisy) && is_reducible
               ? RG_VIEW_REDUCED
               : RG_VIEW_DIRECT;
}

static rg_status choose_view(const rg_problem *p, const rg_analysis *a, const rg_options *o,
                             rg_choice *c)
{
    const int most = direct_index(a, c->method, o);
    const bool is_high = a->index > most;
    bool is_singular;

    RG_TRY(has_singular_matrix(p, a, c->method, &is_singular));
    c->view = is_singular ? RG_VIEW_REDUCED : best_view(p, a, c->method, o);
    if (strcmp(o->formulation, "auto") == 0) return RG_OK;
    if (strcmp(o->formulation, "projected") == 0) {
        c->view = RG_VIEW_REDUCED;
        return RG_OK;
    }
    if (strcmp(o->formulation, "ggl") == 0) {
        /* without hidden constraints: the same equations */
        if (a->index <= 1 && rg_analysis_reducible(a) != NULL) return RG_OK;
        c->view = RG_VIEW_STABILIZED;
        if (a->index <= 1 || c->method->max_direct_index >= 2) return RG_OK;
        rg_fail(p->ctx, RG_ERR_METHOD, "'%s' solves index %d; the stabilized form has index 2",
                c->method->name, c->method->max_direct_index);
        return rg_remedy(p->ctx, "give --formulation projected, or take --method radau");
    }
    if (strcmp(o->formulation, "direct") == 0) {
        c->view = RG_VIEW_DIRECT;
        if (!is_high) return RG_OK;
        rg_fail(p->ctx, RG_ERR_METHOD, "'%s' solves index %d as written; this model has index %d",
                c->method->name, most, a->index);
        return rg_remedy(p->ctx, o->is_measured
                                     ? "give --formulation projected: the index is then reduced"
                                     : "leave --formulation out: the index is then reduced first");
    }
    rg_fail(p->ctx, RG_ERR_METHOD, "this version has no formulation '%s'", o->formulation);
    return rg_remedy(p->ctx, "give auto, direct, ggl or projected");
}

static rg_status check_reduced(const rg_problem *p, const rg_choice *c)
{
    if (c->view == RG_VIEW_DIRECT || p->n_blocks > 0) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD,
            "a callback problem cannot be differentiated to reduce its index");
    return rg_remedy(p->ctx, "write the model as text, or give equations of index 3 or less");
}

/* An index from combinations of equations cannot be reduced; a method may be there that takes
 * it as written. */
static rg_status check_combined(const rg_problem *p, const rg_analysis *a, const rg_choice *c)
{
    const rg_method *other = rg_method_choose(p);

    if (c->view == RG_VIEW_DIRECT || rg_analysis_reducible(a) != NULL
        || a->index > other->max_direct_index || c->method == other)
        return RG_OK;
    rg_fail(
        p->ctx, RG_ERR_METHOD,
        "'%s' needs the index reduced, but the index %d of this model comes from combinations of "
        "equations",
        c->method->name, a->index);
    return rg_remedy(p->ctx, "take --method %s, which solves the model as written", other->name);
}

/* Initial value methods for initial values, boundary value methods for boundary values; some
 * are both. */
static rg_status check_kind(const rg_problem *p, const rg_method *m)
{
    if (p->is_boundary ? m->bvp != NULL : m->ivp != NULL) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD,
            p->is_boundary ? "'%s' solves initial value problems; this is a boundary value problem"
                           : "'%s' solves boundary value problems; this model has no condition "
                             "away from the start",
            m->name);
    return rg_remedy(p->ctx, "leave --method out, or take --method %s", rg_method_choose(p)->name);
}

/* --projected on: the methods that can, on index 2 as written. */
static rg_status check_projected(const rg_problem *p, const rg_analysis *a, const rg_options *o,
                                 const rg_choice *c)
{
    if (strcmp(o->projected, "on") != 0) return RG_OK;
    if (!c->method->can_project) {
        rg_fail(p->ctx, RG_ERR_METHOD, "'%s' does not take --projected on", c->method->name);
        return rg_remedy(p->ctx, "leave it out, or take --method gauss or --method radau1a");
    }
    if (a->index == 2 && c->view == RG_VIEW_DIRECT) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD,
            "--projected on is for index 2 as written; this model has index %d%s", a->index,
            a->index == 2 ? ", and another formulation was asked for" : "");
    return rg_remedy(p->ctx, "leave it out: --formulation projected reduces any index");
}

/* --guess and --continue mean something for boundary values; to ignore them would solve another
 * problem than was asked for. */
static rg_status check_boundary_options(const rg_problem *p, const rg_method *m,
                                        const rg_options *o)
{
    const bool follows = o->continuation[0] != '\0';

    if (!p->is_boundary && (follows || o->guess[0] != '\0')) {
        rg_fail(p->ctx, RG_ERR_ARGUMENT,
                "--%s is for boundary value problems; this model has no condition away from the "
                "start",
                follows ? "continue" : "guess");
        return rg_remedy(p->ctx, follows ? "leave it out, and give the value with --set"
                                         : "leave it out, and give start values with '='");
    }
    if (!follows || m->continues) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD, "'%s' does not follow a parameter with --continue", m->name);
    return rg_remedy(p->ctx, "give the last value with --set, or take --method %s",
                     rg_method_choose(p)->name);
}

/* Meshes of boundary value problems are judged in one norm for all unknowns. */
static rg_status check_tolerances(const rg_problem *p, const rg_method *m, const rg_options *o)
{
    const bool has_own = p->atol_span.end > 0;

    if (!p->is_boundary || !(has_own || o->atol_is_auto || o->atol_names[0] != '\0')) return RG_OK;
    rg_fail(p->ctx, RG_ERR_METHOD,
            "'%s' takes one atol for all unknowns of a boundary value problem", m->name);
    if (!has_own) return rg_remedy(p->ctx, "give --atol as one number");
    rg_fail_at(p->ctx, p->source, p->atol_span);
    return rg_remedy(p->ctx, "leave 'atol' out here, and scale the unknown in the model");
}

/* May another method begin where nothing was asked for?  Measured (doc/measurements.md, "Which
 * method auto takes"): at loose tolerances an explicit one on differential equations in many
 * unknowns and a Rosenbrock method on index 0 and 1 (ivp/relay decides), and an explicit one on
 * mechanics with constraints on velocities, x'' as written and index 2, at still looser ones.
 * Switches are for Radau IIA, which holds their branches. */
static bool may_relay(const rg_problem *p, const rg_analysis *a, const rg_options *o,
                      const rg_choice *c)
{
    const bool is_free = strcmp(o->method, "auto") == 0 && strcmp(o->formulation, "auto") == 0
                         && o->step == 0.0 && o->stages == 0 && !o->is_measured;

    if (!is_free || p->is_boundary || p->n_blocks == 0 || c->view != RG_VIEW_DIRECT
        || !a->is_structural || a->n_redundant > 0 || p->n > RG_RELAY_SIZE)
        return false;
    if (a->index < 2) return o->rtol >= RG_RELAY_RTOL;
    if (a->index != 2 || o->rtol < RG_RELAY_VELOCITIES) return false;
    for (int64_t j = 0; j < p->n; j++) /* all but the multipliers */
        if (rg_variable_order(p, j) != 0 && rg_variable_order(p, j) != 2) return false;
    return p->max_order == 2;
}

rg_status rg_choose(const rg_problem *p, const rg_analysis *a, const rg_options *o, rg_choice *out)
{
    RG_TRY(rg_method_check(p->ctx, o->method));
    out->method = rg_method_asked(p, o->method);
    RG_TRY(check_kind(p, out->method));
    RG_TRY(check_boundary_options(p, out->method, o));
    RG_TRY(check_tolerances(p, out->method, o));
    RG_TRY(check_stages(p, out->method, o->stages));
    RG_TRY(check_order(p, out->method, o->order));
    RG_TRY(choose_view(p, a, o, out));
    RG_TRY(check_projected(p, a, o, out));
    RG_TRY(check_divergent(p, a, o, out));
    RG_TRY(check_combined(p, a, out));
    out->may_relay = may_relay(p, a, o, out);
    return check_reduced(p, out);
}

/* Do both step by the same schemes (srm and its rivals)?  Then steps and schemes are for both. */
static bool is_akin(const char *a, const char *b)
{
    const rg_method *m = rg_method_find(a), *n = rg_method_find(b);

    return m != NULL && n != NULL && m->steps_by_scheme && n->steps_by_scheme;
}

rg_status rg_default_options(const rg_problem *p, const rg_options *given, rg_options *out)
{
    const char *method = NULL;
    char names[128];

    *out = given != NULL ? *given : rg_options_default();
    if (given == NULL) RG_TRY(rg_problem_options(p, out));
    for (int k = 0; k < p->n_settings; k++)
        if (strcmp(p->settings[k].name, "method") == 0) method = p->settings[k].text;
    if (method == NULL || strcmp(method, out->method) == 0) return RG_OK;
    rg_options_drop_model(out, is_akin(method, out->method), names, sizeof names);
    if (names[0] == '\0') return RG_OK;
    return rg_problem_warn(p, "ignored: %s in the model's solve line, written for method %s", names,
                           method);
}

const char *rg_choice_formulation(const rg_choice *c)
{
    static const char *const names[] = {
        [RG_VIEW_DIRECT] = "direct", [RG_VIEW_REDUCED] = "projected", [RG_VIEW_STABILIZED] = "ggl"};

    return names[c->view];
}
