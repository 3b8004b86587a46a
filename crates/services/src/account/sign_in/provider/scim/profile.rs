//! What a directory says of somebody, as it sends it: attributes by names in whatever case, and truths that
//! may be texts.

use domain::{Code, Error as Refusal, check_name, checked_email, readable_name};
use serde_json::{Map, Value};
use store::account::users::directories::people::{Names, Person};

/// What there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    User,
    Group,
}

impl Kind {
    pub(super) const ALL: [Self; 2] = [Self::User, Self::Group];

    /// The name of its schema.
    pub(super) const fn schema(self) -> &'static str {
        match self {
            Self::User => "urn:ietf:params:scim:schemas:core:2.0:User",
            Self::Group => "urn:ietf:params:scim:schemas:core:2.0:Group",
        }
    }
}

/// What a directory says of somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Profile {
    pub(super) names: Names,
    /// The address, if it says one.
    pub(super) email: Option<String>,
    /// Whether they may sign in, if it says so.
    pub(super) is_active: Option<bool>,
}

/// An attribute, by its name in small letters and that of a part of it.
pub(super) type Attribute<'a> = (&'a str, Option<&'a str>);

/// A truth that is written as a text, as Entra ID does.
pub(super) fn truth(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

impl Profile {
    /// What is known of somebody so far.
    pub(super) fn of(person: &Person) -> Self {
        Self {
            names: person.names.clone(),
            email: Some(person.email.clone()),
            is_active: Some(person.is_active),
        }
    }

    /// What is sent as a whole.
    pub(super) fn read(sent: &Value) -> Result<Self, Refusal> {
        let mut profile = Self { names: Names::default(), email: None, is_active: None };
        for (name, value) in object(sent)? {
            profile.set((&name.to_lowercase(), None), value)?;
        }
        if profile.names.user_name.is_empty() {
            return Err(Code::Missing.of("userName", "userName is required"));
        }
        Ok(profile)
    }

    /// Sets an attribute, or one of its parts. What is not kept here passes by: a directory sends all it has.
    pub(super) fn set(
        &mut self,
        (name, part): Attribute<'_>,
        value: &Value,
    ) -> Result<(), Refusal> {
        let names = &mut self.names;
        match (name, part) {
            ("username", None) => {
                let said = text("userName", value)?;
                names.user_name =
                    said.ok_or_else(|| Code::Missing.of("userName", "userName is required"))?;
            }
            ("externalid", None) => names.external_id = text("externalId", value)?,
            ("displayname", None) => names.display_name = name_of("displayName", value)?,
            ("name", None) => {
                (names.formatted_name, names.given_name, names.family_name) = (None, None, None);
                if !value.is_null() {
                    for (part, value) in object(value)? {
                        self.set(("name", Some(&part.to_lowercase())), value)?;
                    }
                }
            }
            ("name", Some("formatted")) => names.formatted_name = name_of("name.formatted", value)?,
            ("name", Some("givenname")) => names.given_name = name_of("name.givenName", value)?,
            ("name", Some("familyname")) => names.family_name = name_of("name.familyName", value)?,
            ("emails", None | Some("value")) => self.email = chosen_email(value)?,
            ("active", None) => self.is_active = Some(boolean("active", value)?),
            _ => {}
        }
        Ok(())
    }

    /// Takes an attribute away, or one of its parts.
    pub(super) fn clear(&mut self, attribute: Attribute<'_>) -> Result<(), Refusal> {
        match attribute {
            ("active", None) => Err(Code::Unsuitable.of("active", "active cannot be removed")),
            _ => self.set(attribute, &Value::Null),
        }
    }

    /// The address of the account: the one that is said, else the name if that is one, else the one that the
    /// account has.
    pub(super) fn address(&self, present: Option<&str>) -> Result<String, Refusal> {
        let name = checked_email(&self.names.user_name).ok();
        let said = self.email.as_deref().map(checked_email).transpose();
        let found = said.map_err(|_| malformed("emails", "an e-mail address"))?.or(name);
        found.or_else(|| present.map(str::to_owned)).ok_or_else(|| {
            Code::Missing.of("emails", "an e-mail address is required, as emails or as userName")
        })
    }

    /// What the account is called, if the directory says that.
    pub(super) fn said_name(&self) -> Option<String> {
        let Names { display_name, formatted_name, given_name, family_name, .. } = &self.names;
        let both: Vec<_> =
            [given_name, family_name].into_iter().flatten().map(String::as_str).collect();
        let both = (!both.is_empty()).then(|| both.join(" "));
        let said = display_name.clone().or_else(|| formatted_name.clone()).or(both);
        Some(said?.chars().take(100).collect())
    }

    /// What a new account is called.
    pub(super) fn name(&self) -> String {
        let user_name = &self.names.user_name;
        let usual = || user_name.split('@').next().unwrap_or(user_name).chars().take(100).collect();
        self.said_name().unwrap_or_else(usual)
    }
}

/// The members of an object.
pub(super) fn object(value: &Value) -> Result<&Map<String, Value>, Refusal> {
    value.as_object().ok_or_else(|| Code::MalformedRequest.because("a JSON object is expected"))
}

/// The member of an object by this name, in whatever case.
pub(super) fn member<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value)
}

/// The values of an attribute that may have several: none, one, or a list.
pub(super) fn values(value: &Value) -> &[Value] {
    match value {
        Value::Null => &[],
        Value::Array(each) => each,
        one => std::slice::from_ref(one),
    }
}

fn malformed(field: &str, what: &str) -> Refusal {
    Code::Malformed.of(field, format!("{field} is {what}"))
}

/// A text; none where it is empty.
pub(super) fn text(field: &str, value: &Value) -> Result<Option<String>, Refusal> {
    match value {
        Value::Null => Ok(None),
        Value::String(said) => {
            let said = check_name(field, field, said, 0..=256)?;
            Ok((!said.is_empty()).then_some(said))
        }
        _ => Err(malformed(field, "a text")),
    }
}

/// A name that is only shown; none where it is empty. What has no place in one is replaced, and what is too long
/// is cut: nobody is to stay in for that.
fn name_of(field: &str, value: &Value) -> Result<Option<String>, Refusal> {
    match value {
        Value::Null => Ok(None),
        Value::String(said) => {
            let said: String = readable_name(said.trim()).chars().take(200).collect();
            Ok((!said.is_empty()).then_some(said))
        }
        _ => Err(malformed(field, "a text")),
    }
}

pub(super) fn boolean(field: &str, value: &Value) -> Result<bool, Refusal> {
    let said = match value {
        Value::Bool(said) => Some(*said),
        Value::String(said) => truth(said),
        _ => None,
    };
    said.ok_or_else(|| malformed(field, "true or false"))
}

/// An address as it is said: whether it is one matters once whoever is to be out is out.
fn unless_empty(said: &str) -> Option<String> {
    let said = said.trim();
    (!said.is_empty()).then(|| said.to_owned())
}

/// The address that counts of those that are said: the primary one, else that for work, else the first.
fn chosen_email(value: &Value) -> Result<Option<String>, Refusal> {
    if let Value::String(said) = value {
        return Ok(unless_empty(said));
    }
    let mut said = Vec::new();
    for one in values(value) {
        let one = one.as_object().ok_or_else(|| malformed("emails", "a list"))?;
        let Some(address) = member(one, "value") else { continue };
        let address = address.as_str().ok_or_else(|| malformed("emails", "a list of texts"))?;
        let Some(address) = unless_empty(address) else { continue };
        let is_primary = match member(one, "primary") {
            Some(primary) => boolean("emails.primary", primary)?,
            None => false,
        };
        let kind = member(one, "type").and_then(Value::as_str).unwrap_or_default();
        said.push((!is_primary, !kind.eq_ignore_ascii_case("work"), address));
    }
    // Of two that count the same, the first.
    said.sort_by_key(|(other, private, _)| (*other, *private));
    Ok(said.into_iter().next().map(|(.., address)| address))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_account_is_called_as_the_directory_shows_it() {
        let name = |sent| Profile::read(&sent).unwrap().name();
        let ann = json!({
            "userName": "ann@example.org",
            "displayName": "Ann B. Curtis",
            "name": { "givenName": "Ann", "familyName": "Curtis", "formatted": "Ms. Ann Curtis" },
        });
        assert_eq!(name(ann), "Ann B. Curtis");
        let names = json!({ "givenName": "Ann", "familyName": "Curtis" });
        assert_eq!(name(json!({ "userName": "ann@example.org", "name": names })), "Ann Curtis");
        assert_eq!(name(json!({ "USERNAME": "ann@example.org", "displayName": null })), "ann");
    }

    #[test]
    fn the_primary_address_counts_then_the_one_for_work_then_the_name() {
        let address = |emails: Value| {
            let sent = json!({ "userName": "ann@example.org", "emails": emails });
            Profile::read(&sent).unwrap().address(None).unwrap()
        };
        let home = json!({ "type": "home", "value": "home@example.org" });
        let work = json!({ "type": "work", "value": "Work@Example.org" });
        let first = json!({ "value": "first@example.org", "primary": "True" });
        assert_eq!(address(json!([home, work, first])), "first@example.org");
        assert_eq!(address(json!([home, work])), "work@example.org");
        assert_eq!(address(json!([home])), "home@example.org");
        assert_eq!(address(json!([])), "ann@example.org");
        let nowhere = Profile::read(&json!({ "userName": "ann" })).unwrap();
        assert!(nowhere.address(None).is_err());
        assert_eq!(nowhere.address(Some("had@example.org")).unwrap(), "had@example.org");
    }

    #[test]
    fn truths_may_be_texts_and_nothing_else() {
        let active = |said: Value| {
            let sent = json!({ "userName": "ann", "active": said });
            Profile::read(&sent).map(|profile| profile.is_active)
        };
        for (said, is_active) in
            [(json!(true), true), (json!("False"), false), (json!("true"), true)]
        {
            assert_eq!(active(said), Ok(Some(is_active)));
        }
        for wrong in [json!("no"), json!(0), json!(null), json!([])] {
            assert!(active(wrong).is_err());
        }
    }

    #[test]
    fn a_name_that_is_only_shown_is_never_refused_for_how_it_is_written() {
        let sent = json!({
            "userName": "ann",
            "displayName": "A\u{202e}nn\nB.",
            "name": { "givenName": "x".repeat(300), "familyName": " " },
            "emails": [{ "value": "no\naddress" }],
            "active": false,
        });
        let profile = Profile::read(&sent).unwrap();
        assert_eq!(profile.names.display_name.as_deref(), Some("A\u{fffd}nn B."));
        assert_eq!(profile.names.given_name, Some("x".repeat(200)));
        assert_eq!((profile.names.family_name.as_ref(), profile.is_active), (None, Some(false)));
        assert!(profile.address(None).is_err());
    }

    #[test]
    fn what_is_not_kept_passes_by_and_what_is_wrong_does_not() {
        let sent = json!({
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
            "userName": "ann",
            "title": "Dr.",
            "password": "never kept",
            "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { "department": "x" },
        });
        assert!(Profile::read(&sent).is_ok());
        for wrong in [
            json!([]),
            json!({}),
            json!({ "userName": "" }),
            json!({ "userName": 7 }),
            json!({ "userName": "a\u{202e}b" }),
            json!({ "userName": "ann", "name": "Ann" }),
            json!({ "userName": "ann", "emails": 7 }),
            json!({ "userName": "ann", "emails": [{ "value": 7 }] }),
        ] {
            assert!(Profile::read(&wrong).is_err(), "{wrong}");
        }
    }
}
