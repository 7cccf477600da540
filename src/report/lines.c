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

/* Of output o of a block, the largest entry over its iterations. */
static int block_most(const rg_block *block, int o, const int32_t *times, const uint8_t *marks)
{
    const int64_t first = block->first_row + o * block->body->count;
    int most = 0;

    for (int64_t k = first; k < first + block->body->count; k++) {
        const int value = times != NULL ? times[k] : marks[k];
        if (value > most) most = value;
    }
    return most;
}

static int most_times(const rg_facts *facts)
{
    int most = 0;

    for (int64_t i = 0; i < facts->problem->n_rows; i++)
        if (facts->times[i] > most) most = facts->times[i];
    return most;
}

/* Lines, ascending and without repetition, of equations whose largest entry is `wanted`; returns
 * how many. */
static int collect_lines(const rg_problem *p, const int32_t *times, const uint8_t *marks,
                         int wanted, int lines[LINES_SHOWN])
{
    int count = 0, last = 0, column, line;

    for (int b = 0; b < p->n_blocks; b++)
        for (int o = 0; o < p->blocks[b].body->n_outputs; o++) {
            if (block_most(&p->blocks[b], o, times, marks) != wanted) continue;
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
    static const char *const words[] = {"",           "once",       "twice",     "three times",
                                        "four times", "five times", "six times", "seven times"};

    if (times < (int)(sizeof words / sizeof *words))
        fprintf(to, " %s", words[times]);
    else
        fprintf(to, ", %d times", times);
}

void rg_write_differentiated(const rg_facts *facts, FILE *to)
{
    int lines[LINES_SHOWN];
    const char *separator = "";

    if (facts->problem->n_blocks == 0 || facts->problem->source == NULL) return;
    for (int times = most_times(facts); times > 0; times--) {
        const int count = collect_lines(facts->problem, facts->times, NULL, times, lines);
        if (count == 0) continue;
        fputs(separator, to);
        write_lines(to, count, lines);
        write_times(to, times);
        separator = ", ";
    }
}

void rg_write_redundant(const rg_facts *facts, FILE *to)
{
    int lines[LINES_SHOWN];

    if (facts->redundant == NULL || facts->problem->source == NULL) return;
    const int count = collect_lines(facts->problem, NULL, facts->redundant, 1, lines);
    if (count > 0) write_lines(to, count, lines);
}
