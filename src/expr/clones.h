/* Loops compiled for several vector lengths; which one runs is chosen when the program starts.  The results are
 * the same: vectors change neither the order of operations of an element nor their rounding. */
#ifndef RG_EXPR_CLONES_H
#define RG_EXPR_CLONES_H

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)          \
    && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(RG_NO_CLONES)
#define RG_FOR_ALL_VECTORS                                                                         \
    __attribute__((target_clones("avx512f", "avx2", "default"), optimize("O3")))
#else
#define RG_FOR_ALL_VECTORS
#endif

#endif
