//! Every path of the user interface and the page that answers it.

use leptos::prelude::*;
use leptos_meta::{Title, provide_meta_context};
use leptos_router::{
    ParamSegment, StaticSegment,
    components::{ParentRoute, Route, Router, Routes},
};

use crate::{
    components::frame::Frame,
    pages::{
        agreement::{AgreementPage, PairPage},
        annotate::AnnotatePage,
        disagreements::DisagreementsPage,
        documents::DocumentsPage,
        guidelines::GuidelinesPage,
        invitation::InvitationPage,
        members::MembersPage,
        not_found::NotFoundPage,
        project::{ProjectFrame, ProjectHomePage},
        projects::ProjectsPage,
        review::ReviewPage,
        reviews::ReviewsPage,
        settings::SettingsPage,
        sign_in::SignInPage,
        work::WorkPage,
    },
    view::view,
};

/// The whole user interface.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=|title: String| if title.is_empty() { "Concord".to_owned() } else { format!("{title} · Concord") }/>
        <Router>
            <Frame>
                <Routes fallback=NotFoundPage>
                    <Route path=StaticSegment("") view=ProjectsPage/>
                    <Route path=StaticSegment("sign-in") view=SignInPage/>
                    <Route path=(StaticSegment("invitations"), ParamSegment("token")) view=InvitationPage/>
                    <ParentRoute path=(StaticSegment("projects"), ParamSegment("project")) view=ProjectFrame>
                        <Route path=StaticSegment("") view=ProjectHomePage/>
                        <Route path=StaticSegment("work") view=WorkPage/>
                        <Route path=StaticSegment("guidelines") view=GuidelinesPage/>
                        <Route path=StaticSegment("reviews") view=ReviewsPage/>
                        <Route path=StaticSegment("agreement") view=AgreementPage/>
                        <Route
                            path=(StaticSegment("agreement"), ParamSegment("first"), ParamSegment("second"))
                            view=PairPage
                        />
                        <Route path=StaticSegment("disagreements") view=DisagreementsPage/>
                        <Route path=StaticSegment("documents") view=DocumentsPage/>
                        <Route path=StaticSegment("members") view=MembersPage/>
                        <Route path=StaticSegment("settings") view=SettingsPage/>
                    </ParentRoute>
                    <Route path=(StaticSegment("assignments"), ParamSegment("assignment")) view=AnnotatePage/>
                    <Route path=(StaticSegment("documents"), ParamSegment("document"), StaticSegment("review")) view=ReviewPage/>
                </Routes>
            </Frame>
        </Router>
    }
}
