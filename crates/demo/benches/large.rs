//! A large project, 20 labelers × 500 documents × 20 spans on SQLite: the matrix on the first read after a
//! start and on every read after it, the overview, the reviewer's queue.

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
    reviewer: Actor,
    project: ProjectId,
}

static LARGE: LazyLock<Large> = LazyLock::new(|| {
    let runtime = Runtime::new().expect("a runtime");
    let (store, manager, reviewer, project) = runtime.block_on(async {
        let store = sqlite().await;
        let size = "20x500x20".parse().expect("a size");
        demo::prepare_with(&store, &Clock::system(), Some(size)).await.expect("a demo");
        let found = store::project::find_by_name(&*store, "Generated").await.expect("a database");
        let person = async |role: &str| {
            let email = format!("{role}@demo.example");
            let found = store::account::users::find_by_email(&*store, &email).await;
            Actor::Person(found.expect("a database").expect("a person").user)
        };
        let (manager, reviewer) = (person("manager").await, person("reviewer").await);
        (store, manager, reviewer, found.expect("a project").id)
    });
    Large { runtime, store, manager, reviewer, project }
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

/// What its manager's first page is made of; the server adds the HTML.
#[divan::bench(sample_count = 100, sample_size = 1)]
fn overview(bencher: Bencher) {
    let services = LARGE.services();
    let read = || {
        let reading = services::overview::load(&services, &LARGE.manager, LARGE.project);
        LARGE.runtime.block_on(reading).expect("an overview")
    };
    // What is counted once for each state of the project, and the course, which is computed meanwhile.
    while read().courses.iter().any(|course| course.days.is_empty()) {}
    bencher.bench_local(read);
}

/// The queue of a reviewer, of a project in which all is in dispute.
#[divan::bench(sample_count = 100, sample_size = 1)]
fn queue(bencher: Bencher) {
    let services = LARGE.services();
    let read = || {
        let reading = services::review::queue(&services, &LARGE.reviewer, LARGE.project, 0);
        LARGE.runtime.block_on(reading).expect("a queue")
    };
    read();
    bencher.bench_local(read);
}
