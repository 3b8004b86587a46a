//! What of a project can be taken away as a file, and in which formats.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::{Code, Documents, Error, GoldVersion, MemberId, Rater};

/// Whose spans an export has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ExportWhat {
    /// What the one who asks has marked or decided.
    #[default]
    Own,
    /// What every labeler has marked, each under their name.
    Labelers,
    /// What one labeler has marked, or one reviewer decided.
    Rater(MemberId),
    /// The gold standard as it is now.
    Gold,
    /// A locked gold standard, by its number.
    GoldVersion(i64),
}

impl fmt::Display for ExportWhat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own => f.write_str("own"),
            Self::Labelers => f.write_str("labelers"),
            Self::Rater(member) => write!(f, "rater-{member}"),
            Self::Gold => f.write_str("gold"),
            Self::GoldVersion(number) => write!(f, "gold-{number}"),
        }
    }
}

impl FromStr for ExportWhat {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let numbered = |prefix| text.strip_prefix(prefix).and_then(|number| number.parse().ok());
        match text {
            "own" => Ok(Self::Own),
            "labelers" => Ok(Self::Labelers),
            "gold" => Ok(Self::Gold),
            _ => None
                .or_else(|| numbered("rater-").map(|id| Self::Rater(MemberId(id))))
                .or_else(|| numbered("gold-").map(Self::GoldVersion))
                .ok_or_else(|| {
                    let known = "own, labelers, rater-<id>, gold or gold-<version>";
                    Code::Malformed.of("what", known)
                }),
        }
    }
}

impl Serialize for ExportWhat {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ExportWhat {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

switch! {
    /// A format of files with spans.
    ExportFormat {
        /// JSON Lines, which hold everything that is exported.
        JsonLines = "jsonl",
        /// A table of spans with commas.
        SpanCsv = "csv",
        /// A table of spans with tabs.
        SpanTsv = "tsv",
        /// CoNLL-2003 with tags of IOB2.
        Conll = "conll",
        /// CoNLL-U with spans in `MISC`.
        Conllu = "conllu",
        /// WebAnno TSV 3.3, laid out as INCEpTION does.
        WebAnnoTsv = "webanno-tsv",
        /// brat's standoff files.
        Brat = "brat",
        /// doccano's JSON Lines.
        Doccano = "doccano",
        /// Label Studio's JSON.
        LabelStudio = "label-studio",
        /// Prodigy's JSON Lines.
        Prodigy = "prodigy",
        /// spaCy's JSON of examples.
        Spacy = "spacy",
        /// Datasaur's schema, laid out as its exports are.
        Datasaur = "datasaur",
        /// UIMA CAS as XMI, with its type system.
        CasXmi = "cas-xmi",
        /// UIMA CAS as JSON.
        CasJson = "cas-json",
    }
}

impl ExportFormat {
    /// What people call it.
    pub const fn title(self) -> &'static str {
        match self {
            Self::JsonLines => "JSON Lines",
            Self::SpanCsv => "Spans as CSV",
            Self::SpanTsv => "Spans as TSV",
            Self::Conll => "CoNLL-2003",
            Self::Conllu => "CoNLL-U",
            Self::WebAnnoTsv => "WebAnno TSV 3.3",
            Self::Brat => "brat",
            Self::Doccano => "doccano",
            Self::LabelStudio => "Label Studio",
            Self::Prodigy => "Prodigy",
            Self::Spacy => "spaCy",
            Self::Datasaur => "Datasaur",
            Self::CasXmi => "UIMA CAS XMI",
            Self::CasJson => "UIMA CAS JSON",
        }
    }

    /// Whether a file has one document only, so that an export is a zip of them.
    pub const fn is_one_document(self) -> bool {
        matches!(
            self,
            Self::WebAnnoTsv | Self::Brat | Self::Datasaur | Self::CasXmi | Self::CasJson
        )
    }

    /// Whether a file says who marked what.
    pub const fn names_raters(self) -> bool {
        matches!(
            self,
            Self::JsonLines | Self::SpanCsv | Self::SpanTsv | Self::LabelStudio | Self::Prodigy
        )
    }

    /// Whether an export is a zip: of a file for each document, or of a folder for each labeler.
    pub fn is_zip(self, what: ExportWhat) -> bool {
        self.is_one_document() || (what == ExportWhat::Labelers && !self.names_raters())
    }
}

/// What is to be exported, and how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(utoipa::IntoParams), into_params(parameter_in = Query))]
pub struct ExportQuery {
    /// `own`, `labelers`, `rater-<id>`, `gold` or `gold-<version>`.
    #[cfg_attr(feature = "schema", param(value_type = String))]
    pub what: ExportWhat,
    #[cfg_attr(feature = "schema", param(inline))]
    pub format: ExportFormat,
    /// Whether work counts as it was saved or once it was submitted; of no matter to gold.
    pub documents: Documents,
}

switch! {
    /// The form of a list of losses.
    LossForm {
        /// A list of objects.
        Json = "json",
        /// A table for spreadsheets.
        Csv = "csv",
    }
}

/// What a member may export of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportChoices {
    /// Whether there is anything of the viewer's own: managers mark nothing.
    pub own: bool,
    /// Whether the work of all, and the gold standard, are the viewer's to take away.
    pub all: bool,
    /// The raters whose work the viewer may take away, under the names that they may know.
    pub raters: Vec<Rater>,
    /// The locked gold standards, the latest first.
    pub versions: Vec<GoldVersion>,
}

/// How often something happens to what is exported.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LossCount {
    /// The reason in one word, as the list of losses has it.
    pub reason: String,
    /// Whether something is missing from the file, rather than written in another way.
    pub left_out: bool,
    pub count: u64,
    /// The first of them, in words.
    pub example: String,
}

/// What an export would have, and what it would not hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ExportPreview {
    pub documents: u64,
    pub spans: u64,
    /// What is left out first.
    pub losses: Vec<LossCount>,
    /// Whether that is of all documents: those of a large project take longer than a page may.
    pub complete: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_exported_reads_as_it_is_written() {
        for what in [
            ExportWhat::Own,
            ExportWhat::Labelers,
            ExportWhat::Rater(MemberId(7)),
            ExportWhat::Gold,
            ExportWhat::GoldVersion(3),
        ] {
            assert_eq!(what.to_string().parse(), Ok(what));
        }
        for wrong in ["", "rater-", "rater-x", "gold-", "silver", "Own"] {
            assert!(wrong.parse::<ExportWhat>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_zip_is_made_where_one_file_cannot_hold_it() {
        let zips = |what| ExportFormat::ALL.iter().filter(|f| f.is_zip(what)).count();
        assert_eq!(zips(ExportWhat::Gold), 5);
        assert_eq!(zips(ExportWhat::Labelers), 9);
    }
}
