//! How files are read, where one may want it one way or the other.

use std::str::FromStr;

use clap::{Args, ValueEnum};
use services::document::{
    Answer, Discontinuous, FileOptions, ImportFormat, ReadOptions, SecondAnnotation,
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
    /// Join the parts of a span that has text between. Otherwise the span is left out and listed.
    #[arg(long)]
    join_parts: bool,
    /// Which of two annotations of one document by one person counts.
    #[arg(long, value_enum, value_name = "WHICH", default_value = "last")]
    second_annotation: Second,
    /// Whether annotations in a state count as judgements: STATE=yes or STATE=no. Repeatable.
    #[arg(long, value_name = "STATE=YES|NO", value_parser = counts)]
    count_state: Vec<(Answer, bool)>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Second {
    Last,
    First,
    /// Each, as a rater of its own.
    Each,
}

impl Reading {
    pub(in crate::cli) fn options(&self) -> FileOptions {
        let discontinuous =
            if self.join_parts { Discontinuous::Join } else { Discontinuous::PassOver };
        let second = match self.second_annotation {
            Second::Last => SecondAnnotation::Last,
            Second::First => SecondAnnotation::First,
            Second::Each => SecondAnnotation::Each,
        };
        let read = ReadOptions {
            format: self.format,
            discontinuous,
            second,
            answers: self.count_state.clone(),
            layers: self.layer.clone(),
        };
        FileOptions { read, strict: self.strict, leave_out_wrong: self.leave_out_wrong }
    }

    /// Whether something is asked for that a server is not told: it reads as files tell it.
    pub(in crate::cli) fn is_for_this_machine(&self) -> bool {
        self.options().read != ReadOptions::default()
    }
}

fn counts(text: &str) -> Result<(Answer, bool), String> {
    let (state, counts) = text.rsplit_once('=').ok_or("expected STATE=yes or STATE=no")?;
    match counts {
        "yes" => Ok((Answer::from_str(state)?, true)),
        "no" => Ok((Answer::from_str(state)?, false)),
        _ => Err("expected yes or no after the equals sign".to_owned()),
    }
}
