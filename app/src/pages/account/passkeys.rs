//! One's passkeys: which there are, the form that makes one, and those that remove them. `passkey.js`
//! asks the browser for it.

use domain::OwnPasskey;
use leptos::nonce::use_nonce;

use crate::{
    api::account::passkeys::{AddPasskey as AddPasskeyAction, RemovePasskey},
    context::relying_party,
    pages::components::{form::present::Present, prelude::*},
};

/// One's passkeys.
#[component]
pub(super) fn Passkeys(
    passkeys: Vec<OwnPasskey>,
    email: String,
    has_password: bool,
) -> impl IntoView {
    let (remove, refused) = form_action::<RemovePasskey>();
    let rows: Vec<_> = passkeys
        .into_iter()
        .map(|passkey| row(passkey, remove, refused.clone(), has_password))
        .collect();
    let table = (!rows.is_empty()).then(|| {
        view! {
            <Table labelled_by="passkeys-title" class="rows passkeys">
                {heads([Text("Name"), Text("Added"), Text("Last used"), Hidden("Actions")])}
                <tbody>{rows}</tbody>
            </Table>
        }
    });
    let add = if relying_party().is_some() {
        view! { <AddPasskey email asks=has_password/> }
    } else {
        view! { <NoPasskeys/> }
    };
    view! {
        <section class="card stack" aria-labelledby="passkeys-title">
            <h3 id="passkeys-title">"Passkeys"</h3>
            <p class="soft">
                "Sign in without a password: with this device, your phone or a security key."
            </p>
            {table}
            {add}
        </section>
    }
}

fn row(
    passkey: OwnPasskey,
    remove: ServerAction<RemovePasskey>,
    refusal: Refusal,
    has_password: bool,
) -> AnyView {
    let OwnPasskey { id, name, created_at, last_used_at } = passkey;
    let verb = format!("Remove the passkey {name}");
    let used = match last_used_at {
        Some(at) => view! { <Moment at/> },
        None => "never".into_any(),
    };
    view! {
        <tr>
            <th scope="row" dir="auto">{name}</th>
            <td class="time" data-head="Added"><Moment at=created_at/></td>
            <td class="time" data-head="Last used">{used}</td>
            <td class="tools">
                <details>
                    <summary aria-label=verb>"Remove"</summary>
                    <ActionForm action=remove attr:class="stack">
                        <input type="hidden" name="id" value=id.to_string()/>
                        <Present form=format!("remove-passkey-{id}") refusal has_password/>
                        <div class="actions">
                            <button class="danger">"Remove this passkey"</button>
                        </div>
                    </ActionForm>
                </details>
            </td>
        </tr>
    }
}

/// Says why there are none.
#[component]
fn NoPasskeys() -> impl IntoView {
    view! { <p class="soft">"Passkeys need https and a host name."</p> }
}

/// The form that makes a passkey; without a script there is none.
#[component]
pub(crate) fn AddPasskey(
    email: String,
    /// Whether the password is asked for: not of whoever has just typed it to sign in, or has none.
    #[prop(default = true)]
    asks: bool,
) -> impl IntoView {
    let (add, refused) = form_action::<AddPasskeyAction>();
    let present = asks.then(|| {
        view! {
            <Field
                form="passkey"
                name="present"
                label="Current password"
                kind="password"
                autocomplete="current-password"
                refusal=refused.clone()
            />
        }
    });
    view! {
        <script type="module" src="/passkey.js" nonce=use_nonce()></script>
        <p class="soft" data-without="">"This browser does not support passkeys."</p>
        <ActionForm
            action=add
            attr:class="stack"
            attr:hidden="hidden"
            attr:data-passkey="/fn/accounts/begin_passkey"
        >
            <input type="text" hidden autocomplete="username" value=email/>
            <Field
                form="passkey"
                name="name"
                label="Name"
                hint="For example “My phone”."
                required=false
                longest=100
                refusal=refused.clone()
            />
            {present}
            <input type="hidden" name="state"/>
            <input type="hidden" name="answer"/>
            <Problem refusal=refused fields=&["name"]/>
            <div class="field"><p class="error" role="alert" data-said=""></p></div>
            <div class="actions">
                <button class="primary">"Add a passkey"</button>
            </div>
        </ActionForm>
    }
}
