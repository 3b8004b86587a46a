"""Runs this crate beside the libraries that PyPI carries, on the same data, and prints a table.

    python3 crates/agreement/benches/peers/run.py

It makes its virtual environments and data under `target/peers`, or the directory that
`CARGO_TARGET_DIR` names. All libraries run in this one run, one after the other.
"""

import os
import subprocess
import sys
import venv
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORKSPACE = HERE.parents[3]
HOME = Path(os.environ.get("CARGO_TARGET_DIR", WORKSPACE / "target")) / "peers"
# irrCAC and pygamma-agreement want different versions of the same packages.
SUITES = ["coding", "units"]


def python_of(suite):
    """The interpreter of a virtual environment with the suite's pinned packages."""
    environment = HOME / suite
    python = environment / "bin" / "python"
    wanted = (HERE / f"{suite}.txt").read_text()
    installed = environment / "installed.txt"
    if not installed.exists() or installed.read_text() != wanted:
        venv.create(environment, with_pip=True, clear=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--requirement", HERE / f"{suite}.txt"]
        subprocess.run(pip, check=True)
        installed.write_text(wanted)
    return python


def lines_of(command):
    """The fields of the lines that a program marks as results; its progress goes through."""
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [line.split(",") for line in output.splitlines()]
    # Some libraries print lines of their own.
    return [fields[1:] for fields in lines if fields[0] == "result"]


def seconds(value):
    for unit, factor in [("s", 1), ("ms", 1e3), ("µs", 1e6)]:
        if value * factor >= 1 or unit == "µs":
            return f"{value * factor:.3g} {unit}"


def main():
    pythons = {suite: python_of(suite) for suite in SUITES}
    data = HOME / "data"
    data.mkdir(exist_ok=True)
    cargo = ["cargo", "run", "--release", "--quiet", "--package", "agreement"]
    cargo += ["--features", "parallel", "--example", "peers", "--", data]
    print("ours", file=sys.stderr)
    ours = {}
    for task, raters, size, time, value in lines_of(cargo):
        ours[task, raters, size] = float(time), float(value)
    rows = []
    for suite in SUITES:
        print(suite, file=sys.stderr)
        rows += lines_of([pythons[suite], "-W", "ignore", HERE / f"{suite}.py", data])

    print(f"{date.today()}, Python {sys.version.split()[0]}, {os.cpu_count()} processors\n")
    print("| task | raters × size | here | peer | its time | ratio | values differ by |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for task, peer, raters, size, time, value, remark in rows:
        time, (our_time, our_value) = float(time), ours[task, raters, size]
        differ = f"{abs(float(value) - our_value):.0e}" if value else ""
        print(
            f"| {task} | {raters} × {size} | {seconds(our_time)} | {peer} | {seconds(time)}"
            f"{' (' + remark + ')' if remark else ''} | {time / our_time:,.0f} | {differ} |"
        )


if __name__ == "__main__":
    main()
