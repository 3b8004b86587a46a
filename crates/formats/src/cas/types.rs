//! The types of DKPro Core that INCEpTION and WebAnno know, as we write them.

use crate::cas::features::AnswerFeatures;
use crate::export::answer_names::AnswersAre;

/// A named entity of DKPro Core.
pub(super) const ENTITY: &str = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity";

/// What DKPro Core says of a document.
pub(super) const META_DATA: &str =
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.DocumentMetaData";

/// A type: its name, its super type, and its features with their ranges.
type TypeDescription = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The types that we write, without the features that hold answers.
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

/// A type as a file describes it: its name, its super type, and its features.
pub(super) type Described<'a> = (&'static str, &'static str, Vec<Feature<'a>>);

/// A feature, and what its values are.
pub(super) struct Feature<'a> {
    pub(super) name: &'a str,
    pub(super) range: &'static str,
}

/// A list of texts.
pub(super) const STRING_ARRAY: &str = "uima.cas.StringArray";

/// The types that we write, with the features that hold answers.
pub(super) fn described(features: &AnswerFeatures) -> impl Iterator<Item = Described<'_>> {
    TYPES.iter().map(|(name, super_type, own)| {
        let own = own.iter().map(|(name, range)| Feature { name, range });
        let answers = features.iter().filter(|_| *name == ENTITY).map(|(name, kind)| {
            let is_list = kind == AnswersAre::List;
            let range = if is_list { STRING_ARRAY } else { "uima.cas.String" };
            Feature { name, range }
        });
        (*name, *super_type, own.chain(answers).collect())
    })
}

/// The ids of the sofa, of what is said of the document, and of the first span.
pub(super) const SOFA_ID: usize = 1;
pub(super) const META_ID: usize = 2;
pub(super) const FIRST_ID: usize = 3;
