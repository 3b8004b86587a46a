"""Consensus on sequences: held against hmmlearn, which is given what was learned of raters and transitions, and
what is right against scikit-learn and seqeval."""

import random
import warnings

import numpy as np
from hmmlearn.base import BaseHMM
from seqeval.metrics import f1_score, precision_score, recall_score
from sklearn.metrics import accuracy_score, precision_recall_fscore_support
from studies import MISSING, compare, measure

warnings.filterwarnings("ignore", module="seqeval")

# In the order of the alphabet, as categories are.
TAGS = ["B-LOC", "B-PER", "I-LOC", "I-PER", "O"]
OPENING = {"B-LOC": "I-LOC", "B-PER": "I-PER", "I-LOC": "I-LOC", "I-PER": "I-PER"}
# Per study: sentences, how often each rater sees a tag right, how many ratings of a hundred are missing.
STUDIES = [(60, [0.8, 0.7, 0.6, 0.5], 0), (80, [0.9, 0.6, 0.6, 0.4, 0.3], 40)]
PRIOR = 0.1


class Crowd(BaseHMM):
    """A hidden Markov model whose emissions are the votes of raters, by their matrices."""

    def _init(self, X, lengths=None):
        pass

    def _check(self):
        pass

    def _compute_log_likelihood(self, X):
        logs = np.zeros((len(X), len(TAGS)))
        for rater, matrix in enumerate(self.matrices):
            rated = X[:, rater] != MISSING
            logs[rated] += np.log(matrix[:, X[rated, rater]]).T
        return logs


def simulated(seed, sentences, skills, missing):
    """Tags that raters gave, those that are right in the last column; and of each token its sentence."""
    draw = random.Random(seed)
    rows, names = [], []
    for name in range(sentences):
        tag = "O"
        for _ in range(draw.randint(3, 12)):
            inner = OPENING.get(tag)
            tag = inner if inner and draw.random() < 0.6 else draw.choice(["O", "O", "O", "B-LOC", "B-PER"])
            truth = TAGS.index(tag)
            said = [truth if draw.random() < skill else draw.randrange(len(TAGS)) for skill in skills]
            said = [MISSING if draw.random() * 100 < missing else one for one in said]
            rows.append([*said, truth])
            names.append(name)
    return np.array(rows), np.array(names)


def may_follow(before, tag):
    return not tag.startswith("I-") or before in ["B" + tag[1:], tag]


def check(number):
    study, names = simulated(number + 50, *STUDIES[number])
    what, gold = f"sequences of study {number}", study.shape[1] - 1
    report = measure(
        f"sequences-{number}", study, "measures=percent", "resamples=0", "consensus=hmm-crowd",
        "sequence=sentence", f"gold=r{gold}", names=TAGS, beside={"sentence": names},
    )
    found = report["consensus"]
    compare(f"{what}, converged", found["learning"]["converged"], 1)
    votes = study[:, :gold]
    peer = Crowd(n_components=len(TAGS))
    peer.startprob_, peer.transmat_ = np.array(found["starts"]), np.array(found["transitions"])
    peer.matrices = [np.array(rater["confusion"]) for rater in found["raters"]]
    # A sentence that nobody has rated says nothing.
    rated = (votes != MISSING).any(axis=1)
    whole = np.isin(names, names[rated])
    lengths = np.unique(names[whole], return_counts=True)[1]
    with np.errstate(divide="ignore"):
        score, posteriors = peer.score_samples(votes[whole], lengths)
        best = peer.predict(votes[whole], lengths)
    compare(f"{what}, likelihood", found["learning"]["log_likelihood"], score)
    all_items = np.full((len(study), len(TAGS)), np.nan)
    all_items[whole] = posteriors
    ours = np.array([item["probabilities"] for item, is_rated in zip(found["items"], rated) if is_rated])
    compare(f"{what}, probabilities", ours, all_items[rated], 1e-8)
    path = np.full(len(study), MISSING)
    path[whole] = best
    tags = [item["category"] for item in found["items"]]
    for item in np.flatnonzero(rated):
        if tags[item] != TAGS[path[item]]:
            raise SystemExit(f"{what}, item {item}: {tags[item]} here, {TAGS[path[item]]} there")

    # What was learned is what is expected by it, with a prior on all that may be.
    counts = np.full((len(TAGS), len(TAGS)), PRIOR)
    counts *= [[may_follow(before, tag) for tag in TAGS] for before in TAGS]
    logs = peer._compute_log_likelihood(votes)
    for name in np.unique(names[whole]):
        counts += expected(peer, logs[names == name])
    compare(f"{what}, transitions", found["transitions"], counts / counts.sum(axis=1, keepdims=True), 1e-5)
    for rater, matrix in enumerate(peer.matrices):
        said = np.full((len(TAGS), len(TAGS)), PRIOR)
        for item in np.flatnonzero(votes[:, rater] != MISSING):
            said[:, votes[item, rater]] += all_items[item]
        compare(f"{what}, matrix of r{rater}", matrix, said / said.sum(axis=1, keepdims=True), 1e-5)

    for one in report["gold"]["consensus"]:
        if one["method"] == "hmm-crowd":
            check_gold(what, one, tags, study, names)


def expected(peer, logs):
    """How often what is expected to follow what in a sequence, by all ways of going through it in logarithms."""
    with np.errstate(divide="ignore"):
        links, forward = np.log(peer.transmat_), [np.log(peer.startprob_) + logs[0]]
    for row in logs[1:]:
        forward.append(np.logaddexp.reduce(forward[-1][:, None] + links, axis=0) + row)
    backward = [np.zeros(len(TAGS))]
    for row in logs[:0:-1]:
        backward.append(np.logaddexp.reduce(links + (row + backward[-1])[None, :], axis=1))
    backward.reverse()
    whole = np.logaddexp.reduce(forward[-1])
    steps = [np.exp(a[:, None] + links + (row + b)[None, :] - whole) for a, row, b in zip(forward, logs[1:], backward[1:])]
    return np.sum(steps, axis=0) if steps else np.zeros_like(links)


def check_gold(what, one, tags, study, names):
    kept = np.array([tag is not None for tag in tags])
    truth = [TAGS[code] for code in study[:, -1]]
    said = np.array([tag or "" for tag in tags])[kept]
    right = np.array(truth)[kept]
    compare(f"{what}, items", one["items"], len(said))
    compare(f"{what}, accuracy", one["accuracy"], accuracy_score(right, said))
    inner = [tag for tag in TAGS if tag != "O"]
    peers = precision_recall_fscore_support(right, said, labels=inner, average="micro")
    compare(f"{what}, tokens", [one["tokens"][it]["value"] for it in ["precision", "recall", "f1"]], peers[:3])
    # What nobody has rated is outside of all spans.
    whole = [np.flatnonzero(names == name) for name in np.unique(names)]
    gold = [[truth[item] if kept[item] else "O" for item in items] for items in whole]
    found = [[tags[item] or "O" for item in items] for items in whole]
    peers = [score(gold, found) for score in (precision_score, recall_score, f1_score)]
    compare(f"{what}, spans", [one["spans"][it]["value"] for it in ["precision", "recall", "f1"]], peers)
