//! What rendering takes of the worst texts of the largest size, each of which is to stay below 50 ms: one
//! iteration is one text.

use divan::Bencher;
use services::project::guidelines::render_markdown;

/// The most bytes that guidelines have.
const BYTES: usize = 200_000;

fn main() {
    divan::main();
}

/// A beginning, and what is repeated after it.
const TEXTS: &[(&str, &str)] = &[
    ("plain", "Mark *every* name of a person, also in `code`.\n\n"),
    ("quotations", ">"),
    ("lists", "1. "),
    ("items", "- a\n"),
    ("emphasis", "*a* "),
    ("links", "[a](b)"),
    ("open links", "[a]("),
    ("autolinks", "<a@b.c>"),
    ("brackets", "["),
    ("references", "[a]: b\n[a]"),
    ("code", "`a` "),
    ("ampersands", "*&"),
    ("angles", "<"),
    ("tables", "|a|\n|-|\n"),
    ("tasks", "- [ ] a\n"),
    ("elements", "<ul>"),
    ("open tags", "<div\n\n"),
    ("links in blocks", "<a><div>"),
    ("paragraphs", "<p>x"),
    ("tables of HTML", "<tr><td>x"),
    ("before tables", "<b>x</b>"),
    ("comments", "a<!--"),
    ("attributes", "<b a=\"\" b=\"\" c=\"\">"),
    ("raw text", "<xmp>&"),
];

#[divan::bench(args = TEXTS.iter().map(|(name, _)| *name))]
fn rendering(bencher: Bencher<'_, '_>, name: &str) {
    let repeated =
        TEXTS.iter().find(|(other, _)| *other == name).map_or("", |(_, repeated)| repeated);
    let begin = if name == "before tables" { "<table>" } else { "" };
    let text = begin.to_owned() + &repeated.repeat(BYTES / repeated.len());
    bencher.bench(|| render_markdown(&text));
}

/// Many lines in many containers.
#[divan::bench]
fn lines_in_containers(bencher: Bencher<'_, '_>) {
    let text = format!("{}```\n{}", "- ".repeat(BYTES / 8), "\n".repeat(BYTES * 3 / 4));
    bencher.bench(|| render_markdown(&text));
}
