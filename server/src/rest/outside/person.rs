//! Everything of a person as a file: for people in browsers, since no program needs it.

use domain::UserId;
use services::account::administration as accounts;

use crate::rest::base::{
    download::download_person,
    extract::{Ask, Reply},
};

/// Everything of whoever is asking.
pub(crate) async fn export_own(Ask(services, actor, ()): Ask<()>) -> Reply {
    Ok(download_person(accounts::export_own(&services, &actor).await?))
}

/// Everything of the owner of an account, for administrators.
pub(crate) async fn export_person(Ask(services, actor, account): Ask<UserId>) -> Reply {
    Ok(download_person(accounts::export_person(&services, &actor, account).await?))
}
