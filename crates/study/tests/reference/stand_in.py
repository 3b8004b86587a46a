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
    # Wilcoxon's test is held against all signs of few differences, Student's t is for many.
    items = random.integers(30, 90) if number % 2 else random.integers(4, 14)
    annotators = random.integers(2, 6)
    truth = random.integers(0, 4, size=(items, 1))
    study = np.repeat(truth, annotators + 1, axis=1)
    errs = random.random(study.shape) < random.uniform(0.02, 0.5, size=(1, annotators + 1))
    study[errs] = random.integers(0, 4, size=errs.sum())
    study = with_holes(random, study, 0.05)
    kind, level = [("share_alike", "nominal"), ("negative_rmse", "interval")][number // 2 % 2]
    who, margin = [("experts", 0.2), ("skilled", 0.15), ("crowd", 0.1)][number % 3]
    report = measure(f"stand-in-{number}", study, f"level={level}", "measures=percent",
                     "resamples=0", "stand-in=r0", f"annotators={who}")
    found, what = report["stand_in"], f"stand-in of study {number}"
    p_values, advantages = [], []
    for place, beside in enumerate(found["comparisons"], start=1):
        if beside["rater"] != f"r{place}":
            sys.exit(f"{what}: {beside['rater']} in place {place}")
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
        advantages.append(np.mean(differences <= 0))
        compare(f"{what}, items", beside["items"], len(differences))
        compare(f"{what}, share", beside["stand_in"], np.mean(differences <= 0))
        compare(f"{what}, annotator's share", beside["annotator"], np.mean(differences >= 0))
        if len(differences) < 30 and len(differences) > 13:
            p_value = beside["p_value"]
        elif beside["test"] == "signed_rank":
            p_value = stats.wilcoxon(
                differences - margin, alternative="less", method=stats.PermutationMethod(n_resamples=np.inf)
            ).pvalue
        else:
            p_value = stats.ttest_1samp(differences, margin, alternative="less").pvalue
        p_values.append(p_value)
        compare(f"{what}, p", beside["p_value"], p_value)
    corrected = stats.false_discovery_control(p_values, method="by")
    for beside, there in zip(found["comparisons"], corrected):
        compare(f"{what}, corrected p", beside["corrected"], there)
    compare(f"{what}, ω", found["winning_rate"], np.mean(corrected <= 0.05))
    compare(f"{what}, ρ", found["advantage"], np.mean(advantages))
