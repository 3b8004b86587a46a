//! Files of tools whose formats are not read, told by their names and beginnings.

use crate::import::detect::markup::Places;
use crate::problem::exchange::ExchangeProblem;

/// A tool, and the export of it to take instead.
type Tool = (&'static str, &'static str);

const GATE: Tool = ("GATE", "UIMA CAS XMI, or brat by its plugin");
const BIONLP: Tool =
    ("the shared tasks of BioNLP", "brat: one .ann of the .a1 and .a2 lines beside the .txt");

/// Tools by places of their JSON, which all have to be there.
const BY_PLACES: [(&[&str], Tool); 10] = [
    (&["/annotation_sets", "/offset_type"], GATE),
    (&["/examples[]/content"], ("LightTag", "JSON Lines with text and spans")),
    (&["/annotations_and_examples"], ("LightTag", "JSON Lines with text and spans")),
    (&["[]/documentName", "[]/annotation"], ("UBIAI", "spaCy JSON, or IOB as .conll")),
    (&["/documentName", "/annotation"], ("UBIAI", "spaCy JSON, or IOB as .conll")),
    (&["/annotatable", "/entities"], ("tagtog", "JSON Lines with text and spans")),
    (
        &["/prediction_agent"],
        ("Argilla", "spaCy JSON (prepare_for_training), or its data set as tokens with ner_tags"),
    ),
    (
        &["/fields", "/responses"],
        ("Argilla", "spaCy JSON, or its data set as tokens with ner_tags"),
    ),
    (&["/displayed_text"], ("Potato", "JSON Lines with text, spans and rater")),
    (
        &["/tokens[]\"", "/entities[]/start0", "/entities[]/type\""],
        ("SpERT", "tokens with ner_tags"),
    ),
];

/// Tools by the first element of their XML.
const BY_ELEMENT: [(&str, Tool); 2] = [
    ("<GateDocument", GATE),
    (
        "<ANNOTATION_DOCUMENT",
        ("ELAN", "a table of spans: document, rater, start, end, label, text"),
    ),
];

/// What is to be done with a file of a tool whose format is not read, if it is one.
pub(crate) fn other_tool(file_name: &str, beginning: &[u8]) -> Option<ExchangeProblem> {
    let extension = file_name.rsplit_once('.').map(|(_, extension)| extension.to_lowercase());
    let by_name = match extension.as_deref() {
        Some("a1" | "a2") => Some(BIONLP),
        Some("bdocjs" | "bdocym" | "bdocmp" | "bdoc") => Some(GATE),
        Some("eaf") => BY_ELEMENT.last().map(|(_, tool)| *tool),
        _ => None,
    };
    let (tool, instead) = by_name.or_else(|| by_beginning(beginning))?;
    Some(ExchangeProblem::OtherTool { tool, instead })
}

fn by_beginning(beginning: &[u8]) -> Option<Tool> {
    let head = beginning.trim_ascii_start();
    match head.first()? {
        b'{' | b'[' => {
            let places = Places::of(head);
            let has = |place: &&str| places.has(place) || places.has(&format!("[]{place}"));
            let found = BY_PLACES.iter().find(|(signs, _)| signs.iter().all(has));
            found.map(|(_, tool)| *tool)
        }
        b'<' => {
            let head = String::from_utf8_lossy(head.get(..2_000).unwrap_or(head));
            BY_ELEMENT.iter().find(|(element, _)| head.contains(element)).map(|(_, tool)| *tool)
        }
        _ => None,
    }
}
