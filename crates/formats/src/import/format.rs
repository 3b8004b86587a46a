//! The formats that can be imported, and how a file's name and its content tell them.

use super::detect::detect;

/// A format that can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImportFormat {
    /// One document a file (`.txt`, `.text`).
    ///
    /// The text is kept exactly as it came, line ends included, except that a leading UTF-8 byte
    /// order mark is dropped. The document is named after the file without its extension. A file
    /// that is blank is an error.
    PlainText,
    /// One JSON object a line (`.jsonl`, `.ndjson`).
    ///
    /// ```json
    /// {"text": "EU rejects", "spans": [{"start": 0, "end": 2, "label": "ORG"}], "id": 7, "name": "A"}
    /// ```
    ///
    /// | Field | Value |
    /// | --- | --- |
    /// | `text` | string, not blank |
    /// | `spans` | optional list of objects |
    /// | `spans[].start`, `spans[].end` | whole numbers, Unicode scalar values, `start < end` |
    /// | `spans[].label` | string, not blank |
    /// | `work` | optional list of objects: what each rater marked |
    /// | `work[].rater` | string or whole number, not blank, each once in a document |
    /// | `work[].spans` | as `spans`; left out where the rater marked nothing |
    /// | `id` | optional string or whole number, not blank |
    /// | `name` | optional string or whole number, not blank; else the id, else `<file>-<line>` |
    ///
    /// `null` counts as left out for what is optional. Other fields are accepted and ignored. The
    /// same field twice in one object, and the same span twice in one document, are errors. Spans
    /// may overlap, and one position may carry several labels. Blank lines, CRLF line ends and a
    /// leading UTF-8 byte order mark are accepted.
    JsonLines,
    /// CoNLL-2003 with tags of IOB1, IOB2, BIOES or BILOU (`.conll`, `.iob`, `.iob2`, `.bio`).
    ///
    /// ```text
    /// -DOCSTART- -X- -X- O
    ///
    /// EU NNP B-NP B-ORG
    /// rejects VBZ B-VP O
    /// ```
    ///
    /// Columns are separated by spaces or tabs: first the token, last the tag (such as `O` or
    /// `B-LABEL`), two columns or more and the same number on every line. A blank line ends a
    /// sentence, `-DOCSTART-` in the first column starts a document, and without it the file is
    /// one document. Lines that start with `# ` are comments before the first token or
    /// `-DOCSTART-`, and tokens after it.
    ///
    /// The text is made of the tokens: single spaces between tokens, a line feed between
    /// sentences. A span never runs across sentences. The scheme is that of the file's first
    /// span, which [`crate::Documents::notes`] states; a tag that cannot be in it is an error.
    Conll,
    /// doccano's JSONL of a sequence labelling project (`text` with `label`, `labels` or
    /// `entities`).
    ///
    /// Offsets are read as UTF-16 units, which is what doccano's browser counts; documents in
    /// which that makes a difference carry a note. The file names no rater: doccano exports a zip
    /// with a file for each, `<rater>.jsonl`.
    Doccano,
    /// Label Studio's JSON: a list of tasks over a `Text` tag.
    ///
    /// `completed_by` names the rater of an annotation; annotations of nobody and predictions are
    /// spans of no rater. Offsets are code points, or UTF-16 units (exports from before October
    /// 2021) where only these agree with the quoted texts. Skipped annotations, drafts, relations
    /// and other controls are left out with a note; tasks over hypertext or paragraphs are refused.
    LabelStudio,
    /// Label Studio's JSON-MIN: one object for each annotation, whose rater is `annotator`.
    LabelStudioMin,
    /// Prodigy's JSONL: one line for each answer, whose rater is `_annotator_id` or `_session_id`.
    ///
    /// Offsets are code points. Lines with the answer `reject` or `ignore` yield their text without
    /// spans and a note.
    Prodigy,
    /// spaCy's JSON: `[text, {"entities": [[start, end, label]], "spans": {…}}]`, what `Doc.to_json`
    /// gives, or training data of version 2; a list, or one a line.
    ///
    /// Offsets are code points. Entities and the spans of all groups are read, each once.
    Spacy,
    /// Datasaur's schema: one document, a row a line of its text.
    ///
    /// The file names no rater: Datasaur exports a zip with a folder for each; see
    /// [`crate::datasaur_source`]. Labels in conflict are left out with a note.
    Datasaur,
    /// UIMA CAS as XMI (`.xmi`), as `INCEpTION` and `WebAnno` export it.
    ///
    /// Offsets are UTF-16 units. Every annotation is a span, whose label is its feature `value`,
    /// `label` or `identifier`, or else the short name of its type; tokens, sentences and what is
    /// said of tokens are left out. Each sofa with a text is a document, named after the title in
    /// its `DocumentMetaData`. The file names no rater.
    CasXmi,
    /// UIMA CAS as JSON, version 0.4; as [`ImportFormat::CasXmi`].
    CasJson,
}

impl ImportFormat {
    /// Every format, in the order in which to offer them.
    pub const ALL: [Self; 11] = [
        Self::PlainText,
        Self::JsonLines,
        Self::Conll,
        Self::Doccano,
        Self::LabelStudio,
        Self::LabelStudioMin,
        Self::Prodigy,
        Self::Spacy,
        Self::Datasaur,
        Self::CasXmi,
        Self::CasJson,
    ];

    /// Tells the format by the extension of a file's name, in either case.
    ///
    /// See [`ImportFormat::detect`] for what the content tells. `.tsv` and `.json` are not taken for any format, because too many different things are
    /// called so.
    pub fn from_file_name(file_name: &str) -> Option<Self> {
        let (_, extension) = file_name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "txt" | "text" => Some(Self::PlainText),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "conll" | "iob" | "iob2" | "bio" => Some(Self::Conll),
            "xmi" => Some(Self::CasXmi),
            _ => None,
        }
    }

    /// Tells the format by the start of a file, of which 64 KiB are plenty, and by its name where
    /// the content tells nothing.
    ///
    /// ```
    /// use formats::ImportFormat;
    ///
    /// let head = br#"[{"id": 1, "data": {"text": "EU rejects"}, "annotations": []}]"#;
    /// assert_eq!(ImportFormat::detect("export.json", head), Some(ImportFormat::LabelStudio));
    /// ```
    pub fn detect(file_name: &str, head: &[u8]) -> Option<Self> {
        detect(head).or_else(|| Self::from_file_name(file_name))
    }

    /// Whether one document may come in several pieces, one for each rater, with the same text:
    /// [`crate::ImportedDocument::merge`] puts them together.
    pub const fn comes_in_pieces(self) -> bool {
        matches!(self, Self::Prodigy | Self::LabelStudioMin)
    }

    /// The name that people know the format by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PlainText => "plain text",
            Self::JsonLines => "JSON Lines",
            Self::Conll => "CoNLL-2003",
            Self::Doccano => "doccano JSONL",
            Self::LabelStudio => "Label Studio JSON",
            Self::LabelStudioMin => "Label Studio JSON-MIN",
            Self::Prodigy => "Prodigy JSONL",
            Self::Spacy => "spaCy JSON",
            Self::Datasaur => "Datasaur schema",
            Self::CasXmi => "UIMA CAS XMI",
            Self::CasJson => "UIMA CAS JSON",
        }
    }
}

/// The file's name without folders and extension, which documents are named after.
pub(super) fn stem(file_name: &str) -> &str {
    let base = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    match base.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => base,
    }
}
