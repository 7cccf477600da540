"""A boundary layer that grows thinner: the same boundary value problem for smaller and smaller eps."""

import numpy as np
import regula

MODEL = regula.Model(text="""
param eps = 0.1
var y
eps*y'' + y' = 0
boundary y(0) = 0
boundary y(1) = 1
over x = 0 .. 1
""")

if __name__ == "__main__":
    for eps in (1e-1, 1e-2, 1e-3):
        s = MODEL.solve(set={"eps": eps}, tol=1e-8, at=[0, eps, 1])
        exact = -np.expm1(-s.t / eps) / -np.expm1(-1 / eps)
        print(f"eps = {eps}: y(eps) = {s['y'][1]:.9f}, error {np.abs(s['y'] - exact).max():.1e}")
        assert np.abs(s["y"] - exact).max() < 1e-7
