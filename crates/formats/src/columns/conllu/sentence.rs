//! A sentence of CoNLL-U: its tokens, and their text.

use crate::columns::conllu::columns::{Kind, Row};
use crate::problem::conllu::ConlluProblem;
use crate::problem::quoted::shorten;

/// A sentence as its lines give it.
#[derive(Debug, Default)]
pub(super) struct Sentence {
    /// `# text =` and its line.
    pub(super) text: Option<(String, usize)>,
    pub(super) rows: Vec<(usize, Row)>,
}

/// A sentence's text with its words.
#[derive(Debug, Default)]
pub(super) struct Placed {
    pub(super) text: String,
    /// Whitespace after the last token, where the file says which.
    pub(super) after: Option<String>,
    pub(super) words: Vec<Word>,
    /// How many empty nodes have a tag.
    pub(super) tagged_empty: usize,
}

/// What a tag is for: a word, or a token of several that has a tag itself.
#[derive(Debug)]
pub(super) struct Word {
    /// Where its token is in the sentence, in scalars.
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) tag: Option<String>,
    pub(super) line: usize,
}

/// A token of several words.
struct Several {
    /// The number of its last word.
    last: u32,
    /// Whether it has a tag itself, which counts instead of those of its words.
    tagged: bool,
    start: usize,
    end: usize,
}

impl Sentence {
    /// Puts the tokens together and holds them against the text of the sentence, if it is given.
    pub(super) fn place(
        &self,
        text: Option<&(String, usize)>,
    ) -> Result<Placed, (usize, ConlluProblem)> {
        let mut placed = Placed::default();
        let mut length = 0;
        let mut rest = text.map(|(text, _)| text.as_str());
        let mut several: Option<Several> = None;
        // Whether the token before says that no whitespace comes, and which comes if it is known.
        let mut gap: Option<(bool, Option<String>)> = None;
        for (line, row) in &self.rows {
            let line = *line;
            if row.kind == Kind::Empty {
                placed.tagged_empty += usize::from(row.tag.is_some());
                continue;
            }
            if let (Kind::Word(number), Some(token)) = (row.kind, &several)
                && number <= token.last
            {
                if !token.tagged {
                    let (start, end) = (token.start, token.end);
                    placed.words.push(Word { start, end, tag: row.tag.clone(), line });
                }
                continue;
            }
            let differs = |rest: &str| {
                let (found, expected) = (shorten(rest), shorten(&row.form));
                (line, ConlluProblem::TextDiffers { found, expected })
            };
            let mut between = String::new();
            if let Some(text) = rest {
                let trimmed = text.trim_start();
                let skipped = text.get(..text.len() - trimmed.len()).unwrap_or_default();
                let no_space = gap.as_ref().is_some_and(|(no_space, _)| *no_space);
                let agrees = gap.is_none() || no_space == skipped.is_empty();
                let after = trimmed.strip_prefix(row.form.as_str()).filter(|_| agrees);
                rest = Some(after.ok_or_else(|| differs(text))?);
                skipped.clone_into(&mut between);
            } else if gap.as_ref().is_some_and(|(no_space, _)| !no_space) {
                between.push(' ');
            }
            match gap.take() {
                Some((_, Some(exact))) => between = exact,
                Some((_, None)) => {}
                None => between.extend(row.before.iter().map(String::as_str)),
            }
            placed.text.push_str(&between);
            let start = length + between.chars().count();
            placed.text.push_str(&row.form);
            length = start + row.form.chars().count();
            several = match row.kind {
                Kind::Several(_, last) => {
                    Some(Several { last, tagged: row.tag.is_some(), start, end: length })
                }
                _ => None,
            };
            if several.as_ref().is_none_or(|token| token.tagged) {
                placed.words.push(Word { start, end: length, tag: row.tag.clone(), line });
            }
            let no_space = row.after.as_ref().map_or(row.no_space, String::is_empty);
            gap = Some((no_space, row.after.clone().or_else(|| row.no_space.then(String::new))));
        }
        match (text, rest) {
            (Some((_, line)), _) if gap.is_none() => return Err((*line, ConlluProblem::NoTokens)),
            (Some((_, line)), Some(rest)) if !rest.trim().is_empty() => {
                let (found, expected) = (shorten(rest), String::new());
                return Err((*line, ConlluProblem::TextDiffers { found, expected }));
            }
            _ => {}
        }
        placed.after = gap.and_then(|(_, exact)| exact);
        Ok(placed)
    }
}
