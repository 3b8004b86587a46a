//! Acts on an account that can be taken back, and what is said when one is done.

use domain::{AccountChange, UserId};
use leptos::{form::ActionForm, prelude::*};

use crate::{api::account::administration::ChangeAccount, view::view};

/// What can be done now.
#[derive(Clone, Copy)]
pub(super) struct Act {
    pub(super) change: AccountChange,
    /// How it stands.
    pub(super) says: &'static str,
    /// What the button says.
    pub(super) verb: &'static str,
}

/// How it stands, and the button that changes it.
#[component]
pub(super) fn EachAct(
    account: UserId,
    act: Act,
    change: ServerAction<ChangeAccount>,
) -> impl IntoView {
    let Act { change: wanted, says, verb } = act;
    let id = format!("act-{}", wanted.name());
    view! {
        <li>
            <ActionForm action=change attr:class="act row spread">
                <input type="hidden" name="account" value=account.to_string()/>
                <input type="hidden" name="change" value=wanted.name()/>
                <span id=id.clone()>{says}</span>
                <button class="small" aria-describedby=id>{verb}</button>
            </ActionForm>
        </li>
    }
}

/// Says once what has been done.
#[component]
pub(super) fn Done(
    /// The note that the act has left.
    note: Option<String>,
) -> impl IntoView {
    let said = note.and_then(|note| note_words(&note));
    view! { <p role="status" class="done">{said}</p> }
}

/// The words for what was done; a note of nothing we do says nothing.
fn note_words(note: &str) -> Option<&'static str> {
    Some(match note {
        "disable" => "The account is disabled.",
        "enable" => "The account is enabled again.",
        "allow-projects" => "The account may create projects.",
        "refuse-projects" => "The account may not create projects any more.",
        "make-administrator" => "The account is an administrator.",
        "make-ordinary" => "The account is no administrator any more.",
        "deleted" => "The account is deleted.",
        "made-anonymous" => "The account is made anonymous.",
        _ => return None,
    })
}
