//! Guidelines: Markdown as a manager writes it, to HTML that is safe to show to everybody.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, LazyLock},
};

use ammonia::Builder;
use domain::{
    Actor, Error as Refusal, GuidelinesView, ProjectId,
    base::policy::{Action, Standpoint, offers},
};
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::{Error, Result, Services, base::access::permit};

/// Longer guidelines are rendered on a thread that may block.
const LONG: usize = 20 * 1024;

/// A version of the guidelines, or the present one, with the list of all versions.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    number: Option<i64>,
) -> Result<GuidelinesView> {
    let db = services.store.begin_read().await?;
    let member = permit(&db, actor, project, Action::ViewProject).await?.member;
    let mut versions = store::project::guidelines::list(&db, project).await?;
    let number = number.or_else(|| versions.first().map(|newest| newest.number));
    let number = number.ok_or(Refusal::NotFound)?;
    let text =
        store::project::guidelines::text(&db, project, number).await?.ok_or(Refusal::NotFound)?;
    drop(db);
    // Whoever wrote them is no concern of those who follow them.
    let standpoint = Standpoint::Member { role: member.role, owns: false };
    if !offers(Action::ManageProject, standpoint) {
        for version in &mut versions {
            version.author = None;
        }
    }
    let found = versions.iter().find(|version| version.number == number);
    let version = found.cloned().ok_or(Refusal::NotFound)?;
    Ok(GuidelinesView { version, html: render(text).await?, versions })
}

/// Renders guidelines. Headings start at the second level: the page has the first.
pub(crate) async fn render(markdown: String) -> Result<String> {
    if markdown.len() > LONG {
        tokio::task::spawn_blocking(move || to_html(&markdown)).await.map_err(Error::broken)
    } else {
        Ok(to_html(&markdown))
    }
}

pub(crate) fn to_html(markdown: &str) -> String {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let events = Parser::new_ext(markdown, options).map(|event| match event {
        Event::Start(Tag::Heading { level, id, classes, attrs }) => {
            Event::Start(Tag::Heading { level: one_down(level), id, classes, attrs })
        }
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(one_down(level))),
        event => event,
    });
    let mut unsafe_html = String::with_capacity(markdown.len() * 2);
    html::push_html(&mut unsafe_html, events);
    CLEANER.clean(&unsafe_html).to_string()
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
    use super::*;

    #[test]
    fn headings_go_one_level_down_and_html_cannot_bring_the_first_level_back() {
        assert_eq!(to_html("# Names"), "<h2>Names</h2>\n");
        assert_eq!(to_html("###### Small"), "<h6>Small</h6>\n");
        assert!(!to_html("<h1>Mine</h1>").contains("<h1"));
    }

    #[test]
    fn tables_strikethrough_and_tasks_are_rendered() {
        let html = to_html("| Label |\n|---|\n| PER |\n\n~~no~~\n\n- [x] done\n");
        assert!(html.contains("<table>") && html.contains("<td>PER</td>"), "{html}");
        assert!(html.contains("<del>no</del>"), "{html}");
        assert!(html.contains("type=\"checkbox\"") && html.contains("disabled"), "{html}");
    }

    #[test]
    fn nothing_that_runs_or_calls_out_gets_through() {
        let html = to_html(concat!(
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

    #[tokio::test]
    async fn long_guidelines_are_rendered_like_short_ones() {
        let long = "word ".repeat(LONG / 4);
        assert_eq!(render(long.clone()).await.unwrap(), to_html(&long));
    }
}
