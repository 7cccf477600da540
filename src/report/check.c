/* `regula check`: the analysis for the eye. */
#include "report/report.h"

#include "report/tuning.h"
#include "solution/number.h"
#include "solution/tuning.h"

#include <math.h>
#include <string.h>

enum { NAMES_SHOWN = 6 };

static int start_kind(const rg_problem *p, int64_t variable, int order)
{
    if (order >= p->start_orders || p->start[order].kind == NULL) return RG_START_NONE;
    return p->start[order].kind[variable];
}

static void write_unknowns(const rg_problem *p, FILE *to)
{
    int64_t count[3] = {0};

    const int64_t states = rg_problem_states(p);
    for (int64_t j = 0; j < p->n; j++)
        count[start_kind(p, j, 0)]++;
    count[RG_START_KEPT] -= states; /* all of them are given */
    fprintf(to, "unknowns    %lld: %lld given, %lld guessed, %lld without a start value\n",
            (long long)(p->n - states), (long long)count[RG_START_KEPT],
            (long long)count[RG_START_GUESS], (long long)count[RG_START_NONE]);
    fprintf(to, "equations   %lld\n", (long long)(p->n_rows - states));
    if (states > 0) fprintf(to, "states      %lld: constant between events\n", (long long)states);
}

/* Why the index is what it is. */
static void write_reason(const rg_facts *facts, FILE *to)
{
    const int index = facts->structure.index;

    if (index == 0) {
        fputs("an ordinary differential equation", to);
    } else if (!facts->is_structural) {
        fputs("found from the numerical rank; the structure alone does not show it", to);
    } else if (index == 1) {
        fputs("the equations fix all algebraic unknowns as they stand", to);
    } else {
        fputs("to reach all hidden constraints, differentiate ", to);
        rg_write_differentiated(facts, to);
    }
}

/* The unknowns of the largest block, as far as they fit. */
static void write_names(const rg_facts *facts, FILE *to)
{
    const int64_t count = facts->largest_block;
    const int64_t shown = count < NAMES_SHOWN ? count : NAMES_SHOWN;
    char name[128];

    for (int64_t k = 0; k < shown; k++) {
        rg_variable_name(facts->problem, facts->largest_unknowns[k], 0, name, sizeof name);
        fprintf(to, "%s%s", k == 0 ? ", for " : ", ", name);
    }
    if (shown < count) fprintf(to, ", ... (%lld more)", (long long)(count - shown));
}

/* How much the model leaves open: start values to choose, or conditions to give. */
static void write_freedom(const rg_facts *facts, FILE *to)
{
    const int64_t dof = facts->structure.dof;
    const bool is_boundary = facts->problem->is_boundary;

    fputs("\nfreedom     ", to);
    rg_write_count(to, dof, "degree");
    if (dof == 0)
        fputs(": the equations alone determine the solution\n", to);
    else if (dof == 1)
        fprintf(to, ": one %s\n",
                is_boundary ? "condition is needed" : "start value can be chosen freely");
    else
        fprintf(to, ": as many %s\n",
                is_boundary ? "conditions are needed" : "start values can be chosen freely");
}

/* At one time, with the states known, the equations are solved for highest derivatives and
 * algebraic unknowns block by block. */
static void write_blocks(const rg_facts *facts, FILE *to)
{
    const int64_t blocks = facts->structure.blocks, largest = facts->largest_block;

    fprintf(to, "blocks      %lld", (long long)blocks);
    fputs(blocks == 1 ? ", of " : largest == 1 ? ", each of " : "; the largest is of ", to);
    rg_write_count(to, largest, "equation");
    if (largest > 1) fputs(" to be solved together", to);
    if (blocks > 1 && largest > 1) write_names(facts, to);
    fputs("\n", to);
}

static void write_structure(const rg_facts *facts, FILE *to)
{
    const rg_structure *s = &facts->structure;

    fprintf(to, "index       %d: ", s->index);
    write_reason(facts, to);
    if (facts->perturbation_index > s->index)
        fprintf(to,
                "\n            perturbation index %d: derivatives of perturbations count in the "
                "solution",
                facts->perturbation_index);
    write_freedom(facts, to);
    write_blocks(facts, to);
    if (s->redundant > 0) {
        fputs("redundant   ", to);
        rg_write_count(to, s->redundant, "equation");
        fputs(" implied by the others: ", to);
        rg_write_redundant(facts, to);
        fputs("\n", to);
    }
    if (s->is_singular_start)
        fputs("start       singular: rank is lost at the start point, not near it\n", to);
}

static void write_conditioning(const rg_problem *p, FILE *to)
{
    char text[40];

    if (p->study->conditioning > 0.0)
        fprintf(to, "sensitivity %s: %s\n", rg_short_text(p->study->conditioning, 2, text),
                p->study->conditioning > RG_CONDITIONING_LIMIT
                    ? "the conditions hardly determine the solution"
                    : "relative changes of the conditions grow at most by this factor");
    else if (isnan(p->study->conditioning))
        fprintf(to, "sensitivity not known: %s\n", p->study->conditioning_fault);
}

static void write_method(const rg_facts *facts, FILE *to)
{
    const rg_problem *p = facts->problem;
    char a[40], b[40];

    fprintf(to, "interval    %s = %s .. %s\n", rg_problem_time_name(p), rg_short_text(p->a, 10, a),
            rg_short_text(p->b, 10, b));
    if (p->is_boundary) {
        fprintf(to, "conditions  %lld\n", (long long)facts->n_conditions);
        write_conditioning(p, to);
        if (p->study->turning != NULL) {
            fputs("layers      ", to);
            rg_write_turning(p, to);
        }
    }
    if (facts->method != NULL)
        fprintf(to, "method      %s, on the %s\n", facts->method,
                facts->is_reduced      ? "reduced model, hidden constraints kept by projection"
                : facts->is_stabilized ? "stabilized model of index 2 (GGL)"
                                       : "model as written");
}

/* Was the given value changed by more than rounding? */
static bool is_moved(const rg_facts *facts, int64_t j)
{
    const double given = facts->problem->start[0].value[j], now = facts->start[0][j];

    return fabs(given - now) > RG_SAME * ((given != 0 ? fabs(given) : 1) + fabs(now));
}

/* "given", "given as 1.0, repaired", "guess 0.5, moved" or "computed", and whether x' was given. */
static void write_origin(const rg_facts *facts, int64_t j, FILE *to)
{
    const rg_problem *p = facts->problem;
    const int kind = start_kind(p, j, 0);
    char name[128], number[40];

    fputs(kind == RG_START_KEPT ? "given" : kind == RG_START_GUESS ? "guess" : "computed", to);
    if (kind != RG_START_NONE && is_moved(facts, j)) {
        rg_real_text(p->start[0].value[j], number);
        fprintf(to, kind == RG_START_KEPT ? " as %s, repaired" : " %s, moved", number);
    }
    for (int r = 1; r < p->start_orders; r++) {
        const int slope = start_kind(p, j, r);
        if (slope == RG_START_NONE) continue;
        rg_variable_name(p, j, r, name, sizeof name);
        fprintf(to, "; %s %s", name, slope == RG_START_KEPT ? "given" : "guess");
    }
}

/* Up to index 1 all unknowns are alike: nothing is hidden behind any of them. */
static bool shows_index(const rg_facts *facts)
{
    return facts->variable_index != NULL && facts->structure.index > 1;
}

static void write_row(const rg_facts *facts, int64_t j, int width, FILE *to)
{
    char name[128], number[40];

    rg_variable_name(facts->problem, j, 0, name, sizeof name);
    rg_write_name(to, name, width);
    fprintf(to, "%-17s", rg_short_text(facts->start[0][j], 10, number));
    const bool has_slope = facts->start_orders > 1 && !isnan(facts->start[1][j]);
    fprintf(to, "  %-17s  ", has_slope ? rg_short_text(facts->start[1][j], 10, number) : "");
    if (shows_index(facts)) fprintf(to, "%-5d  ", facts->variable_index[j]);
    write_origin(facts, j, to);
    fputs("\n", to);
}

/* Values that were given and moved come first, then given ones, then computed ones. */
static int rank_of(const rg_facts *facts, int64_t j)
{
    const int kind = start_kind(facts->problem, j, 0);

    if (kind == RG_START_NONE) return 2;
    return is_moved(facts, j) ? 0 : 1;
}

/* Rows in the order of their ranks, at most `limit`; without `to` only the width of their names is
 * taken. */
static void write_rows(const rg_facts *facts, int64_t limit, int *width, FILE *to)
{
    char name[128];
    int64_t count = 0;

    for (int rank = 0; rank < 3; rank++) {
        for (int64_t j = 0; j < facts->problem->n && count < limit; j++) {
            if (rank_of(facts, j) != rank) continue;
            count++;
            rg_variable_name(facts->problem, j, 0, name, sizeof name);
            if (to != NULL)
                write_row(facts, j, *width, to);
            else if (rg_name_width(name) > *width)
                *width = rg_name_width(name);
        }
    }
}

static void write_start(const rg_facts *facts, FILE *to)
{
    const rg_problem *p = facts->problem;
    const bool is_whole = p->n <= RG_TABLE_LIMIT || rg_log_wanted(p->ctx, 2);
    const int64_t limit = is_whole ? p->n : RG_TABLE_LIMIT;
    char number[40];
    int width = 4;

    write_rows(facts, limit, &width, NULL);
    fprintf(to, "\nconsistent start at %s = %s\n", rg_problem_time_name(p),
            rg_short_text(p->a, 10, number));
    rg_write_name(to, "name", width);
    fprintf(to, "%-17s  %-17s  %sfrom\n", "value", "derivative",
            shows_index(facts) ? "index  " : "");
    write_rows(facts, limit, &width, to);
    if (!is_whole)
        fprintf(to, "  ... and %lld more, shown with --verbose\n", (long long)(p->n - limit));
}

void rg_write_check(const rg_facts *facts, FILE *to)
{
    const rg_problem *p = facts->problem;

    if (rg_problem_title(p)[0] != '\0') fprintf(to, "%s\n\n", rg_problem_title(p));
    if (facts->has_grid) {
        rg_write_grid_check(facts, to);
    } else {
        write_unknowns(p, to);
        if (facts->has_structure) write_structure(facts, to);
        write_method(facts, to);
        if (facts->start_orders > 0) write_start(facts, to);
    }
    if (p->study->n_warnings > 0) fputs("\n", to);
    for (int k = 0; k < p->study->n_warnings; k++)
        fprintf(to, "warning: %s\n", p->study->warnings[k]);
}
