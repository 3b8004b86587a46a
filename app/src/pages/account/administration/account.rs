//! One account: who it belongs to, what its owner may do, and the ways to change that.

use domain::{Account, AccountChange, AccountView, Error, UserId};

use super::{
    data::OwnData,
    notes::{Act, Done, EachAct},
    password::Password,
};
use crate::{
    api::account::administration::{ChangeAccount, RemoveAccount},
    context::{SiteAddress, extension, take_note_at},
    pages::components::prelude::*,
};

/// Everything on the page.
#[derive(Clone)]
struct Kept {
    view: AccountView,
    /// What has just been done.
    note: Option<String>,
    /// The link to a new password that has just been made.
    link: Option<String>,
}

#[component]
pub(crate) fn KeptAccountPage() -> impl IntoView {
    let account = load(load_account(in_path("account")));
    view! {
        <Title text="Account"/>
        <div class="page narrow">
            <p><a href="/admin">"← Accounts"</a></p>
            <Loaded resource=account view=|Kept { view, note, link }| {
                let is_own = view.is_own;
                let account = view.account.clone();
                let account_id = account.id;
                // Nobody signs in with a disabled account, whatever the password.
                let password = (!is_own && account.disabled_at.is_none())
                    .then(|| view! { <Password account=account.id link/> });
                view! {
                    <h1><bdi>{account.name.clone()}</bdi></h1>
                    <Done note/>
                    <Facts account=account.clone()/>
                    <Acts account is_own/>
                    {password}
                    <OwnData href=format!("/admin/accounts/{account_id}/data") says="Everything stored about this person, for a data-protection request. The download is noted in the audit trail."/>
                    {(!is_own).then(|| view! { <Remove view/> })}
                }
            }/>
        </div>
    }
}

async fn load_account(id: UserId) -> Result<Kept, ApiError> {
    let (services, actor) = request()?;
    let SiteAddress(site) = extension()?;
    let view = services::account::administration::load_account(&services, &actor, id).await;
    let view = answer(view)?;
    let note = take_note_at(&format!("/admin/accounts/{id}"));
    let token = note.as_deref().and_then(|note| note.strip_prefix("link-"));
    let link = token.map(|token| format!("{site}/reset/{token}"));
    Ok(Kept { view, note, link })
}

#[component]
fn Facts(account: Account) -> impl IntoView {
    let Account { email, created_at, last_seen_on, projects, disabled_at, .. } = account;
    let seen = last_seen_on.map_or_else(|| "never".to_owned(), |day| day.to_string());
    let state = match disabled_at {
        Some(since) => view! { "disabled since "<Moment at=since/> },
        None => "enabled".into_any(),
    };
    view! {
        <section class="card" aria-label="Account">
            <dl class="kept-facts">
                <dt>"E-mail address"</dt>
                <dd><bdi>{email}</bdi></dd>
                <dt>"State"</dt>
                <dd>{state}</dd>
                <dt>"Created"</dt>
                <dd><Moment at=created_at/></dd>
                <dt>"Last seen"</dt>
                <dd>{seen}</dd>
                <dt>"Projects"</dt>
                <dd>{display::thousands(projects)}</dd>
            </dl>
        </section>
    }
}

/// What can be changed and taken back again.
#[component]
fn Acts(account: Account, is_own: bool) -> impl IntoView {
    let change = ServerAction::<ChangeAccount>::new();
    let acts = [
        Some(if account.may_create_projects {
            Act {
                change: AccountChange::RefuseProjects,
                says: "May create projects",
                verb: "Withdraw",
            }
        } else {
            Act {
                change: AccountChange::AllowProjects,
                says: "May not create projects",
                verb: "Allow",
            }
        }),
        (!is_own).then_some(if account.is_administrator {
            Act { change: AccountChange::MakeOrdinary, says: "Administrator", verb: "Withdraw" }
        } else {
            Act {
                change: AccountChange::MakeAdministrator,
                says: "Not an administrator",
                verb: "Make administrator",
            }
        }),
        (!is_own).then_some(if account.disabled_at.is_some() {
            Act {
                change: AccountChange::Enable,
                says: "Disabled: cannot sign in, tokens blocked",
                verb: "Enable",
            }
        } else {
            Act {
                change: AccountChange::Disable,
                says: "Enabled (disabling ends sessions and blocks tokens)",
                verb: "Disable",
            }
        }),
        (!is_own && account.has_second_factor).then_some(Act {
            change: AccountChange::RemoveSecondFactors,
            says: "Second factor on (without it, the password is enough)",
            verb: "Remove second factor",
        }),
    ];
    let acts = acts.into_iter().flatten().map(move |act| {
        view! { <EachAct account=account.id act change/> }
    });
    let own = is_own.then(|| {
        view! { <p class="soft">"Only another administrator can disable or remove your account."</p> }
    });
    view! {
        <Section title_id="acts-title" title="Rights" class="card">
            <Problem refusal=refusal(change.into())/>
            <ul class="plain-list acts">{acts.collect_view()}</ul>
            {own}
        </Section>
    }
}

/// Removes the account for good, after a question.
#[component]
fn Remove(view: AccountView) -> impl IntoView {
    let AccountView { account, has_worked, manages_alone, .. } = view;
    let (remove, refused) = form_action::<RemoveAccount>();
    let (typed, open) =
        (refused.clone(), matches!(refused, Some(ApiError::App(Error::Invalid { .. }))));
    let dialog = "remove-account".to_owned();
    let (verb, title, means) = if has_worked {
        (
            "Make anonymous",
            "Make this account anonymous?",
            "Erases name, address, sign-ins, mail and memberships. Work in projects stays, as that of a former member.",
        )
    } else {
        ("Delete", "Delete this account?", "It was never in a project, so nothing remains.")
    };
    let inside = if manages_alone.is_empty() {
        view! {
            <div>
                <OpenDialog dialog=dialog.clone() class="danger">{verb}" …"</OpenDialog>
            </div>
            <PlainDialog id=dialog.clone() title open>
                <p><strong><bdi>{account.name}</bdi></strong><br/><bdi>{account.email}</bdi></p>
                <p>{means}" This cannot be undone."</p>
                <ActionForm action=remove attr:class="stack">
                    <input type="hidden" name="account" value=account.id.to_string()/>
                    <Field form="remove-account" name="email" label="Type the e-mail address" autocomplete="off" refusal=typed/>
                    <div class="row dialog-actions">
                        <CloseDialog dialog/>
                        <button class="danger">{verb}</button>
                    </div>
                </ActionForm>
            </PlainDialog>
        }
        .into_any()
    } else {
        let names = manages_alone.into_iter().map(|name| view! { <li dir="auto">{name}</li> });
        view! {
            <p>"No other manager in these projects. Invite one, or archive or delete them first:"</p>
            <ul>{names.collect_view()}</ul>
        }
        .into_any()
    };
    view! {
        <Section title_id="remove-title" title="Remove" class="card">
            <p>{means}</p>
            <Problem refusal=refused fields=&["email"]/>
            {inside}
        </Section>
    }
}
