//! The work of three people on three documents, as several tools lay it out.

use std::io::{Cursor, Write};

use serde_json::json;
use services::document::import::UploadedFile;
use zip::{ZipWriter, write::SimpleFileOptions};

pub(super) const TEXTS: [&str; 3] =
    ["Gil met Hal in Ur.", "Ida left Jon in Kiel.", "Lea saw Metz."];
pub(super) const PEOPLE: [&str; 3] = ["ana", "bo", "cy"];
pub(super) const LABELS: [&str; 3] = ["PER", "LOC", "ORG"];

/// What somebody marks in a document: words with a label each, not all the same for everybody.
pub(super) fn marks(person: usize, document: usize) -> Vec<(usize, usize, &'static str)> {
    let words = TEXTS[document].split_whitespace().enumerate();
    let words = words
        .filter(|(at, _)| !(at * 2 + person + document).is_multiple_of(4) && at.is_multiple_of(2));
    words
        .map(|(at, word)| {
            let word = word.trim_end_matches('.');
            let start = TEXTS[document].find(word).unwrap();
            let label = LABELS[(at + usize::from(person == at % 3)) % 3];
            (start, start + word.len(), label)
        })
        .collect()
}

pub(super) fn spans(person: usize, document: usize) -> serde_json::Value {
    let span = |(start, end, label)| json!({ "start": start, "end": end, "label": label });
    marks(person, document).into_iter().map(span).collect()
}

pub(super) fn file(name: &str, content: impl Into<Vec<u8>>) -> UploadedFile {
    UploadedFile { name: name.to_owned(), bytes: content.into() }
}

/// A file of JSON Lines for each person.
pub(super) fn file_per_person() -> Vec<UploadedFile> {
    let of = |(person, name): (usize, &&str)| {
        let line = |document: usize| {
            json!({ "id": document, "text": TEXTS[document], "spans": spans(person, document) })
                .to_string()
                + "\n"
        };
        file(&format!("{name}.jsonl"), (0..3).map(line).collect::<String>())
    };
    PEOPLE.iter().enumerate().map(of).collect()
}

/// One file that names everybody.
pub(super) fn people_in_a_file() -> Vec<UploadedFile> {
    let line = |document: usize| {
        let work: Vec<_> = PEOPLE
            .iter()
            .enumerate()
            .map(|(person, name)| json!({ "rater": name, "spans": spans(person, document) }))
            .collect();
        json!({ "id": document, "text": TEXTS[document], "work": work }).to_string() + "\n"
    };
    vec![file("all.jsonl", (0..3).map(line).collect::<String>())]
}

/// brat's files of a person's document.
pub(super) fn brat(person: usize, document: usize) -> String {
    let line = |(n, (start, end, label)): (usize, (usize, usize, &str))| {
        let words = &TEXTS[document][start..end];
        format!("T{n}\t{label} {start} {end}\t{words}\n")
    };
    marks(person, document).into_iter().enumerate().map(line).collect()
}

/// A folder with brat's files for each person.
pub(super) fn folders_of_brat() -> Vec<UploadedFile> {
    let mut files = Vec::new();
    for (person, name) in PEOPLE.iter().enumerate() {
        for (document, text) in TEXTS.iter().enumerate() {
            files.push(file(&format!("work/{name}/d{document}.txt"), *text));
            files.push(file(&format!("work/{name}/d{document}.ann"), brat(person, document)));
        }
    }
    files
}

pub(super) fn zipped(files: &[UploadedFile]) -> Vec<UploadedFile> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for file in files {
        zip.start_file(&file.name, SimpleFileOptions::default()).unwrap();
        zip.write_all(&file.bytes).unwrap();
    }
    vec![file("export.zip", zip.finish().unwrap().into_inner())]
}

/// A token per word and its tag, for each person in the folders of an export of INCEpTION; the texts
/// are those that CoNLL makes of the tokens.
pub(super) fn inception() -> Vec<UploadedFile> {
    let mut files = Vec::new();
    for (person, name) in PEOPLE.iter().enumerate() {
        for (document, text) in TEXTS.iter().enumerate() {
            let of_person = marks(person, document);
            let line = |word: &str| {
                let start = text.find(word.trim_end_matches('.')).unwrap();
                let mark = of_person.iter().find(|(at, ..)| *at == start);
                format!("{word} {}\n", mark.map_or("O".to_owned(), |mark| format!("B-{}", mark.2)))
            };
            let lines: String = text.split_whitespace().map(line).collect();
            let path = format!("p/annotation/d{document}.conll/{name}.conll");
            files.push(file(&path, lines));
        }
    }
    files
}

/// A file of doccano for each person.
pub(super) fn doccano() -> Vec<UploadedFile> {
    let of = |(person, name): (usize, &&str)| {
        let line = |document: usize| {
            let label: Vec<_> = marks(person, document)
                .into_iter()
                .map(|(start, end, label)| json!([start, end, label]))
                .collect();
            json!({ "id": document, "text": TEXTS[document], "label": label }).to_string() + "\n"
        };
        file(&format!("{name}.jsonl"), (0..3).map(line).collect::<String>())
    };
    PEOPLE.iter().enumerate().map(of).collect()
}
