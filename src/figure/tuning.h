/* The chosen numbers of figure/tuning.def as constants. */
#ifndef RG_FIGURE_TUNING_H
#define RG_FIGURE_TUNING_H

#include "base/tuning.h"
#include "figure/tuning.def"

#endif
