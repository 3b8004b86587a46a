//! The labelers of a document side by side: one column for each and one for the decisions, the same
//! line of the text in one row. The review screen takes it over in place of the merged text.

use std::sync::Arc;

use domain::{
    Colour, Decision, DocumentId, Label, LabelSet, Range, ReviewPosition, ReviewView,
    ReviewedAssignment, Verdict,
};

use crate::{
    api::review::load_review,
    islands::{
        editor::text_view::{Layout, Mark, Picture},
        reviewer::positions::wording::{names, standing_sign, verdict_sign},
    },
    pages::components::prelude::*,
};

/// Lines that are longer, in characters, are cut where a sentence ends: nobody compares paragraphs
/// at a glance.
const LONG: u32 = 160;

#[component]
pub(crate) fn SidePage() -> impl IntoView {
    let document: DocumentId = in_path("document");
    let review = load(load_review(document));
    view! {
        <Title text="Side by side"/>
        <div class="page">
            <Loaded resource=review view=move |review: ReviewView| {
                let back = format!("/documents/{document}/review");
                let name = review.document_name.clone();
                view! {
                    <p><a href=back data-key="v">"← Review "<kbd aria-hidden="true">"V"</kbd></a></p>
                    <h1>"Side by side: "<bdi>{name}</bdi></h1>
                    <Side review/>
                }
            }/>
        </div>
    }
}

#[component]
fn Side(review: ReviewView) -> impl IntoView {
    let layout = Layout::new(Arc::from(review.text.as_str()));
    let assignments: Vec<_> = review
        .assignments
        .iter()
        .filter(|assignment| assignment.state.has_work())
        .cloned()
        .collect();
    let heads: Vec<_> = assignments
        .iter()
        .map(|assignment| view! { <th scope="col"><bdi>{assignment.rater.name.clone()}</bdi></th> })
        .collect();
    let nobody = assignments.is_empty().then(|| {
        view! { <p class="empty">"Nothing to compare: no labeler has saved this document."</p> }
    });
    let shown = Shown {
        document: review.document,
        positions: &review.content.positions,
        labels: &review.labels,
        assignments: &assignments,
        layout: &layout,
    };
    let of_document = of_document(&review, &assignments);
    let rows: Vec<_> =
        rows(&layout, shown.positions).into_iter().map(|row| shown.row(row)).collect();
    view! {
        <div class="side text-view" role="region" tabindex="0" aria-label="Labelers side by side">
            {nobody}
            <table class="rows disagreements">
                <caption class="visually-hidden">"Each line as labelled by each labeler, and as decided"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Positions"</th>
                        {heads}
                        <th scope="col">"Your decision"</th>
                    </tr>
                </thead>
                <tbody>{of_document}{rows}</tbody>
            </table>
        </div>
    }
}

/// What was answered about the document, by labeler; nothing where nobody has answered.
fn of_document(review: &ReviewView, assignments: &[ReviewedAssignment]) -> Option<AnyView> {
    let answers = |assignment: &ReviewedAssignment| {
        let mut all = review.choices.iter().filter(|(_, range, _)| range.is_empty());
        all.find(|(member, ..)| *member == assignment.rater.id).map(|(.., words)| words.clone())
    };
    let answers: Vec<_> = assignments.iter().map(answers).collect();
    if answers.iter().all(Option::is_none) {
        return None;
    }
    let cells = answers.into_iter().map(|words| view! { <td dir="auto">{words}</td> });
    Some(view! { <tr><th scope="row">"Document"</th>{cells.collect_view()}<td></td></tr> })
}

/// The lines of a text with something in them, long ones cut where sentences end, but through no
/// position.
fn rows(layout: &Layout, positions: &[ReviewPosition]) -> Vec<Range> {
    let is_within = |cut: u32| {
        let before = positions.partition_point(|position| position.range.start < cut);
        positions.iter().take(before).any(|position| position.range.end > cut)
    };
    let mut rows = Vec::new();
    for (number, block) in layout.blocks().iter().enumerate() {
        let mut start = block.range.start;
        if block.range.len() > LONG {
            // A cut lies where the next sentence begins, so that nothing of the text is left out.
            let cuts = layout.sentences(number).into_iter().skip(1).map(|sentence| sentence.start);
            for cut in cuts.filter(|cut| !is_within(*cut)) {
                rows.push(Range::new(start, cut));
                start = cut;
            }
        }
        rows.push(Range::new(start, block.range.end));
    }
    rows.retain(|row| !layout.slice(*row).trim().is_empty());
    rows
}

/// What the table is made of.
#[derive(Clone, Copy)]
struct Shown<'a> {
    document: DocumentId,
    /// In order of position.
    positions: &'a [ReviewPosition],
    labels: &'a [Label],
    assignments: &'a [ReviewedAssignment],
    layout: &'a Layout,
}

impl Shown<'_> {
    fn row(self, row: Range) -> AnyView {
        // In order of their starts: none after the first that starts behind the row can be in it.
        let before = self.positions.partition_point(|position| position.range.start < row.end);
        let here: Vec<_> = self
            .positions
            .iter()
            .take(before)
            .filter(|position| position.range.overlaps(row))
            .collect();
        let text = self.layout.slice(row).trim_end_matches(['\n', '\r']).to_owned();
        let columns = (self.assignments.len() + 1).to_string();
        if here.is_empty() {
            return view! {
                <tr>
                    <td></td>
                    <td colspan=columns class="soft" dir="auto">{text}</td>
                </tr>
            };
        }
        let line = Layout::new(Arc::from(text.as_str()));
        let links: Vec<_> = here
            .iter()
            .filter(|position| position.range.start >= row.start)
            .map(|position| self.link(position))
            .collect();
        let cells: Vec<_> = self
            .assignments
            .iter()
            .map(|assignment| {
                let marks = here.iter().filter_map(|position| {
                    let (_, set) = position.marked.iter().find(|(id, _)| *id == assignment.rater.id)?;
                    Some(self.mark(position, row, set, None))
                });
                let html = picture(&line, marks.collect());
                view! { <td data-head=assignment.rater.name.clone()><div class="text" inner_html=html></div></td> }
            })
            .collect();
        let decided = here.iter().filter_map(|position| {
            let decision = position.decision.as_ref()?;
            Some(self.mark(position, row, &decision.labels, Some(decision)))
        });
        let decided = picture(&line, decided.collect());
        view! {
            <tr>
                <th scope="row">{links}</th>
                {cells}
                <td data-head="Your decision"><div class="text" inner_html=decided></div></td>
            </tr>
        }
    }

    /// The way to a position in the review, with how the labelers stand there.
    fn link(self, position: &ReviewPosition) -> AnyView {
        let at = format!("{}-{}", position.range.start, position.range.end);
        let address = format!("/documents/{}/review#{at}", self.document);
        let state = match &position.decision {
            None => "undecided".to_owned(),
            Some(Decision { verdict: Verdict::Reject, .. }) => "✗ rejected".to_owned(),
            Some(Decision { verdict, labels, .. }) => {
                format!("{} {}", verdict_sign(*verdict), names(labels, self.labels))
            }
        };
        view! {
            <a href=address data-at=at>
                <span aria-hidden="true">{standing_sign(position.standing)}" "</span>
                {position.standing.name()}": "
                <q dir="auto">{self.layout.quote(position.range, 40)}</q>
            </a>
            <span class="names" dir="auto">{state}</span>
        }
    }

    /// The part of a span that lies in a row.
    fn mark(
        self,
        position: &ReviewPosition,
        row: Range,
        set: &LabelSet,
        decision: Option<&Decision>,
    ) -> Mark {
        let Range { start, end } = position.range;
        let range = Range::new(start.max(row.start) - row.start, end.min(row.end) - row.start);
        let name = names(set, self.labels);
        let tag: Arc<str> = match decision {
            None => name.into(),
            Some(Decision { verdict: Verdict::Reject, .. }) => "✗".into(),
            Some(decision) => format!("{} {name}", verdict_sign(decision.verdict)).into(),
        };
        Mark { range, colour: self.colour(set), class: "", title: Arc::clone(&tag), tag }
    }

    fn colour(self, set: &LabelSet) -> Option<Colour> {
        self.labels.iter().find(|label| set.contains(label.id)).map(|label| label.colour)
    }
}

fn picture(line: &Layout, mut marks: Vec<Mark>) -> String {
    // A mark may end with the break that ends its line.
    for mark in &mut marks {
        mark.range.end = mark.range.end.min(line.length());
    }
    marks.retain(|mark| !mark.range.is_empty());
    Picture::draw(line, Arc::new(marks), None).html(line, &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_lines_and_long_ones_are_cut_where_sentences_end() {
        let long = "Hamlet met Ophelia in Elsinore. ".repeat(6);
        let text = format!("To be\n\n{long}\r\nor not to be");
        let layout = Layout::new(Arc::from(text.as_str()));
        let rows: Vec<_> = rows(&layout, &[]).into_iter().map(|row| layout.slice(row)).collect();
        assert_eq!(rows.first().copied(), Some("To be\n"));
        assert_eq!(rows.len(), 8);
        assert_eq!(rows.get(1).copied(), Some("Hamlet met Ophelia in Elsinore. "));
        assert_eq!(rows.last().copied(), Some("or not to be"));
        let whole: String = rows.concat();
        assert_eq!(whole, text.replacen("\n\n", "\n", 1), "nothing but empty lines is left out");
    }

    #[test]
    fn no_position_is_cut_in_two() {
        let text = "He was born near St. Mary's parish. ".repeat(6);
        let layout = Layout::new(Arc::from(text.as_str()));
        let position = |start, end| ReviewPosition {
            range: Range::new(start, end),
            standing: domain::Standing::OneSided,
            marked: Vec::new(),
            chosen: Vec::new(),
            decision: None,
            group: None,
        };
        let cut = |positions: &[ReviewPosition]| rows(&layout, positions).len();
        let alone = cut(&[]);
        assert_eq!(cut(&[position(17, 27)]), alone - 1);
        assert_eq!(cut(&[position(3, 6), position(17, 27)]), alone - 1);
        assert_eq!(cut(&[position(0, layout.length())]), 1);
    }
}
