//! What an export does not hold, while it is found: counted in memory, listed in a file.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufReader, BufWriter, Seek, Write},
};

use domain::{LossCount, LossForm};
use formats::{ExportError, Loss, write_loss_line, write_loss_list, write_loss_table};

use crate::{Error, Result};

/// The losses found so far.
pub(super) struct LossLog {
    counts: BTreeMap<&'static str, LossCount>,
    /// A line for each; none where counts are enough.
    lines: Option<BufWriter<File>>,
}

impl LossLog {
    /// An empty log, which lists the losses only if it is to.
    pub(super) fn new(lists: bool) -> Result<Self> {
        let file = || tempfile::tempfile().map(BufWriter::new).map_err(Error::broken);
        Ok(Self { counts: BTreeMap::new(), lines: lists.then(file).transpose()? })
    }

    pub(super) fn note(&mut self, losses: &[Loss]) -> Result<()> {
        for loss in losses {
            let count = self.counts.entry(loss.reason.name()).or_insert_with(|| LossCount {
                reason: loss.reason.name().to_owned(),
                left_out: loss.reason.left_out(),
                count: 0,
                example: loss.to_string(),
            });
            count.count += 1;
            if let Some(lines) = &mut self.lines {
                write_loss_line(lines, loss).map_err(Error::broken)?;
            }
        }
        Ok(())
    }

    /// How many things are missing, and how many are written in another way.
    pub(super) fn totals(&self) -> (u64, u64) {
        let sum = |left_out| {
            let counts = self.counts.values().filter(|count| count.left_out == left_out);
            counts.map(|count| count.count).sum()
        };
        (sum(true), sum(false))
    }

    /// How often each reason occurs: what is missing first, then what is most.
    pub(super) fn into_counts(self) -> Vec<LossCount> {
        let mut counts: Vec<_> = self.counts.into_values().collect();
        counts.sort_by_key(|count| (!count.left_out, std::cmp::Reverse(count.count)));
        counts
    }

    /// Writes the list in this form.
    pub(super) fn write_list(&mut self, form: LossForm, out: &mut impl Write) -> Result<()> {
        self.try_write_list(form, out).map_err(Error::broken)
    }

    fn try_write_list(&mut self, form: LossForm, out: &mut impl Write) -> Result<(), ExportError> {
        let Some(lines) = &mut self.lines else { return Ok(()) };
        lines.flush()?;
        let file = lines.get_mut();
        file.rewind()?;
        let result = match form {
            LossForm::Json => write_loss_list(out, BufReader::new(&*file)),
            LossForm::Csv => write_loss_table(out, BufReader::new(&*file)),
        };
        file.seek(std::io::SeekFrom::End(0))?;
        result
    }
}
