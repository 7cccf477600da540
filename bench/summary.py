"""The page at the end of `make bench`:  summary.py PART ...

Which parts ran, which targets are met, and what the parts printed behind "-- summary --".  Also in bench/results/summary.txt."""
import os
import sys

from problems import HERE

RESULTS = os.path.join(HERE, "results")
MARK = "-- summary --"


def read(name):
    try:
        with open(os.path.join(RESULTS, name), encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def targets(log):
    kinds = {"met": [], "missed": [], "open": []}
    for line in log.splitlines():
        for kind, found in kinds.items():
            if line.startswith(f"target {kind}: "):
                found.append(line.split(": ", 1)[1])
    return kinds


def page(parts):
    lines = ["== summary", ""]
    all_targets = {"met": [], "missed": [], "open": []}
    for part in parts:
        lines.append(f"{part:12s} {read(part + '.status').strip() or 'not run'}")
        for kind, found in targets(read(part + ".log")).items():
            all_targets[kind] += [f"{part:12s} {text}" for text in found]
    for part in parts:
        log = read(part + ".log")
        if MARK in log:
            lines += ["", log.split(MARK, 1)[1].strip()]
    for kind, heading in (("met", "Targets met"), ("missed", "Targets missed"), ("open", "Targets not measured")):
        if all_targets[kind]:
            lines += ["", f"{heading}: {len(all_targets[kind])}"] + ["  " + text for text in all_targets[kind]]
    return "\n".join(lines) + "\n"


def main():
    text = page(sys.argv[1:])
    with open(os.path.join(RESULTS, "summary.txt"), "w", encoding="utf-8") as file:
        file.write(text)
    print("\n" + text, end="")


if __name__ == "__main__":
    main()
