//! A cell of the matrix: a link to the pair behind the number.

use domain::{MemberId, Rater};

use crate::pages::components::{agreement::pictures::IntervalBar, prelude::*};

use super::{
    board::{Board, pair_key},
    face::{Face, face},
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
        Some(face) if face.few.is_some() => format!("cell pair {} weak", face.class),
        Some(face) => format!("cell pair {}", face.class),
        None => "cell pair undefined".to_owned(),
    };
    let here = (row.id, column.id);
    let is_first = board.first_pair == Some(here);
    let (first, second) = pair_key(row.id, column.id);
    let names = format!("{} and {}: ", row.name, column.name);
    let texts = face.map(texts);
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
pub(crate) fn cell_id((row, column): (MemberId, MemberId)) -> String {
    format!("pair-{row}-{column}")
}

/// The whole in a sentence, and what is seen of it: the value on its interval; the rest shows where one
/// points.
pub(crate) fn texts(face: Face) -> (String, AnyView) {
    let Face { value, word, interval, drawn, basis, sentence, few, .. } = face;
    let few = few.map(|few| view! { <span class="few">{few}</span> });
    let (seen, told) = match drawn {
        Some((value, ends)) => (
            view! { <IntervalBar value interval=ends/> },
            Some(view! { <span class="word">{word}</span>" " }),
        ),
        None => (view! { <span class="word">{word}</span> }, None),
    };
    let shown = view! {
        <span class="top"><span class="value">{value}</span></span>
        {few}
        {seen}
        <span class="rest">{told}<span class="interval">{interval}</span>" "<span class="basis">{basis}</span></span>
    };
    (sentence, shown)
}
