//! The matrix as a picture: a heat map in SVG, for slides and papers.

use std::fmt::Write;

use crate::report::xml::escaped;

/// A heat map of raters by raters.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// What the picture is of, in a line.
    pub title: String,
    /// What it rests on, in a line.
    pub subtitle: String,
    /// Their names, in the order of rows and columns.
    pub raters: Vec<String>,
    /// By row, then column; none where a rater meets themselves.
    pub cells: Vec<Vec<Option<HeatCell>>>,
    /// Shade and word of every band, the lowest first.
    pub bands: Vec<(u8, String)>,
}

/// A cell of a heat map.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatCell {
    /// "0.54", "–".
    pub value: String,
    /// "0.41 to 0.67"; may be empty.
    pub interval: String,
    /// "n=6"; may be empty.
    pub basis: String,
    /// The shade from 0, none, to 5, the darkest; none where there is no value.
    pub shade: Option<u8>,
}

/// The shades: steps of one colour that differ in lightness, so that a print in grey has them too.
const SHADES: [&str; 6] = ["#ffffff", "#f1f6fc", "#ddeaf8", "#c4dbf3", "#a9caec", "#8cb7e3"];

const CELL: usize = 96;
const ROW: usize = 56;
const HEAD: usize = 150;
const TOP: usize = 110;
/// Names longer than this are cut off.
const NAME: usize = 18;

/// The picture. Texts are escaped; there is nothing in it that runs or is loaded.
pub fn heat_map_svg(map: &HeatMap) -> String {
    let width = HEAD + map.raters.len() * CELL + 20;
    let height = TOP + map.raters.len() * ROW + 50;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" fill=\"#14181f\">\n"
    );
    // Writing to a string cannot fail.
    let mut line = |text: String| {
        let _ = writeln!(svg, "{text}");
    };
    line(format!("<title>{}</title>", escaped(&map.title)));
    line(format!("<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"));
    line(text((16, 30), 18, "font-weight=\"600\"", &map.title));
    line(text((16, 52), 12, "fill=\"#4d5665\"", &map.subtitle));
    for (place, name) in map.raters.iter().enumerate() {
        let (x, y) = (HEAD + place * CELL + CELL / 2, TOP + place * ROW + ROW / 2 + 4);
        line(text((x, TOP - 12), 12, "text-anchor=\"middle\"", &short(name)));
        line(text((HEAD - 10, y), 12, "text-anchor=\"end\"", &short(name)));
    }
    for (row, cells) in map.cells.iter().enumerate() {
        for (column, cell) in cells.iter().enumerate() {
            let (x, y) = (HEAD + column * CELL, TOP + row * ROW);
            let shade = cell.as_ref().and_then(|cell| cell.shade);
            let fill = shade.and_then(|shade| SHADES.get(usize::from(shade))).unwrap_or(&"#f5f6f8");
            line(format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{ROW}\" fill=\"{fill}\" \
                 stroke=\"#868f9c\" stroke-width=\"0.5\"/>"
            ));
            let Some(cell) = cell else { continue };
            let middle = x + CELL / 2;
            let bold = "text-anchor=\"middle\" font-weight=\"600\"";
            line(text((middle, y + 20), 15, bold, &cell.value));
            line(text((middle, y + 35), 10, "text-anchor=\"middle\"", &cell.interval));
            line(text((middle, y + 48), 10, "text-anchor=\"middle\"", &cell.basis));
        }
    }
    let below = TOP + map.raters.len() * ROW + 18;
    for (place, (shade, word)) in map.bands.iter().enumerate() {
        let x = 16 + place * 140;
        let fill = SHADES.get(usize::from(*shade)).unwrap_or(&"#ffffff");
        line(format!(
            "<rect x=\"{x}\" y=\"{below}\" width=\"14\" height=\"14\" fill=\"{fill}\" \
             stroke=\"#868f9c\"/>"
        ));
        line(text((x + 20, below + 12), 11, "", word));
    }
    svg.push_str("</svg>\n");
    svg
}

fn text((x, y): (usize, usize), size: usize, attributes: &str, words: &str) -> String {
    let words = escaped(words);
    format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" {attributes}>{words}</text>")
}

fn short(name: &str) -> String {
    if name.chars().count() <= NAME {
        return name.to_owned();
    }
    name.chars().take(NAME - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(name: &str) -> HeatMap {
        let cell = HeatCell {
            value: "0.54".to_owned(),
            interval: "0.41 to 0.67".to_owned(),
            basis: "n=6".to_owned(),
            shade: Some(3),
        };
        HeatMap {
            title: "κ of Hamlet".to_owned(),
            subtitle: "cleaned".to_owned(),
            raters: vec![name.to_owned(), "Ben".to_owned()],
            cells: vec![vec![None, Some(cell.clone())], vec![Some(cell), None]],
            bands: vec![(0, "poor".to_owned()), (5, "almost perfect".to_owned())],
        }
    }

    #[test]
    fn every_value_is_there_as_text_with_its_shade() {
        let svg = heat_map_svg(&map("Ada"));
        assert_eq!(svg.matches(">0.54</text>").count(), 2);
        assert_eq!(svg.matches("#c4dbf3").count(), 2);
        assert!(svg.contains(">almost perfect</text>") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn a_name_is_never_markup() {
        let svg = heat_map_svg(&map("<script>\u{0}&\""));
        assert!(!svg.contains("<script"), "{svg}");
        assert!(svg.contains("&lt;script&gt;&amp;&quot;"));
    }

    #[test]
    fn a_long_name_is_cut_off() {
        assert_eq!(short("Ada"), "Ada");
        assert_eq!(short(&"é".repeat(30)), format!("{}…", "é".repeat(17)));
    }
}
