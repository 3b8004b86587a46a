//! Whose spans can be taken away, by whom, in every format, and what is said to be lost.

use std::{collections::BTreeSet, io::Cursor, ops::ControlFlow};

use domain::{
    Actor, Documents, Error as Refusal, ExportFormat, ExportPreview, ExportQuery, ExportWhat,
    LabelSet, LossForm, NewGoldVersion, Range, Span, Verdict,
};
use formats::{Bundle, BundleLimits, ImportFormat, ImportedDocument, LossRow, ReadOptions, read};
use services::{document::export, review::gold};
use store::document::NewDocument;

use crate::{
    house::{invalid_field, refused},
    world::{TEXT, World, worlds},
};

const THE: Range = Range::new(0, 3);
const TRAGEDY: Range = Range::new(4, 11);
const HAMLET: Range = Range::new(15, 21);

fn span(range: Range, label: domain::LabelId) -> Span {
    Span { range, label }
}

/// Two labelers and a reviewer at work on two documents: everything begins and ends with words.
async fn worked_on(world: &World) {
    let [per, title, _] = world.labels[..] else { panic!("three labels") };
    world.mark(0, 0, &[span(THE, per), span(HAMLET, title)]).await;
    world.mark(1, 0, &[span(THE, per), span(TRAGEDY, title)]).await;
    world.mark(0, 1, &[span(TRAGEDY, title)]).await;
    for labeler in 0..2 {
        world.submit(labeler, 0).await;
    }
    world.decide(0, TRAGEDY, Verdict::Accept, LabelSet::one(title)).await;
    world.decide(0, HAMLET, Verdict::Reject, LabelSet::EMPTY).await;
}

/// Rater, words and label of each span, in order; rater of spans of nobody is empty.
type Spans = Vec<(String, String, String)>;

fn spans(expected: &[(&str, &str, &str)]) -> Spans {
    let owned = expected.iter().map(|(rater, words, label)| {
        ((*rater).to_owned(), (*words).to_owned(), (*label).to_owned())
    });
    let mut spans: Spans = owned.collect();
    spans.sort();
    spans
}

/// The documents of an exported file, as whoever imports it reads them.
fn imported(format: ExportFormat, is_zip: bool, bytes: Vec<u8>) -> Vec<ImportedDocument> {
    if is_zip {
        let limits = BundleLimits::default();
        let mut zip = Bundle::from_zip("export.zip", Cursor::new(bytes), &limits).unwrap();
        let mut documents = Vec::new();
        zip.read(&ReadOptions::default(), |document| {
            documents.push(document.unwrap().document);
            ControlFlow::Continue(())
        });
        return documents;
    }
    let format = match format {
        ExportFormat::JsonLines => ImportFormat::JsonLines,
        ExportFormat::SpanCsv => ImportFormat::SpanCsv,
        ExportFormat::SpanTsv => ImportFormat::SpanTsv,
        ExportFormat::Conll => ImportFormat::Conll,
        ExportFormat::Conllu => ImportFormat::Conllu,
        ExportFormat::Doccano => ImportFormat::Doccano,
        ExportFormat::LabelStudio => ImportFormat::LabelStudio,
        ExportFormat::Prodigy => ImportFormat::Prodigy,
        ExportFormat::Spacy => ImportFormat::Spacy,
        other => panic!("{other} is a zip"),
    };
    read(format, "export", &bytes).map(Result::unwrap).collect()
}

/// What is marked in documents.
fn marked(documents: &[ImportedDocument]) -> Spans {
    let mut marked = Vec::new();
    for document in documents {
        let words = |start: usize, end: usize| -> String {
            document.text.chars().skip(start).take(end - start).collect()
        };
        let nobodys = document.spans.iter().map(|span| ("", span));
        let somebodys = document
            .work
            .iter()
            .flat_map(|work| work.spans.iter().map(|span| (work.rater.as_str(), span)));
        for (rater, span) in nobodys.chain(somebodys) {
            let words = words(span.start, span.end);
            marked.push((rater.to_owned(), words, span.label.clone()));
        }
    }
    marked.sort();
    marked
}

async fn preview(world: &World, actor: &Actor, query: ExportQuery) -> ExportPreview {
    export::preview(&world.services, actor, world.project, query).await.unwrap()
}

#[tokio::test]
async fn every_format_gives_back_every_stored_span_of_everybody() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let expected = spans(&[
            ("labeler-2", "The", "PER"),
            ("labeler-2", "Hamlet", "TITLE"),
            ("labeler-2", "Tragedy", "TITLE"),
            ("labeler-3", "The", "PER"),
            ("labeler-3", "Tragedy", "TITLE"),
        ]);
        for &format in ExportFormat::ALL {
            let what = ExportWhat::Labelers;
            let bytes = world.export_bytes(what, format).await;
            let documents = imported(format, format.is_zip(what), bytes);
            assert_eq!(marked(&documents), expected, "{format}");
        }
    }
}

#[tokio::test]
async fn every_format_gives_back_one_raters_spans_and_the_gold_standards() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let new = NewGoldVersion { name: "v1".to_owned(), note: String::new() };
        let manager = &world.manager.actor;
        gold::lock(&world.services, manager, world.project, new).await.unwrap();
        let cases = [
            (ExportWhat::Rater(world.labelers[1].member), "labeler-3", 1),
            (ExportWhat::Gold, "", 3),
            (ExportWhat::GoldVersion(1), "", 3),
        ];
        for (what, name, count) in cases {
            for &format in ExportFormat::ALL {
                let bytes = world.export_bytes(what, format).await;
                let documents = imported(format, format.is_zip(what), bytes);
                assert_eq!(documents.len(), count, "{what} {format}");
                // Who alone is in a file is not named by all formats.
                let told = marked(&documents);
                let named = spans(&[(name, "The", "PER"), (name, "Tragedy", "TITLE")]);
                let unnamed = spans(&[("", "The", "PER"), ("", "Tragedy", "TITLE")]);
                let tells = format.names_raters() || format.is_one_document();
                assert_eq!(told, if tells { named } else { unnamed }, "{what} {format}");
            }
        }
    }
}

#[tokio::test]
async fn a_reviewers_work_is_what_they_decided_without_what_they_rejected() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let reviewer = &world.reviewer.actor;
        let query = ExportQuery::default();
        let told = preview(&world, reviewer, query).await;
        assert_eq!((told.documents, told.spans, told.complete), (1, 1, true));
        assert_eq!(told.losses.len(), 1);
        assert_eq!(told.losses[0].reason, "rejections-left-out");
        let what = ExportWhat::Rater(world.reviewer.member);
        let bytes = world.export_bytes(what, ExportFormat::JsonLines).await;
        let expected = spans(&[("reviewer-1", "Tragedy", "TITLE")]);
        assert_eq!(marked(&imported(ExportFormat::JsonLines, false, bytes)), expected);
    }
}

#[tokio::test]
async fn only_what_was_submitted_is_there_if_that_is_asked_for() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let counted = async |documents| {
            let query = ExportQuery { what: ExportWhat::Labelers, documents, ..Default::default() };
            let told = preview(&world, &world.manager.actor, query).await;
            (told.documents, told.spans)
        };
        assert_eq!(counted(Documents::Saved).await, (2, 5));
        assert_eq!(counted(Documents::Submitted).await, (1, 4));
    }
}

#[tokio::test]
async fn what_a_format_cannot_hold_is_told_before_with_and_inside_the_file() {
    for world in worlds(2, 1).await {
        let [per, title, _] = world.labels[..] else { panic!("three labels") };
        // Of two that overlap CoNLL holds one, and none that ends within a word.
        let overlapping = Range::new(0, 11);
        world.mark(0, 0, &[span(THE, per), span(overlapping, title)]).await;
        world.mark(1, 0, &[span(Range::new(4, 6), per)]).await;
        let (services, actor, project) = (&world.services, &world.manager.actor, world.project);
        let query = ExportQuery {
            what: ExportWhat::Labelers,
            format: ExportFormat::Conll,
            documents: Documents::Saved,
        };
        let told = preview(&world, actor, query).await;
        let left_out: Vec<_> = told.losses.iter().filter(|loss| loss.left_out).collect();
        let reasons: BTreeSet<_> = left_out.iter().map(|loss| loss.reason.as_str()).collect();
        assert_eq!(reasons, ["not-on-token-boundary", "overlaps"].into());

        let mut file = export::export(services, actor, project, query).await.unwrap();
        assert_eq!(file.left_out, 2);
        let mut list = Vec::new();
        file.write_losses(LossForm::Json, &mut list).unwrap();
        let rows: Vec<LossRow> = serde_json::from_slice(&list).unwrap();
        assert_eq!(rows.iter().filter(|row| row.left_out).count(), 2);
        let count = |n: usize| u64::try_from(n).unwrap();
        assert_eq!(count(rows.len()), file.left_out + file.changed);
        assert!(rows.iter().any(|row| {
            (row.start, row.end, row.label.as_deref()) == (Some(0), Some(3), Some("PER"))
        }));

        // The same list is inside the zip, and by itself.
        let mut bytes = Vec::new();
        file.write_to(&mut bytes).unwrap();
        let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        let mut inside = Vec::new();
        std::io::copy(&mut zip.by_name("concord-losses.json").unwrap(), &mut inside).unwrap();
        assert_eq!(inside, list);
        let losses = export::losses(services, actor, project, query, LossForm::Json);
        let mut alone = Vec::new();
        losses.await.unwrap().write_to(&mut alone).unwrap();
        assert_eq!(alone, list);
        let table = export::losses(services, actor, project, query, LossForm::Csv);
        let mut lines = Vec::new();
        table.await.unwrap().write_to(&mut lines).unwrap();
        assert_eq!(String::from_utf8(lines).unwrap().lines().count(), rows.len() + 1);

        // What holds everything says so.
        let query = ExportQuery { format: ExportFormat::JsonLines, ..query };
        assert_eq!(preview(&world, actor, query).await.losses, []);
    }
}

#[tokio::test]
async fn everybody_takes_away_what_they_may_see() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let new = NewGoldVersion { name: "v1".to_owned(), note: String::new() };
        let manager = &world.manager.actor;
        gold::lock(&world.services, manager, world.project, new).await.unwrap();
        let rater = |place: usize| ExportWhat::Rater(world.labelers[place].member);
        let all = [
            ExportWhat::Own,
            rater(0),
            rater(1),
            ExportWhat::Rater(world.reviewer.member),
            ExportWhat::Labelers,
            ExportWhat::Gold,
            ExportWhat::GoldVersion(1),
            ExportWhat::GoldVersion(2),
            ExportWhat::Rater(world.manager.member),
            ExportWhat::Rater(domain::MemberId(999_999)),
        ];
        let said = async |actor: &Actor| {
            let mut said = String::new();
            for what in all {
                let result = world.exported(actor, what, ExportFormat::JsonLines).await;
                said.push(match result.map_err(Refusal::from) {
                    Ok(_) => '+',
                    Err(Refusal::Denied(_)) => '-',
                    Err(Refusal::NotFound) => 'h',
                    Err(Refusal::SignInRequired) => 's',
                    Err(Refusal::Invalid { .. }) => '!',
                    Err(other) => panic!("{other}"),
                });
            }
            said
        };
        assert_eq!(said(&Actor::Anonymous).await, "ssssssssss");
        assert_eq!(said(&world.outsider).await, "hhhhhhhhhh");
        assert_eq!(said(&world.labelers[0].actor).await, "++hh----hh");
        assert_eq!(said(&world.reviewer.actor).await, "+++++++hhh");
        assert_eq!(said(manager).await, "!++++++h!h");
        let database = ExportQuery { what: ExportWhat::Own, ..ExportQuery::default() };
        let result = export::of_database(&world.services, world.project, database).await;
        assert_eq!(invalid_field(result), "what");
        let elsewhere = domain::ProjectId(999_999);
        let gold = ExportQuery { what: ExportWhat::Gold, ..database };
        let result = export::of_database(&world.services, elsewhere, gold).await;
        assert_eq!(refused(result), Refusal::NotFound);
    }
}

#[tokio::test]
async fn a_labeler_is_offered_their_own_work_and_nothing_else() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let offered = async |actor: &Actor| {
            export::choices_of(&world.services, actor, world.project).await.unwrap()
        };
        let labeler = offered(&world.labelers[0].actor).await;
        assert_eq!((labeler.own, labeler.all, labeler.raters.len()), (true, false, 0));
        let reviewer = offered(&world.reviewer.actor).await;
        assert_eq!((reviewer.own, reviewer.all), (true, true));
        // The names are those that they may know.
        assert_eq!(reviewer.raters[0].name, "Labeler 1");
        let manager = offered(&world.manager.actor).await;
        assert_eq!((manager.own, manager.all), (false, true));
        assert_eq!(manager.raters[0].name, "labeler-2");
        let query = ExportQuery { what: ExportWhat::Labelers, ..ExportQuery::default() };
        let file =
            export::export(&world.services, &world.reviewer.actor, world.project, query).await;
        let mut bytes = Vec::new();
        file.unwrap().write_to(&mut bytes).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.contains("Labeler 1") && !text.contains("labeler-2"), "{text}");
    }
}

#[tokio::test]
async fn a_project_of_many_stretches_comes_whole_and_in_order() {
    const DOCUMENTS: usize = 450;
    for world in worlds(1, 0).await {
        let tx = world.store.begin().await.unwrap();
        let now = world.services.now();
        let document = |index: usize| NewDocument {
            external_id: Some(format!("id-{index}")),
            name: format!("document {index}"),
            text: TEXT.to_owned(),
            characters: domain::base::text::length(TEXT),
            sha256: String::new(),
            overlap: None,
        };
        let new: Vec<_> = (0..DOCUMENTS).map(document).collect();
        let ids = store::document::insert_many(&tx, world.project, new, now).await.unwrap();
        let member = world.labelers[0].member;
        let assignments: Vec<_> = ids.iter().map(|id| (*id, member)).collect();
        store::work::assignments::insert_many(&tx, &assignments).await.unwrap();
        tx.commit().await.unwrap();
        // The first, one in the middle and the last.
        for place in [0, 200, DOCUMENTS - 1] {
            world.mark(0, place, &[span(THE, world.labels[0])]).await;
        }
        let gold = world.export_bytes(ExportWhat::Gold, ExportFormat::SpanCsv).await;
        let names: Vec<_> = imported(ExportFormat::SpanCsv, false, gold)
            .into_iter()
            .map(|document| (document.id.unwrap(), document.name))
            .collect();
        let expected: Vec<_> =
            (0..DOCUMENTS).map(|n| (format!("id-{n}"), format!("document {n}"))).collect();
        assert_eq!(names, expected);
        let own = world.export_bytes(ExportWhat::Rater(member), ExportFormat::JsonLines).await;
        let own = imported(ExportFormat::JsonLines, false, own);
        let names: Vec<_> = own.iter().map(|document| document.name.as_str()).collect();
        assert_eq!(names, ["document 0", "document 200", "document 449"]);
    }
}
