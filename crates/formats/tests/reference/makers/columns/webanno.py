"""WebAnno TSV of all ages, laid out as WebAnno does: no program in Python writes it."""

from ..samples import Found
from ..texts import TEXTS
from .conll import sentences, spans_of

TOOL = "by hand"
ENTITY = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"


def bio(tag):
    return tag.replace("U-", "B-").replace("L-", "I-")


def numbered(tags, before=()):
    """A label for each token, with a number where a span has several; no number comes twice."""
    cells, number = [], sum(tag[0] == "B" for tag in before)
    for tag in tags:
        number += tag[0] == "B"
        single = tag[0] == "U"
        cells.append("_" if tag == "O" else tag[2:] + ("" if single else f"[{number}]"))
    return cells


def version_3(release, lines, layers, cells_of):
    """Tokens with offsets, in UTF-16 units, and a cell for each feature."""
    out, start, before = [f"#FORMAT=WebAnno TSV {release}", *layers, ""], 0, []
    width = lambda text: len(text.encode("utf-16-le")) // 2
    for number, (line, words, tags) in enumerate(lines, 1):
        out += ["", f"#Text={line}"]
        at = 0
        for position, (word, cells) in enumerate(
            zip(words, cells_of(tags, before), strict=True), 1
        ):
            at = line.index(word, at)
            begin = start + width(line[:at])
            out.append(f"{number}-{position}\t{begin}-{begin + width(word)}\t{word}\t{cells}\t")
            at += len(word)
        start += width(line) + 1
        before += tags
    return "\n".join(out) + "\n"


def version_2(lines):
    out = [f" # {ENTITY} | value"]
    for number, (line, words, tags) in enumerate(lines, 1):
        out += [f"#id={number}", f"#text={line}"]
        for position, (word, tag) in enumerate(zip(words, tags, strict=True), 1):
            out.append(f"{number}-{position}\t{word}\t{bio(tag)}\t")
        out.append("")
    return "\n".join(out) + "\n"


def version_1(lines):
    out = []
    for number, (line, words, tags) in enumerate(lines, 1):
        out += [f"#id={number}", f"#text={line}"]
        for position, (word, tag) in enumerate(zip(words, tags, strict=True), 1):
            entity = bio(tag).replace("-", "_")
            head = (position - 1, "NMOD") if position > 1 else (0, "ROOT")
            out.append(f"{position}\t{word}\t_\tNN\t{entity}\t{head[0]}\t{head[1]}\t_\t_")
        out.append("")
    return "\n".join(out) + "\n"


def make(samples):
    whole = [line for text in TEXTS.values() for line in text.split("\n")]
    lines = [(line, *marked) for line, marked in zip(whole, sentences(), strict=True)]
    spans = [span for _, words, tags in lines for span in spans_of(words, [*map(bio, tags)])]

    def add(path, text, says, spans, lines=lines):
        found = Found().document("\n".join(line for line, *_ in lines), spans)
        samples.add(f"webanno/{path}", text, TOOL, says, found)

    layer = f"#T_SP={ENTITY}|value"
    for release in ["3.3", "3.2", "3.1", "3"]:
        text = version_3(release, lines, [layer], numbered)
        add(f"tsv-{release}.tsv", text, f"version {release}", spans)
    add("tsv-2.tsv", version_2(lines), "version 2, tags of words and no offsets", spans)
    add("tsv-1.tsv", version_1(lines), "version 1, among parts of speech and heads", spans)

    first = lines[:1]
    host = "#T_SP=webanno.custom.Event|ROLE_webanno.custom.Event:who_webanno.custom.EventWhoLink"
    slots = [f"{layer}", f"{host}|{ENTITY}"]
    with_slots = lambda tags, before: [
        f"{cell}\t{'agent' if at == 1 else '_'}\t{'1-1' if at == 1 else '_'}"
        for at, cell in enumerate(numbered(tags))
    ]
    text = version_3("3.3", first, slots, with_slots)
    marked = [*spans_of(first[0][1], [*map(bio, first[0][2])]), ("Event", "sells")]
    add("slots.tsv", text, "a span that holds others by their roles", marked, first)

    with_empty = lambda tags, before: [
        f"{cell}\t_\t{'*' if at == 1 else '_'}" for at, cell in enumerate(numbered(tags))
    ]
    text = version_3("3.3", first, slots, with_empty)
    add("empty_slots.tsv", text, "a span that could hold others", marked, first)

    text = version_3("3.3", first, [layer], numbered).split("\n")
    text.insert(6, "1-1.1\t5-5\t\tGAP\t")
    says = "a span without width, which is not read"
    add("zero_width.tsv", "\n".join(text), says, marked[:-1], first)
    stacked = lambda tags, before: ["ORG[1]|PART[2]"] + ["_"] * (len(tags) - 1)
    text = version_3("3.3", first, [layer], stacked)
    add("stacked.tsv", text, "two labels on a token", [("ORG", "Orbin"), ("PART", "Orbin")], first)
