/* Short vectors, and functions compiled for several vector lengths; which one runs is chosen
 * when the program starts.  The results are the same: vectors change neither the order of
 * operations of an element nor their rounding. */
#ifndef RG_BASE_VECTOR_H
#define RG_BASE_VECTOR_H

#include <stdint.h>
#include <string.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)          \
    && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(RG_NO_CLONES)
#define RG_FOR_ALL_VECTORS                                                                         \
    __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#define RG_FOR_QUADS __attribute__((target_clones("avx2", "default"), optimize("O3")))
#else
#define RG_FOR_ALL_VECTORS
#define RG_FOR_QUADS
#endif

/* Four numbers side by side, anywhere in memory.  Arrays of them are padded: rg_padded(n)
 * numbers, zeros behind the n-th. */
enum { RG_LANES = 4 };
typedef double rg_quad __attribute__((vector_size(32), aligned(8), may_alias));
#define RG_FOUR(at) (*(const rg_quad *)(at)) /* the four numbers from a place on */
typedef double rg_octet __attribute__((vector_size(64), aligned(8), may_alias)); /* eight */
#define RG_EIGHT(at) (*(const rg_octet *)(at))

static inline int64_t rg_padded(int64_t n)
{
    return (n + RG_LANES - 1) / RG_LANES * RG_LANES;
}

/* 0 in pieces: the C library has a slow way for long ones, which most are not. */
static inline void rg_clear(double *a, int64_t count)
{
    enum { PIECE = 128 };

    for (; count > PIECE; a += PIECE, count -= PIECE)
        memset(a, 0, PIECE * sizeof *a);
    memset(a, 0, (size_t)count * sizeof *a);
}

/* In front of a loop with few iterations, their number a constant after inlining: written out; or
 * (RG_ROLL) left as it is, so that it becomes vectors of its numbers side by side. */
#if defined(__GNUC__) && !defined(__clang__)
#define RG_UNROLL _Pragma("GCC unroll 8")
#define RG_ROLL   _Pragma("GCC unroll 1")
#else
#define RG_UNROLL
#define RG_ROLL
#endif
/* In front of a loop that reads nothing that an earlier turn of it has written: no checks at run
 * time whether its arrays overlap. */
#if defined(__GNUC__) && !defined(__clang__) /* which would warn where it makes no vectors */
#define RG_NO_OVERLAP _Pragma("GCC ivdep")
#else
#define RG_NO_OVERLAP
#endif
/* RG_APART: the rare case of a function that is called often, so that the common one need not save
 * registers for it. */
#if defined(__GNUC__)
#define RG_INLINE static inline __attribute__((always_inline))
#define RG_APART  static __attribute__((noinline))
#else
#define RG_INLINE static inline
#define RG_APART  static
#endif

#endif
