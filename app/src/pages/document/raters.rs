//! Whose files are that do not say so themselves: the choice of what tells it.

use domain::{RaterFiles, RatersFrom};

use crate::pages::components::prelude::*;

/// The choice of what tells the raters: value, words, whether it is made.
pub(super) fn rater_choices(chosen: &RatersFrom) -> Vec<(String, String, bool)> {
    let levels = (1..=3).map(|level| RatersFrom::Folder(Some(level)));
    let mut all = vec![RatersFrom::Auto, RatersFrom::File, RatersFrom::Folder(None)];
    all.extend(levels);
    all.push(RatersFrom::Inside);
    if !all.contains(chosen) {
        all.push(chosen.clone());
    }
    let choice = |from: RatersFrom| (from.to_string(), rater_words(&from), from == *chosen);
    all.into_iter().map(choice).collect()
}

/// What tells the raters, in words.
pub(super) fn rater_words(from: &RatersFrom) -> String {
    match from {
        RatersFrom::Auto => "Detect".to_owned(),
        RatersFrom::File => "From file names".to_owned(),
        RatersFrom::Folder(None) => "From folders".to_owned(),
        RatersFrom::Folder(Some(level)) => format!("From folders, level {level}"),
        RatersFrom::Inside => "Only as named in the files".to_owned(),
        RatersFrom::Pattern(pattern) => format!("By the pattern {pattern}"),
    }
}

/// A rater with their files, as the first cells of a row.
pub(super) fn rater_cells(rater: &RaterFiles) -> impl IntoView + use<> {
    view! {
        <th scope="row" dir="auto">{rater.name.clone()}</th>
        <td class="soft" dir="auto">{rater.in_words()}</td>
        <td class="number">{display::thousands(rater.documents)}</td>
        <td class="number">{display::thousands(rater.spans)}</td>
    }
}

/// A pattern that names raters in paths.
pub(super) fn rater_pattern(id: &'static str, chosen: &RatersFrom) -> impl IntoView + use<> {
    let pattern = match chosen {
        RatersFrom::Pattern(pattern) => pattern.clone(),
        _ => String::new(),
    };
    view! {
        <div class="field">
            <label for=id>"People by a pattern"</label>
            <input type="text" id=id name="pattern" value=pattern maxlength="300"
                placeholder="(?<rater>[^/]+)/[^/]+$" spellcheck="false" autocapitalize="none"/>
        </div>
    }
}
