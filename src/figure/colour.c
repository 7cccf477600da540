/* Colour maps computed in the space Oklab, in which distances are those that the eye sees. */
#include "figure/colour.h"

#include <math.h>
#include <stdbool.h>

enum { SHRINKS = 40 };

static double cube(double v)
{
    return v * v * v;
}

/* Linear sRGB of lightness L and the opponents a, b (Ottosson's matrices); false: no screen has
 * this colour. */
static bool to_linear(double L, double a, double b, double out[3])
{
    const double l = cube(L + 0.3963377774 * a + 0.2158037573 * b),
                 m = cube(L - 0.1055613458 * a - 0.0638541728 * b),
                 s = cube(L - 0.0894841775 * a - 1.2914855480 * b);
    bool is_inside = true;

    out[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    out[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    out[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
    for (int k = 0; k < 3; k++)
        is_inside = is_inside && out[k] >= 0.0 && out[k] <= 1.0;
    return is_inside;
}

static unsigned char encode(double v)
{
    v = fmin(1.0, fmax(0.0, v));
    v = v <= 0.0031308 ? 12.92 * v : 1.055 * pow(v, 1.0 / 2.4) - 0.055;
    return (unsigned char)(255.0 * v + 0.5);
}

/* Less colourful until the screen can show it; lightness and hue stay. */
static rg_colour from_hue(double L, double chroma, double degrees)
{
    const double angle = degrees * acos(-1.0) / 180.0, a = cos(angle), b = sin(angle);
    double rgb[3];

    for (int k = 0; k < SHRINKS; k++) {
        if (to_linear(L, chroma * a, chroma * b, rgb)) break;
        chroma *= 0.95;
    }
    return (rg_colour){encode(rgb[0]), encode(rgb[1]), encode(rgb[2])};
}

rg_colour rg_colour_ramp(double part)
{
    part = fmin(1.0, fmax(0.0, part));
    return from_hue(0.28 + 0.64 * part, 0.09 + 0.08 * part, 310.0 - 205.0 * part);
}

rg_colour rg_colour_signed(double part)
{
    const double away = fmin(1.0, fabs(2.0 * part - 1.0));

    return from_hue(0.95 - 0.5 * away, 0.2 * away, part < 0.5 ? 255.0 : 28.0);
}
