//! Where the chains end, told to the outside from time to time: whoever cuts a tail off has to cut
//! it off there, too.

use std::{collections::BTreeMap, io::BufRead};

use domain::{AuditHead, ProjectId};
use store::outside::audit::Mac;

use crate::{Error, Result, Services, base::secrets::checksum::in_digits};

/// The ends of all chains at this moment.
pub async fn heads(services: &Services) -> Result<Vec<AuditHead>> {
    let at = services.clock.now();
    let heads = store::outside::audit::heads(&services.store).await?;
    let shown = heads.into_iter().map(|head| AuditHead {
        at,
        project: head.project,
        place: head.place,
        mac: in_digits(&head.mac),
    });
    Ok(shown.collect())
}

/// A head as a line of a file.
pub fn line(head: &AuditHead) -> Result<String> {
    let mut line = serde_json::to_string(head).map_err(Error::broken)?;
    line.push('\n');
    Ok(line)
}

/// What was exported of the ends of chains: signatures by their places.
#[derive(Clone, Debug, Default)]
pub struct ExportedHeads(BTreeMap<Option<ProjectId>, BTreeMap<i64, Mac>>);

/// A line of a file of heads is none.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Misread {
    /// Counted from 1.
    pub line: usize,
    pub problem: String,
}

impl ExportedHeads {
    /// Reads what [`line()`] wrote, one head a line. A last line that was broken off, as by a power
    /// cut, is left out.
    pub fn read(mut lines: impl BufRead) -> Result<Self, Misread> {
        let mut read = Self::default();
        let mut text = String::new();
        for line in 1.. {
            text.clear();
            let wrong = |problem: String| Misread { line, problem };
            if lines.read_line(&mut text).map_err(|error| wrong(error.to_string()))? == 0 {
                break;
            }
            if text.trim().is_empty() {
                continue;
            }
            let head: AuditHead = match serde_json::from_str(&text) {
                Ok(head) => head,
                Err(_) if !text.ends_with('\n') => break,
                Err(error) => return Err(wrong(error.to_string())),
            };
            let why = || wrong("`mac` has 64 hexadecimal digits".to_owned());
            let mac = bytes(&head.mac).ok_or_else(why)?;
            read.0.entry(head.project).or_default().insert(head.place, mac);
        }
        Ok(read)
    }

    /// Whose chains were exported.
    pub(crate) fn chains(&self) -> impl Iterator<Item = Option<ProjectId>> {
        self.0.keys().copied()
    }

    /// What was exported of one chain.
    pub(crate) fn of(&self, project: Option<ProjectId>) -> BTreeMap<i64, Mac> {
        self.0.get(&project).cloned().unwrap_or_default()
    }
}

fn bytes(digits: &str) -> Option<Mac> {
    let mut mac = Mac::default();
    // A number may have a sign, too.
    if digits.len() != 2 * mac.len() || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, pair) in mac.iter_mut().zip(digits.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(mac)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;

    use super::*;

    fn head(project: Option<i64>, place: i64) -> AuditHead {
        let (at, mac) = (DateTime::UNIX_EPOCH, in_digits(&[0xa7; 32]));
        AuditHead { at, project: project.map(ProjectId), place, mac }
    }

    #[test]
    fn heads_are_read_as_they_were_written() {
        let written: String = [head(None, 3), head(Some(2), 5), head(Some(2), 9)]
            .iter()
            .map(|it| line(it).unwrap())
            .collect();
        for text in [written.clone(), format!("{written}\n{{\"at\":\"19")] {
            let read = ExportedHeads::read(text.as_bytes()).unwrap();
            assert_eq!(read.chains().collect::<Vec<_>>(), [None, Some(ProjectId(2))]);
            assert_eq!(read.of(None), [(3, [0xa7; 32])].into());
            assert_eq!(read.of(Some(ProjectId(2))), [(5, [0xa7; 32]), (9, [0xa7; 32])].into());
        }
    }

    #[test]
    fn what_is_no_head_is_said_with_its_line() {
        let good = line(&head(None, 3)).unwrap();
        let short = line(&AuditHead { mac: "a7".to_owned(), ..head(None, 4) }).unwrap();
        for bad in ["{}\n", "head\n", &short, &good.replace("a7", "+7")] {
            let misread = ExportedHeads::read(format!("{good}{bad}").as_bytes()).unwrap_err();
            assert_eq!(misread.line, 2, "{misread}");
        }
    }
}
