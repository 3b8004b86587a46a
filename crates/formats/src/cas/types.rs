//! The types of DKPro Core that INCEpTION and WebAnno know, as we write them.

/// A named entity of DKPro Core.
pub(super) const ENTITY: &str = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity";

/// What DKPro Core says of a document.
pub(super) const META_DATA: &str =
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData";

/// A type: its name, its super type, and its features with their ranges.
pub(super) type TypeDescription =
    (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The types that we write.
pub(super) const TYPES: [TypeDescription; 2] = [
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
pub(super) const SOFA_ID: usize = 1;
pub(super) const META_ID: usize = 2;
pub(super) const FIRST_ID: usize = 3;
