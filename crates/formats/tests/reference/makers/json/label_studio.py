"""Label Studio's tasks, checked by its SDK, and what its converter makes of them."""

import json
import tempfile
from pathlib import Path

from label_studio_sdk.converter import Converter
from label_studio_sdk.label_interface import LabelInterface

from ..columns.conll import as_text, spans_of
from ..samples import Found
from ..texts import ANA, BEN, TEXTS

TOOL = "label-studio-sdk"
CONFIG = """<View><Labels name="label" toName="text">
<Label value="PER"/><Label value="LOC"/><Label value="ORG"/><Label value="MISC"/>
</Labels><Text name="text" value="$text"/></View>"""
WHEN = "2024-01-01T00:00:00.000000Z"


def regions(name, marks):
    return [
        {
            "id": f"{name}-{number}",
            "from_name": "label",
            "to_name": "text",
            "type": "labels",
            "origin": "manual",
            "value": {
                "start": start,
                "end": end,
                "text": TEXTS[name][start:end],
                "labels": [label],
            },
        }
        for number, (start, end, label) in enumerate(marks)
    ]


def annotation(number, by, result, **fields):
    made = {"id": number, "completed_by": by, "result": result, "was_cancelled": False}
    made |= {"ground_truth": False, "created_at": WHEN, "updated_at": WHEN, "lead_time": 9.5}
    return made | fields


def task(number, data, annotations, **fields):
    made = {"id": number, "annotations": annotations, "data": data, "drafts": [], "predictions": []}
    made |= {"meta": {}, "created_at": WHEN, "updated_at": WHEN, "project": 1}
    return made | {"total_annotations": len(annotations)} | fields


def checked(tasks, config=CONFIG):
    """The tasks as JSON, when the tool's own check accepts them."""
    interface = LabelInterface(config)
    for one in tasks:
        assert interface.validate_task({"id": one["id"], "data": one["data"]}), one
        for made in one["annotations"]:
            assert interface.validate_annotation(made), made
    return json.dumps(tasks, indent=1, ensure_ascii=False)


def both(by=lambda rater: {"ana": 7, "ben": 9}[rater]):
    """Tasks that two raters have done."""
    return [
        task(
            number,
            {"text": TEXTS[name]},
            [
                annotation(10 * number, by("ana"), regions(name, ANA[name])),
                annotation(10 * number + 1, by("ben"), regions(name, BEN[name])),
            ],
        )
        for number, name in enumerate(TEXTS, 1)
    ]


def values(regions):
    return [(value["labels"][0], value["text"]) for value in regions]


def found_by_converter(text, rater=lambda by: by):
    """What the converter, which leaves out cancelled annotations, makes of tasks."""
    found = Found()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tasks.json"
        file.write_text(text, encoding="utf-8")
        for item in Converter(CONFIG, folder).iter_from_json_file(str(file)):
            spans = values(item["output"].get("label", []))
            work = {rater(item["completed_by"]): spans} if item["completed_by"] else {}
            found.document(item["input"]["text"], (), work)
    return found


def converted(text, kind, name):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tasks.json"
        file.write_text(text, encoding="utf-8")
        out = Path(folder) / "out"
        Converter(CONFIG, folder).convert(str(file), str(out), kind, is_dir=False)
        return (out / name if out.is_dir() else out).read_text(encoding="utf-8")


def make(samples):
    def add(path, tasks, says, rater=lambda by: by):
        text = checked(tasks)
        samples.add(f"label_studio/{path}", text, TOOL, says, found_by_converter(text, rater))
        return text

    text = add("two_raters.json", both(), "two annotations of each task")
    emails = both(lambda rater: {"id": 7, "email": f"{rater}@example.org", "first_name": rater})
    add("emails.json", emails, "raters by their addresses", lambda by: by["email"])

    tasks = both()
    tasks[1]["annotations"][0]["was_cancelled"] = True
    tasks[2]["annotations"][1]["was_cancelled"] = True
    add("cancelled.json", tasks, "cancelled annotations are not judged")
    tasks = both()
    for one in tasks:
        one["drafts"] = [{"id": 1, "result": one["annotations"][0]["result"], "user": "ana"}]
        del one["annotations"][0]
    add("drafts.json", tasks, "what is not submitted is no work")
    tasks = both()
    for name, one in zip(TEXTS, tasks, strict=True):
        scores = {"model_version": "m1", "score": 0.9, "created_ago": "1 day"}
        one["predictions"] = [
            {"id": 1, "task": one["id"], "result": regions(name, ANA[name]), **scores}
        ]
        del one["annotations"][0]
    text_with = checked(tasks)
    found = found_by_converter(text_with)
    for one in tasks:
        guesses = LabelInterface(CONFIG).validate_prediction(one["predictions"][0])
        assert guesses, one
        found.document(
            one["data"]["text"],
            values(region["value"] for region in one["predictions"][0]["result"]),
        )
    says = "predictions are nobody's spans"
    samples.add("label_studio/predictions.json", text_with, TOOL, says, found)

    minimal = converted(text, "JSON_MIN", "result.json")
    found = Found()
    for item in json.loads(minimal):
        found.document(item["text"], (), {item["annotator"]: values(item.get("label", []))})
    samples.add("label_studio/min.json", minimal, TOOL, "JSON-MIN of two raters", found)

    alone = both()
    for one in alone:
        del one["annotations"][1]
    conll = converted(checked(alone), "CONLL2003", "result.conll")
    found, words, spans = Found(), [], []
    for block in conll.removeprefix("-DOCSTART- -X- O\n").strip().split("\n\n"):
        rows = [row.split(" ") for row in block.split("\n")]
        words.append([row[0] for row in rows])
        spans += spans_of(words[-1], [row[-1] for row in rows])
    found.document(as_text(words), spans)
    says = "its CoNLL, whose first line has three columns"
    samples.add("label_studio/export.conll", conll, TOOL, says, found)
    table = converted(text, "CSV", "result.csv")
    says = "its CSV, with JSON in cells"
    samples.add("label_studio/export.csv", table, TOOL, says, refused="other tool")

    html = CONFIG.replace("<Text ", "<HyperText ").replace("$text", "$html")
    html = html.replace("<Labels", "<HyperTextLabels").replace("</Labels", "</HyperTextLabels")
    page = regions("ship", ANA["ship"][:1])
    page[0] |= {"type": "hypertextlabels"}
    place = {"start": "/p[1]/text()[1]", "end": "/p[1]/text()[1]", "startOffset": 0, "endOffset": 5}
    page[0]["value"] = {**place, "text": "Malta", "hypertextlabels": ["LOC"]}
    data = {"html": f"<p>{TEXTS['ship']}</p>"}
    tasks = checked([task(1, data, [annotation(1, 7, page)])], html)
    says = "places in a page, not in a text"
    samples.add("label_studio/html.json", tasks, TOOL, says, refused="media")

    image = """<View><Image name="image" value="$image"/>
<RectangleLabels name="label" toName="image"><Label value="CAR"/></RectangleLabels></View>"""
    box = {"x": 1.5, "y": 2.5, "width": 10, "height": 20, "rotation": 0, "rectanglelabels": ["CAR"]}
    region = {"id": "a", "from_name": "label", "to_name": "image", "type": "rectanglelabels"}
    region |= {"original_width": 600, "original_height": 400, "image_rotation": 0, "value": box}
    data = {"image": "https://example.org/1.jpg"}
    marked = task(1, data, [annotation(1, 7, [region])])
    unmarked = task(2, {"image": "https://example.org/2.jpg"}, [annotation(2, 7, [])])
    tasks = checked([marked, unmarked], image)
    samples.add("label_studio/images.json", tasks, TOOL, "boxes in pictures", refused="media")
    tasks = checked([unmarked], image)
    says = "pictures in which nothing is marked"
    samples.add("label_studio/unmarked_images.json", tasks, TOOL, says, refused="media")
