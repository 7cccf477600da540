/* A picture of the structure: which unknown stands in which equation, in the order in which blocks
 * are solved, and the blocks.  Large systems are thinned: a cell stands for several entries. */
#include "report/page.h"

#include "base/text.h"

#include <math.h>

enum { SHOWN = 400, SIDE = 300 }; /* rows at most; points */

typedef struct {
    const rg_facts *f;
    int64_t n, cells; /* rows; cells of the picture along a side */
    int32_t *row_place, *column_place;
} picture;

static rg_status take_orders(rg_context *ctx, picture *p)
{
    p->row_place = rg_alloc(ctx, (size_t)p->n + 1, sizeof *p->row_place);
    p->column_place = rg_alloc(ctx, (size_t)p->n + 1, sizeof *p->column_place);
    if (p->row_place == NULL || p->column_place == NULL) return RG_ERR_MEMORY;
    for (int64_t k = 0; k < p->n; k++) {
        p->row_place[p->f->row_order[k]] = (int32_t)k;
        p->column_place[p->f->column_order[k]] = (int32_t)k;
    }
    return RG_OK;
}

static int64_t cell_of(const picture *p, int64_t place)
{
    return place * p->cells / p->n;
}

/* The highest derivative in every cell; -1: none. */
static void fill(const picture *p, int8_t *cell)
{
    for (int64_t k = 0; k < p->cells * p->cells; k++)
        cell[k] = -1;
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t e = p->f->sigma_start[i]; e < p->f->sigma_start[i + 1]; e++) {
            const int64_t row = cell_of(p, p->row_place[i]),
                          column = cell_of(p, p->column_place[p->f->sigma_column[e]]);
            int8_t *to = &cell[row * p->cells + column];
            if (p->f->sigma_order[e] > *to) *to = p->f->sigma_order[e];
        }
}

static void write_cells(const picture *p, const int8_t *cell, FILE *to)
{
    for (int order = 0; order < RG_PENS; order++) {
        bool is_open = false;
        for (int64_t k = 0; k < p->cells * p->cells; k++) {
            if (cell[k] < 0 || (cell[k] < RG_PENS ? cell[k] : RG_PENS - 1) != order) continue;
            if (!is_open) fprintf(to, "<path class=\"t%d\" d=\"", order);
            is_open = true;
            fprintf(to, "M%lld %lldh1v1h-1z", (long long)(k % p->cells), (long long)(k / p->cells));
        }
        if (is_open) fputs("\"/>\n", to);
    }
    fputs("<path class=\"la\" fill=\"none\" stroke-width=\".08\" d=\"", to);
    for (int64_t b = 0; b < p->f->n_blocks; b++) {
        const int64_t from = cell_of(p, p->f->block_start[b]),
                      end = cell_of(p, p->f->block_start[b + 1] - 1) + 1;
        if (end - from > 1)
            fprintf(to, "M%lld %lldh%lldv%lldh-%lldz", (long long)from, (long long)from,
                    (long long)(end - from), (long long)(end - from), (long long)(end - from));
    }
    fputs("\"/>\n", to);
}

rg_status rg_page_structure_write(const rg_page *page, FILE *to)
{
    const rg_facts *f = page->facts;
    picture p = {.f = f, .n = f->sigma_start != NULL ? f->structure.unknowns : 0};

    if (p.n < 2 || f->row_order == NULL) return RG_OK;
    p.cells = p.n < SHOWN ? p.n : SHOWN;
    rg_status status = take_orders(page->ctx, &p);
    int8_t *cell = rg_alloc(page->ctx, (size_t)(p.cells * p.cells), 1);
    if (cell == NULL) status = RG_ERR_MEMORY;
    if (status == RG_OK) {
        fill(&p, cell);
        fprintf(to,
                "<section><h2>Structure</h2>\n<figure><svg viewBox=\"-.5 -.5 %lld %lld\" "
                "style=\"max-width:%dpx\" role=\"img\" aria-label=\"which unknown stands in which "
                "equation\">\n<path class=\"la\" fill=\"none\" stroke-width=\".05\" d=\"M0 "
                "0h%lldv%lldh-%lldz\"/>\n",
                (long long)p.cells + 1, (long long)p.cells + 1, SIDE + (p.cells > 60 ? SIDE : 0),
                (long long)p.cells, (long long)p.cells, (long long)p.cells);
        write_cells(&p, cell, to);
        fputs("</svg>\n<figcaption>Rows are equations, columns unknowns, in the order in which "
              "blocks are solved; colours: ",
              to);
        fputs("<span class=\"b0\">&#160;&#160;</span> the unknown itself, <span "
              "class=\"b1\">&#160;&#160;</span> its derivative, <span class=\"b2\">&#160;&#160;"
              "</span> the second one",
              to);
        if (p.cells < p.n)
            fprintf(to, ". Of %lld rows, %lld make one cell", (long long)p.n,
                    (long long)((p.n + p.cells - 1) / p.cells));
        fputs(".</figcaption></figure></section>\n", to);
    }
    rg_free(page->ctx, cell);
    rg_free(page->ctx, p.row_place);
    rg_free(page->ctx, p.column_place);
    return status;
}
