//! Keys of requests that a server has broken off.

use services::base::change::idempotency::{Begun, begin, release_after_start};

use crate::world::worlds;

#[tokio::test]
async fn a_request_that_was_broken_off_is_begun_again_where_there_is_one_server() {
    for (place, world) in worlds(1, 1).await.into_iter().enumerate() {
        let (services, person) = (&world.services, &world.manager.actor);
        let begin = async || begin(services, person, "made-once", "the same").await.unwrap();
        assert!(matches!(begin().await, Begun::Now(_)));
        assert_eq!(begin().await, Begun::UnderWay);
        release_after_start(services).await.unwrap();
        let is_sqlite = place == 0;
        assert_eq!(matches!(begin().await, Begun::Now(_)), is_sqlite);
        assert_eq!(begin().await, Begun::UnderWay);
    }
}
