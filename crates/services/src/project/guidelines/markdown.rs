//! Markdown as people write it, to HTML that is safe to show to everybody, in bounded time.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::LazyLock,
};

use ammonia::Builder;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::{clean_limit::find_clean_limit, parse_limit::find_parse_limit};

/// The longest text that is rendered, in bytes, as guidelines may have.
pub(super) const MAX_MARKDOWN_BYTES: usize = 200_000;

/// The longest HTML that is cleaned, in bytes: tables and references can be made to grow a lot.
const MAX_HTML_BYTES: usize = 1_000_000;

/// What stands below a text that is not rendered to its end.
pub(super) const CUT_OFF: &str = "<p class=\"notice warn\">Cut off here: this text is too long, or \
                                  nested more than 32 levels deep. Shorten it to show the rest.</p>\n";

/// Renders a text, on this thread. Headings start at the second level: the page has the first. Text
/// that would take too long ends with a note.
pub fn render_markdown(markdown: &str) -> String {
    let (unsafe_html, is_all) = bounded(markdown);
    let mut html = CLEANER.clean(&unsafe_html).to_string();
    if !is_all {
        html.push_str(CUT_OFF);
    }
    html
}

/// As much of the HTML as can be cleaned in bounded time, and whether that is all of it.
fn bounded(markdown: &str) -> (String, bool) {
    let text = markdown.get(..markdown.floor_char_boundary(MAX_MARKDOWN_BYTES));
    let text = text.unwrap_or_default();
    let text = find_parse_limit(text).and_then(|end| text.get(..end)).unwrap_or(text);
    let mut html = BoundedHtml(String::with_capacity(text.len() * 2));
    let written = html::write_html_fmt(&mut html, events(text));
    let BoundedHtml(mut html) = html;
    let end = find_clean_limit(&html);
    html.truncate(end.unwrap_or(html.len()));
    (html, text.len() == markdown.len() && written.is_ok() && end.is_none())
}

fn events(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    Parser::new_ext(markdown, options).map(|event| match event {
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Event::Start(Tag::Heading { level: one_down(level), id, classes, attrs })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(one_down(level))),
        event => event,
    })
}

/// HTML that refuses to grow beyond its bound.
struct BoundedHtml(String);

impl fmt::Write for BoundedHtml {
    fn write_str(&mut self, html: &str) -> fmt::Result {
        if self.0.len() + html.len() > MAX_HTML_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(html);
        Ok(())
    }
}

const fn one_down(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        HeadingLevel::H3 => HeadingLevel::H4,
        HeadingLevel::H4 => HeadingLevel::H5,
        HeadingLevel::H5 | HeadingLevel::H6 => HeadingLevel::H6,
    }
}

/// Lets through what Markdown makes. Not `h1`, which somebody may write as HTML; not images,
/// which would tell a foreign server who reads the guidelines and when. A checkbox is the only
/// input there can be: its type is set here, whatever was written.
static CLEANER: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut cleaner = Builder::default();
    cleaner
        .rm_tags(["h1", "img"])
        .add_tags(["input"])
        .add_tag_attributes("input", ["checked"])
        .set_tag_attribute_value("input", "type", "checkbox")
        .set_tag_attribute_value("input", "disabled", "")
        .url_schemes(HashSet::from(["http", "https", "mailto"]))
        .allowed_classes(HashMap::new());
    cleaner
});

#[cfg(test)]
mod tests {
    use std::{fs, path::Path, time::Duration};

    use proptest::prelude::*;

    use super::{
        super::clean_limit::{MAX_DEPTH, MAX_WORK, measured},
        *,
    };
    use crate::base::clock::thread_time;

    #[test]
    fn headings_go_one_level_down_and_html_cannot_bring_the_first_level_back() {
        assert_eq!(render_markdown("# Names"), "<h2>Names</h2>\n");
        assert_eq!(render_markdown("###### Small"), "<h6>Small</h6>\n");
        assert!(!render_markdown("<h1>Mine</h1>").contains("<h1"));
    }

    #[test]
    fn tables_strikethrough_and_tasks_are_rendered() {
        let html = render_markdown("| Label |\n|---|\n| PER |\n\n~~no~~\n\n- [x] done\n");
        assert!(html.contains("<table>") && html.contains("<td>PER</td>"), "{html}");
        assert!(html.contains("<del>no</del>"), "{html}");
        assert!(html.contains("type=\"checkbox\"") && html.contains("disabled"), "{html}");
    }

    #[test]
    fn nothing_that_runs_or_calls_out_gets_through() {
        let html = render_markdown(concat!(
            "<script>alert(1)</script> <a href=\"javascript:alert(1)\" onclick=\"x()\">a</a> ",
            "[b](javascript:alert(1)) <img src=\"https://example.org/pixel\"> ",
            "<input type=\"password\" name=\"p\"> <p style=\"position:fixed\" class=\"x\">c</p> ",
            "<iframe src=\"https://example.org\"></iframe><form action=\"/x\"></form>",
        ));
        for forbidden in
            ["<script", "alert(1)\"", "onclick", "<img", "password", "style=", "class="]
        {
            assert!(!html.contains(forbidden), "{forbidden} in {html}");
        }
        assert!(!html.contains("<iframe") && !html.contains("<form"), "{html}");
        assert!(html.contains("type=\"checkbox\""), "{html}");
    }

    #[test]
    fn texts_that_were_seen_to_stop_a_server_are_cut_off_soon() {
        let nested = [
            (">", 12_000),
            (">", 100_000),
            ("> ", 9_500),
            ("- ", 50_000),
            ("1. a\n", 1),
            ("<ul>", 45_000),
            ("<div>", 3_900),
            ("<a><div>", 20_000),
            ("<b x=1><p>", 10_000),
        ];
        for (repeated, times) in nested {
            let (html, time) = timed(&format!("{}a", repeated.repeat(times)));
            assert_eq!(html.ends_with(CUT_OFF), times > 1, "{repeated} × {times}");
            assert!(time < UNOPTIMISED, "{repeated} × {times}: {time:?}");
        }
        // Many lines in many containers; and one long tag that comes back in many blocks.
        let lines = format!("{}```\n{}", "- ".repeat(20_000), "\n".repeat(100_000));
        let title = "x".repeat(4_000);
        let repeated = format!("<p><b title=\"{title}\">{}", "<div>x</div>".repeat(10_000));
        for text in [lines, repeated] {
            let (html, time) = timed(&text);
            assert!(html.ends_with(CUT_OFF) && time < UNOPTIMISED, "{time:?}");
            assert!(html.len() < 2 * MAX_WORK, "{} bytes", html.len());
        }
    }

    #[test]
    fn what_people_write_is_not_cut_off() {
        let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")];
        let mut pages = Vec::new();
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
        pages.sort();
        let pages: Vec<_> = pages.iter().map(|page| fs::read_to_string(page).unwrap()).collect();
        for page in &pages {
            assert!(!render_markdown(page).contains(CUT_OFF), "{page}");
        }
        let all = pages.concat();
        assert!(all.len() > MAX_MARKDOWN_BYTES, "{}", all.len());
        let end = all.floor_char_boundary(MAX_MARKDOWN_BYTES);
        assert!(!render_markdown(&all[..end]).contains(CUT_OFF));
        assert!(render_markdown(&all).ends_with(CUT_OFF));
        let nested = "> ".repeat(31) + "a";
        assert!(!render_markdown(&nested).contains(CUT_OFF));
        assert!(render_markdown(&("> ".to_owned() + &nested)).ends_with(CUT_OFF));
    }

    /// What a text may take of a thread here, where nothing is optimised: some ten times as much as it
    /// does. It is far from what it took before there were limits.
    const UNOPTIMISED: Duration = Duration::from_secs(5);

    /// Renders a text, and what that took of this thread.
    fn timed(text: &str) -> (String, Duration) {
        let before = thread_time();
        let html = render_markdown(text);
        (html, thread_time().saturating_sub(before))
    }

    const WORDS: &[&str] = &[
        "a",
        " ",
        "x y",
        "é",
        "\n",
        "\n\n",
        "\r",
        "\0",
        "\t",
        "    ",
        "  \n",
        "[",
        "]",
        "(",
        ")",
        "![",
        "](",
        "](b)",
        "[a]",
        "[a]: b\n",
        "[a]:",
        "*",
        "**",
        "_",
        "__",
        "~~",
        "`",
        "``",
        "```\n",
        "&",
        "&amp;",
        "&#",
        "\\",
        "#",
        "# ",
        "-",
        "- ",
        "+ ",
        "1. ",
        "> ",
        ">",
        "[ ] ",
        "|",
        "|-|\n",
        "a|b\n",
        "===\n",
        "---\n",
        "'",
        "\"",
        "<",
        "<a@b.c>",
        "<http://a>",
        "<!--",
        "-->",
        "<!",
        "<?",
        "<![CDATA[",
        "<b>",
        "</b>",
        "<i x=1>",
        "<b y=2>",
        "<a href=x>",
        "<a>",
        "</a>",
        "<font>",
        "<nobr>",
        "<div>",
        "</div>",
        "<p>",
        "</p>",
        "</br>",
        "<br>",
        "<pre>",
        "<h2>",
        "</h2>",
        "<details>",
        "<ul>",
        "<li>",
        "<dd>",
        "<ruby>",
        "<rt>",
        "<table>",
        "</table>",
        "<caption>",
        "<colgroup>",
        "<col>",
        "<tr>",
        "<td>",
        "</td>",
        "<input>",
        "<img src=a>",
        "<form>",
        "<button>",
        "<select>",
        "<option>",
        "<object>",
        "<marquee>",
        "<template>",
        "</template>",
        "<svg>",
        "<desc>",
        "<foreignObject>",
        "<math>",
        "<mi>",
        "<annotation-xml encoding=text/html>",
        "<script>",
        "</script>",
        "<style>",
        "<textarea>",
        "<title>",
        "<xmp>",
        "<iframe>",
        "<plaintext>",
        "<frameset>",
        "<body a=b>",
        "<html c=d>",
    ];

    /// A few words, so many times; with a number in each if they are to differ.
    fn repeated() -> impl Strategy<Value = String> {
        let words = prop::collection::vec(prop::sample::select(WORDS), 1..5);
        let bytes = prop::sample::select(vec![1, 40, 1_000, 20_000]);
        (words, bytes, prop::bool::weighted(0.2)).prop_map(|(words, bytes, differ)| {
            let unit = words.concat();
            let times = 0..=bytes / unit.len();
            let number = |number: usize| unit.replace('a', &format!("a{number}"));
            if differ {
                times.map(number).collect()
            } else {
                times.map(|_| unit.as_str()).collect()
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn any_text_is_rendered_in_bounded_work_or_cut_off_with_a_note(
            parts in prop::collection::vec(repeated(), 1..4),
        ) {
            let text = parts.concat();
            let (html, time) = timed(&text);
            let (unsafe_html, is_all) = bounded(&text);
            let (depth, work) = measured(&unsafe_html);
            prop_assert!(depth <= MAX_DEPTH, "{depth} levels");
            prop_assert!(work <= MAX_WORK, "{work} bytes of work");
            prop_assert!(html.len() < 2 * MAX_WORK, "{} bytes", html.len());
            prop_assert!(time < UNOPTIMISED, "{time:?}");
            if is_all {
                let mut all = String::new();
                html::push_html(&mut all, events(&text));
                prop_assert_eq!(html, CLEANER.clean(&all).to_string());
            } else {
                prop_assert!(html.ends_with(CUT_OFF));
            }
        }
    }
}
