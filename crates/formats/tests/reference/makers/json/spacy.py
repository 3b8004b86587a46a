"""spaCy: docs as JSON, training data of version 2, and its binary format."""

import json

import spacy
import srsly
from spacy.tokens import Doc, DocBin, Span
from spacy.training import docs_to_json
from spacy.training.converters import json_to_docs

from ..samples import Found
from ..texts import ANA, TEXTS

TOOL = "spacy"
NLP = spacy.blank("xx")
NLP.add_pipe("sentencizer")


def docs():
    for name, text in TEXTS.items():
        doc = NLP(text)
        doc.ents = [doc.char_span(*mark, alignment_mode="expand") for mark in ANA[name]]
        yield doc


def found_in(all_docs, group=None):
    found = Found()
    for doc in all_docs:
        spans = doc.spans[group] if group else doc.ents
        found.document(doc.text, [(span.label_, span.text) for span in spans])
    return found


def read(values):
    """Docs of what `Doc.to_json` gave."""
    return [Doc(NLP.vocab).from_json(value) for value in values]


def make(samples):
    values = [doc.to_json() for doc in docs()]
    text = srsly.json_dumps(values, indent=1)
    samples.add("spacy/docs.json", text, TOOL, "a list of Doc.to_json", found_in(read(values)))
    text = "".join(srsly.json_dumps(value) + "\n" for value in values)
    samples.add("spacy/docs.jsonl", text, TOOL, "a Doc.to_json a line", found_in(read(values)))
    text = srsly.json_dumps(values[0], indent=1)
    samples.add("spacy/doc.json", text, TOOL, "one Doc.to_json", found_in(read(values[:1])))

    grouped = []
    for doc in docs():
        doc.spans["sc"] = [*doc.ents, Span(doc, 0, 3, label="START")]
        doc.ents = []
        grouped.append(doc.to_json())
    text = srsly.json_dumps(grouped, indent=1)
    says = "a group of spans that overlap"
    samples.add("spacy/span_groups.json", text, TOOL, says, found_in(read(grouped), "sc"))

    training = [docs_to_json([doc], doc_id=number) for number, doc in enumerate(docs())]
    text = srsly.json_dumps(training, indent=0)
    says = "training data of version 2, whose tags are BILUO"
    samples.add("spacy/training.json", text, TOOL, says, found_in(json_to_docs(text)))

    examples = [
        [doc.text, {"entities": [[e.start_char, e.end_char, e.label_] for e in doc.ents]}]
        for doc in docs()
    ]
    text = json.dumps(examples, indent=1, ensure_ascii=False)
    samples.add("spacy/examples.json", text, TOOL, "texts with offsets", found_in(docs()))

    binary = DocBin(docs=docs()).to_bytes()
    says = "DocBin, which only spaCy reads"
    samples.add("spacy/docs.spacy", binary, TOOL, says, refused="binary")
