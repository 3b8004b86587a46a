//! What a PATCH asks for (RFC 7644, 3.5.2), in the words of Okta and of Entra ID as well.

use std::{collections::BTreeSet, str::FromStr};

use domain::{Code, Error as Refusal, UserId};
use scim_v2::filter::{
    AttrExp, AttrPath, CompValue, CompareOp, PatchPath, PatchValuePath, ValFilter,
};
use serde_json::Value;

use super::profile::{Kind, Profile, boolean, member, object, text, truth, values};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Add,
    Replace,
    Remove,
}

/// One thing that is to be done to one attribute.
struct Change<'a> {
    verb: Verb,
    /// In small letters; without the name of a schema that is the resource's own.
    name: String,
    part: Option<String>,
    /// Which of several values are meant.
    which: Option<ValFilter>,
    value: &'a Value,
}

/// What a group is, or is to become.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct GroupState {
    pub(super) name: String,
    /// What the directory knows it by.
    pub(super) external_id: Option<String>,
    pub(super) members: BTreeSet<UserId>,
}

/// Does to a profile what a PATCH asks for.
pub(super) fn patch_profile(profile: &mut Profile, sent: &Value) -> Result<(), Refusal> {
    for change in changes(Kind::User, sent)? {
        let attribute = (change.name.as_str(), change.part.as_deref());
        // Of the addresses there is the one that is for work and the primary one.
        let is_meant = match &change.which {
            Some(which) => is_about(which, profile),
            None => change.name != "emails" || change.part.is_some() || means(&change, profile),
        };
        if !is_meant {
            continue;
        }
        match change.verb {
            Verb::Add | Verb::Replace => profile.set(attribute, change.value)?,
            Verb::Remove => profile.clear(attribute)?,
        }
    }
    Ok(())
}

/// Does to a group what a PATCH asks for.
pub(super) fn patch_group(mut group: GroupState, sent: &Value) -> Result<GroupState, Refusal> {
    for Change { verb, name, part, which, value } in changes(Kind::Group, sent)? {
        match (name.as_str(), verb) {
            ("members", _) if part.is_some() || which.is_some() && verb != Verb::Remove => {
                return Err(Code::Malformed.of("path", "members are added as a whole"));
            }
            ("displayname", Verb::Add | Verb::Replace) => {
                group.name = group_name(value)?;
            }
            ("displayname", Verb::Remove) => {
                return Err(Code::Missing.of("displayName", "displayName is required"));
            }
            ("externalid", Verb::Remove) => group.external_id = None,
            ("externalid", _) => group.external_id = text("externalId", value)?,
            ("members", Verb::Add) => group.members.extend(ids(value)?),
            ("members", Verb::Replace) => group.members = ids(value)?.into_iter().collect(),
            // Some say whom in the path, some as values, and whoever says nobody means everybody.
            ("members", Verb::Remove) => match (which, value) {
                (Some(which), _) => {
                    let named = named(&which)?;
                    group.members.retain(|user| !named.contains(user));
                }
                (None, Value::Null) => group.members.clear(),
                (None, value) => {
                    let named = ids(value)?;
                    group.members.retain(|user| !named.contains(user));
                }
            },
            _ => {}
        }
    }
    Ok(group)
}

/// What a group is called.
pub(super) fn group_name(value: &Value) -> Result<String, Refusal> {
    text("displayName", value)?
        .ok_or_else(|| Code::Missing.of("displayName", "displayName is required"))
}

/// The people whom members name.
pub(super) fn ids(value: &Value) -> Result<Vec<UserId>, Refusal> {
    let id = |one: &Value| {
        let id = if let Value::String(id) = one {
            Some(id.as_str())
        } else {
            let one = object(one)?;
            let said = |name| member(one, name).and_then(Value::as_str);
            // Ids of groups are numbers, too, and would be somebody's.
            if said("type").is_some_and(|kind| kind.eq_ignore_ascii_case("Group"))
                || said("$ref").is_some_and(|place| place.contains("/Groups/"))
            {
                let why = "a group is no member of another";
                return Err(Code::Unsuitable.of("members", why));
            }
            said("value")
        };
        let id = id.ok_or_else(|| Code::Malformed.of("members", "a member has a value"))?;
        id.parse().map_err(|_| unknown_member(id))
    };
    values(value).iter().map(id).collect()
}

/// Refuses a member who is not there.
pub(super) fn unknown_member(id: impl std::fmt::Display) -> Refusal {
    Code::Unknown.of("members", format!("there is no user with the id {id}"))
}

/// All that a PATCH asks for, one attribute after the other.
fn changes(kind: Kind, sent: &Value) -> Result<Vec<Change<'_>>, Refusal> {
    let operations = member(object(sent)?, "Operations").and_then(Value::as_array);
    let operations =
        operations.ok_or_else(|| Code::MalformedRequest.because("Operations are expected"))?;
    let mut changes = Vec::new();
    for operation in operations {
        let operation = object(operation)?;
        let word = |name| member(operation, name).and_then(Value::as_str);
        let verb = match word("op").unwrap_or_default().to_lowercase().as_str() {
            "add" => Verb::Add,
            "replace" => Verb::Replace,
            "remove" => Verb::Remove,
            _ => {
                let why = "op is add, replace or remove";
                return Err(Code::MalformedRequest.because(why));
            }
        };
        let value = member(operation, "value");
        match (word("path").filter(|path| !path.trim().is_empty()), verb, value) {
            (Some(path), Verb::Remove, value) => {
                changes.extend(at(kind, path, verb, value.unwrap_or(&Value::Null))?);
            }
            (Some(path), _, Some(value)) => changes.extend(at(kind, path, verb, value)?),
            (None, Verb::Remove, _) => {
                return Err(Code::Unknown.of("target", "path is required to remove something"));
            }
            (None, _, Some(value)) => {
                for (path, value) in object(value)? {
                    changes.extend(at(kind, path, verb, value)?);
                }
            }
            (_, _, None) => return Err(Code::Missing.of("value", "value is required")),
        }
    }
    Ok(changes)
}

/// What is to be done at a path; nothing where it leads to what is not kept here.
fn at<'a>(
    kind: Kind,
    path: &str,
    verb: Verb,
    value: &'a Value,
) -> Result<Option<Change<'a>>, Refusal> {
    let refused = |why: String| Code::Malformed.of("path", why);
    let path = PatchPath::from_str(path).map_err(|error| refused(error.to_string()))?;
    let (attribute, which, part) = match path {
        PatchPath::Attr(AttrPath { uri, name, sub_attr }) => ((uri, name), None, sub_attr),
        PatchPath::Value(PatchValuePath { attr, filter, sub_attr }) => {
            ((attr.uri, attr.name), Some(filter), sub_attr)
        }
    };
    let (uri, name) = attribute;
    if uri.is_some_and(|uri| !uri.eq_ignore_ascii_case(kind.schema())) {
        return Ok(None);
    }
    let (name, part) = (name.to_lowercase(), part.map(|part| part.to_lowercase()));
    // Okta repeats the id beside what changes.
    let is_read_only =
        matches!(name.as_str(), "meta" | "groups") || name == "id" && verb == Verb::Remove;
    if is_read_only {
        return Err(Code::Unsuitable.of("mutability", format!("{name} cannot be changed")));
    }
    Ok(Some(Change { verb, name, part, which, value }))
}

/// Whether addresses that are added, put in the place of all, or taken away mean the one that there is.
fn means(change: &Change<'_>, profile: &Profile) -> bool {
    let Some(own) = &profile.email else { return true };
    let part = |one: &Value, name: &str| one.as_object().and_then(|one| member(one, name)).cloned();
    let is_own = |one: &Value| {
        let said = part(one, "value").unwrap_or_else(|| one.clone());
        said.as_str().is_some_and(|said| said.trim().eq_ignore_ascii_case(own))
    };
    let is_for_work = |one: &Value| {
        let kind = part(one, "type").and_then(|kind| kind.as_str().map(str::to_lowercase));
        let is_primary = part(one, "primary").is_some_and(|it| boolean("primary", &it) == Ok(true));
        is_primary || kind.is_none_or(|kind| kind == "work")
    };
    match change.verb {
        Verb::Replace => true,
        Verb::Add => values(change.value).iter().any(is_for_work),
        Verb::Remove => change.value.is_null() || values(change.value).iter().any(is_own),
    }
}

/// Whether a filter on addresses means the one that there is.
fn is_about(filter: &ValFilter, profile: &Profile) -> bool {
    match filter {
        ValFilter::Attr(AttrExp::Present(_)) => true,
        ValFilter::Attr(AttrExp::Comparison(path, operator, value)) => {
            let is_equal = match (path.name.to_lowercase().as_str(), value) {
                ("type", CompValue::Str(kind)) => kind.eq_ignore_ascii_case("work"),
                ("primary", CompValue::True) => true,
                ("primary", CompValue::Str(said)) => truth(said) == Some(true),
                ("value", CompValue::Str(said)) => {
                    profile.email.as_ref().is_some_and(|own| own.eq_ignore_ascii_case(said))
                }
                _ => false,
            };
            match operator {
                CompareOp::Eq => is_equal,
                CompareOp::Ne => !is_equal,
                _ => false,
            }
        }
        ValFilter::Not(inner) => !is_about(inner, profile),
        ValFilter::And(each) => each.iter().all(|it| is_about(it, profile)),
        ValFilter::Or(each) => each.iter().any(|it| is_about(it, profile)),
    }
}

/// The people whom a filter on members names: `value eq "7"`, or several of them.
fn named(filter: &ValFilter) -> Result<Vec<UserId>, Refusal> {
    match filter {
        ValFilter::Attr(AttrExp::Comparison(path, CompareOp::Eq, CompValue::Str(id)))
            if path.name.eq_ignore_ascii_case("value") =>
        {
            // Who is not there is in no group.
            Ok(id.parse().ok().into_iter().collect())
        }
        ValFilter::Or(each) => {
            let each: Vec<_> = each.iter().map(named).collect::<Result<_, _>>()?;
            Ok(each.into_iter().flatten().collect())
        }
        _ => Err(Code::Malformed.of("path", "members are named by value eq and their ids")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use store::account::users::directories::people::Names;

    use super::*;

    fn ann() -> Profile {
        let names = Names {
            user_name: "ann@example.org".to_owned(),
            given_name: Some("Ann".to_owned()),
            family_name: Some("Curtis".to_owned()),
            ..Names::default()
        };
        Profile { names, email: Some("ann@example.org".to_owned()), is_active: Some(true) }
    }

    fn patched(operations: &Value) -> Result<Profile, Refusal> {
        let mut profile = ann();
        patch_profile(&mut profile, &json!({ "Operations": operations }))?;
        Ok(profile)
    }

    fn group(operations: &Value) -> Result<GroupState, Refusal> {
        let group = GroupState {
            name: "Grammarians".to_owned(),
            external_id: Some("g-1".to_owned()),
            members: [UserId(1), UserId(2), UserId(3)].into(),
        };
        patch_group(group, &json!({ "Operations": operations }))
    }

    #[test]
    fn entra_id_writes_verbs_large_and_truths_as_texts() {
        let left = patched(&json!([{ "op": "Replace", "path": "active", "value": "False" }]));
        assert_eq!(left.unwrap().is_active, Some(false));
        let renamed = patched(&json!([
            { "op": "Add", "path": "name.familyName", "value": "Curtis-Bell" },
            { "op": "Replace", "path": "emails[type eq \"work\"].value", "value": "ab@example.org" },
            { "op": "Add", "path": "phoneNumbers[type eq \"work\"].value", "value": "112" },
            {
                "op": "Add",
                "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
                "value": "Grammar",
            },
        ]))
        .unwrap();
        assert_eq!(renamed.name(), "Ann Curtis-Bell");
        assert_eq!(renamed.email.as_deref(), Some("ab@example.org"));
    }

    #[test]
    fn okta_sends_values_without_a_path() {
        let left = patched(&json!([{ "op": "replace", "value": { "active": false } }])).unwrap();
        assert_eq!(left, Profile { is_active: Some(false), ..ann() });
        let several = patched(&json!([{
            "op": "replace",
            "value": { "name.givenName": "Anna", "name": { "familyName": "Bell" } },
        }]));
        assert_eq!(several.unwrap().names.family_name.as_deref(), Some("Bell"));
    }

    #[test]
    fn what_is_removed_is_missing_and_other_addresses_are_not_kept() {
        let gone = patched(&json!([{ "op": "remove", "path": "name.givenName" }])).unwrap();
        assert_eq!(gone.name(), "Curtis");
        let path = r#"emails[type eq "home"].value"#;
        let home = patched(&json!([{ "op": "add", "path": path, "value": "h@example.org" }]));
        assert_eq!(home.unwrap(), ann());
    }

    #[test]
    fn an_address_beside_the_one_that_there_is_changes_nothing() {
        let address = |operation: Value| patched(&json!([operation])).unwrap().email;
        let own = Some("ann@example.org".to_owned());
        let home = json!([{ "type": "home", "value": "home@example.org" }]);
        let work = json!([{ "type": "work", "value": "work@example.org" }]);
        let primary = json!([{ "type": "home", "value": "p@example.org", "primary": "True" }]);
        let to = |verb: &str, value: &Value| {
            address(json!({ "op": verb, "path": "emails", "value": value }))
        };
        assert_eq!(to("add", &home), own);
        assert_eq!(to("add", &work).as_deref(), Some("work@example.org"));
        assert_eq!(to("add", &primary).as_deref(), Some("p@example.org"));
        assert_eq!(to("replace", &home).as_deref(), Some("home@example.org"));
        assert_eq!(to("remove", &home), own);
        assert_eq!(to("remove", &json!([{ "value": "Ann@Example.org" }])), None);
        assert_eq!(address(json!({ "op": "remove", "path": "emails" })), None);
        let other = r#"emails[value eq "home@example.org"]"#;
        assert_eq!(address(json!({ "op": "remove", "path": other })), own);
    }

    #[test]
    fn a_change_that_cannot_be_made_is_refused() {
        for (operation, field) in [
            (json!({ "op": "remove" }), "target"),
            (json!({ "op": "replace", "path": "name[", "value": 1 }), "path"),
            (json!({ "op": "replace", "path": "active" }), "value"),
            (json!({ "op": "replace", "path": "groups", "value": [] }), "mutability"),
            (json!({ "op": "remove", "path": "active" }), "active"),
            (json!({ "op": "remove", "path": "userName" }), "userName"),
            (json!({ "op": "replace", "path": "active", "value": "perhaps" }), "active"),
        ] {
            match patched(&json!([operation])) {
                Err(Refusal::Invalid { field: own, .. }) => assert_eq!(own, field, "{operation}"),
                other => panic!("{operation}: {other:?}"),
            }
        }
        for wrong in [json!([{ "op": "move" }]), json!([7]), json!(null)] {
            let code = patched(&wrong).unwrap_err().code();
            assert_eq!(code, Code::MalformedRequest, "{wrong}");
        }
    }

    #[test]
    fn members_come_and_go_as_okta_and_entra_id_say_it() {
        let members = |operations: Value| {
            let members = group(&operations).unwrap().members;
            members.into_iter().map(|user| user.0).collect::<Vec<_>>()
        };
        let seven = json!([{ "value": "7", "display": "gil@example.org" }]);
        let add = json!([{ "op": "Add", "path": "members", "value": seven }]);
        assert_eq!(members(add), [1, 2, 3, 7]);
        let remove = json!([{ "op": "remove", "path": r#"members[value eq "2"]"# }]);
        assert_eq!(members(remove), [1, 3]);
        let two = r#"members[value eq "1" or value eq "3"]"#;
        assert_eq!(members(json!([{ "op": "remove", "path": two }])), [2]);
        let listed = json!([{ "value": "1" }, { "value": "2" }]);
        let remove = json!([{ "op": "Remove", "path": "members", "value": listed }]);
        assert_eq!(members(remove), [3]);
        assert_eq!(members(json!([{ "op": "remove", "path": "members" }])), [0_i64; 0]);
        let replace = json!([{ "op": "replace", "path": "members", "value": listed }]);
        assert_eq!(members(replace), [1, 2]);
        let renamed = json!([{ "op": "replace", "value": { "id": "9", "displayName": "Staff" } }]);
        assert_eq!(group(&renamed).unwrap().name, "Staff");
    }

    #[test]
    fn members_that_cannot_be_are_refused() {
        for (operation, field) in [
            (json!({ "op": "add", "path": "members", "value": [{ "value": "x" }] }), "members"),
            (json!({ "op": "add", "path": "members", "value": [{}] }), "members"),
            (json!({ "op": "remove", "path": r#"members[type eq "User"]"# }), "path"),
            (json!({ "op": "add", "path": r#"members[value eq "7"]"#, "value": "7" }), "path"),
            (json!({ "op": "replace", "path": r#"members[value eq "7"]"#, "value": [] }), "path"),
            (json!({ "op": "remove", "path": r#"members[value eq "2"].display"# }), "path"),
            (
                json!({ "op": "add", "path": "members", "value": { "value": "7", "type": "group" } }),
                "members",
            ),
            (
                json!({
                    "op": "add", "path": "members",
                    "value": [{ "value": "7", "$ref": "https://c.example/scim/v2/Groups/7" }],
                }),
                "members",
            ),
            (json!({ "op": "remove", "path": "displayName" }), "displayName"),
        ] {
            match group(&json!([operation])) {
                Err(Refusal::Invalid { field: own, .. }) => assert_eq!(own, field, "{operation}"),
                other => panic!("{operation}: {other:?}"),
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_no_path_is_refused_as_one(path in "\\S.{0,119}", verb in "add|replace|remove|Add") {
            let operations = json!([{ "op": verb, "path": path, "value": [{ "value": "1" }] }]);
            let refused = [patched(&operations).err(), group(&operations).err()];
            for refused in refused.into_iter().flatten() {
                prop_assert!(matches!(refused, Refusal::Invalid { .. }), "{:?}", refused);
            }
        }

        #[test]
        fn an_attribute_is_set_by_its_name_in_any_case(
            name in "[dD][iI][sS][pP]lay[nN][aA]me",
            schema in "(urn:ietf:params:scim:schemas:core:2\\.0:User:)?",
            verb in "[aA]dd|[rR]eplace",
            said in "[a-zé]{1,20}",
        ) {
            let path = format!("{schema}{name}");
            let named = patched(&json!([{ "op": verb, "path": path, "value": said }])).unwrap();
            prop_assert_eq!(named.names.display_name.as_ref(), Some(&said));
            let gone = json!([{ "op": verb, "value": { name: said } }, { "op": "remove", "path": path }]);
            prop_assert_eq!(patched(&gone).unwrap().names.display_name, None);
        }
    }
}
