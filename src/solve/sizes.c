/* Sizes of unknowns in a run, and units that follow from them. */
#include "solve/sizes.h"

#include "solution/columns.h"
#include "solve/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED = 4 }; /* unknowns in a message */

rg_status rg_sizes_init(rg_context *ctx, int64_t n, rg_sizes *out)
{
    out->n = n;
    out->largest = rg_alloc(ctx, 5 * (size_t)n + 1, sizeof *out->largest);
    if (out->largest == NULL) return RG_ERR_MEMORY;
    out->seen = out->largest + 2 * n;
    out->early = out->seen + n;
    out->when = out->early + n;
    return RG_OK;
}

void rg_sizes_clear(rg_context *ctx, rg_sizes *z)
{
    rg_free(ctx, z->largest);
    z->largest = NULL;
}

void rg_sizes_forget(rg_sizes *z)
{
    memset(z->largest, 0, 5 * (size_t)z->n * sizeof *z->largest);
    z->n_points = 0;
}

/* Not-a-number does not count. */
static void raise(double *largest, double y)
{
    if (fabs(y) > *largest) *largest = fabs(y);
}

void rg_sizes_take(rg_sizes *z, double t, const double *y, const double *yp,
                   const rg_recovery *to_come)
{
    for (int64_t i = 0; i < z->n; i++) {
        raise(&z->seen[i], y[i]);
        if (fabs(y[i]) > z->largest[i]) z->when[i] = t;
        if (to_come == NULL || !rg_recovery_gives(to_come, i)) raise(&z->largest[i], y[i]);
        if (to_come == NULL) raise(&z->largest[z->n + i], yp[i]);
    }
    if (++z->n_points <= 2) memcpy(z->early, z->largest, (size_t)z->n * sizeof *z->early);
}

void rg_sizes_store(rg_sizes *z, rg_store *s)
{
    rg_store_reals(s, z->largest, 5 * z->n);
    RG_STORE(s, z->n_points);
}

bool rg_sizes_pass_zero(const rg_sizes *z, const rg_integrator *g, bool is_complete)
{
    const double *y = rg_integrator_state(g).y;

    for (int64_t i = 0; i < z->n; i++) {
        const double part = RG_SIZE_PASSES * z->largest[i];
        if (isfinite(part) && part > rg_integrator_unit(g, i) && (is_complete || fabs(y[i]) < part))
            return true;
    }
    return false;
}

bool rg_sizes_have_exploded(const rg_sizes *z, const rg_solver *s)
{
    const rg_units *u = s->options.units;
    bool is_so = false;

    for (int r = 0; u != NULL && r <= RG_MAX_ORDER; r++)
        for (int64_t j = 0; u->unit[r] != NULL && j < u->n && !is_so; j++) {
            const int64_t state = rg_system_state(s->system, j, r);
            is_so = state >= 0 && z->seen[state] > RG_SIZE_SMALL * u->unit[r][j];
        }
    return is_so;
}

void rg_sizes_go_back(rg_sizes *z)
{
    memcpy(z->largest, z->early, (size_t)z->n * sizeof *z->largest);
    memcpy(z->seen, z->early, (size_t)z->n * sizeof *z->seen);
    z->has_failed = true;
}

/* ---- rounding -------------------------------------------------------------------------------- */

typedef struct { /* dF/dy and dF/dy' at the end of the run, and what they make of the sizes */
    const rg_pattern *p;
    double *Jy, *Jyp;
    /* per row: the largest term |dF/dy| |y|, |dF/dy'| |y'|; of states that are rounding; of the
     * others the first two, and the state of the first */
    double *largest, *lost, *first, *second;
    double *rest; /* per row: F without the terms of the states, to first order */
    int64_t *owner;
    uint8_t *is_dynamic;      /* per row: it has a derivative */
    uint8_t *is_differential; /* per state */
    uint8_t *is_noise;        /* per state */
    uint8_t *is_given;        /* per state: it starts from a given value */
    double *z, *F;            /* another point, and the residual there */
    rg_system_work *work;
} terms;

static double term(const rg_sizes *z, const terms *m, int64_t state, int64_t entry)
{
    return fmax(fabs(m->Jy[entry]) * z->largest[state],
                fabs(m->Jyp[entry]) * z->largest[z->n + state]);
}

static void put_term(const terms *m, int64_t i, int64_t state, double size)
{
    m->largest[i] = fmax(m->largest[i], size);
    if (m->is_noise[state]) {
        m->lost[i] = fmax(m->lost[i], size);
    } else if (size > m->first[i]) {
        m->second[i] = m->first[i];
        m->first[i] = size;
        m->owner[i] = state;
    } else {
        m->second[i] = fmax(m->second[i], size);
    }
}

static void measure_rows(const rg_sizes *z, const terms *m)
{
    for (int64_t i = 0; i < z->n; i++)
        m->largest[i] = m->lost[i] = m->first[i] = m->second[i] = 0.0;
    for (int64_t j = 0; j < z->n; j++)
        for (int64_t k = m->p->start[j]; k < m->p->start[j + 1]; k++) {
            if (m->Jyp[k] != 0.0) m->is_dynamic[m->p->row[k]] = m->is_differential[j] = 1;
            put_term(m, m->p->row[k], j, term(z, m, j, k));
        }
}

/* Does the row determine the state?  The derivative of a state follows from the rows that have it;
 * an algebraic one from rows without derivatives, where it occurs in any. */
static bool is_own_row(const terms *m, int64_t state, int64_t entry, bool has_static)
{
    if (m->is_differential[state]) return m->Jyp[entry] != 0.0;
    return !has_static || !m->is_dynamic[m->p->row[entry]];
}

/* Row i has no terms but those of state j where the run ends, and there was nothing else when |y_j|
 * was largest.  A derivative alone does not make a state leave a given value: something has. */
static bool says_zero(const rg_sizes *z, const rg_solver *s, const terms *m, int64_t i, int64_t j,
                      double own)
{
    const rg_state now = rg_integrator_state(s->integrator);
    const size_t bytes = (size_t)z->n * sizeof *m->z;

    if (m->is_differential[j] && m->is_given[j]) return false;
    if (m->rest[i] >= RG_SIZE_ROUNDING * own) return false;
    memcpy(m->z, now.y, bytes);
    memcpy(m->z + z->n, now.yp, bytes);
    m->z[j] = m->z[z->n + j] = 0.0;
    return rg_system_residual(s->system, m->work, z->when[j], m->z, m->z + z->n, m->F) == RG_OK
           && fabs(m->F[i]) < RG_SIZE_ROUNDING * own;
}

/* A state is lost where its term in a row that determines it is rounding of another one, or where
 * all other terms of its size there are lost themselves, or where there is nothing else: then the
 * equation says that it is 0.  An algebraic one is also lost where its
 * terms are below the tolerance in all rows: multipliers that are 0 on the solution. */
static bool is_lost(const rg_sizes *z, const rg_solver *s, const terms *m, int64_t j)
{
    const double rtol = s->options.rtol;
    bool has_static = false, matters = m->is_differential[j];

    for (int64_t k = m->p->start[j]; k < m->p->start[j + 1]; k++) {
        const int64_t i = m->p->row[k];
        has_static = has_static || (m->Jy[k] != 0.0 && !m->is_dynamic[i]);
        matters = matters || term(z, m, j, k) > rtol * m->largest[i];
    }
    for (int64_t k = m->p->start[j]; k < m->p->start[j + 1]; k++) {
        const int64_t i = m->p->row[k];
        const double own = term(z, m, j, k);
        if (own == 0.0 || !is_own_row(m, j, k, has_static)) continue;
        const double other = m->owner[i] == j ? m->second[i] : m->first[i];
        if (own < RG_SIZE_ROUNDING * m->largest[i]) return true;
        if (own == m->largest[i] && other == 0.0 && says_zero(z, s, m, i, j, own)) return true;
        if (m->lost[i] >= RG_SIZE_BESIDE * own && other < RG_SIZE_BESIDE * own) return true;
    }
    return !matters;
}

static rg_status take_memory(rg_context *ctx, int64_t n, terms *m)
{
    const size_t rows = (size_t)n + 1, entries = (size_t)m->p->start[n] + 1;

    m->Jy = rg_alloc(ctx, 2 * entries + 8 * rows, sizeof *m->Jy);
    m->owner = rg_alloc(ctx, rows, sizeof *m->owner);
    m->is_dynamic = rg_alloc(ctx, 4 * rows, sizeof *m->is_dynamic);
    if (m->Jy == NULL || m->owner == NULL || m->is_dynamic == NULL) return RG_ERR_MEMORY;
    m->Jyp = m->Jy + entries;
    m->largest = m->Jyp + entries;
    m->lost = m->largest + rows;
    m->first = m->lost + rows;
    m->second = m->first + rows;
    m->rest = m->second + rows;
    m->z = m->rest + rows;
    m->F = m->z + 2 * rows;
    m->is_differential = m->is_dynamic + rows;
    m->is_noise = m->is_differential + rows;
    m->is_given = m->is_noise + rows;
    return RG_OK;
}

static void clear_memory(rg_context *ctx, terms *m)
{
    rg_free(ctx, m->Jy);
    rg_free(ctx, m->owner);
    rg_free(ctx, m->is_dynamic);
    rg_system_work_destroy(&m->work);
}

static void find_rest(const rg_state *now, int64_t n, const terms *m)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = m->p->start[j]; k < m->p->start[j + 1]; k++)
            m->rest[m->p->row[k]] -= m->Jy[k] * now->y[j] + m->Jyp[k] * now->yp[j];
    for (int64_t i = 0; i < n; i++)
        m->rest[i] = fabs(m->rest[i]);
}

static void find_given(const rg_solver *s, const terms *m)
{
    const rg_problem *p = s->problem;

    for (int r = 0; r < p->start_orders && r <= RG_MAX_ORDER; r++)
        for (int64_t j = 0; j < p->n && p->start[r].kind != NULL; j++) {
            const int64_t state = rg_system_state(s->system, j, r);
            if (state >= 0 && p->start[r].kind[j] != RG_START_NONE) m->is_given[state] = 1;
        }
}

/* Switches stand between their branches: what the branch of the end leaves out may have been in the
 * equation before. */
static rg_status hold_both(const rg_solver *s, const rg_state *now, const terms *m)
{
    const int64_t n = rg_system_can_hold(s->system) ? rg_system_switch_count(s->system) : 0;
    double *v = n > 0 ? rg_alloc(s->ctx, (size_t)n, sizeof *v) : NULL;

    if (n == 0) return RG_OK;
    if (v == NULL) return RG_ERR_MEMORY;
    const rg_status status =
        rg_system_switch_values(s->system, m->work, now->t, now->y, now->yp, v);
    for (int64_t k = 0; k < n; k++)
        v[k] = rg_system_switch_nature(s->system, k).is_whole
                   ? rg_system_switch_mode(s->system, k, v[k])
                   : RG_SIZE_BRANCH;
    if (status == RG_OK) rg_system_hold(s->system, m->work, v);
    rg_free(s->ctx, v);
    return status < 0 ? status : RG_OK;
}

static rg_status look(const rg_solver *s, const rg_state *now, const terms *m)
{
    rg_status status = rg_system_residual(s->system, m->work, now->t, now->y, now->yp, m->rest);

    if (status == RG_OK)
        status = rg_system_jacobian(s->system, m->work, now->t, now->y, now->yp, m->Jy, m->Jyp);
    return status;
}

/* Which states are rounding; all of them where the equations cannot be looked at. */
static rg_status find_noise(const rg_sizes *z, const rg_solver *s, terms *m)
{
    const rg_state now = rg_integrator_state(s->integrator);
    bool has_more = true;

    RG_TRY(take_memory(s->ctx, z->n, m));
    RG_TRY(rg_system_work_create(s->system, &m->work));
    RG_TRY(hold_both(s, &now, m));
    rg_status status = look(s, &now, m);
    if (status == (rg_status)RG_RETRY && rg_system_is_held(m->work)) { /* not defined there */
        rg_system_hold(s->system, m->work, NULL);
        status = look(s, &now, m);
    }
    if (status < 0) return status;
    find_given(s, m);
    find_rest(&now, z->n, m);
    if (status != RG_OK) memset(m->is_noise, 1, (size_t)z->n);
    while (status == RG_OK && has_more) {
        has_more = false;
        measure_rows(z, m);
        for (int64_t j = 0; j < z->n; j++) {
            if (m->is_noise[j] || !is_lost(z, s, m, j)) continue;
            m->is_noise[j] = 1;
            has_more = true;
        }
    }
    return RG_OK;
}

/* ---- units ----------------------------------------------------------------------------------- */

typedef struct { /* units that are collected */
    rg_sizes_known known;
    const rg_dips *dips;
    const double *needs;
    terms m;
    uint8_t *is_written;
    bool is_known; /* the noise; only who needs it pays */
    int count;
    rg_units **out;
    char *text;
    size_t size;
} collection;

/* The size down to which a state needs its digits, because it grows from there or an output asks
 * for them; NaN: it does not. */
static double least_size(const collection *c, int64_t state)
{
    const double grown = rg_dips_size(c->dips, state), need = c->needs[state];

    return isfinite(need) && !(grown <= need) ? fmax(need, RG_SIZE_LEAST) : grown;
}

/* A unit may grow to the size of its unknown: unless this run has failed, one before with a unit
 * like that has, or it is too much for an output. */
static bool may_grow(const rg_sizes *z, const collection *c, int64_t state, double failed)
{
    const double size = z->largest[state];

    return !z->has_failed && !(RG_SIZE_OTHER * size >= failed) && !(c->needs[z->n + state] < size);
}

/* The size of a state as its unit; NaN: the unit that it has will do.  small: values below count as
 * small where an unknown has no unit of its own. */
static double wanted(const rg_sizes *z, const rg_solver *s, const collection *c, double small,
                     int64_t j, int r)
{
    const rg_options *o = &s->options;
    const rg_units *now = o->units, *given = c->known.given, *failed = c->known.failed;
    const int64_t state = rg_system_state(s->system, j, r);
    const double size = z->largest[state], least = least_size(c, state);
    const bool has_own = now != NULL && now->unit[r] != NULL && !isnan(now->unit[r][j]);

    if (given != NULL && !isnan(rg_units_at(given, j, r))) return NAN;
    if (!isnan(least)) /* the next run may come nearer to 0 */
        return !has_own || least < now->unit[r][j] ? least / RG_SIZE_OTHER : NAN;
    if (!(size > RG_SIZE_LEAST && isfinite(size))) return NAN;
    if (!has_own) return o->atol_is_auto || z->seen[state] < small ? size : NAN;
    const double ratio = size / now->unit[r][j];
    if (ratio > RG_SIZE_OTHER)
        return may_grow(z, c, state, failed != NULL ? rg_units_at(failed, j, r) : NAN) ? size : NAN;
    return ratio < 1.0 / RG_SIZE_OTHER ? size : NAN;
}

static void name_it(const rg_solver *s, int64_t j, int r, double unit, int count, char *text,
                    size_t size)
{
    const size_t used = strlen(text);
    char name[64];

    if (count > NAMED) return;
    rg_variable_name(s->problem, j, r, name, sizeof name);
    snprintf(text + used, size - used, "%s%s=%.2g", used > 0 ? "," : "", name,
             unit * s->options.rtol);
}

static rg_status collect_one(const rg_sizes *z, const rg_solver *s, collection *c, double small,
                             int64_t j, int r)
{
    const int64_t state = c->is_written[j] ? rg_system_state(s->system, j, r) : -1;
    const double unit = state >= 0 ? wanted(z, s, c, small, j, r) : NAN;

    if (isnan(unit)) return RG_OK;
    /* where a run has failed, its last point says nothing */
    const bool grows = !isnan(least_size(c, state));
    if (!c->is_known && !z->has_failed && !grows) {
        RG_TRY(find_noise(z, s, &c->m));
        c->is_known = true;
    }
    if (c->m.is_noise != NULL && c->m.is_noise[state] && !grows) return RG_OK;
    if (*c->out == NULL)
        RG_TRY(s->units != NULL ? rg_units_copy(s->ctx, s->units, c->out)
                                : rg_units_create_empty(s->problem, c->out));
    const double *taken = (*c->out)->unit[r];
    if (taken != NULL && taken[j] == unit) return RG_OK;
    RG_TRY(rg_units_set(s->ctx, *c->out, j, r, unit));
    name_it(s, j, r, unit, ++c->count, c->text, c->size);
    return RG_OK;
}

static rg_status collect_below(const rg_sizes *z, const rg_solver *s, collection *c, double small)
{
    for (int r = 0; r <= RG_MAX_ORDER; r++)
        for (int64_t j = 0; j < s->problem->n; j++)
            RG_TRY(collect_one(z, s, c, small, j, r));
    return RG_OK;
}

/* What is below 100 atol; and, where that asks for another run, all that atol/rtol is too large
 * for: an unknown has as many digits as those that it depends on. */
static rg_status collect(const rg_sizes *z, const rg_solver *s, collection *c)
{
    const rg_options *o = &s->options;

    rg_written_unknowns(s->problem, c->is_written);
    rg_asked_unknowns(s->problem, c->is_written);
    for (int64_t j = 0; z->counts_all && j < s->problem->n; j++)
        c->is_written[j] = 1; /* noise in any of them may be the reason */
    RG_TRY(collect_below(z, s, c, RG_SIZE_SMALL * o->atol));
    if (c->count > 0) RG_TRY(collect_below(z, s, c, o->atol / o->rtol));
    if (c->count > NAMED) {
        const size_t used = strlen(c->text);
        snprintf(c->text + used, c->size - used, " and %d more", c->count - NAMED);
    }
    return RG_OK;
}

rg_status rg_sizes_units(const rg_sizes *z, const rg_dips *dips, const double *needs,
                         const rg_solver *s, rg_sizes_known known, rg_units **out, char *text,
                         size_t size)
{
    const rg_options *o = &s->options;
    collection c = {
        .known = known, .dips = dips, .needs = needs, .out = out, .text = text, .size = size};

    *out = NULL;
    text[0] = '\0';
    if (o->step > 0.0 || o->is_measured || (o->atol_is_given && !o->atol_is_auto)) return RG_OK;
    c.m.p = rg_system_pattern(s->system);
    c.is_written = rg_alloc(s->ctx, (size_t)s->problem->n + 1, sizeof *c.is_written);
    const rg_status status = c.is_written == NULL ? RG_ERR_MEMORY : collect(z, s, &c);
    if (status != RG_OK) rg_units_destroy(s->ctx, out);
    rg_free(s->ctx, c.is_written);
    clear_memory(s->ctx, &c.m);
    return status;
}
