//! Where backups lie, as it is written in settings: a folder, or a bucket of a store of objects.

use std::{
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
    sync::Arc,
};

use object_store::{aws::AmazonS3Builder, local::LocalFileSystem};

use crate::{Error, Place, client::Connector};

const BUCKET: &str = "s3://";

/// Where backups lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    Folder(PathBuf),
    /// A bucket of Amazon's S3, or of what speaks as that does, and what names in it begin with.
    Bucket {
        bucket: String,
        prefix: String,
    },
}

impl Location {
    /// Opens a folder or a bucket. Where that is, and who asks, the environment says: `AWS_ENDPOINT`,
    /// `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, …
    ///
    /// # Errors
    /// Also if the folder is not there: one that is made in its place may be on the disk that is backed up.
    pub fn open(&self) -> Result<Place, Error> {
        let failed = |source| Error::Store { place: self.to_string(), source };
        match self {
            Self::Folder(path) => {
                // What it says has been written has to outlast the machine.
                let folder = LocalFileSystem::new_with_prefix(path).map_err(failed)?;
                let folder = Arc::new(folder.with_fsync(true));
                Ok(Place::in_folder(folder, path.clone(), self.to_string()))
            }
            Self::Bucket { bucket, prefix } => {
                let bucket = AmazonS3Builder::from_env()
                    .with_bucket_name(bucket)
                    .with_http_connector(Connector)
                    .build()
                    .map_err(failed)?;
                Ok(Place::in_bucket(bucket, prefix, self.to_string()))
            }
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => path.display().fmt(f),
            Self::Bucket { bucket, prefix } if prefix.is_empty() => write!(f, "{BUCKET}{bucket}"),
            Self::Bucket { bucket, prefix } => write!(f, "{BUCKET}{bucket}/{prefix}"),
        }
    }
}

impl FromStr for Location {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "use a folder, or s3://bucket/prefix";
        if let Some(rest) = text.strip_prefix(BUCKET) {
            let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
            let prefix = prefix.trim_matches('/');
            return if bucket.is_empty() {
                Err(SHAPE)
            } else {
                Ok(Self::Bucket { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
            };
        }
        if text.is_empty() || text.contains("://") {
            return Err(SHAPE);
        }
        Ok(Self::Folder(Path::new(text).to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_folder_or_a_bucket() {
        for (text, shown) in [
            ("/backups", "/backups"),
            ("./a b", "./a b"),
            ("s3://bucket", "s3://bucket"),
            ("s3://bucket/", "s3://bucket"),
            ("s3://bucket/of/ours/", "s3://bucket/of/ours"),
        ] {
            assert_eq!(text.parse::<Location>().unwrap().to_string(), shown);
        }
        for wrong in ["", "s3://", "s3:///prefix", "gs://bucket", "https://host/path"] {
            assert!(wrong.parse::<Location>().is_err(), "{wrong}");
        }
    }
}
