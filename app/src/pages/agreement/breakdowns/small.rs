//! Small multiples: bars and lines that show at a glance what the numbers beside them say.

use domain::CourseBlock;

use crate::pages::components::{
    agreement::shares::{percent, share},
    prelude::*,
};

/// A bar as high as the share, in a frame as high as 1.
#[component]
pub(super) fn Bar(share: Option<f64>) -> impl IntoView {
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
pub(super) fn Course(blocks: Vec<CourseBlock>) -> impl IntoView {
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
