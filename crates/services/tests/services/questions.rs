//! Agreement on what was chosen of attributes, beside agreement on labels.

use agreement::{
    CoincidenceTally, Contingency, Interval, Item, Ordinal, cohen_kappa, krippendorff_alpha,
    weighted_kappa,
};
use domain::{
    AnswerKind, Attribute, AttributeId, DisagreementFilter, DisagreementQuery, Error as Refusal,
    Fact, Filter, LabelId, Measure, Measured, NewAttribute, PairView, PolicyChoice, PositionQuery,
    Range, SaveOutcome, Span, Switches, TimeSwitches, UndefinedReason, WalkList, WalkQuery, Whose,
};
use services::{agreement as matrix, project, review, work::annotation};

use crate::world::{World, worlds};

/// Asks something of the spans of the first label, with three choices.
async fn ask(world: &World) -> AttributeId {
    let new =
        NewAttribute::typed("Gender", (AnswerKind::One, "female\nmale\nunknown"), false, true)
            .unwrap();
    let (actor, label) = (&world.manager.actor, world.labels[0]);
    project::create_attribute(&world.services, actor, world.project, label, new).await.unwrap()
}

fn span(world: &World, start: u32, label: usize) -> Span {
    Span { range: Range::new(start, start + 3), label: world.labels[label] }
}

/// Two labelers' choices on spans of two documents: alike, apart, given by one alone, and on a span that the
/// other has not marked.
async fn answered(world: &World) -> AttributeId {
    let question = ask(world).await;
    let of = |start, number| Fact::chosen(span(world, start, 0), question, number);
    let bare = |start| Fact::from(span(world, start, 0));
    let facts = [
        [
            vec![of(0, 0), of(4, 1), of(8, 1), of(12, 0)],
            vec![of(0, 0), of(4, 0), of(8, 1), bare(12)],
        ],
        [vec![of(0, 1), of(4, 2), span(world, 20, 1).into()], vec![of(0, 1), of(30, 2)]],
    ];
    for (document, both) in facts.into_iter().enumerate() {
        for (labeler, facts) in both.into_iter().enumerate() {
            world.change(labeler, document, &[], &facts).await;
        }
    }
    question
}

fn asking(question: AttributeId) -> Switches {
    Switches { filter: Filter::of_question(Some(question)), ..Switches::default() }
}

async fn pair(world: &World, switches: Switches) -> PairView {
    let [a, b] = [0, 1].map(|place| world.labelers[place].member);
    let actor = &world.manager.actor;
    matrix::pair(&world.services, actor, world.project, a, b, switches).await.unwrap()
}

#[tokio::test]
async fn what_both_chose_is_compared_and_what_one_alone_chose_is_coverage() {
    for world in worlds(2, 2).await {
        let question = answered(&world).await;
        let seen = pair(&world, asking(question)).await;
        let mut table = Contingency::new();
        for (one, other) in [(0, 0), (1, 0), (1, 1), (1, 1)] {
            table.add_count(one, other, 1);
        }
        let kappa = cohen_kappa(&table).unwrap().value;
        assert_eq!(seen.cell.measured.value(), Some(kappa));
        let coverage = seen.cell.coverage;
        assert_eq!((coverage.both, coverage.only_first, coverage.only_second), (4, 2, 1));
        let names: Vec<_> = seen.categories.iter().map(|category| &*category.name).collect();
        assert_eq!(names, ["female", "male"]);
        // Labels are compared as they were before anybody chose anything.
        let labels = pair(&world, Switches::default()).await;
        assert_eq!(labels.cell.n, 5);
        assert_eq!(labels.cell.measured.value(), None, "one label on all of them");
    }
}

#[tokio::test]
async fn counted_with_the_label_a_choice_stands_against_none() {
    for world in worlds(2, 2).await {
        let question = answered(&world).await;
        for labeler in 0..2 {
            for document in 0..2 {
                world.submit(labeler, document).await;
            }
        }
        let switches = Switches { policy: PolicyChoice::EmptyLabel, ..asking(question) };
        let seen = pair(&world, switches).await;
        assert_eq!(seen.cell.n, 7);
        assert!(seen.categories.iter().any(|category| category.labels.is_empty()));
    }
}

#[tokio::test]
async fn a_choice_that_is_changed_moves_its_question_and_no_label() {
    for world in worlds(2, 2).await {
        let question = answered(&world).await;
        let (of_choices, of_labels) =
            (pair(&world, asking(question)).await, pair(&world, Switches::default()).await);
        world.change(1, 0, &[], &[Fact::chosen(span(&world, 4, 0), question, 1)]).await;
        let moved = pair(&world, asking(question)).await;
        assert_eq!(moved.cell.measured.value(), Some(1.0));
        assert!(moved.revision > of_choices.revision);
        assert_eq!(pair(&world, Switches::default()).await.cell, of_labels.cell);
        // What is in memory is what rows come to.
        let (services, manager) = (&world.services, &world.manager.actor);
        let found = services::outside::verification::live(services, manager, world.project);
        assert!(found.await.unwrap().problems.is_empty());
    }
}

#[tokio::test]
async fn choices_that_are_no_longer_offered_are_named_and_are_no_choice_unless_they_occur() {
    for world in worlds(2, 2).await {
        let question = answered(&world).await;
        let s = Switches { measure: Measure::S, ..asking(question) };
        let chance = |seen: &PairView| match seen.cell.measured {
            Measured::Value { expected, .. } => expected,
            Measured::Undefined(reason) => panic!("{reason:?}"),
        };
        assert!((chance(&pair(&world, s).await) - 1.0 / 3.0).abs() < 1e-12);
        let fewer =
            NewAttribute::typed("Gender", (AnswerKind::One, "female"), false, true).unwrap();
        let manager = &world.manager.actor;
        project::save_attribute(&world.services, manager, world.project, question, fewer)
            .await
            .unwrap();
        let seen = pair(&world, s).await;
        assert!((chance(&seen) - 0.5).abs() < 1e-12, "female is offered, and male was chosen");
        assert!(seen.categories.iter().any(|category| category.name == "male"));
    }
}

#[tokio::test]
async fn differing_choices_are_listed_under_their_names_and_walked_through() {
    for world in worlds(2, 2).await {
        let question = answered(&world).await;
        let filter =
            DisagreementFilter { question: Some(question), ..DisagreementFilter::default() };
        let query = DisagreementQuery { filter, ..DisagreementQuery::default() };
        let (services, manager) = (&world.services, &world.manager.actor);
        let list = matrix::disagreements::list(services, manager, world.project, query);
        let rows = list.await.unwrap().page.rows;
        let places: Vec<_> = rows.iter().map(|row| (row.document, row.range.start)).collect();
        let [first, second] = [world.documents[0], world.documents[1]];
        assert_eq!(places, [(first, 4), (first, 12), (second, 4), (second, 30)]);
        let of_labels = matrix::disagreements::list(
            services,
            manager,
            world.project,
            DisagreementQuery::default(),
        );
        assert_eq!(of_labels.await.unwrap().page.rows.len(), 3);

        let positions = PositionQuery {
            said: Some(domain::Answer::from(1).categories()),
            ..PositionQuery::of(Whose::Labelers, asking(question))
        };
        let found = review::counted::list(services, manager, world.project, positions.clone());
        assert_eq!(found.await.unwrap().page.rows.len(), 3);
        for (list, total) in
            [(WalkList::Disagreements(query), 4), (WalkList::Positions(positions), 3)]
        {
            let walk = WalkQuery { list, at: None, act: None };
            let walk = review::walk::load(services, manager, world.project, walk).await.unwrap();
            assert_eq!((walk.total, walk.undecided), (total, None));
        }
    }
}

/// Asks something of documents; what is required has to be answered before they are handed in.
async fn ask_of_documents(world: &World, is_required: bool) -> AttributeId {
    let new =
        NewAttribute::typed("Genre", (AnswerKind::One, "prose\nverse\ndrama"), is_required, true)
            .unwrap();
    let (actor, project) = (&world.manager.actor, world.project);
    project::create_attribute(&world.services, actor, project, LabelId::DOCUMENT, new)
        .await
        .unwrap()
}

fn genre(question: AttributeId, number: u16) -> Fact {
    Fact::chosen(Span::DOCUMENT, question, number)
}

#[tokio::test]
async fn an_answer_about_a_document_is_one_position_and_no_span() {
    for world in worlds(2, 3).await {
        let question = ask_of_documents(&world, false).await;
        for (document, both) in [[0, 0], [1, 2], [2, 2]].into_iter().enumerate() {
            for (labeler, number) in both.into_iter().enumerate() {
                world.change(labeler, document, &[], &[genre(question, number)]).await;
            }
        }
        world.mark(0, 0, &[span(&world, 0, 0)]).await;
        let seen = pair(&world, asking(question)).await;
        let mut table = Contingency::new();
        for (one, other) in [(0, 0), (1, 2), (2, 2)] {
            table.add_count(one, other, 1);
        }
        assert_eq!(seen.cell.measured.value(), Some(cohen_kappa(&table).unwrap().value));
        assert_eq!((seen.cell.n, seen.cell.documents), (3, 3));
        let labels = pair(&world, Switches::default()).await;
        assert_eq!((labels.cell.n, labels.cell.coverage.only_first), (0, 1));

        let filter =
            DisagreementFilter { question: Some(question), ..DisagreementFilter::default() };
        let query = DisagreementQuery { filter, ..DisagreementQuery::default() };
        let (services, manager) = (&world.services, &world.manager.actor);
        let list = matrix::disagreements::list(services, manager, world.project, query);
        let rows = list.await.unwrap().page.rows;
        let places: Vec<_> = rows.iter().map(|row| (row.document, row.range)).collect();
        assert_eq!(places, [(world.documents[1], Span::DOCUMENT.range)]);

        // An answer is changed and taken back like any other choice, and counted anew from rows it is the same.
        world.change(1, 1, &[], &[genre(question, 1)]).await;
        assert_eq!(pair(&world, asking(question)).await.cell.measured.value(), Some(1.0));
        world.change(1, 1, &[genre(question, 1)], &[]).await;
        assert_eq!(pair(&world, asking(question)).await.cell.coverage.only_first, 1);
        let found = services::outside::verification::live(services, manager, world.project);
        assert!(found.await.unwrap().problems.is_empty());
        let checked = services::outside::verification::all(&world.store).await.unwrap();
        assert!(checked.iter().all(|of_project| of_project.problems.is_empty()), "{checked:?}");
    }
}

#[tokio::test]
async fn choices_in_an_order_have_graded_measures_and_labels_have_a_reason() {
    for world in worlds(2, 6).await {
        let choices = "1 (bad)\n2\n4\n7 (good)";
        let new = NewAttribute::typed("Quality", (AnswerKind::One, choices), false, true).unwrap();
        let (actor, project) = (&world.manager.actor, world.project);
        let created =
            project::create_attribute(&world.services, actor, project, LabelId::DOCUMENT, new);
        let question = created.await.unwrap();
        let scores = [1_u32, 2, 4, 7];
        let given = [[0, 0], [1, 2], [3, 2], [3, 3], [1, 1], [0, 3]];
        let (mut table, mut items) = (Contingency::new(), CoincidenceTally::new());
        for (document, both) in given.into_iter().enumerate() {
            for (labeler, number) in both.into_iter().enumerate() {
                world.change(labeler, document, &[], &[genre(question, number)]).await;
            }
            let [one, other] = both.map(|number| scores[usize::from(number)]);
            table.add_count(one, other, 1);
            items.add(&Item::from_iter([one, other])).unwrap();
        }
        let expected = [
            (Measure::WeightedKappa, weighted_kappa(&table, &Interval).unwrap().value),
            (Measure::AlphaInterval, krippendorff_alpha(&items, &Interval).unwrap().value),
            (
                Measure::AlphaOrdinal,
                krippendorff_alpha(&items, &Ordinal::of(&items)).unwrap().value,
            ),
        ];
        for (measure, expected) in expected {
            let seen = pair(&world, Switches { measure, ..asking(question) }).await;
            let Measured::Value { value, observed, expected: by_chance } = seen.cell.measured
            else {
                panic!("{measure}: {:?}", seen.cell.measured)
            };
            assert!((value - expected).abs() < 1e-12, "{measure}: {value}, not {expected}");
            assert!((value - (observed - by_chance) / (1.0 - by_chance)).abs() < 1e-12);
            assert!(seen.steps.is_some());
            let labels = pair(&world, Switches { measure, ..Switches::default() }).await;
            let none = Measured::Undefined(UndefinedReason::NoSharedPositions);
            assert_eq!(labels.cell.measured, none);
        }
        world.mark_by_both(0, 1).await;
        let weighted = Switches { measure: Measure::WeightedKappa, ..Switches::default() };
        let labels = pair(&world, weighted).await.cell.measured;
        assert_eq!(labels, Measured::Undefined(UndefinedReason::NoOrder));
    }
}

#[tokio::test]
async fn a_document_is_handed_in_with_an_answer_to_what_is_required_of_it() {
    for world in worlds(1, 1).await {
        let question = ask_of_documents(&world, true).await;
        let command = world.adding(0, 0, &[]).await;
        let (actor, base) = (&world.labelers[0].actor, command.base);
        let submit = |base| annotation::submit(&world.services, actor, command.assignment, base);
        let refused = submit(base).await.unwrap_err().to_string();
        assert!(refused.contains("The document: answer Genre"), "{refused}");
        let saved = world.change(0, 0, &[], &[genre(question, 2)]).await;
        let SaveOutcome::Saved { revision, .. } = saved else { panic!("{saved:?}") };
        submit(revision).await.unwrap();
    }
}

#[tokio::test]
async fn what_is_asked_of_documents_is_no_label_and_nothing_else_is_chosen_of_them() {
    for world in worlds(1, 1).await {
        let of_label = ask(&world).await;
        let of_document = ask_of_documents(&world, false).await;
        let labels = store::project::labels::list(&*world.store, world.project).await.unwrap();
        assert_eq!(labels.len(), world.labels.len());
        let attributes = store::project::attributes::list(&*world.store, world.project).await;
        let owners: Vec<_> = attributes.unwrap().iter().map(|it| it.label).collect();
        assert_eq!(owners, [world.labels[0], LabelId::DOCUMENT]);
        let per = span(&world, 0, 0);
        for wrong in [
            Fact::chosen(Span::DOCUMENT, of_label, 0),
            Fact::chosen(per, of_document, 0),
            Fact::chosen(Span::DOCUMENT, of_document, 7),
            Fact::from(Span::DOCUMENT),
            Fact::from(Span::new(0, 3, LabelId::DOCUMENT)),
        ] {
            let mut command = world.adding(0, 0, &[]).await;
            command.added = vec![wrong];
            let actor = &world.labelers[0].actor;
            let refused = annotation::save(&world.services, actor, command).await;
            assert!(matches!(refused, Err(services::Error::Refused(_))), "{wrong:?}");
        }
    }
}

#[tokio::test]
async fn a_question_of_another_project_is_not_found() {
    for world in worlds(2, 2).await {
        answered(&world).await;
        let Attribute { id, .. } =
            store::project::attributes::list(&*world.store, world.project).await.unwrap().remove(0);
        let switches = asking(AttributeId(id.0 + 1));
        let manager = &world.manager.actor;
        let found = matrix::snapshot(&world.services, manager, world.project, switches).await;
        assert!(matches!(found, Err(services::Error::Refused(domain::Error::NotFound))));
        let filter = DisagreementFilter { question: switches.filter.question, ..<_>::default() };
        let query = DisagreementQuery { filter, ..DisagreementQuery::default() };
        let found = matrix::disagreements::list(&world.services, manager, world.project, query);
        assert!(matches!(found.await, Err(services::Error::Refused(domain::Error::NotFound))));
        let by_token = Switches { policy: PolicyChoice::Token, ..asking(id) };
        let found = matrix::snapshot(&world.services, manager, world.project, by_token).await;
        assert!(matches!(found, Err(services::Error::Refused(domain::Error::Invalid { .. }))));
    }
}

#[tokio::test]
async fn the_trend_of_a_question_ends_where_its_matrix_is() {
    for world in worlds(2, 2).await {
        let question = answered(&world).await;
        let (services, manager) = (&world.services, &world.manager.actor);
        let with = TimeSwitches { question: Some(question), ..TimeSwitches::default() };
        let trend = matrix::over_time::load(services, manager, world.project, with).await.unwrap();
        let last = trend.days.last().unwrap().up_to;
        let seen = matrix::snapshot(services, manager, world.project, asking(question)).await;
        let several = seen.unwrap().several.clone().unwrap();
        let alpha = several.rows.iter().find(|row| row.measure == with.measure).unwrap();
        assert_eq!((last.measured, last.n), (alpha.measured, several.n));
        let of_labels = TimeSwitches::default();
        let of_labels = matrix::over_time::load(services, manager, world.project, of_labels).await;
        assert_ne!(of_labels.unwrap().days.last().unwrap().up_to.n, last.n);

        let unknown = TimeSwitches { question: Some(AttributeId(question.0 + 1)), ..with };
        let missing = matrix::over_time::load(services, manager, world.project, unknown).await;
        assert!(matches!(missing, Err(services::Error::Refused(Refusal::NotFound))));
        let by_token = TimeSwitches { policy: PolicyChoice::Token, ..with };
        let refused = matrix::over_time::load(services, manager, world.project, by_token).await;
        assert!(refused.unwrap_err().to_string().contains("cleaned empty-label"));
    }
}
