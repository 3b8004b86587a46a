//! Every path that is answered, with what somebody must be permitted to do to reach it. The
//! router is built from these tables: what has no row is not served.

mod hooks;
mod resources;
mod verb;

use std::sync::Arc;

use app::PageKind;
use axum::routing::{MethodFilter, MethodRouter, on};
use domain::policy::Action;

pub use self::verb::Verb;
use self::{hooks::HOOKS, resources::RESOURCES};
use crate::{Site, events, files, health, rest};

/// What answering takes, and with it the limits that apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// What is the same for everybody and asks nothing of the database: a file of the front end,
    /// whether the server is alive.
    File,
    /// A question or a command.
    Light,
    /// A command that brings a document's worth of changes.
    Save,
    /// An answer with everything that a project has.
    Export,
    /// Files to be compared at once.
    Compare,
    /// Documents.
    Import,
    /// An answer without an end.
    Stream,
}

/// A path for programs, for streams or for files.
pub struct Route {
    pub verb: Verb,
    pub path: &'static str,
    pub action: Action,
    pub weight: Weight,
    handler: fn(MethodFilter) -> MethodRouter<Arc<Site>>,
}

impl Route {
    /// Whether it belongs to the REST interface, and so has to be described.
    pub fn is_rest(&self) -> bool {
        self.path.starts_with("/api/v1/")
    }

    pub(crate) fn handler(&self) -> MethodRouter<Arc<Site>> {
        (self.handler)(self.verb.filter())
    }
}

/// Everything but the server functions and pages of `app`.
pub fn list() -> impl Iterator<Item = &'static Route> {
    ROUTES.iter().chain(RESOURCES).chain(HOOKS)
}

/// Streams, files, and what there is to take away.
const ROUTES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/health",
        action: Action::VisitPublic,
        weight: Weight::File,
        handler: |filter| on(filter, health::load),
    },
    Route {
        verb: Verb::Get,
        path: "/pkg/{*file}",
        action: Action::VisitPublic,
        weight: Weight::File,
        handler: |filter| on(filter, files::load_package_file),
    },
    Route {
        verb: Verb::Post,
        path: "/compare",
        action: Action::VisitOwn,
        weight: Weight::Compare,
        handler: |filter| on(filter, rest::comparing::compare_for_people),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/compare",
        action: Action::VisitOwn,
        weight: Weight::Compare,
        handler: |filter| on(filter, rest::comparing::compare),
    },
    Route {
        verb: Verb::Get,
        path: "/events/projects/{project}/agreement",
        action: Action::ViewAgreement,
        weight: Weight::Stream,
        handler: |filter| on(filter, events::follow_agreement),
    },
    Route {
        verb: Verb::Get,
        path: "/events/revisions",
        action: Action::VisitOwn,
        weight: Weight::Stream,
        handler: |filter| on(filter, events::follow_revisions),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/agreement",
        action: Action::ViewAgreement,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::agreement::load),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/agreement.csv",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::agreement::export_csv),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/agreement.json",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::agreement::export_json),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/agreement.html",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::agreement::export_report),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/agreement.svg",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::agreement::export_svg),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/agreement.tsv",
        action: Action::ViewAgreement,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::agreement::export_tsv),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/agreement.md",
        action: Action::ViewAgreement,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::agreement::export_markdown),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/agreement.tex",
        action: Action::ViewAgreement,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::agreement::export_latex),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/choices.jsonl",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::choices::export_json_lines),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/disagreements",
        action: Action::ViewAgreement,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::disagreements::list),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/disagreements.csv",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::disagreements::export_csv),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/disagreements.jsonl",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::disagreements::export_json_lines),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/disagreements.xlsx",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::disagreements::export_xlsx),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/exports",
        action: Action::ExportWork,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::exports::load),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/exports/losses",
        action: Action::ExportWork,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::exports::list_losses),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/exports/preview",
        action: Action::ExportWork,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::exports::preview),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/gold.conll",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::gold::export_conll),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/gold.jsonl",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::gold::export_json_lines),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/gold-versions/{version}/gold.conll",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::gold::export_version_conll),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/gold-versions/{version}/gold.jsonl",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::gold::export_version_json_lines),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/projects/{project}/imports",
        action: Action::ManageDocuments,
        weight: Weight::Import,
        handler: |filter| on(filter, rest::imports::create),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/imports",
        action: Action::ManageDocuments,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::imports::list),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/imports/{import}",
        action: Action::ManageDocuments,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::imports::load),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/projects/{project}/imports/{import}/cancel",
        action: Action::ManageDocuments,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::imports::cancel),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/projects/{project}/imports/{import}/undo",
        action: Action::ManageDocuments,
        weight: Weight::Save,
        handler: |filter| on(filter, rest::imports::undo),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/study.csv",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::agreement::export_study),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/units.csv",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::agreement::export_units),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/what-if",
        action: Action::ViewAgreement,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::agreement::load_what_if),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/verification",
        action: Action::ManageProject,
        weight: Weight::Export,
        handler: |filter| on(filter, rest::verification::load),
    },
];

/// The server functions of `app`; all are called by POST.
pub const FUNCTIONS: &[(&str, Action, Weight)] = &[
    ("/fn/accounts/accept_invitation", Action::VisitPublic, Weight::Light),
    ("/fn/accounts/change_email", Action::VisitOwn, Weight::Light),
    ("/fn/accounts/change_password", Action::VisitOwn, Weight::Light),
    ("/fn/accounts/choose_password", Action::VisitPublic, Weight::Light),
    ("/fn/accounts/end_session", Action::VisitOwn, Weight::Light),
    ("/fn/accounts/join_by_invitation", Action::VisitOwn, Weight::Light),
    ("/fn/accounts/list_demo_sign_ins", Action::VisitPublic, Weight::Light),
    ("/fn/accounts/load_invitation", Action::VisitPublic, Weight::Light),
    ("/fn/accounts/load_keys", Action::VisitOwn, Weight::Light),
    ("/fn/accounts/load_viewer", Action::VisitPublic, Weight::Light),
    ("/fn/accounts/save_keys", Action::VisitOwn, Weight::Light),
    ("/fn/accounts/sign_in", Action::VisitPublic, Weight::Light),
    ("/fn/accounts/sign_out", Action::VisitPublic, Weight::Light),
    ("/fn/administration/archive_project", Action::Administer, Weight::Light),
    ("/fn/administration/change_account", Action::Administer, Weight::Light),
    ("/fn/administration/delete_project", Action::Administer, Weight::Save),
    ("/fn/administration/remove_account", Action::Administer, Weight::Light),
    ("/fn/administration/restore_project", Action::Administer, Weight::Light),
    ("/fn/accounts/sign_out_everywhere", Action::VisitOwn, Weight::Light),
    ("/fn/agreement/list_disagreements", Action::ViewAgreement, Weight::Light),
    ("/fn/agreement/list_movers", Action::ViewAgreement, Weight::Light),
    ("/fn/agreement/load_agreement", Action::ViewAgreement, Weight::Light),
    ("/fn/agreement/load_pair", Action::ViewAgreement, Weight::Light),
    ("/fn/alerts/add_limit", Action::ManageProject, Weight::Light),
    ("/fn/alerts/list_standing", Action::ViewAgreement, Weight::Light),
    ("/fn/alerts/remove_limit", Action::ManageProject, Weight::Light),
    ("/fn/annotating/load_assignment", Action::Annotate, Weight::Light),
    ("/fn/annotating/load_own_work", Action::ViewOwnWork, Weight::Light),
    ("/fn/annotating/reopen_assignment", Action::Annotate, Weight::Light),
    ("/fn/annotating/save_spans", Action::Annotate, Weight::Save),
    ("/fn/annotating/submit_assignment", Action::Annotate, Weight::Light),
    ("/fn/comments/answer", Action::Discuss, Weight::Light),
    ("/fn/comments/begin", Action::Annotate, Weight::Light),
    ("/fn/comments/go_on", Action::Annotate, Weight::Light),
    ("/fn/comments/settle", Action::Discuss, Weight::Light),
    ("/fn/documents/delete_document", Action::ManageDocuments, Weight::Light),
    ("/fn/documents/list_documents", Action::ManageDocuments, Weight::Light),
    ("/fn/documents/list_progress", Action::ManageDocuments, Weight::Light),
    ("/fn/documents/undo_import", Action::ManageDocuments, Weight::Light),
    ("/fn/focus/report_focus", Action::Annotate, Weight::Light),
    ("/fn/focus/set_measured", Action::ManageProject, Weight::Light),
    ("/fn/flags/answer", Action::ManageDocuments, Weight::Light),
    ("/fn/flags/lower", Action::Annotate, Weight::Light),
    ("/fn/flags/raise", Action::Annotate, Weight::Light),
    ("/fn/flags/send_back", Action::Discuss, Weight::Light),
    ("/fn/gold/lock", Action::ManageProject, Weight::Light),
    ("/fn/labels/create_attribute", Action::ManageProject, Weight::Light),
    ("/fn/labels/describe_label", Action::ManageProject, Weight::Light),
    ("/fn/labels/save_attribute", Action::ManageProject, Weight::Light),
    ("/fn/labels/save_suggestions", Action::ManageProject, Weight::Light),
    ("/fn/history/restore_version", Action::RestoreVersion, Weight::Save),
    ("/fn/members/delete_invitation", Action::ManageMembers, Weight::Light),
    ("/fn/members/invite_member", Action::ManageMembers, Weight::Light),
    ("/fn/members/list_invitations", Action::ManageMembers, Weight::Light),
    ("/fn/members/list_members", Action::ManageMembers, Weight::Light),
    ("/fn/members/remove_member", Action::ManageMembers, Weight::Light),
    ("/fn/projects/archive_project", Action::ManageProject, Weight::Light),
    ("/fn/projects/create_label", Action::ManageProject, Weight::Light),
    ("/fn/projects/create_project", Action::CreateProject, Weight::Light),
    ("/fn/projects/delete_label", Action::ManageProject, Weight::Light),
    ("/fn/projects/delete_project", Action::ManageProject, Weight::Save),
    ("/fn/projects/list_projects", Action::VisitOwn, Weight::Light),
    ("/fn/projects/load_project", Action::ViewProject, Weight::Light),
    ("/fn/projects/load_settings", Action::ManageProject, Weight::Light),
    ("/fn/projects/release_agreement", Action::ManageProject, Weight::Light),
    ("/fn/projects/restore_project", Action::ManageProject, Weight::Light),
    ("/fn/projects/save_label", Action::ManageProject, Weight::Light),
    ("/fn/projects/save_settings", Action::ManageProject, Weight::Light),
    ("/fn/projects/simulate_labelers", Action::ManageProject, Weight::Light),
    ("/fn/reasons/save", Action::ManageProject, Weight::Light),
    ("/fn/repeats/give_repeats", Action::ManageDocuments, Weight::Light),
    ("/fn/repeats/take_back", Action::ManageDocuments, Weight::Light),
    ("/fn/reviewing/list_reviews", Action::Review, Weight::Light),
    ("/fn/reviewing/load_review", Action::Review, Weight::Light),
    ("/fn/reviewing/reopen_review", Action::Review, Weight::Light),
    ("/fn/reviewing/save_decisions", Action::Review, Weight::Save),
    ("/fn/reviewing/submit_review", Action::Review, Weight::Light),
    ("/fn/rounds/start_round", Action::ManageProject, Weight::Save),
    ("/fn/rules/accept", Action::Review, Weight::Save),
    ("/fn/rules/undo", Action::Review, Weight::Save),
    ("/fn/second_reviews/give", Action::ManageDocuments, Weight::Light),
    ("/fn/second_reviews/undo", Action::ManageDocuments, Weight::Light),
    ("/fn/tokens/create_token", Action::VisitOwn, Weight::Light),
    ("/fn/tokens/revoke_token", Action::VisitOwn, Weight::Light),
    ("/fn/walking/decide", Action::Review, Weight::Light),
    ("/fn/walking/decide_alike", Action::Review, Weight::Save),
    ("/fn/walking/undo", Action::Review, Weight::Light),
    ("/fn/webhooks/add", Action::ManageProject, Weight::Light),
    ("/fn/webhooks/change", Action::ManageProject, Weight::Light),
    ("/fn/webhooks/hide_secret", Action::ManageProject, Weight::Light),
    ("/fn/webhooks/pause", Action::ManageProject, Weight::Light),
    ("/fn/webhooks/remove", Action::ManageProject, Weight::Light),
    ("/fn/webhooks/send_again", Action::ManageProject, Weight::Light),
    ("/fn/webhooks/send_test", Action::ManageProject, Weight::Light),
    ("/fn/workload/close_pool", Action::ManageDocuments, Weight::Light),
    ("/fn/workload/draw", Action::ViewOwnWork, Weight::Light),
    ("/fn/workload/give", Action::ManageDocuments, Weight::Light),
    ("/fn/workload/open_pool", Action::ManageDocuments, Weight::Light),
    ("/fn/workload/pause", Action::ManageDocuments, Weight::Light),
    ("/fn/workload/undo", Action::ManageDocuments, Weight::Light),
];

/// A page of `app`, loaded by GET.
pub struct Page {
    pub path: &'static str,
    pub action: Action,
    pub kind: PageKind,
}

const fn read(path: &'static str, action: Action) -> Page {
    Page { path, action, kind: PageKind::Reading }
}

const fn work(path: &'static str, action: Action) -> Page {
    Page { path, action, kind: PageKind::Working }
}

/// The pages of `app`: those that are only read, and those that the front end takes over.
pub const PAGES: &[Page] = &[
    read("/", Action::VisitOwn),
    read("/sign-in", Action::VisitPublic),
    read("/compare", Action::VisitOwn),
    read("/study", Action::VisitPublic),
    read("/keys", Action::VisitOwn),
    read("/account", Action::VisitOwn),
    read("/tokens", Action::VisitOwn),
    read("/api", Action::VisitPublic),
    read("/admin", Action::Administer),
    read("/audit", Action::Administer),
    read("/admin/accounts/{account}", Action::Administer),
    read("/admin/projects", Action::Administer),
    read("/admin/projects/{project}", Action::Administer),
    read("/invitations/{token}", Action::VisitPublic),
    read("/reset/{token}", Action::VisitPublic),
    read("/projects/{project}", Action::ViewProject),
    read("/projects/{project}/agreement", Action::ViewAgreement),
    read("/projects/{project}/agreement/labels", Action::ViewAgreement),
    read("/projects/{project}/agreement/documents", Action::ViewAgreement),
    read("/projects/{project}/agreement/people", Action::ViewAgreement),
    read("/projects/{project}/agreement/reasons", Action::ViewAgreement),
    read("/projects/{project}/agreement/what-if", Action::ViewAgreement),
    read("/projects/{project}/agreement/{first}/{second}", Action::ViewAgreement),
    read("/projects/{project}/alerts", Action::ManageProject),
    read("/projects/{project}/comments", Action::Discuss),
    read("/projects/{project}/disagreements", Action::ViewAgreement),
    read("/projects/{project}/documents", Action::ManageDocuments),
    read("/projects/{project}/documents/copies", Action::ManageDocuments),
    read("/projects/{project}/documents/repeats", Action::ManageDocuments),
    read("/projects/{project}/documents/second", Action::ManageDocuments),
    read("/projects/{project}/documents/second-reviews", Action::ManageDocuments),
    read("/projects/{project}/documents/workload", Action::ManageDocuments),
    read("/projects/{project}/exports", Action::ViewProject),
    read("/projects/{project}/gold", Action::ViewAgreement),
    read("/projects/{project}/gold/compare", Action::ViewAgreement),
    read("/projects/{project}/gold/documents/{document}", Action::ViewAgreement),
    read("/projects/{project}/guidelines", Action::ViewProject),
    read("/projects/{project}/guidelines/{version}", Action::ViewProject),
    read("/projects/{project}/members", Action::ManageMembers),
    read("/projects/{project}/positions", Action::ViewAgreement),
    read("/projects/{project}/reviews", Action::Review),
    read("/projects/{project}/reviews/rules", Action::Review),
    read("/projects/{project}/settings", Action::ManageProject),
    read("/projects/{project}/settings/labels/{label}", Action::ManageProject),
    read("/projects/{project}/time", Action::ViewAgreement),
    read("/projects/{project}/walk", Action::ViewAgreement),
    read("/projects/{project}/walk/alike", Action::Review),
    read("/projects/{project}/audit", Action::ManageProject),
    read("/projects/{project}/webhooks", Action::ManageProject),
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
