"""Raters against one who is right, held against scikit-learn, statsmodels and SciPy."""

import sys

import numpy as np
from scipy import stats
from sklearn.metrics import f1_score, precision_recall_fscore_support
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from studies import MISSING, compare, measure, with_holes


def macro_f1(gold, said):
    return f1_score(gold, said, average="macro", zero_division=0)


def check(number):
    random = np.random.default_rng(2_000 + number)
    # Few enough items that all ways to exchange two raters are gone through.
    items = random.integers(3, 10) if number % 2 else random.integers(10, 60)
    raters = random.integers(2, 5)
    study = np.repeat(random.integers(0, 3, size=(items, 1)), raters, axis=1)
    errs = random.random(study.shape) < 0.3
    study[errs] = random.integers(0, 3, size=errs.sum())
    study = with_holes(random, study, 0.05)
    report = measure(f"gold-{number}", study, "measures=percent", "gold=r0")
    found, what = report["gold"], f"gold of study {number}"
    for place, model in enumerate(found["models"], start=1):
        rated = (study[:, [0, place]] != MISSING).all(axis=1)
        gold, said = study[rated, 0], study[rated, place]
        names = sorted(set(gold) | set(said))
        peers = precision_recall_fscore_support(gold, said, labels=names, zero_division=np.nan)
        if [int(label["category"]) for label in model["labels"]] != names:
            sys.exit(f"{what}: labels {model['labels']}")
        for label, *there in zip(model["labels"], *peers[:3]):
            for measure_of, peer in zip(["precision", "recall", "f1"], there):
                here = label[measure_of]["value"]
                if np.isnan(peer) != (here is None):
                    sys.exit(f"{what}, {measure_of}: {here} here, {peer} there")
                if here is not None:
                    compare(f"{what}, {measure_of}", here, peer)
    for pair in found["pairs"]:
        first, second = int(pair["first"][1:]), int(pair["second"][1:])
        rated = (study[:, [0, first, second]] != MISSING).all(axis=1)
        gold, one, other = study[rated][:, [0, first, second]].T
        only_first = np.sum((one == gold) & (other != gold))
        only_second = np.sum((other == gold) & (one != gold))
        if only_first + only_second == 0:
            if pair["mcnemar"]["p_value"] is not None:
                sys.exit(f"{what}: a test of nothing")
        else:
            peer = mcnemar([[0, only_first], [only_second, 0]], exact=True).pvalue
            compare(f"{what}, McNemar's p", pair["mcnemar"]["p_value"], peer)
        if len(gold) == 0:
            continue
        compare(f"{what}, difference", pair["f1_difference"], macro_f1(gold, one) - macro_f1(gold, other))
        if np.array_equal(one, other):
            if pair["permutation"]["p_value"] is not None:
                sys.exit(f"{what}: a test of nothing")
        elif 2 ** len(gold) <= 1_000:
            peer = stats.permutation_test(
                (one, other), lambda one, other: macro_f1(gold, one) - macro_f1(gold, other),
                permutation_type="samples", vectorized=False, n_resamples=np.inf,
            ).pvalue
            compare(f"{what}, permutation p", pair["permutation"]["p_value"], peer)
    for test in ["mcnemar", "permutation"]:
        made = [pair[test] for pair in found["pairs"] if pair[test]["p_value"] is not None]
        if made:
            peers = multipletests([one["p_value"] for one in made], method="holm")[1]
            compare(f"{what}, corrected p", [one["corrected"] for one in made], peers)
