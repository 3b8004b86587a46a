//! Telling a format by the start of a file: which fields come where.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::import::format::ImportFormat;
use crate::import::lines::BYTE_ORDER_MARK;
use crate::json::hugging_face::read::TAG_FIELDS;

/// How deep and how many places are looked at.
const MAX_DEPTH: usize = 6;
const MAX_PLACES: usize = 4_000;

/// The format that the start of a file tells, if it tells any.
pub(crate) fn detect(head: &[u8]) -> Option<ImportFormat> {
    let head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head).trim_ascii_start();
    match head.first()? {
        b'<' => contains(head, b"http://www.omg.org/XMI").then_some(ImportFormat::CasXmi),
        b'{' | b'[' => by_places(&Places::of(head)),
        _ => None,
    }
}

fn contains(head: &[u8], sought: &[u8]) -> bool {
    head.windows(sought.len()).any(|window| window == sought)
}

/// The signs of each format, the most telling ones first. A place is a path of keys; a list is
/// `[]`, and a value ends in `"` (a string) or `0` (a number).
fn by_places(places: &Places) -> Option<ImportFormat> {
    let any = |signs: &[&str]| signs.iter().any(|sign| places.has(sign));
    // A text may be so long that the beginning breaks off in it.
    let texts = || {
        let signs = ["/text\"", "/data\"", "[]/text\"", "[]/data\""];
        any(&signs) || places.breaks_off_at("/text")
    };
    // The records: entries of a list, or values of their own.
    let record = |signs: &[&str]| {
        signs.iter().any(|sign| places.has(sign) || places.has(&format!("[]{sign}")))
    };
    if any(&["%FEATURE_STRUCTURES", "%TYPES", "%VIEWS"]) {
        Some(ImportFormat::CasJson)
    } else if any(&["data/rows", "data/spanLabels", "rows[][]/content", "sentences[]/tokens"]) {
        Some(ImportFormat::Datasaur)
    } else if record(&["/annotations[]/start_offset"]) {
        Some(ImportFormat::Doccano)
    } else if record(&["/tokens[]\""]) && has_tags(&record)
        || any(&["rows[]/row/tokens[]\"", "rows[]/row/ner_tags[]0"])
    {
        Some(ImportFormat::HuggingFace)
    } else if record(&["/data"]) && record(&["/annotations", "/predictions", "/completions"])
        || any(&["[]/data"]) && !any(&["[]/data\""])
    {
        Some(ImportFormat::LabelStudio)
    } else if record(&["/annotation_id"]) && record(&["/annotator"]) {
        Some(ImportFormat::LabelStudioMin)
    } else if record(&["/_input_hash", "/_task_hash", "/answer\"", "/spans[]/token_start"]) {
        Some(ImportFormat::Prodigy)
    } else if is_ours(places) {
        Some(ImportFormat::JsonLines)
    } else if record(&["/entities[]/start_offset"])
        || record(&["/entities[]"]) && record(&["/relations"])
    {
        texts().then_some(ImportFormat::Doccano)
    } else if any(&["annotations[][]\""])
        || record(&["/paragraphs[]/sentences", "/ents", "[]/entities", "/entities[]"])
    {
        Some(ImportFormat::Spacy)
    } else if record(&["/label", "/labels"]) {
        // The labels may be so many that the text comes too late.
        let labels =
            record(&["/label[][]0", "/labels[][]0"]) && record(&["/label[][]\"", "/labels[][]\""]);
        (labels || texts()).then_some(ImportFormat::Doccano)
    } else if any(&["/text\""]) {
        Some(ImportFormat::JsonLines)
    } else {
        None
    }
}

/// Whether a record has a tag for each of its tokens.
fn has_tags(record: &impl Fn(&[&str]) -> bool) -> bool {
    TAG_FIELDS.iter().any(|field| record(&[&format!("/{field}[]\""), &format!("/{field}[]0")]))
}

/// Whether the record has spans, or raters' work, as our own lines have them. Metadata may be
/// called as the fields of other tools are, so only where these hold spans they count more than
/// an empty list of ours.
fn is_ours(places: &Places) -> bool {
    let all = |signs: &[&str]| signs.iter().all(|sign| places.has(sign));
    let theirs =
        ["/label[][]", "/labels[][]", "/entities[][]", "/entities[]/label", "/ents[]/label"];
    all(&["/text\"", "/work[]/rater"])
        || all(&["/text\"", "/spans[]/start", "/spans[]/end", "/spans[]/label"])
        || all(&["/text\"", "/spans[]"]) && !theirs.iter().any(|sign| places.has(sign))
}

/// The places of a JSON text that may break off anywhere.
#[derive(Debug, Default)]
pub(super) struct Places(RefCell<BTreeSet<String>>);

impl Places {
    pub(super) fn of(head: &[u8]) -> Self {
        let places = Self::default();
        let mut json = serde_json::Deserializer::from_slice(head);
        // One value, or as much of it as there is.
        let _where_it_breaks_off =
            Walk { places: &places, path: "", depth: 0 }.deserialize(&mut json);
        places
    }

    pub(super) fn has(&self, sign: &str) -> bool {
        let sign = if sign.starts_with(['/', '[']) { sign.to_owned() } else { format!("/{sign}") };
        self.0.borrow().contains(&sign)
    }

    /// Whether the place is there and nothing tells what is in it.
    fn breaks_off_at(&self, sign: &str) -> bool {
        let is_within = |place: &String| {
            let rest = place.strip_prefix(sign);
            rest.is_some_and(|rest| rest.starts_with(['"', '0', '[', '/']))
        };
        self.has(sign) && !self.0.borrow().iter().any(is_within)
    }

    /// Enters a place; false when there are too many.
    fn enter(&self, place: String) -> bool {
        let mut places = self.0.borrow_mut();
        places.insert(place);
        places.len() < MAX_PLACES
    }
}

#[derive(Clone, Copy)]
struct Walk<'walk> {
    places: &'walk Places,
    path: &'walk str,
    depth: usize,
}

impl Walk<'_> {
    fn enter<E: Error>(&self, place: String) -> Result<(), E> {
        if self.depth > MAX_DEPTH || place.len() > 200 || self.places.enter(place) {
            Ok(())
        } else {
            Err(E::custom("enough"))
        }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.enter(format!("{}0", self.path))
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.enter(format!("{}0", self.path))
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<(), E> {
        self.enter(format!("{}\"", self.path))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let path = format!("{}[]", self.path);
        self.enter(path.clone())?;
        let entry = Walk { places: self.places, path: &path, depth: self.depth + 1 };
        while list.next_element_seed(entry)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        while let Some(key) = object.next_key::<String>()? {
            let path = format!("{}/{key}", self.path);
            self.enter(path.clone())?;
            object.next_value_seed(Walk {
                places: self.places,
                path: &path,
                depth: self.depth + 1,
            })?;
        }
        Ok(())
    }
}
