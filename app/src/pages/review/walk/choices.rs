//! What there is to decide on: labels, or the answers to a question, as buttons that have keys.

use std::sync::Arc;

use domain::{AnswerKind, Attribute, AttributeId, Label, LabelId, LabelSet, ProjectView, Scale};

use crate::pages::components::{agreement::disagreements::chips::LabelChips, prelude::*};

/// Choices that have a digit as their key.
pub(super) const DIGITS: usize = 9;

/// Scales of at most so many steps have a button for each number.
const FEW_STEPS: u16 = 10;

/// What is decided: labels, or the answers to a question in their place.
#[derive(Clone)]
pub(super) struct Subject {
    pub(super) labels: Arc<[Label]>,
    /// What raters said, also what they cannot say any more: the labels, or all answers.
    pub(super) categories: Arc<[Label]>,
    pub(super) asked: Option<Arc<Attribute>>,
}

impl Subject {
    pub(super) fn of(project: &ProjectView, question: Option<AttributeId>) -> Self {
        Self {
            labels: project.labels.clone().into(),
            categories: project.categories(question).into(),
            asked: question.and_then(|id| project.attribute(id)).cloned().map(Arc::new),
        }
    }

    /// Whether a position is a document as a whole.
    pub(super) fn is_of_documents(&self) -> bool {
        self.asked.as_ref().is_some_and(|asked| asked.is_of_documents())
    }

    /// Whether spans are asked about: answers that stand with labels.
    pub(super) fn is_of_spans(&self) -> bool {
        self.asked.is_some() && !self.is_of_documents()
    }

    /// What is asked, in words, if something is.
    pub(super) fn question(&self) -> Option<String> {
        self.asked.as_ref().map(|asked| naming::question(asked, &self.labels))
    }

    /// What a button each is offered of; not of sets and of long scales.
    pub(super) fn offered(&self) -> Vec<Label> {
        match self.asked.as_deref() {
            None => self.labels.to_vec(),
            Some(asked) => match &asked.answers {
                AnswerKind::One => asked.offered(),
                AnswerKind::Number(scale) if scale.steps <= FEW_STEPS => asked.offered(),
                AnswerKind::Several | AnswerKind::Number(_) => Vec::new(),
            },
        }
    }

    /// The scale, if a number is asked for.
    fn scale(&self) -> Option<&Scale> {
        match &self.asked.as_deref()?.answers {
            AnswerKind::Number(scale) => Some(scale),
            AnswerKind::One | AnswerKind::Several => None,
        }
    }

    /// The buttons with their keys: what labelers gave, most first, then what nobody gave alone. The numbers
    /// of a short scale stay in their order, and those that are digits are their own keys.
    fn buttons(&self, given: &[(LabelSet, u64)]) -> Vec<(LabelSet, u64, Option<String>)> {
        let mut buttons = choices(given, &self.offered());
        let short = self.scale().filter(|scale| scale.steps <= FEW_STEPS);
        if short.is_some() {
            buttons.sort_by(|(one, _), (other, _)| one.cmp(other));
        }
        let key = |place: usize, set: &LabelSet| match short {
            Some(scale) => single(set).and_then(|place| digit(&scale.text(place)?)),
            None => (place < DIGITS).then(|| (place + 1).to_string()),
        };
        let with_key = |(place, (set, n)): (usize, (LabelSet, u64))| {
            let key = key(place, &set);
            (set, n, key)
        };
        buttons.into_iter().enumerate().map(with_key).collect()
    }

    /// What a number means, if it is an end of the scale and that is said.
    fn means(&self, set: &LabelSet) -> Option<String> {
        let scale = self.scale()?;
        let [least, greatest] = &scale.ends;
        let means = match single(set)? {
            0 => least,
            place if place == scale.steps => greatest,
            _ => return None,
        };
        (!means.is_empty()).then(|| means.clone())
    }
}

/// A number that is a digit.
fn digit(number: &str) -> Option<String> {
    (number.len() == 1 && number.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| number.to_owned())
}

/// Whether each number of a scale has a button with a key.
fn has_keys(scale: &Scale) -> bool {
    let has_key = |place| scale.text(place).is_some_and(|number| digit(&number).is_some());
    scale.steps <= FEW_STEPS && (0..=scale.steps).all(has_key)
}

/// The place on a scale that a category stands for.
fn single(set: &LabelSet) -> Option<u16> {
    let mut ids = set.iter();
    ids.next().and_then(|LabelId(id)| u16::try_from(id).ok()).filter(|_| ids.next().is_none())
}

/// What can be chosen: what labelers gave, most first, then every label that nobody gave alone.
fn choices(given: &[(LabelSet, u64)], labels: &[Label]) -> Vec<(LabelSet, u64)> {
    let others = labels.iter().map(|label| LabelSet::one(label.id));
    let others = others.filter(|set| given.iter().all(|(other, _)| other != set));
    given.iter().cloned().chain(others.map(|set| (set, 0))).collect()
}

/// A button for each choice; sets of choices, and numbers of a long scale, can also be put together or written.
#[component]
pub(super) fn Choices(
    subject: Subject,
    given: Vec<(LabelSet, u64)>,
    own: Option<LabelSet>,
    /// What it is about, apart from all else that comes in its place.
    of: String,
    /// Whether it is for all positions that are selected.
    #[prop(optional)]
    for_all: bool,
) -> impl IntoView {
    let buttons = subject.buttons(&given);
    let next_key = buttons.len();
    let beside = beside(&subject, own.as_ref(), &format!("answer-{of}"), next_key);
    // What is pressed where a field is left by Enter.
    let at_enter = beside
        .as_ref()
        .map(|(value, _)| view! { <button name="choice" value=*value hidden=""></button> });
    let end = if for_all { " for all selected" } else { "" };
    let is_asked = subject.asked.is_some();
    let buttons = buttons
        .into_iter()
        .map(|(set, n, key)| {
            let hint = key.clone().map(|key| view! { <kbd aria-hidden="true">{key}</kbd> });
            let by = (n > 0 && !for_all).then(|| {
                view! { <span class="soft">{display::count(n, "labeler")}</span> }
            });
            let pressed = (own.as_ref() == Some(&set)).then_some("true");
            let verb = match (n > 0, is_asked) {
                (true, _) => "Accept",
                (false, false) => "Give",
                (false, true) => "Answer",
            };
            let means = subject.means(&set);
            let words = means.clone().map(|means| format!(" {means}")).unwrap_or_default();
            let name =
                format!("{verb} {}{words}{end}", naming::category(&set, &subject.categories));
            let means = means.map(|means| view! { <span dir="auto">{means}</span> });
            let (value, labels) = (set.to_string(), Arc::clone(&subject.categories));
            view! {
                <li>
                    <button name="choice" value=value data-key=key aria-label=name aria-current=pressed formnovalidate="">
                        <LabelChips set labels/>{means}{by}{hint}
                    </button>
                </li>
            }
        })
        .collect_view();
    let listed = if is_asked { "Answers" } else { "Labels" };
    view! {
        {at_enter}
        <ul class="plain-list row choices-row" aria-label=listed>{buttons}</ul>
        {beside.map(|(_, view)| view)}
    }
}

/// The boxes of which a set is made, or the field of a number, with the value of the button that decides so.
fn beside(
    subject: &Subject,
    own: Option<&LabelSet>,
    id: &str,
    keys_taken: usize,
) -> Option<(&'static str, AnyView)> {
    let asked = subject.asked.as_deref()?;
    match &asked.answers {
        AnswerKind::One => None,
        AnswerKind::Several => Some(("ticked", boxes(asked, own, id, keys_taken))),
        AnswerKind::Number(scale) if has_keys(scale) => None,
        AnswerKind::Number(scale) => {
            let place = own.and_then(single);
            Some(("written", number_field(scale, place, id, &asked.name)))
        }
    }
}

fn boxes(asked: &Attribute, own: Option<&LabelSet>, id: &str, keys_taken: usize) -> AnyView {
    let offered: LabelSet = asked.offered().iter().map(|choice| choice.id).collect();
    // What was chosen before it was withdrawn can stay.
    let is_there = |id| offered.contains(id) || own.is_some_and(|own| own.contains(id));
    let boxes: Vec<_> = asked
        .categories()
        .into_iter()
        .filter(|choice| is_there(choice.id))
        .enumerate()
        .map(|(place, choice)| {
            let key = (keys_taken + place < DIGITS).then(|| (keys_taken + place + 1).to_string());
            let hint = key.clone().map(|key| view! { <kbd aria-hidden="true">{key}</kbd> });
            let is_chosen = own.is_some_and(|own| own.contains(choice.id));
            let field = format!("made[ticked][{place}]");
            view! {
                <label class="check">
                    <input type="checkbox" name=field value=choice.id.to_string() checked=is_chosen data-key=key/>
                    <span dir="auto">{choice.name}</span>
                    {hint}
                </label>
            }
        })
        .collect();
    view! {
        <fieldset class="row" id=id.to_owned()>
            <legend class="visually-hidden" dir="auto">{asked.name.clone()}</legend>
            {boxes}
            <button name="choice" value="ticked" data-key="d">
                "Decide "<kbd aria-hidden="true">"D"</kbd>
            </button>
        </fieldset>
    }
}

fn number_field(scale: &Scale, own: Option<u16>, id: &str, name: &str) -> AnyView {
    let [least, greatest] = [0, scale.steps].map(|place| scale.text(place).unwrap_or_default());
    let [least_means, greatest_means] = scale.ends.clone();
    let value = own.and_then(|place| scale.text(place));
    let field = format!("{id}-number");
    view! {
        <div class="row" id=id.to_owned()>
            <label for=field.clone() dir="auto">{name.to_owned()}</label>
            <span class="soft" dir="auto">{format!("{least} {least_means}").trim_end().to_owned()}</span>
            <input id=field type="number" name="made[written]" min=least.clone() max=greatest.clone() step=scale.step() value=value/>
            <span class="soft" dir="auto">{format!("{greatest} {greatest_means}").trim_end().to_owned()}</span>
            <button name="choice" value="written" data-key="d">
                "Decide "<kbd aria-hidden="true">"Enter"</kbd>
            </button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use domain::NewLabel;

    use super::*;

    fn labels(names: &[&str]) -> Vec<Label> {
        let label = |(id, name): (i64, &str)| {
            let NewLabel { name, colour, hotkey } = NewLabel::numbered(name, 0);
            Label { id: LabelId(id), name, colour, hotkey }
        };
        (1..).zip(names.iter().copied()).map(label).collect()
    }

    fn one(id: i64) -> LabelSet {
        LabelSet::one(LabelId(id))
    }

    #[test]
    fn what_labelers_gave_comes_before_the_other_labels() {
        let labels = labels(&["L"; 3]);
        let both: LabelSet = [LabelId(1), LabelId(2)].into_iter().collect();
        let given = [(one(3), 2), (both.clone(), 1)];
        assert_eq!(choices(&given, &labels), [(one(3), 2), (both, 1), (one(1), 0), (one(2), 0)]);
    }

    fn of_scale(numbers: [&str; 3]) -> Subject {
        let scale = Scale::typed(numbers, ["none", ""]).unwrap();
        let asked = Attribute {
            id: AttributeId(1),
            label: LabelId(1),
            name: "How much".to_owned(),
            required: false,
            offered: true,
            answers: AnswerKind::Number(scale),
            choices: Vec::new(),
        };
        let categories = asked.categories().into();
        Subject { labels: labels(&["L"]).into(), categories, asked: Some(Arc::new(asked)) }
    }

    #[test]
    fn numbers_of_a_short_scale_stand_in_order_and_digits_are_their_own_keys() {
        let keys = |subject: &Subject, given: &[(LabelSet, u64)]| -> Vec<_> {
            let buttons = subject.buttons(given);
            buttons.into_iter().map(|(set, n, key)| (single(&set).unwrap(), n, key)).collect()
        };
        let key = |digit: &str| Some(digit.to_owned());
        let stars = of_scale(["2", "4", ""]);
        let given = [(one(2), 1)];
        let in_order = [(0, 0, key("2")), (1, 0, key("3")), (2, 1, key("4"))];
        assert_eq!(keys(&stars, &given), in_order);
        assert_eq!(stars.means(&one(0)).as_deref(), Some("none"));
        assert_eq!(stars.means(&one(2)), None);
        let signed = of_scale(["-1", "1", "1"]);
        assert_eq!(keys(&signed, &[]), [(0, 0, None), (1, 0, key("0")), (2, 0, key("1"))]);
        let has_keys = |subject: &Subject| has_keys(subject.scale().unwrap());
        assert!(has_keys(&stars) && !has_keys(&signed), "what has no key is written");
        assert!(!has_keys(&of_scale(["1", "10", ""])));
        let ages = of_scale(["0", "120", ""]);
        assert_eq!(keys(&ages, &[(one(37), 2)]), [(37, 2, key("1"))], "the rest is written");
    }
}
