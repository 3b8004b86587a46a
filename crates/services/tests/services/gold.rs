//! The gold standard: what is shown of it, and versions that never change.

use crate::{
    house::{invalid_field, refused},
    world::{World, worlds},
};
use domain::{
    Error as Refusal, ExportFormat, ExportWhat, GoldChangeKind, GoldCompare, GoldCounts,
    GoldDocumentView, GoldList, GoldOrder, GoldQuery, LabelSet, NewGoldVersion, OpenReason,
    Provenance, Range, Sorting, Span, Verdict,
};
use services::{document, outside::verification, project, review::gold};
use sha2::{Digest, Sha256};

const THE: Range = Range::new(0, 3);
const TRAGEDY: Range = Range::new(4, 11);
const OF: Range = Range::new(12, 14);
const HAMLET: Range = Range::new(15, 21);

/// In the first document: THE unanimous, TRAGEDY in conflict, OF one-sided, HAMLET rejected.
async fn worked_on(world: &World) {
    let [per, title, _] = world.labels[..] else { panic!("three labels") };
    let span = |range, label| Span { range, label };
    let both = [span(THE, per), span(HAMLET, per)];
    world.mark(0, 0, &[both[0], both[1], span(TRAGEDY, title), span(OF, per)]).await;
    world.mark(1, 0, &[both[0], both[1], span(TRAGEDY, per)]).await;
    world.submit(0, 0).await;
    world.submit(1, 0).await;
    world.decide(0, HAMLET, Verdict::Reject, LabelSet::EMPTY).await;
    // Nobody has submitted the second.
    world.mark(0, 1, &both).await;
}

async fn list(world: &World, query: GoldQuery) -> GoldList {
    gold::list(&world.services, &world.reviewer.actor, world.project, query).await.unwrap()
}

async fn document(world: &World, place: usize, version: Option<i64>) -> GoldDocumentView {
    let (services, actor) = (&world.services, &world.manager.actor);
    let document = world.documents[place];
    gold::document(services, actor, world.project, document, version).await.unwrap()
}

async fn lock(world: &World, name: &str) -> services::Result<i64> {
    let new = NewGoldVersion { name: name.to_owned(), note: "for training".to_owned() };
    gold::lock(&world.services, &world.manager.actor, world.project, new).await
}

async fn export(world: &World, number: i64, format: ExportFormat) -> Vec<u8> {
    world.export_bytes(ExportWhat::GoldVersion(number), format).await
}

#[tokio::test]
async fn every_position_stands_in_exactly_one_count_with_its_reason() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let shown = list(&world, GoldQuery::default()).await;
        let first = GoldCounts {
            unanimous: 1,
            rejected: 1,
            conflict: 1,
            one_sided: 1,
            ..GoldCounts::default()
        };
        let second = GoldCounts { waiting: 2, ..GoldCounts::default() };
        let counts: Vec<_> = shown.page.rows.iter().map(|card| card.counts).collect();
        assert_eq!(counts, [first, second, GoldCounts::default()]);
        assert_eq!((shown.sums.gold(), shown.sums.open()), (1, 4));
        let per = world.labels[0];
        assert_eq!(shown.by_label[0], (per, 1, 1));
        assert_eq!(shown.by_label[1].1, 0);

        let open = list(&world, GoldQuery { open: true, ..GoldQuery::default() }).await;
        assert_eq!(open.page.total, 2);
        let with_per = GoldQuery { label: Some(per), ..GoldQuery::default() };
        assert_eq!(list(&world, with_per).await.page.total, 1);
        let sorting = Sorting { order: GoldOrder::Open, descending: true, page: 0 };
        let sorted = list(&world, GoldQuery { sorting, ..GoldQuery::default() }).await;
        assert_eq!(sorted.page.rows[0].document, world.documents[2]);
    }
}

#[tokio::test]
async fn a_span_says_who_made_it_gold_on_what_judgements() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let title = LabelSet::one(world.labels[1]);
        world.decide(0, TRAGEDY, Verdict::Accept, title).await;
        let shown = document(&world, 0, None).await;
        let [the, tragedy] = &shown.positions[..] else {
            panic!("two are gold: {:?}", shown.positions)
        };
        let labelers: Vec<_> = world.labelers.iter().map(|labeler| labeler.member).collect();
        assert_eq!(
            (the.range, &the.provenance),
            (THE, &Provenance::Unanimous { among: labelers.clone() })
        );
        let Provenance::Decided(ruling) = &tragedy.provenance else { panic!("decided") };
        assert_eq!((ruling.by, ruling.verdict), (world.reviewer.member, Verdict::Accept));
        let said: Vec<_> =
            ruling.judged.iter().map(|voice| (voice.rater, voice.labels.join("+"))).collect();
        assert_eq!(said, [(labelers[0], "TITLE".to_owned()), (labelers[1], "PER".to_owned())]);
        assert_eq!(tragedy.labels, ["TITLE"]);
        assert_eq!(shown.rejected.len(), 1);
        let open: Vec<_> = shown.open.iter().map(|open| (open.range, open.reason)).collect();
        assert_eq!(open, [(OF, OpenReason::OneSided)]);

        // The page, the sums and the file are of one mind.
        let query = GoldQuery::default();
        assert_eq!(list(&world, query).await.page.rows[0].counts.gold(), 2);
        let file = world.export_bytes(ExportWhat::Gold, ExportFormat::JsonLines).await;
        let text = String::from_utf8(file).unwrap();
        assert_eq!(text.lines().next().unwrap().matches("\"origin\"").count(), 2);
    }
}

#[tokio::test]
async fn reviewers_meet_pseudonyms_where_names_are_hidden() {
    for world in worlds(2, 1).await {
        worked_on_one(&world).await;
        let (services, project) = (&world.services, world.project);
        let shown =
            gold::document(services, &world.reviewer.actor, project, world.documents[0], None)
                .await;
        let names: Vec<_> = shown.unwrap().raters.iter().map(|rater| rater.name.clone()).collect();
        assert_eq!(names[..2], ["Labeler 1", "Labeler 2"]);
    }
}

async fn worked_on_one(world: &World) {
    let span = Span { range: THE, label: world.labels[0] };
    for labeler in 0..2 {
        world.mark(labeler, 0, &[span]).await;
        world.submit(labeler, 0).await;
    }
}

#[tokio::test]
async fn a_locked_version_stays_byte_for_byte_whatever_is_decided_or_renamed_later() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        assert_eq!(lock(&world, " v1 ").await.unwrap(), 1);
        let version = list(&world, GoldQuery::default()).await.versions.remove(0);
        assert_eq!((version.name.as_str(), version.positions, version.open), ("v1", 1, 4));
        assert_eq!((version.documents, version.guidelines_version), (3, 1));
        let before = export(&world, 1, ExportFormat::JsonLines).await;
        let conll = export(&world, 1, ExportFormat::Conll).await;
        assert_eq!(version.sha256, format!("{:x}", Sha256::digest(&before)));

        // Everything that could move does.
        world.decide(0, THE, Verdict::Relabel, LabelSet::one(world.labels[2])).await;
        world.decide(0, TRAGEDY, Verdict::Accept, LabelSet::one(world.labels[1])).await;
        let new =
            domain::NewLabel { name: "PERSON".to_owned(), ..domain::NewLabel::numbered("", 0) };
        let (services, actor) = (&world.services, &world.manager.actor);
        project::save_label(services, actor, world.project, world.labels[0], new).await.unwrap();
        assert_eq!(export(&world, 1, ExportFormat::JsonLines).await, before);
        assert_eq!(export(&world, 1, ExportFormat::Conll).await, conll);
        let then = document(&world, 0, Some(1)).await;
        assert_eq!(
            (then.positions.len(), then.positions[0].labels.join("+")),
            (1, "PER".to_owned())
        );
        assert_eq!(then.version.unwrap().number, 1);

        // A version is there once, and its documents stay.
        assert_eq!(invalid_field(lock(&world, "v1").await), "name");
        assert_eq!(lock(&world, "v2").await.unwrap(), 2);
        let delete = document::delete(services, actor, world.project, world.documents[0]).await;
        assert!(matches!(refused(delete), Refusal::Conflict(_)));
        assert_eq!(
            verification::all(&world.store).await.unwrap()[0].problems,
            Vec::<String>::new()
        );
        let live = verification::live(services, actor, world.project).await.unwrap();
        assert_eq!(live.problems, Vec::<String>::new());
    }
}

#[tokio::test]
async fn versions_are_compared_with_each_other_and_with_now() {
    for world in worlds(2, 2).await {
        worked_on(&world).await;
        lock(&world, "v1").await.unwrap();
        world.decide(0, THE, Verdict::Relabel, LabelSet::one(world.labels[2])).await;
        world.decide(0, TRAGEDY, Verdict::Accept, LabelSet::one(world.labels[1])).await;
        lock(&world, "v2").await.unwrap();
        world.decide(0, TRAGEDY, Verdict::Reject, LabelSet::EMPTY).await;
        let compare = |from, to, kind| {
            let query = GoldCompare { from, to, kind, page: 0 };
            gold::compare(&world.services, &world.reviewer.actor, world.project, query)
        };
        let found = compare(Some(1), Some(2), None).await.unwrap();
        assert_eq!((found.same, found.added, found.removed, found.relabelled), (0, 1, 0, 1));
        let rows: Vec<_> =
            found.page.rows.iter().map(|row| (row.quote.as_str(), row.kind)).collect();
        assert_eq!(rows, [("The", GoldChangeKind::Relabelled), ("Tragedy", GoldChangeKind::Added)]);
        let found = compare(Some(2), None, Some(GoldChangeKind::Removed)).await.unwrap();
        assert_eq!((found.same, found.removed, found.page.total), (1, 1, 1));
        assert_eq!(refused(compare(Some(9), None, None).await), Refusal::NotFound);
    }
}

#[tokio::test]
async fn a_page_of_the_gold_standard_takes_as_many_statements_for_many_documents() {
    let mut counts: Vec<(String, [u64; 3])> = Vec::new();
    for size in [2, 60] {
        for world in worlds(2, size).await {
            worked_on(&world).await;
            let engine = world.store.url().split(':').next().unwrap().to_owned();
            counts.push((engine, statements(&world).await));
        }
    }
    for (engine, count) in &counts {
        assert!(counts.iter().all(|(other, n)| other != engine || n == count), "{counts:?}");
    }
}

/// How many statements the list, a document and a comparison take.
async fn statements(world: &World) -> [u64; 3] {
    lock(world, "v1").await.unwrap();
    list(world, GoldQuery::default()).await;
    let start = world.store.statements();
    list(world, GoldQuery::default()).await;
    let of_list = world.store.statements();
    document(world, 0, None).await;
    let of_document = world.store.statements();
    let query = GoldCompare { from: Some(1), to: None, kind: None, page: 0 };
    gold::compare(&world.services, &world.manager.actor, world.project, query).await.unwrap();
    [of_list - start, of_document - of_list, world.store.statements() - of_document]
}

#[tokio::test]
async fn only_managers_lock_and_labelers_see_nothing_of_it() {
    for world in worlds(2, 1).await {
        worked_on_one(&world).await;
        lock(&world, "v1").await.unwrap();
        let (services, project) = (&world.services, world.project);
        let labeler = &world.labelers[0].actor;
        for actor in [labeler, &world.outsider] {
            let new = NewGoldVersion { name: "mine".to_owned(), note: String::new() };
            refused(gold::lock(services, actor, project, new).await);
            refused(gold::list(services, actor, project, GoldQuery::default()).await);
            let document = world.documents[0];
            refused(gold::document(services, actor, project, document, Some(1)).await);
            let version = ExportWhat::GoldVersion(1);
            refused(world.exported(actor, version, ExportFormat::Conll).await);
        }
        let new = NewGoldVersion { name: "reviewed".to_owned(), note: String::new() };
        let by_reviewer = gold::lock(services, &world.reviewer.actor, project, new).await;
        assert!(matches!(refused(by_reviewer), Refusal::Denied(_)));
    }
}
