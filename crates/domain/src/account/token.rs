//! Tokens with which programs act for a person: what they are for, how long they last, where they
//! lead.

use std::{collections::BTreeSet, fmt, str::FromStr};

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    Actor, ApiTokenId, Code, Error, ModelId, ProjectId,
    base::policy::{Action, Reach, reach},
    check_name,
};

switch! {
    /// What a token is for. It never allows more than the person behind it may do.
    Scope {
        /// See what the person sees; change nothing.
        Read = "read",
        /// Work on one's own assignments: save, submit, reopen.
        Annotate = "annotate",
        /// Decide on what labelers marked.
        Review = "review",
        /// Bring documents, change settings, invite.
        Manage = "manage",
        /// Hand in what one model says of documents, and read these; goes with nothing else.
        Model = "model",
    }
}

impl Scope {
    /// Those that people choose from. A token of a model is made where the model is.
    pub const CHOOSABLE: [Self; 4] = [Self::Read, Self::Annotate, Self::Review, Self::Manage];
}

/// The longest that a token lasts, in days.
pub const TOKEN_DAYS_MAX: u16 = 365;

/// What a token that somebody comes with allows in this request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    pub token: ApiTokenId,
    pub scopes: BTreeSet<Scope>,
    /// The projects that it leads to; none for all that the person is in.
    pub projects: Option<BTreeSet<ProjectId>>,
    /// The model that it is of, and of no other.
    pub model: Option<ModelId>,
    /// How far a scope has to reach for this request: a request that only asks needs less.
    pub needed: Reach,
}

impl Actor {
    /// Refuses what the token that somebody comes with is not for. Whoever comes without one is
    /// not held back by it.
    pub fn within_scope(&self, action: Action) -> Result<(), Error> {
        match self {
            Self::Token(_, grant)
                if !grant.scopes.iter().any(|scope| reach(*scope, action) >= grant.needed) =>
            {
                Err(Code::ScopeRequired.because("this token's scopes do not allow this"))
            }
            _ => Ok(()),
        }
    }

    /// Whether the token that somebody comes with, if any, leads to this project.
    pub fn leads_to(&self, project: ProjectId) -> bool {
        match self {
            Self::Token(_, Grant { projects: Some(projects), .. }) => projects.contains(&project),
            _ => true,
        }
    }

    /// Whether the token that somebody comes with, if any, may speak for this model.
    pub fn speaks_for(&self, model: ModelId) -> bool {
        match self {
            Self::Token(_, Grant { model: Some(own), .. }) => *own == model,
            Self::Token(_, Grant { model: None, scopes, .. }) => !scopes.contains(&Scope::Model),
            _ => true,
        }
    }
}

/// A token as the person sees it whose it is. The secret itself is shown once, when made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiToken {
    pub id: ApiTokenId,
    pub name: String,
    pub scopes: BTreeSet<Scope>,
    /// None for all projects.
    pub projects: Option<BTreeSet<ProjectId>>,
    /// The model that it is of.
    pub model: Option<ModelId>,
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    /// The day, in UTC; nothing finer is kept.
    pub last_used_on: Option<NaiveDate>,
}

/// What somebody says of a new token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewApiToken {
    pub name: String,
    pub scopes: BTreeSet<Scope>,
    /// None for all projects.
    pub projects: Option<BTreeSet<ProjectId>>,
    pub days: u16,
}

impl NewApiToken {
    /// Checks and tidies what was typed.
    pub fn checked(self) -> Result<Self, Error> {
        if self.scopes.contains(&Scope::Model) {
            let why = "a model's token is made in the settings of its project";
            return Err(Code::Unsuitable.of("scopes", why));
        }
        self.checked_for_any()
    }

    /// As [`Self::checked`], where it may be for a model.
    pub fn checked_for_any(mut self) -> Result<Self, Error> {
        self.name = check_name("name", "a token's name", &self.name, 1..=100)?;
        if self.scopes.is_empty() {
            return Err(Code::Missing.of("scopes", "choose at least one scope"));
        }
        if self.projects.as_ref().is_some_and(BTreeSet::is_empty) {
            return Err(Code::Missing.of("projects", "choose at least one project, or all"));
        }
        if !(1..=TOKEN_DAYS_MAX).contains(&self.days) {
            return Err(Code::OutOfRange.of("days", "a token lasts 1 to 365 days"));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{User, UserId};

    fn actor(scopes: &[Scope], projects: Option<&[i64]>, needed: Reach) -> Actor {
        let user = User {
            id: UserId(1),
            email: String::new(),
            name: String::new(),
            may_create_projects: true,
            is_administrator: false,
            has_factor_elsewhere: false,
        };
        let projects = projects.map(|ids| ids.iter().copied().map(ProjectId).collect());
        let scopes = scopes.iter().copied().collect();
        Actor::Token(user, Grant { token: ApiTokenId(1), scopes, projects, model: None, needed })
    }

    #[test]
    fn one_scope_that_reaches_far_enough_is_enough() {
        let both = [Scope::Read, Scope::Annotate];
        let may = |scopes: &[Scope], needed, action| {
            actor(scopes, None, needed).within_scope(action).is_ok()
        };
        assert!(may(&both, Reach::Change, Action::Annotate));
        assert!(may(&both, Reach::Read, Action::ManageDocuments));
        assert!(!may(&both, Reach::Change, Action::ManageDocuments));
        assert!(!may(&[Scope::Annotate], Reach::Read, Action::ViewAgreement));
        assert_eq!(Actor::Anonymous.within_scope(Action::ManageProject), Ok(()));
    }

    #[test]
    fn a_token_leads_to_its_projects_only() {
        let some = actor(&[Scope::Read], Some(&[3]), Reach::Read);
        assert!(some.leads_to(ProjectId(3)) && !some.leads_to(ProjectId(4)));
        assert!(actor(&[Scope::Read], None, Reach::Read).leads_to(ProjectId(4)));
        assert!(Actor::Anonymous.leads_to(ProjectId(4)));
    }

    #[test]
    fn a_token_of_a_model_speaks_for_no_other() {
        let of = |scopes: &[Scope], model| match actor(scopes, None, Reach::Change) {
            Actor::Token(user, grant) => Actor::Token(user, Grant { model, ..grant }),
            other => other,
        };
        let own = of(&[Scope::Model], Some(ModelId(3)));
        assert!(own.speaks_for(ModelId(3)) && !own.speaks_for(ModelId(4)));
        assert!(!of(&[Scope::Model], None).speaks_for(ModelId(3)), "of no model, for none");
        assert!(of(&[Scope::Manage], None).speaks_for(ModelId(3)));
        assert!(Actor::Anonymous.speaks_for(ModelId(3)), "by what they may");
    }

    #[test]
    fn a_token_has_a_name_a_purpose_and_an_end() {
        let token = NewApiToken {
            name: " notebook ".to_owned(),
            scopes: [Scope::Read].into(),
            projects: None,
            days: 365,
        };
        assert_eq!(token.clone().checked().unwrap().name, "notebook");
        let field = |token: NewApiToken| match token.checked() {
            Err(Error::Invalid { field, .. }) => field,
            other => panic!("{other:?}"),
        };
        assert_eq!(field(NewApiToken { name: " ".to_owned(), ..token.clone() }), "name");
        assert_eq!(field(NewApiToken { scopes: BTreeSet::new(), ..token.clone() }), "scopes");
        let nowhere = Some(BTreeSet::new());
        assert_eq!(field(NewApiToken { projects: nowhere, ..token.clone() }), "projects");
        for days in [0, 366] {
            assert_eq!(field(NewApiToken { days, ..token.clone() }), "days");
        }
    }
}
