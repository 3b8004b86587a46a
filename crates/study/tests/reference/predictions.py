"""Predictions of how people differ, held against SciPy, and the formulas of LeWiDi written down again."""

import sys

import numpy as np
import studies
from scipy import stats
from studies import MISSING, compare, measure, with_holes

POINTS = 5


def values(report, file, ids):
    """The measures of a file, which are these and in this order."""
    found = next(one for one in report["predictions"] if one["file"] == str(file))
    if [one["id"] for one in found["measures"]] != ids:
        sys.exit(f"{file}: {found['measures']}")
    return [one["value"] for one in found["measures"]]


def check(number):
    random = np.random.default_rng(3_000 + number)
    items, raters = random.integers(3, 40), random.integers(2, 7)
    study = with_holes(random, random.integers(1, POINTS + 1, size=(items, raters)), 0.2)
    # Probabilities are written as the nearest of many parts that add up.
    parts = random.multinomial(1_000, random.dirichlet(np.ones(POINTS), size=items)) / 1_000
    soft = studies.FOLDER / f"soft-{number}.csv"
    lines = [f"i{item},{place + 1},{share}" for (item, place), share in np.ndenumerate(parts)]
    soft.write_text("item,category,probability\n" + "\n".join(lines) + "\n")
    answers = random.integers(1, POINTS + 1, size=study.shape)
    each = studies.FOLDER / f"each-{number}.csv"
    lines = [f"i{item},r{rater},{said}" for (item, rater), said in np.ndenumerate(answers)]
    each.write_text("item,rater,label\n" + "\n".join(lines) + "\n")
    declared = ",".join(str(place + 1) for place in range(POINTS))
    report = measure(f"predictions-{number}", study, "level=interval", f"categories={declared}",
                     "measures=percent", "resamples=0", f"predictions={soft}", f"predictions={each}")

    places = np.arange(1, POINTS + 1)
    manhattan, entropy, moved, wrong, apart = [], [], [], [], []
    for row, predicted, said in zip(study, parts, answers):
        judged = row != MISSING
        if not judged.any():
            continue
        people = np.array([np.mean(row[judged] == place) for place in places])
        manhattan.append(np.abs(predicted - people).sum())
        entropy.append(-np.sum(people * np.log(np.clip(predicted, 1e-12, 1 - 1e-12) + 1e-9)))
        moved.append(stats.wasserstein_distance(places, places, predicted, people))
        wrong.append(np.mean(row[judged] != said[judged]))
        apart.append(np.mean(np.abs(row[judged] - said[judged])) / POINTS)
    what = f"predictions of study {number}"
    ids = ["manhattan_distance", "cross_entropy", "wasserstein_distance"]
    for name, here, there in zip(ids, values(report, soft, ids), [manhattan, entropy, moved]):
        compare(f"{what}, {name}", here, np.mean(there))
    ids = ["error_rate", "normalised_absolute_distance"]
    for name, here, there in zip(ids, values(report, each, ids), [wrong, apart]):
        compare(f"{what}, {name}", here, np.mean(there))
