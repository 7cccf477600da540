/* Drivers of the start value search: each may change roles and values of s. */
#ifndef RG_NEWTON_SEARCH_H
#define RG_NEWTON_SEARCH_H

#include "newton/iterate.h"
#include "newton/tuning.h"

/* quick.c: data stay, and Newton's method finds the free values at once, as many as there are
 * equations.  RG_RETRY: it does not; s->z is somewhere. */
rg_status rg_start_quick(rg_start_system *s);
/* All stages and restarts, with the roles as they are.  RG_OK: found, miss at most RG_REPAIR_LIMIT;
 * RG_RETRY: nothing found, s->z is the best point (miss: its miss; infinity: F cannot be
 * evaluated). */
rg_status rg_search(rg_start_system *s, double *miss);
/* explicit.c: s->z for another try, values without data from the equations that give them one after
 * the other.  has_guesses: guesses are used for this; without them (but for those of states) and
 * where part is not 0, values begin at this part of their scales.  For expressions. */
rg_status rg_start_explicit(rg_start_system *s, bool has_guesses, double part);
/* State columns without data that nothing determines: 0, with a warning. */
rg_status rg_start_fix_free(rg_start_system *s);
/* Least change of kept values, with a warning.  is_rounding, if not NULL: only where that is
 * rounding of theirs, and they stay as they are. */
rg_status rg_repair_kept(rg_start_system *s, bool *is_rounding);
/* moved.c: names the guesses of states that have moved; J and F are those of s->z. */
rg_status rg_warn_moved(const rg_start_system *s);
/* stages.c: the first stage of constraints whose rows, with those before, cannot be met from s->z
 * up to this miss; the last one without a look.  s->z: where least squares of these rows have
 * ended, s->stage: the rows after them are left out from now on. */
rg_status rg_start_first_stage(rg_start_system *s, double limit, int *stage);
/* ... a row of this stage and its miss, -1: none; all rows count again. */
rg_status rg_start_violated(rg_start_system *s, double limit, int64_t *row, double *miss);
int rg_start_stage_of(const rg_start_system *s, int64_t row);
/* Sets the error for a search that found nothing. */
rg_status rg_report_contradiction(rg_start_system *s, double miss);

/* " 'a', 'b' and 3 more" of the marked columns, for warnings; returns the count. */
int64_t rg_list_columns(const rg_start_system *s, const uint8_t *is_marked, char *buffer, int size);

#endif
