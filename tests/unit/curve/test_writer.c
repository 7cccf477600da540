/* The way of points into a solution: rows at steps or at chosen times, from the polynomial of a
 * step or the method's own values, in both directions; drift, the caller's function, the rows seen,
 * a run that begins again.  The solution is y = (t^2, 3 - t), handed over in steps of unequal
 * length. */
#include "curve/writer.h"

#include "support/test.h"

#include <math.h>
#include <string.h>

static const double mesh[] = {0.0, 0.5, 0.75, 2.0};

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    rg_solution *s;
    rg_writer w;
    int evals, seen, announced;
} fixture;

static void set_point(double t, double *y, double *yp)
{
    y[0] = t * t;
    y[1] = 3.0 - t;
    yp[0] = 2.0 * t;
    yp[1] = -1.0;
}

/* The drift is the time itself: its largest value tells which points were looked at. */
static rg_status drift(void *user, double t, const double *y, const double *yp, double *level)
{
    (void)user, (void)y, (void)yp;
    level[0] = fabs(t);
    return t == 0.5 ? (rg_status)RG_RETRY : RG_OK;
}

static rg_status own_values(void *user, double t, double *y, double *yp)
{
    ((fixture *)user)->evals++;
    set_point(t, y, yp);
    y[0] += 10.0; /* not the polynomial */
    return RG_OK;
}

static rg_status announce(void *user, int64_t count)
{
    ((fixture *)user)->announced += (int)count;
    return RG_OK;
}

static rg_status see(void *user, double t, const double *y, const double *yp)
{
    (void)t, (void)y, (void)yp;
    ((fixture *)user)->seen++;
    return RG_OK;
}

static bool open_writer(fixture *x, const rg_request *request)
{
    rg_layout *layout = NULL;
    int32_t values[] = {0, 1}, slopes[] = {2, 3};
    int32_t *const place[] = {values, slopes};

    memset(x, 0, sizeof *x);
    x->w = (rg_writer){.user = x, .drift = drift, .seen = see, .rows = announce};
    return CHECK_INT(rg_context_create(&x->ctx), RG_OK)
           && CHECK_INT(rg_problem_from_text(x->ctx,
                                             "var a = 0, b = 3\na' = 2*t\nb' = -1\n"
                                             "over t = 0 .. 2\n",
                                             &x->p),
                        RG_OK)
           && CHECK_INT(rg_layout_from(x->ctx, 2, 2, 2, place, &layout), RG_OK)
           && CHECK_INT(rg_writer_open(&x->w, x->p, &layout, 1, request, &x->s), RG_OK);
}

static void close_writer(fixture *x, rg_status status)
{
    CHECK_INT(rg_writer_close(&x->w, status, 0, NULL), status);
    rg_solution_destroy(&x->s);
    rg_problem_destroy(&x->p);
    rg_context_destroy(&x->ctx);
}

/* From t0 to t1 with the polynomials (t0 + s h)^2 and 3 - t0 - s h. */
static rg_status write_step(fixture *x, double t0, double t1)
{
    const double h = t1 - t0;
    const double a[] = {t0 * t0, 3.0 - t0, 2.0 * t0 * h, -h, h * h, 0.0};
    double y[2], yp[2];

    set_point(t1, y, yp);
    return rg_writer_step(&x->w, &(rg_solution_step){t0, t1, y, yp, 2, a});
}

static rg_status write_all(fixture *x, bool is_backwards)
{
    double y[2], yp[2];

    set_point(mesh[is_backwards ? 3 : 0], y, yp);
    rg_status status = rg_writer_start(&x->w, mesh[is_backwards ? 3 : 0], y, yp);
    for (int k = 0; k < 3 && status == RG_OK; k++)
        status = is_backwards ? write_step(x, mesh[3 - k], mesh[2 - k])
                              : write_step(x, mesh[k], mesh[k + 1]);
    return status;
}

static void check_row(const fixture *x, int64_t row, double t, double off)
{
    double values[2] = {NAN, NAN};

    CHECK(rg_solution_time(x->s, row) == t);
    CHECK_INT(rg_solution_values(x->s, row, values), RG_OK);
    CHECK_NEAR(values[0], t * t + off, 4e-16 * (4.0 + off));
    CHECK_NEAR(values[1], 3.0 - t, 4e-16);
}

/* Without chosen times every step is a row. */
static void test_steps(void)
{
    const rg_request request = {.keep = RG_KEEP_ROWS};
    fixture x;

    if (!open_writer(&x, &request)) return;
    CHECK_INT(write_all(&x, false), RG_OK);
    CHECK(rg_writer_wants(&x.w, 1.23));
    if (CHECK_INT(rg_solution_rows(x.s), 4))
        for (int k = 0; k < 4; k++)
            check_row(&x, k, mesh[k], 0.0);
    CHECK_INT(x.seen, 3);
    CHECK(rg_solution_drift(x.s, 0) == 2.0);
    close_writer(&x, RG_OK);
}

/* Chosen times: at the start, inside steps (two in the last), at the end of one, at the end. */
static void check_chosen(bool is_backwards, bool has_own)
{
    double times[] = {0.0, 0.3, 0.75, 0.9, 1.1, 2.0};
    rg_request request = {.keep = RG_KEEP_ROWS, .n_times = 6, .times = times};
    fixture x;

    for (int k = 0; k < 3 && is_backwards; k++) {
        const double kept = times[k];
        times[k] = times[5 - k];
        times[5 - k] = kept;
    }
    if (!open_writer(&x, &request)) return;
    if (has_own) x.w.eval = own_values;
    CHECK_INT(write_all(&x, is_backwards), RG_OK);
    CHECK(!rg_writer_wants(&x.w, 1.5)); /* all are written */
    if (CHECK_INT(rg_solution_rows(x.s), 6))
        for (int k = 0; k < 6; k++) {
            const double t = times[k];
            check_row(&x, k, t, has_own && (t == 0.3 || t == 0.9 || t == 1.1) ? 10.0 : 0.0);
        }
    CHECK_INT(x.evals, has_own ? 3 : 0);
    CHECK_INT(x.announced, 3);
    CHECK_INT(x.seen, 5); /* the start is nobody's step */
    close_writer(&x, RG_OK);
}

static void test_chosen(void)
{
    check_chosen(false, false);
    check_chosen(true, false);
    check_chosen(false, true);
}

/* Which ends of steps will be rows: those that are chosen times, up to rounding. */
static void test_wants(void)
{
    const double times[] = {0.3, 0.5 + 1e-16, 2.0};
    const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = 3, .times = times};
    fixture x;
    double y[2], yp[2];

    if (!open_writer(&x, &request)) return;
    set_point(0.0, y, yp);
    CHECK_INT(rg_writer_start(&x.w, 0.0, y, yp), RG_OK);
    CHECK(rg_writer_wants(&x.w, 0.5) && rg_writer_wants(&x.w, 2.0) && rg_writer_wants(&x.w, 0.3));
    CHECK(!rg_writer_wants(&x.w, 0.4) && !rg_writer_wants(&x.w, 0.500001));
    close_writer(&x, RG_OK);
}

static int stop_behind(double t, const double *y, const double *yp, void *user)
{
    (void)y, (void)yp;
    ++*(int *)user;
    return t >= 0.75;
}

/* The caller's function sees every step, and may end the run. */
static void test_output(void)
{
    int calls = 0;
    const double times[] = {1.0};
    const rg_request request = {
        .keep = RG_KEEP_ROWS, .n_times = 1, .times = times, .output = stop_behind, .user = &calls};
    fixture x;

    if (!open_writer(&x, &request)) return;
    CHECK_INT(write_all(&x, false), RG_STOPPED);
    CHECK_INT(calls, 3); /* the start and two steps */
    CHECK(rg_writer_wants(&x.w, 1.5));
    CHECK_INT(rg_solution_rows(x.s), 0);
    close_writer(&x, RG_STOPPED);
}

/* A run that begins again writes the same rows once. */
static void test_rewind(void)
{
    const double times[] = {0.25, 0.75, 2.0};
    const rg_request request = {.keep = RG_KEEP_ROWS, .n_times = 3, .times = times};
    fixture x;

    if (!open_writer(&x, &request)) return;
    CHECK_INT(write_all(&x, false), RG_OK);
    CHECK_INT(rg_writer_rewind(&x.w), RG_OK);
    CHECK_INT(rg_solution_rows(x.s), 0);
    CHECK_INT(write_all(&x, false), RG_OK);
    if (CHECK_INT(rg_solution_rows(x.s), 3))
        for (int k = 0; k < 3; k++)
            check_row(&x, k, times[k], 0.0);
    close_writer(&x, RG_OK);
}

static const test_case cases[] = {
    {"steps",  test_steps },
    {"chosen", test_chosen},
    {"wants",  test_wants },
    {"output", test_output},
    {"rewind", test_rewind},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
