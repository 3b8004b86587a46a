//! The list of keys.

use leptos::prelude::*;

use super::{editor::Editor, shortcuts::HELP};
use crate::islands::dialog::Dialog;
use crate::view::view;

#[component]
pub(crate) fn KeyHelp(editor: Editor) -> impl IntoView {
    let close = Callback::new(move |()| editor.helps.set(false));
    view! {
        <Dialog id="key-help" title="Keys" open=editor.helps on_close=close>
            <div class="row">
                <button type="button" on:click=move |_| close.run(())>"Close"</button>
            </div>
            <p class="soft">
                "On a Mac, Command does what Ctrl does here. A label's own key comes first where it is also a key of this list."
            </p>
            {HELP
                .into_iter()
                .map(|(title, keys)| {
                    view! {
                        <h3>{title}</h3>
                        <table class="rows keys">
                            <tbody>
                                {keys
                                    .iter()
                                    .map(|(key, does)| {
                                        view! {
                                            <tr>
                                                <th scope="row">{*key}</th>
                                                <td>{*does}</td>
                                            </tr>
                                        }
                                    })
                                    .collect_view()}
                            </tbody>
                        </table>
                    }
                })
                .collect_view()}
        </Dialog>
    }
}
