//! The adjudication list and what belongs to a pair in addresses.

use std::fmt::Display;

use domain::{
    DisagreementFilter, DisagreementOrder, DisagreementQuery, MemberId, ProjectId, Switches,
};

use super::switches::{pair_address, read, read_page};

/// The disagreement query that a query string names; what it leaves out or misspells is the
/// default.
pub(crate) fn read_disagreements(get: impl Fn(&str) -> Option<String>) -> DisagreementQuery {
    DisagreementQuery {
        filter: DisagreementFilter {
            documents: read(&get, "documents").unwrap_or_default(),
            question: read(&get, "question"),
            label: read(&get, "label"),
            first: read(&get, "first"),
            second: read(&get, "second"),
            kind: read(&get, "kind"),
            decided: read(&get, "decided"),
            document: read(&get, "document"),
            round: read(&get, "round"),
        },
        order: read(&get, "order").unwrap_or_default(),
        descending: read(&get, "descending").unwrap_or_default(),
        page: read_page(get),
    }
}

/// The query string of a disagreement query; what is not asked for is left out.
pub(crate) fn write_disagreements(query: &DisagreementQuery) -> String {
    let parameters: Vec<_> =
        parameters(query).into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    parameters.join("&")
}

/// The query with one field of the filter form changed, from its first page on.
pub(crate) fn with_field(query: &DisagreementQuery, name: &str, value: &str) -> DisagreementQuery {
    let parameters = parameters(query);
    let changed = read_disagreements(|wanted| {
        if wanted == name {
            return Some(value.to_owned());
        }
        parameters.iter().find(|(given, _)| *given == wanted).map(|(_, value)| value.clone())
    });
    DisagreementQuery { page: 0, ..changed }
}

/// The query in this order from its first page on; the order that it has already is turned round.
pub(crate) fn sorted_by(query: &DisagreementQuery, order: DisagreementOrder) -> DisagreementQuery {
    let descending = query.order == order && !query.descending;
    DisagreementQuery { order, descending, page: 0, ..*query }
}

/// The rows of the adjudication list that stand behind a pair's coefficient.
pub(crate) fn of_pair(switches: Switches, first: MemberId, second: MemberId) -> DisagreementFilter {
    DisagreementFilter {
        documents: switches.counted_documents(),
        first: Some(first),
        second: Some(second),
        question: switches.filter.question,
        label: switches.filter.label,
        document: switches.filter.document,
        round: switches.filter.round,
        ..DisagreementFilter::default()
    }
}

/// The address of a page of a pair's disagreements, counted from 0.
pub(crate) fn pair_page_address(
    project: ProjectId,
    (first, second): (MemberId, MemberId),
    switches: Switches,
    page: u64,
) -> String {
    let address = pair_address(project, first, second, switches);
    format!("{address}&part=differences&page={}", page.saturating_add(1))
}

/// The address of the adjudication list.
pub(crate) fn disagreements_address(project: ProjectId, query: &DisagreementQuery) -> String {
    format!("/projects/{project}/review/disagreements?{}", write_disagreements(query))
}

/// The address of the adjudication list as a file; a file has no pages.
pub(crate) fn export_address(
    project: ProjectId,
    query: &DisagreementQuery,
    extension: &str,
) -> String {
    let query = write_disagreements(&DisagreementQuery { page: 0, ..*query });
    format!("/api/v1/projects/{project}/disagreements.{extension}?{query}")
}

/// The parameters of a query. None of the values has a character to be escaped: numbers and the
/// names of switches.
fn parameters(query: &DisagreementQuery) -> Vec<(&'static str, String)> {
    fn given(name: &'static str, value: Option<impl Display>) -> Option<(&'static str, String)> {
        value.map(|value| (name, value.to_string()))
    }

    let DisagreementQuery { filter, order, descending, page } = query;
    [
        given("documents", Some(filter.documents)),
        given("question", filter.question),
        given("label", filter.label),
        given("first", filter.first),
        given("second", filter.second),
        given("kind", filter.kind),
        given("decided", filter.decided),
        given("document", filter.document),
        given("round", filter.round),
        given("order", (*order != DisagreementOrder::default()).then_some(order)),
        given("descending", descending.then_some(true)),
        given("page", (*page > 0).then(|| page.saturating_add(1))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use domain::{
        AttributeId, DisagreementKind, DocumentId, Documents, LabelId, Measure, PolicyChoice,
        RoundId,
    };

    use super::*;
    use crate::query::switches::tests::get;

    fn full_query() -> DisagreementQuery {
        DisagreementQuery {
            filter: DisagreementFilter {
                documents: Documents::Submitted,
                question: Some(AttributeId(6)),
                label: Some(LabelId(3)),
                first: Some(MemberId(1)),
                second: Some(MemberId(2)),
                kind: Some(DisagreementKind::OneSided),
                decided: Some(false),
                document: Some(DocumentId(9)),
                round: Some(RoundId(2)),
            },
            order: DisagreementOrder::Decided,
            descending: true,
            page: 4,
        }
    }

    #[test]
    fn a_full_disagreement_query_survives_the_address() {
        let written = write_disagreements(&full_query());
        assert_eq!(
            written,
            "documents=submitted&question=6&label=3&first=1&second=2&kind=one-sided&decided=false\
             &document=9&round=2&order=decided&descending=true&page=5"
        );
        assert_eq!(read_disagreements(get(&written)), full_query());
    }

    #[test]
    fn an_empty_field_of_the_form_asks_for_nothing() {
        let query = read_disagreements(get("documents=saved&label=&first=&kind=&decided="));
        assert_eq!(query, DisagreementQuery::default());
        assert_eq!(write_disagreements(&query), "documents=saved");
    }

    #[test]
    fn changing_a_field_keeps_the_others_and_leads_to_the_first_page() {
        let changed = with_field(&full_query(), "kind", "boundary");
        assert_eq!(changed.filter.kind, Some(DisagreementKind::Boundary));
        assert_eq!(changed.filter.label, Some(LabelId(3)));
        assert_eq!((changed.order, changed.descending), (DisagreementOrder::Decided, true));
        assert_eq!(changed.page, 0);
        assert_eq!(with_field(&full_query(), "label", "").filter.label, None);
    }

    #[test]
    fn sorting_again_by_the_same_column_turns_the_order_round() {
        let by_kind = sorted_by(&full_query(), DisagreementOrder::Kind);
        assert_eq!((by_kind.order, by_kind.descending), (DisagreementOrder::Kind, false));
        assert!(sorted_by(&by_kind, DisagreementOrder::Kind).descending);
        assert_eq!(by_kind.page, 0);
    }

    #[test]
    fn the_empty_label_policy_lists_submitted_documents_only() {
        let switches = Switches { policy: PolicyChoice::EmptyLabel, ..Switches::default() };
        let filter = of_pair(switches, MemberId(7), MemberId(5));
        assert_eq!(filter.documents, Documents::Submitted);
        assert_eq!((filter.first, filter.second), (Some(MemberId(7)), Some(MemberId(5))));
        let f1 = Switches { measure: Measure::F1, ..switches };
        assert_eq!(of_pair(f1, MemberId(7), MemberId(5)).documents, Documents::Saved);
    }

    #[test]
    fn an_export_has_no_pages() {
        let address = export_address(ProjectId(1), &full_query(), "csv");
        assert!(address.starts_with("/api/v1/projects/1/disagreements.csv?documents=submitted"));
        assert!(!address.contains("page="), "{address}");
    }
}
