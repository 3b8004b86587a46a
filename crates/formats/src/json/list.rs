//! Files that are one JSON list of documents: Label Studio's tasks and spaCy's examples.

use std::io::Write;

use serde::Serialize;

use crate::export::annotated::AnnotatedDocument;
use crate::export::error::ExportError;
use crate::export::loss::{Loss, Losses};
use crate::json::label_studio::write::{Controls, task};
use crate::json::spacy::write::example;

/// Writes a JSON list, entry by entry.
///
/// ```
/// use formats::{AnnotatedDocument, JsonList};
///
/// let document = AnnotatedDocument {
///     id: None,
///     name: "a".to_owned(),
///     text: "EU rejects".to_owned(),
///     spans: Vec::new(),
///     answers: Vec::new(),
///     work: Vec::new(),
/// };
/// let mut list = JsonList::new(Vec::new());
/// list.write_spacy(&document)?;
/// let expected = r#"[
/// ["EU rejects",{"words":["EU","rejects"],"spaces":[true,false],"entities":[]}]
/// ]
/// "#;
/// assert_eq!(String::from_utf8(list.finish()?).unwrap(), expected);
/// # Ok::<(), formats::ExportError>(())
/// ```
#[derive(Debug)]
pub struct JsonList<W> {
    out: W,
    written: usize,
    /// Under which names questions are answered in Label Studio.
    controls: Controls,
}

impl<W: Write> JsonList<W> {
    /// A list that has no entry yet.
    pub fn new(out: W) -> Self {
        Self { out, written: 0, controls: Controls::default() }
    }

    /// Writes one document as a task of Label Studio's JSON and returns what it could not hold:
    /// only spans that do not lie within the text, and names of questions that it has for something else.
    ///
    /// The labelling configuration is taken to be `<Text name="text" value="$text"/>` with
    /// `<Labels name="label" toName="text">`, and for every question, under its name,
    /// `<Choices toName="text">` or `<Number toName="text">`, those about spans with
    /// `perRegion="true"`. Offsets are code points. What raters marked and answered becomes
    /// annotations; what is of no rater becomes a prediction. An answer about a span has its id and
    /// its place. Label Studio keeps the id and the name in the task's `meta`.
    pub fn write_label_studio(
        &mut self,
        document: &AnnotatedDocument,
    ) -> Result<Vec<Loss>, ExportError> {
        let mut losses = Losses::new(&document.name);
        let task = task(document, self.written + 1, &mut self.controls, &mut losses);
        entry(&mut self.out, &mut self.written, &task)?;
        Ok(losses.into_sorted())
    }

    /// Writes one document as an example for spaCy, `[text, {"entities": …, "spans": …}]`, and
    /// returns what it could not hold: id, name and what named raters marked.
    ///
    /// Offsets are code points. `entities` holds no two spans that share text, as spaCy wants it;
    /// the group `sc` of `spans` holds all of them where some do.
    pub fn write_spacy(&mut self, document: &AnnotatedDocument) -> Result<Vec<Loss>, ExportError> {
        let mut losses = Losses::new(&document.name);
        let example = example(document, &mut losses);
        entry(&mut self.out, &mut self.written, &example)?;
        Ok(losses.into_sorted())
    }

    /// Ends the list and gives what it was written to.
    pub fn finish(mut self) -> Result<W, ExportError> {
        self.out.write_all(if self.written > 0 { b"\n]\n" } else { b"[]\n" })?;
        Ok(self.out)
    }
}

fn entry(
    out: &mut impl Write,
    written: &mut usize,
    value: &impl Serialize,
) -> Result<(), ExportError> {
    out.write_all(if *written > 0 { b",\n" } else { b"[\n" })?;
    *written += 1;
    serde_json::to_writer(out, value).map_err(std::io::Error::from)?;
    Ok(())
}
