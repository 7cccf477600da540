/* Byte offsets of a model text as lines and columns, and the failure that points at them. */
#include "base/context.h"
#include "base/text.h"

#include <string.h>

/* Index of the line that holds `offset`: the last k with line_start[k] <= offset. */
static int32_t find_line(const rg_source *s, int32_t offset)
{
    int32_t low = 0, high = s->n_lines;
    while (high - low > 1) {
        const int32_t middle = low + (high - low) / 2;
        if (s->line_start[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static int32_t clamp(const rg_source *s, int32_t offset)
{
    if (offset < 0) return 0;
    return offset < s->length ? offset : s->length;
}

/* Characters that start in text[from .. to). */
static int count_characters(const char *text, int32_t from, int32_t to)
{
    int n = 0;
    while (from < to) {
        from += rg_utf8_next(text + from, (size_t)(to - from), NULL);
        n++;
    }
    return n;
}

void rg_source_place(const rg_source *source, int32_t offset, int *line, int *column)
{
    const int32_t at = clamp(source, offset), k = find_line(source, at);
    *line = k + 1;
    *column = 1 + count_characters(source->text, source->line_start[k], at);
}

static int32_t line_end(const rg_source *s, int32_t k)
{
    int32_t end = k + 1 < s->n_lines ? s->line_start[k + 1] - 1 : s->length;
    if (end > s->line_start[k] && s->text[end - 1] == '\r') end--;
    return end;
}

/* A line too long for rg_error keeps RG_CUT_BEFORE characters before the place, behind
 * RG_CUT_MARK. */
static void copy_line(rg_error *e, const char *text, int32_t start, int32_t at, int32_t end)
{
    char *to = e->source;
    size_t room = sizeof e->source;

    if ((size_t)(at - start) + RG_CUT_AFTER >= room && e->column > RG_CUT_BEFORE + 1) {
        for (int k = e->column - 1; k > RG_CUT_BEFORE; k--)
            start += rg_utf8_next(text + start, (size_t)(end - start), NULL);
        memcpy(to, RG_CUT_MARK, sizeof RG_CUT_MARK);
        to += sizeof RG_CUT_MARK - 1;
        room -= sizeof RG_CUT_MARK - 1;
    }
    rg_text_copy_clean(to, room, text + start, (size_t)(end - start));
}

/* The same message at the same place is told once; what follows completes the earlier one. */
static void drop_repetition(rg_context *ctx)
{
    const int last = ctx->n_errors - 1;

    if (last < 0 || ctx->latest != &ctx->errors[last]) return;
    for (int k = 0; k < last; k++) {
        rg_error *e = &ctx->errors[k];
        if (e->line != ctx->latest->line || e->column != ctx->latest->column
            || strcmp(e->message, ctx->latest->message) != 0)
            continue;
        ctx->n_errors = last;
        ctx->latest = e;
        return;
    }
}

rg_status rg_fail_at(rg_context *ctx, const rg_source *source, rg_span span)
{
    rg_error *e = ctx->latest;
    const int32_t at = clamp(source, span.start), k = find_line(source, at);
    const int32_t start = source->line_start[k], end = line_end(source, k);
    const int32_t stop = span.end < end ? span.end : end; /* a marker stays on its line */

    rg_text_copy_clean(e->file, sizeof e->file, source->name, strlen(source->name));
    e->line = k + 1;
    e->column = 1 + count_characters(source->text, start, at);
    e->length = stop > at ? count_characters(source->text, at, stop) : 1;
    copy_line(e, source->text, start, at < end ? at : end, end);
    drop_repetition(ctx);
    return ctx->latest->code;
}
