"""Reads what `cargo run -p formats --example exchange -- write DIR` wrote with the programs that
the formats are from, compares it, and writes files of those programs into DIR/theirs.

    check.py DIR [FOLDER OF DOCCANO'S WHEEL]
"""

import json
import sys
import tempfile
from pathlib import Path

from makers.json.doccano_code import open_wheel

NAMED_ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
CONFIG = """<View><Labels name="label" toName="text">
<Label value="ORG"/><Label value="MISC &amp; more"/><Label value="PER-É"/>
</Labels><Text name="text" value="$text"/></View>"""


def same(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def triples(spans):
    return sorted((span["start"], span["end"], span["label"]) for span in spans)


def lines(path):
    with path.open(encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file]


def check_cas(ours, theirs, documents):
    """dkpro-cassis reads XMI and JSON CAS, and writes both with tokens and a type of its own."""
    from cassis import Cas, TypeSystem, load_cas_from_json, load_cas_from_xmi, load_typesystem

    with (ours / "TypeSystem.xml").open("rb") as file:
        types = load_typesystem(file)
    for number, document in enumerate(documents):
        with (ours / f"cas-{number}.xmi").open("rb") as file:
            from_xmi = load_cas_from_xmi(file, typesystem=types)
        with (ours / f"cas-{number}.json").open("rb") as file:
            from_json = load_cas_from_json(file)
        for name, cas in [("xmi", from_xmi), ("json", from_json)]:
            what = f"cassis, {name}, document {number}"
            same(what, cas.sofa_string, document["text"])
            entities = cas.select(NAMED_ENTITY)
            found = sorted((entity.begin, entity.end, entity.value) for entity in entities)
            same(what, found, triples(document["spans"]))
            for entity in entities:
                same(what, entity.get_covered_text(), document["text"][entity.begin : entity.end])
            title = cas.select(
                "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData"
            )[0].documentTitle
            same(what, title, document["name"])

        custom = TypeSystem()
        span_type = custom.create_type("webanno.custom.Span", "uima.tcas.Annotation")
        custom.create_feature(span_type, "label", "uima.cas.String")
        token_type = custom.create_type(
            "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token", "uima.tcas.Annotation"
        )
        cas = Cas(typesystem=custom)
        cas.sofa_string = document["text"]
        cas.sofa_mime = "text/plain"
        cas.add(token_type(begin=0, end=1))
        for start, end, label in triples(document["spans"]):
            cas.add(span_type(begin=start, end=end, label=label))
        cas.to_xmi(theirs / f"cas-{number}.xmi")
        cas.to_json(theirs / f"cas-{number}.json")


def check_spacy(ours, theirs, documents):
    """spaCy makes examples and a DocBin of our spans; its tokens hold those of plain words."""
    import spacy
    from spacy.tokens import Doc, DocBin
    from spacy.training import Example, docs_to_json, offsets_to_biluo_tags

    nlp = spacy.blank("en")
    bin_of_docs = DocBin(store_user_data=True)
    examples = json.loads((ours / "spacy.json").read_text(encoding="utf-8"))
    same("spaCy, number of examples", len(examples), len(documents))
    groups = []
    for (text, annotations), document in zip(examples, documents):
        same("spaCy, text", text, document["text"])
        # A token for each character, so that every span is made of tokens.
        doc = Doc(nlp.vocab, words=list(text), spaces=[False] * len(text))
        same("spaCy, text of the tokens", doc.text, text)
        tags = offsets_to_biluo_tags(doc, annotations["entities"])
        if "-" in tags:
            sys.exit(f"spaCy: a span of {text!r} is not made of characters: {tags}")
        reference = Example.from_dict(doc, annotations).reference
        found = [[ent.start_char, ent.end_char, ent.label_] for ent in reference.ents]
        same("spaCy, entities", found, annotations["entities"])
        all_spans = annotations.get("spans", {}).get("sc", annotations["entities"])
        same("spaCy, spans", sorted(map(tuple, all_spans)), triples(document["spans"]))
        groups.append(all_spans)
        bin_of_docs.add(reference)
    restored = list(DocBin(store_user_data=True).from_bytes(bin_of_docs.to_bytes()).get_docs(nlp.vocab))
    plain = nlp.make_doc(documents[0]["text"])
    if "-" in offsets_to_biluo_tags(plain, examples[0][1]["entities"]):
        sys.exit("spaCy: a span of plain words is not made of spaCy's tokens")
    jsons = []
    for doc, spans in zip(restored, groups):
        doc.spans["sc"] = [doc.char_span(start, end, label) for start, end, label in spans]
        jsons.append(doc.to_json())
    (theirs / "spacy_docs.json").write_text(json.dumps(jsons), encoding="utf-8")
    disjoint = [doc for doc, spans in zip(restored, groups) if len(doc.ents) == len(spans)]
    for doc in disjoint:
        for token in doc:
            token.is_sent_start = token.i == 0
    training = [docs_to_json([doc], doc_id=number) for number, doc in enumerate(disjoint)]
    (theirs / "spacy_training.json").write_text(json.dumps(training), encoding="utf-8")


def check_prodigy(ours, documents):
    """Prodigy itself is not free; its documented invariants of tokens and spans hold."""
    by_text = {document["text"]: document for document in documents}
    for line in lines(ours / "prodigy.jsonl"):
        text, tokens = line["text"], line["tokens"]
        document = by_text[text]
        for number, token in enumerate(tokens):
            same("Prodigy, token", text[token["start"] : token["end"]], token["text"])
            same("Prodigy, number of a token", token["id"], number)
        for span in line["spans"]:
            same("Prodigy, start", tokens[span["token_start"]]["start"], span["start"])
            same("Prodigy, end", tokens[span["token_end"]]["end"], span["end"])
        rater = line.get("_annotator_id")
        work = {one["rater"]: one["spans"] for one in document["work"]}
        same("Prodigy, spans", triples(line["spans"]), triples(work.get(rater, document["spans"])))


def check_label_studio(ours, theirs, documents):
    """Label Studio's interface accepts our tasks, its converter makes JSON-MIN and CoNLL of them."""
    import nltk  # the converter's tokenizer
    from label_studio_sdk.converter import Converter
    from label_studio_sdk.label_interface import LabelInterface

    del nltk
    interface = LabelInterface(CONFIG)
    tasks = json.loads((ours / "label_studio.json").read_text(encoding="utf-8"))
    same("Label Studio, number of tasks", len(tasks), len(documents))
    for task, document in zip(tasks, documents):
        # With annotations, this version of the SDK calls its own check of them without any.
        if not interface.validate_task({"id": task["id"], "data": task["data"]}):
            sys.exit(f"Label Studio: the task is not valid: {task}")
        for annotation, work in zip(task["annotations"], document["work"], strict=True):
            if not interface.validate_annotation(annotation):
                sys.exit(f"Label Studio: the annotation is not valid: {annotation}")
            for region in annotation["result"]:
                value = region["value"]
                quote = document["text"][value["start"] : value["end"]]
                same("Label Studio, quote", value["text"], quote)
            values = [region["value"] for region in annotation["result"]]
            found = sorted((value["start"], value["end"], value["labels"][0]) for value in values)
            same("Label Studio, regions", found, triples(work["spans"]))
    with tempfile.TemporaryDirectory() as folder:
        converter = Converter(CONFIG, folder)
        converter.convert_to_json_min(str(ours / "label_studio.json"), folder, is_dir=False)
        converted = (Path(folder) / "result.json").read_text(encoding="utf-8")
        (theirs / "label_studio_min.json").write_text(converted, encoding="utf-8")
        converter.convert_to_conll2003(str(ours / "label_studio.json"), folder, is_dir=False)
        tags = (Path(folder) / "result.conll").read_text(encoding="utf-8")
        same("Label Studio, CoNLL", "EU -X- _ B-ORG" in tags, True)


def check_doccano(ours, documents, wheel):
    """doccano's own parser of JSONL and its own check of spans accept our lines."""
    open_wheel(wheel)
    from data_import.pipeline.label import SpanLabel
    from data_import.pipeline.parsers import JSONLParser
    import uuid

    parser = JSONLParser(encoding="utf-8")
    rows = list(parser.parse(str(ours / "doccano.jsonl")))
    same("doccano, errors", [str(error) for error in parser.errors], [])
    same("doccano, number of documents", len(rows), len(documents))
    for row, document in zip(rows, documents):
        same("doccano, text", row["text"], document["text"])
        units = document["text"].encode("utf-16-le")
        quotes = []
        for item in row["label"]:
            span = SpanLabel.parse(uuid.uuid4(), item)
            quote = units[2 * span.start_offset : 2 * span.end_offset].decode("utf-16-le")
            quotes.append((quote, span.label))
        expected = [
            (document["text"][span["start"] : span["end"]], span["label"])
            for span in document["spans"]
        ]
        same("doccano, spans", sorted(quotes), sorted(expected))


def main():
    folder = Path(sys.argv[1])
    ours, theirs = folder / "ours", folder / "theirs"
    theirs.mkdir(exist_ok=True)
    documents = lines(ours / "documents.jsonl")
    check_cas(ours, theirs, documents)
    check_spacy(ours, theirs, documents)
    check_prodigy(ours, documents)
    check_label_studio(ours, theirs, documents)
    print(f"cassis, spaCy, Label Studio's SDK agree on {len(documents)} documents")
    if len(sys.argv) > 2:
        check_doccano(ours, documents, Path(sys.argv[2]))
        print("doccano's import code agrees")


main()
