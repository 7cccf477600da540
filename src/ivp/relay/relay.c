/* The relay of an explicit or Rosenbrock method and Radau IIA. */
#include "ivp/relay/relay.h"

#include "base/vector.h"
#include "ivp/half_explicit/half_explicit.h"
#include "ivp/radau/radau.h"
#include "ivp/relay/tuning.h"
#include "ivp/rosenbrock/rosenbrock.h"

#include <math.h>

typedef struct {
    const rg_ivp_method *inner; /* who steps */
    rg_method_state *state;     /* its state */
    rg_relay_report report;
    bool is_due; /* hands over before the next step */
} relay;

static relay *relay_of(const rg_integrator *g)
{
    return (relay *)g->state;
}

/* The functions of the inner method find their state where every method has it. */
static relay *open(rg_integrator *g)
{
    relay *r = relay_of(g);

    g->state = r->state;
    return r;
}

static void close(rg_integrator *g, relay *r)
{
    g->state = (rg_method_state *)r;
}

static rg_status begin_inner(rg_integrator *g, const rg_ivp_method *inner)
{
    relay *r = relay_of(g);

    r->inner = inner;
    r->state = rg_alloc(g->ctx, 1, inner->state_size);
    if (r->state == NULL) return RG_ERR_MEMORY;
    open(g);
    const rg_status status = inner->create(g);
    close(g, r);
    return status;
}

static void end_inner(rg_integrator *g)
{
    relay *r = relay_of(g);

    if (r->state == NULL) return;
    open(g);
    r->inner->destroy(g);
    close(g, r);
    rg_free(g->ctx, r->state);
    r->state = NULL;
}

/* Index 0: an interval over which stability alone could ask for more steps than accuracy is not for
 * an explicit method. */
static rg_status check_spectrum(rg_integrator *g)
{
    double radius = NAN;

    if (rg_system_index(g->system) > 0) return RG_OK;
    RG_TRY(rg_relay_spectrum(g, &radius));
    return radius * fabs(g->t_end - g->t) <= RG_RELAY_SPAN ? RG_OK : (rg_status)RG_RETRY;
}

/* Where stages need an iteration in a and y, the explicit method has no advantage. */
static bool is_linear(rg_integrator *g)
{
    relay *r = open(g);
    const bool found = rg_half_is_linear(rg_half_explicit_of(g)->view);

    close(g, r);
    return found;
}

/* RG_RETRY: the model is not for it. */
static rg_status begin_explicit(rg_integrator *g)
{
    relay *r = relay_of(g);
    const rg_ivp_method *first =
        rg_system_index(g->system) > 0 ? &rg_half_explicit_method : &rg_dopri_method;

    r->report.first = first->name;
    r->report.is_explicit = true;
    RG_TRY(check_spectrum(g));
    const rg_status status = begin_inner(g, first);
    if (status == RG_OK) return is_linear(g) ? RG_OK : (rg_status)RG_RETRY;
    if (status != RG_ERR_METHOD) return status;
    rg_clear_error(g->ctx); /* the model is not of its form */
    return (rg_status)RG_RETRY;
}

/* Few digits, M y' = f(t, y) of index 0 or 1. */
static rg_status begin_rosenbrock(rg_integrator *g)
{
    relay *r = relay_of(g);

    end_inner(g);
    if (g->options.rtol < RG_RELAY_LOOSE || rg_system_index(g->system) > 1
        || !rg_system_has_mass(g->system))
        return (rg_status)RG_RETRY;
    r->report.first = rg_rosenbrock_method.name;
    r->report.is_explicit = false;
    const rg_status status = begin_inner(g, &rg_rosenbrock_method);
    if (status != RG_ERR_METHOD) return status;
    rg_clear_error(g->ctx);
    return (rg_status)RG_RETRY;
}

static rg_status create(rg_integrator *g)
{
    const int index = rg_system_index(g->system);
    rg_status status = (rg_status)RG_RETRY;

    if (index == 2 || (index == 0 && g->n >= RG_RELAY_LEAST)) status = begin_explicit(g);
    return status == (rg_status)RG_RETRY ? begin_rosenbrock(g) : status;
}

static rg_status hand_over(rg_integrator *g, rg_relay_cause cause)
{
    static const char *const reasons[] = {[RG_RELAY_GAVE_UP] = "it gave up",
                                          [RG_RELAY_STIFF] = "the equations are stiff",
                                          [RG_RELAY_LONG] = "the motion is long"};
    relay *r = relay_of(g);
    const double h = fabs(g->t - g->t_previous);

    end_inner(g);
    r->is_due = false;
    r->report.has_changed = true;
    r->report.cause = cause;
    r->report.t = g->t;
    rg_log(g->ctx, 2, "%s takes over from %s at t = %.10g: %s", rg_radau_method.name,
           r->report.first, g->t, reasons[cause]);
    RG_TRY(begin_inner(g, &rg_radau_method));
    const rg_state from = rg_integrator_state(g);
    return rg_integrator_restart(g, &from, h);
}

RG_INLINE rg_status step_inner(rg_integrator *g)
{
    relay *r = open(g);
    const rg_status status = r->inner->step(g);

    if (status == RG_OK && !r->report.has_changed)
        r->is_due =
            r->report.is_explicit ? rg_half_explicit_is_stiff(g) : g->stats.steps >= RG_RELAY_STEPS;
    close(g, r);
    return status;
}

static rg_status step(rg_integrator *g)
{
    relay *r = relay_of(g);

    if (r->is_due) RG_TRY(hand_over(g, r->report.is_explicit ? RG_RELAY_STIFF : RG_RELAY_LONG));
    const rg_status status = step_inner(g);
    if (status != RG_ERR_CONVERGENCE || r->report.has_changed
        || g->stats.steps + g->stats.rejected >= g->options.max_steps)
        return status;
    rg_clear_error(g->ctx);
    RG_TRY(hand_over(g, RG_RELAY_GAVE_UP));
    return step_inner(g);
}

static void restart(rg_integrator *g, double h)
{
    relay *r = open(g);

    r->is_due = false;
    r->inner->restart(g, h);
    close(g, r);
}

static void destroy(rg_integrator *g)
{
    end_inner(g);
}

static rg_status rows(rg_integrator *g, int64_t count)
{
    relay *r = open(g);
    const rg_status status = r->inner->rows != NULL ? r->inner->rows(g, count) : RG_OK;

    close(g, r);
    return status;
}

static rg_status row(rg_integrator *g, double t, double *y, double *yp)
{
    relay *r = open(g);
    const rg_status status = r->inner->row(g, t, y, yp);

    close(g, r);
    return status;
}

rg_relay_report rg_relay_tell(const rg_integrator *g)
{
    return relay_of(g)->report;
}

static void store(rg_integrator *g, rg_store *s, double h)
{
    relay *r = relay_of(g);

    RG_STORE(s, r->report.has_changed);
    RG_STORE(s, r->report.cause);
    RG_STORE(s, r->report.t);
    if (s->is_reading && s->status == RG_OK && r->report.has_changed) {
        end_inner(g);
        s->status = begin_inner(g, &rg_radau_method);
        if (s->status == RG_OK) restart(g, h);
    }
    if (s->status != RG_OK || r->inner->store == NULL) return;
    open(g);
    r->inner->store(g, s, h);
    close(g, r);
}

/* The explicit method does not: stability limits its steps. */
static bool damps(const rg_integrator *g)
{
    const rg_relay_report r = rg_relay_tell(g);

    return r.has_changed || !r.is_explicit;
}

const rg_ivp_method rg_relay_method = {.name = "relay",
                                       .degree = 5,
                                       .state_size = sizeof(relay),
                                       .create = create,
                                       .step = step,
                                       .restart = restart,
                                       .destroy = destroy,
                                       .rows = rows,
                                       .row = row,
                                       .damps = damps,
                                       .has_multipliers = true,
                                       .store = store};
