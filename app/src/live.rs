//! The live stream of a project's matrix, as signals. Nothing else opens a stream.

use crate::query;
use domain::{AgreementSnapshot, ProjectId, Switches};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::{EventSource, MessageEvent};

/// How fresh the numbers on screen are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Freshness {
    /// Connecting, or connecting again after a loss.
    #[default]
    CatchingUp,
    /// Every change arrives.
    Live,
    /// The stream is lost; the browser tries again by itself.
    Offline,
    /// The server has ended the stream for good: signed out, or no longer a member.
    Ended,
}

/// The address of the stream.
fn address(project: ProjectId, switches: Switches) -> String {
    format!("/events/projects/{project}/agreement?{}", query::write_switches(switches))
}

/// Follows the matrix that the page was rendered with: the stream replaces it by what is newer.
pub fn use_live_agreement(
    snapshot: RwSignal<AgreementSnapshot>,
) -> Signal<Freshness> {
    let freshness = RwSignal::new(Freshness::CatchingUp);
    let address = snapshot.with_untracked(|first| address(first.project, first.switches));
    Effect::new(move |_: Option<Option<StreamHandle>>| {
        StreamHandle::open(&address, snapshot, freshness)
    });
    freshness.into()
}

/// An open stream with its listeners; closed when dropped.
struct StreamHandle {
    source: send_wrapper::SendWrapper<Listening>,
}

struct Listening {
    source: EventSource,
    _opened: Closure<dyn FnMut()>,
    _failed: Closure<dyn FnMut()>,
    _told: Closure<dyn FnMut(MessageEvent)>,
}

impl StreamHandle {
    fn open(
        address: &str,
        snapshot: RwSignal<AgreementSnapshot>,
        freshness: RwSignal<Freshness>,
    ) -> Option<Self> {
        let source = EventSource::new(address).ok()?;
        let on_open = Closure::<dyn FnMut()>::new(move || freshness.set(Freshness::Live));
        source.set_onopen(Some(on_open.as_ref().unchecked_ref()));
        let failing = source.clone();
        let on_error = Closure::<dyn FnMut()>::new(move || {
            freshness.set(if failing.ready_state() == EventSource::CLOSED {
                Freshness::Ended
            } else {
                Freshness::Offline
            });
        });
        source.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        let on_snapshot = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            let Some(text) = event.data().as_string() else { return };
            let Ok(new) = serde_json::from_slice::<AgreementSnapshot>(text.as_bytes()) else {
                return;
            };
            freshness.set(Freshness::Live);
            if snapshot.with_untracked(|old| old.rank() < new.rank()) {
                snapshot.set(new);
            }
        });
        let listened = source
            .add_event_listener_with_callback("snapshot", on_snapshot.as_ref().unchecked_ref());
        listened.ok()?;
        Some(Self {
            source: send_wrapper::SendWrapper::new(Listening {
                source,
                _opened: on_open,
                _failed: on_error,
                _told: on_snapshot,
            }),
        })
    }
}

impl Drop for StreamHandle {
    fn drop(&mut self) {
        self.source.source.close();
    }
}
