/* "NAME=VALUE": any name and value of an option. */
#include "fuzz/fuzz_support.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rg_context *ctx = NULL;
    rg_options o = rg_options_default();
    char text[256];

    if (size >= sizeof text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    char *value = strchr(text, '=');
    if (value == NULL) return 0;
    *value++ = '\0';
    CLAIM(rg_context_create_with(fuzz_realloc, NULL, &ctx) == RG_OK);
    const rg_status status = rg_options_set(ctx, &o, text, value);
    claim_error(ctx, status);
    CLAIM(o.rtol > 0 && o.atol >= 0 && isfinite(o.rtol) && isfinite(o.atol) && o.max_steps > 0);
    CLAIM(memchr(o.method, '\0', sizeof o.method)
          && memchr(o.formulation, '\0', sizeof o.formulation));
    rg_context_destroy(&ctx);
    return 0;
}
