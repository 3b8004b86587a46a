"""The texts of the samples, and what two raters mark in them."""

NEWS = "Orbin sells Danish kites and Finnish sledges again.\nMirja Lindqvist paints in Tampere."
SHIP = "Malta lent Teodor Brandell a ferry in June, and a crew from Iceland."
PARTY = "Zoë 🥳 flew from São Paulo to Łódź on 2 May."


def spans(text, *marks):
    """Spans by what they quote: the first place of each."""
    return [(text.index(quote), text.index(quote) + len(quote), label) for quote, label in marks]


ANA = {
    "news": spans(
        NEWS,
        ("Orbin", "ORG"),
        ("Danish", "MISC"),
        ("Finnish", "MISC"),
        ("Mirja Lindqvist", "PER"),
        ("Tampere", "LOC"),
    ),
    "ship": spans(SHIP, ("Malta", "LOC"), ("Teodor Brandell", "PER"), ("Iceland", "LOC")),
    "party": spans(PARTY, ("Zoë", "PER"), ("São Paulo", "LOC"), ("Łódź", "LOC")),
}
BEN = {
    "news": spans(NEWS, ("Orbin", "ORG"), ("Lindqvist", "PER")),
    "ship": spans(SHIP, ("Malta", "ORG"), ("Teodor Brandell", "PER")),
    "party": [],
}
TEXTS = {"news": NEWS, "ship": SHIP, "party": PARTY}


def quoted(text, marks):
    """Spans as pairs of a label and what is quoted."""
    return [(label, text[start:end]) for start, end, label in marks]
