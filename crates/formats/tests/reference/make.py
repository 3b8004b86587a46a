"""Makes the samples of other tools' files, with what those tools count in them.

    make.py FOLDER FOLDER-OF-DOCCANO
"""

import sys
from pathlib import Path

from makers import brat, cas, tables
from makers.columns import chunks, conll, conllu, webanno
from makers.json import datasaur, doccano, label_studio, prodigy, spacy
from makers.samples import Samples


def main():
    folder, unpacked = map(Path, sys.argv[1:])
    samples = Samples(folder)
    for maker in [brat, cas, chunks, conll, conllu, webanno, tables]:
        maker.make(samples)
    for maker in [datasaur, label_studio, prodigy, spacy]:
        maker.make(samples)
    doccano.make(samples, unpacked)
    samples.finish()
    print(f"{len(samples.expected)} samples")


main()
