//! What was decided just now, with its undo.

use std::sync::Arc;

use domain::{ActSummary, Label, ProjectId, WalkList};

use crate::{api::review::walk::Undo, pages::components::prelude::*};

/// The last act in words; the line is there from the start, so that a change of it is announced.
#[component]
pub(super) fn Acted(
    project: ProjectId,
    list: WalkList,
    act: Option<ActSummary>,
    labels: Arc<[Label]>,
) -> impl IntoView {
    let (undo, refused) = form_action::<Undo>();
    let words = act.as_ref().map(|act| in_words(act, &labels)).unwrap_or_default();
    let left_alone = act.as_ref().map(|act| act.left_alone.clone()).unwrap_or_default();
    let left_alone = (!left_alone.is_empty()).then(|| {
        let links = left_alone
            .into_iter()
            .map(|position| {
                let address = query::walk_address(project, &list, Some(position), None);
                let range = position.range;
                view! { <li><a href=address data-step="">{format!("{}–{}", range.start, range.end)}</a></li> }
            })
            .collect_view();
        view! { <ul class="plain-list row" aria-label="Kept">{links}</ul> }
    });
    let open = act.filter(|act| !act.undone).map(|act| {
        view! {
            <ActionForm action=undo attr:data-step="">
                {hidden_fields([("project", &project), ("walk", &query::write_walk(&list)), ("act", &act.id)])}
                <button class="small" data-key="u">"Undo "<kbd aria-hidden="true">"U"</kbd></button>
            </ActionForm>
        }
    });
    view! {
        <div class="row acted">
            <p role="status" dir="auto">{words}</p>
            {open}
            {left_alone}
            <Problem refusal=refused/>
        </div>
    }
}

/// "Rejected “Hamlet”.", "Decided PER on “Hamlet” and 13 others like it."
fn in_words(act: &ActSummary, labels: &[Label]) -> String {
    let what = match &act.decided {
        None => "Undid the decision on".to_owned(),
        Some(set) if set.is_empty() => "Rejected".to_owned(),
        Some(set) => format!("Decided {} on", naming::category(set, labels)),
    };
    let others = match (act.rejected, act.positions) {
        (0, _) if act.is_group => String::new(),
        (1, _) => "; 1 other rejected".to_owned(),
        (n, _) if n > 1 => format!("; {} others rejected", display::thousands(n)),
        (_, 0 | 1) => String::new(),
        (_, n) => format!(" and {} like it", display::count(n - 1, "other")),
    };
    let quote = &act.quote;
    if !act.undone {
        return format!("{what} “{quote}”{others}.");
    }
    let left = match act.left_alone.len() {
        0 => String::new(),
        n => {
            let n = u64::try_from(n).unwrap_or(u64::MAX);
            format!(
                " {} kept: changed since, or review finished.",
                if n == 1 {
                    "1 position".to_owned()
                } else {
                    format!("{} positions", display::thousands(n))
                }
            )
        }
    };
    format!("Undone: {what} “{quote}”{others}.{left}")
}

#[cfg(test)]
mod tests {
    use domain::{ActId, DocumentId, LabelId, LabelSet, Position, Range};

    use super::*;

    fn act(decided: Option<LabelSet>, positions: u64) -> ActSummary {
        ActSummary {
            id: ActId(1),
            decided,
            positions,
            is_group: false,
            rejected: 0,
            quote: "Hamlet".into(),
            undone: false,
            left_alone: Vec::new(),
        }
    }

    #[test]
    fn an_act_is_told_with_how_much_it_touched() {
        let told = |act: ActSummary| in_words(&act, &[]);
        assert_eq!(told(act(Some(LabelSet::EMPTY), 1)), "Rejected “Hamlet”.");
        assert_eq!(told(act(None, 1)), "Undid the decision on “Hamlet”.");
        let many = act(Some(LabelSet::one(LabelId(4))), 14);
        assert_eq!(told(many), "Decided label 4 on “Hamlet” and 13 others like it.");
        let of_three =
            ActSummary { is_group: true, rejected: 2, ..act(Some(LabelSet::one(LabelId(4))), 3) };
        assert_eq!(told(of_three.clone()), "Decided label 4 on “Hamlet”; 2 others rejected.");
        let none_of_them = ActSummary { is_group: true, ..act(Some(LabelSet::EMPTY), 3) };
        assert_eq!(told(none_of_them), "Rejected “Hamlet”.");
        let undone = ActSummary { undone: true, ..of_three };
        assert_eq!(told(undone), "Undone: Decided label 4 on “Hamlet”; 2 others rejected.");
    }

    #[test]
    fn an_undo_says_what_it_left_alone() {
        let position = Position { document: DocumentId(1), range: Range::new(0, 2) };
        let undone = ActSummary {
            undone: true,
            left_alone: vec![position],
            ..act(Some(LabelSet::EMPTY), 2)
        };
        assert_eq!(
            in_words(&undone, &[]),
            "Undone: Rejected “Hamlet” and 1 other like it. 1 position kept: changed since, or \
             review finished."
        );
    }
}
