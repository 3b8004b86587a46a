//! The matrix of a large project, 20 labelers × 500 documents × 20 spans on SQLite: the first read
//! after a start, and every read after it.

#![expect(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to say")]

use std::sync::{Arc, LazyLock};

use divan::Bencher;
use domain::{Actor, ProjectId, Switches};
use services::{Clock, ServerKey, Services, agreement};
use store::testing::{TestStore, sqlite};
use tokio::runtime::Runtime;

fn main() {
    divan::main();
}

/// The project in a database of its own, with somebody who may see it.
struct Large {
    runtime: Runtime,
    store: TestStore,
    manager: Actor,
    project: ProjectId,
}

static LARGE: LazyLock<Large> = LazyLock::new(|| {
    let runtime = Runtime::new().expect("a runtime");
    let (store, manager, project) = runtime.block_on(async {
        let store = sqlite().await;
        let size = "20x500x20".parse().expect("a size");
        demo::prepare_with(&store, &Clock::system(), Some(size)).await.expect("a demo");
        let found = store::project::find_by_name(&*store, "Generated").await.expect("a database");
        let email = "manager@demo.example";
        let manager =
            store::account::users::find_by_email(&*store, email).await.expect("a database");
        let manager = Actor::Person(manager.expect("a manager").user);
        (store, manager, found.expect("a project").id)
    });
    Large { runtime, store, manager, project }
});

impl Large {
    fn services(&self) -> Arc<Services> {
        Services::new(self.store.clone(), Clock::system(), None, ServerKey::from([7; 32]))
    }

    fn read(&self, services: &Arc<Services>) -> usize {
        let switches = Switches::default();
        let reading = agreement::snapshot(services, &self.manager, self.project, switches);
        self.runtime.block_on(reading).expect("a snapshot").cells.len()
    }
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn first_read_after_a_start(bencher: Bencher) {
    bencher.with_inputs(|| LARGE.services()).bench_values(|services| LARGE.read(&services));
}

#[divan::bench(sample_count = 50, sample_size = 1)]
fn read(bencher: Bencher) {
    let services = LARGE.services();
    LARGE.read(&services);
    bencher.bench_local(|| LARGE.read(&services));
}
