"""doccano's exports by its own writers, files as it reads them, and what doccano-transformer
makes of older exports."""

import io
import json
import re
import sys
import tempfile
import uuid
from pathlib import Path
from types import SimpleNamespace

import pandas
from spacy.training import offsets_to_biluo_tags
from spacy.training.converters import json_to_docs

from ..columns.conll import as_text, spans_of
from ..samples import Found, zipped
from ..texts import ANA, BEN, TEXTS, quoted
from .doccano_code import open_wheel
from .spacy import found_in

TOOL = "doccano"
RELEASE = "1.8.4"
TRANSFORMER = "doccano-transformer"
TRANSFORMER_RELEASE = "1.0.2"
LAID_OUT = "by hand"
TAGGED = "Ulva\tB-LOC\nsails\tO\n\nAda\tB-PER\nBrook\tI-PER\n"


def units(text):
    """How long a text is for doccano's browser, which counts UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def quote(text, start, end):
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le")


def span(number, text, start, end, label):
    start, end = units(text[:start]), units(text[:end])
    made = {"id": number, "label": label, "start_offset": start, "end_offset": end}
    return SimpleNamespace(to_dict=lambda: made, to_tuple=lambda: (start, end, label))


def export(marks, relations=False):
    """One `.jsonl`, as doccano's export service puts it together."""
    from data_export.pipeline import formatters, writers

    rows, number = [], 0
    for name, text in TEXTS.items():
        spans = [span(number + at, text, *mark) for at, mark in enumerate(marks[name])]
        row = {"id": 1 + len(rows), "data": text, "source": f"{name}.txt", "entities": spans}
        if relations:
            link = {"id": len(rows), "from_id": number, "to_id": number + 1, "type": "near"}
            row["relations"] = [SimpleNamespace(to_dict=lambda link=link: link)]
        rows.append({**row, "Comments": []})
        number += len(spans)
    table = pandas.DataFrame(rows)
    if relations:
        columns = ["entities", "relations", "Comments"]
        steps = [*map(formatters.DictFormatter, columns), formatters.RenameFormatter(data="text")]
    else:
        renamed = formatters.RenameFormatter(data="text", entities="label")
        listed = formatters.ListedCategoryFormatter("Comments")
        steps = [formatters.TupledSpanFormatter("entities"), listed, renamed]
    for step in steps:
        table = step.format(table)
    out = io.BytesIO()
    writers.JsonlWriter.write(out, table)
    return out.getvalue().decode()


def parsed(text, parser):
    """What doccano's own parser reads, with how many errors."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "file"
        file.write_text(text, encoding="utf-8")
        rows = list(parser.parse(str(file)))
    return rows, len(parser.errors)


def read(text, found=None):
    """Counts by doccano's parser of JSONL and its own check of spans."""
    from data_import.pipeline.label import SpanLabel
    from data_import.pipeline.parsers import JSONLParser

    found = found or Found()
    rows, errors = parsed(text, JSONLParser(encoding="utf-8"))
    assert not errors
    for row in rows:
        if "text" in row:
            labels = row.get("label", row.get("labels", row.get("entities")))
            spans = {SpanLabel.parse(uuid.uuid4(), item) for item in labels}
            places = {(span.start_offset, span.end_offset, span.label) for span in spans}
            quotes = [(label, quote(row["text"], *place)) for *place, label in places]
            found.document(row["text"], quotes)
    return found


def row(text, *label):
    return {"text": text, "label": label}


def as_lines(*rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def make(samples, unpacked):
    def add(path, text, says, found=None, **more):
        samples.add(f"doccano/{path}", text, says=says, found=found, **{"tool": LAID_OUT, **more})

    written = {"tool": TOOL, "release": RELEASE}
    open_wheel(unpacked)
    text = export(ANA)
    add("all.jsonl", text, "the export of a project that all share", read(text), **written)
    text = export(ANA, relations=True)
    add("relations.jsonl", text, "entities with ids, and relations", read(text), **written)
    files = {"ana.jsonl": export(ANA), "ben.jsonl": export(BEN)}
    found = read(files["ben.jsonl"], read(files["ana.jsonl"]))
    add("raters.zip", zipped(files), "a file for each rater", found, **written)

    text = as_lines(row("Ulva", (0, 4, "LOC")), row("Tea with Ada", (9, 12, "PER")), row("Tea"))
    add("example.jsonl", text, "lists of offsets, as in its example", read(text))
    text = as_lines(row("Ulva", (0, 4, "LOC"), (0, 4, "LOC")))
    add("overlapping.jsonl", text, "a span twice", read(text))
    text = as_lines(row("Ulva", (0, 4, "LOC")), {"label": [[0, 1, "PER"]]})
    add("no_text.jsonl", text, "a line without a text", read(text), refused="line")
    bare = {"text": "Tea", "labels": []}
    text = as_lines({"text": "Ulva", "labels": ["place"]}, bare)
    says = "classes of texts, no spans"
    add("classes.jsonl", text, says, read(as_lines(bare)), refused="type")

    from data_import.pipeline.parsers import CoNLLParser

    for path, text, says in [
        ("example.conll", TAGGED, "tokens and tags after tabs"),
        ("trailing.conll", TAGGED + "\n\n\n", "blank lines at the end"),
    ]:
        rows, errors = parsed(text, CoNLLParser(encoding="utf-8"))
        assert not errors
        spans = [span for row in rows for span in quoted(row["text"], row["label"])]
        found = Found().document("\n".join(row["text"] for row in rows), spans)
        add(path, text, says, found)
    text = "Ulva Ulva Ulva\n" + TAGGED
    assert parsed(text, CoNLLParser(encoding="utf-8"))[1]
    add("invalid.conll", text, "a line that is no token", refused="tag")

    make_older(add)


def make_older(add):
    """Exports of doccano before version 1.1, and what doccano-transformer makes of one."""
    sys.modules["spacy.gold"] = SimpleNamespace(biluo_tags_from_offsets=offsets_to_biluo_tags)
    from doccano_transformer.datasets import NERDataset
    from doccano_transformer.utils import read_jsonl

    transformer = {"tool": TRANSFORMER, "release": TRANSFORMER_RELEASE}
    # Who has marked what, and by which number labels are called.
    work = {"news": {1: ANA["news"], 2: BEN["news"]}, "ship": {2: ANA["ship"]}}
    numbers = {"LOC": 12, "PER": 13, "ORG": 14, "MISC": 15}
    head = lambda name: {"id": 2578 + list(work).index(name), "text": TEXTS[name], "meta": {}}
    users = as_lines(
        *(
            head(name)
            | {
                "annotation_approver": None,
                "annotations": [
                    {"label": numbers[label], "start_offset": start, "end_offset": end, "user": user}
                    for user, marks in by_user.items()
                    for start, end, label in marks
                ],
            }
            for name, by_user in work.items()
        )
    )
    labels = as_lines(*(head(name) | {"labels": ANA[name]} for name in work))

    with tempfile.TemporaryDirectory() as folder:

        def examples(text):
            file = Path(folder) / "file"
            file.write_text(text, encoding="utf-8")
            return read_jsonl(str(file), NERDataset)

        found = Found()
        for example in examples(users):
            spans = {
                user: [(str(label), example.text[start:end]) for start, end, label in marks]
                for user, marks in example.labels.items()
            }
            found.document(example.text, (), spans)
        says = "an older export, with the number of each rater and label"
        add("users.jsonl", users, says, found)
        found = Found()
        for example in examples(labels):
            found.document(example.text, quoted(example.text, example.labels[0]))
        add("labels.jsonl", labels, "an older export, called labels", found)

        cut = lambda text: re.findall(r"\w+|[^\w\s]", text)
        made = examples(users).to_conll2003(cut)
        text = "".join(document["data"] for document in made if document["user"] == 2)
        found = Found()
        for document in text.split("-DOCSTART- -X- -X- O")[1:]:
            sentences = [block.split("\n") for block in document.strip().split("\n\n")]
            rows = [[row.split(" ") for row in sentence] for sentence in sentences]
            words = [[row[0] for row in sentence] for sentence in rows]
            tags = [[row[-1] for row in sentence] for sentence in rows]
            spans = [span for both in zip(words, tags, strict=True) for span in spans_of(*both)]
            found.document(as_text(words), spans)
        add("user2.conll", text, "made of an older export", found, **transformer)
        made = examples(users).to_spacy(cut)
        text = json.dumps([one["data"] for one in made if one["user"] == 1], indent=1)
        says = "spaCy's training data, made of an export"
        add("user1.json", text, says, found_in(json_to_docs(text)), **transformer)
