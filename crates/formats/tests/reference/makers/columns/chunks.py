"""Chunks in the columns of seqeval's tests, whose labels seqeval finds in the last of them."""

from ..samples import Found
from .conll import as_text, spans_of

TOOL = "by hand"

# A word, its part of speech, its chunk, and the chunk that a tagger makes of it: some go on with what
# nothing opened, or with another label.
SENTENCES = """
Kestrel NNP B-NP I-NP
Boats NNP I-NP I-NP
's POS B-NP B-NP
Norden NNP I-NP I-NP
yard NN I-NP I-NP
says VBZ B-VP B-VP
it PRP B-NP B-NP
has VBZ B-VP B-VP
a DT B-NP B-NP
small JJ I-NP I-NP
order NN I-NP I-NP
from IN B-PP B-PP
Ulva NNP B-NP I-NP
Ferries NNPS I-NP I-NP
to TO B-VP B-PP
mend VB I-VP I-VP
wooden JJ B-NP I-NP
oars NNS I-NP I-NP
. . O O

Who WP B-NP B-NP
pays VBZ B-VP I-VP
for IN B-PP I-PP
40 CD B-NP B-NP
more JJR I-NP B-NP
oars NNS I-NP I-NP
? . O O
"""


def make(samples):
    blocks = SENTENCES.strip().split("\n\n")
    rows = [[row.split() for row in block.split("\n")] for block in blocks]
    words = [[row[0] for row in block] for block in rows]
    tags = [[row[-1] for row in block] for block in rows]
    spans = [span for both in zip(words, tags, strict=True) for span in spans_of(*both)]
    found = Found().document(as_text(words), spans)
    for path, says in [
        ("chunks_in_text.txt", "chunks, called a text"),
        ("tagger.conll", "chunks that a tagger has found"),
    ]:
        samples.add(f"conll/{path}", SENTENCES.lstrip(), TOOL, says, found)
    turned = lambda tag: "-".join(reversed(tag.split("-")))
    text = "\n\n".join(
        "\n".join(" ".join([*row[:2], *map(turned, row[2:])]) for row in block) for block in rows
    )
    says = "the label before the letter"
    samples.add("conll/labels_first.conll", text + "\n", TOOL, says, refused="tag")
