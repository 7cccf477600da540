/* Two methods for one run: an explicit one for as long as the equations are not stiff, or a
 * Rosenbrock method where few digits are asked for, and Radau IIA from there on.  The relay is a
 * method of its own around the state of the one that steps: it hands over before a step, once,
 * where the explicit method says that stability chooses its steps, where the Rosenbrock method has
 * taken many of them (it is for transients; the high orders of Radau IIA need less for long
 * motions), or where the first one gives up.  What `auto` takes for some models (solve/choose.h);
 * no name of the method table.  doc/methods/half-explicit.md. */
#ifndef RG_IVP_RELAY_RELAY_H
#define RG_IVP_RELAY_RELAY_H

#include "ivp/method.h"

extern const rg_ivp_method rg_relay_method;

/* What happened in a run: which method began; whether Radau IIA took over, from where, and why. */
typedef enum { RG_RELAY_GAVE_UP, RG_RELAY_STIFF, RG_RELAY_LONG } rg_relay_cause;
typedef struct {
    const char *first;
    bool is_explicit; /* the first one */
    bool has_changed;
    rg_relay_cause cause;
    double t;
} rg_relay_report;

/* Of an integrator with rg_relay_method.  Its create returns RG_RETRY, without a message, where no
 * such method is to be taken. */
rg_relay_report rg_relay_tell(const rg_integrator *g);

/* spectrum.c: largest |lambda| of -F_y'^-1 F_y at the start, by some steps of the power method from
 * below; NaN: F_y' is singular or not finite. */
rg_status rg_relay_spectrum(rg_integrator *g, double *radius);

#endif
