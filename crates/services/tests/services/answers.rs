//! Answers that are several choices, or numbers on a scale: kept as they are given, and compared by what they are.

use std::collections::BTreeSet;

use agreement::{
    CoincidenceTally, Contingency, Interval, Intraclass, Item, Masi, MeanSquares, Ordinal, Rated,
    Ratings, Ratio, Scheme, Weights, gwet_ac2,
    inference::{Level, intraclass_interval},
    intraclass_correlation, krippendorff_alpha, weighted_kappa,
};
use domain::{
    AgreementSnapshot, Answer, AnswerKind, AttributeId, Confidence, Fact, Filter, LabelId, Measure,
    Measured, NewAttribute, PolicyChoice, Scale, Span, Switches, UndefinedReason,
};
use services::{agreement as matrix, project, work::annotation};

use crate::world::{World, worlds};

async fn ask(world: &World, kind: AnswerKind, choices: &str) -> AttributeId {
    let new = NewAttribute::typed("Asked", (kind, choices), false, true).unwrap();
    let (actor, project) = (&world.manager.actor, world.project);
    project::create_attribute(&world.services, actor, project, LabelId::DOCUMENT, new)
        .await
        .unwrap()
}

async fn answer(world: &World, labeler: usize, document: usize, fact: Fact) {
    world.change(labeler, document, &[], &[fact]).await;
}

fn asking(question: AttributeId, measure: Measure) -> Switches {
    let filter = Filter { question: Some(question), ..Filter::NONE };
    Switches { measure, filter, ..Switches::default() }
}

/// The matrix once all intervals are there.
async fn settled(world: &World, switches: Switches) -> AgreementSnapshot {
    loop {
        let (services, actor) = (&world.services, &world.manager.actor);
        let seen = matrix::snapshot(services, actor, world.project, switches).await.unwrap();
        if seen.pending() == 0 {
            return (**seen).clone();
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

fn assert_near(found: Option<f64>, expected: f64, what: &str) {
    let found = found.unwrap_or(f64::NAN);
    assert!((found - expected).abs() < 1e-9, "{what}: {found}, not {expected}");
}

/// Halves from 0 to 10, by three labelers on six documents.
const NUMBERS: [[u16; 3]; 6] =
    [[4, 4, 6], [10, 12, 10], [0, 2, 1], [20, 18, 20], [8, 8, 8], [14, 10, 15]];

#[tokio::test]
async fn numbers_are_compared_by_how_far_they_are_apart_of_pairs_and_of_all_labelers() {
    for world in worlds(4, 6).await {
        // Somebody who has answered nothing yet keeps nobody from being compared.
        world.mark(3, 0, &[Span::new(0, 3, world.labels[0])]).await;
        let scale = Scale::typed(["0", "10", "0.5"], ["none", "all"]).unwrap();
        let question = ask(&world, AnswerKind::Number(scale), "").await;
        for (document, places) in NUMBERS.into_iter().enumerate() {
            for (labeler, place) in places.into_iter().enumerate() {
                let fact = Fact::chosen(Span::DOCUMENT, question, place);
                answer(&world, labeler, document, fact).await;
            }
        }
        let of_pair = |a: usize, b: usize| NUMBERS.map(|places| [places[a], places[b]]);
        let mut table = Contingency::new();
        for [one, other] in of_pair(0, 1) {
            table.add_count(one, other, 1);
        }
        let tally = |items: Vec<Vec<u16>>| {
            let mut tally = CoincidenceTally::new();
            for item in items {
                tally.add(&Item::from_iter(item)).unwrap();
            }
            tally
        };
        let two = tally(of_pair(0, 1).map(Vec::from).into());
        let all = tally(NUMBERS.map(Vec::from).into());
        let weights = Weights::by_value(Scheme::Quadratic, 0..=20_u16).unwrap();
        let kappa = weighted_kappa(&table, &Interval).unwrap().value;
        let graded = |tally: &CoincidenceTally<u16>, measure| match measure {
            Measure::AlphaInterval => krippendorff_alpha(tally, &Interval).unwrap().value,
            Measure::AlphaOrdinal => krippendorff_alpha(tally, &Ordinal::of(tally)).unwrap().value,
            Measure::AlphaRatio => krippendorff_alpha(tally, &Ratio).unwrap().value,
            _ => gwet_ac2(tally, &weights).unwrap().value,
        };
        for measure in
            [Measure::AlphaInterval, Measure::AlphaOrdinal, Measure::AlphaRatio, Measure::Ac2]
        {
            let seen = settled(&world, asking(question, measure)).await;
            let what = measure.to_string();
            assert_near(seen.cells[0].measured.value(), graded(&two, measure), &what);
            let row = seen.several.as_ref().unwrap().graded.unwrap();
            assert_near(row.measured.value(), graded(&all, measure), &what);
            let Confidence::Interval { lower, upper } = row.confidence else {
                panic!("{measure}: {:?}", row.confidence)
            };
            let value = row.measured.value().unwrap();
            assert!(lower < value && value < upper, "{measure}: {lower} {value} {upper}");
        }
        let seen = settled(&world, asking(question, Measure::WeightedKappa)).await;
        assert_near(seen.cells[0].measured.value(), kappa, "weighted κ");
        assert_eq!(seen.several.unwrap().graded, None, "weighted κ is of two");

        let squares = |rows: Vec<Vec<u16>>| {
            let rows = rows.into_iter().map(|row| row.into_iter().map(Some).collect::<Vec<_>>());
            let study = Ratings::from_rows(rows).unwrap();
            // Of a correlation it makes no difference how wide a step is.
            MeanSquares::of(&study, |place| f64::from(*place)).unwrap()
        };
        let two = squares(of_pair(0, 1).map(Vec::from).into());
        let all = squares(NUMBERS.map(Vec::from).into());
        for (measure, model, rated) in [
            (Measure::Icc1, Intraclass::OneWay, Rated::Once),
            (Measure::IccA1, Intraclass::Agreement, Rated::Once),
            (Measure::IccC1, Intraclass::Consistency, Rated::Once),
            (Measure::IccK, Intraclass::OneWay, Rated::ByAll),
            (Measure::IccAk, Intraclass::Agreement, Rated::ByAll),
            (Measure::IccCk, Intraclass::Consistency, Rated::ByAll),
        ] {
            let seen = settled(&world, asking(question, measure)).await;
            let row = seen.several.as_ref().unwrap().graded.unwrap();
            assert_eq!(row.n, 6);
            let pooled = Measured::Undefined(UndefinedReason::NotPooled);
            assert!(seen.pooled.iter().all(|cell| cell.measured == pooled), "{measure}");
            let cell = &seen.cells[0];
            for (squares, measured, confidence) in
                [(&two, cell.measured, cell.confidence), (&all, row.measured, row.confidence)]
            {
                let expected = intraclass_correlation(squares, model, rated).unwrap();
                assert_near(measured.value(), expected, measure.name());
                let interval = intraclass_interval(squares, model, rated, Level::P95).unwrap();
                let Confidence::Interval { lower, upper } = confidence else {
                    panic!("{measure}: {confidence:?}")
                };
                assert_near(Some(lower), interval.lower, measure.name());
                assert_near(Some(upper), interval.upper, measure.name());
            }
            let (services, actor) = (&world.services, &world.manager.actor);
            let [first, second] = [seen.raters[0].id, seen.raters[1].id];
            let switches = asking(question, measure);
            let pair = matrix::pair(services, actor, world.project, first, second, switches);
            assert!(pair.await.unwrap().steps.is_some(), "{measure}");
        }
    }
}

#[tokio::test]
async fn numbers_that_are_missing_or_alike_leave_a_reason() {
    for world in worlds(3, 4).await {
        let scale = Scale::typed(["1", "5", ""], ["", ""]).unwrap();
        let question = ask(&world, AnswerKind::Number(scale), "").await;
        let number = |place: u16| Fact::chosen(Span::DOCUMENT, question, place);
        for document in 0..4 {
            for labeler in [document % 3, (document + 1) % 3] {
                answer(&world, labeler, document, number(2)).await;
            }
        }
        let seen = settled(&world, asking(question, Measure::IccA1)).await;
        let row = seen.several.as_ref().unwrap().graded.unwrap();
        assert_eq!(row.measured, Measured::Undefined(UndefinedReason::TooFewPositions));
        let alike = Measured::Undefined(UndefinedReason::NoVariance);
        assert_eq!(seen.cells[0].measured, alike);
        let seen = settled(&world, asking(question, Measure::AlphaInterval)).await;
        let row = seen.several.as_ref().unwrap().graded.unwrap();
        assert_eq!(row.measured, Measured::Undefined(UndefinedReason::OneCategory));
        for (labeler, document) in [(0, 0), (1, 0), (1, 1), (2, 1), (0, 2), (2, 2)] {
            world.submit(labeler, document).await;
        }
        answer(&world, 0, 3, number(4)).await;
        let counted = Switches {
            policy: PolicyChoice::EmptyLabel,
            ..asking(question, Measure::AlphaInterval)
        };
        world.change(1, 3, &[number(2)], &[]).await;
        world.submit(0, 3).await;
        world.submit(1, 3).await;
        let seen = settled(&world, counted).await;
        assert_eq!(
            seen.cells[0].measured,
            Measured::Undefined(UndefinedReason::NoOrder),
            "who answered nothing has no number"
        );
    }
}

#[tokio::test]
async fn sets_of_choices_are_near_where_they_have_choices_in_common() {
    for world in worlds(3, 4).await {
        let question = ask(&world, AnswerKind::Several, "news\nopinion\nsport\nart").await;
        let given: [[&[u16]; 3]; 4] = [
            [&[0], &[0, 1], &[0]],
            [&[2], &[2], &[2]],
            [&[1, 3], &[3], &[0, 1, 3]],
            [&[3], &[0], &[3]],
        ];
        let (mut two, mut all) = (CoincidenceTally::new(), CoincidenceTally::new());
        for (document, sets) in given.into_iter().enumerate() {
            for (labeler, set) in sets.into_iter().enumerate() {
                let several = Answer::several(set.iter().copied()).unwrap();
                let fact = Fact::chosen(Span::DOCUMENT, question, several);
                answer(&world, labeler, document, fact).await;
            }
            let sets: Vec<BTreeSet<u16>> =
                sets.iter().map(|set| set.iter().copied().collect()).collect();
            two.add(&sets[..2].iter().cloned().collect()).unwrap();
            all.add(&Item::from_iter(sets)).unwrap();
        }
        let seen = settled(&world, asking(question, Measure::AlphaMasi)).await;
        let expected = |tally| krippendorff_alpha(tally, &Masi).unwrap().value;
        assert_near(seen.cells[0].measured.value(), expected(&two), "two");
        let row = seen.several.as_ref().unwrap().graded.unwrap();
        assert_near(row.measured.value(), expected(&all), "all");
        // Nominal measures take every set for a category of its own.
        let seen = settled(&world, asking(question, Measure::Percent)).await;
        assert_eq!(seen.cells[0].measured.value(), Some(0.25));
        let (services, manager) = (&world.services, &world.manager.actor);
        let unsuitable = asking(question, Measure::AlphaInterval);
        let refused = matrix::snapshot(services, manager, world.project, unsuitable).await;
        assert!(refused.unwrap_err().to_string().contains("not of such answers"));
        let found = services::outside::verification::live(services, manager, world.project);
        assert!(found.await.unwrap().problems.is_empty());
        let checked = services::outside::verification::all(&world.store).await.unwrap();
        assert!(checked.iter().all(|of_project| of_project.problems.is_empty()), "{checked:?}");
        let exported = services::document::export::choices(services, manager, world.project);
        let lines = String::from_utf8(exported.await.unwrap().body).unwrap();
        assert!(lines.contains(r#""choice":"opinion, art""#), "{lines}");
    }
}

#[tokio::test]
async fn answers_keep_their_kind_and_only_those_that_suit_are_taken() {
    for world in worlds(1, 1).await {
        let scale = |numbers| AnswerKind::Number(Scale::typed(numbers, ["", ""]).unwrap());
        let number = ask(&world, scale(["1", "5", "1"]), "").await;
        let (services, manager) = (&world.services, &world.manager.actor);
        let save = async |kind, choices| {
            let new = NewAttribute::typed("Asked", (kind, choices), true, true).unwrap();
            project::save_attribute(services, manager, world.project, number, new).await
        };
        save(scale(["1", "7", "1"]), "").await.unwrap();
        for kind in [scale(["1", "6", "1"]), scale(["0", "7", "1"]), AnswerKind::Several] {
            let refused = save(kind, "a").await.unwrap_err().to_string();
            assert!(refused.contains("answers keep their kind"), "{refused}");
        }
        let taken = async |answer: Answer| {
            let fact = Fact::chosen(Span::DOCUMENT, number, answer);
            let mut command = world.adding(0, 0, &[]).await;
            command.added.push(fact);
            let actor = &world.labelers[0].actor;
            annotation::save(services, actor, command).await.is_ok()
        };
        assert!(taken(6.into()).await);
        assert!(!taken(7.into()).await, "beyond the scale");
        assert!(!taken(Answer::several([1]).unwrap()).await, "a set is no number");
    }
}

#[tokio::test]
async fn of_two_labelers_all_are_the_pair_by_every_policy() {
    for world in worlds(2, 2).await {
        let [per, org] = [world.labels[0], world.labels[1]];
        for document in 0..2 {
            world.mark(0, document, &[Span::new(0, 3, per), Span::new(4, 11, per)]).await;
            let second = [Span::new(0, 3, per), Span::new(0, 3, org), Span::new(4, 11, org)];
            world.mark(1, document, &second[..3 - document]).await;
            world.submit(0, document).await;
            world.submit(1, document).await;
        }
        for &policy in PolicyChoice::ALL {
            let measure = Measure::AlphaMasi;
            let switches = Switches { measure, policy, ..Switches::default() };
            let seen = settled(&world, switches).await;
            let all = seen.several.as_ref().unwrap().graded.unwrap().measured;
            if policy == PolicyChoice::Overlap {
                assert_eq!(all, Measured::Undefined(UndefinedReason::NoCommonPositions));
            } else {
                assert_near(all.value(), seen.cells[0].measured.value().unwrap(), policy.name());
            }
        }
    }
}
