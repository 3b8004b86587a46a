//! A cell of the matrix: a link to the pair behind the number.

use domain::{MemberId, Rater};

use crate::pages::components::prelude::*;

use super::{
    board::{Board, pair_key},
    face::{Face, face, few_words},
};

/// The cell of two raters: a link, unless they are the same. What the page's script compares
/// with what was seen before stands in `data-pair` and `data-n`.
pub(super) fn cell(board: &Board, row: &Rater, column: &Rater) -> AnyView {
    if row.id == column.id {
        return view! { <td class="cell same">"—"<span class="visually-hidden">"the same person"</span></td> };
    }
    let cell = board.cell(row.id, column.id);
    let face = cell.map(|cell| face(cell, board.snapshot.switches.scale));
    let class = match &face {
        Some(face) if face.few => format!("cell pair {} weak", face.class),
        Some(face) => format!("cell pair {}", face.class),
        None => "cell pair undefined".to_owned(),
    };
    let here = (row.id, column.id);
    let is_first = board.first_pair == Some(here);
    let (first, second) = pair_key(row.id, column.id);
    let names = format!("{} and {}: ", row.name, column.name);
    let small_with = board.is_large().then(|| cell.map_or(0, |cell| cell.n));
    let texts = face.map(|face| texts(face, small_with));
    let title = texts.as_ref().map(|(sentence, _)| sentence.clone());
    view! {
        <td class=class data-pair=format!("{first}-{second}") data-n=cell.map(|cell| cell.n.to_string())>
            <a
                id=cell_id(here)
                href=board.address(row.id, column.id)
                title=title
                tabindex=if is_first { "0" } else { "-1" }
            >
                <span class="visually-hidden" dir="auto">{names}</span>
                {texts.map(|(_, texts)| texts)}
            </a>
        </td>
    }
}

/// The id of a cell's link: a new rendering finds it by it.
fn cell_id((row, column): (MemberId, MemberId)) -> String {
    format!("pair-{row}-{column}")
}

/// The whole in a sentence, and what is seen of it: in a small cell value, n and interval.
pub(crate) fn texts(face: Face, small_with: Option<u64>) -> (String, AnyView) {
    let Face { value, word, interval, basis, sentence, few, .. } = face;
    if let Some(n) = small_with {
        let basis = if basis.is_empty() { basis } else { format!("n={}", display::thousands(n)) };
        let shown = view! {
            <span class="top"><span class="value">{value}</span><span class="basis">{basis}</span></span>
            <span class="interval">{if interval.is_empty() { word.to_owned() } else { interval }}</span>
        };
        return (sentence, shown);
    }
    let few = few.then(|| view! { <span class="few">{few_words()}</span> });
    let shown = view! {
        <span class="top"><span class="value">{value}</span></span>
        <span class="word">{word}</span>
        <span class="interval">{interval}</span>
        <span class="basis">{basis}{few}</span>
    };
    (sentence, shown)
}
