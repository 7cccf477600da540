/* The chosen numbers of views/turning/tuning.def as constants. */
#ifndef RG_VIEWS_TURNING_TUNING_H
#define RG_VIEWS_TURNING_TUNING_H

#include "base/tuning.h"
#include "views/turning/tuning.def"

#endif
