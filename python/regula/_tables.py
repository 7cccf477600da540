"""Columns by name: numbers of all rows, with arrays of the model put together again."""

import re

import numpy as np

_ELEMENT = re.compile(r"^(.*?)\[(-?\d+(?:,-?\d+)*)\]('*)$")


def group_columns(names):
    """{"u": (positions, shape)} for the elements u[1], u[2], ... among the names."""
    found = {}
    for position, name in enumerate(names):
        match = _ELEMENT.match(name)
        if match:
            index = tuple(int(i) for i in match.group(2).split(","))
            found.setdefault(match.group(1) + match.group(3), {})[index] = position
    groups = {}
    for name, places in found.items():
        low = [min(axis) for axis in zip(*places)]
        shape = tuple(max(axis) - first + 1 for axis, first in zip(zip(*places), low))
        if name not in names and len(places) == np.prod(shape):
            groups[name] = ([places[index] for index in sorted(places)], shape)
    return groups


class Table:
    """Values by name: table["p"], table.p; an array u[1..N] has one more axis, table["u"]."""

    def __init__(self, columns, array):
        self.columns, self.array = columns, array
        self._place = {name: k for k, name in enumerate(columns)}
        self._groups = group_columns(columns)

    def __getitem__(self, name):
        if name in self._place:
            return self.array[..., self._place[name]]
        if name in self._groups:
            places, shape = self._groups[name]
            values = self.array[..., places]
            return values.reshape(values.shape[:-1] + shape)
        raise KeyError(f"there is no column '{name}': there are {', '.join(self.columns[:20])}")

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __contains__(self, name):
        return name in self._place or name in self._groups

    def __iter__(self):
        return iter(self.columns)

    def keys(self):
        return list(self.columns)

    def __dir__(self):
        return [*super().__dir__(), *(c for c in [*self._place, *self._groups] if c.isidentifier())]

    def __repr__(self):
        values = ", ".join(f"{c}: {self.array[..., k]}" for k, c in enumerate(self.columns[:6]))
        return "{" + values + (", ..." if len(self.columns) > 6 else "") + "}"
