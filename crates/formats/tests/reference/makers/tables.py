"""Tables of spans by pandas."""

import io

import pandas

from .samples import Found
from .texts import ANA, BEN, TEXTS

TOOL = "pandas"


def rows():
    for name, text in TEXTS.items():
        for rater, marks in [("ana", ANA), ("ben", BEN)]:
            for start, end, label in marks[name]:
                yield (name, rater, start, end, label, text[start:end], text)


COLUMNS = ["document", "annotator", "begin", "end", "label", "covered_text", "text"]


def found_in(table):
    found = Found()
    for _, row in table.iterrows():
        found.document(row["text"], (), {row["annotator"]: [(row["label"], row["covered_text"])]})
    return found


def make(samples):
    table = pandas.DataFrame(rows(), columns=COLUMNS)
    for path, separator, says in [
        ("tables/spans.csv", ",", "a row for each span, the text in each"),
        ("tables/spans.tsv", "\t", "with tabs"),
    ]:
        text = table.to_csv(index=False, sep=separator)
        read = pandas.read_csv(io.StringIO(text), sep=separator)
        samples.add(path, text, TOOL, says, found_in(read))
    marked = table.to_csv(index=False).encode("utf-8-sig")
    says = "with the byte order mark that spreadsheets write"
    read = pandas.read_csv(io.BytesIO(marked), encoding="utf-8-sig")
    samples.add("tables/spreadsheet.csv", marked, TOOL, says, found_in(read))
    german = table.to_csv(index=False, sep=";")
    says = "with semicolons, as spreadsheets write them in much of Europe"
    read = pandas.read_csv(io.StringIO(german), sep=";")
    samples.add("tables/semicolons.csv", german, TOOL, says, found_in(read))
    indexed = table.to_csv(index=True)
    read = pandas.read_csv(io.StringIO(indexed), index_col=0)
    samples.add(
        "tables/numbered.csv", indexed, TOOL, "with a column of numbers first", found_in(read)
    )
