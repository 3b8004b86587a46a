//! One document: its text with its gold spans, where each comes from, and what is still open.

use std::sync::Arc;

use domain::{
    DocumentId, GoldDocumentView, GoldPosition, Label, OpenPosition, ProjectId, ProjectView, Range,
    Rater, Switches,
    base::{
        policy::{Action as Act, Standpoint, offers},
        text,
    },
};

use super::voices::{chips, provenance, reason, voices};
use crate::{
    islands::editor::text_view::{Layout, Mark, Picture},
    pages::{components::prelude::*, project::ProjectContext},
};

#[component]
pub(crate) fn GoldDocumentPage() -> impl IntoView {
    let project = use_project_id();
    let document: DocumentId = in_path("document");
    let version = in_query("version").and_then(|version| version.parse().ok());
    let found = load_with(move |services, actor| async move {
        services::review::gold::document(&services, &actor, project, document, version).await
    });
    let ProjectContext(context) = expect_context();
    view! {
        <Title text="Gold standard of a document"/>
        <div class="page">
            <Loaded resource=context view=move |context: ProjectView| view! {
                <Loaded resource=found view=move |found| view! { <Document context found/> }/>
            }/>
        </div>
    }
}

#[component]
fn Document(context: ProjectView, found: GoldDocumentView) -> impl IntoView {
    let project = context.id;
    let GoldDocumentView {
        document,
        name,
        text,
        revision,
        labels,
        raters,
        positions,
        rejected,
        open,
        version,
        previous,
        next,
    } = found;
    let number = version.as_ref().map(|version| version.number);
    let reviews = offers(Act::Review, Standpoint::Member { role: context.role, owns: false });
    let step = |to: Option<DocumentId>, words: &'static str, rel: &'static str| {
        to.map(|to| {
            let address = query::gold_document_address(project, to, number);
            view! { <a class="button small" rel=rel href=address>{words}</a> }
        })
    };
    let steps = view! {
        <nav class="row" aria-label="Documents">
            {step(previous, "Previous document", "prev")}
            {step(next, "Next document", "next")}
        </nav>
    };
    let state = match version {
        None => view! { <LiveLine project switches=Switches::default() revision/> },
        Some(version) => {
            let now = query::gold_document_address(project, document, None);
            view! {
                <p class="notice">
                    <span>
                        {format!("Locked version {} (", version.number)}
                        <bdi>{version.name}</bdi>
                        "), "<Moment at=version.locked_at/>". "
                        <a href=now>"Current version"</a>
                    </span>
                </p>
            }
        }
    };
    let picture = picture(&text, &positions, &labels);
    let shown = Shown { project, document, text: &text, labels: &labels, raters: &raters, reviews };
    let gold = shown.positions("gold", "Gold spans", "No gold spans in this document.", &positions);
    let rejected = (number.is_none() && !rejected.is_empty())
        .then(|| shown.positions("struck-out", "Rejected", "", &rejected));
    let open = number.is_none().then(|| shown.open(&open));
    view! {
        <PageHead
            heading=view! { <bdi>{name}</bdi> }
            back=Some((format!("/projects/{project}/review/gold"), "← Gold standard"))
        >
            {steps}
        </PageHead>
        {state}
        <div class="text-view">
            <div class="text" role="group" aria-label="Text with gold spans" inner_html=picture></div>
        </div>
        {open}
        {gold}
        {rejected}
    }
}

/// The text with its gold spans, as the annotator draws it.
fn picture(text: &str, positions: &[GoldPosition], labels: &[Label]) -> String {
    let layout = Layout::new(Arc::from(text));
    let mark = |position: &GoldPosition| Mark {
        range: position.range,
        tag: position.labels.join(" + ").into(),
        colour: position
            .labels
            .first()
            .and_then(|name| labels.iter().find(|label| label.name == *name))
            .map(|label| label.colour),
        class: "",
        title: format!("{}: {}", position.labels.join(" + "), layout.quote(position.range, 80))
            .into(),
    };
    let marks = Arc::new(positions.iter().map(mark).collect());
    Picture::draw(&layout, marks, None).html(&layout, &[])
}

/// What the tables of positions are made of.
struct Shown<'a> {
    project: ProjectId,
    document: DocumentId,
    text: &'a str,
    labels: &'a [Label],
    raters: &'a [Rater],
    /// Whether the viewer may open the document for review.
    reviews: bool,
}

impl Shown<'_> {
    /// The words of a position, and the way to where it is decided.
    fn quote(&self, range: Range) -> AnyView {
        let words = text::byte_offset(self.text, range.start)
            .zip(text::byte_offset(self.text, range.end))
            .and_then(|(start, end)| self.text.get(start..end))
            .unwrap_or_default()
            .to_owned();
        let place = format!("{}–{}", range.start, range.end);
        let at = domain::Position { document: self.document, range };
        let list = domain::WalkList::Disagreements(domain::DisagreementQuery::default());
        let (address, verb) = if self.reviews {
            (format!("/documents/{}/review#{}-{}", self.document, range.start, range.end), "Review")
        } else {
            (query::walk_address(self.project, &list, Some(at), None), "Open")
        };
        let name = format!("{verb}: {place}");
        view! {
            <q class="quote" dir="auto">{words}</q>
            <span class="where">
                <span class="soft number" title=OFFSETS>{place}</span>" "
                <a href=address aria-label=name>{verb}</a>
            </span>
        }
    }

    fn positions(
        &self,
        id: &'static str,
        title: &'static str,
        none: &'static str,
        positions: &[GoldPosition],
    ) -> AnyView {
        let n = u64::try_from(positions.len()).unwrap_or(u64::MAX);
        let table = if positions.is_empty() {
            view! { <p class="empty">{none}</p> }
        } else {
            let rows: Vec<_> = positions
                .iter()
                .map(|position| {
                    let labels = if position.labels.is_empty() {
                        view! { <span class="badge warn">"rejected"</span> }
                    } else {
                        chips(&position.labels, self.labels)
                    };
                    view! {
                        <tr>
                            <th scope="row" data-head="Span">{self.quote(position.range)}</th>
                            <td data-head="Label">{labels}</td>
                            <td data-head="Source">{provenance(position, self.raters, self.labels)}</td>
                        </tr>
                    }
                })
                .collect();
            table(title, ["Span", "Label", "Source"], rows)
        };
        section(id, title, n, table)
    }

    fn open(&self, positions: &[OpenPosition]) -> AnyView {
        let n = u64::try_from(positions.len()).unwrap_or(u64::MAX);
        let content = if positions.is_empty() {
            view! { <p class="empty">"Nothing open: every position is gold or rejected."</p> }
        } else {
            let rows: Vec<_> = positions
                .iter()
                .map(|position| {
                    let (icon, why) = reason(position.reason);
                    view! {
                        <tr>
                            <th scope="row" data-head="Position">{self.quote(position.range)}</th>
                            <td data-head="Why"><span aria-hidden="true">{icon}" "</span>{why}</td>
                            <td data-head="Labelers said">{voices(&position.judged, self.raters, self.labels)}</td>
                        </tr>
                    }
                })
                .collect();
            table("Open positions", ["Position", "Why", "Labelers said"], rows)
        };
        section("open", "Still open", n, content)
    }
}

fn table(caption: &'static str, heads: [&'static str; 3], rows: Vec<AnyView>) -> AnyView {
    let heads = heads.map(|head| view! { <th scope="col">{head}</th> });
    view! {
        <table class="rows disagreements positions">
            <caption class="visually-hidden">{caption}</caption>
            <thead><tr>{heads.into_iter().collect_view()}</tr></thead>
            <tbody>{rows}</tbody>
        </table>
    }
}

fn section(id: &'static str, title: &'static str, n: u64, content: AnyView) -> AnyView {
    let heading = format!("{id}-title");
    let labelled_by = heading.clone();
    view! {
        <section class="stack" id=id aria-labelledby=labelled_by>
            <h2 id=heading>{title}" "<span class="soft number">{display::thousands(n)}</span></h2>
            {content}
        </section>
    }
}
