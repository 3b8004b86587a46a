//! What labelers answered about the document.

use crate::islands::{prelude::*, reviewer::session::Facts};

/// A row for each labeler who has answered something; nothing where nobody has.
#[component]
pub(crate) fn OfDocument<'a>(facts: &'a Facts) -> impl IntoView + use<> {
    let row = |assignment: &domain::ReviewedAssignment| {
        let rater = &assignment.rater;
        let of_document =
            facts.choices.iter().find(|(member, range, _)| *member == rater.id && range.is_empty());
        of_document.map(|(.., words)| {
            view! {
                <tr>
                    <th scope="row"><bdi>{rater.name.clone()}</bdi></th>
                    <td dir="auto">{words.clone()}</td>
                </tr>
            }
        })
    };
    let rows: Vec<_> = facts.assignments.iter().filter_map(row).collect();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="card" aria-labelledby="of-document-title">
                <h2 id="of-document-title">"Document"</h2>
                <table class="answers"><tbody>{rows}</tbody></table>
            </section>
        }
    })
}
