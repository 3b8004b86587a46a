//! The adjudication list and what is exported of it.

use crate::world::{World, worlds};
use domain::{
    DisagreementFilter, DisagreementKind, DisagreementQuery, Documents, ExportFormat, ExportWhat,
    Judgement, LabelSet, Range, Span, Verdict,
};
use services::{
    agreement::disagreements,
    document::export::{self, ListFormat},
};

/// Two labelers: one position alike, one in conflict, one overlapping, one one-sided.
async fn differing(world: &World) {
    let [per, title, _] = world.labels[..] else { panic!("three labels") };
    let both = Span::new(0, 3, per);
    world
        .mark(
            0,
            0,
            &[both, Span::new(4, 11, per), Span::new(15, 21, per), Span::new(90, 94, title)],
        )
        .await;
    world.mark(1, 0, &[both, Span::new(4, 11, title), Span::new(15, 22, per)]).await;
    world.submit(0, 0).await;
    world.submit(1, 0).await;
}

async fn kinds(world: &World, filter: DisagreementFilter) -> Vec<(u32, DisagreementKind)> {
    let query = DisagreementQuery { filter, ..DisagreementQuery::default() };
    let list =
        disagreements::list(&world.services, &world.manager.actor, world.project, query).await;
    list.unwrap().page.rows.iter().map(|row| (row.range.start, row.kind)).collect()
}

#[tokio::test]
async fn each_position_on_which_raters_differ_is_listed_with_its_kind() {
    for world in worlds(2, 1).await {
        differing(&world).await;
        assert_eq!(
            kinds(&world, DisagreementFilter::default()).await,
            [
                (4, DisagreementKind::Label),
                (15, DisagreementKind::Boundary),
                (15, DisagreementKind::Boundary),
                (90, DisagreementKind::OneSided),
            ]
        );
    }
}

#[tokio::test]
async fn filters_narrow_the_list() {
    for world in worlds(2, 2).await {
        differing(&world).await;
        let all = DisagreementFilter::default();
        let title = Some(world.labels[1]);
        assert_eq!(kinds(&world, DisagreementFilter { label: title, ..all }).await.len(), 2);
        let one_sided = Some(DisagreementKind::OneSided);
        assert_eq!(kinds(&world, DisagreementFilter { kind: one_sided, ..all }).await.len(), 1);
        let elsewhere = Some(world.documents[1]);
        assert_eq!(kinds(&world, DisagreementFilter { document: elsewhere, ..all }).await, []);
        world.decide(0, Range::new(4, 11), Verdict::Reject, LabelSet::EMPTY).await;
        let decided = DisagreementFilter { decided: Some(true), ..all };
        assert_eq!(kinds(&world, decided).await, [(4, DisagreementKind::Label)]);
        let first = Some(world.labelers[0].member);
        let pair = DisagreementFilter { first, second: Some(world.reviewer.member), ..all };
        assert_eq!(kinds(&world, pair).await, [(4, DisagreementKind::Label)]);
        let submitted = DisagreementFilter { documents: Documents::Submitted, ..all };
        assert_eq!(kinds(&world, submitted).await.len(), 4);
    }
}

#[tokio::test]
async fn a_row_shows_quote_context_judgements_and_decision() {
    for world in worlds(2, 1).await {
        differing(&world).await;
        world.decide(0, Range::new(4, 11), Verdict::Reject, LabelSet::EMPTY).await;
        let query = DisagreementQuery::default();
        let list = disagreements::list(&world.services, &world.manager.actor, world.project, query)
            .await
            .unwrap();
        let row = &list.page.rows[0];
        assert_eq!(row.quote, "Tragedy");
        assert!(row.left.ends_with("The ") && row.right.starts_with(" of Hamlet"));
        assert_eq!(
            row.judgements,
            [
                Judgement::Labels(LabelSet::one(world.labels[0])),
                Judgement::Labels(LabelSet::one(world.labels[1])),
                Judgement::Labels(LabelSet::EMPTY),
            ]
        );
        let decision = row.decision.as_ref().unwrap();
        assert_eq!((decision.verdict, decision.by.as_str()), (Verdict::Reject, "reviewer-1"));
    }
}

#[tokio::test]
async fn an_export_holds_the_rows_of_the_list_and_the_gold_standard_what_was_decided() {
    for world in worlds(2, 1).await {
        differing(&world).await;
        let title = LabelSet::one(world.labels[1]);
        world.decide(0, Range::new(4, 11), Verdict::Accept, title).await;
        let actor = &world.manager.actor;
        let query = DisagreementQuery::default();
        let (services, project) = (&world.services, world.project);
        let csv =
            export::disagreements(services, actor, project, query, ListFormat::Csv).await.unwrap();
        assert_eq!(String::from_utf8(csv.body).unwrap().lines().count(), 1 + 4);
        let lines = export::disagreements(services, actor, project, query, ListFormat::JsonLines)
            .await
            .unwrap();
        assert_eq!(String::from_utf8(lines.body).unwrap().lines().count(), 4);
        let gold = world.export_bytes(ExportWhat::Gold, ExportFormat::JsonLines).await;
        let gold: serde_json::Value = serde_json::from_slice(&gold).unwrap();
        let spans: Vec<_> = gold["spans"]
            .as_array()
            .unwrap()
            .iter()
            .map(|span| (span["start"].as_u64().unwrap(), span["origin"].as_str().unwrap()))
            .collect();
        assert_eq!(spans, [(0, "unanimous"), (4, "reviewer")]);
    }
}
