//! How files are read, where one may want it one way or the other.

use clap::Args;
use services::document::{
    Answer, Discontinuous, FileOptions, ImportFormat, ReadOptions, SecondAnnotation, parse_counted,
};

#[derive(Args)]
pub(in crate::cli) struct Reading {
    /// Refuse what would otherwise be repaired and listed.
    #[arg(long)]
    strict: bool,
    /// Leave out the documents in which something is wrong. Otherwise nothing is read.
    #[arg(long)]
    leave_out_wrong: bool,
    /// Format of all files. Default: detected.
    #[arg(long, value_name = "FORMAT")]
    format: Option<ImportFormat>,
    /// Read spans from this layer, column or key. Repeatable. Default: the format's.
    #[arg(long, value_name = "NAME")]
    layer: Vec<String>,
    /// Label the spans of a layer by this feature, or by the layer's name: LAYER.FEATURE or LAYER.
    /// Repeatable. Default: `value`, `label`, or the only feature with words.
    #[arg(long, value_name = "LAYER.FEATURE")]
    feature: Vec<String>,
    /// Field of a task's data that is its text, in Label Studio's files. Default: `text`, or the only
    /// one with a string.
    #[arg(long, value_name = "NAME")]
    text_field: Option<String>,
    /// Join the parts of a span that has text between. Otherwise the span is left out and listed.
    #[arg(long)]
    join_parts: bool,
    /// Which of two annotations of one document by one person counts: `last`, `first`, or `each` as a
    /// person's of its own.
    #[arg(long, value_name = "WHICH", default_value_t)]
    second_annotation: SecondAnnotation,
    /// Whether annotations in a state count as judgements: STATE=yes or STATE=no. Repeatable.
    #[arg(long, value_name = "STATE=YES|NO", value_parser = parse_counted)]
    count_state: Vec<(Answer, bool)>,
}

impl Reading {
    pub(in crate::cli) fn options(&self) -> FileOptions {
        let discontinuous =
            if self.join_parts { Discontinuous::Join } else { Discontinuous::PassOver };
        let read = ReadOptions {
            format: self.format,
            discontinuous,
            second: self.second_annotation,
            answers: self.count_state.clone(),
            layers: self.layer.clone(),
            features: self.feature.clone(),
            text_field: self.text_field.clone(),
        };
        FileOptions { read, strict: self.strict, leave_out_wrong: self.leave_out_wrong }
    }
}
