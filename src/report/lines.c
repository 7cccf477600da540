/* Which equations are differentiated how often, told by their lines in the model. */
#include "report/report.h"

enum { LINES_SHOWN = 8 };

void rg_write_count(FILE *to, int64_t count, const char *word)
{
    fprintf(to, "%lld %s%s", (long long)count, word, count == 1 ? "" : "s");
}

int rg_name_width(const char *name)
{
    int width = 0;

    for (; *name != '\0'; name++)
        width += (*name & 0xC0) != 0x80; /* bytes that start a UTF-8 character */
    return width;
}

void rg_write_name(FILE *to, const char *name, int width)
{
    const int missing = width - rg_name_width(name);

    fprintf(to, "  %s%*s  ", name, missing > 0 ? missing : 0, "");
}

/* How often output o of a block is differentiated, at most, over its iterations. */
static int block_times(const rg_facts *facts, const rg_block *block, int o)
{
    const int64_t first = block->first_row + o * block->body->count;
    int most = 0;

    for (int64_t k = 0; k < block->body->count; k++)
        if (facts->times[first + k] > most) most = facts->times[first + k];
    return most;
}

static int most_times(const rg_facts *facts)
{
    int most = 0;

    for (int64_t i = 0; i < facts->problem->n_rows; i++)
        if (facts->times[i] > most) most = facts->times[i];
    return most;
}

/* Lines, ascending and without repetition, of equations differentiated `times` times; returns how many. */
static int collect_lines(const rg_facts *facts, int times, int lines[LINES_SHOWN])
{
    const rg_problem *p = facts->problem;
    int count = 0, last = 0, column, line;

    for (int b = 0; b < p->n_blocks; b++)
        for (int o = 0; o < p->blocks[b].body->n_outputs; o++) {
            if (block_times(facts, &p->blocks[b], o) != times) continue;
            rg_source_place(p->source, p->blocks[b].spans[o].start, &line, &column);
            if (line == last) continue;
            if (count < LINES_SHOWN) lines[count] = line;
            count++;
            last = line;
        }
    return count;
}

static void write_lines(FILE *to, int count, const int *lines)
{
    const int shown = count < LINES_SHOWN ? count : LINES_SHOWN;

    fputs(count == 1 ? "line " : "lines ", to);
    for (int k = 0; k < shown; k++)
        fprintf(to, "%s%d", k == 0 ? "" : k + 1 == count ? " and " : ", ", lines[k]);
    if (count > shown) fprintf(to, " and %d more", count - shown);
}

static void write_times(FILE *to, int times)
{
    if (times == 1)
        fputs(" once", to);
    else if (times == 2)
        fputs(" twice", to);
    else
        fprintf(to, " %d times", times);
}

void rg_write_differentiated(const rg_facts *facts, FILE *to)
{
    int lines[LINES_SHOWN];
    const char *separator = "";

    if (facts->problem->n_blocks == 0 || facts->problem->source == NULL) return;
    for (int times = most_times(facts); times > 0; times--) {
        const int count = collect_lines(facts, times, lines);
        if (count == 0) continue;
        fputs(separator, to);
        write_lines(to, count, lines);
        write_times(to, times);
        separator = ", ";
    }
}
