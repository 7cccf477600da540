/* Where functions of time have features that samples would miss.
 *
 * An interval in which ranges tell nothing (views/resolved.h) is halved until they do.  What has to
 * be halved far more often than its surroundings is narrow: found however narrow it is, since no
 * sample has to meet it. */
#ifndef RG_VIEWS_NARROW_H
#define RG_VIEWS_NARROW_H

#include "views/resolved.h"

typedef struct {
    double from, to, shortest; /* shortest: of its parts */
} rg_narrow;

/* Stretches between a < b, ascending, whose parts are shorter than half a cell; none where they are
 * too many, and none around a place where parts of every length are needed: poles, sqrt(t) at 0.
 * The caller frees the list. */
rg_status rg_narrow_find(rg_context *ctx, rg_resolved *r, double a, double b, double cell,
                         rg_narrow **list, int64_t *n);

#endif
