//! Sends files to the server with `XMLHttpRequest`: only that tells how far an upload has come.

use domain::{Error, ProjectId};
use js_sys::Promise;
use send_wrapper::SendWrapper;
use serde::{Deserialize, de::DeserializeOwned};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{File, FileList, FormData, ProgressEvent, XmlHttpRequest};

use crate::ApiError;

/// Files that were chosen. They exist in the browser only, and never leave its one thread.
pub(super) type Files = Vec<SendWrapper<File>>;

/// The files of an input or of a drop.
pub(super) fn files_of(list: Option<FileList>) -> Files {
    let Some(list) = list else { return Vec::new() };
    (0..list.length()).filter_map(|index| list.get(index)).map(SendWrapper::new).collect()
}

/// What an import is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Say what the files would bring.
    Preview,
    /// Bring it, and give each document to everybody or to so many labelers.
    Commit { assign: String },
}

/// The address that files are sent to.
pub(super) fn address(project: ProjectId, mode: &Mode, create_labels: bool) -> String {
    let mode = match mode {
        Mode::Preview => "mode=preview".to_owned(),
        Mode::Commit { assign } => format!("mode=commit&assign={assign}"),
    };
    format!("/api/v1/projects/{project}/imports?{mode}&create_labels={create_labels}")
}

/// How the server says no.
#[derive(Deserialize)]
struct Refusal {
    error: Error,
}

/// Sends the files and reads the answer. `on_progress` is told the share that has been sent,
/// 0 to 1.
pub(super) async fn send<T: DeserializeOwned>(
    address: &str,
    files: &Files,
    on_progress: impl Fn(f64) + 'static,
) -> Result<T, ApiError> {
    let (status, text) = exchange(address, files, on_progress).await.map_err(|error| {
        ApiError::Transport(error.as_string().unwrap_or_else(|| "the upload failed".to_owned()))
    })?;
    read_answer(status, &text)
}

/// The status and the text of the answer; status 0 if there was none.
async fn exchange(
    address: &str,
    files: &Files,
    on_progress: impl Fn(f64) + 'static,
) -> Result<(u16, String), JsValue> {
    let form = FormData::new()?;
    for file in files {
        form.append_with_blob_and_filename("files", file, &file.name())?;
    }
    let request = XmlHttpRequest::new()?;
    request.open_with_async("POST", address, true)?;
    let on_progress = Closure::<dyn FnMut(ProgressEvent)>::new(move |event: ProgressEvent| {
        if event.length_computable() && event.total() > 0.0 {
            on_progress(event.loaded() / event.total());
        }
    });
    request.upload()?.set_onprogress(Some(on_progress.as_ref().unchecked_ref()));
    let ended = Promise::new(&mut |resolve, _reject| request.set_onloadend(Some(&resolve)));
    request.send_with_opt_form_data(Some(&form))?;
    JsFuture::from(ended).await?;
    Ok((request.status()?, request.response_text()?.unwrap_or_default()))
}

/// What an answer with this status and text means.
fn read_answer<T: DeserializeOwned>(status: u16, text: &str) -> Result<T, ApiError> {
    let not_understood = |error: serde_json::Error| ApiError::Transport(error.to_string());
    match status {
        200..300 => serde_json::from_slice(text.as_bytes()).map_err(not_understood),
        413 => {
            Err(ApiError::App(Error::invalid("files", "the files are too large for one import")))
        }
        _ => {
            let refusal: Refusal =
                serde_json::from_slice(text.as_bytes()).map_err(not_understood)?;
            Err(ApiError::App(refusal.error))
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::{ImportProblem, ImportSummary};

    use super::*;

    #[test]
    fn the_address_says_what_is_to_be_done() {
        assert_eq!(
            address(ProjectId(3), &Mode::Preview, true),
            "/api/v1/projects/3/imports?mode=preview&create_labels=true"
        );
        assert_eq!(
            address(ProjectId(3), &Mode::Commit { assign: "2".to_owned() }, false),
            "/api/v1/projects/3/imports?mode=commit&assign=2&create_labels=false"
        );
    }

    #[test]
    fn a_refusal_keeps_its_problems() {
        let error = Error::InvalidImport(vec![ImportProblem {
            file: "a.jsonl".to_owned(),
            line: Some(3),
            field: Some("label".to_owned()),
            message: "not text".to_owned(),
        }]);
        let text = serde_json::json!({ "error": error }).to_string();
        assert_eq!(read_answer::<ImportSummary>(422, &text), Err(ApiError::App(error)));
    }

    #[test]
    fn no_answer_is_an_error_of_transport() {
        assert!(read_answer::<ImportSummary>(0, "").is_err_and(|error| error.is_transport()));
        assert!(
            read_answer::<ImportSummary>(502, "<html>").is_err_and(|error| error.is_transport())
        );
    }
}
