//! What questions and answers in files become: the project's attributes of labels and questions about
//! documents, or new ones.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{
    Answer, AnswerKind, Attribute, Chosen, Code, Error as Refusal, Fact, Label, LabelId,
    NewAttribute, ProjectId, QuestionPreview, Span, check_name, leading_number,
};
use formats::{AnswerWords, ImportedAnswer};
use store::Tx;

use super::labels::Labels;
use crate::{Result, project::MAX_ATTRIBUTES};

/// As many answers are named to somebody who gave another one.
const NAMED: usize = 12;

/// What is asked: the project's label, or none of a question about documents, and the question's name.
type Key = (Option<String>, String);

/// An answer with the span's beginning and end if it is about one, the place of its question, and its words,
/// which are the project's.
pub(in super::super) type ReadAnswer = (Option<(u32, u32)>, usize, Vec<String>);

/// The questions of files in the order in which they turned up.
#[derive(Debug, Default)]
pub(in super::super) struct Questions {
    known: BTreeMap<Key, Attribute>,
    asked: Vec<Asked>,
    /// Where each question is, by the labels of the files; none where the label stays out.
    places: HashMap<Key, Option<usize>>,
}

/// A question of files.
#[derive(Debug)]
struct Asked {
    label: Option<String>,
    name: String,
    /// The project's; none if it is to be made.
    known: Option<Attribute>,
    /// How often each answer is given, in the project's words: each of several choices for itself.
    answers: BTreeMap<Vec<String>, u64>,
    /// Why it stays out with all that is answered to it.
    left_out: Option<String>,
}

impl Questions {
    /// None of files yet, beside those that a project has of labels and documents.
    pub(in super::super) fn new(present: Vec<Attribute>, labels: &[Label]) -> Self {
        let key = |attribute: &Attribute| {
            let label = match attribute.label {
                LabelId::DOCUMENT => None,
                of => Some(labels.iter().find(|label| label.id == of)?.name.clone()),
            };
            Some((label, attribute.name.clone()))
        };
        let known = present.into_iter().filter_map(|it| Some((key(&it)?, it)));
        Self { known: known.collect(), ..Self::default() }
    }

    /// Counts an answer, or says why it can be none. A new question that can be none stays out, unless there
    /// is nothing else in the file.
    pub(in super::super) fn add(
        &mut self,
        answer: &ImportedAnswer,
        labels: &Labels,
        is_alone: bool,
    ) -> Result<(), Refusal> {
        let key = key_of(answer);
        let place = if let Some(place) = self.places.get(&key) {
            *place
        } else {
            let place = match &key.0 {
                None => Some(self.place(None, &key.1, is_alone)?),
                Some(label) => match labels.becomes(label) {
                    Some(label) => Some(self.place(Some(label), &key.1, is_alone)?),
                    None => None,
                },
            };
            self.places.insert(key, place);
            place
        };
        let asked = place.and_then(|place| self.asked.get_mut(place));
        asked.map_or(Ok(()), |asked| asked.add(&answer.answer, is_alone))
    }

    /// The place of a question about the spans of a label of the project, or about documents.
    fn place(&mut self, label: Option<&str>, name: &str, is_alone: bool) -> Result<usize, Refusal> {
        let is_it = |asked: &Asked| asked.label.as_deref() == label && asked.name == name;
        if let Some(place) = self.asked.iter().position(is_it) {
            return Ok(place);
        }
        let (label, name) = (label.map(str::to_owned), name.to_owned());
        let known = self.known.get(&(label.clone(), name.clone())).cloned();
        let mut asked = Asked { label, name, known, answers: BTreeMap::new(), left_out: None };
        if asked.known.is_none() {
            let checked = check("question", "a question's name", &asked.name);
            asked.leave_out_unless(is_alone, checked)?;
        }
        self.asked.push(asked);
        Ok(self.asked.len() - 1)
    }

    /// The place of a question, and the answer in the project's words.
    fn read(&self, answer: &ImportedAnswer) -> Option<ReadAnswer> {
        let place = (*self.places.get(&key_of(answer))?)?;
        let asked = self.asked.get(place).filter(|asked| asked.left_out.is_none())?;
        let range = match &answer.span {
            Some(span) => Some((u32::try_from(span.start).ok()?, u32::try_from(span.end).ok()?)),
            None => None,
        };
        Some((range, place, asked.words(&answer.answer)?))
    }

    /// What is answered in the project's words, each question once of a span: two labels may become one.
    pub(in super::super) fn read_all(&self, answers: &[ImportedAnswer]) -> BTreeSet<ReadAnswer> {
        let mut first = BTreeMap::new();
        for (range, place, words) in answers.iter().filter_map(|answer| self.read(answer)) {
            first.entry((range, place)).or_insert(words);
        }
        first.into_iter().map(|((range, place), words)| (range, place, words)).collect()
    }

    /// The same of an answer that the project has; none if it is to no question of the files.
    pub(in super::super) fn read_chosen(&self, fact: &Fact) -> Option<ReadAnswer> {
        let chosen = fact.choice?;
        let is_its =
            |asked: &Asked| asked.known.as_ref().is_some_and(|it| it.id == chosen.attribute);
        let place = self.asked.iter().position(is_its)?;
        let known = self.asked.get(place)?.known.as_ref()?;
        let range = (fact.span != Span::DOCUMENT).then_some(fact.span.range);
        let range = range.map(|range| (range.start, range.end));
        Some((range, place, words_of(known, chosen.answer)?))
    }

    /// Whether the project does not have the question at a place yet.
    pub(in super::super) fn is_new(&self, place: usize) -> bool {
        self.asked.get(place).is_some_and(|asked| asked.known.is_none())
    }

    /// Whether the question at a place stays out.
    pub(in super::super) fn is_left_out(&self, place: usize) -> bool {
        self.asked.get(place).is_some_and(|asked| asked.left_out.is_some())
    }

    /// The answers to each question in their order, by which parcels name them.
    pub(in super::super) fn answers(&self) -> Vec<Vec<&[String]>> {
        let questions = self.asked.iter();
        questions.map(|asked| asked.answers.keys().map(Vec::as_slice).collect()).collect()
    }

    /// Refuses more questions than the spans of a label, or documents, are asked.
    pub(in super::super) fn check_room(&self) -> Result<(), Refusal> {
        let mut present: BTreeMap<&Option<String>, usize> = BTreeMap::new();
        for (label, _) in self.known.keys() {
            *present.entry(label).or_default() += 1;
        }
        let mut new: BTreeMap<&Option<String>, usize> = BTreeMap::new();
        for asked in self.asked.iter().filter(|it| it.known.is_none() && it.left_out.is_none()) {
            *new.entry(&asked.label).or_default() += 1;
        }
        let mut all = new.into_iter();
        all.try_for_each(|(label, new)| {
            check_room(label.as_deref(), present.get(label).copied().unwrap_or_default(), new)
        })
    }

    /// Every question of the files with its answers and how often they are given.
    pub(in super::super) fn preview(&self) -> Vec<QuestionPreview> {
        let preview = |asked: &Asked| QuestionPreview {
            label: asked.label.clone(),
            name: asked.name.clone(),
            is_new: asked.known.is_none(),
            answers: asked.answers.iter().map(|(it, count)| (it.join(", "), *count)).collect(),
            left_out: asked.left_out.clone(),
        };
        self.asked.iter().map(preview).collect()
    }

    /// What each answer to each question becomes, by their places, with the questions that are made for it.
    pub(in super::super) async fn make(
        &self,
        tx: &Tx,
        project: ProjectId,
    ) -> Result<(Vec<Vec<Chosen>>, Vec<domain::AttributeId>)> {
        if self.asked.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let labels = store::project::labels::list(tx, project).await?;
        let of = |asked: &Asked| match &asked.label {
            None => Some(LabelId::DOCUMENT),
            Some(name) => labels.iter().find(|label| label.name == *name).map(|label| label.id),
        };
        let mut present = by_name(store::project::attributes::list(tx, project).await?);
        let (mut made, mut keys) = (Vec::new(), Vec::with_capacity(self.asked.len()));
        for asked in &self.asked {
            if asked.left_out.is_some() {
                keys.push(None);
                continue;
            }
            let label = of(asked).ok_or_else(changed)?;
            let key = (label, asked.name.clone());
            if !present.contains_key(&key) {
                if asked.known.is_some() {
                    return Err(changed().into());
                }
                let of_label = present.keys().filter(|(of, _)| *of == label).count();
                let made_of_label = keys.iter().flatten().filter(|(of, _)| *of == label);
                let fresh = made_of_label.filter(|key| !present.contains_key(*key)).count();
                check_room(asked.label.as_deref(), of_label + fresh, 1)?;
                let new = asked.new_attribute();
                let id = store::project::attributes::create(tx, project, label, &new).await?;
                made.push(id.ok_or(Refusal::NotFound)?);
            }
            keys.push(Some(key));
        }
        if !made.is_empty() {
            present = by_name(store::project::attributes::list(tx, project).await?);
        }
        let mut answers = Vec::with_capacity(self.asked.len());
        for (asked, key) in self.asked.iter().zip(keys) {
            let Some(key) = key else {
                answers.push(Vec::new());
                continue;
            };
            let attribute = present.get(&key).ok_or_else(changed)?;
            let chosen = asked.answers.keys().map(|words| {
                let answer = attribute.answer_named(words).ok_or_else(changed)?;
                Ok(Chosen { attribute: attribute.id, answer })
            });
            answers.push(chosen.collect::<Result<_, Refusal>>()?);
        }
        Ok((answers, made))
    }
}

fn by_name(attributes: Vec<Attribute>) -> HashMap<(LabelId, String), Attribute> {
    attributes.into_iter().map(|it| ((it.label, it.name.clone()), it)).collect()
}

/// What is asked, by the label of the file.
fn key_of(answer: &ImportedAnswer) -> Key {
    (answer.span.as_ref().map(|span| span.label.clone()), answer.question.clone())
}

/// An answer that the project has, in its words: each of several choices for itself.
fn words_of(attribute: &Attribute, answer: Answer) -> Option<Vec<String>> {
    match attribute.names(answer) {
        Some(names) => Some(names.into_iter().map(str::to_owned).collect()),
        None => attribute.words(answer).map(|words| vec![words]),
    }
}

impl Asked {
    fn add(&mut self, answer: &AnswerWords, is_alone: bool) -> Result<(), Refusal> {
        if self.left_out.is_some() {
            return Ok(());
        }
        let words = self.words(answer).ok_or_else(|| self.unknown(answer))?;
        if let Some(count) = self.answers.get_mut(&words) {
            *count += 1;
            return Ok(());
        }
        if self.known.is_none() {
            let checked = self.check_new(&words);
            self.leave_out_unless(is_alone, checked)?;
            if self.left_out.is_some() {
                return Ok(());
            }
        }
        self.answers.insert(words, 1);
        Ok(())
    }

    /// Leaves a question out for what is wrong with it, unless that is to be told as a problem.
    fn leave_out_unless(
        &mut self,
        is_problem: bool,
        checked: Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        match checked {
            Err(refusal) if is_problem => Err(refusal),
            Err(refusal) => {
                self.left_out = Some(refusal.to_string());
                self.answers.clear();
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }

    /// Refuses words that are no choices of a new question.
    fn check_new(&self, words: &[String]) -> Result<(), Refusal> {
        words.iter().try_for_each(|words| check("answer", "a choice", words))?;
        let choices: BTreeSet<&String> = self.answers.keys().flatten().chain(words).collect();
        if choices.len() > NewAttribute::MOST_CHOICES {
            let why = format!(
                "more than 50 different answers to \"{}\", which the project does not ask yet: \
                 ask it first, as a number or with its choices, and import again",
                self.name
            );
            return Err(Code::TooMany.of("answer", why));
        }
        Ok(())
    }

    /// An answer in the project's words; none if it is none.
    fn words(&self, answer: &AnswerWords) -> Option<Vec<String>> {
        let Some(known) = &self.known else {
            let mut words = answer.words().to_vec();
            words.sort();
            return Some(words);
        };
        let answer = match answer {
            AnswerWords::One(words) | AnswerWords::Number(words) => known.answer(words)?,
            AnswerWords::Several(names) => known.answer_named(names)?,
        };
        words_of(known, answer)
    }

    fn unknown(&self, answer: &AnswerWords) -> Refusal {
        let known = self.known.as_ref();
        let expected = match known.map(|known| (&known.answers, &known.choices)) {
            Some((AnswerKind::Number(scale), _)) => format!(
                "a number from {} to {} in steps of {}",
                scale.text(0).unwrap_or_default(),
                scale.text(scale.steps).unwrap_or_default(),
                scale.step()
            ),
            Some((kind, choices)) => {
                let names: Vec<&str> =
                    choices.iter().take(NAMED).map(|it| it.name.as_str()).collect();
                let more = choices.len().saturating_sub(NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let which =
                    if *kind == AnswerKind::One { "one" } else { "some, with \", \" between," };
                format!("{which} of {}{more}", names.join(", "))
            }
            None => String::new(),
        };
        let answer: String = answer.to_string().chars().take(NewAttribute::LONGEST_NAME).collect();
        let why = format!("\"{answer}\" is no answer to \"{}\"; expected {expected}", self.name);
        Code::Unknown.of("answer", why)
    }

    /// The question as it is made: for several choices where somebody has given several.
    fn new_attribute(&self) -> NewAttribute {
        let several = self.answers.keys().any(|words| words.len() > 1);
        let choices: BTreeSet<&String> = self.answers.keys().flatten().collect();
        let mut choices: Vec<String> = choices.into_iter().cloned().collect();
        // The order is that of a scale, where they are one: 9 before 10, and no answer after all numbers.
        choices.sort_by(|one, other| order(one).total_cmp(&order(other)));
        NewAttribute {
            name: self.name.clone(),
            required: false,
            offered: true,
            answers: if several { AnswerKind::Several } else { AnswerKind::One },
            choices,
        }
    }
}

/// Where a choice stands among others.
fn order(choice: &str) -> f64 {
    leading_number(choice).unwrap_or(f64::INFINITY)
}

/// A name that is to be made goes by the same rules as one that is typed in.
fn check(field: &'static str, what: &str, name: &str) -> Result<(), Refusal> {
    match check_name(field, what, name, 1..=NewAttribute::LONGEST_NAME)? {
        checked if checked == name => Ok(()),
        _ => {
            let why = format!("{what} neither begins nor ends with white space");
            Err(Code::Malformed.of(field, why))
        }
    }
}

fn check_room(label: Option<&str>, present: usize, new: usize) -> Result<(), Refusal> {
    if new > 0 && present + new > MAX_ATTRIBUTES {
        let asked = label.map_or_else(
            || "documents are asked".to_owned(),
            |label| format!("spans of \"{label}\" are asked"),
        );
        let why = format!("{new} new questions beside {present}: {asked} at most {MAX_ATTRIBUTES}");
        return Err(Code::LimitReached.of("files", why));
    }
    Ok(())
}

fn changed() -> Refusal {
    let why = "the project's questions were just changed; check the preview again";
    Code::ChangedMeanwhile.of("files", why)
}
