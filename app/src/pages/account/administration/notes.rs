//! Acts on an account that can be taken back, and what is said when one is done.

use domain::{AccountChange, UserId};

use crate::{api::account::administration::ChangeAccount, pages::components::prelude::*};

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
                {hidden_fields([("account", &account), ("change", &wanted.name())])}
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
        "disable" => "Account disabled.",
        "enable" => "Account enabled.",
        "allow-projects" => "Account may create projects.",
        "refuse-projects" => "Account may no longer create projects.",
        "make-administrator" => "Account is an administrator.",
        "make-ordinary" => "Account is no longer an administrator.",
        "deleted" => "Account deleted.",
        "made-anonymous" => "Account made anonymous.",
        _ => return None,
    })
}
