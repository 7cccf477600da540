/* Numbers of random models: splitmix64 with a state, the same on every machine. */
#ifndef RG_TESTS_RANDOM_DRAW_H
#define RG_TESTS_RANDOM_DRAW_H

#include <math.h>
#include <stdint.h>

static inline uint64_t draw_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Uniform in low .. high, rounded to four decimals so that the text says exactly what is meant. */
static inline double draw_uniform(uint64_t *state, double low, double high)
{
    const double u = (double)(draw_bits(state) >> 11) * 0x1p-53;

    return round(1e4 * (low + (high - low) * u)) / 1e4;
}

static inline int draw_whole(uint64_t *state, int low, int high)
{
    return low + (int)(draw_bits(state) % (uint64_t)(high - low + 1));
}

#endif
