//! Places of both kinds: a folder, and a bucket of a real server of Amazon's protocol, on loopback.

use std::{fs, path::PathBuf};

use age::{secrecy::ExposeSecret, x25519::Identity};
use chrono::{DateTime, TimeDelta, Utc};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::conn::auto::Builder,
};
use object_store::aws::AmazonS3Builder;
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use s3s_fs::FileSystem;
use tempfile::TempDir;
use tokio::net::TcpListener;

use super::*;
use crate::{Engine, Lineage, Location, client::Connector};

/// Larger than what is sent at once.
const LARGE: usize = 11 << 20;

/// A bucket of a server on loopback.
pub(super) fn bucket_at(endpoint: String) -> AmazonS3Builder {
    AmazonS3Builder::new()
        .with_endpoint(endpoint)
        .with_allow_http(true)
        .with_access_key_id("key")
        .with_secret_access_key("secret")
        .with_bucket_name("bucket")
        .with_http_connector(Connector)
}

/// A place, and where its files lie.
struct Tried {
    place: Place,
    files: PathBuf,
    _folder: TempDir,
}

impl Tried {
    fn folder() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = folder.path().join("backups");
        fs::create_dir(&files).unwrap();
        let place = Location::Folder(files.clone()).open().unwrap();
        Self { place, files, _folder: folder }
    }

    async fn bucket() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bucket")).unwrap();
        let mut service = S3ServiceBuilder::new(FileSystem::new(folder.path()).unwrap());
        service.set_auth(SimpleAuth::from_single("key", "secret"));
        let service = service.build();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let server = Builder::new(TokioExecutor::new());
                    drop(server.serve_connection(TokioIo::new(stream), service).await);
                });
            }
        });
        let bucket = bucket_at(endpoint).build().unwrap();
        let place = Place::in_bucket(bucket, "of/ours", "it".to_owned());
        Self { place, files: folder.path().join("bucket/of/ours"), _folder: folder }
    }

    async fn each() -> [Self; 2] {
        [Self::folder(), Self::bucket().await]
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.files).into_iter().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

pub(super) fn person() -> (Recipient, Identities) {
    let identity = Identity::generate();
    let recipient = identity.to_public().to_string().parse().unwrap();
    (recipient, Identities::read(identity.to_string().expose_secret()).unwrap())
}

pub(super) fn day(n: i64) -> Name {
    let first: DateTime<Utc> = "2026-11-01T00:00:00Z".parse().unwrap();
    Name::new(first + TimeDelta::days(n), Lineage::from(7), Engine::Sqlite)
}

/// What no compression makes smaller.
fn noise(bytes: usize) -> Vec<u8> {
    let mut state = 7_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..bytes.div_ceil(8)).flat_map(|_| next()).collect()
}

/// Ends in the middle, as a program that is killed does.
struct BrokenOff(io::Cursor<Vec<u8>>);

impl Read for BrokenOff {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("killed")),
            read => Ok(read),
        }
    }
}

async fn back_up(place: &Place, name: Name, recipient: &Recipient, plain: Vec<u8>) -> Manifest {
    let recipients = [recipient.clone()];
    let sealed = place.store(name, &recipients, io::Cursor::new(plain)).await.unwrap();
    let manifest = Manifest {
        at: name.at(),
        lineage: name.lineage(),
        engine: name.engine(),
        version: "1".to_owned(),
        migration: "m1".to_owned(),
        secret_key: Some("fingerprint".to_owned()),
        recipients: vec![recipient.to_string()],
        sealed,
    };
    place.finish(name, &manifest).await.unwrap();
    manifest
}

async fn trim(place: &Place, rule: &str, now: Name) -> Vec<Name> {
    let listing = place.list().await.unwrap();
    place.trim(&listing, &rule.parse().unwrap(), now.at()).await.unwrap()
}

pub(super) async fn load(
    place: &Place,
    name: Name,
    identities: &Identities,
) -> Result<Vec<u8>, Error> {
    load_until(place, name, identities, None).await
}

async fn load_until(
    place: &Place,
    name: Name,
    identities: &Identities,
    until: Option<DateTime<Utc>>,
) -> Result<Vec<u8>, Error> {
    let file = tempfile::NamedTempFile::new().unwrap();
    place.load(name, identities, file.reopen().unwrap(), until).await?;
    Ok(fs::read(file.path()).unwrap())
}

#[tokio::test]
async fn what_is_stored_comes_back_to_the_byte() {
    for tried in Tried::each().await {
        let (place, (ada, adas), (_, evas)) = (&tried.place, person(), person());
        for (n, plain) in [(0, Vec::new()), (1, b"few words".to_vec()), (2, noise(LARGE))] {
            let manifest = back_up(place, day(n), &ada, plain.clone()).await;
            assert_eq!(place.manifest(day(n)).await.unwrap(), manifest);
            assert_eq!(place.list().await.unwrap().last(), Some(day(n)));
            assert!(load(place, day(n), &adas).await.unwrap() == plain);
            let refused = load(place, day(n), &evas).await.unwrap_err();
            assert!(matches!(refused, Error::OtherIdentity(_)), "{refused}");
        }
        let missing = load(place, day(9), &adas).await.unwrap_err();
        assert!(matches!(missing, Error::Missing { .. }), "{missing}");
    }
}

#[tokio::test]
async fn what_breaks_off_is_no_backup_and_has_no_name_of_one() {
    for tried in Tried::each().await {
        let (ada, _) = person();
        for bytes in [10, LARGE] {
            let plain = BrokenOff(io::Cursor::new(noise(bytes)));
            let error =
                tried.place.store(day(0), std::slice::from_ref(&ada), plain).await.unwrap_err();
            assert!(error.to_string().contains("killed"), "{error}");
            assert_eq!(tried.place.list().await.unwrap(), Listing::default());
            assert!(!tried.names().contains(&day(0).to_string()), "{:?}", tried.names());
        }
    }
}

#[tokio::test]
async fn another_backup_under_the_name_is_not_taken_for_it() {
    for tried in Tried::each().await {
        let (place, (ada, adas)) = (&tried.place, person());
        back_up(place, day(0), &ada, b"ours".to_vec()).await;
        // Whoever can write there can encrypt for us, too.
        place.store(day(0), &[ada], io::Cursor::new(b"evil".to_vec())).await.unwrap();
        let refused = load(place, day(0), &adas).await.unwrap_err().to_string();
        let told = ["not what its manifest says", "larger than it should be"];
        assert!(told.iter().any(|told| refused.contains(told)), "{refused}");
    }
}

#[tokio::test]
async fn a_backup_that_is_larger_than_its_manifest_says_is_not_read_to_its_end() {
    for tried in Tried::each().await {
        let (place, (ada, adas)) = (&tried.place, person());
        back_up(place, day(0), &ada, b"ours".to_vec()).await;
        let much = io::Cursor::new(vec![7; 8 << 20]);
        place.store(day(0), &[ada], much).await.unwrap();
        let file = tempfile::NamedTempFile::new().unwrap();
        let refused = place.load(day(0), &adas, file.reopen().unwrap(), None).await.unwrap_err();
        assert!(matches!(refused, Error::Damaged { .. }), "{refused}");
        assert!(file.path().metadata().unwrap().len() < 1 << 20);
    }
}

#[tokio::test]
async fn what_the_rule_does_not_keep_goes_but_not_what_is_proven() {
    for tried in Tried::each().await {
        let (place, (ada, _)) = (&tried.place, person());
        for n in 0..5 {
            back_up(place, day(n), &ada, b"words".to_vec()).await;
        }
        let drill = |problems| Drill { at: day(1).at(), projects: 1, problems };
        place.note_drill(day(1), &drill(Vec::new())).await.unwrap();
        place.note_drill(day(2), &drill(vec!["wrong".to_owned()])).await.unwrap();
        let deleted = trim(place, "2d", day(4)).await;
        assert_eq!(deleted, [day(0), day(2)]);
        let left: Vec<_> = place.list().await.unwrap().backups().collect();
        assert_eq!(left, [day(1), day(3), day(4)]);
        assert_eq!(tried.names().len(), 3 * 2 + 1, "{:?}", tried.names());
        // One that nobody can read is as none.
        fs::write(tried.files.join(day(4).drill()), "words").unwrap();
        assert_eq!(trim(place, "2d", day(4)).await, []);
        // A later proof sets the former free.
        place.note_drill(day(3), &drill(Vec::new())).await.unwrap();
        assert_eq!(trim(place, "2d", day(4)).await, [day(1)]);
    }
}

#[tokio::test]
async fn what_has_changed_since_comes_back_with_it_or_nothing_does() {
    for tried in Tried::each().await {
        let (place, (ada, adas)) = (&tried.place, person());
        let at = |number: u32| day(0).at() + TimeDelta::minutes(number.into());
        let contents: Vec<_> = (1..5_u8).map(|n| vec![n; 10_000 * usize::from(n)]).collect();
        back_up(place, day(0), &ada, contents[0].clone()).await;
        for (number, pair) in (1..).zip(contents.windows(2)) {
            let now = State::of(&pair[1]);
            let changes = State::of(&pair[0]).changes(&now, &pair[1], at(number)).unwrap().unwrap();
            place.follow(day(0), number, std::slice::from_ref(&ada), changes).await.unwrap();
            assert!(load(place, day(0), &adas).await.unwrap() == pair[1]);
        }
        let file = tempfile::tempfile().unwrap();
        assert_eq!(place.load(day(0), &adas, file, None).await.unwrap().until, at(3));
        for (minute, content) in [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)] {
            let loaded = load_until(place, day(0), &adas, Some(at(minute))).await.unwrap();
            assert!(loaded == contents[content], "{minute}");
        }

        let [second, third] = [2, 3].map(|number| tried.files.join(day(0).changes(number)));
        let bytes = fs::read(&third).unwrap();
        fs::copy(&second, &third).unwrap();
        let refused = load(place, day(0), &adas).await.unwrap_err();
        assert!(refused.to_string().contains("does not follow"), "{refused}");
        fs::write(&third, bytes).unwrap();
        fs::remove_file(&second).unwrap();
        let refused = load(place, day(0), &adas).await.unwrap_err();
        assert!(refused.to_string().contains("changes-000002"), "{refused}");
        assert!(refused.to_string().ends_with("up to 2026-11-01T00:01:00.000000Z it is good"));
        assert!(load_until(place, day(0), &adas, Some(at(1))).await.unwrap() == contents[1]);
        // What was lost at the end is not known to have been there.
        fs::remove_file(&third).unwrap();
        assert!(load(place, day(0), &adas).await.unwrap() == contents[1]);

        for n in 1..4 {
            back_up(place, day(n), &ada, b"words".to_vec()).await;
        }
        trim(place, "7d", day(4)).await;
        assert_eq!(place.list().await.unwrap().changes(day(0)).count(), 0);
    }
}

#[tokio::test]
async fn a_store_that_does_not_let_us_in_is_told_by_its_name() {
    let location: Location = "/proc/version/backups".parse().unwrap();
    assert!(location.open().unwrap_err().to_string().contains("/proc/version/backups"));
}

#[tokio::test]
async fn what_was_begun_in_a_folder_and_given_up_goes_after_two_days() {
    let tried = Tried::folder();
    let named = |name: &str| tried.files.join(name);
    let (stale, fresh) = (format!("{}#1", day(0)), format!("{}#2", day(0)));
    let before = SystemTime::now() - 2 * STALE;
    for name in [stale.as_str(), &fresh, "notes#1"] {
        let file = File::create(named(name)).unwrap();
        if name != fresh {
            file.set_modified(before).unwrap();
        }
    }
    trim(&tried.place, "7d", day(0)).await;
    assert_eq!(tried.names(), [fresh.as_str(), "notes#1"]);
}
