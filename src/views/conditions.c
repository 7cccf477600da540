/* Evaluates the conditions and assignments of a model. */
#include "views/conditions_impl.h"

#include <math.h>
#include <string.h>

int64_t rg_conditions_instances(const rg_conditions *c)
{
    return c->n_instances;
}

rg_instance rg_conditions_instance(const rg_conditions *c, int64_t k)
{
    return c->instances[k];
}

int64_t rg_conditions_functions(const rg_conditions *c)
{
    return c->switches.n;
}

static void set_point(rg_conditions *c, const double *y, const double *yp)
{
    const size_t n = (size_t)c->s->layout.n_states;

    memcpy(c->z, y, n * sizeof *y);
    memcpy(c->z + n, yp, n * sizeof *yp);
}

rg_status rg_conditions_values(rg_conditions *c, double t, const double *y, const double *yp,
                               double *values)
{
    if (c->switches.n == 0) return RG_OK;
    if (c->p->event != NULL) return rg_conditions_call_event(c, t, y, values);
    set_point(c, y, yp);
    const rg_status status = rg_switches_follow(&c->switches, c->functions, t, c->z, values);
    if (status < 0) return status;
    for (int64_t k = 0; k < c->switches.n; k++)
        if (!isfinite(values[k])) values[k] = NAN;
    return RG_OK;
}

bool rg_conditions_is_linear(const rg_conditions *c)
{
    return c->is_linear;
}

/* f(y) = f(y_0) + sum ds/dy_j (y_j - y_0j). */
rg_status rg_conditions_along(rg_conditions *c, int degree, const double *a, double *out)
{
    const int64_t n = c->s->layout.n_states, m = c->switches.n;
    const rg_pattern *z = rg_assembly_pattern(c->switches.values);

    memset(c->z + n, 0, (size_t)n * sizeof *c->z);
    memcpy(c->z, a, (size_t)n * sizeof *c->z);
    const rg_status status = rg_switches_follow(&c->switches, c->functions, c->p->a, c->z, out);
    if (status != RG_OK) return status;
    memset(out + m, 0, (size_t)(degree * m) * sizeof *out);
    for (int64_t j = 0; j < n; j++)
        for (int64_t e = z->start[j]; e < z->start[j + 1]; e++)
            for (int k = 1; k <= degree; k++)
                out[k * m + z->row[e]] += c->gradient[e] * a[k * n + j];
    return RG_OK;
}

double rg_conditions_mode(const rg_conditions *c, int64_t k, double value)
{
    const double mode = rg_switch_mode(&c->switches, k, value);

    if (c->switches.kind[k] == RG_SWITCH_FLOOR) return mode + 0.5;
    return mode != 0.0 ? mode : 1.0;
}

static void add_sizes(const rg_conditions *c, const rg_pattern *z, const double *unit, double rate,
                      double *sizes)
{
    const int64_t n = c->s->layout.n_states;

    for (int64_t k = 0; k < c->switches.n; k++)
        sizes[k] = 0.0;
    for (int64_t j = 0; j < 2 * n; j++) {
        const int64_t i = j < n ? j : j - n;
        const double own = unit != NULL ? unit[i] : 0.0;
        const double more = j < n ? own : rate > 0.0 ? rate * (fabs(c->z[i]) + own) : 0.0;
        const double x = fabs(c->z[j]) + more;
        for (int64_t e = z->start[j]; e < z->start[j + 1]; e++)
            if (c->gradient[e] != 0.0) sizes[z->row[e]] += fabs(c->gradient[e]) * x;
    }
}

rg_status rg_conditions_sizes(rg_conditions *c, double t, const double *y, const double *yp,
                              const double *unit, double rate, double *sizes, double *terms)
{
    const rg_switches *b = &c->switches;

    if (b->n == 0) return RG_OK;
    if (c->p->event != NULL) return rg_conditions_callback_sizes(c, t, y, unit, sizes, terms);
    const rg_pattern *z = rg_assembly_pattern(b->values);
    set_point(c, y, yp);
    RG_TRY(rg_assembly_jacobian(b->values, c->functions, t, c->z, c->rows, c->gradient));
    add_sizes(c, z, NULL, 0.0, terms);
    for (int f = 0; f < c->p->n_families; f++) /* states are exact */
        for (int64_t i = 0; i < c->p->families[f].count && c->p->families[f].is_state; i++)
            for (int64_t j = c->p->families[f].first + i, e = z->start[j]; e < z->start[j + 1]; e++)
                c->gradient[e] = 0.0;
    add_sizes(c, z, unit, rate, sizes);
    return RG_OK;
}

bool rg_conditions_is_timed(const rg_conditions *c, int64_t k)
{
    return !c->switches.moves[k];
}

bool rg_conditions_is_whole(const rg_conditions *c, int64_t k)
{
    return c->switches.kind[k] == RG_SWITCH_FLOOR;
}

bool rg_conditions_has_rates(const rg_conditions *c, int64_t k)
{
    const int64_t n = c->s->layout.n_states;

    if (c->p->event != NULL) return false;
    const rg_pattern *z = rg_assembly_pattern(c->switches.values);
    for (int64_t e = z->start[n]; e < z->start[2 * n]; e++)
        if (z->row[e] == k) return true;
    return false;
}

void rg_conditions_concerned(const rg_conditions *c, const uint8_t *marked, uint8_t *concerned)
{
    if (c->switches.n == 0) return;
    memset(concerned, 0, (size_t)c->switches.n);
    if (c->p->event != NULL) { /* it may be any of them */
        const bool is_any = memchr(marked, 1, (size_t)c->s->layout.n_states) != NULL;
        memset(concerned, is_any, (size_t)c->switches.n);
        return;
    }
    const rg_pattern *z = rg_assembly_pattern(c->switches.values);
    for (int64_t j = 0; j < c->s->layout.n_states; j++)
        for (int64_t e = z->start[j]; marked[j] && e < z->start[j + 1]; e++)
            concerned[z->row[e]] = 1;
}

bool rg_conditions_share(const rg_conditions *c, int64_t k, int64_t l)
{
    const int64_t n = c->s->layout.n_states;

    if (c->p->event != NULL) return true; /* nothing is known of them */
    const rg_pattern *z = rg_assembly_pattern(c->switches.values);
    for (int64_t j = 0; j < 2 * n; j++) {
        bool has_first = false, has_second = false;
        for (int64_t e = z->start[j]; e < z->start[j + 1]; e++) {
            has_first = has_first || z->row[e] == k;
            has_second = has_second || z->row[e] == l;
        }
        const bool is_state = j % n < c->p->n && rg_variable_is_state(c->p, j % n);
        if (has_first && has_second && !is_state) return true;
    }
    return false;
}

rg_status rg_conditions_truth(rg_conditions *c, double t, const double *y, const double *yp,
                              const double *mode, double *truth)
{
    const rg_switches *b = &c->switches;

    for (int64_t k = 0; k < c->n_instances && c->p->event != NULL; k++)
        truth[k] = mode[k] < 0.0;
    if (c->p->event != NULL) return RG_OK;
    set_point(c, y, yp);
    for (int64_t k = 0; k < b->n; k++)
        c->z[b->first + k] = b->kind[k] == RG_SWITCH_FLOOR ? mode[k] - 0.5 : mode[k];
    const rg_status status =
        rg_assembly_residual(c->asked.assembly, c->asked.work, t, c->z, c->rows);
    if (status < 0) return status;
    for (int64_t k = 0; k < c->n_instances; k++) {
        const int64_t row = c->instances[k].condition;
        truth[k] = row >= 0 && c->rows[row] > 0.5 ? 1.0 : 0.0;
    }
    return RG_OK;
}

int rg_conditions_assigned_most(const rg_conditions *c, int64_t instance)
{
    return c->p->event != NULL ? (int)c->p->n
                               : c->p->events[c->instances[instance].event].n_assignments;
}

rg_status rg_conditions_assigned(rg_conditions *c, int64_t instance, double t, const double *y,
                                 const double *yp, rg_assigned *out, int *n, bool *stops)
{
    const rg_instance *i = &c->instances[instance];
    const rg_event *e = &c->p->events[i->event];

    *stops = false;
    if (c->p->event != NULL) return rg_conditions_call_reset(c, i->event, t, y, out, n, stops);
    *n = e->n_assignments;
    if (e->n_assignments == 0) return RG_OK;
    set_point(c, y, yp);
    const rg_status status =
        rg_assembly_residual(c->given.assembly, c->given.work, t, c->z, c->rows);
    if (status < 0) return status;
    for (int k = 0; k < e->n_assignments; k++) {
        const rg_assignment *a = &e->assignments[k];
        const int64_t row = c->given.first[i->event] + k * e->body->count + i->iteration;
        out[k] = (rg_assigned){rg_map_at(&e->body->slots[a->slot].map, i->iteration), a->order,
                               c->rows[row], a->span};
    }
    return RG_OK;
}
