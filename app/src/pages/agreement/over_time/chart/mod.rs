//! The curve: all days up to each with their interval as a band, each day alone as a span, the
//! scale behind, and a line where guidelines or rounds changed. The table below says the same.

mod places;

use domain::{Confidence, DayPoint, ScaleChoice, Target, TimeValue, TimeView};

use self::places::{BOTTOM, HEIGHT, LEFT, Places, RIGHT, TOP, WIDTH, at};
use crate::pages::components::{
    agreement::matrix::band::{Band, published},
    prelude::*,
};

/// The chart with its legend.
#[component]
pub(super) fn Chart(
    view: TimeView,
    /// What the line is to reach, if this is the number that is meant.
    target: Option<Target>,
) -> impl IntoView {
    let places = Places::of(&view);
    let switches = view.switches;
    let name = naming::several_measure(switches.measure, switches.subject);
    let label = format!(
        "{name} trend, {}: {}. The table by day has every number.",
        naming::time_subject(switches.subject).to_lowercase(),
        summary(&view.days),
    );
    let bounds = format!("0 0 {WIDTH} {HEIGHT}");
    view! {
        <figure class="time-chart stack tight">
            <div class="scroll-x" role="region" tabindex="0" aria-label="Chart">
                <svg viewBox=bounds role="img" aria-label=label>
                    {scale(&places, switches.scale)}
                    {axes(&places)}
                    {target.map(|target| goal(&places, target))}
                    {markers(&places, &view)}
                    {curve(&places, &view.days)}
                    {points(&places, &view.days)}
                </svg>
            </div>
            <figcaption class="soft legend">
                <span><svg class="key" viewBox="0 0 24 12" aria-hidden="true"><rect class="interval" y="1" width="24" height="10"/><path class="line" d="M0 6H24"/><circle class="point" cx="12" cy="6" r="3"/></svg>"all days until this one, 95 % interval"</span>
                <span><svg class="key" viewBox="0 0 24 12" aria-hidden="true"><path class="whisker" d="M12 0V12"/><path class="day" d="M12 2l4 4-4 4-4-4z"/></svg>"this day alone"</span>
                <span><svg class="key" viewBox="0 0 24 12" aria-hidden="true"><path class="marker round" d="M12 0V12"/></svg>"R: new round"</span>
                <span><svg class="key" viewBox="0 0 24 12" aria-hidden="true"><path class="marker version" d="M12 0V12"/></svg>"G: new guidelines"</span>
            </figcaption>
        </figure>
    }
}

/// "0.71 after 8 days, 2026-11-11 to 2026-11-20".
fn summary(days: &[DayPoint]) -> String {
    let (Some(first), Some(last)) = (days.first(), days.last()) else {
        return "nothing yet".to_owned();
    };
    let count = u64::try_from(days.len()).unwrap_or(u64::MAX);
    let value = display::coefficient(last.up_to.measured);
    let confidence = display::confidence_in_full(last.up_to.confidence);
    format!(
        "{value}, {confidence}, after {}, {} to {}",
        display::count(count, "day"),
        first.day,
        last.day
    )
}

/// The bands of the scale with their words.
fn scale(places: &Places, choice: ScaleChoice) -> AnyView {
    let width = RIGHT - LEFT;
    published(choice)
        .bands
        .iter()
        .filter_map(|band| {
            let (from, to) = (band.from.max(places.lowest), band.to.min(1.0));
            // The highest band ends above 1, where no value lies.
            let (top, bottom) = (places.y(to), places.y(from));
            (from < to).then(|| {
                let class = format!("scale {}", Band::of(from, choice).class);
                let (x, y) = (RIGHT + 8.0, f64::midpoint(top, bottom) + 4.0);
                let word = (bottom - top > 14.0).then(|| {
                    view! { <text class="scale-word" x=at(x) y=at(y)>{band.word}</text> }
                });
                view! {
                    <rect class=class x=at(LEFT) y=at(top) width=at(width) height=at(bottom - top)/>
                    {word}
                }
            })
        })
        .collect_view()
        .into_any()
}

/// Values at the left, days below.
fn axes(places: &Places) -> AnyView {
    let values = places.value_ticks().into_iter().map(|value| {
        let y = places.y(value);
        view! {
            <path class="grid" d=format!("M{} {}H{}", at(LEFT), at(y), at(RIGHT))/>
            <text x=at(LEFT - 8.0) y=at(y + 4.0) text-anchor="end">{display::decimals(value, 1)}</text>
        }
    });
    let days = places.day_ticks().into_iter().map(|day| {
        let x = places.x(day);
        view! {
            <path class="tick" d=format!("M{} {}v5", at(x), at(BOTTOM))/>
            <text x=at(x) y=at(BOTTOM + 20.0) text-anchor="middle">{day.format("%b %-d").to_string()}</text>
        }
    });
    view! { {values.collect_view()} {days.collect_view()} }
}

/// The value to reach.
fn goal(places: &Places, target: Target) -> AnyView {
    let y = places.y(target.at_least);
    let words = format!("target {}", display::decimals(target.at_least, 2));
    view! {
        <path class="goal" d=format!("M{} {}H{}", at(LEFT), at(y), at(RIGHT))/>
        <text class="goal-word" x=at(LEFT + 6.0) y=at(y - 5.0)>{words}</text>
    }
}

/// Where rounds began and guidelines changed. What begins together is one line with two signs.
fn markers(places: &Places, view: &TimeView) -> AnyView {
    places
        .markers(view)
        .into_iter()
        .map(|marker| {
            let class =
                if marker.is_round { "marker round" } else { "marker version" };
            let x = marker.x;
            view! {
                <g>
                    <title>{marker.title}</title>
                    <path class=class d=format!("M{} {}V{}", at(x), at(TOP), at(BOTTOM))/>
                    <text class="marker-word" x=at(x) y=at(TOP - 6.0) text-anchor="middle">{marker.sign}</text>
                </g>
            }
        })
        .collect_view()
        .into_any()
}

/// The band of intervals, the line of values, and a point for each day.
fn curve(places: &Places, days: &[DayPoint]) -> AnyView {
    let points = days.iter().filter_map(|point| {
        let (x, y) = (places.x(point.day), places.y(point.up_to.measured.value()?));
        let title = format!("until {}: {}", point.day, value_words(&point.up_to));
        Some(view! { <circle class="point" cx=at(x) cy=at(y) r="3.5"><title>{title}</title></circle> })
    });
    view! {
        <path class="interval" d=places.band(days)/>
        <path class="line" d=places.line(days)/>
        {points.collect_view()}
    }
}

/// Each day alone: a diamond on a whisker.
fn points(places: &Places, days: &[DayPoint]) -> AnyView {
    days.iter()
        .filter_map(|point| {
            let (x, y) = (places.x(point.day), places.y(point.of_day.measured.value()?));
            let whisker = match point.of_day.confidence {
                Confidence::Interval { lower, upper } => {
                    Some(format!("M{} {}V{}", at(x), at(places.y(lower)), at(places.y(upper))))
                }
                Confidence::Pending | Confidence::None(_) => None,
            };
            let title = format!("{} alone: {}", point.day, value_words(&point.of_day));
            let diamond = format!("M{} {}l5 5-5 5-5-5z", at(x), at(y - 5.0));
            Some(view! {
                <g>
                    <title>{title}</title>
                    {whisker.map(|d| view! { <path class="whisker" d=d/> })}
                    <path class="day" d=diamond/>
                </g>
            })
        })
        .collect_view()
        .into_any()
}

/// "0.71, 95 % interval 0.66 to 0.75, 412 positions, 12 documents".
fn value_words(value: &TimeValue) -> String {
    format!(
        "{}, {}, {}, {}",
        display::coefficient(value.measured),
        display::confidence_in_full(value.confidence),
        display::count(value.n, "position"),
        display::count(value.documents, "document"),
    )
}
