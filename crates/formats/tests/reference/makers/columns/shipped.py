"""Files that come along in the packages of tools."""

import tarfile

from ..samples import Found
from .conll import as_text, spans_of

SENTENCES = 12


def make(samples, sources):
    """The chunks of seqeval's tests: the third column is what counts there, the last a tagger's."""
    release = "1.2.2"
    with tarfile.open(sources / f"seqeval-{release}.tar.gz") as archive:
        samples.licence("seqeval", archive.extractfile(f"seqeval-{release}/LICENSE").read())
        for name, path, says, refused in [
            ("ground_truth.txt", "chunks_in_text.txt", "chunks, called a text", None),
            ("ground_truth.txt", "tagger.conll", "chunks that a tagger has found", None),
            ("ground_truth_inv.txt", "labels_first.conll", "the label before the letter", "tag"),
        ]:
            member = archive.extractfile(f"seqeval-{release}/tests/data/{name}")
            blocks = member.read().decode().split("\n\n")[:SENTENCES]
            rows = [[row.split() for row in block.split("\n")] for block in blocks]
            found = Found()
            if not refused:
                words = [[row[0] for row in block] for block in rows]
                tags = [[row[-1] for row in block] for block in rows]
                spans = [span for both in zip(words, tags, strict=True) for span in spans_of(*both)]
                found.document(as_text(words), spans)
            text = "\n\n".join(blocks) + "\n"
            samples.add(f"conll/{path}", text, "seqeval", says, found, refused)
