/* The chosen numbers of structure/tuning.def as constants. */
#ifndef RG_STRUCTURE_TUNING_H
#define RG_STRUCTURE_TUNING_H

#include "base/tuning.h"
#include "structure/tuning.def"

#endif
