/* Why there are no start values: the violated equation and the given value that stands in the
 * way. */
#include "newton/search.h"
#include "newton/tuning.h"

#include <math.h>
#include <string.h>

/* r = R (F + J d), d the least-squares step: what no movement of the free columns can remove.  Rows
 * without movable columns get the weight 1/size. */
typedef struct {
    rg_start_system *s;
    rg_iteration *it;
    double *weight, *r, *a; /* n_rows each */
    int stage;              /* of the constraints that are contradicted: stages.c */
    bool has_stage;         /* only its rows are named */
} culprit;

/* x <- W (x + J d(x)): the part of x outside the range of the movable columns. */
static void project_out(culprit *c, double *x)
{
    rg_start_system *s = c->s;

    rg_newton_step_solve(c->it->step, x, false, c->it->d);
    for (int64_t j = 0; j < s->n_columns; j++) {
        const double d = c->it->d[j];
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1] && d != 0; k++)
            x[s->pattern->row[k]] += s->J[k] * d;
    }
    for (int64_t i = 0; i < s->n_rows; i++)
        x[i] *= c->weight[i];
}

static bool has_entry(const rg_start_system *s, int64_t row, int64_t column)
{
    for (int64_t k = s->pattern->start[column]; k < s->pattern->start[column + 1]; k++)
        if (s->pattern->row[k] == row && s->J[k] != 0) return true;
    return false;
}

/* The residual that row i has when all others hold:  r_i / P_ii  with the projector P outside
 * the range. */
static double lone_residual(culprit *c, int64_t i)
{
    memset(c->a, 0, (size_t)c->s->n_rows * sizeof *c->a);
    c->a[i] = 1;
    project_out(c, c->a);
    const double share = c->a[i] / c->weight[i]; /* P_ii */
    return share > sqrt(DBL_EPSILON) ? c->r[i] / c->weight[i] / share : c->s->F[i];
}

/* r^T W J e_j */
static double slope(const culprit *c, int64_t j)
{
    const rg_start_system *s = c->s;
    double sum = 0;

    for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
        const int32_t i = s->pattern->row[k];
        sum += c->r[i] * c->weight[i] * s->J[k];
    }
    return sum * s->scale[j];
}

/* Row i holds some of the column in c->a, whose largest entry is this. */
static bool reaches(const culprit *c, int64_t i, double largest)
{
    return fabs(c->a[i]) > RG_CONTRADICTION_INVOLVED * largest;
}

/* cos^2 of the angle between r and column j (outside the range), which is in c->a then: 1 when
 * changing value j alone removes r.  is_local: removes what it can reach of r, one of many
 * contradictions. */
static double explains(culprit *c, int64_t j, bool is_local)
{
    const rg_start_system *s = c->s;
    double aa = 0, ar = 0, rr = 0, largest = 0;

    memset(c->a, 0, (size_t)s->n_rows * sizeof *c->a);
    for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++)
        c->a[s->pattern->row[k]] = s->J[k];
    project_out(c, c->a);
    for (int64_t i = 0; i < s->n_rows; i++)
        largest = fmax(largest, fabs(c->a[i]));
    for (int64_t i = 0; i < s->n_rows; i++) {
        aa += c->a[i] * c->a[i];
        ar += c->a[i] * c->r[i];
        if (!is_local || reaches(c, i, largest)) rr += c->r[i] * c->r[i];
    }
    return aa > 0 && rr > 0 ? ar * ar / (aa * rr) : 0;
}

/* How well row i names the contradiction: first the equation that is differentiated most (the
 * constraint), then one that holds the value to relax, then the lowest derivative. */
static int fitness(const rg_start_system *s, int64_t i, int64_t column)
{
    const int holds = column >= 0 && has_entry(s, i, column);
    return (s->rank[i] * 2 + holds) * (RG_MAX_ORDER + 2) - s->level[i];
}

/* The violated equation, among the rows that contradict each other; column: the value to relax,
 * which reaches it, or -1. */
static int64_t violated_row(culprit *c, int64_t column)
{
    double largest = 0, most = 0;
    int64_t best = -1;
    int best_fit = 0;

    if (column >= 0) explains(c, column, true);
    for (int64_t i = 0; i < c->s->n_rows && column >= 0; i++)
        most = fmax(most, fabs(c->a[i]));
    for (int64_t i = 0; i < c->s->n_rows; i++)
        if (column < 0 || reaches(c, i, most)) largest = fmax(largest, fabs(c->r[i]));
    for (int64_t i = 0; i < c->s->n_rows; i++) {
        if (!(fabs(c->r[i]) >= RG_CONTRADICTION_INVOLVED * largest)) continue;
        if (column >= 0 && !reaches(c, i, most)) continue;
        if (c->has_stage && rg_start_stage_of(c->s, i) != c->stage) continue;
        const int fit = fitness(c->s, i, column);
        if (best >= 0 && fit < best_fit) continue;
        if (best >= 0 && fit == best_fit && fabs(c->r[i]) <= fabs(c->r[best])) continue;
        best = i;
        best_fit = fit;
    }
    return best;
}

typedef struct {
    int64_t column;
    double influence;
} candidate;

/* Keeps the list sorted by falling influence, RG_CONTRADICTION_CANDIDATES at most. */
static void add_candidate(candidate *list, int *count, candidate new)
{
    if (!(new.influence > 0)) return;
    if (*count == RG_CONTRADICTION_CANDIDATES
        && new.influence <= list[RG_CONTRADICTION_CANDIDATES - 1].influence)
        return;
    int at = *count < RG_CONTRADICTION_CANDIDATES ? (*count)++ : RG_CONTRADICTION_CANDIDATES - 1;
    for (; at > 0 && list[at - 1].influence < new.influence; at--)
        list[at] = list[at - 1];
    list[at] = new;
}

/* The one of the candidates that explains the contradiction best; among equals a derivative (it
 * follows from the others), then the one with the largest influence; -1: none. */
static int64_t best_candidate(culprit *c, const candidate *list, int count, bool is_local)
{
    const rg_start_system *s = c->s;
    int64_t best = -1;
    double best_cosine = RG_CONTRADICTION_INFLUENCE;

    for (int k = 0; k < count; k++) {
        const int64_t j = list[k].column;
        const double cosine = explains(c, j, is_local);
        const bool is_top =
            best >= 0 && s->place[j] == RG_PLACE_HIGH && s->place[best] != RG_PLACE_HIGH;
        if (cosine
            <= (is_top ? 1 / RG_CONTRADICTION_CLEARLY : RG_CONTRADICTION_CLEARLY) * best_cosine)
            continue;
        best = j;
        best_cosine = fmax(cosine, best_cosine);
    }
    return best;
}

/* Of a parameter that events change: other values are to follow it. */
static bool is_constant(const rg_start_system *s, int64_t j)
{
    for (int k = 0; k < s->p->n_families; k++) {
        const rg_family *f = &s->p->families[k];
        if (s->unknown[j] >= f->first && s->unknown[j] < f->first + f->count) return f->is_constant;
    }
    return false;
}

/* Where many values contradict the equations, each explains but little: then its own contradiction
 * counts. */
static int64_t best_of(culprit *c, bool has_constants)
{
    const rg_start_system *s = c->s;
    candidate list[RG_CONTRADICTION_CANDIDATES];
    int count = 0;

    for (int64_t j = 0; j < s->n_columns; j++) {
        if (s->given[j] != RG_START_KEPT || (is_constant(s, j) && !has_constants)) continue;
        add_candidate(list, &count, (candidate){.column = j, .influence = fabs(slope(c, j))});
    }
    const int64_t best = best_candidate(c, list, count, false);
    return best >= 0 ? best : best_candidate(c, list, count, true);
}

/* The kept value to relax; -1: none. */
static int64_t value_to_relax(culprit *c)
{
    const int64_t best = best_of(c, false);

    return best >= 0 ? best : best_of(c, true);
}

/* 1 + where in the text a 'start' line gives the value, 0: the declaration does. */
static int32_t place_of(const rg_start_system *s, int64_t column)
{
    const int order = s->order[column];

    if (order >= s->p->start_orders || s->p->start[order].place == NULL) return 0;
    return s->p->start[order].place[s->unknown[column]];
}

/* The array of a kept value, if it has kept elements with and without derivatives: one statement
 * gave values to edges that equations determine.  edge: the first such element. */
static const rg_family *mixed_array(const rg_start_system *s, int64_t column, int64_t *edge)
{
    const rg_problem *p = s->p;
    int f = 0;

    while (f < p->n_families && s->unknown[column] >= p->families[f].first + p->families[f].count)
        f++;
    if (f == p->n_families || s->order[column] > 0) return NULL;
    const int32_t *of = s->column[0] + p->families[f].first;
    bool has_state = false;
    *edge = -1;
    for (int64_t k = 0; k < p->families[f].count; k++) {
        if (s->given[of[k]] != RG_START_KEPT) continue;
        has_state = has_state || s->place[of[k]] == RG_PLACE_STATE;
        if (s->place[of[k]] == RG_PLACE_ALGEBRAIC && *edge < 0 && place_of(s, of[k]) == 0)
            *edge = of[k];
    }
    return has_state && *edge >= 0 ? &p->families[f] : NULL;
}

static rg_status name_remedy(const rg_start_system *s, int64_t column)
{
    const rg_problem *p = s->p;
    char name[128], value[32];
    int64_t edge;
    int line, at;

    rg_start_column_name(s, column, name, sizeof name);
    rg_real_text(s->given_value[column], value);
    if (p->source == NULL)
        return rg_remedy(s->ctx, "correct the start value of '%s', now %s", name, value);
    const int32_t place = place_of(s, column);
    if (place > 0 && s->place[column] == RG_PLACE_ALGEBRAIC) {
        rg_source_place(p->source, place - 1, &line, &at);
        return rg_remedy(s->ctx,
                         "line %d gives this value to '%s', which has no derivative: leave it out, "
                         "write '~' instead of '=' there, or correct it",
                         line, name);
    }
    const rg_family *array = mixed_array(s, column, &edge);
    if (array != NULL) {
        rg_start_column_name(s, edge, name, sizeof name);
        rg_source_place(p->source, array->span.start, &line, &at);
        static const char *const loops[] = {"i = ...", "i = ..., j = ...",
                                            "i = ..., j = ..., k = ..."};
        static const char *const indices[] = {"i", "i,j", "i,j,k"};
        const int n = array->n_dims > 1 ? array->n_dims - 1 : 0;
        return rg_remedy(s->ctx,
                         "line %d gives a value to '%s' too, which has no derivative: write '%s' "
                         "without a value there, and 'for %s { start %s[%s] = ... }' for the "
                         "elements that have one",
                         line, name, array->name, loops[n], array->name, indices[n]);
    }
    if (strchr(name, '[') != NULL)
        return rg_remedy(s->ctx, "write '~' instead of '=' for '%s' (now %s), or correct its value",
                         name, value);
    return rg_remedy(s->ctx, "write '%s ~ %s' instead of '%s = %s', or correct the value", name,
                     value, name, value);
}

static rg_status report_data(culprit *c, int64_t row, int64_t column)
{
    const rg_start_system *s = c->s;
    char line[128], name[128], value[32];

    rg_start_row_name(s, row, line, sizeof line);
    rg_start_column_name(s, column, name, sizeof name);
    rg_fail(
        s->ctx, RG_ERR_INCONSISTENT,
        "the start values contradict %s, which has the residual %.3g: '%s = %s' cannot be kept%s",
        line, fabs(lone_residual(c, row)), name, rg_real_text(s->given_value[column], value),
        s->is_singular ? "; the constraints lose rank at the start" : "");
    if (s->p->source != NULL) rg_fail_at(s->ctx, s->p->source, rg_row_span(s->p, s->equation[row]));
    return name_remedy(s, column);
}

/* The movable column with the largest influence on the row: a better guess of it may help. */
static int64_t value_to_guess(const rg_start_system *s, int64_t row)
{
    double largest = 0;
    int64_t best = -1;

    for (int64_t j = 0; j < s->n_columns; j++) {
        if (s->role[j] == RG_START_KEPT || s->place[j] == RG_PLACE_HIGH) continue;
        for (int64_t k = s->pattern->start[j]; k < s->pattern->start[j + 1]; k++) {
            const double size = fabs(s->J[k]) * fmax(fabs(s->z[j]), s->scale[j]);
            if (s->pattern->row[k] != row || !(size > largest)) continue;
            largest = size;
            best = j;
        }
    }
    return best;
}

static rg_status report_search(const rg_start_system *s, int64_t row, double residual)
{
    char line[128], name[128];

    rg_start_row_name(s, row, line, sizeof line);
    rg_fail(s->ctx, RG_ERR_CONVERGENCE,
            "no consistent start values found: the best try leaves a residual of %.3g in %s",
            residual, line);
    if (s->p->source != NULL) rg_fail_at(s->ctx, s->p->source, rg_row_span(s->p, s->equation[row]));
    rg_fail_time(s->ctx, s->t);
    const int64_t column = value_to_guess(s, row);
    if (column < 0) return rg_remedy(s->ctx, "check the equation, or give guesses with '~'");
    rg_start_column_name(s, column, name, sizeof name);
    return rg_remedy(s->ctx, "check the equation, or give a guess near the solution, '%s ~ VALUE'",
                     name);
}

/* F cannot be evaluated at any point that was tried. */
static rg_status report_undefined(rg_start_system *s)
{
    char line[128];
    int64_t row = 0;

    memset(s->F, 0, (size_t)s->n_rows * sizeof *s->F);
    const rg_status status = rg_assembly_residual(s->assembly, s->work, s->t, s->z, s->F);
    if (status < 0) return status;
    while (row < s->n_rows && isfinite(s->F[row]))
        row++;
    if (row == s->n_rows) {
        rg_fail(s->ctx, RG_ERR_CONVERGENCE, "the equations cannot be evaluated at the start");
    } else {
        rg_start_row_name(s, row, line, sizeof line);
        rg_fail(s->ctx, RG_ERR_CONVERGENCE, "%s has no finite value at the start values", line);
        if (s->p->source != NULL)
            rg_fail_at(s->ctx, s->p->source, rg_row_span(s->p, s->equation[row]));
    }
    rg_fail_time(s->ctx, s->t);
    return rg_remedy(s->ctx, "check the start values, and give guesses with '~' for the others");
}

static rg_status report(culprit *c)
{
    rg_start_system *s = c->s;

    /* damped: a direction that hardly moves anything removes nothing, as q in p^2 + q^2 = 1 at 0 */
    rg_status status = rg_iteration_prepare(c->it, 1e-10);
    if (status != RG_OK) return status < 0 ? status : report_undefined(s);
    rg_start_miss(s, NULL); /* fills the sizes */
    for (int64_t i = 0; i < s->n_rows; i++) {
        const double R = c->it->step->row_weight[i], size = s->size[i];
        c->weight[i] = R > 0 ? R : size > 0 ? 1 / size : 1;
        c->r[i] = s->F[i];
    }
    project_out(c, c->r);
    const int64_t column = value_to_relax(c);
    int64_t row = violated_row(c, column);
    c->has_stage = row >= 0;
    if (row < 0) row = violated_row(c, column);
    return column >= 0 ? report_data(c, row, column) : report_search(s, row, fabs(s->F[row]));
}

rg_status rg_report_contradiction(rg_start_system *s, double miss)
{
    const size_t m = (size_t)s->n_rows;
    culprit c = {.s = s};
    rg_status status = RG_ERR_MEMORY;

    if (!isfinite(miss)) return report_undefined(s);
    c.weight = rg_alloc(s->ctx, m, sizeof *c.weight);
    c.r = rg_alloc(s->ctx, m, sizeof *c.r);
    c.a = rg_alloc(s->ctx, m, sizeof *c.a);
    if (c.weight != NULL && c.r != NULL && c.a != NULL)
        status = rg_start_first_stage(s, RG_REPAIR_LIMIT, &c.stage);
    if (status == RG_OK) status = rg_iteration_create(s, false, &c.it);
    c.has_stage = true;
    if (status == RG_OK) status = report(&c);
    rg_iteration_destroy(&c.it);
    s->stage = RG_STAGE_ALL;
    rg_free(s->ctx, c.weight);
    rg_free(s->ctx, c.r);
    rg_free(s->ctx, c.a);
    return status;
}
