/* The chosen numbers of views/linear/tuning.def as constants. */
#ifndef RG_VIEWS_LINEAR_TUNING_H
#define RG_VIEWS_LINEAR_TUNING_H

#include "base/tuning.h"
#include "views/linear/tuning.def"

#endif
