/* What a transfer has to say about itself: its nodes, its invariants, its conditioning. */
#include "bvp/transfer/transfer_impl.h"
#include "bvp/transfer/tuning.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const double x = *(const double *)left, y = *(const double *)right;

    return (x > y) - (x < y);
}

static int64_t count_nodes(const rg_transfer *t)
{
    int64_t count = 2;

    for (int k = 0; k < t->n_groups; k++) {
        if (t->groups[k].forward != NULL) count += t->groups[k].forward->n;
        if (t->groups[k].backward != NULL) count += t->groups[k].backward->n;
    }
    return count;
}

static void add_nodes(rg_transfer *t, const rg_sweep *s)
{
    for (int64_t k = 0; s != NULL && k < s->n; k++) {
        t->mesh[t->n_mesh++] = s->t[k];
        if (t->is_folded) t->mesh[t->n_mesh++] = t->a + t->b - s->t[k];
    }
}

/* Sorted, without those that differ by rounding only; the ends stay exact. */
static void thin_out(rg_transfer *t)
{
    const double low = fmin(t->a, t->b), high = fmax(t->a, t->b);
    const double gap = 1e-12 * (high - low);
    int64_t n = 1;

    qsort(t->mesh, (size_t)t->n_mesh, sizeof *t->mesh, compare);
    t->mesh[0] = low;
    for (int64_t k = 1; k < t->n_mesh; k++)
        if (t->mesh[k] > t->mesh[n - 1] + gap && t->mesh[k] < high - gap) t->mesh[n++] = t->mesh[k];
    t->mesh[n++] = high;
    t->n_mesh = n;
    for (int64_t k = 0; k < n / 2 && t->a > t->b; k++) { /* from the start to the end */
        const double x = t->mesh[k];
        t->mesh[k] = t->mesh[n - 1 - k];
        t->mesh[n - 1 - k] = x;
    }
}

/* Room for the solution at the nodes.  A model that is not linear has another one after every
 * correction. */
static rg_status take_known(rg_transfer *t)
{
    const size_t n = (size_t)t->n_mesh * ((size_t)t->size + 1);

    if ((t->known = rg_alloc(t->ctx, n + 1, sizeof *t->known)) == NULL) return RG_ERR_MEMORY;
    for (size_t k = 0; k < n; k++)
        t->known[k] = NAN;
    return RG_OK;
}

rg_status rg_transfer_mesh(rg_transfer *t, int64_t *n, const double **times)
{
    if (t->mesh == NULL) {
        const int64_t room = 2 * count_nodes(t) + 2;
        if ((t->mesh = rg_alloc(t->ctx, (size_t)room, sizeof *t->mesh)) == NULL)
            return RG_ERR_MEMORY;
        for (int k = 0; k < t->n_groups; k++) {
            add_nodes(t, t->groups[k].forward);
            add_nodes(t, t->groups[k].backward);
        }
        t->mesh[t->n_mesh++] = t->a;
        t->mesh[t->n_mesh++] = t->b;
        thin_out(t);
        if (t->quasi == NULL) RG_TRY(take_known(t));
    }
    *n = t->n_mesh;
    *times = t->mesh;
    return RG_OK;
}

static void add_sweep(const rg_sweep *s, rg_transfer_report *out)
{
    if (s == NULL) return;
    out->deviation = fmax(out->deviation, s->deviation);
    out->stats.steps += s->steps;
    out->stats.rejected += s->rejected;
    for (int j = 0; j < s->k; j++) { /* phi shrinks: h, and with it the solution, grows */
        const double factor = exp(fmin(-s->growth[j], 700.0));
        const double large = 1e3; /* smaller ones do no harm */
        out->growing += factor > large;
    }
    if (!(s->amplification <= out->growth)) out->growth = s->amplification;
}

/* How many solutions grow or decay by more than RG_TRANSFER_DICHOTOMY from start to end.  A column
 * of phi that grows on its way carries what is known of a solution that decays in that direction;
 * both sweeps together have as many columns as there are solutions. */
static void find_dichotomy(const rg_transfer *t, rg_transfer_report *out)
{
    out->has_dichotomy = !t->is_folded;
    for (int k = 0; k < t->n_groups; k++) {
        const rg_group *g = &t->groups[k];
        const rg_sweep *s = g->forward != NULL ? g->forward : g->backward;
        if (g->forward != NULL && g->backward != NULL) out->has_dichotomy = false; /* inner point */
        if (s == NULL) continue;
        const bool is_start = g->t == t->a;
        *(is_start ? &out->at_start : &out->at_end) += g->k;
        for (int j = 0; j < s->k; j++) {
            *(is_start ? &out->wrong_start : &out->wrong_end) +=
                s->growth[j] < -log(RG_TRANSFER_DICHOTOMY);
            out->down += is_start ? s->growth[j] > log(RG_TRANSFER_DICHOTOMY)
                                  : s->growth[j] < -log(RG_TRANSFER_DICHOTOMY);
            out->up += is_start ? s->growth[j] < -log(RG_TRANSFER_DICHOTOMY)
                                : s->growth[j] > log(RG_TRANSFER_DICHOTOMY);
        }
    }
}

rg_transfer_report rg_transfer_facts(const rg_transfer *t)
{
    rg_transfer_report out = {.condition = t->worst_condition,
                              .dropped = t->dropped,
                              .is_folded = t->is_folded,
                              .stats = t->past};

    for (int k = 0; k < t->n_groups; k++) {
        const rg_group *g = &t->groups[k];
        if (g->forward != NULL) out.forward += g->k;
        if (g->backward != NULL) out.backward += g->k;
        add_sweep(g->forward, &out);
        add_sweep(g->backward, &out);
    }
    out.stats.evaluations += t->scene->samples;
    for (int k = 0; k < 2; k++) {
        const rg_field *field = t->worker[k].field;
        if (field == NULL) continue;
        out.stats.evaluations += field->evaluations;
        out.stats.factorizations += field->factorizations;
        if (!(field->worst_condition > out.index_condition)) continue;
        out.index_condition = field->worst_condition;
        out.index_t = field->worst_t;
    }
    find_dichotomy(t, &out);
    if (t->quasi != NULL) rg_quasi_facts(t, &out.newton);
    return out;
}
