/* Running the programs of an assembly. */
#include "base/vector.h"
#include "expr/ops.h"
#include "problem/assembly_impl.h"

#include <string.h>

/* ---- programs -------------------------------------------------------------------------------- */

typedef struct {
    rg_assembly_work *w;
    double t;
    const double *z;
    double *F, *J;
} evaluation;

static void load_single(const evaluation *e, const rg_program *p, double *r)
{
    for (int k = 0; k < p->n_inputs; k++) {
        const rg_single *s = &p->single[k];
        const double *fixed = p->inputs[k].values;
        if (s->home == AT_Z)
            r[k] = e->z[s->place];
        else if (s->home == AT_POOL)
            r[k] = e->w->pool[s->place];
        else
            r[k] = fixed != NULL ? fixed[s->place] : (double)s->place;
    }
}

static bool store_single(const evaluation *e, const rg_program *p, const double *result)
{
    const rg_single *s = p->single + p->n_inputs;
    uint64_t carry = 0;

    for (int k = 0; k < p->n_plain; k++) {
        carry |= rg_exponent_carry(result[k]);
        e->F[s[k].place] = result[k];
    }
    for (int k = p->n_plain; k < p->n_stored; k++) {
        carry |= rg_exponent_carry(result[k]);
        e->J[s[k].place] = result[k];
    }
    for (int k = p->n_stored; k < p->n_outputs; k++) {
        carry |= rg_exponent_carry(result[k]);
        double *values = s[k].home == AT_J ? e->J : e->w->pool;
        if (s[k].accumulate)
            values[s[k].place] += result[k];
        else
            values[s[k].place] = result[k];
    }
    return rg_is_all_finite(carry);
}

/* One iteration: everything has one place. */
static bool run_single(const evaluation *e, const rg_program *p)
{
    double *r = e->w->tape;

    if (p->is_run)
        memcpy(r, e->z + p->single[0].place, (size_t)p->n_inputs * sizeof *r);
    else if (p->is_plain)
        for (int k = 0; k < p->n_inputs; k++)
            r[k] = e->z[p->single[k].place];
    else
        load_single(e, p, r);
    rg_tape_run_one(p->tape, e->t, r);
    return store_single(e, p, r + p->results);
}

/* False: a result is not finite. */
static bool run(const evaluation *e, const rg_program *p, int64_t count)
{
    rg_tape_source *sources = e->w->sources + p->first_source;
    rg_tape_target *targets = e->w->targets + p->first_target;

    if (e->w->code != NULL)
        return e->w->code[p->number](e->t, e->z, e->F, e->J, e->w->pool, sources, targets) != 0;
    if (p->single != NULL) return run_single(e, p);
    for (int k = 0; k < p->n_inputs; k++)
        if (p->inputs[k].home == AT_Z) sources[k].values = e->z;
    for (int k = 0; k < p->n_outputs; k++) {
        if (p->outputs[k].home == AT_F) targets[k].values = e->F;
        if (p->outputs[k].home == AT_J) targets[k].values = e->J;
    }
    return rg_tape_run(p->tape, e->t, 0, count, NULL, sources, targets, e->w->tape);
}

/* The sums that a unit reads; sums inside of sums first. */
static void eval_sums(const evaluation *e, const rg_unit *u)
{
    for (int s = 0; s < u->n_sums; s++)
        memset(e->w->pool + u->sums[s].offset, 0, (size_t)u->count * sizeof(double));
    for (int k = 0; k < u->n_children; k++) {
        eval_sums(e, &u->children[k]);
        run(e, &u->children[k].value, u->children[k].count);
    }
}

/* Units above have left their seeds in the pool. */
static bool eval_jacobian_below(const evaluation *e, const rg_unit *u)
{
    bool is_good = true;

    for (int k = 0; k < u->n_children; k++) {
        const rg_unit *child = &u->children[k];
        if (child->jacobian.tape != NULL && !run(e, &child->jacobian, child->count))
            is_good = false;
        if (!eval_jacobian_below(e, child)) is_good = false;
    }
    return is_good;
}

static bool is_finite(int64_t n, const double *x)
{
    uint64_t carry = 0;

    for (int64_t k = 0; k < n; k++)
        carry |= rg_exponent_carry(x[k]);
    return rg_is_all_finite(carry);
}

static rg_status eval_residual(const evaluation *e, const rg_assembly *a)
{
    bool is_good = true;

    if (!a->is_covered) memset(e->F, 0, (size_t)a->n_rows * sizeof *e->F);
    for (int k = 0; k < a->n_units; k++) {
        const rg_unit *u = &a->units[k];
        if (u->n_sums > 0) eval_sums(e, u);
        if (!run(e, &u->value, u->count)) is_good = false;
    }
    return is_good ? RG_OK : (rg_status)RG_RETRY;
}

static rg_status eval_jacobian(const evaluation *e, const rg_assembly *a)
{
    bool is_good = true;

    if (!a->is_covered) memset(e->F, 0, (size_t)a->n_rows * sizeof *e->F);
    for (int k = 0; k < a->n_units; k++) {
        const rg_unit *u = &a->units[k];
        if (u->n_sums > 0) eval_sums(e, u);
        if (!run(e, u->jacobian.tape != NULL ? &u->jacobian : &u->value, u->count)) is_good = false;
        if (!eval_jacobian_below(e, u)) is_good = false;
    }
    return is_good && a->is_constant_finite ? RG_OK : (rg_status)RG_RETRY;
}

static void watch(const rg_assembly *a, rg_assembly_work *w, int what)
{
    if (w->watch.native == NULL) return;
    w->watch.spent += w->watch.cost[what];
    if (w->watch.spent >= w->watch.next) rg_native_look(a, w);
}

/* The constant part.  Where the workspace keeps it only sums have to start again. */
static void fill_constant(const evaluation *e, const rg_assembly *a)
{
    if (e->J != e->w->kept) {
        memcpy(e->J, a->constant, (size_t)a->pattern.start[a->n_columns] * sizeof *e->J);
        return;
    }
    for (int64_t k = 0; k < a->n_added; k++)
        e->J[a->added[k]] = a->constant[a->added[k]];
}

/* ---- interface ------------------------------------------------------------------------------- */

/* The program of unit k, compiled; 0: a result is not finite. */
static inline int call_unit(const rg_assembly *a, const rg_assembly_work *w, int k, double t,
                            const double *z, double *F)
{
    const rg_program *p = &a->units[k].value;

    return w->code[p->number](t, z, F, NULL, w->pool, w->sources + p->first_source,
                              w->targets + p->first_target);
}

/* Compiled programs of several units that read no sums: one call after the other. */
RG_APART rg_status call_units(const rg_assembly *a, const rg_assembly_work *w, double t,
                              const double *z, double *F)
{
    int is_good = 1;

    for (int k = 0; k < a->n_units; k++)
        is_good &= call_unit(a, w, k, t, z, F);
    return is_good ? RG_OK : (rg_status)RG_RETRY;
}

RG_APART rg_status interpret_residual(const rg_assembly *a, rg_assembly_work *w, double t,
                                      const double *z, double *F)
{
    const evaluation e = {w, t, z, F, NULL};

    watch(a, w, RG_COST_RESIDUAL);
    if (a->callback == NULL) return eval_residual(&e, a);
    RG_TRY(rg_callback_residual(a, w, t, z, F));
    return is_finite(a->n_rows, F) ? RG_OK : (rg_status)RG_RETRY;
}

/* Called for every stage of every iteration: little around the compiled code. */
rg_status rg_assembly_residual(const rg_assembly *a, rg_assembly_work *w, double t, const double *z,
                               double *F)
{
    if (w->code == NULL || !a->is_flat) return interpret_residual(a, w, t, z, F);
    if (a->n_units != 1) return call_units(a, w, t, z, F);
    return call_unit(a, w, 0, t, z, F) ? RG_OK : (rg_status)RG_RETRY;
}

rg_status rg_assembly_jacobian(const rg_assembly *a, rg_assembly_work *w, double t, const double *z,
                               double *F, double *J)
{
    const evaluation e = {w, t, z, F != NULL ? F : w->F, J};
    const int64_t nonzeros = a->pattern.start[a->n_columns];

    watch(a, w, RG_COST_JACOBIAN);
    if (a->callback == NULL) {
        fill_constant(&e, a);
        return eval_jacobian(&e, a);
    }
    RG_TRY(rg_callback_jacobian(a, w, t, z, e.F, J));
    return is_finite(a->n_rows, e.F) && is_finite(nonzeros, J) ? RG_OK : (rg_status)RG_RETRY;
}

rg_status rg_assembly_jacobian_kept(const rg_assembly *a, rg_assembly_work *w, double t,
                                    const double *z, double *F, const double **J)
{
    *J = w->kept;
    return rg_assembly_jacobian(a, w, t, z, F, w->kept);
}
