//! Every path of the user interface and the page that answers it.

use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::{
    ParamSegment, StaticSegment,
    components::{ParentRoute, Route, Router, Routes},
};

use crate::{
    pages::{
        AccountPage, AccountsPage, AgreementPage, AllProjectsPage, AnnotatePage, AssignmentsPage,
        AuditPage, ComparePage, ConsensusPage, DisagreementsPage, DocumentCommentsPage,
        DocumentPartsPage, DocumentsPage, ExportsPage, FlagPage, ForgottenPage, GoldComparePage,
        GoldDocumentPage, GoldPage, GuidelinesPage, HistoryPage, InterfacePage, InvitationPage,
        KeptAccountPage, KeptProjectPage, KeysPage, LabelPage, LabelPartsPage, LabelsPage,
        MailChoicesPage, MailPage, MembersPage, ModelsPage, NewAppPage, NoPage, OverTimePage,
        OwnCommentListPage, OwnCommentsPage, PairPage, PersonPartsPage, PositionsPage,
        ProjectCommentsPage, ProjectFrame, ProjectHomePage, ProjectsPage, ReasonsPage, RepeatsPage,
        ResetPage, ReviewPage, ReviewsPage, RoundsPage, RulesPage, SameTextPage, SecondPage,
        SecondReviewsPage, SecondStepPage, SendBackPage, ServerAuditPage, SettingsPage, SidePage,
        SignInPage, StandInPage, StudyPage, TargetsPage, TokensPage, UnsubscribePage, WalkPage,
        WebhooksPage, WhatIfPage, WorkPage, WorkloadPage,
        components::frame::{Frame, title},
    },
    view::view,
};

/// The whole user interface.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=title::written text=""/>
        <Router>
            <Frame>
                <Routes fallback=NoPage>
                    <Route path=StaticSegment("") view=ProjectsPage/>
                    <Route path=StaticSegment("sign-in") view=SignInPage/>
                    <Route path=(StaticSegment("sign-in"), StaticSegment("second")) view=SecondStepPage/>
                    <Route path=StaticSegment("compare") view=ComparePage/>
                    <Route path=StaticSegment("study") view=StudyPage/>
                    <Route path=StaticSegment("keys") view=KeysPage/>
                    <Route path=StaticSegment("account") view=AccountPage/>
                    <Route path=(StaticSegment("account"), StaticSegment("app")) view=NewAppPage/>
                    <Route path=(StaticSegment("account"), StaticSegment("mail")) view=MailChoicesPage/>
                    <Route path=StaticSegment("tokens") view=TokensPage/>
                    <Route path=StaticSegment("api") view=InterfacePage/>
                    <Route path=StaticSegment("admin") view=AccountsPage/>
                    <Route path=StaticSegment("audit") view=ServerAuditPage/>
                    <Route path=(StaticSegment("admin"), StaticSegment("accounts"), ParamSegment("account")) view=KeptAccountPage/>
                    <Route path=(StaticSegment("admin"), StaticSegment("mail")) view=MailPage/>
                    <Route path=(StaticSegment("admin"), StaticSegment("projects")) view=AllProjectsPage/>
                    <Route path=(StaticSegment("admin"), StaticSegment("projects"), ParamSegment("project")) view=KeptProjectPage/>
                    <Route path=(StaticSegment("invitations"), ParamSegment("token")) view=InvitationPage/>
                    <Route path=StaticSegment("reset") view=ForgottenPage/>
                    <Route path=(StaticSegment("reset"), ParamSegment("token")) view=ResetPage/>
                    <Route path=(StaticSegment("unsubscribe"), ParamSegment("token")) view=UnsubscribePage/>
                    <ParentRoute path=(StaticSegment("projects"), ParamSegment("project")) view=ProjectFrame>
                        <Route path=StaticSegment("") view=ProjectHomePage/>
                        <Route path=StaticSegment("work") view=WorkPage/>
                        <Route path=(StaticSegment("work"), StaticSegment("comments")) view=OwnCommentListPage/>
                        <Route path=(StaticSegment("work"), StaticSegment("documents")) view=DocumentsPage/>
                        <Route path=(StaticSegment("work"), StaticSegment("assignments")) view=AssignmentsPage/>
                        <Route path=(StaticSegment("work"), StaticSegment("people")) view=WorkloadPage/>
                        <Route path=(StaticSegment("work"), StaticSegment("repeats")) view=RepeatsPage/>
                        <Route path=(StaticSegment("work"), StaticSegment("second")) view=SecondPage/>
                        <Route path=(StaticSegment("work"), StaticSegment("second-reviews")) view=SecondReviewsPage/>
                        <Route path=StaticSegment("agreement") view=AgreementPage/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("labels")) view=LabelPartsPage/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("documents")) view=DocumentPartsPage/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("people")) view=PersonPartsPage/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("trend")) view=OverTimePage/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("what-if")) view=WhatIfPage/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("positions")) view=PositionsPage/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("reasons")) view=ReasonsPage/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("models"), ParamSegment("model")) view=StandInPage/>
                        <Route path=(StaticSegment("agreement"), ParamSegment("first"), ParamSegment("second")) view=PairPage/>
                        <Route path=StaticSegment("review") view=ReviewsPage/>
                        <Route path=(StaticSegment("review"), StaticSegment("rules")) view=RulesPage/>
                        <Route path=(StaticSegment("review"), StaticSegment("disagreements")) view=DisagreementsPage/>
                        <Route path=(StaticSegment("review"), StaticSegment("consensus")) view=ConsensusPage/>
                        <Route path=(StaticSegment("review"), StaticSegment("comments")) view=ProjectCommentsPage/>
                        <Route path=(StaticSegment("review"), StaticSegment("walk")) view=WalkPage/>
                        <Route path=(StaticSegment("review"), StaticSegment("walk"), StaticSegment("alike")) view=SameTextPage/>
                        <Route path=(StaticSegment("review"), StaticSegment("gold")) view=GoldPage/>
                        <Route path=(StaticSegment("review"), StaticSegment("gold"), StaticSegment("compare")) view=GoldComparePage/>
                        <Route path=(StaticSegment("review"), StaticSegment("gold"), StaticSegment("documents"), ParamSegment("document")) view=GoldDocumentPage/>
                        <Route path=StaticSegment("exports") view=ExportsPage/>
                        <Route path=StaticSegment("settings") view=SettingsPage/>
                        <Route path=(StaticSegment("settings"), StaticSegment("guidelines")) view=GuidelinesPage/>
                        <Route path=(StaticSegment("settings"), StaticSegment("guidelines"), ParamSegment("version")) view=GuidelinesPage/>
                        <Route path=(StaticSegment("settings"), StaticSegment("labels")) view=LabelsPage/>
                        <Route path=(StaticSegment("settings"), StaticSegment("labels"), ParamSegment("label")) view=LabelPage/>
                        <Route path=(StaticSegment("settings"), StaticSegment("members")) view=MembersPage/>
                        <Route path=(StaticSegment("settings"), StaticSegment("models")) view=ModelsPage/>
                        <Route path=(StaticSegment("settings"), StaticSegment("rounds")) view=RoundsPage/>
                        <Route path=(StaticSegment("settings"), StaticSegment("targets")) view=TargetsPage/>
                        <Route path=(StaticSegment("settings"), StaticSegment("webhooks")) view=WebhooksPage/>
                        <Route path=(StaticSegment("settings"), StaticSegment("audit")) view=AuditPage/>
                    </ParentRoute>
                    <Route path=(StaticSegment("assignments"), ParamSegment("assignment")) view=AnnotatePage/>
                    <Route path=(StaticSegment("assignments"), ParamSegment("assignment"), StaticSegment("history")) view=HistoryPage/>
                    <Route path=(StaticSegment("assignments"), ParamSegment("assignment"), StaticSegment("comments")) view=OwnCommentsPage/>
                    <Route path=(StaticSegment("assignments"), ParamSegment("assignment"), StaticSegment("flag")) view=FlagPage/>
                    <Route path=(StaticSegment("documents"), ParamSegment("document"), StaticSegment("back")) view=SendBackPage/>
                    <Route path=(StaticSegment("documents"), ParamSegment("document"), StaticSegment("comments")) view=DocumentCommentsPage/>
                    <Route path=(StaticSegment("documents"), ParamSegment("document"), StaticSegment("review")) view=ReviewPage/>
                    <Route path=(StaticSegment("documents"), ParamSegment("document"), StaticSegment("side")) view=SidePage/>
                </Routes>
            </Frame>
        </Router>
    }
}
