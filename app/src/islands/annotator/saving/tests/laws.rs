//! Laws of saving, over any course of events: edits, lost requests, lost answers, killed pages,
//! pages opened again, two at a time. At the end the server has every edit, each once.

use std::collections::BTreeMap;

use chrono::DateTime;
use domain::{
    AssignmentContent, AssignmentId, AttributeId, Fact, LabelId, Revision, SaveKey, SaveOutcome,
    SaveSpans, Span, UserId, WorkState,
};
use proptest::prelude::*;

use super::super::{
    change::{Change, Spans, all_spans},
    history::{History, Steps},
    log::{self, Log, Writes, place_of},
    sync::{NextAction, Request, Sync, Trouble},
};
use crate::ApiError;

const ASSIGNMENT: AssignmentId = AssignmentId(7);
const LENGTH: u32 = 1_000_000;

/// What the server does with saves: see `services::work::annotation`.
#[derive(Default)]
struct Server {
    revision: Revision,
    spans: Spans,
    answered: BTreeMap<String, SaveOutcome>,
}

impl Server {
    fn content(&self) -> AssignmentContent {
        AssignmentContent {
            revision: self.revision,
            state: WorkState::Saved,
            saved_at: None,
            spans: all_spans(&self.spans).collect(),
            choices: self.spans.iter().filter(|it| it.choice.is_some()).copied().collect(),
        }
    }

    fn save(&mut self, command: SaveSpans) -> SaveOutcome {
        if let Some(answer) = self.answered.get(&command.key.0) {
            return answer.clone();
        }
        if command.base != self.revision {
            return SaveOutcome::Conflict(self.content());
        }
        Change { added: command.added, removed: command.removed }.apply(&mut self.spans);
        self.revision = self.revision.next();
        let answer = SaveOutcome::Saved { revision: self.revision, saved_at: DateTime::UNIX_EPOCH };
        self.answered.insert(command.key.0, answer.clone());
        answer
    }
}

struct Page {
    sync: Sync,
    history: History,
    log: Log,
    /// A request that has left and has not been answered.
    sent: Option<SaveSpans>,
    claimed: Vec<String>,
    /// What was marked on this page.
    marked: Spans,
    /// The steps of an earlier page that are yet to be given back.
    steps: Option<Steps>,
}

/// One person's browser and the server.
#[derive(Default)]
struct World {
    server: Server,
    kept: BTreeMap<String, String>,
    pages: [Option<Page>; 2],
    /// Every edit ever made, one after the other.
    expected: Spans,
    names: u32,
    starts: u32,
    /// Whether steps are given back: two pages would undo each other's.
    is_alone: bool,
}

impl World {
    fn write(&mut self, writes: Writes) {
        for key in writes.gone {
            self.kept.remove(&key);
        }
        self.kept.extend(writes.put);
    }

    fn read(&self) -> (Vec<log::Chain>, Option<Steps>) {
        log::read(ASSIGNMENT, self.kept.clone().into_iter().collect(), LENGTH, &[LabelId(1)])
    }

    fn open(&mut self, slot: usize) {
        let content = self.server.content();
        self.names += 1;
        let place = place_of(UserId(1), ASSIGNMENT);
        let history = History::new(content.facts());
        let steps = self.read().1.filter(|_| self.is_alone);
        let mut log = Log::new(place);
        log.begin(format!("{:04}", self.names));
        self.pages[slot] = Some(Page {
            sync: Sync::new(ASSIGNMENT, &content),
            history,
            log,
            steps,
            marked: Spans::new(),
            sent: None,
            claimed: Vec::new(),
        });
        self.inherit(slot);
    }

    /// Takes up what pages have left that are gone, unless another page has done so.
    fn inherit(&mut self, slot: usize) {
        let held: Vec<String> = self
            .pages
            .iter()
            .flatten()
            .flat_map(|page| [page.claimed.clone(), vec![page.log.name()]].concat())
            .collect();
        let (chains, _) = self.read();
        let Some(page) = &mut self.pages[slot] else { return };
        for chain in chains.into_iter().filter(|chain| !held.contains(&chain.name)) {
            page.claimed.push(chain.name.clone());
            page.sync.resuming.chains.push(chain);
        }
    }

    fn edit(&mut self, slot: usize, dice: u8) {
        self.starts += 1;
        let fresh: Fact = Span::new(self.starts, self.starts + 1, LabelId(1)).into();
        let Some(page) = &mut self.pages[slot] else { return };
        if !page.sync.resuming.is_done() {
            // Nobody has seen yet what they would change.
            return;
        }
        // Of two pages each changes what it has marked itself: else it would not be clear who has the
        // last word.
        let is_own = |span: &Span| self.is_alone || page.marked.contains(&Fact::from(*span));
        let own: Vec<Fact> =
            all_spans(page.history.spans()).filter(is_own).map(Fact::from).collect();
        // Nor does it take back what it took in from the other by deciding a conflict.
        let steps = page.history.steps();
        let may_take = |step: Option<&Change>| {
            self.is_alone
                || step.is_some_and(|step| {
                    step.added.iter().chain(&step.removed).all(|fact| is_own(&fact.span))
                })
        };
        let done = match dice % 12 {
            // A choice takes the place of the one before; sometimes it is taken back.
            8..=10 if !own.is_empty() => {
                let of_document = self.is_alone && dice.is_multiple_of(7);
                let span = own[usize::from(dice / 12) % own.len()].span;
                let span = if of_document { Span::DOCUMENT } else { span };
                let attribute = AttributeId(i64::from(dice % 2));
                let chosen = Fact::chosen(span, attribute, u16::from(dice / 12 % 3));
                page.history.apply(&Change { added: vec![chosen], removed: vec![] })
            }
            11 => {
                let chosen = page.history.spans().iter().filter(|it| it.choice.is_some());
                let of_own = |it: &&Fact| own.contains(&it.span.into());
                let gone: Vec<Fact> = chosen.filter(of_own).take(1).copied().collect();
                page.history.apply(&Change { added: vec![], removed: gone })
            }
            0 | 1 if may_take(steps.done.last()) => page.history.undo(),
            2 if may_take(steps.undone.last()) => page.history.redo(),
            3 if !own.is_empty() => {
                let gone = own[usize::from(dice) % own.len()];
                page.history.apply(&Change { added: vec![], removed: vec![gone] })
            }
            4 if !own.is_empty() => {
                let gone = own[usize::from(dice) % own.len()];
                page.history.apply(&Change { added: vec![fresh], removed: vec![gone] })
            }
            _ => page.history.apply(&Change { added: vec![fresh], removed: vec![] }),
        };
        let Some(done) = done else { return };
        page.marked.extend(&done.added);
        done.apply(&mut self.expected);
        let writes = page.log.edited(page.sync.revision(), &done, &page.history.steps());
        self.write(writes);
    }

    /// Takes the page's next step; whether there was one.
    fn step(&mut self, slot: usize) -> bool {
        self.names += 1;
        let key = format!("save-{}", self.names);
        let Some(page) = &mut self.pages[slot] else { return false };
        let mut writes = None;
        match page.sync.next(page.history.spans(), || SaveKey(key.clone())) {
            NextAction::Send(Request::Save(command)) => {
                writes = if page.sync.resuming.is_asking {
                    page.sync.resuming.unwritten.take()
                } else {
                    page.log.sending(&command)
                };
                page.sent = Some(command);
            }
            NextAction::Replay(mut replay) => {
                page.history.take_in(replay.spans);
                page.log.take_over(&mut replay.records);
            }
            _ => {
                if page.sync.resuming.is_done()
                    && let Some(steps) = page.steps.take()
                {
                    page.history.give_back(steps);
                }
                self.settle(slot);
                return false;
            }
        }
        if let Some(writes) = writes {
            self.write(writes);
        }
        self.settle(slot);
        true
    }

    /// The request reaches the server or not, and if so, its answer the page or not.
    fn deliver(&mut self, slot: usize, arrives: bool, is_answered: bool) {
        let Some(page) = &mut self.pages[slot] else { return };
        let Some(command) = page.sent.take() else { return };
        let answer = arrives.then(|| self.server.save(command)).filter(|_| is_answered);
        let answer = answer.ok_or_else(|| ApiError::Transport(String::new()));
        page.sync.answered(page.history.spans(), answer);
        // As in the browser, where nothing comes in between.
        if page.sync.resuming.replay.is_some() {
            self.step(slot);
        }
        self.settle(slot);
    }

    fn settle(&mut self, slot: usize) {
        let Some(page) = &mut self.pages[slot] else { return };
        let unsaved = page.sync.unsaved(page.history.spans());
        let writes = unsaved.and_then(|(base, pending)| page.log.settled(base, &pending));
        if let Some(writes) = writes {
            self.write(writes);
        }
    }

    /// Decides a conflict: all changes from here on top.
    fn decide(&mut self, slot: usize) {
        let Some(page) = &mut self.pages[slot] else { return };
        let Some(spans) = page.sync.use_mine(page.history.spans(), &[]) else { return };
        let change = Change::between(page.history.spans(), &spans);
        if let Some(done) = page.history.apply(&change) {
            let writes = page.log.edited(page.sync.revision(), &done, &page.history.steps());
            self.write(writes);
        }
        self.settle(slot);
    }

    /// The page is gone at once; what it has sent may still arrive.
    fn kill(&mut self, slot: usize, arrives: bool) {
        let Some(page) = self.pages[slot].take() else { return };
        if let Some(command) = page.sent.filter(|_| arrives) {
            self.server.save(command);
        }
        self.inherit(1 - slot);
    }

    fn happen(&mut self, slot: usize, event: u8, dice: u8) {
        match event % 12 {
            0..=3 => self.edit(slot, dice),
            4 | 5 => drop(self.step(slot)),
            6 => self.deliver(slot, true, true),
            7 => self.deliver(slot, dice.is_multiple_of(2), false),
            8 => {
                if let Some(page) = &mut self.pages[slot] {
                    page.sync.retry();
                }
            }
            9 => self.decide(slot),
            10 => self.kill(slot, dice.is_multiple_of(2)),
            _ if self.pages[slot].is_none() => self.open(slot),
            _ => {}
        }
    }

    /// The network is back: everything comes to its end.
    fn rest(&mut self) {
        for round in 0..200 {
            for slot in 0..2 {
                if let Some(page) = &mut self.pages[slot] {
                    page.sync.retry();
                }
                self.deliver(slot, true, true);
                while self.step(slot) {
                    self.deliver(slot, true, true);
                }
                self.decide(slot);
            }
            if round == 100 {
                // What a page holds that has nothing to say comes out at its end.
                self.kill(1, true);
            }
        }
    }
}

fn check(events: &[(u8, u8, u8)], is_alone: bool) {
    let mut world = World { is_alone, ..World::default() };
    for (slot, event, dice) in events {
        let slot = if is_alone { 0 } else { usize::from(slot % 2) };
        world.happen(slot, *event, *dice);
    }
    if world.pages[0].is_none() {
        world.open(0);
    }
    world.rest();
    assert_eq!(world.server.spans, world.expected, "no edit is lost and none is doubled");
    let stored = world
        .server
        .answered
        .values()
        .filter(|answer| matches!(answer, SaveOutcome::Saved { .. }))
        .count();
    assert_eq!(world.server.revision, Revision(i64::try_from(stored).unwrap()));
    assert_eq!(world.read().0, [], "nothing is kept that the server has");
    let page = world.pages[0].as_ref().unwrap();
    assert!(page.sync.is_settled(page.history.spans()));
    assert!(!matches!(page.sync.trouble(), Some(Trouble::Conflict(_))));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_or_doubled_on_one_page(
        events in prop::collection::vec(any::<(u8, u8, u8)>(), 0..120)
    ) {
        check(&events, true);
    }

    #[test]
    fn nothing_is_lost_or_doubled_on_two_pages(
        events in prop::collection::vec(any::<(u8, u8, u8)>(), 0..160)
    ) {
        check(&events, false);
    }
}
