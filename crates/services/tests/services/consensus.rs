//! The consensus of labelers as a work list: what it is learned from, who sees it, and what decisions do to it.

use agreement::consensus::{DawidSkene, Votes};
use domain::{
    Actor, ConsensusPositions, ConsensusQuery, ConsensusView, Error as Refusal, Filter, LabelSet,
    NoConsensus, PolicyChoice, ProjectSettings, Range, Span, Switches, Verdict,
};
use services::{project, review::consensus};

use crate::{
    second_reviews::another,
    world::{World, worlds},
};

/// Marks of three labelers on the same places of four documents, by the place of their label: the third has a
/// habit of their own.
const MARKS: [[[usize; 3]; 3]; 4] = [
    [[0, 0, 0], [1, 1, 0], [2, 2, 2]],
    [[0, 0, 1], [1, 1, 0], [0, 0, 0]],
    [[1, 2, 0], [1, 1, 1], [2, 2, 0]],
    [[0, 0, 0], [2, 1, 0], [1, 1, 1]],
];

const fn place(at: u32) -> Range {
    Range::new(at * 4, at * 4 + 3)
}

async fn marked(world: &World) {
    for (document, places) in MARKS.iter().enumerate() {
        for labeler in 0..3 {
            let span = |(at, labels): (u32, &[usize; 3])| Span {
                range: place(at),
                label: world.labels[labels[labeler]],
            };
            let spans: Vec<_> = (0..).zip(places).map(span).collect();
            world.mark(labeler, document, &spans).await;
        }
    }
}

fn asked(positions: ConsensusPositions) -> ConsensusQuery {
    ConsensusQuery { switches: Switches::default(), positions, page: 0 }
}

async fn seen_by(world: &World, who: &Actor, positions: ConsensusPositions) -> ConsensusView {
    consensus::load(&world.services, who, world.project, asked(positions)).await.unwrap()
}

async fn seen(world: &World) -> ConsensusView {
    seen_by(world, &world.manager.actor, ConsensusPositions::Open).await
}

#[tokio::test]
async fn what_is_probable_is_learned_from_all_that_counts_and_the_most_doubtful_comes_first() {
    for world in worlds(3, 4).await {
        assert_eq!(seen(&world).await.estimate, Err(NoConsensus::Nothing));
        marked(&world).await;
        let view = seen(&world).await;
        let items = MARKS.iter().flatten().map(|labels| {
            let category = |place: usize| LabelSet::one(world.labels[place]);
            labels.iter().enumerate().map(|(rater, place)| (rater, category(*place))).collect()
        });
        let votes = Votes::from_items(3, items.collect::<Vec<Vec<_>>>()).unwrap();
        let learning = DawidSkene {
            marginal_prior: 0.1,
            confusion_prior: 0.1,
            tolerance: 1e-6,
            most_iterations: 300,
        };
        let fit = learning.fit(&votes).unwrap();
        let estimate = view.estimate.unwrap();
        assert_eq!((estimate.positions, estimate.decided), (12, 0));
        let accuracies = fit.labels.accuracies(&votes);
        let found: Vec<_> = estimate.people.iter().map(|person| Some(person.accuracy)).collect();
        assert_eq!(found, accuracies);
        assert!(estimate.people.iter().all(|person| person.judgements == 12));
        let doubts: Vec<_> =
            (0..12).map(|at| 1.0 - fit.labels.choice(at).unwrap().probability).collect();
        let expected = doubts.iter().sum::<f64>() / 12.0;
        assert!((estimate.expected_error - expected).abs() < 1e-12);
        let first = doubts.iter().copied().fold(0.0, f64::max);
        let rows = view.page.rows;
        assert_eq!(rows.len(), 12);
        let probable: Vec<_> = rows.iter().map(|row| row.proposed[0].1).collect();
        assert!((1.0 - probable[0] - first).abs() < 1e-12);
        assert!(probable.is_sorted());
    }
}

#[tokio::test]
async fn what_a_reviewer_decides_is_in_doubt_no_more_and_the_expected_error_falls() {
    for world in worlds(3, 4).await {
        marked(&world).await;
        let before = seen(&world).await;
        let doubtful = &before.page.rows[0].row;
        let document = world.documents.iter().position(|id| *id == doubtful.document).unwrap();
        let (label, _) = before.page.rows[0].proposed[0].clone();
        world.decide(document, doubtful.range, Verdict::Accept, label).await;
        let after = seen(&world).await;
        assert_eq!((after.page.total, before.page.total), (11, 12));
        let (before, after) = (before.estimate.unwrap(), after.estimate.unwrap());
        assert_eq!((after.positions, after.decided), (12, 1));
        assert!(after.expected_error < before.expected_error);
        assert_eq!(before.people, after.people, "labelers are learned from, not reviewers");
    }
}

#[tokio::test]
async fn reviewers_are_told_what_is_probable_where_they_have_decided_or_where_the_project_says_so()
{
    use ConsensusPositions::{Decided, Open};

    for world in worlds(3, 4).await {
        marked(&world).await;
        let (manager, reviewer) = (&world.manager.actor, &world.reviewer.actor);
        let other = another(&world).await;
        let told = |view: &ConsensusView| {
            view.page.rows.iter().filter(|row| !row.proposed.is_empty()).count()
        };
        let open = seen_by(&world, reviewer, Open).await;
        assert_eq!((open.page.rows.len(), told(&open)), (12, 0));
        let one = |positions| ConsensusQuery {
            switches: Switches {
                filter: Filter { document: Some(world.documents[0]), ..Filter::default() },
                ..Switches::default()
            },
            ..asked(positions)
        };
        for positions in [Open, Decided] {
            let seen = consensus::load(&world.services, reviewer, world.project, one(positions));
            let people = seen.await.unwrap().estimate.unwrap().people;
            assert_eq!(people, [], "who is right in one document says what is right there");
        }
        let order = |view: &ConsensusView| -> Vec<_> {
            view.page.rows.iter().map(|row| (row.row.document, row.row.range)).collect()
        };
        assert_eq!(order(&open), order(&seen(&world).await));

        // One as it is expected to be, and one that nobody would have expected.
        let expected = LabelSet::one(world.labels[1]);
        world.decide(0, place(1), Verdict::Accept, expected.clone()).await;
        world.decide(0, place(2), Verdict::Relabel, LabelSet::one(world.labels[0])).await;
        let decided = seen_by(&world, reviewer, Decided).await;
        assert_eq!((decided.page.rows.len(), told(&decided)), (2, 2));
        assert_eq!(decided.page.rows[0].row.range, place(2), "the least probable comes first");
        assert_eq!(decided.page.rows[1].proposed[0].0, expected);
        assert!(decided.page.rows[0].decision.unwrap() < decided.page.rows[1].decision.unwrap());
        assert_eq!(decided.estimate.unwrap().as_expected, 1);
        assert_eq!(told(&seen_by(&world, reviewer, Open).await), 0);
        let of_other = seen_by(&world, &other.actor, Decided).await;
        assert_eq!(
            of_other.page.total, 0,
            "what others decided is not told before one's own decision"
        );
        assert_eq!(told(&seen_by(&world, manager, Decided).await), 2);

        let settings = ProjectSettings {
            name: "Places".to_owned(),
            reviewers_see_consensus: true,
            ..ProjectSettings::default()
        };
        project::save_settings(&world.services, manager, world.project, settings).await.unwrap();
        for who in [reviewer, &other.actor] {
            assert_eq!(told(&seen_by(&world, who, Open).await), 10);
            assert_eq!(told(&seen_by(&world, who, Decided).await), 2);
        }
    }
}

#[tokio::test]
async fn labelers_are_told_nothing_and_overlapping_spans_have_none() {
    for world in worlds(3, 4).await {
        marked(&world).await;
        let (services, labeler) = (&world.services, &world.labelers[0].actor);
        for positions in [ConsensusPositions::Open, ConsensusPositions::Decided] {
            let found = consensus::load(services, labeler, world.project, asked(positions)).await;
            assert!(matches!(found, Err(services::Error::Refused(Refusal::Denied(_)))));
        }
        let overlap = ConsensusQuery {
            switches: Switches { policy: PolicyChoice::Overlap, ..Switches::default() },
            ..asked(ConsensusPositions::Open)
        };
        let refused = consensus::load(services, &world.manager.actor, world.project, overlap).await;
        assert!(matches!(refused, Err(services::Error::Refused(Refusal::Invalid { .. }))));
    }
}
