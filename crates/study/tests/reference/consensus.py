"""Consensus, held against that of crowd-kit."""

import random

import numpy as np
import pandas as pd
from crowdkit.aggregation import MACE, DawidSkene, MajorityVote
from studies import MISSING, compare, measure

CATEGORIES = ["0", "1", "2"]
# Per study: items, how often each rater knows, how many ratings of a hundred are missing.
STUDIES = [(200, [0.9, 0.8, 0.7, 0.6], 0), (300, [0.9, 0.85, 0.5, 0.4, 0.3], 30)]


def simulated(seed, items, skills, missing):
    """A study whose raters, where they do not know, draw from a habit of their own."""
    draw = random.Random(seed)
    codes = range(len(CATEGORIES))
    habits = [[draw.random() + 0.2 for _ in codes] for _ in skills]
    study = np.full((items, len(skills)), MISSING)
    for row in study:
        truth = draw.choice(codes)
        for rater, (skill, habit) in enumerate(zip(skills, habits)):
            knows, is_missing = draw.random() < skill, draw.random() * 100 < missing
            said = truth if knows else draw.choices(codes, habit)[0]
            row[rater] = MISSING if is_missing else said
    return study[(study != MISSING).any(axis=1)]


def table(found):
    rows = {item["item"]: item["probabilities"] for item in found["items"]}
    return pd.DataFrame.from_dict(rows, orient="index", columns=CATEGORIES)


def check(number):
    study = simulated(number + 1, *STUDIES[number])
    votes = [(f"i{item}", f"r{rater}", str(said))
             for (item, rater), said in np.ndenumerate(study) if said != MISSING]
    data = pd.DataFrame(votes, columns=["task", "worker", "label"])

    def found(method):
        report = measure(f"consensus-{number}", study, "measures=percent", "resamples=0", f"consensus={method}")
        return report["consensus"]

    what = f"consensus of study {number}"
    ours = table(found("majority"))
    theirs = MajorityVote().fit_predict_proba(data)
    compare(f"{what}, majority", ours, theirs.loc[ours.index, CATEGORIES].fillna(0.0))

    # It would stop early; what it keeps away from zero is in the accuracy.
    peer = DawidSkene(n_iter=1_000, tol=-1.0).fit(data)
    learned = found("dawid-skene")
    compare(f"{what}, Dawid & Skene, converged", learned["learning"]["converged"], 1)
    compare(f"{what}, Dawid & Skene", table(learned), peer.probas_.loc[ours.index, CATEGORIES], 1e-5)
    compare(f"{what}, marginals", learned["marginals"], peer.priors_.loc[CATEGORIES], 1e-6)
    for rater in learned["raters"]:
        # Theirs has what is said in rows.
        theirs = peer.errors_.loc[rater["name"]].loc[CATEGORIES, CATEGORIES].T
        compare(f"{what}, matrix of {rater['name']}", rater["confusion"], theirs, 1e-5)

    # Its counts of guesses are sorted by name, and its guesses are in the order of the table: they
    # are the same in a sorted one only. Its numbers to begin with are others: both end where they must.
    peer = MACE().fit(data.sort_values(["label", "worker"], ignore_index=True))
    theirs = peer.probas_.loc[ours.index, CATEGORIES]
    compare(f"{what}, MACE", table(found("mace")), theirs, 1e-5)
