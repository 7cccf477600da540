/* The scaled error function exp(x^2) erfc(x) neither overflows nor underflows for x >= 0. */
#ifndef RG_BASE_ERFCX_H
#define RG_BASE_ERFCX_H

/* x >= 0, to about 1e-14. */
double rg_erfcx(double x);

#endif
