//! The layers of a CAS: which of them hold what people mark, and which say what a pipeline found of
//! tokens and sentences.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::cas::label_feature::AskedLabel;
use crate::cas::types::ENTITY;
use crate::import::findings::Findings;
use crate::import::findings::note::Note;
use crate::import::options::ReadOptions;
use crate::problem::quoted::shorten;

/// Features that hold a label, the first that is there; else the type's short name is the label.
pub(super) const LABEL_FEATURES: [&str; 3] = ["value", "label", "identifier"];

/// The packages of DKPro Core whose types describe tokens, sentences and documents.
const DKPRO: &str = "de.tudarmstadt.ukp.dkpro.core.api.";
const DESCRIBING: [&str; 10] = [
    "lexmorph.",
    "segmentation.",
    "metadata.",
    "syntax.",
    "coref.",
    "phonetics.",
    "structure.",
    "transform.",
    "frequency.",
    "parameter.",
];

/// The same by short names, where a file does not say in which packages its types are.
const SHORT: [&str; 6] =
    ["Lemma", "Stem", "POS", "MorphologicalFeatures", "TokenForm", "Dependency"];

/// The most types and layers that are told apart.
const MAX_TYPES: usize = 10_000;

/// How deep types inherit from each other at most.
const MAX_INHERITANCE: usize = 50;

/// The types of a CAS, and how many annotations of each were read or passed over.
#[derive(Debug, Default)]
pub(super) struct Layers {
    options: ReadOptions,
    /// What each type is derived from, as the file says.
    supers: HashMap<String, String>,
    /// The layers that were read, and the feature of their labels.
    read: BTreeMap<String, (Option<usize>, usize)>,
    passed_over: BTreeMap<String, usize>,
    /// The types of which a file says that they have a feature for labels.
    described: HashSet<String>,
    /// The layers that are labelled by a feature of another name.
    own: BTreeMap<String, String>,
}

impl Layers {
    /// None yet.
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self { options: options.clone(), ..Self::default() }
    }

    /// Takes what a type is derived from.
    pub(super) fn derive(&mut self, kind: &str, from: &str) {
        if self.supers.len() < MAX_TYPES {
            self.supers.insert(kind.to_owned(), from.to_owned());
        }
    }

    /// Takes that a type has a feature of this name.
    pub(super) fn describe(&mut self, kind: &str, feature: &str) {
        if LABEL_FEATURES.contains(&feature) && self.described.len() < MAX_TYPES {
            self.described.insert(kind.to_owned());
        }
    }

    /// What somebody wants the spans of a type to be labelled by.
    pub(super) fn asked(&self, kind: &str) -> AskedLabel<'_> {
        self.options.label_of(kind)
    }

    /// Whether the labels of a type have a feature of a usual name, with values or without.
    pub(super) fn is_labelled(&self, kind: &str) -> bool {
        let has_values = self.read.get(kind).is_some_and(|(label, _)| label.is_some());
        has_values || kind == ENTITY || self.described.contains(kind)
    }

    /// Takes that the spans of a type are labelled by this feature.
    pub(super) fn label_by(&mut self, kind: &str, feature: &str) {
        self.own.insert(kind.to_owned(), feature.to_owned());
    }

    /// Whether a type, or one that it is derived from, describes what is there anyway.
    fn describes(&self, kind: &str) -> bool {
        let of_package = |kind: &str| {
            let within = kind.strip_prefix(DKPRO);
            within.is_some_and(|within| DESCRIBING.iter().any(|part| within.starts_with(part)))
        };
        let mut kind = kind;
        for _ in 0..MAX_INHERITANCE {
            if of_package(kind) || SHORT.contains(&kind) || kind.starts_with("POS_") {
                return true;
            }
            match self.supers.get(kind) {
                Some(from) => kind = from,
                None => return false,
            }
        }
        false
    }

    /// Whether annotations of the type are read; each is counted.
    pub(super) fn reads(&mut self, kind: &str, label: Option<usize>) -> bool {
        let asked = &self.options.layers;
        let reads =
            if asked.is_empty() { !self.describes(kind) } else { self.options.asks_for(kind) };
        let count = if reads {
            let known = self.read.len() < MAX_TYPES || self.read.contains_key(kind);
            known.then(|| {
                let (first, count) = self.read.entry(kind.to_owned()).or_default();
                *first = first.or(label);
                count
            })
        } else {
            let known = self.passed_over.len() < MAX_TYPES || self.passed_over.contains_key(kind);
            known.then(|| self.passed_over.entry(kind.to_owned()).or_default())
        };
        if let Some(count) = count {
            *count += 1;
        }
        reads
    }

    /// What was read and what was passed over.
    pub(super) fn tell(&mut self, findings: &mut Findings) {
        for (layer, (label, count)) in std::mem::take(&mut self.read) {
            let named = label.and_then(|at| LABEL_FEATURES.get(at)).map(|it| (*it).to_owned());
            let feature = self.own.remove(&layer).or(named);
            findings.note(Note::Layer { layer: shorten(&layer), feature }, count);
        }
        for (layer, count) in std::mem::take(&mut self.passed_over) {
            let short = layer.rsplit('.').next().unwrap_or(&layer);
            findings.pass_over(&format!("annotations of the layer {short}"), count);
        }
    }
}
