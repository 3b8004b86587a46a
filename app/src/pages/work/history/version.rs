//! One version: its text with its spans, what differs from now, and the way to make it current.

use std::sync::Arc;

use domain::{AssignmentId, OpenedVersion, Revision, Span};

use super::wording::{by, kind};
use crate::{
    api::work::history::RestoreVersion,
    islands::editor::text_view::{Layout, Mark, Picture},
    pages::components::prelude::*,
};

/// As many differences are listed; all are marked in the text.
const LISTED: usize = 200;
/// The most characters of a span in the list.
const QUOTE: u32 = 80;

#[component]
pub(super) fn Opened(
    assignment: AssignmentId,
    /// The present revision.
    base: Revision,
    /// Whether there were saves before the first one that was kept.
    has_past: bool,
    opened: OpenedVersion,
    may_restore: bool,
) -> impl IntoView {
    let layout = Layout::new(Arc::from(opened.text.as_str()));
    let picture = picture(&layout, &opened);
    let then = opened.kept.len() + opened.only_then.len();
    let count = |n: usize, noun| display::count(u64::try_from(n).unwrap_or(u64::MAX), noun);
    let made = match &opened.version {
        Some(version) => {
            view! { {format!("By {}, ", by(version))}<Moment at=version.at/>{format!(": {}", kind(version))} }
        }
        None if has_past => "Before versions were kept".into_any(),
        None => "Before the first save".into_any(),
    };
    let has_same_spans = opened.only_then.is_empty() && opened.only_now.is_empty();
    let is_same = has_same_spans && opened.choices == 0;
    let differs = if is_same {
        "Same spans as now.".to_owned()
    } else if has_same_spans {
        format!("Same spans, different {}.", count(opened.choices, "choice"))
    } else {
        format!(
            "Compared with now: {} only in this version (+), {} only now (−), {} in both.",
            count(opened.only_then.len(), "span"),
            display::thousands(u64::try_from(opened.only_now.len()).unwrap_or(u64::MAX)),
            display::thousands(u64::try_from(opened.kept.len()).unwrap_or(u64::MAX)),
        )
    };
    let lost = opened.lost();
    let lost = (lost > 0).then(|| {
        let words =
            format!("{} cannot be restored: the label has been deleted.", count(lost, "span"));
        view! { <p class="notice warn">{words}</p> }
    });
    let restore = (may_restore && !is_same)
        .then(|| view! { <Restore assignment version=opened.revision base/> });
    let differences = (!has_same_spans).then(|| differences(&layout, &opened));
    view! {
        <section class="stack" id="version" aria-labelledby="version-title">
            <h2 id="version-title">{format!("Version {}", opened.revision)}</h2>
            <p><bdi>{made}</bdi>{format!(". {}.", count(then, "span"))}</p>
            <p role="status">{differs}</p>
            {lost}
            {restore}
            <div class="text-view">
                <div class="text" role="group" tabindex="0" aria-label="Text with the spans of this version" inner_html=picture></div>
            </div>
            {differences}
        </section>
    }
}

#[component]
fn Restore(assignment: AssignmentId, version: Revision, base: Revision) -> impl IntoView {
    let (restore, refused) = form_action::<RestoreVersion>();
    view! {
        <div class="row">
            <ActionForm action=restore>
                {hidden_fields([("assignment", &assignment), ("version", &version), ("base", &base)])}
                <button class="primary">{format!("Restore version {version}")}</button>
            </ActionForm>
            <p class="soft">"Restoring makes a new save; the current version stays in the list."</p>
            <Problem refusal=refused/>
        </div>
    }
}

/// Where a span stands beside now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Both,
    Then,
    Now,
}

impl Side {
    const fn sign(self) -> &'static str {
        match self {
            Self::Both => "",
            Self::Then => "+ ",
            Self::Now => "− ",
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Both => "in both",
            Self::Then => "only in this version",
            Self::Now => "only now",
        }
    }

    const fn class(self) -> &'static str {
        match self {
            Self::Both => "",
            Self::Then => "only-then",
            Self::Now => "only-now",
        }
    }
}

fn sides(opened: &OpenedVersion) -> Vec<(Span, Side)> {
    let of = |spans: &[Span], side| spans.iter().map(move |span| (*span, side)).collect::<Vec<_>>();
    let mut all = of(&opened.kept, Side::Both);
    all.extend(of(&opened.only_then, Side::Then));
    all.extend(of(&opened.only_now, Side::Now));
    all.sort_by_key(|(span, _)| *span);
    all
}

fn label_name(opened: &OpenedVersion, span: Span) -> String {
    match opened.label(span.label) {
        Some(label) if label.is_gone => format!("{} (deleted label)", label.name),
        Some(label) => label.name.clone(),
        None => format!("label {}", span.label),
    }
}

fn picture(layout: &Layout, opened: &OpenedVersion) -> String {
    let mark = |(span, side): (Span, Side)| {
        let name = label_name(opened, span);
        Mark {
            range: span.range,
            tag: format!("{}{name}", side.sign()).into(),
            colour: opened.label(span.label).map(|label| label.colour),
            class: side.class(),
            title: format!("{name}, {}: {}", side.words(), layout.quote(span.range, QUOTE)).into(),
        }
    };
    let marks = Arc::new(sides(opened).into_iter().map(mark).collect());
    Picture::draw(layout, marks, None).html(layout, &[])
}

fn differences(layout: &Layout, opened: &OpenedVersion) -> AnyView {
    let all: Vec<_> = sides(opened).into_iter().filter(|(_, side)| *side != Side::Both).collect();
    let more = all.len().saturating_sub(LISTED);
    let rows: Vec<_> = all
        .into_iter()
        .take(LISTED)
        .map(|(span, side)| {
            let place = format!("{}–{}", span.range.start, span.range.end);
            view! {
                <tr>
                    <th scope="row"><q class="quote" dir="auto">{layout.quote(span.range, QUOTE)}</q></th>
                    <td class="number" title=OFFSETS>{place}</td>
                    <td><bdi>{label_name(opened, span)}</bdi></td>
                    <td><span aria-hidden="true">{side.sign()}</span>{side.words()}</td>
                </tr>
            }
        })
        .collect();
    let more = (more > 0).then(|| {
        let n = u64::try_from(more).unwrap_or(u64::MAX);
        view! { <p class="soft">{format!("{} shown in the text only.", display::count(n, "further difference"))}</p> }
    });
    view! {
        <Table label="Differences from now">
            <caption class="visually-hidden">"Differences from now"</caption>
            {heads([Text("Span"), Number("Characters"), Text("Label"), Text("Where")])}
            <tbody>{rows}</tbody>
        </Table>
        {more}
    }
}
