"""Prodigy is not free: its documented fields, written by the library that it writes with."""

import srsly

from ..samples import Found
from ..texts import ANA, BEN, TEXTS, quoted
from .spacy import NLP

TOOL = "srsly"


def task(name, marks, number, **fields):
    doc = NLP.make_doc(TEXTS[name])
    spans = []
    for start, end, label in marks:
        found = doc.char_span(start, end, alignment_mode="expand")
        where = {"token_start": found.start, "token_end": found.end - 1}
        spans.append({"start": start, "end": end, **where, "label": label})
    tokens = [
        {
            "text": token.text,
            "start": token.idx,
            "end": token.idx + len(token),
            "id": token.i,
            "ws": bool(token.whitespace_),
        }
        for token in doc
    ]
    return {
        "text": TEXTS[name],
        "_input_hash": 1000 + list(TEXTS).index(name),
        "_task_hash": -1000 - number,
        "tokens": tokens,
        "_view_id": "ner_manual",
        "spans": spans,
        "answer": "accept",
        "_timestamp": 1700000000 + number,
        **fields,
    }


def found_in(text):
    found = Found()
    for line in srsly.read_jsonl(text):
        rater = line.get("_annotator_id")
        marks = [(span["start"], span["end"], span["label"]) for span in line["spans"]]
        spans = quoted(line["text"], marks)
        judged = line["answer"] == "accept"
        if rater:
            found.document(line["text"], (), {rater: spans} if judged else {})
        else:
            found.document(line["text"], spans if judged else ())
    return found


def make(samples):
    def add(path, tasks, says, **more):
        text = "".join(srsly.json_dumps(task) + "\n" for task in tasks)
        if "refused" not in more:
            (samples.folder / "prodigy").mkdir(exist_ok=True, parents=True)
            (samples.folder / path).write_text(text, encoding="utf-8")
            more["found"] = found_in(samples.folder / path)
        samples.add(path, text, TOOL, says, **more)

    both = [("ana", ANA), ("ben", BEN)]
    named = [
        task(name, marks[name], number, _annotator_id=f"ner-{rater}", _session_id=f"ner-{rater}")
        for rater, marks in both
        for number, name in enumerate(TEXTS)
    ]
    add("prodigy/sessions.jsonl", named, "two raters on the same texts")
    named[1]["answer"], named[2]["answer"] = "reject", "ignore"
    add("prodigy/answers.jsonl", named, "what is rejected or ignored is not judged")
    alone = [task(name, ANA[name], number) for number, name in enumerate(TEXTS)]
    add("prodigy/alone.jsonl", alone, "nobody is named")
    image = {"image": "data:image/png;base64,iVBORw0KGgo=", "spans": [], "answer": "accept"}
    image["spans"] = [{"points": [[1, 1], [1, 9], [9, 9]], "label": "CAR"}]
    image |= {"_input_hash": 1, "_task_hash": 1}
    add("prodigy/images.jsonl", [image], "polygons in a picture", refused="media")
