//! The documents with how far the gold standard of each is.

use domain::{GoldCard, GoldCounts, GoldOrder, GoldQuery, Label, Page, ProjectId, Sorting};

use crate::pages::components::{list::sort_head::SortHead, prelude::*};

#[component]
pub(super) fn Documents(
    project: ProjectId,
    page: Page<GoldCard>,
    labels: Vec<Label>,
    asked: GoldQuery,
) -> impl IntoView {
    let narrowed = narrowed(project, asked, &labels);
    let content = if page.rows.is_empty() {
        let why = if asked.open || asked.label.is_some() {
            "No matching documents."
        } else if page.total > 0 {
            PAST_END
        } else {
            "No documents yet."
        };
        view! { <p class="empty">{why}</p> }
    } else {
        let address = move |sorting: &Sorting<GoldOrder>| {
            query::gold_address(project, &GoldQuery { sorting: *sorting, ..asked })
        };
        let rows: Vec<_> = page.rows.iter().map(|card| row(project, card, &labels)).collect();
        let sorting = asked.sorting;
        view! {
            <Table label="Documents" class="rows documents">
                <caption class="visually-hidden">"Documents and their gold standard"</caption>
                <thead>
                    <tr>
                        <SortHead text="Document" order=GoldOrder::Document sorting address/>
                        <SortHead text="Gold" order=GoldOrder::Gold sorting address number=true/>
                        <th scope="col">"Of them"</th>
                        <th scope="col" class="number">"Rejected"</th>
                        <SortHead text="Open" order=GoldOrder::Open sorting address number=true/>
                        <th scope="col">"Why open"</th>
                        <th scope="col">"Labels"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    let count = counted_rows(&page, "document");
    let address = move |number| {
        let sorting = Sorting { page: number, ..asked.sorting };
        query::gold_address(project, &GoldQuery { sorting, ..asked })
    };
    view! {
        <Section title_id="documents-title" title="Documents" id="documents">
            <div class="row spread">
                <p class="soft number" role="status">{count}</p>
                {narrowed}
            </div>
            {content}
            <Pager page address/>
        </Section>
    }
}

/// All documents, or those in which something is open; and the label that they are narrowed to.
fn narrowed(project: ProjectId, asked: GoldQuery, labels: &[Label]) -> AnyView {
    let first = Sorting { page: 0, ..asked.sorting };
    let link = |text: &'static str, open: bool| {
        let address = query::gold_address(project, &GoldQuery { open, sorting: first, ..asked });
        let is_current = asked.open == open;
        let class = if is_current { "button small primary" } else { "button small" };
        let current = is_current.then_some("true");
        view! { <a class=class href=address aria-current=current>{text}</a> }
    };
    let label = asked.label.map(|label| {
        let address =
            query::gold_address(project, &GoldQuery { label: None, sorting: first, ..asked });
        let name = naming::label(label, labels);
        view! {
            <a class="button small" href=address>
                "Only with "<bdi>{name}</bdi>" ×"<span class="visually-hidden">": show all"</span>
            </a>
        }
    });
    view! {
        <nav class="row" aria-label="Documents">
            {label}
            {link("All", false)}
            {link("With open positions", true)}
        </nav>
    }
}

fn row(project: ProjectId, card: &GoldCard, labels: &[Label]) -> AnyView {
    let GoldCard { document, name, counts, labels: spans } = card;
    let address = query::gold_document_address(project, *document, None);
    let made_of = if counts.gold() == 0 {
        String::new()
    } else {
        format!(
            "{} unanimous, {} decided",
            display::thousands(counts.unanimous),
            display::thousands(counts.decided)
        )
    };
    let why = if counts.open() == 0 { String::new() } else { open_words(*counts) };
    let chips: Vec<_> = labels
        .iter()
        .filter_map(|label| {
            let (_, n) = spans.iter().find(|(id, _)| *id == label.id)?;
            let class = format!("chip colour-{}", label.colour.index());
            let n = display::thousands(*n);
            Some(view! { <span class=class><bdi>{label.name.clone()}</bdi>" "{n}</span> })
        })
        .collect();
    view! {
        <tr>
            <th scope="row"><a dir="auto" href=address>{name.clone()}</a></th>
            <td class="number">{display::thousands(counts.gold())}</td>
            <td class="soft">{made_of}</td>
            <td class="number">{display::thousands(counts.rejected)}</td>
            <td class="number">{display::thousands(counts.open())}</td>
            <td class="soft">{why}</td>
            <td><span class="chips">{chips}</span></td>
        </tr>
    }
}

/// Why positions are open: "3 in conflict, 2 marked by only one".
pub(super) fn open_words(counts: GoldCounts) -> String {
    let parts = [
        (counts.conflict, "in conflict"),
        (counts.one_sided, "marked by only one"),
        (counts.waiting, "waiting for a second labeler"),
    ];
    let parts: Vec<_> = parts
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, words)| format!("{} {words}", display::thousands(n)))
        .collect();
    if parts.is_empty() { "nothing open".to_owned() } else { parts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_told_with_its_reasons() {
        assert_eq!(open_words(GoldCounts::default()), "nothing open");
        let counts = GoldCounts { conflict: 1_200, one_sided: 1, ..GoldCounts::default() };
        assert_eq!(open_words(counts), "1,200 in conflict, 1 marked by only one");
    }
}
