//! Giving work out: what was previewed is what happens, and what nobody has begun can be undone.

use crate::{
    house::{invalid_field, refused},
    world::{World, worlds},
};
use chrono::NaiveDate;
use domain::{
    AssignmentQuery, BoardQuery, Error as Refusal, LoadOrder, MemberId, OwnPool, Pool, Sorting,
    Span, StateCounts,
    WorkState::{self, Open, Saved, Submitted},
    WorkloadAsk, WorkloadBatchId, WorkloadBoard, WorkloadKind, WorkloadPlan,
};
use services::{
    outside::verification,
    work::{self, annotation},
    workload,
};

fn ask(kind: WorkloadKind) -> WorkloadAsk {
    WorkloadAsk { kind, ..WorkloadAsk::default() }
}

async fn board(world: &World, query: BoardQuery) -> WorkloadBoard {
    workload::load(&world.services, &world.manager.actor, world.project, query).await.unwrap()
}

async fn preview(world: &World, ask: WorkloadAsk) -> WorkloadPlan {
    let query = BoardQuery { ask: Some(ask), ..BoardQuery::default() };
    board(world, query).await.plan.unwrap().unwrap()
}

async fn give(world: &World, ask: WorkloadAsk) -> WorkloadBatchId {
    let seen = preview(world, ask).await.seen;
    let (services, actor) = (&world.services, &world.manager.actor);
    workload::give(services, actor, world.project, ask, &seen).await.unwrap()
}

async fn undo(world: &World, act: WorkloadBatchId) -> services::Result<u64> {
    workload::undo(&world.services, &world.manager.actor, world.project, act).await
}

/// Who has which document in which state.
async fn holdings(world: &World) -> Vec<(usize, MemberId, WorkState)> {
    let holdings = store::workload::holdings(&*world.store, world.project).await.unwrap();
    let place = |document| world.documents.iter().position(|id| *id == document).unwrap();
    holdings
        .iter()
        .map(|assignment| (place(assignment.document), assignment.member, assignment.state))
        .collect()
}

/// Somebody who joins when everything is given out already, and so has nothing.
async fn newcomer(world: &World) -> MemberId {
    let now = services::Clock::system().now();
    let tx = world.store.begin().await.unwrap();
    let user = store::account::users::create(&tx, "new@example.org", "Nina New", "", false, now)
        .await
        .unwrap();
    let role = domain::Role::Labeler;
    let member = store::project::members::add(&tx, world.project, user, role, now).await.unwrap();
    tx.commit().await.unwrap();
    member
}

#[tokio::test]
async fn what_is_given_is_what_was_previewed_and_undo_takes_it_back() {
    for world in worlds(1, 10).await {
        let nina = newcomer(&world).await;
        let before = holdings(&world).await;
        let double = ask(WorkloadKind::Double);
        let plan = preview(&world, double).await;
        assert_eq!((plan.changes, plan.stay, plan.after.clone()), (2, 10, vec![(1, 8), (2, 2)]));
        assert!(plan.seed.is_some());
        let shares: Vec<_> = plan.shares.iter().map(|share| (share.has, share.gets)).collect();
        assert_eq!(shares, [(10, 0), (0, 2)]);
        let act = give(&world, double).await;
        let now = holdings(&world).await;
        assert_eq!(now.iter().filter(|(_, member, _)| *member == nina).count(), 2);
        let batches = board(&world, BoardQuery::default()).await.batches;
        assert_eq!((batches[0].id, batches[0].given, batches[0].seed.clone()), (act, 2, plan.seed));

        assert_eq!(undo(&world, act).await.unwrap(), 0);
        assert_eq!(holdings(&world).await, before);
        assert!(matches!(refused(undo(&world, act).await), Refusal::Conflict(_)));
        // Nothing of it moves agreement.
        assert_eq!(
            verification::all(&world.store).await.unwrap()[0].problems,
            Vec::<String>::new()
        );
    }
}

#[tokio::test]
async fn what_has_changed_since_the_preview_is_not_done() {
    for world in worlds(1, 4).await {
        newcomer(&world).await;
        let overlap = ask(WorkloadKind::Overlap);
        let plan = preview(&world, overlap).await;
        let person = WorkloadAsk {
            to: Some(plan.shares[1].member),
            last: Some(1),
            ..ask(WorkloadKind::Person)
        };
        give(&world, person).await;
        let (services, actor) = (&world.services, &world.manager.actor);
        let before = holdings(&world).await;
        let late = workload::give(services, actor, world.project, overlap, &plan.seen).await;
        assert_eq!(invalid_field(late), "seen");
        assert_eq!(holdings(&world).await, before);
        // The same again changes nothing, and says so.
        assert_eq!(preview(&world, person).await.changes, 0);
        let wrong = WorkloadAsk { overlap: 9, ..overlap };
        let query = BoardQuery { ask: Some(wrong), ..BoardQuery::default() };
        assert!(board(&world, query).await.plan.unwrap().is_err());
    }
}

#[tokio::test]
async fn handing_over_leaves_what_was_begun_and_undo_what_was_begun_since() {
    for world in worlds(1, 4).await {
        let nina = newcomer(&world).await;
        let old = world.labelers[0].member;
        let span = Span::new(0, 3, world.labels[0]);
        world.mark(0, 0, &[span]).await;
        world.mark(0, 1, &[span]).await;
        world.submit(0, 1).await;
        let over = WorkloadAsk { from: Some(old), to: Some(nina), ..ask(WorkloadKind::HandOver) };
        let plan = preview(&world, over).await;
        assert_eq!((plan.shares[0].loses, plan.shares[1].gets, plan.stay), (2, 2, 2));
        let act = give(&world, over).await;
        assert_eq!(
            holdings(&world).await,
            [(0, old, Saved), (1, old, Submitted), (2, nina, Open), (3, nina, Open)]
        );
        // She begins with one of them: that one is hers.
        let cards = store::work::assignments::list_of_member(&*world.store, nina).await.unwrap();
        let tx = world.store.begin().await.unwrap();
        let now = world_now();
        let base = domain::Revision(0);
        let bases = [(cards[0].id, base)];
        assert!(store::work::assignments::save(&tx, &bases, Saved, now).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(undo(&world, act).await.unwrap(), 2);
        assert_eq!(
            holdings(&world).await,
            [(0, old, Saved), (1, old, Submitted), (2, nina, Saved), (3, old, Open)]
        );
        let batches = board(&world, BoardQuery::default()).await.batches;
        assert_eq!((batches[0].taken, batches[0].left_alone), (2, 2));
    }
}

fn world_now() -> chrono::DateTime<chrono::Utc> {
    services::Clock::system().now()
}

#[tokio::test]
async fn each_number_of_the_board_is_that_of_the_list_behind_it() {
    for world in worlds(3, 5).await {
        let span = Span::new(0, 3, world.labels[0]);
        world.mark(0, 0, &[span]).await;
        world.mark(1, 1, &[span]).await;
        world.submit(1, 1).await;
        let past = NaiveDate::from_ymd_opt(1960, 1, 1);
        let due =
            WorkloadAsk { to: Some(world.labelers[0].member), due: past, ..ask(WorkloadKind::Due) };
        give(&world, due).await;
        let sorting = Sorting { order: LoadOrder::Overdue, descending: false, page: 0 };
        let query = BoardQuery { people: sorting, documents: sorting, ask: None };
        let shown = board(&world, query).await;
        let first = &shown.people[0];
        assert_eq!(first.counts, StateCounts { open: 4, saved: 1, ..StateCounts::default() });
        assert_eq!((first.member, first.overdue), (world.labelers[0].member, 5));
        let count = async |query: AssignmentQuery| {
            let (services, actor) = (&world.services, &world.manager.actor);
            workload::assignments(services, actor, world.project, query).await.unwrap().total
        };
        for person in &shown.people {
            let own = AssignmentQuery { member: Some(person.member), ..AssignmentQuery::default() };
            assert_eq!(count(own).await, person.counts.total());
            assert_eq!(count(AssignmentQuery { overdue: true, ..own }).await, person.overdue);
            let open = AssignmentQuery { state: Some(Open), ..own };
            assert_eq!(count(open).await, person.counts.open);
        }
        for document in &shown.documents.rows {
            let of =
                AssignmentQuery { document: Some(document.document), ..AssignmentQuery::default() };
            assert_eq!(count(of).await, document.counts.total());
            let submitted = AssignmentQuery { state: Some(Submitted), ..of };
            assert_eq!(count(submitted).await, document.counts.submitted);
            assert_eq!(count(AssignmentQuery { overdue: true, ..of }).await, document.overdue);
        }
        let own =
            work::load(&world.services, &world.labelers[0].actor, world.project).await.unwrap();
        assert_eq!(own.overdue.len(), 5);
    }
}

#[tokio::test]
async fn a_pause_puts_away_what_is_not_begun_and_loses_nothing() {
    for world in worlds(2, 3).await {
        let span = Span::new(0, 3, world.labels[0]);
        world.mark(0, 0, &[span]).await;
        let open = world.assignment(0, 1).await;
        let (services, manager, project) = (&world.services, &world.manager.actor, world.project);
        let member = world.labelers[0].member;
        workload::pause(services, manager, project, member, true).await.unwrap();
        let labeler = &world.labelers[0].actor;
        let own = work::load(services, labeler, project).await.unwrap();
        assert_eq!((own.paused, own.assignments.len(), own.counts.total()), (true, 1, 1));
        // Somebody who is at work on a document meanwhile loses nothing.
        let begun = annotation::load(services, labeler, open).await.unwrap();
        annotation::submit(services, labeler, open, begun.content.revision).await.unwrap();
        assert_eq!(work::load(services, labeler, project).await.unwrap().counts.submitted, 1);
        workload::pause(services, manager, project, member, false).await.unwrap();
        let own = work::load(services, labeler, project).await.unwrap();
        assert_eq!((own.paused, own.counts.total()), (false, 3));
        let other = workload::pause(services, manager, project, world.reviewer.member, true).await;
        assert_eq!(refused(other), Refusal::NotFound);
    }
}

#[tokio::test]
async fn labelers_draw_up_to_their_cap_and_nobody_gets_a_place_that_is_taken() {
    for world in worlds(1, 2).await {
        newcomer(&world).await;
        let (services, manager, project) = (&world.services, &world.manager.actor, world.project);
        let user = domain::User {
            id: store::project::members::list(&*world.store, project)
                .await
                .unwrap()
                .last()
                .unwrap()
                .user,
            email: String::new(),
            name: "Nina New".to_owned(),
            may_create_projects: false,
            is_administrator: false,
            has_factor_elsewhere: false,
        };
        let nina = domain::Actor::Person(user);
        assert!(matches!(
            refused(workload::draw(services, &nina, project).await),
            Refusal::Conflict(_)
        ));
        let pool = Pool { overlap: 2, cap: 1, days: 3 };
        workload::open_pool(services, manager, project, pool).await.unwrap();
        let shown = board(&world, BoardQuery::default()).await;
        assert_eq!((shown.pool, shown.pooled), (Some(pool), (2, 2)));
        let own = async || work::load(services, &nina, project).await.unwrap();
        assert_eq!(own().await.pool, Some(OwnPool::Ready));
        // At once, twice: one of them is over the cap.
        let (one, other) = tokio::join!(
            workload::draw(services, &nina, project),
            workload::draw(services, &nina, project)
        );
        assert!(one.is_ok() != other.is_ok());
        let now = own().await;
        assert_eq!((now.pool, now.assignments.len()), (Some(OwnPool::Full(1)), 1));
        assert!(now.assignments[0].due_at.is_some());
        let drawn = now.assignments[0].id;
        annotation::submit(services, &nina, drawn, domain::Revision(0)).await.unwrap();
        workload::draw(services, &nina, project).await.unwrap();
        let last = own().await.assignments[1].id;
        annotation::submit(services, &nina, last, domain::Revision(0)).await.unwrap();
        assert_eq!(own().await.pool, Some(OwnPool::Empty));
        assert!(matches!(
            refused(workload::draw(services, &nina, project).await),
            Refusal::Conflict(_)
        ));
        workload::close_pool(services, manager, project).await.unwrap();
        assert_eq!(own().await.pool, None);
    }
}

#[tokio::test]
async fn the_board_takes_as_many_statements_for_many_documents() {
    let mut counts: Vec<(String, u64)> = Vec::new();
    for size in [2, 70] {
        for world in worlds(3, size).await {
            let start = world.store.statements();
            board(
                &world,
                BoardQuery { ask: Some(ask(WorkloadKind::Overlap)), ..BoardQuery::default() },
            )
            .await;
            let engine = world.store.url().split(':').next().unwrap().to_owned();
            counts.push((engine, world.store.statements() - start));
        }
    }
    for (engine, count) in &counts {
        assert!(counts.iter().all(|(other, n)| other != engine || n == count), "{counts:?}");
    }
}

#[tokio::test]
async fn only_managers_give_work_out() {
    for world in worlds(1, 1).await {
        let (services, project) = (&world.services, world.project);
        for actor in [&world.labelers[0].actor, &world.reviewer.actor, &world.outsider] {
            refused(workload::load(services, actor, project, BoardQuery::default()).await);
            refused(
                workload::assignments(services, actor, project, AssignmentQuery::default()).await,
            );
            let over = ask(WorkloadKind::Overlap);
            refused(workload::give(services, actor, project, over, "").await);
            let pool = Pool { overlap: 1, cap: 1, days: 0 };
            refused(workload::open_pool(services, actor, project, pool).await);
            let member = world.labelers[0].member;
            refused(workload::pause(services, actor, project, member, true).await);
        }
    }
}
