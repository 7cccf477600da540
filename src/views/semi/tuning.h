/* The chosen numbers of views/semi/tuning.def as constants. */
#ifndef RG_VIEWS_SEMI_TUNING_H
#define RG_VIEWS_SEMI_TUNING_H

#include "base/tuning.h"
#include "views/semi/tuning.def"

#endif
