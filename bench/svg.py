"""Work-precision diagrams: digits to the right, milliseconds upwards (logarithmic); one file per problem and form."""
import math
import os

COLOURS = {"regula": "#c0392b", "regula-bdf": "#e67e22", "radau5": "#2471a3", "radau": "#1abc9c", "rodas": "#7d3c98",
           "daspk": "#229954", "ida": "#7f8c8d", "ida_klu": "#7f8c8d", "cvode": "#b7950b"}
WIDTH, HEIGHT, LEFT, BOTTOM = 560, 360, 60, 40


def draw(path, title, curves):
    """curves: (solver, source, [(digits, milliseconds)])"""
    points = [p for _, _, curve in curves for p in curve]
    if not points:
        return
    x0, x1 = math.floor(min(p[0] for p in points)), math.ceil(max(p[0] for p in points) + 0.01)
    y0 = math.floor(math.log10(min(p[1] for p in points)))
    y1 = math.ceil(math.log10(max(p[1] for p in points)) + 0.01)

    def place(p):
        x = LEFT + (p[0] - x0) / (x1 - x0) * (WIDTH - LEFT - 130)
        y = HEIGHT - BOTTOM - (math.log10(p[1]) - y0) / (y1 - y0) * (HEIGHT - BOTTOM - 30)
        return x, y

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="11">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', f'<text x="{LEFT}" y="18" font-size="13">{title}</text>']
    for d in range(x0, x1 + 1):
        x, _ = place((d, 10.0**y0))
        out.append(f'<line x1="{x:.1f}" y1="30" x2="{x:.1f}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>'
                   f'<text x="{x - 4:.1f}" y="{HEIGHT - BOTTOM + 14}">{d}</text>')
    for e in range(y0, y1 + 1):
        _, y = place((x0, 10.0**e))
        out.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - 130}" y2="{y:.1f}" stroke="#ddd"/>'
                   f'<text x="14" y="{y + 4:.1f}">1e{e} ms</text>')
    out.append(f'<text x="{(WIDTH - 130) // 2}" y="{HEIGHT - 8}">digits (mescd)</text>')
    for k, (solver, source, curve) in enumerate(curves):
        colour = COLOURS.get(solver, "#555")
        dash = ' stroke-dasharray="4 3"' if source != "here" else ""
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, curve))
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{colour}"/>' for x, y in map(place, curve)]
        y = 40 + 16 * k
        out.append(f'<line x1="{WIDTH - 120}" y1="{y}" x2="{WIDTH - 100}" y2="{y}" stroke="{colour}" stroke-width="2"{dash}/>'
                   f'<text x="{WIDTH - 95}" y="{y + 4}">{solver}{"" if source == "here" else " *"}</text>')
    out.append(f'<text x="{WIDTH - 120}" y="{HEIGHT - 8}" fill="#777">* from peers.csv</text></svg>')
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")
