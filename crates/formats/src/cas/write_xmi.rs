//! UIMA CAS as XMI, and the description of its types beside it.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::TextIndex;
use crate::cas::features::AnswerFeatures;
use crate::cas::types::{FIRST_ID, Feature, META_ID, SOFA_ID, STRING_ARRAY, described};
use crate::export::annotated::{AnnotatedAnswer, AnnotatedDocument, AnswerWords, AnswersBySpan};
use crate::export::error::ExportError;
use crate::export::held::held;
use crate::export::loss::{Loss, LossReason, Losses};

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore" xmlns:ner="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore" xmlns:metadata="http:///de/tudarmstadt/ukp/dkpro/core/api/metadata/type.ecore" xmi:version="2.0">
<cas:NULL xmi:id="0"/>
"#;

/// Writes one document as a UIMA CAS in XMI and returns what it could not hold.
///
/// Spans are named entities of DKPro Core with the label as `value`; [`write_type_system`] writes
/// the types that readers need. Offsets are UTF-16 units. Line ends are kept as character
/// references. The id is left out, and so is what named raters marked, because tools of UIMA have a
/// file for each. XML has no way to write some characters (U+0000–U+001F but for tab, LF and CR,
/// U+FFFE, U+FFFF): a document whose text has one is left out, and nothing is written; so is a span
/// whose label has one; in a name and in an answer they become U+FFFD.
///
/// Answers about spans are features of these, which are called as the questions are, as far as names
/// of features allow: several choices are a list, and everything else is a text. What is answered
/// about the document is left out.
pub fn write_cas_xmi<W: Write>(
    out: &mut W,
    document: &AnnotatedDocument,
    features: &mut AnswerFeatures,
) -> Result<Vec<Loss>, ExportError> {
    let mut losses = Losses::new(&document.name);
    if let Some(character) = document.text.chars().find(|character| !is_xml(*character)) {
        losses.of_document(LossReason::NotInXml(character));
        return Ok(losses.into_sorted());
    }
    losses.of_id(document);
    let name = document.name.replace(|character| !is_xml(character), "\u{fffd}");
    if name != document.name {
        losses.of_document(LossReason::NameRewritten(name.clone()));
    }
    losses.of_raters(document);
    let answers = AnswersBySpan::new(&document.answers);
    features.add(answers.of_spans(), &mut losses);
    losses.of_answers(None, answers.of_document.len());
    let index = TextIndex::new(&document.text);
    let (length, name) = (index.utf16_count(), attribute(&name));
    out.write_all(HEAD.as_bytes())?;
    writeln!(
        out,
        "<metadata:DocumentMetaData xmi:id=\"{META_ID}\" sofa=\"{SOFA_ID}\" begin=\"0\" \
         end=\"{length}\" language=\"x-unspecified\" documentTitle=\"{name}\" \
         documentId=\"{name}\"/>"
    )?;
    let mut members = META_ID.to_string();
    let mut id = FIRST_ID;
    for span in held(&document.spans, &index, None, &mut losses) {
        if let Some(character) = span.label.chars().find(|character| !is_xml(*character)) {
            losses.of_span(span, LossReason::NotInXml(character));
            continue;
        }
        let (Some(begin), Some(end)) = (index.utf16(span.start), index.utf16(span.end)) else {
            continue;
        };
        let label = attribute(&span.label);
        write!(
            out,
            "<ner:NamedEntity xmi:id=\"{id}\" sofa=\"{SOFA_ID}\" begin=\"{begin}\" end=\"{end}\" \
             value=\"{label}\""
        )?;
        write_answers(out, answers.of(span), features, |reason| losses.of_span(span, reason))?;
        let _infallible = write!(members, " {id}");
        id += 1;
    }
    let text = attribute(&document.text);
    writeln!(
        out,
        "<cas:Sofa xmi:id=\"{SOFA_ID}\" sofaNum=\"1\" sofaID=\"_InitialView\" mimeType=\"text\" \
         sofaString=\"{text}\"/>\n<cas:View sofa=\"{SOFA_ID}\" members=\"{members}\"/>\n</xmi:XMI>"
    )?;
    Ok(losses.into_sorted())
}

/// Writes the features of a span after its own, and the end of its element.
fn write_answers<W: Write>(
    out: &mut W,
    answers: &[&AnnotatedAnswer],
    features: &AnswerFeatures,
    mut rewritten: impl FnMut(LossReason),
) -> io::Result<()> {
    let mut lists = String::new();
    for answer in answers {
        let Some(feature) = features.of(answer) else { continue };
        let words = answer.answer.to_string();
        let held = words.replace(|character| !is_xml(character), "\u{fffd}");
        if held != words {
            let question = answer.question.clone();
            rewritten(LossReason::AnswerRewritten { question, answer: held.clone() });
        }
        match &answer.answer {
            AnswerWords::One(_) | AnswerWords::Number(_) => {
                write!(out, " {feature}=\"{}\"", attribute(&held))?;
            }
            AnswerWords::Several(choices) => {
                for choice in choices {
                    let choice = choice.replace(|character| !is_xml(character), "\u{fffd}");
                    let choice = attribute(&choice);
                    let _infallible = write!(lists, "<{feature}>{choice}</{feature}>");
                }
            }
        }
    }
    if lists.is_empty() { writeln!(out, "/>") } else { writeln!(out, ">{lists}</ner:NamedEntity>") }
}

/// Writes the types of [`write_cas_xmi`]'s files, with the features that these were given, as a UIMA
/// type system description (`TypeSystem.xml`).
pub fn write_type_system<W: Write>(
    out: &mut W,
    features: &AnswerFeatures,
) -> Result<(), ExportError> {
    writeln!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <typeSystemDescription xmlns=\"http://uima.apache.org/resourceSpecifier\">\n<types>"
    )?;
    for (name, super_type, features) in described(features) {
        writeln!(
            out,
            "<typeDescription><name>{name}</name><description/>\
             <supertypeName>{super_type}</supertypeName>\n<features>"
        )?;
        for Feature { name, range } in features {
            let own = if range == STRING_ARRAY {
                "<multipleReferencesAllowed>false</multipleReferencesAllowed>"
            } else {
                ""
            };
            writeln!(
                out,
                "<featureDescription><name>{name}</name><description/>\
                 <rangeTypeName>{range}</rangeTypeName>{own}</featureDescription>"
            )?;
        }
        writeln!(out, "</features></typeDescription>")?;
    }
    writeln!(out, "</types>\n</typeSystemDescription>")?;
    Ok(())
}

/// Whether XML 1.0 can hold a character.
const fn is_xml(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// The value of an attribute that a reader gives back as it was: other whitespace than spaces would
/// become spaces if it stood there as it is.
fn attribute(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '"' => written.push_str("&quot;"),
            '\t' => written.push_str("&#9;"),
            '\n' => written.push_str("&#10;"),
            '\r' => written.push_str("&#13;"),
            // Not white in XML 1.0, but readers of version 1.1 take them for line ends.
            '\u{85}' => written.push_str("&#133;"),
            '\u{2028}' => written.push_str("&#8232;"),
            other => written.push(other),
        }
    }
    written
}
