//! UIMA CAS as other tools write it.

use formats::{ExchangeProblem, ImportFormat, Problem, ReadOptions, read, read_from};

use crate::other_tools::said;
use crate::support::quotes;

const XMI: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<xmi:XMI xmlns:xmi="http://www.omg.org/XMI" xmlns:cas="http:///uima/cas.ecore"
    xmlns:custom="http:///webanno/custom.ecore" xmlns:type="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore" xmi:version="2.0">
  <cas:NULL xmi:id="0"/>
  <type:DocumentMetaData xmi:id="9" sofa="1" begin="0" end="13" documentTitle="a &amp; b.txt"/>
  <type:Token xmi:id="10" sofa="1" begin="0" end="2"/>
  <type:Lemma xmi:id="11" sofa="1" begin="0" end="2" value="party"/>
  <custom:Ner xmi:id="2" sofa="1" begin="0" end="2" value="PARTY"/>
  <custom:Ner xmi:id="3" sofa="1" begin="3" end="7" label="THIS" identifier="http://x"/>
  <custom:Ner xmi:id="4" sofa="1" begin="3" end="7"><value>a</value></custom:Ner>
  <custom:Ner xmi:id="5" sofa="1" begin="7" end="7" value="EMPTY"/>
  <custom:Ner xmi:id="6" sofa="1" begin="0" end="7" value="DELETED"/>
  <custom:Rel xmi:id="7" sofa="1" begin="0" end="2" Governor="2" Dependent="3"/>
  <cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString="🥳 This&#13;&#10;one&#9;x"/>
  <cas:View sofa="1" members="9 10 11 2 3 4 5 7"/>
</xmi:XMI>"#;

#[test]
fn xmi_has_labels_in_features_and_offsets_in_utf16() {
    let mut outcomes = read(ImportFormat::CasXmi, "ana.xmi", XMI.as_bytes());
    let document = outcomes.next().unwrap().unwrap();
    assert!(outcomes.next().is_none());
    assert_eq!(document.text, "🥳 This\r\none\tx");
    assert_eq!((document.name.as_str(), document.id.as_deref()), ("a & b.txt", None));
    let expected = [("🥳", "PARTY"), ("This", "THIS"), ("This", "Ner")];
    assert_eq!(quotes(&document), expected.map(|(quote, label)| (quote.to_owned(), label)));
    assert_eq!(document.spans[0].line, 8);
    let notes: Vec<_> = outcomes.notes().iter().map(said).collect();
    assert_eq!(
        notes,
        [
            "relations: 1",
            "spans of the layer webanno.custom.Ner, labelled by its feature value: 5",
            "annotations of the layer Lemma: 1",
            "annotations that no view has in its index: 1",
            "spans that hold no character, left out: 1",
        ]
    );
}

#[test]
fn json_cas_has_structures_in_a_list_or_by_id() {
    let list = r#"{"%TYPES": {"x": {}}, "%FEATURE_STRUCTURES": [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "🥳 This"},
        {"%ID": 2, "%TYPE": "webanno.custom.Ner", "@sofa": 1, "begin": 3, "end": 7, "value": "A"},
        {"%ID": 3, "%TYPE": "x.Token", "@sofa": 1, "begin": 0, "end": 2},
        {"%ID": 4, "%TYPE": "uima.cas.StringArray", "%ELEMENTS": ["a"]}],
        "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": [2, 3]}}}"#;
    let by_id = r#"{"%FEATURE_STRUCTURES": {
        "2": {"%TYPE": "webanno.custom.Ner", "@sofa": 1, "begin": 3, "end": 7, "value": "A"},
        "1": {"%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "🥳 This"}}}"#;
    for file in [list, by_id] {
        let documents: Vec<_> = read(ImportFormat::CasJson, "ana.json", file.as_bytes())
            .map(|outcome| outcome.unwrap())
            .collect();
        assert_eq!(documents.len(), 1);
        assert_eq!(documents[0].name, "ana");
        assert_eq!(quotes(&documents[0]), [("This".to_owned(), "A")]);
    }
}

fn only_problem(format: ImportFormat, file: &str) -> (Option<usize>, Option<String>, Problem) {
    let mut outcomes = read(format, "a", file.as_bytes());
    let error = outcomes.next().unwrap().unwrap_err();
    assert!(outcomes.next().is_none());
    (error.line, error.field, error.problem)
}

#[test]
fn broken_cas_are_told_by_line_and_element() {
    let change = |from: &str, to: &str| only_problem(ImportFormat::CasXmi, &XMI.replace(from, to));
    let at = |line, field: &str, problem| (Some(line), Some(field.to_owned()), problem);
    assert_eq!(
        change("begin=\"3\" end=\"7\" label", "begin=\"1\" end=\"7\" label"),
        at(9, "Ner[3].end", Problem::Exchange(ExchangeProblem::WithinCharacter(1)))
    );
    assert_eq!(
        change("xmi:id=\"2\" sofa=\"1\"", "xmi:id=\"2\" sofa=\"8\""),
        at(
            8,
            "Ner[2].sofa",
            Problem::Exchange(ExchangeProblem::DanglingReference {
                what: "sofa",
                reference: "8".to_owned()
            })
        )
    );
    assert!(matches!(
        change("end=\"2\" value=\"PARTY\"", "end=\"two\" value=\"PARTY\""),
        (Some(8), Some(field), Problem::Exchange(ExchangeProblem::InvalidXml(_))) if field == "Ner"
    ));
    assert_eq!(
        change("xmi:XMI", "html").2,
        Problem::Exchange(ExchangeProblem::OtherFormat {
            format: "a UIMA CAS in XMI",
            expected: "the element xmi:XMI around everything"
        })
    );
    assert!(matches!(
        change("</xmi:XMI>", "").2,
        Problem::Exchange(ExchangeProblem::InvalidXml(_))
    ));
    let no_text = XMI.replace("sofaString", "sofaURI");
    assert!(matches!(only_problem(ImportFormat::CasXmi, &no_text).2, Problem::MissingField(_)));
    assert!(matches!(
        only_problem(ImportFormat::CasJson, "{\"%TYPES\": {}}").2,
        Problem::Exchange(ExchangeProblem::OtherFormat { .. })
    ));
}

#[test]
fn entities_that_a_file_makes_itself_are_refused() {
    let bomb = XMI.replace(
        "<xmi:XMI",
        "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;\">]><xmi:XMI",
    );
    assert_eq!(
        only_problem(ImportFormat::CasXmi, &bomb).2,
        Problem::Exchange(ExchangeProblem::Doctype)
    );
    let unknown = XMI.replace("&#13;", "&b;");
    assert!(matches!(
        only_problem(ImportFormat::CasXmi, &unknown).2,
        Problem::Exchange(ExchangeProblem::InvalidXml(_))
    ));
}

#[test]
fn several_sofas_are_several_documents() {
    let second = "<cas:Sofa xmi:id=\"20\" sofaNum=\"2\" sofaID=\"other\" sofaString=\"more\"/>";
    let file = XMI.replace("<cas:View", &format!("{second}<cas:View"));
    let names: Vec<_> = read(ImportFormat::CasXmi, "a.xmi", file.as_bytes())
        .map(|outcome| outcome.unwrap().name)
        .collect();
    assert_eq!(names, ["a & b.txt", "a & b.txt#other"]);
}

#[test]
fn layers_of_ones_own_may_be_called_as_what_cuts_the_text() {
    let own = "<custom:Sentence xmi:id=\"21\" sofa=\"1\" begin=\"0\" end=\"7\" label=\"IRONIC\"/>\
        <type:Sentence xmi:id=\"22\" sofa=\"1\" begin=\"0\" end=\"7\"/>";
    let file = XMI.replace("<cas:Sofa", &format!("{own}<cas:Sofa"));
    let file = file.replace("members=\"9", "members=\"21 22 9");
    let document = read(ImportFormat::CasXmi, "a.xmi", file.as_bytes()).next().unwrap().unwrap();
    let mut labels: Vec<_> = quotes(&document).into_iter().map(|(_, label)| label).collect();
    labels.sort_unstable();
    assert_eq!(labels, ["IRONIC", "Ner", "PARTY", "THIS"]);
}

#[test]
fn the_inheritance_of_types_tells_what_describes_tokens() {
    let file = r#"{"%TYPES": {"webanno.custom.Wordclass": {"%NAME": "webanno.custom.Wordclass",
        "%SUPER_TYPE": "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS_NOUN"}},
        "%FEATURE_STRUCTURES": [
        {"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "_InitialView", "sofaString": "EU rejects"},
        {"%ID": 2, "%TYPE": "webanno.custom.Wordclass", "@sofa": 1, "begin": 0, "end": 2},
        {"%ID": 3, "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS_VERB",
         "@sofa": 1, "begin": 3, "end": 10, "PosValue": "VB"},
        {"%ID": 4, "%TYPE": "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity",
         "@sofa": 1, "begin": 0, "end": 2, "value": "ORG"}]}"#;
    let labels = |layers: &[&str]| {
        let layers = layers.iter().map(|layer| (*layer).to_owned()).collect();
        let options = ReadOptions { layers, ..ReadOptions::default() };
        let mut outcomes = read_from(ImportFormat::CasJson, "a", file.as_bytes(), &options);
        let document = outcomes.next().unwrap().unwrap();
        let labels: Vec<_> = document.spans.into_iter().map(|span| span.label).collect();
        (labels, outcomes.notes().iter().map(said).collect::<Vec<_>>())
    };
    let entity = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity";
    let (by_default, notes) = labels(&[]);
    assert_eq!(by_default, ["ORG"]);
    assert_eq!(
        notes,
        [
            format!("spans of the layer {entity}, labelled by its feature value: 1"),
            "annotations of the layer POS_VERB: 1".to_owned(),
            "annotations of the layer Wordclass: 1".to_owned(),
        ]
    );
    assert_eq!(labels(&["Wordclass"]).0, ["Wordclass"]);
    assert_eq!(labels(&[entity, "POS_VERB"]).0, ["POS_VERB", "ORG"]);
}
