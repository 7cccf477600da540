"""Builds the wheel: pure Python beside the shared library of ../build, for this machine's kind only.

The library is looked for under $REGULA_LIBRARY, then as ../build/libregula.so; `make all` makes it.
"""

import os
import re
import shutil

from setuptools import setup
from setuptools.command.build_py import build_py

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:  # newer setuptools has it itself
    from setuptools.command.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))


def version():
    with open(os.path.join(HERE, "regula", "_version.py"), encoding="utf-8") as file:
        return re.search(r'"(.*)"', file.read()).group(1)


def library():
    path = os.environ.get("REGULA_LIBRARY") or os.path.join(HERE, "..", "build", "libregula.so")
    if not os.path.exists(path):
        raise SystemExit(f"{path} is not there: run `make all` in the folder of regula first")
    return os.path.realpath(path)


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        shutil.copyfile(library(), os.path.join(self.build_lib, "regula", "libregula.so"))


class PlatformWheel(bdist_wheel):
    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


setup(
    name="regula",
    version=version(),
    description="Differential-algebraic equations from a text file or from functions",
    packages=["regula"],
    python_requires=">=3.9",
    install_requires=["numpy"],
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
)
