//! The files of the front end: those that the binary carries, or those of a folder.

mod encoding;

use std::{
    borrow::Cow,
    fs,
    path::{Component, Path, PathBuf},
};

use app::FrontEnd;
use axum::{
    body::Body,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{
        ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
    },
};
use rust_embed::{Embed, EmbeddedFile};
use sha2::{Digest, Sha256};

use self::encoding::{Encoding, in_order_of_preference};

/// Where the build says how the files are called.
const MANIFEST: &str = "pkg/manifest.json";

/// How long a browser keeps a file: for good if its name changes with its content.
#[derive(Clone, Copy)]
pub(crate) enum Keep {
    Forever,
    AskEachTime,
}

/// The files of the front end.
#[derive(Clone)]
pub struct Assets(Source);

/// Where files come from.
#[derive(Clone)]
enum Source {
    /// They are as they were at the start.
    Embedded { load: fn(&str) -> Option<EmbeddedFile>, front_end: FrontEnd },
    /// They are as the folder has them at the time: it may still be filled.
    Folder(PathBuf),
}

/// What a file holds, and the hash of that.
struct File {
    data: Cow<'static, [u8]>,
    hash: [u8; 32],
}

impl Assets {
    /// The files that a program carries.
    pub fn of<T: Embed>() -> Self {
        let manifest = T::get(MANIFEST).map(|file| file.data);
        let front_end = read_manifest(&manifest.unwrap_or_default());
        Self(Source::Embedded { load: T::get, front_end })
    }

    /// The files of a folder, which may change.
    pub fn in_folder(folder: PathBuf) -> Self {
        Self(Source::Folder(folder))
    }

    /// How the files are called that a page needs; without names if they have not been built.
    pub fn front_end(&self) -> FrontEnd {
        match &self.0 {
            Source::Embedded { front_end, .. } => front_end.clone(),
            Source::Folder(_) => {
                read_manifest(&self.get(MANIFEST).map(|file| file.data).unwrap_or_default())
            }
        }
    }

    fn get(&self, name: &str) -> Option<File> {
        // A file has one name (`a//b` and `a/./b` are none), and nothing outside the folder is the front end's.
        let normal = |part| match part {
            Component::Normal(part) => Some(part),
            _ => None,
        };
        let parts: Option<PathBuf> = Path::new(name).components().map(normal).collect();
        if parts?.as_os_str() != name {
            return None;
        }
        match &self.0 {
            Source::Embedded { load, .. } => {
                let EmbeddedFile { data, metadata, .. } = load(name)?;
                Some(File { data, hash: metadata.sha256_hash() })
            }
            Source::Folder(folder) => {
                let data = fs::read(folder.join(name)).ok()?;
                Some(File { hash: Sha256::digest(&data).into(), data: data.into() })
            }
        }
    }

    /// A file at the top of the folder, such as the icon, by the path it is asked for.
    pub(crate) fn load_top(&self, path: &str, headers: &HeaderMap) -> Option<Response> {
        let is_a_file = |name: &&str| name.contains('.') && !name.contains('/');
        self.load(path.strip_prefix('/').filter(is_a_file)?, Keep::AskEachTime, headers)
    }

    /// A file in the smallest form that the client takes.
    pub(crate) fn load(&self, name: &str, keep: Keep, headers: &HeaderMap) -> Option<Response> {
        let is_a_form = [Encoding::Brotli, Encoding::Gzip]
            .iter()
            .any(|encoding| name.ends_with(encoding.suffix()));
        if is_a_form || name == MANIFEST {
            return None;
        }
        let accepted = headers.get(ACCEPT_ENCODING).and_then(|accepted| accepted.to_str().ok());
        let (encoding, file) =
            in_order_of_preference(accepted.unwrap_or_default()).into_iter().find_map(
                |encoding| Some((encoding, self.get(&format!("{name}{}", encoding.suffix()))?)),
            )?;
        Some(answer(name, encoding, file, keep, headers))
    }
}

/// The names that a manifest has; none if there is no manifest.
fn read_manifest(manifest: &[u8]) -> FrontEnd {
    serde_json::from_slice(manifest).unwrap_or_default()
}

fn answer(name: &str, encoding: Encoding, file: File, keep: Keep, asked: &HeaderMap) -> Response {
    let tag = tag(&file);
    let is_known = asked
        .get(IF_NONE_MATCH)
        .and_then(|known| known.to_str().ok())
        .is_some_and(|known| known.split(',').any(|known| known.trim() == tag));
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let bytes = match file.data {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        Body::from(bytes).into_response()
    };
    let headers = response.headers_mut();
    if !is_known {
        headers.insert(CONTENT_TYPE, content_type(name));
        if let Some(name) = encoding.name() {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
        }
    }
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(ETAG, tag);
    }
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    let keep = match keep {
        Keep::Forever => "public, max-age=31536000, immutable",
        Keep::AskEachTime => "no-cache",
    };
    headers.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
    response
}

/// The file's name among all contents.
fn tag(file: &File) -> String {
    let start = file.hash.first_chunk().copied().map_or(0, u128::from_be_bytes);
    format!("\"{start:032x}\"")
}

fn content_type(name: &str) -> HeaderValue {
    let mime = mime_guess::from_path(name).first_or_octet_stream();
    let text = match mime.type_() {
        mime_guess::mime::TEXT => format!("{mime}; charset=utf-8"),
        _ => mime.to_string(),
    };
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("application/octet-stream"))
}
