/* The chosen numbers of curve/tuning.def as constants. */
#ifndef RG_CURVE_TUNING_H
#define RG_CURVE_TUNING_H

#include "base/tuning.h"
#include "curve/tuning.def"

#endif
