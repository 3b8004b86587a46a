//! The pages of `app`.

use app::PageKind;
use domain::base::policy::Action;

/// A page of `app`, loaded by GET.
pub struct Page {
    pub path: &'static str,
    pub action: Action,
    pub kind: PageKind,
    /// Whether its main part is the same for all who have the same role in its project.
    pub is_shared: bool,
}

impl Page {
    /// The page at a path, if what its path leaves open are numbers.
    pub(crate) fn at(path: &str) -> Option<&'static Self> {
        let is_at = |page: &&Self| {
            let (mut wanted, mut given) = (page.path.split('/'), path.split('/'));
            // Numbers only: what a browser or a router would read as another path is none of ours.
            let is_number =
                |given: &str| !given.is_empty() && given.bytes().all(|byte| byte.is_ascii_digit());
            let fits = |wanted: &str, given: &str| {
                wanted == given || (wanted.starts_with('{') && is_number(given))
            };
            wanted.by_ref().zip(given.by_ref()).all(|(wanted, given)| fits(wanted, given))
                && wanted.next().is_none()
                && given.next().is_none()
        };
        PAGES.iter().find(is_at)
    }
}

const fn read(path: &'static str, action: Action) -> Page {
    Page { path, action, kind: PageKind::Reading, is_shared: false }
}

const fn shared(path: &'static str, action: Action) -> Page {
    Page { is_shared: true, ..read(path, action) }
}

const fn work(path: &'static str, action: Action) -> Page {
    Page { kind: PageKind::Working, ..read(path, action) }
}

/// The pages of `app`: those that are only read, and those that the front end takes over.
pub const PAGES: &[Page] = &[
    read("/", Action::VisitOwn),
    read("/sign-in", Action::VisitPublic),
    read("/sign-in/second", Action::VisitPublic),
    read("/compare", Action::VisitOwn),
    read("/study", Action::VisitPublic),
    read("/keys", Action::VisitOwn),
    read("/account", Action::VisitOwn),
    // Also for whoever gets in by it.
    read("/account/app", Action::VisitPublic),
    read("/account/mail", Action::VisitOwn),
    read("/tokens", Action::VisitOwn),
    read("/api", Action::VisitPublic),
    read("/admin", Action::Administer),
    read("/audit", Action::Administer),
    read("/admin/accounts/{account}", Action::Administer),
    read("/admin/mail", Action::Administer),
    read("/admin/projects", Action::Administer),
    read("/admin/projects/{project}", Action::Administer),
    read("/invitations/{token}", Action::VisitPublic),
    read("/reset", Action::VisitPublic),
    read("/reset/{token}", Action::VisitPublic),
    read("/unsubscribe/{token}", Action::VisitPublic),
    shared("/projects/{project}", Action::ViewProject),
    shared("/projects/{project}/agreement", Action::ViewAgreement),
    shared("/projects/{project}/agreement/labels", Action::ViewAgreement),
    shared("/projects/{project}/agreement/documents", Action::ViewAgreement),
    shared("/projects/{project}/agreement/people", Action::ViewAgreement),
    read("/projects/{project}/agreement/reasons", Action::ViewAgreement),
    shared("/projects/{project}/agreement/what-if", Action::ViewAgreement),
    shared("/projects/{project}/agreement/{first}/{second}", Action::ViewAgreement),
    read("/projects/{project}/agreement/models/{model}", Action::ViewAgreement),
    read("/projects/{project}/review/comments", Action::Discuss),
    read("/projects/{project}/review/disagreements", Action::ViewAgreement),
    read("/projects/{project}/review/consensus", Action::ViewAgreement),
    read("/projects/{project}/work/documents", Action::ManageDocuments),
    read("/projects/{project}/work/assignments", Action::ManageDocuments),
    read("/projects/{project}/work/repeats", Action::ManageDocuments),
    read("/projects/{project}/work/second", Action::ManageDocuments),
    read("/projects/{project}/work/second-reviews", Action::ManageDocuments),
    read("/projects/{project}/work/people", Action::ManageDocuments),
    read("/projects/{project}/exports", Action::ViewProject),
    read("/projects/{project}/review/gold", Action::ViewAgreement),
    read("/projects/{project}/review/gold/compare", Action::ViewAgreement),
    read("/projects/{project}/review/gold/documents/{document}", Action::ViewAgreement),
    read("/projects/{project}/settings/guidelines", Action::ViewProject),
    read("/projects/{project}/settings/guidelines/{version}", Action::ViewProject),
    read("/projects/{project}/settings/members", Action::ManageMembers),
    shared("/projects/{project}/agreement/positions", Action::ViewAgreement),
    read("/projects/{project}/review", Action::Review),
    read("/projects/{project}/review/rules", Action::Review),
    read("/projects/{project}/settings", Action::ManageProject),
    read("/projects/{project}/settings/labels", Action::ManageProject),
    read("/projects/{project}/settings/models", Action::ManageProject),
    // Its form is for managers; the table is that of the trend.
    read("/projects/{project}/settings/rounds", Action::ViewAgreement),
    read("/projects/{project}/settings/targets", Action::ManageProject),
    read("/projects/{project}/settings/labels/{label}", Action::ManageProject),
    shared("/projects/{project}/agreement/trend", Action::ViewAgreement),
    read("/projects/{project}/review/walk", Action::ViewAgreement),
    read("/projects/{project}/review/walk/alike", Action::Review),
    read("/projects/{project}/settings/audit", Action::ManageProject),
    read("/projects/{project}/settings/webhooks", Action::ManageProject),
    read("/projects/{project}/work", Action::ViewOwnWork),
    read("/assignments/{assignment}/history", Action::ViewHistory),
    read("/projects/{project}/work/comments", Action::ViewOwnWork),
    read("/assignments/{assignment}/comments", Action::Annotate),
    read("/assignments/{assignment}/flag", Action::Annotate),
    read("/documents/{document}/back", Action::Discuss),
    read("/documents/{document}/comments", Action::Discuss),
    work("/assignments/{assignment}", Action::Annotate),
    work("/documents/{document}/review", Action::Review),
    read("/documents/{document}/side", Action::Review),
];
