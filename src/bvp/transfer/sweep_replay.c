/* (14b) alone, again and again (Petry, Remark 4.6).
 *
 * psi does not depend on f.  A recorded sweep keeps, for every Gauss step, psi_q = X_q Phi_q at its
 * stages and the factor T of the normalisation; for another f and other right-hand sides g of the
 * conditions only
 *
 *     h(t_0) = T_0^-T g,     h_{n+1} = T^-T (h_n + dt sum_q b_q psi_q^T f(t_n + c_q dt))
 *
 * is left to do.  The two half steps and the full one of the step control are all recorded: the
 * error of h is measured again.  A record: three times psi (s m k) and T (k x k), then S = u_f^T
 * v. */
#include "bvp/transfer/sweep_impl.h"

#include <math.h>
#include <string.h>

static size_t part_size(const rg_sweep *s)
{
    return (size_t)s->k * (size_t)(s->options.stages * s->m + s->k);
}

static size_t record_size(const rg_sweep *s)
{
    return 3 * part_size(s) + (size_t)s->k * (size_t)s->k;
}

rg_status rg_sweep_record_room(rg_sweep *s)
{
    const size_t needed =
        (size_t)s->n * record_size(s); /* as many steps as nodes with the next one */

    if (!s->options.is_recorded || needed <= s->record_capacity) return RG_OK;
    const size_t more = 2 * needed + 64 * record_size(s);
    double *grown = rg_resize(s->ctx, s->record, more, sizeof *grown);
    if (grown == NULL) return RG_ERR_MEMORY;
    s->record = grown;
    s->record_capacity = more;
    return RG_OK;
}

double *rg_sweep_record(const rg_sweep *s, int part)
{
    if (!s->options.is_recorded) return NULL;
    return s->record + (size_t)(s->n - 1) * record_size(s) + (size_t)part * part_size(s);
}

void rg_sweep_record_factor(const rg_sweep *s, int part, const double *T)
{
    const size_t square = (size_t)s->k * (size_t)s->k;
    double *place = rg_sweep_record(s, part);

    if (place == NULL) return;
    if (part < 3) place += part_size(s) - square;
    memcpy(place, T, square * sizeof *T);
}

/* One recorded step of h, in place. */
static rg_status step(rg_sweep *s, const double *part, double t, double dt, double *h)
{
    const int m = s->m, k = s->k, stages = s->options.stages;
    const rg_rule *g = &s->gauss->gauss;

    for (int q = 0; q < stages; q++) {
        RG_TRY(rg_field_force(s->field, t + g->c[q] * dt));
        for (int c = 0; c < k; c++) {
            const double *psi = part + (c * stages + q) * m;
            double sum = 0.0;
            for (int i = 0; i < m; i++)
                sum += psi[i] * s->field->f[i];
            h[c] += dt * g->b[q] * sum;
        }
    }
    rg_solve_transposed(k, part + stages * m * k, h);
    return RG_OK;
}

/* |h_v - S^T h_f| as a multiple of what is allowed. */
static double error_of(const rg_sweep *s, double t, double dt, const double *S, const double *h_v,
                       const double *h_f)
{
    const rg_sweep_options *o = &s->options;
    double largest = 0.0, size = 0.0;

    for (int j = 0; j < s->k; j++) {
        double e = h_v[j];
        for (int l = 0; l < s->k; l++)
            e -= S[j * s->k + l] * h_f[l];
        if (!(fabs(e) <= largest)) largest = fabs(e);
        size = fmax(size, fabs(h_v[j]));
    }
    if (largest == 0.0) return 0.0;
    const double e = largest / (o->atol + o->rtol * size);
    const double share = rg_bvp_pulses_share(&o->pulses, t, dt, o->length);
    return o->has_kinks ? e : e / (pow(4.0, o->stages) - 1.0) * (share / fabs(dt));
}

static rg_status replay_step(rg_sweep *s, int64_t number, double *h_f)
{
    const int k = s->k;
    const double *record = s->record + (size_t)number * record_size(s);
    const double *half_1 = record, *half_2 = record + part_size(s), *full = half_2 + part_size(s);
    const double t = s->t[number], dt = s->t[number + 1] - t;
    double *h = s->h + (number + 1) * k;

    memcpy(h, h - k, (size_t)k * sizeof *h);
    if (s->options.step > 0.0) return step(s, half_1, t, dt, h);
    memcpy(h_f, h, (size_t)k * sizeof *h);
    RG_TRY(step(s, half_1, t, 0.5 * dt, h));
    RG_TRY(step(s, half_2, t + 0.5 * dt, 0.5 * dt, h));
    RG_TRY(step(s, full, t, dt, h_f));
    const double e = error_of(s, t, dt, full + part_size(s), h, h_f);
    if (!(e <= s->replay_error)) s->replay_error = e;
    return RG_OK;
}

rg_status rg_sweep_replay(rg_sweep *s, const double *g)
{
    rg_candidate work = rg_sweep_candidate(s, 3);

    s->replay_error = 0.0;
    memcpy(s->h, g, (size_t)s->k * sizeof *g);
    rg_solve_transposed(s->k, s->first_factor, s->h);
    for (int64_t n = 0; n + 1 < s->n; n++) {
        RG_TRY(rg_sweep_check_interrupt(s));
        RG_TRY(replay_step(s, n, work.h));
    }
    for (int64_t i = 0; i < s->n * s->k; i++)
        if (!isfinite(s->h[i])) return RG_RETRY;
    return RG_OK;
}
