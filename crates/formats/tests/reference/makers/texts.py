"""The texts of the samples, and what two raters mark in them."""

NEWS = "EU rejects German call to boycott British lamb.\nPeter Blackburn reports from Brussels."
RUGBY = "Italy recalled Marcello Cuttitta on Friday for their match against Scotland."
PARTY = "Zoë 🥳 flew from São Paulo to Łódź on 2 May."


def spans(text, *marks):
    """Spans by what they quote: the first place of each."""
    return [(text.index(quote), text.index(quote) + len(quote), label) for quote, label in marks]


ANA = {
    "news": spans(
        NEWS,
        ("EU", "ORG"),
        ("German", "MISC"),
        ("British", "MISC"),
        ("Peter Blackburn", "PER"),
        ("Brussels", "LOC"),
    ),
    "rugby": spans(RUGBY, ("Italy", "LOC"), ("Marcello Cuttitta", "PER"), ("Scotland", "LOC")),
    "party": spans(PARTY, ("Zoë", "PER"), ("São Paulo", "LOC"), ("Łódź", "LOC")),
}
BEN = {
    "news": spans(NEWS, ("EU", "ORG"), ("Blackburn", "PER")),
    "rugby": spans(RUGBY, ("Italy", "ORG"), ("Marcello Cuttitta", "PER")),
    "party": [],
}
TEXTS = {"news": NEWS, "rugby": RUGBY, "party": PARTY}


def quoted(text, marks):
    """Spans as pairs of a label and what is quoted."""
    return [(label, text[start:end]) for start, end, label in marks]
