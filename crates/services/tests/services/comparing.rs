//! Comparing files without a project: the numbers are those that a project would show, and what
//! cannot be compared says why.

use domain::{
    Actor, Comparison, Confidence, DisagreementKind, Error as Refusal, Judgement, LabelSet,
    MatchBy, Measure, Measured, PolicyChoice, RatersFrom, SeveralMeasure, Span, Switches,
    UndefinedReason,
};
use services::{
    Error, agreement,
    document::{
        comparison::{self, Compared, ComparingOptions, compare},
        export::ListFormat,
        import::UploadedFile,
    },
};

use std::{
    io::{Cursor, Write},
    time::Duration,
};

use serde_json::json;
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::world::{self, worlds};

const TEXT: &str = "The Tragedy of Hamlet, Prince of Denmark, often shortened to Hamlet, is a \
                    tragedy written by William Shakespeare sometime between 1599 and 1601. It is \
                    Shakespeare's longest play, with 30557 words.";

type Mark = (&'static str, &'static str, &'static str);

/// Labeler A, labeler B and reviewer R of the worked example: what stands before, the words, the
/// label. The reviewer's decisions are marks here.
pub(crate) const A: &[Mark] = &[
    ("", "The Tragedy of Hamlet", "EVE"),
    ("", "Prince of Denmark", "PER"),
    ("shortened to ", "Hamlet", "PER"),
    ("", "William Shakespeare", "PER"),
    ("", "1599", "YEAR"),
    ("", "1601", "YEAR"),
    ("It is ", "Shakespeare", "ORG"),
];
const B: &[Mark] = &[
    ("", "The Tragedy of Hamlet", "TITLE"),
    ("shortened to ", "Hamlet", "TITLE"),
    ("", "William Shakespeare", "PER"),
    ("", "1599", "YEAR"),
    ("", "1601", "YEAR"),
    ("It is ", "Shakespeare", "ORG"),
];
const R: &[Mark] = &[
    ("", "The Tragedy of Hamlet", "TITLE"),
    ("shortened to ", "Hamlet", "PER"),
    ("", "William Shakespeare", "PER"),
    ("", "1599", "YEAR"),
    ("", "1601", "YEAR"),
    ("It is ", "Shakespeare", "PER"),
    ("", "30557", "QTY"),
];

pub(crate) fn line(marks: &[Mark]) -> String {
    let spans: Vec<_> = marks
        .iter()
        .map(|(before, words, label)| {
            let start = TEXT.find(&format!("{before}{words}")).unwrap() + before.len();
            json!({ "start": start, "end": start + words.len(), "label": label })
        })
        .collect();
    json!({ "id": 1, "text": TEXT, "spans": spans }).to_string()
}

pub(crate) fn file(name: &str, content: impl Into<String>) -> UploadedFile {
    UploadedFile { name: name.to_owned(), bytes: content.into().into_bytes() }
}

/// A zip of files.
pub(crate) fn zip(name: &str, files: &[UploadedFile]) -> UploadedFile {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for UploadedFile { name, bytes } in files {
        zip.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    UploadedFile { name: name.to_owned(), bytes: zip.finish().unwrap().into_inner() }
}

pub(crate) fn hamlet() -> Vec<UploadedFile> {
    vec![file("A.jsonl", line(A)), file("B.jsonl", line(B)), file("R.jsonl", line(R))]
}

pub(crate) fn under(measure: Measure, policy: PolicyChoice) -> ComparingOptions {
    let switches = Switches { measure, policy, ..Switches::default() };
    ComparingOptions { switches, ..ComparingOptions::default() }
}

pub(crate) fn compared(files: Vec<UploadedFile>, options: ComparingOptions) -> Comparison {
    compare(files, options).map(|compared| compared.view(None)).unwrap()
}

/// The value of the raters at these places.
pub(crate) fn value(comparison: &Comparison, first: usize, second: usize) -> (String, u64) {
    let raters = &comparison.matrix.raters;
    let cell = comparison.matrix.cell(raters[first].id, raters[second].id).unwrap();
    let value = cell.measured.value().map(|value| format!("{value:.4}"));
    (value.unwrap_or_default(), cell.n)
}

pub(crate) fn refused(files: Vec<UploadedFile>) -> Vec<String> {
    let outcome = compare(files, ComparingOptions::default());
    let problems = outcome.map(|_: Compared| ()).unwrap_err();
    problems.into_iter().map(|problem| format!("{}: {}", problem.file, problem.message)).collect()
}

#[test]
fn the_worked_example_has_its_published_values() {
    let with_nothing = compared(hamlet(), under(Measure::Kappa, PolicyChoice::EmptyLabel));
    let of = |value: &str, n| (value.to_owned(), n);
    assert_eq!(value(&with_nothing, 0, 1), of("0.4878", 7));
    assert_eq!(value(&with_nothing, 0, 2), of("0.3600", 8));
    assert_eq!(value(&with_nothing, 1, 2), of("0.4750", 7));
    let cleaned = compared(hamlet(), under(Measure::Kappa, PolicyChoice::Cleaned));
    assert_eq!(value(&cleaned, 0, 2), of("0.5385", 6));
    let alpha = compared(hamlet(), under(Measure::Alpha, PolicyChoice::Cleaned));
    assert_eq!(value(&alpha, 0, 2), of("0.5600", 6));

    let names: Vec<_> = cleaned.matrix.raters.iter().map(|rater| rater.name.as_str()).collect();
    assert_eq!(names, ["A", "B", "R"]);
    assert_eq!((cleaned.documents, cleaned.shared), (1, 1));
    let labels: Vec<_> = cleaned.labels.iter().map(|label| label.name.as_str()).collect();
    assert_eq!(labels, ["EVE", "ORG", "PER", "QTY", "TITLE", "YEAR"]);
    assert_eq!(cleaned.pairs.len(), 3);
    assert!(cleaned.notes.is_empty(), "{:?}", cleaned.notes);
}

#[test]
fn every_difference_is_listed_with_what_each_said() {
    let files = vec![file("A.jsonl", line(A)), file("B.jsonl", line(B))];
    let comparison = compared(files, ComparingOptions::default());
    let page = &comparison.disagreements.page;
    assert_eq!(page.total, 3);
    let quotes: Vec<_> = page.rows.iter().map(|row| (row.quote.as_str(), row.kind)).collect();
    assert_eq!(
        quotes,
        [
            ("The Tragedy of Hamlet", DisagreementKind::Label),
            ("Prince of Denmark", DisagreementKind::OneSided),
            ("Hamlet", DisagreementKind::Label),
        ]
    );
    assert_eq!(page.rows[1].judgements[1], Judgement::Nothing);
    let of_label = |name: &str| {
        let label = comparison.labels.iter().find(|label| label.name == name).unwrap();
        comparison.label_parts.iter().find(|part| part.label == label.id).unwrap()
    };
    assert_eq!((of_label("YEAR").positions, of_label("YEAR").disputed), (2, 0));
    // Both judged six positions; one of them said EVE on one, and the other TITLE.
    assert_eq!((of_label("EVE").positions, of_label("EVE").disputed), (1, 1));
}

/// What labelers have submitted in a project is written to files and compared outside of it:
/// whatever the switches, every number is that of the live matrix.
#[tokio::test]
async fn every_value_is_that_of_the_live_matrix() {
    const NAMES: [&str; 3] = ["PER", "TITLE", "YEAR"];
    for world in worlds(3, 4).await {
        let mut files = Vec::new();
        for labeler in 0..3 {
            let mut lines = String::new();
            for document in 0..4 {
                // Each has some marks of their own, some labels of their own, and one nothing.
                let marks = (0..6_usize)
                    .filter(|n| (n + labeler * document) % 4 > 0 && document != labeler);
                let marks: Vec<_> = marks
                    .map(|n| {
                        (u32::try_from(n * 10).unwrap(), (n + usize::from(n % 3 == labeler)) % 3)
                    })
                    .collect();
                let spans: Vec<_> = marks
                    .iter()
                    .map(|&(start, label)| Span::new(start, start + 4, world.labels[label]))
                    .collect();
                world.mark(labeler, document, &spans).await;
                world.submit(labeler, document).await;
                let spans: Vec<_> = marks
                    .iter()
                    .map(|&(start, label)| {
                        json!({ "start": start, "end": start + 4, "label": NAMES[label] })
                    })
                    .collect();
                let name = format!("document {document}");
                let line = json!({ "name": name, "text": world::TEXT, "spans": spans });
                lines.push_str(&line.to_string());
                lines.push('\n');
            }
            files.push((format!("labeler {labeler}.jsonl"), lines));
        }
        let (services, manager) = (&world.services, &world.manager.actor);
        for measure in Measure::OF_LABELS {
            for &policy in PolicyChoice::ALL {
                let switches = Switches { measure, policy, ..Switches::default() };
                let live = agreement::snapshot(services, manager, world.project, switches).await;
                let live = live.unwrap();
                let files = files.iter().map(|(name, lines)| file(name, lines.as_str()));
                let options = ComparingOptions { switches, ..ComparingOptions::default() };
                let here = compared(files.collect(), options);
                assert_eq!((here.documents, here.shared), (4, 4));
                for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                    let of = format!("{measure}, {policy}, {a} and {b}");
                    let live = live.cell(live.raters[a].id, live.raters[b].id).unwrap();
                    let raters = &here.matrix.raters;
                    let cell = here.matrix.cell(raters[a].id, raters[b].id).unwrap();
                    assert_eq!(cell.measured, live.measured, "{of}");
                    assert_eq!((cell.n, cell.documents), (live.n, live.documents), "{of}");
                    assert_eq!(cell.coverage, live.coverage, "{of}");
                    assert!(cell.measured.value().is_some(), "{of}");
                }
                let (several, live) = (here.matrix.several.unwrap(), live.several.clone().unwrap());
                for (row, live) in several.rows.iter().zip(&live.rows) {
                    assert_eq!(row.measured, live.measured);
                }
            }
        }
    }
}

fn many(marks: impl Fn(usize) -> &'static str) -> String {
    let line = |n: usize| {
        let spans = format!("[{{\"start\": 0, \"end\": 3, \"label\": \"{}\"}}]", marks(n));
        format!("{{\"id\": {n}, \"text\": \"Gil met Hal {n}.\", \"spans\": {spans}}}\n")
    };
    (0..20).map(line).collect()
}

#[test]
fn intervals_are_there_at_once_the_same_each_time_and_left_out_when_time_is_up() {
    let files = || {
        let second = many(|n| if n % 5 == 0 { "LOC" } else { "PER" });
        vec![
            file("a.jsonl", many(|n| if n % 3 == 0 { "LOC" } else { "PER" })),
            file("b.jsonl", second),
        ]
    };
    let options = under(Measure::Alpha, PolicyChoice::Cleaned);
    let settled = compared(files(), options.clone());
    let several = settled.matrix.several.as_ref().unwrap();
    assert_eq!(settled.matrix.pending(), 0);
    assert!(matches!(settled.matrix.cells[0].confidence, Confidence::Interval { .. }));
    assert!(several.rows.iter().any(|row| row.measure == SeveralMeasure::FleissKappa));
    assert_eq!(compared(files(), options.clone()), settled);

    let now = std::time::Instant::now();
    let hurried = compare(files(), options).unwrap().view(Some(now));
    assert_eq!(hurried.matrix.cells[0].confidence, Confidence::Pending);
    assert_eq!(hurried.matrix.cells[0].measured, settled.matrix.cells[0].measured);
}

#[test]
fn who_has_a_document_without_marks_has_judged_it() {
    let marked = r#"{"id": 1, "text": "Gil", "spans": [{"start": 0, "end": 3, "label": "PER"}]}"#;
    let bare = r#"{"id": 1, "text": "Gil"}"#;
    let files = || vec![file("a.jsonl", marked), file("b.jsonl", bare)];
    let cell = |policy| compared(files(), under(Measure::Percent, policy)).matrix.cells[0].clone();
    let nothing = UndefinedReason::NoSharedPositions;
    assert_eq!(cell(PolicyChoice::Cleaned).measured, Measured::Undefined(nothing));
    let counted = cell(PolicyChoice::EmptyLabel);
    assert_eq!((counted.n, counted.measured.value()), (1, Some(0.0)));
    assert_eq!(counted.coverage.only_first, 1);
    let table = &compared(files(), under(Measure::Kappa, PolicyChoice::EmptyLabel)).pairs[0];
    assert!(table.categories.iter().any(|category| category.labels == LabelSet::EMPTY));
}

#[test]
fn folders_of_conll_files_are_people_and_files_are_documents() {
    let files = || {
        vec![
            file("work/ana/one.conll", "Gil B-PER\nin O\nUr B-LOC\n"),
            file("work/ana/two.conll", "Uz B-LOC\n"),
            file("work/bo/one.conll", "Gil B-PER\nin O\nUr O\n"),
            file("work/bo/two.conll", "Uz B-LOC\n"),
        ]
    };
    let comparison = compared(files(), under(Measure::F1, PolicyChoice::Cleaned));
    let names: Vec<_> = comparison.matrix.raters.iter().map(|rater| rater.name.as_str()).collect();
    assert_eq!(names, ["ana", "bo"]);
    assert_eq!((comparison.documents, comparison.shared), (2, 2));
    // 2 · 2 common spans of 3 and 2.
    assert_eq!(value(&comparison, 0, 1), ("0.8000".to_owned(), 3));
    let with_notes = {
        let mut files = files();
        files.push(file("work/README.pages", "x"));
        files
    };
    let notes = compared(with_notes, ComparingOptions::default()).notes;
    let tags = notes.iter().filter(|note| note.contains("the tags are IOB")).collect::<Vec<_>>();
    assert_eq!(tags, ["work/ana/one.conll, line 1, and 3 more files: the tags are IOB2"]);
    let left_out = "Unknown format, left out: work/README.pages.".to_owned();
    assert!(notes.contains(&left_out), "{notes:?}");
    // Taken for people, the files would have different texts of one document.
    let by_file = ComparingOptions { raters_from: RatersFrom::File, ..Default::default() };
    let refused = compare(files(), by_file).map(|_| ()).unwrap_err();
    assert!(
        refused[0].message.starts_with("the document with the name \"ana\" has a different text")
    );
}

#[test]
fn what_cannot_be_compared_says_why_and_where() {
    let bare = r#"{"id": 1, "text": "Gil"}"#;
    let alone = refused(vec![file("ana.jsonl", bare)]);
    assert!(alone[0].starts_with("ana.jsonl: all spans are by one rater, ana: add"));
    let texts = refused(vec![file("a.txt", "Gil"), file("b.txt", "Gil")]);
    assert_eq!(texts, ["a.txt: no spans in these files"]);
    let unknown = refused(vec![file("a.pages", "Gil"), file("b.jsonl", bare)]);
    assert!(unknown[0].contains("unknown format"), "{unknown:?}");
    let other =
        refused(vec![file("a.jsonl", bare), file("b.jsonl", r#"{"id": 1, "text": "Hal"}"#)]);
    assert!(other[0].contains("has a different text in a.jsonl, line 1"), "{other:?}");
    assert_eq!(refused(Vec::new()), [": choose at least two files"]);
    let in_folder = refused(vec![file("x/notes.pages", "Gil"), file("x/b.jsonl", bare)]);
    assert!(in_folder[0].starts_with("x/notes.pages: unknown format"), "{in_folder:?}");
}

#[test]
fn files_that_have_no_document_in_common_say_so_instead_of_a_number() {
    let files =
        || vec![file("a.jsonl", r#"{"text": "Gil"}"#), file("b.jsonl", r#"{"text": "Hal"}"#)];
    let by_file = ComparingOptions { raters_from: RatersFrom::File, ..Default::default() };
    let comparison = compared(files(), by_file);
    let nothing = UndefinedReason::NoSharedDocuments;
    assert_eq!(comparison.matrix.cells[0].measured, Measured::Undefined(nothing));
    assert_eq!(comparison.notes[0], "No spans at all by a, b.");
    assert!(comparison.notes[1].starts_with("Nothing to compare: no document occurs"));
    assert!(refused(files())[0].contains("no document is in two files. Choose rater names"));
}

#[test]
fn the_list_and_the_report_hold_every_difference() {
    let compared = compare(hamlet(), ComparingOptions::default()).unwrap();
    let text = |body: Vec<u8>| String::from_utf8(body).unwrap();
    let csv = text(compared.list(ListFormat::Csv, usize::MAX).unwrap().body);
    let head = csv.lines().next().unwrap();
    assert!(head.contains("rater: A,rater: B,rater: R"), "{head}");
    assert_eq!(csv.lines().count(), 1 + 5);
    let lines = text(compared.list(ListFormat::JsonLines, usize::MAX).unwrap().body);
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(
        (first["quote"].as_str(), first["start"].as_u64()),
        (Some("The Tragedy of Hamlet"), Some(0))
    );
    let too_long = compared.list(ListFormat::Csv, 10).map(|_| ()).unwrap_err();
    assert!(matches!(too_long, Error::Refused(Refusal::Invalid { .. })));

    let report = text(compared.report(chrono::DateTime::UNIX_EPOCH, None).body);
    for words in
        ["Agreement of A, B, R", "A × R", "0.5385", "Prince of Denmark", "A.jsonl", "files of each"]
    {
        assert!(report.contains(words), "{words}");
    }
    assert!(report.contains("1970-01-01 00:00 UTC") && !report.contains("<script"));
}

#[test]
fn documents_can_be_matched_by_their_texts_alone() {
    let files = || {
        let line = |id: u8, text: &str| format!("{{\"id\": {id}, \"text\": \"{text}\"}}\n");
        vec![
            file("a.jsonl", line(1, "Gil") + &line(2, "Hal")),
            file("b.jsonl", line(2, "Gil") + &line(1, "Hal")),
        ]
    };
    assert_eq!(refused(files()).len(), 2);
    let by_text = ComparingOptions { match_by: MatchBy::Text, ..Default::default() };
    assert_eq!(compared(files(), by_text).shared, 2);
}

#[tokio::test]
async fn people_wait_for_their_turn_and_strangers_have_none() {
    let world = worlds(1, 1).await.remove(0);
    let turn = async |actor: &Actor| comparison::wait_for_slot(&world.services, actor).await;
    let refused = turn(&Actor::Anonymous).await.unwrap_err();
    assert!(matches!(refused, Error::Refused(Refusal::SignInRequired)));
    let person = &world.manager.actor;
    let other = &world.labelers[0].actor;
    let first = turn(person).await.unwrap();
    let a_while = Duration::from_millis(50);
    let again = tokio::time::timeout(a_while, turn(person)).await;
    assert!(again.is_err(), "one person has one turn");
    let second = turn(other).await.unwrap();

    let options = ComparingOptions::default();
    let shown = comparison::run(first, hamlet(), options, |compared, until| {
        compared.view(Some(until)).shared
    });
    assert_eq!(shown.await.unwrap().unwrap(), 1);
    turn(person).await.unwrap();
    drop(second);
}

#[test]
fn one_file_that_names_its_raters_is_enough() {
    let by = |person: u8, label: &str| {
        let value = json!({ "start": 0, "end": 3, "text": "Gil", "labels": [label] });
        let result = json!({
            "id": "r1", "type": "labels", "from_name": "label", "to_name": "text", "value": value,
        });
        json!({ "id": person, "completed_by": person, "result": [result] })
    };
    let task = |id: u8, second: &str| {
        let annotations = [by(1, "PER"), by(2, second)];
        json!({ "id": id, "data": { "text": format!("Gil met Hal {id}.") }, "annotations": annotations })
    };
    let tasks = json!([task(1, "PER"), task(2, "LOC")]).to_string();
    let comparison =
        compared(vec![file("export.json", tasks)], under(Measure::Percent, PolicyChoice::Cleaned));
    assert_eq!(comparison.files[0].format, "Label Studio JSON");
    assert_eq!((comparison.files[0].raters.len(), comparison.shared), (2, 2));
    assert_eq!(value(&comparison, 0, 1), ("0.5000".to_owned(), 2));
}

#[test]
fn texts_and_marks_of_brat_belong_together() {
    let marks = |end: &str| format!("T1\tPER 0 3\tGil\n{end}");
    let files = vec![
        file("w/ana/one.txt", "Gil met Hal."),
        file("w/ana/one.ann", marks("T2\tPER 8 11\tHal\n")),
        file("w/bo/one.ann", marks("")),
        file("w/bo/one.txt", "Gil met Hal."),
    ];
    let comparison = compared(files, under(Measure::F1, PolicyChoice::Cleaned));
    let names: Vec<_> = comparison.matrix.raters.iter().map(|rater| rater.name.as_str()).collect();
    assert_eq!((names, comparison.documents, comparison.files.len()), (vec!["ana", "bo"], 1, 2));
    assert_eq!(value(&comparison, 0, 1), ("0.6667".to_owned(), 2));
}

#[test]
fn a_zip_of_folders_holds_the_work_of_several() {
    let zip = zip(
        "both.zip",
        &[file("ana/one.conll", "Gil B-PER\nmet O\n"), file("bo/one.conll", "Gil B-LOC\nmet O\n")],
    );
    let comparison = compared(vec![zip], under(Measure::Percent, PolicyChoice::Cleaned));
    let names: Vec<_> = comparison.matrix.raters.iter().map(|rater| rater.name.as_str()).collect();
    assert_eq!((names, comparison.shared), (vec!["ana", "bo"], 1));
    assert_eq!(value(&comparison, 0, 1), ("0.0000".to_owned(), 1));
}
