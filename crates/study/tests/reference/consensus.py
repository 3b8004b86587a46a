"""Holds the consensus of `cargo run -p study --example measure` against crowd-kit's, on simulated studies.

    consensus.py MEASURE
"""

import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from crowdkit.aggregation import MACE, DawidSkene, MajorityVote

CATEGORIES = ["LOC", "ORG", "PER"]
# Per study: items, how often each rater knows, how many ratings of a hundred are missing.
STUDIES = [(200, [0.9, 0.8, 0.7, 0.6], 0), (300, [0.9, 0.85, 0.5, 0.4, 0.3], 30)]


def simulated(seed, items, skills, missing):
    """Lines of item, rater, category; raters who do not know draw from a habit of their own."""
    draw = random.Random(seed)
    habits = [[draw.random() + 0.2 for _ in CATEGORIES] for _ in skills]
    for item in range(items):
        truth = draw.choice(CATEGORIES)
        for rater, (skill, habit) in enumerate(zip(skills, habits)):
            knows, is_missing = draw.random() < skill, draw.random() * 100 < missing
            said = truth if knows else draw.choices(CATEGORIES, habit)[0]
            if not is_missing:
                yield f"i{item}", f"r{rater}", said


def near(what, ours, theirs, tolerance):
    apart = np.abs(np.asarray(ours) - np.asarray(theirs)).max()
    if not apart <= tolerance:
        sys.exit(f"{what}: {apart} apart")
    print(f"{what}: {apart:.0e} apart")


def consensus(measure, method, lines):
    """What we say, with the study's items as their names."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.csv"
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([("item", "rater", "category"), *lines])
        report = json.loads(subprocess.check_output([measure, path, "--json", method]))
    assert report["understood"]["categories"] == CATEGORIES, report["understood"]
    return report["consensus"]


def table(found):
    rows = {item["item"]: item["probabilities"] for item in found["items"]}
    return pd.DataFrame.from_dict(rows, orient="index", columns=CATEGORIES)


def check(measure, name, lines):
    data = pd.DataFrame(lines, columns=["task", "worker", "label"])
    theirs = MajorityVote().fit_predict_proba(data)
    ours = table(consensus(measure, "majority", lines))
    near(f"{name}, majority", ours, theirs.loc[ours.index, CATEGORIES].fillna(0.0), 1e-12)

    # It would stop early; what it keeps away from zero is in the tolerance.
    peer = DawidSkene(n_iter=1_000, tol=-1.0).fit(data)
    found = consensus(measure, "dawid-skene", lines)
    assert found["learning"]["converged"]
    ours = table(found)
    near(f"{name}, Dawid & Skene", ours, peer.probas_.loc[ours.index, CATEGORIES], 1e-5)
    near(f"{name}, marginals", found["marginals"], peer.priors_.loc[CATEGORIES], 1e-6)
    for rater in found["raters"]:
        # Theirs has what is said in rows.
        theirs = peer.errors_.loc[rater["name"]].loc[CATEGORIES, CATEGORIES].T
        near(f"{name}, matrix of {rater['name']}", rater["confusion"], theirs, 1e-5)

    # Its counts of guesses are sorted by name, and its guesses are in the order of the table: they
    # are the same in a sorted one only. Its numbers to begin with are others: both end where they must.
    peer = MACE().fit(data.sort_values(["label", "worker"], ignore_index=True))
    theirs = peer.probas_.loc[ours.index, CATEGORIES]
    near(f"{name}, MACE", table(consensus(measure, "mace", lines)), theirs, 1e-5)


def main():
    for seed, (items, skills, missing) in enumerate(STUDIES, start=1):
        check(sys.argv[1], f"study {seed}", list(simulated(seed, items, skills, missing)))


if __name__ == "__main__":
    main()
