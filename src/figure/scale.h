/* A scale: the range of an axis, where a value lies on it, and its marks with their texts. */
#ifndef RG_FIGURE_SCALE_H
#define RG_FIGURE_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum { RG_MARKS = 32, RG_MARK_TEXT = 24 };

typedef struct {
    double low, high; /* low < high; both positive where it is logarithmic */
    bool is_log;
    int power; /* the numbers of the texts are times ten to this */
    int n;     /* marks, rising */
    double at[RG_MARKS];
    char text[RG_MARKS][RG_MARK_TEXT];
} rg_scale;

/* A round distance of about `wanted` marks over a length: 1, 2 or 5 times a power of ten. */
double rg_round_step(double length, double wanted);
/* The text of a mark: "%.4g", with more digits where `step` needs them; near 0 it is "0". */
void rg_mark_text(double value, double step, char *text, size_t size);

/* A scale for values from low to high, with a margin (a part of the length) at both ends and about
 * `wanted` marks.  A range without length is widened; none at all (low > high) is 0 .. 1.
 * Logarithmic: low and high are positive. */
rg_scale rg_scale_make(double low, double high, bool is_log, double margin, int wanted);
/* What the numbers of the texts are multiplied by, "1e-6"; "": nothing. */
void rg_scale_power(const rg_scale *s, char *text, size_t size);
/* 0 at the low end, 1 at the high one. */
double rg_scale_part(const rg_scale *s, double value);

/* "-2.5e-07" as it is printed: minus sign, times ten, raised digits (UTF-8). */
void rg_mark_typeset(const char *text, char *out, size_t size);

#endif
