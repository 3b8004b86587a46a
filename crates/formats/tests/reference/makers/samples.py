"""Collects samples, and what is counted in each by the tool that it is from."""

import io
import json
import zipfile
from importlib.metadata import version

LICENCES = {
    "bioc": "MIT",
    "conllu": "MIT",
    "dkpro-cassis": "Apache-2.0",
    "doccano": "MIT",
    "doccano-transformer": "MIT",
    "iobes": "MIT",
    "label-studio-sdk": "Apache-2.0",
    "nltk": "Apache-2.0",
    "pandas": "BSD-3-Clause",
    "spacy": "MIT",
    "srsly": "MIT",
}


def source(tool, release=None):
    """What wrote a file; what is laid out here by hand has the licence of this project."""
    if tool not in LICENCES:
        return {"tool": tool}
    return {"tool": f"{tool} {release or version(tool)}", "licence": LICENCES[tool]}


class Found:
    """What a reader found: documents by their texts, nobody's spans, each rater's."""

    def __init__(self):
        self.texts = set()
        self.nobodys = []
        self.raters = {}

    def document(self, text, spans=(), work=None):
        """Spans are pairs of a label and what is quoted."""
        self.texts.add(text)
        self.nobodys += spans
        for rater, marked in (work or {}).items():
            judged, spans = self.raters.setdefault(str(rater), (set(), []))
            judged.add(text)
            spans += marked
        return self

    def counts(self):
        counted = {"documents": len(self.texts), "spans": by_label(self.nobodys)}
        counted["raters"] = {
            rater: {"documents": len(judged), "spans": by_label(spans)}
            for rater, (judged, spans) in sorted(self.raters.items())
        }
        return counted


def by_label(spans):
    quotes = {}
    for label, quote in sorted(spans):
        quotes.setdefault(label, []).append(quote)
    return quotes


class Samples:
    """Writes samples into a folder, and `expected.json` beside them."""

    def __init__(self, folder):
        self.folder = folder
        self.expected = {}

    def add(self, path, content, tool, says, found=None, refused=None, release=None):
        """A file, and either what is found in it or the kind of reason for which it is refused."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        row = {
            "says": says,
            **source(tool, release),
            **(found or Found()).counts(),
        }
        if refused:
            row["refused"] = refused
        self.expected[path] = row

    def finish(self):
        text = json.dumps(dict(sorted(self.expected.items())), indent=1, ensure_ascii=False)
        (self.folder / "expected.json").write_text(text + "\n", encoding="utf-8")


def zipped(files):
    """A zip that is the same whenever it is made; what is stored is the same for every zlib."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), content)
    return out.getvalue()
