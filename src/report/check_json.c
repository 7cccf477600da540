/* `regula check --json`, keys of DESIGN section 2. */
#include "report/report.h"

static void write_counts(rg_json *j, const rg_facts *facts)
{
    const rg_problem *p = facts->problem;
    const int64_t states = rg_problem_states(p);

    rg_json_key(j, "unknowns");
    rg_json_integer(j, facts->has_grid ? facts->grid.unknowns : p->n - states);
    rg_json_key(j, "equations");
    rg_json_integer(j, facts->has_grid ? facts->grid.unknowns : p->n_rows - states);
    if (states > 0) {
        rg_json_key(j, "states");
        rg_json_integer(j, states);
    }
    if (!facts->has_structure) return;
    rg_json_key(j, "index");
    rg_json_integer(j, facts->structure.index);
    if (facts->perturbation_index > facts->structure.index) {
        rg_json_key(j, "perturbation_index");
        rg_json_integer(j, facts->perturbation_index);
    }
    rg_json_key(j, "dof");
    rg_json_integer(j, facts->structure.dof);
    rg_json_key(j, "blocks");
    rg_json_integer(j, facts->structure.blocks);
    if (p->study->conditioning == 0.0) return;
    rg_json_key(j, "conditioning");
    rg_json_real(j, p->study->conditioning);
}

static int start_kind(const rg_problem *p, int64_t variable, int order)
{
    if (order >= p->start_orders || p->start[order].kind == NULL) return RG_START_NONE;
    return p->start[order].kind[variable];
}

static void write_start(rg_json *j, const rg_facts *facts, int64_t count)
{
    const rg_problem *p = facts->problem;
    char name[512];
    int64_t variable;
    int order;

    rg_json_key(j, "start");
    rg_json_open(j, '{');
    for (int64_t k = 0; k < count; k++) {
        rg_plain_column(p, k, &variable, &order);
        if (order >= facts->start_orders) continue;
        rg_variable_name(p, variable, order, name, sizeof name);
        rg_json_key(j, name);
        rg_json_real(j, facts->start[order][variable]);
    }
    rg_json_close(j, '}');
}

static void write_computed(rg_json *j, const rg_problem *p, int64_t count)
{
    char name[512];
    int64_t variable;
    int order;

    rg_json_key(j, "computed");
    rg_json_open(j, '[');
    for (int64_t k = 0; k < count; k++) {
        rg_plain_column(p, k, &variable, &order);
        if (start_kind(p, variable, order) == RG_START_KEPT) continue;
        rg_variable_name(p, variable, order, name, sizeof name);
        rg_json_text(j, name);
    }
    rg_json_close(j, ']');
}

static void write_values(rg_json *j, const rg_facts *facts)
{
    const rg_problem *p = facts->problem;
    const int64_t count = rg_plain_column_count(p);

    if (p->n > RG_VALUES_LIMIT) {
        rg_json_key(j, "omitted");
        rg_json_integer(j, count);
        return;
    }
    write_start(j, facts, count); /* empty: boundary values, or none were found */
    write_computed(j, p, count);
}

void rg_write_check_members(rg_json *j, const char *model, const rg_facts *facts,
                            const rg_error *error)
{
    const rg_problem *p = facts->problem;

    rg_json_key(j, "regula");
    rg_json_text(j, RG_VERSION);
    rg_json_key(j, "model");
    rg_json_text(j, model);
    if (p != NULL) {
        rg_json_key(j, "title");
        rg_json_text(j, rg_problem_title(p));
        write_counts(j, facts);
    }
    rg_json_status(j, error);
    rg_json_time(j, error);
    if (p != NULL && facts->has_grid) rg_write_grid_json(j, &facts->grid, true);
    if (p != NULL) {
        if (!facts->has_grid) write_values(j, facts);
        if (p->study->turning != NULL) rg_write_turning_json(j, p);
        rg_json_texts(j, "warnings", p->study->n_warnings, p->study->warnings);
    }
}

void rg_write_check_json(const char *model, const rg_facts *facts, const rg_error *error, FILE *to)
{
    rg_json j = {to, false};

    rg_json_open(&j, '{');
    rg_write_check_members(&j, model, facts, error);
    rg_json_close(&j, '}');
    putc('\n', to);
}
