//! Agreement over time: what the page shows is what the matrix shows, day by day and by round.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use crate::world::{World, worlds};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    Confidence, Error as Refusal, LabelSet, Measure, Measured, NewRound, NoInterval, Range,
    SeveralMeasure, Span, Switches, TimeSubject, TimeSwitches, TimeView, UndefinedReason, Verdict,
};
use futures::StreamExt;
use services::{
    Clock, Error, ServerKey, Services,
    agreement::{self, over_time},
    project::rounds,
};

const POSITIONS: [(u32, u32); 5] = [(0, 3), (4, 11), (15, 21), (23, 29), (33, 40)];

/// Gives the world a clock that shows this day until it is set to another.
fn on_day(world: &mut World) -> Arc<AtomicI64> {
    let day = Arc::new(AtomicI64::new(0));
    let shown = Arc::clone(&day);
    let clock = Clock::from_fn(move || {
        DateTime::<Utc>::UNIX_EPOCH + TimeDelta::days(shown.load(Ordering::Relaxed))
    });
    world.services = Services::new(world.store.clone(), clock, None, ServerKey::from([7; 32]));
    day
}

/// Has both labelers mark a document and hand it in, alike on most positions.
async fn work(world: &World, document: usize) {
    for labeler in 0..2 {
        let spans: Vec<_> = POSITIONS
            .iter()
            .enumerate()
            .map(|(place, &(start, end))| {
                let differs = labeler == 1 && (document + place).is_multiple_of(3);
                let label = (document * place + usize::from(differs)) % 3;
                Span { range: Range::new(start, end), label: world.labels[label] }
            })
            .collect();
        world.mark(labeler, document, &spans).await;
        world.submit(labeler, document).await;
    }
}

/// Two documents on each of two days, then a round with two documents on a third.
async fn history(world: &mut World) {
    let day = on_day(world);
    for (document, on) in [(0, 1), (1, 1), (2, 2), (3, 2)] {
        day.store(on, Ordering::Relaxed);
        work(world, document).await;
    }
    day.store(4, Ordering::Relaxed);
    let new = NewRound { after: 1, ..NewRound::default() };
    rounds::start(&world.services, &world.manager.actor, world.project, new).await.unwrap();
    for document in [4, 5] {
        work(world, document).await;
    }
}

async fn load(world: &World, switches: TimeSwitches) -> TimeView {
    let actor = &world.manager.actor;
    over_time::load(&world.services, actor, world.project, switches).await.unwrap()
}

#[tokio::test]
async fn up_to_the_last_day_it_is_what_the_matrix_says_of_all_labelers() {
    for mut world in worlds(2, 6).await {
        history(&mut world).await;
        let actor = &world.manager.actor;
        let stream =
            agreement::follow(&world.services, actor, world.project, Switches::default()).await;
        let mut stream = Box::pin(stream.unwrap());
        let several = loop {
            let next = stream.next().await.unwrap();
            if next.pending() == 0 {
                break next.several.clone().unwrap();
            }
        };
        for row in several.rows {
            let switches = TimeSwitches { measure: row.measure, ..TimeSwitches::default() };
            let view = load(&world, switches).await;
            let last = view.days.last().unwrap().up_to;
            assert_eq!((last.measured, last.confidence), (row.measured, row.confidence));
            assert_eq!((last.n, last.documents), (several.n, several.documents));
            assert!(matches!(last.confidence, Confidence::Interval { .. }));
        }
    }
}

#[tokio::test]
async fn each_day_and_each_round_has_its_documents() {
    for mut world in worlds(2, 6).await {
        history(&mut world).await;
        let view = load(&world, TimeSwitches::default()).await;
        let days: Vec<_> = view
            .days
            .iter()
            .map(|of| (of.day.to_string(), of.documents.len(), of.up_to.documents))
            .collect();
        let day = |day: &str, documents, up_to| (day.to_owned(), documents, up_to);
        let expected = [day("1970-01-02", 2, 2), day("1970-01-03", 2, 4), day("1970-01-05", 2, 6)];
        assert_eq!(days, expected);
        assert_eq!(view.days[0].documents[0], (world.documents[0], "document 0".to_owned()));

        let [first, second] = &view.rounds[..] else { panic!("two rounds") };
        assert_eq!((first.round.documents, first.value.documents), (4, 4));
        assert_eq!((second.round.documents, second.value.documents), (2, 2));
        // The second round is the third day and the first one the days before it.
        assert_eq!(first.value, view.days[1].up_to);
        assert_eq!(second.value, view.days[2].of_day);
        let change = second.change.unwrap();
        let value = |of: &domain::RoundPoint| of.value.measured.value().unwrap();
        assert_eq!((change.since, change.by), (1, value(second) - value(first)));
        assert_eq!(first.change, None);
    }
}

#[tokio::test]
async fn work_that_is_touched_again_moves_to_that_day() {
    for mut world in worlds(2, 2).await {
        let day = on_day(&mut world);
        for document in 0..2 {
            work(&world, document).await;
        }
        assert_eq!(load(&world, TimeSwitches::default()).await.days.len(), 1);
        day.store(3, Ordering::Relaxed);
        let year = Span::new(90, 94, world.labels[2]);
        let assignment = world.assignment(0, 1).await;
        let actor = &world.labelers[0].actor;
        let base =
            services::work::annotation::load(&world.services, actor, assignment).await.unwrap();
        let base = base.content.revision;
        services::work::annotation::reopen(&world.services, actor, assignment, base).await.unwrap();
        world.mark(0, 1, &[year]).await;
        let view = load(&world, TimeSwitches::default()).await;
        let days: Vec<_> = view.days.iter().map(|of| of.day.to_string()).collect();
        assert_eq!(days, ["1970-01-01", "1970-01-04"]);
        assert_eq!(view.days[0].of_day.confidence, Confidence::None(NoInterval::OneDocument));
    }
}

#[tokio::test]
async fn labelers_are_followed_against_the_reviewers_too() {
    for mut world in worlds(2, 2).await {
        let day = on_day(&mut world);
        let with = TimeSwitches { subject: TimeSubject::Reviewers, ..TimeSwitches::default() };
        for document in 0..2 {
            work(&world, document).await;
        }
        assert_eq!(load(&world, with).await.days, [], "nothing is reviewed yet");
        let nothing = load(&world, with).await.rounds[0].value;
        assert_eq!(nothing.measured, Measured::Undefined(UndefinedReason::NoSharedDocuments));
        day.store(2, Ordering::Relaxed);
        for document in 0..2 {
            for (place, (start, end)) in POSITIONS[..3].iter().enumerate() {
                let label = LabelSet::one(world.labels[(document * place) % 3]);
                world.decide(document, Range::new(*start, *end), Verdict::Accept, label).await;
            }
        }
        let view = load(&world, with).await;
        assert_eq!((view.labelers, view.reviewers, view.days.len()), (2, 1, 1));
        assert_eq!(view.days[0].day.to_string(), "1970-01-03");
        // Three positions of each of two labelers in each of two documents.
        assert_eq!(view.days[0].of_day.n, 12);
        let matrix = Switches { measure: Measure::Percent, ..Switches::default() };
        let percent = TimeSwitches { measure: SeveralMeasure::Percent, ..with };
        let actor = &world.manager.actor;
        let snapshot = agreement::snapshot(&world.services, actor, world.project, matrix).await;
        let snapshot = snapshot.unwrap();
        let with_reviewer = |labeler: usize| {
            let cell = snapshot.cell(world.labelers[labeler].member, world.reviewer.member);
            cell.unwrap().measured.value().unwrap()
        };
        let mean = f64::midpoint(with_reviewer(0), with_reviewer(1));
        let pooled = load(&world, percent).await.days[0].up_to.measured.value().unwrap();
        assert!((pooled - mean).abs() < 1e-12);
    }
}

#[tokio::test]
async fn it_is_for_managers_and_reviewers_and_only_managers_start_rounds_from_it() {
    for world in worlds(2, 1).await {
        let services = &world.services;
        let see = async |actor| {
            over_time::load(services, actor, world.project, TimeSwitches::default()).await
        };
        let next = async |actor| over_time::next_round(services, actor, world.project).await;
        see(&world.manager.actor).await.unwrap();
        see(&world.reviewer.actor).await.unwrap();
        assert_eq!(next(&world.manager.actor).await.unwrap().unwrap().untouched, 1);
        assert_eq!(next(&world.reviewer.actor).await.unwrap(), None);
        let labeler = &world.labelers[0].actor;
        for refused in [see(labeler).await.err(), next(labeler).await.err()] {
            assert!(matches!(refused, Some(Error::Refused(Refusal::Denied(_)))));
        }
        for refused in [see(&world.outsider).await.err(), next(&world.outsider).await.err()] {
            assert!(matches!(refused, Some(Error::Refused(Refusal::NotFound))));
        }
    }
}

#[tokio::test]
async fn the_number_of_statements_does_not_depend_on_what_there_is() {
    for mut world in worlds(2, 6).await {
        let before = world.services.statements();
        load(&world, TimeSwitches::default()).await;
        let of_nothing = world.services.statements() - before;
        history(&mut world).await;
        let before = world.services.statements();
        load(&world, TimeSwitches::default()).await;
        assert!(world.services.statements() - before <= of_nothing);
    }
}
