//! Which keys somebody may give commands: none that the text, the browser or another command of the
//! same editor has.

use std::collections::BTreeMap;

use domain::{AssignmentId, Code, DocumentId, Error, OwnKeys, keys_field};

use crate::islands::editor::keys::table::{COMMANDS, Entry, Workplace};

/// Keys that move through the text and select in it: `text_view/interaction.rs`.
const OF_THE_TEXT: [&str; 19] = [
    "←",
    "→",
    "↑",
    "↓",
    "Home",
    "End",
    "Shift ←",
    "Shift →",
    "Shift ↑",
    "Shift ↓",
    "Shift Home",
    "Shift End",
    "Ctrl ←",
    "Ctrl →",
    "Ctrl Home",
    "Ctrl End",
    "Alt L",
    "Alt M",
    "Alt -",
];

/// Keys that browsers give to no page.
const OF_BROWSERS: [&str; 6] =
    ["Ctrl N", "Ctrl Q", "Ctrl T", "Ctrl W", "Ctrl Shift N", "Ctrl Shift T"];

/// Opens the palette on every page: `app/public/palette.js`.
const PALETTE: &str = "Ctrl K";

/// The address of the page of keys, to which more can be added: with the editor that one comes from.
pub(crate) fn address(from: Option<&str>) -> String {
    from.and_then(editor).map_or_else(|| "/keys?".to_owned(), |from| format!("/keys?from={from}&"))
}

/// The path of an editor without its slash, if it is one.
pub(crate) fn editor(path: &str) -> Option<&str> {
    let (kind, rest) = path.split_once('/')?;
    let is_one = match kind {
        "assignments" => rest.parse::<AssignmentId>().is_ok(),
        "documents" => rest.strip_suffix("/review")?.parse::<DocumentId>().is_ok(),
        _ => false,
    };
    is_one.then_some(path)
}

/// Reads what was typed into the fields of the commands. Refused by the field it stands in is a key
/// that is taken, or that is none.
pub(crate) fn checked(typed: BTreeMap<String, String>) -> Result<OwnKeys, Error> {
    let own = OwnKeys::typed(typed)?;
    for id in own.commands() {
        let entry = commands().find(|entry| entry.id == id);
        let entry = entry.ok_or_else(|| Code::Unknown.of("keys", "unknown command"))?;
        for keys in entry.keys_of(&own) {
            if let Some(taken) = taken(entry, keys, &own) {
                return Err(Code::Taken.of(keys_field(id), format!("{keys} {taken}")));
            }
        }
    }
    Ok(own)
}

/// Keys that were chosen at some time, without those that meanwhile belong to something else.
pub(crate) fn still_free(own: OwnKeys) -> OwnKeys {
    let chosen = own.clone();
    own.without(|id| {
        let entry = commands().find(|entry| entry.id == id);
        entry.is_none_or(|entry| {
            entry.keys_of(&chosen).any(|keys| taken(entry, keys, &chosen).is_some())
        })
    })
}

fn commands() -> impl Iterator<Item = &'static Entry> {
    COMMANDS.iter().filter(|entry| entry.command.is_some())
}

/// Who has these keys already.
fn taken(entry: &Entry, keys: &str, own: &OwnKeys) -> Option<String> {
    if OF_THE_TEXT.contains(&keys) {
        return Some("moves through the text or changes its appearance".to_owned());
    }
    if OF_BROWSERS.contains(&keys) {
        return Some("is reserved by the browser".to_owned());
    }
    if keys == PALETTE {
        return Some("opens the palette".to_owned());
    }
    let is_digit = ("1"..="9").contains(&keys);
    if is_digit && entry.is_in(Workplace::Reviewer) {
        return Some("accepts an answer in a review".to_owned());
    }
    let meets = |other: &&Entry| other.only.is_none_or(|place| entry.is_in(place));
    let mut others = commands().filter(|other| other.id != entry.id).filter(meets);
    let other = others.find(|other| other.keys_of(own).any(|theirs| theirs == keys))?;
    Some(format!("is already used for \"{}\"", other.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(pairs: &[(&str, &str)]) -> Result<OwnKeys, Error> {
        checked(pairs.iter().map(|(id, keys)| ((*id).to_owned(), (*keys).to_owned())).collect())
    }

    #[test]
    fn commands_by_themselves_have_keys_that_nobody_else_has() {
        for entry in commands() {
            for keys in entry.keys_of(&OwnKeys::default()) {
                assert_eq!(taken(entry, keys, &OwnKeys::default()), None, "{}", entry.name);
                assert_eq!(typed(&[(entry.id, keys)]).map(|own| own.commands().count()), Ok(1));
            }
        }
        let ids: std::collections::BTreeSet<_> = commands().map(|entry| entry.id).collect();
        assert_eq!(ids.len(), commands().count());
    }

    #[test]
    fn a_key_means_one_thing_in_the_whole_product() {
        let none = OwnKeys::default();
        let mut known = BTreeMap::from([
            ("S", "decide the same for all alike, in the walk"),
            ("U", "undo the latest act, in the walk"),
        ]);
        for (keys, name) in
            commands().flat_map(|entry| entry.keys_of(&none).map(|keys| (keys, entry.name)))
        {
            assert_eq!(known.insert(keys, name), None, "{keys}: {name}");
        }
    }

    #[test]
    fn two_commands_may_change_their_keys() {
        assert!(typed(&[("undo", "Ctrl Y"), ("redo", "Ctrl Z")]).is_ok());
        let refused = typed(&[("undo", "ctrl y")]);
        assert!(
            matches!(&refused, Err(Error::Invalid { field, problem })
                if field == "keys[undo]" && problem.contains("Redo")),
            "{refused:?}"
        );
    }

    #[test]
    fn keys_of_the_text_and_of_the_browser_stay_theirs() {
        for keys in OF_THE_TEXT.into_iter().chain(OF_BROWSERS) {
            assert!(typed(&[("undo", keys)]).is_err(), "{keys}");
        }
        assert!(typed(&[("undo", PALETTE)]).is_err());
        assert!(typed(&[("no such command", "F8")]).is_err());
        assert!(typed(&[("undo", "1")]).is_err() && typed(&[("unit", "1")]).is_ok());
    }

    #[test]
    fn a_key_has_one_meaning_in_each_editor() {
        assert!(typed(&[("reject", "T")]).is_ok(), "T is a command of the annotator");
        assert!(typed(&[("reject", "N")]).is_err());
        assert!(typed(&[("undo", "T")]).is_err() && typed(&[("undo", "N")]).is_err());
    }

    #[test]
    fn what_was_chosen_before_a_key_was_taken_is_left_out() {
        let earlier = [("undo", "R"), ("redo", "F8"), ("gone", "F9")];
        let earlier = earlier.map(|(id, keys)| (id.to_owned(), keys.to_owned()));
        let own = still_free(OwnKeys::typed(earlier.into()).unwrap());
        assert_eq!(own.commands().collect::<Vec<_>>(), ["redo"]);
    }

    #[test]
    fn one_comes_back_to_an_editor_and_to_nothing_else() {
        assert_eq!(address(Some("documents/7/review")), "/keys?from=documents/7/review&");
        assert_eq!(address(Some("assignments/7")), "/keys?from=assignments/7&");
        for path in ["", "7", "assignments/", "documents/7", "/documents/7/review", "users/7"] {
            assert_eq!(address(Some(path)), "/keys?", "{path}");
        }
    }
}
