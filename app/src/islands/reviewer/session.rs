//! A review at work: what is on screen, and what each act does to it.

use std::sync::Arc;

use domain::{
    Attribute, DecisionChange, DocumentId, Fact, Label, MemberId, OwnKeys, ProjectId, Range,
    ReviewView, ReviewedAssignment, Span, WorkState,
};

use crate::islands::{
    editor::{
        keys::{Keyboard, table::Workplace},
        text_view::Layout,
    },
    prelude::*,
};

use super::{
    positions::{
        Position,
        decisions::Decisions,
        find_position,
        navigation::{Way, find_from, find_listed, is_undecided, neighbour},
        positions_of,
    },
    saving::{draft::Draft, saver::Saver},
};

/// What does not change while a document is under review.
pub(crate) struct Facts {
    pub(crate) draft: Draft,
    pub(crate) project: ProjectId,
    pub(crate) labels: Vec<Label>,
    pub(crate) assignments: Vec<ReviewedAssignment>,
    /// How many labelers have to finish the document.
    pub(crate) quorum: u64,
    /// What is asked of the spans of labels, and of the document.
    pub(crate) attributes: Vec<Attribute>,
    /// What was chosen on spans, by labeler and position, in words.
    pub(crate) choices: Vec<(MemberId, Range, String)>,
    /// Where labelers have written something that is not settled.
    pub(crate) comments: Vec<Range>,
    /// The project's reasons for decisions.
    pub(crate) reasons: Vec<String>,
    pub(crate) layout: Arc<Layout>,
    pub(crate) previous: Option<DocumentId>,
    pub(crate) next: Option<DocumentId>,
}

impl Facts {
    /// "1 of 2 labelers finished".
    pub(crate) fn finished(&self) -> String {
        let states = self.assignments.iter().map(|assignment| assignment.state);
        let finished = states.filter(|state| *state == WorkState::Submitted).count();
        format!("{finished} of {} labelers finished", self.quorum)
    }
}

/// What stands in front of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opened {
    /// Everything that can be done.
    Commands,
    /// The search for a label to give.
    Labels,
    /// Asks before all unanimous positions are accepted.
    Unanimous,
    /// Asks before a review with undecided positions is ended.
    End,
}

/// Decisions that are not stored, and a person has to say what is to become of them.
#[derive(Clone, Debug)]
pub(crate) struct Trouble {
    pub(crate) cause: Cause,
    pub(crate) mine: Vec<DecisionChange>,
}

/// Why decisions are not stored.
#[derive(Clone, Debug)]
pub(crate) enum Cause {
    /// The review was changed in another tab or on another device.
    Moved,
    /// The server refused them.
    Refused(ApiError),
    /// The page was left before they could be sent.
    Left,
}

/// A review at work.
#[derive(Clone, Copy)]
pub(crate) struct Session {
    pub(crate) keyboard: Keyboard,
    facts: StoredValue<Arc<Facts>>,
    pub(crate) decisions: RwSignal<Decisions>,
    /// What labelers answered about the document.
    pub(crate) of_document: RwSignal<Vec<(MemberId, Fact)>>,
    pub(crate) state: RwSignal<WorkState>,
    pub(crate) current: RwSignal<Option<Range>>,
    pub(crate) selection: RwSignal<Option<Range>>,
    /// Whether the list has conflicts first; else it is in the order of the text.
    pub(crate) conflicts_first: RwSignal<bool>,
    /// Whether what is not chosen of a group is rejected.
    pub(crate) reject_others: RwSignal<bool>,
    pub(crate) opened: RwSignal<Option<Opened>>,
    /// The document to go to.
    pub(crate) destination: RwSignal<Option<DocumentId>>,
    /// What happened last, in a sentence.
    pub(crate) said: RwSignal<String>,
    pub(crate) trouble: RwSignal<Option<Trouble>>,
    /// Why the server will not have what was decided, or the end of the review.
    pub(crate) refused: RwSignal<Option<ApiError>>,
    /// The state that the review is to be brought to once everything is stored.
    pub(super) wanted_state: RwSignal<Option<WorkState>>,
    saver: StoredValue<Saver>,
}

impl Session {
    /// Begins on what the server has.
    pub(crate) fn open(view: ReviewView, keys: OwnKeys) -> Self {
        let facts = Facts {
            draft: Draft { person: view.person, document: view.document },
            project: view.project,
            labels: view.labels,
            assignments: view.assignments,
            quorum: view.quorum,
            attributes: view.attributes,
            choices: view.choices,
            comments: view.comments,
            reasons: view.reasons,
            layout: Arc::new(Layout::new(view.text.into())),
            previous: view.previous,
            next: view.next,
        };
        let saver = Saver::new(facts.draft, view.content.revision);
        let state = view.content.state;
        let decisions = Decisions::new(positions_of(view.content.positions), view.content.answers);
        let positions = decisions.positions();
        let current = find_from(positions, None, Way::Forward, is_undecided)
            .or_else(|| neighbour(positions, None, Way::Forward));
        let session = Self {
            keyboard: Keyboard::new(Workplace::Reviewer, keys),
            facts: StoredValue::new(Arc::new(facts)),
            decisions: RwSignal::new(decisions),
            of_document: RwSignal::new(view.content.chosen),
            state: RwSignal::new(state),
            current: RwSignal::new(current),
            selection: RwSignal::new(None),
            conflicts_first: RwSignal::new(false),
            reject_others: RwSignal::new(true),
            opened: RwSignal::new(None),
            destination: RwSignal::new(None),
            said: RwSignal::new(String::new()),
            trouble: RwSignal::new(None),
            refused: RwSignal::new(None),
            wanted_state: RwSignal::new(None),
            saver: StoredValue::new(saver.clone()),
        };
        saver.listen(Callback::new(move |news| session.hear(news)));
        session.follow_state(saver.state());
        session
    }

    pub(crate) fn facts(self) -> Arc<Facts> {
        self.facts.get_value()
    }

    pub(crate) fn saver(self) -> Saver {
        self.saver.get_value()
    }

    /// The positions as they are on screen; reactive.
    pub(crate) fn positions(self) -> Arc<Vec<Position>> {
        self.decisions.with(|decisions| Arc::clone(decisions.positions()))
    }

    /// The positions as they are at this moment.
    pub(crate) fn positions_now(self) -> Arc<Vec<Position>> {
        self.decisions.with_untracked(|decisions| Arc::clone(decisions.positions()))
    }

    /// The nearest wanted position after or before one, in the order of the list and round its end.
    pub(crate) fn find_from(
        self,
        from: Option<Range>,
        way: Way,
        wanted: fn(&Position) -> bool,
    ) -> Option<Range> {
        let positions = self.positions_now();
        if self.conflicts_first.get_untracked() {
            return find_listed(&positions, from, way, wanted);
        }
        find_from(&positions, from, way, wanted)
    }

    /// The current position; reactive.
    pub(crate) fn current_position(self) -> Option<Position> {
        find_position(&self.positions(), self.current.get()?).cloned()
    }

    /// How many answers are missing that are required; reactive.
    pub(crate) fn unanswered(self) -> usize {
        let facts = self.facts();
        self.decisions.with(|decisions| decisions.unanswered(&facts.attributes).len())
    }

    /// Where answers are missing that are required, at this moment.
    pub(crate) fn unanswered_now(self) -> Vec<Span> {
        let facts = self.facts();
        self.decisions.with_untracked(|decisions| decisions.unanswered(&facts.attributes))
    }

    /// Whether the review is ended: nothing can be changed then; reactive.
    pub(crate) fn is_ended(self) -> bool {
        self.state.get() == WorkState::Submitted
    }

    pub(crate) fn say(self, sentence: impl Into<String>) {
        self.said.set(sentence.into());
    }
}
