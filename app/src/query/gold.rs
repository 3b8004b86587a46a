//! The gold standard in addresses.

use domain::{DocumentId, GoldCompare, GoldOrder, GoldQuery, ProjectId};

use super::{
    positions::{read_sorting, write_sorting},
    switches::{read, read_page},
};

/// The documents that a query string asks for.
pub(crate) fn read_gold(get: impl Fn(&str) -> Option<String>) -> GoldQuery {
    GoldQuery {
        label: read(&get, "label"),
        open: get("only").as_deref() == Some("open"),
        sorting: read_sorting::<GoldOrder>(&get),
    }
}

/// The address of the list of documents.
pub(crate) fn gold_address(project: ProjectId, query: &GoldQuery) -> String {
    let GoldQuery { label, open, sorting } = query;
    let label = label.map(|label| format!("&label={label}")).unwrap_or_default();
    let open = if *open { "&only=open" } else { "" };
    let parameters = format!("{label}{open}{}", write_sorting(sorting, "page"));
    match parameters.strip_prefix('&') {
        Some(parameters) => format!("/projects/{project}/review/gold?{parameters}"),
        None => format!("/projects/{project}/review/gold"),
    }
}

/// The address of a document: as of now, or as a version has it.
pub(crate) fn gold_document_address(
    project: ProjectId,
    document: DocumentId,
    version: Option<i64>,
) -> String {
    let version = version.map(|number| format!("?version={number}")).unwrap_or_default();
    format!("/projects/{project}/review/gold/documents/{document}{version}")
}

/// What is to be compared; without a number it is what is gold now.
pub(crate) fn read_comparison(get: impl Fn(&str) -> Option<String>) -> GoldCompare {
    GoldCompare {
        from: read(&get, "from"),
        to: read(&get, "to"),
        kind: read(&get, "kind"),
        page: read_page(get),
    }
}

/// The address of a comparison.
pub(crate) fn comparison_address(project: ProjectId, query: &GoldCompare) -> String {
    let GoldCompare { from, to, kind, page } = query;
    let version = |number: &Option<i64>| number.map_or("now".to_owned(), |n| n.to_string());
    let kind = kind.map(|kind| format!("&kind={kind}")).unwrap_or_default();
    let page = if *page == 0 { String::new() } else { format!("&page={}", page.saturating_add(1)) };
    let (from, to) = (version(from), version(to));
    format!("/projects/{project}/review/gold/compare?from={from}&to={to}{kind}{page}")
}

#[cfg(test)]
mod tests {
    use domain::{GoldChangeKind, LabelId, Sorting};

    use super::*;

    fn field(address: &str, name: &str) -> Option<String> {
        let (_, parameters) = address.split_once('?')?;
        let mut parameters = parameters.split('&').filter_map(|pair| pair.split_once('='));
        parameters.find(|(given, _)| *given == name).map(|(_, value)| value.to_owned())
    }

    #[test]
    fn what_is_asked_for_survives_the_address() {
        let sorting = Sorting { order: GoldOrder::Open, descending: true, page: 2 };
        for query in [
            GoldQuery::default(),
            GoldQuery { label: Some(LabelId(4)), open: true, sorting },
            GoldQuery { open: true, ..GoldQuery::default() },
        ] {
            let address = gold_address(ProjectId(1), &query);
            assert_eq!(read_gold(|name| field(&address, name)), query, "{address}");
        }
        for query in [
            GoldCompare { from: Some(1), to: None, kind: None, page: 0 },
            GoldCompare { from: None, to: Some(3), kind: Some(GoldChangeKind::Removed), page: 4 },
        ] {
            let address = comparison_address(ProjectId(1), &query);
            assert_eq!(read_comparison(|name| field(&address, name)), query, "{address}");
        }
    }
}
