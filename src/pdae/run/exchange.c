/* Fluxes through sides that depend on the scalar itself: cooling, radiation, membranes.  c in the
 * condition is the value on the side, c_b, half a cell from the first value c_1 inside; what
 * diffusion brings there passes:
 *
 *     G (c_1 - c_b) = q(c_b),     G = 2 k/h.
 *
 * Newton's method in every face of the side at once, q' by differences; one iteration is enough for
 * a condition that is linear.  An implicit step needs the derivative of the flux by c_1,
 *
 *     G q'/(G + q'). */
#include "pdae/mesh/block.h"
#include "pdae/run/run_impl.h"
#include "pdae/run/tuning.h"

#include <float.h>
#include <math.h>

typedef struct {
    rg_run_part *p;
    const rg_quantity *q;
    double t, shift; /* of c, for differences */
    int side, d, high;
} place;

/* What is done in one face: its cell inside, the place outside, G, its area. */
typedef void face_fn(place *w, int64_t inside, int64_t outside, double G, double area,
                     double most[2]);

static void for_faces(place *w, face_fn *act, double most[2])
{
    const rg_run_part *p = w->p;
    const rg_grid *g = p->run->grid;
    const int e1 = (w->d + 1) % RG_AXES, e2 = (w->d + 2) % RG_AXES, n = g->axis[w->d].n;
    int index[RG_AXES] = {0};

    if (!rg_axis_is_side(&g->axis[w->d], w->high)) return;
    for (index[e2] = 0; index[e2] < g->axis[e2].n; index[e2]++)
        for (index[e1] = 0; index[e1] < g->axis[e1].n; index[e1]++) {
            index[w->d] = w->high ? n : 0;
            const int64_t face = rg_grid_at(g, index[0], index[1], index[2]);
            const int64_t before = face - g->stride[w->d];
            double k = p->terms.k ? p->k[w->d][face] : 0.0;
            if (p->terms.D) k += p->D[w->d * g->dims + w->d][face];
            act(w, w->high ? before : face, w->high ? face : before,
                2.0 * k / g->axis[w->d].width[w->high ? n - 1 : 0],
                g->axis[e1].width[index[e1]] * g->axis[e2].width[index[e2]], most);
        }
}

static void begin(place *w, int64_t inside, int64_t outside, double G, double area, double most[2])
{
    rg_run_part *p = w->p;

    (void)G, (void)area;
    p->c[outside] = p->scalar.surface[outside] = p->c[inside];
    most[1] = fmax(most[1], fabs(p->c[inside]));
}

static void shift(place *w, int64_t inside, int64_t outside, double G, double area, double most[2])
{
    (void)inside, (void)G, (void)area, (void)most;
    w->p->c[outside] += w->shift;
}

/* given has q(c_b), steep q(c_b + shift). */
static void improve(place *w, int64_t inside, int64_t outside, double G, double area,
                    double most[2])
{
    rg_run_part *p = w->p;
    const double q = p->scalar.given[outside], slope = (p->steep[outside] - q) / w->shift;
    const double now = p->scalar.surface[outside]; /* without the shift */
    const double step = G > 0.0 ? (G * (p->c[inside] - now) - q) / (G + slope) : 0.0;

    (void)area;
    p->c[outside] = p->scalar.surface[outside] = now + step;
    if (!(G + slope > 0.0 || G <= 0.0)) most[0] = INFINITY; /* q falls faster than c can follow */
    if (!(fabs(step) <= most[0])) most[0] = fabs(step);
    most[1] = fmax(most[1], fabs(p->c[outside]));
    if (G > 0.0) p->scalar.given[outside] = G * (p->c[inside] - p->c[outside]);
    p->steep[outside] = G > 0.0 ? G * slope / (G + slope) : slope;
}

static void add_slope(place *w, int64_t inside, int64_t outside, double G, double area,
                      double most[2])
{
    (void)G;
    w->p->s[inside] += area * w->p->steep[outside];
    most[0] = fmin(most[0], w->p->steep[outside]);
}

static rg_status fail(const place *w, double move)
{
    const rg_run_part *p = w->p;

    rg_fail(p->run->ctx, RG_ERR_CONVERGENCE,
            "no value of '%s' on a side fits its flux there: it still changes by %.2g",
            p->field->name, move);
    rg_fail_at(p->run->ctx, p->run->form->source, w->q->span);
    rg_remedy(p->run->ctx, "a flux outward should grow with '%s'; look at its sign",
              p->field->name);
    return rg_fail_time(p->run->ctx, w->t);
}

bool rg_run_side_exchanges(const rg_run_part *p, int side)
{
    const rg_condition *c = &p->field->side[side];

    return c->kind == RG_SCALAR_FLUX && c->value[0] && (c->value[0]->uses & RG_USES_FIELDS);
}

rg_status rg_run_exchange(rg_run_part *p, double t, int side)
{
    rg_run_grid *r = p->run;
    place w = {p, p->field->side[side].value[0], t, 0.0, side, side / 2, side % 2};
    double most[2] = {0.0, 0.0}; /* step, size */

    for_faces(&w, begin, most);
    if (p->terms.k == NULL && p->terms.D == NULL) return RG_OK; /* nothing diffuses yet */
    rg_grid_most(r->grid, 2, most);
    const double inside = most[1];
    for (int n = 0; n < RG_GRID_PICARD; n++) {
        w.shift = sqrt(DBL_EPSILON) * rg_run_size(p, most[1]);
        RG_TRY(rg_run_at_side(r, w.q, t, -1, side, p->scalar.given));
        for_faces(&w, shift, most);
        RG_TRY(rg_run_at_side(r, w.q, t, -1, side, p->steep));
        most[0] = 0.0;
        most[1] = inside;
        for_faces(&w, improve, most);
        rg_grid_most(r->grid, 2, most);
        if (most[0] <= RG_GRID_EXCHANGE_TOL * most[1]) return RG_OK;
        if (!isfinite(most[0])) break;
    }
    return fail(&w, most[0]);
}

rg_status rg_run_exchange_slopes(rg_run_part *p, double t, bool *indefinite)
{
    for (int side = 0; side < 2 * p->run->grid->dims; side++) {
        place w = {p, NULL, t, 0.0, side, side / 2, side % 2};
        double most[2] = {0.0, 0.0};
        if (!rg_run_side_exchanges(p, side)) continue;
        RG_TRY(rg_run_exchange(p, t, side));
        for_faces(&w, add_slope, most);
        if (most[0] < 0.0) *indefinite = true;
    }
    return RG_OK;
}

/* ---- outputs --------------------------------------------------------------------------------- */
/* c_b = c_1 - q/G */
static void show_face(place *w, int64_t inside, int64_t outside, double G, double area,
                      double most[2])
{
    rg_run_part *p = w->p;

    (void)area, (void)most;
    p->scalar.surface[outside] =
        G > 0.0 ? p->c[inside] - p->scalar.given[outside] / G : p->c[inside];
}

/* On any rank. */
static bool has_flux(const rg_run_part *p)
{
    const rg_form *form = p->run->form;
    bool found = false;

    if (p->c == NULL || p->eq->has_dispersion) return false;
    for (int side = 0; side < 2 * p->run->grid->dims; side++)
        found = found
                || (p->field->side[side].kind == RG_SCALAR_FLUX && !rg_run_side_exchanges(p, side));
    for (int k = 0; k < form->n_solids; k++)
        found = found || form->solids[k].condition[p->eq->field].kind == RG_SCALAR_FLUX;
    return found;
}

static rg_status show(rg_run_part *p)
{
    rg_run_grid *r = p->run;
    const rg_scalar_terms kept = p->terms;
    double most[2];
    bool any;

    RG_TRY(rg_run_face_diffusion(p, r->t, &any));
    RG_TRY(rg_run_scalar_sides(p, r->t));
    p->terms.k = any ? p->k : NULL;
    for (int side = 0; side < 2 * r->grid->dims; side++)
        if (p->scalar.side[side] == RG_SCALAR_FLUX)
            for_faces(&(place){.p = p, .side = side, .d = side / 2, .high = side % 2}, show_face,
                      most);
    p->terms = kept;
    for (int64_t m = 0; m < p->scalar.n_contacts; m++) {
        rg_scalar_contact *one = &p->scalar.contact[m];
        const double k = any ? p->k[one->axis][one->face] : 0.0;
        one->surface = p->c[one->cell] - (k > 0.0 ? one->value * one->half / k : 0.0);
    }
    p->scalar.shows = true;
    rg_scalar_fill(&p->scalar, p->c);
    return RG_OK;
}

rg_status rg_run_show_fluxes(rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (p->c == NULL) continue;
        p->scalar.goes_on = true;
        if (has_flux(p))
            RG_TRY(show(p));
        else
            rg_scalar_fill(&p->scalar, p->c);
    }
    return RG_OK;
}

void rg_run_hide_fluxes(rg_run_grid *r)
{
    for (int m = 0; m < r->n_parts; m++) {
        rg_run_part *p = &r->part[m];
        if (!p->scalar.goes_on) continue;
        p->scalar.shows = p->scalar.goes_on = false;
        rg_scalar_fill(&p->scalar, p->c);
    }
}
