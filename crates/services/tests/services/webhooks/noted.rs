//! That secrets are used is noted, and a busy webhook does not fill the trail.

use std::sync::atomic::Ordering;

use domain::AuditEvent;
use store::outside::audit::Filter;

use super::{deliver, listen, save, set_clock, try_it};
use crate::world::worlds;

#[tokio::test]
async fn the_use_of_a_secret_is_noted_once_a_day() {
    for mut world in worlds(1, 1).await {
        let second = set_clock(&mut world);
        let (desk, url) = listen(&[]).await;
        let id = save(&world, &url).await;
        let used = async || {
            let filter = Filter { event: Some(AuditEvent::UseWebhookSecret), ..Filter::default() };
            let rows =
                store::outside::audit::list(&*world.store, Some(world.project), &filter, 10).await;
            rows.unwrap().into_iter().map(|row| row.subject).collect::<Vec<_>>()
        };
        for (day, expected) in [1, 1, 2].into_iter().enumerate() {
            if day == 2 {
                second.fetch_add(86_400, Ordering::Relaxed);
            }
            try_it(&world, id).await;
            deliver(&world).await;
            assert_eq!(used().await, vec![format!("webhook {id}"); expected]);
        }
        assert_eq!(desk.arrived.lock().unwrap().len(), 3);
    }
}
