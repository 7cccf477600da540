/* Messages between ranks: the layers beside a block, sums and largest values over all, one failure
 * for all. */
#include "pdae/petsc/petsc.h"

#include "pdae/mesh/grid.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8 }; /* numbers in a message */

/* The rank that is so many parts away along an axis; MPI_PROC_NULL beyond the ends. */
static int neighbour(const rg_grid *g, int d, int step)
{
    const rg_axis *a = &g->axis[d];
    int part[RG_AXES], rank = 0;

    if (!a->joined[step > 0]) return MPI_PROC_NULL;
    memcpy(part, g->part, sizeof part);
    part[d] = (part[d] + step + g->parts[d]) % g->parts[d];
    for (int e = RG_AXES - 1; e >= 0; e--)
        rank = rank * g->parts[e] + part[e];
    return rank;
}

/* The layers from `first` on along axis d as a type of MPI, all places of the other axes. */
static MPI_Datatype layers(const rg_grid *g, int d, int first)
{
    int sizes[RG_AXES], subsizes[RG_AXES], starts[RG_AXES] = {0};
    MPI_Datatype type;

    for (int e = 0; e < RG_AXES; e++) {
        subsizes[e] = g->axis[e].n + 2 * g->ghosts[e];
        sizes[e] = e < 2 ? (int)(g->stride[e + 1] / g->stride[e]) : subsizes[e];
    }
    subsizes[d] = RG_GHOSTS;
    starts[d] = first + g->ghosts[d];
    MPI_Type_create_subarray(RG_AXES, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_DOUBLE,
                             &type);
    MPI_Type_commit(&type);
    return type;
}

void rg_petsc_join(const rg_grid *g, int d, double *v)
{
    const int n = g->axis[d].n, low = neighbour(g, d, -1), high = neighbour(g, d, 1);
    double *box = v + rg_grid_corner(g);
    MPI_Datatype part[4] = {layers(g, d, -RG_GHOSTS), layers(g, d, 0), layers(g, d, n - RG_GHOSTS),
                            layers(g, d, n)};

    MPI_Sendrecv(box, 1, part[2], high, 2 * d, box, 1, part[0], low, 2 * d, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(box, 1, part[1], low, 2 * d + 1, box, 1, part[3], high, 2 * d + 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (int k = 0; k < 4; k++)
        MPI_Type_free(&part[k]);
}

/* To one rank and from there to all: the same bits everywhere, which MPI_Allreduce does not
 * promise; decisions follow from them. */
static void sum(int n, double *v)
{
    MPI_Reduce(rg_ranks->rank == 0 ? MPI_IN_PLACE : v, v, n, MPI_DOUBLE, MPI_SUM, 0,
               MPI_COMM_WORLD);
    MPI_Bcast(v, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void rg_petsc_sum(int64_t n, double *v)
{
    for (int64_t done = 0; done < n; done += INT_MAX / 2)
        sum((int)(n - done < INT_MAX / 2 ? n - done : INT_MAX / 2), v + done);
}

/* Whatever the order, the largest one has the same bits; what is no number anywhere is none. */
void rg_petsc_most(int n, double *v)
{
    double pair[2 * MOST];

    for (int done = 0; done < n; done += MOST) {
        const int part = n - done < MOST ? n - done : MOST;
        for (int k = 0; k < part; k++) {
            const double one = v[done + k];
            pair[2 * k] = isnan(one) ? -INFINITY : one;
            pair[2 * k + 1] = isnan(one) ? 1.0 : 0.0;
        }
        MPI_Allreduce(MPI_IN_PLACE, pair, 2 * part, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        for (int k = 0; k < part; k++)
            v[done + k] = pair[2 * k + 1] > 0.0 ? NAN : pair[2 * k];
    }
}

/* The lowest rank that has failed tells all. */
rg_status rg_petsc_agree(rg_context *ctx, rg_status status)
{
    int first = status < 0 ? rg_ranks->rank : INT_MAX, lowest = INT_MAX;

    MPI_Allreduce(&first, &lowest, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (lowest == INT_MAX) return status;
    rg_error error = *rg_last_error(ctx);
    error.code = status;
    MPI_Bcast(&error, (int)sizeof error, MPI_BYTE, lowest, MPI_COMM_WORLD);
    if (status < 0) return status; /* its own is as good */
    rg_clear_error(ctx);
    return rg_fail_again(ctx, &error);
}

/* n numbers to a rank, and as many from it. */
static void swap(int rank, int tag, int64_t n, const double *own, double *other)
{
    for (int64_t done = 0; done < n; done += INT_MAX) {
        const int part = n - done < INT_MAX ? (int)(n - done) : INT_MAX;
        MPI_Sendrecv(own + done, part, MPI_DOUBLE, rank, tag, other + done, part, MPI_DOUBLE, rank,
                     tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* The n numbers of every rank of a row of ranks along axis d, in the order of the parts. */
void rg_petsc_gather(const rg_grid *g, int d, int64_t n, const double *own, double *all)
{
    for (int k = 0; k < g->parts[d]; k++) {
        int part[RG_AXES], rank = 0;
        memcpy(part, g->part, sizeof part);
        part[d] = k;
        for (int e = RG_AXES - 1; e >= 0; e--)
            rank = rank * g->parts[e] + part[e];
        if (k == g->part[d])
            memcpy(all + k * n, own, (size_t)n * sizeof *own);
        else
            swap(rank, 100 + d, n, own, all + k * n);
    }
}

void rg_petsc_tell(void *bytes, size_t size)
{
    char *at = bytes;

    while (size > 0) {
        const size_t part = size < INT_MAX ? size : INT_MAX;
        MPI_Bcast(at, (int)part, MPI_BYTE, 0, MPI_COMM_WORLD);
        at += part;
        size -= part;
    }
}

void rg_petsc_bring(int from, int64_t n, double *v)
{
    enum { TAG = 200 };

    while (n > 0) {
        const int part = n < INT_MAX ? (int)n : INT_MAX;
        if (rg_ranks->rank == 0)
            MPI_Recv(v, part, MPI_DOUBLE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Ssend(v, part, MPI_DOUBLE, 0, TAG, MPI_COMM_WORLD);
        v += part;
        n -= part;
    }
}
