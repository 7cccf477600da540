/* The lines by which the checkpoint of a run knows it. */
#include "solve/run_name.h"

#include "expr/table.h"

#include <string.h>

/* Files of pictures are made of the result; a run goes on with any number of processes, and no
 * number depends on threads. */
static bool is_of_result(const char *name)
{
    static const char *const names[] = {"svg", "png", "fields", "ranks", "threads"};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0) return true;
    return false;
}

static void name_options(rg_run_name *n, const rg_options *o)
{
    char label[64], text[1100];

    for (int k = 0; k < rg_option_count(); k++) {
        const char *name = rg_option_at(k).name;
        if (is_of_result(name) || strcmp(name, "tol") == 0) continue;
        if (rg_options_get(o, name, text, sizeof text) < 0) continue;
        snprintf(label, sizeof label, "option %s", name);
        rg_run_name_add(n, label, "%s", text);
    }
}

static uint64_t hash_start(const rg_problem *p)
{
    uint64_t hash = RG_HASH_BEGIN;

    for (int r = 0; r < p->start_orders; r++) {
        if (p->start[r].kind == NULL) continue;
        hash = rg_hash(hash, p->start[r].kind, (size_t)p->n);
        hash = rg_hash(hash, p->start[r].value, (size_t)p->n * sizeof *p->start[r].value);
    }
    return hash;
}

static uint64_t hash_tables(const rg_problem *p)
{
    uint64_t hash = RG_HASH_BEGIN;

    for (int k = 0; k < p->n_tables; k++)
        hash = rg_hash(hash, p->tables[k]->data.x,
                       (size_t)p->tables[k]->data.n * sizeof *p->tables[k]->data.x);
    return hash;
}

static void name_problem(rg_run_name *n, const rg_problem *p)
{
    char label[160], number[32];

    if (p->source != NULL)
        rg_run_name_hash(n, "model text",
                         rg_hash(RG_HASH_BEGIN, p->source->text, (size_t)p->source->length));
    rg_run_name_add(n, "unknowns", "%lld", (long long)p->n);
    for (int k = 0; k < p->n_parameters; k++) {
        snprintf(label, sizeof label, "parameter %s", p->parameters[k].name);
        rg_run_name_add(n, label, "%s", rg_real_digits(p->parameters[k].value, number));
    }
    if (p->n_tables > 0) rg_run_name_hash(n, "data of its tables", hash_tables(p));
    rg_run_name_hash(n, "set of start values", hash_start(p));
}

void rg_name_run(rg_run_name *n, const rg_problem *p, double t_end, const rg_options *o,
                 const rg_request *r)
{
    char number[32];

    rg_run_name_build(n);
    name_problem(n, p);
    rg_run_name_add(n, "start", "%s", rg_real_digits(p->a, number));
    rg_run_name_add(n, "end", "%s", rg_real_digits(t_end, number));
    name_options(n, o);
    rg_run_name_add(n, "number of output times", "%lld", (long long)r->n_times);
    if (r->n_times > 0)
        rg_run_name_hash(n, "list of output times",
                         rg_hash(RG_HASH_BEGIN, r->times, (size_t)r->n_times * sizeof *r->times));
    rg_run_name_add(n, "CSV file", "%s", r->csv != NULL ? r->csv : "none");
    rg_run_name_add(n, "estimate", "%s", r->estimate ? "yes" : "no");
    rg_run_name_add(n, "rows kept", "%d", (int)r->keep);
}
