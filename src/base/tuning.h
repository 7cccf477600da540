/* Every number that was chosen and not derived: thresholds, limits, safety factors, counts of
 * attempts.  Each folder has its rows in tuning.def; tuning.h beside it makes constants of them.
 * tools/check-tuning looks for numbers that should stand there.  What a formula says, coefficients
 * of methods and sizes of buffers do not.
 *
 *     RG_TUNE_REAL(name, value, why, noticed by)        a double
 *     RG_TUNE_COUNT(name, value, why, noticed by)       an int
 *
 * Noticed by: the test (tests/...) or benchmark (bench/...) which fails or shows worse numbers when
 * it is changed, or why none can: "safety limit" (ends what ends before), "size" (of problems: no
 * test has such large ones), "speed" (results stay), "generic" (a place or move without special
 * properties: others do as well).  "none known": nothing was found; it may not be needed at all. */
#ifndef RG_BASE_TUNING_H
#define RG_BASE_TUNING_H

#include <float.h>

#define RG_TUNE_REAL(name, value, why, noticed)  static const double name = value;
#define RG_TUNE_COUNT(name, value, why, noticed) enum { name = value };
#include "base/tuning.def"

#endif
