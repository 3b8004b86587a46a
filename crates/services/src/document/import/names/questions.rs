//! What questions and answers in files become: the project's questions about documents, or new ones of one
//! choice each.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::{
    AnswerKind, Attribute, Chosen, Code, Error as Refusal, LabelId, NewAttribute, ProjectId,
    QuestionPreview, check_name,
};
use formats::ImportedAnswer;
use store::Tx;

use crate::{Result, project::MAX_ATTRIBUTES};

/// The longest name of a question, and of a choice.
const MAX_NAME: usize = 64;

/// As many answers are named to somebody who gave another one.
const NAMED: usize = 12;

/// The questions of files in the order in which they turned up.
#[derive(Debug, Default)]
pub(in super::super) struct Questions {
    known: BTreeMap<String, Attribute>,
    asked: Vec<Asked>,
    places: HashMap<String, usize>,
}

/// A question of files.
#[derive(Debug)]
struct Asked {
    name: String,
    /// The project's; none if it is to be made.
    known: Option<Attribute>,
    /// How often each answer is given, in the project's words.
    answers: BTreeMap<String, u64>,
}

impl Questions {
    /// None of files yet, beside those that a project has of labels and documents.
    pub(in super::super) fn new(present: Vec<Attribute>) -> Self {
        let of_documents = present.into_iter().filter(|it| it.label == LabelId::DOCUMENT);
        let known = of_documents.map(|it| (it.name.clone(), it)).collect();
        Self { known, ..Self::default() }
    }

    /// Counts an answer, or says why it can be none.
    pub(in super::super) fn add(&mut self, answer: &ImportedAnswer) -> Result<(), Refusal> {
        let name = &answer.question;
        let place = if let Some(place) = self.places.get(name) {
            *place
        } else {
            let known = self.known.get(name).cloned();
            if known.is_none() {
                check("question", "a question's name", name)?;
            }
            self.places.insert(name.clone(), self.asked.len());
            self.asked.push(Asked { name: name.clone(), known, answers: BTreeMap::new() });
            self.asked.len() - 1
        };
        let asked = self.asked.get_mut(place);
        asked.map_or(Ok(()), |asked| asked.add(&answer.answer))
    }

    /// The place of a question, and the answer in the project's words.
    fn read(&self, answer: &ImportedAnswer) -> Option<(usize, String)> {
        let place = *self.places.get(&answer.question)?;
        Some((place, self.asked.get(place)?.words(&answer.answer)?))
    }

    /// The places of the questions that are answered, with the answers in the project's words.
    pub(in super::super) fn read_all(
        &self,
        answers: &[ImportedAnswer],
    ) -> BTreeSet<(usize, String)> {
        answers.iter().filter_map(|answer| self.read(answer)).collect()
    }

    /// The same of an answer that the project has; none if it is to no question of the files.
    pub(in super::super) fn read_chosen(&self, chosen: Chosen) -> Option<(usize, String)> {
        let is_its =
            |asked: &Asked| asked.known.as_ref().is_some_and(|it| it.id == chosen.attribute);
        let place = self.asked.iter().position(is_its)?;
        let known = self.asked.get(place)?.known.as_ref()?;
        Some((place, known.words(chosen.answer)?))
    }

    /// The answers to each question in their order, by which parcels name them.
    pub(in super::super) fn answers(&self) -> Vec<Vec<&str>> {
        let questions = self.asked.iter();
        questions.map(|asked| asked.answers.keys().map(String::as_str).collect()).collect()
    }

    /// Refuses more questions than documents are asked.
    pub(in super::super) fn check_room(&self) -> Result<(), Refusal> {
        let new = self.asked.iter().filter(|asked| asked.known.is_none()).count();
        check_room(self.known.len(), new)
    }

    /// Every question of the files with its answers and how often they are given.
    pub(in super::super) fn preview(&self) -> Vec<QuestionPreview> {
        let preview = |asked: &Asked| QuestionPreview {
            name: asked.name.clone(),
            is_new: asked.known.is_none(),
            answers: asked.answers.iter().map(|(words, count)| (words.clone(), *count)).collect(),
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
        let present = store::project::attributes::list(tx, project).await?;
        let of_documents = present.iter().filter(|it| it.label == LabelId::DOCUMENT);
        let mut known: HashMap<&str, &Attribute> =
            of_documents.map(|it| (it.name.as_str(), it)).collect();
        let new = self.asked.iter().filter(|it| !known.contains_key(it.name.as_str()));
        let new: Vec<&Asked> = new.collect();
        if new.iter().any(|asked| asked.known.is_some()) {
            return Err(changed().into());
        }
        check_room(known.len(), new.len())?;
        let mut made = Vec::new();
        for asked in &new {
            let attribute = asked.new_attribute();
            let id = store::project::attributes::create(tx, project, LabelId::DOCUMENT, &attribute);
            made.push(id.await?.ok_or(Refusal::NotFound)?);
        }
        let present = if made.is_empty() {
            Vec::new()
        } else {
            store::project::attributes::list(tx, project).await?
        };
        let fresh = present.iter().filter(|it| made.contains(&it.id));
        known.extend(fresh.map(|it| (it.name.as_str(), it)));
        let mut answers = Vec::with_capacity(self.asked.len());
        for asked in &self.asked {
            let attribute = known.get(asked.name.as_str()).ok_or_else(changed)?;
            let chosen = asked.answers.keys().map(|words| {
                let answer = attribute.answer(words).ok_or_else(changed)?;
                Ok(Chosen { attribute: attribute.id, answer })
            });
            answers.push(chosen.collect::<Result<_, Refusal>>()?);
        }
        Ok((answers, made))
    }
}

impl Asked {
    fn add(&mut self, answer: &str) -> Result<(), Refusal> {
        let words = self.words(answer).ok_or_else(|| self.unknown(answer))?;
        if let Some(count) = self.answers.get_mut(&words) {
            *count += 1;
            return Ok(());
        }
        if self.known.is_none() {
            check("answer", "a choice", &words)?;
            if self.answers.len() == NewAttribute::MOST_CHOICES {
                let why = format!(
                    "more than 50 different answers to \"{}\", which the project does not ask yet: \
                     ask it first, as a number or with its choices, and import again",
                    self.name
                );
                return Err(Code::TooMany.of("answer", why));
            }
        }
        self.answers.insert(words, 1);
        Ok(())
    }

    /// An answer in the project's words; none if it is none.
    fn words(&self, answer: &str) -> Option<String> {
        match &self.known {
            Some(known) => known.words(known.answer(answer)?),
            None => Some(answer.to_owned()),
        }
    }

    fn unknown(&self, answer: &str) -> Refusal {
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
        let answer: String = answer.chars().take(MAX_NAME).collect();
        let why = format!("\"{answer}\" is no answer to \"{}\"; expected {expected}", self.name);
        Code::Unknown.of("answer", why)
    }

    fn new_attribute(&self) -> NewAttribute {
        NewAttribute {
            name: self.name.clone(),
            required: false,
            offered: true,
            answers: AnswerKind::One,
            choices: self.answers.keys().cloned().collect(),
        }
    }
}

/// A name that is to be made goes by the same rules as one that is typed in.
fn check(field: &'static str, what: &str, name: &str) -> Result<(), Refusal> {
    match check_name(field, what, name, 1..=MAX_NAME)? {
        checked if checked == name => Ok(()),
        _ => {
            let why = format!("{what} neither begins nor ends with white space");
            Err(Code::Malformed.of(field, why))
        }
    }
}

fn check_room(present: usize, new: usize) -> Result<(), Refusal> {
    if new > 0 && present + new > MAX_ATTRIBUTES {
        let why = format!(
            "{new} new questions beside {present}: documents are asked at most {MAX_ATTRIBUTES}"
        );
        return Err(Code::LimitReached.of("files", why));
    }
    Ok(())
}

fn changed() -> Refusal {
    let why = "the project's questions were just changed; check the preview again";
    Code::ChangedMeanwhile.of("files", why)
}
