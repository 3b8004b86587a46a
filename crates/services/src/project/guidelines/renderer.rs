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

    /// Renders several texts in one go, in their order. What takes long makes room for others in
    /// between.
    pub(crate) async fn render_all(&self, texts: Vec<String>) -> Result<Vec<Arc<str>>> {
        let mut all: Vec<Arc<str>> = vec![Arc::default(); texts.len()];
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for (html, text) in all.iter_mut().zip(texts) {
            if text.is_empty() {
                continue;
            }
            let hash = digest(&text);
            if let Some(known) = self.kept.get(&hash) {
                *html = known;
                continue;
            }
            bytes += text.len();
            batch.push((html, hash, text));
            if bytes >= MAX_MARKDOWN_BYTES {
                self.render_batch(mem::take(&mut batch)).await?;
                bytes = 0;
            }
        }
        self.render_batch(batch).await?;
        Ok(all)
    }

    /// Renders texts on another thread, each where its HTML belongs.
    async fn render_batch(&self, batch: Vec<(&mut Arc<str>, Digest, String)>) -> Result<()> {
        if batch.is_empty() {
            return Ok(());
        }
        let (places, texts): (Vec<_>, Vec<_>) =
            batch.into_iter().map(|(place, hash, text)| (place, (hash, text))).unzip();
        let permit = Arc::clone(&self.threads).acquire_owned().await.map_err(Error::broken)?;
        let kept = Arc::clone(&self.kept);
        let render = move || {
            let html = texts.into_iter().map(|(hash, text)| {
                let render = || Ok::<_, Infallible>(render_markdown(&text).into());
                // Whoever asks for the same meanwhile waits for this.
                let Ok(html) = kept.get_or_insert_with(&hash, render);
                html
            });
            let html: Vec<Arc<str>> = html.collect();
            drop(permit);
            html
        };
        let html = tokio::task::spawn_blocking(render).await?;
        places.into_iter().zip(html).for_each(|(place, html)| *place = html);
        Ok(())
    }
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
