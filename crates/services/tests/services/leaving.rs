//! Work on files ends soon after whoever waits for it has left.

use std::{
    io::{self, BufReader, Read, Seek, SeekFrom},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use services::document::{
    comparison::{self, ComparingOptions},
    import::{self, Content, ImportOptions, Source},
};

use crate::world::worlds;

/// A file that takes minutes to read: a document comes every five milliseconds.
struct SlowFile {
    read: Arc<AtomicUsize>,
}

struct SlowContent<'a> {
    file: &'a SlowFile,
    rest: Vec<u8>,
}

impl Read for SlowContent<'_> {
    #[expect(clippy::disallowed_methods, reason = "whoever reads is on a thread that may block")]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            thread::sleep(Duration::from_millis(5));
            let number = self.file.read.fetch_add(1, Ordering::Relaxed);
            let text = "Gil met Hal. ".repeat(500);
            self.rest = format!("{{\"id\": {number}, \"text\": \"{text}\"}}\n").into_bytes();
        }
        let count = buffer.len().min(self.rest.len());
        for (place, byte) in buffer.iter_mut().zip(self.rest.drain(..count)) {
            *place = byte;
        }
        Ok(count)
    }
}

impl Seek for SlowContent<'_> {
    fn seek(&mut self, _: SeekFrom) -> io::Result<u64> {
        self.rest.clear();
        Ok(0)
    }
}

impl Source for SlowFile {
    fn name(&self) -> &'static str {
        "slow.jsonl"
    }

    fn length(&self) -> u64 {
        1
    }

    fn open(&self) -> io::Result<Box<dyn Content + '_>> {
        Ok(Box::new(BufReader::new(SlowContent { file: self, rest: Vec::new() })))
    }
}

/// Whether nothing more is read of a file, after a moment.
async fn is_left(read: &AtomicUsize) -> bool {
    for _ in 0..100 {
        let before = read.load(Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(100)).await;
        if read.load(Ordering::Relaxed) == before {
            return true;
        }
    }
    false
}

#[tokio::test]
async fn work_on_files_ends_with_whoever_waits_for_it() {
    let world = worlds(1, 1).await.remove(0);
    let person = &world.manager.actor;
    let a_while = Duration::from_secs(1);
    let turn = comparison::wait_for_slot(&world.services, person).await.unwrap();
    let read = Arc::default();
    let files = vec![SlowFile { read: Arc::clone(&read) }];
    let comparing = comparison::run(turn, files, ComparingOptions::default(), |_, _| ());
    assert!(tokio::time::timeout(a_while, comparing).await.is_err(), "it takes long");
    assert!(is_left(&read).await, "comparing goes on for nobody");
    comparison::wait_for_slot(&world.services, person).await.unwrap();

    let read = Arc::default();
    let files = vec![SlowFile { read: Arc::clone(&read) }];
    let options = ImportOptions::default();
    let preview = import::preview(&world.services, person, world.project, files, options);
    assert!(tokio::time::timeout(a_while, preview).await.is_err(), "it takes long");
    assert!(is_left(&read).await, "an import is checked for nobody");
}
