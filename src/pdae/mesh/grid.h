/* A box of cells in one to three directions with two layers of ghost cells around it.
 *
 * Every field, on cells or on the faces across an axis, is one array over the same padded box:
 * rg_grid_at(g, i, j, k) is the place of cell (i, j, k), and for a vector component across axis d
 * the place of the face between this cell and the one before it along d.  So face i of n + 1 faces
 * is face 0 .. n; the last one lies in the ghost layer.  On a periodic axis face n is a copy of
 * face 0.  Axes that the model does not have are one cell without ghosts.  Places that fill up the
 * rows belong to no cell; what they hold is 0 or follows from zeros. */
#ifndef RG_PDAE_MESH_GRID_H
#define RG_PDAE_MESH_GRID_H

#include "base/crew.h"

enum { RG_AXES = 3, RG_GHOSTS = 2 };

typedef struct {
    int n;                /* cells                                                       */
    bool periodic;        /* the last cell is the neighbour of the first                 */
    bool joined[2];       /* beyond this end lie cells of another rank                   */
    int from;             /* first cell, of those of the whole axis                      */
    bool uniform;         /* all widths are equal                                        */
    const double *edge;   /* edge[i], i = -2 .. n + 2: left edge of cell i               */
    const double *width;  /* width[i], i = -2 .. n + 1                                   */
    const double *centre; /* centre[i], i = -2 .. n + 1                                  */
    const double *gap;    /* gap[i], i = -1 .. n + 1: from centre i - 1 to centre i      */
    const double *over;   /* over[i] = 1/width[i]                                        */
} rg_axis;

typedef struct { /* a solid cell beside the fluid takes the mean of these for interpolation */
    int64_t place, from[2 * RG_AXES];
    int64_t next[2 * RG_AXES]; /* the cell behind each of them, if it has a value; or itself */
    int n;
} rg_rim;

typedef struct rg_grid {
    int dims; /* 1 .. 3 */
    rg_axis axis[RG_AXES];
    int ghosts[RG_AXES];         /* RG_GHOSTS, or 0 on an axis that the model does not have    */
    int64_t stride[RG_AXES];     /* from a place to the next one along the axis                */
    int64_t origin;              /* place of cell (0, 0, 0)                                    */
    int64_t size;                /* places of the padded box, and of what fills up its rows    */
    int64_t cells;               /* cells of the box, solid ones included                      */
    int64_t fluid;               /* cells that are not solid                                   */
    int64_t stands_for;          /* cells of the grid that this one is a small copy of; 0: none */
    unsigned char *solid;        /* solid[place] is 0 or the number of the solid; NULL: none   */
    rg_rim *rim;                 /* solid cells around the fluid, two layers, the outer one last */
    int64_t n_rim, n_beside;     /* all; those beside the fluid */
    double *memory;              /* of the axes                                                */
    const struct rg_grid *whole; /* this is the block of one rank of it; NULL: it is all    */
    int parts[RG_AXES], part[RG_AXES]; /* of the whole: blocks along the axes, which one      */
    rg_context *ctx;
} rg_grid;

typedef struct { /* how to make an axis */
    int n;
    bool periodic;
    double a, b;
    const double *edge; /* n + 1 rising numbers from a to b; NULL: uniform */
} rg_axis_spec;

rg_status rg_grid_create(rg_context *ctx, int dims, const rg_axis_spec *spec, rg_grid **out);
void rg_grid_destroy(rg_grid **g);
void rg_grid_lay_out(rg_grid *g); /* places of the padded box, from `dims` and the axes */
/* Takes the mask of solid cells, `solid` numbers of the cells in order, x fastest; the mask is
 * repeated in the ghosts of periodic axes. */
rg_status rg_grid_set_solid(rg_grid *g, const unsigned char *solid);
/* Of a block: takes its part of the mask of the whole grid. */
rg_status rg_grid_take_solid(rg_grid *g);
/* Writes to the solid cells beside the fluid the mean of their neighbours in it: nothing that reads
 * a stencil sees numbers of the inside of a solid. */
void rg_grid_fill_solid(const rg_grid *g, double *v);
/* The same on lines with the two cells behind one another in the fluid. */
void rg_grid_continue_solid(const rg_grid *g, double *v);

/* Is this end of an axis a side of the domain? */
static inline bool rg_axis_is_side(const rg_axis *a, int high)
{
    return !a->periodic && !a->joined[high];
}

static inline int64_t rg_grid_at(const rg_grid *g, int i, int j, int k)
{
    return g->origin + i + j * g->stride[1] + k * g->stride[2];
}

/* The place of the first ghost. */
static inline int64_t rg_grid_corner(const rg_grid *g)
{
    return rg_grid_at(g, -g->ghosts[0], -g->ghosts[1], -g->ghosts[2]);
}

/* The number of the cell (or face, n of them) inside that stands for ghost number i: the nearest
 * one, on a periodic axis the one that it is a copy of. */
static inline int rg_axis_inside(const rg_axis *a, int n, int i)
{
    if (i >= 0 && i < n) return i;
    return a->periodic ? (i % a->n + a->n) % a->n : i < 0 ? 0 : n - 1;
}

/* A line of cells along an axis that may lie beyond sides of the two others, and how what is given
 * at its ends goes on from there: along lines. */
typedef struct {
    int64_t near, aside; /* where the line inside begins; from there to this one             */
    int64_t back[2];     /* from the line inside to the next one, along each of the others   */
    double part[2];      /* how often the way between those leads from the line inside here  */
} rg_outer_line;
/* The line along d with the numbers a and b along axes d + 1 and d + 2; goes_on: else all parts are
 * 0, and what is given is a copy. */
rg_outer_line rg_grid_outer_line(const rg_grid *g, int d, int a, int b, bool goes_on);
static inline double rg_outer_value(const double *v, const rg_outer_line *l, int64_t end)
{
    const double *here = v + l->near + end;

    return here[0] + l->part[0] * (here[0] - here[l->back[0]])
           + l->part[1] * (here[0] - here[l->back[1]]);
}

/* The volume of a cell. */
static inline double rg_grid_volume(const rg_grid *g, int i, int j, int k)
{
    return g->axis[0].width[i] * g->axis[1].width[j] * g->axis[2].width[k];
}

/* A walk over the cells that are not solid, x fastest:
 *     for (rg_cells w = rg_grid_cells(g); rg_cells_next(&w);) ... w.at ... */
typedef struct {
    const rg_grid *grid;
    int index[RG_AXES]; /* the number of the cell along each axis */
    int64_t at;         /* its place in padded arrays             */
} rg_cells;

static inline rg_cells rg_grid_cells(const rg_grid *g)
{
    return (rg_cells){
        g, {-1, 0, 0},
         rg_grid_at(g, -1, 0, 0)
    };
}

static inline bool rg_cells_next(rg_cells *w)
{
    const rg_axis *axis = w->grid->axis;

    do {
        w->at++;
        if (++w->index[0] < axis[0].n) continue;
        w->index[0] = 0;
        if (++w->index[1] == axis[1].n) {
            w->index[1] = 0;
            if (++w->index[2] == axis[2].n) return false;
        }
        w->at = rg_grid_at(w->grid, 0, w->index[1], w->index[2]);
    } while (w->grid->solid && w->grid->solid[w->at]);
    return true;
}

static inline double rg_cells_volume(const rg_cells *w)
{
    return rg_grid_volume(w->grid, w->index[0], w->index[1], w->index[2]);
}

/* The place of a cell, counted with x fastest, in padded arrays, and its number along each axis. */
int64_t rg_grid_cell(const rg_grid *g, int64_t cell, int index[RG_AXES]);
/* Takes the constant away from what is determined up to one: values in the cells lose their mean
 * over the volume, sums over the cells lose a share by volume so that they add up to 0.  Cells of
 * solids do not count. */
void rg_grid_remove_constant(const rg_grid *g, double *v, bool is_sum);
/* The same of rows of cells that `make` writes: each is summed while it is at hand.  All threads
 * are hand 0 of it. */
void rg_grid_make_without_constant(const rg_grid *g, double *v, bool is_sum, rg_crew_work *make,
                                   void *user);

/* The threads of loops over its rows, 0: one per core; on several ranks and small grids one. */
rg_status rg_grid_share(const rg_grid *g, int threads);
/* The rows with places (j, k) from first to end along the last two axes, each once, in threads;
 * rg_row_of() gives the j and k of units. */
void rg_grid_rows(const rg_grid *g, const int *first, const int *end, rg_crew_work *work,
                  void *user);

static inline void rg_row_of(const int *first, const int *end, int64_t unit, int *j, int *k)
{
    const int64_t n = end[1] - first[1];

    *j = first[1] + (int)(unit % n);
    *k = first[2] + (int)(unit / n);
}

/* The same with all rows of cells. */
void rg_grid_cell_rows(const rg_grid *g, rg_crew_work *work, void *user);

static inline void rg_cell_row(const rg_grid *g, int64_t unit, int *j, int *k)
{
    *j = (int)(unit % g->axis[1].n);
    *k = (int)(unit / g->axis[1].n);
}

/* Blocks of RG_GRID_BLOCK numbers of an array of n (the last one is shorter), in threads. */
enum { RG_GRID_BLOCK = 8192 };
void rg_grid_blocks(const rg_grid *g, int64_t n, rg_crew_work *work, void *user);

/* A padded array of zeros. */
double *rg_grid_array(const rg_grid *g);

/* Between padded arrays and numbers in the order of the cells, x fastest. */
void rg_grid_pack(const rg_grid *g, const double *padded, double *cells);
void rg_grid_unpack(const rg_grid *g, const double *cells, double *padded);

#endif
