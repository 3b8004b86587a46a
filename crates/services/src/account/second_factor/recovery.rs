//! Making new recovery codes.

use std::sync::Arc;

use domain::{Actor, Code, Error as Refusal};

use super::{
    enrolling::{Enrolling, proven},
    recovery_codes::replace,
};
use crate::{
    Result, Services,
    account::{hold, sign_in::client::Client},
    base::access::has_second_factor,
};

/// Gives whoever is asking new codes in the place of those that they had. They are shown this once.
pub async fn make_recovery_codes(
    services: &Arc<Services>,
    actor: &Actor,
    client: &Client,
    present: String,
) -> Result<Vec<String>> {
    let Enrolling::Own(user) = proven(services, actor, client, present).await? else {
        return Err(Refusal::SignInRequired.into());
    };
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    hold(&tx, user.id).await?;
    if !has_second_factor(&tx, user.id).await? {
        let why = "set up a second factor first";
        return Err(Code::NoSecondFactor.because(why).into());
    }
    let codes = replace(&tx, user.id, now).await?;
    tx.commit().await?;
    Ok(codes)
}
