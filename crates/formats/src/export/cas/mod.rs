//! UIMA CAS, as XMI and as JSON, with the types of DKPro Core that INCEpTION and WebAnno know.

pub(crate) mod json;
pub(crate) mod xmi;

/// A named entity of DKPro Core.
const ENTITY: &str = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity";

/// What DKPro Core says of a document.
const META_DATA: &str = "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData";

/// A type: its name, its super type, and its features with their ranges.
type TypeDescription = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The types that we write.
const TYPES: [TypeDescription; 2] = [
    (
        ENTITY,
        "uima.tcas.Annotation",
        &[("value", "uima.cas.String"), ("identifier", "uima.cas.String")],
    ),
    (
        META_DATA,
        "uima.tcas.DocumentAnnotation",
        &[
            ("documentTitle", "uima.cas.String"),
            ("documentId", "uima.cas.String"),
            ("documentUri", "uima.cas.String"),
            ("collectionId", "uima.cas.String"),
            ("documentBaseUri", "uima.cas.String"),
            ("isLastSegment", "uima.cas.Boolean"),
        ],
    ),
];

/// The ids of the sofa, of what is said of the document, and of the first span.
const SOFA_ID: usize = 1;
const META_ID: usize = 2;
const FIRST_ID: usize = 3;
