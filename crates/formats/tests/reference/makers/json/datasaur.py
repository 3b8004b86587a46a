"""Datasaur's schema, laid out as its pages say: only its server writes it."""

import json

from ..samples import Found, zipped
from ..texts import ANA, BEN, TEXTS, quoted
from .spacy import NLP

TOOL = "by hand"


def schema(name, marks, by="LABELER"):
    """Rows of one cell each, and labels from a token to a token, the end inclusive."""
    rows, tokens, start = [], [], 0
    for row, line in enumerate(TEXTS[name].split("\n")):
        doc = NLP.make_doc(line)
        words = [token.text for token in doc]
        rows.append([{"line": row, "index": 0, "content": line, "tokens": words, "metadata": []}])
        tokens += [(start + t.idx, start + t.idx + len(t), row, t.i) for t in doc]
        start += len(line) + 1
    spans = []
    for number, (begin, end, label) in enumerate(marks):
        first = next(token for token in tokens if token[1] > begin)
        last = [token for token in tokens if token[0] < end][-1]
        place = lambda token, char: {
            "row": token[2],
            "column": 0,
            "tokenIndex": token[3],
            "charIndex": char,
        }
        until = place(last, last[1] - last[0] - 1)
        spans.append(
            {
                "id": f"label-{number}",
                "labelItem": {"id": label.lower(), "labelName": label, "color": "#df3920"},
                "labelSetIndex": 0,
                "labeledBy": by,
                "textPosition": {"start": place(first, 0), "end": until},
            }
        )
    items = [{"id": name.lower(), "labelName": name} for name in ["PER", "LOC", "ORG", "MISC"]]
    data = {"rows": rows, "rowAnswers": None, "spanLabels": spans, "arrowLabels": []}
    data |= {"labelSets": [{"index": 0, "name": "entities", "labelItems": items}]}
    return json.dumps({"version": "1.4.0", "data": data, "type": "TOKEN_BASED"}, indent=1)


def sentences(name, marks):
    """The same as sentences, with labels beside them by the ids of their items."""
    data = json.loads(schema(name, marks))["data"]
    labels = []
    for label in data["spanLabels"]:
        start, end = label["textPosition"]["start"], label["textPosition"]["end"]
        made = {"id": label["id"], "labelText": None, "type": "SPAN", "layer": 0, "status": "LABELED"}
        for side, place in [("start", start), ("end", end)]:
            made |= {f"{side}CellLine": place["row"], f"{side}CellIndex": 0}
            made |= {f"{side}TokenIndex": place["tokenIndex"], f"{side}CharIndex": place["charIndex"]}
        labels.append(made | {"labelSetItemId": label["labelItem"]["id"], "labeledBy": "LABELER"})
    rows = [
        {"id": cell["line"], "content": cell["content"], "tokens": cell["tokens"]}
        for (cell,) in data["rows"]
    ]
    items = data["labelSets"][0]["labelItems"]
    options = [{"id": item["id"], "label": item["labelName"]} for item in items]
    sets = [{"label": "entities", "config": {"options": options}}]
    return json.dumps({"labelSets": sets, "labels": labels, "sentences": rows}, indent=1)


def make(samples):
    text = schema("news", ANA["news"])
    found = Found().document(TEXTS["news"], quoted(TEXTS["news"], ANA["news"]))
    samples.add("datasaur/news.json", text, TOOL, "one document", found)
    text = sentences("news", ANA["news"])
    found = Found().document(TEXTS["news"], quoted(TEXTS["news"], ANA["news"]))
    samples.add("datasaur/sentences.json", text, TOOL, "sentences, and labels beside them", found)
    files, found = {}, Found()
    for name in ["news", "ship"]:
        for rater, marks in [("ana@example.org", ANA), ("ben@example.org", BEN)]:
            files[f"News/DOCUMENT-{rater}/{name}.txt.json"] = schema(name, marks[name])
        files[f"News/REVIEW/{name}.txt.json"] = schema(name, ANA[name], "REVIEWER")
        files[f"News/ROOT/{name}.txt"] = TEXTS[name]
        work = {
            f"{rater}@example.org": quoted(TEXTS[name], m[name])
            for rater, m in [("ana", ANA), ("ben", BEN)]
        }
        found.document(TEXTS[name], quoted(TEXTS[name], ANA[name]), work)
    samples.add("datasaur/project.zip", zipped(files), TOOL, "two labelers and the review", found)
