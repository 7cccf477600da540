/* Where a solution finds the states of a system. */
#ifndef RG_IVP_LAYOUT_H
#define RG_IVP_LAYOUT_H

#include "solution/layout.h"
#include "views/system.h"

/* n_unknowns: of the problem behind the system. */
rg_status rg_system_layout(const rg_system *s, int64_t n_unknowns, rg_layout **out);

#endif
