"""Coefficients of any number of raters, held against krippendorff, irrCAC and scikit-learn."""

import itertools
import sys

import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC
from sklearn.metrics import cohen_kappa_score
from studies import MISSING, compare, measure, with_holes

# Rounded to five decimals there.
ROUNDED = 6e-6
LEVELS = ["nominal", "ordinal", "interval", "ratio"]


def check(number):
    random = np.random.default_rng(3_000 + number)
    items, raters, categories = random.integers(5, 60), random.integers(2, 6), random.integers(2, 6)
    study = np.repeat(random.integers(1, categories + 1, size=(items, 1)), raters, axis=1)
    errs = random.random(study.shape) < 0.4
    study[errs] = random.integers(1, categories + 1, size=errs.sum())
    study = with_holes(random, study, 0.15 * (number % 3))
    if not np.all((study != MISSING).any(axis=0)) or len(np.unique(study[study != MISSING])) < 2:
        return
    for level in LEVELS:
        ours = values(measure(f"coefficients-{number}", study, f"level={level}", "resamples=0"))
        ratings = np.where(study == MISSING, np.nan, study)
        peer = krippendorff.alpha(reliability_data=ratings.T, level_of_measurement=level)
        here = ours["krippendorff_alpha_nominal" if level == "nominal" else "krippendorff_alpha"]
        compare(f"α ({level}) of study {number}", here, peer)
    report = measure(f"coefficients-{number}", study, "level=nominal", "resamples=0")
    ours, what = values(report), f"study {number}"
    # Items that nobody has rated are none.
    rated = study[(study != MISSING).any(axis=1)]
    # Left to itself, it takes what is missing for a category.
    names = [float(name) for name in np.unique(rated[rated != MISSING])]
    peers = CAC(pd.DataFrame(rated).astype(float).mask(rated == MISSING), categories=names)
    for name, peer in [("fleiss_kappa", peers.fleiss), ("gwet_ac1", peers.gwet), ("brennan_prediger", peers.bp)]:
        compare(f"{name} of {what}", ours[name], peer()["est"]["coefficient_value"], ROUNDED)
    pairs = {(pair["first"], pair["second"]): values(pair, "values") for pair in report["pairs"]}
    # Of two raters, the report is of the pair.
    pairs = pairs or {(0, 1): ours}
    for first, second in itertools.combinations(range(raters), 2):
        both = (study[:, [first, second]] != MISSING).all(axis=1)
        one, other = study[both, first], study[both, second]
        here = pairs[first, second]["cohen_kappa"] if both.any() else None
        if both.any() and len(set(one) | set(other)) > 1:
            compare(f"κ of {first} and {second} in {what}", here, cohen_kappa_score(one, other))
        elif here is not None:
            sys.exit(f"κ of {first} and {second} in {what}: {here} of one category")


def values(report, key="measures"):
    return {one["id"]: one["value"] for one in report[key]}
