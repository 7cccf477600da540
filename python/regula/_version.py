__version__ = "0.1.0"  # of include/regula.h
