//! Finding labels by what is typed of their names.

use domain::Label;

/// The labels whose name has what was typed in it, those that begin with it first.
pub(crate) fn matching<'a>(labels: &'a [Label], typed: &str) -> Vec<&'a Label> {
    let typed = typed.trim().to_lowercase();
    let (mut found, mut inside) = (Vec::new(), Vec::new());
    for label in labels {
        match label.name.to_lowercase().find(&typed) {
            Some(0) => found.push(label),
            Some(_) => inside.push(label),
            None => {}
        }
    }
    found.append(&mut inside);
    found
}

#[cfg(test)]
mod tests {
    use domain::{Colour, LabelId};

    use super::*;

    #[test]
    fn labels_that_begin_with_what_was_typed_come_first() {
        let names = ["Organisation", "Person", "Personal title", "Impersonation"];
        let label = |(id, name): (i64, &&str)| Label {
            id: LabelId(id),
            name: (*name).to_owned(),
            colour: Colour::default(),
            hotkey: None,
        };
        let labels: Vec<_> = (0..).zip(&names).map(label).collect();
        let ids = |typed| matching(&labels, typed).iter().map(|it| it.id.0).collect::<Vec<_>>();
        assert_eq!(ids(" PERSON"), [1, 2, 3]);
        assert_eq!(ids(""), [0, 1, 2, 3]);
        assert!(ids("place").is_empty());
    }
}
