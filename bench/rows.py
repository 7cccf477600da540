"""Tables of measurements: read, written after every problem, kept when a run is stopped."""
import csv
import os
import signal


class Stopped(Exception):
    """The time limit of a part is over: show what there is."""


def stop_on_limit():
    def stop(number, frame):
        raise Stopped()

    signal.signal(signal.SIGTERM, stop)


def read(path, source):
    if not path or not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["source"] = source
    return rows


def write(path, columns, rows):
    """Replaced as a whole."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        out.writeheader()
        for row in rows:
            out.writerow({k: (f"{v:.6g}" if isinstance(v, float) else v) for k, v in row.items()})
    os.replace(path + ".part", path)
