//! What a browser predicts from: without changes it is what the matrix says, to the last bit.

use std::{collections::BTreeMap, sync::Arc};

use ::agreement::ManyMeasure;
use domain::{
    Actor, AgreementSnapshot, Code, Confidence, CoverageView, Documents, Error as Refusal, Filter,
    LabelSet, Measure, Measured, MemberId, PolicyChoice, ProjectId, Range, Role, SeveralMeasure,
    Span, Switches, UndefinedReason, Verdict,
};
use services::{
    Error, ServerKey, Services,
    agreement::{self, snapshot},
};
use whatif::{Basis, Lack, Prediction, Row, Scenario, Study, Subject, predict};

use crate::{
    house::houses,
    world::{World, worlds},
};

async fn study(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Study {
    let bytes = agreement::what_if(services, actor, project, switches).await.unwrap();
    Study::read(&bytes).unwrap()
}

fn id(member: MemberId) -> u64 {
    u64::try_from(member.0).unwrap()
}

const fn reason(lack: Lack) -> Option<UndefinedReason> {
    match lack {
        Lack::SharedDocuments => Some(UndefinedReason::NoSharedDocuments),
        Lack::SharedPositions => Some(UndefinedReason::NoSharedPositions),
        Lack::SecondCategory => Some(UndefinedReason::OneCategory),
        Lack::SecondChoice => Some(UndefinedReason::OneChoice),
        Lack::Spans => Some(UndefinedReason::NothingMarked),
        Lack::Others | Lack::CommonPositions => None,
    }
}

/// The same value to the last bit, or the same reason for none.
fn assert_same(row: &Row, measured: Measured, of: &str) {
    match (row.value, measured) {
        (Ok(found), Measured::Value { value, .. }) => {
            assert_eq!(found.value.to_bits(), value.to_bits(), "{of}");
        }
        (Err(lack), Measured::Undefined(expected)) => {
            assert_eq!(reason(lack), Some(expected), "{of}");
        }
        other => panic!("{of}: {other:?}"),
    }
}

fn assert_basis(basis: Basis, n: u64, coverage: CoverageView) {
    let positions = coverage.positions();
    assert_eq!((basis.n, basis.both, basis.positions), (n, coverage.both, positions));
}

/// Every number of the matrix is the prediction's, and the prediction has no others.
fn assert_is_the_matrix(prediction: &Prediction, matrix: &AgreementSnapshot) {
    let of = format!("{:?}", matrix.switches);
    assert_eq!(prediction.revision, u64::try_from(matrix.revision.0).unwrap());
    let mut rows: Vec<&Row> = prediction.rows.iter().collect();
    let mut take = |subject: Subject| {
        let place = rows.iter().position(|row| row.subject == subject);
        rows.remove(place.unwrap_or_else(|| panic!("{of}: no {subject:?}")))
    };
    for cell in &matrix.cells {
        let row = take(Subject::Pair(id(cell.first), id(cell.second)));
        assert_same(row, cell.measured, &of);
        assert_basis(row.basis, cell.n, cell.coverage);
        assert_eq!(row.basis.documents, cell.documents);
        if matrix.switches.measure == Measure::Kappa {
            let interval = match cell.confidence {
                Confidence::Interval { lower, upper } => Some((lower, upper)),
                _ => None,
            };
            assert_eq!(row.value.ok().and_then(|value| value.interval), interval);
        }
    }
    for cell in &matrix.pooled {
        let row = take(match cell.with {
            Role::Reviewer => Subject::WithReviewers(id(cell.rater)),
            _ => Subject::WithLabelers(id(cell.rater)),
        });
        assert_same(row, cell.measured, &of);
        assert_basis(row.basis, cell.n, cell.coverage);
    }
    for of_all in matrix.several.iter().flat_map(|several| &several.rows) {
        let row = take(Subject::Labelers(match of_all.measure {
            SeveralMeasure::FleissKappa => ManyMeasure::FleissKappa,
            SeveralMeasure::Alpha => ManyMeasure::Alpha,
            SeveralMeasure::Percent => ManyMeasure::Percent,
        }));
        assert_same(row, of_all.measured, &of);
        let several = matrix.several.as_ref().unwrap();
        assert_eq!((row.basis.n, row.basis.documents), (several.n, several.documents));
    }
    assert!(rows.is_empty(), "{of}: {rows:?}");
}

/// Holds a project's matrix against the prediction, under all switches and some filters.
async fn assert_nothing_changes(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    filters: &[Filter],
) {
    for &filter in filters {
        for measure in Measure::OF_LABELS {
            for policy in PolicyChoice::HEADLINES {
                for &documents in Documents::ALL {
                    let switches =
                        Switches { measure, policy, documents, filter, ..Switches::default() };
                    let matrix = snapshot(services, actor, project, switches).await.unwrap();
                    let study = study(services, actor, project, switches).await;
                    assert_is_the_matrix(&predict(&study, &Scenario::default()), &matrix);
                }
            }
        }
    }
}

#[tokio::test]
async fn without_changes_the_samples_are_predicted_as_they_are() {
    for house in houses().await {
        let demo = demo::prepare(&house.store, &house.clock()).await.unwrap();
        let services =
            Services::new(house.store.clone(), house.clock(), Some(demo), ServerKey::from([7; 32]));
        let manager =
            store::account::users::find_by_email(&*house.store, "manager@demo.example").await;
        let actor = Actor::Person(manager.unwrap().unwrap().user);
        for name in ["Hamlet", "Places and people in classic prose"] {
            let found = store::project::find_by_name(&*house.store, name).await.unwrap();
            let project = found.unwrap().id;
            let labels = store::project::labels::list(&*house.store, project).await.unwrap();
            let one = Filter { label: Some(labels[0].id), ..Filter::NONE };
            assert_nothing_changes(&services, &actor, project, &[Filter::NONE, one]).await;
        }
    }
}

/// Three labelers with differences, gaps, several labels on one position, and a reviewer.
async fn worked(world: &World) {
    let [per, title, year] = [world.labels[0], world.labels[1], world.labels[2]];
    let span = |start, end, label| Span { range: Range::new(start, end), label };
    let marks = [
        vec![span(0, 3, per), span(4, 11, title), span(15, 21, year), span(15, 21, per)],
        vec![span(0, 3, per), span(4, 12, title), span(15, 21, year)],
        vec![span(0, 3, title), span(23, 29, per)],
    ];
    for (labeler, spans) in marks.iter().enumerate() {
        world.mark(labeler, 0, spans).await;
        world.mark(labeler, 1, &spans[labeler / 2..]).await;
        if labeler < 2 {
            world.submit(labeler, 0).await;
        }
    }
    let set = |label| LabelSet::one(label);
    world.decide(0, Range::new(0, 3), Verdict::Accept, set(per)).await;
    world.decide(0, Range::new(15, 21), Verdict::Accept, set(year)).await;
    world.decide(0, Range::new(23, 29), Verdict::Reject, LabelSet::EMPTY).await;
    world.decide(1, Range::new(30, 37), Verdict::Add, set(per)).await;
}

#[tokio::test]
async fn without_changes_every_filter_is_predicted_as_it_is() {
    for world in worlds(3, 3).await {
        worked(&world).await;
        let of_label = Filter { label: Some(world.labels[0]), ..Filter::NONE };
        let of_document = Filter { document: Some(world.documents[0]), ..Filter::NONE };
        let filters = [Filter::NONE, of_label, Filter { label: of_label.label, ..of_document }];
        let actor = &world.manager.actor;
        assert_nothing_changes(&world.services, actor, world.project, &filters).await;
    }
}

#[tokio::test]
async fn without_changes_a_project_without_work_is_predicted_as_it_is() {
    for world in worlds(2, 1).await {
        let actor = &world.manager.actor;
        assert_nothing_changes(&world.services, actor, world.project, &[Filter::NONE]).await;
    }
}

#[tokio::test]
async fn merged_labels_are_predicted_as_a_project_with_one_label_has_them() {
    let (one, other) = (worlds(3, 3).await, worlds(3, 3).await);
    for (world, mut merged) in one.into_iter().zip(other) {
        worked(&world).await;
        // Whoever gives the second label here gives the first one.
        merged.labels[1] = merged.labels[0];
        worked(&merged).await;
        let labels = [0, 1].map(|place| world.labels[place].0);
        let scenario = Scenario::of_query(&format!("merge1={}&merge1={}", labels[0], labels[1]));
        for policy in PolicyChoice::HEADLINES {
            let switches = Switches { policy, ..Switches::default() };
            let (services, actor) = (&world.services, &world.manager.actor);
            let study = study(services, actor, world.project, switches).await;
            let matrix =
                snapshot(&merged.services, &merged.manager.actor, merged.project, switches).await;
            let matrix = matrix.unwrap();
            let found: BTreeMap<_, _> = predict(&study, &scenario)
                .rows
                .iter()
                .filter_map(|row| match row.subject {
                    Subject::Pair(first, second) => Some(((first, second), *row)),
                    _ => None,
                })
                .collect();
            for cell in &matrix.cells {
                let row = found[&(id(cell.first), id(cell.second))];
                assert_same(&row, cell.measured, "merged");
                assert_basis(row.basis, cell.n, cell.coverage);
            }
        }
    }
}

#[tokio::test]
async fn only_who_may_see_the_matrix_is_sent_the_judgements() {
    for world in worlds(2, 1).await {
        world.mark(0, 0, &[Span { range: Range::new(0, 3), label: world.labels[0] }]).await;
        let ask = async |actor: &Actor| {
            agreement::what_if(&world.services, actor, world.project, Switches::default()).await
        };
        assert!(ask(&world.manager.actor).await.is_ok());
        assert!(ask(&world.reviewer.actor).await.is_ok());
        for (actor, expected) in [
            (
                &world.labelers[0].actor,
                Code::RoleRequired.because("your role in this project does not allow this"),
            ),
            (&world.outsider, Refusal::NotFound),
        ] {
            assert!(
                matches!(ask(actor).await, Err(Error::Refused(refusal)) if refusal == expected)
            );
        }
    }
}
