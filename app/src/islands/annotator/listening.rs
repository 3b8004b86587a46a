//! What the annotate page listens to besides its own elements: keys, and the comings and goings
//! of the window and the network.

use leptos::{ev, leptos_dom::helpers::WindowListenerHandle, prelude::*};
use web_sys::{KeyboardEvent, VisibilityState};

use super::{editor::Editor, saving::saver::Saver};
use crate::islands::editor::{
    keys::{is_inside, table::Command},
    text_view::{focus_text, is_idle},
};

/// Elements that Enter activates.
const ACTING: &str = "a, button, summary, input";

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

/// Does what a key says, unless it is meant for a button.
pub(crate) fn key(editor: Editor, event: &KeyboardEvent) {
    let found = editor.view.with_value(|view| editor.keyboard.command_of(event, &view.labels));
    let is_free = |command: &Command| *command != Command::Enter || !is_inside(event, ACTING);
    if found.filter(is_free).is_some_and(|command| editor.run(command)) {
        event.prevent_default();
    }
}
