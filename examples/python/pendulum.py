"""The pendulum for several lengths: periods from the zeros of the first coordinate."""

import numpy as np
import regula

TEXT = """
param L = 1, g = 9.81
var p = 0.1*L, q ~ -0.995*L, u = 0, v ~ 0, lambda
p' = u
q' = v
u' = -p*lambda
v' = -q*lambda - g
p^2 + q^2 = L^2
over t = 0 .. 10
"""


def period(length):
    """Twice the mean distance of the zeros of p, by linear interpolation between rows."""
    s = regula.Model(text=TEXT).solve(set={"L": length}, points=2001, tol=1e-8)
    p, t = s["p"], s.t
    k = np.nonzero(p[:-1] * p[1:] < 0)[0]
    zeros = t[k] - p[k] * (t[k + 1] - t[k]) / (p[k + 1] - p[k])
    return 2 * np.diff(zeros).mean()


if __name__ == "__main__":
    for length in (0.5, 1.0, 2.0):
        small = 2 * np.pi * np.sqrt(length / 9.81)
        found = period(length)
        print(f"L = {length}: period {found:.5f} s, small angles {small:.5f} s")
        assert abs(found / small - 1) < 2e-3
