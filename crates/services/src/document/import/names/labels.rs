//! What labels in files become.

use std::collections::{BTreeMap, BTreeSet};

use domain::{Code, Error as Refusal, Label, LabelChoice, LabelId, LabelPreview, ProjectId};
use store::Tx;

use crate::{
    Result,
    project::{check_room, fresh_labels},
};

/// The project's labels, and what was chosen for those of the files.
pub(in super::super) struct Labels {
    known: BTreeSet<String>,
    choices: BTreeMap<String, LabelChoice>,
    create: bool,
}

impl Labels {
    /// Refuses choices that lead to a label that is not there.
    pub(in super::super) fn new(
        present: &[Label],
        choices: &BTreeMap<String, LabelChoice>,
        create: bool,
    ) -> Result<Self, Refusal> {
        let known: BTreeSet<String> = present.iter().map(|label| label.name.clone()).collect();
        for choice in choices.values() {
            if let LabelChoice::Label(name) = choice
                && !known.contains(name)
            {
                let why = format!("the project has no label \"{name}\"");
                return Err(Code::Unknown.of("labels", why));
            }
        }
        // What is there cannot be made.
        let choices = choices
            .iter()
            .filter(|(name, choice)| **choice != LabelChoice::Create || !known.contains(*name))
            .map(|(name, choice)| (name.clone(), choice.clone()));
        Ok(Self { choices: choices.collect(), known, create })
    }

    pub(in super::super) const fn known(&self) -> &BTreeSet<String> {
        &self.known
    }

    /// Whether it is said what a label becomes, by its name or by a choice, and it is nothing new.
    pub(in super::super) fn is_told(&self, label: &str) -> bool {
        match self.choices.get(label) {
            Some(LabelChoice::Label(_) | LabelChoice::LeaveOut) => true,
            Some(LabelChoice::Create) => false,
            None => self.known.contains(label),
        }
    }

    /// Whether a label that the project does not have is made.
    pub(in super::super) fn creates(&self, label: &str) -> bool {
        match self.choices.get(label) {
            Some(choice) => *choice == LabelChoice::Create,
            None => self.create,
        }
    }

    /// The name of the project's label, also one that is to be made; none if it stays out.
    pub(in super::super) fn becomes<'a>(&'a self, label: &'a str) -> Option<&'a str> {
        match self.choices.get(label) {
            Some(LabelChoice::Label(name)) => Some(name),
            Some(LabelChoice::LeaveOut) => None,
            Some(LabelChoice::Create) | None => Some(label),
        }
    }

    /// Every label of the files with what it becomes.
    pub(in super::super) fn preview(&self, counts: &BTreeMap<String, u64>) -> Vec<LabelPreview> {
        let preview = |(name, spans): (&String, &u64)| {
            let by_name = || {
                if self.known.contains(name) {
                    Some(LabelChoice::Label(name.clone()))
                } else {
                    self.create.then_some(LabelChoice::Create)
                }
            };
            let choice = self.choices.get(name).cloned().or_else(by_name);
            LabelPreview { name: name.clone(), spans: *spans, choice }
        };
        counts.iter().map(preview).collect()
    }

    /// The labels by the names in the files, with those that are made now.
    pub(in super::super) async fn make(
        &self,
        tx: &Tx,
        project: ProjectId,
        counts: &BTreeMap<String, u64>,
        new: &[String],
    ) -> Result<(BTreeMap<String, LabelId>, Vec<LabelId>)> {
        let present = store::project::labels::list(tx, project).await?;
        let mut ids: BTreeMap<&str, LabelId> =
            present.iter().map(|label| (label.name.as_str(), label.id)).collect();
        let wanted = new.iter().filter(|name| self.creates(name));
        let missing: Vec<&String> =
            wanted.filter(|name| !ids.contains_key(name.as_str())).collect();
        check_room(&present, missing.len())?;
        let fresh = fresh_labels(&present, missing.iter().map(|name| (*name).clone()));
        let mut made = Vec::new();
        for (name, label) in missing.into_iter().zip(&fresh) {
            let id = store::project::labels::create(tx, project, label).await?;
            ids.insert(name.as_str(), id);
            made.push(id);
        }
        let by_name = counts.keys().filter_map(|label| {
            let name = self.becomes(label)?;
            Some(ids.get(name).map(|id| (label.clone(), *id)).ok_or(name))
        });
        let by_name: Result<_, &str> = by_name.collect();
        let gone = |name| {
            Code::ChangedMeanwhile.of("files", format!("the label \"{name}\" was just deleted"))
        };
        Ok((by_name.map_err(gone)?, made))
    }
}
