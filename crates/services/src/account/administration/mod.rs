//! Looking after the server's accounts and projects, by its administrators: nothing here shows what
//! is in a project.

mod person;
mod projects;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{
    Account, AccountChange, AccountView, Actor, AuditEvent, Code, Error as Refusal, Page, Removal,
    SearchQuery, User, UserId, base::policy::Action,
};
pub(crate) use person::FILES_AT_ONCE;
pub use person::{PersonFile, Whose, erase_person_of, export_own, export_person, export_person_of};
pub use projects::{archive_project, delete_project, list_projects, load_project, restore_project};
use store::{Tx, account::users::directories::people};

use crate::{
    Result, Services,
    account::{audit, create_reset_link_in, remove_all},
    base::access::permit_outside,
};

/// Lets an administrator go on, or refuses in the words of the table.
pub(crate) fn permit<'a>(services: &Services, actor: &'a Actor) -> Result<&'a User> {
    permit_outside(&services.store, actor, Action::Administer)?;
    Ok(actor.person()?)
}

/// The accounts that are looked for, by name.
pub async fn list_accounts(
    services: &Arc<Services>,
    actor: &Actor,
    query: &SearchQuery,
) -> Result<Page<Account>> {
    permit(services, actor)?;
    let db = services.store.begin_read().await?;
    Ok(store::account::administration::list(&db, query).await?)
}

/// An account with what stands in the way of removing it.
pub async fn load_account(
    services: &Arc<Services>,
    actor: &Actor,
    id: UserId,
) -> Result<AccountView> {
    let own = permit(services, actor)?.id;
    let db = services.store.begin_read().await?;
    let account = store::account::administration::find(&db, id).await?.ok_or(Refusal::NotFound)?;
    Ok(AccountView {
        account,
        is_own: id == own,
        has_worked: store::account::administration::has_worked(&db, id).await?,
        manages_alone: store::account::administration::managed_alone(&db, id).await?,
    })
}

/// Disables an account or enables it again, and changes what its owner may do on this server.
pub async fn change_account(
    services: &Arc<Services>,
    actor: &Actor,
    id: UserId,
    change: AccountChange,
) -> Result<()> {
    let own = permit(services, actor)?.id;
    if id == own {
        change.check_on_own()?;
    }
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    begin(&tx, own, id).await?;
    let event = match change {
        AccountChange::Disable => {
            shut_out(&tx, id, now).await?;
            // From now on it is not a directory that keeps them out.
            people::set_disabled(&tx, id, false).await?;
            AuditEvent::DisableAccount
        }
        AccountChange::Enable => {
            if people::is_kept_out(&tx, id).await? {
                let why = "their directory says that they have left; let them in there";
                return Err(Code::AccountDisabled.because(why).into());
            }
            store::account::administration::set_disabled(&tx, id, None).await?;
            people::set_disabled(&tx, id, false).await?;
            AuditEvent::EnableAccount
        }
        AccountChange::AllowProjects => {
            store::account::administration::set_may_create_projects(&tx, id, true).await?;
            AuditEvent::AllowProjects
        }
        AccountChange::RefuseProjects => {
            store::account::administration::set_may_create_projects(&tx, id, false).await?;
            AuditEvent::RefuseProjects
        }
        AccountChange::MakeAdministrator => {
            store::account::administration::set_administrator(&tx, id, true).await?;
            AuditEvent::MakeAdministrator
        }
        AccountChange::MakeOrdinary => {
            store::account::administration::set_administrator(&tx, id, false).await?;
            AuditEvent::MakeOrdinary
        }
        AccountChange::RemoveSecondFactors => {
            remove_all(&tx, id, now).await?;
            AuditEvent::RemoveSecondFactors
        }
    };
    audit(&tx, Some(own), now, event, id).await?;
    Ok(tx.commit().await?)
}

/// Lets nobody in with an account: its sessions end, and streams with them; its tokens open nothing, and neither do
/// links that its owner has made, for themselves or for anybody.
pub(crate) async fn shut_out(tx: &Tx, id: UserId, now: DateTime<Utc>) -> Result<()> {
    store::account::administration::set_disabled(tx, id, Some(now)).await?;
    store::account::sessions::delete_of_user(tx, id, None).await?;
    store::account::invitations::delete_open_by(tx, id).await?;
    store::account::password_resets::delete_by(tx, id).await?;
    Ok(store::account::password_resets::delete_of_user(tx, id).await?)
}

/// Makes the link by which the owner of an account chooses a new password, in the place of the one
/// made before. The answer is its token; it is not kept.
pub async fn create_reset_link(
    services: &Arc<Services>,
    actor: &Actor,
    id: UserId,
) -> Result<String> {
    let own = permit(services, actor)?.id;
    if id == own {
        // Whoever finds a browser signed in must not get by without the password.
        let why = "change your own password on your account page";
        return Err(Code::OwnAccount.because(why).into());
    }
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    if begin(&tx, own, id).await?.disabled_at.is_some() {
        let why = "this account is disabled; enable it first";
        return Err(Code::AccountDisabled.because(why).into());
    }
    let token = create_reset_link_in(&tx, Some(own), id, now).await?;
    tx.commit().await?;
    Ok(token)
}

/// Removes an account, if this is its address: one that was never in a project is deleted; of any other the work
/// stays, without name and address.
pub async fn remove_account(
    services: &Arc<Services>,
    actor: &Actor,
    id: UserId,
    email: &str,
) -> Result<Removal> {
    let own = permit(services, actor)?.id;
    if id == own {
        let why = "only another administrator can do this to your account";
        return Err(Code::OwnAccount.because(why).into());
    }
    let tx = services.store.begin().await?;
    let account = begin(&tx, own, id).await?;
    if account.email != email.trim().to_lowercase() {
        let why = "this is not the account’s address: type it as shown above";
        return Err(Code::WrongProof.of("email", why).into());
    }
    person::remove(services, tx, Some(own), id).await
}

/// Makes somebody an administrator or takes that back, by whoever runs the server.
pub async fn set_administrator(
    services: &Arc<Services>,
    email: &str,
    administers: bool,
) -> Result<()> {
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let known = store::account::users::find_by_email(&tx, email.trim()).await?;
    let id = known.ok_or(Refusal::NotFound)?.user.id;
    if store::account::administration::find(&tx, id).await?.is_none() {
        return Err(Refusal::NotFound.into());
    }
    store::account::administration::set_administrator(&tx, id, administers).await?;
    let event = if administers { AuditEvent::MakeAdministrator } else { AuditEvent::MakeOrdinary };
    audit(&tx, None, now, event, id).await?;
    Ok(tx.commit().await?)
}

/// Locks who administers the server: of two who act on each other at the same time, the second is
/// none any more. The account has to be one that somebody signs in with.
async fn begin(tx: &Tx, own: UserId, id: UserId) -> Result<Account> {
    if !store::account::administration::lock(tx).await?.contains(&own) {
        return Err(Refusal::NotFound.into());
    }
    Ok(store::account::administration::find(tx, id).await?.ok_or(Refusal::NotFound)?)
}
