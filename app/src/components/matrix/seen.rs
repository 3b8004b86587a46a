//! What has changed since somebody looked last: which pairs, by how much, and through whose saves.

use domain::{MemberId, Mover, ProjectId, Revision};
use leptos::{prelude::*, task::spawn_local};

use super::board::{Board, Changed};
use crate::{
    api::agreement::list_movers,
    display,
    view::{dynamic, view},
};

/// How many changed pairs are listed.
const LISTED: usize = 50;

/// How many pairs have changed; always there, so that nothing moves when the first one does.
#[component]
pub(crate) fn SeenLine(board: Board) -> impl IntoView {
    let changes = Memo::new(move |_| board.changes());
    let count = move || changes.with(Vec::len);
    let text = dynamic(move || words(count(), board.seen.with(|seen| seen.marked)));
    let is_open = RwSignal::new(false);
    let movers = RwSignal::new(Vec::new());
    ask_for_movers(board, is_open, movers);
    let list = dynamic(move || {
        (is_open.get() && count() > 0).then(|| {
            let rows = changes.with(|changes| {
                let shown = changes.iter().take(LISTED).cloned();
                shown.map(|changed| view! { <Row board changed movers=movers.into()/> }).collect_view()
            });
            view! { <ul class="plain-list changes card" aria-label="Pairs that have changed">{rows}</ul> }
        })
    });
    view! {
        <div class="seen">
            <p role="status" class="soft">{text}</p>
            <button
                type="button"
                class="small"
                aria-expanded=move || if is_open.get() { "true" } else { "false" }
                disabled=move || count() == 0
                on:click=move |_| is_open.update(|is_open| *is_open = !*is_open)
            >
                "What changed"
            </button>
            <button
                type="button"
                class="small"
                disabled=move || count() == 0
                on:click=move |_| board.mark_seen()
            >
                "Mark as seen"
            </button>
            {list}
        </div>
    }
}

/// Asks who has moved the numbers, as long as somebody reads it.
fn ask_for_movers(board: Board, is_open: RwSignal<bool>, movers: RwSignal<Vec<Mover>>) {
    let question: Memo<Option<(ProjectId, Revision, Revision)>> = Memo::new(move |_| {
        let (project, now) = board.shown.with(|shown| (shown.project, shown.revision));
        let since = board.seen_at()?;
        is_open.get().then_some((project, since, now))
    });
    Effect::new(move |_| {
        let Some((project, since, _)) = question.get() else { return };
        spawn_local(async move {
            // Offline the list stands without the names.
            if let Ok(found) = list_movers(project, since).await {
                movers.try_set(found);
            }
        });
    });
}

/// A pair that has changed: from what to what, and through whom.
#[component]
fn Row(board: Board, changed: Changed, movers: Signal<Vec<Mover>>) -> impl IntoView {
    let Changed { raters: (first, second), before, now, change } = changed;
    let value = |value: Option<f64>| {
        value.map_or_else(|| "–".to_owned(), |value| display::decimals(value, 2))
    };
    let difference = format!("{} {}", change.glyph(), change.text);
    let [before_n, now_n] = [before.n, now.n].map(display::thousands);
    let values = format!("{} → {}", value(before.value), value(now.measured.value()));
    let address = board.address(first.id, second.id);
    let names = [(first.id, first.name.clone()), (second.id, second.name.clone())];
    let through = dynamic(move || movers.with(|movers| through(movers, &names)));
    view! {
        <li>
            <a href=address><bdi>{first.name}</bdi>" × "<bdi>{second.name}</bdi></a>
            <span class="number">{values}</span>
            <span class="number">{difference}</span>
            <span class="number soft">{format!("n {before_n} → {now_n}")}</span>
            <span class="soft">{through}</span>
        </li>
    }
}

/// "through 3 saves of Ada": only the two of a pair can move it.
fn through(movers: &[Mover], pair: &[(MemberId, String); 2]) -> String {
    let saves: Vec<_> = movers
        .iter()
        .filter_map(|mover| {
            let (_, name) = pair.iter().find(|(id, _)| *id == mover.rater)?;
            Some(format!("{} of {name}", display::count(mover.saves, "save")))
        })
        .collect();
    if saves.is_empty() { String::new() } else { format!("through {}", saves.join(" and ")) }
}

/// "2 pairs have changed since you looked last."
fn words(changes: usize, marked: bool) -> String {
    let since = if marked { "since you marked them as seen" } else { "since you looked last" };
    match u64::try_from(changes).unwrap_or(u64::MAX) {
        0 => format!("Nothing has changed {since}."),
        1 => format!("1 pair has changed {since}."),
        n => format!("{} have changed {since}.", display::count(n, "pair")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_counted_from_the_last_look_or_the_last_mark() {
        assert_eq!(words(0, false), "Nothing has changed since you looked last.");
        assert_eq!(words(1, false), "1 pair has changed since you looked last.");
        assert_eq!(words(12, true), "12 pairs have changed since you marked them as seen.");
    }

    #[test]
    fn a_change_is_put_down_to_the_two_of_the_pair_only() {
        let at = chrono::DateTime::UNIX_EPOCH;
        let mover = |id, saves| Mover { rater: MemberId(id), saves, at };
        let pair = [(MemberId(1), "Ada".to_owned()), (MemberId(2), "Ben".to_owned())];
        assert_eq!(through(&[mover(3, 9), mover(1, 1)], &pair), "through 1 save of Ada");
        assert_eq!(
            through(&[mover(2, 4), mover(1, 2)], &pair),
            "through 4 saves of Ben and 2 saves of Ada"
        );
        assert_eq!(through(&[mover(3, 9)], &pair), "");
    }
}
