//! `libtband.a` as users get it, made once for a target: test programs that run side by side share it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use xtask::dist::{self, FirmwareLibrary};
use xtask::rust_target::host_target;

use crate::root;

/// Where the package is made, and so all libraries.
#[must_use]
pub fn work() -> PathBuf {
    dist::shared_work(root())
}

/// The recorder for a target.
#[must_use]
pub fn library(triple: &str) -> PathBuf {
    firmware_library(triple, dist::RECORDER)
}

/// A library for a target. Tests that want the same one make it in turn.
#[must_use]
pub fn firmware_library(triple: &str, library: FirmwareLibrary) -> PathBuf {
    static MADE: Mutex<BTreeMap<(String, &str), PathBuf>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (triple.to_owned(), library.name);
    made.entry(key)
        .or_insert_with(|| {
            dist::firmware_library(root(), &work(), triple, library)
                .unwrap_or_else(|error| panic!("{error:#}"))
        })
        .clone()
}

/// The recorder for this machine.
#[must_use]
pub fn archive() -> &'static Path {
    static ARCHIVE: OnceLock<PathBuf> = OnceLock::new();
    ARCHIVE.get_or_init(|| library(&host_target().unwrap_or_else(|error| panic!("{error:#}"))))
}
