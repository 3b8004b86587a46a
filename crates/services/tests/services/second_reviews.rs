//! A second reviewer on a sample: drawn, undone, and independent until both have ended.

use crate::{
    house::{invalid_field, refused},
    world::{Person, World, worlds},
};
use domain::{
    Actor, DisagreementQuery, Error as Refusal, ExportFormat, ExportWhat, LabelSet, MemberId,
    PairCell, Range, Role, SecondReviewAsk, SecondReviewPlan, Span, Switches, User, Verdict,
    WalkList, WalkQuery,
};
use services::{
    agreement::{self, disagreements},
    document::export,
    review::{self, gold, second_reviews, walk},
    work::comments,
};

/// Another reviewer of the project.
pub(crate) async fn another(world: &World) -> Person {
    let now = services::Clock::system().now();
    let (email, name) = ("rosa@example.org", "Rosa Second");
    let tx = world.store.begin().await.unwrap();
    let id = store::account::users::create(&tx, email, name, "", false, now).await.unwrap();
    let member =
        store::project::members::add(&tx, world.project, id, Role::Reviewer, now).await.unwrap();
    tx.commit().await.unwrap();
    let (email, name) = (email.to_owned(), name.to_owned());
    Person {
        actor: Actor::Person(User {
            id,
            email,
            name,
            may_create_projects: false,
            is_administrator: false,
            has_factor_elsewhere: false,
        }),
        member,
    }
}

pub(crate) async fn preview(world: &World, reviewer: MemberId, percent: u32) -> SecondReviewPlan {
    let ask = SecondReviewAsk { reviewer: Some(reviewer), percent };
    let manager = &world.manager.actor;
    let view = second_reviews::load(&world.services, manager, world.project, ask).await.unwrap();
    view.plan.unwrap().unwrap()
}

pub(crate) async fn end(world: &World, reviewer: &Person, document: usize) {
    let id = world.documents[document];
    let view = review::load(&world.services, &reviewer.actor, id).await.unwrap();
    let base = view.content.revision;
    review::submit(&world.services, &reviewer.actor, id, base).await.unwrap();
}

#[tokio::test]
async fn a_sample_of_what_others_reviewed_is_drawn_as_previewed_and_undone() {
    for world in worlds(1, 4).await {
        let (services, project) = (&world.services, world.project);
        let manager = &world.manager.actor;
        let rosa = another(&world).await;
        assert_eq!(preview(&world, rosa.member, 50).await.eligible, 0);
        for document in [0, 1, 2] {
            end(&world, &world.reviewer, document).await;
        }
        // One of the three is begun by the second reviewer already.
        end(&world, &rosa, 2).await;
        let plan = preview(&world, rosa.member, 50).await;
        assert_eq!((plan.eligible, plan.chosen.len()), (2, 1));
        let ask = plan.ask;
        let give = async |actor: &Actor, seen: &str| {
            second_reviews::give(services, actor, project, ask, seen).await
        };
        assert_eq!(invalid_field(give(manager, "else").await), "seen");
        let sample = give(manager, &plan.seen).await.unwrap();
        let chosen = plan.chosen[0].0;
        let marked = async || {
            let list = review::list(services, &rosa.actor, project, 0).await.unwrap();
            list.rows.into_iter().filter(|card| card.second).map(|card| card.document).collect()
        };
        let seconds: Vec<_> = marked().await;
        assert_eq!(seconds, [chosen]);
        // Asked again, the rest is drawn, with another seed.
        let next = preview(&world, rosa.member, 100).await;
        assert_eq!(next.chosen.len(), 1);
        assert_ne!((next.seed, next.chosen[0].0), (plan.seed, chosen));
        second_reviews::undo(services, manager, project, sample).await.unwrap();
        let seconds: Vec<_> = marked().await;
        assert_eq!(seconds, []);
        let again = second_reviews::undo(services, manager, project, sample).await;
        assert_eq!(refused(again), Refusal::NotFound);
        for actor in [&rosa.actor, &world.labelers[0].actor, &world.outsider, &Actor::Anonymous] {
            refused(give(actor, &plan.seen).await);
            refused(second_reviews::load(services, actor, project, ask).await);
            refused(second_reviews::undo(services, actor, project, sample).await);
        }
        let labeler = SecondReviewAsk { reviewer: Some(world.labelers[0].member), percent: 50 };
        let view = second_reviews::load(services, manager, project, labeler).await.unwrap();
        assert!(view.plan.unwrap().is_err());
    }
}

#[tokio::test]
async fn the_second_reviewer_sees_nothing_of_the_first_until_both_have_ended() {
    for world in worlds(2, 1).await {
        let (services, project) = (&world.services, world.project);
        let [per, title, _] = world.labels[..] else { panic!("three labels") };
        let range = Range::new(0, 3);
        world.mark(0, 0, &[Span { range, label: per }]).await;
        world.mark(1, 0, &[Span { range, label: title }]).await;
        world.decide(0, range, Verdict::Accept, LabelSet::one(per)).await;
        end(&world, &world.reviewer, 0).await;
        let assignment = world.assignment(0, 0).await;
        let labeler = &world.labelers[0].actor;
        comments::begin(services, labeler, assignment, Some(range), "Why?").await.unwrap();
        let document = world.documents[0];
        let thread =
            comments::own(services, labeler, assignment, None).await.unwrap().threads[0].id;
        let first = &world.reviewer.actor;
        comments::answer(services, first, project, thread, "A person.", false).await.unwrap();
        let rosa = another(&world).await;
        let plan = preview(&world, rosa.member, 20).await;
        let manager = &world.manager.actor;
        let seen = &plan.seen;
        second_reviews::give(services, manager, project, plan.ask, seen).await.unwrap();

        // Every way to what others decided is closed to her, and to nobody else.
        let ways = async |actor: &Actor| {
            let query = DisagreementQuery::default();
            let switches = Switches::default();
            let list = WalkList::Disagreements(query);
            let steps = WalkQuery { list, at: None, act: None };
            let jsonl = ExportFormat::JsonLines;
            let rater = ExportWhat::Rater(world.labelers[0].member);
            let csv = export::ListFormat::Csv;
            [
                disagreements::list(services, actor, project, query).await.is_ok(),
                agreement::snapshot(services, actor, project, switches).await.is_ok(),
                world.exported(actor, ExportWhat::Gold, jsonl).await.is_ok(),
                world.exported(actor, ExportWhat::Labelers, jsonl).await.is_ok(),
                world.exported(actor, rater, jsonl).await.is_ok(),
                export::disagreements(services, actor, project, query, csv).await.is_ok(),
                gold::document(services, actor, project, document, None).await.is_ok(),
                walk::load(services, actor, project, steps).await.is_ok(),
            ]
        };
        assert_eq!(ways(&rosa.actor).await, [false; 8]);
        assert_eq!(ways(first).await, [true; 8]);
        let at = domain::Position { document, range };
        refused(walk::load_same_text(services, &rosa.actor, project, None, Some(at)).await);
        let told = async |actor| {
            let of = comments::of_document(services, actor, document, None).await.unwrap();
            of.threads[0].comments.len()
        };
        assert_eq!((told(&rosa.actor).await, told(first).await), (1, 2));
        let view = review::load(services, &rosa.actor, document).await.unwrap();
        assert_eq!(view.content.positions[0].decision, None);

        // She ends hers, and the first has taken theirs up again meanwhile: still closed.
        let view = review::load(services, first, document).await.unwrap();
        review::reopen(services, first, document, view.content.revision).await.unwrap();
        end(&world, &rosa, 0).await;
        assert_eq!(ways(&rosa.actor).await, [false; 8]);
        end(&world, &world.reviewer, 0).await;
        assert_eq!(ways(&rosa.actor).await, [true; 8]);
        assert_eq!(told(&rosa.actor).await, 2);

        // The two are a pair of the matrix, under their names.
        let shown =
            agreement::snapshot(services, first, project, Switches::default()).await.unwrap();
        let name = |id| shown.raters.iter().find(|rater| rater.id == id).unwrap().name.clone();
        assert_eq!(name(rosa.member), "Rosa Second");
        let is_pair = |cell: &&PairCell| {
            let pair = [cell.first, cell.second];
            pair.contains(&rosa.member) && pair.contains(&world.reviewer.member)
        };
        assert_eq!(shown.cells.iter().filter(is_pair).count(), 1);
    }
}
