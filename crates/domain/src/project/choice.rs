//! Attributes of labels, what was chosen of them on spans, and the facts that an assignment consists of.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::{
    Answer, AnswerKind, AttributeId, Code, Colour, Error, Label, LabelId, LabelSet, Span,
    check_name,
};

/// What is asked of every span of a label, or once of the document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Attribute {
    pub id: AttributeId,
    /// The label whose spans it is asked of; [`LabelId::DOCUMENT`] for the document.
    pub label: LabelId,
    pub name: String,
    /// Whether an assignment is handed in only with an answer on every span.
    pub required: bool,
    /// Whether it is still asked; if not, it stays where it was answered.
    pub offered: bool,
    /// What is answered.
    #[serde(default)]
    pub answers: AnswerKind,
    /// In the order in which they are offered, those that are no longer offered last; none of a question for
    /// a number.
    pub choices: Vec<AttributeChoice>,
}

impl Attribute {
    /// An answer in words; none if it is no answer to this.
    pub fn words(&self, answer: Answer) -> Option<String> {
        match &self.answers {
            AnswerKind::One | AnswerKind::Several => Some(self.names(answer)?.join(", ")),
            AnswerKind::Number(scale) => answer.single().and_then(|place| scale.text(place)),
        }
    }

    /// The names of the choice or the choices that an answer is; none if it is no answer to this, or a number.
    pub fn names(&self, answer: Answer) -> Option<Vec<&str>> {
        let is_its = match self.answers {
            AnswerKind::One => !answer.is_several(),
            AnswerKind::Several => answer.is_several(),
            AnswerKind::Number(_) => false,
        };
        let name = |number| {
            let found = self.choices.iter().find(|choice| choice.number == number);
            found.map(|choice| choice.name.as_str())
        };
        if is_its { answer.numbers().map(name).collect() } else { None }
    }

    /// The answer that has these [`words`](Self::words), of several choices in any order; none if no answer has
    /// them, or several have, since names of choices may hold commas.
    pub fn answer(&self, words: &str) -> Option<Answer> {
        match &self.answers {
            AnswerKind::One => self.named(words).map(Answer::from),
            AnswerKind::Several => self.several(words),
            AnswerKind::Number(scale) => scale.place(words).map(Answer::from),
        }
    }

    /// The answer that is these choices, by their names: one, or for a question for several any of them; or a
    /// number, which is one of its own. None if it has no such answer.
    pub fn answer_named(&self, names: &[String]) -> Option<Answer> {
        match (&self.answers, names) {
            (AnswerKind::Several, _) => {
                let numbers: Option<Vec<u16>> = names.iter().map(|name| self.named(name)).collect();
                Answer::several(numbers?)
            }
            (_, [only]) => self.answer(only),
            _ => None,
        }
    }

    fn named(&self, name: &str) -> Option<u16> {
        self.choices.iter().find(|choice| choice.name == name).map(|choice| choice.number)
    }

    fn several(&self, words: &str) -> Option<Answer> {
        const BETWEEN: &str = ", ";
        let ends = words.match_indices(BETWEEN).map(|(at, _)| at).chain([words.len()]);
        // For each place where a name may begin, the sets of choices that all before it can be.
        let mut before: BTreeMap<usize, BTreeSet<BTreeSet<u16>>> =
            BTreeMap::from([(0, BTreeSet::from([BTreeSet::new()]))]);
        let longest = self.choices.iter().map(|choice| choice.name.len()).max().unwrap_or_default();
        let mut whole = BTreeSet::new();
        for end in ends {
            // No name reaches back further: a long text takes no longer than it is long.
            before = before.split_off(&end.saturating_sub(longest));
            if before.is_empty() {
                return None;
            }
            let mut sets = BTreeSet::new();
            for (begin, known) in &before {
                let name = words.get(*begin..end).and_then(|name| self.named(name));
                let with = |number| {
                    known.iter().map(move |set| set.iter().copied().chain([number]).collect())
                };
                sets.extend(name.into_iter().flat_map(with));
            }
            if sets.len() > MOST_READINGS {
                return None;
            }
            if end == words.len() {
                whole = sets;
            } else if !sets.is_empty() {
                before.insert(end + BETWEEN.len(), sets);
            }
        }
        let mut whole = whole.into_iter();
        whole.next().filter(|_| whole.next().is_none()).and_then(Answer::several)
    }

    /// Whether a fact is an answer that it has, on what it is asked of.
    pub fn has(&self, fact: &Fact) -> bool {
        let is_its = |it: Chosen| it.attribute == self.id && self.words(it.answer).is_some();
        self.label == fact.span.label && fact.choice.is_some_and(is_its)
    }

    /// The answer that these [`categories`](Self::categories) stand for; none if there is no such answer.
    pub fn answer_of(&self, categories: &LabelSet) -> Option<Answer> {
        let numbers: Option<Vec<u16>> =
            categories.iter().map(|category| u16::try_from(category.0).ok()).collect();
        let numbers = numbers?;
        let answer = match (&self.answers, numbers.as_slice()) {
            (AnswerKind::Several, _) => Answer::several(numbers),
            (AnswerKind::One | AnswerKind::Number(_), [number]) => Some((*number).into()),
            (AnswerKind::One | AnswerKind::Number(_), _) => None,
        };
        answer.filter(|answer| self.words(*answer).is_some())
    }

    /// The categories that can still be answered.
    pub fn offered(&self) -> Vec<Label> {
        let is_withdrawn = |category: &Label| {
            self.choices
                .iter()
                .any(|choice| !choice.offered && LabelId(choice.number.into()) == category.id)
        };
        let mut categories = self.categories();
        categories.retain(|category| !is_withdrawn(category));
        categories
    }

    /// Whether it is asked of documents.
    pub fn is_of_documents(&self) -> bool {
        self.label == LabelId::DOCUMENT
    }

    /// Refuses what would make other answers of those that are there.
    pub fn check_becomes(&self, new: &NewAttribute) -> Result<(), Error> {
        self.answers.check_becomes(&new.answers)?;
        let is_new = |name: &&String| self.choices.iter().all(|choice| choice.name != **name);
        let ever = self.choices.len() + new.choices.iter().filter(is_new).count();
        check_several(&new.answers, ever)
    }

    /// Where answers stand on a scale. Numbers stand where they are; choices by the numbers that their names
    /// begin with, if all that are offered do, each with its own; or else by the order in which they are
    /// offered, from 1. One that is not offered any more stands by its number or nowhere, and sets of choices
    /// stand nowhere.
    pub fn scores(&self) -> Vec<(LabelId, f64)> {
        match &self.answers {
            AnswerKind::One => self.scores_of_choices(),
            AnswerKind::Several => Vec::new(),
            AnswerKind::Number(scale) => {
                (0..=scale.steps).map(|place| (category(place), scale.score(place))).collect()
            }
        }
    }

    fn scores_of_choices(&self) -> Vec<(LabelId, f64)> {
        let category = |choice: &AttributeChoice| category(choice.number);
        let offered = || self.choices.iter().filter(|choice| choice.offered);
        let numbers = offered().map(|choice| leading_number(&choice.name));
        let numbers: Option<Vec<f64>> = numbers.collect();
        let are_apart = |numbers: &Vec<f64>| {
            let mut sorted = numbers.clone();
            sorted.sort_by(f64::total_cmp);
            sorted.windows(2).all(|pair| pair.first() < pair.last())
        };
        if numbers.as_ref().is_some_and(are_apart) {
            let scored = |it: &AttributeChoice| Some((category(it), leading_number(&it.name)?));
            return self.choices.iter().filter_map(scored).collect();
        }
        offered().zip(1_u32..).map(|(choice, place)| (category(choice), place.into())).collect()
    }

    /// The choices, or the numbers, as categories of agreement, where they stand in the place of labels; in
    /// their order.
    pub fn categories(&self) -> Vec<Label> {
        let category = |(place, (number, name)): (usize, (u16, String))| Label {
            id: category(number),
            name,
            colour: Colour::nth(place),
            hotkey: None,
        };
        let named: Vec<(u16, String)> = match &self.answers {
            AnswerKind::One | AnswerKind::Several => {
                self.choices.iter().map(|choice| (choice.number, choice.name.clone())).collect()
            }
            AnswerKind::Number(scale) => {
                (0..=scale.steps).filter_map(|at| Some((at, scale.text(at)?))).collect()
            }
        };
        named.into_iter().enumerate().map(category).collect()
    }
}

/// As many sets of choices are looked at that words could be.
const MOST_READINGS: usize = 64;

/// What stands for a choice, or for a place on a scale, where raters are compared.
fn category(number: u16) -> LabelId {
    LabelId(number.into())
}

/// Refuses more choices than a set of them holds.
fn check_several(answers: &AnswerKind, choices: usize) -> Result<(), Error> {
    let is_too_many =
        *answers == AnswerKind::Several && choices > usize::from(Answer::MOST_SEVERAL);
    let why = "a question for several choices has had at most 62, with those it offers no longer";
    if is_too_many { Err(Code::TooMany.of("choices", why)) } else { Ok(()) }
}

/// The number that a name begins with: 2 of "2 (rather not)".
pub fn leading_number(name: &str) -> Option<f64> {
    let name = name.replace('−', "-");
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
    let end = name.find(|c| !is_of_number(c)).unwrap_or(name.len());
    let (number, rest) = name.split_at(end);
    // "1st" is a word, "18–25" are two numbers, and who knows of "1,5".
    let is_word = rest.starts_with(char::is_alphanumeric);
    let mut beyond = rest.chars().filter(|c| !c.is_whitespace());
    let goes_on = beyond.next().is_some_and(|c| !c.is_alphanumeric() && c != '(')
        && beyond.next().is_some_and(|c| c.is_ascii_digit());
    number.parse().ok().filter(|_| !is_word && !goes_on)
}

/// An answer that an attribute has. Its number stays its own, whatever the list becomes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AttributeChoice {
    pub number: u16,
    pub name: String,
    pub offered: bool,
}

/// What a manager says of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAttribute {
    pub name: String,
    pub required: bool,
    pub offered: bool,
    pub answers: AnswerKind,
    /// Names, in the order in which they are offered; none of a question for a number.
    pub choices: Vec<String>,
}

impl NewAttribute {
    /// The most choices that an attribute offers.
    pub const MOST_CHOICES: usize = 50;

    /// The longest name of an attribute, and of a choice, in characters.
    pub const LONGEST_NAME: usize = 64;

    /// An attribute as a form has it, a choice on each line; checked.
    pub fn typed(
        name: &str,
        (answers, choices): (AnswerKind, &str),
        required: bool,
        offered: bool,
    ) -> Result<Self, Error> {
        let name = check_name("name", "an attribute's name", name, 1..=Self::LONGEST_NAME)?;
        let lines = choices.lines().map(str::trim).filter(|line| !line.is_empty());
        let choices = lines
            .map(|line| check_name("choices", "a choice", line, 1..=Self::LONGEST_NAME))
            .collect::<Result<Vec<String>, Error>>()?;
        if matches!(answers, AnswerKind::Number(_)) {
            return Ok(Self { name, required, offered, answers, choices: Vec::new() });
        }
        if choices.is_empty() {
            return Err(Code::Missing.of("choices", "an attribute needs at least one choice"));
        }
        if choices.len() > Self::MOST_CHOICES {
            return Err(Code::TooMany.of("choices", "an attribute has at most 50 choices"));
        }
        if choices.iter().collect::<BTreeSet<_>>().len() < choices.len() {
            return Err(Code::NamedTwice.of("choices", "two choices have the same name"));
        }
        check_several(&answers, choices.len())?;
        Ok(Self { name, required, offered, answers, choices })
    }
}

/// An answer to an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "WrittenChosen", into = "WrittenChosen")]
pub struct Chosen {
    pub attribute: AttributeId,
    pub answer: Answer,
}

/// An answer as it is written: the number of a choice, or those of several; a number on a scale by its place,
/// counted in steps from the least.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Chosen")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
struct WrittenChosen {
    attribute: AttributeId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    number: Option<u16>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    numbers: Vec<u16>,
}

impl TryFrom<WrittenChosen> for Chosen {
    type Error = Error;

    fn try_from(written: WrittenChosen) -> Result<Self, Error> {
        let WrittenChosen { attribute, number, numbers } = written;
        let answer = match number {
            Some(number) if numbers.is_empty() => Some(number.into()),
            Some(_) => None,
            None => Answer::several(numbers),
        };
        let why = "either the number of a choice, or the numbers of several";
        let answer = answer.ok_or_else(|| Code::Unsuitable.of("choice", why))?;
        Ok(Self { attribute, answer })
    }
}

impl From<Chosen> for WrittenChosen {
    fn from(Chosen { attribute, answer }: Chosen) -> Self {
        let number = answer.single();
        let numbers = if number.is_none() { answer.numbers().collect() } else { Vec::new() };
        Self { attribute, number, numbers }
    }
}

/// Something that is so in an assignment: that a span is there, or what was chosen on it. An assignment is a set of
/// these in which a choice stands only where its span does, or on the document, and of each attribute only one; see
/// [`change_facts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "WrittenFact", into = "WrittenFact")]
pub struct Fact {
    pub span: Span,
    pub choice: Option<Chosen>,
}

/// A fact as it is written: a span, with what was chosen on it beside its label.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Fact")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
struct WrittenFact {
    start: u32,
    end: u32,
    label: LabelId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<WrittenChosen>))]
    choice: Option<Chosen>,
}

#[cfg(feature = "schema")]
impl utoipa::PartialSchema for Fact {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        WrittenFact::schema()
    }
}

#[cfg(feature = "schema")]
impl utoipa::ToSchema for Fact {
    fn schemas(schemas: &mut Vec<(String, utoipa::openapi::RefOr<utoipa::openapi::Schema>)>) {
        WrittenFact::schemas(schemas);
    }
}

impl From<WrittenFact> for Fact {
    fn from(WrittenFact { start, end, label, choice }: WrittenFact) -> Self {
        Self { span: Span::new(start, end, label), choice }
    }
}

impl From<Fact> for WrittenFact {
    fn from(Fact { span: Span { range, label }, choice }: Fact) -> Self {
        Self { start: range.start, end: range.end, label, choice }
    }
}

impl From<Span> for Fact {
    fn from(span: Span) -> Self {
        Self { span, choice: None }
    }
}

impl Fact {
    pub fn chosen(span: Span, attribute: AttributeId, answer: impl Into<Answer>) -> Self {
        Self { span, choice: Some(Chosen { attribute, answer: answer.into() }) }
    }

    /// Refuses what lies outside a text of so many characters; on the document there are choices only.
    pub fn checked(self, characters: u32) -> Result<(), Error> {
        match self.choice {
            Some(_) if self.span == Span::DOCUMENT => Ok(()),
            _ if self.span.label == LabelId::DOCUMENT => {
                Err(Code::Unsuitable.of("label", "of a document there are answers only"))
            }
            _ => self.span.range.checked(characters).map(drop),
        }
    }
}

/// Takes facts away and then adds others, and says what is different now, what went first:
///
/// - with a span goes all that was chosen on it;
/// - what is chosen takes the place of what was chosen of the same attribute;
/// - a choice brings its span with it, so that no choice is ever lost for want of one. The document is
///   always there: what is chosen on it brings nothing.
///
/// What is said to be different leads back exactly, and is different: a fact is never in both lists.
pub fn change_facts(
    facts: &mut BTreeSet<Fact>,
    removed: &[Fact],
    added: &[Fact],
) -> (Vec<Fact>, Vec<Fact>) {
    let (mut gone, mut new) = (Vec::new(), Vec::new());
    for fact in removed {
        if fact.choice.is_none() && fact.span != Span::DOCUMENT {
            for chosen in chosen_on(facts, fact.span) {
                facts.remove(&chosen);
                gone.push(chosen);
            }
        }
        if facts.remove(fact) {
            gone.push(*fact);
        }
    }
    for fact in added {
        if let Some(choice) = fact.choice {
            let same = |other: &Fact| {
                other != fact && other.choice.is_some_and(|it| it.attribute == choice.attribute)
            };
            for other in chosen_on(facts, fact.span).into_iter().filter(same) {
                facts.remove(&other);
                // What this change has brought itself was never there before.
                match new.iter().position(|it| *it == other) {
                    Some(place) => drop(new.swap_remove(place)),
                    None => gone.push(other),
                }
            }
            if fact.span != Span::DOCUMENT {
                add(facts, fact.span.into(), &mut gone, &mut new);
            }
        }
        add(facts, *fact, &mut gone, &mut new);
    }
    (gone, new)
}

fn add(facts: &mut BTreeSet<Fact>, fact: Fact, gone: &mut Vec<Fact>, new: &mut Vec<Fact>) {
    if facts.insert(fact) {
        match gone.iter().position(|it| *it == fact) {
            Some(place) => drop(gone.swap_remove(place)),
            None => new.push(fact),
        }
    }
}

/// What was chosen on a span.
pub fn chosen_on(facts: &BTreeSet<Fact>, span: Span) -> Vec<Fact> {
    let from = facts.range(Fact::from(span)..).take_while(|fact| fact.span == span);
    from.filter(|fact| fact.choice.is_some()).copied().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Scale;

    fn span(start: u32) -> Span {
        Span::new(start, start + 5, LabelId(1))
    }

    fn chosen(start: u32, attribute: i64, number: u16) -> Fact {
        Fact::chosen(span(start), AttributeId(attribute), number)
    }

    fn facts() -> impl Strategy<Value = Vec<Fact>> {
        let fact = (0..3_u32, prop::option::of((0..2_i64, 0..3_u16))).prop_map(|(start, it)| {
            it.map_or_else(|| span(start).into(), |(attribute, n)| chosen(start, attribute, n))
        });
        let on_document = (0..2_i64, 0..3_u16)
            .prop_map(|(attribute, n)| Fact::chosen(Span::DOCUMENT, AttributeId(attribute), n));
        prop::collection::vec(prop_oneof![3 => fact, 1 => on_document], 0..8)
    }

    #[test]
    fn a_choice_goes_with_its_span_and_comes_back_with_it() {
        let before = BTreeSet::from([span(0).into(), chosen(0, 1, 2), span(9).into()]);
        let mut facts = before.clone();
        let (gone, new) = change_facts(&mut facts, &[span(0).into()], &[]);
        assert_eq!(facts, BTreeSet::from([span(9).into()]));
        change_facts(&mut facts, &new, &gone);
        assert_eq!(facts, before);
    }

    #[test]
    fn of_an_attribute_one_choice_stands() {
        let mut facts = BTreeSet::from([span(0).into(), chosen(0, 1, 2), chosen(0, 2, 0)]);
        let (gone, new) = change_facts(&mut facts, &[], &[chosen(0, 1, 0)]);
        assert_eq!((gone, new), (vec![chosen(0, 1, 2)], vec![chosen(0, 1, 0)]));
        assert!(facts.contains(&chosen(0, 2, 0)));
    }

    #[test]
    fn a_fact_is_written_like_a_span_with_its_choice_beside() {
        let json = |fact: Fact| serde_json::to_string(&fact).unwrap();
        assert_eq!(json(span(0).into()), r#"{"start":0,"end":5,"label":1}"#);
        let text = json(chosen(0, 7, 2));
        assert_eq!(text, r#"{"start":0,"end":5,"label":1,"choice":{"attribute":7,"number":2}}"#);
        assert_eq!(serde_json::from_str::<Fact>(&text).unwrap(), chosen(0, 7, 2));
        let several = Fact::chosen(span(0), AttributeId(7), Answer::several([0, 2]).unwrap());
        let text = json(several);
        assert!(text.ends_with(r#""choice":{"attribute":7,"numbers":[0,2]}}"#), "{text}");
        assert_eq!(serde_json::from_str::<Fact>(&text).unwrap(), several);
        for neither in [r#""number":1,"numbers":[2]"#, r#""numbers":[]"#, r#""numbers":[62]"#] {
            let text = text.replace(r#""numbers":[0,2]"#, neither);
            assert!(serde_json::from_str::<Fact>(&text).is_err(), "{text}");
        }
    }

    fn asked(answers: AnswerKind, names: &[&str]) -> Attribute {
        let choice = |(number, name): (u16, &&str)| AttributeChoice {
            number,
            name: (*name).to_owned(),
            offered: number != 1,
        };
        Attribute {
            id: AttributeId(1),
            label: LabelId::DOCUMENT,
            name: "Topics".to_owned(),
            required: false,
            offered: true,
            answers,
            choices: (0..).zip(names).map(choice).collect(),
        }
    }

    #[test]
    fn categories_are_answers_of_a_question_that_has_them() {
        let set = |ids: &[i64]| ids.iter().map(|id| LabelId(*id)).collect::<LabelSet>();
        let scale = Scale::typed(["1", "3", ""], ["", ""]).unwrap();
        let number = asked(AnswerKind::Number(scale), &[]);
        for question in [&asked(AnswerKind::One, &["a", "b", "c"]), &number] {
            assert_eq!(question.answer_of(&set(&[2])), Some(2.into()));
            for none in [&[][..], &[0, 1], &[3], &[-1], &[70_000]] {
                assert_eq!(question.answer_of(&set(none)), None, "{none:?}");
            }
        }
        let several = asked(AnswerKind::Several, &["a", "b", "c"]);
        let both = Answer::several([0, 2]).unwrap();
        assert_eq!(several.answer_of(&both.categories()), Some(both));
        assert_eq!(several.answer_of(&set(&[0, 3])), None);
        assert_eq!(several.answer_of(&set(&[])), None);
        let offered: Vec<_> = several.offered().into_iter().map(|it| it.name).collect();
        assert_eq!(offered, ["a", "c"]);
        assert_eq!(number.offered().len(), 3);
    }

    #[test]
    fn words_that_could_be_several_answers_are_none() {
        let several = asked(AnswerKind::Several, &["a", "b", "a, b", "c", "b, c"]);
        for (words, numbers) in [
            ("a", Some(vec![0])),
            ("c, a", Some(vec![0, 3])),
            ("a, a", Some(vec![0])),
            ("a, b", None),
            ("a, b, c", None),
            ("b, a", Some(vec![0, 1])),
            ("", None),
            ("a, ", None),
            ("d", None),
        ] {
            let answer = numbers.and_then(Answer::several);
            assert_eq!(several.answer(words), answer, "{words}");
        }
        assert_eq!(asked(AnswerKind::One, &["a", "a, b"]).answer("a, b"), Some(1.into()));
        assert_eq!(several.answer(&["a"; 1_000].join(", ")), several.answer("a"));
        // Would take days, were every place held against every other.
        assert_eq!(several.answer(&vec!["zz"; 1_000_000].join(", ")), None);
        assert_eq!(several.answer(&vec!["a"; 100_000].join(", ")), several.answer("a"));
    }

    proptest! {
        #[test]
        fn an_answer_is_found_by_its_words(
            numbers in prop::collection::btree_set(0..6_u16, 1..6), one in 0..6_u16,
        ) {
            let names = ["yes", "no, never", "1", "maybe", "ça va", "x,y"];
            let several = asked(AnswerKind::Several, &names);
            let answer = Answer::several(numbers).unwrap();
            let words = several.words(answer).unwrap();
            prop_assert_eq!(several.answer(&words), Some(answer));
            let scale = Scale::typed(["-1", "1.5", "0.5"], ["", ""]).unwrap();
            for kind in [AnswerKind::One, AnswerKind::Number(scale)] {
                let asked = asked(kind, &names);
                let words = asked.words(one.into()).unwrap();
                prop_assert_eq!(asked.answer(&words), Some(one.into()));
            }
        }
    }

    #[test]
    fn choices_stand_by_their_numbers_or_in_their_order() {
        let scores = |names: &[(&str, bool)]| {
            let choice = |(number, (name, offered)): (u16, &(&str, bool))| AttributeChoice {
                number,
                name: (*name).to_owned(),
                offered: *offered,
            };
            let attribute = Attribute {
                id: AttributeId(1),
                label: LabelId::DOCUMENT,
                name: String::new(),
                required: false,
                offered: true,
                answers: AnswerKind::One,
                choices: (0..).zip(names).map(choice).collect(),
            };
            attribute.scores().iter().map(|(label, score)| (label.0, *score)).collect::<Vec<_>>()
        };
        let numbers = [("−2", true), ("0 (neither)", true), ("1.5", true), ("7: gone", false)];
        assert_eq!(scores(&numbers), [(0, -2.0), (1, 0.0), (2, 1.5), (3, 7.0)]);
        for words in [
            ["1st", "2"],
            ["18–25", "26–40"],
            ["18 - 25", "26 - 40"],
            ["1,5", "2,0"],
            ["1 (a)", "1 (b)"],
        ] {
            let words = [(words[0], true), (words[1], true), ("last", false)];
            assert_eq!(scores(&words), [(0, 1.0), (1, 2.0)]);
        }
        let withdrawn = [("0", true), ("5", true), ("unsure", false), ("2", false)];
        assert_eq!(scores(&withdrawn), [(0, 0.0), (1, 5.0), (3, 2.0)]);
    }

    #[test]
    fn answers_are_in_words_only_if_they_are_of_the_attribute() {
        let choice = |(number, name): (u16, &str)| AttributeChoice {
            number,
            name: name.to_owned(),
            offered: true,
        };
        let asked = |answers| Attribute {
            id: AttributeId(1),
            label: LabelId::DOCUMENT,
            name: String::new(),
            required: false,
            offered: true,
            answers,
            choices: [(0, "a"), (2, "b")].map(choice).into(),
        };
        let scale = Scale::typed(["0", "1", "0.5"], ["", ""]).unwrap();
        let answers = [
            Answer::from(0),
            Answer::from(2),
            Answer::from(3),
            Answer::several([0]).unwrap(),
            Answer::several([0, 2]).unwrap(),
            Answer::several([0, 1]).unwrap(),
        ];
        let words = |kind| {
            let asked = asked(kind);
            answers.map(|answer| asked.words(answer).unwrap_or_default())
        };
        assert_eq!(words(AnswerKind::One), ["a", "b", "", "", "", ""]);
        assert_eq!(words(AnswerKind::Several), ["", "", "", "a", "a, b", ""]);
        let number = asked(AnswerKind::Number(scale));
        assert_eq!(answers.map(|it| number.words(it).unwrap_or_default())[..3], ["0.0", "1.0", ""]);
        assert_eq!(number.scores(), [(LabelId(0), 0.0), (LabelId(1), 0.5), (LabelId(2), 1.0)]);
    }

    #[test]
    fn choices_are_typed_one_on_a_line() {
        let of = |choices| (AnswerKind::One, choices);
        let typed = of("female\r\n\n male \n");
        let typed = NewAttribute::typed(" Gender ", typed, true, true).unwrap();
        assert_eq!(
            (typed.name.as_str(), typed.choices),
            ("Gender", vec!["female".to_owned(), "male".to_owned()])
        );
        for (name, choices) in [("", "a"), ("x", " \n"), ("x", "a\na")] {
            assert!(NewAttribute::typed(name, of(choices), false, true).is_err());
        }
    }

    proptest! {
        #[test]
        fn whatever_is_changed_choices_stand_on_spans_and_the_way_back_is_exact(
            start in facts(), removed in facts(), added in facts(),
        ) {
            let mut before = BTreeSet::new();
            change_facts(&mut before, &[], &start);
            let mut after = before.clone();
            let (gone, new) = change_facts(&mut after, &removed, &added);
            for fact in &after {
                let is_there = after.contains(&fact.span.into());
                prop_assert_eq!(is_there, fact.span != Span::DOCUMENT);
                let rivals = chosen_on(&after, fact.span);
                let same = |it: &&Fact| it.choice.map(|c| c.attribute) == fact.choice.map(|c| c.attribute);
                prop_assert!(fact.choice.is_none() || rivals.iter().filter(same).count() == 1);
            }
            prop_assert_eq!(before.difference(&after).copied().collect::<BTreeSet<_>>(), gone.iter().copied().collect());
            prop_assert_eq!(after.difference(&before).copied().collect::<BTreeSet<_>>(), new.iter().copied().collect());
            let mut again = before.clone();
            change_facts(&mut again, &gone, &new);
            prop_assert_eq!(&again, &after);
            change_facts(&mut after, &new, &gone);
            prop_assert_eq!(after, before);
        }
    }
}
