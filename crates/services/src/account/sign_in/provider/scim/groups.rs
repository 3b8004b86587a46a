//! The groups of a directory. Who comes into one that the settings name gets what it leads to, and who leaves
//! it loses that.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{Actor, AuditEvent, Code, DirectoryGroupId, Error as Refusal, ProjectId, UserId};
use serde_json::{Value, json};
use store::{
    Db, Tx,
    account::users::directories::{
        groups::{self, Group},
        people,
    },
};

use super::{
    super::mapping::{self, Moving},
    Access, check_version,
    patch::{GroupState, group_name, ids, patch_group, unknown_member},
    permit,
    profile::{Kind, member, object, text},
    recount,
    shown::{Asked, Shape, version_of},
};
use crate::{Result, Services};

/// The groups that are asked for.
pub async fn list_groups(
    services: &Arc<Services>,
    actor: &Actor,
    asked: &Asked,
    shape: &Shape,
) -> Result<Value> {
    let access = permit(services, actor)?;
    let wanted = asked.wanted(Kind::Group)?;
    let db = services.store.begin_read().await?;
    let (total, found) = groups::list(&db, access.id(), &wanted, asked.part()).await?;
    let ids: Vec<_> = found.iter().map(|group| group.id).collect();
    let mut members = BTreeMap::<_, Vec<_>>::new();
    for (group, user, name) in groups::members(&db, &ids).await? {
        members.entry(group).or_default().push((user, name));
    }
    let shown = found.iter().map(|group| {
        let own = members.get(&group.id).map(Vec::as_slice).unwrap_or_default();
        shape.cut(shape.group(group, own))
    });
    Ok(asked.list(total, shown.collect()))
}

/// A group of the directory.
pub async fn load_group(
    services: &Arc<Services>,
    actor: &Actor,
    id: &str,
    shape: &Shape,
) -> Result<Value> {
    let access = permit(services, actor)?;
    let db = services.store.begin_read().await?;
    let group = find(&db, &access, id).await?;
    Ok(shape.cut(show(&db, &group, shape).await?))
}

/// Makes a group.
pub async fn create_group(
    services: &Arc<Services>,
    actor: &Actor,
    sent: &Value,
    shape: &Shape,
) -> Result<Value> {
    let access = permit(services, actor)?;
    let sent = read(sent)?;
    let now = services.clock.now();
    let tx = access.begin(services).await?;
    let named = (sent.name.as_str(), sent.external_id.as_deref());
    let made = groups::create(&tx, access.id(), named, now).await;
    let id = match made {
        Err(store::Error::Duplicate(_)) => return Err(taken().into()),
        made => made?,
    };
    let group = find_known(&tx, &access, id).await?;
    let moved = save(services, &tx, &access, &group, sent).await?;
    access.audit(services, &tx, (AuditEvent::AddDirectoryGroup, subject(id)), &[]).await?;
    let shown = show(&tx, &group, shape).await?;
    tx.commit().await?;
    recount(services, &moved);
    Ok(shape.cut(shown))
}

/// Says all of a group anew.
pub async fn replace_group(
    services: &Arc<Services>,
    actor: &Actor,
    (id, known): (&str, Option<&str>),
    sent: &Value,
    shape: &Shape,
) -> Result<Value> {
    change(services, actor, (id, known), shape, |_| read(sent)).await
}

/// Says some of a group anew.
pub async fn patch_group_of(
    services: &Arc<Services>,
    actor: &Actor,
    (id, known): (&str, Option<&str>),
    sent: &Value,
    shape: &Shape,
) -> Result<Value> {
    change(services, actor, (id, known), shape, |group| patch_group(group, sent)).await
}

async fn change(
    services: &Arc<Services>,
    actor: &Actor,
    (id, known): (&str, Option<&str>),
    shape: &Shape,
    changed: impl FnOnce(GroupState) -> Result<GroupState, Refusal>,
) -> Result<Value> {
    let access = permit(services, actor)?;
    let tx = access.begin(services).await?;
    let group = find(&tx, &access, id).await?;
    check_version(known, version_of(&show(&tx, &group, shape).await?))?;
    let present = GroupState {
        name: group.name.clone(),
        external_id: group.external_id.clone(),
        members: members_of(&tx, group.id).await?,
    };
    let moved = save(services, &tx, &access, &group, changed(present)?).await?;
    let group = find_known(&tx, &access, group.id).await?;
    let shown = show(&tx, &group, shape).await?;
    tx.commit().await?;
    recount(services, &moved);
    Ok(shape.cut(shown))
}

/// Deletes a group: whoever was in it loses what it led to.
pub async fn delete_group(
    services: &Arc<Services>,
    actor: &Actor,
    (id, known): (&str, Option<&str>),
    shape: &Shape,
) -> Result<()> {
    let access = permit(services, actor)?;
    let tx = access.begin(services).await?;
    let group = find(&tx, &access, id).await?;
    check_version(known, version_of(&show(&tx, &group, shape).await?))?;
    let members = members_of(&tx, group.id).await?;
    let before = names_of(&tx, &members).await?;
    groups::delete(&tx, group.id).await?;
    let moved = lead(services, &tx, &access, &before).await?;
    access.audit(services, &tx, (AuditEvent::RemoveDirectoryGroup, subject(group.id)), &[]).await?;
    tx.commit().await?;
    recount(services, &moved);
    Ok(())
}

/// A group that is sent as a whole.
fn read(sent: &Value) -> Result<GroupState, Refusal> {
    let sent = object(sent)?;
    let said = |name| member(sent, name).unwrap_or(&Value::Null);
    Ok(GroupState {
        name: group_name(said("displayName"))?,
        external_id: text("externalId", said("externalId"))?,
        members: ids(said("members"))?.into_iter().collect(),
    })
}

/// Makes a group what it is to become. The answer is the projects that somebody came into or left.
async fn save(
    services: &Services,
    tx: &Tx,
    access: &Access<'_>,
    group: &Group,
    state: GroupState,
) -> Result<Vec<ProjectId>> {
    let now = services.clock.now();
    let present = members_of(tx, group.id).await?;
    let coming: BTreeSet<_> = state.members.difference(&present).copied().collect();
    let leaving: BTreeSet<_> = present.difference(&state.members).copied().collect();
    let known = groups::known_among(tx, access.id(), &coming).await?;
    if let Some(stranger) = coming.difference(&known).next() {
        return Err(unknown_member(stranger).into());
    }
    let is_renamed = state.name != group.name || state.external_id != group.external_id;
    if !is_renamed && coming.is_empty() && leaving.is_empty() {
        return Ok(Vec::new());
    }
    // A name may lead elsewhere: then it is all of them who are led.
    let affected = if is_renamed { &present | &coming } else { &coming | &leaving };
    let before = names_of(tx, &affected).await?;
    if is_renamed {
        let named = (state.name.as_str(), state.external_id.as_deref());
        match groups::rename(tx, group.id, named, now).await {
            Err(store::Error::Duplicate(_)) => return Err(taken().into()),
            renamed => renamed?,
        }
    }
    groups::add_members(tx, group.id, &coming).await?;
    groups::remove_members(tx, group.id, &leaving).await?;
    groups::note_change(tx, group.id, now).await?;
    let moved = lead(services, tx, access, &before).await?;
    let what = (AuditEvent::ChangeDirectoryGroup, subject(group.id));
    let more = [("renamed", json!(is_renamed)), ("came", json!(coming)), ("left", json!(leaving))];
    access.audit(services, tx, what, &more).await?;
    Ok(moved)
}

/// By what the settings may name people's groups.
type Names = BTreeMap<UserId, Vec<String>>;

async fn names_of(db: &impl Db, people: &BTreeSet<UserId>) -> Result<Names> {
    let ids: Vec<_> = people.iter().copied().collect();
    let mut names: Names = ids.iter().map(|user| (*user, Vec::new())).collect();
    for (user, _, name, external_id) in people::groups(db, &ids).await? {
        names.entry(user).or_default().extend(mapping::names_of_group(name, external_id));
    }
    Ok(names)
}

/// Gives people what their groups give now and did not before, and takes away what they gave before. Whoever
/// is not let in gets nothing until they are.
async fn lead(
    services: &Services,
    tx: &Tx,
    access: &Access<'_>,
    before: &Names,
) -> Result<Vec<ProjectId>> {
    let now = services.clock.now();
    let people: BTreeSet<_> = before.keys().copied().collect();
    let mut after = names_of(tx, &people).await?;
    for user in groups::disabled_among(tx, &people).await? {
        if let (Some(after), Some(before)) = (after.get_mut(&user), before.get(&user)) {
            after.retain(|name| before.contains(name));
        }
    }
    let moving: Vec<_> = before
        .iter()
        .zip(after.values())
        // Both are of the same people, in their order.
        .map(|((user, before), after)| Moving { user: *user, before, after })
        .collect();
    mapping::change(tx, access.settings, &moving, now).await
}

async fn find(db: &impl Db, access: &Access<'_>, id: &str) -> Result<Group> {
    let group = id.parse().map_err(|_| Refusal::NotFound)?;
    find_known(db, access, group).await
}

async fn find_known(db: &impl Db, access: &Access<'_>, id: DirectoryGroupId) -> Result<Group> {
    Ok(groups::find(db, access.id(), id).await?.ok_or(Refusal::NotFound)?)
}

async fn members_of(db: &impl Db, group: DirectoryGroupId) -> Result<BTreeSet<UserId>> {
    let members = groups::members(db, &[group]).await?;
    Ok(members.into_iter().map(|(_, user, _)| user).collect())
}

async fn show(db: &impl Db, group: &Group, shape: &Shape) -> Result<Value> {
    let members = groups::members(db, &[group.id]).await?;
    let members: Vec<_> = members.into_iter().map(|(_, user, name)| (user, name)).collect();
    Ok(shape.group(group, &members))
}

fn taken() -> Refusal {
    Code::Taken.of("displayName", "there is a group of this name")
}

fn subject(group: DirectoryGroupId) -> String {
    format!("directory group {group}")
}
