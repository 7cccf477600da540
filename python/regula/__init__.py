"""regula: differential-algebraic equations, numpy in, numpy out.

    import regula
    s = regula.Model("pendulum.rg").solve(tol=1e-8, points=101)
    s.t, s["p"], s.estimate

Model        a text in the language of regula, solved like `regula solve`
Problem      F(t, y, y') = 0 or M y' = f(t, y) by functions
solve_dae, solve_ivp   the same in the manner of SciPy
Error        and its kinds, with .message .remedy .line .t .partial
"""

from ._callbacks import Problem, solve_dae, solve_ivp
from ._errors import (ConvergenceError, Error, InconsistentError, MethodError, ModelError,
                      OptionError, RegulaWarning, StructureError)
from ._library import library as _functions
from ._model import Check, Model, tables
from ._solution import Solution
from ._sweep import Sweep

__version__ = _functions.rg_version().decode()
__all__ = ["Check", "ConvergenceError", "Error", "InconsistentError", "MethodError", "Model",
           "ModelError", "OptionError", "Problem", "RegulaWarning", "Solution", "StructureError",
           "Sweep", "solve_dae", "solve_ivp", "tables", "__version__"]
