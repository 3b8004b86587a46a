//! Fields of forms with their hints and problems. The browser keeps what is typed until the form
//! is sent.

use std::fmt::Display;

use domain::Error;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{ApiError, view::view};

/// What the last try said is wrong, if anything.
pub(crate) type Refusal = Option<ApiError>;

/// What an action's last answer said is wrong.
pub(crate) fn refusal<I, O>(action: Action<I, Result<O, ApiError>>) -> Refusal
where
    I: Send + Sync + 'static,
    O: Clone + Send + Sync + 'static,
{
    action.value().get_untracked().and_then(Result::err)
}

/// The action of a form, and what its last answer said is wrong.
pub(crate) fn form_action<F>() -> (ServerAction<F>, Refusal)
where
    F: ServerFn<Error = ApiError> + Clone + Send + Sync + 'static,
    F::Output: Clone + Send + Sync + 'static,
{
    let action = ServerAction::<F>::new();
    (action, refusal(action.into()))
}

/// What a form sends beside what is typed: names and values.
pub(crate) fn hidden_fields<const N: usize>(fields: [(&'static str, &dyn Display); N]) -> AnyView {
    let field = |(name, value): (&'static str, &dyn Display)| {
        view! { <input type="hidden" name=name value=value.to_string()/> }
    };
    fields.map(field).into_any()
}

/// What is wrong with this field.
fn problem_of(error: Option<&ApiError>, name: &str) -> Option<String> {
    match error {
        Some(ApiError::App(Error::Invalid { field, problem })) if field == name => {
            Some(sentence(problem))
        }
        _ => None,
    }
}

/// A labelled line of text.
#[component]
pub(crate) fn Field(
    /// The form that the field stands in: makes the field's id unique on the page.
    #[prop(into)]
    form: String,
    /// What the field is called when it is sent, and in the server's refusals.
    #[prop(into)]
    name: String,
    label: &'static str,
    #[prop(optional)] hint: Option<&'static str>,
    #[prop(default = "text")] kind: &'static str,
    #[prop(optional)] autocomplete: Option<&'static str>,
    /// What holds while nothing is typed, so that the field need not say that it is optional.
    #[prop(optional)]
    placeholder: Option<&'static str>,
    #[prop(optional, into)] initial: Option<String>,
    #[prop(default = true)] required: bool,
    /// The most characters that may be typed.
    #[prop(optional)]
    longest: Option<u16>,
    refusal: Refusal,
) -> impl IntoView {
    let id = format!("{form}-{name}");
    let hint_id = format!("{id}-hint");
    let problem_id = format!("{id}-problem");
    let described_by = match hint {
        Some(_) => format!("{hint_id} {problem_id}"),
        None => problem_id.clone(),
    };
    let problem = problem_of(refusal.as_ref(), &name);
    view! {
        <div class="field">
            <label for=id.clone()>{label} {(!required && placeholder.is_none()).then_some(" (optional)")}</label>
            <input
                id=id
                name=name
                type=kind
                autocomplete=autocomplete
                placeholder=placeholder
                value=initial
                required=required
                maxlength=longest.map(|n| n.to_string())
                dir="auto"
                aria-describedby=described_by
                aria-invalid=problem.is_some().then_some("true")
            />
            {hint.map(|hint| view! { <p class="hint" id=hint_id>{hint}</p> })}
            <p class="error" id=problem_id role="alert">{problem}</p>
        </div>
    }
}

/// Says what a new password has to be.
pub(crate) const PASSWORD_HINT: &str =
    "At least 10 characters, hard to guess: a few random words work well.";

const _: () = assert!(domain::PASSWORD_MIN == 10, "the hint says how long a password has to be");

/// Something to check, with its words beside it.
#[component]
pub(crate) fn Check(
    #[prop(default = "checkbox")] kind: &'static str,
    #[prop(into)] name: String,
    /// What is sent; "on" without.
    #[prop(optional, into)]
    value: Option<String>,
    #[prop(optional)] checked: bool,
    children: Children,
) -> impl IntoView {
    view! {
        <label class="check">
            <input type=kind name=name value=value checked=checked/>
            {children()}
        </label>
    }
}

/// A labelled choice; of each option its value, its words, and whether it is chosen.
pub(crate) fn select_field(
    id: String,
    name: &'static str,
    label: &'static str,
    options: impl IntoIterator<Item = (String, String, bool)>,
) -> AnyView {
    let options = options.into_iter().map(|(value, words, selected)| {
        view! { <option value=value selected=selected>{words}</option> }
    });
    view! {
        <div class="field">
            <label for=id.clone()>{label}</label>
            <select id=id name=name>{options.collect_view()}</select>
        </div>
    }
}

/// What is wrong with something else than the fields named, which say it themselves.
#[component]
pub(crate) fn Problem(
    refusal: Refusal,
    /// The names of the fields that show their own problems.
    #[prop(optional)]
    fields: &'static [&'static str],
) -> impl IntoView {
    let text = match refusal {
        Some(ApiError::App(Error::Invalid { field, .. })) if fields.contains(&field.as_str()) => {
            None
        }
        refusal => refusal.map(|error| error.to_string()),
    };
    view! {
        <div class="problem" role="alert">
            {text.map(|text| view! { <p class="notice danger">{sentence(&text)}</p> })}
        </div>
    }
}

/// The text as a sentence of its own: with a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return String::new() };
    let mut sentence: String = first.to_uppercase().collect();
    sentence.push_str(characters.as_str());
    if !sentence.ends_with(['.', '!', '?']) {
        sentence.push('.');
    }
    sentence
}

#[cfg(test)]
mod tests {
    use domain::Code;

    use super::*;

    #[test]
    fn a_problem_belongs_to_the_field_it_names() {
        let error = ApiError::App(Code::Invalid.of("email", "no such address"));
        assert_eq!(problem_of(Some(&error), "email").as_deref(), Some("No such address."));
        assert_eq!(problem_of(Some(&error), "name"), None);
        assert_eq!(problem_of(None, "email"), None);
    }

    #[test]
    fn a_problem_reads_as_a_sentence() {
        assert_eq!(sentence("please sign in"), "Please sign in.");
        assert_eq!(sentence("Why?"), "Why?");
        assert_eq!(sentence(""), "");
    }
}
