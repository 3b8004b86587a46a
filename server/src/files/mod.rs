//! The files of the front end: inside the binary in release builds, read from disk in others.

use std::{borrow::Cow, sync::Arc};

use app::FrontEnd;
use axum::{
    body::Body,
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use domain::Error;
use http::{
    HeaderMap, HeaderValue, Method, StatusCode,
    header::{
        ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
    },
};
use rust_embed::{Embed, EmbeddedFile};
use serde::Deserialize;

use crate::{Site, problem::Problem, rest::base::extract::Path};

mod encoding;

use encoding::{Encoding, in_order_of_preference};

/// What the build of the front end has made.
#[derive(Embed)]
#[folder = "../target/site/"]
#[allow_missing = true]
struct Embedded;

/// Where the build says how the files are called.
const MANIFEST: &str = "pkg/manifest.json";

/// How long a browser keeps a file: for good if its name changes with its content.
#[derive(Clone, Copy)]
enum Keep {
    Forever,
    AskEachTime,
}

/// The folder of the front end's files.
#[derive(Clone, Copy)]
pub struct Assets {
    get: fn(&str) -> Option<EmbeddedFile>,
}

impl Assets {
    /// The files that the build of the front end has made.
    pub fn embedded() -> Self {
        Self::of::<Embedded>()
    }

    /// The files of another folder.
    pub fn of<T: Embed>() -> Self {
        Self { get: T::get }
    }

    /// How the files are called that a page needs; none if the front end has not been built.
    pub fn front_end(self) -> Option<FrontEnd> {
        #[derive(Deserialize)]
        struct Manifest {
            js: String,
            wasm: String,
            css: String,
            reading_css: String,
            what_if_js: String,
            what_if_wasm: String,
            study_js: String,
            study_wasm: String,
        }

        let manifest = (self.get)(MANIFEST)?;
        let Manifest { js, wasm, css, reading_css, what_if_js, what_if_wasm, study_js, study_wasm } =
            serde_json::from_slice(&manifest.data).ok()?;
        Some(FrontEnd {
            js,
            wasm,
            css,
            reading_css,
            what_if_js,
            what_if_wasm,
            study_js,
            study_wasm,
        })
    }

    /// A file at the top of the folder, such as the icon, by the path it is asked for.
    fn load_top(self, path: &str, headers: &HeaderMap) -> Option<Response> {
        let is_a_file = |name: &&str| name.contains('.') && !name.contains('/');
        self.load(path.strip_prefix('/').filter(is_a_file)?, Keep::AskEachTime, headers)
    }

    /// A file in the smallest form that the client takes.
    fn load(self, name: &str, keep: Keep, headers: &HeaderMap) -> Option<Response> {
        let is_a_form = [Encoding::Brotli, Encoding::Gzip]
            .iter()
            .any(|encoding| name.ends_with(encoding.suffix()));
        if is_a_form || name == MANIFEST {
            return None;
        }
        let accepted = headers.get(ACCEPT_ENCODING).and_then(|accepted| accepted.to_str().ok());
        let (encoding, file) =
            in_order_of_preference(accepted.unwrap_or_default()).into_iter().find_map(
                |encoding| Some((encoding, (self.get)(&format!("{name}{}", encoding.suffix()))?)),
            )?;
        Some(answer(name, encoding, file, keep, headers))
    }
}

/// A file of the package. Its name changes with its content, so browsers keep it for good.
pub(crate) async fn load_package_file(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let file = site.assets.load(&format!("pkg/{name}"), Keep::Forever, &headers);
    file.ok_or_else(|| Error::NotFound.into())
}

/// Answers with a file at the top of the folder, if the request is for one, before anything is asked
/// about whoever makes it.
pub(crate) async fn load_top_file(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD)
        && let Some(file) = site.assets.load_top(request.uri().path(), request.headers())
    {
        return file;
    }
    next.run(request).await
}

fn answer(
    name: &str,
    encoding: Encoding,
    file: EmbeddedFile,
    keep: Keep,
    asked: &HeaderMap,
) -> Response {
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
fn tag(file: &EmbeddedFile) -> String {
    let hash = file.metadata.sha256_hash();
    let start = hash.first_chunk().copied().map_or(0, u128::from_be_bytes);
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
