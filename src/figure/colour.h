/* Colours of values, even to the eye: equal steps of a value are equal steps of lightness. */
#ifndef RG_FIGURE_COLOUR_H
#define RG_FIGURE_COLOUR_H

typedef struct {
    unsigned char r, g, b;
} rg_colour;

/* part: 0 .. 1.  A ramp from dark violet over green to light yellow. */
rg_colour rg_colour_ramp(double part);
/* Two ramps that meet in a light grey at 0.5: blue below, red above. */
rg_colour rg_colour_signed(double part);

#endif
