//! Which of their documents a labeler looks at.

use domain::ProjectId;

/// The lists of a labeler's documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum OwnList {
    #[default]
    ToDo,
    Returned,
    Aside,
    Done,
}

impl OwnList {
    pub(crate) const ALL: [Self; 4] = [Self::ToDo, Self::Returned, Self::Aside, Self::Done];

    /// What the address calls it.
    const fn id(self) -> &'static str {
        match self {
            Self::ToDo => "to-do",
            Self::Returned => "returned",
            Self::Aside => "aside",
            Self::Done => "done",
        }
    }

    /// The list that a query string names; what is to be done if it names none.
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let shown = get("show").unwrap_or_default();
        Self::ALL.into_iter().find(|list| list.id() == shown).unwrap_or_default()
    }

    /// Where the list is.
    pub(crate) fn address(self, project: ProjectId) -> String {
        match self {
            Self::ToDo => format!("/projects/{project}/work"),
            _ => format!("/projects/{project}/work?show={}", self.id()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_found_again_by_its_address() {
        for list in OwnList::ALL {
            let address = list.address(ProjectId(3));
            let shown = address.split_once("?show=").map(|(_, shown)| shown.to_owned());
            assert_eq!(OwnList::read(|_| shown.clone()), list);
        }
    }
}
