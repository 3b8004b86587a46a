//! The overview: its numbers are those of the pages that they lead to.

use crate::{
    house::refused,
    world::{World, worlds},
};
use domain::{
    AdviceKind, DisagreementFilter, DisagreementQuery, Documents, Funnel, LabelSet, Measured,
    Overview, PolicyChoice, PositionOutcome, PositionQuery, Range, SeveralMeasure, Span, Verdict,
    Whose,
};
use services::{
    agreement::{self, disagreements},
    overview::{self, SWITCHES, headline_switches},
    review::{counted, disputes},
};

async fn overview(world: &World) -> Overview {
    overview::load(&world.services, &world.manager.actor, world.project).await.unwrap()
}

/// Three labelers on three documents, of which the third is one labeler's alone; the third labeler says
/// otherwise than the others. A reviewer has decided one position.
async fn worked_on(world: &World) {
    let [per, title, year] = world.labels[..] else { panic!("three labels") };
    let spans =
        |label| -> Vec<Span> { (0..8).map(|at| Span::new(at * 3, at * 3 + 2, label)).collect() };
    for document in 0..2 {
        let mut one = spans(per);
        one[0].label = title;
        world.mark(0, document, &one).await;
        world.mark(1, document, &one).await;
        let mut other = spans(year);
        other[0].label = title;
        other.truncate(5);
        world.mark(2, document, &other).await;
        for labeler in 0..3 {
            world.submit(labeler, document).await;
        }
    }
    world.mark(0, 2, &spans(per)).await;
    world.submit(0, 2).await;
    world.decide(0, Range::new(3, 5), Verdict::Accept, LabelSet::one(per)).await;
}

#[tokio::test]
async fn the_headlines_are_those_of_the_matrix_under_both_policies() {
    for world in worlds(3, 3).await {
        worked_on(&world).await;
        // The course is computed while the first one looks.
        let mut shown = overview(&world).await;
        while shown.courses.iter().any(|course| course.days.is_empty()) {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            shown = overview(&world).await;
        }
        let numbers = shown.headlines.numbers;
        let policies: Vec<_> = numbers.iter().map(|number| number.policy).collect();
        assert_eq!(policies, PolicyChoice::HEADLINES);
        for (headline, course) in numbers.into_iter().zip(shown.courses) {
            let (services, actor) = (&world.services, &world.manager.actor);
            let switches = headline_switches(headline.policy);
            let matrix =
                agreement::snapshot(services, actor, world.project, switches).await.unwrap();
            let several = matrix.several.as_ref().unwrap();
            let alpha = several.rows.iter().find(|row| row.measure == SeveralMeasure::Alpha);
            assert_eq!(headline.measured, alpha.unwrap().measured);
            assert!(matches!(headline.measured, Measured::Value { .. }));
            assert_eq!((headline.n, headline.documents), (several.n, several.documents));
            let last = course.days.last().unwrap();
            assert_eq!(last.1.measured, headline.measured);
        }
    }
}

#[tokio::test]
async fn every_count_is_that_of_the_list_that_it_leads_to() {
    for world in worlds(3, 3).await {
        worked_on(&world).await;
        let shown = overview(&world).await;
        let (services, actor, project) = (&world.services, &world.manager.actor, world.project);
        let Funnel { documents, annotated, compared, positions, disputed, undecided, decisions } =
            shown.funnel;
        assert_eq!((documents, annotated, compared), (3, 3, 2));
        assert_eq!((positions, disputed, undecided), (16, 14, 13));
        assert_eq!(shown.funnel.settled(), 3);

        let count =
            async |query| counted::list(services, actor, project, query).await.unwrap().positions;
        let of_labelers = PositionQuery::of(Whose::Labelers, SWITCHES);
        assert_eq!(count(of_labelers.clone()).await, positions);
        let differ = PositionQuery { outcome: PositionOutcome::Differ, ..of_labelers.clone() };
        assert_eq!(count(differ).await, disputed);
        assert_eq!(shown.confusions.len(), 2);
        for confusion in &shown.confusions {
            let query = PositionQuery {
                said: Some(confusion.one.clone()),
                against: Some(confusion.other.clone()),
                ..of_labelers.clone()
            };
            assert_eq!(count(query).await, confusion.positions, "{confusion:?}");
        }
        let filter = DisagreementFilter {
            documents: Documents::Submitted,
            decided: Some(false),
            ..DisagreementFilter::default()
        };
        let query = DisagreementQuery { filter, ..DisagreementQuery::default() };
        let list = disagreements::list(services, actor, project, query).await.unwrap();
        assert_eq!(list.page.total, undecided);
        let list = disputes::list(services, actor, project, query).await.unwrap();
        assert_eq!((list.page.total, list.positions), (decisions, undecided));
        let of_documents: u64 =
            shown.documents.iter().map(|document| document.disputed - document.decided).sum();
        assert_eq!(of_documents, undecided);
    }
}

#[tokio::test]
async fn the_advice_names_who_and_what_it_is_about() {
    for world in worlds(3, 3).await {
        worked_on(&world).await;
        let shown = overview(&world).await;
        let third = world.labelers[2].member;
        assert_eq!(shown.people[0].rater.id, third);
        let talk = shown.advice.iter().find_map(|advice| match &advice.what {
            AdviceKind::Retrain { member, name, .. } => Some((*member, name.clone())),
            _ => None,
        });
        assert_eq!(talk, Some((third, "labeler-4".to_owned())));
        let decide = |advice: &domain::Advice| {
            matches!(advice.what, AdviceKind::Decide { positions: 13, .. })
        };
        assert!(shown.advice.iter().any(decide), "{:?}", shown.advice);
        assert!(!shown.sittings.is_empty());
        assert_eq!(shown.pace.counts.submitted, 7);
    }
}

#[tokio::test]
async fn a_project_without_work_is_shown_and_nobody_but_managers_sees_it() {
    for world in worlds(1, 0).await {
        let shown = overview(&world).await;
        assert_eq!(shown.funnel, Funnel::default());
        assert!(shown.advice.is_empty() && shown.people.is_empty() && shown.pace.done.is_none());
        assert!(shown.headlines.numbers.iter().all(|number| number.measured.value().is_none()));
        for actor in [&world.reviewer.actor, &world.labelers[0].actor, &world.outsider] {
            refused(overview::load(&world.services, actor, world.project).await);
        }
    }
}
