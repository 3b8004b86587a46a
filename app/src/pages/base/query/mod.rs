//! The adjudication list and what belongs to a pair in addresses.

mod gold;
mod positions;
mod walk;
mod workload;

use std::fmt::Display;

use domain::{
    DisagreementFilter, DisagreementOrder, DisagreementQuery, MemberId, ProjectId, Switches,
    TimeSwitches,
};

pub(crate) use gold::{
    comparison_address, gold_address, gold_document_address, read_comparison, read_gold,
};
pub(crate) use positions::{
    PairLook, parts_address, positions_address, read_look, read_positions, read_sorting,
};

pub(crate) use workload::{board_address, copies_address, read_board, read_copies};

pub(crate) use walk::{alike_address, list_address, read_walk, write_walk};
pub(crate) use walk::{read_walk_text, walk_address};

pub(crate) use crate::query::{matrix_address, pair_address, read_page};
use crate::query::{read, write_switches};

/// The disagreement query that a query string names; what it leaves out or misspells is the
/// default.
pub(crate) fn read_disagreements(get: impl Fn(&str) -> Option<String>) -> DisagreementQuery {
    DisagreementQuery {
        filter: DisagreementFilter {
            documents: read(&get, "documents").unwrap_or_default(),
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
        label: switches.filter.label,
        document: switches.filter.document,
        round: switches.filter.round,
        ..DisagreementFilter::default()
    }
}

/// What a page follows that loads itself again, as the stream of revisions is asked for it.
pub(crate) fn followed(project: ProjectId, switches: Switches) -> String {
    format!("{project}?{}", write_switches(switches))
}

/// The address of a page of a pair's disagreements, counted from 0.
pub(crate) fn pair_page_address(
    project: ProjectId,
    (first, second): (MemberId, MemberId),
    switches: Switches,
    page: u64,
) -> String {
    let address = pair_address(project, first, second, switches);
    format!("{address}&page={}#disagreements", page.saturating_add(1))
}

/// The address of the adjudication list.
pub(crate) fn disagreements_address(project: ProjectId, query: &DisagreementQuery) -> String {
    format!("/projects/{project}/disagreements?{}", write_disagreements(query))
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

/// The switches of agreement over time that a query string names; what it leaves out or misspells
/// is the default.
pub(crate) fn read_time_switches(get: impl Fn(&str) -> Option<String>) -> TimeSwitches {
    let default = TimeSwitches::default();
    TimeSwitches {
        subject: read(&get, "subject").unwrap_or(default.subject),
        measure: read(&get, "measure").unwrap_or(default.measure),
        policy: read(&get, "policy").unwrap_or(default.policy),
        documents: read(&get, "documents").unwrap_or(default.documents),
        scale: read(&get, "scale").unwrap_or(default.scale),
    }
}

/// The address of agreement over time, with all switches.
pub(crate) fn time_address(project: ProjectId, switches: TimeSwitches) -> String {
    let TimeSwitches { subject, measure, policy, documents, scale } = switches;
    format!(
        "/projects/{project}/time?subject={subject}&measure={measure}&policy={policy}\
         &documents={documents}&scale={scale}"
    )
}

#[cfg(test)]
mod tests {
    use domain::{
        DisagreementKind, DocumentId, Documents, LabelId, Measure, PolicyChoice, RoundId,
    };

    use super::*;
    use crate::query::tests::get;

    fn full_query() -> DisagreementQuery {
        DisagreementQuery {
            filter: DisagreementFilter {
                documents: Documents::Submitted,
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
            "documents=submitted&label=3&first=1&second=2&kind=one-sided&decided=false&document=9\
             &round=2&order=decided&descending=true&page=5"
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

    #[test]
    fn every_combination_of_switches_over_time_survives_the_address() {
        for &subject in domain::TimeSubject::ALL {
            for &measure in domain::SeveralMeasure::ALL {
                for &policy in PolicyChoice::ALL {
                    for &scale in domain::ScaleChoice::ALL {
                        let documents = Documents::Submitted;
                        let switches = TimeSwitches { subject, measure, policy, documents, scale };
                        let address = time_address(ProjectId(3), switches);
                        let query = address.strip_prefix("/projects/3/time?").unwrap();
                        assert_eq!(read_time_switches(get(query)), switches);
                    }
                }
            }
        }
        assert_eq!(read_time_switches(get("measure=gamma")), TimeSwitches::default());
    }
}
