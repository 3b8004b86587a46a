//! Who and what of the files does not count, as somebody says: raters, and labels.

use std::collections::{BTreeMap, BTreeSet};

use domain::{PositionKind, base::text::token_rules};

use super::{ComparingOptions, reading::Held};
use crate::document::reading::{problems::Problems, raters::Rated};

/// How many raters a sentence names.
const SHOWN: usize = 30;

/// Leaves raters out, each of whom has to be there.
pub(super) fn leave_out(rated: &mut Rated, names: &BTreeSet<String>, problems: &mut Problems) {
    let known: BTreeSet<&String> = rated.raters.iter().collect();
    for name in names.iter().filter(|name| !known.contains(name)) {
        if problems.are_over() {
            break;
        }
        let raters = rated.raters.get(..SHOWN).unwrap_or(&rated.raters).join(", ");
        let more = if rated.raters.len() > SHOWN { ", …" } else { "" };
        let why = format!("no rater \"{name}\" to leave out; there are {raters}{more}");
        problems.add_of_file("", why);
    }
    let mut kept = Vec::new();
    let places: Vec<Option<usize>> = std::mem::take(&mut rated.raters)
        .into_iter()
        .map(|name| {
            if names.contains(&name) {
                return None;
            }
            kept.push(name);
            Some(kept.len() - 1)
        })
        .collect();
    rated.raters = kept;
    for rater in rated.entries.iter_mut().flat_map(|entry| &mut entry.work) {
        *rater = rater.and_then(|rater| places.get(rater).copied().flatten());
    }
}

/// Gives labels other names, or leaves their spans out; each label has to be there.
pub(super) fn map_labels(
    held: &mut [Held],
    labels: &BTreeMap<String, Option<String>>,
    problems: &mut Problems,
) {
    if labels.is_empty() {
        return;
    }
    let mut found: BTreeSet<&str> = BTreeSet::new();
    for spans in held.iter_mut().flat_map(|held| &mut held.work) {
        let mut seen = BTreeSet::new();
        spans.retain_mut(|span| {
            match labels.get_key_value(&span.label) {
                Some((from, Some(to))) => {
                    found.insert(from);
                    span.label.clone_from(to);
                }
                Some((from, None)) => {
                    found.insert(from);
                    return false;
                }
                None => {}
            }
            // Two labels on one position may have become one.
            seen.insert((span.start, span.end, span.label.clone()))
        });
    }
    for label in labels.keys().filter(|label| !found.contains(label.as_str())) {
        problems.add_of_file("", format!("no span has the label \"{label}\" to map"));
    }
}

/// Notes on what was left out or is called otherwise, and on what is compared.
pub(super) fn remarks(options: &ComparingOptions) -> Vec<String> {
    let ComparingOptions { leave_out, labels, switches, .. } = options;
    let mut notes = Vec::new();
    match switches.policy.positions() {
        PositionKind::Exact => {}
        PositionKind::Tokens => notes.push(format!(
            "Compared by token ({}). Differences are of exact spans.",
            token_rules()
        )),
        PositionKind::Overlapping => notes.push(
            "Overlapping spans are paired by two raters at a time: no values by label or of all \
             raters together but α_U. Differences are of exact spans."
                .to_owned(),
        ),
    }
    if !leave_out.is_empty() {
        let names: Vec<&str> = leave_out.iter().map(String::as_str).collect();
        notes.push(format!("Raters left out: {}.", names.join(", ")));
    }
    if !labels.is_empty() {
        let mapped = labels.iter().map(|(from, to)| match to {
            Some(to) => format!("{from} counts as {to}"),
            None => format!("{from} left out"),
        });
        notes.push(format!("Labels: {}.", mapped.collect::<Vec<_>>().join(", ")));
    }
    notes
}
