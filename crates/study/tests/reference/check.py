"""Measures random studies here and by the libraries of PyPI, and fails where the values differ.

    python check.py PROGRAM FOLDER

PROGRAM is the example `measure` of this crate; the studies are kept in FOLDER.
"""

import coefficients
import consensus
import gold
import intraclass
import predictions
import sequences
import stand_in
import studies

STUDIES = 40

studies.FOLDER.mkdir(parents=True, exist_ok=True)
for number in range(STUDIES):
    coefficients.check(number)
    intraclass.check(number)
    gold.check(number)
    stand_in.check(number)
    predictions.check(number)
for number in range(len(consensus.STUDIES)):
    consensus.check(number)
for number in range(len(sequences.STUDIES)):
    sequences.check(number)
print(f"{STUDIES} studies each of categories, numbers, gold, stand-ins and predictions, and {len(consensus.STUDIES)} of consensus, {len(sequences.STUDIES)} of sequences, are as the peers measure them")
