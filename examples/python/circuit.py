"""A diode and a capacitor behind a source, as a residual function: index 1 with a stiff exponential."""

import numpy as np
import regula

R, C, IS, UT = 1e3, 1e-6, 1e-12, 0.026


def residual(t, y, yp):
    """y = (voltage of the capacitor, current): C u' = i - u/R, i = IS (exp((e - u)/UT) - 1)."""
    source = np.sin(2 * np.pi * 50 * t)
    return [C * yp[0] - y[1] + y[0] / R,
            y[1] - IS * np.expm1((source - y[0]) / UT)]


if __name__ == "__main__":
    r = regula.solve_dae(residual, (0, 0.02), [0.0, np.nan], t_eval=np.linspace(0, 0.02, 201),
                         rtol=1e-6, atol=1e-12)
    assert r.success, r.message
    print(f"peak {r.y[0].max():.4f} V at t = {r.t[r.y[0].argmax()]:.4f} s, "
          f"{r.nfev} evaluations")
    assert 0.3 < r.y[0].max() < 0.6
