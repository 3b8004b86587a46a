//! The codes that apps make from a secret and the time (RFC 6238): six digits, a new code every
//! thirty seconds, HMAC-SHA-1, as all of them do.

use chrono::{DateTime, Utc};
use domain::{User, UserId};
use totp_rs::{Algorithm, Builder, Secret, Totp};

use crate::{Error, Purpose, Result, Services};

/// The name by which apps know the server.
const ISSUER: &str = "Concord";

/// How many codes before and after the present one are taken: clocks differ.
const SKEW: u16 = 1;

/// Seconds for which a code is the present one.
const STEP: u64 = 30;

/// The step of time that a code of somebody's app is of; none if it is not right.
pub(super) async fn step_of(
    services: &Services,
    user: &User,
    code: &str,
    now: DateTime<Utc>,
) -> Result<Option<i64>> {
    let app = store::account::second_factors::find_app(&services.store, user.id).await?;
    let Some((sealed, _)) = app.and_then(|app| app.confirmed) else { return Ok(None) };
    let Some(secret) = open(services, user.id, &sealed) else { return Ok(None) };
    Ok(check(&codes(&secret, &user.email)?, code, now))
}

/// A secret that was sealed with another key of the server opens nothing: its owner has recovery
/// codes, and an administrator.
pub(super) fn open(services: &Services, user: UserId, sealed: &str) -> Option<String> {
    let opened = services.key.open(Purpose::SecondFactors, &context(user), sealed);
    opened
        .inspect_err(|error| tracing::error!(%user, %error, "an app's codes cannot be checked"))
        .ok()
}

pub(super) fn context(user: UserId) -> String {
    format!("authenticator app of user {user}")
}

/// The codes of a secret, base32.
pub(super) fn codes(secret: &str, email: &str) -> Result<Totp> {
    let secret = Secret::try_from_base32(secret).map_err(broken)?;
    let codes = Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(6)
        .with_skew(SKEW)
        .with_step_duration(STEP)
        .with_secret(secret)
        .with_issuer(Some(ISSUER))
        // A colon would end the name of the server in the address that apps read.
        .with_account_name(email.replace(':', ""))
        .build();
    codes.map_err(broken)
}

pub(super) fn broken(error: impl std::fmt::Display) -> Error {
    Error::broken(error.to_string())
}

/// The step of time that a code is of, if it is right at this moment.
pub(super) fn check(codes: &Totp, code: &str, now: DateTime<Utc>) -> Option<i64> {
    let code: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let seconds = u64::try_from(now.timestamp()).ok()?;
    i64::try_from(codes.check(&code, seconds)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B, of which apps show the last six digits.
        let secret = Secret::from(b"12345678901234567890".to_vec()).to_base32();
        let codes = codes(&secret, "a:b@example.org").unwrap();
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(check(&codes, code, at(seconds)), Some(seconds / 30));
            assert_eq!(
                check(&codes, &format!(" {} {}", &code[..3], &code[3..]), at(seconds)),
                Some(seconds / 30)
            );
            assert_eq!(check(&codes, code, at(seconds + 30)), Some(seconds / 30));
            assert_eq!(check(&codes, code, at(seconds + 90)), None);
        }
        for wrong in ["", "28708", "2870822", "+87082", "２８７０８２"] {
            assert_eq!(check(&codes, wrong, at(59)), None, "{wrong}");
        }
        let url = codes.to_url().unwrap();
        assert!(url.starts_with("otpauth://totp/Concord:ab%40example.org?secret="), "{url}");
    }
}
