/* Index and degrees of freedom from the ranks of the derivative array (the hypothesis of KM06, with
 * the vanishing combinations of its over- and under-determined form):
 *
 *     Z2^T M_mu = 0,   A2 = Z2^T N_mu,   a = rank A2,   A2 T2 = 0,   d = rank(F_x' T2),
 *
 * all Z2, T2 orthonormal with full rank.  x are the states, F_x' has the rows of the chain
 * equations (unit rows for all but the highest state of an unknown) and dF/dy_j^(m_j).  Rows and
 * columns are equilibrated first; T2 lives in scaled states, so F_x' gets the same scaling. */
#include "linalg/dense.h"
#include "linalg/rank.h"
#include "linalg/tuning.h"
#include "structure/array_impl.h"
#include "structure/magnitudes.h"
#include "structure/tuning.h"

#include <math.h>
#include <string.h>

typedef struct {
    const rg_array *a;
    rg_context *ctx;
    int mu;
    int64_t R, n_states; /* rows of the part, states       */
    int64_t rank_M, rank_A2, rank_S;
    double *B, *row, *column; /* the part, scaled: N then M      */
    double *Z2;               /* R x (R - rank_M)                */
    double *A2, *U_A2, *V_A2; /* (R - rank_M) x n_states         */
    double *S, *V_S;          /* n_states x (n_states - rank_A2) */
} splitting;

static double *take(splitting *w, int64_t m, int64_t n)
{
    return rg_alloc(w->ctx, (size_t)(m * n) + 1, sizeof(double));
}

static void splitting_clear(splitting *w)
{
    void *owned[] = {w->B, w->row, w->column, w->Z2, w->A2, w->U_A2, w->V_A2, w->S, w->V_S};

    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        rg_free(w->ctx, owned[k]);
}

/* The leading part of the array with levels 0 .. mu. */
static rg_status take_part(splitting *w)
{
    const rg_array *a = w->a;
    const int64_t n_columns = w->n_states + w->R;

    w->B = take(w, w->R, n_columns);
    w->row = take(w, w->R, 1);
    w->column = take(w, n_columns, 1);
    if (w->B == NULL || w->row == NULL || w->column == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < n_columns; j++)
        memcpy(w->B + j * w->R, a->A + j * a->n_rows, (size_t)w->R * sizeof *w->B);
    rg_magnitudes_equilibrate(w->R, n_columns, a->unit, w->B, w->row, w->column);
    return RG_OK;
}

/* Is there a singular value that is neither noise nor clearly none? */
static bool is_doubtful(const splitting *w, const double *s)
{
    bool is_so = false;

    for (int64_t k = 0; k < w->R && !is_so; k++)
        is_so = s[k] > w->a->s->noise * s[0] && s[k] <= RG_RANK_DOUBT * s[0];
    return is_so;
}

/* Rows and columns with a single entry are pivots, whatever its size; they leave A together with
 * what they meet.  Returns how many. */
static int64_t take_singles(int64_t n, double *A)
{
    int64_t count = 0, before = -1;

    while (count > before) {
        before = count;
        for (int64_t k = 0; k < 2 * n; k++) { /* rows, then columns */
            const int64_t first = k < n ? k : (k - n) * n, step = k < n ? n : 1;
            int64_t entries = 0, other = 0;
            for (int64_t l = 0; l < n; l++)
                if (A[first + l * step] != 0.0) entries++, other = l;
            if (entries != 1) continue;
            count++;
            for (int64_t l = 0; l < n; l++)
                A[k < n ? other * n + l : l * n + other] = 0.0;
        }
    }
    return count;
}

/* The rank of M by itself.  Its rows are scaled beside those of N, where a derivative in units of
 * its own may be small: u' = a p L with u' of 1e-7 of the others is no zero, and in the gap between
 * zeros and ones it would pass for one.  What is rounding beside N is one.  Scales of rows and
 * columns do not show that q' = 1e-9 (u' - v') determines u' where another row is q' alone. */
static rg_status count_M(splitting *w, const double *M, double *s, int64_t *rank)
{
    const int64_t R = w->R;
    const double least = rg_rank_floor(w->a->s->noise);
    double *own = take(w, R, R), *row = take(w, R, 1), *column = take(w, R, 1);
    rg_status status = RG_ERR_MEMORY;
    int64_t singles = 0;

    if (own != NULL && row != NULL && column != NULL) {
        for (int64_t e = 0; e < R * R; e++)
            own[e] = fabs(M[e]) > least ? M[e] : 0.0;
        singles = take_singles(R, own);
        rg_equilibrate(R, R, own, row, column);
        status = rg_svd(w->ctx, R, R, own, s, NULL, NULL);
    }
    if (status == RG_OK) *rank = singles + rg_rank_from_values(R, s, s[0], w->a->s->noise);
    rg_free(w->ctx, own);
    rg_free(w->ctx, row);
    rg_free(w->ctx, column);
    return status;
}

/* Z2: left null space of M. */
static rg_status split_M(splitting *w)
{
    const double *M = w->B + w->n_states * w->R;

    if (w->R > RG_ARRAY_SVD_MOST) {
        rg_qr *qr = NULL;
        RG_TRY(rg_qr_create(w->ctx, w->R, w->R, M,
                            rg_rank_floor(fmax(RG_NOISE_ITERATED, w->a->s->noise)), &qr));
        w->rank_M = rg_qr_rank(qr);
        w->Z2 = take(w, w->R, w->R - w->rank_M);
        if (w->Z2 != NULL) rg_qr_left_null(qr, w->Z2);
        rg_qr_destroy(&qr);
        return w->Z2 != NULL ? RG_OK : RG_ERR_MEMORY;
    }
    double *U = take(w, w->R, w->R), *s = take(w, w->R, 1);
    rg_status status =
        U != NULL && s != NULL ? rg_svd(w->ctx, w->R, w->R, M, s, U, NULL) : RG_ERR_MEMORY;
    if (status == RG_OK) w->rank_M = rg_rank_from_values(w->R, s, s[0], w->a->s->noise);
    if (status == RG_OK && is_doubtful(w, s)) status = count_M(w, M, s, &w->rank_M);
    if (status == RG_OK) {
        w->Z2 = take(w, w->R, w->R - w->rank_M);
        if (w->Z2 == NULL) status = RG_ERR_MEMORY;
    }
    if (status == RG_OK)
        memcpy(w->Z2, U + w->rank_M * w->R, (size_t)((w->R - w->rank_M) * w->R) * sizeof *U);
    rg_free(w->ctx, U);
    rg_free(w->ctx, s);
    return status;
}

static rg_status rank_of(splitting *w, int64_t m, int64_t n, const double *A, double *U, double *V,
                         int64_t *rank)
{
    const int64_t k = m < n ? m : n;
    double *s = take(w, k, 1);
    rg_status status = s != NULL ? rg_svd(w->ctx, m, n, A, s, U, V) : RG_ERR_MEMORY;

    if (status == RG_OK)
        *rank = rg_rank_from_values(k, s, 1.0, w->a->s->noise); /* the data have size 1 */
    rg_free(w->ctx, s);
    return status;
}

/* A2 = Z2^T N and its null spaces. */
static rg_status split_A2(splitting *w)
{
    const int64_t q = w->R - w->rank_M;

    w->A2 = take(w, q, w->n_states);
    w->U_A2 = take(w, q, q);
    w->V_A2 = take(w, w->n_states, w->n_states);
    if (w->A2 == NULL || w->U_A2 == NULL || w->V_A2 == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < w->n_states; j++)
        for (int64_t k = 0; k < q; k++) {
            double sum = 0.0;
            for (int64_t i = 0; i < w->R; i++)
                sum += w->Z2[k * w->R + i] * w->B[j * w->R + i];
            w->A2[j * q + k] = sum;
        }
    return rank_of(w, q, w->n_states, w->A2, w->U_A2, w->V_A2, &w->rank_A2);
}

/* Row i of dF/dy^(m) in scaled states, largest entry 1, times T2: entries S[first_row + i]. */
static void fill_equations(splitting *w, int64_t first_row, int64_t q, const double *T2)
{
    const rg_array *a = w->a;

    for (int64_t i = 0; i < a->n; i++) {
        double largest = 0.0;
        for (int64_t j = 0; j < a->n; j++) {
            const double e = a->A[(a->n_states + j) * a->n_rows + i];
            largest = fmax(largest, fabs(e * w->column[a->first_state[j + 1] - 1]));
        }
        for (int64_t j = 0; j < a->n && largest > 0.0; j++) {
            const int64_t top = a->first_state[j + 1] - 1;
            const double e = a->A[(a->n_states + j) * a->n_rows + i] * w->column[top] / largest;
            if (e == 0.0) continue;
            for (int64_t k = 0; k < q; k++)
                w->S[k * w->n_states + first_row + i] += e * T2[k * w->n_states + top];
        }
    }
}

/* S = F_x' T2. */
static rg_status split_S(splitting *w)
{
    const rg_array *a = w->a;
    const int64_t q = w->n_states - w->rank_A2;
    const double *T2 = w->V_A2 + w->rank_A2 * w->n_states;
    int64_t row = 0;

    w->S = take(w, w->n_states, q);
    w->V_S = take(w, q, q);
    if (w->S == NULL || w->V_S == NULL) return RG_ERR_MEMORY;
    for (int64_t j = 0; j < a->n; j++)
        for (int64_t state = a->first_state[j]; state < a->first_state[j + 1] - 1; state++, row++)
            for (int64_t k = 0; k < q; k++)
                w->S[k * w->n_states + row] = T2[k * w->n_states + state];
    fill_equations(w, row, q, T2);
    return rank_of(w, w->n_states, q, w->S, NULL, w->V_S, &w->rank_S);
}

static rg_status split(const rg_array *a, int mu, splitting *w)
{
    *w =
        (splitting){.a = a, .ctx = a->ctx, .mu = mu, .R = (mu + 1) * a->n, .n_states = a->n_states};
    RG_TRY(take_part(w));
    RG_TRY(split_M(w));
    RG_TRY(split_A2(w));
    return split_S(w);
}

rg_status rg_array_ranks(const rg_array *a, int mu, rg_ranks *out)
{
    splitting w;
    const rg_status status = split(a, mu, &w);

    out->a = w.rank_A2;
    out->d = w.rank_S;
    out->vanishing = w.R - w.rank_M - w.rank_A2;
    splitting_clear(&w);
    return status;
}

/* Picks n_redundant rows of W (n x q, by columns): each time the last row whose weight is near the
 * largest, then removes its direction from all rows. */
static void pick_rows(int64_t n, int64_t q, double *W, int64_t n_redundant, uint8_t *is_redundant)
{
    for (int64_t count = 0; count < n_redundant; count++) {
        double largest = 0.0, norm = 0.0;
        int64_t last = -1;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t i = 0; i < n; i++) {
                double sum = 0.0;
                for (int64_t k = 0; k < q; k++)
                    sum += W[k * n + i] * W[k * n + i];
                if (pass == 0) largest = fmax(largest, sum);
                if (pass == 1 && sum >= RG_ARRAY_TAKES_PART * largest && sum > 0.0
                    && !is_redundant[i])
                    last = i, norm = sum;
            }
        if (last < 0) return;
        is_redundant[last] = 1;
        for (int64_t i = 0; i < n; i++) {
            double product = 0.0;
            if (i == last) continue;
            for (int64_t k = 0; k < q; k++)
                product += W[k * n + i] * W[k * n + last];
            for (int64_t k = 0; k < q; k++)
                W[k * n + i] -= product / norm * W[k * n + last];
        }
        for (int64_t k = 0; k < q; k++)
            W[k * n + last] = 0.0;
    }
}

/* Vanishing combinations: Z2 times the left null space of A2; W: their part in the rows of level
 * mu. */
static rg_status mark_redundant(splitting *w, int64_t n_redundant, uint8_t *is_redundant)
{
    const int64_t n = w->a->n, q = w->R - w->rank_M, n_vanishing = q - w->rank_A2;
    double *W = take(w, n, n_vanishing);

    if (W == NULL) return RG_ERR_MEMORY;
    for (int64_t v = 0; v < n_vanishing; v++)
        for (int64_t k = 0; k < q; k++) {
            const double u = w->U_A2[(w->rank_A2 + v) * q + k];
            for (int64_t i = 0; i < n; i++)
                W[v * n + i] += u * w->Z2[k * w->R + w->R - n + i];
        }
    pick_rows(n, n_vanishing, W, n_redundant, is_redundant);
    rg_free(w->ctx, W);
    return RG_OK;
}

/* Unknowns with a part in the directions that neither A2 nor F_x' sees. */
static void mark_open(const splitting *w, uint8_t *is_open)
{
    const rg_array *a = w->a;
    const int64_t q = w->n_states - w->rank_A2;
    const double *T2 = w->V_A2 + w->rank_A2 * w->n_states;

    for (int64_t j = 0; j < a->n; j++)
        for (int64_t state = a->first_state[j]; state < a->first_state[j + 1]; state++)
            for (int64_t v = w->rank_S; v < q; v++) {
                double sum = 0.0;
                for (int64_t k = 0; k < q; k++)
                    sum += T2[k * w->n_states + state] * w->V_S[v * q + k];
                if (fabs(sum) > RG_RANK_DOUBT) is_open[j] = 1;
            }
}

rg_status rg_array_mark(const rg_array *a, int mu, int64_t n_redundant, uint8_t *is_redundant,
                        uint8_t *is_open)
{
    splitting w;
    rg_status status = split(a, mu, &w);

    if (status == RG_OK) status = mark_redundant(&w, n_redundant, is_redundant);
    if (status == RG_OK) mark_open(&w, is_open);
    splitting_clear(&w);
    return status;
}
