//! Answers of other servers, read up to a limit of size.

/// The most that is read of an answer, in bytes, unless its reader sets another limit.
pub const MAX_ANSWER: usize = 1024 * 1024;

/// Why an answer was not read.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// Nothing more was read of it.
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
    #[error(transparent)]
    Http(#[from] reqwest::Error),
}

/// Reads the body of an answer.
///
/// # Errors
/// Also if it is larger than so many bytes.
pub async fn read_answer(
    mut answer: reqwest::Response,
    most: usize,
) -> Result<Vec<u8>, AnswerError> {
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await? {
        if body.len() + piece.len() > most {
            return Err(AnswerError::TooLarge(most));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}
