//! The rows of a trail.

use domain::AuditRow;
use serde_json::Value;

use crate::pages::components::prelude::*;

#[component]
pub(super) fn Rows(rows: Vec<AuditRow>) -> impl IntoView {
    let rows = rows
        .into_iter()
        .map(|row| {
            let is_gone = row.by.is_none();
            let who = row.by.clone().unwrap_or_else(|| match row.user {
                Some(user) => format!("user {user}"),
                None => "–".to_owned(),
            });
            let class = is_gone.then_some("soft");
            let more = more(&row);
            let about = match row.about {
                Some(name) => view! { <span title=row.subject><bdi>{name}</bdi></span> }.into_any(),
                None => row.subject.into_any(),
            };
            view! {
                <tr>
                    <td data-head="When" class="time"><Moment at=row.at seconds=true/></td>
                    <td data-head="Who" class=class><bdi>{who}</bdi></td>
                    <th scope="row">{sentence(&row.event)}</th>
                    <td data-head="Object">{about}</td>
                    <td class="more"><bdi>{more}</bdi></td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <Table label="Audit trail" class="rows blocks">
            {heads([Text("When"), Text("Who"), Text("What"), Text("Object"), Text("More")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}

/// The name of an event with a capital.
pub(super) fn sentence(name: &str) -> String {
    let mut characters = name.chars();
    let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
    first + characters.as_str()
}

/// What else is noted: "added: 2, removed: 0; revision 7".
fn more(row: &AuditRow) -> String {
    let revision = row.revision.map(|revision| format!("revision {revision}"));
    let erased = row.is_erased.then(|| "text erased".to_owned());
    let parts = [Some(fields(&row.detail)), row.note.as_deref().map(fields), erased, revision];
    let parts: Vec<_> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    parts.join("; ")
}

/// The fields of a JSON object, one after the other.
fn fields(detail: &str) -> String {
    let Ok(Value::Object(fields)) = serde_json::from_str(detail) else { return detail.to_owned() };
    let told = fields.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        format!("{}: {value}", name.replace('_', " "))
    });
    told.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use domain::Revision;

    use super::*;

    #[test]
    fn more_is_said_in_words_as_far_as_there_is_more() {
        let row = |detail: &str, revision| AuditRow {
            place: 1,
            at: DateTime::UNIX_EPOCH,
            user: None,
            by: None,
            event: "save spans".to_owned(),
            subject: "assignment 3".to_owned(),
            about: None,
            detail: detail.to_owned(),
            note: None,
            is_erased: false,
            revision,
        };
        let told = more(&row(r#"{"added":2,"release_level":"none","by":null}"#, Some(Revision(7))));
        assert_eq!(told, "added: 2, release level: none; revision 7");
        assert_eq!(more(&row("{}", None)), "");
        assert_eq!(more(&row("no JSON", None)), "no JSON");
        let note = Some(r#"{"name":"Ann"}"#.to_owned());
        let noted = AuditRow { note, ..row(r#"{"label":3}"#, None) };
        assert_eq!(more(&noted), "label: 3; name: Ann");
        let erased = AuditRow { is_erased: true, ..row(r#"{"label":3}"#, None) };
        assert_eq!(more(&erased), "label: 3; text erased");
        assert_eq!(sentence("save spans"), "Save spans");
    }
}
