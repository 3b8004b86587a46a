//! Making a passkey: the password is asked for first, so that nobody makes one at a browser that was
//! left open.

use std::sync::Arc;

use domain::{
    Actor, AuditEvent, Code, Error as Refusal, MOST_PASSKEYS, PasskeyRequest, User,
    checked_passkey_name,
};
use serde_json::json;
use store::account::passkeys::{NewPasskey, Passkey};
use webauthn_rp::{
    PublicKeyCredentialCreationOptions, Registration, RegistrationServerState,
    bin::{Decode, Encode},
    request::{
        ExtensionInfo, PublicKeyCredentialDescriptor,
        register::{
            CredProtect, PublicKeyCredentialUserEntity, RegistrationVerificationOptions,
            USER_HANDLE_MAX_LEN, UserHandle64,
        },
    },
    response::{AuthTransports, CredentialId},
};

use super::{
    super::{SetUp, audit, hold, second_factor, sign_in::client::Client},
    RelyingParty,
    ceremony::{self, Wanted},
    read, read_all, written,
};
use crate::{Error, Result, Services};

/// Asks the browser of whoever is asking to make a passkey, by their password. Whoever is in the
/// middle of signing in has just typed it.
pub async fn begin_passkey(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    party: Option<&RelyingParty>,
    present: String,
) -> Result<PasskeyRequest> {
    let party = party.ok_or_else(no_name)?;
    let enrolling = second_factor::proven(services, actor, client, present).await?;
    let user = enrolling.user();
    let known = store::account::passkeys::list_of_user(&services.store, user.id).await?;
    refuse_too_many(known.len())?;
    ask(services, user, party, &known)
}

fn ask(
    services: &Services,
    user: &User,
    party: &RelyingParty,
    known: &[Passkey],
) -> Result<PasskeyRequest> {
    let handle = match known.first() {
        Some(passkey) => {
            UserHandle64::decode(read(&passkey.user_handle)?).map_err(Error::broken)?
        }
        None => UserHandle64::new(),
    };
    // No device makes a second one for the same person.
    let known = known.iter().map(|passkey| {
        let id = read_all(&passkey.credential_id)?;
        let id = CredentialId::<Vec<u8>>::decode(id).map_err(Error::broken)?;
        let transports = AuthTransports::decode(0).map_err(Error::broken)?;
        Ok(PublicKeyCredentialDescriptor { id, transports })
    });
    let known = known.collect::<Result<_>>()?;
    let entity = PublicKeyCredentialUserEntity::from(&handle);
    let mut begun = PublicKeyCredentialCreationOptions::passkey(&party.id, entity, known);
    // Most devices know no such rule, and are refused by browsers where it is a must.
    begun.extensions.cred_protect =
        CredProtect::UserVerificationRequired(ExtensionInfo::AllowDontEnforceValue);
    let (question, options) = begun.start_ceremony().map_err(Error::broken)?;
    let mut options = serde_json::to_value(&options).map_err(Error::broken)?;
    // The library's own types of names refuse some that are allowed here.
    for (part, name, words) in [
        ("rp", "name", "Concord"),
        ("user", "name", user.email.as_str()),
        ("user", "displayName", user.name.as_str()),
    ] {
        if let Some(place) = options.get_mut(part).and_then(|part| part.get_mut(name)) {
            *place = json!(words);
        }
    }
    ceremony::ask(services, Wanted::PasskeyOf(user.id), &question, &options)
}

/// What a browser has made, and brings back.
#[derive(Clone, Debug)]
pub struct MadePasskey {
    /// What its owner calls it; empty for the kind of browser.
    pub name: String,
    /// What the question came with.
    pub state: String,
    /// What the browser says of it, as JSON.
    pub answer: String,
}

/// Stores the passkey that the browser has made.
pub async fn add_passkey(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    party: Option<&RelyingParty>,
    made: MadePasskey,
) -> Result<SetUp> {
    let enrolling = second_factor::enrolling(services, actor, client).await?;
    let user = enrolling.user();
    let party = party.ok_or_else(no_name)?;
    let name = checked_passkey_name(&made.name, &client.device_name())?;
    let wanted = Wanted::PasskeyOf(user.id);
    let (question, challenge) = ceremony::open(services, wanted, &made.state)?.spent();
    let new = check(user, party, name, question, &made.answer)?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    hold(&tx, user.id).await?;
    challenge.use_up(&tx).await?;
    refuse_too_many(store::account::passkeys::list_of_user(&tx, user.id).await?.len())?;
    match store::account::passkeys::create(&tx, new, now).await {
        Err(store::Error::Duplicate(_)) => {
            let why = "this passkey is already added";
            return Err(Code::Taken.of("answer", why).into());
        }
        created => created?,
    };
    audit(&tx, Some(user.id), now, AuditEvent::AddPasskey, user.id).await?;
    let set_up = second_factor::finish(services, &tx, client, &enrolling, now).await?;
    tx.commit().await?;
    Ok(set_up)
}

fn check(
    user: &User,
    party: &RelyingParty,
    name: String,
    question: RegistrationServerState<USER_HANDLE_MAX_LEN>,
    answer: &str,
) -> Result<NewPasskey> {
    let unfit = |why: &dyn std::fmt::Display| {
        tracing::info!(%why, "a new passkey was refused");
        Code::Unsuitable.of("answer", "this passkey does not work here; try another")
    };
    let answer = Registration::from_json_relaxed(answer.as_bytes()).map_err(|why| unfit(&why))?;
    let origins = [party.origin.as_str()];
    let options = RegistrationVerificationOptions::<&str, &str> {
        allowed_origins: &origins,
        // Devices and managers of passwords add what nobody has asked for.
        error_on_unsolicited_extensions: false,
        ..Default::default()
    };
    let made = question.verify(&party.id, &answer, &options).map_err(|why| unfit(&why))?;
    let (Ok(dynamic), Ok(handle)) = (made.dynamic_state().encode(), made.user_id().encode());
    Ok(NewPasskey {
        user: user.id,
        credential_id: written(made.id()),
        user_handle: written(handle),
        static_state: written(made.static_state().encode().map_err(Error::broken)?),
        dynamic_state: written(dynamic),
        name,
    })
}

fn refuse_too_many(passkeys: usize) -> Result<(), Refusal> {
    if passkeys < MOST_PASSKEYS {
        return Ok(());
    }
    let why = format!("you have {MOST_PASSKEYS} passkeys, the maximum; remove one first");
    Err(Code::LimitReached.of("name", why))
}

/// Nobody makes or uses a passkey here.
pub(super) fn no_name() -> Refusal {
    Code::NotOffered.because("passkeys need https and a host name")
}
