//! The disagreement walk: one position of a list after the other, and what is decided on the way.

use std::{collections::BTreeSet, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    ActId, AttributeId, Code, DecisionSummary, DisagreementKind, DisagreementQuery, Error, Filter,
    Group, GroupAnswer, Judgement, Label, LabelId, LabelSet, Measured, MemberId, Position,
    PositionQuery, Range, Rater, Revision, SeveralMeasure, Switches, TimeSubject, WorkState,
};

/// The most characters of a note.
pub const LONGEST_NOTE: usize = 500;

/// The most positions that are decided at once.
pub const MOST_AT_ONCE: usize = 500;

/// The list that is walked through; its pages do not matter here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WalkList {
    Disagreements(DisagreementQuery),
    Positions(PositionQuery),
    /// The positions that any labeler gave this label, in the order of documents and of the text.
    Label(LabelId),
}

impl WalkList {
    /// What is decided in the place of labels.
    pub fn question(&self) -> Option<AttributeId> {
        self.switches().filter.question
    }

    /// The switches that the numbers beside the walk are counted under.
    pub fn switches(&self) -> Switches {
        match self {
            Self::Disagreements(query) => {
                let filter = Filter::of_question(query.filter.question);
                Switches { documents: query.filter.documents, filter, ..Switches::default() }
            }
            Self::Positions(query) => query.switches,
            Self::Label(_) => Switches::default(),
        }
    }
}

/// A layer to decide: a label with the positions that any labeler gave it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LabelCard {
    pub label: Label,
    /// A group that such a position is in is one decision.
    pub decisions: u64,
    /// How many of them the viewer can and has yet to make.
    pub undecided: u64,
}

/// Where somebody is on a walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkQuery {
    pub list: WalkList,
    /// The position that is looked at, also where it has left the list meanwhile; without one,
    /// where to begin.
    pub at: Option<Position>,
    /// What was decided or taken back last.
    pub act: Option<ActId>,
}

/// A step of the walk: the position with all that is said about it, and where the others are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WalkView {
    pub revision: Revision,
    /// All raters of the project, with the names that the viewer may know.
    pub raters: Vec<Rater>,
    /// How many decisions the list has: a group is one, whichever of its positions are listed.
    pub total: u64,
    /// How many of them the viewer can and has yet to make; nothing for who does not review.
    pub undecided: Option<u64>,
    /// The position's place in the list, from 1; none if it is not in it (any more).
    pub place: Option<u64>,
    pub previous: Option<Position>,
    pub next: Option<Position>,
    /// None if the list is empty and no position was asked for.
    pub step: Option<WalkStep>,
    pub agreement: Vec<WalkAgreement>,
    /// The viewer's own act that the address names.
    pub act: Option<ActSummary>,
    /// The present guidelines as safe HTML.
    pub guidelines_html: String,
}

/// A position on the walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkStep {
    pub position: Position,
    pub document_name: String,
    /// The text there, or of the whole group, and some before and after it.
    pub quote: String,
    pub left: String,
    pub right: String,
    /// Whether there is more text before `left` and after `right`.
    pub cut_left: bool,
    pub cut_right: bool,
    /// In what way the labelers and reviewers differ, if they do.
    pub kind: Option<DisagreementKind>,
    /// One for each rater of [`WalkView::raters`], in that order.
    pub judgements: Vec<Judgement>,
    /// Marks that overlap the position without being on it.
    pub overlapping: Vec<OverlappingPosition>,
    /// The latest decision, by whichever reviewer.
    pub decision: Option<DecisionSummary>,
    /// Where answers are decided, the latest decision on the label there.
    pub label: Option<DecisionSummary>,
    /// Where answers to spans are decided, what each rater has of labels there, in the same order.
    pub labels: Vec<Judgement>,
    /// The group that the position is in.
    pub group: Option<Group>,
    /// Who has to finish the document before anything in it is unanimous.
    pub finishing: Finishing,
    /// For who may decide here.
    pub deciding: Option<Deciding>,
}

/// How far those are who have to finish a document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finishing {
    /// How many have submitted it, of how many who have to.
    pub finished: u64,
    pub quorum: u64,
    /// The names of those who were given it and have not.
    pub missing: Vec<String>,
}

/// A rater's mark beside a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverlappingPosition {
    pub rater: MemberId,
    pub range: Range,
    pub quote: String,
    pub labels: LabelSet,
}

/// What a reviewer finds to decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Deciding {
    /// The reviewer's own pass over the document: decisions are relative to its revision, and
    /// possible until it is submitted.
    pub base: Revision,
    pub state: WorkState,
    /// What the reviewer has decided is to stand there; nothing, where the span that would be asked about is
    /// rejected.
    pub own: Option<LabelSet>,
    /// The reviewer's reason for the present decision.
    pub note: String,
    /// The labels that stand with an answer to a span; none where these are to be decided first.
    pub comes_with: Option<LabelSet>,
    /// What labelers gave the position: what more gave comes first.
    pub given: Vec<(LabelSet, u64)>,
    /// How many positions are like this one and open to the reviewer, itself among them.
    pub alike: u64,
}

/// What is decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Choice {
    /// These labels; the empty set rejects.
    Give(LabelSet),
    /// The present decision is taken back; of a group, all decisions.
    TakeBack,
    /// Of a group, what is to stand there.
    Choose(GroupChoice),
    /// The number that somebody wrote, on the scale of the question.
    Write(String),
}

/// A button of a form that decides, beside which an answer may be ticked or written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Pressed {
    Choice(Choice),
    /// Everything that is ticked.
    Ticked,
    /// What is written.
    Written,
}

impl Pressed {
    /// What is decided with what is ticked and written in the form.
    pub fn choice(self, ticked: Vec<LabelId>, written: String) -> Result<Choice, Error> {
        match self {
            Self::Choice(choice) => Ok(choice),
            Self::Ticked if ticked.is_empty() => {
                Err(Code::Missing.of("ticked", "tick at least one choice"))
            }
            Self::Ticked => Ok(Choice::Give(ticked.into_iter().collect())),
            Self::Written => Ok(Choice::Write(written)),
        }
    }
}

impl fmt::Display for Pressed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Choice(choice) => choice.fmt(f),
            Self::Ticked => f.write_str("ticked"),
            Self::Written => f.write_str("written"),
        }
    }
}

impl FromStr for Pressed {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "ticked" => Ok(Self::Ticked),
            "written" => Ok(Self::Written),
            text => text.parse().map(Self::Choice),
        }
    }
}

written_as_text! { Pressed }

/// What is chosen in a group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupChoice {
    pub answer: GroupAnswer,
    /// Whether what is not chosen is rejected; else it stays as it is.
    pub reject_others: bool,
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Give(labels) => labels.fmt(f),
            Self::TakeBack => f.write_str("back"),
            Self::Choose(GroupChoice { answer, reject_others }) => {
                write!(f, "{}{answer}", if *reject_others { "only:" } else { "also:" })
            }
            Self::Write(number) => write!(f, "number:{number}"),
        }
    }
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "back" {
            return Ok(Self::TakeBack);
        }
        if let Some(number) = text.strip_prefix("number:") {
            return Ok(Self::Write(number.to_owned()));
        }
        let chosen = |reject_others| {
            move |answer: &str| {
                Ok(Self::Choose(GroupChoice { answer: answer.parse()?, reject_others }))
            }
        };
        match (text.strip_prefix("only:"), text.strip_prefix("also:")) {
            (Some(answer), _) => chosen(true)(answer),
            (None, Some(answer)) => chosen(false)(answer),
            (None, None) => text.parse().map(Self::Give),
        }
    }
}

written_as_text! { Choice }

/// A position as somebody saw it who decides on it: with the revision of their review of its
/// document. In a form, both joined by `@`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SeenPosition {
    pub position: Position,
    pub base: Revision,
}

impl fmt::Display for SeenPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.position, self.base)
    }
}

impl FromStr for SeenPosition {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Code::Malformed.of("seen", "a position and a revision, joined by @");
        let (position, base) = text.split_once('@').ok_or_else(wrong)?;
        Ok(Self { position: position.parse()?, base: base.parse().map_err(|_| wrong())? })
    }
}

written_as_text! { SeenPosition }

/// A decision on positions, as one act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkDecision {
    /// Where the walk goes on afterwards.
    pub list: WalkList,
    /// The position that it started from; everything decided is like this one, or is its group.
    pub from: Position,
    /// Which positions, each once.
    pub seen: Vec<SeenPosition>,
    pub choice: Choice,
    pub note: String,
}

/// Refuses a reason that is too long.
pub(crate) fn check_note(note: &str) -> Result<(), Error> {
    if note.chars().count() > LONGEST_NOTE {
        let why = format!("a reason has at most {LONGEST_NOTE} characters");
        return Err(Code::TooLong.of("note", why));
    }
    Ok(())
}

impl WalkDecision {
    /// Refuses a note that is too long, no positions, too many, and the same one twice.
    pub fn checked(mut self) -> Result<Self, Error> {
        let note = self.note.trim().to_owned();
        self.note = note;
        check_note(&self.note)?;
        if self.seen.is_empty() {
            return Err(Code::Missing.of("seen", "choose at least one position"));
        }
        if self.seen.len() > MOST_AT_ONCE {
            return Err(
                Code::TooMany.of("seen", format!("at most {MOST_AT_ONCE} positions at once"))
            );
        }
        self.seen.sort_unstable();
        let twice = self.seen.windows(2).any(|two| match two {
            [one, other] => one.position == other.position,
            _ => false,
        });
        if twice {
            Err(Code::NamedTwice.of("seen", "a position is listed twice"))
        } else {
            Ok(self)
        }
    }
}

/// What became of a decision, and where the walk goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walked {
    pub act: ActId,
    pub to: Position,
}

/// What a reviewer did on the walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActSummary {
    pub id: ActId,
    /// What was decided on every position; none if decisions were taken back.
    pub decided: Option<LabelSet>,
    pub positions: u64,
    /// Whether they are of one group.
    pub is_group: bool,
    /// How many of them were rejected so that others could stand.
    pub rejected: u64,
    /// The words of the first that was not rejected for another; of a group without such, of all of it.
    pub quote: String,
    pub undone: bool,
    /// After it was undone: the positions that were left alone, because somebody has changed
    /// them since.
    pub left_alone: Vec<Position>,
}

/// The positions that are like one of them, for a decision on all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlikeView {
    pub raters: Vec<Rater>,
    /// The position that the others are like; the first of the rows, if it is still open.
    pub like: Position,
    pub quote: String,
    /// What labelers gave the position: what more gave comes first.
    pub given: Vec<(LabelSet, u64)>,
    /// The labels that stand with an answer to a span, at each of them.
    pub comes_with: Option<LabelSet>,
    pub rows: Vec<AlikeRow>,
    /// How many there are; the rows are as many as can be decided at once.
    pub total: u64,
}

/// One of the positions that are alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlikeRow {
    pub seen: SeenPosition,
    pub document_name: String,
    pub quote: String,
    pub left: String,
    pub right: String,
    /// One for each rater of [`AlikeView::raters`], in that order.
    pub judgements: Vec<Judgement>,
}

/// Agreement beside the walk, of the same counts as on the page "over time": all labelers at
/// once, or every labeler with every reviewer, pooled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WalkAgreement {
    pub subject: TimeSubject,
    pub values: Vec<(SeveralMeasure, Measured)>,
    /// Positions, or comparisons of them, that were counted.
    pub n: u64,
}

/// What makes positions alike for a reviewer: they are of the same words, and labelers stand on
/// them in the same way.
///
/// Words are the same if they are so without regard to case and to how they are spaced. Labelers
/// stand in the same way if the same different answers were given: each set of labels, and whether
/// somebody who worked on the document left the position without a span, with or without a span
/// that overlaps it. Who gave an answer, and how many did, does not matter: documents go to
/// different people, and what is to be decided is the question, not the vote. Therefore the same
/// decision has the same verdict on all of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Likeness {
    words: String,
    answers: BTreeSet<LabelSet>,
    absence: Absence,
}

/// How labelers who worked on a document and did not mark a position stand to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Absence {
    /// All of them marked it.
    Nobody,
    /// Some have nothing there.
    Bare,
    /// Some have nothing there but a span that overlaps it.
    Overlapping,
}

impl Likeness {
    /// The likeness of a position with these words, which labelers gave these sets of labels.
    pub fn new(words: &str, answers: BTreeSet<LabelSet>, absence: Absence) -> Self {
        let words: Vec<_> = words.split_whitespace().map(str::to_lowercase).collect();
        Self { words: words.join(" "), answers, absence }
    }

    /// Whether the labelers stand in the same way, whatever the words.
    pub fn stands_like(&self, answers: &BTreeSet<LabelSet>, absence: Absence) -> bool {
        self.answers == *answers && self.absence == absence
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DocumentId, LabelId};

    fn sets(labels: &[i64]) -> BTreeSet<LabelSet> {
        labels.iter().map(|label| LabelSet::one(LabelId(*label))).collect()
    }

    fn position(start: u32) -> Position {
        Position { document: DocumentId(12), range: Range::new(start, start + 3) }
    }

    fn decision(seen: Vec<SeenPosition>, note: &str) -> WalkDecision {
        WalkDecision {
            list: WalkList::Disagreements(DisagreementQuery::default()),
            from: position(0),
            seen,
            choice: Choice::TakeBack,
            note: note.to_owned(),
        }
    }

    #[test]
    fn case_and_spacing_do_not_make_words_different() {
        let like = |words| Likeness::new(words, sets(&[1, 2]), Absence::Nobody);
        assert_eq!(like("Prince of\n Denmark"), like("prince  OF denmark"));
        assert_ne!(like("Prince of Denmark"), like("Princeof Denmark"));
    }

    #[test]
    fn other_answers_or_absences_are_another_question() {
        let like = |labels: &[i64], absence| Likeness::new("Hamlet", sets(labels), absence);
        let base = like(&[1], Absence::Bare);
        assert_ne!(base, like(&[2], Absence::Bare));
        assert_ne!(base, like(&[1, 2], Absence::Bare));
        assert_ne!(base, like(&[1], Absence::Overlapping));
        assert!(base.stands_like(&sets(&[1]), Absence::Bare));
        assert!(!base.stands_like(&sets(&[1]), Absence::Nobody));
    }

    #[test]
    fn choices_and_seen_positions_survive_a_form() {
        let several: LabelSet = [LabelId(12), LabelId(3)].into_iter().collect();
        let answer = GroupAnswer::one(Range::new(4, 7), several.clone());
        let only = GroupChoice { answer: answer.clone(), reject_others: true };
        assert_eq!(Choice::Choose(only.clone()).to_string(), "only:4-7=3.12");
        for choice in [
            Choice::Give(LabelSet::EMPTY),
            Choice::Give(several),
            Choice::TakeBack,
            Choice::Choose(only),
            Choice::Choose(GroupChoice { answer, reject_others: false }),
            Choice::Choose(GroupChoice { answer: GroupAnswer::default(), reject_others: true }),
            Choice::Write("-1.5".to_owned()),
        ] {
            assert_eq!(choice.to_string().parse(), Ok(choice.clone()));
            assert_eq!(choice.to_string().parse(), Ok(Pressed::Choice(choice)));
        }
        for pressed in [Pressed::Ticked, Pressed::Written] {
            assert_eq!(pressed.to_string().parse(), Ok(pressed));
        }
        let seen = SeenPosition { position: position(4), base: Revision(9) };
        assert_eq!(seen.to_string(), "12-4-7@9");
        assert_eq!("12-4-7@9".parse(), Ok(seen));
        for wrong in ["", "12-4-7", "12-4@9", "12-4-7-8@9", "a-4-7@9", "12-4-7@"] {
            assert!(wrong.parse::<SeenPosition>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_ticked_or_written_counts_for_its_own_button_only() {
        let with = |pressed: Pressed| pressed.choice(vec![LabelId(2), LabelId(0)], "7".into());
        let both: LabelSet = [LabelId(0), LabelId(2)].into_iter().collect();
        assert_eq!(with(Pressed::Ticked), Ok(Choice::Give(both)));
        assert_eq!(with(Pressed::Written), Ok(Choice::Write("7".into())));
        assert_eq!(with(Pressed::Choice(Choice::TakeBack)), Ok(Choice::TakeBack));
        assert!(Pressed::Ticked.choice(Vec::new(), String::new()).is_err());
    }

    #[test]
    fn a_decision_names_each_position_once_and_its_reason_is_short() {
        let seen = |start, base| SeenPosition { position: position(start), base: Revision(base) };
        let fits = decision(vec![seen(4, 1), seen(0, 1)], &"é".repeat(LONGEST_NOTE));
        assert_eq!(fits.checked().unwrap().seen, [seen(0, 1), seen(4, 1)]);
        assert_eq!(decision(vec![seen(0, 1)], " why \n").checked().unwrap().note, "why");
        let too_long = "é".repeat(LONGEST_NOTE + 1);
        assert!(decision(vec![seen(0, 1)], &too_long).checked().is_err());
        assert!(decision(Vec::new(), "").checked().is_err());
        assert!(decision(vec![seen(0, 1), seen(0, 2)], "").checked().is_err());
    }
}
