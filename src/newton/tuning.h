/* The chosen numbers of newton/tuning.def as constants. */
#ifndef RG_NEWTON_TUNING_H
#define RG_NEWTON_TUNING_H

#include "base/tuning.h"
#include "newton/tuning.def"

#endif
