//! Space on the volume of SQLite's database, and what stops first where it runs out: imports and backups,
//! so that people can save for as long as possible.

use std::{io, path::Path};

use domain::{Actor, Error as Refusal, base::policy::Action};

use crate::{Result, Services, base::access::permit_outside};

const MEBIBYTE: u64 = 1024 * 1024;

/// Space on a volume, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StorageSpace {
    pub free: u64,
    pub total: u64,
}

/// How much of a volume is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SpaceLevel {
    /// Saves cannot be counted on: less than 1 MiB, or 1 % of a small volume.
    Full,
    /// Left for saves: less than 256 MiB, or 5 % of a small volume.
    Reserved,
    /// Somebody should look: less than 1 GiB, or 10 % of a small volume.
    Low,
    Enough,
}

impl StorageSpace {
    /// The space on the volume of a file or folder.
    pub(crate) fn at(path: &Path) -> io::Result<Self> {
        let found = rustix::fs::statvfs(path)?;
        let bytes = |blocks: u64| blocks.saturating_mul(found.f_frsize);
        Ok(Self { free: bytes(found.f_bavail), total: bytes(found.f_blocks) })
    }

    pub fn level(self) -> SpaceLevel {
        let is_below = |bytes: u64, percent: u64| {
            self.free < bytes.min((self.total / 100).saturating_mul(percent))
        };
        if is_below(MEBIBYTE, 1) {
            SpaceLevel::Full
        } else if is_below(256 * MEBIBYTE, 5) {
            SpaceLevel::Reserved
        } else if is_below(1024 * MEBIBYTE, 10) {
            SpaceLevel::Low
        } else {
            SpaceLevel::Enough
        }
    }

    /// The space that is left after so many bytes more are written.
    pub(crate) fn after(self, bytes: u64) -> Self {
        Self { free: self.free.saturating_sub(bytes), ..self }
    }
}

/// The space that the database of this server has; none where PostgreSQL keeps it, or nobody knows.
pub async fn storage_space(services: &Services) -> Option<StorageSpace> {
    let file = services.store.file()?;
    // A volume of a network may not answer.
    let found = tokio::task::spawn_blocking(move || StorageSpace::at(&file)).await.ok()?;
    found.inspect_err(|error| tracing::warn!(%error, "the space of the database is unknown")).ok()
}

/// The same, for an administrator.
pub async fn show_storage_space(
    services: &Services,
    actor: &Actor,
) -> Result<Option<StorageSpace>> {
    permit_outside(&services.store, actor, Action::Administer)?;
    Ok(storage_space(services).await)
}

/// Refuses what must not take the space that saves need.
pub(crate) async fn leave_space_for_saves(services: &Services) -> Result<()> {
    match storage_space(services).await.map(StorageSpace::level) {
        Some(SpaceLevel::Full | SpaceLevel::Reserved) => Err(Refusal::StorageFull.into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_volumes_are_measured_in_percent_and_large_ones_in_bytes() {
        let level = |free, total| StorageSpace { free, total }.level();
        let small = 24 * MEBIBYTE;
        assert_eq!(level(0, small), SpaceLevel::Full);
        assert_eq!(level(MEBIBYTE, small), SpaceLevel::Reserved);
        assert_eq!(level(2 * MEBIBYTE, small), SpaceLevel::Low);
        assert_eq!(level(3 * MEBIBYTE, small), SpaceLevel::Enough);
        let large = 1024 * 1024 * MEBIBYTE;
        assert_eq!(level(MEBIBYTE - 1, large), SpaceLevel::Full);
        assert_eq!(level(255 * MEBIBYTE, large), SpaceLevel::Reserved);
        assert_eq!(level(1023 * MEBIBYTE, large), SpaceLevel::Low);
        assert_eq!(level(1024 * MEBIBYTE, large), SpaceLevel::Enough);
        let copied = StorageSpace { free: 300 * MEBIBYTE, total: large }.after(100 * MEBIBYTE);
        assert_eq!(copied.level(), SpaceLevel::Reserved);
    }

    #[test]
    fn a_folder_is_on_a_volume_with_some_space() {
        let space = StorageSpace::at(&std::env::temp_dir()).unwrap();
        assert!(0 < space.free && space.free <= space.total);
        assert!(StorageSpace::at(Path::new("/nowhere/at/all")).is_err());
    }
}
