/* The chosen numbers of views/tuning.def as constants. */
#ifndef RG_VIEWS_TUNING_H
#define RG_VIEWS_TUNING_H

#include "base/tuning.h"
#include "views/tuning.def"

#endif
