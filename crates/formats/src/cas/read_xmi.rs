//! UIMA CAS as XMI, read element by element.

use std::io::BufRead;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::cas::bounded::Bounded;
use crate::cas::{Cas, Given, LABEL_FEATURES, Sofa, Stop};
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

pub(super) fn read<R: BufRead>(mut reader: R) -> Result<Cas, Stop> {
    let unreadable = |error: &std::io::Error| Problem::Unreadable { reason: error.to_string() };
    let head = reader.fill_buf().map_err(|error| (None, None, unreadable(&error)))?;
    if is_utf16(head) {
        return Err((Some(1), None, Problem::Utf16));
    }
    let mut xml = Reader::from_reader(Bounded::new(reader, MAX_RECORD_BYTES));
    let mut cas = Cas::default();
    let mut buffer = Vec::new();
    let (mut depth, mut opened) = (0_usize, false);
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
                enter(&mut cas, &element, depth, &mut opened, line).map_err(at)?;
                depth += 1;
                if depth > MAX_DEPTH {
                    let problem = Problem::Exchange(ExchangeProblem::TooMany {
                        what: "levels of elements",
                        most: MAX_DEPTH,
                    });
                    return Err((Some(line), None, problem));
                }
            }
            Event::Empty(element) => {
                enter(&mut cas, &element, depth, &mut opened, line).map_err(at)?;
            }
            Event::End(_) => depth = depth.saturating_sub(1),
            Event::DocType(_) => {
                return Err((Some(line), None, Problem::Exchange(ExchangeProblem::Doctype)));
            }
            Event::Decl(declaration) => {
                let encoding = declaration.encoding().and_then(Result::ok);
                let utf8 = encoding.is_none_or(|name| {
                    name.eq_ignore_ascii_case("utf-8") || name.eq_ignore_ascii_case("us-ascii")
                });
                if !utf8 {
                    let problem = Problem::Exchange(ExchangeProblem::OtherFormat {
                        format: "UTF-8",
                        expected: "UTF-8",
                    });
                    return Err((Some(line), None, problem));
                }
            }
            Event::Eof if depth > 0 => {
                let reason = "the file ends within an element".to_owned();
                return Err((
                    Some(line),
                    None,
                    Problem::Exchange(ExchangeProblem::InvalidXml { reason }),
                ));
            }
            Event::Eof if opened => return Ok(cas),
            Event::Eof => return Err((None, None, Problem::EmptyFile)),
            Event::Text(text) if depth == 0 && !text.trim().is_empty() => {
                return Err((Some(line), None, not_xmi()));
            }
            Event::Text(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::PI(_)
            | Event::GeneralRef(_) => {}
        }
    }
}

const fn not_xmi() -> Problem {
    Problem::Exchange(ExchangeProblem::OtherFormat { format: FORMAT, expected: ROOT })
}

fn problem(error: &quick_xml::Error, exceeded: bool, byte: u64) -> Problem {
    match error {
        _ if exceeded => Problem::Exchange(ExchangeProblem::RecordTooLong),
        quick_xml::Error::Io(error) => Problem::Unreadable { reason: error.to_string() },
        quick_xml::Error::Encoding(_) => Problem::InvalidUtf8 { byte },
        other => {
            Problem::Exchange(ExchangeProblem::InvalidXml { reason: shorten(&other.to_string()) })
        }
    }
}

/// Takes what an element says. Elements within others are the entries of lists.
fn enter(
    cas: &mut Cas,
    element: &BytesStart<'_>,
    depth: usize,
    opened: &mut bool,
    line: usize,
) -> Result<(), (Option<String>, Problem)> {
    let name = element.local_name();
    let name = name.as_ref();
    match depth {
        0 if name == "XMI" && !*opened => {
            *opened = true;
            Ok(())
        }
        0 => Err((None, not_xmi())),
        1 => Attributes::read(element)
            .and_then(|attributes| attributes.enter(cas, name, line))
            .map_err(|problem| (Some(shorten(name)), problem)),
        _ => Ok(()),
    }
}

/// The attributes that matter.
#[derive(Debug, Default)]
struct Attributes {
    id: Option<String>,
    sofa: Option<String>,
    begin: Option<String>,
    end: Option<String>,
    labels: [Option<String>; LABEL_FEATURES.len()],
    sofa_id: Option<String>,
    sofa_string: Option<String>,
    members: Option<String>,
    title: Option<String>,
    governor: Option<String>,
    dependent: Option<String>,
}

impl Attributes {
    fn read(element: &BytesStart<'_>) -> Result<Self, Problem> {
        let mut found = Self::default();
        // Repeated names are looked for among those that matter: comparing all takes too long.
        let mut attributes = element.attributes();
        attributes.with_checks(false);
        for (number, attribute) in attributes.enumerate() {
            if number == MAX_ATTRIBUTES {
                let what = "attributes of one element";
                return Err(Problem::Exchange(ExchangeProblem::TooMany {
                    what,
                    most: MAX_ATTRIBUTES,
                }));
            }
            let invalid = |reason: String| {
                Problem::Exchange(ExchangeProblem::InvalidXml { reason: shorten(&reason) })
            };
            let attribute = attribute.map_err(|error| invalid(error.to_string()))?;
            let name: &str = attribute.key.as_ref();
            let Some(place) = found.place(name) else { continue };
            if place.is_some() {
                return Err(invalid(format!("the attribute {name} comes twice")));
            }
            let value = attribute.normalized_value(XmlVersion::Explicit1_0);
            *place = Some(value.map_err(|error| invalid(error.to_string()))?.into_owned());
        }
        Ok(found)
    }

    fn place(&mut self, name: &str) -> Option<&mut Option<String>> {
        Some(match name {
            "xmi:id" => &mut self.id,
            "sofa" => &mut self.sofa,
            "begin" => &mut self.begin,
            "end" => &mut self.end,
            "sofaID" => &mut self.sofa_id,
            "sofaString" => &mut self.sofa_string,
            "members" => &mut self.members,
            "documentTitle" => &mut self.title,
            "Governor" => &mut self.governor,
            "Dependent" => &mut self.dependent,
            other => {
                let label = LABEL_FEATURES.iter().position(|feature| *feature == other)?;
                self.labels.get_mut(label)?
            }
        })
    }

    fn enter(self, cas: &mut Cas, name: &str, line: usize) -> Result<(), Problem> {
        match name {
            "Sofa" => {
                let id = whole_number("xmi:id", self.id.as_deref())?;
                let name = self.sofa_id.unwrap_or_default();
                let (text, line) = (self.sofa_string, Some(line));
                return cas.add_sofa(Sofa { id, name, text, line });
            }
            "View" => {
                // A view of documents without a text has no sofa.
                if let (Some(sofa), Some(members)) = (&self.sofa, self.members) {
                    cas.add_view(whole_number("sofa", Some(sofa))?, members)?;
                }
                return Ok(());
            }
            "DocumentMetaData" => {
                cas.title = self.title.filter(|title| is_visible(title)).or(cas.title.take());
            }
            _ => {}
        }
        let (Some(sofa), Some(begin), Some(end)) = (&self.sofa, &self.begin, &self.end) else {
            return Ok(());
        };
        cas.add(&Given {
            id: whole_number("xmi:id", self.id.as_deref())?,
            sofa: whole_number("sofa", Some(sofa))?,
            begin: whole_number("begin", Some(begin))?,
            end: whole_number("end", Some(end))?,
            kind: name,
            labels: self.labels.each_ref().map(Option::as_deref),
            relation: self.governor.is_some() && self.dependent.is_some(),
            line: Some(line),
        })
    }
}

fn is_visible(title: &str) -> bool {
    !title.trim().is_empty() && !title.contains('\0')
}

fn whole_number(attribute: &'static str, value: Option<&str>) -> Result<u64, Problem> {
    let value = value.ok_or(Problem::MissingField { expected: attribute })?;
    value.trim().parse().map_err(|_| {
        let reason = format!("{attribute} is \"{}\"; expected a whole number", shorten(value));
        Problem::Exchange(ExchangeProblem::InvalidXml { reason })
    })
}
