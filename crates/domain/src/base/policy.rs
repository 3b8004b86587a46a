//! Who may do what: one table, used to refuse on the server and to hide in the user interface.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Actor, Code, Error, ReleaseLevel, Role, Scope};

/// Everything that can be permitted or refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Pages and calls that anybody may reach: sign-in, an invitation by its link, health.
    VisitPublic,
    /// See one's own account and the list of one's own projects.
    VisitOwn,
    /// Create a project.
    CreateProject,
    /// Look after the server's accounts and projects, without seeing what is in a project.
    Administer,
    /// Tell the server who is there and in which groups, as a directory does by SCIM.
    Provision,
    /// See a project's name, labels and guidelines.
    ViewProject,
    /// Change settings, guidelines and labels; release agreement; simulate labelers in a demo.
    ManageProject,
    /// See and change members and invitations.
    ManageMembers,
    /// See all documents and everybody's progress; import, assign and delete documents.
    ManageDocuments,
    /// See the list of one's own assignments and one's own agreement.
    ViewOwnWork,
    /// Open, change, submit and reopen one's own assignment.
    Annotate,
    /// Take somebody's work away as a file: a labeler their own.
    ExportWork,
    /// See the versions of an assignment: a labeler those of their own.
    ViewHistory,
    /// Make an earlier version of an assignment current again.
    RestoreVersion,
    /// Open documents with the labelers' spans and decide on them.
    Review,
    /// Read and answer what labelers write; give a submitted assignment back with a note.
    Discuss,
    /// See matrix, pairs, adjudication list and their live stream; export them and the gold
    /// standard.
    ViewAgreement,
    /// Read documents as a model is given them, and hand in what it says of them.
    SaveModelWork,
}

impl Action {
    /// What it is called in the audit trail: "manage project".
    pub fn words(self) -> String {
        let name = format!("{self:?}");
        let mut words = String::with_capacity(name.len() + 2);
        for character in name.chars() {
            if character.is_ascii_uppercase() && !words.is_empty() {
                words.push(' ');
            }
            words.push(character.to_ascii_lowercase());
        }
        words
    }
}

/// What is said to somebody who is not permitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Permitted.
    Allow,
    /// Permitted if it is their own.
    Own,
    /// Refused as if it did not exist.
    Hide,
    /// Refused openly: they know it exists.
    Deny,
    /// Refused until they sign in.
    SignIn,
}

/// Who somebody is to the thing they act on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Standpoint {
    Anonymous,
    /// Signed in, not a member of the project; may create projects or not, and look after the
    /// server or not.
    Outsider {
        may_create_projects: bool,
        administers: bool,
    },
    /// A member; `owns` says whether the assignment in question is theirs.
    Member {
        role: Role,
        owns: bool,
    },
    /// No person: what tells the server by SCIM who is there.
    Directory,
}

impl Standpoint {
    /// Where `actor` stands to something outside any project.
    pub fn outside(actor: &Actor) -> Self {
        match actor {
            Actor::Anonymous => Self::Anonymous,
            Actor::Person(user) | Actor::Token(user, _) => Self::Outsider {
                may_create_projects: user.may_create_projects,
                administers: user.is_administrator,
            },
            Actor::Directory(_) => Self::Directory,
        }
    }

    /// Where `actor` stands to something in a project that they have `role` in, if any.
    pub fn inside(actor: &Actor, role: Option<Role>, owns: bool) -> Self {
        match (actor, role) {
            (Actor::Person(_) | Actor::Token(..), Some(role)) => Self::Member { role, owns },
            _ => Self::outside(actor),
        }
    }
}

/// The rows of the table: anonymous, outsider, labeler, reviewer, manager.
const fn row(action: Action) -> [Answer; 5] {
    use Answer::{Allow, Deny, Hide, Own, SignIn};
    match action {
        Action::VisitPublic => [Allow, Allow, Allow, Allow, Allow],
        Action::VisitOwn => [SignIn, Allow, Allow, Allow, Allow],
        // Not a matter of roles in a project: see `answer`.
        Action::CreateProject => [SignIn, Deny, Deny, Deny, Allow],
        // Nor is the one; and the other nobody does: see `answer`.
        Action::Administer | Action::Provision => [SignIn, Hide, Hide, Hide, Hide],
        Action::ViewProject => [SignIn, Hide, Allow, Allow, Allow],
        Action::ManageProject
        | Action::ManageMembers
        | Action::ManageDocuments
        | Action::SaveModelWork => [SignIn, Hide, Deny, Deny, Allow],
        Action::ViewOwnWork => [SignIn, Hide, Allow, Deny, Deny],
        // That somebody else has an assignment is not for others to know, hence hidden.
        Action::Annotate => [SignIn, Hide, Own, Hide, Hide],
        // Reviewers see the spans of every assignment, so they may see what they were, too.
        Action::ExportWork | Action::ViewHistory => [SignIn, Hide, Own, Allow, Allow],
        Action::RestoreVersion => [SignIn, Hide, Own, Deny, Allow],
        Action::Review => [SignIn, Hide, Deny, Allow, Deny],
        Action::Discuss | Action::ViewAgreement => [SignIn, Hide, Deny, Allow, Allow],
    }
}

/// What the table says to somebody who stands there.
pub const fn answer(action: Action, standpoint: Standpoint) -> Answer {
    let [anonymous, outsider, labeler, reviewer, manager] = row(action);
    let answer = match standpoint {
        Standpoint::Anonymous => anonymous,
        Standpoint::Outsider { may_create_projects, administers } => match action {
            Action::CreateProject if may_create_projects => Answer::Allow,
            Action::Administer if administers => Answer::Allow,
            _ => outsider,
        },
        Standpoint::Member { role: Role::Labeler, .. } => labeler,
        Standpoint::Member { role: Role::Reviewer, .. } => reviewer,
        Standpoint::Member { role: Role::Manager, .. } => manager,
        Standpoint::Directory => match action {
            Action::Provision => Answer::Allow,
            _ => Answer::Hide,
        },
    };
    match (answer, standpoint) {
        (Answer::Own, Standpoint::Member { owns: true, .. }) => Answer::Allow,
        (Answer::Own, _) => Answer::Hide,
        (answer, _) => answer,
    }
}

/// Whether the user interface should offer the action.
pub const fn offers(action: Action, standpoint: Standpoint) -> bool {
    matches!(answer(action, standpoint), Answer::Allow)
}

/// Refuses what the table does not allow.
pub fn permits(action: Action, standpoint: Standpoint) -> Result<(), Error> {
    match answer(action, standpoint) {
        Answer::Allow => Ok(()),
        Answer::SignIn => Err(Error::SignInRequired),
        Answer::Own | Answer::Hide => Err(Error::NotFound),
        Answer::Deny => {
            Err(Code::RoleRequired.because("your role in this project does not allow this"))
        }
    }
}

/// How far a token's scope reaches into an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Reach {
    Nothing,
    /// To see.
    Read,
    /// To see and to change.
    Change,
}

/// What a scope is good for. It takes away from what the table above allows, and adds nothing.
pub const fn reach(scope: Scope, action: Action) -> Reach {
    use Reach::{Change, Nothing, Read};
    let [read, annotate, review, manage] = match action {
        // Files can be compared by POST: nothing is stored, so nothing is changed.
        Action::VisitPublic | Action::VisitOwn => [Change, Change, Change, Change],
        Action::CreateProject => [Nothing, Nothing, Nothing, Change],
        // What an administrator does, no program does in their name.
        // Nor does one with a person's token what a directory does.
        Action::Administer | Action::Provision => [Nothing, Nothing, Nothing, Nothing],
        // Ids of labels are needed by whoever marks, decides or imports.
        Action::ViewProject | Action::ExportWork | Action::ViewHistory => [Read, Read, Read, Read],
        Action::ManageProject
        | Action::ManageMembers
        | Action::ManageDocuments
        | Action::SaveModelWork => [Read, Nothing, Nothing, Change],
        Action::ViewOwnWork | Action::Annotate => [Read, Change, Nothing, Nothing],
        Action::RestoreVersion => [Nothing, Change, Nothing, Change],
        Action::Review => [Read, Nothing, Change, Nothing],
        Action::Discuss => [Read, Nothing, Change, Change],
        Action::ViewAgreement => [Read, Nothing, Read, Read],
    };
    match scope {
        Scope::Read => read,
        Scope::Annotate => annotate,
        Scope::Review => review,
        Scope::Manage => manage,
        // What a model is given is all that its token is for.
        Scope::Model => match action {
            Action::VisitPublic | Action::SaveModelWork => Change,
            _ => Nothing,
        },
    }
}

/// Whether a labeler may read what others said to them about their work at this time: as it is with
/// their own agreement, never, as it comes, or as it stood at the last release. Their own words they
/// always read, and those of other labelers never.
pub fn tells_labelers(
    level: ReleaseLevel,
    released_at: Option<DateTime<Utc>>,
    said_at: DateTime<Utc>,
) -> bool {
    match level {
        ReleaseLevel::None => false,
        ReleaseLevel::GoldOnly | ReleaseLevel::Open => true,
        ReleaseLevel::AfterRelease => released_at.is_some_and(|released| said_at <= released),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Directory, DirectoryId, User, UserId};

    #[test]
    fn an_action_is_named_in_words() {
        assert_eq!(Action::ManageProject.words(), "manage project");
        assert_eq!(Action::ViewOwnWork.words(), "view own work");
        assert_eq!(Action::Review.words(), "review");
    }

    const fn outsider(may_create_projects: bool, administers: bool) -> Standpoint {
        Standpoint::Outsider { may_create_projects, administers }
    }

    const fn member(role: Role, owns: bool) -> Standpoint {
        Standpoint::Member { role, owns }
    }

    /// The standpoints in the order of the columns below.
    const STANDPOINTS: [Standpoint; 8] = [
        Standpoint::Anonymous,
        outsider(false, false),
        outsider(true, false),
        outsider(false, true),
        member(Role::Labeler, true),
        member(Role::Labeler, false),
        member(Role::Reviewer, false),
        member(Role::Manager, false),
    ];

    /// The whole table once more, spelt out: + permitted, s asked to sign in, - refused openly,
    /// h hidden.
    const CELLS: [(Action, &str); 18] = [
        (Action::VisitPublic, "++++++++"),
        (Action::VisitOwn, "s+++++++"),
        (Action::CreateProject, "s-+----+"),
        (Action::Administer, "shh+hhhh"),
        (Action::Provision, "shhhhhhh"),
        (Action::ViewProject, "shhh++++"),
        (Action::ManageProject, "shhh---+"),
        (Action::ManageMembers, "shhh---+"),
        (Action::ManageDocuments, "shhh---+"),
        (Action::ViewOwnWork, "shhh++--"),
        (Action::Annotate, "shhh+hhh"),
        (Action::ExportWork, "shhh+h++"),
        (Action::ViewHistory, "shhh+h++"),
        (Action::RestoreVersion, "shhh+h-+"),
        (Action::Review, "shhh--+-"),
        (Action::Discuss, "shhh--++"),
        (Action::ViewAgreement, "shhh--++"),
        (Action::SaveModelWork, "shhh---+"),
    ];

    #[test]
    fn every_cell_of_the_table_is_as_written_down() {
        for (action, cells) in CELLS {
            for (standpoint, cell) in STANDPOINTS.into_iter().zip(cells.chars()) {
                let expected = match cell {
                    '+' => Answer::Allow,
                    's' => Answer::SignIn,
                    '-' => Answer::Deny,
                    _ => Answer::Hide,
                };
                assert_eq!(answer(action, standpoint), expected, "{action:?} as {standpoint:?}");
                assert_eq!(offers(action, standpoint), expected == Answer::Allow);
            }
        }
    }

    #[test]
    fn a_directory_says_who_is_there_and_sees_nothing_else() {
        let directory = Directory { id: DirectoryId(1), provider: "example".to_owned() };
        let actor = Actor::Directory(directory);
        for (action, _) in CELLS {
            let expected = if action == Action::Provision { Answer::Allow } else { Answer::Hide };
            let outside = Standpoint::outside(&actor);
            assert_eq!(answer(action, outside), expected, "{action:?}");
            let inside = Standpoint::inside(&actor, Some(Role::Manager), true);
            assert_eq!(inside, outside);
        }
    }

    /// What scopes are good for, spelt out in their order: c change, r read, - nothing.
    const REACHES: [(Action, &str); 18] = [
        (Action::VisitPublic, "ccccc"),
        (Action::VisitOwn, "cccc-"),
        (Action::CreateProject, "---c-"),
        (Action::Administer, "-----"),
        (Action::Provision, "-----"),
        (Action::ViewProject, "rrrr-"),
        (Action::ManageProject, "r--c-"),
        (Action::ManageMembers, "r--c-"),
        (Action::ManageDocuments, "r--c-"),
        (Action::ViewOwnWork, "rc---"),
        (Action::Annotate, "rc---"),
        (Action::ExportWork, "rrrr-"),
        (Action::ViewHistory, "rrrr-"),
        (Action::RestoreVersion, "-c-c-"),
        (Action::Review, "r-c--"),
        (Action::Discuss, "r-cc-"),
        (Action::ViewAgreement, "r-rr-"),
        (Action::SaveModelWork, "r--cc"),
    ];

    #[test]
    fn every_scope_reaches_as_far_as_written_down() {
        for ((action, cells), (same, _)) in REACHES.into_iter().zip(CELLS) {
            assert_eq!(action, same);
            for (scope, cell) in Scope::ALL.iter().zip(cells.chars()) {
                let expected = match cell {
                    'c' => Reach::Change,
                    'r' => Reach::Read,
                    _ => Reach::Nothing,
                };
                assert_eq!(reach(*scope, action), expected, "{scope} for {action:?}");
            }
        }
    }

    #[test]
    fn labelers_are_told_what_others_say_as_the_release_has_it() {
        let at = |seconds| DateTime::<Utc>::from_timestamp(seconds, 0).unwrap();
        let told = |level| {
            [None, Some(at(4)), Some(at(5))].map(|released| tells_labelers(level, released, at(5)))
        };
        assert_eq!(told(ReleaseLevel::None), [false, false, false]);
        assert_eq!(told(ReleaseLevel::GoldOnly), [true, true, true]);
        assert_eq!(told(ReleaseLevel::AfterRelease), [false, false, true]);
        assert_eq!(told(ReleaseLevel::Open), [true, true, true]);
    }

    #[test]
    fn a_role_without_a_person_behind_it_counts_for_nothing() {
        let standpoint = Standpoint::inside(&Actor::Anonymous, Some(Role::Manager), true);
        assert_eq!(standpoint, Standpoint::Anonymous);
        let person = Actor::Person(User {
            id: UserId(1),
            email: String::new(),
            name: String::new(),
            may_create_projects: false,
            is_administrator: false,
            has_factor_elsewhere: false,
        });
        assert_eq!(
            permits(Action::Review, Standpoint::inside(&person, None, true)),
            Err(Error::NotFound)
        );
        assert_eq!(
            Standpoint::inside(&person, Some(Role::Labeler), true),
            member(Role::Labeler, true)
        );
    }
}
