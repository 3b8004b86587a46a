//! Signing in with a passkey. Whatever is wrong, the same is said, after the same time: that nobody
//! knows the key, that its owner may not sign in, or that the answer is another's.

use std::sync::Arc;

use domain::{Code, Error as Refusal, PasskeyRequest, User};
use store::account::passkeys::Passkey;
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication64, DiscoverableAuthenticationServerState,
    DiscoverableCredentialRequestOptions,
    bin::{Decode, Encode},
    request::{auth::AuthenticationVerificationOptions, register::UserHandle64},
    response::{
        auth::error::AuthCeremonyErr,
        register::{CompressedPubKey, DynamicState, StaticState},
    },
};

use super::{
    super::{
        NewSession, hold, second_factor,
        sign_in::{
            ANSWER_AFTER,
            client::Client,
            device,
            failures::Try,
            provider::refuse_passwords,
            refused::{self, Why},
        },
    },
    RelyingParty,
    adding::no_name,
    ceremony::{self, Wanted},
    read, read_all, written,
};
use crate::{Error, Result, Services};

/// A stored public key, which owns its bytes.
type Key = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;

/// Asks a browser for any passkey that it has for this site.
pub async fn begin_passkey_sign_in(
    services: &Arc<Services>,
    party: Option<&RelyingParty>,
) -> Result<PasskeyRequest> {
    let party = party.ok_or_else(no_name)?;
    let begun = DiscoverableCredentialRequestOptions::passkey(&party.id);
    let (question, options) = begun.start_ceremony().map_err(Error::broken)?;
    let options = serde_json::to_value(&options).map_err(Error::broken)?;
    ceremony::ask(services, Wanted::SignIn, &question, &options)
}

/// Starts a session for whoever has the passkey; `answer` is what the browser says, as JSON.
pub async fn sign_in_with_passkey(
    services: &Arc<Services>,
    client: &Client,
    party: Option<&RelyingParty>,
    state: &str,
    answer: &str,
) -> Result<NewSession> {
    let started = tokio::time::Instant::now();
    refuse_passwords(services)?;
    let party = party.ok_or_else(no_name)?;
    let (question, challenge) = ceremony::open(services, Wanted::SignIn, state)?.spent();
    let answer = DiscoverableAuthentication64::from_json_relaxed(answer.as_bytes())
        .map_err(|_| Code::Malformed.of("answer", "the browser's answer cannot be read"))?;
    let now = services.clock.now();
    let known = find(services, &written(answer.raw_id())).await?;
    let whose = known.as_ref().map(|known| known.owner.id);
    let tried = count(services, client, known.as_ref(), &answer).await?;
    let refuse = async |why| {
        refused::count(services, whose, why, client.network());
        tokio::time::sleep_until(started + ANSWER_AFTER).await;
        Err(wrong().into())
    };
    let checked = match &known {
        Some(known) => check(party, question, &answer, &known.passkey)?,
        None => Err(Why::Passkey),
    };
    let (known, changed) = match (known, checked) {
        (Some(known), Ok(changed)) if known.is_open => (known, changed),
        (_, Err(why)) => return refuse(why).await,
        (..) => return refuse(Why::Passkey).await,
    };
    services.failures.forgive(&tried);
    let tx = services.store.begin().await?;
    hold(&tx, known.owner.id).await?;
    challenge.use_up(&tx).await?;
    if !store::account::passkeys::note_use(&tx, &known.passkey, &changed, now).await? {
        drop(tx);
        return refuse(Why::Passkey).await;
    }
    services.failures.forget(&tried.subject);
    store::account::sign_in_failures::delete(&tx, &tried.subject).await?;
    let session = second_factor::enter(services, &tx, client, &known.owner, now).await?;
    tx.commit().await?;
    Ok(session)
}

/// A passkey and whose it is.
struct Known {
    passkey: Passkey,
    owner: User,
    /// Whether they may sign in.
    is_open: bool,
}

async fn find(services: &Services, credential_id: &str) -> Result<Option<Known>> {
    let Some(passkey) = store::account::passkeys::find(&services.store, credential_id).await?
    else {
        return Ok(None);
    };
    let owner = store::account::users::find_credentials(&services.store, passkey.user).await?;
    Ok(owner.map(|owner| Known { passkey, is_open: !owner.is_disabled, owner: owner.user }))
}

/// Counts the try before it is made, as those of passwords are.
async fn count(
    services: &Services,
    client: &Client,
    known: Option<&Known>,
    answer: &DiscoverableAuthentication64,
) -> Result<Try> {
    let email = known.map(|known| known.owner.email.as_str());
    let device = match email {
        Some(email) => device::known(services, client, email).await?.map(|it| (email, it)),
        None => None,
    };
    let tried = match device {
        Some((email, device)) => Try::in_browser(email, &device),
        None => Try::with_passkey(&written(answer.raw_id()), client),
    };
    let stored = store::account::sign_in_failures::find(&services.store, &tried.subject).await?;
    let now = services.clock.now();
    if let Err((refusal, why)) = services.failures.count(&tried, stored, now) {
        let whose = known.map(|known| known.owner.id);
        refused::count(services, whose, why, client.network());
        return Err(refusal.into());
    }
    Ok(tried)
}

/// Whether an answer is the passkey's own. What the passkey has changed to, if it is.
fn check(
    party: &RelyingParty,
    question: DiscoverableAuthenticationServerState,
    answer: &DiscoverableAuthentication64,
    passkey: &Passkey,
) -> Result<Result<String, Why>> {
    let handle = UserHandle64::decode(read(&passkey.user_handle)?).map_err(Error::broken)?;
    let fixed = read_all(&passkey.static_state)?;
    let fixed = StaticState::<Key>::decode(fixed.as_slice()).map_err(Error::broken)?;
    let dynamic = DynamicState::decode(read(&passkey.dynamic_state)?).map_err(Error::broken)?;
    let mut known = AuthenticatedCredential::new(answer.raw_id(), &handle, fixed, dynamic)
        .map_err(Error::broken)?;
    let origins = [party.origin.as_str()];
    let options = AuthenticationVerificationOptions::<&str, &str> {
        allowed_origins: &origins,
        error_on_unsolicited_extensions: false,
        ..Default::default()
    };
    Ok(match question.verify(&party.id, answer, &mut known, &options) {
        Ok(_) => {
            let Ok(changed) = known.dynamic_state().encode();
            Ok(written(changed))
        }
        // Another device has used a copy of the key.
        Err(AuthCeremonyErr::SignatureCounter) => Err(Why::Counter),
        Err(why) => {
            tracing::info!(%why, "a passkey was refused");
            Err(Why::Passkey)
        }
    })
}

fn wrong() -> Refusal {
    Code::UnknownPasskey.because("no account here has this passkey")
}
