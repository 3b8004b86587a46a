//! What a page loads before anything of it is sent: the answer decides on the page's status.
//!
//! A page's parts wait for what they show one after the other, where they stand. What loads must
//! not depend on who waits for it just then: a load that was begun and is not polled would keep its
//! connection, or its place in the queue for one, while the page waits for another behind it. So
//! all loads of a page are driven by one who does nothing else, one after the other: a page never
//! has more than one connection, and never waits for one while it has one.

use std::{
    future::Future,
    pin::{Pin, pin},
    sync::Arc,
};

use domain::{Actor, Error};
use futures::{
    FutureExt, StreamExt,
    channel::{mpsc, oneshot},
    future::{self, Either, Shared},
};
use leptos::{prelude::use_context, reactive::computed::ScopedFuture};
use services::Services;

use crate::{
    ApiError,
    context::{answer, request},
};

/// What is being loaded, or why it could not be. Several parts of a page may wait for it; it is
/// loaded once.
pub(crate) type Loading<T> = Shared<Pin<Box<dyn Future<Output = Result<T, ApiError>> + Send>>>;

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Where a page puts what it loads; in its context.
#[derive(Clone)]
pub struct Loads(mpsc::UnboundedSender<Task>);

/// Makes a page together with what it loads, in the order in which it asks. Dropped, because the
/// browser has gone away, nothing of either goes on.
pub async fn with_loads<F: Future>(page: impl FnOnce(Loads) -> F) -> F::Output {
    let (sender, mut tasks) = mpsc::unbounded::<Task>();
    let page = pin!(page(Loads(sender)));
    let loads = pin!(async move {
        while let Some(task) = tasks.next().await {
            task.await;
        }
    });
    match future::select(page, loads).await {
        Either::Left((page, _)) => page,
        // The page has given up its place to load anything, and goes on.
        Either::Right(((), page)) => page.await,
    }
}

/// Loads for the request that the page answers, after what it has asked for before. What `fetch`
/// itself waits for must have been asked for before it.
pub(crate) fn load<T: Clone + Send + 'static>(
    fetch: impl Future<Output = Result<T, ApiError>> + Send + 'static,
) -> Loading<T> {
    let (sender, loaded) = oneshot::channel();
    let fetch = ScopedFuture::new(fetch);
    let task = async move {
        // Nobody may wait any more; nothing is lost by that.
        let _unread = sender.send(fetch.await);
    };
    // Outside a page, or after its end, the task is dropped here, and whoever waits is told so.
    if let Some(Loads(tasks)) = use_context::<Loads>() {
        let _ended = tasks.unbounded_send(task.boxed());
    }
    let ended = || Err(ApiError::Transport("this page has ended".to_owned()));
    loaded.map(move |loaded| loaded.unwrap_or_else(|_| ended())).boxed().shared()
}

/// Loads what one call into the services answers whoever asks for the page; otherwise as [`load`].
pub(crate) fn load_with<T, E, F>(
    call: impl FnOnce(Arc<Services>, Actor) -> F + Send + 'static,
) -> Loading<T>
where
    T: Clone + Send + 'static,
    E: Into<Error>,
    F: Future<Output = Result<T, E>> + Send,
{
    load(async move {
        let (services, actor) = request()?;
        answer(call(services, actor).await)
    })
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    use leptos::prelude::{Owner, provide_context};
    use tokio::{
        sync::Semaphore,
        time::{sleep, timeout},
    };

    use super::*;

    /// A load that takes a place of few.
    async fn take_place(places: Arc<Semaphore>) -> Result<(), ApiError> {
        let _place = places.acquire().await.unwrap();
        sleep(Duration::from_millis(1)).await;
        Ok(())
    }

    /// Makes a page within a context of its own.
    async fn page<F: Future>(make: impl FnOnce() -> F) -> F::Output {
        let owner = Owner::new();
        with_loads(|loads| {
            owner.with(|| {
                provide_context(loads);
                ScopedFuture::new(make())
            })
        })
        .await
    }

    #[tokio::test]
    async fn many_pages_that_wait_in_another_order_than_they_ask_all_get_few_places() {
        let places = Arc::new(Semaphore::new(2));
        let pages = (0..64).map(|_| {
            let places = Arc::clone(&places);
            page(move || {
                let [first, second] =
                    [places.clone(), places].map(|places| load(take_place(places)));
                async move {
                    // As a page does that looks whether something is there already.
                    let looked = second.clone();
                    let _not_yet = looked.now_or_never();
                    first.await.and(second.await)
                }
            })
        });
        let all = timeout(Duration::from_secs(20), future::join_all(pages)).await;
        assert!(all.expect("nobody waits for ever").into_iter().all(|page| page.is_ok()));
    }

    #[tokio::test]
    async fn a_page_loads_one_thing_at_a_time() {
        static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);
        let alone = || async {
            assert_eq!(UNDER_WAY.fetch_add(1, Ordering::SeqCst), 0, "another load is under way");
            sleep(Duration::from_millis(2)).await;
            UNDER_WAY.fetch_sub(1, Ordering::SeqCst);
            Ok(())
        };
        let loaded = page(|| {
            let loads: Vec<_> = (0..4).map(|_| load(alone())).collect();
            future::join_all(loads.into_iter().rev())
        });
        assert!(loaded.await.into_iter().all(|loaded| loaded.is_ok()));
    }

    #[tokio::test]
    async fn nothing_is_loaded_for_a_browser_that_has_gone_away() {
        let places = Arc::new(Semaphore::new(1));
        let taken = Arc::clone(&places);
        let gone = page(move || {
            load(async move {
                let _place = taken.acquire().await.unwrap();
                future::pending::<Result<(), ApiError>>().await
            })
        });
        assert!(timeout(Duration::from_millis(20), gone).await.is_err());
        assert_eq!(places.available_permits(), 1);
    }

    #[tokio::test]
    async fn outside_a_page_nothing_is_waited_for_in_vain() {
        let loading = Owner::new().with(|| load(future::pending::<Result<(), ApiError>>()));
        assert!(loading.await.is_err());
    }
}
