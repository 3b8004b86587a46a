//! What the server has to know between its question and a browser's answer. Nobody has an account
//! yet who signs in, so no row is written: the browser keeps it, sealed, and brings it back.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use domain::{Code, Error as Refusal, PasskeyRequest, UserId};
use serde::{Deserialize, Serialize};
use store::Tx;
use webauthn_rp::{
    DiscoverableAuthenticationServerState, RegistrationServerState,
    bin::{Decode, Encode},
    request::{TimedCeremony, register::USER_HANDLE_MAX_LEN},
    response::SentChallenge,
};

use crate::base::secrets::token;
use crate::{Error, Purpose, Result, Services};

/// How long a browser has to answer.
const ANSWERED_WITHIN: TimeDelta = TimeDelta::minutes(5);

/// A question that is to be answered, one of two kinds.
pub(super) trait Question: Sized + TimedCeremony {
    fn encoded(&self) -> Result<Vec<u8>>;
    fn decoded(bytes: &[u8]) -> Option<Self>;
}

impl Question for DiscoverableAuthenticationServerState {
    fn encoded(&self) -> Result<Vec<u8>> {
        self.encode().map_err(Error::broken)
    }

    fn decoded(bytes: &[u8]) -> Option<Self> {
        Self::decode(bytes).ok()
    }
}

impl Question for RegistrationServerState<USER_HANDLE_MAX_LEN> {
    fn encoded(&self) -> Result<Vec<u8>> {
        self.encode().map_err(Error::broken)
    }

    fn decoded(bytes: &[u8]) -> Option<Self> {
        Self::decode(bytes).ok()
    }
}

/// What a question is asked for: it is answered for nothing else.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted {
    SignIn,
    PasskeyOf(UserId),
}

impl Wanted {
    fn context(self) -> String {
        match self {
            Self::SignIn => "passkey sign-in".to_owned(),
            Self::PasskeyOf(user) => format!("passkey of user {user}"),
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Kept {
    question: String,
    /// By the server's clock.
    until: DateTime<Utc>,
}

/// A question that came back, and its challenge, which is good for one answer.
pub(super) struct Opened<Q> {
    pub(super) question: Q,
    hash: String,
    until: DateTime<Utc>,
}

/// Asks a browser; `options` are what it is asked in.
pub(super) fn ask(
    services: &Services,
    wanted: Wanted,
    question: &impl Question,
    options: &serde_json::Value,
) -> Result<PasskeyRequest> {
    let kept = Kept {
        question: BASE64_URL_SAFE_NO_PAD.encode(question.encoded()?),
        until: services.clock.now() + ANSWERED_WITHIN,
    };
    let kept = serde_json::to_string(&kept).map_err(Error::broken)?;
    let state = services.key.seal(Purpose::SecondFactors, &wanted.context(), &kept)?;
    Ok(PasskeyRequest { options: options.to_string(), state })
}

/// Opens what a browser brought back.
pub(super) fn open<Q: Question>(
    services: &Services,
    wanted: Wanted,
    state: &str,
) -> Result<Opened<Q>> {
    let kept = services.key.open(Purpose::SecondFactors, &wanted.context(), state).ok();
    let kept: Option<Kept> = kept.and_then(|kept| serde_json::from_str(&kept).ok());
    let opened = kept.and_then(|kept| {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(kept.question).ok()?;
        let question = Q::decoded(&bytes)?;
        let SentChallenge(challenge) = question.sent_challenge();
        let hash = token::hash(&format!("challenge {challenge:032x}"));
        Some(Opened { question, hash, until: kept.until })
    });
    let opened =
        opened.ok_or_else(|| Code::Unsuitable.of("state", "this was not requested here"))?;
    if services.clock.now() >= opened.until {
        return Err(too_late().into());
    }
    Ok(opened)
}

impl<Q> Opened<Q> {
    /// What is left to do in the transaction of the answer: the challenge is used up.
    pub(super) fn spent(self) -> (Q, Spent) {
        (self.question, Spent { hash: self.hash, until: self.until })
    }
}

/// A challenge that is being answered.
pub(super) struct Spent {
    hash: String,
    until: DateTime<Utc>,
}

impl Spent {
    /// Uses the challenge up, or refuses an answer that was given before.
    pub(super) async fn use_up(&self, tx: &Tx) -> Result<()> {
        if store::account::used_challenges::use_up(tx, &self.hash, self.until).await? {
            Ok(())
        } else {
            Err(too_late().into())
        }
    }
}

fn too_late() -> Refusal {
    Code::Expired.of("state", "this took too long or was already done; try again")
}
