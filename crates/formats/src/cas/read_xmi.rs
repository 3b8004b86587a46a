//! UIMA CAS as XMI, read element by element.

use std::collections::BTreeMap;
use std::io::BufRead;

use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::cas::bounded::Bounded;
use crate::cas::features::{STRUCTURE, is_reserved};
use crate::cas::layer::LABEL_FEATURES;
use crate::cas::{Cas, Given, Held, Sofa, Stop};
use crate::import::limits::MAX_RECORD_BYTES;
use crate::import::lines::is_utf16;
use crate::problem::Problem;
use crate::problem::exchange::ExchangeProblem;
use crate::problem::quoted::shorten;

/// The most attributes of one element; the largest types have a few dozen features.
const MAX_ATTRIBUTES: usize = 1_000;

/// How deep elements may lie in each other; XMI takes three levels.
const MAX_DEPTH: usize = 16;

const FORMAT: &str = "a UIMA CAS in XMI";
const ROOT: &str = "the element xmi:XMI around everything";

pub(super) fn read<R: BufRead>(mut reader: R, mut cas: Cas) -> Result<Cas, Stop> {
    let head = reader.fill_buf().map_err(|error| (None, None, error.into()))?;
    if is_utf16(head) {
        return Err((Some(1), None, Problem::Utf16));
    }
    let mut xml = Reader::from_reader(Bounded::new(reader, MAX_RECORD_BYTES));
    let mut buffer = Vec::new();
    let mut packages: Option<Packages> = None;
    let mut depth = 0_usize;
    let mut inner = Inner::default();
    loop {
        buffer.clear();
        let line = xml.get_mut().next_part();
        let event = match xml.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(error) => {
                let offset = xml.error_position();
                let exceeded = xml.get_mut().exceeded;
                return Err((Some(line), None, problem(&error, exceeded, offset)));
            }
        };
        let at = |(field, problem)| (Some(line), field, problem);
        match event {
            Event::Start(element) => {
                let place = enter(&mut cas, &element, depth, &mut packages, line).map_err(at)?;
                inner.open(depth, place, element.local_name().as_ref());
                depth += 1;
                if depth > MAX_DEPTH {
                    let problem = ExchangeProblem::TooMany("levels of elements", MAX_DEPTH);
                    return Err((Some(line), None, problem.into()));
                }
            }
            Event::Empty(element) => {
                enter(&mut cas, &element, depth, &mut packages, line).map_err(at)?;
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                inner.close(depth, &mut cas);
            }
            Event::DocType(_) => {
                return Err((Some(line), None, ExchangeProblem::Doctype.into()));
            }
            Event::Decl(declaration) => {
                let encoding = declaration.encoding().and_then(Result::ok);
                let utf8 = encoding.is_none_or(|name| {
                    name.eq_ignore_ascii_case("utf-8") || name.eq_ignore_ascii_case("us-ascii")
                });
                if !utf8 {
                    let (format, expected) = ("UTF-8", "UTF-8");
                    let problem = ExchangeProblem::OtherFormat { format, expected };
                    return Err((Some(line), None, problem.into()));
                }
            }
            Event::Eof if depth > 0 => {
                let reason = "the file ends within an element".to_owned();
                return Err((Some(line), None, ExchangeProblem::InvalidXml(reason).into()));
            }
            Event::Eof if packages.is_some() => return Ok(cas),
            Event::Eof => return Err((None, None, Problem::EmptyFile)),
            Event::Text(text) if depth == 0 && !text.trim().is_empty() => {
                return Err((Some(line), None, not_xmi()));
            }
            Event::Text(text) if depth > 2 => inner.text.push_str(&text),
            Event::CData(text) if depth > 2 => inner.text.push_str(&text),
            Event::GeneralRef(reference) if depth > 2 => inner.refer(&reference),
            Event::Text(_)
            | Event::CData(_)
            | Event::GeneralRef(_)
            | Event::Comment(_)
            | Event::PI(_) => {}
        }
    }
}

fn not_xmi() -> Problem {
    ExchangeProblem::OtherFormat { format: FORMAT, expected: ROOT }.into()
}

fn problem(error: &quick_xml::Error, exceeded: bool, byte: u64) -> Problem {
    match error {
        _ if exceeded => ExchangeProblem::RecordTooLong.into(),
        quick_xml::Error::Io(error) => Problem::Unreadable { reason: error.to_string() },
        quick_xml::Error::Encoding(_) => Problem::InvalidUtf8(byte),
        other => ExchangeProblem::InvalidXml(shorten(&other.to_string())).into(),
    }
}

/// What stands within the element of an annotation: an element for each text of a list.
#[derive(Debug, Default)]
struct Inner {
    /// The place of the annotation.
    annotation: Option<usize>,
    /// The feature.
    name: String,
    text: String,
}

impl Inner {
    fn open(&mut self, depth: usize, annotation: Option<usize>, name: &str) {
        self.text.clear();
        match depth {
            1 => self.annotation = annotation,
            2 => name.clone_into(&mut self.name),
            _ => {}
        }
    }

    /// Takes the end of an element.
    fn close(&mut self, depth: usize, cas: &mut Cas) {
        if depth == 2
            && let Some(annotation) = self.annotation
        {
            cas.add_text(annotation, &self.name, &self.text, Held::Item);
        }
        self.text.clear();
    }

    /// Adds a character that is written by its name or its number.
    fn refer(&mut self, reference: &BytesRef<'_>) {
        let character = match reference.resolve_char_ref() {
            Ok(Some(character)) => Some(character),
            Ok(None) => match &**reference {
                "lt" => Some('<'),
                "gt" => Some('>'),
                "amp" => Some('&'),
                "quot" => Some('"'),
                "apos" => Some('\''),
                _ => None,
            },
            Err(_) => None,
        };
        self.text.extend(character);
    }
}

/// Takes what an element says, and gives the place of the annotation that it is. Elements within others
/// are the entries of lists.
fn enter(
    cas: &mut Cas,
    element: &BytesStart<'_>,
    depth: usize,
    packages: &mut Option<Packages>,
    line: usize,
) -> Result<Option<usize>, (Option<String>, Problem)> {
    let name = element.local_name();
    let name = name.as_ref();
    match depth {
        0 if name == "XMI" && packages.is_none() => {
            *packages = Some(Packages::read(element));
            Ok(None)
        }
        0 => Err((None, not_xmi())),
        1 => Attributes::read(element)
            .and_then(|attributes| {
                let prefix = element.name().prefix().map(|prefix| prefix.as_ref().to_owned());
                let package = packages.as_ref().and_then(|all| all.0.get(prefix.as_deref()?));
                let kind = format!("{}{name}", package.map_or("", String::as_str));
                attributes.enter(cas, (name, &kind), line)
            })
            .map_err(|problem| (Some(shorten(name)), problem)),
        _ => Ok(None),
    }
}

/// The packages of types by the prefixes that the root declares, each with a dot at its end.
#[derive(Debug, Default)]
struct Packages(BTreeMap<String, String>);

impl Packages {
    fn read(root: &BytesStart<'_>) -> Self {
        let mut attributes = root.attributes();
        attributes.with_checks(false);
        let declared = attributes.flatten().take(MAX_ATTRIBUTES).filter_map(|attribute| {
            let name: &str = attribute.key.as_ref();
            let prefix = name.strip_prefix("xmlns:")?.to_owned();
            let uri = attribute.normalized_value(XmlVersion::Explicit1_0).ok()?;
            let path = uri.strip_prefix("http:///")?.strip_suffix(".ecore")?;
            let package = format!("{}.", path.replace('/', "."));
            (package != "uima.noNamespace.").then_some((prefix, package))
        });
        Self(declared.collect())
    }
}

/// The attribute that names an element.
const ID: &str = "xmi:id";

/// The attributes of an element that matter, by their names.
#[derive(Debug, Default)]
struct Attributes {
    known: BTreeMap<&'static str, String>,
    /// The others, which may be features that answer questions.
    others: Vec<(String, String)>,
}

impl Attributes {
    fn read(element: &BytesStart<'_>) -> Result<Self, Problem> {
        let (mut found, mut others) = (BTreeMap::new(), Vec::new());
        // Repeated names are looked for among those that matter: comparing all takes too long.
        let mut attributes = element.attributes();
        attributes.with_checks(false);
        for (number, attribute) in attributes.enumerate() {
            if number == MAX_ATTRIBUTES {
                let what = "attributes of one element";
                return Err(ExchangeProblem::TooMany(what, MAX_ATTRIBUTES).into());
            }
            let invalid = |reason: String| ExchangeProblem::InvalidXml(shorten(&reason));
            let attribute = attribute.map_err(|error| invalid(error.to_string()))?;
            let name: &str = attribute.key.as_ref();
            let mut matter = [ID].iter().chain(&STRUCTURE).chain(&LABEL_FEATURES);
            let known = matter.find(|known| **known == name);
            if known.is_none() && (name.contains(':') || is_reserved(name)) {
                continue;
            }
            let value = attribute.normalized_value(XmlVersion::Explicit1_0);
            let value = value.map_err(|error| invalid(error.to_string()))?.into_owned();
            let Some(known) = known else {
                others.push((name.to_owned(), value));
                continue;
            };
            if found.insert(*known, value).is_some() {
                return Err(invalid(format!("the attribute {name} comes twice")).into());
            }
        }
        Ok(Self { known: found, others })
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.known.get(name).map(String::as_str)
    }

    fn whole_number(&self, name: &'static str) -> Result<u64, Problem> {
        let value = self.get(name).ok_or(Problem::MissingField(name))?;
        value.trim().parse().map_err(|_| {
            let value = shorten(value);
            let reason = format!("{name} is \"{value}\"; expected a whole number");
            ExchangeProblem::InvalidXml(reason).into()
        })
    }

    fn enter(
        mut self,
        cas: &mut Cas,
        (name, kind): (&str, &str),
        line: usize,
    ) -> Result<Option<usize>, Problem> {
        match name {
            "Sofa" => {
                let id = self.whole_number(ID)?;
                let name = self.known.remove("sofaID").unwrap_or_default();
                let (text, line) = (self.known.remove("sofaString"), Some(line));
                cas.add_sofa(Sofa { id, name, text, line })?;
                return Ok(None);
            }
            "View" => {
                // A view of documents without a text has no sofa.
                if let (true, Some(members)) =
                    (self.get("sofa").is_some(), self.known.remove("members"))
                {
                    cas.add_view(self.whole_number("sofa")?, members)?;
                }
                return Ok(None);
            }
            "DocumentMetaData" => {
                let title = self.known.remove("documentTitle");
                cas.title = title.filter(|title| is_visible(title)).or(cas.title.take());
            }
            _ => {}
        }
        if ["sofa", "begin", "end"].iter().any(|name| self.get(name).is_none()) {
            let id = self.get(ID).and_then(|id| id.parse().ok());
            id.filter(|_| name != "NULL").into_iter().for_each(|id| cas.add_placeless(id));
            return Ok(None);
        }
        let place = cas.add(&Given {
            id: self.whole_number(ID)?,
            sofa: self.whole_number("sofa")?,
            begin: self.whole_number("begin")?,
            end: self.whole_number("end")?,
            kind,
            labels: LABEL_FEATURES.map(|feature| self.get(feature)),
            relation: self.get("Governor").and(self.get("Dependent")).is_some(),
            line: Some(line),
        })?;
        if let Some(place) = place {
            for (name, value) in &self.others {
                cas.add_text(place, name, value, Held::Text);
            }
        }
        Ok(place)
    }
}

fn is_visible(title: &str) -> bool {
    !title.trim().is_empty() && !title.contains('\0')
}
