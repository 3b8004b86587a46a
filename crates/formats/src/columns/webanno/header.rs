//! The header of WebAnno TSV: which columns there are and which hold labels.

use std::collections::HashMap;
use std::ops::Range;

use crate::cas::features::is_reserved;
use crate::cas::label_feature::AskedLabel;
use crate::import::findings::note::Note;
use crate::import::options::ReadOptions;
use crate::problem::quoted::shorten;
use crate::problem::webanno::WebAnnoProblem;

/// The features that hold labels by their names, the likeliest first.
const LABEL_FEATURES: [&str; 3] = ["value", "label", "PosValue"];

/// The packages of layers that describe tokens rather than mark spans.
const TOKEN_PACKAGES: [&str; 2] = [
    "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.",
    "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.",
];

/// The most cells that a row may have.
const MAX_CELLS: usize = 1000;

/// The longest name of a layer or a feature, in bytes: a layer's may be the label of all its spans.
const MAX_NAME_BYTES: usize = 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Span,
    Chain,
    Relation,
}

/// A layer as its line declares it.
#[derive(Debug)]
struct Layer {
    name: String,
    kind: Kind,
    features: Vec<String>,
    line: usize,
}

/// The columns beyond number, offsets and token.
#[derive(Debug, Default)]
pub(super) struct Header {
    options: ReadOptions,
    layers: Vec<Layer>,
}

/// A column that labels are read from.
#[derive(Debug)]
pub(super) struct LabelColumn {
    /// The cell of a row, counted from 0.
    pub(super) cell: usize,
    /// The label where there is no value.
    pub(super) layer: String,
    /// Whether the cell's values are labels, rather than saying only that something is there.
    pub(super) labelled: bool,
    /// The layer, where the values tell which of its features is the label.
    pub(super) own: Option<String>,
    /// The cells of the layer's features, of which one may say that something is there that has no
    /// label: the host of slots.
    pub(super) all: Range<usize>,
    /// The field that errors name: layer and feature.
    pub(super) field: String,
    /// The features that answer a question about the layer's spans, with their cells.
    pub(super) questions: Vec<(usize, String)>,
}

impl Layer {
    /// How many columns the layer takes: one for each feature, and one if it has none.
    fn width(&self) -> usize {
        self.features.len().max(1)
    }

    /// The last part of the layer's name.
    fn short(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    fn describes_tokens(&self) -> bool {
        TOKEN_PACKAGES.iter().any(|package| self.name.starts_with(package))
    }

    /// Whether the feature holds values, rather than the role or the target of a slot.
    fn is_plain(&self, place: usize) -> bool {
        let is_role = |place: usize| {
            self.features.get(place).is_some_and(|feature| feature.starts_with("ROLE_"))
        };
        place < self.features.len() && !is_role(place) && !place.checked_sub(1).is_some_and(is_role)
    }

    /// Whether the feature answers a question about the layer's spans.
    fn is_question(&self, place: usize, label: Option<usize>) -> bool {
        let means_else = self.features.get(place).is_some_and(|it| is_reserved(it));
        self.is_plain(place) && !means_else && label != Some(place)
    }

    /// The place of the feature that holds the label; none where the values tell, or the layer's name is
    /// the label.
    fn label(&self, asked: AskedLabel<'_>) -> Option<usize> {
        let usual = || {
            let named = LABEL_FEATURES
                .iter()
                .find_map(|name| self.features.iter().position(|feature| feature == name));
            let mut plain = (0..self.features.len()).filter(|place| self.is_plain(*place));
            named.or_else(|| plain.next().filter(|_| plain.next().is_none()))
        };
        match asked {
            AskedLabel::Detected => usual(),
            AskedLabel::LayerName => None,
            AskedLabel::Feature(name) => {
                self.features.iter().position(|feature| feature.eq_ignore_ascii_case(name))
            }
        }
    }
}

impl Header {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self { options: options.clone(), layers: Vec::new() }
    }

    /// Takes a line of the header after the first.
    pub(super) fn add(&mut self, text: &str, line: usize) -> Result<(), WebAnnoProblem> {
        let refused = || WebAnnoProblem::Header(shorten(text));
        let (kind, declared) = text.split_once('=').ok_or_else(refused)?;
        let kind = match kind {
            "#T_SP" => Kind::Span,
            "#T_CH" => Kind::Chain,
            "#T_RL" => Kind::Relation,
            _ => return Err(refused()),
        };
        let declared_cells = declared.split('|').count().max(2) - 1;
        if self.cells() + declared_cells > MAX_CELLS {
            return Err(WebAnnoProblem::TooManyColumns(MAX_CELLS));
        }
        if declared.split('|').any(|name| name.len() > MAX_NAME_BYTES) {
            return Err(WebAnnoProblem::LongName(MAX_NAME_BYTES));
        }
        let mut fields = declared.split('|').filter(|field| !field.is_empty());
        let name = fields.next().ok_or_else(refused)?.to_owned();
        let features: Vec<String> = fields.map(str::to_owned).collect();
        self.layers.push(Layer { name, kind, features, line });
        Ok(())
    }

    /// What somebody wants the spans of a layer to be labelled by.
    pub(super) fn asked(&self, layer: &str) -> AskedLabel<'_> {
        self.options.label_of(layer)
    }

    /// How many cells a row has.
    pub(super) fn cells(&self) -> usize {
        3 + self.layers.iter().map(Layer::width).sum::<usize>()
    }

    fn is_read(&self, layer: &Layer) -> bool {
        if !self.options.layers.is_empty() {
            return layer.kind == Kind::Span && self.options.asks_for(&layer.name);
        }
        let mut spans = self.layers.iter().filter(|layer| layer.kind == Kind::Span);
        layer.kind == Kind::Span
            && (!layer.describes_tokens() || spans.all(Layer::describes_tokens))
    }

    /// The columns that labels are read from, a layer each.
    pub(super) fn labels(&self) -> Vec<LabelColumn> {
        let mut first = 3;
        let mut columns = Vec::new();
        for layer in &self.layers {
            if self.is_read(layer) {
                let asked = self.options.label_of(&layer.name);
                let label = layer.label(asked);
                let feature = label.and_then(|place| layer.features.get(place));
                let field = feature.map_or_else(
                    || shorten(&layer.name),
                    |feature| format!("{}|{}", shorten(&layer.name), shorten(feature)),
                );
                columns.push(LabelColumn {
                    cell: first + label.unwrap_or(0),
                    layer: layer.short().to_owned(),
                    labelled: label.is_some(),
                    own: Some(layer.name.clone())
                        .filter(|_| label.is_none() && asked != AskedLabel::LayerName),
                    all: first..first + layer.width(),
                    field,
                    questions: (0..layer.features.len())
                        .filter(|place| layer.is_question(*place, label))
                        .filter_map(|at| Some((first + at, layer.features.get(at)?.clone())))
                        .collect(),
                });
            }
            first += layer.width();
        }
        columns
    }

    /// What is read and what is passed over, with the lines that declare it and how often it is
    /// there; `counts` has as many spans as each label column, and `own` the features that label layers
    /// by their values.
    pub(super) fn notes(
        &self,
        counts: &[usize],
        own: &HashMap<String, String>,
    ) -> Vec<(usize, usize, Note)> {
        let mut notes = Vec::new();
        let mut counts = counts.iter().copied();
        for layer in &self.layers {
            let mut passed_over = |what| notes.push((layer.line, 1, Note::PassedOver(what)));
            let name = shorten(layer.short());
            match layer.kind {
                Kind::Relation => passed_over(format!("relations of the layer {name}")),
                Kind::Chain => passed_over(format!("chains of the layer {name}")),
                Kind::Span if !self.is_read(layer) => passed_over(format!("the layer {name}")),
                Kind::Span => {
                    let label = layer.label(self.options.label_of(&layer.name));
                    for (place, feature) in layer.features.iter().enumerate() {
                        if layer.is_question(place, label) {
                            continue;
                        }
                        if layer.is_plain(place) && Some(place) != label {
                            passed_over(format!(
                                "the feature {} of the layer {name}",
                                shorten(feature)
                            ));
                        } else if feature.starts_with("ROLE_") {
                            passed_over(format!("slots of the layer {name}"));
                        }
                    }
                    let feature = label.and_then(|place| layer.features.get(place));
                    let feature = feature.or_else(|| own.get(&layer.name)).cloned();
                    let count = counts.next().unwrap_or(0);
                    let note = Note::Layer { layer: layer.name.clone(), feature };
                    notes.push((layer.line, count, note));
                }
            }
        }
        notes
    }
}
