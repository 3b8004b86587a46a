//! A pair's value, large, with what it rests on.

use domain::{
    FEW, Measure, Measured, PairView, PositionKind, PositionOutcome, PositionQuery, Whose,
};

use crate::pages::components::{
    agreement::{
        counted::Counted,
        matrix::{band::Band, table::face::few_words},
    },
    prelude::*,
};

/// Value, word, n, coverage, observed and expected agreement.
#[component]
pub(crate) fn PairSummary(pair: PairView) -> impl IntoView {
    let PairView { project, first, second, cell, switches, .. } = pair;
    let few = few_words(&cell).map(|_| {
        view! { <p class="caution"><span class="few">"few"</span>{format!(" Fewer than {FEW} judged: each moves the value a lot.")}</p> }
    });
    let study = switches.policy.check_common().is_err().then(|| {
        let file = query::study_file(project, switches, Some((first.id, second.id)));
        view! { <p><a download="" rel="external" href=file>"Download as a study"</a></p> }
    });
    let (value, agreement) = match cell.measured {
        Measured::Value { value, observed, expected } => {
            let word = Band::claimed(cell.confidence, switches.scale).map(Band::badge);
            (
                view! {
                    <p class="big">
                        <span class="symbol">{symbol(switches.measure)}" = "</span>
                        <span class="number">{display::decimals(value, 4)}</span>
                        {word}
                    </p>
                },
                takes_chance_off(switches.measure).then(|| {
                    view! {
                        <Fact name="Observed agreement" value=display::decimals(observed, 4)/>
                        <Fact name="Expected by chance" value=display::decimals(expected, 4)/>
                    }
                }),
            )
        }
        Measured::Undefined(reason) => (
            view! {
                <p class="big">
                    <span class="symbol">{symbol(switches.measure)}" = "</span>
                    <span class="number">"–"</span>
                </p>
                <p class="reason">{format!("No value: {}.", reason.sentence())}</p>
            },
            None,
        ),
    };
    let coverage = cell.coverage;
    let counted = |outcome, count, of: &str| {
        let all = PositionQuery::of(Whose::Pair(first.id, second.id), switches);
        let query = PositionQuery { outcome, ..all };
        view! { <Counted project count query of=of.to_owned()/> }
    };
    let n = counted(PositionOutcome::Any, cell.n, "counted positions");
    let both = counted(PositionOutcome::Both, coverage.both, "positions both judged");
    let noun = naming::position(switches.policy.positions());
    let all = format!(" of {}", display::count(coverage.positions(), noun));
    let only_first = counted(PositionOutcome::OnlyFirst, coverage.only_first, "positions");
    let only_second = counted(PositionOutcome::OnlySecond, coverage.only_second, "positions");
    let interval = cell.measured.value().map(|_| {
        view! { <Fact name="95 % interval" value=display::confidence(cell.confidence)/> }
    });
    view! {
        <section class="card pair-summary" aria-label="Value">
            {value}
            {few}
            <dl class="facts">
                <div><dt>{counted_name(switches.policy.positions())}</dt><dd class="number">{n}</dd></div>
                {agreement}
                {interval}
                <div><dt>"Judged by both"</dt><dd class="number">{both}{all}</dd></div>
                <div><dt>"Only by "<bdi>{first.name}</bdi></dt><dd class="number">{only_first}</dd></div>
                <div><dt>"Only by "<bdi>{second.name}</bdi></dt><dd class="number">{only_second}</dd></div>
                <Fact name="Documents compared" value=display::thousands(cell.documents)/>
            </dl>
            {study}
        </section>
    }
}

#[component]
fn Fact(name: &'static str, value: String) -> impl IntoView {
    view! { <div><dt>{name}</dt><dd class="number">{value}</dd></div> }
}

/// What n is called.
const fn counted_name(kind: PositionKind) -> &'static str {
    match kind {
        PositionKind::Exact | PositionKind::Overlapping => "Positions counted (n)",
        PositionKind::Tokens => "Tokens counted (n)",
    }
}

const fn symbol(measure: Measure) -> &'static str {
    match measure {
        Measure::Kappa => "κ",
        Measure::WeightedKappa => "κ_w",
        Measure::Alpha
        | Measure::AlphaOrdinal
        | Measure::AlphaInterval
        | Measure::AlphaRatio
        | Measure::AlphaMasi => "α",
        Measure::Ac2 => "AC2",
        Measure::Icc1
        | Measure::IccA1
        | Measure::IccC1
        | Measure::IccK
        | Measure::IccAk
        | Measure::IccCk => "ICC",
        Measure::Pi => "π",
        Measure::S => "S",
        Measure::Ac1 => "AC1",
        Measure::Percent => "p",
        Measure::F1 => "F1",
    }
}

/// Whether a measure has an agreement by chance.
const fn takes_chance_off(measure: Measure) -> bool {
    !matches!(measure, Measure::Percent | Measure::F1) && !measure.is_correlation()
}
