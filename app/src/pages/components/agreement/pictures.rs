//! Small pictures of numbers: bars, intervals and courses that show at a glance what stands beside them
//! in words. Screen readers get the words.

use domain::CourseBlock;

use super::shares::{percent, share};
use crate::pages::components::prelude::*;

/// How far a share of a whole reaches, from nothing at the start to all of it.
#[component]
pub(crate) fn ShareBar(share: Option<f64>) -> impl IntoView {
    let width = share.map(|share| display::decimals(100.0 * share.clamp(0.0, 1.0), 1));
    view! {
        <svg class="share-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            <rect class="frame" width="100" height="4"/>
            {width.map(|width| view! { <rect class="value" width=width height="4"/> })}
        </svg>
    }
}

/// A value on its interval, from 0 at the start to 1 at the end; what lies below 0 stands at 0. There is
/// one in every cell of a matrix, so it is drawn with as little as it takes.
#[component]
pub(crate) fn IntervalBar(value: f64, interval: Option<(f64, f64)>) -> impl IntoView {
    let at = |number: f64| 100.0 * number.clamp(0.0, 1.0);
    let range = interval.map(|(lower, upper)| {
        let (x, width) = (at(lower), (at(upper) - at(lower)).max(1.0));
        let (x, width) = (display::decimals(x, 1), display::decimals(width, 1));
        view! { <path d=format!("M{x} 1h{width}v4h-{width}z")/> }
    });
    let x = display::decimals((at(value) - 1.0).clamp(0.0, 98.0), 1);
    view! {
        <svg class="interval-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
            {range}
            <path class="at" d=format!("M{x} 0h2v6h-2z")/>
        </svg>
    }
}

/// The size of a sparkline, in its own units.
const WIDTH: f64 = 120.0;
const HEIGHT: f64 = 28.0;

/// The course of a value that is 1 at most, with what happened meanwhile and what is to be reached.
#[component]
pub(crate) fn Sparkline(
    /// Places from 0 to 1, and the values there.
    points: Vec<(f64, f64)>,
    /// Places from 0 to 1, and what happened there.
    happened: Vec<(f64, String)>,
    #[prop(optional_no_strip)] target: Option<f64>,
    label: String,
) -> impl IntoView {
    let lowest = points.iter().map(|(_, value)| *value).chain(target).fold(0.6, f64::min);
    let y =
        |value: f64| display::decimals(2.0 + (HEIGHT - 4.0) * (1.0 - value) / (1.0 - lowest), 1);
    let x = |place: f64| display::decimals(WIDTH * place, 1);
    let line: Vec<_> =
        points.iter().map(|(place, value)| format!("{},{}", x(*place), y(*value))).collect();
    let words = happened.iter().map(|(_, words)| words.as_str());
    let label = [label.as_str()].into_iter().chain(words).collect::<Vec<_>>().join("; ");
    let happened = happened.into_iter().map(|(place, words)| {
        let d = format!("M{} 0V{HEIGHT}", x(place));
        view! { <path class="happened" d=d><title>{words}</title></path> }
    });
    let happened = happened.collect_view();
    let goal =
        target.map(|target| view! { <path class="goal" d=format!("M0 {}H{WIDTH}", y(target))/> });
    view! {
        <svg class="sparkline" viewBox=format!("0 0 {WIDTH} {HEIGHT}") preserveAspectRatio="none" role="img" aria-label=label>
            {goal}
            {happened}
            <polyline points=line.join(" ")/>
        </svg>
    }
}

/// A bar as high as the share, in a frame as high as 1.
#[component]
pub(crate) fn Bar(share: Option<f64>) -> impl IntoView {
    let bar = share.map(|share| {
        let height = 22.0 * share.clamp(0.0, 1.0);
        let (y, height) = (display::decimals(23.0 - height, 1), display::decimals(height, 1));
        view! { <rect class="value" x="1" y=y width="12" height=height/> }
    });
    view! {
        <svg class="bar" viewBox="0 0 14 24" width="14" height="24" aria-hidden="true" focusable="false">
            <rect class="frame" x="0.5" y="0.5" width="13" height="23"/>
            {bar}
        </svg>
    }
}

/// Agreement from block to block; blocks without a comparison leave a gap.
#[component]
pub(crate) fn Course(blocks: Vec<CourseBlock>) -> impl IntoView {
    let values: Vec<(usize, &CourseBlock, f64)> = blocks
        .iter()
        .enumerate()
        .filter_map(|(place, block)| {
            Some((place, block, share(block.agreements, block.comparisons)?))
        })
        .collect();
    let (Some(first), Some(last)) = (values.first(), values.last()) else {
        return view! { <span class="soft">"no comparison yet"</span> };
    };
    let words = if values.len() == 1 {
        percent(first.2)
    } else {
        format!("{} → {}", percent(first.2), percent(last.2))
    };
    let point = |place: usize, value: f64| {
        let x = 6 + 12 * place;
        (x.to_string(), display::decimals(26.0 - 22.0 * value, 1))
    };
    let line: Vec<_> = values
        .iter()
        .map(|(place, _, value)| {
            let (x, y) = point(*place, *value);
            format!("{x},{y}")
        })
        .collect();
    let dots: Vec<_> = values
        .iter()
        .map(|(place, block, value)| {
            let (x, y) = point(*place, *value);
            let title = format!(
                "documents {} to {}: {} of {}",
                block.from,
                block.to,
                percent(*value),
                display::count(block.comparisons, "comparison")
            );
            view! { <circle class="value" cx=x cy=y r="2.5"><title>{title}</title></circle> }
        })
        .collect();
    view! {
        <span class="course">
            <svg viewBox="0 0 124 30" width="124" height="30" aria-hidden="true" focusable="false">
                <path class="frame" d="M0 4H124M0 26H124"/>
                <polyline class="line" points=line.join(" ")/>
                {dots}
            </svg>
            <span class="number">{words}</span>
        </span>
    }
}
