//! Documents with the work of several people, as JSON Lines, to measure what importing them takes.

use anyhow::{Context, Result};
use std::{
    fs::File,
    io::{BufWriter, Write},
    path::Path,
};

/// How many words a document has, and how many of them each person marks.
const WORDS: u64 = 80;
const MARKED: u64 = 10;

/// Names that are marked.
const NAMES: [&str; 8] = ["Ada", "Oslo", "Turing", "Lima", "Hopper", "Kiel", "Noether", "Metz"];
const LABELS: [&str; 4] = ["PER", "LOC", "ORG", "MISC"];

/// Writes so many documents, each with the work of `people` people, and says how many marks these
/// are.
pub(crate) fn write(path: &Path, documents: u64, people: u64) -> Result<u64> {
    let file = File::create(path).with_context(|| format!("{} cannot be made", path.display()))?;
    let (mut out, mut marks) = (BufWriter::new(file), 0);
    for document in 0..documents {
        let (text, places) = text_of(document);
        let work: Vec<_> = (0..people)
            .map(|person| {
                let marked = places.iter().zip(0_u64..).map(|((start, end), at)| {
                    // Everybody finds the same words, and one in five another label.
                    let differs = u64::from((document + at * 3 + person) % 5 == 0);
                    let label = nth(&LABELS, at + differs);
                    serde_json::json!({ "start": start, "end": end, "label": label })
                });
                let spans: Vec<_> = marked.collect();
                marks += u64::try_from(spans.len()).unwrap_or(0);
                serde_json::json!({ "rater": format!("person {}", person + 1), "spans": spans })
            })
            .collect();
        let id = format!("report-{document}");
        writeln!(out, "{}", serde_json::json!({ "id": id, "text": text, "work": work }))?;
    }
    out.flush()?;
    Ok(marks)
}

/// The name at a place; from the last one on with the first again.
fn nth<const N: usize>(names: &[&'static str; N], place: u64) -> &'static str {
    let place = usize::try_from(place).unwrap_or(0);
    names.iter().cycle().nth(place % N).copied().unwrap_or_default()
}

/// A text of its own, and where its names stand.
fn text_of(document: u64) -> (String, Vec<(usize, usize)>) {
    let (mut text, mut places) = (format!("Report {document}:"), Vec::new());
    for word in 0..WORDS {
        text.push(' ');
        if word % (WORDS / MARKED) == 0 {
            let name = nth(&NAMES, document + word);
            places.push((text.len(), text.len() + name.len()));
            text.push_str(name);
        } else {
            text.push_str("saw");
        }
    }
    (text, places)
}
