//! UIMA CAS, as XMI and as JSON: what both hold, and the documents that come of it.
//!
//! Offsets count UTF-16 units, because UIMA is Java (dkpro-cassis converts them so).

mod bounded;
pub(crate) mod features;
pub(crate) mod file;
pub(crate) mod label_feature;
mod layer;
mod read_json;
mod read_xmi;
mod types;
pub(crate) mod write_json;
pub(crate) mod write_xmi;

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::TextIndex;
use crate::cas::features::is_reserved;
use crate::cas::label_feature::{AskedLabel, Candidate, add_value, label_feature};
use crate::cas::layer::{LABEL_FEATURES, Layers};
use crate::export::annotated::{AnnotatedSpan, AnswerWords};
use crate::import::document::{ImportedDocument, check_text};
use crate::import::findings::Findings;
use crate::import::findings::note::Notes;
use crate::import::findings::repair::Repair;
use crate::import::format::stem;
use crate::import::limits::{MAX_DOCUMENT_BYTES, MAX_RECORD_BYTES};
use crate::import::options::ReadOptions;
use crate::import::spans::{GivenSpan, SpanSet, Unit};
use crate::import::works::AnswerSet;
use crate::problem::exchange::ExchangeProblem;
use crate::problem::quoted::shorten;
use crate::problem::{ImportError, Problem};

/// The most annotations of one CAS that are kept.
const MAX_ANNOTATIONS: usize = 300_000;

/// The most values of features of one CAS that are kept.
const MAX_FEATURES: usize = 1_000_000;

/// The most texts of one CAS.
const MAX_SOFAS: usize = 16;

/// Types that cut the text, which every tool makes anew. None of them has a label, so that one
/// with a label is a layer of somebody's own by the same name.
const TEXT_TYPES: [&str; 3] = ["Token", "Sentence", "Paragraph"];

/// Types that describe the document.
const DOCUMENT_TYPES: [&str; 2] = ["DocumentMetaData", "DocumentAnnotation"];

/// Where a file could not be read any further, and why: line, element and problem.
type Stop = (Option<usize>, Option<String>, Problem);

/// A text that annotations are on.
#[derive(Debug)]
struct Sofa {
    id: u64,
    name: String,
    text: Option<String>,
    /// None in JSON, whose reader does not say.
    line: Option<usize>,
}

/// An annotation, before its text is known.
#[derive(Debug)]
struct Annotation {
    id: u64,
    sofa: u64,
    begin: u64,
    end: u64,
    /// Index of the label.
    label: usize,
    /// Index of the type's name.
    kind: usize,
    line: Option<usize>,
}

/// What a feature of an annotation holds; texts by their places.
#[derive(Debug, Clone, Copy)]
enum Held {
    Text(usize),
    /// One of a list.
    Item(usize),
    /// What another feature structure holds, by its id.
    Reference(u64),
}

/// What a CAS says, gathered while it is read.
#[derive(Debug, Default)]
struct Cas {
    sofas: Vec<Sofa>,
    annotations: Vec<Annotation>,
    /// The features of annotations that answer questions: the place of the annotation, the name and
    /// what is held, in the order of the annotations.
    features: Vec<(usize, usize, Held)>,
    /// How many more were not kept.
    features_beyond: usize,
    /// Lists of texts by their ids.
    lists: HashMap<u64, Vec<usize>>,
    /// Structures that have no place, to which features may lead, and the features that do.
    placeless: HashSet<u64>,
    links: HashSet<usize>,
    names: Names,
    title: Option<String>,
    /// What each view has in its index, by the id of its sofa; as text, which takes less room.
    views: Vec<(u64, String)>,
    relations: usize,
    /// Values of usual features of labels, where somebody chose another feature.
    other_labels: usize,
    /// The feature that labels the spans of a type, where its name is not usual.
    label_features: HashMap<usize, usize>,
    layers: Layers,
}

/// Strings, each held once.
#[derive(Debug, Default)]
struct Names {
    list: Vec<String>,
    bytes: usize,
    places: HashMap<String, usize>,
}

impl Names {
    fn place(&mut self, name: &str) -> Result<usize, Problem> {
        if let Some(place) = self.places.get(name) {
            return Ok(*place);
        }
        self.bytes += name.len();
        if self.bytes > MAX_DOCUMENT_BYTES {
            return Err(ExchangeProblem::TooMany("bytes of labels", MAX_DOCUMENT_BYTES).into());
        }
        let place = self.list.len();
        self.list.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        Ok(place)
    }

    fn name(&self, place: usize) -> &str {
        self.list.get(place).map(String::as_str).unwrap_or_default()
    }
}

/// A feature structure with a place in a text, as either format gives it.
#[derive(Debug, Default)]
struct Given<'file> {
    id: u64,
    sofa: u64,
    begin: u64,
    end: u64,
    /// The name of its type, with the packages where they are known.
    kind: &'file str,
    labels: [Option<&'file str>; LABEL_FEATURES.len()],
    /// Whether it links two annotations, as a dependency does.
    relation: bool,
    line: Option<usize>,
}

impl Cas {
    /// An empty one, of which these layers are read.
    fn new(options: &ReadOptions) -> Self {
        Self { layers: Layers::new(options), ..Self::default() }
    }

    /// Keeps a text.
    fn add_sofa(&mut self, sofa: Sofa) -> Result<(), Problem> {
        let lengths = self.sofas.iter().chain([&sofa]).filter_map(|sofa| sofa.text.as_ref());
        if lengths.map(String::len).sum::<usize>() > MAX_DOCUMENT_BYTES {
            return Err(Problem::DocumentTooLarge);
        }
        if self.sofas.len() == MAX_SOFAS {
            return Err(ExchangeProblem::TooMany("sofas", MAX_SOFAS).into());
        }
        self.sofas.push(sofa);
        Ok(())
    }

    /// Keeps what the view of a sofa has in its index, ids with spaces between.
    fn add_view(&mut self, sofa: u64, members: String) -> Result<(), Problem> {
        let length: usize = self.views.iter().map(|(_, members)| members.len()).sum();
        if self.views.len() == MAX_SOFAS || length + members.len() > MAX_RECORD_BYTES {
            return Err(ExchangeProblem::RecordTooLong.into());
        }
        self.views.push((sofa, members));
        Ok(())
    }

    /// Keeps an annotation and gives its place, or counts why not.
    fn add(&mut self, given: &Given<'_>) -> Result<Option<usize>, Problem> {
        let short = given.kind.rsplit('.').next().unwrap_or(given.kind);
        let is_label = |label: Option<&str>| label.is_some_and(|label| !label.trim().is_empty());
        let has_label = |at: usize| given.labels.get(at).copied().is_some_and(is_label);
        let detected = (0..given.labels.len()).find(|at| has_label(*at));
        let named = match self.layers.asked(given.kind) {
            AskedLabel::Detected => detected,
            AskedLabel::LayerName => None,
            AskedLabel::Feature(name) => {
                let known =
                    LABEL_FEATURES.iter().position(|known| known.eq_ignore_ascii_case(name));
                known.filter(|at| has_label(*at))
            }
        };
        let cuts = TEXT_TYPES.contains(&short) && detected.is_none();
        if cuts || DOCUMENT_TYPES.contains(&short) {
            return Ok(None);
        }
        if given.relation {
            self.relations += 1;
            return Ok(None);
        }
        if !self.layers.reads(given.kind, named) {
            return Ok(None);
        }
        self.other_labels += usize::from(detected.is_some() && named.is_none());
        if self.annotations.len() == MAX_ANNOTATIONS {
            return Err(ExchangeProblem::TooMany("annotations", MAX_ANNOTATIONS).into());
        }
        let label = named.and_then(|at| given.labels.get(at).copied().flatten());
        let label = self.names.place(label.unwrap_or(short))?;
        let kind = self.names.place(given.kind)?;
        let Given { id, sofa, begin, end, line, .. } = *given;
        self.annotations.push(Annotation { id, sofa, begin, end, label, kind, line });
        Ok(Some(self.annotations.len() - 1))
    }

    /// Keeps a text that a feature of the annotation at a place holds, as the only one or one of a list.
    fn add_text(&mut self, annotation: usize, name: &str, text: &str, hold: fn(usize) -> Held) {
        let places = self.names.place(text).ok().zip(self.names.place(name).ok());
        match places {
            Some((text, name)) => self.add_feature(annotation, name, hold(text)),
            None => self.features_beyond += 1,
        }
    }

    /// Keeps that a feature of the annotation at a place leads to a structure.
    fn add_reference(&mut self, annotation: usize, name: &str, id: u64) {
        match self.names.place(name) {
            Ok(name) => self.add_feature(annotation, name, Held::Reference(id)),
            Err(_) => self.features_beyond += 1,
        }
    }

    fn add_feature(&mut self, annotation: usize, name: usize, held: Held) {
        if is_reserved(self.names.name(name)) {
            return;
        }
        if self.features.len() == MAX_FEATURES {
            self.features_beyond += 1;
        } else {
            self.features.push((annotation, name, held));
        }
    }

    /// Keeps a list of texts.
    fn add_list<'text>(&mut self, id: u64, texts: impl Iterator<Item = &'text str>) {
        for text in texts {
            match self.names.place(text) {
                Ok(text) if self.features.len() < MAX_FEATURES => {
                    self.lists.entry(id).or_default().push(text);
                }
                _ => self.features_beyond += 1,
            }
        }
    }

    /// Keeps that there is a structure without a place.
    fn add_placeless(&mut self, id: u64) {
        if self.placeless.len() < MAX_ANNOTATIONS {
            self.placeless.insert(id);
        }
    }

    /// Adds what is answered about the annotation at a place, which is this span.
    fn answer(&self, annotation: usize, span: &AnnotatedSpan, line: usize, to: &mut AnswerSet) {
        let first = self.features.partition_point(|(of, ..)| *of < annotation);
        let features = self.features.get(first..).unwrap_or_default();
        for (_, name, held) in features.iter().take_while(|(of, ..)| *of == annotation) {
            let kind = self.annotations.get(annotation).map(|found| found.kind);
            if kind.and_then(|kind| self.label_features.get(&kind)) == Some(name) {
                continue;
            }
            let text = |place: usize| self.names.name(place).to_owned();
            let answer = match held {
                Held::Text(_) if self.links.contains(name) => continue,
                Held::Text(place) => AnswerWords::One(text(*place)),
                Held::Item(place) => AnswerWords::Several(vec![text(*place)]),
                Held::Reference(id) => match self.lists.get(id) {
                    Some(list) => AnswerWords::Several(list.iter().copied().map(text).collect()),
                    None => continue,
                },
            };
            to.add(Some(span), self.names.name(*name), &answer, line);
        }
    }

    /// The features whose texts are all ids of structures without a place, as XMI writes where a feature
    /// leads.
    fn find_links(&mut self) {
        let leads = |id: &str| id.parse().is_ok_and(|id| self.placeless.contains(&id));
        let (mut links, mut others) = (HashSet::new(), HashSet::new());
        for (_, name, held) in &self.features {
            if let Held::Text(place) = held {
                let is_link = self.names.name(*place).split(' ').all(leads);
                if is_link {
                    links.insert(*name)
                } else {
                    others.insert(*name)
                };
            }
        }
        self.links = &links - &others;
    }

    /// Labels the spans of layers without a usual feature of labels by the one that has values.
    fn label_by_own_features(&mut self, findings: &mut Findings) {
        let mut candidates: BTreeMap<usize, Vec<Candidate>> = BTreeMap::new();
        for (annotation, name, held) in &self.features {
            let (Some(found), Held::Text(text)) = (self.annotations.get(*annotation), held) else {
                continue;
            };
            if !self.links.contains(name) {
                let of_layer = candidates.entry(found.kind).or_default();
                add_value(of_layer, self.names.name(*name), self.names.name(*text));
            }
        }
        for (kind, candidates) in candidates {
            let layer = self.names.name(kind).to_owned();
            let asked = self.layers.asked(&layer);
            let is_usual =
                |name: &str| LABEL_FEATURES.iter().any(|it| it.eq_ignore_ascii_case(name));
            let is_settled = match asked {
                AskedLabel::Detected => self.layers.is_labelled(&layer),
                AskedLabel::LayerName => true,
                AskedLabel::Feature(name) => is_usual(name),
            };
            if is_settled {
                continue;
            }
            match label_feature(&layer, asked, &candidates) {
                Ok(Some(feature)) => {
                    if let Some(name) = self.names.places.get(feature) {
                        self.label_features.insert(kind, *name);
                    }
                    self.layers.label_by(&layer, feature);
                }
                Ok(None) => {}
                Err(problem) => {
                    findings.refuse::<()>(Some(&shorten(&layer)), problem);
                }
            }
        }
        for (annotation, name, held) in &self.features {
            if let (Some(found), Held::Text(text)) = (self.annotations.get_mut(*annotation), held)
                && self.label_features.get(&found.kind) == Some(name)
                && !self.names.name(*text).trim().is_empty()
            {
                found.label = *text;
            }
        }
        findings.pass_over("labels of features that were not chosen", self.other_labels);
    }

    /// The documents: one for each sofa with a text.
    fn documents(
        mut self,
        file: &str,
        notes: &mut Notes,
    ) -> Result<Vec<ImportedDocument>, Vec<ImportError>> {
        let mut findings = Findings::default();
        findings.pass_over("relations", self.relations);
        findings.pass_over("further values of features", self.features_beyond);
        self.find_links();
        self.label_by_own_features(&mut findings);
        self.layers.tell(&mut findings);
        let sofas = std::mem::take(&mut self.sofas);
        let texts = sofas.iter().filter(|sofa| sofa.text.is_some()).count();
        if texts == 0 {
            findings.refuse::<()>(
                Some("sofaString"),
                Problem::MissingField("a sofa with the text of the document"),
            );
        }
        let known: HashSet<u64> = sofas.iter().map(|sofa| sofa.id).collect();
        if let Some(lost) = self.annotations.iter().find(|found| !known.contains(&found.sofa)) {
            let problem = ExchangeProblem::DanglingReference {
                what: "sofa",
                reference: lost.sofa.to_string(),
            };
            findings.at_line(lost.line);
            findings.refuse::<()>(Some(&self.field(lost, "sofa")), problem);
        }
        let mut documents = Vec::new();
        for sofa in &sofas {
            let name = self.title.clone().unwrap_or_else(|| stem(file).to_owned());
            let first = texts == 1 || sofa.name == "_InitialView";
            let name = if first { name } else { format!("{name}#{}", sofa.name) };
            findings.at_line(sofa.line);
            documents.extend(self.document(sofa, name, &mut findings));
        }
        if findings.is_clean() {
            let line = sofas.first().and_then(|sofa| sofa.line);
            notes.extend(findings.notes(file, line.unwrap_or(1)));
            Ok(documents)
        } else {
            Err(findings.into_errors(file, None).collect())
        }
    }

    fn document(
        &self,
        sofa: &Sofa,
        name: String,
        findings: &mut Findings,
    ) -> Option<ImportedDocument> {
        let text = sofa.text.as_deref()?;
        if let Err(problem) = check_text(text) {
            return findings.refuse(Some("sofaString"), problem);
        }
        let index = TextIndex::new(text);
        let members = self.members(sofa.id);
        let (mut spans, mut empty, mut outside) = (SpanSet::default(), 0, 0);
        let mut answers = AnswerSet::default();
        let of_sofa = |(_, found): &(usize, &Annotation)| found.sofa == sofa.id;
        for (place, found) in self.annotations.iter().enumerate().filter(of_sofa) {
            if members.as_ref().is_some_and(|members| !members.contains(&found.id)) {
                outside += 1;
            } else if found.begin == found.end {
                empty += 1;
            } else {
                let (start, end) = (found.begin, found.end);
                let label = self.names.name(found.label);
                let given = GivenSpan { start, end, label, quote: None };
                let line = found.line.unwrap_or(1);
                match spans.add(&index, Unit::Utf16, given, line) {
                    Ok((start, end)) => {
                        let span = AnnotatedSpan { start, end, label: label.to_owned() };
                        self.answer(place, &span, line, &mut answers);
                    }
                    Err((_, problem)) => {
                        findings.at_line(found.line);
                        findings.refuse::<()>(Some(&self.field(found, "end")), problem);
                    }
                }
            }
        }
        let spans = spans.finish(findings);
        findings.pass_over("annotations that no view has in its index", outside);
        findings.repair(Repair::EmptySpan, empty);
        let answers = match answers.finish() {
            Ok(answers) => answers,
            Err(problem) => return findings.refuse(None, problem),
        };
        let (text, line) = (text.to_owned(), sofa.line.unwrap_or(1));
        let (work, judged) = (Vec::new(), true);
        Some(ImportedDocument { id: None, name, text, spans, answers, work, judged, line })
    }

    /// What the view of a sofa has in its index; none where the file has no such view.
    fn members(&self, sofa: u64) -> Option<HashSet<u64>> {
        let mut views = self.views.iter().filter(|(of, _)| *of == sofa).peekable();
        views.peek()?;
        let wanted: HashSet<u64> = self.annotations.iter().map(|found| found.id).collect();
        let members = views.flat_map(|(_, members)| members.split_ascii_whitespace());
        Some(members.filter_map(|id| id.parse().ok()).filter(|id| wanted.contains(id)).collect())
    }

    fn field(&self, found: &Annotation, part: &str) -> String {
        let kind = self.names.name(found.kind);
        format!("{}[{}].{part}", shorten(kind.rsplit('.').next().unwrap_or(kind)), found.id)
    }
}
