/* Random models with events whose solutions are known: channels that are straight lines, approach a
 * value, or fall, with rules
 *
 *     when x_i > c { drive_j = -drive_j }    ... { drive_j = v }    ... { x_j = v }
 *     when x_i < c { x_j' = -e x_j' }        when t > c ...         every d { drive_j = -drive_j }
 *
 * Between events all is a formula, and so are the times of the events.  Units of x and t from 1e-9
 * to 1e9, starts at 0 and far from it, unknowns as scalars and as arrays.  Every method finds the
 * same number of events and the values at the end, up to the tolerance times the condition of the
 * model, which is measured by moving the start.  Models with events closer than 1e-3 together, or
 * that touch a value without crossing it, are left out. */
#include "base/random.h"
#include "regula.h"
#include "solution/solution.h"
#include "support/options.h"
#include "support/test.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MODELS = 200, CHANNELS = 3, RULES = 4, EVENTS = 40, CASCADE = 10, TEXT = 8192 };
enum { LINE, APPROACH, FALL };
enum { FLIP, SET, RESET, BOUNCE };
static const double CLOSE = 1e-3, FLAT = 1e-2, MOVED = 1e-7, LIMIT = 30.0;

typedef struct {
    int of;         /* a channel; -1: time */
    bool is_above;  /* > */
    double c;       /* in units of x; of t behind the start */
    int action, on; /* what happens to which channel */
    double v;
} rule;

typedef struct { /* in units of x and t */
    int n, kind[CHANNELS], n_rules;
    double x[CHANNELS], v[CHANNELS], drive[CHANNELS], tau;
    rule rules[RULES];
    double every; /* 0: none */
    double end;
    double X, T, start; /* units; start in units of t */
    bool is_array;
} model;

static rg_context *ctx;
static uint64_t seed, drawn;
static char text[TEXT];

/* ---- a model --------------------------------------------------------------------------------- */

static double between(double low, double high)
{
    return low + (high - low) * rg_random(seed, drawn++);
}

static int whole(int n)
{
    return (int)(n * rg_random(seed, drawn++));
}

static double sign(void)
{
    return whole(2) == 0 ? -1.0 : 1.0;
}

static double unit(void)
{
    return pow(10.0, 3.0 * (whole(7) - 3));
}

static rule draw_rule(const model *m)
{
    const int of = whole(8) == 0 ? -1 : whole(m->n),
              on = of >= 0 && whole(3) > 0 ? of : whole(m->n);
    rule r = {
        of, of < 0 || whole(2) == 0, of < 0 ? between(0.1, 1.9) : between(-1.1, 1.1), whole(4), on,
        0.0};

    if (r.action == BOUNCE && m->kind[on] != FALL) r.action = FLIP;
    r.v = r.action == SET     ? sign() * between(0.7, 3.0)
          : r.action == RESET ? between(-1.0, 1.0)
                              : between(0.5, 1.0);
    return r;
}

static model draw(void)
{
    static const double starts[] = {0.0, 0.0, 1.0, 1e3, 1e6};
    model m = {.n = 1 + whole(CHANNELS), .X = unit(), .T = unit(), .start = starts[whole(5)]};
    const int kind = whole(3);

    m.is_array = whole(2) == 0;
    m.tau = between(0.2, 2.0);
    for (int i = 0; i < m.n; i++) {
        m.kind[i] = m.is_array ? kind : whole(3);
        m.x[i] = between(-1.0, 1.0);
        m.v[i] = m.kind[i] == FALL ? between(-1.0, 1.0) : 0.0;
        m.drive[i] = sign() * between(0.7, 3.0);
    }
    m.n_rules = 1 + whole(RULES);
    for (int k = 0; k < m.n_rules; k++)
        m.rules[k] = draw_rule(&m);
    m.every = whole(4) == 0 ? between(0.15, 0.9) : 0.0;
    m.end = between(1.2, 2.5);
    return m;
}

/* ---- as a text ------------------------------------------------------------------------------- */

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;

    va_start(list, format);
    vsnprintf(text + used, sizeof text - used, format, list);
    va_end(list);
}

/* The name of channel i. */
static const char *name(const model *m, const char *of, int i)
{
    static char buffer[4][16];
    static int next;
    char *b = buffer[next++ % 4];

    snprintf(b, sizeof buffer[0], m->is_array ? "%s[%d]" : "%s%d", of, i + 1);
    return b;
}

static double rate(const model *m, int i) /* the unit of a drive */
{
    return m->X / (m->kind[i] == LINE ? m->T : m->kind[i] == FALL ? m->T * m->T : 1.0);
}

static void put_motion(const model *m, int i, const char *x, const char *s)
{
    if (m->kind[i] == APPROACH)
        put("%s' = (%s - %s)/%.17g\n", x, s, x, m->tau * m->T);
    else
        put(m->kind[i] == LINE ? "%s' = %s\n" : "%s'' = %s\n", x, s);
}

static void put_list(const char *of, int n, const double *value, const double unit_of)
{
    put("param %s[i=1..%d] = (", of, n);
    for (int i = 0; i < n; i++)
        put("%s%.17g", i > 0 ? ", " : "", value[i] * unit_of);
    put(")\n");
}

static void put_unknowns(const model *m)
{
    if (m->is_array) {
        put_list("X", m->n, m->x, m->X);
        put_list("S", m->n, m->drive, rate(m, 0));
        put_list("V", m->n, m->v, m->X / m->T);
        put("state n = 0, s[i=1..%d] = S[i]\nvar x[i=1..%d] = X[i]\n", m->n, m->n);
        if (m->kind[0] == FALL) put("var x[i=1..%d]' = V[i]\n", m->n);
        put("for i = 1..%d {\n", m->n);
        put_motion(m, 0, "x[i]", "s[i]");
        put("}\n");
        return;
    }
    put("state n = 0\n");
    for (int i = 0; i < m->n; i++) {
        put("state %s = %.17g\nvar %s = %.17g", name(m, "s", i), m->drive[i] * rate(m, i),
            name(m, "x", i), m->x[i] * m->X);
        if (m->kind[i] == FALL) put(", %s' = %.17g", name(m, "x", i), m->v[i] * m->X / m->T);
        put("\n");
        put_motion(m, i, name(m, "x", i), name(m, "s", i));
    }
}

static void put_action(const model *m, const rule *r)
{
    const char *x = name(m, "x", r->on), *s = name(m, "s", r->on);

    put(" { n = n + 1; ");
    if (r->action == FLIP) put("%s = -%s", s, s);
    if (r->action == SET) put("%s = %.17g", s, r->v * rate(m, r->on));
    if (r->action == RESET) put("%s = %.17g", x, r->v * m->X);
    if (r->action == BOUNCE) put("%s' = -%.17g*%s'", x, r->v, x);
    put(" }\n");
}

static void write_text(const model *m)
{
    text[0] = '\0';
    put_unknowns(m);
    for (int k = 0; k < m->n_rules; k++) {
        const rule *r = &m->rules[k];
        if (r->of < 0)
            put("when t > %.17g", (m->start + r->c) * m->T);
        else
            put("when %s %c %.17g", name(m, "x", r->of), r->is_above ? '>' : '<', r->c * m->X);
        put_action(m, r);
    }
    if (m->every > 0.0)
        put("every %.17g { n = n + 1; %s = -%s }\n", m->every * m->T, name(m, "s", 0),
            name(m, "s", 0));
    put("over t = %.17g .. %.17g\n", m->start * m->T, (m->start + m->end) * m->T);
}

/* ---- its solution ---------------------------------------------------------------------------- */

typedef struct {
    const model *m;
    double t, x[CHANNELS], v[CHANNELS], drive[CHANNELS];
    bool is_true[RULES], is_edge[RULES];
    int n_events, n_every;
    bool is_bad; /* not a model for this test */
} motion;

static void go_on(motion *q, double d)
{
    for (int i = 0; i < q->m->n; i++) {
        const double s = q->drive[i];
        if (q->m->kind[i] == LINE) q->x[i] += s * d;
        if (q->m->kind[i] == APPROACH) q->x[i] = s + (q->x[i] - s) * exp(-d / q->m->tau);
        if (q->m->kind[i] == FALL) {
            q->x[i] += d * (q->v[i] + 0.5 * s * d);
            q->v[i] += s * d;
        }
    }
    q->t += d;
}

/* Times until channel i has the value c; how many there are. */
static int find_times(motion *q, int i, double c, double *d)
{
    const double s = q->drive[i], e = q->x[i] - c;

    d[0] = d[1] = -1.0;
    if (q->m->kind[i] == LINE) d[0] = -e / s;
    if (q->m->kind[i] == APPROACH && q->x[i] != s) {
        const double part = (c - s) / (q->x[i] - s);
        q->is_bad = q->is_bad || (part > -FLAT && part < FLAT);
        if (part > 0.0) d[0] = -q->m->tau * log(part);
    }
    if (q->m->kind[i] == FALL) {
        const double D = q->v[i] * q->v[i] - 2.0 * s * e;
        q->is_bad = q->is_bad || fabs(D) < FLAT;
        if (D <= 0.0) return 0;
        const double p = -(q->v[i] + copysign(sqrt(D), q->v[i]));
        d[0] = p / s;
        d[1] = 2.0 * e / p;
    }
    return q->m->kind[i] == FALL ? 2 : 1;
}

/* The next change of a rule, or of `every` (n_rules), or the end (-1). */
static int find_next(motion *q, double *next)
{
    const model *m = q->m;
    double best = m->end - q->t, second = INFINITY;
    int found = -1;

    for (int k = 0; k <= m->n_rules; k++) {
        double d[2] = {-1.0, -1.0};
        int n = 1;
        if (k == m->n_rules)
            d[0] = m->every > 0.0 ? (q->n_every + 1) * m->every - q->t : -1.0;
        else if (m->rules[k].of < 0)
            d[0] = m->rules[k].c - q->t;
        else
            n = find_times(q, m->rules[k].of, m->rules[k].c, d);
        for (int i = 0; i < n; i++) {
            const bool is_here = k < m->n_rules && q->is_edge[k] && fabs(d[i]) < 1e-7;
            if (is_here || !(d[i] > 0.0)) continue;
            if (d[i] < best) {
                second = best;
                best = d[i];
                found = k;
            } else {
                second = fmin(second, d[i]);
            }
        }
    }
    q->is_bad = q->is_bad || second - best < CLOSE || best < CLOSE;
    *next = best;
    return found;
}

static void act(motion *q, int action, int i, double v)
{
    q->n_events++;
    if (action == FLIP) q->drive[i] = -q->drive[i];
    if (action == SET) q->drive[i] = v;
    if (action == BOUNCE) q->v[i] *= -v;
    if (action != RESET) return;
    q->x[i] = v;
    for (int k = 0; k < q->m->n_rules; k++) {
        if (q->m->rules[k].of != i) continue;
        q->is_bad = q->is_bad || fabs(v - q->m->rules[k].c) < FLAT;
        q->is_edge[k] = false;
    }
}

static bool truth(const motion *q, int k)
{
    const rule *r = &q->m->rules[k];

    if (r->of < 0 || q->is_edge[k]) return q->is_true[k];
    return r->is_above ? q->x[r->of] > r->c : q->x[r->of] < r->c;
}

/* Fires what has become true, and what follows from that. */
static void fire(motion *q, const bool *due_first)
{
    bool due[RULES], is_any = true;

    memcpy(due, due_first, sizeof due);
    for (int round = 0; is_any && !q->is_bad; round++) {
        is_any = false;
        for (int k = 0; k < q->m->n_rules; k++)
            if (due[k]) act(q, q->m->rules[k].action, q->m->rules[k].on, q->m->rules[k].v);
        for (int k = 0; k < q->m->n_rules; k++) {
            const bool now = truth(q, k);
            due[k] = now && !q->is_true[k];
            q->is_true[k] = now;
            is_any = is_any || due[k];
        }
        q->is_bad = q->is_bad || round == CASCADE || q->n_events > EVENTS;
    }
}

/* What is at its edge goes on from there as it moves. */
static void leave_edges(motion *q)
{
    for (int k = 0; k < q->m->n_rules; k++) {
        const int i = q->m->rules[k].of;
        if (!q->is_edge[k] || i < 0) continue;
        const double slope = q->m->kind[i] == LINE       ? q->drive[i]
                             : q->m->kind[i] == APPROACH ? q->drive[i] - q->x[i]
                                                         : q->v[i];
        q->is_bad = q->is_bad || fabs(slope) < FLAT;
        q->is_true[k] = (slope > 0.0) == q->m->rules[k].is_above;
    }
}

static void follow(const model *m, double moved, motion *q)
{
    *q = (motion){.m = m};
    for (int i = 0; i < m->n; i++) {
        q->x[i] = m->x[i] + (i % 2 == 0 ? moved : -moved);
        q->v[i] = m->v[i];
        q->drive[i] = m->drive[i];
    }
    for (int k = 0; k < m->n_rules; k++) {
        q->is_true[k] = truth(q, k);
        q->is_bad =
            q->is_bad || (m->rules[k].of >= 0 && fabs(q->x[m->rules[k].of] - m->rules[k].c) < FLAT);
    }
    for (int next = 0; next >= 0 && !q->is_bad;) {
        bool due[RULES] = {false};
        double d;
        next = find_next(q, &d);
        go_on(q, d);
        if (next < 0) break;
        memset(q->is_edge, 0, sizeof q->is_edge);
        if (next == m->n_rules) {
            q->n_every++;
            act(q, FLIP, 0, 0.0);
        } else {
            q->is_edge[next] = m->rules[next].of >= 0;
            due[next] = q->is_true[next] = !q->is_true[next];
        }
        fire(q, due);
        leave_edges(q);
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* How far a run is off, in units of x; *events: how many it met, -1: it failed. */
static double run(const model *m, const motion *exact, const char *words, double tol, int *events,
                  double *estimate)
{
    rg_problem *p = NULL;
    rg_solution *s = NULL;
    rg_options o = rg_options_default();
    double values[2 * CHANNELS + 1 + CHANNELS], end = (m->start + m->end) * m->T, worst = 0.0;

    *events = -1;
    o.rtol = tol;
    o.atol = tol * m->X;
    if (!CHECK(rg_problem_from_text(ctx, text, &p) == RG_OK)
        || !CHECK(options_from_words(ctx, &o, words)))
        return NAN;
    const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = 1, .times = &end, .estimate = 1};
    if (rg_solve_request(p, end, &o, &request, &s) == RG_OK) {
        char column[64];
        *events = (int)s->n_events_total;
        *estimate = rg_solution_estimate(s);
        CHECK(rg_solution_values(s, 0, values) == RG_OK);
        for (int i = 0; i < m->n; i++)
            for (int64_t c = 0; c < rg_solution_columns(s); c++) {
                rg_solution_column_name(s, c, column, sizeof column);
                if (strcmp(column, name(m, "x", i)) == 0)
                    worst = fmax(worst,
                                 fabs(values[c] / m->X - exact->x[i]) / (1.0 + fabs(exact->x[i])));
            }
    } else if (rg_last_error(ctx)->code != RG_ERR_METHOD) { /* dopri: first and second order */
        printf("%s: %s\n", words, rg_last_error(ctx)->message);
        CHECK(false);
    }
    rg_solution_destroy(&s);
    rg_problem_destroy(&p);
    return worst;
}

static void test_methods(void)
{
    static const char *const ways[] = {"method=auto",      "method=gauss", "method=sdirk",
                                       "method=lobatto3c", "method=dopri", "method=rosenbrock",
                                       "method=bdf"};
    int n = 0, refused = 0;
    double most = 0.0;

    for (seed = 1; n < MODELS; seed++) {
        motion exact, moved;
        drawn = 0;
        const model m = draw();
        const double tol = pow(10.0, -4.0 - 2.0 * whole(4));
        follow(&m, 0.0, &exact);
        follow(&m, MOVED, &moved);
        if (exact.is_bad || moved.is_bad || exact.n_events == 0 || exact.n_events != moved.n_events)
            continue;
        double condition = 1.0;
        for (int i = 0; i < m.n; i++)
            condition = fmax(condition, fabs(moved.x[i] - exact.x[i]) / MOVED);
        n++;
        write_text(&m);
        for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
            int events;
            double estimate = NAN;
            if (!test_takes(n + (int)k)) continue;
            const double e = run(&m, &exact, ways[k], tol, &events, &estimate);
            const double rounding = 1e-14 * (1.0 + m.start) * condition;
            refused += events < 0;
            if (events < 0) continue;
            if (!CHECK_INT(events, exact.n_events)
                || !CHECK(e <= LIMIT * condition * tol + rounding)
                || !CHECK(e <= 10.0 * estimate + condition * tol + rounding))
                printf("model %d, %s, tol %g: error %.2g, estimate %.2g, condition %.2g\n%s",
                       (int)seed, ways[k], tol, e, estimate, condition, text);
            most = fmax(most, e / (condition * tol + rounding));
        }
    }
    printf("%d of %d models, largest error %.2g tol, %d runs refused\n", n, (int)seed, most,
           refused);
    CHECK(refused < MODELS / 3);
}

int main(void)
{
    static const test_case cases[] = {
        {"methods", test_methods},
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
