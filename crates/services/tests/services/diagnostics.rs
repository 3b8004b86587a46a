//! What stands behind a number, against values that can be checked by hand and against
//! `crates/agreement` called directly.

use crate::{
    house::houses,
    world::{World, worlds},
};
use ::agreement::{
    Contingency, cohen_kappa,
    inference::{Binary, Level, TwoSided, cohen_kappa_estimate, homogeneity_interval},
};
use domain::{
    Actor, Boundary, CauseOrder, Causes, Confidence, DocumentOrder, Error as Refusal, LabelOrder,
    LabelSet, Measured, OneCategory, PersonOrder, PolicyChoice, PositionQuery, Range, Sorting,
    Span, Switches, UndefinedReason, Verdict, Whose,
};
use services::{
    Error, ServerKey,
    agreement::{self, breakdowns, diagnostics},
    review::counted,
};

/// Two labelers: one position alike, one in conflict, one overlapping, one one-sided.
async fn differing(world: &World) {
    let [per, title, _] = world.labels[..] else { panic!("three labels") };
    let first = [
        Span::new(0, 3, per),
        Span::new(4, 11, per),
        Span::new(15, 21, per),
        Span::new(90, 94, title),
    ];
    world.mark(0, 0, &first).await;
    world
        .mark(1, 0, &[Span::new(0, 3, per), Span::new(4, 11, title), Span::new(15, 22, per)])
        .await;
}

async fn causes_of(world: &World, switches: Switches) -> Causes {
    let pair = (world.labelers[0].member, world.labelers[1].member);
    let (services, actor) = (&world.services, &world.manager.actor);
    diagnostics::load(services, actor, world.project, pair, switches, Sorting::default())
        .await
        .unwrap()
}

#[tokio::test]
async fn a_small_pair_is_explained_as_by_hand() {
    for world in worlds(2, 1).await {
        differing(&world).await;
        let [per, title, year] = world.labels[..] else { panic!("three labels") };
        let causes = causes_of(&world, Switches::default()).await;
        assert_eq!((causes.positions, causes.agreements), (2, 1));
        let coverage = causes.coverage;
        assert_eq!((coverage.both, coverage.only_first, coverage.only_second), (2, 2, 1));

        let confusion = &causes.confusions[0];
        assert_eq!(
            (&confusion.one, &confusion.other),
            (&LabelSet::one(per), &LabelSet::one(title))
        );
        assert_eq!((confusion.one_by_first, confusion.other_by_first), (1, 0));
        assert_eq!((confusion.share, causes.confusions.len()), (1.0, 1));

        let [of_per, of_title, of_year] = &causes.labels[..] else { panic!("no ∅ when cleaned") };
        assert_eq!(of_per.answer, OneCategory::Label(per));
        assert_eq!(
            (of_per.counts.both, of_per.counts.only_first, of_per.counts.neither),
            (1, 1, 0)
        );
        // p_o = 1/2 and p_e = 1 · 1/2: no better than chance. F1 = 2/3.
        assert_eq!((of_per.kappa.value(), of_per.positive), (Some(0.0), Some(2.0 / 3.0)));
        let chance = of_per.chance.unwrap();
        assert_eq!((chance.prevalence_index, chance.bias_index, chance.pabak), (0.5, 0.5, 0.0));
        assert_eq!((of_title.answer, of_title.positive), (OneCategory::Label(title), Some(0.0)));
        assert_eq!((of_year.answer, of_year.positive), (OneCategory::Label(year), None));
        assert_eq!(of_year.kappa, Measured::Undefined(UndefinedReason::OneCategory));

        let found: Vec<_> = causes.boundaries.iter().filter(|count| count.groups > 0).collect();
        assert_eq!((found.len(), found[0].boundary), (1, Boundary::EndsEarlier));
        assert_eq!((found[0].groups, found[0].same_labels), (1, 1));
        assert_eq!(causes.boundaries.len(), Boundary::ALL.len());

        let document = &causes.documents.rows[0];
        assert_eq!((document.positions, document.disagreements, document.share), (2, 1, 1.0));
        assert_eq!(document.name, "document 0");
        // PER is said three times of four.
        assert_eq!(causes.chance.commonest, Some((LabelSet::one(per), 0.75)));
    }
}

#[tokio::test]
async fn with_the_empty_label_what_one_alone_marked_is_a_confusion_with_nothing() {
    for world in worlds(2, 1).await {
        differing(&world).await;
        world.submit(0, 0).await;
        world.submit(1, 0).await;
        let switches = Switches { policy: PolicyChoice::EmptyLabel, ..Switches::default() };
        let causes = causes_of(&world, switches).await;
        assert_eq!((causes.positions, causes.agreements), (5, 1));
        let nothing = causes.labels.last().unwrap();
        assert_eq!((nothing.answer, nothing.counts.both), (OneCategory::Nothing, 0));
        assert_eq!((nothing.counts.only_first, nothing.counts.only_second), (1, 2));
        let of_nothing = causes.confusions.iter().filter(|confusion| confusion.one.is_empty());
        assert_eq!(of_nothing.map(|c| c.one_by_first + c.other_by_first).sum::<u64>(), 3);
    }
}

#[tokio::test]
async fn documents_come_in_the_order_and_on_the_page_that_was_asked_for() {
    for world in worlds(2, 3).await {
        let [per, title, _] = world.labels[..] else { panic!("three labels") };
        for (document, differ) in [(0, 1), (1, 3), (2, 0)] {
            for place in 0..4 {
                let range = Range::new(place * 5, place * 5 + 3);
                let other = if place < differ { title } else { per };
                world.mark(0, document, &[Span { range, label: per }]).await;
                world.mark(1, document, &[Span { range, label: other }]).await;
            }
        }
        let pair = (world.labelers[0].member, world.labelers[1].member);
        let order = async |order, descending| {
            let sorting = Sorting { order, descending, page: 0 };
            let (services, actor) = (&world.services, &world.manager.actor);
            let found = diagnostics::load(
                services,
                actor,
                world.project,
                pair,
                Switches::default(),
                sorting,
            );
            let rows = found.await.unwrap().documents.rows;
            rows.iter()
                .map(|row| (row.name.replace("document ", ""), row.share))
                .collect::<Vec<_>>()
        };
        let named =
            |rows: Vec<(String, f64)>| rows.into_iter().map(|row| row.0).collect::<String>();
        let rows = order(CauseOrder::Disagreements, false).await;
        assert_eq!(rows.iter().map(|row| row.1).collect::<Vec<_>>(), [0.75, 0.25, 0.0]);
        assert_eq!(named(rows), "102");
        assert_eq!(named(order(CauseOrder::Document, false).await), "012");
        assert_eq!(named(order(CauseOrder::Document, true).await), "210");
        // The document on which all agree has one category and no κ: it comes last both ways.
        assert!(named(order(CauseOrder::Value, false).await).ends_with('2'));
        assert!(named(order(CauseOrder::Value, true).await).ends_with('2'));
    }
}

#[tokio::test]
async fn labels_of_a_sample_are_those_of_the_crate() {
    for house in houses().await {
        let demo = demo::prepare(&house.store, &house.clock()).await.unwrap();
        let services = services::Services::new(
            house.store.clone(),
            house.clock(),
            Some(demo),
            ServerKey::from([7; 32]),
        );
        let manager =
            store::account::users::find_by_email(&*house.store, "manager@demo.example").await;
        let actor = Actor::Person(manager.unwrap().unwrap().user);
        let name = "Places and people in classic prose";
        let project = store::project::find_by_name(&*house.store, name).await.unwrap().unwrap().id;
        let switches = Switches { policy: PolicyChoice::EmptyLabel, ..Switches::default() };
        let seen = agreement::snapshot(&services, &actor, project, switches).await.unwrap();
        let pair = (seen.raters[1].id, seen.raters[3].id);
        let view = agreement::pair(&services, &actor, project, pair.0, pair.1, switches).await;
        let view = view.unwrap();
        let mut table: Contingency<LabelSet> = Contingency::new();
        for (row, counts) in view.categories.iter().zip(&view.counts) {
            for (column, count) in view.categories.iter().zip(counts) {
                table.add_count(row.labels.clone(), column.labels.clone(), *count);
            }
        }
        let found =
            diagnostics::load(&services, &actor, project, pair, switches, Sorting::default());
        let found = found.await.unwrap();
        let mut compared = 0;
        for of in &found.labels {
            let category = match of.answer {
                OneCategory::Label(label) => LabelSet::one(label),
                OneCategory::Nothing => LabelSet::EMPTY,
            };
            let binary = Binary::one_vs_rest(&table, &category);
            let mut yes_no: Contingency<u8> = Contingency::new();
            yes_no.add_count(1, 1, binary.both);
            yes_no.add_count(1, 0, binary.only_row);
            yes_no.add_count(0, 1, binary.only_column);
            yes_no.add_count(0, 0, binary.neither);
            assert_eq!(of.kappa.value(), cohen_kappa(&yes_no).ok().map(|kappa| kappa.value));
            let interval = cohen_kappa_estimate(&yes_no).unwrap().interval(Level::P95);
            let (lower, upper) = (interval.lower, interval.upper);
            assert_eq!(of.confidence, Confidence::Interval { lower, upper });
            let truth = homogeneity_interval(&binary, Level::P95, TwoSided::AtMostAsLikely);
            let truth = truth.map(|truth| (truth.interval().lower, truth.interval().upper));
            assert_eq!(of.true_agreement.ok(), truth.ok());
            compared += 1;
        }
        assert_eq!(compared, 7);
        assert_eq!(found.chance.kappa.value(), cohen_kappa(&table).ok().map(|kappa| kappa.value));
    }
}

#[tokio::test]
async fn parts_of_three_labelers_are_as_by_hand() {
    for world in worlds(3, 1).await {
        let [per, title, year] = world.labels[..] else { panic!("three labels") };
        let (all, two, one) = (Range::new(0, 3), Range::new(4, 11), Range::new(90, 94));
        let span = |range, label| Span { range, label };
        world.mark(0, 0, &[span(all, per), span(two, per), span(one, year)]).await;
        world.mark(1, 0, &[span(all, per), span(two, title)]).await;
        world.mark(2, 0, &[span(all, per)]).await;
        let (services, actor, project) = (&world.services, &world.manager.actor, world.project);
        let switches = Switches::default();

        let found =
            breakdowns::labels(services, actor, project, switches, Sorting::default()).await;
        let found = found.unwrap();
        assert_eq!((found.positions, found.documents), (2, 1));
        let of = |label| found.rows.iter().find(|row| row.label == label).unwrap();
        let of_per = of(per);
        assert_eq!((of_per.positions, of_per.unanimous, of_per.disputed), (2, 1, 1));
        // Four of five judgements; D_o = D_e = 2/5; p_o = 1/2 and p_e = (3/4)² + (1/4)².
        assert_eq!((of_per.share, of_per.alpha.value()), (0.8, Some(0.0)));
        assert_eq!(of_per.fleiss.value(), Some(-1.0 / 3.0));
        // (3 · 2 + 1 · 0) of (3 · 2 + 1 · 1).
        assert_eq!(of_per.positive, Some(6.0 / 7.0));
        assert_eq!(of_per.confusions, [(LabelSet::one(title), 1)]);
        assert_eq!(of_per.small.len(), 3);
        assert_eq!(of(year).alpha, Measured::Undefined(UndefinedReason::OneCategory));
        assert_eq!((of(year).positions, of(year).positive), (0, None));
        assert_eq!(found.rows.last().unwrap().label, year, "what has no value comes last");

        world.decide(0, two, Verdict::Accept, LabelSet::one(title)).await;
        let found =
            breakdowns::documents(services, actor, project, switches, Sorting::default()).await;
        let row = &found.unwrap().page.rows[0];
        assert_eq!((row.labelers, row.fewest, row.most), (3, 1, 3));
        assert_eq!((row.positions, row.disputed, row.decided), (2, 1, 1));
        assert_eq!((row.percent.value(), row.name.as_str()), (Some(0.5), "document 0"));

        let by_name = Sorting { order: PersonOrder::Name, ..Sorting::default() };
        let found = breakdowns::people(services, actor, project, switches, by_name).await.unwrap();
        let row = &found.rows[0];
        assert_eq!((row.labelers.comparisons, row.labelers.agreements), (3, 2));
        assert_eq!((row.labelers.others, row.reviewers.others), (2, 1));
        let usage = &row.usage[0];
        assert_eq!((usage.label, usage.both, usage.only_own), (per, 2, 1));
        assert_eq!((usage.only_others, usage.bias), (0, 1.0 / 3.0));
        let course: Vec<_> = row.course.iter().map(|b| (b.from, b.to, b.agreements)).collect();
        assert_eq!(course, [(1, 1, 2)]);
    }
}

#[tokio::test]
async fn a_save_is_seen_at_once_by_pages_that_remember() {
    for world in worlds(2, 1).await {
        differing(&world).await;
        let (services, actor, project) = (&world.services, &world.manager.actor, world.project);
        let disputed = async || {
            let (switches, sorting) = (Switches::default(), Sorting::default());
            let found = breakdowns::documents(services, actor, project, switches, sorting).await;
            found.unwrap().disputed
        };
        assert_eq!((disputed().await, disputed().await), (1, 1));
        world.mark(1, 0, &[Span::new(90, 94, world.labels[0])]).await;
        assert_eq!(disputed().await, 2);
    }
}

#[tokio::test]
async fn what_stands_behind_numbers_is_for_managers_and_reviewers_and_names_stay_hidden() {
    for world in worlds(2, 1).await {
        differing(&world).await;
        let (services, project, switches) = (&world.services, world.project, Switches::default());
        let pair = (world.labelers[0].member, world.labelers[1].member);
        let refusals = async |actor: &Actor| {
            let query = PositionQuery::of(Whose::Pair(pair.0, pair.1), switches);
            let refused = |error: Option<Error>| match error {
                Some(Error::Refused(refusal)) => refusal,
                other => panic!("{other:?}"),
            };
            [
                refused(
                    diagnostics::load(services, actor, project, pair, switches, Sorting::default())
                        .await
                        .err(),
                ),
                refused(counted::list(services, actor, project, query).await.err()),
                refused(
                    breakdowns::labels(services, actor, project, switches, Sorting::default())
                        .await
                        .err(),
                ),
                refused(
                    breakdowns::documents(services, actor, project, switches, Sorting::default())
                        .await
                        .err(),
                ),
                refused(
                    breakdowns::people(services, actor, project, switches, Sorting::default())
                        .await
                        .err(),
                ),
            ]
        };
        for refusal in refusals(&world.labelers[0].actor).await {
            assert!(matches!(refusal, Refusal::Denied(_)));
        }
        for refusal in refusals(&world.outsider).await {
            assert_eq!(refusal, Refusal::NotFound);
        }
        for refusal in refusals(&Actor::Anonymous).await {
            assert_eq!(refusal, Refusal::SignInRequired);
        }
        // What the manager's page was counted for is remembered, and says no name to the reviewer.
        let by_name = Sorting { order: PersonOrder::Name, ..Sorting::default() };
        let names = async |actor: &Actor| {
            let found =
                breakdowns::people(services, actor, project, switches, by_name).await.unwrap();
            found.rows.into_iter().map(|row| row.rater.name).collect::<Vec<_>>()
        };
        assert_eq!(names(&world.manager.actor).await, ["labeler-2", "labeler-3"]);
        assert_eq!(names(&world.reviewer.actor).await, ["Labeler 1", "Labeler 2"]);
        assert_eq!(names(&world.manager.actor).await, ["labeler-2", "labeler-3"]);
    }
}

#[tokio::test]
async fn somebody_from_elsewhere_is_no_rater_and_a_pair_is_of_two() {
    for world in worlds(2, 1).await {
        let (services, actor, project) = (&world.services, &world.manager.actor, world.project);
        let (first, switches) = (world.labelers[0].member, Switches::default());
        for pair in [(first, first), (first, world.manager.member)] {
            let found =
                diagnostics::load(services, actor, project, pair, switches, Sorting::default())
                    .await;
            assert!(matches!(found, Err(Error::Refused(Refusal::NotFound))));
        }
        let whose = Whose::Pooled(world.manager.member, domain::Role::Labeler);
        let query = PositionQuery::of(whose, switches);
        let found = counted::list(services, actor, project, query).await;
        assert!(matches!(found, Err(Error::Refused(Refusal::NotFound))));
    }
}

#[tokio::test]
async fn orders_put_the_worst_first() {
    for world in worlds(2, 2).await {
        let [per, title, year] = world.labels[..] else { panic!("three labels") };
        for document in 0..2 {
            for (place, label) in [(0, per), (5, title), (10, title), (15, year)] {
                let range = Range::new(place, place + 3);
                let other =
                    if label == title && (document == 1 || place == 5) { per } else { label };
                world.mark(0, document, &[Span { range, label }]).await;
                world.mark(1, document, &[Span { range, label: other }]).await;
            }
        }
        let (services, actor, project) = (&world.services, &world.manager.actor, world.project);
        let switches = Switches::default();
        let labels = async |order, descending| {
            let sorting = Sorting { order, descending, page: 0 };
            let found =
                breakdowns::labels(services, actor, project, switches, sorting).await.unwrap();
            found.rows.into_iter().map(|row| row.label).collect::<Vec<_>>()
        };
        assert_eq!(labels(LabelOrder::Value, false).await, [title, per, year]);
        assert_eq!(labels(LabelOrder::Value, true).await, [year, per, title]);
        assert_eq!(labels(LabelOrder::Label, false).await, [per, title, year]);
        let documents = async |order| {
            let sorting = Sorting { order, ..Sorting::default() };
            let found = breakdowns::documents(services, actor, project, switches, sorting).await;
            found.unwrap().page.rows.into_iter().map(|row| row.name).collect::<Vec<_>>()
        };
        assert_eq!(documents(DocumentOrder::Value).await, ["document 1", "document 0"]);
        assert_eq!(documents(DocumentOrder::Document).await, ["document 0", "document 1"]);
        assert_eq!(documents(DocumentOrder::Disagreements).await, ["document 1", "document 0"]);
    }
}

#[tokio::test]
async fn the_course_of_a_labeler_follows_the_order_of_saving() {
    for world in worlds(2, 2).await {
        let [per, title, _] = world.labels[..] else { panic!("three labels") };
        // The second document is worked on first, and both agree on it.
        for (document, other) in [(1, per), (0, title)] {
            world.mark(0, document, &[Span::new(0, 3, per)]).await;
            world.mark(1, document, &[Span::new(0, 3, other)]).await;
        }
        let (services, actor, project) = (&world.services, &world.manager.actor, world.project);
        let found =
            breakdowns::people(services, actor, project, Switches::default(), Sorting::default())
                .await;
        for row in found.unwrap().rows {
            let course: Vec<_> = row.course.iter().map(|b| (b.from, b.agreements)).collect();
            assert_eq!(course, [(1, 1), (2, 0)]);
        }
    }
}
