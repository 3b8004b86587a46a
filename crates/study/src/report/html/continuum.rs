//! Units on their continuum as a picture: a lane a rater, a bar a unit. Beside it, the same units
//! as a list, for whoever does not see the picture.

use std::io::{self, Write};

use super::super::sheet::Drawing;
use super::super::{Lane, LaneUnit};
use super::Escaped;

/// More units than these make no picture.
const MOST_UNITS: usize = 2_000;
/// More units than these are not listed.
const MOST_LISTED: usize = 200;
/// How many colours there are for categories; then they come again.
const COLOURS: usize = 12;

/// The width of all, and where the continuum begins and ends within it.
const WIDTH: f64 = 960.0;
const LEFT: f64 = 8.0;
const SPAN: f64 = 944.0;
/// The heights of a rater's name, of a bar with the space below it, and of a bar.
const NAME: f64 = 22.0;
const ROW: f64 = 26.0;
const BAR: f64 = 22.0;
/// About how wide a letter is, to tell which names fit into their bars.
const LETTER: f64 = 7.5;

pub(super) fn draw(drawing: &Drawing<'_>, out: &mut impl Write) -> io::Result<()> {
    let units: usize = drawing.lanes.iter().map(|lane| lane.units.len()).sum();
    if units > MOST_UNITS {
        return writeln!(
            out,
            "<p class=\"note\">{units} units are too many to draw; see the JSON.</p>"
        );
    }
    legend(drawing, out)?;
    picture(drawing, units, out)?;
    if units <= MOST_LISTED { list(drawing, out) } else { Ok(()) }
}

fn legend(drawing: &Drawing<'_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<ul class=\"legend\">")?;
    for (place, name) in drawing.categories.iter().enumerate() {
        let (colour, name) = (place % COLOURS, Escaped(name));
        writeln!(out, "<li class=\"chip colour-{colour}\"><bdi>{name}</bdi></li>")?;
    }
    writeln!(out, "</ul>")
}

fn picture(drawing: &Drawing<'_>, units: usize, out: &mut impl Write) -> io::Result<()> {
    let lanes: Vec<Vec<Vec<&LaneUnit>>> = drawing.lanes.iter().map(rows).collect();
    let height: f64 = lanes.iter().map(|rows| NAME + ROW * count(rows.len().max(1))).sum();
    let all = height + NAME;
    writeln!(
        out,
        "<div class=\"scroll\" role=\"group\" aria-label=\"Continuum\" tabindex=\"0\">\n\
         <svg class=\"continuum\" width=\"{WIDTH}\" height=\"{all}\" viewBox=\"0 0 {WIDTH} {all}\" \
         role=\"img\" aria-label=\"{units} units of {} raters from {} to {}\">",
        drawing.lanes.len(),
        drawing.ends.0,
        drawing.ends.1,
    )?;
    let mut top = 0.0;
    for (lane, rows) in drawing.lanes.iter().zip(&lanes) {
        let (rater, baseline) = (Escaped(&lane.rater), top + NAME - 7.0);
        writeln!(out, "<text class=\"rater\" x=\"{LEFT}\" y=\"{baseline}\">{rater}</text>")?;
        top += NAME;
        let tall = ROW * count(rows.len().max(1));
        writeln!(
            out,
            "<rect class=\"lane\" x=\"{LEFT}\" y=\"{top}\" width=\"{SPAN}\" height=\"{}\"/>",
            tall - 4.0
        )?;
        for row in rows {
            for unit in row {
                bar(drawing, unit, top, out)?;
            }
            top += ROW;
        }
        if rows.is_empty() {
            top += ROW;
        }
    }
    let baseline = top + NAME - 7.0;
    let (begin, end) = drawing.ends;
    writeln!(out, "<text class=\"end\" x=\"{LEFT}\" y=\"{baseline}\">{begin}</text>")?;
    let right = LEFT + SPAN;
    writeln!(
        out,
        "<text class=\"end\" x=\"{right}\" y=\"{baseline}\" text-anchor=\"end\">{end}</text>\n\
         </svg></div>"
    )
}

fn bar(drawing: &Drawing<'_>, unit: &LaneUnit, top: f64, out: &mut impl Write) -> io::Result<()> {
    let name = drawing.categories.get(unit.category).map_or("", String::as_str);
    let (from, to) = (place(drawing, unit.start), place(drawing, unit.end));
    let wide = (to - from).max(1.0);
    let colour = unit.category % COLOURS;
    let (start, end, title) = (unit.start, unit.end, Escaped(name));
    write!(
        out,
        "<g class=\"colour-{colour}\"><title>{title}, {start}–{end}</title>\
         <rect class=\"unit\" x=\"{from:.2}\" y=\"{top}\" width=\"{wide:.2}\" height=\"{BAR}\"/>"
    )?;
    if LETTER * count(name.chars().count() + 1) <= wide {
        let (x, y) = (from + 4.0, top + 15.0);
        write!(out, "<text class=\"category\" x=\"{x:.2}\" y=\"{y}\">{title}</text>")?;
    }
    writeln!(out, "</g>")
}

fn list(drawing: &Drawing<'_>, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "<details><summary>The units as a list</summary>\n\
         <div class=\"scroll\" role=\"group\" aria-label=\"Units\" tabindex=\"0\">\
         <table class=\"rows\">\n<thead><tr><th scope=\"col\">rater</th>\
         <th scope=\"col\" class=\"number\">start</th><th scope=\"col\" class=\"number\">end</th>\
         <th scope=\"col\">category</th></tr></thead>\n<tbody>"
    )?;
    for lane in drawing.lanes {
        for LaneUnit { start, end, category } in &lane.units {
            let name = drawing.categories.get(*category).map_or("", String::as_str);
            let (rater, name) = (Escaped(&lane.rater), Escaped(name));
            writeln!(
                out,
                "<tr><th scope=\"row\" dir=\"auto\">{rater}</th><td class=\"number\">{start}</td>\
                 <td class=\"number\">{end}</td><td dir=\"auto\">{name}</td></tr>"
            )?;
        }
    }
    writeln!(out, "</tbody>\n</table></div></details>")
}

/// The units of a lane in as few rows as can be, so that none lies on another.
fn rows(lane: &Lane) -> Vec<Vec<&LaneUnit>> {
    let mut rows: Vec<Vec<&LaneUnit>> = Vec::new();
    for unit in &lane.units {
        let is_free =
            |row: &&mut Vec<&LaneUnit>| row.last().is_none_or(|last| last.end <= unit.start);
        match rows.iter_mut().find(is_free) {
            Some(row) => row.push(unit),
            None => rows.push(vec![unit]),
        }
    }
    rows
}

/// Where a point of the continuum lies in the picture.
#[expect(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "a hundredth of a pixel will do"
)]
fn place(drawing: &Drawing<'_>, point: u64) -> f64 {
    let (begin, end) = drawing.ends;
    let length = end.saturating_sub(begin).max(1);
    LEFT + SPAN * (point.saturating_sub(begin) as f64 / length as f64).min(1.0)
}

/// A small number, to compute with.
fn count(number: usize) -> f64 {
    u32::try_from(number).map_or(f64::from(u32::MAX), f64::from)
}
