//! The people of a directory. Whoever it no longer lets in keeps their account and their work.

use std::{collections::BTreeMap, sync::Arc};

use chrono::{DateTime, Utc};
use domain::{
    Actor, AuditEvent, Code, DirectoryGroupId, Error as Refusal, NewAccount, ProjectId, UserId,
};
use serde_json::{Value, json};
use store::{
    Db, Tx,
    account::{
        administration, devices, password_resets, tokens,
        users::{
            self, Credentials,
            directories::people::{self, Known, Names, Person},
        },
    },
};

use super::{
    super::{
        entering::hand_over,
        identities::find_named,
        mapping::{self, Moving},
    },
    Access, check_version,
    patch::patch_profile,
    permit,
    profile::{Kind, Profile},
    recount,
    shown::{Asked, Shape, version_of},
};
use crate::{
    Result, Services,
    account::{administration::shut_out, create, passwords::NOBODYS},
};

/// The people who are asked for.
pub async fn list_users(
    services: &Arc<Services>,
    actor: &Actor,
    asked: &Asked,
    shape: &Shape,
) -> Result<Value> {
    let access = permit(services, actor)?;
    let wanted = asked.wanted(Kind::User)?;
    let db = services.store.begin_read().await?;
    let (total, found) = people::list(&db, access.id(), &wanted, asked.part()).await?;
    let groups = groups_of(&db, &found).await?;
    let shown = found.iter().map(|person| {
        let own = groups.get(&person.user).map(Vec::as_slice).unwrap_or_default();
        shape.cut(shape.user(person, own))
    });
    Ok(asked.list(total, shown.collect()))
}

/// Somebody whom the directory knows.
pub async fn load_user(
    services: &Arc<Services>,
    actor: &Actor,
    id: &str,
    shape: &Shape,
) -> Result<Value> {
    let access = permit(services, actor)?;
    let db = services.store.begin_read().await?;
    let person = find(&db, &access, id).await?;
    Ok(shape.cut(show(&db, &person, shape).await?))
}

/// Makes an account for somebody, or takes the one over that is theirs.
pub async fn create_user(
    services: &Arc<Services>,
    actor: &Actor,
    sent: &Value,
    shape: &Shape,
) -> Result<Value> {
    let access = permit(services, actor)?;
    let profile = Profile::read(sent)?;
    let address = profile.address(None)?;
    let now = services.clock.now();
    let tx = access.begin(services).await?;
    let user = account_of(services, &tx, &access, &profile, &address, now).await?;
    let saved = save(services, &tx, &access, user, &profile, now).await?;
    access.audit(services, &tx, (AuditEvent::AddByDirectory, subject(user)), &[]).await?;
    let person = find_known(&tx, &access, user).await?;
    let shown = show(&tx, &person, shape).await?;
    tx.commit().await?;
    recount(services, &saved);
    Ok(shape.cut(shown))
}

/// Says all of somebody anew.
pub async fn replace_user(
    services: &Arc<Services>,
    actor: &Actor,
    (id, known): (&str, Option<&str>),
    sent: &Value,
    shape: &Shape,
) -> Result<Value> {
    change(services, actor, (id, known), shape, |_| Profile::read(sent)).await
}

/// Says some of somebody anew.
pub async fn patch_user(
    services: &Arc<Services>,
    actor: &Actor,
    (id, known): (&str, Option<&str>),
    sent: &Value,
    shape: &Shape,
) -> Result<Value> {
    let patch = |person: &Person| {
        let mut profile = Profile::of(person);
        patch_profile(&mut profile, sent)?;
        Ok(profile)
    };
    change(services, actor, (id, known), shape, patch).await
}

async fn change(
    services: &Arc<Services>,
    actor: &Actor,
    (id, known): (&str, Option<&str>),
    shape: &Shape,
    changed: impl Fn(&Person) -> Result<Profile, Refusal>,
) -> Result<Value> {
    let access = permit(services, actor)?;
    let now = services.clock.now();
    let mut tx = access.begin(services).await?;
    let mut person = find(&tx, &access, id).await?;
    check_version(known, version_of(&show(&tx, &person, shape).await?))?;
    // Who is to be out is out, whatever else of it is refused.
    if changed(&person)?.is_active == Some(false) && (person.is_active || person.is_enabled) {
        disable(services, &tx, &access, &person, now).await?;
        tx.commit().await?;
        tx = access.begin(services).await?;
        person = find(&tx, &access, id).await?;
    }
    let profile = changed(&person)?;
    let saved = save(services, &tx, &access, person.user, &profile, now).await?;
    let person = find_known(&tx, &access, person.user).await?;
    let shown = show(&tx, &person, shape).await?;
    tx.commit().await?;
    recount(services, &saved);
    Ok(shape.cut(shown))
}

/// Has the directory know somebody no longer: nobody gets in with their account, they leave what its groups
/// have led them to, and what they did stays.
pub async fn delete_user(
    services: &Arc<Services>,
    actor: &Actor,
    (id, known): (&str, Option<&str>),
    shape: &Shape,
) -> Result<()> {
    let access = permit(services, actor)?;
    let now = services.clock.now();
    let tx = access.begin(services).await?;
    let person = find(&tx, &access, id).await?;
    check_version(known, version_of(&show(&tx, &person, shape).await?))?;
    disable(services, &tx, &access, &person, now).await?;
    tx.commit().await?;
    // They may leave projects a moment later, when an import has come: they are out.
    let tx = access.begin(services).await?;
    let person = find(&tx, &access, id).await?;
    let groups = group_names(&tx, person.user).await?;
    let moving = [Moving { user: person.user, before: &groups, after: &[] }];
    let moved = mapping::change(&tx, access.settings, &moving, now).await?;
    people::remove(&tx, person.user, now).await?;
    access.audit(services, &tx, (AuditEvent::RemoveByDirectory, subject(person.user)), &[]).await?;
    tx.commit().await?;
    recount(services, &moved);
    Ok(())
}

/// The account that somebody gets: the one that the directory knew them by before; the one that they have signed in
/// to as whom the directory means; the one that has their address, where the settings say so; else a new one.
async fn account_of(
    services: &Services,
    tx: &Tx,
    access: &Access<'_>,
    profile: &Profile,
    address: &str,
    now: DateTime<Utc>,
) -> Result<UserId> {
    let taken = || Code::Taken.of("userName", "somebody is known by this name or address");
    if let Some(known) = people::find_known(tx, access.id(), &profile.names).await? {
        let is_back = comes_back(access, profile, &known);
        return if is_back { Ok(known.user) } else { Err(taken().into()) };
    }
    // Whatever its address is: it may have changed since, and anybody may have given an account one.
    if let Some(id) = &profile.names.external_id
        && let Some(identity) = find_named(tx, access.settings, id).await?
        && let Some(known) = users::find_credentials(tx, identity.user).await?
    {
        let is_free = is_free(tx, access, profile, &known).await?;
        return if is_free { Ok(identity.user) } else { Err(taken().into()) };
    }
    if let Some(known) = users::find_by_email(tx, address).await? {
        if !access.settings.join_by_email || !is_free(tx, access, profile, &known).await? {
            return Err(taken().into());
        }
        hand_over(services, tx, &known, now).await?;
        return Ok(known.user.id);
    }
    // The first account administers the server: that is for whoever has set it up to say.
    if users::count(tx).await? == 0 {
        return Err(Code::NotOffered.because("this server is not set up yet").into());
    }
    let account =
        NewAccount { email: address.to_owned(), name: profile.name(), password: String::new() };
    create(tx, &account, NOBODYS, false, now, "this address has an account").await
}

/// Whether the directory has removed somebody and means them again. A name may be given to somebody else once it is
/// free; what the directory calls people itself is not.
fn comes_back(access: &Access<'_>, profile: &Profile, known: &Known) -> bool {
    known.directory == access.id()
        && known.is_removed
        && known.external_id == profile.names.external_id
}

/// Whether the directory may know the owner of an account: nobody's it does not, and none whom another one knows that
/// can still say so.
async fn is_free(
    tx: &Tx,
    access: &Access<'_>,
    profile: &Profile,
    account: &Credentials,
) -> Result<bool> {
    let user = account.user.id;
    if account.is_demo || administration::find(tx, user).await?.is_none() {
        return Ok(false);
    }
    let known = people::find_of_any(tx, user).await?;
    Ok(known.is_none_or(|known| {
        let is_over = known.directory != access.id() && (known.is_removed || !known.has_token);
        is_over || comes_back(access, profile, &known)
    }))
}

/// Keeps what is said of somebody, beside their account and in it. The answer is the projects that they
/// came into.
async fn save(
    services: &Services,
    tx: &Tx,
    access: &Access<'_>,
    user: UserId,
    profile: &Profile,
    now: DateTime<Utc>,
) -> Result<Vec<ProjectId>> {
    let before = people::find(tx, access.id(), user).await?;
    if let Some(before) = &before
        && before.names.external_id != profile.names.external_id
    {
        part(services, tx, access, before, now).await?;
    }
    let put = people::put(tx, access.id(), user, &profile.names, now).await;
    unless_taken(put, "userName", "somebody is known by this name")?;
    let person = find_known(tx, access, user).await?;
    let address = profile.address(Some(&person.email))?;
    if address != person.email {
        let set = users::set_email(tx, user, &address).await;
        unless_taken(set, "emails", "this address has an account")?;
        // As where its owner changes it.
        devices::delete_of_user(tx, user, None).await?;
        password_resets::delete_of_user(tx, user).await?;
    }
    let name = profile.said_name().unwrap_or_else(|| person.name.clone());
    if name != person.name {
        users::set_name(tx, user, &name).await?;
    }
    if let Some(before) = &before {
        let changed = what_changes(before, &profile.names, (&address, &name));
        if !changed.is_empty() {
            let what = (AuditEvent::ChangeByDirectory, subject(user));
            access.audit(services, tx, what, &[("changed", json!(changed))]).await?;
        }
    }
    // Who is new is let in unless it is said otherwise.
    let is_active = before.as_ref().is_none_or(|before| before.is_active);
    if !profile.is_active.unwrap_or(is_active) {
        disable(services, tx, access, &person, now).await?;
        return Ok(Vec::new());
    }
    people::set_active(tx, user, true).await?;
    // Whom an administrator has shut out, no directory lets in again.
    if person.is_enabled || !person.has_disabled {
        return Ok(Vec::new());
    }
    administration::set_disabled(tx, user, None).await?;
    people::set_disabled(tx, user, false).await?;
    let groups = group_names(tx, user).await?;
    let moving = [Moving { user, before: &[], after: &groups }];
    let moved = mapping::change(tx, access.settings, &moving, now).await?;
    access.audit(services, tx, (AuditEvent::EnableByDirectory, subject(user)), &[]).await?;
    Ok(moved)
}

/// Which attributes of somebody become others.
fn what_changes(before: &Person, now: &Names, (email, name): (&str, &str)) -> Vec<&'static str> {
    let parts = |names: &Names| {
        let Names { formatted_name, given_name, family_name, .. } = names;
        [formatted_name, given_name, family_name].map(Clone::clone)
    };
    let had = &before.names;
    let each = [
        ("userName", had.user_name != now.user_name),
        ("externalId", had.external_id != now.external_id),
        ("displayName", had.display_name != now.display_name || before.name != name),
        ("name", parts(had) != parts(now)),
        ("emails", before.email != email),
    ];
    each.into_iter().filter(|(_, is_other)| *is_other).map(|(name, _)| name).collect()
}

/// Ends whatever opens an account, if somebody came into it as whom the directory does not mean any more.
async fn part(
    services: &Services,
    tx: &Tx,
    access: &Access<'_>,
    before: &Person,
    now: DateTime<Utc>,
) -> Result<()> {
    if let Some(id) = &before.names.external_id
        && let Some(identity) = find_named(tx, access.settings, id).await?
        && identity.user == before.user
        && let Some(known) = users::find_credentials(tx, before.user).await?
    {
        hand_over(services, tx, &known, now).await?;
    }
    Ok(())
}

fn unless_taken(done: Result<(), store::Error>, field: &str, why: &str) -> Result<()> {
    match done {
        Err(store::Error::Duplicate(_)) => Err(Code::Taken.of(field, why).into()),
        done => Ok(done?),
    }
}

/// Lets somebody in no longer, by a browser or by a program, also when an administrator who has disabled their account
/// enables it. The last administrator stays.
async fn disable(
    services: &Services,
    tx: &Tx,
    access: &Access<'_>,
    person: &Person,
    now: DateTime<Utc>,
) -> Result<()> {
    let user = person.user;
    people::set_active(tx, user, false).await?;
    // They do not come back with whoever comes back.
    tokens::delete_of_user(tx, user).await?;
    if !person.is_enabled {
        return Ok(());
    }
    if administration::lock(tx).await? == [user] {
        let why = "this is the server's last administrator; name another first";
        return Err(Code::LastOne.because(why).into());
    }
    shut_out(tx, user, now).await?;
    people::set_disabled(tx, user, true).await?;
    access.audit(services, tx, (AuditEvent::DisableByDirectory, subject(user)), &[]).await
}

async fn find(db: &impl Db, access: &Access<'_>, id: &str) -> Result<Person> {
    let user = id.parse().map_err(|_| Refusal::NotFound)?;
    find_known(db, access, user).await
}

async fn find_known(db: &impl Db, access: &Access<'_>, user: UserId) -> Result<Person> {
    Ok(people::find(db, access.id(), user).await?.ok_or(Refusal::NotFound)?)
}

/// Groups by their ids and what they are called.
type Groups = Vec<(DirectoryGroupId, String)>;

async fn groups_of(db: &impl Db, found: &[Person]) -> Result<BTreeMap<UserId, Groups>> {
    let ids: Vec<_> = found.iter().map(|person| person.user).collect();
    let mut groups = BTreeMap::<_, Groups>::new();
    for (user, group, name, _) in people::groups(db, &ids).await? {
        groups.entry(user).or_default().push((group, name));
    }
    Ok(groups)
}

async fn show(db: &impl Db, person: &Person, shape: &Shape) -> Result<Value> {
    let mut groups = groups_of(db, std::slice::from_ref(person)).await?;
    Ok(shape.user(person, &groups.remove(&person.user).unwrap_or_default()))
}

/// By what the settings may name somebody's groups.
async fn group_names(db: &impl Db, user: UserId) -> Result<Vec<String>> {
    let groups = people::groups(db, &[user]).await?.into_iter();
    Ok(groups.flat_map(|(.., name, id)| mapping::names_of_group(name, id)).collect())
}

fn subject(user: UserId) -> String {
    format!("user {user}")
}
