/* The chosen numbers of pdae/form/tuning.def as constants. */
#ifndef RG_PDAE_FORM_TUNING_H
#define RG_PDAE_FORM_TUNING_H

#include "base/tuning.h"
#include "pdae/form/tuning.def"

#endif
