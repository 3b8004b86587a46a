//! Who said what on a position, and why it is gold: in words.

use domain::{
    GoldPosition, Label, MemberId, OpenReason, Provenance, Rater, Ruling, Verdict, Voice,
};

use crate::pages::components::prelude::*;

/// Labels by name as chips; in their colour where the label set still has the name.
pub(super) fn chips(names: &[String], labels: &[Label]) -> AnyView {
    let chips: Vec<_> = names
        .iter()
        .map(|name| {
            let known = labels.iter().find(|label| label.name == *name);
            let class = known.map_or_else(
                || "chip".to_owned(),
                |label| format!("chip colour-{}", label.colour.index()),
            );
            view! { <span class=class dir="auto">{name.clone()}</span> }
        })
        .collect();
    view! { <span class="chips">{chips}</span> }
}

/// What each rater said; who said the same stands together.
pub(super) fn voices(voices: &[Voice], raters: &[Rater], labels: &[Label]) -> AnyView {
    let mut groups: Vec<(&[String], Vec<MemberId>)> = Vec::new();
    for Voice { rater, labels } in voices {
        match groups.iter_mut().find(|(said, _)| said == labels) {
            Some((_, who)) => who.push(*rater),
            None => groups.push((labels, vec![*rater])),
        }
    }
    let items: Vec<_> = groups
        .into_iter()
        .map(|(said, who)| {
            let said = if said.is_empty() {
                view! { <span class="soft">"nothing"</span> }
            } else {
                chips(said, labels)
            };
            view! { <li>{said}{people(&who, raters)}</li> }
        })
        .collect();
    view! { <ul class="judgements">{items}</ul> }
}

fn people(who: &[MemberId], raters: &[Rater]) -> AnyView {
    let names: Vec<_> = who
        .iter()
        .map(|id| {
            let name = naming::rater(*id, raters);
            if name.is_empty() { "former member".to_owned() } else { name }
        })
        .collect();
    view! { <bdi class="names">{names.join(", ")}</bdi> }
}

/// Where a span comes from.
pub(super) fn provenance(position: &GoldPosition, raters: &[Rater], labels: &[Label]) -> AnyView {
    match &position.provenance {
        Provenance::Unanimous { among } => {
            let n = u64::try_from(among.len()).unwrap_or(u64::MAX);
            view! {
                <span>{format!("Unanimous among {}", display::count(n, "labeler"))}</span>
                " "{people(among, raters)}
            }
        }
        Provenance::Decided(ruling) => {
            let Ruling { by, verdict, at, note, judged, others } = ruling;
            let verb = match verdict {
                Verdict::Accept => "Accepted",
                Verdict::Relabel => "Relabelled",
                Verdict::Reject => "Rejected",
                Verdict::Add => "Added",
            };
            let why = (!note.is_empty())
                .then(|| view! { <span class="why" dir="auto">{note.clone()}</span> });
            let on = (!judged.is_empty()).then(|| {
                view! { <span class="soft">"Labelers said"</span>{voices(judged, raters, labels)} }
            });
            let others = (!others.is_empty()).then(|| {
                let others: Vec<_> = others
                    .iter()
                    .map(|voice| {
                        let said = if voice.labels.is_empty() {
                            view! { <span class="badge warn">"rejected"</span> }
                        } else {
                            chips(&voice.labels, labels)
                        };
                        view! { <li>{said}{people(&[voice.rater], raters)}</li> }
                    })
                    .collect();
                view! {
                    <span class="soft">"Earlier decision"</span>
                    <ul class="judgements">{others}</ul>
                }
            });
            view! {
                <span>{verb}" by "{people(&[*by], raters)}</span>
                <span class="soft by">
                    <Moment at=*at/>
                </span>
                {why}
                {on}
                {others}
            }
        }
    }
}

/// Why a position is open, in a sentence.
pub(super) const fn reason(reason: OpenReason) -> (&'static str, &'static str) {
    match reason {
        OpenReason::Conflict => ("≠", "Different labels."),
        OpenReason::OneSided => ("◐", "Labelled by some only."),
        OpenReason::Waiting => ("…", "Not all labelers have finished."),
    }
}
