//! Which feature of a layer holds the labels of its spans, where none is called so.

use crate::import::options::ReadOptions;
use crate::problem::exchange::ExchangeProblem;

/// What somebody wants the spans of a layer to be labelled by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AskedLabel<'options> {
    /// Nothing is asked for: the values tell.
    Detected,
    /// The name of the layer.
    LayerName,
    /// The values of this feature.
    Feature(&'options str),
}

impl ReadOptions {
    /// What somebody wants the spans of this layer to be labelled by: `Layer.feature`, or `Layer` for its
    /// name, with or without the package.
    pub(crate) fn label_of(&self, layer: &str) -> AskedLabel<'_> {
        let is_layer = |asked: &str| {
            let short = layer.rsplit(['.', ':']).next().unwrap_or(layer);
            asked.eq_ignore_ascii_case(layer) || asked.eq_ignore_ascii_case(short)
        };
        let asked = self.features.iter().find_map(|asked| {
            if is_layer(asked) {
                return Some(AskedLabel::LayerName);
            }
            let (of, feature) = asked.rsplit_once('.')?;
            is_layer(of).then_some(AskedLabel::Feature(feature))
        });
        asked.unwrap_or(AskedLabel::Detected)
    }
}

/// A feature that could hold the labels of a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) name: String,
    /// Whether a value is neither a number nor a truth value.
    pub(crate) has_words: bool,
}

/// Adds a value to the candidates.
pub(crate) fn add_value(candidates: &mut Vec<Candidate>, feature: &str, value: &str) {
    let value = value.trim();
    if value.is_empty() {
        return;
    }
    let is_word = value.parse::<f64>().is_err() && value.parse::<bool>().is_err();
    match candidates.iter_mut().find(|known| known.name == feature) {
        Some(known) => known.has_words |= is_word,
        None => candidates.push(Candidate { name: feature.to_owned(), has_words: is_word }),
    }
}

/// The feature whose values label the spans of a layer; none where the layer's name does.
///
/// The only feature with values labels them. Numbers and truth values are no labels beside words. Where
/// several are left, the choice is somebody's.
pub(crate) fn label_feature<'candidates>(
    layer: &str,
    asked: AskedLabel<'_>,
    candidates: &'candidates [Candidate],
) -> Result<Option<&'candidates str>, ExchangeProblem> {
    let short = layer.rsplit(['.', ':']).next().unwrap_or(layer);
    let refused = |of: &[&Candidate]| ExchangeProblem::LabelFeature {
        layer: short.into(),
        features: of.iter().map(|candidate| candidate.name.clone()).collect(),
    };
    let all: Vec<&Candidate> = candidates.iter().collect();
    match asked {
        AskedLabel::LayerName => Ok(None),
        AskedLabel::Feature(name) => {
            let known = all.iter().find(|candidate| candidate.name.eq_ignore_ascii_case(name));
            match known {
                Some(known) => Ok(Some(known.name.as_str())),
                None if all.is_empty() => Ok(None),
                None => Err(refused(&all)),
            }
        }
        AskedLabel::Detected => {
            let words: Vec<&Candidate> =
                all.iter().copied().filter(|candidate| candidate.has_words).collect();
            match if words.is_empty() { &all } else { &words }.as_slice() {
                [] => Ok(None),
                [only] => Ok(Some(only.name.as_str())),
                _ => Err(refused(&all)),
            }
        }
    }
}
