/* Fixed numbers that look random: the same run gives the same result everywhere. */
#ifndef RG_BASE_RANDOM_H
#define RG_BASE_RANDOM_H

#include <stdint.h>

/* Number k of sequence number `seed`, in [0, 1).  Two rounds of splitmix64 (Steele, Lea, Flood
 * 2014), which needs no state: every number can be had alone. */
static inline double rg_random(uint64_t seed, uint64_t k)
{
    uint64_t x = (seed + 1) * 0xd1342543de82ef95ULL + (k + 1) * 0x9e3779b97f4a7c15ULL;

    for (int round = 0; round < 2; round++) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        x ^= x >> 31;
    }
    return (double)(x >> 11) / 9007199254740992.0;
}

/* A sign of that kind: 1 or -1. */
static inline double rg_random_sign(uint64_t seed, uint64_t k)
{
    return 2.0 * rg_random(seed, k) < 1.0 ? -1.0 : 1.0;
}

#endif
