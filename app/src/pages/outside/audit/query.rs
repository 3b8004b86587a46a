//! Which part of a trail an address names.

use domain::{AuditQuery, ProjectId};

use crate::query::read as field;

/// A trail: a project's, or the server's own.
#[derive(Clone, Copy)]
pub(super) struct Trail(pub(super) Option<ProjectId>);

impl Trail {
    /// The page's path.
    pub(super) fn path(self) -> String {
        self.0.map_or_else(
            || "/audit".to_owned(),
            |project| format!("/projects/{project}/settings/audit"),
        )
    }

    /// The trail as a file.
    pub(super) fn file(self) -> String {
        let of = self.0.map_or_else(String::new, |project| format!("/projects/{project}"));
        format!("/api/v1{of}/audit.jsonl")
    }

    /// The address of a part; what is not asked for is left out.
    pub(super) fn address(self, query: &AuditQuery) -> String {
        let AuditQuery { who, event, since, until, before } = query;
        let named = [
            ("who", who.map(|who| who.to_string())),
            ("event", event.map(|event| event.name().replace(' ', "+"))),
            ("since", since.map(|day| day.to_string())),
            ("until", until.map(|day| day.to_string())),
            ("before", before.map(|place| place.to_string())),
        ];
        let named = named.into_iter().filter_map(|(name, value)| Some((name, value?)));
        let query: Vec<_> = named.map(|(name, value)| format!("{name}={value}")).collect();
        let question = if query.is_empty() { "" } else { "?" };
        format!("{}{question}{}", self.path(), query.join("&"))
    }
}

/// The part that a query string names; what it misspells is left out.
pub(super) fn read(get: impl Fn(&str) -> Option<String>) -> AuditQuery {
    AuditQuery {
        who: field(&get, "who"),
        event: field(&get, "event"),
        since: field(&get, "since"),
        until: field(&get, "until"),
        before: field(&get, "before"),
    }
}

#[cfg(test)]
mod tests {
    use domain::{AuditEvent, UserId};

    use super::*;
    use crate::query::switches::tests::get;

    #[test]
    fn an_address_names_what_is_asked_for() {
        let trail = Trail(Some(ProjectId(3)));
        assert_eq!(trail.address(&AuditQuery::default()), "/projects/3/settings/audit");
        assert_eq!(trail.file(), "/api/v1/projects/3/audit.jsonl");
        assert_eq!(Trail(None).file(), "/api/v1/audit.jsonl");
        let query = AuditQuery {
            who: Some(UserId(7)),
            event: Some(AuditEvent::SaveSpans),
            since: "2026-11-01".parse().ok(),
            until: "2026-11-30".parse().ok(),
            before: Some(51),
        };
        let address = Trail(None).address(&query);
        let written = "who=7&event=save+spans&since=2026-11-01&until=2026-11-30&before=51";
        assert_eq!(address, format!("/audit?{written}"));
        assert_eq!(read(get(&written.replace('+', " "))), query);
        assert_eq!(
            read(get("who=&event=nothing&since=then&until=&before=x")),
            AuditQuery::default()
        );
    }
}
