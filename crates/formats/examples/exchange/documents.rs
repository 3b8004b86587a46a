//! The documents that are exchanged: texts in which offsets go wrong elsewhere.

use formats::{AnnotatedDocument, AnnotatedSpan, AnnotatedWork};

/// Texts with quotes of which each place is a span.
const TEXTS: [(&str, &[&str]); 9] = [
    ("EU rejects Danish kite or maybe Finnish sled.", &["EU", "Danish", "Finnish"]),
    ("🥳 This 👩‍👩‍👧 is 🇩🇪 fun 𝔘𝔫𝔦.", &["🥳", "This", "👩‍👩‍👧 is", "🇩🇪", "𝔘𝔫𝔦", "fun 𝔘𝔫𝔦."]),
    ("Ame\u{301}lie e\u{301}tait a\u{300} Orle\u{301}ans.", &["Ame\u{301}lie", "Orle\u{301}ans"]),
    ("שלום עולם, مرحبا بالعالم and hello.", &["שלום", "مرحبا بالعالم", "hello"]),
    ("One\r\ntwo\r\n\r\nthree\tfour\r\n", &["One\r\ntwo", "three\tfour", "four"]),
    (
        "zero\u{200B}width\u{FEFF} and \u{2028} and \u{85} ends",
        &["width", "zero\u{200B}width", "ends"],
    ),
    ("<b>&amp; \"quotes\" 'and' ]]></b> &#10;", &["&amp;", "\"quotes\"", "]]>", "<b>"]),
    ("日本語のテキスト、句読点。𠮷野家", &["日本語", "テキスト", "𠮷野家"]),
    ("  leading and trailing  ", &["leading", "leading and trailing", "and"]),
];

const LABELS: [&str; 3] = ["ORG", "MISC & more", "PER-É"];

const RATERS: [&str; 3] = ["ana@example.org", "ben@example.org", "7"];

/// The documents.
pub(crate) fn documents() -> Vec<AnnotatedDocument> {
    let mut documents = Vec::new();
    for (number, (text, quotes)) in TEXTS.iter().enumerate() {
        let mut spans = Vec::new();
        for (quote, label) in quotes.iter().zip(LABELS.iter().cycle().skip(number % 3)) {
            spans.extend(find(text, quote, label));
        }
        spans.sort();
        let mut work = Vec::new();
        for (rater, left_out) in RATERS.iter().zip(0..) {
            let kept = spans.iter().enumerate().filter(|(place, _)| place % 3 != left_out);
            let spans = kept.map(|(_, span)| span.clone()).collect();
            work.push(AnnotatedWork { rater: (*rater).to_owned(), spans, answers: Vec::new() });
        }
        let (id, name) = (Some(format!("{number}")), format!("text {number} \"é\" 🥳"));
        let (text, answers) = ((*text).to_owned(), Vec::new());
        documents.push(AnnotatedDocument { id, name, text, spans, answers, work });
    }
    documents
}

fn find(text: &str, quote: &str, label: &str) -> Option<AnnotatedSpan> {
    let byte = text.find(quote)?;
    let start = text.get(..byte)?.chars().count();
    let end = start + quote.chars().count();
    Some(AnnotatedSpan { start, end, label: label.to_owned() })
}
