//! The rules of saving: nothing is lost, nothing is sent twice under two keys, nothing of another
//! tab is overwritten unseen.

mod laws;

use chrono::DateTime;
use domain::{
    AssignmentContent, AssignmentId, Code, Error, Fact, LabelId, Revision, SaveKey, SaveOutcome,
    SaveSpans, Span, WorkState,
};

use super::{
    change::{Spans, all_spans},
    merging::Difference,
    sync::{Intent, NextAction, Request, Sync, Trouble},
};
use crate::ApiError;

fn span(start: u32) -> Fact {
    Span::new(start, start + 5, LabelId(1)).into()
}

fn spans(starts: &[u32]) -> Spans {
    starts.iter().map(|start| span(*start)).collect()
}

fn content(revision: i64, state: WorkState, starts: &[u32]) -> AssignmentContent {
    let spans = all_spans(&spans(starts)).collect();
    let choices = Vec::new();
    AssignmentContent { revision: Revision(revision), state, saved_at: None, spans, choices }
}

fn sync(starts: &[u32]) -> Sync {
    Sync::new(AssignmentId(7), &content(3, WorkState::Saved, starts))
}

fn key(name: &str) -> impl Fn() -> SaveKey {
    let name = name.to_owned();
    move || SaveKey(name.clone())
}

#[expect(clippy::unnecessary_wraps, reason = "it is the answer of a call that may fail")]
fn saved(revision: i64) -> Result<SaveOutcome, ApiError> {
    Ok(SaveOutcome::Saved { revision: Revision(revision), saved_at: DateTime::UNIX_EPOCH })
}

fn offline() -> Result<SaveOutcome, ApiError> {
    Err(ApiError::Transport("offline".to_owned()))
}

#[track_caller]
fn save_of(step: NextAction) -> SaveSpans {
    match step {
        NextAction::Send(Request::Save(command)) => command,
        other => panic!("no save: {other:?}"),
    }
}

#[test]
fn only_the_net_difference_is_sent() {
    let mut sync = sync(&[0, 10]);
    let command = save_of(sync.next(&spans(&[10, 20]), key("a")));
    assert_eq!(
        (command.base, command.added, command.removed),
        (Revision(3), vec![span(20)], vec![span(0)])
    );
}

#[test]
fn nothing_is_sent_when_nothing_differs() {
    assert_eq!(sync(&[0]).next(&spans(&[0]), key("a")), NextAction::Wait);
}

#[test]
fn one_request_is_under_way_at_a_time() {
    let mut sync = sync(&[]);
    save_of(sync.next(&spans(&[0]), key("a")));
    assert_eq!(sync.next(&spans(&[0, 10]), key("b")), NextAction::Wait);
}

#[test]
fn edits_made_while_an_older_save_was_under_way_follow_on_its_revision() {
    let mut sync = sync(&[]);
    save_of(sync.next(&spans(&[0, 10]), key("a")));
    let here = spans(&[10, 20]);
    sync.answered(&here, saved(4));
    let command = save_of(sync.next(&here, key("b")));
    assert_eq!(
        (command.base, command.added, command.removed),
        (Revision(4), vec![span(20)], vec![span(0)])
    );
    sync.answered(&here, saved(5));
    assert!(sync.is_settled(&here));
}

#[test]
fn a_save_without_an_answer_is_sent_again_as_it_was() {
    let mut sync = sync(&[]);
    let first = save_of(sync.next(&spans(&[0]), key("a")));
    let here = spans(&[0, 10]);
    sync.answered(&here, offline());
    assert_eq!(sync.next(&here, key("b")), NextAction::Wait);
    assert!(!sync.is_settled(&here));
    assert!(sync.retry());
    assert_eq!(save_of(sync.next(&here, key("b"))), first);
    sync.answered(&here, saved(4));
    assert_eq!(save_of(sync.next(&here, key("c"))).added, [span(10)]);
}

#[test]
fn an_edit_taken_back_while_its_save_had_no_answer_is_still_settled_with_the_server() {
    let mut sync = sync(&[]);
    save_of(sync.next(&spans(&[0]), key("a")));
    let here = spans(&[]);
    sync.answered(&here, offline());
    assert!(!sync.is_settled(&here));
    sync.retry();
    save_of(sync.next(&here, key("b")));
    sync.answered(&here, saved(4));
    assert_eq!(save_of(sync.next(&here, key("c"))).removed, [span(0)]);
}

#[test]
fn tries_are_further_and_further_apart_up_to_half_a_minute() {
    let mut sync = sync(&[]);
    let here = spans(&[0]);
    let waits: Vec<_> = (0..7)
        .map(|_| {
            sync.next(&here, key("a"));
            sync.answered(&here, offline());
            let wait = sync.retry_in().unwrap().as_secs();
            sync.retry();
            wait
        })
        .collect();
    assert_eq!(waits, [1, 2, 4, 8, 16, 30, 30]);
}

#[test]
fn an_ended_session_keeps_the_changes_and_waits_for_the_person() {
    let mut sync = sync(&[]);
    let here = spans(&[0]);
    let first = save_of(sync.next(&here, key("a")));
    sync.answered(&here, Err(ApiError::App(Error::SignInRequired)));
    assert_eq!((sync.trouble(), sync.retry_in()), (Some(&Trouble::SignedOut), None));
    assert_eq!(sync.pending(&here).len(), 1);
    sync.retry();
    assert_eq!(save_of(sync.next(&here, key("b"))), first);
}

#[test]
fn what_the_server_refuses_is_not_sent_again_by_itself() {
    let mut sync = sync(&[]);
    let here = spans(&[0]);
    sync.next(&here, key("a"));
    sync.answered(&here, Err(ApiError::App(Code::Denied.because("no"))));
    assert_eq!((sync.next(&here, key("b")), sync.retry_in()), (NextAction::Wait, None));
    assert_eq!(sync.pending(&here).len(), 1);
    sync.retry();
    assert_eq!(save_of(sync.next(&here, key("b"))).key, SaveKey("b".to_owned()));
}

#[test]
fn a_conflict_stops_saving_until_the_person_has_decided() {
    let mut sync = sync(&[0]);
    let here = spans(&[0, 10]);
    sync.next(&here, key("a"));
    sync.answered(&here, Ok(SaveOutcome::Conflict(content(9, WorkState::Saved, &[20, 30]))));
    assert_eq!(sync.next(&here, key("b")), NextAction::Wait);
    assert!(!sync.retry());
    let found = sync.differences(&here);
    let changed = |is: fn(&Difference) -> bool| found.iter().filter(|it| is(it)).count();
    assert_eq!((changed(|it| it.is_changed_here), changed(|it| it.is_changed_there)), (1, 3));
}

#[test]
fn the_saved_version_replaces_what_is_here_when_chosen() {
    let mut sync = sync(&[0]);
    sync.next(&spans(&[0, 10]), key("a"));
    sync.answered(&spans(&[0, 10]), Ok(SaveOutcome::Conflict(content(9, WorkState::Saved, &[20]))));
    let here = sync.use_theirs().unwrap();
    assert_eq!(here, spans(&[20]));
    assert!(sync.is_settled(&here));
    assert_eq!(sync.revision(), Revision(9));
}

#[test]
fn my_changes_go_on_top_of_the_saved_version_when_chosen() {
    let mut sync = sync(&[0, 5]);
    let mine = spans(&[5, 10]);
    sync.next(&mine, key("a"));
    sync.answered(&mine, Ok(SaveOutcome::Conflict(content(9, WorkState::Saved, &[0, 20]))));
    let here = sync.use_mine(&mine, &[]).unwrap();
    assert_eq!(here, spans(&[10, 20]));
    let command = save_of(sync.next(&here, key("b")));
    assert_eq!(
        (command.base, command.added, command.removed),
        (Revision(9), vec![span(10)], vec![span(0)])
    );
}

#[test]
fn a_conflict_with_the_same_spans_is_none() {
    let mut sync = sync(&[]);
    let here = spans(&[0]);
    sync.next(&here, key("a"));
    sync.answered(&here, Ok(SaveOutcome::Conflict(content(4, WorkState::Saved, &[0]))));
    assert_eq!(sync.trouble(), None);
    assert!(sync.is_settled(&here));
}

#[test]
fn a_submit_waits_for_the_save_and_uses_its_revision() {
    let mut sync = sync(&[]);
    let here = spans(&[0]);
    sync.intent = Some(Intent::Submit);
    save_of(sync.next(&here, key("a")));
    sync.answered(&here, saved(4));
    let submit = Request::Submit(AssignmentId(7), Revision(4));
    assert_eq!(sync.next(&here, key("b")), NextAction::Send(submit));
    sync.answered(&here, saved(5));
    assert_eq!((sync.state(), sync.revision()), (WorkState::Submitted, Revision(5)));
    assert_eq!(sync.next(&here, key("c")), NextAction::Wait);
}

#[test]
fn a_submit_whose_answer_was_lost_is_found_done() {
    let mut sync = sync(&[0]);
    let here = spans(&[0]);
    for answer in [offline(), Ok(SaveOutcome::Conflict(content(4, WorkState::Submitted, &[0])))] {
        sync.intent = Some(Intent::Submit);
        sync.next(&here, key("a"));
        sync.answered(&here, answer);
        sync.retry();
    }
    assert_eq!(sync.state(), WorkState::Submitted);
    assert_eq!(sync.next(&here, key("b")), NextAction::Wait);
}

#[test]
fn a_submit_that_failed_is_not_repeated_unasked() {
    let mut sync = sync(&[0]);
    let here = spans(&[0]);
    sync.intent = Some(Intent::Submit);
    sync.next(&here, key("a"));
    sync.answered(&here, offline());
    sync.retry();
    assert_eq!(sync.next(&here, key("b")), NextAction::Wait);
    assert_eq!(sync.state(), WorkState::Saved);
}

#[test]
fn changes_to_an_assignment_submitted_elsewhere_are_saved_after_reopening() {
    let mut sync = sync(&[]);
    let mine = spans(&[0]);
    sync.next(&mine, key("a"));
    sync.answered(&mine, Ok(SaveOutcome::Conflict(content(8, WorkState::Submitted, &[9]))));
    let here = sync.use_mine(&mine, &[]).unwrap();
    assert_eq!(sync.next(&here, key("b")), NextAction::Wait);
    sync.intent = Some(Intent::Reopen);
    let reopen = Request::Reopen(AssignmentId(7), Revision(8));
    assert_eq!(sync.next(&here, key("b")), NextAction::Send(reopen));
    sync.answered(&here, saved(9));
    assert_eq!(save_of(sync.next(&here, key("b"))).base, Revision(9));
}

#[test]
fn leaving_waits_for_the_save_and_is_given_up_when_it_fails() {
    let mut sync = sync(&[]);
    let here = spans(&[0]);
    sync.intent = Some(Intent::Leave("/next".to_owned()));
    save_of(sync.next(&here, key("a")));
    sync.answered(&here, saved(4));
    assert_eq!(sync.next(&here, key("b")), NextAction::Leave("/next".to_owned()));
    assert_eq!(sync.next(&here, key("b")), NextAction::Wait);

    let here = spans(&[0, 10]);
    sync.intent = Some(Intent::Leave("/next".to_owned()));
    save_of(sync.next(&here, key("c")));
    sync.answered(&here, offline());
    sync.retry();
    save_of(sync.next(&here, key("d")));
    sync.answered(&here, saved(5));
    assert_eq!(sync.next(&here, key("e")), NextAction::Wait);
}

#[test]
fn who_submits_and_leaves_at_once_does_both() {
    let mut sync = sync(&[]);
    let here = spans(&[0]);
    sync.intend(Intent::Submit);
    sync.intend(Intent::Leave("/next".to_owned()));
    save_of(sync.next(&here, key("a")));
    sync.answered(&here, saved(4));
    let submit = Request::Submit(AssignmentId(7), Revision(4));
    assert_eq!(sync.next(&here, key("b")), NextAction::Send(submit));
    sync.answered(&here, saved(5));
    assert_eq!(sync.next(&here, key("c")), NextAction::Leave("/next".to_owned()));
    assert_eq!(sync.next(&here, key("d")), NextAction::Wait);
}

#[test]
fn who_cannot_submit_stays() {
    let mut sync = sync(&[]);
    let here = spans(&[]);
    sync.intend(Intent::Submit);
    sync.intend(Intent::Leave("/next".to_owned()));
    let submit = Request::Submit(AssignmentId(7), Revision(3));
    assert_eq!(sync.next(&here, key("a")), NextAction::Send(submit));
    sync.answered(&here, offline());
    sync.retry();
    assert!(!matches!(sync.next(&here, key("b")), NextAction::Leave(_)));
}

#[test]
fn an_assignment_that_is_not_fit_is_no_trouble_and_says_where_to_begin() {
    let mut sync = sync(&[0]);
    sync.intent = Some(Intent::Submit);
    assert!(matches!(sync.next(&spans(&[0]), key("a")), NextAction::Send(Request::Submit(..))));
    let why = Code::Invalid.of("spans.0-5", "1 thing to mend");
    sync.answered(&spans(&[0]), Err(ApiError::App(why)));
    assert_eq!(sync.unfit.take(), Some((domain::Range::new(0, 5), "1 thing to mend".to_owned())));
    assert!(sync.trouble().is_none() && sync.is_settled(&spans(&[0])));
    assert_eq!(
        sync.next(&spans(&[0]), key("b")),
        NextAction::Wait,
        "it is not sent again by itself"
    );
}
