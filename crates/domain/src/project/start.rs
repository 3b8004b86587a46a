//! What somebody sees of their projects where they start.

use serde::{Deserialize, Serialize};

use crate::{
    AssignmentId, Confidence, DocumentId, Measured, OwnAgreement, PolicyChoice, ProjectCard,
    ProjectId, Role,
};

/// The projects of which somebody is a member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartPage {
    pub cards: Vec<StartCard>,
    pub archived: Vec<ProjectCard>,
}

/// What somebody finds by name in their projects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    pub projects: Vec<ProjectCard>,
    pub documents: Vec<FoundDocument>,
}

/// A document of a project of which somebody is a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundDocument {
    pub document: DocumentId,
    /// The labeler's own assignment.
    pub assignment: Option<AssignmentId>,
    pub name: String,
    pub project: ProjectId,
    pub project_name: String,
    /// What whoever searches is in the project.
    pub role: Role,
}

/// A project, what waits in it for the viewer, and what they may see of its agreement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartCard {
    pub project: ProjectCard,
    pub waiting: Waiting,
    pub agreement: StartAgreement,
}

/// What waits for one member of a project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// A labeler's assignments that are to be submitted, and how many of them have been sent back.
    pub to_label: u64,
    pub returned: u64,
    /// Documents with saved work whose review by this reviewer has not been finished.
    pub to_review: u64,
    /// Positions on which labelers differ: for a reviewer those that they have not decided, for a manager
    /// those that nobody has. None while they are counted.
    pub conflicts: Option<u64>,
}

/// What is shown of agreement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum StartAgreement {
    /// It is being counted.
    Counting,
    /// α of all labelers, once for each policy.
    All(Vec<StartValue>),
    /// A labeler's own, as far as it is released.
    Own(OwnAgreement),
}

/// α of all labelers under one policy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StartValue {
    pub policy: PolicyChoice,
    pub measured: Measured,
    pub confidence: Confidence,
    /// How much higher the last round's value is than that of the round before.
    pub change: Option<(f64, Confidence)>,
}
