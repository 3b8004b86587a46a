//! The ways to look at a project's agreement: as a matrix, by label, by document, by person;
//! and what it would be.

use domain::{ProjectId, Switches};

use crate::pages::components::prelude::*;

/// A way to look at the agreement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AgreementTab {
    Matrix,
    Labels,
    Documents,
    People,
    WhatIf,
}

/// The ways, with what each is called and the last part of its path.
const TABS: [(AgreementTab, &str, &str); 5] = [
    (AgreementTab::Matrix, "Matrix", ""),
    (AgreementTab::Labels, "Labels", "/labels"),
    (AgreementTab::Documents, "Documents", "/documents"),
    (AgreementTab::People, "People", "/people"),
    (AgreementTab::WhatIf, "What if", "/what-if"),
];

/// Links that keep the switches.
#[component]
pub(crate) fn AgreementTabs(
    project: ProjectId,
    switches: Switches,
    current: AgreementTab,
) -> impl IntoView {
    let links = TABS.map(|(tab, text, path)| {
        let address =
            format!("/projects/{project}/agreement{path}?{}", query::write_switches(switches));
        let current = (tab == current).then_some("page");
        view! { <li><a href=address aria-current=current>{text}</a></li> }
    });
    view! {
        <nav class="agreement-tabs" aria-label="Agreement">
            <ul class="tabs">{links.collect_view()}</ul>
        </nav>
    }
}
