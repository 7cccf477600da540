/* Observed orders as a table for the eye, as CSV and as JSON. */
#include "solution/orders.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Is there anything to say about this unknown? */
static bool is_known(const rg_orders *o, int64_t variable)
{
    return o->n_done > 0 && !isnan(rg_orders_error(o, 0, variable));
}

/* ---- table ----------------------------------------------------------------------------------- */

static void write_unknown(const rg_orders *o, int64_t j, FILE *to)
{
    char name[64];

    rg_problem_name(o->problem, j, name, sizeof name);
    fprintf(to, "  %s: theory %d, %s\n", name, o->theory[j], rg_orders_verdict(o, j));
    for (int k = 0; k < o->n_done; k++) {
        const double order = rg_orders_observed(o, k - 1, j);
        fprintf(to, "    %-12.6g %-10.3g", o->steps[k], rg_orders_error(o, k, j));
        if (k > 0 && isfinite(order))
            fprintf(to, " %.2f\n", order);
        else
            fputs(" -\n", to);
    }
}

void rg_report_orders(const rg_orders *o, FILE *to)
{
    if (o == NULL || to == NULL) return;
    if (rg_problem_title(o->problem)[0] != '\0') fprintf(to, "%s\n", rg_problem_title(o->problem));
    fprintf(to, "%s", o->method);
    if (o->stages > 0) fprintf(to, ", %d stages", o->stages);
    if (o->order > 0) fprintf(to, ", order %d", o->order);
    if (o->problem->is_boundary)
        fputs("; largest errors over the mesh", to);
    else
        fprintf(to, ", formulation %s; errors at the end", o->formulation);
    if (o->eps != NULL) fprintf(to, " and over %d values of the parameter,", o->n_eps);
    fputs(" against ", to);
    if (o->is_exact)
        fputs("the exact solution\n", to);
    else if (isnan(o->tol))
        fputs("the same method with a much smaller step\n", to);
    else
        fprintf(to, "a run with the tolerance %.2g\n", o->tol);
    if (o->failed > 0.0)
        fprintf(to, "steps begin with %g: a run with %g fails\n", o->steps[0], o->failed);
    for (int kind = 1; kind <= 3; kind++) {
        bool has_heading = false;
        for (int64_t j = 0; j < o->problem->n; j++) {
            if (o->kind[j] != kind || !is_known(o, j)) continue;
            if (!has_heading) fprintf(to, "\nindex %d (step, error, observed order)\n", kind);
            has_heading = true;
            write_unknown(o, j, to);
        }
    }
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static rg_status write_csv(const rg_orders *o, rg_csv *csv)
{
    static const char *const heads[] = {"unknown", "kind",   "step",   "error",
                                        "order",   "theory", "verdict"};
    char name[256];

    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        rg_csv_text(csv, heads[k]);
    RG_TRY(rg_csv_end_row(csv));
    for (int64_t j = 0; j < o->problem->n; j++)
        for (int k = 0; k < o->n_done && is_known(o, j); k++) {
            const double order = rg_orders_observed(o, k - 1, j);
            rg_problem_name(o->problem, j, name, sizeof name);
            rg_csv_text(csv, name);
            rg_csv_integer(csv, o->kind[j]);
            rg_csv_real(csv, o->steps[k]);
            rg_csv_real(csv, rg_orders_error(o, k, j));
            if (isfinite(order))
                rg_csv_real(csv, order);
            else
                rg_csv_text(csv, "");
            rg_csv_integer(csv, o->theory[j]);
            rg_csv_text(csv, rg_orders_verdict(o, j));
            RG_TRY(rg_csv_end_row(csv));
        }
    return RG_OK;
}

rg_status rg_orders_write_csv(const rg_orders *o, const char *path)
{
    rg_csv *csv = NULL;

    if (o == NULL || path == NULL) return RG_ERR_ARGUMENT;
    rg_clear_error(o->ctx);
    RG_TRY(rg_csv_open(o->ctx, path, &csv));
    const rg_status status = write_csv(o, csv);
    const rg_status closed = rg_csv_close(&csv, status == RG_OK);
    return status != RG_OK ? status : closed;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

typedef void write_fn(rg_json *j, const rg_orders *o, int64_t variable);

static void write_errors(rg_json *j, const rg_orders *o, int64_t variable)
{
    rg_json_open(j, '[');
    for (int k = 0; k < o->n_done; k++)
        rg_json_real(j, rg_orders_error(o, k, variable));
    rg_json_close(j, ']');
}

static void write_orders(rg_json *j, const rg_orders *o, int64_t variable)
{
    rg_json_open(j, '[');
    for (int k = 0; k + 1 < o->n_done; k++)
        rg_json_real(j, rg_orders_observed(o, k, variable));
    rg_json_close(j, ']');
}

static void write_kind(rg_json *j, const rg_orders *o, int64_t variable)
{
    rg_json_integer(j, o->kind[variable]);
}

static void write_theory(rg_json *j, const rg_orders *o, int64_t variable)
{
    rg_json_integer(j, o->theory[variable]);
}

static void write_verdict(rg_json *j, const rg_orders *o, int64_t variable)
{
    rg_json_text(j, rg_orders_verdict(o, variable));
}

static void write_all(rg_json *j, const rg_orders *o, const char *key, write_fn *write)
{
    char name[256];

    rg_json_key(j, key);
    rg_json_open(j, '{');
    for (int64_t i = 0; i < o->problem->n; i++) {
        if (!is_known(o, i)) continue;
        rg_problem_name(o->problem, i, name, sizeof name);
        rg_json_key(j, name);
        write(j, o, i);
    }
    rg_json_close(j, '}');
}

void rg_write_orders_members(rg_json *j, const char *model, const rg_orders *o,
                             const rg_error *error)
{
    rg_json_key(j, "regula");
    rg_json_text(j, RG_VERSION);
    rg_json_key(j, "model");
    rg_json_text(j, model != NULL ? model : "");
    if (o != NULL) {
        rg_json_key(j, "method");
        rg_json_text(j, o->method);
        rg_json_key(j, "stages");
        rg_json_integer(j, o->stages);
        if (o->order > 0) {
            rg_json_key(j, "order");
            rg_json_integer(j, o->order);
        }
        rg_json_key(j, "formulation");
        rg_json_text(j, o->formulation);
        rg_json_key(j, "against");
        rg_json_text(j, o->is_exact ? "exact" : "reference");
        if (o->eps != NULL) {
            rg_json_key(j, "eps");
            rg_json_open(j, '[');
            for (int k = 0; k < o->n_eps; k++)
                rg_json_real(j, o->eps[k]);
            rg_json_close(j, ']');
        }
        rg_json_key(j, "steps");
        rg_json_open(j, '[');
        for (int k = 0; k < o->n_steps; k++)
            rg_json_real(j, o->steps[k]);
        rg_json_close(j, ']');
        write_all(j, o, "errors", write_errors);
        write_all(j, o, "orders", write_orders);
        write_all(j, o, "kind", write_kind);
        write_all(j, o, "theory", write_theory);
        write_all(j, o, "verdict", write_verdict);
    }
    rg_json_status(j, error);
}

void rg_report_orders_json(const char *model, const rg_orders *o, const rg_error *error, FILE *to)
{
    rg_json j = {to, false};

    if (to == NULL) return;
    rg_json_open(&j, '{');
    rg_write_orders_members(&j, model, o, error);
    rg_json_close(&j, '}');
    putc('\n', to);
}
