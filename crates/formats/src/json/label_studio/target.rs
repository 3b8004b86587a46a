//! Which text of a task regions are on: the object that each names, or what it quotes.

use std::collections::BTreeMap;

use crate::TextIndex;
use crate::import::findings::Findings;
use crate::import::spans::Unit;
use crate::json::label_studio::offsets::{LABEL_KINDS, agrees};
use crate::json::label_studio::text::{is_address, only_text};
use crate::json::value::at::At;
use crate::problem::exchange::ExchangeProblem;

/// A text of a task, and the objects whose regions are on something else.
#[derive(Debug)]
pub(super) struct Target<'task> {
    pub(super) text: &'task str,
    /// How many regions each of the other objects has.
    others: BTreeMap<String, usize>,
    /// The object or the control that somebody asks for, in a task that has it.
    asked: Vec<String>,
}

impl<'task> Target<'task> {
    /// Finds the text by the name that somebody gives, the object of the regions, or its being the
    /// only one. Objects are called in the configuration, mostly as the field that they show.
    pub(super) fn find(
        data: &'task At<'task>,
        lists: [&At<'_>; 2],
        findings: &mut Findings,
    ) -> Option<Self> {
        let mut objects: BTreeMap<String, usize> = BTreeMap::new();
        let mut names: Vec<String> = Vec::new();
        for_each_region(lists, |region| {
            if let Some(name) = region.get("to_name").as_text() {
                *objects.entry(name.to_owned()).or_default() += 1;
            }
            let both =
                ["to_name", "from_name"].map(|key| region.get(key).as_text().map(str::to_owned));
            names.extend(both.into_iter().flatten());
        });
        let is_text =
            |name: &&String| data.get(name).as_text().is_some_and(|text| !is_address(text));
        let mut shown = objects.keys().filter(is_text);
        let shown = shown.next().filter(|_| shown.next().is_none());
        let text_at = only_text(data, &[], shown.map(String::as_str), findings)?;
        let text = text_at.text(findings)?;
        let field = text_at.key().unwrap_or_default();
        let layers = findings.options.layers.iter();
        let asked: Vec<String> = layers.filter(|layer| names.contains(layer)).cloned().collect();
        let is_field = |name: &str| !data.get(name).is_absent();
        let mut unknown: Vec<&String> = objects.keys().filter(|name| !is_field(name)).collect();
        if objects.contains_key(field) || !asked.is_empty() {
            unknown.clear();
        } else if unknown.len() > 1 {
            let index = TextIndex::new(text);
            unknown.retain(|name| quotes_all(lists, name, &index));
            if unknown.len() != 1 {
                let names = objects.keys().cloned().collect();
                return data.wrong(ExchangeProblem::SeveralSpanFields(names), findings);
            }
        }
        let keeps: Vec<String> = unknown.into_iter().cloned().collect();
        if asked.is_empty() {
            objects.retain(|name, _| name != field && !keeps.contains(name));
        } else {
            objects.clear();
        }
        for (name, count) in &objects {
            findings
                .pass_over(&format!("regions on {name}, which is not the text {field}"), *count);
        }
        Some(Self { text, others: objects, asked })
    }

    /// Whether a region is on the text.
    pub(super) fn has(&self, region: &At<'_>) -> bool {
        let is_asked = |key: &str| {
            let name = region.get(key);
            name.as_text().is_some_and(|name| self.asked.iter().any(|asked| asked == name))
        };
        let to = region.get("to_name");
        let is_other = to.as_text().is_some_and(|name| self.others.contains_key(name));
        !is_other && (self.asked.is_empty() || is_asked("to_name") || is_asked("from_name"))
    }
}

/// Whether the regions of an object quote something, and the text has it at their places.
fn quotes_all(lists: [&At<'_>; 2], object: &str, index: &TextIndex<'_>) -> bool {
    let (mut quoted, mut all) = (0, [true, true]);
    for_each_region(lists, |region| {
        if region.get("to_name").as_text() == Some(object) {
            let value = region.get("value");
            quoted += usize::from(value.get("text").as_text().is_some());
            all[0] &= agrees(index, Unit::Scalars, &value);
            all[1] &= agrees(index, Unit::Utf16, &value);
        }
    });
    quoted > 0 && all.contains(&true)
}

fn for_each_region(lists: [&At<'_>; 2], mut take: impl FnMut(&At<'_>)) {
    for list in lists {
        for annotation in 0..list.count() {
            let annotation = list.entry(annotation);
            let result = annotation.get("result");
            for region in 0..result.count() {
                let region = result.entry(region);
                let kind = region.get("type");
                if kind.as_text().is_none_or(|kind| LABEL_KINDS.contains(&kind)) {
                    take(&region);
                }
            }
        }
    }
}
