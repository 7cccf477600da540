/* Threads that share the units of a loop: rows of a grid, blocks of an array.  They belong to a
 * context, sleep between loops and end with it.  Who takes which units has no part in the results:
 * no unit reads what another one writes, and sums are made of parts by unit that are added in
 * order.  A loop never waits for a thread that has not begun: on a busy machine the caller does all
 * of it. */
#ifndef RG_BASE_CREW_H
#define RG_BASE_CREW_H

#include "base/base.h"

typedef struct rg_crew rg_crew;

enum { RG_CREW_MOST = 16 }; /* threads, that of the caller included */

/* Units from .. end - 1; `hand`: the number of the thread, 0 .. RG_CREW_MOST - 1, for memory of its
 * own. */
typedef void rg_crew_work(void *user, int hand, int64_t from, int64_t end);

/* The threads of the loops of this context from now on, that of the caller included; 0: one per
 * core.  A worker of a sweep has one.  Where the system has no more there are fewer. */
rg_status rg_crew_set(rg_context *ctx, int threads);
void rg_crew_end(rg_context *ctx);
int rg_crew_hands(const rg_context *ctx); /* threads, 1 or more */

/* Is a loop over so many numbers shared? */
bool rg_crew_shares(const rg_context *ctx, int64_t numbers);
/* All units 0 .. n - 1, each once, of `numbers` numbers each; returns when all are done.  Loops of
 * few numbers, loops inside a loop and those of a second thread are the caller's alone. */
void rg_crew_run(rg_context *ctx, int64_t n, int64_t numbers, rg_crew_work *work, void *user);

/* The sum over units 0 .. n - 1 of up to three numbers that `part` makes of each, added in the
 * order of the units whoever has made them. */
enum { RG_CREW_SUMS = 3 };
typedef void rg_crew_part(void *user, int64_t unit, double out[RG_CREW_SUMS]);
void rg_crew_sum(rg_context *ctx, int64_t n, int64_t numbers, rg_crew_part *part, void *user,
                 double total[RG_CREW_SUMS]);

#endif
