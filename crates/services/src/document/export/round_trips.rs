//! An export of any format is read again as what it was made of, but for what it says it does not
//! hold.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Cursor,
    ops::ControlFlow,
};

use domain::{ExportFormat, ExportWhat, MatchBy, RatersFrom};
use formats::{
    AnnotatedDocument, AnnotatedSpan, AnnotatedWork, BundleWriter, FileWriter, Loss, LossReason,
    RaterFolders,
};

use super::writing::{Kind, kind};
use crate::document::reading::{
    ReadingOptions, UploadedFile, files_to_read,
    problems::Problems,
    raters::{Rated, rated},
    same_documents::{SameDocuments, match_documents},
};

/// What one rater marked in a document: stretches of its visible characters with their labels.
type Spans = BTreeSet<(usize, usize, String)>;

/// A document without white space, with what its raters marked.
type Read = (String, BTreeMap<String, Spans>);

fn visible(text: &str) -> String {
    text.chars().filter(|scalar| !scalar.is_whitespace()).collect()
}

fn place_of(text: &str, start: usize, end: usize, label: &str) -> (usize, usize, String) {
    let before = |at: usize| visible(&text.chars().take(at).collect::<String>()).chars().count();
    (before(start), before(end), label.to_owned())
}

/// An export with what it does not hold, by the document and the rater who were written.
type Exported = (UploadedFile, Vec<Loss>);

/// Exports what all labelers have.
fn export(format: ExportFormat, documents: &[AnnotatedDocument]) -> Exported {
    let mut losses = Vec::new();
    let (bytes, ending) = match kind(format) {
        Kind::File(file) if format.is_zip(ExportWhat::Labelers) => {
            let mut folders = RaterFolders::new(Cursor::new(Vec::new()), file);
            for rater in raters(documents) {
                let found;
                (folders, found) = folders.begin(&rater).unwrap();
                losses.extend(found);
                for document in documents.iter().filter_map(|document| document.of_rater(&rater)) {
                    let found = folders.write(&document).unwrap().into_iter();
                    losses.extend(found.map(|loss| Loss { rater: Some(rater.clone()), ..loss }));
                }
            }
            (folders.finish().unwrap().into_inner(), "zip")
        }
        Kind::File(file) => {
            let mut out = FileWriter::new(Vec::new(), file).unwrap();
            for document in documents {
                losses.extend(out.write(document).unwrap());
            }
            (out.finish().unwrap(), file.extension())
        }
        Kind::Bundle(bundle) => {
            let mut out = BundleWriter::new(Cursor::new(Vec::new()), bundle);
            for document in documents {
                losses.extend(out.write(document).unwrap());
            }
            (out.finish().unwrap().into_inner(), "zip")
        }
    };
    (UploadedFile { name: format!("work-1.{ending}"), bytes }, losses)
}

fn raters(documents: &[AnnotatedDocument]) -> BTreeSet<String> {
    documents.iter().flat_map(|it| &it.work).map(|work| work.rater.clone()).collect()
}

/// What the import makes of a file, and which texts it has.
fn import(file: &UploadedFile) -> Result<(Vec<Read>, BTreeSet<String>), String> {
    let options = ReadingOptions::default();
    let (parts, mut reading) = files_to_read(&[file], &options);
    let (mut problems, mut held) = (Problems::default(), Vec::new());
    for part in parts {
        reading.read(&part, (file, None), &options, &mut problems, |_, document, _| {
            held.push(document);
            ControlFlow::Continue(())
        });
    }
    let rated = rated(&reading, &RatersFrom::Auto).map_err(|it| it.message)?;
    let SameDocuments { groups, .. } = match_documents(
        &mut reading,
        &rated,
        (MatchBy::Auto, &options),
        &|_, _| None,
        &mut problems,
    );
    if let Some(problems) = problems.into_found() {
        let lines = problems.iter().map(|it| format!("{}: {}", it.file, it.message));
        return Err(lines.collect::<Vec<_>>().join("\n"));
    }
    let Rated { raters, entries, .. } = &rated;
    let texts = held.iter().map(|document| document.text.clone()).collect();
    let documents = groups.into_iter().map(|group| {
        let mut all = BTreeMap::new();
        for place in &group {
            let document = &held[*place];
            for (work, rater) in document.work.iter().zip(&entries[*place].work) {
                let Some(of) = rater else { continue };
                let visible_span = |span: &formats::ImportedSpan| {
                    place_of(&document.text, span.start, span.end, &span.label)
                };
                let found: Spans = work.spans.iter().map(visible_span).collect();
                assert!(all.insert(raters[*of].clone(), found).is_none(), "one work is lost");
            }
        }
        (visible(&held[group[0]].text), all)
    });
    Ok((documents.collect(), texts))
}

/// What has to come back, and the texts that have to be as they were.
fn expected(documents: &[AnnotatedDocument], losses: &[Loss]) -> (Vec<Read>, BTreeSet<String>) {
    let (mut all, mut texts) = (Vec::new(), BTreeSet::new());
    for document in documents {
        let of_document = || losses.iter().filter(|loss| loss.document == document.name);
        let mut work = BTreeMap::new();
        for AnnotatedWork { rater, spans, .. } in &document.work {
            let of_rater = |loss: &&Loss| loss.rater.as_ref().is_none_or(|other| other == rater);
            let of_rater = || of_document().filter(of_rater);
            let is_missing = |loss: &Loss| loss.span.is_none() && loss.reason.left_out();
            if of_rater().any(is_missing) {
                continue;
            }
            let mut found = Spans::new();
            for span in spans {
                let mut of_span = of_rater().filter(|loss| loss.span.as_ref() == Some(span));
                let label = match of_span.clone().find(|loss| loss.reason.left_out()) {
                    Some(_) => continue,
                    None => of_span.find_map(|loss| match &loss.reason {
                        LossReason::LabelRewritten(label) => Some(label),
                        _ => None,
                    }),
                };
                let label = label.unwrap_or(&span.label);
                found.insert(place_of(&document.text, span.start, span.end, label));
            }
            let renamed = losses.iter().find_map(|loss| match &loss.reason {
                LossReason::RaterRewritten(name) if loss.rater.as_ref() == Some(rater) => {
                    Some(name)
                }
                _ => None,
            });
            work.insert(renamed.unwrap_or(rater).clone(), found);
        }
        if work.is_empty() {
            continue;
        }
        if !of_document().any(|loss| loss.reason == LossReason::WhitespaceChanged) {
            texts.insert(document.text.clone());
        }
        all.push((visible(&document.text), work));
    }
    (all, texts)
}

fn span(start: usize, end: usize, label: &str) -> AnnotatedSpan {
    AnnotatedSpan { start, end, label: label.to_owned() }
}

fn document(
    id: Option<&str>,
    (name, text): (&str, &str),
    work: &[(&str, &[AnnotatedSpan])],
) -> AnnotatedDocument {
    let work = work.iter().map(|(rater, spans)| AnnotatedWork {
        rater: (*rater).to_owned(),
        spans: spans.to_vec(),
        answers: Vec::new(),
    });
    AnnotatedDocument {
        id: id.map(str::to_owned),
        name: name.to_owned(),
        text: text.to_owned(),
        spans: Vec::new(),
        answers: Vec::new(),
        work: work.collect(),
    }
}

/// Holds every format to what it says of these documents.
fn check(what: &str, documents: &[AnnotatedDocument]) {
    let mut wrong = Vec::new();
    for format in ExportFormat::ALL {
        let (file, losses) = export(*format, documents);
        let (mut expected, exact) = expected(documents, &losses);
        // What may be read as one with another is not asked for.
        let is_same = |loss: &&Loss| matches!(loss.reason, LossReason::SameText(_));
        let same: BTreeSet<&str> =
            losses.iter().filter(is_same).map(|loss| loss.document.as_str()).collect();
        let same = documents.iter().filter(|document| same.contains(&*document.name));
        let same: BTreeSet<String> = same.map(|document| visible(&document.text)).collect();
        let told = || losses.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n  ");
        let mut fail = |why: String| wrong.push(format!("{}: {why}\n  {}", format.title(), told()));
        match import(&file) {
            Err(why) if !expected.is_empty() => fail(why),
            Err(_) => {}
            Ok((mut read, texts)) => {
                for documents in [&mut read, &mut expected] {
                    documents.retain(|(text, _)| !same.contains(text));
                    documents.sort();
                }
                if read != expected {
                    fail(format!("{read:?} is not {expected:?}"));
                }
                if !exact.is_subset(&texts) {
                    fail(format!("{texts:?} has not {exact:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{what}\n{}", wrong.join("\n"));
}

#[test]
fn raters_who_have_different_documents() {
    let names = [span(0, 3, "PER")];
    check(
        "different documents",
        &[
            document(None, ("one", "Gil met Hal."), &[("Ana", &names), ("Bo", &[])]),
            document(None, ("two", "Hal met Gil."), &[("Bo", &names)]),
            document(None, ("three", "Kim sat down."), &[("Ana", &names), ("Cy", &names)]),
            document(
                None,
                ("four", "Lou left us."),
                &[("Cy", &[span(0, 12, "ACT"), span(4, 8, "ACT")])],
            ),
        ],
    );
    check("one rater", &[document(Some("7"), ("one", "Gil met Hal."), &[("Ana", &names)])]);
    check("one rater without spans", &[document(None, ("one", "Gil met Hal."), &[("Ana", &[])])]);
    check(
        "nothing in common",
        &[
            document(None, ("one", "Gil met Hal."), &[("Ana", &names)]),
            document(None, ("two", "Hal met Gil."), &[("Bo", &names)]),
        ],
    );
}

/// Texts as people have them, each with spans that are hard to hold.
fn odd_texts() -> Vec<AnnotatedDocument> {
    let texts = [
        ("lines of Windows", "Gil met Hal.\r\n\r\nThey talked.\r\n"),
        ("ends in newlines", "Ada wrote to Bo.\n\n\n"),
        ("begins with blanks", "  \tKim sat down. "),
        (
            "emoji",
            "\u{1F973} Bo \u{1F469}\u{200D}\u{1F469}\u{200D}\u{1F467} cheered\u{2764}\u{FE0F}",
        ),
        (
            "from right to left",
            "\u{5E9}\u{5DC}\u{5D5}\u{5DD} Dana, \u{645}\u{631}\u{62D}\u{628}\u{627}",
        ),
        ("combining", "Zoe\u{301} and A\u{308}\u{323}na sang"),
        ("quotes", "\"Yes,\" said 'Al'; =1+1 | a\tb \\n {\"x\": [1]} # no"),
        ("tags", "-DOCSTART- O\n# newdoc id = 3\nB-PER <b>&amp;</b>"),
        ("mark of byte order", "\u{FEFF}Lou left."),
        ("not for XML", "Bell \u{7} rang."),
        ("no words", "\u{200B}\u{200B}\u{AD}"),
    ];
    let made = |(number, (name, text)): (usize, &(&str, &str))| {
        let length = text.chars().count();
        let (first, odd) = ([span(0, 2, "PER")], number % 2 == 1);
        let hard = [
            span(0, length, "all of it"),
            span(1, 3, "A|B"),
            span(1, 2, "x"),
            span(length - 1, length, "\u{1F973}"),
        ];
        let id = odd.then(|| format!("id {number}"));
        let work: &[(&str, &[AnnotatedSpan])] = if odd {
            &[("Ana", &first), ("Bo/\u{1F973}", &hard)]
        } else {
            &[("Bo/\u{1F973}", &hard), ("ana", &[])]
        };
        document(id.as_deref(), (name, text), work)
    };
    texts.iter().enumerate().map(made).collect()
}

#[test]
fn texts_as_people_have_them() {
    check("odd texts", &odd_texts());
    for document in odd_texts() {
        check("one odd text", &[document]);
    }
}

#[test]
fn documents_of_the_same_text() {
    let (yes, no) = ([span(0, 3, "YES")], [span(0, 3, "NO")]);
    check(
        "by different raters",
        &[
            document(None, ("one", "Yes."), &[("Ana", &yes)]),
            document(None, ("two", "Yes."), &[("Bo", &no)]),
            document(None, ("three", "No, Gil."), &[("Ana", &yes), ("Bo", &no)]),
        ],
    );
    check(
        "with ids",
        &[
            document(Some("1"), ("one", "Yes."), &[("Ana", &yes)]),
            document(Some("2"), ("two", "Yes."), &[("Bo", &no), ("Cy", &yes)]),
            document(Some("3"), ("three", "Yes."), &[("Ana", &no), ("Cy", &no)]),
        ],
    );
    check(
        "but for white space",
        &[
            document(None, ("one", "Yes, Gil."), &[("Ana", &yes)]),
            document(None, ("two", "Yes, Gil.\n"), &[("Bo", &no)]),
            document(None, ("three", "Yes,  Gil."), &[("Bo", &yes), ("Ana", &no)]),
        ],
    );
}

#[test]
fn a_labeler_who_has_done_nothing_is_no_obstacle() {
    // Their folder has a file without any document.
    for format in ExportFormat::ALL {
        let Kind::File(file) = kind(*format) else { continue };
        let document = document(None, ("one", "Gil met Hal."), &[("Ana", &[span(0, 3, "PER")])]);
        let mut folders = RaterFolders::new(Cursor::new(Vec::new()), file);
        for rater in ["Ana", "Bo"] {
            (folders, _) = folders.begin(rater).unwrap();
            if let Some(document) = document.of_rater(rater) {
                folders.write(&document).unwrap();
            }
        }
        let bytes = folders.finish().unwrap().into_inner();
        let (read, _) = import(&UploadedFile { name: "work-1.zip".to_owned(), bytes })
            .unwrap_or_else(|why| panic!("{}: {why}", format.title()));
        assert_eq!(read, expected(&[document], &[]).0, "{}", format.title());
    }
}
