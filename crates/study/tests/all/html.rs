//! The report as HTML: the words of the plain text, and the picture of a continuum.

use study::command::{Options, Output, run};
use study::report::Diagnostic;
use study::{examples::EXAMPLES, fields};

use crate::{measure_with, printed};

const UNITS: &str =
    "rater,start,end,label\nAnn,0,50,NP\nAnn,20,30,VP\nBob,10,50,NP\nBob,80,100,VP\n";

fn parts(file: &str, change: impl FnOnce(&mut Options)) -> String {
    let mut out = Vec::new();
    measure_with(file, change).write_parts(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn every_example_is_measured_and_has_a_whole_page() {
    for example in EXAMPLES {
        let mut options = fields::options(example.fields.iter().copied()).unwrap();
        options.report.resamples = Some(20);
        options.report.all_diagnostics = true;
        options.output = Output::Html;
        let mut out = Vec::new();
        run(&options, example.file.as_bytes(), &mut out, |_| ()).unwrap();
        let page = String::from_utf8(out).unwrap();
        assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
        let opened = page.matches("<section").count();
        assert!(opened > 3 && page.matches("</section>").count() == opened, "{}", example.name);
        assert!(!page.contains("<script"), "{}", example.name);
    }
}

#[test]
fn it_says_what_the_plain_text_says() {
    let file = EXAMPLES[0].file;
    let all = |options: &mut Options| {
        options.read.raters = vec!["2".to_owned(), "3".to_owned()];
        options.report.resamples = Some(50);
        options.report.all_diagnostics = true;
    };
    let (text, html) = (printed(file, all), parts(file, all));
    let shown = html.replace("&quot;", "\"").replace("&amp;", "&").replace("&gt;", ">");
    for line in text.lines().filter(|line| !line.starts_with("    ")) {
        // Cells stand apart by two spaces.
        for cell in line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()) {
            assert!(shown.contains(cell), "“{cell}” of “{line}”");
        }
    }
}

#[test]
fn what_comes_from_a_file_is_never_markup() {
    let file = "A,\"<b onload=\"\"x\"\">&\"\n<i>,y\n<i>,<i>\n";
    let html = parts(file, |options| options.report.all_diagnostics = true);
    assert!(html.contains("&lt;b onload=&quot;x&quot;&gt;&amp;") && html.contains("&lt;i&gt;"));
    assert!(!html.contains("<b ") && !html.contains("<i>"));
    let file = "rater,start,end,label\n<u>,0,5,<s>\nBob,1,5,<s>\n";
    let html = parts(file, |options| options.report.diagnostics = vec![Diagnostic::Continuum]);
    assert!(html.contains("&lt;u&gt;") && !html.contains("<u>") && !html.contains("<s>"));
}

#[test]
fn units_are_bars_in_a_lane_of_their_rater() {
    let html = parts(UNITS, |options| {
        options.read.continuum = Some((0, 100));
        options.report.diagnostics = vec![Diagnostic::Continuum];
    });
    // 944 pixels for 100 characters, from 8: the fifth tenth ends at 480, a fifth is 188.8 wide.
    let bars: Vec<&str> = html.lines().filter(|line| line.contains("class=\"unit\"")).collect();
    assert_eq!(bars.len(), 4);
    assert!(bars[0].contains("<title>NP, 0–50</title>"), "{}", bars[0]);
    assert!(bars[0].contains("x=\"8.00\"") && bars[0].contains("width=\"472.00\""), "{}", bars[0]);
    assert!(
        bars[3].contains("x=\"763.20\"") && bars[3].contains("width=\"188.80\""),
        "{}",
        bars[3]
    );
    // What overlaps within a lane lies in rows of its own.
    let top = |bar: &str| bar.split(" y=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_ne!(top(bars[0]), top(bars[1]));
    assert_eq!(top(bars[2]), top(bars[3]));
    assert_eq!(html.matches("class=\"lane\"").count(), 2);
}
