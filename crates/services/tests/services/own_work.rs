//! What a labeler may see of their own agreement, and that nothing of others shines through.

use crate::world::{World, worlds};
use domain::{Error as Refusal, Fact, OwnAgreement, OwnValue, Range, ReleaseLevel, Span, Verdict};
use services::{
    Error, project, review,
    work::{self, annotation},
};

/// Positions that everybody marks in every document.
const HONEST: u32 = 6;

/// Where the peer has marked something in the document that is asked about, and the reviewer decided.
const PLANTED: (u32, u32) = (13, 20);

/// What an attacker tries there.
const GUESSES: [(u32, u32); 4] = [(14, 20), (13, 20), (15, 20), (13, 20)];

async fn set_level(world: &World, release_level: ReleaseLevel) {
    let project = store::project::find(&*world.store, world.project).await.unwrap().unwrap();
    let settings = domain::ProjectSettings { release_level, ..project.settings };
    let actor = &world.manager.actor;
    project::save_settings(&world.services, actor, world.project, settings).await.unwrap();
}

async fn release(world: &World) {
    let manager = &world.manager.actor;
    project::release_agreement(&world.services, manager, world.project).await.unwrap();
}

async fn shown(world: &World, labeler: usize) -> OwnAgreement {
    let actor = &world.labelers[labeler].actor;
    work::load(&world.services, actor, world.project).await.unwrap().agreement
}

/// What is shown of the agreement with peers and with reviewers.
async fn values(world: &World, labeler: usize) -> [Option<OwnValue>; 2] {
    match shown(world, labeler).await {
        OwnAgreement::Shown { peers, reviewers, .. } => [peers, reviewers],
        OwnAgreement::GoldOnly { reviewers } => [None, reviewers],
        other => panic!("{other:?}"),
    }
}

fn honest(world: &World) -> Vec<Span> {
    let span = |place: u32| {
        let label = world.labels[usize::from(place % 2 == 1)];
        Span::new(place * 6, place * 6 + 3, label)
    };
    (0..HONEST).map(span).collect()
}

/// Marks the positions that everybody marks, but for so many, and others; hands it in.
async fn hand_in(world: &World, labeler: usize, document: usize, left_out: usize, more: &[Span]) {
    let mut spans = honest(world);
    spans.truncate(spans.len() - left_out);
    spans.extend(more);
    world.mark(labeler, document, &spans).await;
    world.submit(labeler, document).await;
}

async fn reopen(world: &World, labeler: usize, document: usize) {
    let actor = &world.labelers[labeler].actor;
    let assignment = world.assignment(labeler, document).await;
    let base = annotation::load(&world.services, actor, assignment).await.unwrap().content.revision;
    annotation::reopen(&world.services, actor, assignment, base).await.unwrap();
}

/// Takes a document back, marks other spans in it, and hands it in again.
async fn hand_in_again(world: &World, labeler: usize, document: usize, spans: &[Span]) {
    reopen(world, labeler, document).await;
    let actor = &world.labelers[labeler].actor;
    let assignment = world.assignment(labeler, document).await;
    let base = annotation::load(&world.services, actor, assignment).await.unwrap().content.revision;
    let facts = spans.iter().copied().map(Fact::from).collect();
    annotation::replace(&world.services, actor, assignment, base, facts).await.unwrap();
    world.submit(labeler, document).await;
}

/// The reviewer accepts what everybody marked, and ends the review.
async fn review(world: &World, document: usize, added: Option<Span>) {
    for span in honest(world) {
        let labels = domain::LabelSet::one(span.label);
        world.decide(document, span.range, Verdict::Accept, labels).await;
    }
    if let Some(Span { range, label }) = added {
        world.decide(document, range, Verdict::Add, domain::LabelSet::one(label)).await;
    }
    let (reviewer, document) = (&world.reviewer.actor, world.documents[document]);
    let view = review::load(&world.services, reviewer, document).await.unwrap();
    let base = view.content.revision;
    review::submit(&world.services, reviewer, document, base).await.unwrap();
}

#[tokio::test]
async fn nothing_is_shown_before_the_release_and_only_submitted_work_after_it() {
    for world in worlds(3, 6).await {
        for document in 0..5 {
            hand_in(&world, 0, document, 0, &[]).await;
            world.mark(1, document, &honest(&world)).await;
        }
        assert_eq!(shown(&world, 0).await, OwnAgreement::NotReleased);
        release(&world).await;
        let OwnAgreement::Shown { peers, as_of, .. } = shown(&world, 0).await else {
            panic!("it was released")
        };
        assert!(as_of.is_some());
        assert_eq!(peers, None, "the peer has not submitted");
        for document in 0..5 {
            world.submit(1, document).await;
            assert_eq!(
                values(&world, 0).await[0],
                None,
                "it does not move with the work of others"
            );
        }
        release(&world).await;
        let peers = values(&world, 0).await[0].clone().unwrap();
        assert_eq!(
            peers,
            OwnValue { kappa: Some(1.0), alpha: Some(1.0), n: 30, labels: Vec::new() }
        );
    }
}

#[tokio::test]
async fn two_documents_with_one_peer_show_nothing_at_any_level() {
    for world in worlds(2, 2).await {
        for level in ReleaseLevel::ALL {
            set_level(&world, level).await;
            for document in 0..2 {
                for labeler in 0..2 {
                    if level == ReleaseLevel::ALL[0] {
                        hand_in(&world, labeler, document, 0, &[]).await;
                    }
                }
            }
            release(&world).await;
            if level != ReleaseLevel::None {
                assert_eq!(values(&world, 0).await, [None, None], "{level}");
            }
        }
    }
}

#[tokio::test]
async fn the_level_decides_what_is_shown() {
    for world in worlds(3, 5).await {
        for document in 0..5 {
            for labeler in 0..3 {
                hand_in(&world, labeler, document, 0, &[]).await;
            }
            review(&world, document, None).await;
        }
        set_level(&world, ReleaseLevel::None).await;
        assert_eq!(shown(&world, 0).await, OwnAgreement::Never);
        set_level(&world, ReleaseLevel::GoldOnly).await;
        assert!(matches!(
            shown(&world, 0).await,
            OwnAgreement::GoldOnly { reviewers: Some(OwnValue { n: 30, .. }) }
        ));
        set_level(&world, ReleaseLevel::Open).await;
        let OwnAgreement::Shown { peers, reviewers, as_of: None } = shown(&world, 0).await else {
            panic!("it is shown")
        };
        assert_eq!([peers.unwrap().n, reviewers.unwrap().n], [30, 30]);
    }
}

#[tokio::test]
async fn with_one_peer_alone_only_a_release_shows_something_and_that_coarsely() {
    for world in worlds(2, 5).await {
        for document in 0..5 {
            // One position of six is labeled otherwise: κ is 0.66.
            let other = Span::new(0, 3, world.labels[1]);
            for labeler in 0..2 {
                let mut spans = honest(&world);
                if labeler == 1 {
                    spans[0] = other;
                }
                world.mark(labeler, document, &spans).await;
                world.submit(labeler, document).await;
            }
        }
        set_level(&world, ReleaseLevel::Open).await;
        assert_eq!(values(&world, 0).await, [None, None]);
        set_level(&world, ReleaseLevel::AfterRelease).await;
        release(&world).await;
        let [peers, _] = values(&world, 0).await;
        assert_eq!(peers.unwrap().kappa, Some(0.7));
    }
}

#[tokio::test]
async fn what_is_shown_as_it_comes_moves_by_batches_of_documents() {
    for world in worlds(3, 11).await {
        set_level(&world, ReleaseLevel::Open).await;
        let mut seen = Vec::new();
        for document in 0..11 {
            for labeler in 0..3 {
                hand_in(&world, labeler, document, 0, &[]).await;
            }
            seen.push(values(&world, 0).await[0].as_ref().map(|value| value.n));
        }
        // The fifth document fills a batch with the first of the two peers, of whom alone nothing is
        // shown; what comes after that is the next batch.
        assert_eq!(seen[..5], [None; 5]);
        let moves: Vec<_> = seen.chunk_by(|one, next| one == next).map(|run| run[0]).collect();
        assert_eq!(moves, [None, Some(100)], "{seen:?}");
    }
}

/// What the attacker sees after each of their moves, where the others have marked `planted`.
async fn attack(world: &World, level: ReleaseLevel, planted: (u32, u32)) -> Vec<OwnAgreement> {
    set_level(world, level).await;
    let label = world.labels[0];
    let span = |(start, end)| Span::new(start, end, label);
    for document in 0..11 {
        let planted = (document >= 4).then(|| span(planted));
        let left_out = usize::from(document == 4);
        for peer in [1, 2] {
            hand_in(world, peer, document, left_out, planted.as_slice()).await;
        }
    }
    for document in 0..11 {
        if document != 4 {
            review(world, document, None).await;
        }
    }
    let mut seen = Vec::new();
    let look = async |seen: &mut Vec<OwnAgreement>| {
        if level == ReleaseLevel::AfterRelease {
            release(world).await;
        }
        let mut now = shown(world, 0).await;
        // The two worlds' clocks may differ.
        if let OwnAgreement::Shown { as_of, .. } = &mut now {
            *as_of = None;
        }
        seen.push(now);
    };
    // The first batch lacks one position with each peer: does a guess make it whole?
    for document in 0..4 {
        hand_in(world, 0, document, 0, &[]).await;
    }
    look(&mut seen).await;
    hand_in(world, 0, 4, 1, &[span(GUESSES[0])]).await;
    for guess in GUESSES {
        hand_in_again(world, 0, 4, &[span(guess)]).await;
        look(&mut seen).await;
        reopen(world, 0, 4).await;
        look(&mut seen).await;
        world.submit(0, 4).await;
    }
    // Now there is something to be seen: does it move with guesses in a document that is counted, or
    // in one that waits?
    for document in 5..7 {
        hand_in(world, 0, document, 0, &[]).await;
        look(&mut seen).await;
    }
    for document in [0, 6, 4] {
        for guess in GUESSES {
            hand_in_again(world, 0, document, &[span(guess)]).await;
            look(&mut seen).await;
        }
    }
    // And when the batch is full, one guess in it is lost among what is honest.
    hand_in(world, 0, 7, 0, &[span(GUESSES[1])]).await;
    for document in 8..11 {
        hand_in(world, 0, document, 0, &[]).await;
        look(&mut seen).await;
    }
    seen
}

#[tokio::test]
async fn a_labeler_who_guesses_learns_nothing_of_a_span_that_a_peer_has_marked() {
    for level in [ReleaseLevel::GoldOnly, ReleaseLevel::AfterRelease, ReleaseLevel::Open] {
        for (one, other) in worlds(3, 11).await.into_iter().zip(worlds(3, 11).await) {
            let there = attack(&one, level, PLANTED).await;
            let elsewhere = attack(&other, level, (50, 55)).await;
            assert_eq!(there, elsewhere, "{level}");
            let last = there.last().unwrap();
            let sees = match last {
                OwnAgreement::GoldOnly { reviewers } => reviewers.is_some(),
                OwnAgreement::Shown { peers, .. } => peers.is_some(),
                _ => false,
            };
            assert!(sees, "there is something that might have moved: {last:?}");
        }
    }
}

#[tokio::test]
async fn what_others_do_to_a_document_that_was_counted_moves_nothing() {
    for world in worlds(3, 6).await {
        set_level(&world, ReleaseLevel::Open).await;
        for document in 0..5 {
            for labeler in 0..3 {
                hand_in(&world, labeler, document, 0, &[]).await;
            }
            review(&world, document, None).await;
        }
        let before = shown(&world, 0).await;
        for document in 0..5 {
            hand_in_again(&world, 1, document, &[Span::new(0, 3, world.labels[2])]).await;
            let reviewer = &world.reviewer.actor;
            let id = world.documents[document];
            let view = review::load(&world.services, reviewer, id).await.unwrap();
            let base = view.content.revision;
            review::reopen(&world.services, reviewer, id, base).await.unwrap();
            let range = Range::new(0, 3);
            world.decide(document, range, Verdict::Reject, domain::LabelSet::EMPTY).await;
        }
        assert_eq!(shown(&world, 0).await, before);
    }
}

/// Others agree on two of three positions.
async fn two_of_three_by_others(world: &World) {
    for labeler in [1, 2] {
        world.mark(labeler, 0, &[Span::new(0, 3, world.labels[labeler])]).await;
        world.submit(labeler, 0).await;
    }
}

#[tokio::test]
async fn two_histories_that_differ_in_others_work_alone_look_alike_to_a_labeler() {
    for (one, other) in worlds(3, 2).await.into_iter().zip(worlds(3, 2).await) {
        for world in [&one, &other] {
            world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        }
        // Only in one of the worlds do the others work, and the reviewer's list is looked at.
        two_of_three_by_others(&one).await;
        let mut seen = Vec::new();
        for world in [&one, &other] {
            let actor = &world.labelers[0].actor;
            let own = work::load(&world.services, actor, world.project).await.unwrap();
            let assignment = world.assignment(0, 0).await;
            let assignment = annotation::load(&world.services, actor, assignment).await.unwrap();
            let mut own = serde_json::to_value(own).unwrap();
            let mut assignment = serde_json::to_value(assignment).unwrap();
            // The two worlds' clocks differ; nothing else may.
            strip_times(&mut own);
            strip_times(&mut assignment);
            seen.push((own, assignment));
        }
        assert_eq!(seen[0], seen[1]);
    }
}

fn strip_times(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(map) => {
            map.remove("saved_at");
            map.values_mut().for_each(strip_times);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(strip_times),
        _ => {}
    }
}

#[tokio::test]
async fn the_page_is_for_labelers_of_the_project_alone() {
    for world in worlds(1, 1).await {
        let load = async |actor| work::load(&world.services, actor, world.project).await;
        assert!(matches!(load(&world.outsider).await, Err(Error::Refused(Refusal::NotFound))));
        assert!(matches!(
            load(&world.manager.actor).await,
            Err(Error::Refused(Refusal::Denied(_)))
        ));
    }
}
