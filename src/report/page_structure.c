/* A picture of the structure: which unknown stands in which equation, in the order in which blocks
 * are solved, and the blocks.  Large systems are thinned: a cell stands for several entries. */
#include "report/page.h"

#include "base/text.h"

#include <math.h>

enum {
    SHOWN = 400, /* rows at most */
    NAMED = 40,  /* rows at most with names and numbers */
    CELL = 22,
    SIDE = 560, /* a cell with a number, all cells without; pixels */
    LETTER = 7,
    LONGEST_NAME = 16 /* pixels; letters */
};

typedef struct {
    const rg_facts *f;
    int64_t n, cells; /* rows; cells of the picture along a side */
    double cell;      /* pixels */
    int left, above;  /* room for names */
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
    fprintf(to, "<path class=\"la\" fill=\"none\" stroke-width=\"%.3g\" d=\"", 1.5 / p->cell);
    for (int64_t b = 0; b < p->f->n_blocks; b++) {
        const int64_t from = cell_of(p, p->f->block_start[b]),
                      end = cell_of(p, p->f->block_start[b + 1] - 1) + 1, size = end - from;
        if (size > 1)
            fprintf(to, "M%lld %lldh%lldv%lldh-%lldz", (long long)from, (long long)from,
                    (long long)size, (long long)size, (long long)size);
    }
    fputs("\"/>\n", to);
}

/* ---- names and numbers of small systems ------------------------------------------------------ */
static void column_name(const picture *p, int64_t column, char name[64])
{
    rg_problem_name(p->f->problem, column, name, 64);
}

/* "line 7", or the number of an equation without a text. */
static void row_name(const picture *p, int64_t row, char name[64])
{
    const rg_problem *problem = p->f->problem;
    int line = 0, column;

    for (int b = 0; problem->source != NULL && b < problem->n_blocks; b++) {
        const rg_block *block = &problem->blocks[b];
        const int64_t i = row - block->first_row;
        if (i < 0 || i >= block->body->n_outputs * block->body->count) continue;
        rg_source_place(problem->source, block->spans[i / block->body->count].start, &line,
                        &column);
    }
    snprintf(name, 64, "%s %lld", line > 0 ? "line" : "row",
             line > 0 ? (long long)line : (long long)row + 1);
}

static void make_room(picture *p)
{
    char name[64];

    p->cell = p->n <= NAMED ? CELL : (double)SIDE / (double)p->cells;
    for (int64_t k = 0; p->n <= NAMED && k < p->n; k++) {
        row_name(p, k, name);
        p->left = (int)fmax(p->left, LETTER * rg_name_width(name) + 6);
        column_name(p, k, name);
        p->above = (int)fmax(p->above, LETTER * fmin(rg_name_width(name), LONGEST_NAME) + 6);
    }
}

static void write_text(FILE *to, const char *more, double x, double y, const char *text)
{
    fprintf(to, "<text class=\"ta\" font-size=\"11\" x=\"%g\" y=\"%g\"%s>", x, y, more);
    rg_text_write_xml(to, text);
    fputs("</text>\n", to);
}

static void write_names(const picture *p, FILE *to)
{
    char name[64], more[80];

    for (int64_t k = 0; k < p->n; k++) {
        const double x = p->left + (p->column_place[k] + 0.5) * CELL + 4.0,
                     y = p->above + (p->row_place[k] + 0.5) * CELL + 4.0;
        row_name(p, k, name);
        write_text(to, " text-anchor=\"end\"", p->left - 5.0, y, name);
        column_name(p, k, name);
        snprintf(more, sizeof more, " transform=\"rotate(-90 %g %d)\"", x, p->above - 5);
        write_text(to, more, x, p->above - 5.0, name);
    }
}

/* The signature matrix: the order of the highest derivative. */
static void write_orders(const picture *p, FILE *to)
{
    char number[8];

    for (int64_t i = 0; i < p->n; i++)
        for (int64_t e = p->f->sigma_start[i]; e < p->f->sigma_start[i + 1]; e++) {
            snprintf(number, sizeof number, "%d", p->f->sigma_order[e]);
            write_text(to, " text-anchor=\"middle\" style=\"fill:var(--paper)\"",
                       p->left + (p->column_place[p->f->sigma_column[e]] + 0.5) * CELL,
                       p->above + (p->row_place[i] + 0.5) * CELL + 4.0, number);
        }
}

/* ---- the figure ------------------------------------------------------------------------------ */
static void write_legend(const picture *p, const int8_t *cell, FILE *to)
{
    static const char *const words[] = {"the unknown itself", "its derivative", "the second one",
                                        "the third one"};
    int most = 0;

    fputs("<figcaption>Which unknown stands in which equation (the signature matrix), in the order "
          "in which blocks are solved for the highest derivatives, from above; frames are blocks. "
          "Colours and numbers are derivatives: ",
          to);
    for (int64_t k = 0; k < p->cells * p->cells; k++)
        if (cell[k] > most) most = cell[k];
    for (int k = 0; k <= most && k < RG_PENS; k++) {
        fprintf(to, "%s<span class=\"b%d\">&#160;&#160;</span> ", k > 0 ? ", " : "", k);
        if (k < (int)(sizeof words / sizeof *words))
            fputs(words[k], to);
        else
            fprintf(to, "order %d", k);
    }
    if (p->cells < p->n)
        fprintf(to, ". Of %lld rows, up to %lld make one cell", (long long)p->n,
                (long long)((p->n + p->cells - 1) / p->cells));
    fputs(".</figcaption>", to);
}

static void write_figure(const picture *p, const int8_t *cell, FILE *to)
{
    const double side = p->cell * (double)p->cells;

    fprintf(to,
            "<section><h2>Structure</h2>\n<figure><div class=\"wide\"><svg viewBox=\"0 0 %g %g\" "
            "style=\"width:%gpx;max-width:%s\" role=\"img\" aria-label=\"which unknown stands in "
            "which equation\">\n<g transform=\"translate(%d %d) scale(%.6g)\">\n<path class=\"la\" "
            "fill=\"none\" stroke-width=\"%.3g\" d=\"M0 0h%lldv%lldh-%lldz\"/>\n",
            p->left + side + 2.0, p->above + side + 2.0, p->left + side + 2.0,
            p->n <= NAMED ? "none" : "100%", p->left, p->above, p->cell, 1.0 / p->cell,
            (long long)p->cells, (long long)p->cells, (long long)p->cells);
    write_cells(p, cell, to);
    fputs("</g>\n", to);
    if (p->n <= NAMED) {
        write_names(p, to);
        write_orders(p, to);
    }
    fputs("</svg></div>\n", to);
    write_legend(p, cell, to);
    fputs("</figure></section>\n", to);
}

rg_status rg_page_structure_write(const rg_page *page, FILE *to)
{
    const rg_facts *f = page->facts;
    picture p = {.f = f, .n = f->sigma_start != NULL ? f->problem->n : 0};

    if (p.n < 2 || f->row_order == NULL) return RG_OK;
    p.cells = p.n < SHOWN ? p.n : SHOWN;
    rg_status status = take_orders(page->ctx, &p);
    int8_t *cell = rg_alloc(page->ctx, (size_t)(p.cells * p.cells), 1);
    if (cell == NULL) status = RG_ERR_MEMORY;
    if (status == RG_OK) {
        make_room(&p);
        fill(&p, cell);
        write_figure(&p, cell, to);
    }
    rg_free(page->ctx, cell);
    rg_free(page->ctx, p.row_place);
    rg_free(page->ctx, p.column_place);
    return status;
}
