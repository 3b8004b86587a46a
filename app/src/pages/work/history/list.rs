//! The list of versions: saves that follow each other closely are one line, which folds out.

use domain::{AssignmentId, Base, Page, Revision, Version};

use super::wording::{by, change, change_in_full, kind, size};
use crate::pages::components::prelude::*;

/// Lines on a page.
const LINES: usize = 50;

#[component]
pub(super) fn Versions(
    assignment: AssignmentId,
    /// The present one.
    revision: Revision,
    sittings: Vec<Vec<Version>>,
    base: Base,
    bytes: u64,
    page: u64,
    /// The one that is looked at.
    opened: Option<Revision>,
) -> impl IntoView {
    let listed = Listed { assignment, opened };
    let all = sittings.iter().flatten().count();
    let begins = sittings.iter().flatten().last().map(|first| first.at);
    let total = sittings.len();
    let from = usize::try_from(page).unwrap_or(usize::MAX).saturating_mul(LINES);
    let rows: Vec<_> = sittings.into_iter().skip(from).take(LINES).collect();
    let is_last = from.saturating_add(LINES) >= total;
    let number = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
    let lines: Vec<_> = rows.iter().map(|sitting| listed.line(sitting, revision)).collect();
    let page = Page {
        rows: vec![(); lines.len()],
        total: number(total),
        number: page,
        size: number(LINES),
    };
    let count =
        format!("{} in {}", display::count(number(all), "save"), counted_rows(&page, "line"));
    let first = is_last.then(|| listed.base(base, begins.is_some()));
    let begins = match (begins, base.has_past) {
        (None, true) => {
            "Saved before versions were kept: history begins with the next save.".into_any()
        }
        (None, false) => "Not saved yet: history begins with the first save.".into_any(),
        (Some(at), true) => view! {
            "History begins at "<Moment at/>"; earlier saves are kept as one version."
        },
        (Some(at), false) => view! { "History begins at "<Moment at/>", with the first save." },
    };
    let address = move |page| format!("/assignments/{assignment}/history?page={page}");
    view! {
        <Section title_id="versions-title" title="Versions">
            <p class="soft number">{count}</p>
            <ol class="plain-list versions">{lines}{first}</ol>
            <Pager page address/>
            <p class="soft">{begins}" "{format!("Size: {}.", size(bytes))}</p>
        </Section>
    }
}

#[derive(Clone, Copy)]
struct Listed {
    assignment: AssignmentId,
    opened: Option<Revision>,
}

impl Listed {
    fn line(self, sitting: &[Version], now: Revision) -> AnyView {
        let (Some(last), Some(first)) = (sitting.first(), sitting.last()) else {
            return ().into_any();
        };
        if sitting.len() == 1 {
            return view! { <li>{self.entry(last, now)}</li> };
        }
        let sum = |number: fn(&Version) -> u64| sitting.iter().map(number).sum::<u64>();
        let (added, removed) = (sum(|one| one.added), sum(|one| one.removed));
        let saves = display::count(u64::try_from(sitting.len()).unwrap_or(u64::MAX), "save");
        let minutes = (last.at - first.at).num_minutes();
        let length = (minutes > 0).then(|| format!(" · {minutes} min"));
        let spans = display::count(last.spans, "span");
        let is_open = sitting.iter().any(|one| Some(one.revision) == self.opened);
        let current = (last.revision == now).then(current);
        let entries: Vec<_> =
            sitting.iter().map(|one| view! { <li>{self.entry(one, now)}</li> }).collect();
        view! {
            <li>
                <details open=is_open>
                    <summary class="version">
                        <span class="when"><Moment at=last.at/>{length}</span>
                        <span><bdi>{by(last)}</bdi>", "{saves}</span>
                        {change_view(added, removed)}
                        <span class="soft number">{spans}</span>
                        {current}
                    </summary>
                    <ol class="plain-list">{entries}</ol>
                </details>
            </li>
        }
    }

    fn entry(self, version: &Version, now: Revision) -> AnyView {
        let current = (version.revision == now).then(current);
        view! {
            <div class="version">
                <span class="when"><Moment at=version.at/></span>
                <span><bdi>{by(version)}</bdi>" "{kind(version)}</span>
                {change_view(version.added, version.removed)}
                <span class="soft number">{display::count(version.spans, "span")}</span>
                {self.open(version.revision)}
                {current}
            </div>
        }
    }

    /// What was there before the first version that was kept.
    fn base(self, base: Base, has_versions: bool) -> AnyView {
        if !has_versions {
            return ().into_any();
        }
        let words =
            if base.has_past { "Before versions were kept" } else { "Before the first save" };
        view! {
            <li>
                <div class="version">
                    <span class="when">{words}</span>
                    <span class="soft number">{display::count(base.spans, "span")}</span>
                    {self.open(base.revision)}
                </div>
            </li>
        }
    }

    fn open(self, revision: Revision) -> AnyView {
        let address =
            format!("/assignments/{}/history?version={revision}#version", self.assignment);
        let current = (self.opened == Some(revision)).then_some("true");
        let label = format!("Show version {revision}");
        view! { <a href=address aria-label=label aria-current=current>{format!("Version {revision}")}</a> }
    }
}

fn current() -> AnyView {
    view! { <span class="badge accent"><span aria-hidden="true">"●"</span>"current"</span> }
}

fn change_view(added: u64, removed: u64) -> AnyView {
    view! {
        <span class="number" aria-hidden="true">{change(added, removed)}</span>
        <span class="visually-hidden">{change_in_full(added, removed)}</span>
    }
}
