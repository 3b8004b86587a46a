//! Why a zip is refused.

/// Why a zip or a file in it is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BundleProblem {
    /// The bytes are no zip, or a broken one.
    #[error("this zip cannot be read ({0})")]
    NotZip(String),
    /// There is no file in it.
    #[error("it contains no files")]
    Empty,
    /// More files and folders than are read.
    #[error("there are more than {0} files; split them")]
    TooManyEntries(usize),
    /// All files together are too large.
    #[error("the files are larger than {} MiB when unpacked; split them", .0 >> 20)]
    TooLarge(u64),
    /// A file is too large.
    #[error("the file is larger than {} MiB when unpacked; split it", .0 >> 20)]
    FileTooLarge(u64),
    /// A file is packed so well that it is likely made to do harm.
    #[error("the file is more than {0} times as large unpacked as it is packed")]
    Ratio(u64),
    /// A name that is no Unicode.
    #[error("the name is not UTF-8")]
    NameNotUtf8,
    /// A name without anything in it.
    #[error("the name or a folder's is empty")]
    NameEmpty,
    /// A name that is too long.
    #[error("the name is longer than {0} bytes")]
    NameTooLong(usize),
    /// A name with characters that control something.
    #[error("the name has control characters")]
    NameControl,
    /// A name that begins at the root or with a drive.
    #[error("the name is absolute; expected names within the folder")]
    NameAbsolute,
    /// A name that leads out of the folder.
    #[error("the name leads out of the folder with \"..\"")]
    NameTraversal,
    /// A name with too many folders.
    #[error("the file is more than {0} folders deep")]
    TooDeep(usize),
    /// Two files of one name, be it written in two ways.
    #[error("two files have this name; expected each once")]
    Duplicate,
    /// A link instead of a file.
    #[error("this is a symbolic link; expected the file itself")]
    Symlink,
    /// A device, a pipe or the like.
    #[error("this is neither a file nor a folder")]
    NoFile,
    /// A file that is locked by a password.
    #[error("the file is encrypted; expected one without a password")]
    Encrypted,
    /// A file that is packed in a way that is not read.
    #[error("the file is packed by a method that is not read; expected deflate")]
    Method,
    /// An archive in the archive.
    #[error("this is an archive inside the archive; unpack it first")]
    Nested,
    /// A project whose work is serialized Java only.
    #[error(
        "the work is in INCEpTION's own serialized form only; export the project with a secondary \
         format, such as UIMA CAS XMI or JSON"
    )]
    Serialized,
    /// A file of a known format is missing: nothing to read at all.
    #[error("no file has a known format")]
    NothingKnown,
    /// Two files that should have the same document have other texts of it.
    #[error("the text differs from {0}; expected the same text for the same document")]
    OtherText(String),
    /// A file of a format that has one document each has several, such as a CAS of several sofas.
    #[error("there are several documents in the file; import it on its own")]
    SeveralDocuments,
    /// Two files have the work of one rater on one document.
    #[error("the work of {rater} on this document is already in {other}")]
    SameRater {
        /// The rater.
        rater: String,
        /// The file with the first work.
        other: String,
    },
}
