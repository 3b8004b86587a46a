"""CoNLL-U and CoNLL-U Plus by conllu, with names as tags of words."""

import conllu
from conllu.models import Metadata, Token, TokenList

from ..samples import Found
from .conll import spans_of

TOOL = "conllu"
FIELDS = ["id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc"]
SENTENCES = [
    [("Orbin", "B-ORG"), ("sells", "O"), ("Danish", "B-MISC"), ("kites", "O"), (".", "O")],
    [("Mirja", "B-PER"), ("Lindqvist", "I-PER"), ("in", "O"), ("Tampere", "B-LOC"), (".", "O")],
]


def sentence(words, number, misc, document):
    """A sentence whose words have what `misc` says of their tags."""
    rows = []
    for at, (form, tag) in enumerate(words, 1):
        row = dict.fromkeys(FIELDS)
        row |= {"id": at, "form": form, "lemma": form.lower(), "upos": "X", "feats": None}
        row["misc"] = misc(tag) or {}
        if at + 1 == len(words):
            row["misc"]["SpaceAfter"] = "No"
        rows.append(Token(row | {"misc": row["misc"] or None}))
    text = " ".join(form for form, _ in words[:-1]) + words[-1][0]
    said = {"newdoc id": document} if document else {}
    return TokenList(rows, Metadata(said | {"sent_id": str(number), "text": text}))


def corpus(misc):
    return "".join(
        sentence(words, number, misc, f"doc-{number}").serialize()
        for number, words in enumerate(SENTENCES, 1)
    )


def found_in(text, tag_of):
    """Documents by `newdoc`, and the spans of their tags."""
    found, texts, spans = Found(), [], []
    for tokens in conllu.parse(text):
        if "newdoc id" in tokens.metadata and texts:
            found.document("\n".join(texts), spans)
            texts, spans = [], []
        words = [token for token in tokens if isinstance(token["id"], int)]
        texts.append(tokens.metadata.get("text", " ".join(word["form"] for word in words)))
        spans += spans_of([word["form"] for word in words], [tag_of(word) for word in words])
    return found.document("\n".join(texts), spans)


def in_misc(key):
    return lambda word: (word["misc"] or {}).get(key) or "O"


def make(samples):
    def add(path, text, says, tag_of):
        samples.add(path, text, TOOL, says, found_in(text, tag_of))

    text = corpus(lambda tag: {"NER": tag})
    add("conllu/ner.conllu", text, "a tag for every word", in_misc("NER"))
    text = corpus(lambda tag: {"Gloss": "x", "name": tag, "Translit": "y"} if tag != "O" else {})
    add("conllu/name.conllu", text, "tags under name, among other keys", in_misc("name"))
    text = corpus(lambda tag: {"Entity": tag} if tag != "O" else None)
    add("conllu/entity.conllu", text, "tags of named words only", in_misc("Entity"))
    add("conllu/ner.txt", corpus(lambda tag: {"NER": tag}), "called a text", in_misc("NER"))

    french = [("Le", "O"), ("maire", "O"), ("du", "O"), ("Mans", "B-LOC"), (".", "O")]
    tokens = sentence(french, 1, lambda tag: {"NER": tag} if tag != "O" else None, "fr")
    empty = dict.fromkeys(FIELDS)
    tokens.insert(2, Token(empty | {"id": (3, "-", 4), "form": "du"}))
    tokens[3]["form"] = "de"
    tokens.insert(4, Token(empty | {"id": 4, "form": "le", "upos": "X"}))
    for at, token in enumerate(tokens[5:], 5):
        token["id"] = at
    tokens.insert(5, Token(empty | {"id": (4, ".", 1), "form": "celui"}))
    add(
        "conllu/multiword.conllu",
        tokens.serialize(),
        "a token of two words, and an empty one",
        in_misc("NER"),
    )

    columns = ["id", "form", "upos", "frog:ner"]
    rows = ["# global.columns = ID FORM UPOS FROG:NER"]
    for number, words in enumerate(SENTENCES, 1):
        rows.append(f"# sent_id = {number}")
        rows += [f"{at}\t{form}\tX\t{tag}" for at, (form, tag) in enumerate(words, 1)] + [""]
    plus = "\n".join(rows) + "\n"
    found, spans, texts = Found(), [], []
    for tokens in conllu.parse(plus):
        assert list(tokens[0]) == columns, tokens[0]
        words = [token["form"] for token in tokens]
        spans += spans_of(words, [token["frog:ner"] for token in tokens])
        texts.append(" ".join(words))
    found.document("\n".join(texts), spans)
    samples.add("conllu/plus.conllup", plus, TOOL, "a column of a namespace", found)

    brackets = {"B-ORG": "(e1-organization)", "B-MISC": "(e2-abstract)", "B-LOC": "(e4-place)"}
    brackets |= {"B-PER": "(e3-person", "I-PER": "e3)"}
    text = corpus(lambda tag: {"Entity": brackets[tag]} if tag != "O" else None)
    says = "coreference in brackets, as in CorefUD"
    samples.add("conllu/brackets.conllu", text, TOOL, says, refused="brackets")
