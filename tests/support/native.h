/* Compiled kernels against the interpreter: residuals and Jacobians of shipped models at random
 * points.  Without a C compiler there is nothing to compare. */
#ifndef RG_TESTS_SUPPORT_NATIVE_H
#define RG_TESTS_SUPPORT_NATIVE_H

#include <stdbool.h>

bool native_has_compiler(void);
/* Models of tests/reference/structure.csv; run from the top folder. */
void native_compare_models(void);

#endif
