//! The board and what is asked of it, in addresses.

use domain::{
    AssignmentQuery, BoardQuery, FlagKind, LoadOrder, ProjectId, Sorting, WorkState, WorkloadAsk,
};

use super::switches::{read, read_page};

/// What the board is asked for.
pub(crate) fn read_board(get: impl Fn(&str) -> Option<String>) -> BoardQuery {
    let typed = |name: &str| get(name).map(|text| text.trim().to_owned());
    let usual = WorkloadAsk::default();
    let ask = read(&get, "kind").map(|kind| WorkloadAsk {
        kind,
        from: read(&typed, "from"),
        to: read(&typed, "to"),
        overlap: read(&typed, "overlap").unwrap_or(usual.overlap),
        percent: read(&typed, "percent").unwrap_or(usual.percent),
        first: read(&typed, "first").unwrap_or(usual.first),
        last: read(&typed, "last"),
        unassigned: get("unassigned").is_some(),
        due: read(&typed, "due"),
    });
    let sorting = |order: &str, descending: &str, page: u64| Sorting::<LoadOrder> {
        order: read(&get, order).unwrap_or_default(),
        descending: read(&get, descending).unwrap_or_default(),
        page,
    };
    BoardQuery {
        ask,
        people: sorting("people", "people-down", 0),
        documents: sorting("order", "descending", read_page(&get)),
    }
}

/// The address of the board in other orders; what was asked for is left out.
pub(crate) fn board_address(
    project: ProjectId,
    people: &Sorting<LoadOrder>,
    documents: &Sorting<LoadOrder>,
) -> String {
    let mut parameters = Vec::new();
    if people.order != LoadOrder::default() {
        parameters.push(format!("people={}", people.order));
    }
    if people.descending {
        parameters.push("people-down=true".to_owned());
    }
    if documents.order != LoadOrder::default() {
        parameters.push(format!("order={}", documents.order));
    }
    if documents.descending {
        parameters.push("descending=true".to_owned());
    }
    if documents.page > 0 {
        parameters.push(format!("page={}", documents.page.saturating_add(1)));
    }
    let mark = if parameters.is_empty() { "" } else { "?" };
    format!("/projects/{project}/work/people{mark}{}", parameters.join("&"))
}

/// Which assignments a query string asks for.
pub(crate) fn read_assignments(get: impl Fn(&str) -> Option<String>) -> AssignmentQuery {
    let state = get("state");
    AssignmentQuery {
        member: read(&get, "member"),
        document: read(&get, "document"),
        state: state.as_deref().and_then(|state| state.parse::<WorkState>().ok()),
        overdue: state.as_deref() == Some("overdue"),
        flag: state.as_deref().and_then(|state| state.parse().ok()),
        page: read_page(get),
    }
}

/// The address of the assignments behind a number.
pub(crate) fn assignments_address(project: ProjectId, query: &AssignmentQuery) -> String {
    let AssignmentQuery { member, document, state, overdue, flag, page } = query;
    let state = if *overdue { Some("overdue") } else { state.map(WorkState::name) };
    let state = state.or(flag.map(FlagKind::name));
    let parameters = [
        member.map(|id| format!("member={id}")),
        document.map(|id| format!("document={id}")),
        state.map(|state| format!("state={state}")),
        (*page > 0).then(|| format!("page={}", page.saturating_add(1))),
    ];
    let parameters: Vec<_> = parameters.into_iter().flatten().collect();
    let mark = if parameters.is_empty() { "" } else { "?" };
    format!("/projects/{project}/work/assignments{mark}{}", parameters.join("&"))
}

#[cfg(test)]
mod tests {
    use domain::{DocumentId, MemberId, WorkloadKind};

    use super::*;

    fn field(address: &str, name: &str) -> Option<String> {
        let (_, parameters) = address.split_once('?')?;
        let mut parameters = parameters.split('&').filter_map(|pair| pair.split_once('='));
        parameters.find(|(given, _)| *given == name).map(|(_, value)| value.to_owned())
    }

    #[test]
    fn orders_and_assignments_survive_the_address() {
        let people = Sorting { order: LoadOrder::Overdue, descending: true, page: 0 };
        let documents = Sorting { order: LoadOrder::Open, descending: false, page: 3 };
        let address = board_address(ProjectId(1), &people, &documents);
        let read = read_board(|name| field(&address, name));
        assert_eq!(read, BoardQuery { ask: None, people, documents });
        for query in [
            AssignmentQuery::default(),
            AssignmentQuery {
                member: Some(MemberId(4)),
                overdue: true,
                ..AssignmentQuery::default()
            },
            AssignmentQuery { flag: Some(FlagKind::Skip), ..AssignmentQuery::default() },
            AssignmentQuery {
                document: Some(DocumentId(2)),
                state: Some(WorkState::Saved),
                page: 2,
                ..AssignmentQuery::default()
            },
        ] {
            let address = assignments_address(ProjectId(1), &query);
            assert_eq!(read_assignments(|name| field(&address, name)), query, "{address}");
        }
    }

    #[test]
    fn a_form_asks_with_its_fields_and_an_empty_field_asks_for_the_usual() {
        let address = "?kind=double&percent=30&first=&last=10&due=2026-12-01&to=&unassigned=on";
        let ask = read_board(|name| field(address, name)).ask.unwrap();
        assert_eq!((ask.kind, ask.percent), (WorkloadKind::Double, 30));
        assert_eq!((ask.first, ask.last, ask.to, ask.unassigned), (1, Some(10), None, true));
        assert_eq!(ask.due.unwrap().to_string(), "2026-12-01");
        assert_eq!(read_board(|_| None).ask, None);
    }
}
