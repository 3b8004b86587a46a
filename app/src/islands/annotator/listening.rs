//! What the annotate page listens to besides its own elements: keys, and the comings and goings
//! of the window and the network.

use leptos::{ev, leptos_dom::helpers::WindowListenerHandle, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, VisibilityState};

use super::{editor::Editor, saving::saver::Saver};
use crate::islands::editor::{
    keys::{Command, Press, command},
    text_view::{focus_text, is_idle},
};

/// Elements in which keys are text.
const TYPING: &str = "input, textarea, select, [contenteditable]";

/// What keys belong to while it is there, wherever the focus is.
const IN_FRONT: &str = "dialog[open]";

/// Elements that Enter activates.
const ACTING: &str = "a, button, summary";

/// Listens as long as the page is there; saves what is left when it goes.
pub(crate) fn listen(editor: Editor) {
    let saver = editor.saver.get_value();
    let destination = saver.destination.clone();
    Effect::new(move |_| {
        if let Some(path) = destination.get() {
            drop(window().location().assign(&path));
        }
    });
    Effect::new(move |_| {
        editor.sync.track();
        editor.show_unfit();
    });
    Effect::new(move |_| {
        editor.take_up(true);
        // A page that was navigated to is built first and put into the document later.
        request_animation_frame(|| {
            if is_idle() {
                focus_text();
            }
        });
        let saver = editor.saver.get_value();
        let handles = [
            window_event_listener(ev::keydown, move |event| key(editor, &event)),
            window_event_listener(ev::beforeunload, {
                let saver = saver.clone();
                move |event| {
                    if !saver.is_settled() {
                        saver.flush_last();
                        // On the way to signing in: the log brings all of it back.
                        if !saver.may_go() {
                            event.prevent_default();
                        }
                    }
                }
            }),
            window_event_listener(ev::online, {
                let saver = saver.clone();
                move |_| saver.retry()
            }),
            window_event_listener(ev::focus, {
                let saver = saver.clone();
                move |_| {
                    editor.take_up(false);
                    saver.retry();
                }
            }),
            window_event_listener(ev::blur, {
                let saver = saver.clone();
                move |_| saver.flush()
            }),
            window_event_listener(ev::visibilitychange, move |_| came_or_went(&saver)),
        ];
        on_cleanup(move || handles.into_iter().for_each(WindowListenerHandle::remove));
    });
    on_cleanup(move || saver.flush_last());
}

fn came_or_went(saver: &Saver) {
    if document().visibility_state() == VisibilityState::Visible {
        saver.retry();
    } else {
        saver.flush_last();
    }
}

/// Does what a key says, unless it is typed into a field or meant for a button.
pub(crate) fn key(editor: Editor, event: &KeyboardEvent) {
    if event.default_prevented() || event.is_composing() {
        return;
    }
    let press = Press {
        key: &event.key(),
        code: &event.code(),
        ctrl: event.ctrl_key() || event.meta_key(),
        alt: event.alt_key(),
        shift: event.shift_key(),
    };
    let found = editor.view.with_value(|view| command(press, &view.labels, &view.keys));
    let Some(found) = found else { return };
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_inside = |selector: &str| {
        target.as_ref().is_some_and(|target| matches!(target.closest(selector), Ok(Some(_))))
    };
    let is_behind = matches!(document().query_selector(IN_FRONT), Ok(Some(_)));
    if is_behind || is_inside(TYPING) || (found == Command::Enter && is_inside(ACTING)) {
        return;
    }
    if editor.run(found) {
        event.prevent_default();
    }
}
