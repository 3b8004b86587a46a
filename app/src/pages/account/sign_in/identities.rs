//! The sign-ins at providers that open one's account.

use domain::{OwnIdentity, OwnSignIns, ProviderView};

use super::providers::{ProviderLinks, Purpose};
use crate::{api::account::identities::UnlinkIdentity, pages::components::prelude::*};

/// One's identities, and links that add one.
#[component]
pub(crate) fn Identities(sign_ins: OwnSignIns, has_password: bool) -> impl IntoView {
    let OwnSignIns { identities, ways, is_fresh } = sign_ins;
    let (unlink, refused) = form_action::<UnlinkIdentity>();
    let is_empty = identities.is_empty() && ways.providers.is_empty();
    let unlink = is_fresh.then_some(unlink);
    let is_own =
        |provider: &&ProviderView| identities.iter().any(|own| own.provider == provider.title);
    let again: Vec<_> = ways.providers.iter().filter(is_own).cloned().collect();
    let rows: Vec<_> = identities.into_iter().map(|identity| row(identity, unlink)).collect();
    let table = (!rows.is_empty()).then(|| {
        view! {
            <Table labelled_by="identities-title" class="rows blocks">
                {heads([
                    Text("Provider"), Text("Known as"), Text("Linked"), Text("Last used"),
                    Hidden("Actions"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    });
    let changes = if is_fresh {
        view! { <ProviderLinks providers=ways.providers purpose=Purpose::Link verb="Link"/> }
            .into_any()
    } else {
        let by_password = (ways.passwords && has_password).then(|| {
            view! { <p><a class="button" href="/sign-in?back=/account">"Sign in again"</a></p> }
        });
        view! {
            <p class="soft">"To change these, prove that it’s you."</p>
            <ProviderLinks providers=again purpose=Purpose::Again verb="Sign in again with"/>
            {by_password}
        }
        .into_any()
    };
    (!is_empty).then(|| {
        view! {
            <Section title_id="identities-title" title="Linked sign-ins" class="card stack">
                <Problem refusal=refused/>
                {table}
                {changes}
            </Section>
        }
    })
}

/// One of them; it can be unlinked if there is an action that does it.
fn row(identity: OwnIdentity, unlink: Option<ServerAction<UnlinkIdentity>>) -> AnyView {
    let OwnIdentity { id, provider, label, created_at, last_used_at } = identity;
    let verb = format!("Unlink {provider}, {label}");
    let used = match last_used_at {
        Some(at) => view! { <Moment at/> },
        None => "never".into_any(),
    };
    let unlink = unlink.map(|action| {
        view! {
            <ActionForm action>
                {hidden_fields([("id", &id)])}
                <button class="danger" aria-label=verb>"Unlink"</button>
            </ActionForm>
        }
    });
    view! {
        <tr>
            <th scope="row" dir="auto">{provider}</th>
            <td data-head="Known as"><bdi>{label}</bdi></td>
            <td class="time" data-head="Linked"><Moment at=created_at/></td>
            <td class="time" data-head="Last used">{used}</td>
            <td class="tools">{unlink}</td>
        </tr>
    }
}
