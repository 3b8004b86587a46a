//! The start page: what waits, and the numbers of the overview as far as one may see them.

use crate::world::{World, worlds};
use domain::{
    Actor, Confidence, LabelSet, OwnAgreement, Range, Span, StartAgreement, StartCard, Verdict,
    Waiting,
};
use services::{overview, project};

async fn card(world: &World, actor: &Actor) -> StartCard {
    project::start(&world.services, actor).await.unwrap().cards.pop().unwrap()
}

/// The card once nothing is being counted any more.
async fn settled(world: &World, actor: &Actor) -> StartCard {
    loop {
        let card = card(world, actor).await;
        let is_settled = match &card.agreement {
            StartAgreement::Counting => false,
            StartAgreement::All(values) => {
                values.iter().all(|value| value.confidence != Confidence::Pending)
            }
            StartAgreement::Own(_) => true,
        };
        if is_settled {
            return card;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

/// Two labelers on two of three documents: the same three positions, one of them called otherwise.
async fn worked_on(world: &World) {
    let [per, title, ..] = world.labels[..] else { panic!("labels") };
    for document in 0..2 {
        let spans = |last| {
            [(0, 2, per), (3, 5, title), (6, 8, last)]
                .map(|(from, to, label)| Span::new(from, to, label))
        };
        world.mark(0, document, &spans(per)).await;
        world.mark(1, document, &spans(title)).await;
        world.submit(0, document).await;
        world.submit(1, document).await;
    }
}

#[tokio::test]
async fn the_numbers_of_a_card_are_those_of_the_overview_and_are_counted_meanwhile() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let manager = &world.manager.actor;
        let first = card(&world, manager).await;
        assert_eq!((first.agreement, first.waiting.conflicts), (StartAgreement::Counting, None));
        let shown = settled(&world, manager).await;
        let StartAgreement::All(values) = shown.agreement else { panic!("{:?}", shown.agreement) };
        let overview = overview::load(&world.services, manager, world.project).await.unwrap();
        for (value, headline) in values.iter().zip(&overview.headlines.numbers) {
            assert_eq!((value.policy, value.measured), (headline.policy, headline.measured));
        }
        assert_eq!(shown.waiting.conflicts, Some(overview.funnel.undecided));
    }
}

#[tokio::test]
async fn what_waits_is_the_viewers_own() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let waits = async |actor: &Actor| settled(&world, actor).await.waiting;
        let labeler = waits(&world.labelers[0].actor).await;
        assert_eq!(labeler, Waiting { to_label: 1, ..Waiting::default() });
        let reviewer = waits(&world.reviewer.actor).await;
        assert_eq!((reviewer.to_review, reviewer.conflicts), (2, Some(2)));
        world.decide(0, Range::new(6, 8), Verdict::Accept, LabelSet::one(world.labels[0])).await;
        assert_eq!(waits(&world.reviewer.actor).await.conflicts, Some(1));
        assert_eq!(waits(&world.manager.actor).await.conflicts, Some(1));
    }
}

#[tokio::test]
async fn a_labeler_is_shown_what_is_released_and_no_number_of_the_project() {
    for world in worlds(2, 3).await {
        worked_on(&world).await;
        let actor = &world.labelers[0].actor;
        let own = card(&world, actor).await;
        assert_eq!(own.agreement, StartAgreement::Own(OwnAgreement::NotReleased));
        assert_eq!(own.waiting.conflicts, None);
        project::release_agreement(&world.services, &world.manager.actor, world.project)
            .await
            .unwrap();
        let StartAgreement::Own(OwnAgreement::Shown { peers, .. }) =
            card(&world, actor).await.agreement
        else {
            panic!("released");
        };
        assert_eq!(peers, None, "two documents are below the floor");
    }
}
