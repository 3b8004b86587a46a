//! Import and export codecs: bytes to documents and back. Pure.
//!
//! Nothing here opens a file or waits for one: an importer takes a [`std::io::BufRead`], an
//! exporter a [`std::io::Write`], and both work a document or a row at a time.
//!
//! Offsets are Unicode scalar values and half-open, `[start, end)`, in documents and in our own
//! formats; what another tool counts is converted where its file is read or written, and each
//! [`ImportFormat`] says what it is. Texts pass through as they came: no normalisation, no change of
//! line ends.
//!
//! | Format | In | Out |
//! | --- | --- | --- |
//! | Plain text | [`ImportFormat::PlainText`] | |
//! | JSON Lines | [`ImportFormat::JsonLines`] | [`write_document_json_line`], [`write_gold_json_line`], [`write_disagreement_json_line`], [`write_choice_json_line`], [`write_soft_label_json_line`], [`write_soft_label_person_json_line`] |
//! | CoNLL-2003: IOB1, IOB2, BIOES, BILOU in; IOB2 out | [`ImportFormat::Conll`] | [`write_conll`] |
//! | CoNLL-U and CoNLL-U Plus, with spans | [`ImportFormat::Conllu`] | [`write_conllu`] |
//! | CSV and TSV of spans | [`ImportFormat::SpanCsv`], [`ImportFormat::SpanTsv`] | [`SpanTableWriter`] |
//! | CSV of answers, items by raters | [`ImportFormat::RatingsCsv`] | [`write_study_header`], [`write_study_row`] |
//! | WebAnno TSV 3.3 | [`ImportFormat::WebAnnoTsv`] | [`write_webanno_tsv`] |
//! | brat | [`ImportFormat::Brat`], [`read_brat`] | [`write_brat_text`], [`write_brat_annotations`], [`BratConfig`] |
//! | doccano JSONL | [`ImportFormat::Doccano`] | [`write_doccano_line`] |
//! | Label Studio JSON, JSON-MIN | [`ImportFormat::LabelStudio`], [`ImportFormat::LabelStudioMin`] | [`JsonList::write_label_studio`] |
//! | Prodigy JSONL | [`ImportFormat::Prodigy`] | [`write_prodigy_lines`] |
//! | spaCy JSON | [`ImportFormat::Spacy`] | [`JsonList::write_spacy`] |
//! | Tokens of Hugging Face | [`ImportFormat::HuggingFace`] | |
//! | Datasaur schema | [`ImportFormat::Datasaur`], [`datasaur_source`] | [`write_datasaur`] |
//! | UIMA CAS XMI | [`ImportFormat::CasXmi`] | [`write_cas_xmi`], [`write_type_system`] |
//! | UIMA CAS JSON | [`ImportFormat::CasJson`] | [`write_cas_json`] |
//! | zip, folder | [`Bundle`] | [`BundleWriter`], [`RaterFolders`] |
//! | CSV for spreadsheets | | [`DisagreementCsv`], [`AgreementRow`] |
//! | XLSX | | [`DisagreementXlsx`] |
//! | SVG | | [`HeatMap`] |
//! | HTML | | [`Report`] |
//!
//! A format has a folder of its own that holds its reader and its writer, beside others of its kind
//! (`columns`, `json`), because what one writes the other has to read: whoever changes one changes
//! both. `import` and `export` hold what all of them share and the choice among them, `problem` what
//! can be wrong with a file, `report` what is only written.
//!
//! [`FileWriter`] and [`BundleWriter`] write documents in whichever of these formats is asked for;
//! what a format cannot hold they return, and [`write_loss_list`] and [`write_loss_table`] list it.

#![warn(missing_docs)]

mod brat;
mod bundle;
mod cas;
mod columns;
mod export;
mod import;
mod json;
mod offsets;
mod problem;
mod report;
mod table;

pub use brat::read::{NamedBytes, read_brat};
pub use brat::write::{BratConfig, write_brat_annotations, write_brat_text};
pub use bundle::Bundle;
pub use bundle::folders::RaterFolders;
pub use bundle::group::{brat_texts, project_export};
pub use bundle::layout::{Author, Layout, Origin, RATERS};
pub use bundle::limits::BundleLimits;
pub use bundle::name::is_office_file;
pub use bundle::reading::BundledDocument;
pub use bundle::source::BundleFile;
pub use bundle::write::{BundleFormat, BundleWriter};
pub use cas::features::AnswerFeatures;
pub use cas::write_json::write_cas_json;
pub use cas::write_xmi::{write_cas_xmi, write_type_system};
pub use columns::conll::write::write_conll;
pub use columns::conllu::write::write_conllu;
pub use columns::scheme::TagScheme;
pub use columns::webanno::write::write_webanno_tsv;
pub use export::annotated::{
    AnnotatedAnswer, AnnotatedDocument, AnnotatedSpan, AnnotatedWork, AnswerWords,
};
pub use export::error::ExportError;
pub use export::file::{FileFormat, FileWriter};
pub use export::loss::list::LOSSES;
pub use export::loss::list::{LossRow, write_loss_line, write_loss_list, write_loss_table};
pub use export::loss::{Loss, LossReason};
pub use import::answer::Answer;
pub use import::document::{
    ImportedAnswer, ImportedDocument, ImportedSpan, ImportedWork, comparable_text,
};
pub use import::findings::checks::{IdRegistry, check_labels};
pub use import::findings::note::{ImportNote, Note, Notes};
pub use import::findings::repair::Repair;
pub use import::format::ImportFormat;
pub use import::limits::{MAX_DOCUMENT_BYTES, MAX_LINE_BYTES, MAX_RECORD_BYTES};
pub use import::options::{Discontinuous, ReadOptions, SecondAnnotation};
pub use import::{Documents, read, read_from};
pub use json::datasaur::source::{DatasaurSource, datasaur_source};
pub use json::datasaur::write::write_datasaur;
pub use json::doccano::write::write_doccano_line;
pub use json::lines::write::write_document_json_line;
pub use json::list::JsonList;
pub use json::prodigy::write::write_prodigy_lines;
pub use offsets::TextIndex;
pub use problem::brat::BratProblem;
pub use problem::bundle::BundleProblem;
pub use problem::conllu::ConlluProblem;
pub use problem::exchange::ExchangeProblem;
pub use problem::webanno::WebAnnoProblem;
pub use problem::{ImportError, Problem};
pub use report::agreement_csv::{AgreementRow, write_agreement_header, write_agreement_row};
pub use report::choice::{ChoiceRow, write_choice_json_line};
pub use report::disagreement::csv::DisagreementCsv;
pub use report::disagreement::xlsx::{DisagreementXlsx, SheetRow};
pub use report::disagreement::{DisagreementRow, RaterCell, write_disagreement_json_line};
pub use report::gold::{GoldDocument, GoldId, GoldSpan, write_gold_json_line};
pub use report::heat_map::{HeatCell, HeatMap, heat_map_svg};
pub use report::html::{Report, ReportBlock, ReportSection, report_html};
pub use report::soft_label::{
    SoftLabelPerson, SoftLabelRow, write_soft_label_json_line, write_soft_label_person_json_line,
};
pub use report::study_csv::{
    UnitCell, write_study_header, write_study_row, write_unit_row, write_units_header,
};
pub use table::write::SpanTableWriter;
