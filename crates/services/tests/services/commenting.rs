//! What people say to each other about the work: flags, skips, comments, and assignments that come back.

use crate::{
    house::{invalid_field, refused},
    world::{World, worlds},
};
use domain::{
    Actor, AssignmentId, AssignmentQuery, BoardQuery, CommentThread, DecisionChange,
    DocumentComments, Error as Refusal, FlagKind, FlagReason, GivenReason, LabelSet, NewFlag,
    OwnPool, OwnWork, Pool, Range, ReleaseLevel, Role, SaveDecisions, Span, ThreadFilter, Verdict,
    WorkState, WorkloadAsk, WorkloadKind,
};
use services::{
    document::{self, export},
    outside::verification,
    project::{self, reasons},
    review,
    work::{self, annotation, comments, flags},
    workload,
};

fn flag(kind: FlagKind, note: &str) -> NewFlag {
    NewFlag { kind, reason: FlagReason::Damaged, note: note.to_owned() }
}

async fn raise(world: &World, labeler: usize, assignment: AssignmentId, kind: FlagKind) {
    let actor = &world.labelers[labeler].actor;
    flags::raise(&world.services, actor, assignment, flag(kind, "torn")).await.unwrap();
}

async fn own_work(world: &World, labeler: usize) -> OwnWork {
    work::load(&world.services, &world.labelers[labeler].actor, world.project).await.unwrap()
}

async fn is_true(world: &World) {
    assert_eq!(verification::all(&world.store).await.unwrap()[0].problems, Vec::<String>::new());
}

#[tokio::test]
async fn a_skipped_assignment_is_neither_open_nor_submitted_and_leaves_what_is_next() {
    for world in worlds(2, 4).await {
        let (services, project) = (&world.services, world.project);
        world.mark(0, 1, &[Span::new(0, 3, world.labels[0])]).await;
        let assignments = [
            world.assignment(0, 0).await,
            world.assignment(0, 1).await,
            world.assignment(0, 2).await,
        ];
        let labeler = &world.labelers[0].actor;
        let skip = flag(FlagKind::Skip, " torn ");
        let (_, next) = flags::raise(services, labeler, assignments[1], skip).await.unwrap();
        assert_eq!(next, Some(assignments[2]));
        let own = own_work(&world, 0).await;
        assert_eq!((own.counts.open, own.counts.saved, own.counts.skipped), (3, 0, 1));
        assert_eq!((own.assignments.len(), own.skipped[0].id), (3, assignments[1]));
        assert_eq!(own.notes[0].1.flags[0].note, "torn");
        // Walking from document to document passes it by; its own page knows its place.
        let view = annotation::load(services, labeler, assignments[0]).await.unwrap();
        assert_eq!((view.next, view.places), (Some(assignments[2]), 3));
        let view = annotation::load(services, labeler, assignments[1]).await.unwrap();
        assert_eq!(
            (view.previous, view.next, view.places),
            (Some(assignments[0]), Some(assignments[2]), 4)
        );

        // A manager sees it, and each number of the board is that of the list behind it.
        let manager = &world.manager.actor;
        let board =
            workload::load(services, manager, project, BoardQuery::default()).await.unwrap();
        let person = &board.people[0];
        assert_eq!((person.counts.open, person.counts.saved, person.counts.skipped), (3, 0, 1));
        assert_eq!(person.counts.total(), 4);
        let of = AssignmentQuery { member: Some(person.member), ..AssignmentQuery::default() };
        let list =
            async |query| workload::assignments(services, manager, project, query).await.unwrap();
        let skipped = list(AssignmentQuery { flag: Some(FlagKind::Skip), ..of }).await;
        let row = &skipped.rows[0];
        assert_eq!((skipped.total, row.place, row.state), (1, 2, WorkState::Saved));
        assert_eq!(row.notes.flags[0].reason, FlagReason::Damaged);
        assert_eq!(list(AssignmentQuery { state: Some(WorkState::Saved), ..of }).await.total, 0);
        let table = document::list(services, manager, project, 0).await.unwrap();
        assert_eq!(table.rows[1].assignments[0].flags, [FlagKind::Skip]);

        // What is saved in it stays saved, and nothing of it counts as nothing to mark.
        is_true(&world).await;
        flags::lower(services, labeler, assignments[1], FlagKind::Skip).await.unwrap();
        assert_eq!(own_work(&world, 0).await.counts.skipped, 0);
        // Handing it in takes it up, too.
        raise(&world, 0, assignments[1], FlagKind::Skip).await;
        world.submit(0, 1).await;
        let own = own_work(&world, 0).await;
        assert_eq!((own.counts.submitted, own.counts.skipped, own.notes.len()), (1, 0, 0));
        let late = flags::raise(services, labeler, assignments[1], flag(FlagKind::Skip, "")).await;
        assert!(matches!(refused(late), Refusal::Conflict(_)));
        let wordless = NewFlag { reason: FlagReason::Other, ..flag(FlagKind::Flag, " ") };
        let wordless = flags::raise(services, labeler, assignments[1], wordless).await;
        assert_eq!(invalid_field(wordless), "note");
    }
}

#[tokio::test]
async fn a_skipped_document_is_not_drawn_again_and_others_may_have_its_place() {
    for world in worlds(2, 1).await {
        let (services, project) = (&world.services, world.project);
        let manager = &world.manager.actor;
        let assignment = world.assignment(0, 0).await;
        let take = WorkloadAsk {
            kind: WorkloadKind::TakeBack,
            from: Some(world.labelers[1].member),
            ..WorkloadAsk::default()
        };
        let give = async |ask: WorkloadAsk| {
            let query = BoardQuery { ask: Some(ask), ..BoardQuery::default() };
            let board = workload::load(services, manager, project, query).await.unwrap();
            let seen = board.plan.unwrap().unwrap().seen;
            workload::give(services, manager, project, ask, &seen).await.unwrap()
        };
        give(take).await;
        let pool = Pool { overlap: 1, cap: 1, days: 0 };
        workload::open_pool(services, manager, project, pool).await.unwrap();
        assert_eq!(own_work(&world, 1).await.pool, Some(OwnPool::Empty));
        raise(&world, 0, assignment, FlagKind::Skip).await;
        // It does not count against the cap of who skipped it, nor for the document.
        assert_eq!(own_work(&world, 0).await.pool, Some(OwnPool::Empty));
        assert_eq!(own_work(&world, 1).await.pool, Some(OwnPool::Ready));
        // Taken from them, it is not drawn by them again either, nor given by turns.
        let taken = give(WorkloadAsk { from: Some(world.labelers[0].member), ..take }).await;
        assert_eq!(own_work(&world, 0).await.pool, Some(OwnPool::Empty));
        let overlap = WorkloadAsk { overlap: 2, ..WorkloadAsk::default() };
        let query = BoardQuery { ask: Some(overlap), ..BoardQuery::default() };
        let board = workload::load(services, manager, project, query).await.unwrap();
        let gets: Vec<_> =
            board.plan.unwrap().unwrap().shares.iter().map(|share| share.gets).collect();
        assert_eq!(gets, [0, 1]);
        // Undone, it is back as it was: put aside.
        workload::undo(services, manager, project, taken).await.unwrap();
        assert_eq!(own_work(&world, 0).await.skipped.len(), 1);
        // Given by name, it is before them.
        give(WorkloadAsk { from: Some(world.labelers[0].member), ..take }).await;
        let to = Some(world.labelers[0].member);
        give(WorkloadAsk { kind: WorkloadKind::Person, to, ..WorkloadAsk::default() }).await;
        let own = own_work(&world, 0).await;
        assert_eq!((own.assignments.len(), own.skipped.len()), (1, 0));
    }
}

#[tokio::test]
async fn a_manager_answers_and_the_labeler_reads_the_note_until_they_submit() {
    for world in worlds(1, 2).await {
        let (services, project) = (&world.services, world.project);
        let (manager, labeler) = (&world.manager.actor, &world.labelers[0].actor);
        let assignment = world.assignment(0, 0).await;
        let of = (world.documents[0], world.labelers[0].member);
        raise(&world, 0, assignment, FlagKind::Skip).await;
        raise(&world, 0, assignment, FlagKind::Flag).await;
        let answer =
            async |actor, kind, note| flags::answer(services, actor, project, of, kind, note).await;
        for actor in [labeler, &world.reviewer.actor, &world.outsider, &Actor::Anonymous] {
            refused(answer(actor, FlagKind::Skip, "no").await);
        }
        answer(manager, FlagKind::Skip, "Please try: mark titles only.").await.unwrap();
        let notes = flags::load(services, labeler, assignment).await.unwrap().notes;
        assert_eq!((notes.flags.len(), notes.is_skipped()), (1, false));
        let note = notes.note.unwrap();
        assert_eq!((note.note.as_str(), note.by), ("Please try: mark titles only.", Role::Manager));
        assert!(matches!(refused(answer(manager, FlagKind::Skip, "").await), Refusal::Conflict(_)));
        answer(manager, FlagKind::Flag, "").await.unwrap();
        world.submit(0, 0).await;
        assert_eq!(own_work(&world, 0).await.notes, []);
        // Nobody else's assignment can be asked for.
        for actor in [&world.reviewer.actor, manager, &world.outsider] {
            let other = flags::raise(services, actor, assignment, flag(FlagKind::Flag, "")).await;
            assert_eq!(refused(other), Refusal::NotFound);
            assert_eq!(refused(flags::load(services, actor, assignment).await), Refusal::NotFound);
            let lowered = flags::lower(services, actor, assignment, FlagKind::Flag).await;
            assert_eq!(refused(lowered), Refusal::NotFound);
        }
    }
}

#[tokio::test]
async fn an_assignment_that_is_sent_back_is_saved_again_with_a_note_and_numbers_follow() {
    for world in worlds(2, 1).await {
        let (services, project) = (&world.services, world.project);
        let span = Span::new(0, 3, world.labels[0]);
        for labeler in [0, 1] {
            world.mark(labeler, 0, &[span]).await;
            world.submit(labeler, 0).await;
        }
        let of = (world.documents[0], world.labelers[0].member);
        let back = async |actor: &Actor, note: &str| {
            flags::send_back(services, actor, project, of, note.to_owned()).await
        };
        for actor in [&world.labelers[0].actor, &world.labelers[1].actor] {
            assert!(matches!(refused(back(actor, "x").await), Refusal::Denied(_)));
        }
        assert_eq!(refused(back(&world.outsider, "x").await), Refusal::NotFound);
        assert_eq!(refused(back(&Actor::Anonymous, "x").await), Refusal::SignInRequired);
        assert_eq!(invalid_field(back(&world.reviewer.actor, " ").await), "note");
        for (actor, role) in
            [(&world.reviewer.actor, Role::Reviewer), (&world.manager.actor, Role::Manager)]
        {
            back(actor, "Look at the titles again.").await.unwrap();
            let own = own_work(&world, 0).await;
            assert_eq!((own.counts.saved, own.counts.submitted), (1, 0));
            let note = own.notes[0].1.note.clone().unwrap();
            assert_eq!((note.by, note.note.as_str()), (role, "Look at the titles again."));
            // The numbers in memory are those of the rows, and others see the state at once.
            let card = &review::list(services, &world.reviewer.actor, project, 0).await.unwrap();
            assert_eq!((card.rows[0].submitted, card.rows[0].saved), (1, 2));
            is_true(&world).await;
            assert!(matches!(refused(back(actor, "again").await), Refusal::Conflict(_)));
            world.submit(0, 0).await;
            assert_eq!(own_work(&world, 0).await.notes, []);
        }
        let elsewhere = (world.documents[0], world.reviewer.member);
        let nobody =
            flags::send_back(services, &world.manager.actor, project, elsewhere, "x".to_owned());
        assert_eq!(refused(nobody.await), Refusal::NotFound);
    }
}

async fn own(world: &World, labeler: usize) -> DocumentComments {
    let assignment = world.assignment(labeler, 0).await;
    comments::own(&world.services, &world.labelers[labeler].actor, assignment, None).await.unwrap()
}

fn words(thread: &CommentThread) -> Vec<(&str, &str)> {
    thread.comments.iter().map(|one| (one.by.as_str(), one.words.as_str())).collect()
}

#[tokio::test]
async fn a_comment_reaches_the_reviewer_and_answers_the_labeler_as_the_release_has_it() {
    for world in worlds(2, 1).await {
        let (services, project) = (&world.services, world.project);
        let (reviewer, manager) = (&world.reviewer.actor, &world.manager.actor);
        let assignment = world.assignment(0, 0).await;
        let range = Range::new(4, 11);
        world.mark(0, 0, &[Span { range, label: world.labels[1] }]).await;
        let labeler = &world.labelers[0].actor;
        comments::begin(services, labeler, assignment, Some(range), " Title or place? ")
            .await
            .unwrap();
        comments::begin(services, labeler, assignment, None, "Odd text.").await.unwrap();

        let document = world.documents[0];
        let seen = comments::of_document(services, reviewer, document, Some(range)).await.unwrap();
        let [whole, at] = &seen.threads[..] else { panic!("two threads") };
        assert_eq!((whole.range, at.range), (None, Some(range)));
        assert_eq!((at.quote.as_str(), at.is_marked), ("Tragedy", true));
        // The project hides names from reviewers; a manager reads them.
        assert_eq!(words(at), [("Labeler 1", "Title or place?")]);
        let by_manager = comments::of_document(services, manager, document, None).await.unwrap();
        assert_eq!(words(&by_manager.threads[1])[0].0, "labeler-2");
        let thread = at.id;
        comments::answer(services, reviewer, project, thread, "A title.", true).await.unwrap();

        // By default answers wait for a release; own words never do, and others' stay theirs.
        let mine = own(&world, 0).await;
        assert_eq!(words(&mine.threads[1]), [("You", "Title or place?")]);
        assert_eq!((mine.threads[1].settled_at, mine.waits), (None, true));
        assert_eq!(own(&world, 1).await.threads, []);
        project::release_agreement(services, manager, project).await.unwrap();
        let mine = own(&world, 0).await;
        assert_eq!(words(&mine.threads[1])[1], ("Reviewer", "A title."));
        assert!(mine.threads[1].settled_at.is_some());
        // What is said after the release waits for the next.
        comments::answer(services, manager, project, thread, "Both.", false).await.unwrap();
        assert_eq!(own(&world, 0).await.threads[1].comments.len(), 2);
        for settled in [false, true] {
            comments::settle(services, manager, project, thread, settled).await.unwrap();
            let now = own(&world, 0).await.threads[1].settled_at;
            assert_eq!(now, mine.threads[1].settled_at, "{settled}");
        }
        assert_eq!(own(&world, 1).await.threads, []);

        for (level, told) in [
            (ReleaseLevel::None, 1),
            (ReleaseLevel::GoldOnly, 3),
            (ReleaseLevel::AfterRelease, 2),
            (ReleaseLevel::Open, 3),
        ] {
            let view = project::load_settings(services, manager, project).await.unwrap();
            let settings = domain::ProjectSettings { release_level: level, ..view.settings };
            project::save_settings(services, manager, project, settings).await.unwrap();
            assert_eq!(own(&world, 0).await.threads[1].comments.len(), told, "{level}");
            let (page, _) = comments::list_own(services, labeler, project, 0).await.unwrap();
            let of_list = page.rows.iter().find(|row| row.id == thread).unwrap();
            assert_eq!(of_list.comments.len(), told, "{level}");
        }

        // The span goes; the words stay and say so.
        let view = annotation::load(services, labeler, assignment).await.unwrap();
        let command = domain::SaveSpans {
            assignment,
            base: view.content.revision,
            key: world.key(),
            removed: view.content.spans.iter().copied().map(domain::Fact::from).collect(),
            added: Vec::new(),
        };
        annotation::save(services, labeler, command).await.unwrap();
        let seen = comments::of_document(services, reviewer, document, None).await.unwrap();
        assert!(!seen.threads[1].is_marked);
        assert_eq!(seen.threads[1].comments.len(), 3);

        // Settled and open threads are counted and listed apart; a new word opens what was settled.
        let list =
            async |filter| comments::list(services, reviewer, project, filter, 0).await.unwrap();
        let settled = list(ThreadFilter::Settled).await;
        assert_eq!((settled.open, settled.settled, settled.threads.rows[0].id), (1, 1, thread));
        comments::go_on(services, labeler, assignment, thread, "Thank you.").await.unwrap();
        assert_eq!(list(ThreadFilter::Settled).await.threads.rows, []);
        comments::settle(services, manager, project, thread, true).await.unwrap();
        comments::settle(services, reviewer, project, thread, false).await.unwrap();
        assert_eq!(list(ThreadFilter::Open).await.threads.total, 2);
        assert_eq!(list(ThreadFilter::All).await.threads.rows[0].id, thread);
    }
}

#[tokio::test]
async fn comments_are_written_and_read_by_whom_they_are_for_alone() {
    for world in worlds(2, 1).await {
        let (services, project) = (&world.services, world.project);
        let assignment = world.assignment(0, 0).await;
        let labeler = &world.labelers[0].actor;
        comments::begin(services, labeler, assignment, None, "Odd.").await.unwrap();
        let thread = own(&world, 0).await.threads[0].id;
        let document = world.documents[0];
        let long = "x".repeat(domain::LONGEST_COMMENT + 1);
        let outside = Some(Range::new(0, 9_999));
        assert_eq!(
            invalid_field(comments::begin(services, labeler, assignment, None, &long).await),
            "words"
        );
        refused(comments::begin(services, labeler, assignment, outside, "x").await);
        let peer = &world.labelers[1].actor;
        for actor in [peer, &world.outsider, &world.reviewer.actor, &world.manager.actor] {
            refused(comments::own(services, actor, assignment, None).await);
            refused(comments::begin(services, actor, assignment, None, "x").await);
            refused(comments::go_on(services, actor, assignment, thread, "x").await);
        }
        // Nor by the way of one's own assignment.
        let own_assignment = world.assignment(1, 0).await;
        let other = comments::go_on(services, peer, own_assignment, thread, "x").await;
        assert_eq!(refused(other), Refusal::NotFound);
        for actor in [labeler, peer, &world.outsider, &Actor::Anonymous] {
            refused(comments::of_document(services, actor, document, None).await);
            refused(comments::list(services, actor, project, ThreadFilter::All, 0).await);
            refused(comments::answer(services, actor, project, thread, "x", false).await);
            refused(comments::settle(services, actor, project, thread, true).await);
        }
        for actor in [&world.outsider, &world.reviewer.actor, &world.manager.actor] {
            refused(comments::list_own(services, actor, project, 0).await);
        }
    }
}

#[tokio::test]
async fn reasons_are_counted_by_label_and_kept_by_the_manager_alone() {
    for world in worlds(2, 2).await {
        let (services, project) = (&world.services, world.project);
        let (reviewer, manager) = (&world.reviewer.actor, &world.manager.actor);
        let [per, title, _] = world.labels[..] else { panic!("three labels") };
        for document in [0, 1] {
            world.mark(0, document, &[Span::new(0, 3, per), Span::new(4, 11, title)]).await;
            world.mark(1, document, &[Span::new(0, 3, title), Span::new(4, 11, per)]).await;
        }
        let list = reasons::list(services, reviewer, project).await.unwrap();
        assert_eq!(list, domain::DEFAULT_REASONS);
        let decide = async |document: usize, range, labels: LabelSet, note: &str| {
            let id = world.documents[document];
            let view = review::load(services, reviewer, id).await.unwrap();
            assert_eq!(view.reasons, reasons::list(services, manager, project).await.unwrap());
            let verdict = if labels.is_empty() { Verdict::Reject } else { Verdict::Accept };
            let change = DecisionChange::new(range, Some((verdict, labels)));
            let command = SaveDecisions {
                document: id,
                base: view.content.revision,
                key: world.key(),
                changes: vec![DecisionChange { note: note.to_owned(), ..change }],
            };
            review::save(services, reviewer, command).await.unwrap();
        };
        decide(0, Range::new(0, 3), LabelSet::one(per), "boundary").await;
        decide(1, Range::new(0, 3), LabelSet::one(per), "boundary: too long").await;
        decide(0, Range::new(4, 11), LabelSet::EMPTY, "not an entity").await;
        decide(1, Range::new(4, 11), LabelSet::one(title), "my own words").await;
        let count = async || {
            let counts = reasons::count(services, reviewer, project).await.unwrap();
            let told = counts.rows.into_iter().filter(|row| row.total > 0);
            told.map(|row| (row.reason, row.by_label, row.rejected)).collect::<Vec<_>>()
        };
        let listed = |reason: &str| GivenReason::Listed(reason.to_owned());
        assert_eq!(
            count().await,
            [
                (listed("boundary"), vec![2, 0, 0], 0),
                (listed("not an entity"), vec![0, 0, 0], 1),
                (GivenReason::Words, vec![0, 1, 0], 0),
            ]
        );
        // The adjudication list has the code beside the words.
        let query = domain::DisagreementQuery::default();
        let format = export::ListFormat::JsonLines;
        let file = export::disagreements(services, manager, project, query, format).await.unwrap();
        let lines = String::from_utf8(file.body).unwrap();
        let of = |words: &str| {
            let line = lines.lines().find(|line| line.contains(words)).unwrap();
            serde_json::from_str::<serde_json::Value>(line).unwrap()["decided_code"].clone()
        };
        assert_eq!(of("boundary: too long"), "boundary");
        assert_eq!(of("my own words"), serde_json::Value::Null);

        // Another list: what was given stays as it was given.
        reasons::save(services, manager, project, "my own words\n too  long \n\n").await.unwrap();
        let list = reasons::list(services, manager, project).await.unwrap();
        assert_eq!(list, ["my own words", "too long"]);
        assert_eq!(count().await[0].0, listed("my own words"));
        reasons::save(services, manager, project, "").await.unwrap();
        assert_eq!(reasons::list(services, manager, project).await.unwrap(), Vec::<String>::new());
        let many = "0\n1\n2\n3\n4\n5\n6\n7\n8\n9";
        assert_eq!(invalid_field(reasons::save(services, manager, project, many).await), "reasons");
        for actor in [&world.labelers[0].actor, &world.outsider, &Actor::Anonymous] {
            refused(reasons::list(services, actor, project).await);
            refused(reasons::count(services, actor, project).await);
            refused(reasons::save(services, actor, project, "x").await);
        }
        refused(reasons::save(services, reviewer, project, "x").await);
    }
}

#[tokio::test]
async fn lists_of_comments_take_as_many_statements_for_many() {
    for world in worlds(1, 1).await {
        let (services, labeler) = (&world.services, &world.labelers[0].actor);
        let assignment = world.assignment(0, 0).await;
        let mut counts = Vec::new();
        for threads in [1, 9] {
            for _ in 0..threads {
                let at = Some(Range::new(0, 3));
                comments::begin(services, labeler, assignment, at, "Why?").await.unwrap();
            }
            let before = services.statements();
            let reviewer = &world.reviewer.actor;
            let filter = ThreadFilter::Open;
            comments::list(services, reviewer, world.project, filter, 0).await.unwrap();
            comments::own(services, labeler, assignment, None).await.unwrap();
            counts.push(services.statements() - before);
        }
        assert_eq!(counts[0], counts[1]);
    }
}
