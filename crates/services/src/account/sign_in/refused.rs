//! Failed sign-ins as the audit trail tells of them.

use domain::{Network, UserId};
use store::outside::audit::Refused;

use crate::Services;

/// Why somebody was not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    /// The password was wrong.
    Password,
    /// The code of a second factor was wrong.
    Code,
    /// The passkey is nobody's, or the answer is not its own.
    Passkey,
    /// A provider names somebody who has no account here, or its answer does not hold.
    Provider,
    /// The passkey's counter went back: there is a copy of it.
    Counter,
    /// There were too many wrong passwords at this account.
    Locked,
    /// There were too many from this place.
    Source,
    /// The demo's people are let in by a demo only.
    Demo,
}

impl Why {
    const fn name(self) -> &'static str {
        match self {
            Self::Password => "wrong password",
            Self::Code => "wrong code",
            Self::Passkey => "wrong passkey",
            Self::Provider => "sign-in through a provider",
            Self::Counter => "the counter of a passkey went back",
            Self::Locked => "too many wrong passwords",
            Self::Source => "too many wrong passwords from one place",
            Self::Demo => "account of the demo",
        }
    }
}

/// Counts that somebody was refused, at an account or at an address that has none.
pub(crate) fn count(services: &Services, account: Option<UserId>, why: Why, source: Network) {
    metrics::counter!("concord_sign_ins_refused_total", "why" => why.name()).increment(1);
    let refused = Refused::SignIn { account, why: why.name() };
    services.store.trail().refusals().count(refused, Some(source.to_string()));
}
