/* Ranges and the bodies built over them: one mechanism for `for` and for `sum`. */
#include "model/compiler.h"
#include "model/tuning.h"

#include <math.h>
#include <string.h>

/* Whole numbers per iteration of the body. */
static rg_status bound_values(const scope *s, const rg_ast *ast, double **out)
{
    compiler *c = s->b->c;
    scope inner = *s;

    inner.allowed = IN_INDEX;
    inner.what = "the bounds of a range";
    const rg_node node = rg_elaborate(&inner, ast);
    *out = NULL;
    if (node < 0) return RG_ERR_SYNTAX;
    RG_TRY(rg_builder_values(s->b, node, out));
    for (int64_t k = 0; k < s->b->body->count; k++) {
        const double value = (*out)[k];
        if (floor(value) == value && fabs(value) < RG_WHOLE_MOST) continue;
        rg_free(c->ctx, *out);
        *out = NULL;
        rg_bad(c, ast->span, "the bound %g of a range is not a whole number", value);
        rg_bad_remedy(c, "bounds are integer-valued expressions of parameters");
        return RG_ERR_SYNTAX;
    }
    return RG_OK;
}

rg_status rg_range_values(const scope *s, const rg_ast_range *range, double **low, double **high)
{
    *high = NULL;
    RG_TRY(bound_values(s, range->low, low));
    const rg_status status = bound_values(s, range->high, high);
    if (status != RG_OK) {
        rg_free(s->b->c->ctx, *low);
        *low = NULL;
    }
    return status;
}

/* Binds the loop names of the place to the data slots of b; bound[] holds the chain. */
static const binding *bind_loops(const place *at, builder *b, binding *bound)
{
    const binding *names = at->outer != NULL ? at->outer->names : NULL;
    const int first = b->body->n_loops - at->n_names;

    for (int k = 0; k < at->n_names; k++) {
        bound[k] = (binding){at->names[k], b, rg_graph_data(b->graph, first + k), names};
        names = &bound[k];
    }
    return names;
}

static rg_status start_builder(compiler *c, const place *at, const space *s, builder *b)
{
    space copy;

    memset(b, 0, sizeof *b);
    b->c = c;
    RG_TRY(rg_copy_space(c->ctx, s, &copy));
    const rg_status status = rg_builder_init(b, c, at->outer != NULL ? at->outer->b : NULL, &copy);
    rg_clear_space(c->ctx, &copy);
    return status;
}

static rg_status extend_once(compiler *c, const place *at, const space *from,
                             const rg_ast_range *range, space *out)
{
    builder b;
    binding bound[RG_MAX_LOOPS];
    double *low = NULL, *high = NULL;

    memset(out, 0, sizeof *out);
    rg_status status = start_builder(c, at, from, &b);
    if (status != RG_OK) goto done;
    const scope s = {&b, bind_loops(at, &b, bound),
                     at->outer != NULL ? at->outer->position : INT32_MAX, IN_INDEX, "a range"};
    if ((status = rg_check_loop_name(c, range, s.names)) != RG_OK) goto done;
    if ((status = rg_range_values(&s, range, &low, &high)) != RG_OK) goto done;
    status = rg_extend_space(c->ctx, from, low, high, out);
    if (status == RG_ERR_ARGUMENT) {
        rg_bad(c, range->span, "this range has more than %g elements in all", RG_MAX_ITERATIONS);
        rg_bad_remedy(c, "choose smaller bounds");
    } else if (status == RG_OK && from->parent != NULL) {
        for (int64_t k = 0; k < out->count; k++)
            out->parent[k] = from->parent[out->parent[k]];
    }
done:
    rg_free(c->ctx, low);
    rg_free(c->ctx, high);
    rg_builder_clear(&b);
    return status;
}

rg_status rg_extend_ranges(compiler *c, place *at, const space *from, int n_ranges,
                           const rg_ast_range *ranges, space *out)
{
    RG_TRY(rg_copy_space(c->ctx, from, out));
    for (int k = 0; k < n_ranges; k++) {
        space next = {0};
        rg_status status = RG_ERR_SYNTAX;
        if (out->n_loops < RG_MAX_LOOPS) {
            status = extend_once(c, at, out, &ranges[k], &next);
        } else {
            rg_bad(c, ranges[k].span, "more than %d loop indices around one expression",
                   RG_MAX_LOOPS);
            rg_bad_remedy(c, "use fewer nested ranges");
        }
        rg_clear_space(c->ctx, out);
        if (status != RG_OK) {
            rg_clear_space(c->ctx, &next);
            return status;
        }
        *out = next;
        at->names[at->n_names++] = ranges[k].name;
    }
    return RG_OK;
}

/* The two halves of s by the condition on which `make` stopped. */
static rg_status split_bodies(compiler *c, const place *at, const space *s, const double *condition,
                              body_fn *make, void *user)
{
    rg_status status = RG_OK;

    for (int wanted = 1; wanted >= 0 && status == RG_OK; wanted--) {
        space half;
        status = rg_filter_space(c->ctx, s, condition, wanted != 0, &half);
        if (status == RG_OK) status = rg_for_each_body(c, at, &half, make, user);
        rg_clear_space(c->ctx, &half);
    }
    return status;
}

/* The recursion goes one level deeper per condition that differs, and each half is smaller. */
rg_status rg_for_each_body(compiler *c, const place *at, const space *s, body_fn *make, void *user)
{
    builder b;
    binding bound[RG_MAX_LOOPS];
    double *condition = NULL;

    if (s->count == 0) return RG_OK;
    if (++c->definitions > RG_MAX_DEFINITIONS) {
        c->definitions--;
        rg_fail(c->ctx, RG_ERR_STRUCTURE,
                "more than %d conditions on loop indices take one 'for' apart", RG_MAX_DEFINITIONS);
        c->n_errors++;
        return rg_remedy(c->ctx, "put the values into a constant array instead of nested if()");
    }
    rg_status status = start_builder(c, at, s, &b);
    if (status == RG_OK) status = make(c, &b, bind_loops(at, &b, bound), user);
    if (status == RG_RETRY) {
        status = rg_builder_values(&b, b.split, &condition);
        rg_builder_clear(&b);
        if (status == RG_OK) status = split_bodies(c, at, s, condition, make, user);
    }
    rg_builder_clear(&b);
    rg_free(c->ctx, condition);
    c->definitions--;
    return status;
}
