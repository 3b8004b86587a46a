"""The alternative annotator test, written down again with the tests of SciPy."""

import sys

import numpy as np
from scipy import stats
from studies import MISSING, compare, measure, with_holes


def score(kind, judgement, others):
    if kind == "share_alike":
        return np.mean(others == judgement)
    return -np.sqrt(np.mean((others - judgement) ** 2.0))


def check(number):
    random = np.random.default_rng(1_000 + number)
    # In some, annotators are below the 30 items that the test needs.
    items = random.integers(26, 90)
    annotators = random.integers(2, 6)
    truth = random.integers(0, 4, size=(items, 1))
    study = np.repeat(truth, annotators + 1, axis=1)
    errs = random.random(study.shape) < random.uniform(0.02, 0.5, size=(1, annotators + 1))
    study[errs] = random.integers(0, 4, size=errs.sum())
    study = with_holes(random, study, 0.05)
    if number % 2:
        study[random.integers(10, items):, -1] = MISSING
    kind, level = [("share_alike", "nominal"), ("negative_rmse", "interval")][number // 2 % 2]
    who, margin = [("experts", 0.2), ("skilled", 0.15), ("crowd", 0.1)][number % 3]
    report = measure(f"stand-in-{number}", study, f"level={level}", "measures=percent",
                     "resamples=0", "stand-in=r0", f"annotators={who}")
    found, what = report["stand_in"], f"stand-in of study {number}"
    p_values, advantages, tested = [], [], []
    for place in range(1, annotators + 1):
        differences = []
        for row in study:
            others = np.delete(row, [0, place])
            others = others[others != MISSING]
            if row[0] == MISSING or row[place] == MISSING or len(others) == 0:
                continue
            model, person = score(kind, row[0], others), score(kind, row[place], others)
            alike = np.isclose(model, person, rtol=1e-10, atol=0)
            differences.append(0 if alike else np.sign(person - model))
        differences = np.array(differences)
        beside = found["comparisons"][place - 1] if found["comparisons"] else None
        if beside is not None:
            if beside["rater"] != f"r{place}":
                sys.exit(f"{what}: {beside['rater']} in place {place}")
            compare(f"{what}, items", beside["items"], len(differences))
            compare(f"{what}, share", beside["stand_in"], np.mean(differences <= 0))
            compare(f"{what}, annotator's share", beside["annotator"], np.mean(differences >= 0))
            if (beside["test"]["p_value"] is None) != (len(differences) < 30):
                sys.exit(f"{what}: {beside} of {len(differences)} items")
        if len(differences) >= 30:
            p_values.append(stats.ttest_1samp(differences, margin, alternative="less").pvalue)
            advantages.append(np.mean(differences <= 0))
            tested.append(beside)
    if len(tested) < 2:
        if found["undefined"] is None or found["undefined"]["code"] != "TooFewAnnotators":
            sys.exit(f"{what}: a result of {len(tested)} annotators")
        return
    corrected = stats.false_discovery_control(p_values, method="by")
    for beside, p_value, there in zip(tested, p_values, corrected):
        compare(f"{what}, p", beside["test"]["p_value"], p_value)
        compare(f"{what}, corrected p", beside["test"]["corrected"], there)
    compare(f"{what}, ω", found["winning_rate"], np.mean(corrected <= 0.05))
    compare(f"{what}, ρ", found["advantage"], np.mean(advantages))
