//! Where tokens are in a text, and where labels are by their tokens.

use crate::import::findings::Findings;
use crate::json::value::at::At;
use crate::problem::exchange::ExchangeProblem;

const TOKEN_EXPECTED: &str = "a string with the token";

/// The tokens of one cell: where each starts and ends in the text, and what it is.
pub(super) type Cell = Vec<(usize, usize, String)>;

/// The tokens of a cell that starts at `scalar`, each found in the content after the one before.
pub(super) fn tokens(
    cell: &At<'_>,
    content: &str,
    scalar: usize,
    findings: &mut Findings,
) -> Option<Cell> {
    let mut found = Vec::new();
    let (mut byte, mut scalar) = (0, scalar);
    let tokens = cell.get("tokens");
    for token_at in tokens.items("a list of tokens", findings) {
        let Some(token) = token_at.as_text() else {
            return token_at.refuse(TOKEN_EXPECTED, findings);
        };
        let rest = content.get(byte..).unwrap_or_default();
        let gap = rest.find(token).and_then(|gap| Some((gap, rest.get(..gap)?)));
        let gap = gap.filter(|(_, skipped)| skipped.trim().is_empty());
        let Some((gap, skipped)) = gap else {
            let problem = ExchangeProblem::TokenNotInText(token.to_owned());
            return token_at.wrong(problem, findings);
        };
        let start = scalar + skipped.chars().count();
        let end = start + token.chars().count();
        byte += gap + token.len();
        scalar = end;
        found.push((start, end, token.to_owned()));
    }
    Some(found)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Start,
    End,
}

/// What the parts of a position are called: row, column, token, character.
pub(super) type Keys = [&'static str; 4];

pub(super) const KEYS: Keys = ["row", "column", "tokenIndex", "charIndex"];

/// Where a span starts, or ends (exclusive), in the text.
pub(super) fn place(
    cells: &[Vec<Cell>],
    position: &At<'_>,
    [row_key, column_key, token_key, character_key]: Keys,
    side: End,
    findings: &mut Findings,
) -> Option<usize> {
    let row_at = position.get(row_key);
    let row = row_at.offset(findings)?;
    let column_at = position.get(column_key);
    let column = if column_at.is_absent() { 0 } else { column_at.offset(findings)? };
    let token_at = position.get(token_key);
    let token_index = token_at.offset(findings)?;
    let index = |offset: u64| usize::try_from(offset).ok();
    let cell = cells.get(index(row)?).and_then(|row| row.get(index(column)?));
    let Some((start, end, token)) = cell.and_then(|cell| cell.get(index(token_index)?)) else {
        let reference = format!("{row}:{column}:{token_index}");
        let problem = ExchangeProblem::DanglingReference { what: "token", reference };
        return token_at.wrong(problem, findings);
    };
    let character_at = position.get(character_key);
    let whole = if side == End::Start { *start } else { *end };
    if character_at.is_absent() {
        return Some(whole);
    }
    let at = character_at.offset(findings)?;
    let units = token.encode_utf16().count();
    let scalars = end - start;
    let character = index(at)?;
    match side {
        End::Start if character == 0 => Some(whole),
        End::End if character.checked_add(1).is_some_and(|end| end == units || end == scalars) => {
            Some(whole)
        }
        // Within a token the units must not differ, for nobody says which one it is.
        _ if units != scalars || character >= scalars => {
            let problem = ExchangeProblem::CharacterOfToken { at, token: token.clone() };
            character_at.wrong(problem, findings)
        }
        End::Start => Some(start + character),
        End::End => Some(start + character + 1),
    }
}
