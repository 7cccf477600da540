"""A small drawing of a solution for notebooks: lines over the abscissa, as SVG text."""

import math
from xml.sax.saxutils import escape as _escape

import numpy as np

COLOURS = ("#1b6ca8", "#d1495b", "#2e8b57", "#8a5fb4", "#b8860b", "#4a4a4a")
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 560, 300, 64, 40, 14, 120


def escape(text):
    return _escape(str(text), {'"': "&quot;"})


def ticks(low, high, count=5):
    """Round numbers from low to high, about `count` of them."""
    raw = (high - low) / count
    unit = 10.0 ** math.floor(math.log10(raw))
    step = unit * min((1, 2, 5, 10), key=lambda m: abs(m * unit - raw))
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def span(values):
    finite = values[np.isfinite(values)]
    if finite.size == 0:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    if high <= low:
        half = 0.5 * max(abs(low), 1e-300) if low else 1.0
        return low - half, high + half
    return low, high


def thin(t, y, most=600):
    """At most 2*most points: least and largest value of every bin, in their order."""
    if len(t) <= 2 * most:
        return t, y
    keep = []
    for piece in np.array_split(np.arange(len(t)), most):
        part = np.where(np.isfinite(y[piece]), y[piece], 0)
        keep += sorted({piece[int(part.argmin())], piece[int(part.argmax())]})
    return t[keep], y[keep]


def line(t, y, across, up):
    """A path with gaps where y is not a number."""
    path, pen = [], "M"
    for a, b in zip(*thin(t, y)):
        if math.isfinite(b):
            path.append(f"{pen}{across(a):.1f} {up(b):.1f}")
            pen = "L"
        else:
            pen = "M"
    return "".join(path)


def figure(name, t, columns, array, most=6):
    """All columns (the first `most`) over t."""
    shown = list(range(min(most, len(columns))))
    t0, t1 = span(np.asarray(t))
    y0, y1 = span(array[:, shown]) if shown else (0.0, 1.0)
    across = lambda a: LEFT + (a - t0) / (t1 - t0) * (WIDTH - LEFT - RIGHT)  # noqa: E731
    up = lambda b: TOP + (y1 - b) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)  # noqa: E731
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             f'width="{WIDTH}" font-family="sans-serif" font-size="11">']
    for x in ticks(t0, t1):
        parts.append(f'<path d="M{across(x):.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>'
                     f'<text x="{across(x):.1f}" y="{HEIGHT - BOTTOM + 16}" '
                     f'text-anchor="middle" fill="currentColor">{x:g}</text>')
    for y in ticks(y0, y1):
        parts.append(f'<path d="M{LEFT} {up(y):.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 6}" y="{up(y) + 4:.1f}" text-anchor="end" '
                     f'fill="currentColor">{y:g}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle" '
                 f'fill="currentColor">{escape(name)}</text>')
    for k in shown:
        colour = COLOURS[k % len(COLOURS)]
        parts.append(f'<path d="{line(t, array[:, k], across, up)}" fill="none" '
                     f'stroke="{colour}" stroke-width="1.5"/>'
                     f'<text x="{WIDTH - RIGHT + 8}" y="{TOP + 14 + 16 * k}" '
                     f'fill="{colour}">{escape(columns[k])}</text>')
    if len(columns) > most:
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{TOP + 14 + 16 * most}" '
                     f'fill="currentColor">and {len(columns) - most} more</text>')
    parts.append("</svg>")
    return "".join(parts)


def page(svg, end, text):
    rows = "".join(f"<tr><td>{escape(n)}</td><td>{v:.10g}</td></tr>"
                   for n, v in list(end.items())[:20])
    return (f"<div>{svg}<table><tr><th>at the end</th><th></th></tr>{rows}</table>"
            f"<details><summary>summary</summary><pre>{escape(text)}</pre></details></div>")
