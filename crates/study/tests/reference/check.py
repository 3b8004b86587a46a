"""Measures random studies here and by the libraries of PyPI, and fails where the values differ.

    python check.py PROGRAM FOLDER

PROGRAM is the example `measure` of this crate; the studies are kept in FOLDER.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pingouin
from scipy import stats
from sklearn.metrics import f1_score, precision_recall_fscore_support
from statsmodels.stats.contingency_tables import mcnemar

PROGRAM, FOLDER = sys.argv[1], Path(sys.argv[2])
STUDIES = 40
MISSING = -1
# Values here are exact to more digits than those of others.
ACCURACY = 1e-9


def measure(name, study, *options):
    """The report on a matrix of a row an item and a column a rater."""
    path = FOLDER / f"{name}.csv"
    raters = [f"r{rater}" for rater in range(study.shape[1])]
    rows = [["" if value == MISSING else str(value) for value in row] for row in study.tolist()]
    lines = [",".join(["item", *raters])]
    lines += [",".join([f"i{item}", *row]) for item, row in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n")
    output = subprocess.run(
        [PROGRAM, "--json", path, "header=yes", *options], check=True, stdout=subprocess.PIPE
    ).stdout
    return json.loads(output)


def compare(what, here, peer):
    if here is None or abs(here - peer) > ACCURACY * (1 + abs(peer)):
        sys.exit(f"{what}: {here} here, {peer} there")


def with_holes(random, study, share):
    holes = study.copy()
    holes[random.random(study.shape) < share] = MISSING
    return holes


def check_intraclass(number):
    random = np.random.default_rng(number)
    items, raters = random.integers(3, 40), random.integers(2, 7)
    quality = random.integers(10, 90, size=(items, 1))
    study = quality + random.integers(0, 2 + number, size=(items, raters))
    study += random.integers(0, 9, size=(1, raters))
    study = with_holes(random, study, 0.05)
    complete = study[(study != MISSING).all(axis=1)]
    if len(complete) < 3:
        return
    ids = "icc_1,icc_a1,icc_c1,icc_k,icc_ak,icc_ck"
    report = measure(f"intraclass-{number}", study, "level=interval", f"measures={ids}")
    ours = {one["name"].replace("ICC(1)", "ICC(1,1)").replace("ICC(k)", "ICC(1,k)"): one
            for one in report["measures"]}
    long = pd.DataFrame(complete).melt(ignore_index=False, var_name="rater").reset_index()
    peers = pingouin.intraclass_corr(long, targets="index", raters="rater", ratings="value")
    for _, peer in peers.iterrows():
        one, what = ours[peer["Type"]], f"{peer['Type']} of study {number}"
        compare(what, one["value"], peer["ICC"])
        lower, upper = peer["CI95"]
        # Rounded to two decimals there.
        for end, there in [("lower", lower), ("upper", upper)]:
            here = one["interval"][end]
            if abs(here - there) > 0.005 + 1e-9:
                sys.exit(f"{what}, {end} end: {here} here, {there} there")
        if one["incomplete"] != len(study) - len(complete):
            sys.exit(f"{what}: {one['incomplete']} incomplete items")


def score(kind, judgement, others):
    if kind == "share_alike":
        return np.mean(others == judgement)
    return -np.sqrt(np.mean((others - judgement) ** 2.0))


def check_stand_in(number):
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


def macro_f1(gold, said):
    return f1_score(gold, said, average="macro", zero_division=0)


def check_gold(number):
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
            if pair["mcnemar"] is not None:
                sys.exit(f"{what}: a test of nothing")
        else:
            peer = mcnemar([[0, only_first], [only_second, 0]], exact=True).pvalue
            compare(f"{what}, McNemar's p", pair["mcnemar"], peer)
        if len(gold) == 0:
            continue
        compare(f"{what}, difference", pair["f1_difference"], macro_f1(gold, one) - macro_f1(gold, other))
        if 2 ** len(gold) <= 1_000:
            peer = stats.permutation_test(
                (one, other), lambda one, other: macro_f1(gold, one) - macro_f1(gold, other),
                permutation_type="samples", vectorized=False, n_resamples=np.inf,
            ).pvalue
            compare(f"{what}, permutation p", pair["permutation"], peer)


FOLDER.mkdir(parents=True, exist_ok=True)
for number in range(STUDIES):
    check_intraclass(number)
    check_stand_in(number)
    check_gold(number)
print(f"{STUDIES} studies each of ratings, stand-ins and gold are as the peers measure them")
