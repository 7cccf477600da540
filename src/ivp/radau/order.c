/* Which order next?  The one that gets furthest for its cost, as far as that can be measured.
 *
 * HW99 raise the order when Newton's method converges fast and lower it when it does not.  We
 * compare what counts,
 *
 *     h_s / cost_s,      cost_s: evaluations, factorizations and solutions per accepted step,
 *                        rejected ones included, and what a step on hidden constraints costs
 *                        whatever its stages: violations, projection, Jacobian, error estimate.
 *
 * Down: the polynomial p of the last step, of degree s, tells what the method with l = s - 2 stages
 * would have found.  Its own polynomial over a step x h interpolates p at 0, c_1 x, .., c_l x.  The
 * slope at 0 differs from that of p by
 *
 *     (1/(x h)) sum_{k > l} w_k x^k a_k,     w_k = sum_i P^l_1i (c_i^l)^k   (1 for k = 1, 0 for
 *                                            1 < k <= l),             (*)
 *
 * which is the right-hand side of its error estimate (error.c).  h_l follows from that, cost_l is
 * remembered.
 *
 * Up: the stages of a step know nothing of derivatives beyond s, so more stages are tried, where
 * they may pay: from the tolerances alone, h_{s+2}/h_s is about
 * tol_{s+2}^(1/(s+3)) / tol_s^(1/(s+1)).  If (*) then says "down", the next trial comes twice as
 * late.  That is a guess: after many steps with the fewest stages one trial is made where it
 * promises less (car axis, 1e-4: 95 steps instead of 221).
 *
 * Constants: by experiment, on the problems of examples/ivp at 1e-4 to 1e-10 with the stages fixed
 * and free; mean work there is 6 to 12 % above that of the best fixed order of each run. */
#include "ivp/radau/radau.h"
#include "ivp/radau/tuning.h"

#include <math.h>

enum { LEAST = 3 };

static double *cost_of(rg_radau *r, int s)
{
    return &r->cost[s / 2];
}

/* Multiplications of a residual, of a factorization and of a solution */
typedef struct {
    double residual, factor, solve;
} works;

static works works_of(const rg_integrator *g)
{
    const rg_pattern *p = rg_system_pattern(g->system);
    works w;

    w.residual = RG_ORDER_CALL_COST + RG_ORDER_ENTRY_COST * (double)p->start[p->n_columns];
    rg_matrix_work(rg_radau_of(g)->real, &w.factor, &w.solve);
    return w;
}

/* Of so many evaluations and factorizations; an evaluation comes with its part of the solutions. */
static double work(const works *w, int s, double evaluations, double factorizations)
{
    const double parts = 1.0 + 4.0 * (s / 2); /* a real matrix and s/2 complex ones */

    return evaluations * (w->residual + w->solve * parts / s) + factorizations * w->factor * parts;
}

/* ... of a step with so many of them */
static double step_work(const rg_integrator *g, int s, double evaluations, double factorizations)
{
    const works w = works_of(g);
    const double fixed = rg_system_projects(g->system) ? RG_ORDER_STEP_COST : 0.0;

    return work(&w, s, evaluations, factorizations) + fixed * (w.residual + w.solve);
}

/* Does a factorization cost as much as several iterations? */
bool rg_radau_is_thrifty(const rg_integrator *g)
{
    const int s = rg_radau_of(g)->table->s;
    const works w = works_of(g);

    return work(&w, s, 0.0, 1.0) > RG_ORDER_THRIFT * work(&w, s, s, 0.0);
}

static void note_cost(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    double *mean = cost_of(r, r->table->s);

    r->evaluations = g->stats.evaluations - r->evaluations_before;
    r->factorizations = g->stats.factorizations - r->factorizations_before;
    r->evaluations_before = g->stats.evaluations;
    r->factorizations_before = g->stats.factorizations;
    const double now = step_work(g, r->table->s, (double)r->evaluations, (double)r->factorizations);
    *mean = r->since > 1 && *mean > 0.0
                ? RG_ORDER_COST_MEMORY * *mean + (1.0 - RG_ORDER_COST_MEMORY) * now
                : now;
}

static double unit_step(const rg_integrator *g, int s)
{
    return rg_radau_of(g)->unit_step[s / 2];
}

static double power(double x, int k)
{
    double y = x;

    while (--k > 0)
        y *= x;
    return y;
}

/* h_l, l = s - 2, from (*) with x about h_l/h_s.  Uses Z_1 and error as workspace. */
static double lower_step(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s, l = s - 2;
    const rg_rule_modes *low = rg_rule_radau(l);
    const double x = unit_step(g, l) / unit_step(g, s);
    const double *a = g->polynomial + (s - 1) * g->n, *b = a + g->n;
    double w[2] = {0.0, 0.0};

    for (int i = 0; i < l; i++)
        for (int k = 0; k < 2; k++)
            w[k] += low->P[i] * power(low->c[i] * x, s - 1 + k);
    for (int64_t i = 0; i < g->n; i++)
        r->Z[i] = (w[0] * a[i] + w[1] * b[i]) / r->h;
    const double scale = r->rtol / r->rtol_of[l / 2] * r->table->gamma / low->gamma;
    const double error = scale * rg_radau_filter(g, r->Z);
    return x * fabs(r->h) * RG_ORDER_LOWER_SAFETY / rg_radau_root(l, error);
}

static rg_status change(rg_integrator *g, int stages)
{
    rg_radau *r = rg_radau_of(g);

    rg_log(g->ctx, 3, "t = %.10g: %d stages after %d steps with %d", g->t, stages, r->since,
           r->table->s);
    RG_TRY(rg_radau_set_stages(g, stages));
    r->since = 0;
    return RG_OK;
}

/* Would more stages pay if the solution is smooth? */
static bool may_pay(const rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;
    const double longer = unit_step(g, s + 2) / unit_step(g, s);
    const double more = r->convergence < RG_ORDER_AT_ONCE ? 1.0 : RG_ORDER_MORE_NEWTON;
    const double evaluations = (double)r->evaluations * more * (s + 2) / s;
    const double higher = step_work(g, s + 2, evaluations, fmax((double)r->factorizations, 1.0));

    const bool is_long =
        r->since >= RG_ORDER_LONG && r->pause == RG_ORDER_FIRST_PAUSE && s == LEAST;
    const double wanted = is_long ? RG_ORDER_LONG_GAIN : RG_ORDER_TRIAL_GAIN;

    return longer * *cost_of(r, s) > wanted * higher;
}

/* Compares with fewer stages, every other step; true: *h_low is the step to go on with. */
static bool should_lower(rg_integrator *g, double *h_low)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;

    if (s <= LEAST || r->since % 2 != 0) return false;
    *h_low = lower_step(g);
    const double gain =
        log(fmax(fabs(r->h), fabs(r->h_wanted)) / *h_low * *cost_of(r, s - 2) / *cost_of(r, s));
    r->gain = r->since <= 2 ? gain : 0.5 * (r->gain + gain);
    if (r->since >= RG_ORDER_PROVEN) r->pause = RG_ORDER_FIRST_PAUSE;
    return r->since >= RG_ORDER_JUDGED && r->gain < -log(RG_ORDER_DOWN_GAIN);
}

static bool should_raise(const rg_integrator *g)
{
    const rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;

    return s < RADAU_MOST && r->wait <= 0
           && r->since >= (s == LEAST ? RG_ORDER_SETTLED : RG_ORDER_SETTLED_HIGH)
           && fabs(r->h_wanted) < RG_ORDER_CALM * fabs(r->h)
           && fabs(g->t_end - g->t) > RG_ORDER_LEFT * fabs(r->h_wanted) && may_pay(g);
}

rg_status rg_radau_choose_order(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);
    const int s = r->table->s;
    double h_low;

    r->since++;
    note_cost(g);
    r->wait = r->was_rejected && r->wait < 2 ? 2 : r->wait - 1;
    if (should_lower(g, &h_low)) {
        r->h_wanted = g->direction * fmin(h_low, 2.0 * fabs(r->h));
        if (r->since < RG_ORDER_PROVEN)
            r->pause =
                2 * r->pause < RG_ORDER_LONGEST_PAUSE ? 2 * r->pause : RG_ORDER_LONGEST_PAUSE;
        r->wait = r->pause;
        return change(g, s - 2);
    }
    return should_raise(g) ? change(g, s + 2) : RG_OK;
}

rg_status rg_radau_lower_order(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    if (!r->varies || r->table->s <= LEAST || r->failures < RG_ORDER_DROP_FAILURES) return RG_OK;
    r->wait = RG_ORDER_FIRST_PAUSE;
    return change(g, r->table->s - 2);
}

void rg_radau_forget_order(rg_integrator *g)
{
    rg_radau *r = rg_radau_of(g);

    r->varies = g->options.stages == 0 && !r->is_fixed;
    r->since = 0;
    r->wait = 0;
    r->pause = RG_ORDER_FIRST_PAUSE;
}
