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
        agreement::AgreementPage, annotate::AnnotatePage, project::ProjectFrame, review::ReviewPage,
    },
    view::view,
};

/// A page that is only read. The browser's build does not have it and asks the server for it.
#[cfg(feature = "ssr")]
macro_rules! reading {
    ($page:ident) => {
        crate::reading::$page
    };
}

#[cfg(not(feature = "ssr"))]
macro_rules! reading {
    ($page:ident) => {
        crate::from_server::FromServer
    };
}

/// The whole user interface.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=|title: String| if title.is_empty() { "Concord".to_owned() } else { format!("{title} · Concord") }/>
        <Router>
            <Frame>
                <Routes fallback=reading!(NotFoundPage)>
                    <Route path=StaticSegment("") view=reading!(ProjectsPage)/>
                    <Route path=StaticSegment("sign-in") view=reading!(SignInPage)/>
                    <Route path=(StaticSegment("invitations"), ParamSegment("token")) view=reading!(InvitationPage)/>
                    <ParentRoute path=(StaticSegment("projects"), ParamSegment("project")) view=ProjectFrame>
                        <Route path=StaticSegment("") view=reading!(ProjectHomePage)/>
                        <Route path=StaticSegment("work") view=reading!(WorkPage)/>
                        <Route path=StaticSegment("guidelines") view=reading!(GuidelinesPage)/>
                        <Route path=(StaticSegment("guidelines"), ParamSegment("version")) view=reading!(GuidelinesPage)/>
                        <Route path=StaticSegment("reviews") view=reading!(ReviewsPage)/>
                        <Route path=StaticSegment("agreement") view=AgreementPage/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("labels")) view=reading!(LabelPartsPage)/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("documents")) view=reading!(DocumentPartsPage)/>
                        <Route path=(StaticSegment("agreement"), StaticSegment("people")) view=reading!(PersonPartsPage)/>
                        <Route path=StaticSegment("positions") view=reading!(PositionsPage)/>
                        <Route path=StaticSegment("walk") view=reading!(WalkPage)/>
                        <Route path=(StaticSegment("walk"), StaticSegment("alike")) view=reading!(AlikePage)/>
                        <Route
                            path=(StaticSegment("agreement"), ParamSegment("first"), ParamSegment("second"))
                            view=reading!(PairPage)
                        />
                        <Route path=StaticSegment("time") view=reading!(OverTimePage)/>
                        <Route path=StaticSegment("alerts") view=reading!(AlertsPage)/>
                        <Route path=StaticSegment("disagreements") view=reading!(DisagreementsPage)/>
                        <Route path=StaticSegment("documents") view=reading!(DocumentsPage)/>
                        <Route path=StaticSegment("members") view=reading!(MembersPage)/>
                        <Route path=StaticSegment("settings") view=reading!(SettingsPage)/>
                    </ParentRoute>
                    <Route path=(StaticSegment("assignments"), ParamSegment("assignment")) view=AnnotatePage/>
                    <Route path=(StaticSegment("documents"), ParamSegment("document"), StaticSegment("review")) view=ReviewPage/>
                </Routes>
            </Frame>
        </Router>
    }
}
