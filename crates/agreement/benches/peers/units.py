"""What pygamma-agreement takes: prints "result", task, peer, size, seconds, value, remark."""

import sys
from pathlib import Path
from time import perf_counter

from pyannote.core import Segment
from pygamma_agreement import CombinedCategoricalDissimilarity, Continuum

DATA = Path(sys.argv[1])
SIZES = [(2, 50), (2, 200), (3, 20), (3, 50)]
RUNS = 3
PATIENCE = 20.0


def say(task, raters, units, seconds, value):
    print("result", task, "pygamma-agreement", raters, units, seconds, value, "", sep=",", flush=True)


def best(run):
    """The least time of some runs; slow ones are run once."""
    times = []
    for _ in range(RUNS):
        start = perf_counter()
        value = run()
        times.append(perf_counter() - start)
        if times[0] > PATIENCE:
            break
    return min(times), value


for raters, units in SIZES:
    continuum = Continuum()
    for line in (DATA / f"units-{raters}-{units}").read_text().splitlines():
        rater, start, end, category = line.split(",")
        continuum.add(rater, Segment(float(start), float(end)), category)
    dissimilarity = CombinedCategoricalDissimilarity()
    # The first call compiles.
    continuum.get_best_alignment(dissimilarity)
    print(f"  {raters} {units}", file=sys.stderr)
    seconds, alignment = best(lambda: continuum.get_best_alignment(dissimilarity))
    say("alignment", raters, units, seconds, alignment.disorder)
    seconds, _ = best(lambda: continuum.compute_gamma(dissimilarity, n_samples=30).gamma)
    # The samples are other ones.
    say("gamma", raters, units, seconds, "")
