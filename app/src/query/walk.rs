//! A walk through a list, in addresses: the list's own parameters, and where on it somebody is.

use domain::{
    ActId, Choice, Error, Position, ProjectId, SeenPosition, WalkDecision, WalkList, WalkQuery,
    Walked, Why,
};

use super::{
    disagreements::{disagreements_address, read_disagreements, write_disagreements},
    positions::{positions_address, read_positions, write_positions},
    switches::read,
};

/// The name by which the parameters of a positions list are known from those of the disagreements.
const POSITIONS: &str = "positions";

/// The same of a label, and the parameter that names it.
const LABEL: &str = "label";

/// The walk that a query string names; what it leaves out or misspells is not asked for.
pub(crate) fn read_walk(get: impl Fn(&str) -> Option<String>) -> WalkQuery {
    let list = match (get("list").as_deref(), read(&get, LABEL)) {
        (Some(POSITIONS), _) => WalkList::Positions(read_positions(&get)),
        (Some(LABEL), Some(label)) => WalkList::Label(label),
        _ => WalkList::Disagreements(read_disagreements(&get)),
    };
    WalkQuery { list: without_page(list), at: read(&get, "at"), act: read(&get, "act") }
}

/// The walk that a query string names, as a form brings it.
fn read_walk_text(text: &str) -> WalkQuery {
    read_walk(|name| {
        let mut parameters = text.split('&').filter_map(|pair| pair.split_once('='));
        parameters.find(|(given, _)| *given == name).map(|(_, value)| value.to_owned())
    })
}

/// The query string of a list that is walked through. None of the values has a character to be
/// escaped.
pub(crate) fn write_walk(list: &WalkList) -> String {
    match without_page(list.clone()) {
        WalkList::Disagreements(query) => write_disagreements(&query),
        WalkList::Positions(query) => format!("list={POSITIONS}&{}", write_positions(&query)),
        WalkList::Label(label) => format!("list={LABEL}&{LABEL}={label}"),
    }
}

/// The address of a walk: at a position, or where it begins, with what was just done.
pub(crate) fn walk_address(
    project: ProjectId,
    list: &WalkList,
    at: Option<Position>,
    act: Option<ActId>,
) -> String {
    let at = at.map(|at| format!("&at={at}")).unwrap_or_default();
    let act = act.map(|act| format!("&act={act}")).unwrap_or_default();
    format!("/projects/{project}/review/walk?{}{at}{act}", write_walk(list))
}

/// The address where a walk, as a form brings it, goes on after something was done.
pub(crate) fn walk_on_address(project: ProjectId, walk: &str, walked: &Walked) -> String {
    walk_address(project, &read_walk_text(walk).list, Some(walked.to), Some(walked.act))
}

/// What was decided on a walk, as a form brings it, with the reason in the list's words and one's own.
pub(crate) fn read_decision(
    walk: &str,
    from: Position,
    seen: Vec<SeenPosition>,
    choice: Choice,
    Why { reason, note }: &Why,
) -> Result<WalkDecision, Error> {
    let note = domain::because(reason, note)?;
    Ok(WalkDecision { list: read_walk_text(walk).list, from, seen, choice, note })
}

/// The address of a position in the review of its document, or of the review where it is all of it.
pub(crate) fn review_address(Position { document, range }: Position) -> String {
    let place = format!("#{}-{}", range.start, range.end);
    format!("/documents/{document}/review{}", if range.is_empty() { "" } else { &place })
}

/// The address of the positions that are like the one at which a walk is.
pub(crate) fn alike_address(project: ProjectId, list: &WalkList, at: Position) -> String {
    format!("/projects/{project}/review/walk/alike?{}&at={at}", write_walk(list))
}

/// The address of the list itself.
pub(crate) fn list_address(project: ProjectId, list: &WalkList) -> String {
    match list {
        WalkList::Disagreements(query) => disagreements_address(project, query),
        WalkList::Positions(query) => positions_address(project, query),
        WalkList::Label(_) => format!("/projects/{project}/review#labels"),
    }
}

fn without_page(list: WalkList) -> WalkList {
    match list {
        WalkList::Disagreements(query) => {
            WalkList::Disagreements(domain::DisagreementQuery { page: 0, ..query })
        }
        WalkList::Positions(query) => {
            WalkList::Positions(domain::PositionQuery { page: 0, ..query })
        }
        WalkList::Label(label) => WalkList::Label(label),
    }
}

#[cfg(test)]
mod tests {
    use domain::{
        Boundary, DisagreementFilter, DisagreementKind, DisagreementQuery, DocumentId, LabelId,
        MemberId, PositionQuery, Range, Switches, Whose,
    };

    use super::*;

    #[test]
    fn a_walk_survives_the_address_whatever_list_it_goes_through() {
        let filter = DisagreementFilter {
            kind: Some(DisagreementKind::Boundary),
            decided: Some(false),
            label: Some(LabelId(4)),
            ..DisagreementFilter::default()
        };
        let disagreements = DisagreementQuery { filter, page: 3, ..DisagreementQuery::default() };
        let pair = Whose::Pair(MemberId(2), MemberId(3));
        let positions = PositionQuery {
            boundary: Some(Boundary::Split),
            page: 3,
            ..PositionQuery::of(pair, Switches::default())
        };
        let by_label = WalkList::Label(LabelId(12));
        for list in
            [WalkList::Disagreements(disagreements), WalkList::Positions(positions), by_label]
        {
            let at = Position { document: DocumentId(9), range: Range::new(4, 11) };
            let address = walk_address(ProjectId(1), &list, Some(at), Some(ActId(7)));
            let (_, text) = address.split_once('?').unwrap();
            let read = read_walk_text(text);
            assert_eq!((read.at, read.act), (Some(at), Some(ActId(7))));
            // A walk has no pages.
            assert_eq!(read.list, without_page(list.clone()));
            assert_eq!(write_walk(&read.list), write_walk(&list));
            let is_label = matches!(list, WalkList::Label(_));
            assert_eq!(list_address(ProjectId(1), &list).contains("page=4"), !is_label);
        }
    }
}
