"""Studies as matrices, a row an item and a column a rater, and what the example `measure` says of them."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

PROGRAM, FOLDER = sys.argv[1], Path(sys.argv[2])
MISSING = -1
# Values here are exact to more digits than those of others.
ACCURACY = 1e-9


def measure(name, study, *options, names=None, beside=None):
    """The report on a study; its items are i0, i1, …, its raters r0, r1, …; categories have names, if some are
    given, and columns stand beside those of the raters."""
    path = FOLDER / f"{name}.csv"
    raters = [f"r{rater}" for rater in range(study.shape[1])]
    text = str if names is None else names.__getitem__
    rows = [["" if value == MISSING else text(value) for value in row] for row in study.tolist()]
    for column in (beside or {}).values():
        rows = [[str(value), *row] for value, row in zip(column, rows)]
    lines = [",".join(["item", *reversed(beside or {}), *raters])]
    lines += [",".join([f"i{item}", *row]) for item, row in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n")
    output = subprocess.run(
        [PROGRAM, "--json", path, "header=yes", *options], check=True, stdout=subprocess.PIPE
    ).stdout
    return json.loads(output)


def compare(what, here, peer, accuracy=ACCURACY):
    """Ends all where a value, or one of several, is another there."""
    if here is None:
        sys.exit(f"{what}: none here, {peer} there")
    apart = np.abs(np.asarray(here) - np.asarray(peer)) - accuracy * (1 + np.abs(np.asarray(peer)))
    if not np.all(apart <= 0):
        sys.exit(f"{what}: {here} here, {peer} there")


def with_holes(random, study, share):
    """A study without so many of its ratings."""
    holes = study.copy()
    holes[random.random(study.shape) < share] = MISSING
    return holes
