//! What the link of an invitation leads to: a new account, or a further project for somebody who
//! is signed in. The link that sets a server up leads here, too.

use domain::{Error, InvitationView, SignInWays, User};

use crate::{
    api::account::{AcceptInvitation, JoinByInvitation, load_invitation},
    context::viewer,
    pages::{
        account::sign_in::providers::{ProviderLinks, Purpose},
        components::{form::field::PASSWORD_HINT, prelude::*},
    },
};

/// An invitation and how one signs in, none if it is used up, expired or taken back; and who holds its
/// link.
type Offer = (Option<(InvitationView, SignInWays)>, Option<User>);

#[component]
pub(crate) fn InvitationPage() -> impl IntoView {
    let token: String = in_path("token");
    let offer = load(load_offer(token.clone()));
    view! {
        <Title text="Invitation"/>
        <div class="page narrow">
            <Loaded resource=offer view=move |(invitation, viewer)| match invitation {
                None => view! { <UsedUp/> },
                Some((invitation, ways)) => {
                    view! { <Invited token invitation ways viewer/> }
                }
            }/>
        </div>
    }
}

async fn load_offer(token: String) -> Result<Offer, ApiError> {
    match load_invitation(token).await {
        Ok(invitation) => {
            let (services, _) = request()?;
            let ways = services::account::sign_in_ways(&services);
            Ok((Some((invitation, ways)), viewer()?))
        }
        Err(ApiError::App(Error::NotFound | Error::Denied(_) | Error::Conflict(_))) => {
            Ok((None, None))
        }
        Err(error) => Err(error),
    }
}

#[component]
fn UsedUp() -> impl IntoView {
    view! {
        <h1>"This invitation no longer works"</h1>
        <p>
            "It has been used, revoked or has expired. Ask the sender for a new link."
        </p>
        <p>
            <a class="button" href="/sign-in">"Sign in"</a>
        </p>
    }
}

/// A valid invitation: join as who one is, or create an account.
#[component]
fn Invited(
    token: String,
    invitation: InvitationView,
    ways: SignInWays,
    viewer: Option<User>,
) -> impl IntoView {
    let expires_at = invitation.expires_at;
    let heading = match &invitation.project {
        Some((project, role)) => view! {
            <h1>"Join " <bdi>{project.clone()}</bdi></h1>
            <p>"You are invited to this project as a " <strong>{role.name()}</strong> "."</p>
        },
        None => view! {
            <h1>"Set up this server"</h1>
            <p>
                "Create the first account: the manager who creates projects and invites everyone else."
            </p>
        },
    };
    let way_in = match viewer {
        Some(user) if invitation.project.is_some() => view! { <Join token user/> },
        _ => {
            let purpose = Purpose::Accept(token.clone());
            let providers = view! {
                <ProviderLinks providers=ways.providers purpose verb="Continue with"/>
            };
            let form = ways.passwords.then(|| {
                view! { <NewAccountForm token=token.clone() email=invitation.email/> }
            });
            view! {
                {providers}
                {form}
            }
        }
    };
    view! {
        {heading}
        {way_in}
        <p class="soft">"The link works once and expires "<Moment at=expires_at/>"."</p>
    }
}

/// Joins as the person who is signed in.
#[component]
fn Join(token: String, user: User) -> impl IntoView {
    let join = ServerAction::<JoinByInvitation>::new();
    view! {
        <ActionForm action=join attr:class="card">
            <input type="hidden" name="token" value=token/>
            <p>"You are signed in as " <strong dir="auto">{user.name.clone()}</strong> "."</p>
            <Problem refusal=refusal(join.into())/>
            <button class="primary">"Join as " <bdi>{user.name}</bdi></button>
            <p class="soft">"Not you? Sign out, then open the link again."</p>
        </ActionForm>
    }
}

/// Creates an account.
#[component]
fn NewAccountForm(token: String, email: Option<String>) -> impl IntoView {
    let (accept, refused) = form_action::<AcceptInvitation>();
    view! {
        <ActionForm action=accept attr:class="card">
            <input type="hidden" name="token" value=token/>
            <Field
                form="account"
                name="email"
                label="E-mail address"
                hint="Used to sign in. No mail is sent to it."
                kind="email"
                autocomplete="username"
                initial=email.unwrap_or_default()
                refusal=refused.clone()
            />
            <Field
                form="account"
                name="name"
                label="Name"
                hint="Shown to the managers of your projects."
                autocomplete="name"
                longest=100
                refusal=refused.clone()
            />
            <Field
                form="account"
                name="password"
                label="Password"
                hint=PASSWORD_HINT
                kind="password"
                autocomplete="new-password"
                refusal=refused.clone()
            />
            <Problem refusal=refused fields=&["email", "name", "password"]/>
            <button class="primary">"Create account"</button>
            <p class="soft">
                "Already have an account? " <a href="/sign-in">"Sign in"</a>
                ", then open the link again."
            </p>
        </ActionForm>
    }
}
