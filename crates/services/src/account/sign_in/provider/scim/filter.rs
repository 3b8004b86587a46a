//! What a filter of RFC 7644 asks for, as a condition of ours.

use std::str::FromStr;

use domain::{Code, Error as Refusal, UserId, refuse_nul};
use scim_v2::filter::{AttrExp, AttrPath, CompValue, CompareOp, Filter, ValFilter, ValuePath};
use store::account::users::directories::wanted::{Comparison, Text, Wanted};

use super::profile::{Kind, truth};

/// The most conditions of a filter, each `and`, `or` and `not` being one: an engine takes them nested a thousand deep.
const MOST: usize = 200;

/// The condition of a filter; everything, without one.
pub(super) fn wanted(kind: Kind, filter: Option<&str>) -> Result<Wanted, Refusal> {
    match filter {
        None => Ok(Wanted::All(Vec::new())),
        Some(filter) => {
            let filter = Filter::from_str(filter).map_err(|error| refused(error.to_string()))?;
            let wanted = of_filter(kind, &filter)?;
            if wanted.conditions() > MOST {
                return Err(refused(format!("a filter has at most {MOST} conditions")));
            }
            Ok(wanted)
        }
    }
}

fn refused(why: impl Into<String>) -> Refusal {
    Code::Malformed.of("filter", why)
}

fn of_filter(kind: Kind, filter: &Filter) -> Result<Wanted, Refusal> {
    let each = |filters: &[Filter]| -> Result<Vec<_>, Refusal> {
        filters.iter().map(|it| of_filter(kind, it)).collect()
    };
    Ok(match filter {
        Filter::Attr(expression) => of_expression(kind, None, expression)?,
        Filter::ValuePath(ValuePath { attr, filter }) => of_values(kind, known(attr)?, filter)?,
        Filter::Not(inner) => Wanted::Not(Box::new(of_filter(kind, inner)?)),
        Filter::And(filters) => Wanted::All(each(filters)?),
        Filter::Or(filters) => Wanted::Any(each(filters)?),
    })
}

/// What is asked of the values of an attribute that has several: `emails[value eq "ann@example.org"]`.
fn of_values(kind: Kind, name: &str, filter: &ValFilter) -> Result<Wanted, Refusal> {
    let each = |filters: &[ValFilter]| -> Result<Vec<_>, Refusal> {
        filters.iter().map(|it| of_values(kind, name, it)).collect()
    };
    Ok(match filter {
        ValFilter::Attr(expression) => of_expression(kind, Some(name), expression)?,
        ValFilter::Not(inner) => Wanted::Not(Box::new(of_values(kind, name, inner)?)),
        ValFilter::And(filters) => Wanted::All(each(filters)?),
        ValFilter::Or(filters) => Wanted::Any(each(filters)?),
    })
}

/// The name of an attribute of the core schemas.
fn known(path: &AttrPath) -> Result<&str, Refusal> {
    match &path.uri {
        Some(uri) if !Kind::ALL.iter().any(|kind| kind.schema().eq_ignore_ascii_case(uri)) => {
            Err(refused(format!("{path} is not supported here")))
        }
        _ => Ok(&path.name),
    }
}

fn of_expression(
    kind: Kind,
    within: Option<&str>,
    expression: &AttrExp,
) -> Result<Wanted, Refusal> {
    let (path, compared) = match expression {
        AttrExp::Present(path) => (path, None),
        AttrExp::Comparison(path, operator, value) => (path, Some((operator, value))),
    };
    let name = match (within, &path.sub_attr) {
        (None, None) => known(path)?.to_lowercase(),
        (None, Some(sub)) => format!("{}.{sub}", known(path)?).to_lowercase(),
        (Some(within), None) => format!("{within}.{}", path.name).to_lowercase(),
        (Some(_), Some(_)) => return Err(refused(format!("{path} is not supported here"))),
    };
    let text = |text| of_text(text, compared);
    match (kind, name.as_str()) {
        (_, "id") => of_id(compared),
        (_, "externalid") => text(Text::ExternalId),
        (_, "displayname") => text(Text::DisplayName),
        (Kind::User, "username") => text(Text::UserName),
        (Kind::User, "emails" | "emails.value") => text(Text::Email),
        // There is one address, and this is what is said of it.
        (Kind::User, "emails.type") => Ok(of_constant("work", compared)),
        (Kind::User, "active") => of_active(compared),
        (Kind::Group, "members" | "members.value") => of_member(compared),
        _ => Err(refused(format!("{name} is not supported here"))),
    }
}

/// What is compared with what.
type Compared<'a> = Option<(&'a CompareOp, &'a CompValue)>;

fn of_text(text: Text, compared: Compared<'_>) -> Result<Wanted, Refusal> {
    let (operator, value) = match compared {
        None => return Ok(Wanted::Text(text, Comparison::Present)),
        Some((operator, CompValue::Str(value))) => (operator, value.clone()),
        Some((CompareOp::Eq, CompValue::Null)) => {
            return Ok(Wanted::Not(Box::new(Wanted::Text(text, Comparison::Present))));
        }
        Some(_) => return Err(refused("this is compared with a text")),
    };
    // It is written as in JSON, and so passes the check of the address.
    refuse_nul("filter", &value)?;
    let comparison = match operator {
        CompareOp::Eq => Comparison::Equal(value),
        CompareOp::Co => Comparison::Contains(value),
        CompareOp::Sw => Comparison::Begins(value),
        CompareOp::Ew => Comparison::Ends(value),
        CompareOp::Ne => {
            let equal = Wanted::Text(text, Comparison::Equal(value));
            return Ok(Wanted::Not(Box::new(equal)));
        }
        _ => return Err(refused(format!("{operator} is not supported here"))),
    };
    Ok(Wanted::Text(text, comparison))
}

/// Whether something is said of an attribute that is the same for all.
fn of_constant(constant: &str, compared: Compared<'_>) -> Wanted {
    let holds = match compared {
        None => true,
        Some((CompareOp::Eq, CompValue::Str(value))) => value.eq_ignore_ascii_case(constant),
        Some(_) => false,
    };
    if holds { Wanted::All(Vec::new()) } else { Wanted::Any(Vec::new()) }
}

fn equal(compared: Compared<'_>) -> Result<&CompValue, Refusal> {
    match compared {
        Some((CompareOp::Eq, value)) => Ok(value),
        _ => Err(refused("only eq is supported here")),
    }
}

fn of_id(compared: Compared<'_>) -> Result<Wanted, Refusal> {
    match equal(compared)? {
        CompValue::Str(id) => Ok(Wanted::Id(id.parse().ok())),
        _ => Err(refused("an id is a text")),
    }
}

fn of_member(compared: Compared<'_>) -> Result<Wanted, Refusal> {
    match equal(compared)? {
        CompValue::Str(id) => Ok(Wanted::Member(id.parse().ok().map(UserId))),
        _ => Err(refused("an id is a text")),
    }
}

fn of_active(compared: Compared<'_>) -> Result<Wanted, Refusal> {
    let is_active = match equal(compared)? {
        CompValue::True => Some(true),
        CompValue::False => Some(false),
        CompValue::Str(text) => truth(text),
        _ => None,
    };
    is_active.map(Wanted::Active).ok_or_else(|| refused("active is true or false"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(kind: Kind, filter: &str) -> Wanted {
        wanted(kind, Some(filter)).unwrap()
    }

    fn equal(text: Text, value: &str) -> Wanted {
        Wanted::Text(text, Comparison::Equal(value.to_owned()))
    }

    #[test]
    fn what_okta_and_entra_ask_for_is_understood() {
        let ann = "ann@example.org";
        for filter in [
            r#"userName eq "ann@example.org""#,
            r#"USERNAME Eq "ann@example.org""#,
            r#"urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ann@example.org""#,
        ] {
            assert_eq!(of(Kind::User, filter), equal(Text::UserName, ann), "{filter}");
        }
        assert_eq!(of(Kind::User, r#"externalId eq "x""#), equal(Text::ExternalId, "x"));
        assert_eq!(of(Kind::Group, r#"displayName eq "Staff""#), equal(Text::DisplayName, "Staff"));
        let work = of(Kind::User, r#"emails[type eq "work" and value eq "ann@example.org"]"#);
        assert_eq!(work, Wanted::All(vec![Wanted::All(Vec::new()), equal(Text::Email, ann)]));
        let both = of(Kind::Group, r#"id eq "7" and members eq "3""#);
        assert_eq!(both, Wanted::All(vec![Wanted::Id(Some(7)), Wanted::Member(Some(UserId(3)))]));
        let either = of(Kind::User, r#"active eq "False" or not (displayName co "x")"#);
        let contains = Wanted::Text(Text::DisplayName, Comparison::Contains("x".to_owned()));
        assert_eq!(
            either,
            Wanted::Any(vec![Wanted::Active(false), Wanted::Not(Box::new(contains))])
        );
    }

    #[test]
    fn what_is_not_understood_is_refused_as_a_filter() {
        for filter in [
            "",
            "userName",
            "userName eq",
            r#"userName eq "ann" and"#,
            r#"title eq "x""#,
            r#"userName gt "a""#,
            "userName eq 7",
            r#"userName eq "a\u0000b""#,
            r#"urn:example:other:userName eq "x""#,
            r#"members eq "3""#,
            &"(".repeat(10_000),
            &[r#"userName eq "x""#; 300].join(" or "),
            &format!(r#"{}userName eq "x"{}"#, "not (".repeat(250), ")".repeat(250)),
        ] {
            match wanted(Kind::User, Some(filter)) {
                Err(Refusal::Invalid { field, .. }) => assert_eq!(field, "filter", "{filter}"),
                other => panic!("{filter}: {other:?}"),
            }
        }
    }

    /// Filters that people may be looked for with.
    fn filters() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("userName eq \"x\""),
            Just("EXTERNALID sw \"x\""),
            Just("emails[type eq \"work\" and value co \"x\"]"),
            Just("emails.value ew \"x\""),
            Just("displayName pr"),
            Just("active eq \"True\""),
        ];
        leaf.prop_map(str::to_owned).prop_recursive(4, 30, 2, |inner| {
            let word = prop_oneof![Just("and"), Just("or"), Just("AND")];
            prop_oneof![
                inner.clone().prop_map(|it| format!("not ({it})")),
                (inner.clone(), word, inner)
                    .prop_map(|(it, word, other)| format!("({it} {word} {other})")),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_no_filter_is_refused_as_one(filter in ".{0,200}") {
            if let Err(refused) = wanted(Kind::User, Some(&filter)) {
                let is_of_filter = matches!(&refused, Refusal::Invalid { field, .. } if field == "filter");
                prop_assert!(is_of_filter, "{refused:?}");
            }
        }

        #[test]
        fn filters_mean_what_their_parts_mean(filter in filters()) {
            let part = of(Kind::User, &filter);
            let not = of(Kind::User, &format!("not ({filter})"));
            prop_assert_eq!(not, Wanted::Not(Box::new(part.clone())));
            let both = of(Kind::User, &format!("({filter}) and ({filter})"));
            // Of several that all hold, those that hold together are told one after the other.
            prop_assert!(both.conditions() >= 2 * part.conditions() - 1);
        }

        #[test]
        fn a_name_is_found_by_the_filter_that_is_made_of_it(name in "\\PC{1,40}") {
            let filter = format!("userName eq {}", serde_json::Value::from(name.clone()));
            prop_assert_eq!(
                wanted(Kind::User, Some(&filter)).unwrap(),
                equal(Text::UserName, &name)
            );
        }
    }
}
