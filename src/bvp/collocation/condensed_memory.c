/* Memory of the linearized collocation equations. */
#include "bvp/collocation/condensed.h"

static rg_status take_memory(rg_condensed *l)
{
    const size_t n = (size_t)l->n, nx = (size_t)l->nx, s = (size_t)l->s, N = (size_t)l->N;
    const size_t size = (size_t)l->stages.size;
    const size_t points = N * s + (size_t)l->n_nodes;
    const size_t rows = (size_t)l->c->n_rows + 1, columns = (size_t)l->n_nodes * (n + nx);
    const size_t inv = (size_t)l->f->n_invariants + 1;
    const struct {
        double **array;
        size_t count;
    } list[] = {
        {&l->Fw,         points * n * n    },
        {&l->K,          points * n * nx   },
        {&l->r,          points * n        },
        {&l->S,          N * size * size   },
        {&l->U,          N * size * nx     },
        {&l->g,          N * size          },
        {&l->gamma,      N * nx            },
        {&l->beta,       nx                },
        {&l->X,          nx                },
        {&l->V,          size              },
        {&l->z,          columns           },
        {&l->values,     rows              },
        {&l->J,          rows * columns    },
        {&l->G,          inv               },
        {&l->Gx,         inv * nx          },
        {&l->mesh_Gx,    N * (inv - 1) * nx},
        {&l->mesh_P,     N * (inv - 1) * nx},
        {&l->mesh_scale, N * (inv - 1)     },
        {&l->GG,         inv * inv         }
    };

    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        if ((*list[k].array = rg_alloc(l->ctx, list[k].count + 1, sizeof(double))) == NULL)
            return RG_ERR_MEMORY;
    l->pivot = rg_alloc(l->ctx, points * n + 1, sizeof *l->pivot);
    l->stage_pivot = rg_alloc(l->ctx, N * size + 1, sizeof *l->stage_pivot);
    l->GG_pivot = rg_alloc(l->ctx, inv, sizeof *l->GG_pivot);
    l->is_left = rg_alloc(l->ctx, (size_t)l->n_nodes + 1, sizeof *l->is_left);
    return l->pivot && l->stage_pivot && l->GG_pivot && l->is_left ? RG_OK : RG_ERR_MEMORY;
}

rg_status rg_condensed_create(rg_bvp_form *f, rg_bvp_conditions *c, const rg_curve *it,
                              rg_stats *stats, rg_condensed **out)
{
    rg_condensed *l = rg_alloc(f->ctx, 1, sizeof *l);

    *out = NULL;
    if (l == NULL) return RG_ERR_MEMORY;
    *l = (rg_condensed){.ctx = f->ctx, .f = f, .c = c, .n = f->n, .nx = f->nx, .s = it->rule.s};
    l->n_nodes = it->n_nodes;
    l->N = it->N;
    l->stats = stats;
    rg_status status = f->is_large ? rg_large_create(f, c, it, stats, &l->large)
                                   : rg_stages_init(f, &it->rule, &l->stages);
    if (status == RG_OK && !f->is_large) status = take_memory(l);
    if (status == RG_OK && !f->is_large)
        status = rg_chain_create(f->ctx, f->nx, it->N, it->n_nodes, it->node, &l->chain);
    if (status == RG_OK)
        *out = l;
    else
        rg_condensed_destroy(&l);
    return status;
}

void rg_condensed_destroy(rg_condensed **linear)
{
    rg_condensed *l = *linear;

    if (l == NULL) return;
    rg_context *ctx = l->ctx;
    rg_chain_destroy(&l->chain);
    rg_stages_clear(&l->stages);
    rg_large_destroy(&l->large);
    void *const arrays[] = {l->Fw,    l->K,           l->r,       l->S,      l->U,
                            l->g,     l->gamma,       l->beta,    l->X,      l->V,
                            l->z,     l->values,      l->J,       l->G,      l->Gx,
                            l->pivot, l->stage_pivot, l->mesh_Gx, l->mesh_P, l->mesh_scale,
                            l->GG,    l->GG_pivot,    l->is_left};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        rg_free(ctx, arrays[k]);
    rg_free(ctx, l);
    *linear = NULL;
}
