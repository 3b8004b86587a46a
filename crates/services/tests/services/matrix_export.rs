//! What is taken away is enough to compute every number of the matrix again.

use std::{sync::Arc, time::Duration};

use crate::world::{World, worlds};
use ::agreement::{
    Contingency, NominalTally, SpanCounts, Undefined,
    inference::{Level, PairUnits, Resampling},
};
use domain::{
    Confidence, Error as Refusal, Measure, Measured, PolicyChoice, PositionKind, Range, Span,
    Switches,
};
use futures::StreamExt;
use serde_json::Value;
use services::{
    Error, Services,
    agreement::{self, MatrixFormat},
};

/// Has three labelers mark every document, with differences and gaps, and hand it in.
async fn work(world: &World) {
    for document in 0..world.documents.len() {
        for labeler in 0..3 {
            let marks = [(0, 3), (4, 11), (15, 21), (23, 29), (33, 40)].into_iter().enumerate();
            let spans: Vec<_> = marks
                .filter(|(place, _)| (place + labeler * document) % 5 != 3)
                .map(|(place, (start, end))| {
                    let differs = labeler == 1 && (document + place) % 3 == 0;
                    let label = (document * place + usize::from(differs)) % 3;
                    Span { range: Range::new(start, end), label: world.labels[label] }
                })
                .collect();
            world.mark(labeler, document, &spans).await;
            world.submit(labeler, document).await;
        }
    }
}

async fn wait(services: &Arc<Services>, world: &World, switches: Switches) {
    let actor = &world.manager.actor;
    let stream = agreement::follow(services, actor, world.project, switches).await.unwrap();
    let mut stream = Box::pin(stream);
    let patience = Duration::from_mins(1);
    while tokio::time::timeout(patience, stream.next()).await.unwrap().unwrap().pending() > 0 {}
}

async fn exported(world: &World, switches: Switches, format: MatrixFormat) -> Vec<u8> {
    let (services, actor) = (&world.services, &world.manager.actor);
    let file = agreement::export(services, actor, world.project, switches, format).await.unwrap();
    file.body
}

/// A table of places in the list of categories.
fn table(counts: &Value) -> Contingency<u64> {
    let mut table = Contingency::new();
    for cell in counts.as_array().unwrap() {
        let number = |place: usize| cell[place].as_u64().unwrap();
        table.add_count(number(0), number(1), number(2));
    }
    table
}

/// The measure as the crate computes it, with nothing of the server's.
fn value<C: Ord + Clone>(
    table: &Contingency<C>,
    measure: Measure,
    q: usize,
    none: Option<&C>,
) -> Result<f64, Undefined> {
    let value = |coefficient: Result<::agreement::Coefficient, _>| coefficient.map(|c| c.value);
    match measure {
        Measure::Kappa => value(::agreement::cohen_kappa(table)),
        Measure::Alpha => value(::agreement::krippendorff_alpha_nominal(table)),
        Measure::Pi => value(::agreement::scott_pi(table)),
        Measure::S => value(::agreement::bennett_s(table, q)),
        Measure::Ac1 => value(::agreement::gwet_ac1(&NominalTally::from(table), q)),
        Measure::Percent => value(::agreement::percent(table)),
        Measure::F1 => {
            let of = |total: &dyn Fn(&C) -> u64| none.map_or(0, total);
            let matched = table.agreements() - of(&|none| table.count(none, none));
            let gold = table.total() - of(&|none| table.row_total(none));
            let found = table.total() - of(&|none| table.column_total(none));
            SpanCounts { matched, gold, found }.f1()
        }
        graded => unreachable!("{graded} of labels"),
    }
}

#[tokio::test]
async fn values_and_intervals_follow_from_the_exported_counts() {
    for world in worlds(3, 5).await {
        work(&world).await;
        for measure in Measure::OF_LABELS {
            for &policy in PolicyChoice::ALL {
                let switches = Switches { measure, policy, ..Switches::default() };
                wait(&world.services, &world, switches).await;
                let body = exported(&world, switches, MatrixFormat::Json).await;
                let file: Value = serde_json::from_slice(&body).unwrap();
                for pair in file["pairs"].as_array().unwrap() {
                    check(pair, &file["resamples"], switches);
                }
            }
        }
    }
}

fn check(pair: &Value, resamples: &Value, switches: Switches) {
    let measure = switches.measure;
    let documents: Vec<_> =
        pair["by_document"].as_array().unwrap().iter().map(|of| table(&of["counts"])).collect();
    let mut pooled = Contingency::new();
    for document in &documents {
        pooled.merge(document);
    }
    assert_eq!(pooled, table(&pair["counts"]), "{measure}");
    let q = usize::try_from(pair["choices"].as_u64().unwrap()).unwrap();
    let names = pair["categories"].as_array().unwrap().iter().zip(0..);
    let none = names.clone().find(|(name, _)| *name == "∅").map(|(_, place)| place);
    let measured: Measured = serde_json::from_value(pair["measured"].clone()).unwrap();
    let computed = value(&pooled, measure, q, none.as_ref()).ok();
    assert_eq!(measured.value().is_some(), computed.is_some(), "{measure}");
    let Some((shown, computed)) = measured.value().zip(computed) else { return };
    assert!(is_same(shown, computed), "{measure}: {shown} {computed}");
    let is_exact = switches.policy.positions() == PositionKind::Exact;
    let interval = if measure == Measure::Kappa && is_exact {
        ::agreement::inference::cohen_kappa_estimate(&pooled).unwrap().interval(Level::P95)
    } else {
        let resampling = Resampling {
            resamples: u32::try_from(resamples.as_u64().unwrap()).unwrap(),
            seed: pair["seed"].as_str().unwrap().parse().unwrap(),
        };
        let none = none.as_ref();
        PairUnits::documents(&documents)
            .bootstrap(resampling, |table| value(table, measure, q, none.as_ref()))
            .unwrap()
            .percentile(Level::P95)
    };
    match serde_json::from_value(pair["confidence"].clone()).unwrap() {
        Confidence::Interval { lower, upper } => {
            let is_told = is_same(lower, interval.lower) && is_same(upper, interval.upper);
            assert!(is_told, "{measure}: {lower} to {upper}, not {interval:?}");
        }
        other => panic!("{measure}: {other:?}"),
    }
}

/// The reader of JSON may miss the last bit of a number.
fn is_same(read: f64, computed: f64) -> bool {
    (read - computed).abs() <= 4.0 * f64::EPSILON
}

#[tokio::test]
async fn the_table_has_a_row_for_every_cell_that_counts() {
    for world in worlds(3, 2).await {
        work(&world).await;
        let csv = exported(&world, Switches::default(), MatrixFormat::Csv).await;
        let json = exported(&world, Switches::default(), MatrixFormat::Json).await;
        let file: Value = serde_json::from_slice(&json).unwrap();
        let cells = |pair: &Value| pair["counts"].as_array().unwrap().len().max(1);
        let rows: usize = file["pairs"].as_array().unwrap().iter().map(cells).sum();
        let csv = String::from_utf8(csv).unwrap();
        assert_eq!(csv.lines().count(), rows + 1);
        assert!(csv.contains("labeler-2") && csv.contains(",PER,PER,"));
    }
}

#[tokio::test]
async fn a_reviewer_takes_pseudonyms_away_and_a_labeler_nothing() {
    for world in worlds(3, 1).await {
        work(&world).await;
        let export = async |actor| {
            let switches = Switches::default();
            let (services, format) = (&world.services, MatrixFormat::Csv);
            agreement::export(services, actor, world.project, switches, format).await
        };
        let file = export(&world.reviewer.actor).await.unwrap();
        assert!(!String::from_utf8(file.body).unwrap().contains("labeler-2"));
        let refused = export(&world.labelers[0].actor).await;
        assert!(matches!(refused, Err(Error::Refused(Refusal::Denied(_)))));
        let refused = export(&world.outsider).await;
        assert!(matches!(refused, Err(Error::Refused(Refusal::NotFound))));
    }
}
