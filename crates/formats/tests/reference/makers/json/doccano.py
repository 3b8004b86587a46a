"""doccano's exports by its own writers, and the files that its packages bring along."""

import io
import json
import tarfile
import tempfile
import uuid
from pathlib import Path
from types import SimpleNamespace

import pandas
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


def make(samples, unpacked, sources):
    def add(path, text, says, found=None, **more):
        more = {"tool": TOOL, "release": RELEASE, **more}
        samples.add(f"doccano/{path}", text, says=says, found=found, **more)

    open_wheel(unpacked)
    licence = unpacked / f"doccano-{RELEASE}.dist-info/LICENSE"
    samples.licence(TOOL, licence.read_bytes())
    text = export(ANA)
    add("all.jsonl", text, "the export of a project that all share", read(text))
    text = export(ANA, relations=True)
    add("relations.jsonl", text, "entities with ids, and relations", read(text))
    files = {"ana.jsonl": export(ANA), "ben.jsonl": export(BEN)}
    found = read(files["ben.jsonl"], read(files["ana.jsonl"]))
    add("raters.zip", zipped(files), "a file for each rater", found)

    data = unpacked / "backend/data_import/tests/data"
    examples = unpacked / "backend/data_export/pipeline/examples"
    for path, file, says in [
        ("example.jsonl", examples / "sequence_labeling/example.jsonl", "its example"),
        ("overlapping.jsonl", data / "sequence_labeling/example_overlapping.jsonl", "a span twice"),
    ]:
        text = file.read_text(encoding="utf-8")
        add(path, text, says, read(text))
    text = (data / "sequence_labeling/example.jsonl").read_text(encoding="utf-8")
    add("no_text.jsonl", text, "a line without a text", read(text), refused="line")
    text = (data / "text_classification/example.jsonl").read_text(encoding="utf-8")
    bare = [row for row in map(json.loads, text.splitlines()) if not row["labels"]]
    found = read("".join(json.dumps(row) + "\n" for row in bare))
    add("classes.jsonl", text, "classes of texts, no spans", found, refused="type")

    from data_import.pipeline.parsers import CoNLLParser

    for path, file, says in [
        ("example.conll", "example.conll", "its example, after tabs"),
        ("trailing.conll", "labeling.trailing.conll", "blank lines at the end"),
    ]:
        text = (data / "sequence_labeling" / file).read_text(encoding="utf-8")
        rows, errors = parsed(text, CoNLLParser(encoding="utf-8"))
        assert not errors
        spans = [span for row in rows for span in quoted(row["text"], row["label"])]
        found = Found().document("\n".join(row["text"] for row in rows), spans)
        add(path, text, says, found)
    text = (data / "sequence_labeling/labeling.invalid.conll").read_text(encoding="utf-8")
    assert parsed(text, CoNLLParser(encoding="utf-8"))[1]
    add("invalid.conll", text, "a line that is no token", refused="tag")

    make_transformed(samples, sources)


def make_transformed(samples, sources):
    """The test data of doccano-transformer: what it reads, and what it makes of that."""
    with tarfile.open(sources / f"doccano-transformer-{TRANSFORMER_RELEASE}.tar.gz") as archive:
        root = f"doccano-transformer-{TRANSFORMER_RELEASE}"
        samples.licence(TRANSFORMER, archive.extractfile(f"{root}/LICENSE").read())
        folder = f"{root}/tests/data/labeling"
        read = lambda name: archive.extractfile(f"{folder}/{name}").read().decode()
        files = {name: read(name) for name in ["labeling.jsonl", "labeling.conll2003.user2"]}
        files |= {
            name: read(name) for name in ["labeling_text_label.jsonl", "labeling.spacy.user1"]
        }

    def add(path, name, says, found):
        more = {"tool": TRANSFORMER, "release": TRANSFORMER_RELEASE}
        samples.add(f"doccano/{path}", files[name], says=says, found=found, **more)

    found = Found()
    for line in files["labeling.jsonl"].splitlines():
        row, work = json.loads(line), {}
        for made in row["annotations"]:
            words = quote(row["text"], made["start_offset"], made["end_offset"])
            work.setdefault(made["user"], []).append((str(made["label"]), words))
        found.document(row["text"], (), work)
    says = "an older export, with the number of each rater and label"
    add("users.jsonl", "labeling.jsonl", says, found)
    found = Found()
    for line in files["labeling_text_label.jsonl"].splitlines():
        row = json.loads(line)
        found.document(row["text"], quoted(row["text"], row["labels"]))
    add("labels.jsonl", "labeling_text_label.jsonl", "an older export, called labels", found)
    found = Found()
    for document in files["labeling.conll2003.user2"].split("-DOCSTART- -X- -X- O")[1:]:
        sentences = [block.split("\n") for block in document.strip().split("\n\n")]
        rows = [[row.split(" ") for row in sentence] for sentence in sentences]
        words = [[row[0] for row in sentence] for sentence in rows]
        tags = [[row[-1] for row in sentence] for sentence in rows]
        spans = [span for both in zip(words, tags, strict=True) for span in spans_of(*both)]
        found.document(as_text(words), spans)
    add("user2.conll", "labeling.conll2003.user2", "made of an older export", found)
    found = found_in(json_to_docs(files["labeling.spacy.user1"]))
    add("user1.json", "labeling.spacy.user1", "spaCy's training data, made of an export", found)
