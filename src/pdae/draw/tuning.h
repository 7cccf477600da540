/* The chosen numbers of pdae/draw/tuning.def as constants. */
#ifndef RG_PDAE_DRAW_TUNING_H
#define RG_PDAE_DRAW_TUNING_H

#include "base/tuning.h"
#include "pdae/draw/tuning.def"

#endif
