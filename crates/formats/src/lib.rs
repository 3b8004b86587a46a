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
//! | JSON Lines | [`ImportFormat::JsonLines`] | [`write_document_json_line`], [`write_gold_json_line`], [`write_disagreement_json_line`], [`write_choice_json_line`] |
//! | CoNLL-2003: IOB1, IOB2, BIOES, BILOU in; IOB2 out | [`ImportFormat::Conll`] | [`write_conll`] |
//! | CoNLL-U and CoNLL-U Plus, with spans | [`ImportFormat::Conllu`] | [`write_conllu`] |
//! | CSV and TSV of spans | [`ImportFormat::SpanCsv`], [`ImportFormat::SpanTsv`] | [`SpanTableWriter`] |
//! | WebAnno TSV 3.3 | [`ImportFormat::WebAnnoTsv`] | [`write_webanno_tsv`] |
//! | brat | [`ImportFormat::Brat`], [`read_brat`] | [`write_brat_text`], [`write_brat_annotations`], [`write_brat_config`] |
//! | doccano JSONL | [`ImportFormat::Doccano`] | [`write_doccano_line`] |
//! | Label Studio JSON, JSON-MIN | [`ImportFormat::LabelStudio`], [`ImportFormat::LabelStudioMin`] | [`JsonList::write_label_studio`] |
//! | Prodigy JSONL | [`ImportFormat::Prodigy`] | [`write_prodigy_lines`] |
//! | spaCy JSON | [`ImportFormat::Spacy`] | [`JsonList::write_spacy`] |
//! | Datasaur schema | [`ImportFormat::Datasaur`], [`datasaur_source`] | [`write_datasaur`] |
//! | UIMA CAS XMI | [`ImportFormat::CasXmi`] | [`write_cas_xmi`], [`write_type_system`] |
//! | UIMA CAS JSON | [`ImportFormat::CasJson`] | [`write_cas_json`] |
//! | zip, folder | [`Bundle`] | [`BundleWriter`], [`RaterFolders`] |
//! | CSV for spreadsheets | | [`DisagreementCsv`], [`AgreementRow`] |
//! | XLSX | | [`DisagreementXlsx`] |
//! | SVG | | [`HeatMap`] |
//! | HTML | | [`Report`] |
//!
//! [`FileWriter`] and [`BundleWriter`] write documents in whichever of these formats is asked for;
//! what a format cannot hold they return, and [`write_loss_list`] and [`write_loss_table`] list it.

#![warn(missing_docs)]

mod bundle;
mod export;
mod import;
mod offsets;

pub use bundle::group::brat_texts;
pub use bundle::layout::{Author, Layout, project_export};
pub use bundle::limits::BundleLimits;
pub use bundle::problem::BundleProblem;
pub use bundle::reading::BundleOptions;
pub use bundle::{Bundle, BundleFile};
pub use export::agreement_csv::{AgreementRow, write_agreement_header, write_agreement_row};
pub use export::agreement_svg::{HeatCell, HeatMap, heat_map_svg};
pub use export::annotated::{AnnotatedDocument, AnnotatedSpan, AnnotatedWork};
pub use export::brat::{write_brat_annotations, write_brat_config, write_brat_text};
pub use export::bundle::{BundleFormat, BundleWriter, LOSSES};
pub use export::cas::json::write_cas_json;
pub use export::cas::xmi::{write_cas_xmi, write_type_system};
pub use export::choice::{ChoiceRow, write_choice_json_line};
pub use export::conll::write_conll;
pub use export::conllu::write_conllu;
pub use export::datasaur::write_datasaur;
pub use export::disagreement::{DisagreementRow, RaterCell, write_disagreement_json_line};
pub use export::disagreement_csv::DisagreementCsv;
pub use export::disagreement_xlsx::{DisagreementXlsx, SheetRow};
pub use export::doccano::write_doccano_line;
pub use export::document_json::write_document_json_line;
pub use export::error::ExportError;
pub use export::file::{FileFormat, FileWriter};
pub use export::folders::RaterFolders;
pub use export::gold::{GoldDocument, GoldSpan, write_gold_json_line};
pub use export::json_list::JsonList;
pub use export::loss::{Loss, LossReason};
pub use export::loss_list::{LossRow, write_loss_line, write_loss_list, write_loss_table};
pub use export::prodigy::write_prodigy_lines;
pub use export::report_html::{Report, ReportBlock, ReportSection, report_html};
pub use export::span_table::SpanTableWriter;
pub use export::study_csv::{
    UnitCell, write_study_header, write_study_row, write_unit_row, write_units_header,
};
pub use export::webanno_tsv::write_webanno_tsv;
pub use import::brat::{Discontinuous, NamedBytes, read_brat};
pub use import::brat_problem::BratProblem;
pub use import::checks::{IdRegistry, check_labels};
pub use import::conllu_problem::ConlluProblem;
pub use import::datasaur_source::{DatasaurSource, datasaur_source};
pub use import::document::{ImportedDocument, ImportedSpan, ImportedWork};
pub use import::error::{ImportError, Problem};
pub use import::exchange_problem::ExchangeProblem;
pub use import::format::ImportFormat;
pub use import::note::{ImportNote, Note};
pub use import::tag_scheme::TagScheme;
pub use import::webanno_problem::WebAnnoProblem;
pub use import::{
    Documents, MAX_DOCUMENT_BYTES, MAX_LINE_BYTES, MAX_RECORD_BYTES, read, read_from,
};
pub use offsets::TextIndex;
