//! The formats that can be imported, and how a file's name and its content tell them.

use std::str::FromStr;

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
    /// | `rater` | optional string or whole number: who marked `spans`; also `annotator`, `labeler`, `coder` |
    /// | `spans[].text`, `spans[].quote` | optional: what the span holds, verified |
    /// | `id` | optional string or whole number, not blank |
    /// | `name` | optional string or whole number, not blank; else the id, else `<file>-<line>` |
    ///
    /// Without `spans`, the only other field with a list of objects that have a start, an end and a label
    /// holds them. Where only offsets in UTF-16 units agree with the quotes, they are read as such.
    /// `null` counts as left out for what is optional. Other fields are accepted and ignored; those
    /// by which other tools say what was marked and by whom (`label`, `entities`, `_annotator_id`
    /// and so on) with a note, and where spans or raters would get lost they are an error. The
    /// same field twice in one object, and the same span twice in one document, are errors. Spans
    /// may overlap, and one position may carry several labels. Blank lines, CRLF line ends and a
    /// leading UTF-8 byte order mark are accepted.
    JsonLines,
    /// CoNLL-2003 with tags of IOB1, IOB2, BIOES, BILOU or IO (`.conll`, `.iob`, `.iob2`, `.bio`).
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
    /// CoNLL-U with spans as tags of words, and CoNLL-U Plus (`.conllu`, `.conllup`).
    ///
    /// ```text
    /// # newdoc id = news-1
    /// # text = EU rejects it.
    /// 1 EU _ _ _ _ _ _ _ NER=B-ORG
    /// 2 rejects _ _ _ _ _ _ _ _
    /// 3-4 it. _ _ _ _ _ _ _ SpaceAfter=No
    /// 3 it _ _ _ _ _ _ _ _
    /// 4 . _ _ _ _ _ _ _ _
    /// ```
    ///
    /// Columns are separated by tabs: the ten of CoNLL-U, or those that the first line names
    /// (`# global.columns = ID FORM NER`). Tags stand in a column called `NER`, `NE` or `ENTITY`
    /// (also after a namespace, `X:NER`), or else in `MISC` under such a key, in either case; the
    /// first that turns up counts, and [`crate::Documents::notes`] states it and the scheme of the
    /// tags, which are those of CoNLL-2003. A word without a tag is outside. A tag on a token of
    /// several words (`3-4`) counts instead of those of its words; a tag of a word in it holds
    /// all of the token. Empty nodes (`2.1`) have no text and are passed over.
    ///
    /// The text is that of `# text =`, which has to have the tokens in their order and whitespace
    /// between them unless `SpaceAfter=No` says otherwise; without it, single spaces. `SpacesAfter`
    /// and `SpacesBefore` of `MISC`, with the escapes of UDPipe, say exactly which whitespace it
    /// is. Sentences are parted by line feeds. `# newdoc` starts a document, `# newdoc id =` gives
    /// its id, and `# document_name =` its name.
    Conllu,
    /// Spans as CSV, a row for each (`.csv`).
    ///
    /// ```csv
    /// document,rater,start,end,label,quote,text
    /// news-1,anna,0,2,ORG,EU,EU rejects
    /// news-1,ben,,,,,
    /// ```
    ///
    /// The first row names the columns, in any order and case: `document`, `start`, `end`,
    /// `label` and `text`, and, if known, `id` (of the document), `rater` and `quote`. A few
    /// other names are known (`begin`, `annotator`, `covered_text` and so on); columns with other
    /// names are passed over and stated by [`crate::Documents::notes`].
    ///
    /// `text` is the document's whole text, in at least one of its rows; in the others the cell is
    /// empty or the same. `quote` is what the span holds, and verified. Rows of a document stand
    /// together. Spans without a rater are of nobody named. A row without start, end, label and
    /// quote says that the document is there, and that its rater judged it. Offsets are Unicode
    /// scalar values. Cells are quoted as in RFC 4180; those of texts and quotes keep their
    /// whitespace and line ends. `apostrophe_before` names the columns of its row whose cells have
    /// an apostrophe before them that is not theirs, which keeps spreadsheets from running them.
    SpanCsv,
    /// The same with tabs between cells (`.tsv`, told by its first row).
    SpanTsv,
    /// Answers to one question about documents, items by raters, as CSV (`.csv`, told by its first
    /// row).
    ///
    /// ```csv
    /// item,text,anna,ben
    /// news-1,EU rejects,negative,neutral
    /// news-2,EU agrees,positive,
    /// ```
    ///
    /// The first column names the item, which is the document's id and its name, each once. A
    /// column called `text` holds its text, without which that is the item's name. Every other
    /// column is a rater's. A cell is what that rater answered, in words: a choice, several with
    /// commas between, or a number; an empty one is no answer, and who has not answered has no work
    /// on the document. The question is named after the file. White space around names and answers
    /// does not count, nor does an apostrophe that keeps a spreadsheet from running them. Rows
    /// whose cells are all empty are passed over.
    ///
    /// Only a file whose first column is called `item` or `position`, with two raters or more and no
    /// column called as those of spans are, is told by its content.
    RatingsCsv,
    /// WebAnno TSV 3.2 and 3.3, as INCEpTION and WebAnno write it (`.tsv`, told by its first line).
    ///
    /// ```text
    /// #FORMAT=WebAnno TSV 3.3
    /// #T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value
    ///
    ///
    /// #Text=Ms. Lind plays
    /// 1-1    0-3    Ms.    PER[1]
    /// 1-2    4-8    Lind    PER[1]
    /// 1-3    9-14    plays    _
    /// ```
    ///
    /// Offsets are UTF-16 code units, as the format's page says ("Encoding and Offsets" in
    /// INCEpTION's user guide); they become scalar values, and each token is held against the
    /// text. One document a file, named after it. The text is made as INCEpTION's reader makes it:
    /// the `#Text=` lines of a sentence with line feeds between, a line feed between sentences,
    /// and spaces for what the first token's offset leaves open.
    ///
    /// Spans are those of the span layers (`#T_SP=`). The label is the value of the feature
    /// `value`, else `label`, else the only one with words; where there is none, the last part of the
    /// layer's name. A layer with several is refused unless one is chosen. Tokens that share an id (`[1]`) are one span, and `1-1.1` are parts of tokens. Layers
    /// of DKPro Core that describe tokens (part of speech, lemma and so on) are read only if there
    /// are no others. Further features of a layer are answers to questions about its spans. What was
    /// read, and relations, chains and slots that were passed over, are stated by
    /// [`crate::Documents::notes`].
    WebAnnoTsv,
    /// brat's standoff format (`.ann`): annotations beside a text (`.txt`) of the same name.
    ///
    /// ```text
    /// T1    ORG 0 2    EU
    /// ```
    ///
    /// (With tabs after the id and before the text.) A document is two files, so it is read with
    /// [`crate::read_brat`] or from a [`crate::Bundle`]; on its own an `.ann` file is an error.
    Brat,
    /// doccano's JSONL of a sequence labelling project (`text` with `label`, `labels` or
    /// `entities`).
    ///
    /// Offsets are read as UTF-16 units, which is what doccano's browser counts, unless spans are of whole
    /// words in code points only; documents in which that makes a difference carry a note. The file names no rater: doccano exports a zip
    /// with a file for each, `<rater>.jsonl`.
    Doccano,
    /// Label Studio's JSON: a list of tasks over a `Text` tag.
    ///
    /// `completed_by` names the rater of an annotation; annotations of nobody and predictions are
    /// spans of no rater, further ones of a task raters of their own. Regions on another text than the
    /// document's (`to_name`) are left out. Offsets are code points, or UTF-16 units (exports from before October
    /// 2021) where only these agree with the quoted texts. Choices, ratings and numbers are answers,
    /// about the labelled region with their `id` or, without a place, about the text. Skipped
    /// annotations, drafts, relations and other controls are left out with a note; tasks over
    /// hypertext or paragraphs are refused.
    LabelStudio,
    /// Label Studio's JSON-MIN: one object for each annotation, whose rater is `annotator`.
    LabelStudioMin,
    /// Prodigy's JSONL: one line for each answer, whose rater is `_annotator_id` or `_session_id`.
    ///
    /// Offsets are code points. Lines with the answer `reject` or `ignore` yield their text without
    /// spans and a note; accepted decisions on one suggestion (`_is_binary`) are refused.
    Prodigy,
    /// spaCy's JSON: `[text, {"entities": [[start, end, label]], "spans": {…}}]`, what `Doc.to_json`
    /// gives, or training data of version 2; a list, or one a line.
    ///
    /// Offsets are code points. Entities and the spans of all groups are read, each once.
    Spacy,
    /// Tokens with tags as data sets of Hugging Face have them, a JSON object a line: `tokens`, `ner_tags`
    /// and, if known, `text` and `id`; or the rows of their viewer, whose `features` name the tags.
    ///
    /// Without `text`, tokens have single spaces between. Tags that are numbers need their names.
    HuggingFace,
    /// Datasaur's schema: one document, a row a line of its text.
    ///
    /// The file names no rater: Datasaur exports a zip with a folder for each; see
    /// [`crate::datasaur_source`]. Labels in conflict are left out with a note.
    Datasaur,
    /// UIMA CAS as XMI (`.xmi`), as INCEpTION and WebAnno export it.
    ///
    /// Offsets are UTF-16 units. Every annotation is a span, whose label is its feature `value`,
    /// `label` or `identifier`, else the only one with words, or else the short name of its type; a
    /// layer with several is refused unless one is chosen; tokens, sentences and what is
    /// said of tokens are left out. Further features are answers to questions about the span, but
    /// for those that lead to other structures. Each sofa with a text is a document, named after the
    /// title in its `DocumentMetaData`. The file names no rater.
    CasXmi,
    /// UIMA CAS as JSON, version 0.4; as [`ImportFormat::CasXmi`].
    CasJson,
}

impl ImportFormat {
    /// Every format, in the order in which to offer them.
    pub const ALL: [Self; 18] = [
        Self::PlainText,
        Self::JsonLines,
        Self::Conll,
        Self::Conllu,
        Self::SpanCsv,
        Self::SpanTsv,
        Self::RatingsCsv,
        Self::WebAnnoTsv,
        Self::Brat,
        Self::Doccano,
        Self::LabelStudio,
        Self::LabelStudioMin,
        Self::Prodigy,
        Self::Spacy,
        Self::HuggingFace,
        Self::Datasaur,
        Self::CasXmi,
        Self::CasJson,
    ];

    /// Tells the format by the extension of a file's name, in either case.
    ///
    /// `.csv`, `.tsv` and `.json` are not taken for any format, because too many different things
    /// are called so; [`ImportFormat::detect`] looks into the file.
    pub fn from_file_name(file_name: &str) -> Option<Self> {
        let (_, extension) = file_name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "txt" | "text" => Some(Self::PlainText),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "conll" | "iob" | "iob2" | "bio" => Some(Self::Conll),
            "xmi" => Some(Self::CasXmi),
            "conllu" | "conllup" => Some(Self::Conllu),
            "ann" => Some(Self::Brat),
            "spacy" => Some(Self::Spacy),
            _ => None,
        }
    }

    /// Whether one document may come in several pieces, one for each rater, with the same text:
    /// [`crate::ImportedDocument::merge`] puts them together.
    pub const fn comes_in_pieces(self) -> bool {
        matches!(self, Self::Prodigy | Self::LabelStudioMin)
    }

    /// Whether a file is one document, named after it, so that the files of several raters can be
    /// put together by their names.
    pub const fn is_one_document(self) -> bool {
        matches!(
            self,
            Self::PlainText
                | Self::WebAnnoTsv
                | Self::Brat
                | Self::Datasaur
                | Self::CasXmi
                | Self::CasJson
        )
    }

    /// The name that people know the format by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PlainText => "plain text",
            Self::JsonLines => "JSON Lines",
            Self::Conll => "CoNLL-2003",
            Self::Conllu => "CoNLL-U",
            Self::SpanCsv => "CSV of spans",
            Self::SpanTsv => "TSV of spans",
            Self::RatingsCsv => "CSV of ratings",
            Self::WebAnnoTsv => "WebAnno TSV",
            Self::Brat => "brat",
            Self::Doccano => "doccano JSONL",
            Self::LabelStudio => "Label Studio JSON",
            Self::LabelStudioMin => "Label Studio JSON-MIN",
            Self::Prodigy => "Prodigy JSONL",
            Self::Spacy => "spaCy JSON",
            Self::HuggingFace => "Hugging Face tokens",
            Self::Datasaur => "Datasaur schema",
            Self::CasXmi => "UIMA CAS XMI",
            Self::CasJson => "UIMA CAS JSON",
        }
    }
}

impl ImportFormat {
    /// What it is called in commands.
    pub const fn code(self) -> &'static str {
        match self {
            Self::PlainText => "text",
            Self::JsonLines => "jsonl",
            Self::Conll => "conll",
            Self::Conllu => "conllu",
            Self::SpanCsv => "csv",
            Self::SpanTsv => "tsv",
            Self::RatingsCsv => "ratings-csv",
            Self::WebAnnoTsv => "webanno-tsv",
            Self::Brat => "brat",
            Self::Doccano => "doccano",
            Self::LabelStudio => "label-studio",
            Self::LabelStudioMin => "label-studio-min",
            Self::Prodigy => "prodigy",
            Self::Spacy => "spacy",
            Self::HuggingFace => "hugging-face",
            Self::Datasaur => "datasaur",
            Self::CasXmi => "cas-xmi",
            Self::CasJson => "cas-json",
        }
    }
}

impl FromStr for ImportFormat {
    type Err = String;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        let expected = || format!("expected one of {}", Self::ALL.map(Self::code).join(", "));
        Self::ALL.into_iter().find(|format| format.code() == code).ok_or_else(expected)
    }
}

/// The file's name without folders and extension, which documents are named after.
pub(crate) fn stem(file_name: &str) -> &str {
    let base = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    match base.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => base,
    }
}
