"""brat's standoff by bioc, which writes and reads it."""

from bioc import brat

from .samples import Found, zipped
from .texts import ANA, BEN, TEXTS

TOOL = "bioc"


def annotation(made, **fields):
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def document(name, marks, parts=()):
    """A text with entities; `parts` are spans with text between."""
    doc = brat.BratDocument()
    doc.text = TEXTS[name]
    for number, (label, *places) in enumerate(
        [*((label, (begin, end)) for begin, end, label in marks), *parts], 1
    ):
        entity = annotation(brat.BratEntity(), id=f"T{number}", type=label)
        entity.text = " ".join(doc.text[begin:end] for begin, end in places).replace("\n", " ")
        for place in places:
            entity.add_span(*place)
        doc.add_annotation(entity)
    return doc


def read(doc):
    """The entities in what is written."""
    again = brat.loads(doc.text, brat.dumps_ann(doc))
    return [(entity.type, entity.text) for entity in again.entities]


def make(samples):
    def add(path, docs, says, found):
        files = {}
        for name, doc in docs.items():
            files[f"{name}.txt"], files[f"{name}.ann"] = doc.text, brat.dumps_ann(doc)
        samples.add(path, zipped(files), TOOL, says, found)

    docs = {name: document(name, ANA[name]) for name in TEXTS}
    found = Found()
    for name, doc in docs.items():
        found.document(TEXTS[name], read(doc))
    add("brat/entities.zip", docs, "texts with entities", found)

    doc = document("news", ANA["news"])
    relation = annotation(brat.BratRelation(), id="R1", type="From")
    relation.add_argument("Arg1", "T4")
    relation.add_argument("Arg2", "T5")
    attribute = annotation(brat.BratAttribute(), id="A1", type="Confidence", refid="T1")
    attribute.add_attribute("High")
    event = annotation(brat.BratEvent(), id="E1", type="ORG", trigger_id="T1")
    event.arguments["Target"] = "T2"
    note = annotation(brat.BratNote(), id="#1", type="AnnotatorNotes", refid="T1", text="sure")
    for made in [relation, attribute, event, note]:
        doc.add_annotation(made)
    says = "relations, events, attributes and notes beside"
    add("brat/all_kinds.zip", {"news": doc}, says, Found().document(doc.text, read(doc)))

    both = {"ana": ANA, "ben": BEN}
    docs = {
        f"{rater}/{name}": document(name, marks[name])
        for rater, marks in both.items()
        for name in TEXTS
    }
    found = Found()
    for name in TEXTS:
        found.document(TEXTS[name], (), {rater: read(docs[f"{rater}/{name}"]) for rater in both})
    add("brat/folders.zip", docs, "a folder for each rater", found)

    where = [TEXTS["ship"].index(word) for word in ("Teodor", "ferry")]
    parts = [("LONG", (where[0], where[0] + 6), (where[1], where[1] + 5))]
    doc = document("ship", ANA["ship"], parts)
    says = "a span of two parts, which is not read"
    whole = [span for span in read(doc) if span[0] != "LONG"]
    add("brat/discontinuous.zip", {"ship": doc}, says, Found().document(doc.text, whole))
