//! `α_U` of all labelers: computed beside the requests, of exactly what is exported.

use std::{sync::Arc, time::Duration};

use crate::world::{TEXT, World, worlds};
use ::agreement::{
    Continuum, Unit, alpha_u,
    inference::{Level, Resampling, bootstrap},
};
use domain::{
    Confidence, Documents, Filter, Measured, PolicyChoice, Range, Span, Switches, UndefinedReason,
    Unitizing,
};
use futures::StreamExt;
use serde_json::Value;
use services::{
    Services,
    agreement::{self, MatrixFormat},
    work::annotation,
};

/// Three labelers mark every document and hand it in; the third marks nothing at all.
async fn work(world: &World) {
    for document in 0..world.documents.len() {
        for labeler in 0..3 {
            let marks = [(0, 3), (4, 11), (15, 21), (23, 29), (33, 40)].into_iter().enumerate();
            let spans: Vec<_> = marks
                .filter(|(place, _)| labeler < 2 && (place + labeler * document) % 5 != 3)
                .map(|(place, (start, end))| {
                    let later = u32::from(labeler == 1 && (document + place) % 3 == 0);
                    let label = world.labels[(document + place) % 2];
                    Span { range: Range::new(start + later, end), label }
                })
                .collect();
            world.mark(labeler, document, &spans).await;
            world.submit(labeler, document).await;
        }
    }
}

/// `α_U` once it is there.
async fn settled(services: &Arc<Services>, world: &World, switches: Switches) -> Unitizing {
    let actor = &world.manager.actor;
    let stream = agreement::follow(services, actor, world.project, switches).await.unwrap();
    let mut stream = Box::pin(stream);
    loop {
        let next = tokio::time::timeout(Duration::from_mins(1), stream.next());
        let next = next.await.unwrap().unwrap();
        if let Some(unitizing) = next.several.as_ref().and_then(|several| several.unitizing) {
            return unitizing;
        }
    }
}

/// What is known at once.
async fn known(world: &World, switches: Switches) -> Option<Unitizing> {
    let (services, actor) = (&world.services, &world.manager.actor);
    let snapshot = agreement::snapshot(services, actor, world.project, switches).await.unwrap();
    snapshot.several.clone().unwrap().unitizing
}

/// The exported units of each document, and how many labelers there are.
async fn exported(world: &World, switches: Switches) -> (Vec<Vec<Unit<String>>>, usize) {
    let (services, actor) = (&world.services, &world.manager.actor);
    let file = agreement::units(services, actor, world.project, switches).await.unwrap();
    let text = String::from_utf8(file.body).unwrap();
    let mut raters: Vec<String> = Vec::new();
    let length = TEXT.chars().count();
    let documents = file.file_name.split(['-', '.']).rev().nth(1).unwrap();
    let documents = documents.parse::<usize>().unwrap() / length;
    let mut units = vec![Vec::new(); documents];
    for line in text.lines().skip(1) {
        let cells: Vec<_> = line.split(',').collect();
        let rater = raters.iter().position(|name| name == cells[0]).unwrap_or_else(|| {
            raters.push(cells[0].to_owned());
            raters.len() - 1
        });
        if cells[1].is_empty() {
            continue;
        }
        let [start, end] = [cells[1], cells[2]].map(|cell| cell.parse::<usize>().unwrap());
        let (start, length) = (start, end - start);
        let document = start / TEXT.chars().count();
        units[document].push(Unit {
            rater,
            start: u64::try_from(start % TEXT.chars().count()).unwrap(),
            length: u64::try_from(length).unwrap(),
            category: cells[3].to_owned(),
        });
    }
    (units, raters.len())
}

/// Documents end to end, each so many times.
fn joined(units: &[Vec<Unit<String>>], raters: usize, times: &[u32]) -> Continuum<String> {
    let length = u64::try_from(TEXT.chars().count()).unwrap();
    let (mut all, mut begin) = (Vec::new(), 0);
    for (units, times) in units.iter().zip(times) {
        for _ in 0..*times {
            let moved = units.iter().cloned();
            all.extend(moved.map(|unit| Unit { start: unit.start + begin, ..unit }));
            begin += length;
        }
    }
    Continuum::new(0, begin, raters, all).unwrap()
}

#[tokio::test]
async fn value_and_interval_are_those_of_the_exported_units() {
    for world in worlds(3, 4).await {
        work(&world).await;
        for &policy in PolicyChoice::ALL {
            let label = Some(world.labels[0]);
            for filter in [Filter::NONE, Filter { label, ..Filter::NONE }] {
                let switches = Switches { policy, filter, ..Switches::default() };
                let told = settled(&world.services, &world, switches).await;
                let (units, raters) = exported(&world, switches).await;
                assert_eq!((told.labelers, told.documents), (3, 4));
                assert_eq!((raters, units.len()), (3, 4));
                let count: usize = units.iter().map(Vec::len).sum();
                assert_eq!(told.spans, u64::try_from(count).unwrap());
                let value = alpha_u(&joined(&units, raters, &[1; 4])).unwrap().value;
                assert_eq!(told.measured.value(), Some(value));

                let (services, actor) = (&world.services, &world.manager.actor);
                let (project, format) = (world.project, MatrixFormat::Json);
                let file = agreement::export(services, actor, project, switches, format);
                let file: Value = serde_json::from_slice(&file.await.unwrap().body).unwrap();
                let resampling = Resampling {
                    resamples: file["resamples"].as_u64().unwrap().try_into().unwrap(),
                    seed: file["seed"].as_str().unwrap().parse().unwrap(),
                };
                let drawn = bootstrap(units.len(), resampling, |times| {
                    Ok(alpha_u(&joined(&units, raters, times))?.value)
                });
                let interval = drawn.unwrap().percentile(Level::P95);
                let expected =
                    Confidence::Interval { lower: interval.lower, upper: interval.upper };
                assert_eq!(told.confidence, expected);
            }
        }
    }
}

#[tokio::test]
async fn units_are_pending_until_told_and_a_save_of_a_labeler_makes_them_pending_again() {
    for world in worlds(3, 3).await {
        work(&world).await;
        let switches = Switches::default();
        assert_eq!(known(&world, switches).await, None);
        let told = settled(&world.services, &world, switches).await;
        assert_eq!(known(&world, switches).await, Some(told));
        let empty_label = Switches { policy: PolicyChoice::EmptyLabel, ..switches };
        let submitted = Switches { documents: Documents::Submitted, ..switches };
        let of_submitted = settled(&world.services, &world, submitted).await;
        assert_eq!(known(&world, empty_label).await, Some(of_submitted), "the same documents");
        let assignment = world.assignment(2, 0).await;
        let actor = &world.labelers[2].actor;
        let view = annotation::load(&world.services, actor, assignment).await.unwrap();
        let base = view.content.revision;
        annotation::reopen(&world.services, actor, assignment, base).await.unwrap();
        assert_eq!(known(&world, switches).await, None);
        let fewer = settled(&world.services, &world, submitted).await;
        assert_eq!((fewer.labelers, fewer.documents), (3, 2), "not all have submitted it");
        assert_eq!(settled(&world.services, &world, switches).await.documents, 3);
    }
}

#[tokio::test]
async fn without_a_value_there_is_a_reason() {
    for world in worlds(2, 2).await {
        let switches = Switches::default();
        let reason = async |reason| {
            let told = settled(&world.services, &world, switches).await;
            assert_eq!(told.measured, Measured::Undefined(reason));
        };
        reason(UndefinedReason::NoDocumentOfAll).await;
        world.mark(0, 0, &[]).await;
        world.mark(1, 1, &[]).await;
        reason(UndefinedReason::NoDocumentOfAll).await;
        world.mark(1, 0, &[]).await;
        reason(UndefinedReason::NobodyMarked).await;
        let label = world.labels[0];
        world.mark(0, 0, &[Span::new(0, 5, label), Span::new(3, 8, label)]).await;
        reason(UndefinedReason::OverlappingSpans).await;
    }
}
