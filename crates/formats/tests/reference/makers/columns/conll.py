"""CoNLL-2003 in its schemes, by iobes, NLTK and spaCy; counted by iobes or seqeval."""

import iobes
from nltk.chunk.util import conllstr2tree, tree2conllstr, tree2conlltags
from seqeval.metrics.sequence_labeling import get_entities
from spacy.training import offsets_to_biluo_tags

from ..json.spacy import NLP
from ..samples import Found
from ..texts import ANA, TEXTS


def spans_of(words, tags):
    """Labels and words of spans, as the evaluators of CoNLL find them: any I- may begin one."""
    found = get_entities(tags)
    return [(label, " ".join(words[first : last + 1])) for label, first, last in found]


def sentences():
    """The words of each line with their tags, which are BILUO."""
    for name, text in TEXTS.items():
        start = 0
        for line in text.split("\n"):
            doc, end = NLP.make_doc(line), start + len(line)
            inside = [
                (first - start, last - start, label)
                for first, last, label in ANA[name]
                if start <= first and last <= end
            ]
            tags = offsets_to_biluo_tags(doc, inside)
            yield [token.text for token in doc], tags
            start = end + 1


def lines(words, tags, separator, middle=()):
    return "".join(
        separator.join([word, *middle, tag]) + "\n" for word, tag in zip(words, tags, strict=True)
    )


def as_text(all_words):
    return "\n".join(" ".join(words) for words in all_words)


def make(samples):
    def add(path, text, tool, says, parse):
        """Counts what stands in the file."""
        found, words, spans = Found(), [], []

        def end():
            if words:
                found.document(as_text(words), spans)
            words.clear(), spans.clear()

        for block in text.split("\n\n"):
            rows = [row.split() for row in block.split("\n") if row.strip()]
            if rows and rows[0][0] == "-DOCSTART-":
                end()
                rows = rows[1:]
            if rows:
                words.append([row[0] for row in rows])
                spans.extend(parse(words[-1], [row[-1] for row in rows]))
        end()
        samples.add(path, text, tool, says, found)

    def parsed(parse):
        return lambda words, tags: [
            (span.type, " ".join(words[token] for token in span.tokens)) for span in parse(tags)
        ]

    biluo = list(sentences())
    for path, convert, parse, separator, middle, says in [
        ("iob1.conll", iobes.bilou_to_iob, iobes.parse_spans_iob, " ", ("NN", "I-NP"), "IOB1"),
        ("iob2.conll", iobes.bilou_to_bio, iobes.parse_spans_bio, "\t", (), "IOB2 after tabs"),
        ("bioes.conll", iobes.bilou_to_iobes, iobes.parse_spans_iobes, " ", ("X",), "BIOES"),
        ("bilou.conll", list, iobes.parse_spans_bilou, "\t", (), "BILOU"),
        ("names.txt", iobes.bilou_to_bio, iobes.parse_spans_bio, "\t", (), "called a text"),
        ("names.tsv", iobes.bilou_to_bio, iobes.parse_spans_bio, "\t", (), "called a table"),
        ("names", iobes.bilou_to_bio, iobes.parse_spans_bio, " ", ("X", "Y"), "without extension"),
        (
            "twelve.conll",
            iobes.bilou_to_bio,
            iobes.parse_spans_bio,
            "\t",
            ("_",) * 10,
            "twelve columns",
        ),
    ]:
        text = "\n".join(lines(words, convert(tags), separator, middle) for words, tags in biluo)
        add(f"conll/{path}", text, "iobes", says, parsed(parse))

    bio = [(words, iobes.bilou_to_bio(tags)) for words, tags in biluo]
    start = "-DOCSTART- -X- -X- O\n\n"
    three = ("-X-", "_")
    text = "\n".join(start + lines(words, tags, " ", three) for words, tags in bio)
    says = "a document a sentence, and nothing after the last start"
    add("conll/trailing_start.conll", text + "\n" + start, "iobes", says, spans_of)
    orphans = [(words, [tag.replace("B-", "I-", 1) for tag in tags]) for words, tags in bio[:1]]
    text = "\n".join(lines(words, tags, " ") for words, tags in orphans + bio[1:])
    add(
        "conll/orphans_first.conll",
        text,
        "iobes",
        "I- that continues nothing comes first",
        spans_of,
    )
    text = "\n".join(lines(words, tags, " ") for words, tags in bio[1:] + orphans)
    add(
        "conll/orphans_last.conll",
        text,
        "iobes",
        "I- that continues nothing comes last",
        spans_of,
    )
    text = "\n".join(lines(words, tags, "\t") + "\n\n" for words, tags in bio)
    add("conll/blank_lines.iob2", text, "iobes", "several blank lines", spans_of)

    chunks = [
        conllstr2tree(lines(words, tags, " ", ("NN",)), ("PER", "LOC", "ORG", "MISC"))
        for words, tags in bio
    ]
    text = "\n\n".join(tree2conllstr(tree) for tree in chunks) + "\n"
    found = Found().document(
        as_text([[word for word, _, _ in tree2conlltags(tree)] for tree in chunks]),
        [
            (tree.label(), " ".join(word for word, _ in tree.leaves()))
            for chunk in chunks
            for tree in chunk.subtrees()
            if tree.label() != "S"
        ],
    )
    samples.add("conll/chunks.conll", text, "nltk", "three columns of trees", found)
