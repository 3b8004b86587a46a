//! How a form with files is described. It is read where it is needed, a piece at a time.

use utoipa::ToSchema;

/// A form with files.
#[derive(ToSchema)]
pub(crate) struct Files {
    /// Once for each file.
    #[schema(value_type = Vec<String>, format = Binary)]
    #[expect(dead_code, reason = "a description: the form is read as it comes")]
    files: Vec<Vec<u8>>,
}

/// A form with files to import.
#[derive(ToSchema)]
pub(crate) struct ImportForm {
    /// Once for each file.
    #[schema(value_type = Vec<String>, format = Binary)]
    #[expect(dead_code, reason = "a description: the form is read as it comes")]
    files: Vec<Vec<u8>>,
    /// What people and labels of the files become, as JSON; before or after the files.
    #[expect(dead_code, reason = "a description: the form is read as it comes")]
    mapping: Option<domain::ImportMapping>,
}
