//! Which mail one wants.

use domain::{MailChoices, MailKind};

use crate::{api::outside::mail::ChooseMail, pages::components::prelude::*};

#[component]
pub(crate) fn MailChoicesPage() -> impl IntoView {
    let choices = load_with(|services, actor| async move {
        services::outside::mail::load_choices(&services, &actor).await
    });
    let is_changed = in_query("changed").is_some();
    view! {
        <PageBody title="E-mail" class="page narrow">
            {is_changed.then(|| view! { <p class="notice good" role="status">"Saved."</p> })}
            <Loaded resource=choices titled=true view=|choices| view! { <Choices choices/> }/>
            <p>
                <a href="/account">"Account"</a>
            </p>
        </PageBody>
    }
}

#[component]
fn Choices(choices: MailChoices) -> impl IntoView {
    let MailChoices { is_on, address, kinds } = choices;
    let (choose, refused) = form_action::<ChooseMail>();
    let off = (!is_on).then(|| view! { <p class="notice">"This server sends no mail."</p> });
    let checks = kinds
        .into_iter()
        .enumerate()
        .map(|(place, (kind, is_wanted))| {
            view! {
                <Check name=format!("kinds[{place}]") value=kind.name() checked=is_wanted>
                    <span>{meaning(kind)}</span>
                </Check>
            }
        })
        .collect_view();
    view! {
        {off}
        <ActionForm action=choose attr:class="card">
            <fieldset>
                <legend>"Mail to " <bdi>{address}</bdi></legend>
                {checks}
            </fieldset>
            <Problem refusal=refused fields=&[]/>
            <button class="primary">"Save"</button>
        </ActionForm>
    }
}

/// When somebody is written to.
const fn meaning(kind: MailKind) -> &'static str {
    match kind {
        MailKind::NewWork => "New documents to label",
        MailKind::WeeklySummary => "Weekly summary of projects you manage",
        MailKind::Alert => "Agreement below a limit in projects you manage",
        MailKind::Invitation | MailKind::PasswordReset => kind.words(),
    }
}
