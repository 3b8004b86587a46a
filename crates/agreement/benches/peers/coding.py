"""What libraries for items and raters take: prints "result", task, peer, size, seconds, value, remark."""

import itertools
import sys
from pathlib import Path
from time import perf_counter

import krippendorff
import numpy as np
import pandas as pd
from irrCAC.raw import CAC
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa, to_table

DATA = Path(sys.argv[1])
SHAPES = [(10, 10_000), (50, 10_000), (20, 100_000), (100, 100_000)]
CATEGORIES = 10
MISSING = 255
# A matrix of pairs is left after so many seconds and extrapolated from the pairs that were done.
PATIENCE = 8.0
RUNS = 3


def say(task, peer, raters, items, seconds, value, remark=""):
    value = "" if value is None else repr(float(value))
    print("result", task, peer, raters, items, seconds, value, remark, sep=",", flush=True)


def both(a, b):
    there = (a != MISSING) & (b != MISSING)
    return a[there], b[there]


def with_nan(codes):
    codes = codes.astype(float)
    codes[codes == MISSING] = np.nan
    return codes


def statsmodels_kappa(a, b):
    table, _ = to_table(np.column_stack(both(a, b)), CATEGORIES)
    return cohens_kappa(table, return_results=False)


def nltk_triples(columns):
    for rater, column in enumerate(columns):
        for item, code in enumerate(column.tolist()):
            if code != MISSING:
                yield rater, item, code


# Of each the measure of two raters that is fastest.
PAIRS = {
    "statsmodels kappa": statsmodels_kappa,
    "scikit-learn kappa": lambda a, b: cohen_kappa_score(*both(a, b)),
    "krippendorff alpha": lambda a, b: krippendorff.alpha(
        reliability_data=with_nan(np.stack([a, b])), level_of_measurement="nominal"
    ),
    "irrCAC alpha": lambda a, b: CAC(
        pd.DataFrame(with_nan(np.stack([a, b], axis=1)))
    ).krippendorff()["est"]["coefficient_value"],
    "nltk alpha": lambda a, b: AnnotationTask(data=list(nltk_triples(both(a, b)))).alpha(),
}

# Of each the largest number of ratings that it is given.
ALL_RATERS = [
    ("alpha", "krippendorff", 10_000_000, lambda codes: krippendorff.alpha(
        reliability_data=with_nan(codes), level_of_measurement="nominal")),
    ("alpha", "irrCAC", 2_000_000, lambda codes: CAC(
        pd.DataFrame(with_nan(codes.T))).krippendorff()["est"]["coefficient_value"]),
    ("alpha", "nltk", 200_000, lambda codes: AnnotationTask(
        data=list(nltk_triples(codes))).alpha()),
    ("fleiss", "irrCAC", 2_000_000, lambda codes: CAC(
        pd.DataFrame(with_nan(codes.T))).fleiss()["est"]["coefficient_value"]),
]


def best(run, runs=RUNS):
    """The least time of some runs; slow ones are run once."""
    times = []
    for _ in range(runs):
        start = perf_counter()
        value = run()
        times.append(perf_counter() - start)
        if times[0] > PATIENCE / 4:
            break
    return min(times), value


def all_pairs(measure, codes):
    """Seconds and the sum over all pairs; and how many pairs were done within the patience."""
    measure(codes[0], codes[1])
    pairs = list(itertools.combinations(codes, 2))
    start, total = perf_counter(), 0.0
    for done, (a, b) in enumerate(pairs, start=1):
        total += measure(a, b)
        if perf_counter() - start > PATIENCE:
            break
    seconds = perf_counter() - start
    return seconds * len(pairs) / done, total, done, len(pairs)


for raters, items in SHAPES:
    codes = np.fromfile(DATA / f"codes-{raters}-{items}", dtype=np.uint8).reshape(raters, items)
    for peer, measure in PAIRS.items():
        print(f"  pairs {raters} {items} {peer}", file=sys.stderr)
        seconds, total, done, count = all_pairs(measure, codes)
        remark = "" if done == count else f"from {done} of {count} pairs"
        is_whole_kappa = done == count and peer.endswith("kappa")
        say("pairs", peer, raters, items, seconds, total if is_whole_kappa else None, remark)
    for task, peer, most, measure in ALL_RATERS:
        print(f"  {task} {raters} {items} {peer}", file=sys.stderr)
        part = min(items, most // raters)
        seconds, value = best(lambda: measure(codes[:, :part]))
        remark = "" if part == items else f"from {part} items"
        say(task, peer, raters, items, seconds * items / part,
            value if part == items else None, remark)
