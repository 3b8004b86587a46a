//! The engine over rows in memory: what it keeps is what they say, whoever saves, reads or looks.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, also in what tests share")]

mod rows;

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use domain::{
    Confidence, DocumentId, Filter, LabelId, Measure, MemberId, PositionKind, ProjectId, Revision,
    Switches,
};
use live::{Answering, LabelChoices, Live, MEMORY, Narrowing, Reader, Subject, Tallies};
use tokio::task::JoinHandle;

use crate::rows::{DOCUMENTS, PROJECT, Rows, spans};

#[tokio::test]
async fn what_saves_have_moved_is_what_the_rows_say() {
    let rows = Rows::filled();
    let live = Live::new(rows.clone(), MEMORY);
    let part = Narrowing::exact(Filter { label: Some(LabelId(2)), ..Filter::NONE });
    for save in 0..30 {
        assert_eq!(*live.read(PROJECT).await.unwrap(), rows.counted());
        let moved = live.read_part(PROJECT, part).await.unwrap();
        let counted = Live::new(rows.clone(), MEMORY).read_part(PROJECT, part).await.unwrap();
        assert_eq!(moved, counted);
        let _committing = live.lock_project(PROJECT).await;
        live.apply(PROJECT, rows.save(save % DOCUMENTS, save % 3, spans(save))).await;
    }
    assert_eq!(rows.times_read(), 1 + 30, "by the one that saves move, once");
}

#[tokio::test]
async fn tokens_are_read_once_where_somebody_has_worked_and_a_save_waits_for_none() {
    let rows = Rows::held();
    rows.0.may_end.add_permits(1_000);
    for document in 0..4 {
        rows.save(document, 0, spans(document));
    }
    let live = Live::new(rows.clone(), MEMORY);
    let by_token = |document| Narrowing {
        filter: Filter { document, ..Filter::NONE },
        positions: PositionKind::Tokens,
    };
    let texts_read = || rows.0.texts_read.load(Ordering::Relaxed);
    drop(live.read(PROJECT).await.unwrap());
    assert_eq!(texts_read(), 0, "nobody has asked for tokens");
    let before = live.held().bytes;
    drop(live.read_part(PROJECT, by_token(Some(DocumentId(2)))).await.unwrap());
    assert_eq!(texts_read(), 1, "of the document that is asked for");
    let part = by_token(None);
    drop(live.read_part(PROJECT, part).await.unwrap());
    assert_eq!(texts_read(), 4);
    assert!(live.held().bytes > before, "tokens take memory");
    for save in 0..12 {
        let read_before = texts_read();
        live.apply(PROJECT, rows.save(save % 6, save % 3, spans(save))).await;
        assert_eq!(texts_read(), read_before);
        let moved = live.read_part(PROJECT, part).await.unwrap();
        // The fifth and the sixth document have their first work.
        assert_eq!(texts_read(), usize::try_from(save.clamp(3, 5)).unwrap() + 1);
        let anew = Live::new(rows.clone(), MEMORY);
        let documents: Vec<_> = (0..6).map(DocumentId).collect();
        let tokens = rows.tokens(&documents).await.unwrap().into_iter().collect();
        rows.0.texts_read.fetch_sub(documents.len(), Ordering::Relaxed);
        let counted = anew.read(PROJECT).await.unwrap().narrowed(part, &Arc::new(tokens));
        assert_eq!(Some(Tallies::clone(&moved)), counted);
    }
    assert_eq!(live.counts(), 1);
}

#[tokio::test]
async fn a_save_lets_go_of_what_is_not_of_exact_positions_and_who_asks_has_it_counted_once() {
    let rows = Rows::filled();
    let live = Live::new(rows.clone(), MEMORY);
    let whole = live.read(PROJECT).await.unwrap();
    let before = live.held().bytes;
    drop(whole);
    let filter = Filter::NONE;
    for positions in [PositionKind::Tokens, PositionKind::Overlapping] {
        let part = Narrowing { filter, positions };
        let ask = || live.read_part(PROJECT, part);
        let (first, second, third) = tokio::join!(ask(), ask(), ask());
        let first = first.unwrap();
        for other in [second, third] {
            assert!(Arc::ptr_eq(&first, &other.unwrap()), "counted by one for all");
        }
    }
    let tokens = u64::try_from(DOCUMENTS).unwrap() * 500;
    assert!(live.held().bytes > before + tokens);
    live.apply(PROJECT, rows.save(0, 0, spans(40))).await;
    assert!(live.held().bytes < before + tokens, "only the tokens are kept");
}

#[tokio::test]
async fn readers_at_once_have_the_rows_read_once() {
    let rows = Rows::filled();
    let live = Live::new(rows.clone(), MEMORY);
    let (first, second, third) =
        tokio::join!(live.read(PROJECT), live.read(PROJECT), live.read(PROJECT));
    assert!(Arc::ptr_eq(&first.unwrap(), &second.unwrap()));
    assert_eq!(*third.unwrap(), rows.counted());
    assert_eq!(rows.times_read(), 1);
}

/// Somebody reads a project whose rows have been read and not been counted, as long as they are held.
async fn begin_to_read(live: &Arc<Live<Rows>>, rows: &Rows) -> JoinHandle<Arc<Tallies>> {
    let live = Arc::clone(live);
    let reader = tokio::spawn(async move { live.read(PROJECT).await.unwrap() });
    rows.0.was_read.acquire().await.unwrap().forget();
    reader
}

#[tokio::test]
async fn a_save_while_the_rows_are_read_is_counted_once() {
    let rows = Rows::held();
    let live = Arc::new(Live::new(rows.clone(), MEMORY));
    rows.save(0, 0, spans(0));
    let before = rows.save(0, 1, spans(1));
    let reader = begin_to_read(&live, &rows).await;
    // The one is in the rows that were read, the other is not.
    live.apply(PROJECT, before).await;
    live.apply(PROJECT, rows.save(0, 0, spans(2))).await;
    rows.0.may_end.add_permits(1);
    assert_eq!(*reader.await.unwrap(), rows.counted());
    assert_eq!(*live.read(PROJECT).await.unwrap(), rows.counted(), "and it is kept");
}

#[tokio::test]
async fn nobody_waits_for_rows_to_be_counted_who_has_something_from_elsewhere_taken_in() {
    let rows = Rows::held();
    let live = Arc::new(Live::new(rows.clone(), MEMORY));
    let reader = begin_to_read(&live, &rows).await;
    let _by_another = rows.save(0, 0, spans(0));
    let taken_in = tokio::time::timeout(Duration::from_secs(30), live.catch_up(PROJECT)).await;
    taken_in.expect("it is counted meanwhile").unwrap();
    rows.0.may_end.add_permits(1);
    assert_eq!(reader.await.unwrap().revision, Revision(0));
    live.catch_up(PROJECT).await.unwrap();
    assert_eq!(*live.read(PROJECT).await.unwrap(), rows.counted());
}

#[tokio::test]
async fn what_is_invalidated_while_it_is_read_is_read_again() {
    let rows = Rows::held();
    let live = Arc::new(Live::new(rows.clone(), MEMORY));
    let reader = begin_to_read(&live, &rows).await;
    let _not_applied = rows.save(0, 0, spans(0));
    live.invalidate(PROJECT);
    rows.0.may_end.add_permits(2);
    assert_eq!(reader.await.unwrap().revision, Revision(0));
    assert_eq!(*live.read(PROJECT).await.unwrap(), rows.counted());
}

#[tokio::test]
async fn rows_that_others_have_moved_are_noticed() {
    let rows = Rows::filled();
    let live = Live::new(rows.clone(), MEMORY);
    drop(live.read(PROJECT).await.unwrap());
    let mut moved = live.follow(PROJECT);
    let _not_applied = rows.save(0, 0, spans(9));
    tokio::select! {
        () = live.watch() => unreachable!("it never ends"),
        changed = moved.changed() => changed.unwrap(),
    }
    assert_eq!(*live.read(PROJECT).await.unwrap(), rows.counted());
}

#[tokio::test]
async fn what_other_servers_save_is_taken_in_without_counting_anew() {
    let rows = Rows::filled();
    let [first, second] = [(); 2].map(|()| Live::new(rows.clone(), MEMORY));
    let part = Narrowing::exact(Filter { label: Some(LabelId(2)), ..Filter::NONE });
    for live in [&first, &second] {
        drop(live.read_part(PROJECT, part).await.unwrap());
    }
    let read = rows.times_read();
    let mut moved = second.follow(PROJECT);
    let watch = async {
        for save in 0..20 {
            // Both save; each hears of the other's save from the feed, at the latest with its own.
            let saving = if save % 3 == 0 { &second } else { &first };
            saving.apply(PROJECT, rows.save(save % DOCUMENTS, save % 3, spans(save))).await;
            assert_eq!(*saving.read(PROJECT).await.unwrap(), rows.counted());
        }
        let _ = moved.wait_for(|moved| moved.by == rows.rows().last).await.unwrap();
        rows.rows().revision
    };
    tokio::select! {
        () = second.watch() => unreachable!("it never ends"),
        revision = watch => assert_eq!(second.read(PROJECT).await.unwrap().revision, revision),
    }
    assert_eq!(*second.read(PROJECT).await.unwrap(), rows.counted());
    let counted = Live::new(rows.clone(), MEMORY).read_part(PROJECT, part).await.unwrap();
    assert_eq!(second.read_part(PROJECT, part).await.unwrap(), counted);
    assert_eq!(rows.times_read(), read + 1, "by the one that has just been made");
}

#[tokio::test]
async fn what_the_feed_does_not_say_is_counted_anew() {
    let rows = Rows::filled();
    let live = Live::new(rows.clone(), MEMORY);
    drop(live.read(PROJECT).await.unwrap());
    let _not_applied = rows.save(1, 1, spans(9));
    let trimmed = rows.rows().revision;
    rows.rows().feed.remove(&trimmed);
    live.apply(PROJECT, rows.save(0, 0, spans(9))).await;
    assert!(live.ready(PROJECT).is_none());
    assert_eq!(*live.read(PROJECT).await.unwrap(), rows.counted());
    assert_eq!(rows.times_read(), 2);
}

#[tokio::test]
async fn followers_know_who_saved_last_also_of_saves_before_the_start() {
    let rows = Rows::filled();
    let live = Live::new(rows.clone(), MEMORY);
    let followed = live.follow(PROJECT);
    assert_eq!(followed.borrow().by, None);
    drop(live.read(PROJECT).await.unwrap());
    assert_eq!(followed.borrow().by, rows.rows().last);
    assert!(!followed.has_changed().unwrap(), "nothing has moved");
    let change = rows.save(3, 2, spans(1));
    live.apply(PROJECT, change).await;
    assert_eq!(followed.borrow().by, rows.rows().last);
    assert!(followed.has_changed().unwrap());
}

#[tokio::test]
async fn an_interval_is_pending_until_it_is_computed_and_again_when_its_pair_moves() {
    let rows = Rows::filled();
    let live = Live::new(rows.clone(), MEMORY);
    let switches = Switches { measure: Measure::Alpha, ..Switches::default() };
    let subject = Subject::pair(MemberId(1), MemberId(0));
    let labels = Arc::new(LabelChoices::of(&[], Filter::NONE));
    let mut moved = live.follow(PROJECT);
    let ask = async || {
        let question = live.ask(PROJECT, switches);
        let answer = question.answer(&live.read(PROJECT).await.unwrap(), subject);
        question.compute_pending(&labels);
        answer
    };
    assert_eq!(ask().await, Confidence::Pending);
    moved.changed().await.unwrap();
    let known = ask().await;
    assert!(matches!(known, Confidence::Interval { lower, upper } if lower < upper), "{known:?}");
    live.apply(PROJECT, rows.save(0, 2, spans(5))).await;
    assert_eq!(ask().await, known, "another pair has moved");
    live.apply(PROJECT, rows.save(0, 1, spans(5))).await;
    assert_eq!(ask().await, Confidence::Pending);
}

#[tokio::test]
async fn who_reads_keeps_the_former_state_while_saves_move_on() {
    let rows = Rows::filled();
    let live = Live::new(rows.clone(), MEMORY);
    let part = Narrowing::exact(Filter { label: Some(LabelId(2)), ..Filter::NONE });
    let (former, counted) = (live.read(PROJECT).await.unwrap(), rows.counted());
    let former_part = live.read_part(PROJECT, part).await.unwrap();
    for save in 0..3 {
        let _committing = live.lock_project(PROJECT).await;
        live.apply(PROJECT, rows.save(save, 1, spans(save + 4))).await;
        assert_eq!(*live.read(PROJECT).await.unwrap(), rows.counted());
    }
    assert_eq!(*former, counted);
    assert_eq!(former_part.revision, counted.revision);
    let now = Live::new(rows.clone(), MEMORY).read_part(PROJECT, part).await.unwrap();
    assert_eq!(live.read_part(PROJECT, part).await.unwrap(), now);
    assert_eq!(rows.times_read(), 2, "once by each engine");
}

const OTHERS: [ProjectId; 2] = [ProjectId(2), ProjectId(3)];

/// Reads projects one after the other, and says how often rows were read for that.
async fn times_read(live: &Live<Rows>, rows: &Rows, projects: &[ProjectId]) -> usize {
    let before = rows.times_read();
    for project in projects {
        assert_eq!(*live.read(*project).await.unwrap(), rows.counted());
    }
    rows.times_read() - before
}

#[tokio::test]
async fn what_was_read_longest_ago_makes_room_first() {
    let (rows, [second, third]) = (Rows::filled(), OTHERS);
    let mut memory = 0;
    let live = loop {
        let live = Live::new(rows.clone(), memory);
        if times_read(&live, &rows, &[PROJECT, second, PROJECT]).await == 2 {
            break live;
        }
        memory += 1_000;
    };
    assert_eq!(times_read(&live, &rows, &[third]).await, 1, "two have room, but not three");
    assert_eq!(times_read(&live, &rows, &[PROJECT, third]).await, 0);
    assert_eq!(times_read(&live, &rows, &[second]).await, 1);
}

#[tokio::test]
async fn what_is_followed_makes_room_last_and_one_project_always_stays() {
    let (rows, [second, third]) = (Rows::filled(), OTHERS);
    let live = Live::new(rows.clone(), 1);
    assert_eq!(times_read(&live, &rows, &[second, second, third, third]).await, 2);
    let followed = live.follow(PROJECT);
    assert_eq!(times_read(&live, &rows, &[PROJECT, second, PROJECT]).await, 2);
    assert!(!followed.has_changed().unwrap(), "making room moves nothing");
    drop(followed);
    assert_eq!(times_read(&live, &rows, &[second, second, PROJECT]).await, 2);
}

#[tokio::test]
async fn who_saved_last_is_not_who_saved_last_here() {
    let rows = Rows::filled();
    let live = Live::new(rows.clone(), MEMORY);
    let followed = live.follow(PROJECT);
    // A save here while nothing is in memory, and one elsewhere that only the rows tell of.
    live.apply(PROJECT, rows.save(0, 0, spans(9))).await;
    let elsewhere = rows.save(1, 1, spans(9));
    drop(live.read(PROJECT).await.unwrap());
    assert_eq!(followed.borrow().by, elsewhere.by);
    // One here is told later than the one that came after it.
    let (first, second) = (rows.save(0, 0, spans(8)), rows.save(2, 1, spans(8)));
    live.catch_up(PROJECT).await.unwrap();
    live.apply(PROJECT, first).await;
    assert_eq!(followed.borrow().by, second.by);
}
