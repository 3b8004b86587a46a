//! The board and what is asked of it, in addresses.

use domain::{
    AssignmentQuery, BoardQuery, FlagKind, LoadOrder, MemberId, ProjectId, Sorting, WorkState,
    WorkloadAsk, WorkloadKind,
};

use super::switches::{read, read_page};

/// What the board is asked for.
pub(crate) fn read_board(get: impl Fn(&str) -> Option<String>) -> BoardQuery {
    let typed = |name: &str| get(name).map(|text| text.trim().to_owned());
    let ask = get("kind").and_then(|kind| match kind.as_str() {
        GIVE => Some(read_give(typed)),
        kind => Some(WorkloadAsk {
            kind: kind.parse().ok()?,
            from: read(&typed, "from"),
            to: read(&typed, "to"),
            ..read_choice(typed)
        }),
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

/// What giving documents is called in addresses, whoever gets them.
pub(crate) const GIVE: &str = "give";

/// What a person is called among those who may get documents; numbers are of labelers.
pub(crate) fn named_labeler(member: MemberId) -> String {
    format!("m{member}")
}

/// Documents to so many labelers each, to one and some of them to a second, or to one by name.
fn read_give(typed: impl Fn(&str) -> Option<String>) -> WorkloadAsk {
    let choice = read_choice(&typed);
    let who = typed("who").unwrap_or_default();
    let to = who.strip_prefix('m').and_then(|member| member.parse().ok());
    let overlap = who.parse().unwrap_or(1);
    let kind = match (to, overlap, choice.percent) {
        (Some(_), ..) => WorkloadKind::Person,
        (None, 1, 1..) => WorkloadKind::Double,
        _ => WorkloadKind::Overlap,
    };
    let unassigned = typed("of").as_deref() != Some("all");
    WorkloadAsk { kind, to, overlap, unassigned, ..choice }
}

/// Which documents, and by when.
fn read_choice(typed: impl Fn(&str) -> Option<String>) -> WorkloadAsk {
    let usual = WorkloadAsk::default();
    WorkloadAsk {
        overlap: read(&typed, "overlap").unwrap_or(usual.overlap),
        percent: read(&typed, "percent").unwrap_or(usual.percent),
        first: read(&typed, "first").unwrap_or(usual.first),
        last: read(&typed, "last"),
        most: read(&typed, "most"),
        due: read(&typed, "due"),
        ..usual
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
    let question = if parameters.is_empty() { "" } else { "?" };
    format!("/projects/{project}/work/people{question}{}", parameters.join("&"))
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
    let question = if parameters.is_empty() { "" } else { "?" };
    format!("/projects/{project}/work/assignments{question}{}", parameters.join("&"))
}

#[cfg(test)]
mod tests {
    use domain::DocumentId;

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
    fn a_sentence_asks_with_its_words_and_an_empty_one_for_the_usual() {
        let ask = |address: &str| read_board(|name| field(address, name)).ask.unwrap();
        let double = ask("?kind=give&most=10&of=unassigned&who=1&percent=30&due=2026-12-01");
        assert_eq!(
            (double.kind, double.percent, double.most),
            (WorkloadKind::Double, 30, Some(10))
        );
        assert!(double.unassigned);
        assert_eq!(double.due.unwrap().to_string(), "2026-12-01");
        let once = ask("?kind=give&who=1&percent=0&most=");
        assert_eq!((once.kind, once.overlap, once.most), (WorkloadKind::Overlap, 1, None));
        let twice = ask("?kind=give&of=all&who=2&percent=30&first=&last=10");
        assert_eq!((twice.kind, twice.overlap), (WorkloadKind::Overlap, 2));
        assert_eq!((twice.unassigned, twice.first, twice.last), (false, 1, Some(10)));
        let person = ask("?kind=give&who=m7");
        assert_eq!((person.kind, person.to), (WorkloadKind::Person, Some(MemberId(7))));
        let moved = ask("?kind=hand-over&from=3&to=7&first=2&last=2");
        assert_eq!((moved.kind, moved.from), (WorkloadKind::HandOver, Some(MemberId(3))));
        assert_eq!(read_board(|_| None).ask, None);
        assert_eq!(read_board(|name| field("?kind=lend", name)).ask, None);
    }
}
