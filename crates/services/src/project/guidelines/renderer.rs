//! Where Markdown is rendered for pages: away from the async runtime, and each text once.

use std::{convert::Infallible, mem, sync::Arc};

use domain::saturating;
use quick_cache::{Weighter, sync::Cache};
use tokio::sync::Semaphore;

use super::markdown::{MAX_MARKDOWN_BYTES, render_markdown};
use crate::{
    Error, Result,
    base::secrets::checksum::{Digest, digest},
};

/// How many threads render at the same time.
const MAX_THREADS: usize = 2;

/// How long the texts of one page may be together, and their HTML, in bytes. There are up to 500 labels, each with a
/// description, of which the HTML may be a hundred times as long.
const MAX_PAGE_TEXT: usize = 1_000_000;
const MAX_PAGE_HTML: usize = 2_000_000;

/// What stands in the place of a text for which a page has no room.
const NO_ROOM: &str = "<p class=\"notice warn\">Not shown: the guidelines and descriptions of labels are too long \
                       together. Shorten them to show this one.</p>\n";

/// How much HTML is kept, in bytes.
const MAX_KEPT_BYTES: u64 = 32 * 1024 * 1024;

/// What a text that is kept takes beside its HTML, in bytes.
const KEPT_BESIDE: usize = 128;

/// About how many texts are kept.
const KEPT_TEXTS: usize = 1_000;

/// Renders Markdown, and keeps the HTML by the hash of its text.
pub(crate) struct MarkdownRenderer {
    kept: Arc<Cache<Digest, Arc<str>, HtmlWeighter>>,
    threads: Arc<Semaphore>,
}

#[derive(Clone)]
struct HtmlWeighter;

impl Weighter<Digest, Arc<str>> for HtmlWeighter {
    fn weight(&self, _: &Digest, html: &Arc<str>) -> u64 {
        saturating::<u64>(html.len() + KEPT_BESIDE)
    }
}

impl Default for MarkdownRenderer {
    fn default() -> Self {
        let kept = Cache::with_weighter(KEPT_TEXTS, MAX_KEPT_BYTES, HtmlWeighter);
        Self { kept: Arc::new(kept), threads: Arc::new(Semaphore::new(MAX_THREADS)) }
    }
}

impl MarkdownRenderer {
    /// Renders a text as [`render_markdown`] does.
    pub(crate) async fn render(&self, markdown: String) -> Result<String> {
        let html = self.render_all(vec![markdown]).await?;
        Ok(html.iter().map(AsRef::as_ref).collect())
    }

    /// Renders the texts of a page in one go, in their order, up to the first for which it has no room. What takes
    /// long makes room for others in between.
    pub(crate) async fn render_all(&self, texts: Vec<String>) -> Result<Vec<Arc<str>>> {
        let mut all: Vec<Arc<str>> = vec![Arc::default(); texts.len()];
        let (mut batch, mut bytes) = (Vec::new(), 0);
        let (mut page_text, mut room) = (0, MAX_PAGE_HTML);
        for (html, text) in all.iter_mut().zip(texts) {
            if text.is_empty() {
                continue;
            }
            page_text += text.len();
            if page_text > MAX_PAGE_TEXT || room == 0 {
                *html = NO_ROOM.into();
                continue;
            }
            let hash = digest(&text);
            if let Some(known) = self.kept.get(&hash) {
                *html = fit(known, &mut room);
                continue;
            }
            bytes += text.len();
            batch.push((html, hash, text));
            if bytes >= MAX_MARKDOWN_BYTES {
                room = self.render_batch(mem::take(&mut batch), room).await?;
                bytes = 0;
            }
        }
        self.render_batch(batch, room).await?;
        Ok(all)
    }

    /// Renders texts on another thread, each where its HTML belongs, into so many bytes; returns how many are left.
    async fn render_batch(
        &self,
        batch: Vec<(&mut Arc<str>, Digest, String)>,
        mut room: usize,
    ) -> Result<usize> {
        if batch.is_empty() {
            return Ok(room);
        }
        let (places, texts): (Vec<_>, Vec<_>) =
            batch.into_iter().map(|(place, hash, text)| (place, (hash, text))).unzip();
        let permit = Arc::clone(&self.threads).acquire_owned().await.map_err(Error::broken)?;
        let kept = Arc::clone(&self.kept);
        let render = move || {
            let html = texts.into_iter().map(|(hash, text)| {
                if room == 0 {
                    return NO_ROOM.into();
                }
                let render = || Ok::<_, Infallible>(render_markdown(&text).into());
                // Whoever asks for the same meanwhile waits for this.
                let Ok(html) = kept.get_or_insert_with(&hash, render);
                fit(html, &mut room)
            });
            let html: Vec<Arc<str>> = html.collect();
            drop(permit);
            (html, room)
        };
        let (html, room) = tokio::task::spawn_blocking(render).await?;
        places.into_iter().zip(html).for_each(|(place, html)| *place = html);
        Ok(room)
    }
}

/// The HTML if there is room for it. After the first that does not fit there is none for any other.
fn fit(html: Arc<str>, room: &mut usize) -> Arc<str> {
    let left = room.checked_sub(html.len());
    *room = left.unwrap_or(0);
    if left.is_some() { html } else { NO_ROOM.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn texts_are_rendered_in_their_order_and_once() {
        let renderer = MarkdownRenderer::default();
        let long = "*long* ".repeat(MAX_MARKDOWN_BYTES / 7);
        let texts = vec!["*a*".to_owned(), String::new(), long.clone(), "*b*".to_owned()];
        let html = renderer.render_all(texts.clone()).await.unwrap();
        let expected: Vec<_> = texts.iter().map(|text| render_markdown(text)).collect();
        assert_eq!(html.iter().map(ToString::to_string).collect::<Vec<_>>(), expected);

        let again = renderer.render_all(texts).await.unwrap();
        let not_empty = html.iter().zip(&again).filter(|(html, _)| !html.is_empty());
        assert_eq!(not_empty.filter(|(html, again)| Arc::ptr_eq(html, again)).count(), 3);
        assert_eq!(renderer.render("*b*".to_owned()).await.unwrap(), *html[3]);
    }

    #[tokio::test]
    async fn texts_of_a_page_are_bounded_together() {
        let growing = |number| {
            let links = "[a] ".repeat(1_700);
            format!("{number} {links}\n\n[a]: /{}", "x".repeat(3_100))
        };
        let long = |number| format!("{number} {}", "&amp;<".repeat(1_500));
        for texts in [
            (0..50).map(growing).collect::<Vec<_>>(),
            (0..500).map(long).collect(),
            vec!["short".to_owned(); 500],
        ] {
            let renderer = MarkdownRenderer::default();
            for _ in 0..2 {
                let html = renderer.render_all(texts.clone()).await.unwrap();
                let shown = html.iter().take_while(|html| ***html != *NO_ROOM).count();
                assert!(html.iter().skip(shown).all(|html| **html == *NO_ROOM));
                let bytes: usize = html.iter().take(shown).map(|html| html.len()).sum();
                assert!(bytes <= MAX_PAGE_HTML && shown > 0, "{shown}: {bytes}");
                assert_eq!(shown == texts.len(), texts[0] == "short", "{shown}");
                assert!(renderer.kept.len() <= shown + 1, "nothing else is rendered");
            }
        }
    }

    #[tokio::test]
    async fn what_is_kept_is_bounded_by_its_bytes() {
        let renderer = MarkdownRenderer::default();
        for number in 0..40 {
            let text = format!("{number} {}", "long ".repeat(200_000));
            renderer.kept.insert(digest(&text), text.into());
        }
        assert!(renderer.kept.weight() <= MAX_KEPT_BYTES);
        assert!(renderer.kept.len() > 8);
    }

    #[tokio::test]
    async fn no_text_is_rendered_on_the_runtime_and_few_at_once() {
        let renderer = MarkdownRenderer::default();
        let permits = Arc::clone(&renderer.threads).acquire_many_owned(2).await.unwrap();
        let rendering = renderer.render("*short*".to_owned());
        let waited = tokio::time::timeout(std::time::Duration::from_millis(50), rendering).await;
        assert!(waited.is_err(), "all threads are taken");
        drop(permits);
        assert!(renderer.render("*short*".to_owned()).await.unwrap().contains("<em>"));
    }
}
