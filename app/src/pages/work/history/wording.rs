//! Versions in words.

use domain::{Version, VersionKind};

use crate::display;

/// "+14 −3": what was added and taken away; "no change" where nothing was.
pub(super) fn change(added: u64, removed: u64) -> String {
    match (added, removed) {
        (0, 0) => "no change".to_owned(),
        (added, 0) => format!("+{}", display::thousands(added)),
        (0, removed) => format!("−{}", display::thousands(removed)),
        (added, removed) => {
            format!("+{} −{}", display::thousands(added), display::thousands(removed))
        }
    }
}

/// The same for ears.
pub(super) fn change_in_full(added: u64, removed: u64) -> String {
    format!("{} added, {} removed", display::count(added, "span"), display::thousands(removed))
}

/// What made a version.
pub(super) fn kind(version: &Version) -> String {
    match (version.kind, version.restored) {
        (VersionKind::Save, _) => "saved".to_owned(),
        (VersionKind::Submit, _) => "submitted".to_owned(),
        (VersionKind::Reopen, _) => "reopened".to_owned(),
        (VersionKind::Restore, Some(of)) => format!("restored version {of}"),
        (VersionKind::Restore, None) => "restored a version".to_owned(),
    }
}

/// Who saved.
pub(super) fn by(version: &Version) -> String {
    version.by.clone().unwrap_or_else(|| "deleted account".to_owned())
}

/// "430 bytes", "1.2 kB".
pub(super) fn size(bytes: u64) -> String {
    if bytes < 1000 {
        return display::count(bytes, "byte");
    }
    let kilobytes = f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)) / 1000.0;
    format!("{} kB", display::decimals(kilobytes, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_told_in_signs_and_in_words() {
        assert_eq!(change(14, 3), "+14 −3");
        assert_eq!((change(2, 0), change(0, 1)), ("+2".to_owned(), "−1".to_owned()));
        assert_eq!(change(0, 0), "no change");
        assert_eq!(change_in_full(1, 2), "1 span added, 2 removed");
    }

    #[test]
    fn a_history_says_what_it_takes_up() {
        assert_eq!(size(430), "430 bytes");
        assert_eq!(size(1234), "1.2 kB");
    }
}
