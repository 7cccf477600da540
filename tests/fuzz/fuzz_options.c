/* "NAME=VALUE": any name and value of an option. */
#include "base/options.h"
#include "fuzz/fuzz_support.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rg_context *ctx = NULL;
    rg_options *o = NULL;
    char text[256], back[256];

    if (size >= sizeof text) return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    char *value = strchr(text, '=');
    if (value == NULL) return 0;
    *value++ = '\0';
    CLAIM(rg_context_create_with(fuzz_realloc, NULL, &ctx) == RG_OK);
    CLAIM(rg_options_create(ctx, &o) == RG_OK);
    const rg_status status = rg_options_set(o, text, value);
    claim_error(ctx, status);
    CLAIM(o->rtol > 0 && o->atol >= 0 && isfinite(o->rtol) && isfinite(o->atol));
    CLAIM(o->max_steps > 0 && memchr(o->method, '\0', sizeof o->method)
          && memchr(o->formulation, '\0', sizeof o->formulation));
    if (status == RG_OK) { /* what is read back is accepted again */
        CLAIM(rg_options_get(o, text, back, sizeof back) < (int)sizeof back);
        CLAIM(rg_options_set(o, text, back) == RG_OK);
    }
    rg_options_destroy(&o);
    rg_context_destroy(&ctx);
    return 0;
}
