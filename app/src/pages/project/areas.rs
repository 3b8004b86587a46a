//! The areas of a project's pages, the tabs of each, and which of them a role has.

use domain::{
    Role,
    base::policy::{Action as Act, Standpoint, offers},
};

/// A tab: its path within the project, its title, and what one must be permitted to see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tab {
    pub(super) path: &'static str,
    pub(super) title: &'static str,
    action: Act,
}

const fn tab(path: &'static str, title: &'static str, action: Act) -> Tab {
    Tab { path, title, action }
}

/// Pages that belong together: all paths that begin with its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    path: &'static str,
    title: &'static str,
    tabs: &'static [Tab],
}

/// What is set once and looked at rarely.
const SETTINGS: &str = "/settings";

const AREAS: [Area; 6] = [
    Area { path: "", title: "Overview", tabs: &[tab("", "Overview", Act::ManageProject)] },
    Area {
        path: "/work",
        title: "Work",
        tabs: &[
            tab("/work", "My work", Act::ViewOwnWork),
            tab("/work/documents", "Documents", Act::ManageDocuments),
            tab("/work/assignments", "Assignments", Act::ManageDocuments),
            tab("/work/people", "People", Act::ManageDocuments),
        ],
    },
    Area {
        path: "/agreement",
        title: "Agreement",
        tabs: &[
            tab("/agreement", "Matrix", Act::ViewAgreement),
            tab("/agreement/labels", "Labels", Act::ViewAgreement),
            tab("/agreement/documents", "Documents", Act::ViewAgreement),
            tab("/agreement/people", "People", Act::ViewAgreement),
            tab("/agreement/trend", "Trend", Act::ViewAgreement),
            tab("/agreement/what-if", "What if", Act::ViewAgreement),
        ],
    },
    Area {
        path: "/review",
        title: "Review",
        tabs: &[
            tab("/review", "Queue", Act::Review),
            tab("/review/disagreements", "Disagreements", Act::ViewAgreement),
            tab("/review/consensus", "Consensus", Act::ViewAgreement),
            tab("/review/comments", "Comments", Act::Discuss),
            tab("/review/gold", "Gold standard", Act::ViewAgreement),
        ],
    },
    Area {
        path: "/exports",
        title: "Export",
        tabs: &[tab("/exports", "Export", Act::ViewProject)],
    },
    Area {
        path: SETTINGS,
        title: "Settings",
        tabs: &[
            tab("/settings", "General", Act::ManageProject),
            tab("/settings/guidelines", "Guidelines", Act::ViewProject),
            tab("/settings/labels", "Labels", Act::ManageProject),
            tab("/settings/members", "Members", Act::ManageMembers),
            tab("/settings/models", "Models", Act::ManageProject),
            tab("/settings/rounds", "Rounds", Act::ManageProject),
            tab("/settings/targets", "Targets", Act::ManageProject),
            tab("/settings/webhooks", "Webhooks", Act::ManageProject),
            tab("/settings/audit", "Audit trail", Act::ManageProject),
        ],
    },
];

/// What a role has of an area.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    area: Area,
    pub(super) tabs: Vec<Tab>,
}

/// The areas that a role has, in their order.
pub(super) fn offered(role: Role) -> Vec<Offer> {
    let may = |tab: &&Tab| offers(tab.action, Standpoint::Member { role, owns: false });
    let offers = AREAS.into_iter().map(|area| {
        let tabs = area.tabs.iter().filter(may).copied().collect();
        Offer { area, tabs }
    });
    offers.filter(|offer| !offer.tabs.is_empty()).collect()
}

impl Offer {
    /// What the area is called; by its only tab where it has one.
    pub(super) fn title(&self) -> &'static str {
        match self.tabs.as_slice() {
            [only] => only.title,
            _ => self.area.title,
        }
    }

    /// The path of its first page.
    pub(super) fn path(&self) -> &'static str {
        self.tabs.first().map_or(self.area.path, |first| first.path)
    }

    /// Whether it stands as a gear at the end of the row.
    pub(super) fn is_gear(&self) -> bool {
        self.area.path == SETTINGS && self.tabs.len() > 1
    }

    /// Whether a path within the project belongs to it.
    pub(super) fn has(&self, path: &str) -> bool {
        match self.area.path {
            "" => path.is_empty(),
            area => is_under(path, area),
        }
    }

    /// The tab that a path within the project belongs to: a page further in belongs to the tab that it
    /// is reached from, unless that is the area's own.
    pub(super) fn tab_of(&self, path: &str) -> Option<Tab> {
        let is_it = |tab: &&Tab| {
            path == tab.path || (tab.path != self.area.path && is_under(path, tab.path))
        };
        self.tabs.iter().find(is_it).copied()
    }
}

/// Whether a path is this one or one further in.
fn is_under(path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(role: Role) -> Vec<&'static str> {
        offered(role).iter().map(Offer::title).collect()
    }

    fn find(role: Role, path: &str) -> (&'static str, Option<&'static str>) {
        let offers = offered(role);
        let offer = offers.iter().find(|offer| offer.has(path)).unwrap();
        (offer.title(), offer.tab_of(path).map(|tab| tab.title))
    }

    #[test]
    fn a_role_has_only_the_areas_that_it_may_open() {
        assert_eq!(titles(Role::Labeler), ["My work", "Export", "Guidelines"]);
        assert_eq!(titles(Role::Reviewer), ["Agreement", "Review", "Export", "Guidelines"]);
        assert_eq!(
            titles(Role::Manager),
            ["Overview", "Work", "Agreement", "Review", "Export", "Settings"]
        );
    }

    #[test]
    fn an_area_leads_to_the_first_of_its_tabs_that_a_role_has() {
        let paths = |role| offered(role).iter().map(Offer::path).collect::<Vec<_>>();
        assert_eq!(paths(Role::Labeler), ["/work", "/exports", "/settings/guidelines"]);
        assert_eq!(
            paths(Role::Manager),
            ["", "/work/documents", "/agreement", "/review/disagreements", "/exports", "/settings"]
        );
    }

    #[test]
    fn every_page_belongs_to_one_area_and_at_most_one_tab() {
        let manager = |path| find(Role::Manager, path);
        assert_eq!(manager(""), ("Overview", Some("Overview")));
        assert_eq!(manager("/agreement/labels"), ("Agreement", Some("Labels")));
        assert_eq!(manager("/agreement/3/4"), ("Agreement", None));
        assert_eq!(manager("/review/gold/documents/7"), ("Review", Some("Gold standard")));
        assert_eq!(manager("/review/walk"), ("Review", None));
        assert_eq!(manager("/settings/labels/4"), ("Settings", Some("Labels")));
        assert_eq!(find(Role::Reviewer, "/review"), ("Review", Some("Queue")));
    }
}
