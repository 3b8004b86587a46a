//! The moment from which an import is certain: labels and people are made, and it is kept how everything
//! that waits is to be written.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    AssignTo, Chosen, ImportId, ImportSummary, LabelId, MemberId, ModelId, ProjectId, Role, UserId,
    WorkState, readable_name, saturating,
};
use serde::{Deserialize, Serialize};
use store::{
    Tx,
    document::imports::{self, Made},
};

use super::super::{
    begun::Begun,
    names::{labels::Labels, people::Who},
    order::Order,
    plan::Plan,
    scan::Scan,
};
use crate::{
    Result, account::passwords::NOBODYS, base::secrets::token, document, work::models::check_count,
};

/// How what an import brings is written, and what it has come to so far. It is kept as JSON, and may be that
/// of a server of the version before: what is added to it has a default.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Decision {
    pub(super) by: Option<UserId>,
    pub(super) at: DateTime<Utc>,
    pub(super) assign: AssignTo,
    pub(super) state: WorkState,
    /// The project's labels by the places of those in the files; none for what stays out.
    pub(super) labels: Vec<Option<LabelId>>,
    /// The labelers by the places of the raters.
    pub(super) members: Vec<Option<MemberId>>,
    /// The models by the places of the raters.
    #[serde(default)]
    pub(super) models: Vec<Option<ModelId>>,
    /// What is answered in the project by the places of questions and of their answers in the files.
    #[serde(default)]
    pub(super) answers: Vec<Vec<Chosen>>,
    /// What was made for it.
    pub(super) made: Made,
    pub(super) summary: ImportSummary,
    /// The place of the last document that has come; none before the first.
    #[serde(default)]
    pub(super) reached: Option<i64>,
    /// How many assignments labelers have, as far as this import knows, who get those of its documents; none
    /// before the first.
    #[serde(default)]
    pub(super) loads: Vec<(MemberId, u64)>,
}

impl Decision {
    /// Makes labels and people that are not there yet, and decides by them.
    pub(super) async fn make(
        tx: &Tx,
        begun: &Begun,
        (scan, labels, order): (&Scan, &Labels, &Order),
        plan: &Plan,
        at: DateTime<Utc>,
    ) -> Result<Self> {
        let Begun { id: import, project, by, .. } = *begun;
        let assign = order.options.assign;
        document::check_assign(tx, project, assign).await?;
        let (by_name, new_labels) =
            labels.make(tx, project, &scan.labels, &scan.new_labels).await?;
        let labels = scan.labels.keys().map(|name| by_name.get(name).copied()).collect();
        let (members, new_members) = make_people(tx, project, plan, at).await?;
        let (models, new_models) = make_models(tx, project, plan, at).await?;
        let (answers, questions) = scan.questions.make(tx, project).await?;
        let summary = ImportSummary {
            questions: saturating::<u64>(questions.len()),
            placeholders: saturating::<u64>(new_members.len()),
            labels: saturating::<u64>(new_labels.len()),
            changes: plan.changes,
            ..nothing(import)
        };
        let made = Made { labels: new_labels, members: new_members, models: new_models, questions };
        let state = order.options.state();
        Ok(Self {
            by,
            at,
            assign,
            state,
            labels,
            members,
            models,
            answers,
            made,
            summary,
            reached: None,
            loads: Vec::new(),
        })
    }
}

impl Decision {
    /// How many documents have come.
    pub(super) fn come(&self) -> u64 {
        self.reached.map_or(0, |place| saturating(place + 1))
    }
}

/// The labels and people that were made for an import that is certain and not complete; none if it is not.
pub(in super::super) async fn decided_to_make(tx: &Tx, import: ImportId) -> Result<Option<Made>> {
    let decided = imports::decision::<Decision>(tx, import).await?;
    Ok(decided.map(|(_, decision)| decision.made))
}

/// What an import has brought before it has brought anything.
fn nothing(import: ImportId) -> ImportSummary {
    ImportSummary {
        import,
        documents: 0,
        suggestions: 0,
        assignments: 0,
        worked: 0,
        model_documents: 0,
        spans: 0,
        placeholders: 0,
        labels: 0,
        questions: 0,
        answers: 0,
        changes: domain::ImportChanges::default(),
    }
}

/// The labelers by the places of the raters, and those who are made for it.
async fn make_people(
    tx: &Tx,
    project: ProjectId,
    plan: &Plan,
    now: DateTime<Utc>,
) -> Result<(Vec<Option<MemberId>>, Vec<MemberId>)> {
    let mut made = Vec::new();
    let mut members = Vec::with_capacity(plan.people.who.len());
    for who in &plan.people.who {
        members.push(match who {
            Who::Nobody | Who::Model(..) => None,
            Who::Member(member, _) => Some(*member),
            Who::New(name) => {
                // No mail is delivered there, and nobody else has it.
                let address = format!("{}@placeholder.invalid", token::generate());
                let name = readable_name(name);
                let person = (address.as_str(), &*name);
                let user =
                    store::account::users::create_placeholder(tx, person, NOBODYS, now).await?;
                let member =
                    store::project::members::add(tx, project, user, Role::Labeler, now).await?;
                made.push(member);
                Some(member)
            }
        });
    }
    Ok((members, made))
}

/// The models by the places of the raters, and those that are added for it.
async fn make_models(
    tx: &Tx,
    project: ProjectId,
    plan: &Plan,
    now: DateTime<Utc>,
) -> Result<(Vec<Option<ModelId>>, Vec<ModelId>)> {
    let (mut made, mut models) = (Vec::new(), Vec::with_capacity(plan.people.who.len()));
    let mut added: BTreeMap<(&str, &str), ModelId> = BTreeMap::new();
    for who in &plan.people.who {
        let Who::Model(there, new) = who else {
            models.push(None);
            continue;
        };
        let name = (new.name.as_str(), new.version.as_str());
        let id = if let Some(id) = there.or_else(|| added.get(&name).copied()) {
            id
        } else {
            let id = store::project::models::create(tx, project, new, now).await?;
            added.insert(name, id);
            made.push(id);
            id
        };
        models.push(Some(id));
    }
    check_count(&plan.people.models, made.len())?;
    Ok((models, made))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_decision_of_a_version_before_can_be_carried_out() {
        // As the first version that decided wrote it. What is added later is not in it.
        let kept = json!({
            "by": 1, "at": "2026-11-26T00:00:00Z", "assign": { "Some": 2 }, "state": "submitted",
            "labels": [3, null], "members": [4, null],
            "made": { "labels": [3], "members": [] },
            "summary": {
                "import": 5, "documents": 6, "suggestions": 0, "assignments": 7, "copies": 8,
                "spans": 9, "placeholders": 0, "labels": 1,
                "changes": {
                    "new_documents": 6, "known_documents": 0, "new": 8, "same": 0, "kept": 0,
                    "refused": 0
                }
            }
        });
        let decision: Decision = serde_json::from_value(kept).unwrap();
        assert_eq!((decision.reached, decision.loads.len(), decision.come()), (None, 0, 0));
        assert_eq!((decision.answers, decision.summary.answers), (Vec::new(), 0));
        assert_eq!((decision.assign, decision.summary.worked), (AssignTo::Some(2), 8));
    }
}
