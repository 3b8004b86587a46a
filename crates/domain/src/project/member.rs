//! Members of a project and their roles.

use serde::{Deserialize, Serialize};

use crate::{MemberId, UserId};

/// What a member is in a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Role {
    Manager,
    Labeler,
    Reviewer,
}

named! {
    Role, Unknown, "role", "a role is manager, labeler or reviewer";
    Manager = "manager", Labeler = "labeler", Reviewer = "reviewer",
}

/// A member as the project's managers see them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Member {
    pub id: MemberId,
    pub user: UserId,
    pub name: String,
    pub email: String,
    pub role: Role,
    /// Whose work was imported, and whom nobody has claimed to be yet: nobody can sign in as one.
    pub is_placeholder: bool,
}

/// A labeler or a reviewer as a row of the matrix. The name is what the viewer may know: a
/// pseudonym for a reviewer of a project that hides names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Rater {
    pub id: MemberId,
    pub name: String,
    pub role: Role,
}
