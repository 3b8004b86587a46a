//! What hostile files take: each is refused, within 64 MiB. A test of its own, since it counts what
//! the whole process has allocated.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "people read what is taken, and a test that panics has failed"
)]

use std::{
    fmt::Write as _,
    io::{BufReader, Cursor, Read, Write, repeat},
    ops::ControlFlow,
    time::Instant,
};

use formats::{Bundle, BundleLimits, ImportFormat, ReadOptions, read_from};
use peak_alloc::PeakAlloc;
use study::read::Options;
use zip::{ZipWriter, write::SimpleFileOptions};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most that a file may take, beside itself.
const MOST: usize = 64 << 20;

const TEN_MEGABYTES: u64 = 10_000_000;

/// How much memory is added at most while something is done, and how long it takes (for people to
/// read: nothing depends on it).
fn taken(what: &str, work: impl FnOnce()) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let begun = Instant::now();
    work();
    let most = MEMORY.peak_usage().saturating_sub(before);
    let (mebibytes, seconds) = (most >> 20, begun.elapsed().as_secs_f64());
    println!("{what}: {mebibytes} MiB, {seconds:.2} s");
    assert!(most <= MOST, "{what} takes {mebibytes} MiB");
}

/// A file that is made while it is read: a beginning, the same again and again, an end.
struct Made {
    name: &'static str,
    begin: &'static str,
    again: &'static str,
    bytes: u64,
    end: &'static str,
}

impl Made {
    fn open(&self) -> impl Read + use<> {
        let whole = self.again.as_bytes().repeat(1000);
        let times = self.bytes / u64::try_from(whole.len()).unwrap();
        let middle = Again { whole, at: 0, times };
        self.begin.as_bytes().chain(middle).chain(self.end.as_bytes())
    }
}

/// The same bytes so many times.
struct Again {
    whole: Vec<u8>,
    at: usize,
    times: u64,
}

impl Read for Again {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.times == 0 {
            return Ok(0);
        }
        let read = self.whole.get(self.at..).unwrap_or_default().read(buffer)?;
        self.at += read;
        if self.at == self.whole.len() {
            self.at = 0;
            self.times -= 1;
        }
        Ok(read)
    }
}

const fn made(name: &'static str, begin: &'static str, again: &'static str) -> Made {
    Made { name, begin, again, bytes: TEN_MEGABYTES, end: "" }
}

/// Files that no format has a document in.
const HOSTILE: &[Made] = &[
    made("a line of 10 MB", "", "x"),
    made("a line of 10 MB of JSON text", "{\"text\": \"", "x"),
    made("brackets within brackets", "", "["),
    made("objects within objects", "", "{\"a\":"),
    made("a list without end", "[", "0,"),
    made("a quote without end", "document,start,end,label,text\n\"", "x\n"),
    made("elements within elements", "<xmi:XMI xmlns:xmi=\"http://www.omg.org/XMI\">", "<a>"),
    made("NUL", "", "\0"),
    made("a DOCTYPE", "<!DOCTYPE x [", "<!ENTITY a \"&a;&a;\">"),
];

/// Whoever reads a file gives up after so many problems.
const ENOUGH: usize = 1_000;

fn refused(format: ImportFormat, file: impl Read) {
    let mut problems = 0;
    for outcome in
        read_from(format, "file.x", BufReader::new(file), &ReadOptions::default()).take(ENOUGH)
    {
        match outcome {
            Ok(document) => panic!("{format:?} reads {} bytes", document.text.len()),
            Err(_) => problems += 1,
        }
    }
    assert!(problems > 0, "{format:?} has nothing to say");
}

/// One element with 800,000 attributes.
fn attributes() -> Vec<u8> {
    let mut file = "<xmi:XMI xmlns:xmi=\"http://www.omg.org/XMI\"><a".to_owned();
    for number in 0..800_000 {
        write!(file, " a{number}=\"\"").unwrap();
    }
    (file + "/></xmi:XMI>").into_bytes()
}

/// A zip with one file of so many zeros.
fn bomb(zeros: u64) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    // As quickly as can be: how well it is packed does not matter.
    zip.start_file("a.txt", SimpleFileOptions::default().compression_level(Some(1))).unwrap();
    std::io::copy(&mut repeat(0).take(zeros), &mut zip).unwrap();
    zip.finish().unwrap().into_inner()
}

/// A zip with an entry of a name, or a link.
fn entry(name: &str, link: Option<&str>) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    if let Some(target) = link {
        zip.add_symlink(name, target, SimpleFileOptions::default()).unwrap();
    } else {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(b"text").unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn bundle_refused(zip: &[u8]) {
    let limits = BundleLimits::default();
    let Ok(mut bundle) = Bundle::from_zip("a.zip", Cursor::new(zip), &limits) else { return };
    let mut documents = 0;
    bundle.read(&ReadOptions::default(), |outcome| {
        documents += usize::from(outcome.is_ok());
        ControlFlow::Continue(())
    });
    assert_eq!(documents, 0, "the zip is read");
}

#[test]
fn hostile_files_are_refused_in_little_memory() {
    for format in ImportFormat::ALL {
        for file in HOSTILE {
            taken(&format!("{}, as {}", file.name, format.name()), || refused(format, file.open()));
        }
        let invalid = repeat(0xFF).take(TEN_MEGABYTES);
        taken(&format!("no UTF-8, as {}", format.name()), || refused(format, invalid));
    }
    let file = attributes();
    for format in [ImportFormat::CasXmi, ImportFormat::CasJson] {
        taken(&format!("800,000 attributes, as {}", format.name()), || refused(format, &file[..]));
    }
    for (what, zip) in [
        ("a bomb of 100 MB", bomb(100_000_000)),
        ("a bomb of 10 MB", bomb(10_000_000)),
        ("a name that leads elsewhere", entry("../a.txt", None)),
        ("a name from the root", entry("/etc/a.txt", None)),
        ("a link", entry("a.txt", Some("/etc/hosts"))),
    ] {
        taken(what, || bundle_refused(&zip));
    }
    for file in HOSTILE {
        taken(&format!("{}, as a study", file.name), || {
            let study = study::read::read(BufReader::new(file.open()), &Options::default(), |_| ());
            // A list without end is a line that is too long.
            assert!(study.is_err(), "{} is a study", file.name);
        });
    }
}
