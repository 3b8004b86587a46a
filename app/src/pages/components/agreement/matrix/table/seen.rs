//! What has changed since somebody looked last: the page's script remembers what was seen, marks
//! what is different, and lists which pairs moved, by how much and through whose saves.

use server_fn::ServerFn;

use super::board::Board;
use crate::{api::agreement::ListMovers, pages::components::prelude::*, query::write_switches};

/// The line that says how many pairs have changed; always there, so that nothing moves when the
/// first one does.
pub(crate) fn seen(board: &Board) -> AnyView {
    let name = format!("concord.seen.{}", board.snapshot.project);
    let switches = board.snapshot.switches.without_scale();
    view! {
        <div
            class="seen"
            data-seen=name
            data-switches=write_switches(switches)
            data-project=board.snapshot.project.to_string()
            data-revision=board.snapshot.revision.to_string()
            data-movers=ListMovers::url()
        >
            <p role="status" class="soft" data-own="" data-seen-count="">"No changes since your last visit."</p>
            <button type="button" class="small" aria-expanded="false" data-own="" data-seen-list="" disabled>
                "What changed"
            </button>
            <button type="button" class="small" data-own="" data-seen-mark="" disabled>"Mark as seen"</button>
            <ul class="plain-list changes card" aria-label="Changed pairs" data-own="" hidden></ul>
        </div>
    }
}
