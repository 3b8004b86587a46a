//! What people do in a history: drawn at random, and done through the services.

use domain::{
    CommentThreadId, DecisionChange, Error as Refusal, Fact, FlagKind, FlagReason, ImportAs,
    ImportMapping, LabelSet, ModelWork, NewFlag, NewRound, PersonChoice, Range, RepeatAsk,
    SaveDecisions, SaveKey, SaveSpans, Span, SuggestionSettings, Task, Verdict,
};
use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use services::{
    Result,
    document::import::{self, ImportOptions, UploadedFile},
    project::{self, members, rounds},
    review,
    work::{annotation, comments, flags, focus, models, repeats},
    workload,
};

use super::past::{self, COUNTED, DOCUMENTS, LENA, Past, SHARED, WORDS};
use crate::world::World;

/// Something that somebody does; labelers and documents by number.
#[derive(Clone, Debug)]
pub(super) enum Deed {
    Save {
        who: usize,
        document: usize,
        kept: u32,
        added: Vec<(usize, usize)>,
    },
    Submit {
        who: usize,
        document: usize,
    },
    Reopen {
        who: usize,
        document: usize,
    },
    Comment {
        who: usize,
        document: usize,
    },
    GoOn {
        who: usize,
        document: usize,
    },
    Flag {
        who: usize,
        document: usize,
        kind: FlagKind,
    },
    Lower {
        who: usize,
        document: usize,
        kind: FlagKind,
    },
    Focus {
        who: usize,
        document: usize,
    },
    Draw {
        who: usize,
    },
    Decide {
        document: usize,
        word: usize,
        label: Option<usize>,
    },
    EndReview {
        document: usize,
    },
    ReopenReview {
        document: usize,
    },
    Answer {
        thread: i64,
        settles: bool,
    },
    Settle {
        thread: i64,
        settle: bool,
    },
    SendBack {
        who: usize,
        document: usize,
    },
    Repeats {
        documents: u32,
    },
    Round {
        after: u64,
    },
    ImportWork {
        document: usize,
    },
    /// Strings on which labelers agree are offered, or not, where nothing is measured by it.
    Offer {
        agreed: bool,
        shields_imported: bool,
    },
    /// A program hands in what a model says.
    HandIn {
        document: usize,
        words: Vec<(usize, usize)>,
    },
    /// Everybody does five documents in one go.
    Everybody,
}

/// What may be drawn beside the usual.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// Whether what others submit is told as it comes: then nothing is drawn that will be told.
    pub(super) is_told: bool,
    /// Whether labelers draw documents; then no work is imported, whose assignments have ids, too.
    pub(super) draws: bool,
}

/// Something that whoever looks does.
pub(super) fn own(dice: &mut StdRng, rules: Rules) -> Deed {
    let document = dice_document(dice);
    labelers(dice, LENA, document, rules)
}

fn dice_document(dice: &mut StdRng) -> usize {
    dice.random_range(0..DOCUMENTS)
}

/// Something that others do and nobody has released.
pub(super) fn others(dice: &mut StdRng, rules: Rules) -> Deed {
    let mut document = dice_document(dice);
    // No rule tells of models.
    if dice.random_bool(0.1) {
        let words = vec![(dice.random_range(0..WORDS.len()), dice.random_range(0..2))];
        return Deed::HandIn { document, words };
    }
    if rules.is_told && document >= COUNTED {
        // Of what was not counted yet, only what nobody submits is told to nobody.
        if dice.random_bool(0.5) {
            let added = vec![(dice.random_range(0..WORDS.len()), 0)];
            let (who, document) = (dice.random_range(1..3), dice.random_range(SHARED..DOCUMENTS));
            return Deed::Save { who, document, kept: dice.random(), added };
        }
        document %= COUNTED;
    }
    match dice.random_range(0..10) {
        0..=5 => {
            let who = dice.random_range(1..3);
            labelers(dice, who, document, Rules { draws: false, ..rules })
        }
        6 => {
            let label = dice.random_bool(0.8).then(|| dice.random_range(0..2));
            Deed::Decide { document, word: dice.random_range(0..WORDS.len()), label }
        }
        7 => Deed::EndReview { document },
        8 => Deed::ReopenReview { document },
        _ if rules.is_told => Deed::Decide { document, word: 9, label: Some(0) },
        _ => match dice.random_range(0..3) {
            0 => Deed::Answer { thread: dice.random_range(1..4), settles: dice.random_bool(0.5) },
            1 => Deed::Settle { thread: dice.random_range(1..4), settle: dice.random_bool(0.7) },
            _ if rules.draws => Deed::Answer { thread: 1, settles: true },
            _ => Deed::ImportWork { document },
        },
    }
}

/// Something that managers do, or others, in both histories alike.
pub(super) fn common(dice: &mut StdRng, rules: Rules) -> Deed {
    let document = dice_document(dice);
    match dice.random_range(0..8) {
        0 | 1 => Deed::Repeats { documents: dice.random_range(1..4) },
        2 => Deed::Round { after: dice.random_range(1..3) },
        3 => Deed::SendBack { who: LENA, document },
        4 if dice.random_bool(0.5) => Deed::Offer { agreed: true, shields_imported: dice.random() },
        4 => Deed::Everybody,
        5 if rules.draws => Deed::Draw { who: dice.random_range(0..3) },
        _ if rules.is_told => Deed::Flag { who: 1, document, kind: FlagKind::Flag },
        _ => labelers(dice, 1, document, rules),
    }
}

fn labelers(dice: &mut StdRng, who: usize, document: usize, rules: Rules) -> Deed {
    let kind = if dice.random_bool(0.5) { FlagKind::Flag } else { FlagKind::Skip };
    match dice.random_range(0..14) {
        0..=4 => {
            let places: Vec<_> = (0..WORDS.len()).collect();
            let n = dice.random_range(0..4);
            let words: Vec<_> = places.choose_multiple(dice, n).copied().collect();
            let added = words.into_iter().map(|word| (word, dice.random_range(0..2))).collect();
            Deed::Save { who, document, kept: dice.random(), added }
        }
        5 | 6 => Deed::Submit { who, document },
        7 | 8 => Deed::Reopen { who, document },
        9 => Deed::Comment { who, document },
        10 => Deed::GoOn { who, document },
        11 => Deed::Flag { who, document, kind },
        12 => Deed::Lower { who, document, kind },
        _ if rules.draws => Deed::Draw { who },
        _ => Deed::Focus { who, document },
    }
}

impl Deed {
    /// Does it, and says what was answered. A refusal is an answer, too: of what is drawn much is
    /// out of place.
    pub(super) async fn perform(&self, world: &World, past: &Past, key: &str) -> String {
        match self.attempt(world, past, key).await {
            Ok(said) => said,
            Err(error) => format!("{error:?}"),
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each deed")]
    async fn attempt(&self, world: &World, past: &Past, key: &str) -> Result<String> {
        let (services, facts) = (&world.services, &world.facts);
        let project = facts.project;
        let key = SaveKey(key.to_owned());
        let assignment =
            |who: usize, document: usize| (&past.labelers[who], past.assignments[who][document]);
        match self {
            Self::Save { who, document, kept, added } => {
                let (actor, assignment) = assignment(*who, *document);
                let content = annotation::load(services, actor, assignment).await?.content;
                let is_removed = |place: &(usize, &Span)| (kept >> (place.0 % 32)) & 1 == 0;
                let removed = content.spans.iter().enumerate().filter(is_removed);
                let removed = removed.map(|(_, span)| (*span).into()).collect();
                let added = added.iter().map(|(word, label)| {
                    let (start, end) = WORDS[*word];
                    Span::new(start, end, facts.labels[*label].id).into()
                });
                let added = added.collect();
                let base = content.revision;
                let command = SaveSpans { assignment, base, key, removed, added };
                debugged(annotation::save(services, actor, command).await)
            }
            Self::Submit { who, document } => {
                let (actor, assignment) = assignment(*who, *document);
                let base = annotation::load(services, actor, assignment).await?.content.revision;
                debugged(annotation::submit(services, actor, assignment, base).await)
            }
            Self::Reopen { who, document } => {
                let (actor, assignment) = assignment(*who, *document);
                let base = annotation::load(services, actor, assignment).await?.content.revision;
                debugged(annotation::reopen(services, actor, assignment, base).await)
            }
            Self::Comment { who, document } => {
                let (actor, assignment) = assignment(*who, *document);
                let at = Some(Range::new(0, 3));
                debugged(comments::begin(services, actor, assignment, at, "What of this?").await)
            }
            Self::GoOn { who, document } => {
                let (actor, assignment) = assignment(*who, *document);
                let number = CommentThreadId(1);
                debugged(comments::go_on(services, actor, assignment, number, "And this?").await)
            }
            Self::Flag { who, document, kind } => {
                let (actor, assignment) = assignment(*who, *document);
                let (reason, note) = (FlagReason::Damaged, "torn".to_owned());
                let flag = NewFlag { kind: *kind, reason, note };
                debugged(flags::raise(services, actor, assignment, flag).await)
            }
            Self::Lower { who, document, kind } => {
                let (actor, assignment) = assignment(*who, *document);
                debugged(flags::lower(services, actor, assignment, *kind).await)
            }
            Self::Focus { who, document } => {
                let (actor, assignment) = assignment(*who, *document);
                debugged(focus::report(services, actor, Task::Assignment(assignment), 1).await)
            }
            Self::Draw { who } => {
                debugged(workload::draw(services, &past.labelers[*who], project).await)
            }
            Self::Decide { document, word, label } => {
                let document = past.documents[*document];
                let view = review::load(services, &past.reviewer, document).await?;
                let (start, end) = WORDS[*word];
                let range = Range::new(start, end);
                let found = view.content.positions.iter().find(|found| found.range == range);
                let marked = found.is_some_and(|found| !found.marked.is_empty());
                let set = label.map(|label| LabelSet::one(facts.labels[label].id));
                let decision = match set {
                    None if marked => Some((Verdict::Reject, LabelSet::EMPTY)),
                    None => None,
                    Some(set) if !marked => Some((Verdict::Add, set)),
                    Some(set) => {
                        let marks = &found.unwrap().marked;
                        let is_there = marks.iter().any(|(_, labels)| *labels == set);
                        Some((if is_there { Verdict::Accept } else { Verdict::Relabel }, set))
                    }
                };
                let base = view.content.revision;
                let changes = vec![DecisionChange::new(range, decision)];
                let command = SaveDecisions { document, base, key, changes };
                debugged(review::save(services, &past.reviewer, command).await)
            }
            Self::EndReview { document } => {
                let document = past.documents[*document];
                let view = review::load(services, &past.reviewer, document).await?;
                let base = view.content.revision;
                debugged(review::submit(services, &past.reviewer, document, base).await)
            }
            Self::ReopenReview { document } => {
                let document = past.documents[*document];
                let view = review::load(services, &past.reviewer, document).await?;
                let base = view.content.revision;
                debugged(review::reopen(services, &past.reviewer, document, base).await)
            }
            Self::Answer { thread, settles } => {
                let thread = CommentThreadId(*thread);
                let actor = &past.reviewer;
                debugged(comments::answer(services, actor, project, thread, "So.", *settles).await)
            }
            Self::Settle { thread, settle } => {
                let thread = CommentThreadId(*thread);
                debugged(comments::settle(services, &past.manager, project, thread, *settle).await)
            }
            Self::SendBack { who, document } => {
                let members = members::list(services, &past.manager, project).await?;
                let user = past.labelers[*who].person()?.id;
                let member = members.iter().find(|member| member.user == user);
                let assignment = (past.documents[*document], member.ok_or(Refusal::NotFound)?.id);
                let note = "Again, please.".to_owned();
                debugged(flags::send_back(services, &past.manager, project, assignment, note).await)
            }
            Self::Repeats { documents } => {
                let ask = RepeatAsk { documents: *documents, days: 0 };
                let plan = repeats::load(services, &past.manager, project, ask).await?.plan;
                debugged(repeats::give(services, &past.manager, project, ask, &plan.seen).await)
            }
            Self::Round { after } => {
                let new = NewRound {
                    after: *after,
                    title: "Next".to_owned(),
                    note: "more".to_owned(),
                    guidelines: Some(format!("Mark *names* as of {after}.")),
                };
                debugged(rounds::start(services, &past.manager, project, new).await)
            }
            Self::Offer { agreed, shields_imported } => {
                let settings = SuggestionSettings {
                    agreed: *agreed,
                    shields_imported: *shields_imported,
                    ..SuggestionSettings::default()
                };
                let manager = &past.manager;
                debugged(project::save_suggestions(services, manager, project, settings).await)
            }
            Self::HandIn { document, words } => {
                let (of, document) = ((project, facts.model), past.documents[*document]);
                // The first label is asked for something.
                let fact = |(word, label): &(usize, usize)| {
                    let (start, end) = WORDS[*word];
                    let span = Span::new(start, end, facts.labels[*label].id);
                    if *label == 0 { Fact::chosen(span, facts.attribute, 1) } else { span.into() }
                };
                let spans = words.iter().map(fact).collect();
                let work = ModelWork { spans, prompt_hash: None };
                debugged(models::save_work(services, &past.manager, of, document, work).await)
            }
            Self::ImportWork { document } => import_work(world, past, *document).await,
            Self::Everybody => {
                for (labeler, assignments) in past.labelers.iter().zip(&past.assignments) {
                    for assignment in &assignments[COUNTED..SHARED] {
                        past::do_plainly(world, labeler, *assignment, &key.0).await;
                    }
                }
                Ok(String::new())
            }
        }
    }
}

/// Imports somebody's work on a document, and takes it away again in every other document.
async fn import_work(world: &World, past: &Past, document: usize) -> Result<String> {
    let services = &world.services;
    let work = serde_json::json!([{
        "rater": "Xenia",
        "spans": [{ "start": 0, "end": 3, "label": world.facts.labels[0].name }],
    }]);
    let (name, text) = (format!("later {document:02}"), past::text(document));
    let line = serde_json::json!({ "name": name, "text": text, "work": work });
    let file = UploadedFile { name: "work.jsonl".to_owned(), bytes: line.to_string().into_bytes() };
    let people = [("Xenia".to_owned(), PersonChoice::Placeholder)].into();
    let options = ImportOptions {
        import_as: ImportAs::Work,
        assign: domain::AssignTo::Nobody,
        mapping: ImportMapping { people, ..ImportMapping::default() },
        ..ImportOptions::default()
    };
    let (manager, project) = (&past.manager, world.facts.project);
    let brought = import::import(services, manager, project, vec![file], options).await?;
    if document.is_multiple_of(2) {
        import::undo(services, manager, project, brought.import).await?;
    }
    Ok(format!("{brought:?}"))
}

fn debugged<T: std::fmt::Debug>(answer: Result<T>) -> Result<String> {
    answer.map(|answer| format!("{answer:?}"))
}
