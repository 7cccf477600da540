/* The chosen numbers of pdae/petsc/tuning.def as constants. */
#ifndef RG_PDAE_PETSC_TUNING_H
#define RG_PDAE_PETSC_TUNING_H

#include "base/tuning.h"
#include "pdae/petsc/tuning.def"

#endif
