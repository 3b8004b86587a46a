//! Makes the requests that [`Sync`] asks for, and writes the log of what is not saved. It outlives
//! the page: what is under way when somebody leaves is brought to its end.

use std::time::Duration;

use domain::{LabelId, Revision, SaveSpans, WorkState};
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};

use super::{
    change::{Change, Spans},
    history::{History, Steps},
    log::{self, Chain, Log, Writes, database, left_over::Replay},
    sync::{Intent, NextAction, Request, Sync, Trouble},
};
use crate::{
    api::work::{reopen_assignment, save_spans, submit_assignment},
    islands::editor::save_state::new_save_key,
};

/// How long to wait for more changes before saving.
const REST: Duration = Duration::from_millis(400);

/// The way of one assignment to the server.
#[derive(Clone)]
pub(crate) struct Saver {
    pub sync: ArcRwSignal<Sync>,
    pub history: ArcRwSignal<History>,
    /// Where to go now that everything is saved.
    pub destination: ArcRwSignal<Option<String>>,
    /// How many changes of an earlier page were found and shown again.
    pub kept: ArcRwSignal<usize>,
    /// Whether the browser keeps what is not saved; if not, it lives as long as the page.
    pub keeps: ArcRwSignal<bool>,
    log: ArcStoredValue<Log>,
    timer: ArcStoredValue<Option<TimeoutHandle>>,
}

impl Saver {
    /// The saver of the assignment whose records begin with `place`.
    pub(crate) fn new(mut sync: Sync, history: History, place: String) -> Self {
        sync.resuming.is_reading = true;
        let log = Log::new(place);
        Self {
            sync: ArcRwSignal::new(sync),
            history: ArcRwSignal::new(history),
            destination: ArcRwSignal::new(None),
            kept: ArcRwSignal::new(0),
            keeps: ArcRwSignal::new(true),
            log: ArcStoredValue::new(log),
            timer: ArcStoredValue::new(None),
        }
    }

    /// Does something with what the server has and what is here. (One type of closure for all: a
    /// browser loads code for each.)
    fn update(&self, act: &mut dyn FnMut(&mut Sync, &Spans)) {
        self.history.with_untracked(|history| self.sync.update(|sync| act(sync, history.spans())));
    }

    fn with_sync(&self, act: &mut dyn FnMut(&Sync, &Spans)) {
        self.history.with_untracked(|history| {
            self.sync.with_untracked(|sync| act(sync, history.spans()));
        });
    }

    fn log(&self, act: &mut dyn FnMut(&mut Log)) {
        self.log.update_value(act);
    }

    /// Gives the page a name that no other has; pages are in the order in which they were opened.
    pub(crate) fn begin(&self) {
        let now = String::from(js_sys::Date::new_0().to_iso_string());
        self.log(&mut |log| log.begin(format!("{now}-{}", new_save_key().0)));
    }

    /// Something was changed: writes it down, and saves soon.
    pub(crate) fn changed(&self, change: &Change) {
        let steps = self.history.with_untracked(History::steps);
        let mut base = Revision::default();
        self.with_sync(&mut |sync, _| base = sync.revision());
        let mut writes = None;
        self.log(&mut |log| writes = Some(log.edited(base, change, &steps)));
        self.write(writes);
        self.flush_in(REST);
    }

    /// A conflict has been decided: writes down what is to be saved now, and saves it.
    pub(crate) fn decided(&self) {
        self.settle();
        self.flush();
    }

    /// Saves now.
    pub(crate) fn flush(&self) {
        self.stop_timer();
        spawn_local(self.clone().run(true));
    }

    /// Saves what is left when the page goes, without waiting for the log; there is nobody to tell
    /// of a failure, but what is in the log stays until the document is opened again.
    pub(crate) fn flush_last(&self) {
        self.stop_timer();
        let mut is_reading = false;
        self.with_sync(&mut |sync, _| is_reading = sync.resuming.is_reading);
        // Before the log is read nothing is sent; and on the server, nothing ever is.
        if !is_reading && !self.is_settled() {
            spawn_local(self.clone().run(false));
        }
    }

    /// Saves now, and then does what is intended.
    pub(crate) fn intend(&self, intent: Intent) {
        let mut intent = Some(intent);
        self.update(&mut |sync, _| {
            sync.retry();
            if let Some(intent) = intent.take() {
                sync.intend(intent);
            }
        });
        self.flush();
    }

    /// Tries again what has failed, at once.
    pub(crate) fn retry(&self) {
        let mut is_due = false;
        self.update(&mut |sync, _| is_due = sync.retry());
        if is_due {
            self.flush();
        }
    }

    /// Whether everything here is known to be saved.
    pub(crate) fn is_settled(&self) -> bool {
        let mut is_settled = false;
        self.with_sync(&mut |sync, here| is_settled = sync.is_settled(here));
        is_settled
    }

    /// Whether leaving loses nothing, and is the way to get it saved.
    pub(crate) fn may_go(&self) -> bool {
        let mut is_signed_out = false;
        self.with_sync(&mut |sync, _| is_signed_out = sync.trouble() == Some(&Trouble::SignedOut));
        is_signed_out && self.keeps.get_untracked()
    }

    /// Takes up what earlier pages have left of their work on a text of `length` characters, each
    /// as soon as it is gone; the first time, also the steps that can be undone.
    pub(crate) async fn take_up(self, length: u32, labels: Vec<LabelId>, is_first: bool) {
        let (mut place, mut name) = Default::default();
        self.log(&mut |log| (place, name) = (log.place().to_owned(), log.name()));
        if is_first {
            database::hold(&name, true).await;
        }
        let Some((chains, mut steps)) = self.read(&place, length, &labels, is_first).await else {
            return drop(window().location().reload());
        };
        if is_first {
            self.log(&mut |log| log.steps = steps.take());
        }
        for Chain { name, .. } in chains {
            let mut is_new = false;
            self.log(&mut |log| is_new = log.meet(&name));
            if !is_new {
                continue;
            }
            let is_gone = database::hold(&name, false).await;
            let inherits = self.clone().inherit(name, is_gone, length, labels.clone());
            if is_gone { inherits.await } else { spawn_local(inherits) }
        }
        if is_first {
            self.update(&mut |sync, _| sync.resuming.is_reading = false);
        }
        self.flush();
    }

    /// Takes up what a page has left, once it is gone.
    async fn inherit(self, name: String, is_gone: bool, length: u32, labels: Vec<LabelId>) {
        if !is_gone {
            database::hold(&name, true).await;
        }
        if let Some((mut chains, _)) = self.read(&format!("{name}/"), length, &labels, false).await
        {
            self.update(&mut |sync, _| sync.resuming.chains.append(&mut chains));
        }
        if !is_gone {
            self.flush();
        }
    }

    /// What is kept under keys that begin so; none if `is_first` and the page is older than that.
    async fn read(
        &self,
        prefix: &str,
        length: u32,
        labels: &[LabelId],
        is_first: bool,
    ) -> Option<(Vec<Chain>, Option<Steps>)> {
        let found = database::read(prefix).await;
        if found.is_none() {
            self.keeps.set(false);
        }
        let found = found.unwrap_or_default();
        let (mut assignment, mut revision) = Default::default();
        self.with_sync(&mut |sync, _| {
            (assignment, revision) = (sync.assignment(), sync.revision());
        });
        let is_stale = is_first && log::is_stale(&found, revision);
        (!is_stale).then(|| log::read(assignment, found, length, labels))
    }

    /// Gives back the steps of an earlier page, once what they were about is here again.
    fn give_back_steps(&self) {
        let (mut is_done, mut steps) = (false, None);
        self.with_sync(&mut |sync, _| is_done = sync.resuming.is_done());
        if is_done {
            self.log(&mut |log| steps = log.steps.take());
        }
        if let Some(steps) = steps {
            self.history.update(|history| history.give_back(steps));
        }
    }

    async fn run(self, waits: bool) {
        loop {
            let mut step = NextAction::Wait;
            self.update(&mut |sync, here| step = sync.next(here, new_save_key));
            match step {
                NextAction::Send(request) => self.send(request, waits).await,
                NextAction::Replay(replay) => self.replay(replay),
                NextAction::Leave(path) => {
                    self.destination.set(Some(path));
                    return;
                }
                NextAction::Wait => break,
            }
        }
        self.give_back_steps();
        let mut wait = None;
        self.with_sync(&mut |sync, _| wait = sync.retry_in());
        if let Some(wait) = wait {
            self.stop_timer();
            let saver = self.clone();
            let timer = set_timeout_with_handle(move || saver.retry(), wait);
            self.timer.set_value(timer.ok());
        } else if self.is_settled() {
            self.settle();
        }
    }

    async fn send(&self, request: Request, waits: bool) {
        if let Request::Save(command) = &request
            && let Some(writes) = self.unwritten(command)
        {
            // What was written before is on disk then, too.
            let written = self.clone().write_down(writes);
            if waits { written.await } else { spawn_local(written) }
        }
        let answer = match request {
            Request::Save(command) => save_spans(command).await,
            Request::Submit(assignment, base) => submit_assignment(assignment, base).await,
            Request::Reopen(assignment, base) => reopen_assignment(assignment, base).await,
        };
        let (mut answer, mut is_closed) = (Some(answer), false);
        self.update(&mut |sync, here| {
            if let Some(answer) = answer.take() {
                sync.answered(here, answer);
            }
            is_closed = sync.state() == WorkState::Submitted;
        });
        self.settle();
        if is_closed {
            let mut writes = None;
            self.log(&mut |log| writes = Some(log.closed()));
            self.write(writes);
        }
    }

    /// What the log does not know of a save that is about to be sent.
    fn unwritten(&self, command: &SaveSpans) -> Option<Writes> {
        let (mut is_of_earlier, mut writes) = (false, None);
        self.update(&mut |sync, _| {
            is_of_earlier = sync.resuming.is_asking;
            writes = sync.resuming.unwritten.take();
        });
        if !is_of_earlier {
            self.log(&mut |log| writes = log.sending(command));
        }
        writes
    }

    fn replay(&self, Replay { spans, count, mut records }: Replay) {
        self.history.update(|history| history.take_in(spans));
        self.kept.set(self.kept.get_untracked() + count);
        self.log(&mut |log| log.take_over(&mut records));
        self.settle();
    }

    /// Brings the log in line with what is not saved.
    fn settle(&self) {
        let mut unsaved = None;
        self.with_sync(&mut |sync, here| unsaved = sync.unsaved(here));
        if let Some((base, pending)) = unsaved {
            let mut writes = None;
            self.log(&mut |log| writes = log.settled(base, &pending));
            self.write(writes);
        }
    }

    fn write(&self, writes: Option<Writes>) {
        if let Some(writes) = writes {
            spawn_local(self.clone().write_down(writes));
        }
    }

    async fn write_down(self, writes: Writes) {
        let is_kept = database::write(writes).await;
        if self.keeps.get_untracked() != is_kept {
            self.keeps.set(is_kept);
        }
    }

    fn flush_in(&self, wait: Duration) {
        let mut is_due = false;
        self.with_sync(&mut |sync, _| is_due = sync.retry_in().is_some());
        if is_due {
            // The next try takes this change along.
            return;
        }
        self.stop_timer();
        let saver = self.clone();
        self.timer.set_value(set_timeout_with_handle(move || saver.flush(), wait).ok());
    }

    fn stop_timer(&self) {
        if let Some(timer) = self.timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    }
}
