//! The adjudication list seen by two raters only, as a pair's page shows it.

use domain::{DisagreementList, MemberId};

/// The list with what these two raters said, and nobody else.
pub(crate) fn of_two(list: DisagreementList, two: [MemberId; 2]) -> DisagreementList {
    let kept: Vec<bool> = list.raters.iter().map(|rater| two.contains(&rater.id)).collect();
    let mut page = list.page;
    for row in &mut page.rows {
        row.judgements = keep(std::mem::take(&mut row.judgements), &kept);
    }
    DisagreementList { raters: keep(list.raters, &kept), page }
}

fn keep<T>(things: Vec<T>, kept: &[bool]) -> Vec<T> {
    things.into_iter().zip(kept).filter_map(|(thing, kept)| kept.then_some(thing)).collect()
}

#[cfg(test)]
mod tests {
    use domain::{
        Disagreement, DisagreementKind, DocumentId, Judgement, LabelId, LabelSet, Page, Range,
        Rater, Role,
    };

    use super::*;

    #[test]
    fn a_third_rater_leaves_every_row_with_what_they_said() {
        let rater = |id| Rater { id: MemberId(id), name: id.to_string(), role: Role::Labeler };
        let labels = |id| Judgement::Labels(LabelSet::one(LabelId(id)));
        let row = Disagreement {
            document: DocumentId(1),
            document_name: String::new(),
            range: Range::new(0, 1),
            quote: "a".into(),
            left: String::new(),
            right: String::new(),
            kind: DisagreementKind::Label,
            judgements: vec![labels(1), Judgement::Nothing, labels(3)],
            decision: None,
        };
        let list = DisagreementList {
            raters: vec![rater(1), rater(2), rater(3)],
            page: Page { rows: vec![row], total: 1, number: 0, size: 50 },
        };
        let list = of_two(list, [MemberId(3), MemberId(1)]);
        assert_eq!(list.raters, [rater(1), rater(3)]);
        assert_eq!(list.page.rows[0].judgements, [labels(1), labels(3)]);
    }
}
