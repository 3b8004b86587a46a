//! The sign-ins at providers that open one's account.

use domain::{OwnIdentity, ProviderView};

use super::providers::{ProviderLinks, Purpose};
use crate::{api::account::identities::UnlinkIdentity, pages::components::prelude::*};

/// One's identities, and links that add one.
#[component]
pub(crate) fn Identities(
    identities: Vec<OwnIdentity>,
    providers: Vec<ProviderView>,
) -> impl IntoView {
    let (unlink, refused) = form_action::<UnlinkIdentity>();
    let is_empty = identities.is_empty() && providers.is_empty();
    let rows: Vec<_> = identities.into_iter().map(|identity| row(identity, unlink)).collect();
    let table = (!rows.is_empty()).then(|| {
        view! {
            <Table labelled_by="identities-title" class="rows">
                {heads([
                    Text("Provider"), Text("Known as"), Text("Linked"), Text("Last used"),
                    Hidden("Actions"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    });
    (!is_empty).then(|| {
        view! {
            <Section title_id="identities-title" title="Linked sign-ins" class="card stack">
                <Problem refusal=refused/>
                {table}
                <ProviderLinks providers purpose=Purpose::Link verb="Link"/>
            </Section>
        }
    })
}

fn row(identity: OwnIdentity, unlink: ServerAction<UnlinkIdentity>) -> AnyView {
    let OwnIdentity { id, provider, label, created_at, last_used_at } = identity;
    let verb = format!("Unlink {provider}, {label}");
    let used = match last_used_at {
        Some(at) => view! { <Moment at/> },
        None => "never".into_any(),
    };
    view! {
        <tr>
            <th scope="row" dir="auto">{provider}</th>
            <td data-head="Known as"><bdi>{label}</bdi></td>
            <td class="time" data-head="Linked"><Moment at=created_at/></td>
            <td class="time" data-head="Last used">{used}</td>
            <td class="tools">
                <ActionForm action=unlink>
                    {hidden_fields([("id", &id)])}
                    <button class="danger" aria-label=verb>"Unlink"</button>
                </ActionForm>
            </td>
        </tr>
    }
}
